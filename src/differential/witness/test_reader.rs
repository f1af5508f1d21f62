//! From JSON to a document, for tests.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::{Map, Value};

use crate::schema::{Document, Origin, Part, Schema};
use crate::vocabulary::{Holds, Keyword};

/// A small stand-in for the real lift: schemas whose only references are to definitions.
pub(super) struct Reader<'v> {
    source: &'v Value,
    origins: u32,
    names: HashMap<String, Arc<str>>,
    open: Vec<(Arc<str>, &'v Value)>,
    old: bool,
}

impl<'v> Reader<'v> {
    pub(super) fn document(source: &'v Value) -> Option<Document> {
        let dialect = source.get("$schema").and_then(Value::as_str).unwrap_or("");
        let old = !dialect.contains("2020-12") && !dialect.contains("2019-09");
        let mut reader = Reader { source, origins: 0, names: HashMap::new(), open: Vec::new(), old };
        let mut document = Document::new(reader.schema(source)?);
        while let Some((name, value)) = reader.open.pop() {
            let schema = reader.schema(value)?;
            document.define(name, schema);
        }
        Some(document)
    }

    fn schema(&mut self, value: &'v Value) -> Option<Schema> {
        let origin = Origin(self.origins);
        self.origins += 1;
        let object = match value {
            Value::Bool(true) => return Some(Schema::always(origin)),
            Value::Bool(false) => return Some(Schema::never(origin)),
            Value::Object(object) => object,
            _ => return None,
        };
        let mut schema = Schema::always(origin);
        if let Some(reference) = object.get("$ref") {
            schema.set(Keyword::Ref, Part::Reference(self.reference(reference.as_str()?)?));
            if self.old {
                return Some(schema);
            }
        }
        for (name, value) in object {
            self.keyword(&mut schema, object, name, value)?;
        }
        Some(schema)
    }

    fn reference(&mut self, pointer: &str) -> Option<Arc<str>> {
        if let Some(known) = self.names.get(pointer) {
            return Some(Arc::clone(known));
        }
        let inner = pointer.strip_prefix("#/definitions/").or_else(|| pointer.strip_prefix("#/$defs/"));
        if pointer != "#" && (inner?.contains('/') || inner?.contains('%')) {
            return None;
        }
        let target = self.source.pointer(&pointer[1..])?;
        let name: Arc<str> = format!("d{}", self.names.len()).into();
        self.names.insert(pointer.to_owned(), Arc::clone(&name));
        self.open.push((Arc::clone(&name), target));
        Some(name)
    }

    fn keyword(
        &mut self,
        schema: &mut Schema,
        object: &'v Map<String, Value>,
        name: &str,
        value: &'v Value,
    ) -> Option<()> {
        let flag = |name: &str| object.get(name) == Some(&Value::Bool(true));
        match (name, value) {
            ("$dynamicRef" | "$recursiveRef", _) => return None,
            ("items", Value::Array(list)) => {
                let list = list.iter().map(|item| self.schema(item)).collect::<Option<Vec<_>>>()?;
                if !list.is_empty() {
                    schema.set(Keyword::PrefixItems, list);
                }
                if let Some(rest) = object.get("additionalItems") {
                    schema.set(Keyword::Items, self.schema(rest)?);
                }
            }
            ("minimum", _) if flag("exclusiveMinimum") => {
                schema.set(Keyword::ExclusiveMinimum, value.clone())
            }
            ("maximum", _) if flag("exclusiveMaximum") => {
                schema.set(Keyword::ExclusiveMaximum, value.clone())
            }
            ("exclusiveMinimum" | "exclusiveMaximum", Value::Bool(_)) | ("$ref", _) => {}
            ("required", Value::Bool(_)) => return None,
            ("dependencies", Value::Object(map)) => {
                let (mut needed, mut schemas) = (Map::new(), Vec::new());
                for (name, value) in map {
                    if value.is_array() {
                        needed.insert(name.clone(), value.clone());
                    } else {
                        schemas.push((name.clone(), self.schema(value)?));
                    }
                }
                if !needed.is_empty() {
                    schema.set(Keyword::DependentRequired, Value::Object(needed));
                }
                if !schemas.is_empty() {
                    schema.set(Keyword::DependentSchemas, schemas);
                }
            }
            _ => {
                let Some(keyword) = Keyword::from_name(name) else { return Some(()) };
                match keyword.holds() {
                    Holds::Data => schema.set(keyword, value.clone()),
                    Holds::Reference => {}
                    Holds::Schema => schema.set(keyword, self.schema(value)?),
                    Holds::Schemas => {
                        let list = value
                            .as_array()?
                            .iter()
                            .map(|item| self.schema(item))
                            .collect::<Option<Vec<_>>>()?;
                        schema.set(keyword, list);
                    }
                    Holds::NamedSchemas => {
                        let map = value.as_object()?.iter();
                        let named = map.map(|(name, value)| Some((name.clone(), self.schema(value)?)));
                        schema.set(keyword, named.collect::<Option<Vec<_>>>()?);
                    }
                }
            }
        }
        Some(())
    }
}

pub(super) fn reader(source: &Value) -> Reader<'_> {
    Reader { source, origins: 0, names: HashMap::new(), open: Vec::new(), old: false }
}

impl Reader<'_> {
    pub(super) fn finish(mut self) -> Option<Document> {
        let mut document = Document::new(self.schema(self.source)?);
        while let Some((name, value)) = self.open.pop() {
            let schema = self.schema(value)?;
            document.define(name, schema);
        }
        Some(document)
    }
}
