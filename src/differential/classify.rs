//! Sorting a corpus by what two schemas say about it.

use serde_json::Value;

use super::compile::{self, Validator};
use crate::adapt::{Differential, Finding};
use crate::error::Error;

/// How many witnesses of each kind are kept.
pub(crate) const KEPT_WITNESSES: usize = 8;

/// Adds one instance.
pub(crate) fn record(
    differential: &mut Differential,
    source: &Validator,
    converted: &Validator,
    instance: &Value,
) -> Result<Sorted, Error> {
    let sorted = sort(source, converted, instance)?;
    differential.checked += 1;
    let (count, witnesses, finding) = match sorted {
        Sorted::Agreed => {
            differential.agreed += 1;
            return Ok(sorted);
        }
        Sorted::Widened => {
            (&mut differential.widened, &mut differential.widened_witnesses, &mut differential.widening)
        }
        Sorted::Narrowed => {
            (&mut differential.narrowed, &mut differential.narrowed_witnesses, &mut differential.narrowing)
        }
    };
    if *count == 0 {
        *finding = Finding::Instance(instance.clone());
    }
    *count += 1;
    if witnesses.len() < KEPT_WITNESSES {
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
