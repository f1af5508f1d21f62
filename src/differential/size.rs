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
/// Branches of unions, conditions and dependencies in both schemas.
const MOST_BRANCHES: usize = 16;
/// Branches times names: every branch may be compared with every other, name by name.
const MOST_NAMES_IN_BRANCHES: usize = 48;
/// Schema objects times branches times names, two at least, which is what the work on alternatives of objects grows with.
const MOST_WORK: usize = 1_100;
/// Branches times names where the difference of the two is to be written down, which is what takes longest.
const MOST_NAMES_IN_BRANCHES_OF_A_DIFFERENCE: usize = 24;
/// Combinations of the alternatives that apply to one place of an instance.
const MOST_COMBINATIONS: usize = 32;
/// Listed values and parts of them in both schemas.
const MOST_VALUES: usize = 512;

/// What is counted.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Size {
    schemas: usize,
    /// The most in one schema object.
    names: usize,
    branches: usize,
    /// The most ways in which the alternatives that apply to one place of an instance can be combined.
    combinations: usize,
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
            let mut place = Place { entered: 0, combinations: 1 };
            size.add(schema.document, schema.root, &mut Vec::new(), &mut place);
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
            && self.combinations <= MOST_COMBINATIONS
            && self.values <= MOST_VALUES
    }

    /// Whether the difference may be asked for.
    pub(crate) fn is_very_small(&self) -> bool {
        self.is_small() && self.branches * self.names <= MOST_NAMES_IN_BRANCHES_OF_A_DIFFERENCE
    }

    /// `around` are the definitions that are being counted. Every schema is counted before what is in it, so
    /// that the recursion is no deeper than the limit.
    fn add(&mut self, document: &Document, schema: &Schema, around: &mut Vec<Arc<str>>, place: &mut Place) {
        self.schemas += 1;
        if self.schemas > MOST_SCHEMAS {
            return;
        }
        let named = schema.keywords().iter().filter(|(keyword, _)| keyword.holds() == Holds::NamedSchemas);
        let names = named.map(|(keyword, _)| schema.named(*keyword).len()).sum();
        self.names = self.names.max(names);
        for branches in alternatives(schema) {
            self.branches += branches;
            place.combinations = place.combinations.saturating_mul(branches);
        }
        self.combinations = self.combinations.max(place.combinations);
        for (keyword, part) in schema.keywords() {
            if let (true, Some(value)) = (keyword.constrains(), schema.data(*keyword)) {
                self.values += values(value);
            }
            for part in part.schemas() {
                if keyword.is_in_place() {
                    self.add(document, part, around, place);
                } else {
                    let mut inside = Place { entered: around.len(), combinations: 1 };
                    self.add(document, part, around, &mut inside);
                }
            }
        }
        self.follow(document, schema, around, place);
    }

    fn follow(
        &mut self,
        document: &Document,
        schema: &Schema,
        around: &mut Vec<Arc<str>>,
        place: &mut Place,
    ) {
        let Some(name) = schema.target() else { return };
        if let Some(position) = around.iter().position(|outer| outer == name) {
            self.is_circular |= position >= place.entered;
            return;
        }
        let Some(definition) = document.definition(name) else { return };
        around.push(Arc::clone(name));
        self.add(document, definition, around, place);
        around.pop();
    }
}

/// One place of an instance.
struct Place {
    /// How many definitions were being counted when it was entered: later ones were entered in it.
    entered: usize,
    combinations: usize,
}

/// Of how many alternatives each union of a schema object is, conditions and dependencies included.
fn alternatives(schema: &Schema) -> impl Iterator<Item = usize> {
    let unions = [Keyword::AnyOf, Keyword::OneOf].into_iter().map(|keyword| schema.schemas(keyword).len());
    let dependencies = schema.named(Keyword::DependentSchemas).len()
        + schema.data(Keyword::DependentRequired).and_then(Value::as_object).map_or(0, serde_json::Map::len);
    let two_ways = dependencies + usize::from(schema.has(Keyword::If));
    unions.filter(|branches| *branches > 0).chain(std::iter::repeat_n(2, two_ways))
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
