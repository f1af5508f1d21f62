//! Guarantee 6: what is in a residual has to be there.
//!
//! A keyword of a residual has earned its place where an instance is known that the target lets through and that
//! the source rejects for this keyword alone: without it the instance would pass. The share of those is measured
//! for each set of schemas, and may not fall below what it has been.

use schema_residual::{AdaptOptions, Adapted, Effect, Evidence, adapt, residual_between};
use serde_json::Value;

use crate::material::{Case, data, every, field_reports, maskbench, mcp_tools, suite};
use crate::support::{nodes, targets_for};

/// The least share of keywords that have earned their place, in percent: what was measured, rounded down.
/// The suite has many schemas that say a thing twice, to see whether a validator copes.
const SUITE: f64 = 91.0;
const REAL_SCHEMAS: f64 = 98.0;
const TOOLS: f64 = 99.0;
const FIELD_REPORTS: f64 = 100.0;

#[test]
fn suite_keywords_earn_their_place() {
    check("the test suite", SUITE, |data| suite(data).into_iter().step_by(every(2)).collect());
}

#[test]
fn real_keywords_earn_their_place() {
    // Each tenth keeps the test short.
    check("real schemas", REAL_SCHEMAS, |data| maskbench(data).into_iter().step_by(every(10)).collect());
}

#[test]
fn keywords_of_tools_earn_their_place() {
    check("published tools", TOOLS, mcp_tools);
}

#[test]
fn reported_keywords_earn_their_place() {
    check("field reports", FIELD_REPORTS, field_reports);
}

#[derive(Default)]
struct Measured {
    keywords: usize,
    earned: usize,
    failures: Vec<String>,
    examples: Vec<String>,
}

fn check(what: &str, floor: f64, cases: impl Fn(&std::path::Path) -> Vec<Case>) {
    let Some(data) = data() else { return };
    let mut measured = Measured::default();
    for (index, case) in cases(&data).into_iter().enumerate() {
        // The residual of `true` is the whole source, lifted.
        let Ok(whole) = residual_between(&case.schema, &Value::Bool(true)) else { continue };
        let whole = nodes(whole.schema());
        for target in targets_for(index) {
            if let Ok(adapted) = adapt(&case.schema, target, &AdaptOptions::reporting()) {
                measured.add(&format!("{} @ {}", case.name, target.id()), &adapted, whole);
            }
        }
    }
    let share = 100.0 * measured.earned as f64 / measured.keywords as f64;
    println!(
        "{what}: {} of {} keywords have earned their place, {share:.2} %",
        measured.earned, measured.keywords
    );
    for line in measured.failures.iter().chain(&measured.examples).take(40) {
        println!("  {line}");
    }
    assert!(measured.keywords > 0, "{what}: nothing was looked at");
    assert!(measured.failures.is_empty(), "{what}: {} failures", measured.failures.len());
    assert!(share >= floor, "{what}: {share:.2} % is less than {floor} %");
}

impl Measured {
    fn add(&mut self, name: &str, adapted: &Adapted, whole: usize) {
        let residual = adapted.residual();
        let widens =
            || adapted.report().divergences.iter().filter(|divergence| divergence.effect == Effect::Widen);
        for divergence in widens() {
            self.keywords += 1;
            if divergence.evidence == Evidence::Keyword {
                self.examples
                    .push(format!("not shown: {name} {} {}", divergence.pointer, divergence.keyword));
            } else {
                self.earned += 1;
            }
        }
        // Proved to be implied by the rest of the source, and in the residual all the same: the guard rests on no
        // proof of somebody else's.
        for redundant in &adapted.report().redundant {
            self.keywords += 1;
            self.examples.push(format!("redundant: {name} {} {}", redundant.pointer, redundant.keyword));
        }
        let told = widens().next().is_some() || !adapted.report().redundant.is_empty();
        if residual.is_trivial() == told {
            self.failures.push(format!("nothing was lost, or not nothing: {name}: {}", residual.schema()));
        }
        let size = nodes(residual.schema());
        if size > whole {
            self.failures.push(format!("larger than the source ({size} > {whole}): {name}"));
        }
    }
}
