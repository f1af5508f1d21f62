//! The three together: adapt a schema, show what that cost ([`evidence`]), and derive what is left to check.

use serde_json::Value;

use crate::adapt::{Conversion, ConvertOptions, Report, convert};
use crate::error::Error;
use crate::evidence;
use crate::residual::{Guard, Residual};
use crate::target::Target;

/// Candidates that are tried where the options do not say.
const DEFAULT_CANDIDATES: usize = 2_048;

/// When a conversion that changes what is accepted is an error.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum OnDivergence {
    /// Always.
    #[default]
    Error,
    /// Unless the guard makes up for all of it.
    Undone,
    /// Never: the report tells.
    Report,
}

/// How [`adapt`] works.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct AdaptOptions {
    /// When a conversion that changes what is accepted is an error.
    pub on_divergence: OnDivergence,
    /// How many candidate instances may be tried, 2,048 by default and never more than 4,096.
    pub max_candidates: usize,
    /// Instances, in the source's shape, that are looked at in addition.
    pub corpus: Vec<Value>,
    /// How the conversion itself works.
    pub convert: ConvertOptions,
}

impl Default for AdaptOptions {
    fn default() -> AdaptOptions {
        AdaptOptions {
            on_divergence: OnDivergence::default(),
            max_candidates: DEFAULT_CANDIDATES,
            corpus: Vec::new(),
            convert: ConvertOptions::default(),
        }
    }
}

impl AdaptOptions {
    /// Options under which the report tells of divergences, and they are no error.
    #[must_use]
    pub fn reporting() -> AdaptOptions {
        AdaptOptions { on_divergence: OnDivergence::Report, ..AdaptOptions::default() }
    }
}

/// A converted schema with a report of what the conversion cost.
#[derive(Debug, Clone)]
pub struct Adapted {
    conversion: Conversion,
    residual: Residual,
    report: Report,
}

impl Adapted {
    /// The schema to send.
    #[must_use]
    pub fn wire(&self) -> &Value {
        self.conversion.wire()
    }

    /// What the wire schema amounts to at the provider, as plain draft 2020-12.
    #[must_use]
    pub fn effective(&self) -> Value {
        self.conversion.effective()
    }

    /// The wire schema before encoding: it describes instances of the source's shape.
    #[must_use]
    pub fn projected(&self) -> Value {
        self.conversion.projected()
    }

    /// The projection as the target enforces it, in the source's shape.
    #[must_use]
    pub fn effective_projection(&self) -> Value {
        self.conversion.effective_projection()
    }

    /// What the conversion did and cost.
    #[must_use]
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// The validator over what the target does not enforce.
    #[must_use]
    pub fn residual(&self) -> &Residual {
        &self.residual
    }

    /// The guard for the provider's answers.
    ///
    /// # Errors
    ///
    /// [`Error::Probe`] where the effective schema does not compile.
    pub fn guard(&self) -> Result<Guard, Error> {
        Guard::new(self.conversion.clone(), self.residual.clone())
    }

    /// An instance of the source in the shape in which the provider would send it.
    ///
    /// # Errors
    ///
    /// [`Error::Probe`] where the effective schema does not compile.
    pub fn encode(&self, instance: &Value) -> Result<Value, Error> {
        Ok(self.guard()?.encode(instance))
    }
}

impl Conversion {
    /// The validator over what the target does not enforce.
    ///
    /// # Errors
    ///
    /// [`Error::Probe`] where the residual does not compile.
    pub fn residual(&self) -> Result<Residual, Error> {
        Residual::derive(&self.lifted, &self.effective)
    }

    /// The guard for the provider's answers.
    ///
    /// # Errors
    ///
    /// [`Error::Probe`] where the residual or the effective schema does not compile.
    pub fn guard(&self) -> Result<Guard, Error> {
        Guard::new(self.clone(), self.residual()?)
    }
}

/// Converts a schema for a target and says, with concrete values, what that cost.
///
/// # Errors
///
/// As [`convert`]; [`Error::Divergence`], which carries the report, where the conversion changes which
/// instances are accepted, as far as [`AdaptOptions::on_divergence`] says; [`Error::Probe`] where a check
/// could not be carried out.
///
/// ```
/// use schema_residual::{AdaptOptions, adapt, target};
/// use serde_json::json;
///
/// let source = json!({
///     "type": "object",
///     "properties": {"score": {"type": "integer", "minimum": 0}},
///     "required": ["score"],
///     "additionalProperties": false
/// });
/// // Nothing is lost here …
/// let adapted = adapt(&source, target("openai.strict")?, &AdaptOptions::default())?;
/// assert!(adapted.residual().is_trivial());
/// // … and here the bound is, which is an error unless the caller says otherwise.
/// assert!(adapt(&source, target("openai.strict.legacy")?, &AdaptOptions::default()).is_err());
/// let adapted = adapt(&source, target("openai.strict.legacy")?, &AdaptOptions::reporting())?;
/// assert_eq!(adapted.report().divergences[0].witness, Some(json!({"score": -1})));
/// # Ok::<(), schema_residual::Error>(())
/// ```
pub fn adapt(source: &Value, target: &Target, options: &AdaptOptions) -> Result<Adapted, Error> {
    let conversion = convert(source, target, &options.convert)?;
    let residual = conversion.residual()?;
    let report = evidence::report(&conversion, &residual, &options.corpus, options.max_candidates)?;
    let undone = report.divergences.iter().all(|divergence| divergence.undone_by_guard);
    let is_error = match options.on_divergence {
        OnDivergence::Error => !report.divergences.is_empty(),
        OnDivergence::Undone => !undone,
        OnDivergence::Report => false,
    };
    if is_error {
        return Err(Error::Divergence(Box::new(report)));
    }
    Ok(Adapted { conversion, residual, report })
}
