//! Names for what earlier drafts can say and 2020-12 cannot.
//!
//! They stand only in lifted schemas. Every check is made by the `jsonschema` crate under the draft that
//! the meaning comes from, so that there is no second opinion about what, say, a draft 04 host name is.

use std::sync::OnceLock;

use jsonschema::paths::Location;
use jsonschema::{Draft, ValidationError, ValidationOptions, Validator};
use serde_json::{Map, Value, json};

use crate::vocabulary::Keyword;

/// `format: hostname` as drafts 04 and 06 understand it.
pub(crate) const HOSTNAME_RFC1034: &str = "x-hostname-rfc1034";

/// `contentMediaType: application/json` as drafts 06 and 07 assert it.
pub(crate) const CONTENT_JSON: &str = "x-content-json";

/// `contentEncoding` as drafts 06 and 07 assert it: the encoding, the format for the encoding alone, and
/// the format for JSON in that encoding.
pub(crate) const CONTENT_ENCODINGS: [(&str, &str, &str); 5] = [
    ("base64", "x-content-base64", "x-content-base64-json"),
    ("base64url", "x-content-base64url", "x-content-base64url-json"),
    ("base32", "x-content-base32", "x-content-base32-json"),
    ("base32hex", "x-content-base32hex", "x-content-base32hex-json"),
    ("base16", "x-content-base16", "x-content-base16-json"),
];

/// Whether a format name is one of these.
pub(crate) fn is_format(name: &str) -> bool {
    name == HOSTNAME_RFC1034
        || name == CONTENT_JSON
        || CONTENT_ENCODINGS.iter().any(|(_, alone, json)| name == *alone || name == *json)
}

/// The format that stands for the two content keywords of drafts 06 and 07; `None` where they assert
/// nothing. An encoding beside a media type that is not known asserts nothing either.
pub(super) fn content_format(encoding: Option<&str>, media_type: Option<&str>) -> Option<&'static str> {
    let known = |encoding: &str| CONTENT_ENCODINGS.iter().find(|(name, ..)| *name == encoding);
    match (encoding, media_type) {
        (None, Some("application/json")) => Some(CONTENT_JSON),
        (Some(encoding), Some("application/json")) => known(encoding).map(|(_, _, json)| *json),
        (Some(encoding), None) => known(encoding).map(|(_, alone, _)| *alone),
        _ => None,
    }
}

/// Teaches a validator the names of this file.
pub(crate) fn register(options: ValidationOptions<'_>) -> ValidationOptions<'_> {
    static HOSTNAME: OnceLock<Option<Validator>> = OnceLock::new();
    static JSON: OnceLock<Option<Validator>> = OnceLock::new();
    static ALONE: [OnceLock<Option<Validator>>; 5] = [const { OnceLock::new() }; 5];
    static WITH_JSON: [OnceLock<Option<Validator>>; 5] = [const { OnceLock::new() }; 5];

    let mut options = options
        .with_keyword(Keyword::IntegerLiteral.name(), integer_literal)
        .with_format(HOSTNAME_RFC1034, |text: &str| {
            accepts(&HOSTNAME, Draft::Draft4, || json!({"format": "hostname"}), text)
        })
        .with_format(CONTENT_JSON, |text: &str| {
            accepts(&JSON, Draft::Draft7, || json!({"contentMediaType": "application/json"}), text)
        });
    for ((encoding, alone, with_json), (alone_cell, json_cell)) in
        CONTENT_ENCODINGS.into_iter().zip(ALONE.iter().zip(&WITH_JSON))
    {
        options = options
            .with_format(alone, move |text: &str| {
                accepts(alone_cell, Draft::Draft7, || json!({"contentEncoding": encoding}), text)
            })
            .with_format(with_json, move |text: &str| {
                let schema = || json!({"contentEncoding": encoding, "contentMediaType": "application/json"});
                accepts(json_cell, Draft::Draft7, schema, text)
            });
    }
    options
}

fn accepts(
    cell: &OnceLock<Option<Validator>>,
    draft: Draft,
    schema: impl FnOnce() -> Value,
    text: &str,
) -> bool {
    cell.get_or_init(|| build(draft, &schema()))
        .as_ref()
        .is_some_and(|validator| validator.is_valid(&Value::String(text.to_owned())))
}

/// Builds one of the small validators of this room. The schemas are constants, so `None` cannot happen.
pub(super) fn build(draft: Draft, schema: &Value) -> Option<Validator> {
    jsonschema::options().with_draft(draft).should_validate_formats(true).offline().build(schema).ok()
}

/// `x-integer-literal: true`: a number must be one that draft 04 takes for an integer.
struct IntegerLiteral;

impl<'i> jsonschema::Keyword<'i> for IntegerLiteral {
    fn validate(&self, instance: &'i Value) -> Result<(), ValidationError<'i>> {
        if is_integer_literal(instance) {
            return Ok(());
        }
        Err(ValidationError::custom("an integer is written without fraction and exponent here"))
    }

    fn is_valid(&self, instance: &'i Value) -> bool {
        is_integer_literal(instance)
    }
}

struct Anything;

impl<'i> jsonschema::Keyword<'i> for Anything {
    fn validate(&self, _: &'i Value) -> Result<(), ValidationError<'i>> {
        Ok(())
    }

    fn is_valid(&self, _: &'i Value) -> bool {
        true
    }
}

fn is_integer_literal(instance: &Value) -> bool {
    static INTEGER: OnceLock<Option<Validator>> = OnceLock::new();
    match instance {
        Value::Number(number) if !(number.is_i64() || number.is_u64()) => INTEGER
            .get_or_init(|| build(Draft::Draft4, &json!({"type": "integer"})))
            .as_ref()
            .is_some_and(|validator| validator.is_valid(instance)),
        _ => true,
    }
}

fn integer_literal<'a>(
    _: &'a Map<String, Value>,
    value: &'a Value,
    _: Location,
) -> Result<Box<dyn for<'i> jsonschema::Keyword<'i>>, ValidationError<'a>> {
    Ok(if value == &Value::Bool(true) { Box::new(IntegerLiteral) } else { Box::new(Anything) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn valid(schema: &Value, instance: &Value) -> bool {
        let options = jsonschema::options().should_validate_formats(true).offline();
        register(options).build(schema).unwrap().is_valid(instance)
    }

    #[test]
    fn integers_are_told_by_their_spelling() {
        let schema = json!({"type": "integer", "x-integer-literal": true});
        assert!(valid(&schema, &json!(1)));
        assert!(valid(&schema, &json!(u64::MAX)));
        assert!(!valid(&schema, &json!(1.0)));
        assert!(valid(&json!({"x-integer-literal": true}), &json!("1.0")));
    }

    #[test]
    fn content_is_checked() {
        let base64 = json!({"format": "x-content-base64"});
        assert!(valid(&base64, &json!("e30=")));
        assert!(!valid(&base64, &json!("{}")));
        let json_in_base64 = json!({"format": "x-content-base64-json"});
        assert!(valid(&json_in_base64, &json!("e30=")));
        assert!(!valid(&json_in_base64, &json!("ezp9")));
        assert!(!valid(&json!({"format": "x-content-json"}), &json!("{")));
        assert!(valid(&json!({"format": "x-content-json"}), &json!(5)));
    }

    #[test]
    fn an_encoding_beside_an_unknown_media_type_asserts_nothing() {
        assert_eq!(content_format(Some("base64"), Some("text/plain")), None);
        assert_eq!(content_format(Some("base64"), None), Some("x-content-base64"));
        assert_eq!(content_format(Some("rot13"), Some("application/json")), None);
    }
}
