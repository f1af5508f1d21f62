//! A root schema with its definitions.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use serde_json::Value;

use super::Schema;

/// A root schema and the definitions that it and they refer to.
///
/// Definition names consist of letters, digits, `_`, `.` and `-`, so that a pointer to one needs no
/// escaping anywhere.
#[derive(Debug, Clone)]
pub(crate) struct Document {
    pub(crate) root: Schema,
    definitions: Vec<(Arc<str>, Schema)>,
    positions: HashMap<Arc<str>, usize>,
}

impl Document {
    pub(crate) fn new(root: Schema) -> Document {
        Document { root, definitions: Vec::new(), positions: HashMap::new() }
    }

    /// Adds a definition, or replaces the one of this name.
    pub(crate) fn define(&mut self, name: Arc<str>, schema: Schema) {
        match self.positions.get(&name).and_then(|position| self.definitions.get_mut(*position)) {
            Some(there) => there.1 = schema,
            None => {
                self.positions.insert(Arc::clone(&name), self.definitions.len());
                self.definitions.push((name, schema));
            }
        }
    }

    /// The definition of this name.
    pub(crate) fn definition(&self, name: &str) -> Option<&Schema> {
        self.definitions.get(*self.positions.get(name)?).map(|(_, schema)| schema)
    }

    /// The definitions, in the order in which they were first needed.
    pub(crate) fn definitions(&self) -> &[(Arc<str>, Schema)] {
        &self.definitions
    }

    /// Every schema in the document: those of the root, then those of the definitions.
    pub(crate) fn everywhere(&self) -> impl Iterator<Item = &Schema> {
        let definitions = self.definitions.iter().map(|(_, definition)| definition);
        std::iter::once(&self.root).chain(definitions).flat_map(Schema::everywhere)
    }

    /// The document with the root and every definition replaced by what `of` makes of it.
    pub(crate) fn map(&self, mut of: impl FnMut(&Schema) -> Schema) -> Document {
        let root = of(&self.root);
        self.map_definitions(root, of)
    }

    /// The definitions, each replaced by what `of` makes of it, under another root.
    pub(crate) fn map_definitions(&self, root: Schema, mut of: impl FnMut(&Schema) -> Schema) -> Document {
        let definitions =
            self.definitions.iter().map(|(name, schema)| (Arc::clone(name), of(schema))).collect();
        Document { root, definitions, positions: self.positions.clone() }
    }

    /// The whole document as a schema of it.
    pub(crate) fn whole(&self) -> Rooted<'_> {
        Rooted { document: self, root: &self.root }
    }

    /// The document as JSON: the root, with `$defs` last where there are definitions.
    pub(crate) fn to_value(&self) -> Value {
        if self.definitions.is_empty() {
            return self.root.to_value();
        }
        let mut root = self.root.to_object();
        let definitions =
            self.definitions.iter().map(|(name, schema)| (name.to_string(), schema.to_value())).collect();
        root.insert("$defs".to_owned(), Value::Object(definitions));
        Value::Object(root)
    }
}

/// A schema with the document that its references lead into.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rooted<'a> {
    pub(crate) document: &'a Document,
    pub(crate) root: &'a Schema,
}

impl<'a> Rooted<'a> {
    /// The definitions that the schema leads to, in the order of the document.
    pub(crate) fn definitions(self) -> Vec<(&'a Arc<str>, &'a Schema)> {
        let mut reached: HashSet<&str> = HashSet::new();
        let mut pending = vec![self.root];
        while let Some(schema) = pending.pop() {
            for name in schema.everywhere().filter_map(Schema::target) {
                if reached.insert(name) {
                    pending.extend(self.document.definition(name));
                }
            }
        }
        let definitions = self.document.definitions.iter();
        definitions
            .filter(|(name, _)| reached.contains(&**name))
            .map(|(name, schema)| (name, schema))
            .collect()
    }

    /// The schema as a document of its own, with only the definitions that it leads to.
    pub(crate) fn alone(self) -> Document {
        let mut alone = Document::new(self.root.clone());
        for (name, definition) in self.definitions() {
            alone.define(Arc::clone(name), definition.clone());
        }
        alone
    }
}
