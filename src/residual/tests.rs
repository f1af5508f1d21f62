//! Small pairs of schemas with the residual written out.

use serde_json::{Value, json};

use super::residual_between;

fn between(source: &Value, converted: &Value) -> Value {
    residual_between(source, converted).unwrap().schema().clone()
}

/// Whatever a schema says, it leaves nothing of itself to check.
fn nothing_is_left_of(schema: &Value) {
    assert_eq!(between(schema, schema), json!(true), "{schema}");
}

#[test]
fn all_facts_speak_about_the_items() {
    nothing_is_left_of(&json!({"items": true, "allOf": [{"items": {"type": "string"}}]}));
    nothing_is_left_of(&json!({"prefixItems": [true], "allOf": [{"items": {"type": "string"}}]}));
    nothing_is_left_of(&json!({
        "prefixItems": [true], "items": {"type": "string"}, "allOf": [{"items": {"minLength": 1}}]
    }));
    assert_eq!(
        between(
            &json!({"items": {"type": "string", "minLength": 1, "maxLength": 2}}),
            &json!({"items": {"type": "string"}, "allOf": [{"items": {"minLength": 1}}]})
        ),
        json!({"items": {"maxLength": 2}})
    );
}

#[test]
fn all_facts_speak_about_additional_properties() {
    nothing_is_left_of(&json!({
        "additionalProperties": true, "allOf": [{"additionalProperties": {"type": "string"}}]
    }));
    nothing_is_left_of(&json!({
        "properties": {"a": true}, "additionalProperties": true,
        "allOf": [{"additionalProperties": {"type": "string"}}]
    }));
}

#[test]
fn all_facts_speak_about_properties_that_match_a_pattern() {
    nothing_is_left_of(&json!({
        "patternProperties": {"^a": true}, "allOf": [{"patternProperties": {"^a": {"type": "string"}}}]
    }));
    nothing_is_left_of(&json!({
        "additionalProperties": {"minLength": 1},
        "allOf": [{"patternProperties": {"^a": {"type": "string"}}}]
    }));
}

#[test]
fn dependent_schemas_leave_nothing_of_themselves() {
    nothing_is_left_of(&json!({"dependentSchemas": {"a": {"required": ["b"]}}}));
    nothing_is_left_of(&json!({"dependentSchemas": {"a": {"not": {"required": ["b"]}}, "b": false}}));
    assert_eq!(
        between(
            &json!({"dependentSchemas": {"a": {"required": ["b"]}}}),
            &json!({"dependentSchemas": {"a": {"required": ["c"]}}})
        ),
        json!({"dependentSchemas": {"a": {"required": ["b"]}}})
    );
}

/// Without that, the view of what is below the reference grows with every turn, until too many alternatives
/// are not told apart.
#[test]
fn a_recursive_reference_is_settled_by_a_fact_that_says_the_same() {
    nothing_is_left_of(&json!({
        "properties": {"a": {"$ref": "#"}},
        "anyOf": [{"required": ["b"]}, {"required": ["c"]}, {"required": ["d"]}]
    }));
    nothing_is_left_of(&json!({"items": {"$ref": "#"}, "allOf": [{"items": {"$ref": "#"}}]}));
}

/// Every instance fails `false`, so that its negation says nothing.
#[test]
fn a_negation_of_what_nothing_satisfies_leaves_nothing() {
    assert_eq!(between(&json!({"not": {"not": {}}}), &json!(true)), json!(true));
    let negation = json!({"not": {"type": "null"}});
    assert_eq!(between(&negation, &json!(true)), negation);
}

/// Where nothing else evaluates, `unevaluated*` is enforced by what says the same directly.
#[test]
fn unevaluated_is_implied_by_what_says_it_directly() {
    let source = json!({"properties": {"a": true}, "unevaluatedProperties": false});
    assert_eq!(
        between(&source, &json!({"properties": {"a": true}, "additionalProperties": false})),
        json!(true)
    );
    assert_eq!(between(&source, &json!({"properties": {"b": true}, "additionalProperties": false})), source);
    let source = json!({"prefixItems": [true], "unevaluatedItems": {"type": "string"}});
    assert_eq!(between(&source, &json!({"items": {"type": "string"}})), json!(true));
    assert_eq!(between(&source, &json!({"items": {"type": ["string", "null"]}})), source);
    // `items` leaves none.
    assert_eq!(between(&json!({"items": true, "unevaluatedItems": false}), &json!(true)), json!(true));
    let source = json!({"anyOf": [{"properties": {"a": true}}], "unevaluatedProperties": false});
    assert_eq!(between(&source, &json!({"additionalProperties": false})), source);
}
