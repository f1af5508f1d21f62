//! `oneOf` and `anyOf`.

use std::collections::HashSet;

use serde_json::Value;

use super::literals::admits;
use super::references::is_wrapped_reference;
use crate::adapt::branches::{exclude_each_other, tests};
use crate::adapt::context::Context;
use crate::adapt::report::Effect;
use crate::adapt::verbatim::stays;
use crate::error::Error;
use crate::schema::{Part, Schema, same_value};
use crate::target::OneOf;
use crate::vocabulary::{Keyword, Types};

/// More branches than this are not multiplied out.
const MAX_BRANCHES: usize = 64;

/// Siblings are written into every branch as long as that makes no more schema objects than this.
const MAX_DISTRIBUTED: usize = 4_096;

/// A `oneOf` whose branches exclude each other is an `anyOf`.
pub(crate) fn disjoint_one_of(schema: &mut Schema, context: &mut Context<'_>) -> Result<bool, Error> {
    let branches = schema.schemas(Keyword::OneOf);
    if !schema.has(Keyword::OneOf)
        || is_guidance(schema, context)
        || !exclude_each_other(&tests(context.source, branches))
    {
        return Ok(false);
    }
    let origin = schema.origin;
    one_of_to_any_of(schema);
    context.rewritten(origin, Keyword::OneOf, "spelled as `anyOf`: no instance satisfies two branches");
    Ok(true)
}

/// Any other `oneOf` is read as `anyOf`, unless the target enforces it as it is.
pub(crate) fn one_of_as_any_of(schema: &mut Schema, context: &mut Context<'_>) -> Result<bool, Error> {
    if !schema.has(Keyword::OneOf) {
        return Ok(false);
    }
    let is_exclusive = context.target.semantics().one_of == OneOf::Exclusive;
    let is_enforced = is_exclusive && context.enforces(schema, Keyword::OneOf);
    if is_enforced && stays_exclusive(schema, context) || is_guidance(schema, context) {
        return Ok(false);
    }
    context.removed(schema.origin, Keyword::OneOf);
    one_of_to_any_of(schema);
    Ok(true)
}

/// Whether the target takes the `oneOf` for the model to read, and enforces nothing of it.
fn is_guidance(schema: &Schema, context: &Context<'_>) -> bool {
    context.sends(schema, Keyword::OneOf)
        && !context.enforces(schema, Keyword::OneOf)
        && !context.is_bare_root(schema)
        && stays_exclusive(schema, context)
}

fn stays_exclusive(schema: &Schema, context: &Context<'_>) -> bool {
    let branches = schema.schemas(Keyword::OneOf);
    branches.iter().all(|branch| stays(schema, Keyword::OneOf, branch, context.target))
}

fn one_of_to_any_of(schema: &mut Schema) {
    let Some(part) = schema.remove(Keyword::OneOf) else { return };
    if schema.has(Keyword::AnyOf) {
        let union = Schema::always(schema.origin).with(Keyword::AnyOf, part);
        schema.also(union);
    } else {
        schema.set(Keyword::AnyOf, part);
    }
}

/// Takes away what a union says twice: branches that accept nothing, a branch that accepts everything, a
/// union in a union, a union of one.
pub(crate) fn simplify_any_of(schema: &mut Schema, context: &mut Context<'_>) -> Result<bool, Error> {
    let branches = schema.schemas(Keyword::AnyOf);
    if !schema.has(Keyword::AnyOf) || is_wrapped_reference(schema, context) {
        return Ok(false);
    }
    if branches.iter().any(Schema::is_always) {
        schema.remove(Keyword::AnyOf);
        return Ok(true);
    }
    let mut simplified: Vec<Schema> = Vec::with_capacity(branches.len());
    let mut texts: HashSet<String> = HashSet::new();
    for branch in branches {
        let only_union = branch.keywords().iter().all(|(keyword, _)| *keyword == Keyword::AnyOf);
        let inner = if only_union { branch.schemas(Keyword::AnyOf) } else { std::slice::from_ref(branch) };
        for branch in inner {
            if !branch.is_never() && texts.insert(branch.to_value().to_string()) {
                simplified.push(branch.clone());
            }
        }
    }
    if simplified.len() == branches.len() && simplified.len() > 1 {
        return Ok(false);
    }
    schema.remove(Keyword::AnyOf);
    match (simplified.pop(), simplified.is_empty()) {
        (None, _) => *schema = Schema::never(schema.origin),
        (Some(only), true) => {
            schema.also(only);
        }
        (Some(last), false) => {
            simplified.push(last);
            schema.set(Keyword::AnyOf, simplified);
        }
    }
    Ok(true)
}

/// An object at the root that also has a union stays an object where the root may not be a union: the
/// union goes, and stays with the residual.
pub(crate) fn drop_root_union(schema: &mut Schema, context: &mut Context<'_>) -> Result<bool, Error> {
    let keeps_object = context.is_bare_root(schema) && !schema.named(Keyword::Properties).is_empty();
    if !keeps_object || !schema.has(Keyword::AnyOf) {
        return Ok(false);
    }
    context.removed(schema.origin, Keyword::AnyOf);
    schema.remove(Keyword::AnyOf);
    Ok(true)
}

/// Whether the target takes other constraints beside `anyOf`.
fn stands_alone(context: &Context<'_>) -> bool {
    let structure = context.target.structure();
    structure.any_of_alone || structure.closed_objects || context.wants_types()
}

/// Whether a keyword is one of those that are written into every branch.
fn distributes(keyword: Keyword) -> bool {
    keyword.constrains() && keyword != Keyword::AnyOf
}

/// Writes what stands beside a union into each of its branches, and multiplies unions out.
pub(crate) fn distribute(schema: &mut Schema, context: &mut Context<'_>) -> Result<bool, Error> {
    if !schema.has(Keyword::AnyOf) || !stands_alone(context) {
        return Ok(false);
    }
    let siblings = siblings(schema);
    if siblings.is_always() || !fits(&siblings, schema.schemas(Keyword::AnyOf)) {
        return Ok(false);
    }
    if !(0..schema.schemas(Keyword::AnyOf).len()).all(|_| context.afford(&siblings)) {
        return Ok(false);
    }
    let branches: Vec<Schema> = schema
        .schemas(Keyword::AnyOf)
        .iter()
        .map(|branch| {
            Schema::always(branch.origin).with(Keyword::AllOf, vec![siblings.clone(), branch.clone()])
        })
        .collect();
    schema.retain(|keyword, _| !distributes(keyword));
    schema.set(Keyword::AnyOf, branches);
    Ok(true)
}

fn siblings(schema: &Schema) -> Schema {
    let mut siblings = schema.clone();
    siblings.retain(|keyword, _| distributes(keyword));
    siblings
}

fn fits(siblings: &Schema, branches: &[Schema]) -> bool {
    let unions =
        siblings.schemas(Keyword::AllOf).iter().map(|member| member.schemas(Keyword::AnyOf).len().max(1));
    let product = unions.fold(branches.len(), usize::saturating_mul);
    // Whatever is in place beside the branches and looks into them cannot be copied into each.
    let looks_around =
        siblings.has(Keyword::UnevaluatedProperties) || siblings.has(Keyword::UnevaluatedItems);
    !looks_around && product <= MAX_BRANCHES && product.saturating_mul(size(siblings)) <= MAX_DISTRIBUTED
}

/// How many schema objects there are, up to a bound that is as good as infinity here.
fn size(schema: &Schema) -> usize {
    schema.everywhere().take(MAX_DISTRIBUTED + 1).count()
}

/// Where the surface has no unions, alternatives that only list values are one list.
pub(crate) fn join_lists(schema: &mut Schema, context: &mut Context<'_>) -> Result<bool, Error> {
    let branches = schema.schemas(Keyword::AnyOf);
    let only_lists = |branch: &Schema| {
        let lists = [Keyword::Enum, Keyword::Const, Keyword::Type];
        let constraining = branch.keywords().iter().filter(|(keyword, _)| keyword.constrains());
        branch.literals().is_some() && constraining.into_iter().all(|(keyword, _)| lists.contains(keyword))
    };
    if branches.is_empty() || context.can_send(Keyword::AnyOf) || !branches.iter().all(only_lists) {
        return Ok(false);
    }
    let mut joined: Vec<Value> = Vec::new();
    for branch in branches {
        for value in branch.literals().unwrap_or_default() {
            if admits(branch, value) && !joined.iter().any(|known| same_value(known, value)) {
                joined.push(value.clone());
            }
        }
    }
    // Values of several types would be split into a union again.
    let types = joined.iter().fold(Types::EMPTY, |types, value| types.with(Types::of(value)));
    if types.names().count() != 1 {
        return Ok(false);
    }
    let list = Schema::always(schema.origin).with(Keyword::Enum, Value::Array(joined));
    schema.remove(Keyword::AnyOf);
    schema.also(list);
    context.rewritten(schema.origin, Keyword::AnyOf, "spelled as one list of values");
    Ok(true)
}

/// Where the surface has no unions and wants a type on every node, the first branch that is not `null` stands for all.
pub(crate) fn first_branch(schema: &mut Schema, context: &mut Context<'_>) -> Result<bool, Error> {
    let branches = schema.schemas(Keyword::AnyOf);
    let first = branches.iter().find(|branch| branch.types() != Types::NULL).or(branches.first());
    let Some(first) = first.filter(|_| context.wants_types() && !context.can_send(Keyword::AnyOf)) else {
        return Ok(false);
    };
    schema.also(first.clone());
    schema.remove(Keyword::AnyOf);
    let reason = "the surface has no unions: only the first alternative that is not null can be produced";
    context.lost(schema.origin, Keyword::AnyOf, Effect::Narrow, reason);
    Ok(true)
}

/// Drops a union whose siblings cannot be written into its branches, and one the target does not enforce.
pub(crate) fn drop_union(schema: &mut Schema, context: &mut Context<'_>) -> Result<bool, Error> {
    if !schema.has(Keyword::AnyOf) {
        return Ok(false);
    }
    let lonely = stands_alone(context) && !siblings(schema).is_always();
    if !lonely && context.sends(schema, Keyword::AnyOf) {
        return Ok(false);
    }
    context.removed(schema.origin, Keyword::AnyOf);
    schema.remove(Keyword::AnyOf);
    Ok(true)
}

/// A union of these schemas, the same ones only once; the schema itself where there is one.
pub(super) fn union(origin: crate::schema::Origin, schemas: Vec<Schema>) -> Schema {
    let mut distinct: Vec<Schema> = Vec::with_capacity(schemas.len());
    for schema in schemas {
        if schema.is_always() {
            return Schema::always(origin);
        }
        if !schema.is_never() && !distinct.contains(&schema) {
            distinct.push(schema);
        }
    }
    match (distinct.pop(), distinct.is_empty()) {
        (None, _) => Schema::never(origin),
        (Some(only), true) => only,
        (Some(last), false) => {
            distinct.push(last);
            Schema::always(origin).with(Keyword::AnyOf, Part::Schemas(distinct))
        }
    }
}
