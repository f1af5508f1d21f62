//! The checks of the guarantees catch residuals that are broken in the ways in which residuals break.

use schema_residual::{AdaptOptions, adapt, target};
use serde_json::{Value, json};

use crate::support::{Checks, Counts, made, oracle};

/// Runs the checks with a residual that is given instead of the derived one.
fn violations(source: &Value, residual: &Value, instances: &[Value]) -> Vec<String> {
    let target = target("gemini.parametersJsonSchema").expect("a target");
    let adapted = adapt(source, target, &AdaptOptions::reporting()).expect("it adapts");
    let broken = made(residual);
    let oracle = oracle(source).expect("a schema");
    let checks = Checks {
        name: "broken",
        source: &oracle,
        effective: made(&adapted.effective()),
        projection: made(&adapted.effective_projection()),
        residual,
        residual_accepts: &|instance| broken.is_valid(instance),
        guard: adapted.guard().expect("a guard"),
        wire: adapted.wire(),
        report: adapted.report(),
    };
    let mut counts = Counts::default();
    for instance in instances {
        checks.instance(instance, &mut counts);
    }
    counts.violations
}

fn derived(source: &Value) -> Value {
    let target = target("gemini.parametersJsonSchema").expect("a target");
    schema_residual::residual(source, target).expect("a residual").schema().clone()
}

#[test]
fn a_type_added_to_a_residual_object_is_caught() {
    let source = json!({"type": ["object", "null"], "properties": {"b": {"type": "string", "minLength": 1}}});
    let instances = [json!(null), json!({"b": ""}), json!({"b": "x"})];
    let right = derived(&source);
    assert_eq!(violations(&source, &right, &instances), Vec::<String>::new());
    let mut broken = right;
    broken["type"] = json!("object");
    let found = violations(&source, &broken, &instances);
    assert!(found.iter().any(|violation| violation.starts_with("false alarm")), "{found:?}");
}

#[test]
fn a_one_of_kept_with_weakened_branches_is_caught() {
    let source = json!({
        "oneOf": [{"type": "string", "minLength": 3}, {"type": "string", "maxLength": 5, "pattern": "^a"}]
    });
    let instances = [json!("bcd"), json!("a"), json!("abcd"), json!("b")];
    assert_eq!(violations(&source, &derived(&source), &instances), Vec::<String>::new());
    let broken = json!({"oneOf": [{"minLength": 3}, {"maxLength": 5}]});
    let found = violations(&source, &broken, &instances);
    assert!(found.iter().any(|violation| violation.starts_with("false alarm")), "{found:?}");
}

#[test]
fn a_residual_that_forgets_a_keyword_is_caught() {
    let source = json!({"type": "string", "minLength": 2});
    let found = violations(&source, &json!(true), &[json!("x"), json!("xy")]);
    assert!(found.iter().any(|violation| violation.starts_with("leak")), "{found:?}");
}
