//! Where the schemas of a document are, and what a reference in it means.

use serde_json::Value;

/// The places of the subschemas in a keyword's value.
pub fn parts(keyword: &str, value: &Value, place: &str) -> Vec<String> {
    match (keyword, value) {
        (
            "properties" | "patternProperties" | "dependentSchemas" | "$defs" | "definitions",
            Value::Object(named),
        ) => named.keys().map(|name| format!("{place}/{}", escaped(name))).collect(),
        ("allOf" | "anyOf" | "oneOf" | "prefixItems", Value::Array(list)) => {
            (0..list.len()).map(|index| format!("{place}/{index}")).collect()
        }
        (
            "items"
            | "contains"
            | "unevaluatedItems"
            | "additionalProperties"
            | "propertyNames"
            | "unevaluatedProperties"
            | "contentSchema"
            | "not"
            | "if"
            | "then"
            | "else",
            Value::Object(_) | Value::Bool(_),
        ) => vec![place.to_owned()],
        _ => Vec::new(),
    }
}

/// The places of all schemas in the document.
pub fn schemas(root: &Value) -> Vec<String> {
    let mut found = Vec::new();
    below(root, String::new(), &mut found);
    found
}

fn below(root: &Value, place: String, found: &mut Vec<String>) {
    if let Some(Value::Object(schema)) = root.pointer(&place) {
        for (keyword, value) in schema {
            for part in parts(keyword, value, &format!("{place}/{}", escaped(keyword))) {
                below(root, part, found);
            }
        }
    }
    found.push(place);
}

/// The place of the innermost resource that a place is in.
pub fn resource(root: &Value, place: &str) -> String {
    let mut place = place;
    while !place.is_empty() {
        if root.pointer(place).is_some_and(|schema| schema.get("$id").is_some_and(Value::is_string)) {
            break;
        }
        place = &place[..place.rfind('/').expect("a pointer starts with /")];
    }
    place.to_owned()
}

/// Every place that a reference at `from` may mean.
pub fn meant(root: &Value, from: &str, reference: &str) -> Vec<String> {
    let (uri, fragment) = reference.split_once('#').unwrap_or((reference, ""));
    let all = schemas(root);
    let text = |place: &str, keyword: &str| {
        root.pointer(place)?.get(keyword).and_then(Value::as_str).map(str::to_owned)
    };
    let resources: Vec<String> = if uri.is_empty() {
        vec![resource(root, from)]
    } else {
        all.iter().filter(|place| text(place, "$id").as_deref() == Some(uri)).cloned().collect()
    };
    let fragment = decoded(fragment);
    if fragment.is_empty() || fragment.starts_with('/') {
        let places = resources.into_iter().map(|resource| format!("{resource}{fragment}"));
        return places.filter(|place| all.contains(place)).collect();
    }
    let named = |place: &String, keyword: &str| text(place, keyword).as_deref() == Some(&*fragment);
    let here = |place: &&String| {
        resources.contains(&resource(root, place))
            && (named(place, "$anchor") || named(place, "$dynamicAnchor"))
    };
    let found: Vec<String> = all.iter().filter(here).cloned().collect();
    // A dynamic anchor may be that of any resource that has led here.
    if found.iter().any(|place| named(place, "$dynamicAnchor")) {
        return all.iter().filter(|place| named(place, "$dynamicAnchor")).cloned().collect();
    }
    found
}

pub fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// A pointer as a fragment of a URI.
pub fn encoded(pointer: &str) -> String {
    let mut fragment = String::new();
    for byte in pointer.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~$".contains(&byte) {
            fragment.push(char::from(byte));
        } else {
            fragment.push_str(&format!("%{byte:02X}"));
        }
    }
    fragment
}

fn decoded(fragment: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = fragment;
    while let Some((before, after)) = rest.split_once('%') {
        bytes.extend(before.bytes());
        match after.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(b'%');
                rest = after;
            }
        }
    }
    bytes.extend(rest.bytes());
    String::from_utf8(bytes).unwrap_or_default()
}
