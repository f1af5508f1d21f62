//! Compiling schemas and asking for verdicts, the same way everywhere: formats asserted, nothing fetched,
//! and a regular expression that gives up is an error and never a verdict.

use jsonschema::error::ValidationErrorKind;
use jsonschema::{Draft, ValidationError, ValidationOptions, Validator};
use serde_json::Value;

use crate::error::Error;
use crate::schema::{Document, Schema};
use crate::source::extensions;

/// Instances nested deeper than this are not looked at: validators recurse on the instance.
pub(crate) const MAX_INSTANCE_DEPTH: usize = 512;

/// Compiles a schema of draft 2020-12 that the library made itself, so that its extensions have meaning.
pub(crate) fn draft_2020_12(schema: &Value) -> Result<Validator, Error> {
    extensions::register(options().with_draft(Draft::Draft202012))
        .build(schema)
        .map_err(|error| refused(&error))
}

/// Compiles a document of the library's own.
pub(crate) fn document(document: &Document) -> Result<Validator, Error> {
    draft_2020_12(&document.to_value())
}

fn options() -> ValidationOptions<'static> {
    jsonschema::options().should_validate_formats(true).offline()
}

fn refused(error: &ValidationError<'_>) -> Error {
    Error::Probe { detail: format!("a schema does not compile at #{}: {error}", error.instance_path()) }
}

/// Whether the validator accepts the instance.
pub(crate) fn verdict(validator: &Validator, instance: &Value) -> Result<bool, Error> {
    if depth_exceeds(instance, MAX_INSTANCE_DEPTH) {
        return Err(Error::Budget { which: "instance depth", limit: MAX_INSTANCE_DEPTH });
    }
    if validator.is_valid(instance) {
        return Ok(true);
    }
    // A match that was not finished makes the instance invalid; only the error tells it from a verdict.
    match validator.validate(instance) {
        Err(error) => gave_up(&error).map_or(Ok(false), Err),
        Ok(()) => Ok(true),
    }
}

/// The error for a regular expression that could not be matched to the end, if that is what this is.
pub(crate) fn gave_up(error: &ValidationError<'_>) -> Option<Error> {
    match error.kind() {
        ValidationErrorKind::BacktrackLimitExceeded { .. }
        | ValidationErrorKind::RegexEngineFailure { .. } => Some(Error::Probe {
            detail: format!(
                "a regular expression gave up at schema location #{}: {error}",
                error.schema_path()
            ),
        }),
        _ => None,
    }
}

/// Whether arrays and objects are nested deeper than `limit`. Does not recurse.
pub(crate) fn depth_exceeds(instance: &Value, limit: usize) -> bool {
    let mut pending = vec![(instance, 0)];
    while let Some((value, depth)) = pending.pop() {
        if depth > limit {
            return true;
        }
        match value {
            Value::Array(items) => pending.extend(items.iter().map(|item| (item, depth + 1))),
            Value::Object(members) => pending.extend(members.values().map(|member| (member, depth + 1))),
            _ => {}
        }
    }
    false
}

/// Compiles one schema of a document, with the definitions of the document.
pub(crate) fn within(document: &Document, schema: &Schema) -> Result<Validator, Error> {
    let mut part = Document::new(schema.clone());
    for (name, definition) in document.definitions() {
        part.define(name.clone(), definition.clone());
    }
    self::document(&part)
}
