//! Whether a target enforces one keyword as it stands in one schema object.

use serde_json::Value;

use super::regex_features::{largest_repetition, regex_features};
use crate::schema::Schema;
use crate::target::{RegexFeature, Restriction, State, Target};
use crate::vocabulary::{Keyword, Types};

/// Whether the target enforces this keyword with this value and these siblings.
///
/// Restrictions that need the document (provably disjoint branches) are the business of the rule concerned
/// and count as not met here.
pub(crate) fn enforces(target: &Target, schema: &Schema, keyword: Keyword) -> bool {
    let support = target.support(keyword);
    support.state == State::Enforced
        && !support.restriction.disjoint
        && allows(&support.restriction, schema, keyword)
}

/// Whether the target enforces the keyword for some values at least.
pub(crate) fn can_enforce(target: &Target, keyword: Keyword) -> bool {
    target.support(keyword).state == State::Enforced
}

/// Whether the keyword's value and what stands beside it are inside the restriction.
pub(crate) fn allows(restriction: &Restriction, schema: &Schema, keyword: Keyword) -> bool {
    restriction.is_empty()
        || (value_allowed(restriction, schema, keyword)
            && pattern_allowed(restriction, schema, keyword)
            && siblings_allowed(restriction, schema))
}

fn value_allowed(restriction: &Restriction, schema: &Schema, keyword: Keyword) -> bool {
    let count = schema.count(keyword);
    let format_listed = restriction.formats.as_ref().is_none_or(|formats| {
        let format = schema.data(keyword).and_then(Value::as_str);
        format.is_some_and(|format| formats.iter().any(|known| known == format))
    });
    let types_listed = restriction.types.is_none_or(|types| types.contains(schema.types()));
    let members_listed = restriction.members.is_none_or(|members| {
        schema.literals().is_some_and(|values| values.iter().all(|value| members.contains(Types::of(value))))
    });
    let counted = restriction.unless_all_required && all_required(schema)
        || (restriction.at_most.is_none_or(|most| count.is_some_and(|count| count <= most))
            && restriction
                .one_of
                .as_ref()
                .is_none_or(|listed| count.is_some_and(|count| listed.contains(&count))));
    let whole = schema.data(keyword).and_then(Value::as_f64).is_some_and(|number| number.fract() == 0.0);
    format_listed
        && types_listed
        && members_listed
        && counted
        && (!restriction.only_false || schema.schema(keyword).is_some_and(Schema::is_never))
        && (!restriction.integer_only || Types::INTEGER.contains(schema.types().and(Types::NUMBER)))
        && (!restriction.whole_values || whole)
        && (!restriction.single || schema.schemas(keyword).len() == 1 || schema.named(keyword).len() == 1)
}

fn all_required(schema: &Schema) -> bool {
    schema
        .named(Keyword::Properties)
        .iter()
        .all(|(name, _)| schema.required().any(|required| required == name))
}

fn pattern_allowed(restriction: &Restriction, schema: &Schema, keyword: Keyword) -> bool {
    let refused = |features: &[RegexFeature], pattern: &str| {
        !features.is_empty() && regex_features(pattern).iter().any(|feature| features.contains(feature))
    };
    let allowed = |pattern: &str| {
        !refused(&restriction.regex, pattern)
            && !refused(&restriction.regex_ignored, pattern)
            && restriction.repeat_at_most.is_none_or(|most| largest_repetition(pattern) <= most)
    };
    match keyword {
        Keyword::Pattern => schema.data(keyword).and_then(Value::as_str).is_some_and(allowed),
        Keyword::PatternProperties => schema.named(keyword).iter().all(|(pattern, _)| allowed(pattern)),
        _ => true,
    }
}

fn siblings_allowed(restriction: &Restriction, schema: &Schema) -> bool {
    let present = |name: &String| Keyword::from_name(name).is_some_and(|keyword| schema.has(keyword));
    !restriction.beside.iter().any(present)
        && (restriction.needs.is_empty() || restriction.needs.iter().any(present))
}
