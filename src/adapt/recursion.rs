//! Which references make a definition contain itself.
//!
//! Two definitions lead to each other where they are in the same strongly connected component of the graph
//! of references. Components are found with Kosaraju's algorithm (Sharir, "A strong-connectivity algorithm and
//! its applications in data flow analysis", 1981), in time linear in the document.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::schema::{Document, Schema};
use crate::vocabulary::Keyword;

/// For each definition the component it belongs to; `None` where it does not contain itself.
type Components = HashMap<Arc<str>, Option<usize>>;

/// The recursive definitions of a document.
pub(crate) struct Recursion {
    /// Through references anywhere.
    anywhere: Components,
    /// Through references outside of optional properties.
    outside_optional: Components,
}

impl Recursion {
    pub(crate) fn of(document: &Document) -> Recursion {
        let components = |with_optional: bool| {
            let definitions = document.definitions();
            let indices: HashMap<&Arc<str>, usize> =
                definitions.iter().enumerate().map(|(index, (name, _))| (name, index)).collect();
            let edges: Vec<Vec<usize>> = definitions
                .iter()
                .map(|(_, schema)| references(schema, with_optional))
                .map(|names| names.iter().filter_map(|name| indices.get(name).copied()).collect())
                .collect();
            let components = components(&edges);
            definitions.iter().map(|(name, _)| Arc::clone(name)).zip(components).collect()
        };
        Recursion { anywhere: components(true), outside_optional: components(false) }
    }

    /// Whether `to`, which `from` refers to, leads back to `from`.
    pub(crate) fn returns(&self, from: &Arc<str>, to: &Arc<str>) -> bool {
        together(&self.anywhere, from, to)
    }

    /// Whether `to`, which `from` refers to outside of optional properties, leads back to `from` without
    /// passing an optional property.
    pub(crate) fn returns_outside_optional(&self, from: &Arc<str>, to: &Arc<str>) -> bool {
        from == to || together(&self.outside_optional, from, to)
    }

    /// Whether a definition contains itself.
    pub(crate) fn is_recursive(&self, name: &Arc<str>) -> bool {
        together(&self.anywhere, name, name)
    }
}

fn together(components: &Components, from: &Arc<str>, to: &Arc<str>) -> bool {
    let component = |name| components.get(name).copied().flatten();
    component(from).is_some_and(|from| component(to) == Some(from))
}

/// The definitions that a schema refers to. A property counts as optional where nothing in the definition
/// requires one of its name.
fn references(schema: &Schema, with_optional: bool) -> HashSet<Arc<str>> {
    let needed: HashSet<&str> = schema.everywhere().flat_map(Schema::required).collect();
    let is_needed = |name: &str| with_optional || needed.contains(name);
    let mut found = HashSet::new();
    let mut pending = vec![schema];
    while let Some(schema) = pending.pop() {
        found.extend(schema.target().cloned());
        for (keyword, part) in schema.keywords() {
            match keyword {
                Keyword::Properties => pending.extend(
                    schema
                        .named(*keyword)
                        .iter()
                        .filter(|(name, _)| is_needed(name))
                        .map(|(_, schema)| schema),
                ),
                _ => pending.extend(part.schemas()),
            }
        }
    }
    found
}

/// The component of each node, named by one of its members; `None` for a node that no path leads back to.
fn components(edges: &[Vec<usize>]) -> Vec<Option<usize>> {
    let backwards = reversed(edges);
    let mut found: Vec<Option<usize>> = vec![None; edges.len()];
    let mut sizes: HashMap<usize, usize> = HashMap::new();
    for start in in_order_of_finishing(edges).into_iter().rev() {
        let mut pending = vec![start];
        while let Some(node) = pending.pop() {
            let Some(component) = found.get_mut(node).filter(|component| component.is_none()) else {
                continue;
            };
            *component = Some(start);
            *sizes.entry(start).or_default() += 1;
            pending.extend(backwards.get(node).into_iter().flatten());
        }
    }
    let own = edges.iter().enumerate().map(|(node, edges)| edges.contains(&node));
    let returns = |(component, own): (Option<usize>, bool)| {
        component.filter(|component| own || sizes.get(component).is_some_and(|size| *size > 1))
    };
    found.into_iter().zip(own).map(returns).collect()
}

/// Each node after all that are first reached through it.
fn in_order_of_finishing(edges: &[Vec<usize>]) -> Vec<usize> {
    let mut seen = vec![false; edges.len()];
    let mut finished = Vec::with_capacity(edges.len());
    let mut pending: Vec<(usize, bool)> = (0..edges.len()).rev().map(|node| (node, false)).collect();
    while let Some((node, is_finished)) = pending.pop() {
        if is_finished {
            finished.push(node);
            continue;
        }
        let Some(seen) = seen.get_mut(node).filter(|seen| !**seen) else { continue };
        *seen = true;
        pending.push((node, true));
        pending.extend(edges.get(node).into_iter().flatten().map(|next| (*next, false)));
    }
    finished
}

fn reversed(edges: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut reversed = vec![Vec::new(); edges.len()];
    for (node, edges) in edges.iter().enumerate() {
        for next in edges {
            if let Some(backwards) = reversed.get_mut(*next) {
                backwards.push(node);
            }
        }
    }
    reversed
}

#[cfg(test)]
mod tests {
    use super::components;

    #[test]
    fn nodes_on_a_circle_are_together_and_no_others() {
        // 0 → 1 → 2 → 1, 3 → 3, 4 → 0.
        let found = components(&[vec![1], vec![2], vec![1], vec![3], vec![0]]);
        let together = |left: usize, right: usize| found[left].is_some() && found[left] == found[right];
        assert!(together(1, 2) && together(3, 3) && !together(1, 3));
        assert_eq!((found[0], found[4]), (None, None));
    }

    #[test]
    fn a_long_chain_takes_no_stack_and_no_time() {
        let edges: Vec<Vec<usize>> = (1..=100_000).map(|next| vec![next % 100_000]).collect();
        let found = components(&edges);
        assert!(found.iter().all(|component| component.is_some() && *component == found[0]));
    }
}
