//! A document that holds where a source and what a target enforces of it both hold.
//!
//! An instance made to violate one keyword of the source in *this* document satisfies everything else in it:
//! the rest of the source, and all that is enforced. So it is just what shows the loss of the keyword. The
//! enforced part stands beside the source, in an `allOf`; its definitions get names of their own, and its schema
//! objects an origin that is no place of the source, so that a route to a place leads into the source only.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::schema::{Document, Origin, Part, Schema};
use crate::vocabulary::Keyword;

/// No place of any source.
const NOWHERE: Origin = Origin(u32::MAX);

/// Both documents as one.
pub(crate) fn together(source: &Document, enforced: &Document) -> Document {
    let names = names(source, enforced);
    let beside = moved(&enforced.root, &names);
    let both = vec![source.root.clone(), beside];
    let root = Schema::always(NOWHERE).with(Keyword::AllOf, both);
    let mut document = source.map_definitions(root, Schema::clone);
    for (name, definition) in enforced.definitions() {
        if let Some(new) = names.get(name) {
            document.define(Arc::clone(new), moved(definition, &names));
        }
    }
    document
}

/// For each definition of the enforced document a name that the source does not use.
fn names(source: &Document, enforced: &Document) -> HashMap<Arc<str>, Arc<str>> {
    let mut taken: HashSet<Arc<str>> =
        source.definitions().iter().map(|(name, _)| Arc::clone(name)).collect();
    let mut names = HashMap::new();
    for (name, _) in enforced.definitions() {
        let mut new: Arc<str> = Arc::from(format!("{name}.enforced"));
        while !taken.insert(Arc::clone(&new)) {
            new = Arc::from(format!("{new}.enforced"));
        }
        names.insert(Arc::clone(name), new);
    }
    names
}

fn moved(schema: &Schema, names: &HashMap<Arc<str>, Arc<str>>) -> Schema {
    let mut schema = schema.clone();
    place(&mut schema, names);
    schema
}

fn place(schema: &mut Schema, names: &HashMap<Arc<str>, Arc<str>>) {
    schema.origin = NOWHERE;
    if let Some(Part::Reference(name)) = schema.get_mut(Keyword::Ref)
        && let Some(new) = names.get(name)
    {
        *name = Arc::clone(new);
    }
    for child in schema.children_mut() {
        place(child, names);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::differential::compile;
    use crate::differential::witness::Generator;
    use crate::source::{Budget, lift};

    #[test]
    fn a_violation_satisfies_what_is_enforced() {
        let read = |schema| lift(&schema, &Budget::default()).unwrap();
        let source = read(json!({
            "$defs": {"port": {"type": "integer", "minimum": 1}},
            "patternProperties": {"^[a-z]+$": {"$ref": "#/$defs/port"}},
            "additionalProperties": false
        }));
        let enforced = read(json!({
            "$defs": {"port": {"type": "integer", "minimum": 5}},
            "type": "object",
            "additionalProperties": {"$ref": "#/$defs/port"}
        }));
        let both = together(&source.document, &enforced.document);
        let found =
            Generator::new(&both).violations(source.document.root.origin, Keyword::AdditionalProperties, 4);
        let enforced = compile::document(&enforced.document).unwrap();
        assert!(compile::verdict(&enforced, &found[0]).unwrap(), "{}", found[0]);
        let source = compile::document(&source.document).unwrap();
        assert!(!compile::verdict(&source, &found[0]).unwrap(), "{}", found[0]);
    }
}
