//! Instances from the wire's shape to the source's, and back.
//!
//! Both directions walk the projection (the document before encoding) beside the instance. Under `anyOf`
//! the branch is found by trying: the first branch that accepts the value, in the shape it has. A `null` at
//! an optional property stands for absence where the projection does not accept `null` there. Where it
//! does, the `null` is kept and its place is reported as ambiguous: only the source can tell.

use serde_json::{Map, Value};

use super::encode::{Encodings, RESPONSE, accepts_null, is_optional};
use crate::schema::{Document, Schema, escaped};
use crate::vocabulary::Keyword;

/// References followed without going into the instance; more only happens in a circle.
const MAX_ALIASES: usize = 128;

/// Says whether the schema at a pointer of a document accepts a value.
pub(crate) trait Accepts {
    fn accepts(&self, pointer: &str, value: &Value) -> bool;
}

/// A decoded instance.
#[derive(Debug, PartialEq)]
pub(crate) struct Decoded {
    pub(crate) value: Value,
    /// Pointers, in the source's shape, to every kept `null` that may stand for absence.
    pub(crate) ambiguous: Vec<String>,
}

/// Every branch of a union by its pointer, where decoding can depend on which branch a value is in: one of
/// them describes objects or arrays, or refers to something.
pub(crate) fn deciding_branches(document: &Document) -> Vec<(String, &Schema)> {
    let mut found = Vec::new();
    let definitions = document.definitions().iter().map(|(name, schema)| (format!("/$defs/{name}"), schema));
    let mut pending: Vec<(String, &Schema)> =
        std::iter::once((String::new(), &document.root)).chain(definitions).collect();
    while let Some((pointer, schema)) = pending.pop() {
        let branches = schema.schemas(Keyword::AnyOf);
        if branches.len() > 1 && branches.iter().any(holds_parts) {
            let at = |(index, branch)| (format!("{pointer}/anyOf/{index}"), branch);
            found.extend(branches.iter().enumerate().map(at));
        }
        for (keyword, part) in schema.keywords() {
            let placed = part.placed();
            pending.extend(placed.map(|(token, schema)| (format!("{pointer}/{keyword}{token}"), schema)));
        }
    }
    found
}

fn holds_parts(schema: &Schema) -> bool {
    [Keyword::Properties, Keyword::Items, Keyword::PrefixItems, Keyword::Ref, Keyword::AnyOf]
        .iter()
        .any(|keyword| schema.has(*keyword))
}

/// From the wire's shape to the source's. `None` where the wrapper is missing.
///
/// `accepts` speaks of the encoded document.
pub(crate) fn decode(
    value: Value,
    projected: &Document,
    encodings: Encodings,
    accepts: &dyn Accepts,
) -> Option<Decoded> {
    let (value, root) = if encodings.wrapped_root {
        let Value::Object(mut wrapper) = value else { return None };
        let inner = wrapper.remove(RESPONSE)?;
        if !wrapper.is_empty() {
            return None;
        }
        (inner, format!("/properties/{RESPONSE}"))
    } else {
        (value, String::new())
    };
    if !encodings.optional_as_nullable {
        return Some(Decoded { value, ambiguous: Vec::new() });
    }
    let mut walk = Walk { projected, accepts, direction: Direction::Decode, ambiguous: Vec::new() };
    let value = walk.value(value, &projected.root, root, "");
    Some(Decoded { value, ambiguous: walk.ambiguous })
}

/// From the source's shape to the wire's. `accepts` speaks of the document before encoding.
pub(crate) fn encode_instance(
    value: Value,
    projected: &Document,
    encodings: Encodings,
    accepts: &dyn Accepts,
) -> Value {
    let value = if encodings.optional_as_nullable {
        let mut walk = Walk { projected, accepts, direction: Direction::Encode, ambiguous: Vec::new() };
        walk.value(value, &projected.root, String::new(), "")
    } else {
        value
    };
    if encodings.wrapped_root { Value::Object(Map::from_iter([(RESPONSE.to_owned(), value)])) } else { value }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Direction {
    Encode,
    Decode,
}

struct Walk<'a> {
    projected: &'a Document,
    accepts: &'a dyn Accepts,
    direction: Direction,
    ambiguous: Vec<String>,
}

impl<'a> Walk<'a> {
    /// `place` points to the schema, `at` to the value in the source's shape.
    fn value(&mut self, value: Value, schema: &'a Schema, place: String, at: &str) -> Value {
        if !matches!(value, Value::Object(_) | Value::Array(_)) {
            return value;
        }
        let (schema, place) = self.chosen(&value, schema, place);
        match value {
            Value::Object(object) => Value::Object(self.object(object, schema, &place, at)),
            Value::Array(items) => {
                let items = items.into_iter().enumerate();
                Value::Array(items.map(|(index, item)| self.item(item, index, schema, &place, at)).collect())
            }
            scalar => scalar,
        }
    }

    /// Follows references, and unions to the first branch that accepts the value.
    fn chosen(&self, value: &Value, mut schema: &'a Schema, mut place: String) -> (&'a Schema, String) {
        for _ in 0..MAX_ALIASES {
            if let Some(name) = schema.target() {
                let Some(target) = self.projected.definition(name) else { break };
                schema = target;
                place = format!("/$defs/{name}");
                continue;
            }
            let branches = schema.schemas(Keyword::AnyOf);
            let at = |index: usize| format!("{place}/anyOf/{index}");
            let chosen = match branches {
                [] => break,
                [only] => Some((0, only)),
                _ => branches.iter().enumerate().find(|(index, _)| self.accepts.accepts(&at(*index), value)),
            };
            let Some((index, branch)) = chosen else { break };
            place = at(index);
            schema = branch;
        }
        (schema, place)
    }

    fn item(&mut self, item: Value, index: usize, schema: &'a Schema, place: &str, at: &str) -> Value {
        let prefix = schema.schemas(Keyword::PrefixItems);
        let found = match prefix.get(index) {
            Some(schema) => Some((schema, format!("{place}/prefixItems/{index}"))),
            None => schema.schema(Keyword::Items).map(|schema| (schema, format!("{place}/items"))),
        };
        match found {
            Some((schema, place)) => self.value(item, schema, place, &format!("{at}/{index}")),
            None => item,
        }
    }

    fn object(
        &mut self,
        mut object: Map<String, Value>,
        schema: &'a Schema,
        place: &str,
        at: &str,
    ) -> Map<String, Value> {
        let mut walked = Map::new();
        for (name, property) in schema.named(Keyword::Properties) {
            let optional = is_optional(schema, name);
            let Some(value) = object.shift_remove(name) else {
                if optional && self.direction == Direction::Encode {
                    walked.insert(name.clone(), Value::Null);
                }
                continue;
            };
            let at = format!("{at}/{}", escaped(name));
            if optional && value.is_null() && self.direction == Direction::Decode {
                if !accepts_null(self.projected, property) {
                    continue;
                }
                self.ambiguous.push(at.clone());
            }
            let place = format!("{place}/properties/{}", escaped(name));
            walked.insert(name.clone(), self.value(value, property, place, &at));
        }
        for (name, value) in object {
            let value = match schema.schema(Keyword::AdditionalProperties) {
                Some(additional) => {
                    let at = format!("{at}/{}", escaped(&name));
                    self.value(value, additional, format!("{place}/additionalProperties"), &at)
                }
                None => value,
            };
            walked.insert(name, value);
        }
        walked
    }
}
