//! Annotations that the target is not to be sent.

use crate::adapt::context::Context;
use crate::error::Error;
use crate::schema::Schema;
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
    Ok(!unwanted.is_empty())
}
