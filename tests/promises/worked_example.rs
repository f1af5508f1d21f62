//! The example of the README, fact by fact.

use schema_residual::{AdaptOptions, Adapted, Effect, Error, Evidence, Verdict, adapt, target};
use serde_json::{Value, json};

fn review() -> Value {
    serde_json::from_str(include_str!("../../corpus/schemas/review.json")).unwrap()
}

fn adapted(id: &str) -> Adapted {
    adapt(&review(), target(id).unwrap(), &AdaptOptions::reporting()).unwrap()
}

/// Which of the three constraints an instance violates, written out by hand.
fn violated(instance: &Value) -> Vec<&'static str> {
    let members = instance.as_object().expect("the witness is an object");
    assert_eq!(members.keys().collect::<Vec<_>>(), ["email", "score"], "closed, and both required");
    let (email, score) = (instance["email"].as_str().unwrap(), instance["score"].as_i64().unwrap());
    let is_email = email.split_once('@').is_some_and(|(name, host)| !name.is_empty() && !host.is_empty());
    let mut violated = Vec::new();
    violated.extend((!is_email).then_some("format"));
    violated.extend((score < 0).then_some("minimum"));
    violated.extend((score > 10).then_some("maximum"));
    violated
}

#[test]
fn exactly_three_keywords_are_lost_and_each_is_shown_alone() {
    let adapted = adapted("openai.strict.legacy");
    let report = adapted.report();
    let places: Vec<(&str, &str)> = report
        .divergences
        .iter()
        .map(|divergence| (divergence.pointer.as_str(), divergence.keyword.as_str()))
        .collect();
    assert_eq!(
        places,
        [
            ("#/properties/email", "format"),
            ("#/properties/score", "minimum"),
            ("#/properties/score", "maximum")
        ]
    );
    for divergence in &report.divergences {
        assert_eq!(divergence.effect, Effect::Widen);
        assert_eq!(divergence.evidence, Evidence::Witness);
        assert!(divergence.documented && divergence.undone_by_guard);
        let witness = divergence.witness.as_ref().unwrap();
        assert_eq!(violated(witness), [divergence.keyword.as_str()], "{witness}");
    }
    assert_eq!(report.verdict, Verdict::Widened);
    assert!(!report.equivalent);
}

#[test]
fn what_is_sent_and_what_is_left() {
    let adapted = adapted("openai.strict.legacy");
    assert_eq!(
        adapted.wire(),
        &json!({
            "type": "object",
            "properties": {"email": {"type": "string"}, "score": {"type": "integer"}},
            "required": ["email", "score"],
            "additionalProperties": false
        })
    );
    assert_eq!(
        adapted.residual().schema(),
        &json!({"properties": {"email": {"format": "email"}, "score": {"minimum": 0, "maximum": 10}}})
    );
}

#[test]
fn the_guard_rejects_what_was_lost_and_nothing_else() {
    let guard = adapted("openai.strict.legacy").guard().unwrap();
    let rejection = guard.check_str(r#"{"email":"not-an-email","score":99}"#).unwrap_err();
    let found: Vec<(&str, &str)> = rejection
        .violations
        .iter()
        .map(|violation| (violation.instance_pointer.as_str(), violation.keyword.as_str()))
        .collect();
    assert_eq!(found, [("/email", "format"), ("/score", "maximum")]);
    let good = json!({"email": "a@b.co", "score": 7});
    assert_eq!(guard.check(good.clone()), Ok(good));
}

#[test]
fn nothing_is_lost_where_the_keywords_are_enforced() {
    let adapted = adapt(&review(), target("openai.strict").unwrap(), &AdaptOptions::default()).unwrap();
    let report = adapted.report();
    assert!(report.divergences.is_empty());
    assert!(report.equivalent);
    assert_eq!(report.verdict, Verdict::Proved);
    assert_eq!(adapted.residual().schema(), &json!(true));
    assert!(schema_residual::explain(report).contains("verdict: equivalent: proved\n"));
}

#[test]
fn silence_is_opt_in() {
    let legacy = target("openai.strict.legacy").unwrap();
    match adapt(&review(), legacy, &AdaptOptions::default()) {
        Err(Error::Divergence(report)) => assert_eq!(report.divergences.len(), 3),
        other => panic!("{other:?}"),
    }
    let mut options = AdaptOptions::default();
    options.on_divergence = schema_residual::OnDivergence::Undone;
    assert!(adapt(&review(), legacy, &options).is_ok(), "the guard undoes all of it");
}
