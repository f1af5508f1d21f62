//! How many of the keywords of real schemas get a witness that isolates them.

use std::collections::{BTreeMap, HashSet};

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::Generator;
use super::test_reader::{Reader, reader};
use crate::schema::{Document, Origin, Part, Schema};
use crate::test_material::{data, every, json_files, read};
use crate::vocabulary::{Keyword, Types};

fn validator(schema: &Value) -> Option<jsonschema::Validator> {
    jsonschema::options()
        .with_draft(jsonschema::Draft::Draft202012)
        .should_validate_formats(true)
        .offline()
        .build(schema)
        .ok()
}

/// Every reachable place with a keyword that can change a verdict.
pub(super) fn sites(document: &Document) -> Vec<(Origin, Keyword)> {
    let mut found = Vec::new();
    let mut seen: HashSet<&str> = HashSet::new();
    let mut open = vec![&document.root];
    while let Some(schema) = open.pop() {
        for (keyword, part) in schema.keywords() {
            if keyword.constrains() && says_something(schema, *keyword) {
                found.push((schema.origin, *keyword));
            }
            if matches!(keyword, Keyword::Then | Keyword::Else) && !schema.has(Keyword::If) {
                continue;
            }
            open.extend(part.schemas());
            if let Part::Reference(name) = part
                && seen.insert(name)
            {
                open.extend(document.definition(name));
            }
        }
    }
    found
}

fn says_something(schema: &Schema, keyword: Keyword) -> bool {
    let children = || schema.get(keyword).into_iter().flat_map(Part::schemas);
    match keyword {
        Keyword::Ref | Keyword::AllOf | Keyword::Properties | Keyword::PatternProperties => false,
        Keyword::Items | Keyword::PrefixItems => children().any(Schema::is_never),
        Keyword::PropertyNames => !children().all(|names| {
            names.is_always()
                || names
                    .to_value()
                    .as_object()
                    .is_some_and(|names| names.keys().all(|name| name == "type" || name == "description"))
        }),
        Keyword::AdditionalProperties => !children().all(Schema::is_always),
        Keyword::Then | Keyword::Else => schema.has(Keyword::If) && !children().all(Schema::is_always),
        Keyword::If => schema.has(Keyword::Then) || schema.has(Keyword::Else),
        // Implied by the members.
        Keyword::Type
            if schema
                .literals()
                .is_some_and(|known| known.iter().all(|value| schema.types().contains(Types::of(value)))) =>
        {
            false
        }
        Keyword::AnyOf => !children().any(Schema::is_always),
        Keyword::MinLength | Keyword::MinItems | Keyword::MinProperties => schema.count(keyword) != Some(0),
        Keyword::Required => schema.required().next().is_some(),
        Keyword::UniqueItems => schema.data(keyword) == Some(&Value::Bool(true)),
        Keyword::Format => schema
            .data(keyword)
            .and_then(Value::as_str)
            .is_some_and(|format| !super::formats::good(format).is_empty() && !format.starts_with("idn")),
        _ => true,
    }
}

fn without(document: &Document, origin: Origin, keyword: Keyword) -> Value {
    fn strip(schema: &mut Schema, origin: Origin, keyword: Keyword) {
        if schema.origin == origin {
            schema.remove(keyword);
        }
        schema.children_mut().for_each(|child| strip(child, origin, keyword));
    }
    let stripped = document.map(|schema| {
        let mut schema = schema.clone();
        strip(&mut schema, origin, keyword);
        schema
    });
    stripped.to_value()
}

#[derive(Default)]
struct Tally {
    documents: usize,
    seeded: usize,
    by_keyword: BTreeMap<Keyword, (usize, usize, usize)>,
    examples: BTreeMap<Keyword, Vec<String>>,
    times: Vec<(Duration, usize, String)>,
    unexercised: BTreeMap<Keyword, (usize, usize)>,
}

/// At most this many sites of a document are judged: judging compiles a validator for each.
const MAX_SITES: usize = 120;

impl Tally {
    fn judge(&mut self, name: &str, document: &Document) {
        let value = document.to_value();
        let Some(validator) = validator(&value) else { return };
        self.documents += 1;
        let start = Instant::now();
        let generator = Generator::new(document);
        let seeds = generator.seeds(8);
        let places = sites(document);
        let mut candidates = Vec::new();
        for (origin, keyword) in &places {
            candidates.push(generator.violations(*origin, *keyword, 4));
        }
        self.times.push((start.elapsed(), places.len(), name.to_owned()));
        if seeds.iter().any(|seed| validator.is_valid(seed)) {
            self.seeded += 1;
        } else {
            println!("no seed: {name}: {}", seeds.first().map_or(String::new(), cut));
        }
        let every = places.len().div_ceil(MAX_SITES).max(1);
        for ((origin, keyword), candidates) in places.iter().zip(&candidates).step_by(every) {
            let entry = self.by_keyword.entry(*keyword).or_default();
            entry.0 += 1;
            let stripped = self::validator(&without(document, *origin, *keyword));
            let Some(stripped) = stripped else { continue };
            if candidates.iter().any(|value| !validator.is_valid(value) && stripped.is_valid(value)) {
                entry.1 += 1;
            } else if candidates.iter().any(|value| validator.is_valid(value) && !stripped.is_valid(value)) {
                entry.2 += 1;
            } else {
                let place = find(document, *origin).map_or(Value::Null, Schema::to_value);
                let examples = self.examples.entry(*keyword).or_default();
                let first = candidates.first().map_or("nothing".to_owned(), cut);
                examples.push(format!("{name}\n      at {}\n      tried {first}", cut(&place)));
            }
            let exercised = generator.exercises(*origin, *keyword, 4);
            let entry = self.unexercised.entry(*keyword).or_default();
            entry.0 += 1;
            entry.1 += usize::from(exercised.iter().any(|value| validator.is_valid(value)));
        }
    }

    fn isolated(&self) -> (usize, usize) {
        self.by_keyword
            .values()
            .fold((0, 0), |sum, (all, strict, reverse)| (sum.0 + all, sum.1 + strict + reverse))
    }

    fn print(&mut self, title: &str) {
        let (all, isolated) = self.isolated();
        println!(
            "\n{title}: {} documents, {} with a valid seed; {isolated} of {all} sites isolated",
            self.documents, self.seeded
        );
        for (keyword, (all, strict, reverse)) in &self.by_keyword {
            let exercised = self.unexercised.get(keyword).copied().unwrap_or_default();
            println!(
                "  {keyword:24} {all:6} isolated {strict:6} reversed {reverse:4} missed {:4}   exercised {:6}",
                all - strict - reverse,
                exercised.1
            );
        }
        for (keyword, examples) in &self.examples {
            for example in examples.iter().step_by(examples.len().div_ceil(12).max(1)) {
                println!("  {keyword}: {example}");
            }
        }
        self.times.sort();
        let total: Duration = self.times.iter().map(|(time, ..)| *time).sum();
        let sites: usize = self.times.iter().map(|(_, sites, _)| *sites).sum();
        if let Some((median, ..)) = self.times.get(self.times.len() / 2) {
            println!("  time: median {median:?}, total {total:?} for {sites} sites");
        }
        for (time, sites, name) in self.times.iter().rev().take(5) {
            println!("  slow: {time:?} for {sites} sites: {name}");
        }
    }
}

fn find(document: &Document, origin: Origin) -> Option<&Schema> {
    document.everywhere().find(|schema| schema.origin == origin)
}

fn cut(value: &Value) -> String {
    value.to_string().chars().take(420).collect()
}

#[test]
fn real_schemas_are_seeded_and_their_keywords_isolated() {
    let Some(data) = data() else { return };
    let mut tally = Tally::default();
    let mut skipped = 0;
    for path in json_files(&data.join("maskbench")).iter().step_by(every(4)) {
        let file = read(path);
        match Reader::document(&file["schema"]) {
            Some(document) => tally.judge(&path.file_stem().unwrap().to_string_lossy(), &document),
            None => skipped += 1,
        }
    }
    tally.print("maskbench");
    println!("  {skipped} skipped");
    let (all, isolated) = tally.isolated();
    assert!(tally.seeded * 1000 >= tally.documents * 995);
    assert!(isolated * 1000 >= all * 970);
}

#[test]
fn tool_schemas_are_seeded_and_their_keywords_isolated() {
    let Some(data) = data() else { return };
    let mut tally = Tally::default();
    for path in &json_files(&data.join("mcp-tools")) {
        let file = read(path);
        for tool in file["tools"].as_array().unwrap() {
            if let Some(document) = Reader::document(&tool["inputSchema"]) {
                let server = path.file_stem().unwrap().to_string_lossy();
                tally.judge(&format!("{server}/{}", tool["name"]), &document);
            }
        }
    }
    tally.print("mcp-tools");
    let (all, isolated) = tally.isolated();
    assert_eq!(tally.seeded, tally.documents);
    assert!(isolated * 1000 >= all * 955);
}

/// Small schemas with one hard thing each: every site must be isolated.
#[test]
fn hard_combinations_are_isolated() {
    let schemas = [
        json!({"allOf": [{"type": "object", "properties": {"a": {"type": "string", "minLength": 3}}}, {"required": ["a"]}]}),
        json!({"oneOf": [{"type": "object", "required": ["kind"], "properties": {"kind": {"const": "a"}, "n": {"minimum": 3}}},
            {"type": "object", "required": ["kind"], "properties": {"kind": {"const": "b"}, "n": {"maximum": 0}}}]}),
        json!({"type": "object", "if": {"properties": {"k": {"const": 1}}, "required": ["k"]}, "then": {"required": ["x"]}, "else": {"required": ["y"]}}),
        json!({"type": "array", "contains": {"type": "integer", "minimum": 5}, "minContains": 2, "maxContains": 3, "uniqueItems": true}),
        json!({"type": "object", "propertyNames": {"pattern": "^[a-z]+$", "maxLength": 4}, "patternProperties": {"^x": {"type": "integer"}}, "additionalProperties": false}),
        json!({"type": "object", "properties": {"a": {}}, "patternProperties": {"^p_": {"type": "integer"}}, "additionalProperties": {"type": "boolean"}, "minProperties": 3, "maxProperties": 5}),
        json!({"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}], "items": false, "minItems": 2}),
        json!({"type": "array", "items": {"enum": [1, 2, 3]}, "minItems": 3, "uniqueItems": true}),
        json!({"type": "string", "pattern": "^[a-z.]+@example\\.com$", "format": "email", "minLength": 20, "maxLength": 30}),
        json!({"type": "string", "pattern": "^(?=.*[A-Z])(?=.*[0-9]).{8,}$", "maxLength": 12}),
        json!({"type": "number", "multipleOf": 0.01, "exclusiveMinimum": 0.005, "maximum": 99.99}),
        json!({"type": "integer", "minimum": u64::MAX - 5, "maximum": u64::MAX - 1, "multipleOf": 2}),
        json!({"type": "object", "allOf": [{"properties": {"a": {"type": "string"}}}], "unevaluatedProperties": false}),
        json!({"type": "array", "prefixItems": [{"type": "string"}], "unevaluatedItems": false}),
        json!({"type": "object", "dependentRequired": {"card": ["address"]}, "dependentSchemas": {"vat": {"required": ["company"]}}}),
        json!({"type": "object", "properties": {"next": {"$ref": "#"}, "value": {"type": "integer"}}, "required": ["value"], "additionalProperties": false}),
        json!({"type": ["string", "null"], "not": {"enum": ["a", "b"]}, "minLength": 1}),
        json!({"anyOf": [{"type": "string", "maxLength": 3}, {"type": "array", "items": {"type": "string"}, "maxItems": 1}]}),
        json!({"type": "object", "minProperties": 1, "additionalProperties": {"anyOf": [{"type": "integer"}, {"$ref": "#"}]}}),
        json!({"type": "object", "properties": {"t": {"type": "object", "properties": {"deep": {"type": "array", "items": {"type": "string", "format": "uuid"}}}}}}),
    ];
    let mut tally = Tally::default();
    for (index, schema) in schemas.iter().enumerate() {
        tally.judge(&format!("hard {index}"), &reader(schema).finish().unwrap());
    }
    tally.print("hard combinations");
    assert_eq!(tally.seeded, schemas.len());
    let (all, isolated) = tally.isolated();
    assert_eq!(isolated, all);
}
