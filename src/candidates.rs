//! Instances for comparing two schemas when nobody has a corpus.

use serde_json::Value;

use crate::differential::witness::Generator;
use crate::error::Error;
use crate::residual::Residual;
use crate::source::{Budget, Lifted, lift};

/// Instances meant to satisfy each of the schemas.
const SEEDS: usize = 8;

/// Instances for one keyword that the other schema lacks.
const FOR_A_KEYWORD: usize = 12;

/// Instances in all.
const IN_ALL: usize = 512;

/// Instances on which two schemas may well disagree, at most 512, always the same for the same schemas:
/// ones that satisfy either schema, and ones that violate a keyword of the one that the other does not
/// enforce.
///
/// They are made to be the corpus of [`differential`](crate::differential()).
///
/// # Errors
///
/// [`Error::InvalidSchema`] where either is not a schema, [`Error::Budget`] where one is too large,
/// [`Error::Probe`] where a residual of the two does not compile.
///
/// ```
/// use schema_residual::{candidates, differential};
/// use serde_json::json;
///
/// let source = json!({"type": "integer", "minimum": 0});
/// let converted = json!({"type": "integer", "maximum": 9});
/// let corpus = candidates(&source, &converted)?;
/// let result = differential(&source, &converted, &corpus)?;
/// assert!(result.widened > 0 && result.narrowed > 0);
/// # Ok::<(), schema_residual::Error>(())
/// ```
pub fn candidates(source: &Value, converted: &Value) -> Result<Vec<Value>, Error> {
    let source = lift(source, &Budget::default())?;
    let converted = lift(converted, &Budget::default())?;
    let mut found = Vec::new();
    violating(&source, &converted, IN_ALL / 2, &mut found)?;
    violating(&converted, &source, IN_ALL, &mut found)?;
    Ok(found)
}

/// Adds instances that the first schema accepts, then ones that it rejects for what the second does not
/// enforce.
fn violating(first: &Lifted, second: &Lifted, limit: usize, found: &mut Vec<Value>) -> Result<(), Error> {
    let residual = Residual::derive(first, &second.document)?;
    let generator = Generator::new(&first.document);
    let lost = residual.losses().iter();
    let violations = lost.flat_map(|loss| generator.violations(loss.origin, loss.keyword, FOR_A_KEYWORD));
    for candidate in generator.seeds(SEEDS).into_iter().chain(violations) {
        if found.len() == limit {
            break;
        }
        if !found.contains(&candidate) {
            found.push(candidate);
        }
    }
    Ok(())
}
