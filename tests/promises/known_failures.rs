//! The cases on which an earlier implementation of a residual validator is wrong.

use schema_residual::AdaptOptions;
use serde_json::Value;

use crate::material::{Case, data, read_lines};
use crate::support::{check_with_every_target, oracle};

#[test]
fn none_of_the_known_failures_happens_here() {
    let Some(data) = data() else { return };
    let lines = read_lines(&data.join("reference-failures.jsonl"));
    let cases: Vec<Case> = lines
        .iter()
        .map(|line| Case {
            name: line["id"].as_str().unwrap_or_default().to_owned(),
            schema: line["schema"].clone(),
            instances: line.get("instance").cloned().into_iter().collect(),
        })
        .collect();
    check_with_every_target(&cases).conclude("reference-failures");
    for line in &lines {
        named_case(line);
    }
}

/// The verdict that the line states, through the target that it names.
fn named_case(line: &Value) {
    let Some(instance) = line.get("instance") else { return };
    let accepts = line["source_accepts"].as_bool().expect("a verdict");
    let target = schema_residual::target(line["target"].as_str().expect("a target")).expect("a known target");
    assert_eq!(oracle(&line["schema"]).expect("a schema").is_valid(instance), accepts, "{line}");
    let adapted =
        schema_residual::adapt(&line["schema"], target, &AdaptOptions::reporting()).expect("it adapts");
    if accepts {
        assert!(adapted.residual().is_valid(instance), "a false alarm: {line}");
    } else if let Ok(value) = adapted.guard().expect("a guard").full().check(instance.clone()) {
        // Decoding may have made another, valid, value of it: a `null` that stands for absence.
        assert!(oracle(&line["schema"]).expect("a schema").is_valid(&value), "a leak: {line}");
    }
}
