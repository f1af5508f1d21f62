//! Smaller schemas.

use serde_json::{Map, Value, json};

/// Every way to make a schema a little smaller: the bold ones first. What comes out is a schema again.
pub fn smaller(schema: &Value) -> Vec<Value> {
    let Value::Object(keywords) = schema else { return Vec::new() };
    let mut smaller = Vec::new();
    if !keywords.is_empty() {
        smaller.push(json!(true));
    }
    smaller.extend(with_less(keywords, smaller_part));
    smaller
}

/// The object without each of its members, and with each made smaller.
fn with_less(members: &Map<String, Value>, of: impl Fn(&str, &Value) -> Vec<Value>) -> Vec<Value> {
    let without = members.keys().map(|name| {
        let mut fewer = members.clone();
        fewer.shift_remove(name);
        Value::Object(fewer)
    });
    let mut smaller: Vec<Value> = without.collect();
    for (name, member) in members {
        smaller.extend(of(name, member).into_iter().map(|inner| {
            let mut changed = members.clone();
            changed.insert(name.clone(), inner);
            Value::Object(changed)
        }));
    }
    smaller
}

/// The smaller values of a keyword.
fn smaller_part(keyword: &str, value: &Value) -> Vec<Value> {
    match (keyword, value) {
        (
            "properties" | "patternProperties" | "dependentSchemas" | "$defs" | "definitions",
            Value::Object(named),
        ) => with_less(named, |_, schema| smaller(schema)),
        ("allOf" | "anyOf" | "oneOf" | "prefixItems", Value::Array(schemas)) => {
            let mut found = with_fewer(schemas);
            for (index, schema) in schemas.iter().enumerate() {
                found.extend(smaller(schema).into_iter().map(|inner| {
                    let mut changed = schemas.clone();
                    changed[index] = inner;
                    Value::Array(changed)
                }));
            }
            found
        }
        ("type" | "enum", Value::Array(values)) => with_fewer(values),
        ("required", Value::Array(names)) if names.len() == 1 => vec![json!([])],
        ("required", Value::Array(names)) => with_fewer(names),
        ("const" | "enum" | "type" | "$ref" | "$dynamicRef" | "$id" | "$anchor" | "$dynamicAnchor", _) => {
            Vec::new()
        }
        (_, Value::Number(number)) => {
            let near = |other: i64| (number.as_f64() != Some(other as f64)).then(|| json!(other));
            let least = if keyword == "multipleOf" { None } else { near(0) };
            least.into_iter().chain(near(1)).collect()
        }
        ("default" | "examples" | "dependentRequired", _) => Vec::new(),
        (_, Value::Object(_)) => smaller(value),
        _ => Vec::new(),
    }
}

/// The list without each of its items, as long as one is left.
fn with_fewer(items: &[Value]) -> Vec<Value> {
    let without = (0..items.len()).filter(|_| items.len() > 1).map(|index| {
        let mut fewer = items.to_vec();
        fewer.remove(index);
        Value::Array(fewer)
    });
    without.collect()
}
