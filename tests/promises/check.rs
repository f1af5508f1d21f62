//! What a surface says of a schema that is sent as it is.

use schema_residual::{Consequence, ConvertOptions, Problem, Target, convert, target, targets};
use serde_json::{Value, json};

use crate::material::{data, field_reports, mcp_tools};

fn problems(id: &str, schema: &Value) -> Vec<(String, String, Consequence)> {
    let told = |problem: Problem| (problem.pointer, problem.rule, problem.consequence);
    target(id).unwrap().check(schema).unwrap().into_iter().map(told).collect()
}

fn problem(pointer: &str, rule: &str, consequence: Consequence) -> (String, String, Consequence) {
    (pointer.to_owned(), rule.to_owned(), consequence)
}

#[test]
fn keywords_that_are_refused_ignored_and_not_mentioned_are_told_apart() {
    let schema = json!({
        "type": "object",
        "properties": {"a": {"type": "string", "pattern": "^a$", "minLength": 1, "x-note": 1}},
        "required": ["a"],
        "additionalProperties": false
    });
    assert_eq!(
        problems("gemini.parametersJsonSchema", &schema),
        [
            problem("#/properties/a", "pattern", Consequence::Ignored),
            problem("#/properties/a", "minLength", Consequence::Ignored)
        ]
    );
    assert_eq!(
        problems("openai.strict", &schema),
        [
            problem("#/properties/a", "minLength", Consequence::Unstated),
            problem("#/properties/a", "x-note", Consequence::Unstated)
        ]
    );
    assert_eq!(
        problems("openai.strict.finetuned", &schema)[0],
        problem("#/properties/a", "pattern", Consequence::RequestError)
    );
}

#[test]
fn values_outside_of_what_is_taken_are_told() {
    let schema = json!({
        "type": "object",
        "properties": {
            "a": {"type": "array", "items": {"type": "string"}, "minItems": 2},
            "b": {"type": "string", "format": "color"},
            "c": {"type": "string", "pattern": "(?=a)"}
        },
        "additionalProperties": false
    });
    assert_eq!(
        problems("anthropic.strict", &schema),
        [
            problem("#/properties/c", "pattern", Consequence::RequestError),
            problem("#/properties/b", "format", Consequence::RequestError),
            problem("#/properties/a", "minItems", Consequence::RequestError)
        ]
    );
    let whole = json!({"type": "string", "pattern": "a"});
    assert_eq!(problems("xai.grok", &whole), [problem("#", "pattern", Consequence::ReadDifferently)]);
    assert_eq!(problems("xai.grok", &json!({"type": "string", "pattern": "^a$"})), []);
}

#[test]
fn the_form_of_a_schema_counts() {
    let schema = json!({
        "anyOf": [{"$ref": "#/definitions/A", "title": "x"}, {"type": ["string", "integer"]}],
        "definitions": {"A": {"type": "object", "properties": {"a b": true, "c": {"$ref": "#/definitions/A"}}}}
    });
    let rules: Vec<String> =
        problems("anthropic.strict", &schema).into_iter().map(|(_, rule, _)| rule).collect();
    for rule in [
        "root object",
        "root combinators",
        "reference siblings",
        "property names",
        "closed objects",
        "[bool]",
        "$ref",
    ] {
        assert!(rules.iter().any(|told| told == rule), "{rule}: {rules:?}");
    }
    let types = problems(
        "openai.strict",
        &json!({"type": "object", "properties": {}, "required": [],
        "additionalProperties": false, "not": {"type": ["string", "integer"]}}),
    );
    assert!(types.contains(&problem("#/not", "type arrays", Consequence::RequestError)), "{types:?}");
}

/// Each problem says where that was read, and when.
#[test]
fn every_problem_has_a_source_with_a_date() {
    let schema = json!({"oneOf": [true, {"type": "array"}], "not": {"minLength": 1}, "uniqueItems": true});
    let mut count = 0;
    for target in targets() {
        for problem in target.check(&schema).unwrap() {
            count += 1;
            assert!(problem.source.starts_with("https://"), "{}: {problem:?}", target.id());
            assert!(!problem.reason.is_empty());
        }
    }
    assert!(count > targets().len());
}

/// In a dialect of its own words a schema is read by those.
#[test]
fn the_words_of_a_dialect_are_understood() {
    let schema = json!({
        "type": "OBJECT",
        "properties": {"a": {"type": "STRING", "nullable": true}, "b": {"type": "ARRAY", "items": {"type": "NUMBER"}}},
        "required": ["a"]
    });
    assert_eq!(problems("gemini.functionDeclarationParameters", &schema), []);
}

#[test]
fn what_is_no_schema_is_an_error() {
    let target = target("openai.strict").unwrap();
    assert!(target.check(&json!(1)).is_err());
    assert!(target.check(&json!({"$ref": "#/$defs/missing"})).is_err());
    let mut deep = json!({});
    for _ in 0..100_000 {
        deep = Value::Object([("not".to_owned(), deep)].into_iter().collect());
    }
    assert!(target.check(&deep).is_err());
    // Dropping a value recurses; a hundred thousand levels of it are not what this is about.
    std::mem::forget(deep);
}

/// Every target gets every published tool and every reported schema, in a form that its own check accepts.
#[test]
fn no_target_loses_a_tool() {
    let Some(data) = data() else { return };
    let cases = field_reports(&data).into_iter().chain(mcp_tools(&data));
    let mut pairs = 0;
    for case in cases {
        // One of the reports is about a reference to nothing.
        let Ok(_) = schema_residual::residual_between(&case.schema, &json!(true)) else { continue };
        for target in targets() {
            let conversion = convert(&case.schema, target, &ConvertOptions::default());
            let conversion =
                conversion.unwrap_or_else(|error| panic!("{} @ {}: {error}", case.name, target.id()));
            refuses_nothing(target, conversion.wire(), &case.name);
            pairs += 1;
        }
    }
    assert!(pairs > 7_000, "{pairs}");
}

fn refuses_nothing(target: &Target, wire: &Value, name: &str) {
    let problems = target.check(wire).unwrap();
    let refused: Vec<&Problem> =
        problems.iter().filter(|problem| problem.consequence != Consequence::Ignored).collect();
    assert!(refused.is_empty(), "{name} @ {}: {refused:?}\n{wire}", target.id());
}

/// Descriptions say what is dropped, and change nothing about what is accepted.
#[test]
fn descriptions_are_annotations() {
    let Some(data) = data() else { return };
    let mut described = 0;
    for case in field_reports(&data).into_iter().chain(mcp_tools(&data)) {
        for target in targets() {
            let Ok(plain) = convert(&case.schema, target, &ConvertOptions::default()) else { continue };
            let mut options = ConvertOptions::default();
            options.descriptions = true;
            let with = convert(&case.schema, target, &options).unwrap();
            assert_eq!(plain.effective(), with.effective(), "{} @ {}", case.name, target.id());
            refuses_nothing(target, with.wire(), &case.name);
            described += usize::from(plain.wire() != with.wire());
        }
    }
    assert!(described > 1_000, "{described}");
}
