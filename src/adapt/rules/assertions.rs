//! Keywords that the target does not enforce and that no other rule says in another way.

use crate::adapt::context::Context;
use crate::adapt::verbatim::is_enforced_throughout;
use crate::error::Error;
use crate::schema::Schema;
use crate::vocabulary::{Group, Keyword, Role};

/// Removes keywords that the target does not enforce.
///
/// Subschemas of `not`, `if`, `contains`, `dependentSchemas` and the like stand where loosening them may
/// tighten the whole: such a keyword is kept only where everything inside it is enforced as it is.
pub(crate) fn drop_assertion(schema: &mut Schema, context: &mut Context<'_>) -> Result<bool, Error> {
    if schema.is_never() {
        // `false` is not a `not`; what cannot say it has a rule for that.
        return Ok(false);
    }
    let unwanted: Vec<Keyword> = schema
        .keywords()
        .iter()
        .map(|(keyword, _)| *keyword)
        .filter(|keyword| !has_rules_of_its_own(*keyword) && keyword.role() != Role::Annotation)
        .filter(|keyword| !kept(schema, *keyword, context))
        .collect();
    for keyword in &unwanted {
        context.removed(schema.origin, *keyword);
        schema.remove(*keyword);
    }
    Ok(!unwanted.is_empty())
}

fn kept(schema: &Schema, keyword: Keyword, context: &Context<'_>) -> bool {
    let sent = |keyword| context.target.support(keyword).sent;
    match keyword.group() {
        // All of a group is sent or nothing of it.
        Group::Contains => {
            [Keyword::Contains, Keyword::MinContains, Keyword::MaxContains].into_iter().all(|member| {
                !schema.has(member)
                    || (context.enforces(schema, member)
                        && sent(member)
                        && inside_enforced(schema, member, context))
            })
        }
        Group::Conditional => [Keyword::If, Keyword::Then, Keyword::Else].into_iter().all(|member| {
            !schema.has(member)
                || (context.enforces(schema, member)
                    && sent(member)
                    && inside_enforced(schema, member, context))
        }),
        _ => context.enforces(schema, keyword) && sent(keyword) && inside_enforced(schema, keyword, context),
    }
}

fn inside_enforced(schema: &Schema, keyword: Keyword, context: &Context<'_>) -> bool {
    schema
        .get(keyword)
        .is_some_and(|part| part.schemas().all(|schema| is_enforced_throughout(context.target, schema)))
}

/// Whether other rules decide about this keyword.
fn has_rules_of_its_own(keyword: Keyword) -> bool {
    matches!(keyword.group(), Group::Properties | Group::Items)
        || matches!(
            keyword,
            Keyword::Ref
                | Keyword::Type
                | Keyword::Enum
                | Keyword::Const
                | Keyword::AllOf
                | Keyword::AnyOf
                | Keyword::OneOf
        )
}
