//! Schemas made to be expensive.

use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};

use super::Generator;
use super::coverage_tests::sites;
use super::test_reader::reader;

/// Nothing makes the generator run away, overflow the stack or panic.
#[test]
fn hostile_schemas_are_given_up_in_time() {
    let mut deep = json!({"type": "string", "minLength": 1});
    for _ in 0..60 {
        deep = json!({"type": "object", "required": ["a"], "properties": {"a": deep}});
    }
    let wide: Map<String, Value> = (0..10_000)
        .map(|index| (format!("p{index}"), json!({"type": "string", "maxLength": index})))
        .collect();
    let names: Vec<Value> = wide.keys().map(|name| json!(name)).collect();
    let mut chain = Map::new();
    for index in 0..40 {
        let next = json!({"$ref": format!("#/$defs/c{}", index + 1)});
        chain.insert(
            format!("c{index}"),
            json!({"type": "object", "required": ["a", "b"], "properties": {"a": next, "b": next}}),
        );
    }
    chain.insert("c40".to_owned(), json!({"type": "string", "maxLength": 3}));
    let many: Vec<Value> = (0..10_000).map(|index| json!(format!("v{index}"))).collect();
    let branches: Vec<Value> =
        (0..2_000).map(|index| json!({"type": "object", "required": [format!("k{index}")]})).collect();
    let kinds: Vec<Value> = (0..300).map(|index| json!({"type": "object", "required": ["k"], "properties": {"k": {"const": index}, "v": {"minimum": index}}})).collect();
    let loops = json!({"$ref": "#/$defs/l", "$defs": {"l": {"allOf": [{"$ref": "#/$defs/l"}], "anyOf": [{"$ref": "#/$defs/l"}, {"type": "null"}]}}});
    let tree = json!({"$ref": "#/$defs/t", "$defs": {"t": {"type": "object", "required": ["l", "r"], "properties": {"l": {"$ref": "#/$defs/t"}, "r": {"$ref": "#/$defs/t"}}}}});
    let mut nots = json!({"type": "string"});
    for _ in 0..200 {
        nots = json!({"not": {"anyOf": [nots, {"type": "integer"}]}});
    }
    let schemas = [
        ("deep", deep),
        (
            "wide",
            json!({"type": "object", "properties": wide, "required": names, "additionalProperties": false}),
        ),
        ("wide and optional", json!({"type": "object", "properties": wide, "minProperties": 3})),
        ("chain", json!({"$ref": "#/$defs/c0", "$defs": chain})),
        (
            "many",
            json!({"type": "array", "items": {"enum": many, "type": "string"}, "minItems": 900, "uniqueItems": true}),
        ),
        ("any", json!({"anyOf": branches})),
        ("one", json!({"oneOf": branches})),
        ("kinds", json!({"oneOf": kinds})),
        ("loops", loops),
        ("tree", tree),
        ("nots", nots),
        ("long", json!({"type": "string", "pattern": "^(a{1,1000}){1,1000}$", "minLength": 1_000_000})),
        ("regex", json!({"type": "string", "pattern": "^(a+)+$", "not": {"pattern": "^(a|aa)+$"}})),
        (
            "huge",
            json!({"type": "array", "minItems": 1e300, "items": {"minimum": -1e308, "exclusiveMaximum": -1e308}}),
        ),
        (
            "contradiction",
            json!({"allOf": [{"type": "string"}, {"type": "integer"}], "anyOf": [{"$ref": "#"}]}),
        ),
    ];
    for (name, schema) in schemas {
        let document = reader(&schema).finish().unwrap();
        let start = Instant::now();
        let generator = Generator::new(&document);
        let seeds = generator.seeds(8).len();
        let places = sites(&document);
        let every = places.len().div_ceil(50).max(1);
        let (mut tried, mut found) = (0, 0);
        for (origin, keyword) in places.iter().step_by(every) {
            tried += 1;
            found += usize::from(!generator.violations(*origin, *keyword, 4).is_empty());
            generator.exercises(*origin, *keyword, 4);
        }
        let time = start.elapsed();
        println!("hostile {name}: {time:?}, {seeds} seeds, {found} of {tried} sites");
        assert!(time < Duration::from_secs(20), "{name}");
    }
}
