//! `type`: present on every node, and one at a time, where the target wants that.

use serde_json::Value;

use crate::adapt::context::Context;
use crate::adapt::encode::with_null;
use crate::adapt::report::Effect;
use crate::adapt::support::unread;
use crate::error::Error;
use crate::schema::Schema;
use crate::target::{Nullable, TypeArrays};
use crate::vocabulary::{Keyword, Types};

/// A schema whose keywords all speak of certain types gets those types, where the target wants a type.
pub(crate) fn implied_type(schema: &mut Schema, context: &mut Context<'_>) -> Result<bool, Error> {
    let typed = schema.types() != Types::ANY
        || schema.has(Keyword::AnyOf)
        || schema.has(Keyword::Ref)
        || schema.literals().is_some()
        || schema.is_never();
    if typed {
        return Ok(false);
    }
    let spoken_of = schema
        .keywords()
        .iter()
        .map(|(keyword, _)| keyword)
        .filter(|keyword| keyword.constrains() && keyword.applies_to() != Types::ANY)
        .fold(Types::EMPTY, |types, keyword| types.with(keyword.applies_to()));
    let structure = context.target.structure();
    let is_root_object = context.is_root && structure.root_object;
    let spoken_of = match spoken_of {
        types if types.is_empty() => return Ok(false),
        types if context.wants_types() => types,
        types if types.contains(Types::OBJECT) && (is_root_object || structure.typed_objects) => {
            Types::OBJECT
        }
        _ => return Ok(false),
    };
    schema.set_types(spoken_of);
    let names: Vec<&str> = spoken_of.names().collect();
    let reason = format!("the surface wants a type; the keywords here are about {}", names.join(" and "));
    context.lost(schema.origin, Keyword::Type, Effect::Narrow, reason);
    Ok(true)
}

/// Where `null` can be neither a type beside others nor a marker, it cannot be produced.
pub(crate) fn drop_null(schema: &mut Schema, context: &mut Context<'_>) -> Result<bool, Error> {
    let others = schema.types().without(Types::NULL);
    let is_listed = schema.has(Keyword::Type) && schema.types().contains(Types::NULL) && !others.is_empty();
    if context.target.structure().nullable != Nullable::None || !is_listed {
        return Ok(false);
    }
    let reason = "the surface has no way to say \"or null\": null cannot be produced";
    context.lost(schema.origin, Keyword::Type, Effect::Narrow, reason);
    schema.set_types(others);
    Ok(true)
}

/// In a union, `null` by itself goes with another type, where the surface has a marker for it and no such type.
pub(crate) fn null_beside_a_type(schema: &mut Schema, context: &mut Context<'_>) -> Result<bool, Error> {
    let branches = schema.schemas(Keyword::AnyOf);
    let is_null = |branch: &Schema| branch.types() == Types::NULL;
    let takes_null = |branch: &Schema| {
        let types = branch.types();
        let is_plain = ![Keyword::AnyOf, Keyword::OneOf, Keyword::AllOf, Keyword::Ref, Keyword::Not]
            .iter()
            .any(|keyword| branch.has(*keyword));
        is_plain && types != Types::NULL && types.without(Types::NULL).names().count() == 1
    };
    if !lacks_null(context) || !branches.iter().any(is_null) {
        return Ok(false);
    }
    let Some(at) = branches.iter().position(takes_null) else { return Ok(false) };
    let mut branches = branches.to_vec();
    if let Some(branch) = branches.get_mut(at) {
        *branch = with_null(branch);
    }
    branches.retain(|branch| !is_null(branch));
    schema.set(Keyword::AnyOf, branches);
    Ok(true)
}

/// Where `null` stands by itself and the surface has only a marker for it, another type goes with it.
pub(crate) fn type_beside_null(schema: &mut Schema, context: &mut Context<'_>) -> Result<bool, Error> {
    if schema.types() != Types::NULL || !lacks_null(context) {
        return Ok(false);
    }
    context.removed(schema.origin, Keyword::Type);
    schema.retain(|keyword, _| !matches!(keyword, Keyword::Enum | Keyword::Const));
    schema.set_types(Types::STRING.with(Types::NULL));
    Ok(true)
}

fn lacks_null(context: &Context<'_>) -> bool {
    let named = context.target.support(Keyword::Type).restriction.types;
    context.target.structure().nullable == Nullable::Marker
        && named.is_some_and(|types| !types.contains(Types::NULL))
}

/// Says all types, where the surface would take the keywords here to say that there is only one.
pub(crate) fn state_all_types(schema: &mut Schema, context: &mut Context<'_>) -> Result<bool, Error> {
    let decides =
        [Keyword::Type, Keyword::Ref, Keyword::AnyOf, Keyword::OneOf, Keyword::Enum, Keyword::Const];
    let speaks_of_some = |keyword: &Keyword| keyword.constrains() && keyword.applies_to() != Types::ANY;
    if context.target.semantics().branches.is_empty()
        || decides.iter().any(|keyword| schema.has(*keyword))
        || !schema.keywords().iter().any(|(keyword, _)| speaks_of_some(keyword))
    {
        return Ok(false);
    }
    schema.set(Keyword::Type, Types::ANY.names().collect::<Value>());
    Ok(true)
}

/// Where the surface reads one group of keywords of a node and skips the others, the others go.
pub(crate) fn drop_unread(schema: &mut Schema, context: &mut Context<'_>) -> Result<bool, Error> {
    let Some((_, unread)) = unread(context.target, schema) else { return Ok(false) };
    for keyword in &unread {
        context.removed(schema.origin, *keyword);
        schema.remove(*keyword);
    }
    Ok(!unread.is_empty())
}

/// Splits several types into one branch for each, with the keywords that say something about it.
pub(crate) fn split_types(schema: &mut Schema, context: &mut Context<'_>) -> Result<bool, Error> {
    let types = schema.types();
    if types == Types::ANY || schema.has(Keyword::AnyOf) || fits(types, context) {
        return Ok(false);
    }
    let together = together(types, context);
    let branches: Vec<Schema> = together.into_iter().map(|types| of_types(schema, types)).collect();
    schema.retain(|keyword, _| !keyword.constrains());
    schema.set(Keyword::AnyOf, branches);
    Ok(true)
}

/// Whether the surface takes these types in one `type`.
fn fits(types: Types, context: &Context<'_>) -> bool {
    let structure = context.target.structure();
    let count = types.names().count();
    let with_null = types.contains(Types::NULL);
    match structure.type_arrays {
        TypeArrays::Any => true,
        TypeArrays::Nullable => count <= 1 || (count == 2 && with_null),
        TypeArrays::None => count <= 1 || (count == 2 && with_null && structure.nullable == Nullable::Marker),
    }
}

/// The types that go together in one branch: each by itself, `null` with the only other one where that fits.
fn together(types: Types, context: &Context<'_>) -> Vec<Types> {
    if fits(types, context) { vec![types] } else { types.each().collect() }
}

/// The part of a schema that is about these types.
fn of_types(schema: &Schema, types: Types) -> Schema {
    let mut part = schema.clone();
    part.retain(|keyword, _| keyword.constrains() && !keyword.applies_to().and(types).is_empty());
    part.set_types(types);
    if let Some(Value::Array(values)) = schema.data(Keyword::Enum) {
        let kept: Vec<Value> =
            values.iter().filter(|value| types.contains(Types::of(value))).cloned().collect();
        if kept.len() < values.len() {
            part.set(Keyword::Enum, Value::Array(kept));
        }
    }
    part
}
