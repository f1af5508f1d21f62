//! The dynamic scope: which resources have been entered on the way to a schema.
//!
//! `$dynamicRef` and `$recursiveRef` depend on it, and a lifted schema has neither. A definition is
//! therefore lifted once for every *environment* that it is reached in: the map from the name of a
//! dynamic anchor to the outermost entered resource that defines it. That is all of the dynamic scope
//! that can matter, since only the outermost one is ever asked for.
//!
//! It ends: an environment only grows. Entering one more resource adds the names that have no entry yet
//! and changes none that has, so with `n` names there are at most `n` steps on any path, and finitely many
//! environments for finitely many anchors. How many is bounded by the node budget, which every lifted
//! definition and every look-up made here is charged to.
//!
//! A resource counts as entered when a reference leaves it, as in the `jsonschema` crate. A document
//! without dynamic anchors has no [`Dynamic`] and one empty environment.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use jsonschema::Draft;

use super::budget::Measure;
use super::resolve::{BaseId, Scope};

/// An environment, by number; 0 is the empty one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(super) struct EnvironmentId(usize);

/// A place, and what it needs to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Anchor {
    pub(super) address: usize,
    pub(super) draft: Draft,
    pub(super) base: BaseId,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
struct Environment<'a> {
    /// Whether any resource has been entered.
    entered: bool,
    /// By name, the outermost dynamic anchor.
    anchors: BTreeMap<&'a str, Anchor>,
    /// The outermost resource that `$recursiveRef` reaches: it goes outwards only as long as every
    /// resource on the way has `$recursiveAnchor`.
    recursive: Option<BaseId>,
}

/// The environments of one document.
pub(super) struct Dynamic<'a> {
    names: BTreeSet<&'a str>,
    recursive_anchor: bool,
    environments: Vec<Environment<'a>>,
    ids: HashMap<Environment<'a>, EnvironmentId>,
    /// What an environment becomes when a resource is entered.
    grown: HashMap<(EnvironmentId, BaseId), EnvironmentId>,
    work: usize,
}

impl<'a> Dynamic<'a> {
    /// `None` for a document without dynamic anchors.
    pub(super) fn new(measure: &Measure<'a>) -> Option<Dynamic<'a>> {
        if measure.dynamic_anchors.is_empty() && !measure.recursive_anchor {
            return None;
        }
        Some(Dynamic {
            names: measure.dynamic_anchors.clone(),
            recursive_anchor: measure.recursive_anchor,
            environments: vec![Environment::default()],
            ids: HashMap::from([(Environment::default(), EnvironmentId::default())]),
            grown: HashMap::new(),
            work: 0,
        })
    }

    pub(super) fn has_recursive_anchor(&self) -> bool {
        self.recursive_anchor
    }

    pub(super) fn work(&self) -> usize {
        self.work
    }

    fn get(&self, id: EnvironmentId) -> Option<&Environment<'a>> {
        self.environments.get(id.0)
    }

    /// The outermost dynamic anchor of this name.
    pub(super) fn outermost(&self, id: EnvironmentId, name: &str) -> Option<Anchor> {
        self.get(id)?.anchors.get(name).copied()
    }

    /// The resource that a `$recursiveRef` goes out to.
    pub(super) fn recursive(&self, id: EnvironmentId) -> Option<BaseId> {
        self.get(id)?.recursive
    }

    /// The environment after a reference from `scope` into `document`, as far as it is known already. A
    /// reference that stays in its resource adds nothing, except that the first one enters it.
    pub(super) fn after(&self, scope: Scope, document: BaseId) -> Option<EnvironmentId> {
        if document == scope.base && self.get(scope.environment).is_some_and(|own| own.entered) {
            return Some(scope.environment);
        }
        self.grown.get(&(scope.environment, scope.base)).copied()
    }

    /// The names that an environment has no entry for.
    pub(super) fn missing(&self, id: EnvironmentId) -> Vec<&'a str> {
        let known = self.get(id).map(|own| &own.anchors);
        self.names
            .iter()
            .filter(|name| !known.is_some_and(|known| known.contains_key(*name)))
            .copied()
            .collect()
    }

    /// The environment after the resource `scope.base`, which has these anchors, has been entered.
    pub(super) fn grow(
        &mut self,
        scope: Scope,
        anchors: Vec<(&'a str, Anchor)>,
        recursive: bool,
    ) -> EnvironmentId {
        let mut grown = self.get(scope.environment).cloned().unwrap_or_default();
        self.work += self.names.len().saturating_sub(grown.anchors.len());
        grown.entered = true;
        for (name, anchor) in anchors {
            grown.anchors.entry(name).or_insert(anchor);
        }
        grown.recursive = recursive.then(|| grown.recursive.unwrap_or(scope.base));
        let next = EnvironmentId(self.environments.len());
        let id = *self.ids.entry(grown.clone()).or_insert(next);
        if id == next {
            self.environments.push(grown);
        }
        self.grown.insert((scope.environment, scope.base), id);
        id
    }
}
