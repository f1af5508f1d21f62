//! How large a source may be, checked before anything recursive looks at it.
//!
//! A schema built in memory can be nested a hundred thousand levels deep. The walk here keeps its own
//! stack, and everything after it may recurse as deep as the budget allows.

use std::collections::BTreeSet;

use jsonschema::Draft;
use serde_json::Value;

use crate::error::Error;

use super::dialect::{self, Shape};

/// How much larger than the source the lifted schema may become.
const COPIES: usize = 8;

/// Limits on the size of a source.
#[derive(Debug, Clone)]
pub(crate) struct Budget {
    /// How deep schemas may be nested in schemas, and data in the schema that holds it.
    pub(crate) depth: usize,
    /// How many schemas there may be, in the source and again in what it is lifted to.
    pub(crate) nodes: usize,
    /// How many bytes of strings, names and data there may be, roughly. What is lifted may hold a place
    /// several times, and remembers the pointer to each: it may have [`COPIES`] times as many.
    pub(crate) literal_bytes: usize,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { depth: 96, nodes: 32_768, literal_bytes: 8 << 20 }
    }
}

impl Budget {
    pub(super) fn check_depth(&self, depth: usize) -> Result<(), Error> {
        within("depth", depth, self.depth)
    }

    pub(super) fn check_nodes(&self, nodes: usize) -> Result<(), Error> {
        within("nodes", nodes, self.nodes)
    }

    /// Checks the bytes of what has been lifted, or the length of all pointers together.
    pub(super) fn check_copies(&self, bytes: usize) -> Result<(), Error> {
        if bytes / COPIES > self.literal_bytes {
            return Err(Error::Budget { which: "literal bytes", limit: self.literal_bytes });
        }
        Ok(())
    }
}

fn within(which: &'static str, used: usize, limit: usize) -> Result<(), Error> {
    if used > limit { Err(Error::Budget { which, limit }) } else { Ok(()) }
}

/// What one walk over a source finds out.
#[derive(Debug, Default)]
pub(super) struct Measure<'a> {
    /// Whether any object has a member named like a reference; without one nothing needs resolving.
    pub(super) references: bool,
    /// Whether any object has `$schema` below the root.
    pub(super) dialects: bool,
    /// Whether `unevaluatedProperties` occurs.
    pub(super) unevaluated_properties: bool,
    /// Whether `$recursiveAnchor` occurs.
    pub(super) recursive_anchor: bool,
    /// The names of the dynamic anchors.
    pub(super) dynamic_anchors: BTreeSet<&'a str>,
    /// The address of every place that the meta-schema of the draft beside it looks at.
    pub(super) checked: Vec<(usize, Draft)>,
}

/// A place still to be looked at.
struct Place<'a> {
    value: &'a Value,
    depth: usize,
    /// The length of the pointer to it.
    pointer: usize,
    /// The draft, where this is a schema; and whether the meta-schema gets there.
    schema: Option<(Draft, bool)>,
}

/// Measures a source, or says which budget it is over.
pub(super) fn measure<'a>(source: &'a Value, draft: Draft, budget: &Budget) -> Result<Measure<'a>, Error> {
    let mut walk = Walk { measure: Measure::default(), stack: Vec::new(), nodes: 0, bytes: 0, pointers: 0 };
    walk.stack.push(Place { value: source, depth: 0, pointer: 1, schema: Some((draft, true)) });
    while let Some(place) = walk.stack.pop() {
        budget.check_depth(place.depth)?;
        walk.visit(&place);
        budget.check_nodes(walk.nodes)?;
        within("literal bytes", walk.bytes, budget.literal_bytes)?;
        budget.check_copies(walk.pointers)?;
    }
    Ok(walk.measure)
}

struct Walk<'a> {
    measure: Measure<'a>,
    stack: Vec<Place<'a>>,
    nodes: usize,
    bytes: usize,
    /// The length of the pointers to all schemas: a long name counts for everything below it.
    pointers: usize,
}

impl<'a> Walk<'a> {
    fn visit(&mut self, place: &Place<'a>) {
        if place.schema.is_some() {
            self.pointers = self.pointers.saturating_add(place.pointer);
        }
        match (place.value, place.schema) {
            (Value::Object(members), schema) => {
                let schema = schema.map(|(draft, checked)| match draft.detect(place.value) {
                    Draft::Unknown => (draft, checked),
                    own => (own, checked),
                });
                if let Some((draft, checked)) = schema {
                    self.nodes += 1;
                    if checked {
                        self.measure.checked.push((std::ptr::from_ref(place.value).addr(), draft));
                    }
                }
                for (name, value) in members {
                    self.bytes += name.len();
                    self.note(name, value, place.depth);
                    match schema {
                        Some((draft, checked)) => self.keyword((draft, checked), name, value, place),
                        None => self.data(value, place.depth),
                    }
                }
            }
            (Value::Bool(_), Some((draft, checked))) => {
                self.nodes += 1;
                if checked {
                    self.measure.checked.push((std::ptr::from_ref(place.value).addr(), draft));
                }
            }
            (Value::Array(items), _) => {
                for item in items {
                    self.data(item, place.depth);
                }
            }
            (Value::String(text), _) => self.bytes += text.len(),
            _ => {}
        }
    }

    /// Members are noted by name wherever they are: a reference may lead into what looks like data.
    fn note(&mut self, name: &str, value: &'a Value, depth: usize) {
        match name {
            "$ref" | "$dynamicRef" | "$recursiveRef" => self.measure.references = true,
            "$schema" => self.measure.dialects |= depth > 0,
            "unevaluatedProperties" => self.measure.unevaluated_properties = true,
            "$recursiveAnchor" => self.measure.recursive_anchor = true,
            "$dynamicAnchor" => self.measure.dynamic_anchors.extend(value.as_str()),
            _ => {}
        }
    }

    fn keyword(&mut self, dialect: (Draft, bool), name: &str, value: &'a Value, around: &Place<'a>) {
        let shape = dialect::shape(dialect.0, name);
        let dialect = (dialect.0, dialect.1 && shape != Shape::ForeignDefinitions);
        let mut schema = |value: &'a Value, token: usize| {
            let pointer = around.pointer + name.len() + token;
            self.stack.push(Place { value, depth: around.depth + 1, pointer, schema: Some(dialect) });
        };
        match (shape, value) {
            (Shape::Schema | Shape::Items, Value::Object(_) | Value::Bool(_)) => schema(value, 1),
            (Shape::Schemas | Shape::Items, Value::Array(items)) => {
                items.iter().for_each(|item| schema(item, 8));
            }
            (
                Shape::Named | Shape::Definitions | Shape::ForeignDefinitions | Shape::Dependencies,
                Value::Object(members),
            ) => {
                members.iter().for_each(|(member, value)| schema(value, member.len() + 2));
                self.bytes += members.keys().map(String::len).sum::<usize>();
            }
            _ => self.data(value, around.depth),
        }
    }

    fn data(&mut self, value: &'a Value, depth: usize) {
        // Numbers, booleans and brackets take room too; eight bytes stand for each.
        self.bytes += 8;
        let depth = if value.is_object() || value.is_array() { depth + 1 } else { depth };
        if !matches!(value, Value::Null | Value::Bool(_) | Value::Number(_)) {
            self.stack.push(Place { value, depth, pointer: 0, schema: None });
        }
    }
}

/// The bytes that a copy of some data takes, roughly. Recurses no deeper than the budget allows.
pub(super) fn size(value: &Value) -> usize {
    8 + match value {
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(size).sum(),
        Value::Object(members) => members.iter().map(|(name, value)| name.len() + size(value)).sum(),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn over(source: &Value, budget: &Budget) -> Option<&'static str> {
        match measure(source, Draft::Draft202012, budget) {
            Err(Error::Budget { which, .. }) => Some(which),
            _ => None,
        }
    }

    #[test]
    fn a_subschema_is_one_level_deeper_than_its_schema() {
        let budget = Budget { depth: 2, ..Budget::default() };
        let two = json!({"properties": {"a": {"items": {}}}});
        assert_eq!(over(&two, &budget), None);
        let three = json!({"properties": {"a": {"items": {"not": {}}}}});
        assert_eq!(over(&three, &budget), Some("depth"));
        assert_eq!(over(&json!({"const": [[]]}), &budget), None);
        assert_eq!(over(&json!({"const": [[[]]]}), &budget), Some("depth"));
    }

    #[test]
    fn a_hundred_thousand_levels_are_refused_without_recursion() {
        let mut deep = json!({});
        for _ in 0..100_000 {
            deep = Value::Object([("not".to_owned(), deep)].into_iter().collect());
        }
        assert_eq!(over(&deep, &Budget::default()), Some("depth"));
        // Dropping it would recurse.
        std::mem::forget(deep);
    }

    #[test]
    fn nodes_and_bytes_are_counted() {
        let budget = Budget { nodes: 2, literal_bytes: 64, ..Budget::default() };
        assert_eq!(over(&json!({"anyOf": [true, true]}), &budget), Some("nodes"));
        assert_eq!(over(&json!({"const": "x".repeat(100)}), &budget), Some("literal bytes"));
    }

    #[test]
    fn a_long_name_counts_for_everything_below_it() {
        let below: Vec<Value> = (0..1000).map(|_| json!({})).collect();
        let source = json!({"properties": {("x".repeat(1000)): {"anyOf": below}}});
        let budget = Budget { literal_bytes: 20_000, ..Budget::default() };
        assert_eq!(over(&source, &budget), Some("literal bytes"));
        assert_eq!(over(&source, &Budget::default()), None);
    }
}
