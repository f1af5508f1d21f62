//! Public bug reports about schema conversion, reduced to small schemas: none of them happens here.

use schema_residual::{AdaptOptions, Error, adapt, targets};
use serde_json::Value;

use crate::material::{data, field_reports, read_lines};
use crate::support::{check_with_every_target, oracle};

fn list(report: &Value, field: &str) -> Vec<Value> {
    report.get(field).and_then(Value::as_array).cloned().unwrap_or_default()
}

#[test]
fn no_report_happens_here() {
    let Some(data) = data() else { return };
    let reports = read_lines(&data.join("field-reports.jsonl"));
    let (ill_formed, well_formed): (Vec<_>, Vec<_>) =
        reports.iter().partition(|report| report.get("ill_formed").is_some());
    assert!(!ill_formed.is_empty() && !well_formed.is_empty());
    for report in ill_formed {
        refused(report);
    }
    for report in well_formed {
        verdicts_as_listed(report);
        every_target_gives_a_guard(report);
    }
    check_with_every_target(&field_reports(&data)).conclude("field-reports");
}

/// A schema with a dangling reference is an error that names the place.
fn refused(report: &Value) {
    for target in targets() {
        match adapt(&report["schema"], target, &AdaptOptions::reporting()) {
            Err(Error::InvalidSchema { pointer, reason }) => {
                assert_eq!(pointer, "#/properties/payload/$ref");
                assert!(reason.contains("#/$defs/Missing"), "{reason}");
            }
            other => panic!("{report}: {other:?}"),
        }
    }
}

fn verdicts_as_listed(report: &Value) {
    let source = oracle(&report["schema"]).expect("a schema");
    for instance in list(report, "valid") {
        assert!(source.is_valid(&instance), "{}: {instance}", report["id"]);
    }
    for instance in list(report, "invalid").iter().chain(&list(report, "format_invalid")) {
        assert!(!source.is_valid(instance), "{}: {instance}", report["id"]);
    }
}

/// Whatever is invalid does not pass the full guard of any target, in whichever shape it comes.
fn every_target_gives_a_guard(report: &Value) {
    let source = oracle(&report["schema"]).expect("a schema");
    for target in targets() {
        let adapted = adapt(&report["schema"], target, &AdaptOptions::reporting()).expect("it adapts");
        let guard = adapted.guard().expect("a guard");
        for instance in list(report, "invalid") {
            assert!(!source.is_valid(&instance));
            for answer in [instance.clone(), guard.encode(&instance)] {
                for guard in [&guard, &guard.full()] {
                    if let Ok(value) = guard.check(answer.clone()) {
                        let broken = !made_accepts(&adapted.effective(), &answer);
                        assert!(
                            broken || source.is_valid(&value),
                            "{} @ {}: {answer}",
                            report["id"],
                            target.id()
                        );
                    }
                }
            }
        }
    }
}

fn made_accepts(schema: &Value, instance: &Value) -> bool {
    crate::support::made(schema).is_valid(instance)
}
