//! Schemas, keyword by keyword.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::chance::Chance;
use super::links::SOMEWHERE;

const NAMES: [&str; 10] = ["a", "b", "c", "$ref", "properties", "", "a/b", "a~b", "a%25b", "x-a"];
const DEFINITIONS: [&str; 4] = ["x", "y", "a/b", "z%25"];
const PATTERNS: [&str; 12] =
    ["^a", "b$", "^[a-c]{1,3}$", "a|b", "^(?=a).", "^(?!b)", "\\d", "^$", ".", "^x-", "(?<=a)b", "^\\p{L}+$"];
const FORMATS: [&str; 8] =
    ["date", "email", "ipv4", "uuid", "date-time", "uri", "regex", "nobody-knows-this"];
const TYPES: [&str; 7] = ["null", "boolean", "integer", "number", "string", "array", "object"];

/// What a schema is mostly about.
#[derive(Clone, Copy)]
enum Theme {
    Objects,
    Arrays,
    Strings,
    Numbers,
    Values,
}

const THEMES: [Theme; 7] = [
    Theme::Objects,
    Theme::Objects,
    Theme::Arrays,
    Theme::Arrays,
    Theme::Strings,
    Theme::Numbers,
    Theme::Values,
];

/// A schema with definitions, its references still without a place to lead to.
pub fn document(chance: &mut Chance<'_>) -> Value {
    let left = 3 + chance.below(14);
    let mut maker = Maker { chance, left };
    let mut root = maker.any_schema();
    if maker.chance.one_in(2) {
        let count = 1 + maker.chance.below(3);
        let definitions: Map<_, _> =
            (0..count).map(|index| (DEFINITIONS[index].to_owned(), maker.any_schema())).collect();
        let keyword = if maker.chance.one_in(8) { "definitions" } else { "$defs" };
        match &mut root {
            Value::Object(root) => {
                root.insert(keyword.into(), Value::Object(definitions));
            }
            root => *root = json!({ keyword: definitions }),
        }
    }
    root
}

struct Maker<'c, 'g> {
    chance: &'c mut Chance<'g>,
    /// Schema objects that may still be made.
    left: usize,
}

impl Maker<'_, '_> {
    fn below(&mut self, limit: usize) -> usize {
        self.chance.below(limit)
    }

    fn one_in(&mut self, chances: usize) -> bool {
        self.chance.one_in(chances)
    }

    fn theme(&mut self) -> Theme {
        THEMES[self.below(THEMES.len())]
    }

    fn any_schema(&mut self) -> Value {
        let theme = self.theme();
        self.schema(theme)
    }

    fn schema(&mut self, theme: Theme) -> Value {
        if self.left == 0 || self.one_in(12) {
            let leaves = [json!(true), json!({}), json!({"type": "string"}), json!({"type": "integer"})];
            return if self.one_in(6) { json!(false) } else { self.chance.value(&leaves) };
        }
        self.left -= 1;
        let mut schema = Map::new();
        if self.one_in(2) {
            let first: &[&str] = match theme {
                Theme::Objects => &["object"],
                Theme::Arrays => &["array"],
                Theme::Strings => &["string"],
                Theme::Numbers => &["integer", "number"],
                Theme::Values => &TYPES,
            };
            let types = self.types(first);
            schema.insert("type".into(), types);
        }
        for _ in 0..self.below(4) {
            self.about(theme, &mut schema);
        }
        for _ in 0..2 {
            if self.one_in(3) {
                self.in_place(theme, &mut schema);
            }
        }
        if self.one_in(12) {
            // Something that has nothing to do with the rest, or contradicts it.
            let other = self.theme();
            self.about(other, &mut schema);
        }
        if self.one_in(16) {
            self.says_nothing(&mut schema);
        }
        // Listed values are seldom of the type beside them by chance, and two lists seldom have one in common.
        if schema.contains_key("const") && !self.one_in(4) {
            schema.shift_remove("enum");
        }
        if (schema.contains_key("const") || schema.contains_key("enum")) && !self.one_in(4) {
            schema.shift_remove("type");
        }
        Value::Object(schema)
    }

    fn about(&mut self, theme: Theme, schema: &mut Map<String, Value>) {
        match theme {
            Theme::Objects => self.about_objects(schema),
            Theme::Arrays => self.about_arrays(schema),
            Theme::Strings => self.about_strings(schema),
            Theme::Numbers => self.about_numbers(schema),
            Theme::Values => self.about_values(schema),
        }
    }

    fn types(&mut self, first: &[&str]) -> Value {
        let first = self.chance.pick(first);
        if !self.one_in(4) {
            return first.into();
        }
        let other = self.chance.pick(&TYPES);
        if other == first { json!([first]) } else { json!([first, other]) }
    }

    fn name(&mut self) -> String {
        // The first few names meet each other more often.
        let among = if self.one_in(2) { 3 } else { NAMES.len() };
        self.chance.pick(&NAMES[..among]).to_owned()
    }

    fn names(&mut self) -> Value {
        let names: BTreeSet<String> = (0..self.below(3)).map(|_| self.name()).collect();
        names.into_iter().collect()
    }

    fn schemas(&mut self) -> Value {
        (0..1 + self.below(3)).map(|_| self.any_schema()).collect()
    }

    fn properties(&mut self) -> Value {
        (0..1 + self.below(2)).map(|_| (self.name(), self.any_schema())).collect::<Map<_, _>>().into()
    }

    fn scalar(&mut self) -> Value {
        self.chance.value(&[
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
        ])
    }

    fn value(&mut self) -> Value {
        match self.below(8) {
            0 => json!([]),
            1 => json!({}),
            2 => json!([self.scalar()]),
            3 => Value::Object(Map::from_iter([(self.name(), self.scalar())])),
            _ => self.scalar(),
        }
    }

    fn about_values(&mut self, schema: &mut Map<String, Value>) {
        let (name, value) = match self.below(3) {
            0 => ("const", self.value()),
            1 => ("type", self.types(&TYPES)),
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

    /// Annotations, and keywords that draft 2020-12 does not know.
    fn says_nothing(&mut self, schema: &mut Map<String, Value>) {
        let (name, value) = match self.below(12) {
            0 => ("default", self.value()),
            1 => ("examples", json!([self.value()])),
            2 => ("title", json!("a")),
            3 => ("description", json!("b")),
            4 => ("$comment", json!("c")),
            5 => ("readOnly", json!(true)),
            6 => ("writeOnly", json!(true)),
            7 => ("deprecated", json!(true)),
            8 => ("contentEncoding", json!("base64")),
            9 => ("contentMediaType", json!("application/json")),
            10 => ("contentSchema", self.any_schema()),
            _ => ("x-integer-literal", json!(true)),
        };
        schema.insert(name.into(), value);
    }

    fn about_numbers(&mut self, schema: &mut Map<String, Value>) {
        let bound = self.chance.value(&[json!(0), json!(1), json!(2), json!(-1), json!(1.5), json!(3.0)]);
        let (name, value) = match self.below(6) {
            0 => ("minimum", bound),
            1 => ("maximum", bound),
            2 => ("exclusiveMinimum", bound),
            3 => ("exclusiveMaximum", bound),
            4 => ("multipleOf", self.chance.value(&[json!(1), json!(2), json!(0.5), json!(3.0)])),
            _ => return self.about_values(schema),
        };
        schema.insert(name.into(), value);
    }

    fn about_strings(&mut self, schema: &mut Map<String, Value>) {
        let (name, value) = match self.below(5) {
            0 => ("minLength", json!(self.below(4))),
            1 => ("maxLength", json!(self.below(4))),
            2 => ("pattern", self.chance.pick(&PATTERNS).into()),
            3 => ("format", self.chance.pick(&FORMATS).into()),
            _ => return self.about_values(schema),
        };
        schema.insert(name.into(), value);
    }

    fn about_arrays(&mut self, schema: &mut Map<String, Value>) {
        let (name, value) = match self.below(11) {
            0 | 1 => ("prefixItems", self.schemas()),
            2 | 3 => ("items", self.any_schema()),
            4 | 5 => {
                for count in ["minContains", "maxContains"] {
                    if self.one_in(2) {
                        schema.insert(count.into(), json!(self.below(3)));
                    }
                }
                ("contains", self.any_schema())
            }
            6 => ("uniqueItems", json!(!self.one_in(4))),
            7 => ("unevaluatedItems", self.any_schema()),
            8 => ("minItems", json!(self.below(3))),
            9 => ("maxItems", json!(self.below(3))),
            _ => return self.about_values(schema),
        };
        schema.insert(name.into(), value);
    }

    fn about_objects(&mut self, schema: &mut Map<String, Value>) {
        let (name, value) = match self.below(14) {
            0..=2 => ("properties", self.properties()),
            3 | 4 => {
                let named = (0..1 + self.below(2))
                    .map(|_| (self.chance.pick(&PATTERNS).to_owned(), self.any_schema()));
                ("patternProperties", Value::Object(named.collect()))
            }
            5 | 6 => ("additionalProperties", if self.one_in(2) { json!(false) } else { self.any_schema() }),
            7 => ("propertyNames", self.schema(Theme::Strings)),
            8 | 9 => ("required", self.names()),
            10 => ("dependentRequired", Value::Object(Map::from_iter([(self.name(), self.names())]))),
            11 => {
                let named = (0..1 + self.below(2)).map(|_| (self.name(), self.schema(Theme::Objects)));
                ("dependentSchemas", Value::Object(named.collect()))
            }
            12 => ("unevaluatedProperties", self.any_schema()),
            _ => {
                let name = if self.one_in(2) { "minProperties" } else { "maxProperties" };
                (name, json!(self.below(3)))
            }
        };
        schema.insert(name.into(), value);
    }

    /// What looks at the same instance is mostly about the same things, often with the same keywords.
    fn beside(&mut self, theme: Theme, schema: &Map<String, Value>) -> Value {
        if self.one_in(3) {
            return self.any_schema();
        }
        let mut beside = self.schema(theme);
        if let Value::Object(beside) = &mut beside {
            if !self.one_in(4) && schema.contains_key("type") {
                beside.shift_remove("type");
            }
            self.again(theme, schema, beside);
        }
        beside
    }

    /// Adds one more keyword to `beside`, if chance has it one that `schema` has as well.
    fn again(&mut self, theme: Theme, schema: &Map<String, Value>, beside: &mut Map<String, Value>) {
        for _ in 0..6 {
            let (before, mut other) = (self.left, Map::new());
            self.about(theme, &mut other);
            if other.keys().all(|keyword| schema.contains_key(keyword)) {
                return beside.append(&mut other);
            }
            self.left = before;
        }
    }

    fn in_place(&mut self, theme: Theme, schema: &mut Map<String, Value>) {
        let (name, value) = match self.below(10) {
            index @ 0..=3 => {
                let name = ["allOf", "allOf", "anyOf", "oneOf"][index];
                (name, (0..1 + self.below(3)).map(|_| self.beside(theme, schema)).collect())
            }
            4 => ("not", self.beside(theme, schema)),
            5 => {
                for name in ["then", "else"] {
                    if !self.one_in(3) {
                        let branch = self.beside(theme, schema);
                        schema.insert(name.into(), branch);
                    }
                }
                ("if", self.beside(theme, schema))
            }
            6 => ("$dynamicRef", json!("#node")),
            _ => ("$ref", json!(SOMEWHERE)),
        };
        schema.insert(name.into(), value);
    }
}
