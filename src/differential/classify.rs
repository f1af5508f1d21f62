//! Sorting a corpus by what two schemas say about it.

use serde_json::Value;

use super::compile::{self, Validator};
use crate::adapt::Differential;
use crate::error::Error;
use crate::source::{Budget, lift};

/// How many witnesses of each kind are kept.
pub(crate) const KEPT_WITNESSES: usize = 8;

/// Compiles both schemas separately, formats asserted, and sorts the corpus into instances on which they
/// agree, which only `converted` accepts (`widened`) and which only `source` accepts (`narrowed`).
///
/// Works on any two schemas, whoever made the second one.
///
/// # Errors
///
/// [`Error::InvalidSchema`] where either is not a schema, and [`Error::Probe`] where nothing may be
/// concluded: an empty corpus, or a regular expression that gave up.
///
/// ```
/// use serde_json::json;
///
/// let source = json!({"type": "integer", "minimum": 0});
/// let converted = json!({"type": "integer"});
/// let result = schema_residual::differential(&source, &converted, &[json!(1), json!(-1)])?;
/// assert_eq!((result.checked, result.agreed, result.widened, result.narrowed), (2, 1, 1, 0));
/// assert_eq!(result.widened_witnesses, [json!(-1)]);
/// # Ok::<(), schema_residual::Error>(())
/// ```
pub fn differential<'v>(
    source: &Value,
    converted: &Value,
    corpus: impl IntoIterator<Item = &'v Value>,
) -> Result<Differential, Error> {
    let source = compile::document(&lift(source, &Budget::default())?.document)?;
    let converted = compile::document(&lift(converted, &Budget::default())?.document)?;
    let mut differential = Differential::default();
    for instance in corpus {
        record(&mut differential, &source, &converted, instance)?;
    }
    if differential.checked == 0 {
        return Err(Error::Probe { detail: "the corpus is empty".to_owned() });
    }
    Ok(differential)
}

/// Adds one instance.
pub(crate) fn record(
    differential: &mut Differential,
    source: &Validator,
    converted: &Validator,
    instance: &Value,
) -> Result<Sorted, Error> {
    let sorted = sort(source, converted, instance)?;
    let (count, witnesses) = match sorted {
        Sorted::Agreed => (&mut differential.agreed, None),
        Sorted::Widened => (&mut differential.widened, Some(&mut differential.widened_witnesses)),
        Sorted::Narrowed => (&mut differential.narrowed, Some(&mut differential.narrowed_witnesses)),
    };
    *count += 1;
    differential.checked += 1;
    if let Some(witnesses) = witnesses.filter(|witnesses| witnesses.len() < KEPT_WITNESSES) {
        witnesses.push(instance.clone());
    }
    Ok(sorted)
}

/// What two schemas say about one instance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sorted {
    Agreed,
    Widened,
    Narrowed,
}

/// Asks both.
pub(crate) fn sort(source: &Validator, converted: &Validator, instance: &Value) -> Result<Sorted, Error> {
    let verdicts = (compile::verdict(source, instance)?, compile::verdict(converted, instance)?);
    Ok(match verdicts {
        (true, true) | (false, false) => Sorted::Agreed,
        (false, true) => Sorted::Widened,
        (true, false) => Sorted::Narrowed,
    })
}
