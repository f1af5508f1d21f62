//! What the caller should know before sending a schema: limits that are exceeded, and statements of the
//! profile that the conversion relies on.

use serde_json::Value;

use super::regex_features::is_anchored;
use crate::schema::{Document, Schema};
use crate::target::{Absent, PatternMatch, Target};
use crate::vocabulary::Keyword;

/// Counts over a whole wire schema.
#[derive(Default)]
struct Measured {
    properties: usize,
    depth: usize,
    enum_values: usize,
    characters: usize,
    open_objects: bool,
    unanchored: bool,
}

/// The warnings for a wire schema, in a fixed order.
pub(crate) fn warnings(wire: &Document, target: &Target) -> Vec<String> {
    let mut measured = Measured::default();
    measure(&wire.root, &mut measured);
    for (name, definition) in wire.definitions() {
        measured.characters += name.chars().count();
        measure(definition, &mut measured);
    }
    let limits = target.limits();
    let exceeded = [
        ("properties", measured.properties, limits.properties),
        ("levels of nesting", measured.depth, limits.depth),
        ("enum values", measured.enum_values, limits.enum_values),
        ("characters of names and listed values", measured.characters, limits.name_characters),
    ];
    let mut warnings: Vec<String> = exceeded
        .into_iter()
        .filter_map(|(what, count, limit)| {
            let limit = limit.filter(|limit| count > *limit)?;
            Some(format!("the schema has {count} {what}; {} takes {limit}", target.id()))
        })
        .collect();
    let semantics = target.semantics();
    if measured.open_objects && semantics.absent_additional_properties == Absent::Unstated {
        warnings.push(
            "the source does not say whether an object without additionalProperties is open: the residual \
             treats it as open, and the provider may not produce properties that are not declared"
                .to_owned(),
        );
    }
    if measured.unanchored && semantics.pattern == PatternMatch::Unstated {
        warnings.push(
            "the source does not say whether a pattern is searched for or must match the whole string: a \
             pattern without ^ and $ may be read more narrowly than written"
                .to_owned(),
        );
    }
    if let Some(mode) = &semantics.enforced_only_in {
        warnings.push(format!(
            "the schema is enforced only in mode {mode}; in any other mode use the full guard"
        ));
    }
    warnings
}

/// Counts one schema and what is in it. Depth counts properties, items and branches, as most sources do.
fn measure(schema: &Schema, measured: &mut Measured) {
    let mut pending = vec![(schema, 0)];
    while let Some((schema, depth)) = pending.pop() {
        measured.depth = measured.depth.max(depth);
        measured.properties += schema.named(Keyword::Properties).len();
        measured.characters +=
            schema.named(Keyword::Properties).iter().map(|(name, _)| name.chars().count()).sum::<usize>();
        if let Some(values) = schema.literals() {
            measured.enum_values += values.len();
            measured.characters += values
                .iter()
                .filter_map(|value| value.as_str())
                .map(|text| text.chars().count())
                .sum::<usize>();
        }
        measured.open_objects |=
            schema.has(Keyword::Properties) && !schema.has(Keyword::AdditionalProperties);
        measured.unanchored |= schema
            .data(Keyword::Pattern)
            .and_then(Value::as_str)
            .is_some_and(|pattern| !is_anchored(pattern));
        pending.extend(schema.children().map(|child| (child, depth + 1)));
    }
}
