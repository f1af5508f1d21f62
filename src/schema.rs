//! A schema of draft 2020-12 as a tree in which schema positions and data are different types.
//!
//! [`Schema`] is one schema object. `true` is the schema without keywords and `false` is `{"not": {}}`,
//! so that there is one shape to handle; both are written back as booleans. Every schema remembers the
//! place in the user's source that it came from ([`Origin`]), through every later rewrite.
//!
//! A [`Document`] is a root schema with its definitions. References can only be made to definitions:
//! lifting has turned every other form of reference into that one.

mod document;

use std::sync::Arc;

use serde_json::{Map, Value};

pub(crate) use self::document::{Document, Rooted};
use crate::vocabulary::{Keyword, Types};

/// The place in the source that a schema came from: an index into the lifted source's list of pointers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Origin(pub(crate) u32);

/// A keyword's value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Part {
    /// Data, never looked into for schemas.
    Data(Value),
    /// The name of a definition.
    Reference(Arc<str>),
    /// One subschema.
    Schema(Box<Schema>),
    /// A list of subschemas.
    Schemas(Vec<Schema>),
    /// Subschemas by property name or by pattern, in the order of the source.
    Named(Vec<(String, Schema)>),
}

/// One schema object.
///
/// Equality is that of the keywords and their order; where the schema came from does not count.
#[derive(Debug, Clone)]
pub(crate) struct Schema {
    /// Where it came from.
    pub(crate) origin: Origin,
    keywords: Vec<(Keyword, Part)>,
}

impl PartialEq for Schema {
    fn eq(&self, other: &Self) -> bool {
        self.keywords == other.keywords
    }
}

impl Schema {
    /// The schema that accepts everything.
    pub(crate) fn always(origin: Origin) -> Schema {
        Schema { origin, keywords: Vec::new() }
    }

    /// The schema that accepts nothing.
    pub(crate) fn never(origin: Origin) -> Schema {
        Schema::always(origin).with(Keyword::Not, Schema::always(origin))
    }

    /// A schema that is only a reference.
    pub(crate) fn reference(origin: Origin, name: Arc<str>) -> Schema {
        Schema { origin, keywords: vec![(Keyword::Ref, Part::Reference(name))] }
    }

    /// A schema with only a `type`. No `type` at all where the set holds every type.
    pub(crate) fn of_types(origin: Origin, types: Types) -> Schema {
        let mut schema = Schema::always(origin);
        schema.set_types(types);
        schema
    }

    /// This schema with one keyword set.
    pub(crate) fn with(mut self, keyword: Keyword, part: impl Into<Part>) -> Schema {
        self.set(keyword, part);
        self
    }

    /// The keywords and their values, in order.
    pub(crate) fn keywords(&self) -> &[(Keyword, Part)] {
        &self.keywords
    }

    /// The value of a keyword.
    pub(crate) fn get(&self, keyword: Keyword) -> Option<&Part> {
        self.keywords.iter().find(|(known, _)| *known == keyword).map(|(_, part)| part)
    }

    /// The value of a keyword, to be changed in place.
    pub(crate) fn get_mut(&mut self, keyword: Keyword) -> Option<&mut Part> {
        self.keywords.iter_mut().find(|(known, _)| *known == keyword).map(|(_, part)| part)
    }

    /// Whether the keyword is there.
    pub(crate) fn has(&self, keyword: Keyword) -> bool {
        self.get(keyword).is_some()
    }

    /// Sets a keyword, in its place where it was there, last where it was not.
    pub(crate) fn set(&mut self, keyword: Keyword, part: impl Into<Part>) {
        let part = part.into();
        match self.get_mut(keyword) {
            Some(there) => *there = part,
            None => self.keywords.push((keyword, part)),
        }
    }

    /// Takes a keyword out.
    pub(crate) fn remove(&mut self, keyword: Keyword) -> Option<Part> {
        let index = self.keywords.iter().position(|(known, _)| *known == keyword)?;
        Some(self.keywords.remove(index).1)
    }

    /// Keeps the keywords for which `keep` says so.
    pub(crate) fn retain(&mut self, mut keep: impl FnMut(Keyword, &Part) -> bool) {
        self.keywords.retain(|(keyword, part)| keep(*keyword, part));
    }

    /// Whether this is `{}` or carries only annotations.
    pub(crate) fn is_always(&self) -> bool {
        !self.keywords.iter().any(|(keyword, _)| keyword.constrains())
    }

    /// Whether this is `false`, written as such.
    pub(crate) fn is_never(&self) -> bool {
        self.schema(Keyword::Not).is_some_and(Schema::is_always)
    }

    /// The data of a keyword.
    pub(crate) fn data(&self, keyword: Keyword) -> Option<&Value> {
        match self.get(keyword)? {
            Part::Data(value) => Some(value),
            _ => None,
        }
    }

    /// The definition that `$ref` names.
    pub(crate) fn target(&self) -> Option<&Arc<str>> {
        match self.get(Keyword::Ref)? {
            Part::Reference(name) => Some(name),
            _ => None,
        }
    }

    /// The subschema of a keyword that holds one.
    pub(crate) fn schema(&self, keyword: Keyword) -> Option<&Schema> {
        match self.get(keyword)? {
            Part::Schema(schema) => Some(schema),
            _ => None,
        }
    }

    /// The subschemas of a keyword that holds a list; none where it is absent.
    pub(crate) fn schemas(&self, keyword: Keyword) -> &[Schema] {
        match self.get(keyword) {
            Some(Part::Schemas(schemas)) => schemas,
            _ => &[],
        }
    }

    /// The subschemas of a keyword that holds them by name; none where it is absent.
    pub(crate) fn named(&self, keyword: Keyword) -> &[(String, Schema)] {
        match self.get(keyword) {
            Some(Part::Named(named)) => named,
            _ => &[],
        }
    }

    /// The schema of a property that `properties` lists.
    pub(crate) fn property(&self, name: &str) -> Option<&Schema> {
        self.named(Keyword::Properties).iter().find(|(known, _)| known == name).map(|(_, schema)| schema)
    }

    /// The names that `required` lists.
    pub(crate) fn required(&self) -> impl Iterator<Item = &str> {
        let names = match self.data(Keyword::Required) {
            Some(Value::Array(names)) => names.as_slice(),
            _ => &[],
        };
        names.iter().filter_map(Value::as_str)
    }

    /// The count that a keyword such as `minLength` holds. `2.0` counts as 2.
    pub(crate) fn count(&self, keyword: Keyword) -> Option<u64> {
        let value = self.data(keyword)?;
        value.as_u64().or_else(|| {
            let float = value.as_f64()?;
            // A count beyond 2^64 saturates: no instance is that long.
            (float.fract() == 0.0 && float >= 0.0).then_some(float as u64)
        })
    }

    /// Asks for one more schema in place: a member of `allOf`.
    pub(crate) fn also(&mut self, member: Schema) {
        match self.get_mut(Keyword::AllOf) {
            Some(Part::Schemas(members)) => members.push(member),
            _ => self.set(Keyword::AllOf, vec![member]),
        }
    }

    /// The types that `type` allows; all where it is absent.
    pub(crate) fn types(&self) -> Types {
        self.data(Keyword::Type).map_or(Types::ANY, Types::listed)
    }

    /// Sets `type` to exactly these types; takes it away where they are all.
    pub(crate) fn set_types(&mut self, types: Types) {
        if types == Types::ANY {
            self.remove(Keyword::Type);
            return;
        }
        let mut names: Vec<Value> = types.names().map(Value::from).collect();
        let value = if names.len() == 1 { names.remove(0) } else { Value::Array(names) };
        match self.get_mut(Keyword::Type) {
            Some(there) => *there = Part::Data(value),
            None => self.keywords.insert(0, (Keyword::Type, Part::Data(value))),
        }
    }

    /// The values that `const` or `enum` lists; both together where both are there.
    pub(crate) fn literals(&self) -> Option<Vec<&Value>> {
        let listed = match self.data(Keyword::Enum) {
            Some(Value::Array(values)) => Some(values),
            _ => None,
        };
        match (self.data(Keyword::Const), listed) {
            (Some(value), None) => Some(vec![value]),
            (Some(value), Some(values)) => {
                Some(if values.iter().any(|other| same_value(other, value)) { vec![value] } else { vec![] })
            }
            (None, Some(values)) => Some(values.iter().collect()),
            (None, None) => None,
        }
    }

    /// Whether other keywords than the declarations of properties and items may evaluate them: those that apply
    /// schemas to the instance itself, and `contains`. Without them `unevaluatedProperties` means the same as
    /// `additionalProperties`, and `unevaluatedItems` the same as `items`.
    pub(crate) fn evaluates_elsewhere(&self) -> bool {
        let evaluates =
            |keyword: Keyword| keyword.is_in_place() || matches!(keyword, Keyword::Ref | Keyword::Contains);
        self.keywords.iter().any(|(keyword, _)| evaluates(*keyword))
    }

    /// Every direct subschema.
    pub(crate) fn children(&self) -> impl Iterator<Item = &Schema> {
        self.keywords.iter().flat_map(|(_, part)| part.schemas())
    }

    /// This schema and every schema in it, each before those in it.
    pub(crate) fn everywhere(&self) -> impl Iterator<Item = &Schema> {
        let mut pending = vec![self];
        std::iter::from_fn(move || {
            let schema = pending.pop()?;
            pending.extend(schema.children());
            Some(schema)
        })
    }

    /// Every direct subschema, to be changed in place.
    pub(crate) fn children_mut(&mut self) -> impl Iterator<Item = &mut Schema> {
        self.keywords.iter_mut().flat_map(|(_, part)| part.schemas_mut())
    }

    /// A copy of this schema with each subschema replaced by what `of` makes of it.
    pub(crate) fn map_children(&self, mut of: impl FnMut(&Schema) -> Schema) -> Schema {
        let keywords = self.keywords.iter().map(|(keyword, part)| (*keyword, part.map(&mut of)));
        Schema { origin: self.origin, keywords: keywords.collect() }
    }

    /// The schema as JSON, references spelled `#/$defs/name`.
    pub(crate) fn to_value(&self) -> Value {
        if self.keywords.is_empty() {
            return Value::Bool(true);
        }
        if self.keywords.len() == 1 && self.is_never() {
            return Value::Bool(false);
        }
        Value::Object(self.to_object())
    }

    /// The schema as a JSON object, also where it could be a boolean.
    pub(crate) fn to_object(&self) -> Map<String, Value> {
        self.keywords.iter().map(|(keyword, part)| (keyword.name().to_owned(), part.to_value())).collect()
    }
}

impl Part {
    /// The subschemas in this value.
    pub(crate) fn schemas(&self) -> impl Iterator<Item = &Schema> {
        let (one, list, named): (Option<&Schema>, &[Schema], &[(String, Schema)]) = match self {
            Part::Data(_) | Part::Reference(_) => (None, &[], &[]),
            Part::Schema(schema) => (Some(schema), &[], &[]),
            Part::Schemas(schemas) => (None, schemas, &[]),
            Part::Named(named) => (None, &[], named),
        };
        one.into_iter().chain(list).chain(named.iter().map(|(_, schema)| schema))
    }

    /// The subschemas in this value, to be changed in place.
    pub(crate) fn schemas_mut(&mut self) -> impl Iterator<Item = &mut Schema> {
        let (one, list, named): (Option<&mut Schema>, &mut [Schema], &mut [(String, Schema)]) = match self {
            Part::Data(_) | Part::Reference(_) => (None, &mut [], &mut []),
            Part::Schema(schema) => (Some(schema), &mut [], &mut []),
            Part::Schemas(schemas) => (None, schemas, &mut []),
            Part::Named(named) => (None, &mut [], named),
        };
        one.into_iter().chain(list).chain(named.iter_mut().map(|(_, schema)| schema))
    }

    /// A copy of this value with each subschema replaced by what `of` makes of it.
    pub(crate) fn map(&self, mut of: impl FnMut(&Schema) -> Schema) -> Part {
        match self {
            Part::Data(value) => Part::Data(value.clone()),
            Part::Reference(name) => Part::Reference(Arc::clone(name)),
            Part::Schema(schema) => Part::Schema(Box::new(of(schema))),
            Part::Schemas(schemas) => Part::Schemas(schemas.iter().map(of).collect()),
            Part::Named(named) => {
                Part::Named(named.iter().map(|(name, schema)| (name.clone(), of(schema))).collect())
            }
        }
    }

    /// The subschemas in this value with the rest of the pointer to each: nothing, `/0`, `/name`.
    pub(crate) fn placed(&self) -> impl Iterator<Item = (String, &Schema)> {
        let tokens: Vec<String> = match self {
            Part::Data(_) | Part::Reference(_) => Vec::new(),
            Part::Schema(_) => vec![String::new()],
            Part::Schemas(schemas) => (0..schemas.len()).map(|index| format!("/{index}")).collect(),
            Part::Named(named) => named.iter().map(|(name, _)| format!("/{}", escaped(name))).collect(),
        };
        tokens.into_iter().zip(self.schemas())
    }

    pub(crate) fn to_value(&self) -> Value {
        match self {
            Part::Data(value) => value.clone(),
            Part::Reference(name) => Value::String(format!("#/$defs/{name}")),
            Part::Schema(schema) => schema.to_value(),
            Part::Schemas(schemas) => schemas.iter().map(Schema::to_value).collect(),
            Part::Named(named) => {
                Value::Object(named.iter().map(|(name, schema)| (name.clone(), schema.to_value())).collect())
            }
        }
    }
}

impl From<Value> for Part {
    fn from(value: Value) -> Part {
        Part::Data(value)
    }
}

impl From<Schema> for Part {
    fn from(schema: Schema) -> Part {
        Part::Schema(Box::new(schema))
    }
}

impl From<Vec<Schema>> for Part {
    fn from(schemas: Vec<Schema>) -> Part {
        Part::Schemas(schemas)
    }
}

impl From<Vec<(String, Schema)>> for Part {
    fn from(named: Vec<(String, Schema)>) -> Part {
        Part::Named(named)
    }
}

/// A name as a token of a JSON Pointer.
pub(crate) fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// Whether two values are equal as JSON Schema compares them: `1` and `1.0` are the same number.
pub(crate) fn same_value(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => same_number(left, right),
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| same_value(left, right))
        }
        (Value::Object(left), Value::Object(right)) => {
            left.len() == right.len()
                && left
                    .iter()
                    .all(|(name, left)| right.get(name).is_some_and(|right| same_value(left, right)))
        }
        _ => left == right,
    }
}

fn same_number(left: &serde_json::Number, right: &serde_json::Number) -> bool {
    compare_numbers(left, right) == std::cmp::Ordering::Equal
}

/// Compares two JSON numbers exactly, also where one is a 64-bit integer and the other is a float.
pub(crate) fn compare_numbers(left: &serde_json::Number, right: &serde_json::Number) -> std::cmp::Ordering {
    match (integer(left), integer(right)) {
        (Some(left), Some(right)) => left.cmp(&right),
        (Some(left), None) => compare_integer_float(left, right.as_f64().unwrap_or(0.0)),
        (None, Some(right)) => compare_integer_float(right, left.as_f64().unwrap_or(0.0)).reverse(),
        (None, None) => left
            .as_f64()
            .unwrap_or(0.0)
            .partial_cmp(&right.as_f64().unwrap_or(0.0))
            .unwrap_or(std::cmp::Ordering::Equal),
    }
}

fn integer(number: &serde_json::Number) -> Option<i128> {
    number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from))
}

/// JSON has no infinities and no NaN, so `float` is finite.
fn compare_integer_float(integer: i128, float: f64) -> std::cmp::Ordering {
    // Beyond 2^100 a float is outside what a 64-bit integer can be; below it, its floor is an exact i128.
    if float.abs() >= 1e30 {
        return if float > 0.0 { std::cmp::Ordering::Less } else { std::cmp::Ordering::Greater };
    }
    let floor = float.floor();
    integer.cmp(&(floor as i128)).then(if float > floor {
        std::cmp::Ordering::Less
    } else {
        std::cmp::Ordering::Equal
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn numbers_compare_exactly_where_a_float_would_round() {
        assert!(same_value(&json!(1), &json!(1.0)));
        assert!(!same_value(&json!(9_223_372_036_854_775_807_i64), &json!(9_223_372_036_854_775_808_u64)));
        assert!(!same_value(&json!(9_007_199_254_740_993_i64), &json!(9_007_199_254_740_992.0)));
        assert!(same_value(&json!(-0.0), &json!(0)));
        assert!(!same_value(&json!(1e308), &json!(u64::MAX)));
    }

    #[test]
    fn booleans_are_written_as_booleans() {
        let origin = Origin(0);
        assert_eq!(Schema::always(origin).to_value(), json!(true));
        assert_eq!(Schema::never(origin).to_value(), json!(false));
        let described = Schema::never(origin).with(Keyword::Title, json!("x"));
        assert_eq!(described.to_value(), json!({"not": true, "title": "x"}));
    }
}
