//! What the converted schema is known to guarantee about one value.
//!
//! A [`View`] is a union of alternatives, each a conjunction of schema objects of the converted document
//! (its *facts*): whenever the converted schema accepts an instance, the value at the position in
//! question satisfies every fact of at least one alternative. References and `allOf` are followed,
//! `anyOf` and `oneOf` become alternatives. Forgetting facts, and adding alternatives, only makes a view
//! weaker, so every bound below is safe: it costs minimality, never correctness.

use serde_json::Value;
use smallvec::SmallVec;

use super::alike::Alike;
use crate::adapt::branches::Test;
use crate::schema::{Schema, same_value};
use crate::vocabulary::{Keyword, Types};

/// More alternatives than this are not told apart.
pub(super) const MAX_ALTERNATIVES: usize = 48;

/// All values of the types that have few.
static FEW_VALUES: [Value; 3] = [Value::Null, Value::Bool(false), Value::Bool(true)];

/// Facts that hold together.
#[derive(Debug, Clone)]
pub(crate) struct Alternative<'c> {
    pub(crate) facts: SmallVec<[&'c Schema; 2]>,
    /// The types that are left by all facts together.
    pub(crate) types: Types,
}

/// A union of alternatives. Without any, no accepted instance has a value at this position.
#[derive(Debug, Clone)]
pub(crate) struct View<'c> {
    pub(crate) alternatives: Vec<Alternative<'c>>,
}

/// What a view knows, for comparison only.
pub(crate) type ViewKey = Vec<(Types, Vec<usize>)>;

impl<'c> Alternative<'c> {
    fn unknown() -> Alternative<'c> {
        Alternative { facts: SmallVec::new(), types: Types::ANY }
    }

    /// Whether every value of the other alternative is one of this.
    fn covers(&self, other: &Alternative<'c>) -> bool {
        let knows = |fact: &&'c Schema| other.facts.iter().any(|known| std::ptr::eq(*known, *fact));
        self.types.contains(other.types) && self.facts.iter().all(knows)
    }

    /// The values that are left where a fact lists them, or where their types have no others; those of other types
    /// left out.
    pub(crate) fn literals(&self) -> Option<Vec<&'c Value>> {
        let mut lists = self.facts.iter().filter_map(|fact| fact.literals());
        let few = Types::BOOLEAN.with(Types::NULL).contains(self.types);
        let mut left = lists.next().or_else(|| few.then(|| FEW_VALUES.iter().collect()))?;
        for list in lists {
            left.retain(|value| list.iter().any(|other| same_value(value, other)));
        }
        left.retain(|value| self.types.contains(Types::of(value)));
        Some(left)
    }

    /// Whether a fact requires this property.
    pub(crate) fn requires(&self, name: &str) -> bool {
        self.facts.iter().any(|fact| fact.required().any(|required| required == name))
    }

    /// Whether all values are objects, and a fact allows no property of one of these names.
    pub(crate) fn forbids_one_of(&self, names: &[String]) -> bool {
        let forbids = |fact: &&'c Schema, name: &str| match fact.property(name) {
            Some(property) => property.is_never(),
            None => {
                fact.schema(Keyword::AdditionalProperties).is_some_and(Schema::is_never)
                    && fact.named(Keyword::PatternProperties).is_empty()
            }
        };
        self.types == Types::OBJECT
            && names.iter().any(|name| self.facts.iter().any(|fact| forbids(fact, name)))
    }

    /// The largest number of items that a fact allows.
    pub(crate) fn max_items(&self) -> Option<u64> {
        self.facts.iter().filter_map(|fact| fact.count(Keyword::MaxItems)).min()
    }
}

impl<'c> View<'c> {
    /// Nothing is known.
    pub(crate) fn unknown() -> View<'c> {
        View { alternatives: vec![Alternative::unknown()] }
    }

    /// No instance gets here.
    pub(crate) fn is_empty(&self) -> bool {
        self.alternatives.is_empty()
    }

    /// Identifies the view: two views with the same key know the same.
    pub(crate) fn key(&self, alike: &Alike) -> ViewKey {
        let of = |alternative: &Alternative<'c>| {
            let mut facts: Vec<usize> = alternative.facts.iter().map(|fact| alike.number(fact)).collect();
            facts.sort_unstable();
            facts.dedup();
            (alternative.types, facts)
        };
        let mut key: ViewKey = self.alternatives.iter().map(of).collect();
        key.sort_unstable();
        key.dedup();
        key
    }

    /// Adds an alternative that is not covered by those there are.
    pub(super) fn add(&mut self, new: Alternative<'c>) {
        if !self.alternatives.iter().any(|known| known.covers(&new)) {
            self.alternatives.retain(|known| !new.covers(known));
            self.alternatives.push(new);
        }
    }

    /// The alternatives that are left for values of these types.
    pub(crate) fn of_types(&self, types: Types) -> View<'c> {
        let narrowed = |alternative: &Alternative<'c>| Alternative {
            facts: alternative.facts.clone(),
            types: alternative.types.and(types),
        };
        let all = self.alternatives.iter().map(narrowed);
        View { alternatives: all.filter(|alternative| !alternative.types.is_empty()).collect() }
    }

    /// The same, with the types that pass different ones of these tests taken apart, as far as there is room.
    pub(crate) fn apart(&self, tests: &[Test]) -> View<'c> {
        let mut slices: Vec<Types> = vec![Types::ANY];
        for test in tests {
            let halves = |slice: &Types| [slice.and(test.types), slice.without(test.types)];
            slices = slices.iter().flat_map(halves).filter(|slice| !slice.is_empty()).collect();
        }
        let all: Vec<Alternative<'c>> =
            slices.iter().flat_map(|types| self.of_types(*types).alternatives).collect();
        if all.len() > MAX_ALTERNATIVES { self.clone() } else { View { alternatives: all } }
    }

    /// The alternatives that are left when the value also satisfies `test`.
    pub(crate) fn given(&self, test: &Test) -> View<'c> {
        let compatible = |alternative: &&Alternative<'c>| {
            !alternative.types.and(test.types).is_empty()
                && !alternative.forbids_one_of(&test.required)
                && test.properties.iter().all(|(name, values)| {
                    let known = alternative.facts.iter().filter_map(|fact| fact.property(name)?.literals());
                    known.into_iter().all(|known| {
                        known.iter().any(|value| values.iter().any(|other| same_value(value, other)))
                    })
                })
        };
        let narrowed = |alternative: &Alternative<'c>| Alternative {
            facts: alternative.facts.clone(),
            types: alternative.types.and(test.types),
        };
        View { alternatives: self.alternatives.iter().filter(compatible).map(narrowed).collect() }
    }
}

/// Whether every value of this alternative passes the test.
pub(crate) fn passes(test: &Test, alternative: &Alternative<'_>) -> bool {
    test.types.contains(alternative.types)
        && (test.required.is_empty() || alternative.types == Types::OBJECT)
        && test.required.iter().all(|name| alternative.requires(name))
        && test.properties.iter().all(|(name, values)| {
            let is_listed = |known: &Value| values.iter().any(|value| same_value(value, known));
            alternative.types == Types::OBJECT
                && alternative.requires(name)
                && alternative.facts.iter().any(|fact| {
                    fact.property(name)
                        .and_then(Schema::literals)
                        .is_some_and(|known| known.into_iter().all(is_listed))
                })
        })
}
