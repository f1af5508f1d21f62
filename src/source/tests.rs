//! Small sources with the lifted schema written out.

use serde_json::{Value, json};

use crate::error::Error;
use crate::schema::Origin;
use crate::vocabulary::Keyword;

use super::{Budget, Lifted, lift};

const FOUR: &str = "http://json-schema.org/draft-04/schema#";
const SIX: &str = "http://json-schema.org/draft-06/schema#";
const SEVEN: &str = "http://json-schema.org/draft-07/schema#";
const NINETEEN: &str = "https://json-schema.org/draft/2019-09/schema";

pub(super) fn lifted(source: &Value) -> Value {
    lift(source, &Budget::default()).unwrap().document.to_value()
}

fn of(source: &Value) -> Lifted {
    lift(source, &Budget::default()).unwrap()
}

/// The pointer and the reason of an `InvalidSchema`.
fn fault(source: &Value) -> (String, String) {
    match lift(source, &Budget::default()) {
        Err(Error::InvalidSchema { pointer, reason }) => (pointer, reason),
        other => panic!("{other:?}"),
    }
}

/// The pointer to a keyword in the source, in the user's spelling.
fn keyword_pointer(lifted: &Lifted, origin: Origin, keyword: Keyword) -> String {
    super::places::member(lifted.pointer(origin), lifted.keyword_name(origin, keyword))
}

#[test]
fn key_order_is_kept_and_identifiers_vanish() {
    let source = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "http://example.com/",
        "title": "t", "required": ["b"], "properties": {"b": {"minLength": 2.0}, "a": {}}, "type": "object"
    });
    let expected =
        r#"{"title":"t","required":["b"],"properties":{"b":{"minLength":2},"a":true},"type":"object"}"#;
    assert_eq!(lifted(&source).to_string(), expected);
}

#[test]
fn names_are_names_wherever_they_are_property_names() {
    let source = json!({"properties": {
        "$ref": {"type": "string"}, "properties": true, "": {}, "__proto__": {"const": {"$ref": "#/nowhere"}}
    }});
    let expected = json!({"properties": {
        "$ref": {"type": "string"}, "properties": true, "": true, "__proto__": {"const": {"$ref": "#/nowhere"}}
    }});
    assert_eq!(lifted(&source), expected);
}

#[test]
fn every_form_of_reference_becomes_one() {
    let source = json!({
        "$id": "http://example.com/root.json",
        "properties": {
            "pointer": {"$ref": "#/$defs/a~1b%20c"},
            "index": {"$ref": "#/anyOf/1"},
            "anchor": {"$ref": "#here"},
            "relative": {"$ref": "other.json#/$defs/deep"},
            "absolute": {"$ref": "http://example.com/other.json"},
            "urn": {"$ref": "urn:example:thing"},
            "unknown": {"$ref": "#/components/schemas/X"},
            "root": {"$ref": "#"}
        },
        "anyOf": [true, {"title": "second"}],
        "$defs": {
            "a/b c": {"title": "slash"},
            "anchored": {"$anchor": "here", "title": "anchored"},
            "other": {"$id": "other.json", "title": "other", "$defs": {"deep": {"title": "deep"}}},
            "thing": {"$id": "urn:example:thing", "title": "thing"},
            "unused": {"title": "unused"}
        },
        "components": {"schemas": {"X": {"title": "X"}}}
    });
    let lifted = lifted(&source);
    let definitions: Vec<&String> = lifted["$defs"].as_object().unwrap().keys().collect();
    assert_eq!(definitions, ["a_b_c", "1", "anchored", "deep", "other", "thing", "X", "root"]);
    for (name, title) in [("pointer", "slash"), ("index", "second"), ("absolute", "other"), ("unknown", "X")]
    {
        // The root is referred to as well, and is written once.
        assert_eq!(lifted["$ref"], "#/$defs/root");
        let reference = lifted["$defs"]["root"]["properties"][name]["$ref"].as_str().unwrap();
        assert_eq!(lifted.pointer(reference.trim_start_matches('#')).unwrap()["title"], title);
    }
}

#[test]
fn a_reference_hides_its_siblings_up_to_draft_07() {
    let definitions = json!({"a": {"type": "string"}});
    let source = |schema: &str| {
        json!({"$schema": schema, "properties": {"x": {
            "$ref": "#/definitions/a", "$id": "http://elsewhere.example/", "maxLength": 1
        }}, "definitions": definitions})
    };
    assert_eq!(lifted(&source(SEVEN))["properties"]["x"], json!({"$ref": "#/$defs/a"}));
    let mut modern = source(NINETEEN);
    modern["properties"]["x"].as_object_mut().unwrap().remove("$id");
    assert_eq!(lifted(&modern)["properties"]["x"], json!({"$ref": "#/$defs/a", "maxLength": 1}));
}

#[test]
fn aliases_are_followed_and_loops_accept_everything() {
    let source = json!({
        "properties": {"x": {"$ref": "#/$defs/a"}, "y": {"$ref": "#/$defs/loop"}, "z": {"$ref": "#/properties/z"}},
        "$defs": {
            "a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/c"}, "c": {"type": "string"},
            "loop": {"$ref": "#/$defs/pool"}, "pool": {"$ref": "#/$defs/loop"}
        }
    });
    let expected = json!({
        "properties": {"x": {"$ref": "#/$defs/c"}, "y": true, "z": true},
        "$defs": {"c": {"type": "string"}}
    });
    assert_eq!(lifted(&source), expected);
    let oracle = jsonschema::validator_for(&source).unwrap();
    assert!(oracle.is_valid(&json!({"x": "s", "y": 1, "z": 1})));
}

#[test]
fn namesakes_stay_apart() {
    let source = json!({
        "anyOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/properties/x/$defs/a"}],
        "properties": {"x": {"$defs": {"a": {"const": 2}}}},
        "$defs": {"a": {"const": 1}}
    });
    assert_eq!(lifted(&source)["$defs"], json!({"a": {"const": 1}, "a-2": {"const": 2}}));
}

#[test]
fn what_does_not_resolve_is_named() {
    let (pointer, reason) = fault(&json!({"properties": {"a": {"$ref": "#/$defs/missing"}}}));
    assert_eq!(pointer, "#/properties/a/$ref");
    assert!(reason.contains("#/$defs/missing"), "{reason}");
    for external in [
        "http://example.com/x",
        "x.json#/a",
        "http://json-schema.org/draft-07/schema#",
        "https://json-schema.org/draft/2020-12/schema",
        "file:///etc/passwd",
    ] {
        assert_eq!(fault(&json!({"not": {"$ref": external}})).0, "#/not/$ref", "{external}");
    }
    assert_eq!(fault(&json!({"$ref": "#/const", "const": 5})).0, "#/$ref");
    assert_eq!(fault(&json!({"$ref": "#/x", "x": {"type": 5}})).0, "#/x/type");
    assert_eq!(fault(&json!({"$schema": FOUR, "$ref": 5})).0, "#/$ref");
    // What is never reached need not resolve.
    assert_eq!(lifted(&json!({"$defs": {"a": {"$ref": "http://example.com/x"}}})), json!(true));
}

#[test]
fn what_is_not_a_schema_is_refused() {
    assert_eq!(fault(&json!([])).0, "#");
    assert_eq!(fault(&json!({"minLength": "1"})).0, "#/minLength");
    assert_eq!(fault(&json!({"$schema": "http://json-schema.org/draft-03/schema#"})).0, "#/$schema");
    assert_eq!(fault(&json!({"$schema": "http://example.com/mine"})).0, "#/$schema");
    assert_eq!(fault(&json!({"not": {"$schema": "http://example.com/mine"}})).0, "#/not/$schema");
    assert_eq!(fault(&json!({"properties": {"a": {"pattern": "("}}})).0, "#/properties/a/pattern");
    assert_eq!(fault(&json!({"patternProperties": {"(/": {}}})).0, "#/patternProperties/(~1");
}

#[test]
fn draft_04_integers_and_bounds() {
    let source = json!({"$schema": FOUR, "properties": {
        "a": {"type": ["integer", "string"], "minimum": 1, "exclusiveMinimum": true, "maximum": 2},
        "b": {"type": ["integer", "number"], "exclusiveMaximum": false, "maximum": 2}, "c": {"const": 1}
    }});
    let lifted = of(&source);
    let expected = json!({"properties": {
        "a": {"type": ["integer", "string"], "x-integer-literal": true, "exclusiveMinimum": 1, "maximum": 2},
        "b": {"type": ["integer", "number"], "maximum": 2}, "c": true
    }});
    assert_eq!(lifted.document.to_value(), expected);
    let a = lifted.document.root.property("a").unwrap().origin;
    assert_eq!(keyword_pointer(&lifted, a, Keyword::ExclusiveMinimum), "#/properties/a/minimum");
    assert_eq!(lifted.keyword_name(a, Keyword::IntegerLiteral), "type");
    let c = lifted.document.root.property("c").unwrap().origin;
    assert_eq!(lifted.unknown, [(c, "const".to_owned())]);
}

#[test]
fn arrays_of_earlier_drafts() {
    let source = json!({"$schema": SEVEN, "items": [{"type": "string"}], "additionalItems": false});
    let lifted = of(&source);
    assert_eq!(lifted.document.to_value(), json!({"prefixItems": [{"type": "string"}], "items": false}));
    let root = lifted.document.root.origin;
    assert_eq!(keyword_pointer(&lifted, root, Keyword::PrefixItems), "#/items");
    assert_eq!(lifted.keyword_name(root, Keyword::Items), "additionalItems");
    assert_eq!(lifted.pointer(lifted.document.root.schemas(Keyword::PrefixItems)[0].origin), "#/items/0");
    let ignored = of(&json!({"$schema": SEVEN, "items": {}, "additionalItems": false}));
    assert_eq!(ignored.document.to_value(), json!({"items": true}));
    assert_eq!(ignored.unknown, [(Origin(0), "additionalItems".to_owned())]);
}

#[test]
fn content_is_asserted_in_drafts_06_and_07_only() {
    let content = |schema: &str| json!({"$schema": schema, "contentEncoding": "base64", "contentMediaType": "application/json"});
    assert_eq!(lifted(&content(SIX))["format"], "x-content-base64-json");
    assert_eq!(lifted(&content(NINETEEN)).get("format"), None);
    let taken = json!({"$schema": SEVEN, "format": "uri", "contentEncoding": "base64"});
    let expected = json!({
        "format": "uri", "contentEncoding": "base64", "allOf": [{"format": "x-content-base64"}]
    });
    let lifted = of(&taken);
    assert_eq!(lifted.document.to_value(), expected);
    let more = lifted.document.root.schemas(Keyword::AllOf)[0].origin;
    assert_eq!(keyword_pointer(&lifted, more, Keyword::Format), "#/contentEncoding");
}

#[test]
fn formats_mean_what_they_meant() {
    let format = |schema: &str, format: &str| lifted(&json!({"$schema": schema, "format": format}));
    assert_eq!(format(FOUR, "hostname"), json!({"format": "x-hostname-rfc1034"}));
    assert_eq!(format(SEVEN, "hostname"), json!({"format": "hostname"}));
    assert_eq!(format(SEVEN, "uuid"), json!(true));
    assert_eq!(format(SEVEN, "int32"), json!({"format": "int32"}));
    assert_eq!(format(SEVEN, "x-content-json"), json!(true));
    assert_eq!(lifted(&json!({"x-integer-literal": true})), json!(true));
}

#[test]
fn a_dynamic_scope_makes_a_definition_of_its_own() {
    let source = json!({
        "$id": "http://example.com/strings", "$ref": "list",
        "$defs": {
            "strings": {"$dynamicAnchor": "item", "type": "string"},
            "list": {
                "$id": "list", "type": "array", "items": {"$dynamicRef": "#item"},
                "$defs": {"any": {"$dynamicAnchor": "item"}}
            }
        }
    });
    let expected = json!({
        "$ref": "#/$defs/list",
        "$defs": {"list": {"type": "array", "items": {"$ref": "#/$defs/strings"}}, "strings": {"type": "string"}}
    });
    let lifted = of(&source);
    assert_eq!(lifted.document.to_value(), expected);
    let items = lifted.document.definition("list").unwrap().schema(Keyword::Items).unwrap().origin;
    assert_eq!(keyword_pointer(&lifted, items, Keyword::Ref), "#/$defs/list/items/$dynamicRef");
}

#[test]
fn a_place_has_one_origin_wherever_it_is_lifted() {
    let source = json!({"properties": {"a": {"type": "string", "x": 1}, "b": {"$ref": "#/properties/a"}}});
    let lifted = of(&source);
    let inline = lifted.document.root.property("a").unwrap().origin;
    assert_eq!(lifted.document.definition("a").unwrap().origin, inline);
    assert_eq!(lifted.pointer(inline), "#/properties/a");
    assert_eq!(lifted.unknown, [(inline, "x".to_owned())]);
}

#[test]
fn what_is_lifted_is_counted_too() {
    // Every level is a target and stands in all the levels above it.
    let mut source = json!({"title": "end"});
    for _ in 0..40 {
        source = json!({"properties": {"a": source, "b": {"title": "b"}}});
    }
    let references: Vec<Value> =
        (0..40).map(|level| json!({"$ref": format!("#{}", "/properties/a".repeat(level))})).collect();
    source["anyOf"] = Value::Array(references);
    let budget = Budget { nodes: 1000, ..Budget::default() };
    assert!(matches!(lift(&source, &budget), Err(Error::Budget { which: "nodes", limit: 1000 })));
    assert!(lift(&source, &Budget::default()).is_ok());
}

#[test]
fn a_long_chain_of_references_is_no_recursion() {
    let definitions: serde_json::Map<String, Value> = (0..400)
        .map(|index| (index.to_string(), json!({"title": "t", "$ref": format!("#/$defs/{}", index + 1)})))
        .chain([("400".to_owned(), json!({"type": "null"}))])
        .collect();
    let lifted = of(&json!({"$ref": "#/$defs/0", "$defs": definitions}));
    assert_eq!(lifted.document.definitions().len(), 401);
}
