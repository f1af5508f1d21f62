//! Whether keywords have the values that they may have, by the meta-schemas of the `jsonschema` crate.

use std::collections::HashSet;
use std::sync::OnceLock;

use jsonschema::{Draft, ValidationError, Validator};
use serde_json::{Map, Value, json};

use crate::error::Error;

use super::dialect::{Shape, shape};
use super::extensions;
use super::places::{address, item, member};

/// Checks a schema and everything in it. `pointer` is where it is in the source.
///
/// An embedded resource in another dialect is checked by the meta-schema of that dialect; the enclosing
/// one sees `{}` in its place. `dialects` says whether there can be any.
pub(super) fn check(value: &Value, draft: Draft, pointer: &str, dialects: bool) -> Result<(), Error> {
    if !value.is_object() {
        return Ok(());
    }
    let mut embedded = Vec::new();
    if dialects {
        collect(value, draft, pointer, &mut embedded);
    }
    if embedded.is_empty() {
        return validate(value, draft, pointer);
    }
    let addresses = embedded.iter().map(|(value, ..)| address(value)).collect();
    validate(&without(value, &addresses), draft, pointer)?;
    embedded.iter().try_for_each(|(value, draft, pointer)| check(value, *draft, pointer, dialects))
}

fn validate(value: &Value, draft: Draft, pointer: &str) -> Result<(), Error> {
    let result = match draft {
        Draft::Draft4 => jsonschema::draft4::meta::validate(value),
        Draft::Draft6 => jsonschema::draft6::meta::validate(value),
        Draft::Draft7 => jsonschema::draft7::meta::validate(value),
        Draft::Draft201909 => jsonschema::draft201909::meta::validate(value),
        _ => jsonschema::draft202012::meta::validate(value),
    };
    result.map_err(|error: ValidationError<'_>| Error::InvalidSchema {
        pointer: format!("{pointer}{}", error.instance_path().as_str()),
        reason: error.to_string(),
    })
}

/// The outermost resources below `value` that have a dialect of their own.
fn collect<'a>(value: &'a Value, draft: Draft, pointer: &str, found: &mut Vec<(&'a Value, Draft, String)>) {
    for (child, pointer) in children(value, draft, pointer) {
        let own = match draft.detect(child) {
            Draft::Unknown => draft,
            own => own,
        };
        let identified = |draft: Draft| draft.create_resource_ref(child).id().is_some();
        if own != draft && (identified(draft) || identified(own)) {
            found.push((child, own, pointer));
        } else {
            collect(child, own, &pointer, found);
        }
    }
}

fn children<'a>(value: &'a Value, draft: Draft, pointer: &str) -> Vec<(&'a Value, String)> {
    let mut found = Vec::new();
    for (name, value) in value.as_object().into_iter().flatten() {
        let pointer = member(pointer, name);
        match (shape(draft, name), value) {
            (Shape::Schema | Shape::Items, Value::Object(_)) => found.push((value, pointer)),
            (Shape::Schemas | Shape::Items, Value::Array(items)) => {
                found.extend(items.iter().enumerate().map(|(index, value)| (value, item(&pointer, index))));
            }
            (Shape::Named | Shape::Definitions | Shape::Dependencies, Value::Object(members)) => {
                found.extend(members.iter().map(|(name, value)| (value, member(&pointer, name))));
            }
            _ => {}
        }
    }
    found
}

/// A copy with `{}` in place of the embedded resources.
fn without(value: &Value, embedded: &HashSet<usize>) -> Value {
    match value {
        Value::Object(_) if embedded.contains(&address(value)) => Value::Object(Map::new()),
        Value::Object(members) => {
            members.iter().map(|(name, value)| (name.clone(), without(value, embedded))).collect()
        }
        Value::Array(items) => items.iter().map(|value| without(value, embedded)).collect(),
        _ => value.clone(),
    }
}

/// Checks that a pattern is an ECMA 262 regular expression.
pub(super) fn check_pattern(pattern: &str, pointer: impl FnOnce() -> String) -> Result<(), Error> {
    static REGEX: OnceLock<Option<Validator>> = OnceLock::new();
    let valid = REGEX
        .get_or_init(|| extensions::build(Draft::Draft202012, &json!({"format": "regex"})))
        .as_ref()
        .is_none_or(|validator| validator.is_valid(&Value::String(pattern.to_owned())));
    if valid {
        return Ok(());
    }
    Err(Error::InvalidSchema {
        pointer: pointer(),
        reason: format!("{pattern:?} is not a regular expression of ECMA 262"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(value: &Value, draft: Draft) -> Option<String> {
        match check(value, draft, "#", true) {
            Err(Error::InvalidSchema { pointer, .. }) => Some(pointer),
            _ => None,
        }
    }

    #[test]
    fn a_wrong_value_is_found_at_its_pointer() {
        let source = json!({"properties": {"a/b": {"minLength": "1"}}});
        assert_eq!(fault(&source, Draft::Draft202012).unwrap(), "#/properties/a~1b/minLength");
        assert_eq!(fault(&json!({"minimum": 1, "exclusiveMinimum": true}), Draft::Draft4), None);
        assert_eq!(fault(&json!({"exclusiveMinimum": true}), Draft::Draft7).unwrap(), "#/exclusiveMinimum");
    }

    #[test]
    fn an_embedded_resource_is_checked_by_its_own_dialect() {
        let four = "http://json-schema.org/draft-04/schema#";
        let source =
            json!({"$defs": {"a": {"$schema": four, "id": "a", "exclusiveMinimum": true, "minimum": 1}}});
        assert_eq!(fault(&source, Draft::Draft202012), None);
        let source = json!({"$defs": {"a": {"$schema": four, "id": "a", "exclusiveMinimum": 1}}});
        assert_eq!(fault(&source, Draft::Draft202012).unwrap(), "#/$defs/a/exclusiveMinimum");
    }

    #[test]
    fn patterns_are_read_as_ecma_reads_them() {
        assert!(check_pattern(r"^\d+(?=x)$", String::new).is_ok());
        assert!(check_pattern("[", String::new).is_err());
    }
}
