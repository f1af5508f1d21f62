//! The published `llguidance` crate as the judge of the `llguidance` profile.
//!
//! It must compile every schema that is made for it, and what it lets a model write must be what the effective
//! schema accepts. An instance is written down with its keys in the order of the schema, as the engine would have
//! them written, and is fed to the engine byte by byte.

mod known;
#[path = "../../promises/material.rs"]
mod material;
mod order;

use std::collections::BTreeMap;
use std::process::ExitCode;

use llguidance::api::TopLevelGrammar;
use llguidance::toktrie::ApproximateTokEnv;
use llguidance::{Matcher, ParserFactory};
use material::{Case, data, every, field_reports, maskbench, mcp_tools, suite};
use schema_residual::{AdaptOptions, adapt, target};
use serde_json::Value;

/// What was counted.
#[derive(Default)]
struct Counts {
    schemas: usize,
    instances: usize,
    accepted: usize,
    /// By the difference of the engine that is known.
    known: BTreeMap<String, usize>,
    failures: Vec<String>,
}

fn main() -> ExitCode {
    let Some(data) = data() else { return ExitCode::SUCCESS };
    let mut failed = false;
    for (what, cases, step) in [
        ("field-reports", field_reports(&data), 1),
        ("mcp-tools", mcp_tools(&data), 1),
        ("JSON Schema Test Suite", suite(&data), every(2)),
        ("maskbench", maskbench(&data), every(4)),
    ] {
        let mut counts = Counts::default();
        for case in cases.iter().step_by(step) {
            judge(case, &mut counts);
        }
        println!(
            "{what}: {} schemas compiled, {} instances, {} of them accepted, {} failures",
            counts.schemas,
            counts.instances,
            counts.accepted,
            counts.failures.len()
        );
        for (difference, count) in &counts.known {
            println!("  known difference: {count} × {difference}");
        }
        let most = if std::env::var_os("V").is_some() { 1000 } else { 20 };
        for failure in counts.failures.iter().take(most) {
            println!("  {failure}");
        }
        failed |= !counts.failures.is_empty() || counts.accepted == 0;
    }
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

fn judge(case: &Case, counts: &mut Counts) {
    let target = target("llguidance").expect("the target");
    // Schemas that the library refuses are no schemas, or need another document.
    let Ok(adapted) = adapt(&case.schema, target, &AdaptOptions::reporting()) else { return };
    let wire = adapted.wire();
    let mut engine = match engine(wire) {
        Ok(engine) => engine,
        Err(error) => {
            match known::of_schema(&error) {
                Some(difference) => *counts.known.entry(difference).or_default() += 1,
                None => counts.failures.push(format!("not compiled: {}: {error}\n     {wire}", case.name)),
            }
            return;
        }
    };
    counts.schemas += 1;
    let effective = jsonschema::options()
        .with_draft(jsonschema::Draft::Draft202012)
        .should_validate_formats(true)
        .build(&adapted.effective())
        .expect("the effective schema compiles");
    let report = adapted.report();
    let shown = report.divergences.iter().filter_map(|divergence| divergence.witness.as_ref());
    for instance in case.instances.iter().chain(shown) {
        counts.instances += 1;
        let expected = effective.is_valid(instance);
        let written = instance.to_string();
        // What is to be rejected is not written in every mixture of orders.
        let most = if expected { usize::MAX } else { 4 };
        let accepted = order::texts(instance, wire).take(most).any(|text| accepts(&mut engine, &text));
        counts.accepted += usize::from(accepted);
        if accepted != expected {
            let known = if !accepted && !adapted.residual().is_valid(instance) {
                Some("a format that is enforced loosely rejects what the residual rejects".to_owned())
            } else {
                known::of_instance(&written, wire, accepted)
            };
            match known {
                Some(difference) => *counts.known.entry(difference).or_default() += 1,
                None => counts.failures.push(format!(
                    "{} {}: {written}\n     {wire}",
                    if accepted { "the engine accepts" } else { "the engine rejects" },
                    case.name
                )),
            }
        }
    }
}

fn engine(wire: &Value) -> Result<Matcher, String> {
    let environment = ApproximateTokEnv::single_byte_env();
    let mut factory = ParserFactory::new_simple(&environment).map_err(|error| error.to_string())?;
    factory.quiet();
    let parser = factory.create_parser(TopLevelGrammar::from_json_schema(wire.clone()));
    parser.map(|parser| Matcher::new(Ok(parser))).map_err(|error| error.to_string())
}

/// Whether the engine lets the text be written, and then lets it end.
fn accepts(engine: &mut Matcher, text: &str) -> bool {
    engine.reset().expect("a parser that compiled starts again");
    let bytes: Vec<u32> = text.bytes().map(u32::from).collect();
    let consumed = engine.try_consume_tokens(&bytes).unwrap_or(0);
    consumed == bytes.len() && engine.is_accepting().unwrap_or(false)
}
