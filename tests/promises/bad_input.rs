//! Bad input is refused with the place and the limit, by an error of its own kind; unusual input is not bad
//! input.

use schema_residual::{AdaptOptions, ConvertOptions, Effect, Error, Target, adapt, convert, target, targets};
use serde_json::{Map, Value, json};

use crate::support::made;

/// What `adapt` and `convert` say about a source, the same for every target.
fn refused(source: &Value) -> String {
    let mut messages = Vec::new();
    for target in targets() {
        let error = adapt(source, target, &AdaptOptions::reporting()).expect_err("it is bad input");
        messages.push(said(&error));
        messages
            .push(said(&convert(source, target, &ConvertOptions::default()).expect_err("it is bad input")));
    }
    messages.dedup();
    assert_eq!(messages.len(), 1, "{messages:?}");
    messages.remove(0)
}

/// The kind of error, and where.
fn said(error: &Error) -> String {
    match error {
        Error::InvalidSchema { pointer, reason } => {
            assert!(!reason.is_empty());
            format!("invalid schema at {pointer}")
        }
        Error::Budget { which, limit } => format!("{which} over {limit}"),
        other => format!("{other:?}"),
    }
}

#[test]
fn what_is_not_a_schema() {
    for source in [json!([]), json!([{}]), json!(1), json!("string"), json!(null)] {
        assert_eq!(refused(&source), "invalid schema at #", "{source}");
    }
}

#[test]
fn references_that_lead_nowhere() {
    let source = json!({"properties": {"a": {"$ref": "#/$defs/none"}}});
    assert_eq!(refused(&source), "invalid schema at #/properties/a/$ref");
    let source = json!({"items": {"$ref": "https://example.com/other.json"}});
    assert_eq!(refused(&source), "invalid schema at #/items/$ref");
    let source = json!({"$schema": "http://json-schema.org/draft-07/schema#", "not": {"$ref": "#missing"}});
    assert_eq!(refused(&source), "invalid schema at #/not/$ref");
}

#[test]
fn keywords_with_values_that_they_cannot_have() {
    for (source, place) in [
        (json!({"type": "text"}), "#/type"),
        (json!({"properties": {"a": {"minimum": "1"}}}), "#/properties/a/minimum"),
        (json!({"items": {"maxLength": -1}}), "#/items/maxLength"),
        (json!({"required": "a"}), "#/required"),
        (json!({"anyOf": [true, 1]}), "#/anyOf/1"),
        (json!({"$schema": "https://example.com/a-dialect"}), "#/$schema"),
    ] {
        assert_eq!(refused(&source), format!("invalid schema at {place}"), "{source}");
    }
}

#[test]
fn patterns_that_are_no_regular_expressions() {
    let source = json!({"properties": {"a": {"pattern": "[a-"}}});
    assert_eq!(refused(&source), "invalid schema at #/properties/a/pattern");
    // The message says more than the place: which pattern it is about.
    let error = convert(&source, target("openai.strict").unwrap(), &ConvertOptions::default()).unwrap_err();
    assert!(error.to_string().contains("[a-"), "{error}");
}

#[test]
fn an_unknown_target() {
    match target("openai.strictest") {
        Err(Error::UnknownTarget { id, known }) => {
            assert_eq!(id, "openai.strictest");
            assert!(known.starts_with("openai.strict, "), "{known}");
        }
        other => panic!("{other:?}"),
    }
    for profile in ["", "[]", "{}", r#"{"id": "x"}"#] {
        assert!(matches!(Target::from_json(profile), Err(Error::InvalidProfile { .. })), "{profile:?}");
    }
}

fn nested(levels: usize, keyword: &str) -> Value {
    (0..levels).fold(json!({}), |inner, _| Value::Object(Map::from_iter([(keyword.to_owned(), inner)])))
}

#[test]
fn nesting_beyond_96() {
    assert_eq!(refused(&nested(97, "not")), "depth over 96");
    assert_eq!(refused(&nested(97, "items")), "depth over 96");
    assert!(
        adapt(&nested(96, "items"), target("openai.strict").unwrap(), &AdaptOptions::reporting()).is_ok()
    );
}

#[test]
fn a_hundred_thousand_levels_overflow_no_stack() {
    let deep = nested(100_000, "items");
    assert_eq!(refused(&deep), "depth over 96");
    // Dropping it would recurse as deep as it goes.
    std::mem::forget(deep);
}

#[test]
fn more_than_32768_schemas() {
    let properties = |count: usize| -> Value {
        let members: Map<String, Value> = (0..count).map(|index| (format!("p{index}"), json!({}))).collect();
        json!({"properties": members})
    };
    assert_eq!(refused(&properties(32_768)), "nodes over 32768");
    assert!(
        convert(&properties(32_767), target("openai.strict").unwrap(), &ConvertOptions::default()).is_ok()
    );
}

#[test]
fn more_than_8_mebibytes_of_literals() {
    assert_eq!(refused(&json!({"const": "x".repeat(9 << 20)})), "literal bytes over 8388608");
    let members: Map<String, Value> =
        (0..9).map(|index| (format!("{index}{}", "n".repeat(1 << 20)), json!({}))).collect();
    assert_eq!(refused(&json!({"properties": members})), "literal bytes over 8388608");
}

/// A reference costs little, and what it stands for may be much: each definition has the next one twice.
#[test]
fn repeated_expansion_does_not_run_away() {
    let mut definitions = Map::new();
    for index in 0..40 {
        let next = json!({"$ref": format!("#/$defs/d{}", index + 1)});
        let both = json!({"type": "object", "properties": {"a": next, "b": next}});
        definitions.insert(format!("d{index}"), both);
    }
    definitions.insert("d40".to_owned(), json!({"const": "x".repeat(1_000)}));
    let source = json!({"$ref": "#/$defs/d0", "$defs": definitions});
    for target in targets() {
        match convert(&source, target, &ConvertOptions::default()) {
            Ok(conversion) => assert!(conversion.wire().to_string().len() < 64 << 20, "{}", target.id()),
            Err(Error::Budget { .. }) => {}
            Err(error) => panic!("{}: {error}", target.id()),
        }
    }
}

/// Converts for every target, and holds what comes out against instances that are known to be good and bad.
fn ordinary(source: &Value, good: &[Value], bad: &[Value]) {
    for target in targets() {
        let id = target.id();
        let adapted = adapt(source, target, &AdaptOptions::reporting())
            .unwrap_or_else(|error| panic!("{id}: {source}: {error}"));
        let guard = adapted.guard().unwrap().full();
        let exact = !adapted.report().divergences.iter().any(|divergence| divergence.effect != Effect::Widen);
        for instance in good {
            assert!(adapted.residual().is_valid(instance), "{id}: a false alarm: {source}: {instance}");
            if exact {
                assert_eq!(guard.check(guard.encode(instance)).as_ref(), Ok(instance), "{id}: {source}");
            }
        }
        for instance in bad {
            assert!(guard.check(guard.encode(instance)).is_err(), "{id}: a leak: {source}: {instance}");
        }
    }
}

#[test]
fn the_smallest_schemas() {
    let anything = [json!(null), json!(true), json!(0), json!("a"), json!([]), json!({}), json!({"a": [1]})];
    ordinary(&json!({}), &anything, &[]);
    ordinary(&json!(true), &anything, &[]);
    ordinary(&json!(false), &[], &anything);
    ordinary(&json!({"const": null}), &[json!(null)], &[json!(false), json!(0), json!(""), json!({})]);
    ordinary(&json!({"enum": [null, {"$ref": "x"}]}), &[json!(null), json!({"$ref": "x"})], &[json!("x")]);
}

#[test]
fn properties_that_are_called_like_something_else() {
    for name in
        ["__proto__", "$ref", "properties", "", "type", "a/b~c", "%25", "constructor", "\u{0}", "é\u{1F600}"]
    {
        let source = json!({
            "type": "object",
            "properties": {name: {"type": "string", "minLength": 2}},
            "required": [name],
            "additionalProperties": false
        });
        ordinary(
            &source,
            &[json!({name: "ab"})],
            &[json!({name: "a"}), json!({}), json!({name: "ab", "other": 1})],
        );
        // The same as an optional one.
        let source = json!({
            "type": "object",
            "properties": {name: {"type": "integer", "minimum": 1}},
            "additionalProperties": false
        });
        ordinary(&source, &[json!({}), json!({name: 1})], &[json!({name: 0}), json!({name: "x"})]);
    }
}

#[test]
fn numbers_at_their_boundaries() {
    let bounds = |keyword: &str, bound: Value| {
        json!({
            "type": "object",
            "properties": {"n": {"type": "number", keyword: bound}},
            "required": ["n"],
            "additionalProperties": false
        })
    };
    let n = |value: Value| json!({"n": value});
    ordinary(&bounds("maximum", json!(i64::MAX)), &[n(json!(i64::MAX)), n(json!(0))], &[n(json!(u64::MAX))]);
    ordinary(&bounds("minimum", json!(i64::MIN)), &[n(json!(i64::MIN)), n(json!(0))], &[n(json!(-1e300))]);
    ordinary(&bounds("maximum", json!(u64::MAX)), &[n(json!(u64::MAX))], &[n(json!(1e300))]);
    ordinary(&bounds("exclusiveMaximum", json!(0.1)), &[n(json!(0.0))], &[n(json!(0.1)), n(json!(0.2))]);
    ordinary(&bounds("minimum", json!(f64::MAX)), &[n(json!(f64::MAX))], &[n(json!(0))]);
    ordinary(&bounds("exclusiveMinimum", json!(-0.0)), &[n(json!(5e-324))], &[n(json!(0)), n(json!(-0.0))]);
    ordinary(&bounds("multipleOf", json!(0.01)), &[n(json!(1)), n(json!(0))], &[n(json!(0.001))]);
    ordinary(
        &bounds("const", json!(9_007_199_254_740_993_i64)),
        &[n(json!(9_007_199_254_740_993_i64))],
        &[n(json!(1))],
    );
}

/// A schema whose property names have to satisfy the schema itself once overflowed the stack.
#[test]
fn property_names_may_refer_to_the_whole_schema() {
    let source = json!({"propertyNames": {"$ref": "#"}});
    for target in targets() {
        let adapted = adapt(&source, target, &AdaptOptions::reporting()).unwrap();
        assert!(adapted.residual().is_valid(&json!({"a": 1})), "{}", target.id());
    }
}

/// A listed object travels with `null` for its optional properties, which the list does not have.
#[test]
fn listed_objects_survive_the_way_to_the_wire_and_back() {
    let source = json!({"enum": [{}], "properties": {"a": {}}});
    for target in targets() {
        let adapted = adapt(&source, target, &AdaptOptions::reporting()).unwrap();
        let guard = adapted.guard().unwrap();
        if !made(&adapted.effective_projection()).is_valid(&json!({})) {
            // Where every object has to require a property, none is empty.
            let lost = |effect: Effect| matches!(effect, Effect::Narrow | Effect::Unrepresentable);
            assert!(adapted.report().divergences.iter().any(|divergence| lost(divergence.effect)));
            continue;
        }
        let answer = guard.encode(&json!({}));
        assert_eq!(guard.full().check(answer).unwrap(), json!({}), "{}", target.id());
    }
}
