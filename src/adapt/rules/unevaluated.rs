//! `unevaluatedProperties` and `unevaluatedItems`.

use crate::adapt::context::Context;
use crate::error::Error;
use crate::schema::Schema;
use crate::vocabulary::Keyword;

/// With nothing beside it that evaluates properties elsewhere, `unevaluatedProperties` means the same as
/// `additionalProperties`.
///
/// It is spelled that way for every target, one that enforces it too. What it rejects depends on the keywords
/// beside it, so a rule that declares a property or loosens a pattern would change it; `additionalProperties`
/// is what those rules know.
pub(crate) fn unevaluated_as_additional(
    schema: &mut Schema,
    context: &mut Context<'_>,
) -> Result<bool, Error> {
    Ok(say_directly(schema, context, Keyword::UnevaluatedProperties, Keyword::AdditionalProperties))
}

/// With nothing beside it that evaluates items elsewhere, `unevaluatedItems` means the same as `items`.
pub(crate) fn unevaluated_as_items(schema: &mut Schema, context: &mut Context<'_>) -> Result<bool, Error> {
    Ok(say_directly(schema, context, Keyword::UnevaluatedItems, Keyword::Items))
}

/// Where the direct keyword is there already it leaves nothing unevaluated.
fn say_directly(schema: &mut Schema, context: &mut Context<'_>, keyword: Keyword, direct: Keyword) -> bool {
    if schema.evaluates_elsewhere() {
        return false;
    }
    let Some(part) = schema.remove(keyword) else { return false };
    if !schema.has(direct) {
        schema.set(direct, part);
        let reason = format!("spelled as `{direct}`, which means the same here");
        context.rewritten(schema.origin, keyword, reason);
    }
    true
}

/// Where something beside it evaluates members, loosening that would let `unevaluated*` reject more. So it
/// goes first.
pub(crate) fn drop_unevaluated(schema: &mut Schema, context: &mut Context<'_>) -> Result<bool, Error> {
    Ok(schema.evaluates_elsewhere() && drop(schema, context))
}

/// Drops both keywords, and says whether there was one.
pub(super) fn drop(schema: &mut Schema, context: &mut Context<'_>) -> bool {
    let mut changed = false;
    for keyword in [Keyword::UnevaluatedProperties, Keyword::UnevaluatedItems] {
        if schema.remove(keyword).is_some() {
            context.removed(schema.origin, keyword);
            changed = true;
        }
    }
    changed
}
