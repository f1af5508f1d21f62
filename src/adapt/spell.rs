//! Writing a wire schema down the way the target spells it.

use serde_json::{Map, Value, json};

use super::respell::respelled;
use crate::schema::{Document, Part, Schema};
use crate::target::{BooleanSchemas, Nullable, Target, Tuples};
use crate::vocabulary::{Keyword, Types};

/// The schema to send.
pub(crate) fn spell(document: &Document, target: &Target) -> Value {
    let spell = Spell { target };
    let mut root = spell.schema(&document.root);
    if let (Value::Object(root), false) = (&mut root, document.definitions().is_empty()) {
        let definitions =
            document.definitions().iter().map(|(name, schema)| (name.to_string(), spell.schema(schema)));
        let keyword = target.structure().definitions.name();
        root.insert(keyword.to_owned(), Value::Object(definitions.collect()));
    }
    root
}

struct Spell<'a> {
    target: &'a Target,
}

impl Spell<'_> {
    fn schema(&self, schema: &Schema) -> Value {
        if schema.keywords().is_empty() {
            return self.always();
        }
        if schema.is_never() {
            return json!(false);
        }
        let mut object = Map::new();
        for (keyword, part) in schema.keywords() {
            match keyword {
                Keyword::Type => self.types(schema.types(), &mut object),
                keyword if self.goes_without_saying(schema, *keyword) => {}
                keyword => {
                    object.insert(keyword.name().to_owned(), self.part(*keyword, part));
                }
            }
        }
        if self.target.structure().property_ordering && schema.has(Keyword::Properties) {
            let names: Value = schema
                .named(Keyword::Properties)
                .iter()
                .map(|(name, _)| Value::from(name.as_str()))
                .collect();
            object.insert("propertyOrdering".to_owned(), names);
        }
        Value::Object(object)
    }

    fn always(&self) -> Value {
        match self.target.structure().boolean_schemas {
            BooleanSchemas::None => json!({}),
            BooleanSchemas::True | BooleanSchemas::Both => json!(true),
        }
    }

    /// Whether the form of a tuple says this already.
    fn goes_without_saying(&self, schema: &Schema, keyword: Keyword) -> bool {
        let counts = matches!(keyword, Keyword::MinItems | Keyword::MaxItems);
        schema.has(Keyword::PrefixItems)
            && match self.target.structure().tuples {
                Tuples::FixedLength => keyword == Keyword::Items,
                Tuples::WithoutItems => counts || keyword == Keyword::Items,
                Tuples::None | Tuples::PrefixItems | Tuples::Closed => false,
            }
    }

    fn types(&self, types: Types, object: &mut Map<String, Value>) {
        let structure = self.target.structure();
        if structure.null_as_constant && types == Types::NULL {
            object.insert(Keyword::Const.name().to_owned(), Value::Null);
            return;
        }
        let marker =
            structure.nullable == Nullable::Marker && types.contains(Types::NULL) && types != Types::NULL;
        let named = if marker { types.without(Types::NULL) } else { types };
        let names: Vec<Value> =
            named
                .names()
                .map(|name| {
                    if structure.uppercase_types {
                        Value::from(name.to_uppercase())
                    } else {
                        Value::from(name)
                    }
                })
                .collect();
        let value = match names.as_slice() {
            [name] => name.clone(),
            _ => Value::Array(names),
        };
        object.insert("type".to_owned(), value);
        if marker {
            object.insert("nullable".to_owned(), json!(true));
        }
    }

    fn part(&self, keyword: Keyword, part: &Part) -> Value {
        match part {
            Part::Data(Value::String(pattern)) if keyword == Keyword::Pattern => {
                Value::from(respelled(pattern, keyword, self.target))
            }
            Part::Data(value) => value.clone(),
            Part::Reference(name) => {
                Value::String(format!("#/{}/{name}", self.target.structure().definitions.name()))
            }
            Part::Schema(schema) if keyword == Keyword::AdditionalProperties && schema.is_always() => {
                json!(true)
            }
            Part::Schema(schema) => self.schema(schema),
            Part::Schemas(schemas) => schemas.iter().map(|schema| self.schema(schema)).collect(),
            Part::Named(named) if keyword == Keyword::PatternProperties => {
                let respelled = |pattern: &String| respelled(pattern, keyword, self.target);
                let named = named.iter().map(|(pattern, schema)| (respelled(pattern), self.schema(schema)));
                Value::Object(named.collect())
            }
            Part::Named(named) => Value::Object(
                named.iter().map(|(name, schema)| (name.clone(), self.schema(schema))).collect(),
            ),
        }
    }
}
