//! Which pairs of schemas are small enough to be proved something about.
//!
//! The work of a proof grows with powers of a schema's width and with the product of its alternatives, and a
//! reference costs what it leads to, every time it is followed. So everything is counted as if every
//! reference were written out. Recursion is counted where it closes. The limits were found by measuring real
//! schemas: below them no call takes longer than about 20 ms.

use std::sync::Arc;

use serde_json::Value;

use crate::schema::{Document, Rooted, Schema};
use crate::vocabulary::{Holds, Keyword};

/// Schema objects in both schemas.
const MOST_SCHEMAS: usize = 48;
/// Names and patterns in one schema object.
const MOST_NAMES: usize = 12;
/// Branches of `anyOf`, `oneOf` and conditions in both schemas.
const MOST_BRANCHES: usize = 16;
/// Branches times names: every branch may be compared with every other, name by name.
const MOST_NAMES_IN_BRANCHES: usize = 48;
/// Schema objects times branches times names, two at least, which is what the work on alternatives of objects grows with.
const MOST_WORK: usize = 1_100;
/// Branches times names where the difference of the two is to be written down, which is what takes longest.
const MOST_NAMES_IN_BRANCHES_OF_A_DIFFERENCE: usize = 24;
/// Listed values, parts of values and names in both schemas.
const MOST_VALUES: usize = 512;

/// What is counted.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Size {
    schemas: usize,
    /// The most in one schema object.
    names: usize,
    branches: usize,
    values: usize,
    /// Whether a schema reaches itself through references without going into a part of the instance: what
    /// such a schema accepts depends on where a validator cuts the circle.
    is_circular: bool,
}

impl Size {
    /// Counts both schemas together.
    pub(crate) fn of(schemas: [Rooted<'_>; 2]) -> Size {
        let mut size = Size::default();
        for schema in schemas {
            size.add(schema.document, schema.root, &mut Vec::new(), 0);
        }
        size
    }

    /// Whether containment may be asked about.
    pub(crate) fn is_small(&self) -> bool {
        !self.is_circular
            && self.schemas <= MOST_SCHEMAS
            && self.names <= MOST_NAMES
            && self.branches <= MOST_BRANCHES
            && self.branches * self.names <= MOST_NAMES_IN_BRANCHES
            && self.schemas * self.branches * self.names.max(2) <= MOST_WORK
            && self.values <= MOST_VALUES
    }

    /// Whether the difference may be asked for.
    pub(crate) fn is_very_small(&self) -> bool {
        self.is_small() && self.branches * self.names <= MOST_NAMES_IN_BRANCHES_OF_A_DIFFERENCE
    }

    /// `around` are the definitions that are being counted, `here` is the first of them that was entered at
    /// the same place of the instance. Every schema is counted before what is in it, so that the recursion is
    /// no deeper than the limit.
    fn add(&mut self, document: &Document, schema: &Schema, around: &mut Vec<Arc<str>>, here: usize) {
        self.schemas += 1;
        if self.schemas > MOST_SCHEMAS {
            return;
        }
        let named = schema.keywords().iter().filter(|(keyword, _)| keyword.holds() == Holds::NamedSchemas);
        let names = named.map(|(keyword, _)| schema.named(*keyword).len()).sum();
        self.names = self.names.max(names);
        self.branches += schema.schemas(Keyword::AnyOf).len() + schema.schemas(Keyword::OneOf).len();
        self.branches += if schema.has(Keyword::If) { 2 } else { 0 };
        for (keyword, part) in schema.keywords() {
            if let (true, Some(value)) = (keyword.constrains(), schema.data(*keyword)) {
                self.values += values(value);
            }
            let inside = if keyword.is_in_place() { here } else { around.len() };
            for part in part.schemas() {
                self.add(document, part, around, inside);
            }
        }
        self.follow(document, schema, around, here);
    }

    fn follow(&mut self, document: &Document, schema: &Schema, around: &mut Vec<Arc<str>>, here: usize) {
        let Some(name) = schema.target() else { return };
        if let Some(position) = around.iter().position(|outer| outer == name) {
            self.is_circular |= position >= here;
            return;
        }
        let Some(definition) = document.definition(name) else { return };
        around.push(Arc::clone(name));
        self.add(document, definition, around, here);
        around.pop();
    }
}

/// How many values there are in a value. Does not recurse.
fn values(value: &Value) -> usize {
    let mut pending = vec![value];
    let mut count = 0;
    while let Some(value) = pending.pop() {
        count += 1;
        match value {
            Value::Array(items) => pending.extend(items),
            Value::Object(members) => pending.extend(members.values()),
            _ => {}
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::source::{Budget, lift};

    fn size(schema: &Value) -> Size {
        let document = lift(schema, &Budget::default()).unwrap().document;
        Size::of([document.whole(); 2])
    }

    #[test]
    fn references_count_what_they_lead_to() {
        let once = json!({"$defs": {"a": {"items": {"type": "null"}}}, "$ref": "#/$defs/a"});
        let twice = json!({"$defs": {"a": {"items": {"type": "null"}}}, "prefixItems": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/a"}]});
        assert_eq!((size(&once).schemas, size(&twice).schemas), (2 * 3, 2 * 7));
    }

    #[test]
    fn recursion_is_counted_once_and_circles_are_told_from_it() {
        let list = json!({"properties": {"next": {"$ref": "#"}}});
        assert!(size(&list).is_small());
        let circle = json!({"$defs": {"a": {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/a"}]}}, "$ref": "#/$defs/a"});
        assert!(size(&circle).is_circular && !size(&circle).is_small());
    }

    #[test]
    fn references_that_double_end_at_the_limit() {
        let mut definitions = serde_json::Map::new();
        for level in 0..40 {
            let next = json!({"$ref": format!("#/$defs/a{}", level + 1)});
            definitions.insert(format!("a{level}"), json!({"properties": {"l": next, "r": next}}));
        }
        definitions.insert("a40".to_owned(), json!({"type": "null"}));
        // Lifting refuses most of these itself; what it lets through is too large here.
        if let Ok(lifted) = lift(&json!({"$defs": definitions, "$ref": "#/$defs/a0"}), &Budget::default()) {
            assert!(!Size::of([lifted.document.whole(); 2]).is_small());
        }
    }
}
