//! Instances that follow a schema: its own property names, item positions and branches, several levels deep.

use serde_json::{Map, Value, json};

use crate::arbitrary::places::meant;
use crate::nearby::{text_of, texts_for};

/// Levels of the instance that follow the schema.
const DEPTH: usize = 4;

/// Schemas that one value follows.
const PARTS: usize = 6;

/// Instances made in different ways; each way is the same on every run.
pub fn guided(schema: &Value, count: usize) -> Vec<Value> {
    (0..count).map(|way| Guide { root: schema, way }.value(&[String::new()], DEPTH)).collect()
}

struct Guide<'r> {
    root: &'r Value,
    /// Decides wherever there is a choice, a little differently each time.
    way: usize,
}

impl Guide<'_> {
    fn choice(&mut self, among: usize) -> usize {
        self.way = self.way.wrapping_mul(31).wrapping_add(17);
        (self.way >> 3) % among.max(1)
    }

    /// The schema objects at these places, and some of those that look at the same value.
    fn parts(&mut self, places: &[String]) -> Vec<(String, Map<String, Value>)> {
        let mut parts: Vec<(String, Map<String, Value>)> = Vec::new();
        let mut pending: Vec<String> = places.to_vec();
        while let Some(place) = pending.pop() {
            let Some(Value::Object(schema)) = self.root.pointer(&place) else { continue };
            if parts.len() >= PARTS || parts.iter().any(|(known, _)| *known == place) {
                continue;
            }
            for keyword in ["$ref", "$dynamicRef"] {
                if let Some(reference) = schema.get(keyword).and_then(Value::as_str) {
                    pending.extend(meant(self.root, &place, reference).into_iter().take(1));
                }
            }
            for keyword in ["anyOf", "oneOf"] {
                if let Some(Value::Array(branches)) = schema.get(keyword) {
                    pending.push(format!("{place}/{keyword}/{}", self.choice(branches.len())));
                }
            }
            if let Some(Value::Array(branches)) = schema.get("allOf") {
                pending.extend((0..branches.len()).map(|index| format!("{place}/allOf/{index}")));
            }
            let often = ["if", "then", "else", "not"][self.choice(4)];
            if schema.contains_key(often) {
                pending.push(format!("{place}/{often}"));
            }
            parts.push((place, schema.clone()));
        }
        parts
    }

    fn value(&mut self, places: &[String], depth: usize) -> Value {
        let parts = self.parts(places);
        let mut listed = Vec::new();
        for (_, part) in &parts {
            listed.extend(part.get("const").cloned());
            listed.extend(part.get("enum").and_then(Value::as_array).into_iter().flatten().cloned());
        }
        if !listed.is_empty() && self.choice(5) > 0 {
            return listed.swap_remove(self.choice(listed.len()));
        }
        match self.kind(&parts) {
            "object" if depth > 0 => self.object(&parts, depth),
            "array" if depth > 0 => self.array(&parts, depth),
            "object" => json!({}),
            "array" => json!([]),
            "string" => self.string(&parts),
            "number" => self.number(&parts),
            "boolean" => json!(true),
            _ => Value::Null,
        }
    }

    /// The type of value that the keywords are about.
    fn kind(&mut self, parts: &[(String, Map<String, Value>)]) -> &'static str {
        let mut kinds = Vec::new();
        for (keyword, value) in parts.iter().flat_map(|(_, part)| part) {
            let kind = match keyword.as_str() {
                "type" => {
                    let names = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
                    match names[self.choice(names.len())].as_str() {
                        Some("object") => "object",
                        Some("array") => "array",
                        Some("string") => "string",
                        Some("integer" | "number") => "number",
                        Some("boolean") => "boolean",
                        _ => "null",
                    }
                }
                "properties"
                | "patternProperties"
                | "additionalProperties"
                | "propertyNames"
                | "required"
                | "minProperties"
                | "dependentRequired"
                | "dependentSchemas"
                | "unevaluatedProperties" => "object",
                "prefixItems" | "items" | "contains" | "uniqueItems" | "minItems" | "unevaluatedItems" => {
                    "array"
                }
                "minLength" | "maxLength" | "pattern" | "format" => "string",
                "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => "number",
                _ => continue,
            };
            kinds.push(kind);
        }
        if kinds.is_empty() {
            return ["string", "null", "object", "number"][self.choice(4)];
        }
        kinds[self.choice(kinds.len())]
    }

    fn object(&mut self, parts: &[(String, Map<String, Value>)], depth: usize) -> Value {
        let mut places: Vec<(String, Vec<String>)> = Vec::new();
        let mut add = |name: &str, place: Option<String>| {
            let known = places.iter().position(|(known, _)| known == name);
            let index = known.unwrap_or(places.len());
            if known.is_none() {
                places.push((name.to_owned(), Vec::new()));
            }
            places[index].1.extend(place);
        };
        for (place, part) in parts {
            let rest = ["additionalProperties", "unevaluatedProperties"]
                .into_iter()
                .find(|it| part.contains_key(*it));
            let rest = rest.map(|keyword| format!("{place}/{keyword}"));
            for name in named(part, "properties") {
                let token = name.replace('~', "~0").replace('/', "~1");
                add(name, Some(format!("{place}/properties/{token}")));
            }
            for pattern in named(part, "patternProperties") {
                let token = pattern.replace('~', "~0").replace('/', "~1");
                add(texts_for(pattern)[0], Some(format!("{place}/patternProperties/{token}")));
            }
            for name in part.get("required").and_then(Value::as_array).into_iter().flatten() {
                add(name.as_str().unwrap_or_default(), rest.clone());
            }
            for name in named(part, "dependentSchemas").chain(named(part, "dependentRequired")) {
                add(name, None);
            }
            if rest.is_some() {
                add("other", rest);
            }
        }
        let mut object = Map::new();
        for (name, places) in places {
            if self.choice(4) > 0 {
                object.insert(name, self.value(&places, depth - 1));
            }
        }
        Value::Object(object)
    }

    fn array(&mut self, parts: &[(String, Map<String, Value>)], depth: usize) -> Value {
        let prefixes = parts.iter().filter_map(|(_, part)| part.get("prefixItems")?.as_array());
        let count = self.choice(2) + prefixes.map(Vec::len).max().unwrap_or(1);
        let mut items = Vec::new();
        for index in 0..count {
            let mut places = Vec::new();
            for (place, part) in parts {
                let prefix = part.get("prefixItems").and_then(Value::as_array).map_or(0, Vec::len);
                let rest = ["items", "contains", "unevaluatedItems"];
                let rest = rest.into_iter().find(|keyword| part.contains_key(*keyword));
                places.extend(match rest {
                    _ if index < prefix => Some(format!("{place}/prefixItems/{index}")),
                    rest => rest.map(|keyword| format!("{place}/{keyword}")),
                });
            }
            items.push(self.value(&places, depth - 1));
        }
        Value::Array(items)
    }

    fn string(&mut self, parts: &[(String, Map<String, Value>)]) -> Value {
        let mut texts = vec!["a".to_owned()];
        for (_, part) in parts {
            let text = |keyword: &str| part.get(keyword).and_then(Value::as_str);
            texts.extend(text("pattern").map(|pattern| texts_for(pattern)[0].to_owned()));
            texts.extend(text("format").map(|format| text_of(format).to_owned()));
            let length = part.get("minLength").or(part.get("maxLength")).and_then(Value::as_u64);
            texts.extend(length.map(|length| "b".repeat(length as usize)));
        }
        json!(texts[self.choice(texts.len())])
    }

    fn number(&mut self, parts: &[(String, Map<String, Value>)]) -> Value {
        let bounds = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"];
        let mut numbers = vec![json!(1)];
        for (_, part) in parts {
            for bound in bounds.iter().filter_map(|keyword| part.get(*keyword)) {
                let next = bound.as_f64().unwrap_or_default() + 1.0;
                numbers.extend([bound.clone(), json!(next), json!(next - 1.5)]);
            }
        }
        numbers.swap_remove(self.choice(numbers.len()))
    }
}

fn named<'p>(part: &'p Map<String, Value>, keyword: &str) -> impl Iterator<Item = &'p str> {
    part.get(keyword).and_then(Value::as_object).into_iter().flat_map(Map::keys).map(String::as_str)
}
