//! How much of what a report says is backed by evidence, and what it costs to find it. Prints a table.
//!
//! `cargo bench --bench evidence`; `SCHEMA_RESIDUAL_ALL=1` looks at every schema instead of every fourth.

// A measurement that cannot go on has failed; what it shares with the tests says so too.
#![allow(clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

#[path = "../tests/promises/material.rs"]
mod material;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use material::{Case, data, every, field_reports, maskbench, mcp_tools};
use schema_residual::{AdaptOptions, Divergence, Effect, Evidence, Target, Verdict, adapt, targets};

#[derive(Default)]
struct Table {
    /// By effect: with a witness, with a proof, all.
    shown: BTreeMap<&'static str, (usize, usize, usize)>,
    /// What has no evidence, by effect, keyword and what was done to it: how often, and one place.
    undecided: BTreeMap<String, (usize, String)>,
    /// What has no evidence, by schema.
    undecided_in: BTreeMap<String, usize>,
    verdicts: BTreeMap<String, usize>,
    times: Vec<(Duration, String)>,
}

fn main() {
    let Some(data) = data() else { return };
    let step = every(4);
    let real: Vec<Case> = maskbench(&data).into_iter().step_by(step).collect();
    let (tools, reports) = (mcp_tools(&data), field_reports(&data));
    for (whose, is_measured) in
        [("", is_first as fn(&Target) -> bool), (", other targets", |it| !is_first(it))]
    {
        measure(&format!("maskbench, every {step}th{whose}"), &real, is_measured);
        measure(&format!("mcp-tools{whose}"), &tools, is_measured);
        measure(&format!("field-reports{whose}"), &reports, is_measured);
    }
}

/// The targets that are compared from one version to the next.
fn is_first(target: &Target) -> bool {
    const FIRST: [&str; 4] = [
        "openai.strict",
        "openai.strict.legacy",
        "gemini.parametersJsonSchema",
        "gemini.functionDeclarationParameters",
    ];
    FIRST.contains(&target.id())
}

fn measure(what: &str, cases: &[Case], is_measured: fn(&Target) -> bool) {
    let mut table = Table::default();
    for case in cases {
        for target in targets().iter().filter(|target| is_measured(target)) {
            let begun = Instant::now();
            let Ok(adapted) = adapt(&case.schema, target, &AdaptOptions::reporting()) else { continue };
            table.times.push((begun.elapsed(), format!("{} @ {}", case.name, target.id())));
            *table.verdicts.entry(verdict(adapted.report().verdict)).or_default() += 1;
            for divergence in &adapted.report().divergences {
                table.add(divergence, &case.name, target.id());
            }
        }
    }
    table.print(what);
}

fn verdict(verdict: Verdict) -> String {
    format!("{verdict:?}")
}

impl Table {
    fn add(&mut self, divergence: &Divergence, case: &str, target: &str) {
        let effect = match divergence.effect {
            Effect::Widen => "widen",
            Effect::Narrow => "narrow",
            _ => "unrepresentable",
        };
        let counts = self.shown.entry(effect).or_default();
        counts.0 += usize::from(divergence.evidence == Evidence::Witness);
        counts.1 += usize::from(divergence.evidence == Evidence::Proof);
        counts.2 += 1;
        if divergence.evidence == Evidence::Keyword {
            let place = format!("{case} @ {target} {}", divergence.pointer);
            // What is in brackets explains the profile's statement and not what happened here.
            let what = divergence.reason.split(" (").next().unwrap_or_default();
            let cause = format!("{effect} {}, {what}", divergence.keyword);
            self.undecided.entry(cause).or_insert((0, place)).0 += 1;
            *self.undecided_in.entry(case.to_owned()).or_default() += 1;
        }
    }

    fn print(mut self, what: &str) {
        println!("== {what}");
        let share = |shown: usize, all: usize| 100.0 * shown as f64 / all as f64;
        let mut in_all = (0, 0);
        for (effect, (witness, proof, all)) in &self.shown {
            let shown = witness + proof;
            println!(
                "  {effect}: {shown} of {all} shown, {:.2} % ({proof} without a witness)",
                share(shown, *all)
            );
            in_all = (in_all.0 + shown, in_all.1 + all);
        }
        println!("  in all: {} of {} shown, {:.2} %", in_all.0, in_all.1, share(in_all.0, in_all.1));
        println!("  verdicts: {:?}", self.verdicts);
        self.times.sort();
        let at = |share: f64| self.times.get(((self.times.len() - 1) as f64 * share) as usize);
        for (name, share) in [("median", 0.5), ("99th percentile", 0.99), ("maximum", 1.0)] {
            if let Some((time, place)) = at(share) {
                println!("  adapt, {name}: {time:?} ({place})");
            }
        }
        let mut schemas: Vec<_> = self.undecided_in.into_iter().collect();
        schemas.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        for (schema, count) in schemas.iter().take(12) {
            println!("  undecided: {count} × in {schema}");
        }
        let mut undecided: Vec<_> = self.undecided.into_iter().collect();
        undecided.sort_by_key(|(_, (count, _))| std::cmp::Reverse(*count));
        for (what, (count, place)) in undecided.iter().take(30) {
            println!("  undecided: {count} × {what}, for example {place}");
        }
    }
}
