//! The guarantees 1 to 6 and 8, for every target, over generated schemas.
//!
//! The same schemas on every run. `QUICKCHECK_TESTS` says how many, `QUICKCHECK_SEED` which ones.

use std::panic::{AssertUnwindSafe, catch_unwind};

use quickcheck::{Arbitrary, Gen};
use schema_residual::residual_between;
use serde_json::Value;

use crate::arbitrary::places::{meant, schemas};
use crate::arbitrary::{Arbitrarily, Pair};
use crate::material::Case;
use crate::nearby::nearby;
use crate::support::{Counts, check_lift, check_pair, oracle};

/// Shrinking tries no more schemas than this.
const MAX_SHRINKS: usize = 4_000;

/// Each thread stops after so many violations.
const MAX_VIOLATIONS: usize = 10;

fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// The input of this number: it depends on the settings and on nothing else.
pub fn input<A: Arbitrary>(seed: u64, number: u64) -> A {
    let seed = (seed << 56) ^ (setting("QUICKCHECK_SEED").unwrap_or(0) << 40) ^ number;
    A::arbitrary(&mut Gen::from_size_and_seed(20, seed))
}

/// Checks as many generated inputs as the settings want, on two cores. What fails is made smaller for as
/// long as it fails in the same way.
fn check<A: Arbitrary + std::fmt::Debug>(
    what: &str,
    tests: u64,
    seed: u64,
    property: impl Fn(&A, &mut Counts) + Sync,
) {
    let tests = setting("QUICKCHECK_TESTS").unwrap_or(tests);
    let violations = |input: &A, counts: &mut Counts| {
        let before = counts.violations.len();
        if catch_unwind(AssertUnwindSafe(|| property(input, counts))).is_err() {
            counts.violations.push(format!("panic: the property panics: {input:?}"));
        }
        counts.violations.split_off(before)
    };
    let every_other = |start: u64| {
        let mut counts = Counts::default();
        for number in (start..tests).step_by(2) {
            let input: A = input(seed, number);
            let found = violations(&input, &mut counts);
            let Some(violation) = found.into_iter().next() else { continue };
            counts
                .violations
                .push(smallest(input, violation, |input| violations(input, &mut Counts::default())));
            if counts.violations.len() >= MAX_VIOLATIONS {
                break;
            }
        }
        counts
    };
    let mut total = Counts::default();
    std::thread::scope(|scope| {
        let threads = [0, 1].map(|start| {
            let thread = std::thread::Builder::new().stack_size(16 << 20);
            thread.spawn_scoped(scope, move || every_other(start)).expect("a thread")
        });
        for thread in threads {
            total.merge(thread.join().expect("no panic"));
        }
    });
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

#[test]
fn hold_for_every_target() {
    check("generated schemas", 2_500, 1, |sent: &Sent, counts| {
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
    check("residuals of a schema and itself", 2_500, 2, |schema: &Arbitrarily, counts| {
        let Some(source) = oracle(&schema.0) else { return };
        counts.schemas += 1;
        let own = match residual_between(&schema.0, &schema.0) {
            Ok(own) => own,
            Err(error) => return counts.violations.push(format!("no residual: {schema:?}: {error}")),
        };
        if !own.is_trivial() {
            counts.violations.push(format!("something is left: {schema:?}: residual {}", own.schema()));
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

/// Whatever else a converted schema says, in whichever order: what it says of the source is enforced.
#[test]
fn what_is_said_beside_the_source_takes_nothing_away() {
    check("a schema and itself with another beside it", 2_000, 4, |pair: &Pair, counts| {
        let (source, other) = (&pair.source.0, &pair.converted.0);
        let Some(converted) = conjoined(source, other) else { return };
        counts.schemas += 1;
        counts.checks += 1;
        match residual_between(source, &converted) {
            Ok(residual) if residual.is_trivial() => {}
            Ok(residual) => counts.violations.push(format!(
                "something is left: {source} against {converted}: residual {}",
                residual.schema()
            )),
            Err(error) => {
                counts.violations.push(format!("no residual: {source} against {converted}: {error}"));
            }
        }
    });
}

/// The schema with another one beside it, in an `allOf`. None where that changes what the schema itself
/// says: where it refers to itself as a whole, or looks at everything that stands beside.
fn conjoined(schema: &Value, other: &Value) -> Option<Value> {
    let mut object = schema.as_object()?.clone();
    let refers_to_itself = schemas(schema).iter().any(|place| {
        let references = ["$ref", "$dynamicRef"].map(|keyword| {
            schema.pointer(place).and_then(|schema| schema.get(keyword)).and_then(Value::as_str)
        });
        let meant = references.into_iter().flatten().flat_map(|reference| meant(schema, place, reference));
        meant.into_iter().any(|place| place.is_empty())
    });
    if refers_to_itself || object.keys().any(|keyword| keyword.starts_with("unevaluated")) {
        return None;
    }
    let mut other = other.clone();
    without_links(&mut other);
    let beside = object.entry("allOf").or_insert_with(|| Value::Array(Vec::new()));
    beside.as_array_mut()?.push(other);
    Some(Value::Object(object))
}

/// References and names mean something in one document only.
fn without_links(schema: &mut Value) {
    for place in schemas(schema) {
        if let Some(Value::Object(schema)) = schema.pointer_mut(&place) {
            schema.retain(|keyword, _| !keyword.starts_with('$'));
        }
    }
}

#[test]
fn residuals_of_two_schemas_are_sound() {
    check("two generated schemas", 2_500, 3, |pair: &Pair, counts| {
        let (source, converted) = (&pair.source.0, &pair.converted.0);
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
