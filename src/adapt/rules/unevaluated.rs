//! `unevaluatedProperties` and `unevaluatedItems`.

use crate::adapt::context::Context;
use crate::error::Error;
use crate::schema::Schema;
use crate::vocabulary::Keyword;

/// Keywords whose subschemas apply to the same instance, and so may evaluate its members.
const IN_PLACE: [Keyword; 10] = [
    Keyword::Ref,
    Keyword::AllOf,
    Keyword::AnyOf,
    Keyword::OneOf,
    Keyword::Not,
    Keyword::If,
    Keyword::Then,
    Keyword::Else,
    Keyword::DependentSchemas,
    Keyword::Contains,
];

fn evaluated_elsewhere(schema: &Schema) -> bool {
    IN_PLACE.iter().any(|keyword| schema.has(*keyword))
}

/// With nothing beside it that evaluates properties elsewhere, `unevaluatedProperties` means the same as
/// `additionalProperties`.
pub(crate) fn unevaluated_as_additional(
    schema: &mut Schema,
    context: &mut Context<'_>,
) -> Result<bool, Error> {
    let settled = !evaluated_elsewhere(schema) && !context.enforces(schema, Keyword::UnevaluatedProperties);
    if !settled || !schema.has(Keyword::UnevaluatedProperties) {
        return Ok(false);
    }
    let Some(part) = schema.remove(Keyword::UnevaluatedProperties) else { return Ok(false) };
    if !schema.has(Keyword::AdditionalProperties) {
        schema.set(Keyword::AdditionalProperties, part);
        let reason = "spelled as `additionalProperties`, which means the same here";
        context.rewritten(schema.origin, Keyword::UnevaluatedProperties, reason);
    }
    Ok(true)
}

/// Where something beside it evaluates members, loosening that would let `unevaluated*` reject more. So it
/// goes first.
pub(crate) fn drop_unevaluated(schema: &mut Schema, context: &mut Context<'_>) -> Result<bool, Error> {
    let mut changed = false;
    for keyword in [Keyword::UnevaluatedProperties, Keyword::UnevaluatedItems] {
        if schema.has(keyword) && evaluated_elsewhere(schema) {
            context.removed(schema.origin, keyword);
            schema.remove(keyword);
            changed = true;
        }
    }
    Ok(changed)
}
