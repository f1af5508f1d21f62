//! Whether one assertion follows from others in the same schema object.
//!
//! An assertion that follows from its neighbours is left out of the residual: they are kept in it or enforced, so
//! it holds with them. No two may be left out because of each other, so the answers have an order: an assertion is
//! only ever left out for one that stands before it in
//!
//! `type`, `pattern`, `format`, `required`, `properties`, `maxItems` < the rest
//!
//! or, of two bounds on one side, for the one that is strictly tighter. Those that stand first are never left out
//! for a neighbour of theirs, apart from the list of values that `enum` or `const` gives, which is not left out
//! for anything but what is enforced.

use std::cmp::Ordering;

use serde_json::Value;

use super::implied::most_properties;
use super::lengths::{Lengths, matches_in_everything, of_format, of_pattern};
use crate::schema::{Schema, compare_numbers};
use crate::vocabulary::{Keyword, Types};

/// Whether the neighbours of this assertion imply it.
pub(crate) fn follows(schema: &Schema, keyword: Keyword) -> bool {
    let count = schema.count(keyword);
    let at_least = |least: u64| count.is_some_and(|count| least >= count);
    let at_most = |most: Option<u64>| most.zip(count).is_some_and(|(most, count)| most <= count);
    match keyword {
        // Follows from nothing at all.
        Keyword::Pattern => schema.data(keyword).and_then(Value::as_str).is_some_and(matches_in_everything),
        Keyword::MinLength => lengths(schema).any(|(least, _)| at_least(least)),
        Keyword::MaxLength => lengths(schema).any(|(_, most)| at_most(most)),
        Keyword::MinProperties => at_least(schema.required().count() as u64),
        Keyword::MaxProperties => at_most(most_properties(schema)),
        Keyword::UniqueItems => schema.count(Keyword::MaxItems).is_some_and(|most| most <= 1),
        Keyword::MultipleOf => {
            schema.types() == Types::INTEGER && schema.data(keyword).and_then(Value::as_f64) == Some(1.0)
        }
        // The exclusive one of two equal bounds is tighter.
        Keyword::Minimum => compared(schema, Keyword::ExclusiveMinimum, keyword).is_some_and(Ordering::is_ge),
        Keyword::Maximum => compared(schema, Keyword::ExclusiveMaximum, keyword).is_some_and(Ordering::is_le),
        Keyword::ExclusiveMinimum => compared(schema, Keyword::Minimum, keyword).is_some_and(Ordering::is_gt),
        Keyword::ExclusiveMaximum => compared(schema, Keyword::Maximum, keyword).is_some_and(Ordering::is_lt),
        _ => false,
    }
}

fn lengths(schema: &Schema) -> impl Iterator<Item = Lengths> {
    let text = |keyword| schema.data(keyword).and_then(Value::as_str);
    text(Keyword::Pattern).map(of_pattern).into_iter().chain(text(Keyword::Format).map(of_format))
}

/// How the value of one keyword compares with that of another.
fn compared(schema: &Schema, one: Keyword, other: Keyword) -> Option<Ordering> {
    match (schema.data(one)?, schema.data(other)?) {
        (Value::Number(one), Value::Number(other)) => Some(compare_numbers(one, other)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    fn left(source: &Value) -> Value {
        crate::residual_between(source, &json!(true)).unwrap().schema().clone()
    }

    use super::*;

    #[test]
    fn what_a_neighbour_implies_is_left_out() {
        for (source, residual) in [
            (json!({"minLength": 1, "pattern": "^[a-z]+$"}), json!({"pattern": "^[a-z]+$"})),
            (json!({"minLength": 2, "pattern": "^[a-z]+$"}), json!({"minLength": 2, "pattern": "^[a-z]+$"})),
            (json!({"maxLength": 64, "format": "uuid"}), json!({"format": "uuid"})),
            (json!({"uniqueItems": true, "maxItems": 1}), json!({"maxItems": 1})),
            (json!({"minimum": 1, "exclusiveMinimum": 1}), json!({"exclusiveMinimum": 1})),
            (json!({"minimum": 2, "exclusiveMinimum": 1}), json!({"minimum": 2})),
            (json!({"minProperties": 1, "required": ["a"]}), json!({"required": ["a"]})),
            (json!({"type": "integer", "multipleOf": 1}), json!({"type": "integer"})),
            (json!({"type": "string", "pattern": "[a-z]*"}), json!({"type": "string"})),
            (
                json!({"type": "string", "pattern": "[a-z]*$"}),
                json!({"type": "string", "pattern": "[a-z]*$"}),
            ),
        ] {
            assert_eq!(left(&source), residual);
        }
    }

    #[test]
    fn keywords_about_types_that_are_excluded_are_left_out() {
        assert_eq!(left(&json!({"type": "array", "minLength": 1})), json!({"type": "array"}));
        // Also where the type is excluded by the list of values, or by what is enforced.
        assert_eq!(left(&json!({"enum": ["a"], "type": "object"})), json!({"enum": ["a"], "type": "object"}));
        let source = json!({"enum": ["a"], "type": "object"});
        let between = crate::residual_between(&source, &json!({"type": "boolean"})).unwrap();
        assert_eq!(between.schema(), &json!({"enum": ["a"]}));
    }

    #[test]
    fn what_all_listed_values_satisfy_is_left_out() {
        let source = json!({"allOf": [{"enum": ["a", "b"]}, {"not": {"maxLength": 0}}], "minLength": 1});
        assert_eq!(left(&source), json!({"allOf": [{"enum": ["a", "b"]}]}));
        let source = json!({"allOf": [{"enum": ["a", ""]}, {"not": {"maxLength": 0}}]});
        assert_eq!(left(&source), source);
        // A list may itself be left out where a type beside it narrows what is enforced: not that type then.
        let source = json!({"type": "string", "allOf": [{"enum": ["a"]}]});
        let sent = json!({"anyOf": [{"const": "a"}, {"type": "number"}]});
        let between = crate::residual_between(&source, &sent).unwrap();
        assert!(!between.is_valid(&json!(1)) && between.is_valid(&json!("a")));
    }
}
