//! Values that are too large for a file, made from a description of them.
//!
//! `{"$make": {"kind": …}}` may stand wherever a value may.

use serde_json::{Map, Value, json};

/// The value that a description stands for. The description itself is small; what it stands for may be
/// nested so deep that it must be taken apart with [`dismantle`].
pub fn expand(description: &Value) -> Value {
    match description {
        Value::Object(members) => match members.get("$make") {
            Some(recipe) => make(recipe),
            None => members.iter().map(|(name, value)| (name.clone(), expand(value))).collect(),
        },
        Value::Array(items) => items.iter().map(expand).collect(),
        scalar => scalar.clone(),
    }
}

fn make(recipe: &Value) -> Value {
    let number = |name: &str| usize::try_from(recipe[name].as_u64().expect("a number")).expect("it fits");
    let part = |name: &str| recipe.get(name).map_or(json!({}), expand);
    match recipe["kind"].as_str().expect("a kind") {
        "text" => Value::String(text(recipe)),
        "nested" => nested(recipe.get("keyword").and_then(Value::as_str), number("depth"), part("inner")),
        "diamond" => diamond(recipe["keyword"].as_str().expect("a keyword"), number("levels"), &part("end")),
        "chain" => chain(recipe["keyword"].as_str().expect("a keyword"), number("levels")),
        "members" => (0..number("count"))
            .map(|index| (format!("p{index}"), numbered(&recipe["value"], index)))
            .collect::<Map<_, _>>()
            .into(),
        "copies" => (0..number("count")).map(|index| numbered(&recipe["value"], index)).collect(),
        "each" => each(&recipe["keywords"], &recipe["values"]),
        other => panic!("there is no recipe {other}"),
    }
}

fn text(recipe: &Value) -> String {
    let of = |name: &str| recipe.get(name).and_then(Value::as_str).unwrap_or_default();
    let times = usize::try_from(recipe["times"].as_u64().expect("a number")).expect("it fits");
    format!("{}{}{}", of("before"), of("repeat").repeat(times), of("after"))
}

/// Objects with one member each, or arrays with one item where no keyword is given. `allOf` and the like
/// hold arrays.
fn nested(keyword: Option<&str>, depth: usize, inner: Value) -> Value {
    (0..depth).fold(inner, |inner, _| {
        // Moved and never copied: copying recurses.
        match keyword {
            None => Value::Array(vec![inner]),
            Some(name @ ("allOf" | "anyOf" | "oneOf" | "prefixItems")) => {
                Value::Object(Map::from_iter([(name.to_owned(), Value::Array(vec![inner]))]))
            }
            Some(name) => Value::Object(Map::from_iter([(name.to_owned(), inner)])),
        }
    })
}

/// Definitions each of which has the next one twice: as many paths as two to the power of the levels.
fn diamond(keyword: &str, levels: usize, end: &Value) -> Value {
    let mut definitions = Map::new();
    for index in 0..levels {
        let next = json!({"$ref": format!("#/$defs/d{}", index + 1)});
        let both = match keyword {
            "properties" => json!({"type": "object", "properties": {"a": next, "b": next}}),
            "required" => {
                json!({"type": "object", "properties": {"a": next, "b": next}, "required": ["a", "b"]})
            }
            "if" => json!({"if": next, "then": next, "else": next}),
            "not" => json!({"allOf": [{"not": next}, {"not": next}]}),
            // Siblings that differ, so that equal branches are not noticed.
            list => json!({list: [next, {"title": "b", "$ref": format!("#/$defs/d{}", index + 1)}]}),
        };
        definitions.insert(format!("d{index}"), both);
    }
    definitions.insert(format!("d{levels}"), end.clone());
    json!({"$ref": "#/$defs/d0", "$defs": definitions})
}

/// Definitions each of which refers to the next one, below a keyword or, for `$ref`, without anything else.
fn chain(keyword: &str, levels: usize) -> Value {
    let mut definitions = Map::new();
    for index in 0..levels {
        let next = json!({"$ref": format!("#/$defs/d{}", index + 1)});
        let link = match keyword {
            "$ref" => next,
            "properties" => json!({"properties": {"a": next}}),
            "allOf" => json!({"allOf": [next]}),
            holder => json!({holder: next}),
        };
        definitions.insert(format!("d{index}"), link);
    }
    definitions.insert(format!("d{levels}"), json!({"type": "string", "minLength": 2}));
    json!({"$ref": "#/$defs/d0", "$defs": definitions})
}

/// The template with its number in place of each `"@"`, and behind each `@` that ends a string.
fn numbered(template: &Value, index: usize) -> Value {
    match template {
        Value::String(text) if text == "@" => index.into(),
        Value::String(text) => match text.strip_suffix('@') {
            Some(start) => format!("{start}{index}").into(),
            None => template.clone(),
        },
        Value::Array(items) => items.iter().map(|item| numbered(item, index)).collect(),
        Value::Object(members) => {
            members.iter().map(|(name, value)| (name.clone(), numbered(value, index))).collect()
        }
        scalar => scalar.clone(),
    }
}

/// A schema for each keyword with each value, as the root and below a property.
fn each(keywords: &Value, values: &Value) -> Value {
    let mut schemas = Map::new();
    for keyword in keywords.as_array().expect("keywords").iter().filter_map(Value::as_str) {
        for value in values.as_array().expect("values") {
            let schema = json!({"type": "object", "properties": {"a": {keyword: value}}, keyword: value});
            schemas.insert(format!("{keyword}: {value}"), schema);
        }
    }
    schemas.into()
}

/// Drops a value of any depth; the ordinary drop recurses.
pub fn dismantle(value: Value) {
    let mut pending = vec![value];
    while let Some(value) = pending.pop() {
        match value {
            Value::Array(items) => pending.extend(items),
            Value::Object(members) => pending.extend(members.into_iter().map(|(_, member)| member)),
            _ => {}
        }
    }
}
