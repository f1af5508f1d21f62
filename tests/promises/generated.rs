//! The guarantees 1 to 6 and 8, for every target, over generated schemas.
//!
//! The same schemas on every run. `QUICKCHECK_TESTS` says how many, `QUICKCHECK_SEED` which ones.

use std::panic::{AssertUnwindSafe, catch_unwind};

use quickcheck::{Arbitrary, Gen};
use schema_residual::residual_between;
use serde_json::{Value, json};

use crate::arbitrary::Arbitrarily;
use crate::nearby::nearby;
use crate::support::{Case, Counts, check_lift, check_pair, oracle};

/// Shrinking tries no more schemas than this.
const MAX_SHRINKS: usize = 4_000;

fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// Checks as many generated inputs as the settings want. What fails is made smaller for as long as it
/// fails in the same way.
fn check<A: Arbitrary + std::fmt::Debug>(
    what: &str,
    tests: u64,
    seed: u64,
    property: impl Fn(&A, &mut Counts),
) {
    let tests = setting("QUICKCHECK_TESTS").unwrap_or(tests);
    let mut random = Gen::from_size_and_seed(20, seed ^ (setting("QUICKCHECK_SEED").unwrap_or(0) << 8));
    let violations = |input: &A, counts: &mut Counts| {
        let before = counts.violations.len();
        if catch_unwind(AssertUnwindSafe(|| property(input, counts))).is_err() {
            counts.violations.push("panic: the property panics".into());
        }
        counts.violations.split_off(before)
    };
    let mut total = Counts::default();
    for _ in 0..tests {
        let input = A::arbitrary(&mut random);
        if std::env::var_os("QUICKCHECK_SHOW").is_some() {
            eprintln!("{input:?}");
        }
        let found = violations(&input, &mut total);
        let Some(violation) = found.into_iter().next() else { continue };
        let small = smallest(input, violation, |input| violations(input, &mut Counts::default()));
        total.violations.push(small);
        if total.violations.len() >= 20 {
            break;
        }
    }
    total.conclude(what);
}

/// The violation that is left when the input cannot be made smaller.
fn smallest<A: Arbitrary>(
    mut input: A,
    mut violation: String,
    violations: impl Fn(&A) -> Vec<String>,
) -> String {
    let kind = |violation: &str| violation.split(':').next().unwrap_or_default().to_owned();
    let wanted = kind(&violation);
    let mut tries = 0;
    'smaller: loop {
        for candidate in input.shrink() {
            tries += 1;
            if tries > MAX_SHRINKS {
                break 'smaller;
            }
            if let Some(found) = violations(&candidate).into_iter().find(|found| kind(found) == wanted) {
                (input, violation) = (candidate, found);
                continue 'smaller;
            }
        }
        break;
    }
    violation
}

/// A schema and one of the targets.
#[derive(Clone, Debug)]
struct Sent {
    schema: Arbitrarily,
    target: usize,
}

impl Arbitrary for Sent {
    fn arbitrary(random: &mut Gen) -> Sent {
        let targets = schema_residual::targets().len();
        Sent { schema: Arbitrarily::arbitrary(random), target: usize::arbitrary(random) % targets }
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Sent>> {
        let target = self.target;
        Box::new(self.schema.shrink().map(move |schema| Sent { schema, target }))
    }
}

/// The number of values and names in a JSON value.
fn nodes(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(nodes).sum::<usize>(),
        Value::Object(members) => 1 + members.values().map(|member| 1 + nodes(member)).sum::<usize>(),
        _ => 1,
    }
}

#[test]
fn hold_for_every_target() {
    check("generated schemas", 3_000, 1, |sent: &Sent, counts| {
        let schema = &sent.schema.0;
        let Some(source) = oracle(schema) else {
            *counts.left_out.entry("the jsonschema crate refuses the source".into()).or_default() += 1;
            return;
        };
        counts.schemas += 1;
        let case = Case { name: schema.to_string(), schema: schema.clone(), instances: nearby(schema) };
        if check_lift(&case, &source, counts) {
            let target = &schema_residual::targets()[sent.target];
            check_pair(&case, &source, target, counts);
        }
    });
}

#[test]
fn nothing_is_redundant() {
    check("residuals of a schema and itself", 3_000, 2, |schema: &Arbitrarily, counts| {
        let Some(source) = oracle(&schema.0) else { return };
        counts.schemas += 1;
        let (whole, own) =
            match (residual_between(&schema.0, &json!(true)), residual_between(&schema.0, &schema.0)) {
                (Ok(whole), Ok(own)) => (whole, own),
                (whole, own) => {
                    return counts.violations.push(format!(
                        "no residual: {schema:?}: {:?} {:?}",
                        whole.err(),
                        own.err()
                    ));
                }
            };
        let size = nodes(own.schema());
        if size > nodes(whole.schema()) {
            counts.violations.push(format!("larger than the source: {schema:?}: residual {}", own.schema()));
        }
        for instance in nearby(&schema.0) {
            counts.checks += 1;
            if !own.is_valid(&instance) {
                let valid = source.is_valid(&instance);
                counts.violations.push(format!(
                    "redundant: {schema:?}: {instance} (valid: {valid})\n     residual {}",
                    own.schema()
                ));
            }
        }
    });
}

#[test]
fn residuals_of_two_schemas_are_sound() {
    check("two generated schemas", 3_000, 3, |pair: &(Arbitrarily, Arbitrarily), counts| {
        let (source, converted) = (&pair.0.0, &pair.1.0);
        let (Some(accepts), Some(sent)) = (oracle(source), oracle(converted)) else { return };
        counts.schemas += 2;
        counts.pairs += 1;
        let residual = match residual_between(source, converted) {
            Ok(residual) => residual,
            Err(error) => {
                return counts.violations.push(format!("no residual: {source} against {converted}: {error}"));
            }
        };
        let mut instances = nearby(source);
        instances.extend(nearby(converted));
        for instance in instances {
            counts.checks += 1;
            let (valid, left) = (accepts.is_valid(&instance), residual.is_valid(&instance));
            let what = match (valid, left) {
                (true, false) => "false alarm",
                (false, true) if sent.is_valid(&instance) => "leak",
                _ => continue,
            };
            counts.violations.push(format!(
                "{what}: {source} against {converted}: {instance}\n     residual {}",
                residual.schema()
            ));
        }
    });
}
