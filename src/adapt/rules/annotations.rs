//! Annotations that the target is not to be sent.

use crate::adapt::context::Context;
use crate::adapt::project::is_entered;
use crate::error::Error;
use crate::schema::{Part, Schema};
use crate::target::Siblings;
use crate::vocabulary::{Keyword, Role};

/// Removes annotations that the profile does not send, and those that may not stand where they stand.
pub(crate) fn drop_annotation(schema: &mut Schema, context: &mut Context<'_>) -> Result<bool, Error> {
    let bare = context.target.structure().any_of_bare && schema.has(Keyword::AnyOf)
        || (context.target.structure().any_of_bare
            && schema.has(Keyword::Ref)
            && context.target.structure().reference_siblings == Siblings::None);
    let unwanted: Vec<Keyword> = schema
        .keywords()
        .iter()
        .map(|(keyword, _)| *keyword)
        .filter(|keyword| {
            keyword.role() == Role::Annotation && (bare || !context.target.support(*keyword).sent)
        })
        .collect();
    for keyword in &unwanted {
        context.removed(schema.origin, *keyword);
        schema.remove(*keyword);
    }
    let mut changed = !unwanted.is_empty();
    // What is not projected part by part is gone through here.
    let whole: Vec<Keyword> = schema.keywords().iter().map(|(keyword, _)| *keyword).collect();
    for keyword in whole.into_iter().filter(|keyword| !is_entered(*keyword)) {
        for part in schema.get_mut(keyword).into_iter().flat_map(Part::schemas_mut) {
            changed |= drop_throughout(part, context);
        }
    }
    Ok(changed)
}

fn drop_throughout(schema: &mut Schema, context: &Context<'_>) -> bool {
    let before = schema.keywords().len();
    schema.retain(|keyword, _| keyword.role() != Role::Annotation || context.target.support(keyword).sent);
    let mut changed = schema.keywords().len() < before;
    for part in schema.children_mut() {
        changed |= drop_throughout(part, context);
    }
    changed
}
