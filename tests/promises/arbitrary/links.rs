//! Anchors, embedded resources and references, put where the schemas of a document are.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::chance::Chance;
use super::places::{encoded, escaped, meant, parts, resource, schemas};

/// The reference that [`add`] replaces with one that leads somewhere.
pub const SOMEWHERE: &str = "#somewhere";

/// Keywords whose subschemas look at the same instance.
const IN_PLACE: [&str; 8] = ["allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas"];

const ROOT: &str = "https://example.com/root";
const EMBEDDED: &str = "https://example.com/tree";

/// Names some schemas, makes some a resource of their own, and lets each reference lead somewhere.
pub fn add(chance: &mut Chance<'_>, root: &mut Value) {
    if chance.one_in(6) {
        embed(chance, root);
    }
    if chance.one_in(3) {
        set_somewhere(chance, root, "$anchor", "named");
    }
    if chance.one_in(3) {
        set_somewhere(chance, root, "$dynamicAnchor", "node");
    }
    let all = schemas(root);
    for place in &all {
        if root.pointer(place).and_then(|schema| schema.get("$ref")) == Some(&json!(SOMEWHERE)) {
            let reference = reference(chance, root, place, &all);
            set(root, place, "$ref", &reference);
        }
    }
}

/// Two resources, each with a dynamic anchor.
fn embed(chance: &mut Chance<'_>, root: &mut Value) {
    set(root, "", "$id", ROOT);
    let all = schemas(root);
    let place = &all[chance.below(all.len())];
    if !place.is_empty() {
        set(root, place, "$id", EMBEDDED);
        set(root, place, "$dynamicAnchor", "node");
        if chance.one_in(2) {
            set(root, "", "$dynamicAnchor", "node");
        }
    }
}

/// In the outer resource, where the name is not taken yet.
fn set_somewhere(chance: &mut Chance<'_>, root: &mut Value, keyword: &str, name: &str) {
    let outer: Vec<String> =
        schemas(root).into_iter().filter(|place| resource(root, place).is_empty()).collect();
    let taken = |place: &String| root.pointer(place).is_some_and(|schema| schema.get(keyword).is_some());
    if !outer.iter().any(taken) {
        let place = &outer[chance.below(outer.len())];
        set(root, place, keyword, name);
    }
}

fn set(root: &mut Value, place: &str, keyword: &str, value: &str) {
    if let Some(Value::Object(schema)) = root.pointer_mut(place) {
        schema.insert(keyword.to_owned(), json!(value));
    }
}

fn reference(chance: &mut Chance<'_>, root: &Value, from: &str, all: &[String]) -> String {
    if chance.one_in(6) {
        return "#".into();
    }
    if chance.one_in(8) {
        return ["#named", "#node"][chance.below(2)].into();
    }
    let definitions: Vec<&String> = all.iter().filter(|place| place.starts_with("/$defs/")).collect();
    let to = match chance.below(2) {
        0 if !definitions.is_empty() => definitions[chance.below(definitions.len())],
        _ => &all[chance.below(all.len())],
    };
    let base = resource(root, to);
    let fragment = encoded(&to[base.len()..]);
    if base == resource(root, from) && !chance.one_in(8) {
        return format!("#{fragment}");
    }
    let uri = root.pointer(&base).and_then(|schema| schema.get("$id")).and_then(Value::as_str);
    match (uri, fragment.as_str()) {
        (Some(uri), "") => uri.to_owned(),
        (uri, fragment) => format!("{}#{fragment}", uri.unwrap_or_default()),
    }
}

/// Takes references out until no schema reaches itself on the same instance, and those that lead nowhere.
pub fn well_founded(mut root: Value) -> Value {
    for place in schemas(&root) {
        for keyword in ["$ref", "$dynamicRef"] {
            let Some(schema) = root.pointer(&place) else { continue };
            let Some(reference) = schema.get(keyword).and_then(Value::as_str) else { continue };
            let targets = meant(&root, &place, reference);
            let circular = |target: &String| reaches(&root, target, &place, &mut BTreeSet::new());
            if (targets.is_empty() || targets.iter().any(circular))
                && let Some(Value::Object(schema)) = root.pointer_mut(&place)
            {
                schema.remove(keyword);
            }
        }
    }
    root
}

fn reaches(root: &Value, from: &str, to: &str, seen: &mut BTreeSet<String>) -> bool {
    if from == to {
        return true;
    }
    if !seen.insert(from.to_owned()) {
        return false;
    }
    let Some(Value::Object(schema)) = root.pointer(from) else { return false };
    let mut next = Vec::new();
    for (keyword, value) in schema {
        let place = format!("{from}/{}", escaped(keyword));
        match value {
            Value::String(reference) if keyword == "$ref" || keyword == "$dynamicRef" => {
                next.extend(meant(root, from, reference));
            }
            value if IN_PLACE.contains(&keyword.as_str()) => next.extend(parts(keyword, value, &place)),
            _ => {}
        }
    }
    next.iter().any(|next| reaches(root, next, to, seen))
}
