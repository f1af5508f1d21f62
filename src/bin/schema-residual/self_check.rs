//! `self-check`: results that are known beforehand, reproduced on this machine.

use std::fmt::Write as _;

use schema_residual::{AdaptOptions, Guard, Target, adapt, targets};
use serde_json::{Value, json};

use super::baselines::{Baseline, Counts};
use super::outcome::{Answer, Failure, print};

const BASELINES: [&str; 5] = [
    include_str!("../../../corpus/baselines/B1.json"),
    include_str!("../../../corpus/baselines/B2.json"),
    include_str!("../../../corpus/baselines/B3.json"),
    include_str!("../../../corpus/baselines/B4.json"),
    include_str!("../../../corpus/baselines/B5.json"),
];

const REVIEW: &str = include_str!("../../../corpus/schemas/review.json");

/// Reproduce results that are known beforehand: five reference conversions, and a conversion with its guard
/// for every target.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  schema-residual self-check

Exit code 0: everything is as expected. 1: something is not, and its line says what.")]
pub(crate) struct Arguments {}

pub(crate) fn run(_: &Arguments) -> Result<Answer, Failure> {
    let mut text = String::new();
    let (mut passed, mut failed) = (0_usize, 0_usize);
    for (name, result) in BASELINES.iter().map(baseline).chain(targets().iter().map(worked_conversion)) {
        let (mark, count, detail) = match result {
            Ok(detail) => ("passed", &mut passed, detail),
            Err(detail) => ("failed", &mut failed, detail),
        };
        *count += 1;
        // Writing to a string does not fail.
        let _ = writeln!(text, "{mark}  {name}: {detail}");
    }
    let _ = writeln!(text, "{passed} passed, {failed} failed");
    print(text)?;
    Ok(Answer::from_bool(failed == 0))
}

/// A name, and what was seen: as expected, or not.
type Line = (String, Result<String, String>);

fn baseline(text: &&str) -> Line {
    let baseline: Baseline = match serde_json::from_str(text) {
        Ok(baseline) => baseline,
        Err(error) => return ("baseline".to_owned(), Err(error.to_string())),
    };
    let result = match baseline.counts() {
        Ok(counts) if counts == baseline.expected => Ok(words(counts)),
        Ok(counts) => Err(format!("{}; expected {}", words(counts), words(baseline.expected))),
        Err(error) => Err(error.to_string()),
    };
    (baseline.name, result)
}

fn words(counts: Counts) -> String {
    let Counts { checked, agreed, widened, narrowed } = counts;
    format!("{checked} checked, {agreed} agreed, {widened} widened, {narrowed} narrowed")
}

fn worked_conversion(target: &Target) -> Line {
    (target.id().to_owned(), converted(target))
}

/// Converts the example. A good answer passes both guards and a bad one does not pass the full one; the
/// plain one stops it exactly where the residual does.
fn converted(target: &Target) -> Result<String, String> {
    let source: Value = serde_json::from_str(REVIEW).map_err(|error| error.to_string())?;
    let adapted = adapt(&source, target, &AdaptOptions::reporting()).map_err(|error| error.to_string())?;
    let guard = adapted.guard().map_err(|error| error.to_string())?;
    let (good, bad) = (json!({"email": "a@b.co", "score": 7}), json!({"email": "not-an-email", "score": 99}));
    for guard in [&guard, &guard.full()] {
        if accepted(guard, &good)? != good {
            return Err("a good answer comes back changed".to_owned());
        }
    }
    if accepted(&guard.full(), &bad).is_ok() {
        return Err("the full guard accepts a bad answer".to_owned());
    }
    if accepted(&guard, &bad).is_ok() != adapted.residual().is_valid(&bad) {
        return Err("the guard and the residual disagree about a bad answer".to_owned());
    }
    let left = adapted.residual().enforced_here().len();
    Ok(format!("converted; accepts and rejects as expected; constraints left to the guard: {left}"))
}

fn accepted(guard: &Guard, instance: &Value) -> Result<Value, String> {
    guard.check(guard.encode(instance)).map_err(|rejection| rejection.to_string())
}
