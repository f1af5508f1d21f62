//! The places in a schema, as it is written, at which a schema stands.

use serde_json::{Map, Value, json};

use crate::target::{Nullable, Target};
use crate::vocabulary::Holds;

/// A schema in the schema that is checked.
pub(super) struct Node<'a> {
    /// Its JSON Pointer.
    path: String,
    pub(super) value: &'a Value,
    /// The keyword that holds it; none at the root.
    pub(super) under: Option<&'a str>,
}

impl<'a> Node<'a> {
    pub(super) fn pointer(&self) -> String {
        format!("#{}", self.path)
    }

    pub(super) fn is_root(&self) -> bool {
        self.under.is_none()
    }

    pub(super) fn members(&self) -> Option<&'a Map<String, Value>> {
        self.value.as_object()
    }

    pub(super) fn has(&self, keyword: &str) -> bool {
        self.value.get(keyword).is_some()
    }

    /// Whether `type` names this type, in capitals or not.
    pub(super) fn names_type(&self, name: &str) -> bool {
        let is_it = |value: &Value| value.as_str().is_some_and(|text| text.eq_ignore_ascii_case(name));
        match self.value.get("type") {
            Some(Value::Array(names)) => names.iter().any(is_it),
            Some(value) => is_it(value),
            None => false,
        }
    }

    pub(super) fn properties(&self) -> impl Iterator<Item = (&'a String, &'a Value)> + use<'a> {
        self.value.get("properties").and_then(Value::as_object).into_iter().flatten()
    }

    pub(super) fn required(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.value.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
    }
}

/// Every schema in the schema, itself first.
pub(super) fn nodes(schema: &Value) -> Vec<Node<'_>> {
    let mut nodes = vec![Node { path: String::new(), value: schema, under: None }];
    let mut next = 0;
    while let Some((path, members)) = nodes.get(next).map(|node| (node.path.clone(), node.members())) {
        for (keyword, value) in members.into_iter().flatten() {
            nodes.extend(held(&path, keyword, value));
        }
        next += 1;
    }
    nodes
}

/// The schemas that a keyword of any draft holds.
fn held<'a>(path: &str, keyword: &'a str, value: &'a Value) -> Vec<Node<'a>> {
    let escaped = |name: &str| name.replace('~', "~0").replace('/', "~1");
    let node = |path: String, value: &'a Value| Node { path, value, under: Some(keyword) };
    match (Holds::in_any_draft(keyword, value), value) {
        (Holds::Schema, Value::Object(_) | Value::Bool(_)) => vec![node(format!("{path}/{keyword}"), value)],
        (Holds::Schemas, Value::Array(schemas)) => {
            let at = |(index, schema)| node(format!("{path}/{keyword}/{index}"), schema);
            schemas.iter().enumerate().map(at).collect()
        }
        (Holds::NamedSchemas, Value::Object(named)) => {
            let schemas = named.iter().filter(|(_, schema)| schema.is_object() || schema.is_boolean());
            schemas
                .map(|(name, schema)| node(format!("{path}/{keyword}/{}", escaped(name)), schema))
                .collect()
        }
        _ => Vec::new(),
    }
}

/// The schema with the words of the target's dialect in those of the standard: types in small letters, and `null`
/// as a type instead of a marker.
pub(super) fn in_standard_words(schema: &Value, nodes: &[Node<'_>], target: &Target) -> Value {
    let mut standard = schema.clone();
    let structure = target.structure();
    let has_marker = structure.nullable == Nullable::Marker;
    if !has_marker && !structure.uppercase_types {
        return standard;
    }
    for node in nodes {
        let Some(members) = standard.pointer_mut(&node.path).and_then(Value::as_object_mut) else { continue };
        let Some(Value::String(name)) = members.get("type") else { continue };
        let name = if structure.uppercase_types { name.to_lowercase() } else { name.clone() };
        let may_be_null = has_marker && members.get("nullable") == Some(&Value::Bool(true));
        let types = if may_be_null { json!([name, "null"]) } else { Value::from(name) };
        members.insert("type".to_owned(), types);
    }
    standard
}
