//! What is left to check when the answer comes back: a compiled schema over exactly what was lost.
//!
//! | file | what is in it |
//! |---|---|
//! | [`derive`], [`unions`] | the derivation, and the argument for why it is right |
//! | [`view`], [`facts`], [`converted`] | what the converted schema guarantees about a value, and about its parts |
//! | [`implied`] | which assertions that implies |
//! | [`beside`], [`listed`], [`lengths`] | what neighbours imply: assertions, and lists of values |
//! | [`possible`] | the types of which there is a value, and the branches that hold |
//! | [`alike`] | which schema objects of one document say the same |
//! | [`same`] | comparing parts of two schemas through their references |
//! | [`plan`], [`left`], [`emit`] | what is left, before and after trivial parts are taken out |
//! | [`guard`], [`trials`] | decoding an answer, then checking it |
//! | [`depth`] | copying and dropping values of any depth |

mod alike;
mod beside;
mod converted;
mod depth;
mod derive;
mod emit;
mod facts;
mod guard;
mod implied;
mod left;
mod lengths;
mod listed;
mod plan;
mod possible;
mod same;
#[cfg(test)]
mod tests;
mod trials;
mod unions;
mod view;

use std::collections::{BTreeSet, HashSet};
use std::fmt;
use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;

pub(crate) use emit::{Left, Loss};
pub use guard::{Guard, Rejection, RejectionKind};
pub(crate) use possible::{reached, with_possible_types};

use crate::adapt::{ConvertOptions, convert};
use crate::differential::compile::{self, Validator};
use crate::error::Error;
use crate::schema::{Document, Schema};
use crate::source::{Budget, Lifted, lift};
use crate::target::Target;
use crate::vocabulary::{Keyword, Role};

/// A compiled validator over only those constraints of a source that a converted schema does not enforce.
///
/// It never rejects an instance that the source accepts, and what both the converted schema and the residual
/// accept, the source accepts. Cheap to clone.
#[derive(Clone)]
pub struct Residual {
    inner: Arc<Inner>,
}

struct Inner {
    validator: Validator,
    losses: Vec<Loss>,
    covered: Vec<Loss>,
    enforced_here: Vec<Constraint>,
    enforced_by_target: Vec<Constraint>,
}

/// One keyword of the source, by its place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Constraint {
    /// The schema object that holds the keyword, as a pointer into the source as the user wrote it.
    pub pointer: String,
    /// The keyword, as the user wrote it.
    pub keyword: String,
}

/// One constraint that an instance violates.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Violation {
    /// JSON Pointer to the offending value in the instance, in the source's shape.
    pub instance_pointer: String,
    /// JSON Pointer to the same value in the answer as the provider sent it.
    pub wire_pointer: String,
    /// The keyword.
    pub keyword: String,
    /// What is wrong, in words.
    pub message: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = if self.instance_pointer.is_empty() { "the value" } else { &self.instance_pointer };
        write!(f, "{place}: {}", self.message)
    }
}

/// The residual of a source at a target: what the target does not enforce of it.
///
/// # Errors
///
/// As [`convert`]; [`Error::Probe`] where the residual does not compile.
///
/// ```
/// use serde_json::json;
///
/// let source = json!({"type": "string", "minLength": 2});
/// let residual = schema_residual::residual(&source, schema_residual::target("openai.strict")?)?;
/// assert_eq!(residual.schema(), &json!({"minLength": 2}));
/// assert!(residual.is_valid(&json!("ab")) && !residual.is_valid(&json!("a")));
/// # Ok::<(), schema_residual::Error>(())
/// ```
pub fn residual(source: &Value, target: &Target) -> Result<Residual, Error> {
    let conversion = convert(source, target, &ConvertOptions::default())?;
    Residual::derive(&conversion.lifted, &conversion.effective)
}

/// The residual of any two schemas: what `converted` does not enforce of `source`.
///
/// # Errors
///
/// [`Error::InvalidSchema`] where either is not a schema, [`Error::Budget`] where one is too large,
/// [`Error::Probe`] where the residual does not compile.
pub fn residual_between(source: &Value, converted: &Value) -> Result<Residual, Error> {
    let source = lift(source, &Budget::default())?;
    let converted = lift(converted, &Budget::default())?;
    Residual::derive(&source, &converted.document)
}

/// What is left of the source where `converted` is enforced, without compiling it.
pub(crate) fn left_between(source: &Document, converted: &Document) -> Left {
    emit::emit(source, &derive::derive(source, converted))
}

/// The losses alone: none where `converted` is shown to enforce all of `source`.
pub(crate) fn losses_between(source: &Document, converted: &Document) -> Vec<Loss> {
    left_between(source, converted).losses
}

/// Whether nothing is left of `sup` where `sub` holds, with only the types of which `sub` has a value: then `sup`
/// accepts all that `sub` accepts.
pub(crate) fn contains(sup: &Document, sub: &Document) -> bool {
    losses_between(sup, &with_possible_types(sub)).is_empty()
}

impl Residual {
    /// Derives and compiles what `converted`, in the source's shape, does not enforce.
    pub(crate) fn derive(source: &Lifted, converted: &Document) -> Result<Residual, Error> {
        let Left { mut document, losses, covered } = left_between(&source.document, converted);
        // Definitions that are derived for every view of them can come to more than the source, which is as sound.
        if !document.definitions().is_empty() {
            let nothing = Document::new(Schema::always(source.document.root.origin));
            let whole = left_between(&source.document, &nothing).document;
            if size(&whole) < size(&document) {
                document = whole;
            }
        }
        let validator = compile::document(&document)?;
        let constraint = |origin, keyword| Constraint {
            pointer: source.pointer(origin).to_owned(),
            keyword: source.keyword_name(origin, keyword).to_owned(),
        };
        let all = || losses.iter().chain(&covered);
        let enforced_here = all().map(|loss| constraint(loss.origin, loss.keyword)).collect();
        let known: HashSet<&Loss> = all().collect();
        let mut enforced_by_target = Vec::new();
        for (origin, keyword) in assertions(&source.document) {
            if !known.contains(&Loss { origin, keyword }) {
                enforced_by_target.push(constraint(origin, keyword));
            }
        }
        let inner = Inner { validator, losses, covered, enforced_here, enforced_by_target };
        Ok(Residual { inner: Arc::new(inner) })
    }

    /// The schema over only what was lost, in draft 2020-12; `true` where nothing was.
    #[must_use]
    pub fn schema(&self) -> &Value {
        self.inner.validator.schema()
    }

    /// Whether nothing was lost.
    #[must_use]
    pub fn is_trivial(&self) -> bool {
        *self.schema() == Value::Bool(true)
    }

    /// Whether the instance, in the source's shape, satisfies everything that was lost. Where that cannot
    /// be told (an instance nested too deep, a regular expression that gave up) the answer is no.
    #[must_use]
    pub fn is_valid(&self, instance: &Value) -> bool {
        matches!(compile::verdict(&self.inner.validator, instance), Ok(true))
    }

    /// Everything that was lost and that the instance, in the source's shape, violates.
    #[must_use]
    pub fn violations(&self, instance: &Value) -> Vec<Violation> {
        violations(&self.inner.validator, instance, "")
    }

    /// The constraints that this residual enforces because the target does not.
    #[must_use]
    pub fn enforced_here(&self) -> &[Constraint] {
        &self.inner.enforced_here
    }

    /// The constraints of the source that are left to the target.
    #[must_use]
    pub fn enforced_by_target(&self) -> &[Constraint] {
        &self.inner.enforced_by_target
    }

    pub(crate) fn losses(&self) -> &[Loss] {
        &self.inner.losses
    }

    /// Losses inside a union that is one of [`Residual::losses`].
    pub(crate) fn covered(&self) -> &[Loss] {
        &self.inner.covered
    }

    pub(crate) fn validator(&self) -> &Validator {
        &self.inner.validator
    }
}

impl fmt::Debug for Residual {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Residual").field(self.schema()).finish()
    }
}

/// What a validator says against an instance; `wire_prefix` stands before each pointer in the answer.
pub(crate) fn violations(validator: &Validator, instance: &Value, wire_prefix: &str) -> Vec<Violation> {
    if compile::depth_exceeds(instance, compile::MAX_INSTANCE_DEPTH) {
        return vec![Violation {
            instance_pointer: String::new(),
            wire_pointer: wire_prefix.to_owned(),
            keyword: String::new(),
            message: format!("the value is nested deeper than {} levels", compile::MAX_INSTANCE_DEPTH),
        }];
    }
    validator
        .iter_errors(instance)
        .map(|error| {
            let pointer = error.instance_path().as_str().to_owned();
            Violation {
                wire_pointer: format!("{wire_prefix}{pointer}"),
                instance_pointer: pointer,
                keyword: error.kind().keyword().to_owned(),
                message: shortened(&error.to_string()),
            }
        })
        .collect()
}

/// Messages quote the instance; a long one is cut.
fn shortened(message: &str) -> String {
    const MOST: usize = 240;
    if message.chars().count() <= MOST {
        return message.to_owned();
    }
    let half = MOST / 2;
    let start: String = message.chars().take(half).collect();
    let end: String = message.chars().skip(message.chars().count() - half).collect();
    format!("{start} … {end}")
}

/// The number of values and names in a document as it is written.
fn size(document: &Document) -> usize {
    let (mut count, whole) = (0_usize, document.to_value());
    let mut pending = vec![&whole];
    while let Some(value) = pending.pop() {
        count = count.saturating_add(1);
        match value {
            Value::Array(items) => pending.extend(items),
            Value::Object(members) => {
                count = count.saturating_add(members.len());
                pending.extend(members.values());
            }
            _ => {}
        }
    }
    count
}

/// Every keyword of the document that asserts something, each place once.
fn assertions(document: &Document) -> Vec<(crate::schema::Origin, Keyword)> {
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    let definitions = document.definitions().iter().map(|(_, schema)| schema);
    let mut pending: Vec<&Schema> = std::iter::once(&document.root).chain(definitions).collect();
    pending.reverse();
    while let Some(schema) = pending.pop() {
        for (keyword, _) in schema.keywords() {
            let asserts = keyword.role() == Role::Assertion || *keyword == Keyword::Not;
            if asserts && seen.insert((schema.origin, *keyword)) {
                found.push((schema.origin, *keyword));
            }
        }
        let children: Vec<&Schema> = schema.children().collect();
        pending.extend(children.into_iter().rev());
    }
    found
}
