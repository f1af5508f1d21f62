//! The guard: decode what the provider sent, then check what it did not enforce.
//!
//! Why nothing leaks: let `E` be the effective schema and `E(w)`. Without kept `null`s that could also stand
//! for absence, decoding gives a `v` that the projection accepts, and the residual of exactly that
//! projection is checked. With such `null`s there are several readings; each is checked against the whole
//! source, and the first that passes is taken, the one that keeps every `null` first.

use std::fmt;
use std::sync::{Arc, OnceLock};

use serde::Serialize;
use serde_json::Value;

use super::trials::Branches;
use super::{Residual, Violation, depth, violations};
use crate::adapt::Conversion;
use crate::adapt::decode::{Decoded, decode, encode_instance};
use crate::adapt::encode::RESPONSE;
use crate::differential::compile::{self, Validator};
use crate::error::Error;

/// More readings of ambiguous `null`s than this are not tried one by one.
const MAX_READINGS: usize = 64;

/// Checks a provider's answer and puts it back into the source's shape. Cheap to clone, `Send` and `Sync`.
#[derive(Clone)]
pub struct Guard {
    inner: Arc<Inner>,
    full: bool,
}

struct Inner {
    conversion: Conversion,
    residual: Residual,
    wire_branches: Branches,
    source_branches: OnceLock<Branches>,
    source: OnceLock<Option<Validator>>,
    effective: OnceLock<Option<Validator>>,
}

/// Why an answer was rejected.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum RejectionKind {
    /// The text is not JSON, or there is more than JSON in it.
    NotJson,
    /// The object that the answer was to be wrapped in is not there, or holds something else as well.
    Wrapper,
    /// The value violates constraints of the source.
    Constraints,
    /// The value violates the schema that the provider was sent. Only [`Guard::full`] looks for that.
    ProviderContract,
    /// It could not be told whether the value is acceptable.
    Undecided,
}

/// A rejected answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[non_exhaustive]
pub struct Rejection {
    /// The kind of reason.
    pub kind: RejectionKind,
    /// What is wrong, in words.
    pub message: String,
    /// The violated constraints, where that is the reason.
    pub violations: Vec<Violation>,
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        for violation in &self.violations {
            write!(f, "\n  {violation}")?;
        }
        Ok(())
    }
}

impl Rejection {
    fn new(kind: RejectionKind, message: impl Into<String>) -> Rejection {
        Rejection { kind, message: message.into(), violations: Vec::new() }
    }

    fn violating(kind: RejectionKind, message: &str, violations: Vec<Violation>) -> Rejection {
        Rejection { kind, message: message.to_owned(), violations }
    }
}

impl Guard {
    pub(crate) fn new(conversion: Conversion, residual: Residual) -> Result<Guard, Error> {
        let wire_branches = Branches::in_wire_shape(&conversion)?;
        Ok(Guard {
            inner: Arc::new(Inner {
                conversion,
                residual,
                wire_branches,
                source_branches: OnceLock::new(),
                source: OnceLock::new(),
                effective: OnceLock::new(),
            }),
            full: false,
        })
    }

    /// The same guard for callers who do not trust the provider: it checks the answer against the schema
    /// that was sent, as the provider should have, and then against the whole source.
    #[must_use]
    pub fn full(&self) -> Guard {
        Guard { inner: Arc::clone(&self.inner), full: true }
    }

    /// Decodes an answer and checks what the target did not enforce. Returns the value in the source's shape.
    ///
    /// # Errors
    ///
    /// A [`Rejection`] that says what is wrong and where.
    pub fn check(&self, answer: Value) -> Result<Value, Rejection> {
        if compile::depth_exceeds(&answer, compile::MAX_INSTANCE_DEPTH) {
            depth::dismantle(answer);
            let message = format!("the answer is nested deeper than {} levels", compile::MAX_INSTANCE_DEPTH);
            return Err(Rejection::new(RejectionKind::Undecided, message));
        }
        if self.full {
            self.check_contract(&answer)?;
        }
        let decoded = self.decode(answer)?;
        if self.full || !decoded.ambiguous.is_empty() {
            return self.read(decoded);
        }
        self.accept(
            decoded.value,
            self.inner.residual.validator(),
            "the answer violates what was not enforced",
        )
    }

    /// As [`Guard::check`], for the text that a model returned. Whitespace around the JSON and one Markdown
    /// fence around it are accepted; any other text is not.
    ///
    /// # Errors
    ///
    /// A [`Rejection`] that says what is wrong and where.
    pub fn check_str(&self, text: &str) -> Result<Value, Rejection> {
        let answer = serde_json::from_str(unfenced(text)).map_err(|error| {
            Rejection::new(RejectionKind::NotJson, format!("the answer is not JSON: {error}"))
        })?;
        self.check(answer)
    }

    /// An instance of the source in the shape in which the provider would send it. One that [`Guard::check`]
    /// rejects whatever its shape is copied as it is: it is nested too deep, or a regular expression gives up.
    #[must_use]
    pub fn encode(&self, instance: &Value) -> Value {
        if compile::depth_exceeds(instance, compile::MAX_INSTANCE_DEPTH) {
            return depth::copy(instance);
        }
        let conversion = &self.inner.conversion;
        let branches = self.inner.source_branches.get_or_init(|| {
            // The same branches compile in the other shape.
            Branches::in_source_shape(conversion).unwrap_or_default()
        });
        encode_instance(instance.clone(), &conversion.effective, conversion.encodings, branches)
            .unwrap_or_else(|_| instance.clone())
    }

    fn decode(&self, answer: Value) -> Result<Decoded, Rejection> {
        let conversion = &self.inner.conversion;
        let branches = &self.inner.wire_branches;
        let decoded = decode(answer, &conversion.effective, conversion.encodings, branches)
            .map_err(|error| Rejection::new(RejectionKind::Undecided, error.to_string()))?;
        decoded.ok_or_else(|| {
            let message = format!("the answer is not an object with only the property {:?}", RESPONSE);
            Rejection::new(RejectionKind::Wrapper, message)
        })
    }

    /// Tries the readings of ambiguous `null`s against the whole source: all kept; each one dropped; all
    /// dropped; then greedily more and more of them dropped.
    fn read(&self, decoded: Decoded) -> Result<Value, Rejection> {
        let Decoded { value, ambiguous } = decoded;
        let source = self.source()?;
        if let Ok(true) = compile::verdict(source, &value) {
            return Ok(value);
        }
        for pointer in ambiguous.iter().take(MAX_READINGS) {
            let mut reading = value.clone();
            drop_member(&mut reading, pointer);
            if let Ok(true) = compile::verdict(source, &reading) {
                return Ok(reading);
            }
        }
        let mut reading = value.clone();
        for pointer in ambiguous.iter().rev() {
            drop_member(&mut reading, pointer);
            if let Ok(true) = compile::verdict(source, &reading) {
                return Ok(reading);
            }
        }
        self.accept(value, source, "the answer violates the source schema")
    }

    fn accept(&self, value: Value, validator: &Validator, message: &str) -> Result<Value, Rejection> {
        match compile::verdict(validator, &value) {
            Ok(true) => Ok(value),
            Ok(false) => {
                let found = violations(validator, &value, self.wire_prefix());
                Err(Rejection::violating(RejectionKind::Constraints, message, found))
            }
            Err(error) => Err(Rejection::new(RejectionKind::Undecided, error.to_string())),
        }
    }

    fn check_contract(&self, answer: &Value) -> Result<(), Rejection> {
        let effective = self
            .inner
            .effective
            .get_or_init(|| compile::document(&self.inner.conversion.encoded_effective()).ok());
        let effective = effective.as_ref().ok_or_else(undecidable)?;
        match compile::verdict(effective, answer) {
            Ok(true) => Ok(()),
            Ok(false) => Err(Rejection::violating(
                RejectionKind::ProviderContract,
                "the answer violates the schema that the provider was sent",
                violations(effective, answer, ""),
            )),
            Err(error) => Err(Rejection::new(RejectionKind::Undecided, error.to_string())),
        }
    }

    fn source(&self) -> Result<&Validator, Rejection> {
        self.inner
            .source
            .get_or_init(|| compile::document(&self.inner.conversion.lifted.document).ok())
            .as_ref()
            .ok_or_else(undecidable)
    }

    fn wire_prefix(&self) -> &'static str {
        if self.inner.conversion.encodings.wrapped_root { "/response" } else { "" }
    }
}

impl fmt::Debug for Guard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Guard").field("residual", &self.inner.residual).field("full", &self.full).finish()
    }
}

fn undecidable() -> Rejection {
    Rejection::new(RejectionKind::Undecided, "a schema that was converted before does not compile")
}

/// The text inside of a single Markdown fence, or the text itself.
fn unfenced(text: &str) -> &str {
    let text = text.trim();
    let Some(inside) = text.strip_prefix("```").and_then(|rest| rest.strip_suffix("```")) else {
        return text;
    };
    // The rest of the opening line names the language.
    match inside.split_once('\n') {
        Some((language, body)) if language.trim().chars().all(|c| c.is_ascii_alphanumeric()) => body,
        _ => text,
    }
}

/// Takes the member that a pointer leads to out of its object.
fn drop_member(value: &mut Value, pointer: &str) {
    let Some((parent, name)) = pointer.rsplit_once('/') else { return };
    if let Some(Value::Object(object)) = value.pointer_mut(parent) {
        object.shift_remove(&name.replace("~1", "/").replace("~0", "~"));
    }
}
