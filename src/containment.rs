//! Whether one schema accepts everything that another accepts.
//!
//! Four looks, the cheapest first; each can only give the answer that it can show:
//!
//! 1. nothing is left of `sup` where `sub` holds ([`losses_between`]), as it is or with only the types of which
//!    there is a value ([`contains`]): contained;
//! 2. an instance made for the two schemas that `sub` accepts and `sup` rejects, by the compiled validators
//!    themselves: not contained;
//! 3. the proof of [`proof::is_contained`]: contained;
//! 4. an instance made from the difference that the proof's algebra writes down: as 2.
//!
//! A made instance that a validator cannot judge (a regular expression that gives up) is passed over: no
//! answer rests on it. Instances that the caller gave are not passed over.

use serde_json::Value;

use crate::adapt::{Differential, Finding};
use crate::differential::classify::record;
use crate::differential::compile::{self, Validator};
use crate::differential::proof;
use crate::differential::witness::Generator;
use crate::error::Error;
use crate::residual::{contains, losses_between};
use crate::schema::Document;
use crate::source::{Budget, lift};

/// Instances of the smaller schema that are tried.
const SEEDS: usize = 8;
/// Instances tried for one keyword of the larger schema.
const FOR_A_KEYWORD: usize = 8;
/// Instances tried in all.
const IN_ALL: usize = 256;

/// A schema with its validator.
#[derive(Clone, Copy)]
pub(crate) struct Side<'a> {
    pub(crate) document: &'a Document,
    pub(crate) validator: &'a Validator,
}

/// What is known of instances that `sub` accepts and `sup` rejects.
pub(crate) fn outside(sub: Side<'_>, sup: Side<'_>) -> Finding {
    let losses = losses_between(sup.document, sub.document);
    if losses.is_empty() || contains(sup.document, sub.document) {
        return Finding::Excluded;
    }
    let within = Generator::new(sub.document);
    let around = Generator::new(sup.document);
    let violations =
        losses.iter().flat_map(|loss| around.violations(loss.origin, loss.keyword, FOR_A_KEYWORD));
    let made = within.seeds(SEEDS).into_iter().chain(violations).take(IN_ALL);
    if let Some(instance) = first_outside(made, sub, sup) {
        return Finding::Instance(instance);
    }
    if proof::is_contained(sub.document.whole(), sup.document.whole()) {
        return Finding::Excluded;
    }
    from_difference(sub, sup).map_or(Finding::NoneFound, Finding::Instance)
}

/// An instance made from what the one accepts and the other does not, written as a schema.
fn from_difference(sub: Side<'_>, sup: Side<'_>) -> Option<Value> {
    let difference = proof::difference(sub.document.whole(), sup.document.whole())?;
    let lifted = lift(&difference, &Budget::default()).ok()?;
    first_outside(Generator::new(&lifted.document).seeds(SEEDS), sub, sup)
}

fn first_outside(made: impl IntoIterator<Item = Value>, sub: Side<'_>, sup: Side<'_>) -> Option<Value> {
    let accepts = |side: Side<'_>, instance: &Value| compile::verdict(side.validator, instance).ok();
    made.into_iter()
        .find(|instance| accepts(sub, instance) == Some(true) && accepts(sup, instance) == Some(false))
}

/// Compiles both schemas separately, formats asserted, and sorts the corpus into instances on which they
/// agree, which only `converted` accepts (`widened`) and which only `source` accepts (`narrowed`).
///
/// Where the corpus shows no widening, [`Differential::widening`] says whether there is none at all, and the
/// same for [`Differential::narrowing`], so that "nothing was widened" can be a proof. It may also hold an
/// instance that is not in the corpus; the counts are about the corpus alone.
///
/// Works on any two schemas, whoever made the second one.
///
/// # Errors
///
/// [`Error::InvalidSchema`] where either is not a schema, and [`Error::Probe`] where nothing may be
/// concluded: an empty corpus, or a regular expression that gave up.
///
/// ```
/// use schema_residual::{Finding, Verdict, differential};
/// use serde_json::json;
///
/// let source = json!({"type": "integer", "minimum": 0});
/// let converted = json!({"type": "integer"});
/// let result = differential(&source, &converted, &[json!(1), json!(-1)])?;
/// assert_eq!((result.checked, result.agreed, result.widened, result.narrowed), (2, 1, 1, 0));
/// assert_eq!(result.widened_witnesses, [json!(-1)]);
/// assert_eq!(result.narrowing, Finding::Excluded);
/// assert_eq!(result.verdict(), Verdict::Widened);
///
/// // Spelled differently, and proved to be the same.
/// let range = json!({"type": "integer", "exclusiveMinimum": 0, "maximum": 2});
/// let result = differential(&range, &json!({"enum": [1, 2]}), &[json!(1)])?;
/// assert_eq!(result.verdict(), Verdict::Proved);
/// # Ok::<(), schema_residual::Error>(())
/// ```
pub fn differential<'v>(
    source: &Value,
    converted: &Value,
    corpus: impl IntoIterator<Item = &'v Value>,
) -> Result<Differential, Error> {
    let (source, converted) = (lift(source, &Budget::default())?, lift(converted, &Budget::default())?);
    let validators = (compile::document(&source.document)?, compile::document(&converted.document)?);
    let mut differential = Differential::default();
    for instance in corpus {
        record(&mut differential, &validators.0, &validators.1, instance)?;
    }
    if differential.checked == 0 {
        return Err(Error::Probe { detail: "the corpus is empty".to_owned() });
    }
    let source = Side { document: &source.document, validator: &validators.0 };
    let converted = Side { document: &converted.document, validator: &validators.1 };
    if differential.widening == Finding::NoneFound {
        differential.widening = outside(converted, source);
    }
    if differential.narrowing == Finding::NoneFound {
        differential.narrowing = outside(source, converted);
    }
    Ok(differential)
}
