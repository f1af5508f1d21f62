//! Keywords that the target does not enforce and that no other rule says in another way.

use crate::adapt::context::Context;
use crate::adapt::verbatim::stays;
use crate::error::Error;
use crate::schema::Schema;
use crate::vocabulary::{Group, Keyword, Role};

/// Removes keywords that are not to be sent.
///
/// Subschemas of `not`, `if`, `contains`, `dependentSchemas` and the like stand where loosening them may
/// tighten the whole: such a keyword is kept only where everything inside it can stay as it is.
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
    if keyword == Keyword::Not && context.is_bare_root(schema) {
        return false;
    }
    // All of a group is sent or nothing of it.
    let together: &[Keyword] = match keyword.group() {
        Group::Contains => &[Keyword::Contains, Keyword::MinContains, Keyword::MaxContains],
        Group::Conditional => &[Keyword::If, Keyword::Then, Keyword::Else],
        _ => &[keyword],
    };
    let present = together.iter().filter(|member| schema.has(**member));
    present.into_iter().all(|member| {
        context.sends(schema, *member)
            && schema
                .get(*member)
                .is_some_and(|part| part.schemas().all(|inner| stays(schema, *member, inner, context.target)))
    })
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
