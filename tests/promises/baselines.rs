//! The five reference conversions are reproduced exactly, and a wrong expectation is noticed.

#[path = "../../src/bin/schema-residual/baselines.rs"]
mod reference;

use reference::{Baseline, Counts};
use serde_json::{Value, json};

fn read(name: &str) -> Baseline {
    let path = format!("{}/corpus/baselines/{name}.json", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// What differs from what a baseline expects.
fn wrong(baseline: &Baseline) -> Option<String> {
    let counts = baseline.counts().unwrap();
    (counts != baseline.expected).then(|| format!("{}: {counts:?}", baseline.name))
}

/// The counts stand here as well, so that the files cannot drift along with the code.
#[test]
fn all_five_are_reproduced() {
    let expected = [
        ("B1", 720, 648, 72, 0),
        ("B2", 12, 1, 0, 11),
        ("B3", 96, 2, 94, 0),
        ("B4", 4, 3, 1, 0),
        ("B5", 72, 36, 35, 1),
    ];
    for (name, checked, agreed, widened, narrowed) in expected {
        let baseline = read(name);
        assert_eq!(baseline.name, name);
        assert_eq!(baseline.expected, Counts { checked, agreed, widened, narrowed }, "{name}");
        assert_eq!(wrong(&baseline), None);
    }
}

#[test]
fn a_wrong_expectation_is_noticed() {
    let mut baseline = read("B3");
    baseline.expected.widened -= 1;
    assert_eq!(
        wrong(&baseline).as_deref(),
        Some("B3: Counts { checked: 96, agreed: 2, widened: 94, narrowed: 0 }")
    );
}

#[test]
fn a_converted_schema_that_is_put_right_is_noticed() {
    let mut baseline = read("B4");
    baseline.converted = baseline.source.clone();
    assert_eq!(
        wrong(&baseline).as_deref(),
        Some("B4: Counts { checked: 4, agreed: 4, widened: 0, narrowed: 0 }")
    );
}

#[test]
fn the_last_list_varies_fastest() {
    let product: reference::Product = serde_json::from_value(json!({
        "one of each": [[{"a": 1}, {"a": 2}], [{}, {"b": 3}]]
    }))
    .unwrap();
    assert_eq!(
        product.instances(),
        [json!({"a": 1}), json!({"a": 1, "b": 3}), json!({"a": 2}), json!({"a": 2, "b": 3})] as [Value; 4]
    );
}
