//! Which references make a definition contain itself.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::schema::{Document, Schema};
use crate::vocabulary::Keyword;

/// For each definition those that it reaches, itself only where it is recursive.
pub(crate) struct Recursion {
    /// Through references anywhere.
    anywhere: BTreeMap<Arc<str>, BTreeSet<Arc<str>>>,
    /// Through references outside of optional properties.
    outside_optional: BTreeMap<Arc<str>, BTreeSet<Arc<str>>>,
}

impl Recursion {
    pub(crate) fn of(document: &Document) -> Recursion {
        let edges = |with_optional: bool| {
            let direct = document
                .definitions()
                .iter()
                .map(|(name, schema)| (Arc::clone(name), references(schema, with_optional)))
                .collect();
            closure(&direct)
        };
        Recursion { anywhere: edges(true), outside_optional: edges(false) }
    }

    /// Whether `to` leads back to `from`.
    pub(crate) fn returns(&self, from: &Arc<str>, to: &Arc<str>) -> bool {
        from == to || self.anywhere.get(to).is_some_and(|reached| reached.contains(from))
    }

    /// Whether `to` leads back to `from` without passing an optional property.
    pub(crate) fn returns_outside_optional(&self, from: &Arc<str>, to: &Arc<str>) -> bool {
        from == to || self.outside_optional.get(to).is_some_and(|reached| reached.contains(from))
    }

    /// Whether a definition contains itself.
    pub(crate) fn is_recursive(&self, name: &Arc<str>) -> bool {
        self.anywhere.get(name).is_some_and(|reached| reached.contains(name))
    }
}

fn references(schema: &Schema, with_optional: bool) -> BTreeSet<Arc<str>> {
    let mut found = BTreeSet::new();
    let mut pending = vec![schema];
    while let Some(schema) = pending.pop() {
        found.extend(schema.target().cloned());
        for (keyword, part) in schema.keywords() {
            if *keyword == Keyword::Properties && !with_optional {
                let needed = |name: &str| schema.required().any(|required| required == name);
                pending.extend(
                    schema.named(*keyword).iter().filter(|(name, _)| needed(name)).map(|(_, schema)| schema),
                );
            } else {
                pending.extend(part.schemas());
            }
        }
    }
    found
}

fn closure(direct: &BTreeMap<Arc<str>, BTreeSet<Arc<str>>>) -> BTreeMap<Arc<str>, BTreeSet<Arc<str>>> {
    let reach = |start: &BTreeSet<Arc<str>>| {
        let mut reached = BTreeSet::new();
        let mut pending: Vec<Arc<str>> = start.iter().cloned().collect();
        while let Some(name) = pending.pop() {
            if reached.insert(Arc::clone(&name)) {
                pending.extend(direct.get(&name).into_iter().flatten().cloned());
            }
        }
        reached
    };
    direct.iter().map(|(name, start)| (Arc::clone(name), reach(start))).collect()
}
