//! References that the target does not take as they stand.

use std::sync::Arc;

use super::unevaluated;
use crate::adapt::context::Context;
use crate::adapt::report::Effect;
use crate::error::Error;
use crate::schema::{Part, Schema};
use crate::target::{Inlining, Recursion, Siblings};
use crate::vocabulary::{Keyword, Types};

/// Writes the referred definition out in place: where the surface has no references, where it takes none
/// at the root, and where other constraints stand beside the reference.
///
/// The definition's content is put into `allOf`, which says the same; merging follows.
pub(crate) fn inline_reference(schema: &mut Schema, context: &mut Context<'_>) -> Result<bool, Error> {
    let Some(name) = schema.target().cloned() else { return Ok(false) };
    if !must_inline(schema, &name, context) || context.inlined.contains(&name) {
        return Ok(false);
    }
    let Some(content) = context.source.definition(&name).cloned() else { return Ok(false) };
    if !context.afford(&content) {
        return Ok(false);
    }
    context.inlined.push(name);
    schema.remove(Keyword::Ref);
    if schema.is_always() {
        let mut content = content;
        for (keyword, part) in schema.keywords() {
            content.set(*keyword, part.clone());
        }
        *schema = content;
    } else {
        schema.also(content);
    }
    Ok(true)
}

fn must_inline(schema: &Schema, name: &Arc<str>, context: &Context<'_>) -> bool {
    let structure = context.target.structure();
    let constrained =
        schema.keywords().iter().any(|(keyword, _)| *keyword != Keyword::Ref && keyword.constrains());
    match structure.inlining {
        Inlining::Always => true,
        Inlining::NonRecursive if !context.recursion.is_recursive(name) => true,
        _ => {
            !context.can_send(Keyword::Ref)
                || (context.is_root && !structure.root_reference)
                || (constrained && structure.reference_siblings != Siblings::Any)
        }
    }
}

/// Replaces a reference by the types of what it refers to, where the surface does not let a definition
/// contain itself there, or where writing it out would never end or become too large.
pub(crate) fn cut_recursion(schema: &mut Schema, context: &mut Context<'_>) -> Result<bool, Error> {
    let Some(name) = schema.target().cloned() else { return Ok(false) };
    if context.source.definition(&name).is_none() {
        // "Any value" is a definition that the source does not have.
        return Ok(false);
    }
    // The rule before this one has written out what can be.
    let endless = must_inline(schema, &name, context);
    let refused = context.within.as_ref().is_some_and(|within| match context.target.structure().recursion {
        Recursion::Allowed => false,
        Recursion::OptionalOnly => {
            !context.in_optional && context.recursion.returns_outside_optional(within, &name)
        }
        Recursion::Forbidden => context.recursion.returns(within, &name),
    });
    if !endless && !refused {
        return Ok(false);
    }
    let siblings =
        schema.keywords().iter().any(|(keyword, _)| *keyword != Keyword::Ref && keyword.constrains());
    if endless && siblings && context.can_send(Keyword::Ref) && !refused {
        // The reference can stay if its siblings go; they stay with the residual.
        schema.retain(|keyword, _| keyword == Keyword::Ref || !keyword.constrains());
        return Ok(true);
    }
    let types = types_of(context, &name);
    context.rewritten(
        schema.origin,
        Keyword::Ref,
        "cannot be written out any further; only the type is kept",
    );
    schema.remove(Keyword::Ref);
    // What the reference evaluated would be left to them.
    unevaluated::drop(schema, context);
    let skeleton = Schema::of_types(schema.origin, types);
    if schema.is_always() {
        schema.set_types(types);
    } else {
        schema.also(skeleton);
    }
    if context.target.structure().closed_objects && types.contains(Types::OBJECT) {
        context.lost(
            schema.origin,
            Keyword::Ref,
            Effect::Unrepresentable,
            "the surface has no recursion, and its objects are closed",
        );
    }
    Ok(true)
}

/// The types that a definition allows, as far as its own keywords and references show.
fn types_of(context: &Context<'_>, name: &Arc<str>) -> Types {
    let mut types = Types::ANY;
    let mut seen: Vec<&Schema> = Vec::new();
    let mut pending: Vec<&Schema> = context.source.definition(name).into_iter().collect();
    while let Some(schema) = pending.pop() {
        if seen.iter().any(|other| std::ptr::eq(*other, schema)) {
            continue;
        }
        seen.push(schema);
        types = types.and(schema.types());
        pending.extend(schema.target().and_then(|name| context.source.definition(name)));
        pending.extend(schema.schemas(Keyword::AllOf));
    }
    types
}

/// Whether nothing may stand beside a reference, not even an annotation.
fn stands_alone(context: &Context<'_>) -> bool {
    !context.target.structure().reference_siblings.takes_annotations()
}

/// Whether this is a reference that [`wrap_reference`] has put into an `anyOf`, to stay there.
pub(super) fn is_wrapped_reference(schema: &Schema, context: &Context<'_>) -> bool {
    let [branch] = schema.schemas(Keyword::AnyOf) else { return false };
    stands_alone(context)
        && branch.keywords().len() == 1
        && branch.has(Keyword::Ref)
        && schema.keywords().len() > 1
        && schema.keywords().iter().all(|(keyword, _)| *keyword == Keyword::AnyOf || !keyword.constrains())
}

/// Puts a reference that annotations stand beside into an `anyOf` of its own.
pub(crate) fn wrap_reference(schema: &mut Schema, context: &mut Context<'_>) -> Result<bool, Error> {
    let alone = schema.keywords().len() == 1;
    if !schema.has(Keyword::Ref) || alone || !stands_alone(context) {
        return Ok(false);
    }
    let Some(Part::Reference(name)) = schema.remove(Keyword::Ref) else { return Ok(false) };
    if context.target.structure().any_of_bare {
        // Nothing may stand beside `anyOf` either: the annotations go.
        *schema = Schema::reference(schema.origin, name);
    } else {
        schema.set(Keyword::AnyOf, vec![Schema::reference(schema.origin, name)]);
    }
    Ok(true)
}
