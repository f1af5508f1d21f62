//! Compiling schemas and asking for verdicts, the same way everywhere: formats asserted, nothing fetched,
//! and a regular expression that gives up is an error and never a verdict.

use std::ops::Deref;

use jsonschema::error::ValidationErrorKind;
use jsonschema::{Draft, PatternCache, PatternOptions, ValidationError, ValidationOptions};
use serde_json::Value;

use crate::error::Error;
use crate::schema::Document;
use crate::source::extensions;

/// Instances nested deeper than this are not looked at: validators recurse on the instance.
pub(crate) const MAX_INSTANCE_DEPTH: usize = 512;

/// Steps back in one match before it gives up: some ten milliseconds. An array can hold many near misses of a
/// pattern that takes exponential time, and each costs this much.
const MAX_BACKTRACKS: usize = 100_000;

/// Characters of what a validator says when it refuses a schema.
const MAX_REASON: usize = 500;

/// A compiled schema, which still knows what it was compiled from: an error of the `jsonschema` crate says
/// where a regular expression gave up, and not which one it was.
pub(crate) struct Validator {
    compiled: jsonschema::Validator,
    schema: Value,
}

impl Deref for Validator {
    type Target = jsonschema::Validator;

    fn deref(&self) -> &jsonschema::Validator {
        &self.compiled
    }
}

impl Validator {
    pub(crate) fn schema(&self) -> &Value {
        &self.schema
    }

    /// The error for a regular expression that could not be matched to the end, if that is what this is.
    pub(crate) fn gave_up(&self, error: &ValidationError<'_>) -> Option<Error> {
        match error.kind() {
            ValidationErrorKind::BacktrackLimitExceeded { .. }
            | ValidationErrorKind::RegexEngineFailure { .. } => {
                let location = error.schema_path().as_str();
                let what = match self.pattern(location) {
                    // As it is: debug formatting would double the backslashes that patterns are full of.
                    Some(pattern) => format!("the regular expression `{pattern}`"),
                    None => "a regular expression".to_owned(),
                };
                Some(Error::Probe {
                    detail: format!("{what} gave up at schema location #{location}: {error}"),
                })
            }
            _ => None,
        }
    }

    /// The pattern at a location: that of a `pattern`, or the name of a member of `patternProperties`.
    fn pattern(&self, location: &str) -> Option<String> {
        if let Some(Value::String(pattern)) = self.schema.pointer(location) {
            return Some(pattern.clone());
        }
        let (holder, name) = location.rsplit_once('/')?;
        let name = name.replace("~1", "/").replace("~0", "~");
        holder.ends_with("/patternProperties").then_some(name)
    }
}

/// Compiles a schema of draft 2020-12 that the library made itself, so that its extensions have meaning.
pub(crate) fn draft_2020_12(schema: Value) -> Result<Validator, Error> {
    sharing(schema, &PatternCache::new())
}

/// The same with the compiled patterns of other schemas.
pub(crate) fn sharing(schema: Value, patterns: &PatternCache) -> Result<Validator, Error> {
    let options = options().with_draft(Draft::Draft202012).with_pattern_cache(patterns.clone());
    let compiled = extensions::register(options).build(&schema).map_err(|error| refused(&error))?;
    Ok(Validator { compiled, schema })
}

/// Compiles a document of the library's own.
pub(crate) fn document(document: &Document) -> Result<Validator, Error> {
    draft_2020_12(document.to_value())
}

/// Whether this format can reject a string. Any other is an annotation.
pub(crate) fn is_asserted_format(format: &str) -> bool {
    extensions::is_format(format) || options().is_known_format(Draft::Draft202012, format)
}

fn options() -> ValidationOptions<'static> {
    let patterns = PatternOptions::fancy_regex().backtrack_limit(MAX_BACKTRACKS);
    jsonschema::options().should_validate_formats(true).offline().with_pattern_options(patterns)
}

fn refused(error: &ValidationError<'_>) -> Error {
    // The value that is refused may be a text of megabytes.
    let mut reason: String = error.to_string();
    if let Some((end, _)) = reason.char_indices().nth(MAX_REASON) {
        reason.truncate(end);
        reason.push('…');
    }
    Error::Probe { detail: format!("a schema does not compile at #{}: {reason}", error.instance_path()) }
}

/// Whether the validator accepts the instance.
pub(crate) fn verdict(validator: &Validator, instance: &Value) -> Result<bool, Error> {
    check_depth(instance)?;
    verdict_at_any_depth(validator, instance)
}

/// The same for an instance whose depth has been seen to.
pub(crate) fn verdict_at_any_depth(validator: &Validator, instance: &Value) -> Result<bool, Error> {
    if validator.is_valid(instance) {
        return Ok(true);
    }
    // A match that was not finished makes the instance invalid; only the error tells it from a verdict.
    match validator.validate(instance) {
        Err(error) => validator.gave_up(&error).map_or(Ok(false), Err),
        Ok(()) => Ok(true),
    }
}

/// Refuses an instance that is nested too deep to be looked at.
pub(crate) fn check_depth(instance: &Value) -> Result<(), Error> {
    if depth_exceeds(instance, MAX_INSTANCE_DEPTH) {
        return Err(Error::Budget { which: "instance depth", limit: MAX_INSTANCE_DEPTH });
    }
    Ok(())
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
