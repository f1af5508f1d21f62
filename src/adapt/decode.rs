//! Instances from the wire's shape to the source's, and back.
//!
//! Both directions walk the projection (the document before encoding) beside the instance. Under `anyOf`
//! the branch is found by its types where those are enough (see [`super::contested`]), and else by trying:
//! the first branch that accepts the value, in the shape it has. A `null` at an optional property stands for absence where the projection does not accept `null` there. Where it
//! does, the `null` is kept and its place is reported as ambiguous: only the source can tell.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::contested::{MAX_ALIASES, admitting};
use super::encode::{Encodings, RESPONSE, accepts_null};
use crate::error::Error;
use crate::schema::{Document, Schema, escaped};
use crate::vocabulary::{Keyword, Types};

/// Says whether the contested branch at a pointer of the projection accepts a value.
pub(crate) trait Accepts {
    /// The value is there to be moved; when this returns it is as it was.
    ///
    /// # Errors
    ///
    /// [`Error::Probe`] where it could not be told.
    fn accepts(&self, pointer: &str, value: &mut Value) -> Result<bool, Error>;
}

/// A decoded instance.
#[derive(Debug, PartialEq)]
pub(crate) struct Decoded {
    pub(crate) value: Value,
    /// Pointers, in the source's shape, to every kept `null` that may stand for absence.
    pub(crate) ambiguous: Vec<String>,
}

/// From the wire's shape to the source's. `None` where the wrapper is missing.
///
/// `accepts` speaks of the branches in the wire's shape.
pub(crate) fn decode(
    value: Value,
    projected: &Document,
    encodings: Encodings,
    accepts: &dyn Accepts,
) -> Result<Option<Decoded>, Error> {
    let Some(value) = unwrapped(value, encodings) else { return Ok(None) };
    if !encodings.optional_as_nullable {
        return Ok(Some(Decoded { value, ambiguous: Vec::new() }));
    }
    let mut walk = Walk { projected, accepts, direction: Direction::Decode, ambiguous: Vec::new() };
    let value = walk.value(value, &projected.root, String::new(), "")?;
    Ok(Some(Decoded { value, ambiguous: walk.ambiguous }))
}

fn unwrapped(value: Value, encodings: Encodings) -> Option<Value> {
    if !encodings.wrapped_root {
        return Some(value);
    }
    let Value::Object(mut wrapper) = value else { return None };
    let inner = wrapper.remove(RESPONSE)?;
    wrapper.is_empty().then_some(inner)
}

/// From the source's shape to the wire's. `accepts` speaks of the branches in the source's shape.
pub(crate) fn encode_instance(
    value: Value,
    projected: &Document,
    encodings: Encodings,
    accepts: &dyn Accepts,
) -> Result<Value, Error> {
    let value = if encodings.optional_as_nullable {
        let mut walk = Walk { projected, accepts, direction: Direction::Encode, ambiguous: Vec::new() };
        walk.value(value, &projected.root, String::new(), "")?
    } else {
        value
    };
    Ok(match encodings.wrapped_root {
        true => Value::Object(Map::from_iter([(RESPONSE.to_owned(), value)])),
        false => value,
    })
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
    fn value(
        &mut self,
        mut value: Value,
        schema: &'a Schema,
        place: String,
        at: &str,
    ) -> Result<Value, Error> {
        if !matches!(value, Value::Object(_) | Value::Array(_)) {
            return Ok(value);
        }
        let (schema, place) = self.chosen(&mut value, schema, place)?;
        Ok(match value {
            Value::Object(object) => Value::Object(self.object(object, schema, &place, at)?),
            Value::Array(items) => {
                let items = items.into_iter().enumerate();
                let items = items.map(|(index, item)| self.item(item, index, schema, &place, at));
                Value::Array(items.collect::<Result<_, _>>()?)
            }
            scalar => scalar,
        })
    }

    /// Follows references, and unions to the first branch that accepts the value.
    fn chosen(
        &self,
        value: &mut Value,
        mut schema: &'a Schema,
        mut place: String,
    ) -> Result<(&'a Schema, String), Error> {
        for _ in 0..MAX_ALIASES {
            if let Some(name) = schema.target() {
                let Some(target) = self.projected.definition(name) else { break };
                schema = target;
                place = format!("/$defs/{name}");
                continue;
            }
            let Some((index, branch)) = self.branch(value, schema, &place)? else { break };
            place = format!("{place}/anyOf/{index}");
            schema = branch;
        }
        Ok((schema, place))
    }

    fn branch(
        &self,
        value: &mut Value,
        schema: &'a Schema,
        place: &str,
    ) -> Result<Option<(usize, &'a Schema)>, Error> {
        let branches = schema.schemas(Keyword::AnyOf);
        let mut open = admitting(self.projected, branches, Types::of(value));
        let (first, second) = (open.next(), open.next());
        if second.is_none() {
            return Ok(first);
        }
        for (index, branch) in first.into_iter().chain(second).chain(open) {
            if self.accepts.accepts(&format!("{place}/anyOf/{index}"), value)? {
                return Ok(Some((index, branch)));
            }
        }
        Ok(None)
    }

    fn item(
        &mut self,
        item: Value,
        index: usize,
        schema: &'a Schema,
        place: &str,
        at: &str,
    ) -> Result<Value, Error> {
        let prefix = schema.schemas(Keyword::PrefixItems);
        let found = match prefix.get(index) {
            Some(schema) => Some((schema, format!("{place}/prefixItems/{index}"))),
            None => schema.schema(Keyword::Items).map(|schema| (schema, format!("{place}/items"))),
        };
        match found {
            Some((schema, place)) => self.value(item, schema, place, &format!("{at}/{index}")),
            None => Ok(item),
        }
    }

    fn object(
        &mut self,
        mut object: Map<String, Value>,
        schema: &'a Schema,
        place: &str,
        at: &str,
    ) -> Result<Map<String, Value>, Error> {
        let mut walked = Map::new();
        let declared = schema.named(Keyword::Properties);
        let required: HashSet<&str> = schema.required().collect();
        for (name, property) in declared {
            let optional = !required.contains(name.as_str());
            // Left where it is: taking a member out moves all that follow.
            let Some(value) = object.get_mut(name).map(Value::take) else {
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
            walked.insert(name.clone(), self.value(value, property, place, &at)?);
        }
        let declared: HashSet<&str> = declared.iter().map(|(name, _)| name.as_str()).collect();
        for (name, value) in object {
            if declared.contains(name.as_str()) {
                continue;
            }
            let value = match schema.schema(Keyword::AdditionalProperties) {
                Some(additional) => {
                    let at = format!("{at}/{}", escaped(&name));
                    self.value(value, additional, format!("{place}/additionalProperties"), &at)?
                }
                None => value,
            };
            walked.insert(name, value);
        }
        Ok(walked)
    }
}
