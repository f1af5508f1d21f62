//! Which schema objects of a document say the same.
//!
//! Inlining and merging write one thing in many places. What is derived for one of them serves for all, so the
//! places are told apart by what is written there, annotations aside, and not by where it stands.

use std::collections::HashMap;
use std::fmt::Write;

use crate::schema::{Document, Part, Schema};

/// A number for every schema object of a document; the same number for the same content.
pub(super) struct Alike {
    numbers: HashMap<*const Schema, usize>,
}

impl Alike {
    pub(super) fn new(document: &Document) -> Alike {
        let mut contents: HashMap<String, usize> = HashMap::new();
        let mut numbers: HashMap<*const Schema, usize> = HashMap::new();
        let all: Vec<&Schema> = document.everywhere().collect();
        // Each schema comes before those in it, so that from the back those in it are numbered first.
        for schema in all.into_iter().rev() {
            let content = content(schema, &numbers);
            let next = contents.len();
            let number = *contents.entry(content).or_insert(next);
            numbers.insert(std::ptr::from_ref(schema), number);
        }
        Alike { numbers }
    }

    /// The number of a schema object of the document.
    pub(super) fn number(&self, schema: &Schema) -> usize {
        let address = std::ptr::from_ref(schema);
        // Whatever is not of the document is like nothing in it, and no number is as large as an address.
        self.numbers.get(&address).copied().unwrap_or(address as usize)
    }
}

/// What a schema object says, in its own words, with the numbers of the schemas in it.
fn content(schema: &Schema, numbers: &HashMap<*const Schema, usize>) -> String {
    let mut text = String::new();
    for (keyword, part) in schema.keywords().iter().filter(|(keyword, _)| keyword.constrains()) {
        text.push_str(keyword.name());
        let number = |schema: &Schema| numbers.get(&std::ptr::from_ref(schema)).copied();
        let written = match part {
            Part::Data(value) => write!(text, "={value}"),
            Part::Reference(name) => write!(text, ">{}", serde_json::Value::from(&**name)),
            Part::Schema(child) => write!(text, ":{:?}", number(child)),
            Part::Schemas(list) => write!(text, "{:?}", list.iter().map(number).collect::<Vec<_>>()),
            Part::Named(named) => {
                let numbered = named.iter().map(|(name, child)| (name, number(child)));
                write!(text, "{:?}", numbered.collect::<Vec<_>>())
            }
        };
        debug_assert!(written.is_ok(), "a string takes whatever is written to it");
        text.push(';');
    }
    text
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::source::{Budget, lift};

    #[test]
    fn annotations_and_places_make_no_difference() {
        let schema = json!({"properties": {
            "a": {"items": {"enum": ["x"], "title": "one"}},
            "b": {"items": {"enum": ["x"], "title": "another"}},
            "c": {"items": {"enum": ["y"]}}
        }});
        let document = lift(&schema, &Budget::default()).unwrap().document;
        let alike = Alike::new(&document);
        let number = |name| alike.number(document.root.property(name).unwrap());
        assert_eq!(number("a"), number("b"));
        assert_ne!(number("a"), number("c"));
    }
}
