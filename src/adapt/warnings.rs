//! What the caller should know before sending a schema: limits that are exceeded, and statements of the
//! profile that the conversion relies on.

use std::collections::HashSet;

use serde_json::Value;

use crate::schema::{Document, Schema};
use crate::target::{Absent, DepthStep, Limits, Target};
use crate::vocabulary::Keyword;

/// Counts over a whole wire schema.
#[derive(Default)]
struct Measured {
    properties: usize,
    optional: usize,
    unions: usize,
    depth: usize,
    branches: usize,
    enum_values: usize,
    /// Of the one list that has the most.
    enum_characters: usize,
    characters: usize,
    open_objects: bool,
}

/// The warnings for a wire schema, in a fixed order. `spelled` is the same schema as it is sent.
pub(crate) fn warnings(wire: &Document, spelled: &Value, target: &Target) -> Vec<String> {
    let limits = target.limits();
    let mut measured = Measured::default();
    measure(&wire.root, limits, &mut measured);
    for (name, definition) in wire.definitions() {
        measured.characters += name.chars().count();
        measure(definition, limits, &mut measured);
    }
    // The text is written only where its length matters.
    let schema_characters = limits.schema_characters.map_or(0, |_| spelled.to_string().chars().count());
    let exceeded = [
        ("properties", measured.properties, limits.properties.or(limits.fields)),
        ("levels of nesting", measured.depth, limits.depth),
        ("enum values", measured.enum_values, limits.enum_values),
        ("characters in one enum", measured.enum_characters, limits.enum_characters),
        ("characters of names and listed values", measured.characters, limits.name_characters),
        ("branches in one anyOf", measured.branches, limits.any_of_branches),
        ("optional properties", measured.optional, limits.optional_parameters),
        ("properties with a union", measured.unions, limits.union_parameters),
        ("characters", schema_characters, limits.schema_characters),
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
    if let Some(mode) = &semantics.enforced_only_in {
        warnings.push(format!(
            "the schema is enforced only in mode {mode}; in any other mode use the full guard"
        ));
    }
    warnings
}

/// Counts one schema and what is in it.
fn measure(schema: &Schema, limits: &Limits, measured: &mut Measured) {
    let mut pending = vec![(schema, 0)];
    while let Some((schema, depth)) = pending.pop() {
        measured.depth = measured.depth.max(depth);
        measured.branches = measured.branches.max(schema.schemas(Keyword::AnyOf).len());
        properties(schema, measured);
        literals(schema, limits, measured);
        measured.open_objects |=
            schema.has(Keyword::Properties) && !schema.has(Keyword::AdditionalProperties);
        for (keyword, part) in schema.keywords() {
            let level = usize::from(is_level(*keyword, limits));
            pending.extend(part.schemas().map(|child| (child, depth + level)));
        }
    }
}

/// Whether a step through this keyword counts as a level of nesting. References are not followed.
fn is_level(keyword: Keyword, limits: &Limits) -> bool {
    let counts = |step| limits.depth_counts.contains(&step);
    match keyword {
        Keyword::AnyOf | Keyword::OneOf | Keyword::AllOf => counts(DepthStep::AnyOf),
        Keyword::Items | Keyword::PrefixItems => counts(DepthStep::Items),
        _ => counts(DepthStep::Properties),
    }
}

fn properties(schema: &Schema, measured: &mut Measured) {
    let named = schema.named(Keyword::Properties);
    let required: HashSet<&str> = schema.required().collect();
    measured.properties += named.len();
    measured.characters += named.iter().map(|(name, _)| name.chars().count()).sum::<usize>();
    measured.optional += named.iter().filter(|(name, _)| !required.contains(name.as_str())).count();
    let is_union = |schema: &Schema| {
        schema.has(Keyword::AnyOf) || schema.has(Keyword::Type) && schema.types().names().count() > 1
    };
    measured.unions += named.iter().filter(|(_, property)| is_union(property)).count();
}

fn literals(schema: &Schema, limits: &Limits, measured: &mut Measured) {
    let Some(values) = schema.literals() else { return };
    let characters: usize =
        values.iter().filter_map(|value| value.as_str()).map(|text| text.chars().count()).sum();
    measured.enum_values += values.len();
    measured.characters += characters;
    if values.len() > limits.enum_characters_above.unwrap_or(0) {
        measured.enum_characters = measured.enum_characters.max(characters);
    }
}
