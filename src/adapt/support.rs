//! Whether a target takes one keyword as it stands in one schema object, and whether it enforces it.

use serde_json::Value;

use super::regex_features::{is_anchored, largest_repetition, regex_features};
use super::respell::{is_read_as_meant, matching, may_be_searched_for, respelled};
use crate::schema::{Part, Schema};
use crate::target::{Nullable, PatternMatch, RegexFeature, Restriction, State, Target, TypeArrays};
use crate::vocabulary::{Keyword, Types};

/// Whether the target enforces this keyword with this value and these siblings.
///
/// Whether the branches of a `oneOf` are disjoint needs the document: it counts as not known here, and a rule
/// has turned such a `oneOf` into an `anyOf`.
pub(crate) fn enforces(target: &Target, schema: &Schema, keyword: Keyword) -> bool {
    target.support(keyword).state == State::Enforced
        && sends(target, schema, keyword)
        && !patterns(schema, keyword).any(|pattern| may_be_searched_for(pattern, keyword, target))
        && !is_loose_format(target, schema, keyword)
}

fn is_loose_format(target: &Target, schema: &Schema, keyword: Keyword) -> bool {
    let loose = &target.support(keyword).restriction.loose_formats;
    let format = schema.data(keyword).and_then(Value::as_str);
    keyword == Keyword::Format && format.is_some_and(|format| loose.iter().any(|known| known == format))
}

/// Whether this keyword with this value and these siblings is to be sent: because it is enforced, or because
/// the model may read it although it is not.
pub(crate) fn sends(target: &Target, schema: &Schema, keyword: Keyword) -> bool {
    let support = target.support(keyword);
    let is_alone = keyword == Keyword::PatternProperties && schema.named(keyword).len() == 1;
    support.sent
        && (!support.restriction.disjoint || is_alone)
        && allows(target, schema, keyword)
        && patterns(schema, keyword).all(|pattern| is_read_as_meant(pattern, keyword, target))
}

/// Whether the keyword is sent for some values at least.
pub(crate) fn can_send(target: &Target, keyword: Keyword) -> bool {
    target.support(keyword).sent
}

/// Why the target does not enforce a keyword as it stands.
pub(crate) fn why(target: &Target, keyword: Keyword) -> String {
    let support = target.support(keyword);
    let said = support.state.in_words();
    match &support.note {
        Some(note) => format!("`{keyword}`: {said} ({note})"),
        None => format!("`{keyword}`: {said}"),
    }
}

/// Whether the target takes the keyword as it is written here, patterns and all.
pub(crate) fn takes_as_written(target: &Target, schema: &Schema, keyword: Keyword) -> bool {
    within_restriction(target, schema, keyword, str::to_owned)
}

/// Whether the target matches a whole string against a pattern here that is to be searched for.
pub(crate) fn is_matched_differently(target: &Target, schema: &Schema, keyword: Keyword) -> bool {
    matching(keyword, target) == PatternMatch::Whole
        && !target.structure().strip_anchors
        && patterns(schema, keyword).any(|pattern| !is_anchored(pattern))
}

/// The keywords that the target skips here, and those for which it does: it reads one group of keywords of a node.
pub(crate) fn unread<'t>(target: &'t Target, schema: &Schema) -> Option<(&'t [String], Vec<Keyword>)> {
    let has = |name: &String| Keyword::from_name(name).is_some_and(|keyword| schema.has(keyword));
    let read = target.semantics().branches.iter().find(|branch| branch.on.iter().any(has))?;
    let is_read = |keyword: Keyword| read.on.iter().chain(&read.keeps).any(|name| name == keyword.name());
    let keywords = schema.keywords().iter().map(|(keyword, _)| *keyword);
    Some((&read.on, keywords.filter(|keyword| keyword.constrains() && !is_read(*keyword)).collect()))
}

/// Whether the keyword's value and what stands beside it are inside the target's restriction, once it is spelled
/// the target's way.
fn allows(target: &Target, schema: &Schema, keyword: Keyword) -> bool {
    within_restriction(target, schema, keyword, |pattern| respelled(pattern, keyword, target))
}

fn within_restriction(
    target: &Target,
    schema: &Schema,
    keyword: Keyword,
    spell: impl Fn(&str) -> String,
) -> bool {
    let restriction = &target.support(keyword).restriction;
    restriction.is_empty()
        || (value_allowed(target, schema, keyword)
            && patterns(schema, keyword).all(|pattern| pattern_allowed(restriction, &spell(pattern)))
            && siblings_allowed(restriction, schema))
}

fn value_allowed(target: &Target, schema: &Schema, keyword: Keyword) -> bool {
    let restriction = &target.support(keyword).restriction;
    let count = schema.count(keyword);
    let format_listed = restriction.formats.as_ref().is_none_or(|formats| {
        let format = schema.data(keyword).and_then(Value::as_str);
        format.is_some_and(|format| formats.iter().any(|known| known == format))
    });
    let types_listed = restriction.types.is_none_or(|types| types.contains(named_types(target, schema)));
    let members_listed = restriction.members.is_none_or(|members| {
        schema.literals().is_some_and(|values| values.iter().all(|value| members.contains(Types::of(value))))
    });
    let counted = restriction.unless_all_required && all_required(schema)
        || ((!restriction.closed_only || is_closed(schema))
            && restriction.at_most.is_none_or(|most| count.is_some_and(|count| count <= most))
            && restriction
                .one_of
                .as_ref()
                .is_none_or(|listed| count.is_some_and(|count| listed.contains(&count))));
    let whole = schema.data(keyword).and_then(Value::as_f64).is_some_and(|number| number.fract() == 0.0);
    let small = restriction.below_ten_to.is_none_or(|power| {
        let number = schema.data(keyword).and_then(Value::as_f64);
        number.is_some_and(|number| number.abs() < 10_f64.powi(i32::try_from(power).unwrap_or(i32::MAX)))
    });
    format_listed
        && small
        && types_listed
        && members_listed
        && counted
        && (!restriction.only_false || schema.schema(keyword).is_some_and(Schema::is_never))
        && (!restriction.integer_only || Types::INTEGER.contains(schema.types().and(Types::NUMBER)))
        && (!restriction.whole_values || whole)
        && (!restriction.single || schema.schemas(keyword).len() == 1 || schema.named(keyword).len() == 1)
        && !holds_within(target, schema, keyword)
}

/// Whether one of these keywords is somewhere in what the keyword holds, or may come to be there. What a reference
/// leads to may have any, what has several types may be split into a union, and objects may come to require one.
fn holds_within(target: &Target, schema: &Schema, keyword: Keyword) -> bool {
    let names = &target.support(keyword).restriction.not_inside;
    let structure = target.structure();
    let is_named = |keyword: Keyword| names.iter().any(|name| name == keyword.name());
    let is_held = |inner: &Schema| {
        let has_several = inner.literals().is_none() && inner.types().names().count() != 1;
        let is_split = structure.type_arrays == TypeArrays::None && has_several;
        inner.keywords().iter().any(|(held, _)| *held == Keyword::Ref || is_named(*held))
            || is_split && is_named(Keyword::AnyOf)
            || structure.one_required
                && inner.literals().is_none()
                && inner.types().contains(Types::OBJECT)
                && is_named(Keyword::Required)
    };
    let is_boolean = |part: &&Schema| part.is_always() || part.is_never();
    let mut parts = schema.get(keyword).into_iter().flat_map(Part::schemas).filter(|part| !is_boolean(part));
    !names.is_empty() && parts.any(|part| part.everywhere().any(is_held))
}

fn is_closed(schema: &Schema) -> bool {
    schema.schema(Keyword::AdditionalProperties).is_some_and(Schema::is_never)
        && schema.named(Keyword::PatternProperties).is_empty()
}

fn all_required(schema: &Schema) -> bool {
    schema
        .named(Keyword::Properties)
        .iter()
        .all(|(name, _)| schema.required().any(|required| required == name))
}

/// The types that are written as names: `null` may be a marker, or a constant.
fn named_types(target: &Target, schema: &Schema) -> Types {
    let structure = target.structure();
    let types = schema.types();
    let other = types.without(Types::NULL);
    match structure.nullable {
        Nullable::Marker if !other.is_empty() => other,
        _ if structure.null_as_constant && types == Types::NULL => Types::EMPTY,
        _ => types,
    }
}

/// The regular expressions that a keyword holds.
fn patterns(schema: &Schema, keyword: Keyword) -> impl Iterator<Item = &str> {
    let pattern = schema.data(keyword).and_then(Value::as_str).filter(|_| keyword == Keyword::Pattern);
    let names = if keyword == Keyword::PatternProperties { schema.named(keyword) } else { &[] };
    pattern.into_iter().chain(names.iter().map(|(pattern, _)| pattern.as_str()))
}

fn pattern_allowed(restriction: &Restriction, pattern: &str) -> bool {
    let refused = |features: &[RegexFeature]| {
        !features.is_empty() && regex_features(pattern).iter().any(|feature| features.contains(feature))
    };
    !refused(&restriction.regex)
        && !refused(&restriction.regex_ignored)
        && restriction.repeat_at_most.is_none_or(|most| largest_repetition(pattern) <= most)
}

fn siblings_allowed(restriction: &Restriction, schema: &Schema) -> bool {
    let present = |name: &String| Keyword::from_name(name).is_some_and(|keyword| schema.has(keyword));
    !restriction.beside.iter().any(present)
        && (restriction.needs.is_empty() || restriction.needs.iter().any(present))
}
