//! Whether a schema has the form that the surface wants.

use std::collections::HashSet;

use serde_json::Value;

use super::positions::Node;
use super::{Consequence, Found, consequence};
use crate::target::{BooleanSchemas, Siblings, Tuples, TypeArrays};
use crate::vocabulary::Keyword;

const COMBINATORS: [&str; 6] = ["anyOf", "oneOf", "allOf", "enum", "const", "not"];

pub(super) fn check(node: &Node<'_>, found: &mut Found<'_>) {
    boolean(node, found);
    if node.members().is_none() {
        return;
    }
    if node.is_root() {
        root(node, found);
    }
    types(node, found);
    objects(node, found);
    names(node, found);
    arrays(node, found);
    unions(node, found);
    references(node, found);
}

fn boolean(node: &Node<'_>, found: &mut Found<'_>) {
    let Some(value) = node.value.as_bool() else { return };
    // These two are spelled with booleans everywhere that they are taken.
    let has_its_own = matches!(node.under, Some("additionalProperties" | "items" | "additionalItems"));
    let is_taken = match found.target.structure().boolean_schemas {
        BooleanSchemas::None => false,
        BooleanSchemas::True => value,
        BooleanSchemas::Both => true,
    };
    if !has_its_own && !is_taken {
        let state = found.target.support_name("[bool]").state;
        let consequence = consequence(state).unwrap_or(Consequence::RequestError);
        found.keyword(&node.pointer(), "[bool]", consequence, &format!("the schema `{value}`"));
    }
}

fn root(node: &Node<'_>, found: &mut Found<'_>) {
    let structure = found.target.structure();
    let (is_object, combinators, reference) =
        (structure.root_object, structure.root_combinators, structure.root_reference);
    if is_object && !node.names_type("object") {
        found.form(node, "root object", "the root must be of type object");
    }
    for combinator in COMBINATORS.iter().filter(|name| !combinators && node.has(name)) {
        found.form(node, "root combinators", format!("`{combinator}` may not stand at the root"));
    }
    if !reference && node.has("$ref") {
        found.form(node, "root reference", "`$ref` may not stand at the root");
    }
}

fn types(node: &Node<'_>, found: &mut Found<'_>) {
    let structure = found.target.structure();
    if structure.type_required && !["type", "anyOf", "$ref"].iter().any(|name| node.has(name)) {
        found.form(node, "type required", "every node needs `type`, `anyOf` or `$ref`");
    }
    if structure.enum_needs_type && !node.has("type") && (node.has("enum") || node.has("const")) {
        found.form(node, "enum needs type", "`enum` and `const` need `type` beside them");
    }
    if let Some(Value::Array(names)) = node.value.get("type") {
        let with_null = names.iter().any(|name| name == "null");
        let is_taken = match structure.type_arrays {
            TypeArrays::None => false,
            TypeArrays::Nullable => names.len() == 1 || names.len() == 2 && with_null,
            TypeArrays::Any => true,
        };
        if !is_taken {
            found.form(node, "type arrays", "`type` may not be this list");
        }
    }
}

fn objects(node: &Node<'_>, found: &mut Found<'_>) {
    let structure = found.target.structure();
    let is_typed = node.has("type") || node.has("const");
    let is_object = node.names_type("object") || node.has("properties") && !is_typed;
    let declared = |name: &str| node.value.get("properties").is_some_and(|named| named.get(name).is_some());
    let required: HashSet<&str> = node.required().collect();
    if structure.all_required
        && let Some((name, _)) = node.properties().find(|(name, _)| !required.contains(name.as_str()))
    {
        found.form(node, "all required", format!("every property must be required, and `{name}` is not"));
    }
    let closes = node.value.get("additionalProperties") == Some(&Value::Bool(false));
    if structure.closed_objects && is_object && !closes {
        found.form(node, "closed objects", "every object must say `additionalProperties: false`");
    }
    if structure.required_declared
        && let Some(name) = node.required().find(|name| !declared(name))
    {
        found.form(node, "required declared", format!("`{name}` is required and not in `properties`"));
    }
    if structure.one_required && is_object && required.is_empty() {
        found.form(node, "one required", "every object needs a required property");
    }
    if structure.property_ordering && node.has("properties") && !node.has("propertyOrdering") {
        found.form(node, "property ordering", "`propertyOrdering` must list the properties");
    }
}

fn names(node: &Node<'_>, found: &mut Found<'_>) {
    let target = found.target;
    if let Some((name, _)) = node.properties().find(|(name, _)| !target.can_name(name)) {
        found.form(node, "property names", format!("a property may not be called `{name}`"));
    }
}

fn arrays(node: &Node<'_>, found: &mut Found<'_>) {
    let structure = found.target.structure();
    let tuple = node.value.get("prefixItems").and_then(Value::as_array);
    if structure.items_required && node.names_type("array") && !node.has("items") && tuple.is_none() {
        found.form(node, "items required", "every array must say `items`");
    }
    let Some(tuple) = tuple else { return };
    let count = |name: &str| node.value.get(name).and_then(Value::as_u64);
    let length = tuple.len() as u64;
    let fits = match structure.tuples {
        Tuples::None | Tuples::PrefixItems => true,
        Tuples::Closed => node.value.get("items") == Some(&Value::Bool(false)),
        Tuples::FixedLength => count("minItems") == Some(length) && count("maxItems") == Some(length),
        Tuples::WithoutItems => !node.has("items"),
    };
    if !fits {
        found.form(node, "tuples", "a tuple is not written in the form that is taken");
    }
}

fn unions(node: &Node<'_>, found: &mut Found<'_>) {
    let structure = found.target.structure();
    let (is_alone, is_bare) = (structure.any_of_alone, structure.any_of_bare);
    if !node.has("anyOf") || !(is_alone || is_bare) {
        return;
    }
    let constrains = |name: &str| Keyword::from_name(name).is_some_and(Keyword::constrains);
    let beside = |name: &&String| {
        *name != "anyOf" && (is_bare || constrains(name)) && !matches!(name.as_str(), "$defs" | "definitions")
    };
    if let Some(name) = node.members().and_then(|members| members.keys().find(beside)) {
        found.form(node, "anyOf alone", format!("`{name}` may not stand beside `anyOf`"));
    }
}

fn references(node: &Node<'_>, found: &mut Found<'_>) {
    if !node.has("$ref") {
        return;
    }
    let siblings = found.target.structure().reference_siblings;
    let is_definition = |name: &str| node.is_root() && matches!(name, "$defs" | "definitions" | "$schema");
    let is_taken = |name: &str| match siblings {
        _ if name == "$ref" || is_definition(name) => true,
        Siblings::None => false,
        Siblings::Dollar => name.starts_with('$'),
        Siblings::Annotations => Keyword::from_name(name).is_none_or(|keyword| !keyword.constrains()),
        Siblings::Any => true,
    };
    if let Some(name) = node.members().and_then(|members| members.keys().find(|name| !is_taken(name))) {
        found.form(node, "reference siblings", format!("`{name}` may not stand beside `$ref`"));
    }
}
