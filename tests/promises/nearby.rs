//! Instances near the values that a schema speaks of.

use serde_json::{Map, Value, json};

use crate::guided::guided;

/// At most this many instances for one schema that do not follow it.
const MOST: usize = 60;

/// Instances that follow the schema.
const GUIDED: usize = 30;
const SCALARS: usize = 18;

/// Constants, enum members, bounds and lengths with their neighbours, texts for patterns and formats, and
/// small arrays and objects of all of these under the names that the schema knows.
pub fn nearby(schema: &Value) -> Vec<Value> {
    let mut near = Near::default();
    for value in [json!(null), json!(true), json!(1.0), json!("a"), json!(0), json!("")] {
        near.value(value);
    }
    near.read(schema);
    for name in ["a", "other"] {
        near.name(name);
    }
    let mut found = near.put_together();
    found.extend(guided(schema, GUIDED));
    found
}

#[derive(Default)]
struct Near {
    scalars: Vec<Value>,
    composed: Vec<Value>,
    names: Vec<String>,
}

impl Near {
    fn value(&mut self, value: Value) {
        let composed = value.is_array() || value.is_object();
        let list = if composed { &mut self.composed } else { &mut self.scalars };
        // `1` and `1.0` are different spellings, and both are worth a try.
        if !list.contains(&value) {
            list.push(value);
        }
    }

    fn name(&mut self, name: &str) {
        if !self.names.iter().any(|known| known == name) && self.names.len() < 6 {
            self.names.push(name.to_owned());
        }
    }

    fn read(&mut self, schema: &Value) {
        match schema {
            Value::Object(members) => {
                for (name, value) in members {
                    self.keyword(name, value);
                    self.read(value);
                }
            }
            Value::Array(items) => items.iter().for_each(|item| self.read(item)),
            _ => {}
        }
    }

    fn keyword(&mut self, name: &str, value: &Value) {
        match (name, value) {
            ("const", value) => self.value(value.clone()),
            ("enum", Value::Array(members)) => members.iter().for_each(|member| self.value(member.clone())),
            ("required", Value::Array(names)) => {
                names.iter().filter_map(Value::as_str).for_each(|name| self.name(name));
            }
            ("properties" | "dependentSchemas" | "dependentRequired", Value::Object(named)) => {
                named.keys().for_each(|name| self.name(name));
            }
            ("patternProperties", Value::Object(named)) => {
                for pattern in named.keys() {
                    texts_for(pattern).iter().take(2).for_each(|name| self.name(name));
                }
            }
            ("pattern", Value::String(pattern)) => {
                texts_for(pattern).iter().for_each(|text| self.value(json!(text)));
            }
            ("format", Value::String(format)) => self.value(json!(text_of(format))),
            ("minLength" | "maxLength", Value::Number(length)) => {
                let length = length.as_u64().unwrap_or_default() as usize;
                for length in [length.saturating_sub(1), length, length + 1] {
                    self.value(json!("b".repeat(length)));
                }
            }
            (
                "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf",
                Value::Number(bound),
            ) => {
                let around = bound.as_f64().unwrap_or_default();
                self.value(value.clone());
                for near in [around - 1.0, around + 1.0, around + 0.5] {
                    self.value(if near.fract() == 0.0 { json!(near as i64) } else { json!(near) });
                }
            }
            _ => {}
        }
    }

    fn put_together(mut self) -> Vec<Value> {
        self.scalars.truncate(SCALARS);
        let object =
            |name: &String, value: &Value| Value::Object(Map::from_iter([(name.clone(), value.clone())]));
        let scalars = self.scalars.clone();
        let mut found = scalars.clone();
        found.extend([json!([]), json!({})]);
        found.extend(self.composed.iter().take(10).cloned());
        let around = |index: usize| scalars.get(index % scalars.len()).cloned().unwrap_or_default();
        for (index, scalar) in scalars.iter().enumerate() {
            found.push(json!([scalar]));
            found.push(json!([scalar, around(index + 1)]));
            if let Some(name) = self.names.get(index % self.names.len()) {
                found.push(object(name, scalar));
            }
        }
        found.push(json!([around(3), around(3)]));
        found.push(json!([around(0), around(1), around(2)]));
        for (index, name) in self.names.iter().enumerate() {
            found.push(object(name, &around(index)));
            found.push(object(name, &around(index + 3)));
            found.push(object(name, &object(name, &around(index + 1))));
            found.push(object(name, &json!([around(index)])));
            found.push(object(name, &json!({})));
            found.push(json!([object(name, &around(index + 2))]));
        }
        for shift in 0..4 {
            let all = self
                .names
                .iter()
                .enumerate()
                .map(|(index, name)| (name.clone(), around(index * shift + shift)));
            found.push(Value::Object(all.collect()));
        }
        found.truncate(MOST);
        found
    }
}

/// Texts that the generated patterns match, and texts that they do not.
pub fn texts_for(pattern: &str) -> &'static [&'static str] {
    match pattern {
        "^a" | "^(?=a)." => &["ax", "xa"],
        "b$" | "(?<=a)b" => &["ab", "ba"],
        "^[a-c]{1,3}$" => &["abc", "abca"],
        "\\d" => &["a1", "x"],
        "^x-" => &["x-a", "xa"],
        "^(?!b)" => &["c", "bb"],
        "^\\p{L}+$" => &["é", "é1"],
        _ => &["ab", "zz"],
    }
}

pub fn text_of(format: &str) -> &'static str {
    match format {
        "date" => "2024-02-29",
        "email" => "a@example.com",
        "ipv4" => "127.0.0.1",
        "uuid" => "123e4567-e89b-12d3-a456-426614174000",
        "date-time" => "2024-02-29T12:00:00Z",
        "uri" => "https://example.com/",
        "regex" => "[",
        _ => "nobody",
    }
}
