//! Instances that can tell a schema from what a rule makes of it.
//!
//! Those of the witness generator, on both sides, around the keywords that the rule changed; members and items
//! taken away from them and added to them; values that the schemas name; and a fixed table.

use serde_json::{Value, json};

use crate::differential::witness::Generator;
use crate::schema::{Document, Origin, Part, Schema};
use crate::vocabulary::Keyword;

/// Keywords for which witnesses are made, of one side.
const MAX_SITES: usize = 16;

/// Instances for one pair.
const MAX_INSTANCES: usize = 400;

/// Instances for a schema before and after, each read with its definitions.
pub(super) fn instances(before: &Document, after: &Document) -> Vec<Value> {
    let mut found = Found(Vec::new());
    for (document, other) in [(before, after), (after, before)] {
        let generator = Generator::new(document);
        found.extend(generator.seeds(4));
        for (origin, keyword) in changed(&document.root, &other.root) {
            found.extend(generator.violations(origin, keyword, 2));
            found.extend(generator.exercises(origin, keyword, 2));
        }
    }
    let made = found.0.clone();
    for value in made.iter().take(24) {
        found.extend(neighbours(value));
    }
    let named = named(&[&before.root, &after.root]);
    found.extend(named.values);
    for name in named.properties.iter().take(6) {
        found.extend([
            json!({name: null}),
            json!({name: 1}),
            json!({name: "a"}),
            json!({name: {}, "other": 1}),
        ]);
    }
    found.extend(table());
    found.0
}

struct Found(Vec<Value>);

impl Found {
    fn extend(&mut self, values: impl IntoIterator<Item = Value>) {
        for value in values {
            if self.0.len() < MAX_INSTANCES && !self.0.contains(&value) {
                self.0.push(value);
            }
        }
    }
}

/// The keywords that one side has and the other has not or has otherwise, with all that is inside them.
fn changed(schema: &Schema, other: &Schema) -> Vec<(Origin, Keyword)> {
    let mut found = Vec::new();
    let mut pending = Vec::new();
    for (keyword, part) in schema.keywords() {
        if keyword.constrains() && other.get(*keyword) != Some(part) {
            found.push((schema.origin, *keyword));
            pending.extend(part.schemas());
        }
    }
    pending.reverse();
    while let (Some(inner), true) = (pending.pop(), found.len() < MAX_SITES) {
        found.extend(
            inner
                .keywords()
                .iter()
                .map(|(keyword, _)| (inner.origin, *keyword))
                .filter(|(_, keyword)| keyword.constrains()),
        );
        pending.extend(inner.children());
    }
    found.truncate(MAX_SITES);
    found
}

/// The value with something less and with something more.
fn neighbours(value: &Value) -> Vec<Value> {
    match value {
        Value::Object(members) => {
            let mut found = Vec::new();
            for name in members.keys().take(6) {
                let mut less = members.clone();
                less.remove(name);
                found.push(Value::Object(less));
                let mut other = members.clone();
                other.insert(name.clone(), json!([{"other": 1}]));
                found.push(Value::Object(other));
            }
            for more in [json!(1), json!("a"), json!(null)] {
                let mut with = members.clone();
                with.insert("other".to_owned(), more);
                found.push(Value::Object(with));
            }
            found
        }
        Value::Array(items) => {
            let mut found: Vec<Value> =
                (items.len() > 1).then(|| Value::from(&items[1..])).into_iter().collect();
            for more in [json!(1), json!("a"), json!(null), json!({"other": 1})] {
                let mut with = items.clone();
                with.push(more);
                found.push(Value::Array(with));
            }
            found
        }
        _ => Vec::new(),
    }
}

#[derive(Default)]
struct Named {
    values: Vec<Value>,
    properties: Vec<String>,
}

/// What schemas list, the numbers around their bounds, and the names of their properties.
fn named(schemas: &[&Schema]) -> Named {
    let mut named = Named::default();
    let mut pending = schemas.to_vec();
    while let Some(schema) = pending.pop() {
        for (keyword, part) in schema.keywords() {
            match (keyword, part) {
                (Keyword::Enum, Part::Data(Value::Array(values))) => {
                    named.values.extend(values.iter().take(8).cloned())
                }
                (Keyword::Const, Part::Data(value)) => named.values.push(value.clone()),
                (Keyword::Required, _) => named.properties.extend(schema.required().map(str::to_owned)),
                (_, Part::Data(Value::Number(bound))) => {
                    named.values.extend(around(*keyword, bound.as_f64()))
                }
                (Keyword::Properties, Part::Named(parts)) => {
                    named.properties.extend(parts.iter().map(|(name, _)| name.clone()));
                }
                _ => {}
            }
        }
        if named.values.len() > 60 {
            break;
        }
        pending.extend(schema.children());
    }
    named.properties.sort();
    named.properties.dedup();
    named
}

fn around(keyword: Keyword, bound: Option<f64>) -> Vec<Value> {
    let Some(bound) = bound else { return Vec::new() };
    let near = [bound - 1.0, bound, bound + 1.0];
    let lengths = near.iter().filter(|length| (0.0..64.0).contains(*length)).map(|length| *length as usize);
    match keyword {
        Keyword::MinLength | Keyword::MaxLength => lengths.map(|length| "a".repeat(length).into()).collect(),
        Keyword::MinItems | Keyword::MaxItems | Keyword::MinContains | Keyword::MaxContains => {
            lengths.map(|length| Value::Array(vec![json!(1); length])).collect()
        }
        _ => near.into_iter().map(Value::from).collect(),
    }
}

/// Small values of every type.
fn table() -> Vec<Value> {
    let Value::Array(values) = json!([
        null, true, false, 0, 1, -1, 1.0, 1.5, 2, 10, "", "a", "ab", "abc", "1", [], [1], ["a"], [null], [[]],
        [[1]], [{}], [1, "a"], ["a", 1], ["a", "a"], [1, 1, 1], [true, 1.5], {}, {"a": 1}, {"a": "a"},
        {"a": "abc"}, {"a": null}, {"a": []}, {"a": {}}, {"a": {"a": "a"}}, {"b": 1}, {"b": "a"},
        {"a": 1, "b": "a"}, {"a": "a", "b": 1}, {"a": "a", "c": true}, {"az": "a"}, {"az": ""}, {"other": 1}
    ]) else {
        return Vec::new();
    };
    values
}
