//! Merging two schemas that must both hold into one schema object.
//!
//! What can be said in one object is merged exactly; what cannot (two different patterns, two unions) is
//! returned as a remainder that must hold beside it. So `left ∧ right` is always `merged ∧ remainder`.

use serde_json::{Map, Number, Value};
use std::cmp::Ordering;

use crate::schema::{Part, Schema, compare_numbers, same_value};
use crate::vocabulary::{Keyword, Role, Types};

/// Merges `right` into `left`. Returns what could not be merged and must hold too; empty where all was.
pub(crate) fn merge(left: &mut Schema, right: Schema) -> Schema {
    let mut remainder = Schema::always(right.origin);
    if left.is_never() || right.is_never() {
        *left = Schema::never(left.origin);
        return remainder;
    }
    // `unevaluated*` sees only what stands in its own schema object: it cannot be moved next to more. That
    // of `left` sees what stands in its `allOf` already, and sees it after the merge.
    if has_unevaluated(&right) {
        return right;
    }
    merge_properties(left, &right, &mut remainder);
    merge_items(left, &right);
    for (keyword, part) in right.keywords() {
        match keyword {
            Keyword::Properties
            | Keyword::PatternProperties
            | Keyword::AdditionalProperties
            | Keyword::PrefixItems
            | Keyword::Items => {}
            Keyword::Contains | Keyword::MinContains | Keyword::MaxContains => {}
            Keyword::If | Keyword::Then | Keyword::Else => {}
            _ => merge_keyword(left, *keyword, part, &mut remainder),
        }
    }
    for group in [
        [Keyword::Contains, Keyword::MinContains, Keyword::MaxContains],
        [Keyword::If, Keyword::Then, Keyword::Else],
    ] {
        merge_group(left, &right, group, &mut remainder);
    }
    remainder
}

fn has_unevaluated(schema: &Schema) -> bool {
    schema.has(Keyword::UnevaluatedProperties) || schema.has(Keyword::UnevaluatedItems)
}

/// Keywords that only make sense together: taken over where there are none, kept apart where they differ.
fn merge_group(left: &mut Schema, right: &Schema, group: [Keyword; 3], remainder: &mut Schema) {
    let same = group.iter().all(|keyword| left.get(*keyword) == right.get(*keyword));
    if same || !right.has(group[0]) {
        return;
    }
    let free = !left.has(group[0]);
    for keyword in group {
        if let Some(part) = right.get(keyword) {
            if free { left.set(keyword, part.clone()) } else { remainder.set(keyword, part.clone()) }
        } else if free {
            left.remove(keyword);
        }
    }
}

fn merge_keyword(left: &mut Schema, keyword: Keyword, part: &Part, remainder: &mut Schema) {
    let merged = match left.get(keyword) {
        None => Some(part.clone()),
        Some(there) if there == part || keyword.role() == Role::Annotation => return,
        Some(there) => both(keyword, there, part),
    };
    match (merged, keyword) {
        (Some(Part::Data(Value::Array(types))), Keyword::Type) if types.is_empty() => {
            *left = Schema::never(left.origin);
        }
        (Some(part), _) => left.set(keyword, part),
        (None, _) => remainder.set(keyword, part.clone()),
    }
}

/// One value that says what both say, where there is one.
fn both(keyword: Keyword, left: &Part, right: &Part) -> Option<Part> {
    match (left, right) {
        (Part::Data(left), Part::Data(right)) => both_data(keyword, left, right).map(Part::Data),
        (Part::Schemas(left), Part::Schemas(right)) if keyword == Keyword::AllOf => {
            Some(Part::Schemas(left.iter().chain(right).cloned().collect()))
        }
        (Part::Schema(left), Part::Schema(right)) => match keyword {
            Keyword::PropertyNames => Some(conjunction(left, right).into()),
            // Neither may hold: not (left or right).
            Keyword::Not => {
                let either = vec![(**left).clone(), (**right).clone()];
                Some(Schema::always(left.origin).with(Keyword::AnyOf, either).into())
            }
            _ => None,
        },
        (Part::Named(left), Part::Named(right)) if keyword == Keyword::DependentSchemas => {
            let mut named = left.clone();
            for (name, schema) in right {
                match named.iter_mut().find(|(known, _)| known == name) {
                    Some((_, there)) => *there = conjunction(there, schema),
                    None => named.push((name.clone(), schema.clone())),
                }
            }
            Some(Part::Named(named))
        }
        _ => None,
    }
}

fn both_data(keyword: Keyword, left: &Value, right: &Value) -> Option<Value> {
    match keyword {
        Keyword::Type => {
            let types = Types::listed(left).and(Types::listed(right));
            Some(match types.names().collect::<Vec<_>>().as_slice() {
                [name] => Value::from(*name),
                names => names.iter().map(|name| Value::from(*name)).collect(),
            })
        }
        Keyword::Enum => {
            let listed = right.as_array()?;
            let kept = |value: &&Value| listed.iter().any(|other| same_value(value, other));
            Some(left.as_array()?.iter().filter(kept).cloned().collect())
        }
        Keyword::Const => same_value(left, right).then(|| left.clone()),
        Keyword::Minimum
        | Keyword::ExclusiveMinimum
        | Keyword::MinLength
        | Keyword::MinItems
        | Keyword::MinProperties => extreme(left, right, Ordering::Greater),
        Keyword::Maximum
        | Keyword::ExclusiveMaximum
        | Keyword::MaxLength
        | Keyword::MaxItems
        | Keyword::MaxProperties => extreme(left, right, Ordering::Less),
        Keyword::UniqueItems | Keyword::IntegerLiteral => {
            Some(Value::Bool(left.as_bool() == Some(true) || right.as_bool() == Some(true)))
        }
        Keyword::MultipleOf => multiple(left, right),
        Keyword::Required => {
            let mut names = left.as_array()?.clone();
            names.extend(
                right
                    .as_array()?
                    .iter()
                    .filter(|name| !left.as_array().is_some_and(|l| l.contains(name)))
                    .cloned(),
            );
            Some(Value::Array(names))
        }
        Keyword::DependentRequired => both_dependent(left.as_object()?, right.as_object()?),
        _ => same_value(left, right).then(|| left.clone()),
    }
}

fn number(value: &Value) -> Option<&Number> {
    match value {
        Value::Number(number) => Some(number),
        _ => None,
    }
}

fn extreme(left: &Value, right: &Value, side: Ordering) -> Option<Value> {
    let ordering = compare_numbers(number(left)?, number(right)?);
    Some(if ordering == side { left.clone() } else { right.clone() })
}

/// The larger of two divisors where the smaller divides it.
fn multiple(left: &Value, right: &Value) -> Option<Value> {
    let (left_count, right_count) = (left.as_u64()?, right.as_u64()?);
    if left_count == 0 || right_count == 0 {
        None
    } else if left_count % right_count == 0 {
        Some(left.clone())
    } else if right_count % left_count == 0 {
        Some(right.clone())
    } else {
        None
    }
}

fn both_dependent(left: &Map<String, Value>, right: &Map<String, Value>) -> Option<Value> {
    let mut merged = left.clone();
    for (name, names) in right {
        let union = match merged.get(name) {
            Some(there) => both_data(Keyword::Required, there, names)?,
            None => names.clone(),
        };
        merged.insert(name.clone(), union);
    }
    Some(Value::Object(merged))
}

/// Both schemas, to be merged when it is their turn.
pub(crate) fn conjunction(left: &Schema, right: &Schema) -> Schema {
    if left == right || right.is_always() {
        left.clone()
    } else if left.is_always() {
        right.clone()
    } else {
        Schema::always(left.origin).with(Keyword::AllOf, vec![left.clone(), right.clone()])
    }
}

fn merge_items(left: &mut Schema, right: &Schema) {
    let grouped = |schema: &Schema| schema.has(Keyword::Items) || schema.has(Keyword::PrefixItems);
    if !grouped(right) {
        return;
    }
    let at = |schema: &Schema, index: usize| {
        let item = schema.schemas(Keyword::PrefixItems).get(index).or_else(|| schema.schema(Keyword::Items));
        item.cloned().unwrap_or_else(|| Schema::always(schema.origin))
    };
    let positions = left.schemas(Keyword::PrefixItems).len().max(right.schemas(Keyword::PrefixItems).len());
    let prefix: Vec<Schema> =
        (0..positions).map(|index| conjunction(&at(left, index), &at(right, index))).collect();
    let rest = match (left.schema(Keyword::Items), right.schema(Keyword::Items)) {
        (Some(left), Some(right)) => Some(conjunction(left, right)),
        (Some(rest), None) | (None, Some(rest)) => Some(rest.clone()),
        (None, None) => None,
    };
    if positions > 0 {
        left.set(Keyword::PrefixItems, prefix);
    }
    if let Some(rest) = rest {
        left.set(Keyword::Items, rest);
    }
}

/// For each name the schemas that either side applies to it. `patternProperties` on one side and
/// `additionalProperties` on the other cannot be told in one object: the right side is then kept apart.
fn merge_properties(left: &mut Schema, right: &Schema, remainder: &mut Schema) {
    const GROUP: [Keyword; 3] =
        [Keyword::Properties, Keyword::PatternProperties, Keyword::AdditionalProperties];
    if !GROUP.iter().any(|keyword| right.has(*keyword)) {
        return;
    }
    let restricts = |schema: &Schema| {
        schema.schema(Keyword::AdditionalProperties).is_some_and(|additional| !additional.is_always())
    };
    let patterned = |schema: &Schema| !schema.named(Keyword::PatternProperties).is_empty();
    let left_is_free = !GROUP.iter().any(|keyword| left.has(*keyword));
    let apart = (patterned(left) || patterned(right)) && (restricts(left) || restricts(right));
    if left_is_free || apart {
        let into = if left_is_free { left } else { remainder };
        for keyword in GROUP {
            if let Some(part) = right.get(keyword) {
                into.set(keyword, part.clone());
            }
        }
        return;
    }
    let named = merged_names(left, right);
    if !named.is_empty() {
        left.set(Keyword::Properties, named);
    }
    let mut patterns = left.named(Keyword::PatternProperties).to_vec();
    for (pattern, schema) in right.named(Keyword::PatternProperties) {
        match patterns.iter_mut().find(|(known, _)| known == pattern) {
            Some((_, there)) => *there = conjunction(there, schema),
            None => patterns.push((pattern.clone(), schema.clone())),
        }
    }
    if !patterns.is_empty() {
        left.set(Keyword::PatternProperties, patterns);
    }
    let additional =
        (left.schema(Keyword::AdditionalProperties), right.schema(Keyword::AdditionalProperties));
    if let (there, Some(right)) = additional {
        let both = there.map_or_else(|| right.clone(), |left| conjunction_closing(left, right));
        left.set(Keyword::AdditionalProperties, both);
    }
}

/// Properties of both sides; a name that only one side declares meets the other's `additionalProperties`.
fn merged_names(left: &Schema, right: &Schema) -> Vec<(String, Schema)> {
    let additional = |schema: &Schema| schema.schema(Keyword::AdditionalProperties).cloned();
    let mut named = Vec::new();
    for (name, schema) in left.named(Keyword::Properties) {
        let other = right.property(name).cloned().or_else(|| additional(right));
        named.push((
            name.clone(),
            other.map_or_else(|| schema.clone(), |other| conjunction_closing(schema, &other)),
        ));
    }
    for (name, schema) in right.named(Keyword::Properties) {
        if left.property(name).is_none() {
            let other = additional(left);
            let both = other.map_or_else(|| schema.clone(), |other| conjunction_closing(schema, &other));
            named.push((name.clone(), both));
        }
    }
    named
}

/// As [`conjunction`], with `false` told at once, so that closed objects stay recognisable.
fn conjunction_closing(left: &Schema, right: &Schema) -> Schema {
    if left.is_never() {
        left.clone()
    } else if right.is_never() {
        right.clone()
    } else {
        conjunction(left, right)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::Origin;
    use serde_json::json;

    fn object(name: &str) -> Schema {
        Schema::of_types(Origin(0), Types::OBJECT)
            .with(Keyword::Properties, vec![(name.to_owned(), Schema::of_types(Origin(0), Types::STRING))])
            .with(Keyword::Required, json!([name]))
    }

    #[test]
    fn names_of_one_closed_side_are_forbidden_to_the_other() {
        let mut left = object("a").with(Keyword::AdditionalProperties, Schema::never(Origin(0)));
        assert!(merge(&mut left, object("b")).is_always());
        assert_eq!(
            left.to_value(),
            json!({
                "type": "object",
                "properties": {"a": {"type": "string"}, "b": false},
                "required": ["a", "b"],
                "additionalProperties": false
            })
        );
    }

    #[test]
    fn what_one_object_cannot_say_remains() {
        let pattern = |text: &str| Schema::always(Origin(0)).with(Keyword::Pattern, json!(text));
        let mut left = pattern("a").with(Keyword::MinLength, json!(2));
        let remainder = merge(&mut left, pattern("b").with(Keyword::MinLength, json!(3)));
        assert_eq!(left.to_value(), json!({"pattern": "a", "minLength": 3}));
        assert_eq!(remainder.to_value(), json!({"pattern": "b"}));
    }

    #[test]
    fn disjoint_types_leave_nothing() {
        let mut left = Schema::of_types(Origin(0), Types::STRING);
        assert!(merge(&mut left, Schema::of_types(Origin(0), Types::NULL)).is_always());
        assert!(left.is_never());
    }
}
