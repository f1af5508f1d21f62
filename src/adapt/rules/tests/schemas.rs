//! Schemas written for the rules: for each rule at least two on which it has something to do.

use serde_json::{Value, json};

/// The schemas for a rule; none for one that nobody has written any for.
pub(super) fn written_for(rule: &str) -> Vec<Value> {
    let schemas = match rule {
        "inline_reference" | "cut_recursion" | "wrap_reference" => references(rule),
        "unwrap_all_of" | "merge_all_of" | "drop_all_of" => all_of(rule),
        "unevaluated_as_additional" | "unevaluated_as_items" | "drop_unevaluated" => unevaluated(rule),
        "constant_as_enum" | "type_of_literals" | "nothing_listed" | "drop_literals" => literals(rule),
        "disjoint_one_of" | "one_of_as_any_of" | "simplify_any_of" | "drop_root_union" | "distribute"
        | "drop_union" | "first_branch" | "join_lists" => unions(rule),
        "implied_type" | "split_types" | "state_all_types" => types(rule),
        "null_beside_a_type" | "type_beside_null" | "drop_null" | "drop_unread" => readings(rule),
        "unrequire_unspeakable" | "open_unspeakable" | "leave_out_unspeakable" => names(rule),
        "require_one" | "open_empty_object" => one_required(rule),
        "tuple_as_items" | "no_items" | "allow_items" | "declare_items" => arrays(rule),
        "drop_assertion" | "drop_annotation" => keywords(rule),
        "spell_nothing" | "spell_any_value" | "narrow_any_value" => any_value(rule),
        _ => objects(rule),
    };
    match schemas {
        Value::Array(schemas) => schemas,
        _ => Vec::new(),
    }
}

fn references(rule: &str) -> Value {
    match rule {
        "inline_reference" => json!([
            {"$ref": "#/$defs/A", "$defs": {"A": {
                "type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]
            }}},
            {"type": "object", "properties": {"a": {"$ref": "#/$defs/S", "minLength": 2}}, "required": ["a"],
             "$defs": {"S": {"type": "string", "maxLength": 4}}},
            {"type": "object", "properties": {"a": {"$ref": "#/$defs/S", "allOf": [{"minLength": 1}]}},
             "$defs": {"S": {"type": "string", "enum": ["a", "", "ab"]}}}
        ]),
        "cut_recursion" => json!([
            {"$ref": "#/$defs/Tree", "$defs": {"Tree": {
                "type": "object",
                "properties": {
                    "a": {"type": "integer"},
                    "children": {"type": "array", "items": {"$ref": "#/$defs/Tree"}}
                },
                "required": ["a"]
            }}},
            {"type": ["object", "null"], "properties": {"a": {"type": "string"}, "next": {"$ref": "#"}},
             "required": ["next"]},
            {"type": "object", "properties": {"a": {"$ref": "#/$defs/L"}}, "required": ["a"], "$defs": {"L": {
                "type": ["array", "string"], "maxLength": 1, "items": {"$ref": "#/$defs/L", "maxItems": 2}
            }}},
            {"$ref": "#/$defs/N", "$defs": {"N": {
                "type": "object", "properties": {"a": {"$ref": "#/$defs/N", "unevaluatedProperties": false}}
            }}}
        ]),
        _ => json!([
            {"type": "object", "properties": {"a": {"title": "x", "$ref": "#/$defs/S"}},
             "$defs": {"S": {"type": "string", "maxLength": 4}}},
            {"type": "array", "items": {"description": "an item", "$ref": "#/$defs/I"},
             "$defs": {"I": {"type": "integer"}}}
        ]),
    }
}

fn all_of(rule: &str) -> Value {
    match rule {
        "unwrap_all_of" => json!([
            {"type": "object", "properties": {"a": {"allOf": [{"type": "string", "minLength": 2}]}}},
            {"title": "x", "allOf": [{"type": "object", "properties": {"a": {"type": "string"}},
             "required": ["a"], "additionalProperties": false}]}
        ]),
        "merge_all_of" => json!([
            {"type": "object", "properties": {"b": {"type": "integer"}},
             "allOf": [{"properties": {"a": {"type": "string"}}}, {"required": ["a"]}]},
            {"allOf": [
                {"$ref": "#/$defs/A"},
                {"type": "object", "properties": {"b": {"minimum": 1}}, "additionalProperties": {"type": "integer"}}
             ],
             "$defs": {"A": {"type": "object", "properties": {"b": {"type": "integer"}, "a": true}}}},
            {"type": "object", "properties": {"a": {"type": "array", "allOf": [
                {"items": {"type": "integer"}, "minItems": 1}, {"prefixItems": [{"minimum": 1}], "maxItems": 2}
            ]}}}
        ]),
        _ => json!([
            {"type": "object", "properties": {"a": {"type": "string", "allOf": [
                {"pattern": "^a"}, {"pattern": "b$"}
            ]}}},
            {"type": "array", "items": {"type": "integer", "allOf": [
                {"multipleOf": 4}, {"multipleOf": 6}, {"not": {"const": 12}}, {"not": {"const": 24}}
            ]}}
        ]),
    }
}

fn unevaluated(rule: &str) -> Value {
    match rule {
        "unevaluated_as_additional" => json!([
            {"type": "object", "properties": {"a": {"type": "string"}}, "unevaluatedProperties": false},
            {"type": "object", "properties": {"a": {"type": "object", "properties": {"b": true},
             "patternProperties": {"^a": {"type": "string"}},
             "unevaluatedProperties": {"type": "integer"}}}},
            {"type": "object", "additionalProperties": {"type": "integer"}, "unevaluatedProperties": false}
        ]),
        "unevaluated_as_items" => json!([
            {"type": "object", "properties": {"a": {
                "type": "array", "prefixItems": [{"type": "string"}], "unevaluatedItems": {"type": "integer"}
            }}},
            {"type": "array", "unevaluatedItems": false},
            {"type": "array", "items": {"type": "integer"}, "unevaluatedItems": {"minimum": 1}}
        ]),
        _ => json!([
            {"type": "object", "properties": {"a": {"type": "string"}},
             "anyOf": [{"properties": {"b": {"type": "integer"}}, "required": ["b"]}, {"properties": {"c": true}}],
             "unevaluatedProperties": false},
            {"type": "object", "properties": {"a": {"type": "array", "allOf": [{"prefixItems": [{"type": "string"}]}],
             "unevaluatedItems": false}}}
        ]),
    }
}

fn literals(rule: &str) -> Value {
    match rule {
        "constant_as_enum" => json!([
            {"type": "object", "properties": {"a": {"const": "x"}}, "required": ["a"]},
            {"type": "object", "properties": {"a": {"const": 1, "enum": [1.0, 2], "title": "x"}}}
        ]),
        "type_of_literals" => json!([
            {"type": "object", "properties": {"a": {"enum": ["a", 1, null]}}},
            {"type": "object", "properties": {"a": {"enum": ["a", 2, 1.5, 1.0], "type": ["integer", "boolean"]}}},
            {"enum": [{"a": 1}, [1]]}
        ]),
        "nothing_listed" => json!([
            {"type": "object", "properties": {"a": {"type": "string", "enum": [1, 2]}, "b": true}},
            {"type": "array", "items": {"const": 1, "enum": ["a"]}},
            {"type": "object", "properties": {"a": {"anyOf": [{"type": "integer", "const": "1"}, {"type": "null"}]}}}
        ]),
        _ => json!([
            {"type": "object", "properties": {"a": {"enum": [{"a": 1}, [1], 1]}}},
            {"type": "object", "properties": {"a": {"const": {"b": null}}, "b": {"enum": [1.5, true]}}}
        ]),
    }
}

fn unions(rule: &str) -> Value {
    match rule {
        "disjoint_one_of" => json!([
            {"type": "object", "properties": {"a": {"oneOf": [{"type": "string", "minLength": 1}, {"type": "null"}]}}},
            {"oneOf": [
                {"type": "object", "properties": {"a": {"const": 1}, "b": {"type": "string"}}, "required": ["a"]},
                {"type": "object", "properties": {"a": {"const": 2}}, "required": ["a"]}
            ]},
            {"type": "object", "properties": {"a": {
                "oneOf": [{"type": "integer"}, {"type": "string"}], "anyOf": [{"minimum": 1}, {"maxLength": 1}]
            }}}
        ]),
        "one_of_as_any_of" => json!([
            {"type": "object", "properties": {"a": {"oneOf": [{"type": "integer"}, {"type": "number", "minimum": 1}]}}},
            {"oneOf": [
                {"type": "object", "required": ["a"]},
                {"type": "object", "properties": {"b": {"type": "string"}}, "required": ["b"]}
            ]}
        ]),
        "simplify_any_of" => json!([
            {"type": "object", "properties": {"a": {"anyOf": [
                {"type": "string"}, {"anyOf": [{"type": "integer"}, {"type": "string"}]}, false
            ]}}},
            {"type": "object", "properties": {"a": {"type": "string", "anyOf": [{"minLength": 1}, true]},
             "b": {"anyOf": [{"type": "string", "title": "x"}]}, "c": {"anyOf": [false, false]}}}
        ]),
        "drop_root_union" => json!([
            {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
             "anyOf": [{"required": ["a"]}, {"required": ["b"]}]},
            {"type": "object", "properties": {"a": {"type": "integer"}},
             "oneOf": [{"properties": {"a": {"minimum": 1}}}, {"properties": {"a": {"maximum": 0}}, "required": ["a"]}]}
        ]),
        "join_lists" => json!([
            {"type": "object", "properties": {"a": {"anyOf": [{"const": "a"}, {"enum": ["b", 1], "type": "string"}]}}},
            {"type": "object", "properties": {"a": {"anyOf": [{"const": "a"}, {"const": 1}]}, "b": {"oneOf": [{"const": 1}, {"const": 2}]}}},
            {"type": "array", "items": {"oneOf": [{"const": "a", "title": "x"}, {"const": "b"}]}}
        ]),
        "first_branch" => json!([
            {"type": "object", "properties": {"a": {"anyOf": [{"type": "null"}, {"type": "string"}, {"type": "integer"}]}}},
            {"type": "array", "items": {"anyOf": [{"type": "string", "enum": ["a"]}, {"type": "integer"}], "minimum": 1}}
        ]),
        "distribute" => json!([
            {"type": "object", "properties": {"a": {"type": "string", "anyOf": [{"maxLength": 1}, {"minLength": 3}]}}},
            {"type": "object", "properties": {"a": {
                "type": "object", "properties": {"a": {"type": "string"}},
                "anyOf": [{"required": ["a"]}, {"properties": {"b": {"type": "integer"}}, "required": ["b"]}]
            }}}
        ]),
        _ => json!([
            {"type": "array", "items": {
                "type": "string", "anyOf": [{"maxLength": 1}, {"pattern": "a"}],
                "allOf": (2..9).map(|n| json!({"anyOf": [{"maxLength": n}, {"const": "aaaaaaaaaa"}]})).collect::<Vec<_>>()
            }},
            {"type": "object", "properties": {"a": {
                "type": "array", "anyOf": [{"minItems": 1}, {"items": {"type": "string"}}],
                "allOf": (0..7).map(|n| json!({"anyOf": [{"maxItems": n}, {"contains": {"const": n}}]})).collect::<Vec<_>>()
            }}}
        ]),
    }
}

fn types(rule: &str) -> Value {
    match rule {
        "implied_type" => json!([
            {"properties": {"a": {"minLength": 2}}, "required": ["a"]},
            {"type": "object", "properties": {"a": {"minimum": 1, "items": {"type": "string"}}, "b": {"not": {"minLength": 1}, "maxItems": 1}}}
        ]),
        "state_all_types" => json!([
            {"properties": {"a": {"type": "string"}}, "required": ["a"]},
            {"type": "array", "items": {"minimum": 2}},
            {"type": "object", "properties": {"a": {"maxLength": 2}}}
        ]),
        _ => json!([
            {"type": "object", "properties": {"a": {"type": ["string", "integer"], "minLength": 2, "minimum": 1, "title": "x"}}},
            {"type": ["object", "array", "null"], "properties": {"a": {"type": ["string", "null"]}},
             "items": {"type": ["boolean", "number"], "enum": [true, 1, 1.5, "a"]}, "not": {"required": ["b"]}}
        ]),
    }
}

fn readings(rule: &str) -> Value {
    match rule {
        "null_beside_a_type" => json!([
            {"type": "object", "properties": {"a": {"anyOf": [{"type": "null"}, {"type": "string"}, {"type": "integer"}]}}},
            {"type": "array", "items": {"anyOf": [
                {"type": "object", "properties": {"a": {"type": "string"}}}, {"type": "null"}, {"type": "boolean"}
            ]}}
        ]),
        "drop_null" => json!([
            {"type": "object", "properties": {"a": {"type": ["string", "null"]}}},
            {"type": "array", "items": {"enum": ["a", null]}}
        ]),
        "type_beside_null" => json!([
            {"type": "object", "properties": {"a": {"type": "null"}}},
            {"type": "array", "items": {"const": null}}
        ]),
        _ => json!([
            {"type": "object", "properties": {"a": {"type": "string", "enum": ["a", "abc"], "maxLength": 2}}},
            {"type": "array", "items": {"type": "integer", "const": 2, "minimum": 3}},
            {"type": "object", "properties": {"a": {"type": "string"}}, "items": {"type": "string"}}
        ]),
    }
}

fn names(rule: &str) -> Value {
    match rule {
        "unrequire_unspeakable" => json!([
            {"type": "object", "properties": {"a b": {"type": "string"}}, "required": ["a b"]},
            {"type": "object", "properties": {"$ref": {"type": "string"}, "é": true}, "required": ["$ref", "é"],
             "additionalProperties": {"type": "string"}}
        ]),
        "open_unspeakable" => json!([
            {"type": "object", "properties": {"a b": {"type": "string"}, "a": {"type": "integer"}}},
            {"type": "object", "properties": {"$ref": {"type": "string"}, "é": {"type": "integer"}},
             "additionalProperties": {"type": "null"}}
        ]),
        _ => json!([
            {"type": "object", "properties": {"a b": {"type": "string"}, "a": {"type": "integer"}},
             "additionalProperties": false},
            {"type": "array", "items": {"type": "object", "properties": {"$defs": {"type": "string"}, "é": true},
             "additionalProperties": false}}
        ]),
    }
}

fn one_required(rule: &str) -> Value {
    match rule {
        "require_one" => json!([
            {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "integer"}}},
            {"type": "array", "items": {"type": "object", "additionalProperties": {"type": "integer"}}},
            {"type": "object"}
        ]),
        _ => json!([
            {"type": "object", "additionalProperties": false},
            {"type": "array", "items": {"type": "object", "properties": {}, "additionalProperties": false}}
        ]),
    }
}

fn objects(rule: &str) -> Value {
    match rule {
        "loosen_pattern_properties" => json!([
            {"type": "object", "properties": {"b": {"type": "integer"}},
             "patternProperties": {"^a": {"type": "string"}, "z$": {"minLength": 1}}, "additionalProperties": {"type": "integer"}},
            {"type": "object", "patternProperties": {"^a": {"type": "string"}}},
            {"type": "object", "patternProperties": {"^a": {"type": "string"}}, "additionalProperties": false}
        ]),
        "declare_required" => json!([
            {"type": "object", "required": ["a"]},
            {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a", "b"],
             "additionalProperties": {"type": "integer"}},
            {"type": "object", "properties": {"a": true}, "required": ["b"], "additionalProperties": false}
        ]),
        "drop_forbidden_property" => json!([
            {"type": "object", "properties": {"a": false, "b": true}, "additionalProperties": false},
            {"properties": {"a": false, "b": true}, "required": ["a"], "minLength": 1}
        ]),
        "allow_forbidden_property" => json!([
            {"type": "object", "properties": {"a": false, "b": {"type": "string"}}},
            {"type": "array", "items": {"type": "object", "properties": {"a": false}, "additionalProperties": {"type": "integer"}}}
        ]),
        "close_object" => json!([
            {"type": "object", "properties": {"a": {"type": "string"}}},
            {"type": "array", "items": {"type": "object", "additionalProperties": {"type": "integer"}}}
        ]),
        "drop_additional_properties" => json!([
            {"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": false},
            {"type": "object", "properties": {"a": {"type": "object", "additionalProperties": {"type": "integer"}}}}
        ]),
        "state_openness" => json!([
            {"type": "object", "properties": {"a": {"type": "string"}}},
            {"type": "array", "items": {"type": ["object", "null"], "required": ["a"], "properties": {"a": true}}}
        ]),
        _ => json!([]),
    }
}

fn arrays(rule: &str) -> Value {
    match rule {
        "tuple_as_items" => json!([
            {"type": "object", "properties": {"a": {"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}], "items": false}}},
            {"type": "array", "prefixItems": [{"type": "string"}], "items": {"type": "integer"}, "minItems": 1},
            {"type": "array", "prefixItems": [{"type": "string"}, {"type": "null"}], "maxItems": 2}
        ]),
        "no_items" => json!([
            {"type": "object", "properties": {"a": {"type": "array", "items": false}}},
            {"type": "object", "properties": {"a": {"type": ["array", "string"], "items": false, "maxItems": 3}}}
        ]),
        "allow_items" => json!([
            {"type": "object", "properties": {"a": {"type": "array", "items": false}}},
            {"type": "array", "items": {"type": "array", "items": false, "title": "x"}}
        ]),
        _ => json!([
            {"type": "object", "properties": {"a": {"type": "array"}}},
            {"type": "array", "minItems": 1, "uniqueItems": true}
        ]),
    }
}

fn keywords(rule: &str) -> Value {
    match rule {
        "drop_assertion" => json!([
            {"type": "object", "properties": {
                "a": {"type": "string", "minLength": 2, "pattern": "^a", "format": "date"},
                "b": {"type": "number", "minimum": 1, "exclusiveMaximum": 9, "multipleOf": 0.5}
            }},
            {"type": "object", "properties": {"a": {"type": "array", "contains": {"type": "string"}, "maxContains": 1,
             "uniqueItems": true, "maxItems": 3}}, "minProperties": 1, "propertyNames": {"maxLength": 3}},
            {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "string"}},
             "if": {"properties": {"a": {"const": 1}}}, "then": {"required": ["b"]}, "else": {"required": ["a"]},
             "dependentRequired": {"b": ["a"]}, "not": {"required": ["c"]}}
        ]),
        _ => json!([
            {"type": "object", "properties": {"a": {"type": "string", "default": "a", "examples": ["b"], "$comment": "x"}}},
            {"type": "object", "properties": {"a": {"title": "x", "anyOf": [{"type": "string"}, {"type": "integer"}]},
             "b": {"type": "string", "contentMediaType": "application/json", "contentSchema": {"type": "object"}}}}
        ]),
    }
}

fn any_value(rule: &str) -> Value {
    match rule {
        "spell_nothing" => json!([
            {"type": "array", "items": {"type": "string", "enum": [1]}},
            {"type": "object", "properties": {"a": false}, "required": ["a"]},
            false
        ]),
        _ => json!([
            {"type": "object", "properties": {"a": true}, "required": ["a"]},
            {"type": "array", "items": {"title": "anything"}},
            true
        ]),
    }
}
