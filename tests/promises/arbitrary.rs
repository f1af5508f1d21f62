//! Arbitrary schemas of draft 2020-12, small and of every kind, and instances near their own values.
//!
//! Nothing is kept out but ill-founded recursion: a schema that reaches itself on the same instance means
//! nothing. References are placed freely, and those that close such a circle are taken out again.
#![allow(dead_code)]

use std::collections::BTreeSet;
use std::fmt;

use quickcheck::{Arbitrary, Gen};
use serde_json::{Map, Value, json};

/// A schema.
#[derive(Clone, PartialEq)]
pub struct Arbitrarily(pub Value);

impl fmt::Debug for Arbitrarily {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.0)
    }
}

const NAMES: [&str; 10] = ["a", "b", "c", "$ref", "properties", "", "a/b", "a~b", "a%25b", "x-a"];
const DEFINITIONS: [&str; 4] = ["x", "y", "a/b", "z%25"];
const PATTERNS: [&str; 12] =
    ["^a", "b$", "^[a-c]{1,3}$", "a|b", "^(?=a).", "^(?!b)", "\\d", "^$", ".", "^x-", "(?<=a)b", "^\\p{L}+$"];
const FORMATS: [&str; 8] =
    ["date", "email", "ipv4", "uuid", "date-time", "uri", "regex", "nobody-knows-this"];
const TYPES: [&str; 7] = ["null", "boolean", "integer", "number", "string", "array", "object"];
const REFERENCES: [&str; 11] = [
    "#",
    "#/$defs/x",
    "#/$defs/y",
    "#/$defs/a~1b",
    "#/$defs/z%2525",
    "#/properties/a",
    "#/properties/a~1b",
    "#/$defs/x/items",
    "#/$defs/y/properties/b",
    "#/allOf/0",
    "#named",
];

/// Keywords whose subschemas look at the same instance.
const IN_PLACE: [&str; 8] = ["allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas"];

impl Arbitrary for Arbitrarily {
    fn arbitrary(random: &mut Gen) -> Self {
        let mut maker = Maker { left: 2 + below(random, 11), random };
        let mut root = maker.schema();
        if maker.one_in(3) {
            let definitions =
                (0..1 + maker.below(3)).map(|index| (DEFINITIONS[index].to_owned(), maker.schema()));
            let definitions: Map<_, _> = definitions.collect();
            if let Value::Object(root) = &mut root {
                root.insert("$defs".into(), Value::Object(definitions));
            } else {
                root = json!({"$defs": definitions});
            }
            maker.name(&mut root);
        }
        Arbitrarily(well_founded(root))
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        let mut smaller = Vec::new();
        shrunk(&self.0, true, &mut smaller);
        Box::new(smaller.into_iter().map(Arbitrarily))
    }
}

fn below(random: &mut Gen, limit: usize) -> usize {
    usize::arbitrary(random) % limit
}

struct Maker<'g> {
    random: &'g mut Gen,
    /// Schema objects that may still be made.
    left: usize,
}

impl Maker<'_> {
    fn below(&mut self, limit: usize) -> usize {
        below(self.random, limit)
    }

    fn one_in(&mut self, chances: usize) -> bool {
        self.below(chances) == 0
    }

    fn pick(&mut self, from: &[&str]) -> Value {
        Value::from(from[self.below(from.len())])
    }

    fn schema(&mut self) -> Value {
        if self.left == 0 || self.one_in(12) {
            return [json!(true), json!(false), json!({}), json!({"type": "string"})][self.below(4)].clone();
        }
        self.left -= 1;
        let mut schema = Map::new();
        let theme = self.below(5);
        if !self.one_in(3) {
            let first = [&["object"][..], &["array"], &["string"], &["integer", "number"], &TYPES][theme];
            let kind = self.types(first);
            schema.insert("type".into(), kind);
        }
        for _ in 0..self.below(4) {
            match theme {
                0 => self.about_objects(&mut schema),
                1 => self.about_arrays(&mut schema),
                2 => self.about_strings(&mut schema),
                3 => self.about_numbers(&mut schema),
                _ => self.about_values(&mut schema),
            }
        }
        if self.one_in(3) {
            self.in_place(&mut schema);
        }
        if self.one_in(6) {
            // Something that has nothing to do with the rest, or contradicts it.
            match self.below(6) {
                0 => self.about_objects(&mut schema),
                1 => self.about_arrays(&mut schema),
                2 => self.about_strings(&mut schema),
                3 => self.about_numbers(&mut schema),
                4 => self.about_values(&mut schema),
                _ => self.in_place(&mut schema),
            }
        }
        Value::Object(schema)
    }

    fn types(&mut self, first: &[&str]) -> Value {
        let first = self.pick(first);
        if !self.one_in(4) {
            return first;
        }
        let other = self.pick(&TYPES);
        if other == first { json!([first]) } else { json!([first, other]) }
    }

    fn schemas(&mut self) -> Value {
        (0..1 + self.below(3)).map(|_| self.schema()).collect()
    }

    fn named(&mut self, names: &[&str]) -> Value {
        let named: Map<_, _> = (0..1 + self.below(2))
            .map(|_| (names[self.below(names.len())].to_owned(), self.schema()))
            .collect();
        Value::Object(named)
    }

    fn names(&mut self) -> Value {
        let names: BTreeSet<&str> = (0..self.below(3)).map(|_| NAMES[self.below(NAMES.len())]).collect();
        names.into_iter().collect()
    }

    fn scalar(&mut self) -> Value {
        let values = [
            json!(null),
            json!(true),
            json!(false),
            json!(0),
            json!(1),
            json!(1.0),
            json!(2),
            json!(-1),
            json!(1.5),
            json!(""),
            json!("a"),
            json!("b"),
            json!("ab"),
            json!("1"),
        ];
        values[self.below(values.len())].clone()
    }

    fn value(&mut self) -> Value {
        match self.below(8) {
            0 => json!([]),
            1 => json!({}),
            2 => json!([self.scalar()]),
            3 => {
                let name = self.below(NAMES.len());
                Value::Object(Map::from_iter([(NAMES[name].to_owned(), self.scalar())]))
            }
            _ => self.scalar(),
        }
    }

    fn about_values(&mut self, schema: &mut Map<String, Value>) {
        let (name, value) = match self.below(4) {
            0 => ("const", self.value()),
            1 => ("type", self.types(&TYPES)),
            2 => ("default", self.value()),
            _ => {
                let mut members: Vec<Value> = Vec::new();
                for _ in 0..1 + self.below(4) {
                    let value = self.value();
                    if !members.contains(&value) {
                        members.push(value);
                    }
                }
                ("enum", Value::Array(members))
            }
        };
        schema.insert(name.into(), value);
    }

    fn about_numbers(&mut self, schema: &mut Map<String, Value>) {
        let bound = [json!(0), json!(1), json!(2), json!(-1), json!(1.5), json!(3.0)][self.below(6)].clone();
        let (name, value) = match self.below(6) {
            0 => ("minimum", bound),
            1 => ("maximum", bound),
            2 => ("exclusiveMinimum", bound),
            3 => ("exclusiveMaximum", bound),
            4 => ("multipleOf", [json!(1), json!(2), json!(0.5), json!(3.0)][self.below(4)].clone()),
            _ => return self.about_values(schema),
        };
        schema.insert(name.into(), value);
    }

    fn about_strings(&mut self, schema: &mut Map<String, Value>) {
        let (name, value) = match self.below(5) {
            0 => ("minLength", json!(self.below(4))),
            1 => ("maxLength", json!(self.below(4))),
            2 => ("pattern", self.pick(&PATTERNS)),
            3 => ("format", self.pick(&FORMATS)),
            _ => return self.about_values(schema),
        };
        schema.insert(name.into(), value);
    }

    fn about_arrays(&mut self, schema: &mut Map<String, Value>) {
        let (name, value) = match self.below(9) {
            0 => ("prefixItems", self.schemas()),
            1 | 2 => ("items", self.schema()),
            3 => {
                if self.one_in(2) {
                    schema.insert("minContains".into(), json!(self.below(3)));
                }
                if self.one_in(2) {
                    schema.insert("maxContains".into(), json!(self.below(3)));
                }
                ("contains", self.schema())
            }
            4 => ("uniqueItems", json!(!self.one_in(4))),
            5 => ("unevaluatedItems", self.schema()),
            6 => ("minItems", json!(self.below(3))),
            7 => ("maxItems", json!(self.below(3))),
            _ => return self.about_values(schema),
        };
        schema.insert(name.into(), value);
    }

    fn about_objects(&mut self, schema: &mut Map<String, Value>) {
        let (name, value) = match self.below(13) {
            0..=2 => ("properties", self.named(&NAMES)),
            3 => ("patternProperties", self.named(&PATTERNS)),
            4 | 5 => ("additionalProperties", if self.one_in(2) { json!(false) } else { self.schema() }),
            6 => ("propertyNames", self.schema()),
            7 | 8 => ("required", self.names()),
            9 => {
                let name = NAMES[self.below(NAMES.len())].to_owned();
                ("dependentRequired", Value::Object(Map::from_iter([(name, self.names())])))
            }
            10 => ("dependentSchemas", self.named(&NAMES)),
            11 => ("unevaluatedProperties", self.schema()),
            _ => {
                let name = if self.one_in(2) { "minProperties" } else { "maxProperties" };
                (name, json!(self.below(3)))
            }
        };
        schema.insert(name.into(), value);
    }

    fn in_place(&mut self, schema: &mut Map<String, Value>) {
        let (name, value) = match self.below(8) {
            0 => ("allOf", self.schemas()),
            1 => ("anyOf", self.schemas()),
            2 => ("oneOf", self.schemas()),
            3 => ("not", self.schema()),
            4 => {
                for name in ["then", "else"] {
                    if !self.one_in(3) {
                        let branch = self.schema();
                        schema.insert(name.into(), branch);
                    }
                }
                ("if", self.schema())
            }
            5 => ("$dynamicRef", json!("#node")),
            _ => ("$ref", self.pick(&REFERENCES)),
        };
        schema.insert(name.into(), value);
    }

    /// Gives some definitions an anchor, and some documents a dynamic scope of two resources.
    fn name(&mut self, root: &mut Value) {
        let anchor = if self.one_in(2) { ("$anchor", "named") } else { ("$dynamicAnchor", "node") };
        if let Some(Value::Object(definition)) = root.pointer_mut("/$defs/x") {
            definition.insert(anchor.0.into(), json!(anchor.1));
        }
        let Value::Object(root) = root else { return };
        if !self.one_in(6) {
            return;
        }
        root.insert("$id".into(), json!("https://example.com/root"));
        root.insert("$dynamicAnchor".into(), json!("node"));
        let tree = json!({
            "$id": "tree",
            "$dynamicAnchor": "node",
            "properties": {"a": {"$dynamicRef": "#node"}, "b": self.schema()}
        });
        root.insert("$defs".into(), json!({"tree": tree}));
        root.insert("$ref".into(), json!("tree"));
    }
}

/// Takes references out until no schema reaches itself on the same instance, and those that lead nowhere.
fn well_founded(mut root: Value) -> Value {
    let mut places = Vec::new();
    schemas_in(&root, String::new(), &mut places);
    for place in places {
        for keyword in ["$ref", "$dynamicRef"] {
            let bad = |root: &Value| {
                let Some(reference) = root.pointer(&place).and_then(|schema| schema.get(keyword)) else {
                    return false;
                };
                let targets = resolved(root, reference.as_str().unwrap_or_default());
                targets.is_empty()
                    || targets.iter().any(|target| reaches(root, target, &place, &mut BTreeSet::new()))
            };
            if bad(&root) {
                if let Some(Value::Object(schema)) = root.pointer_mut(&place) {
                    schema.remove(keyword);
                }
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
                next.extend(resolved(root, reference));
            }
            value if IN_PLACE.contains(&keyword.as_str()) => next.extend(parts(keyword, value, &place)),
            _ => {}
        }
    }
    next.iter().any(|next| reaches(root, next, to, seen))
}

/// Every place that a reference may mean.
fn resolved(root: &Value, reference: &str) -> Vec<String> {
    let pointer = reference.trim_start_matches('#').replace("%25", "%");
    if reference == "#" || reference.starts_with("#/") {
        return root
            .pointer(&pointer)
            .filter(|place| is_schema(place))
            .map(|_| pointer)
            .into_iter()
            .collect();
    }
    let mut places = Vec::new();
    schemas_in(root, String::new(), &mut places);
    let named = |place: &String| {
        let schema = root.pointer(place);
        ["$anchor", "$dynamicAnchor", "$id"].iter().any(|keyword| {
            schema.and_then(|schema| schema.get(keyword)).is_some_and(|name| *name == pointer.as_str())
        })
    };
    places.retain(named);
    places
}

fn is_schema(value: &Value) -> bool {
    value.is_object() || value.is_boolean()
}

fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// The places of the subschemas in a keyword's value.
fn parts(keyword: &str, value: &Value, place: &str) -> Vec<String> {
    match (keyword, value) {
        ("properties" | "patternProperties" | "dependentSchemas" | "$defs", Value::Object(named)) => {
            named.keys().map(|name| format!("{place}/{}", escaped(name))).collect()
        }
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
            | "not"
            | "if"
            | "then"
            | "else",
            Value::Object(_) | Value::Bool(_),
        ) => vec![place.to_owned()],
        _ => Vec::new(),
    }
}

fn schemas_in(root: &Value, place: String, found: &mut Vec<String>) {
    if let Some(Value::Object(schema)) = root.pointer(&place) {
        for (keyword, value) in schema {
            for part in parts(keyword, value, &format!("{place}/{}", escaped(keyword))) {
                schemas_in(root, part, found);
            }
        }
    }
    found.push(place);
}

/// Every way to make a value a little smaller: the bold ones first.
fn shrunk(value: &Value, is_schema_place: bool, smaller: &mut Vec<Value>) {
    if is_schema_place && (value.is_object() && *value != json!({})) {
        smaller.push(json!(true));
    }
    match value {
        Value::Object(members) => {
            for name in members.keys() {
                let mut fewer = members.clone();
                fewer.shift_remove(name);
                smaller.push(Value::Object(fewer));
            }
            for (name, member) in members {
                let mut inner = Vec::new();
                shrunk(member, !parts(name, member, "").is_empty() || !is_schema_place, &mut inner);
                smaller.extend(inner.into_iter().map(|inner| {
                    let mut changed = members.clone();
                    changed.insert(name.clone(), inner);
                    Value::Object(changed)
                }));
            }
        }
        Value::Array(items) => {
            for index in 0..items.len() {
                let mut fewer = items.clone();
                fewer.remove(index);
                smaller.push(Value::Array(fewer));
            }
            for (index, item) in items.iter().enumerate() {
                let mut inner = Vec::new();
                shrunk(item, true, &mut inner);
                smaller.extend(inner.into_iter().map(|inner| {
                    let mut changed = items.clone();
                    changed[index] = inner;
                    Value::Array(changed)
                }));
            }
        }
        Value::Number(number) => {
            if number.as_f64().is_some_and(|number| number.abs() > 1.0) {
                smaller.push(json!(1));
            }
            if number.as_f64().is_some_and(|number| number != 0.0) {
                smaller.push(json!(0));
            }
        }
        Value::String(text) if text.len() > 1 && !text.starts_with('#') => smaller.push(json!("a")),
        _ => {}
    }
}
