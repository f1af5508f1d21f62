//! What the converted schema is known to guarantee about one value.
//!
//! A [`View`] is a union of alternatives, each a conjunction of schema objects of the converted document
//! (its *facts*): whenever the converted schema accepts an instance, the value at the position in
//! question satisfies every fact of at least one alternative. References and `allOf` are followed,
//! `anyOf` and `oneOf` become alternatives. Forgetting facts, and adding alternatives, only makes a view
//! weaker, so every bound below is safe: it costs minimality, never correctness.

use std::cell::RefCell;
use std::collections::HashMap;

use serde_json::{Value, json};
use smallvec::SmallVec;

use crate::adapt::branches::Test;
use crate::schema::{Document, Schema, same_value};
use crate::vocabulary::{Keyword, Types};

/// More alternatives than this are not told apart.
const MAX_ALTERNATIVES: usize = 48;

/// All values of the types that have few.
static FEW_VALUES: [Value; 3] = [Value::Null, Value::Bool(false), Value::Bool(true)];

/// More facts than this about one value are not collected.
const MAX_FACTS: usize = 24;

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

/// The converted document, with what is needed to look into it.
pub(crate) struct Converted<'c> {
    pub(crate) document: &'c Document,
    patterns: RefCell<HashMap<String, Option<crate::differential::compile::Validator>>>,
}

/// What a view knows, for comparison only: facts are told apart by where they stand in the document.
pub(crate) type ViewKey = Vec<(Types, Vec<usize>)>;

/// The values that a position can have, one schema for each way to have one; `None`: nothing is known.
type Choices<'c> = Option<Vec<&'c Schema>>;

impl<'c> Alternative<'c> {
    fn unknown() -> Alternative<'c> {
        Alternative { facts: SmallVec::new(), types: Types::ANY }
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
    pub(crate) fn key(&self) -> ViewKey {
        let address = |fact: &&Schema| std::ptr::from_ref::<Schema>(fact) as usize;
        self.alternatives
            .iter()
            .map(|alternative| (alternative.types, alternative.facts.iter().map(address).collect()))
            .collect()
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

impl<'c> Converted<'c> {
    pub(crate) fn new(document: &'c Document) -> Converted<'c> {
        Converted { document, patterns: RefCell::new(HashMap::new()) }
    }

    /// The view of an instance that the whole document accepts.
    pub(crate) fn root(&self) -> View<'c> {
        self.all_of(&[&self.document.root])
    }

    /// The view of a value that satisfies all of these schemas.
    pub(crate) fn all_of(&self, schemas: &[&'c Schema]) -> View<'c> {
        self.conjoined(schemas, Vec::new())
    }

    /// The view of a value that satisfies all of these schemas, and of each union at least one member.
    fn conjoined(&self, schemas: &[&'c Schema], also: Vec<Vec<&'c Schema>>) -> View<'c> {
        let mut pending: Vec<&'c Schema> = schemas.iter().rev().copied().collect();
        let mut unions: Vec<Vec<&'c Schema>> = Vec::new();
        let mut facts: SmallVec<[&'c Schema; 2]> = SmallVec::new();
        while let Some(schema) = pending.pop() {
            if facts.len() >= MAX_FACTS || facts.iter().any(|fact| std::ptr::eq(*fact, schema)) {
                continue;
            }
            facts.push(schema);
            self.follow(schema, &mut pending, &mut unions);
        }
        let mut alternatives = vec![Alternative { facts, types: Types::ANY }];
        for union in unions.into_iter().chain(also) {
            alternatives = self.distribute(alternatives, &union);
        }
        View { alternatives: alternatives.into_iter().filter_map(settled).collect() }
    }

    /// Adds what must hold along with `schema`.
    fn follow(&self, schema: &'c Schema, pending: &mut Vec<&'c Schema>, unions: &mut Vec<Vec<&'c Schema>>) {
        if let Some(target) = schema.target().and_then(|name| self.document.definition(name)) {
            pending.push(target);
        }
        pending.extend(schema.schemas(Keyword::AllOf));
        for keyword in [Keyword::AnyOf, Keyword::OneOf] {
            if schema.has(keyword) {
                unions.push(schema.schemas(keyword).iter().collect());
            }
        }
    }

    /// Each alternative with each member of the union. A union that would make too many is left out.
    fn distribute(&self, alternatives: Vec<Alternative<'c>>, union: &[&'c Schema]) -> Vec<Alternative<'c>> {
        let mut members = Vec::new();
        for member in union {
            if members.len() > MAX_ALTERNATIVES {
                return alternatives;
            }
            members.extend(self.member(member));
        }
        if members.len() * alternatives.len() > MAX_ALTERNATIVES {
            return alternatives;
        }
        let mut product = Vec::with_capacity(members.len() * alternatives.len());
        for alternative in &alternatives {
            for member in &members {
                let mut facts = alternative.facts.clone();
                let is_new = |fact: &&'c Schema| !facts.iter().any(|known| std::ptr::eq(*known, *fact));
                let new: SmallVec<[&'c Schema; 2]> = member.iter().copied().filter(is_new).collect();
                facts.extend(new);
                product.push(Alternative { facts, types: Types::ANY });
            }
        }
        product
    }

    /// The alternatives of one member of a union, unions directly inside it taken apart as well.
    fn member(&self, member: &'c Schema) -> Vec<SmallVec<[&'c Schema; 2]>> {
        let mut done = Vec::new();
        let mut open: Vec<(SmallVec<[&'c Schema; 2]>, Vec<&'c Schema>)> =
            vec![(SmallVec::new(), vec![member])];
        while let Some((mut facts, mut pending)) = open.pop() {
            let mut unions: Vec<Vec<&'c Schema>> = Vec::new();
            while let Some(schema) = pending.pop() {
                if facts.len() >= MAX_FACTS || facts.iter().any(|fact| std::ptr::eq(*fact, schema)) {
                    continue;
                }
                facts.push(schema);
                self.follow(schema, &mut pending, &mut unions);
            }
            match unions.first() {
                Some(union) if open.len() + done.len() + union.len() <= MAX_ALTERNATIVES => {
                    open.extend(union.iter().rev().map(|branch| (facts.clone(), vec![*branch])));
                }
                _ => done.push(facts),
            }
        }
        done
    }

    /// The alternatives that are left for values that have no other properties than the schema allows.
    pub(crate) fn closed_by(&self, view: &View<'c>, schema: &Schema) -> View<'c> {
        let closed = schema.schema(Keyword::AdditionalProperties).is_some_and(Schema::is_never);
        // One alternative alone is worth no look at all of its names.
        if !closed || view.alternatives.len() < 2 {
            return view.clone();
        }
        let allowed = |name: &str| {
            let patterns = schema.named(Keyword::PatternProperties);
            schema.property(name).is_some()
                || patterns.iter().any(|(pattern, _)| self.matches(pattern, name) != Some(false))
        };
        let possible = |alternative: &&Alternative<'c>| {
            alternative.types != Types::OBJECT
                || alternative.facts.iter().all(|fact| fact.required().all(allowed))
        };
        View { alternatives: view.alternatives.iter().filter(possible).cloned().collect() }
    }

    /// The alternatives that are left for values that have the properties which the schema requires.
    pub(crate) fn required_by(&self, view: &View<'c>, schema: &Schema) -> View<'c> {
        if view.alternatives.len() < 2 {
            return view.clone();
        }
        let names: Vec<String> = schema.required().map(str::to_owned).collect();
        let possible = |alternative: &&Alternative<'c>| !alternative.forbids_one_of(&names);
        View { alternatives: view.alternatives.iter().filter(possible).cloned().collect() }
    }

    /// The view of a property of this name.
    pub(crate) fn property(&self, view: &View<'c>, name: &str) -> View<'c> {
        self.collect(view, Types::OBJECT, |alternative| {
            let said = alternative.facts.iter().flat_map(|fact| self.about_property(fact, name));
            self.all_of(&said.collect::<Vec<_>>())
        })
    }

    /// What one fact says about the property of this name.
    fn about_property(&self, fact: &&'c Schema, name: &str) -> Vec<&'c Schema> {
        let mut said: Vec<&'c Schema> = fact.property(name).into_iter().collect();
        for (pattern, schema) in fact.named(Keyword::PatternProperties) {
            match self.matches(pattern, name) {
                Some(true) => said.push(schema),
                Some(false) => {}
                // Whether the pattern or `additionalProperties` applies is not known.
                None => return said,
            }
        }
        if said.is_empty() {
            said.extend(fact.schema(Keyword::AdditionalProperties));
        }
        said
    }

    /// The view of properties whose names match this pattern.
    pub(crate) fn matching(&self, view: &View<'c>, pattern: &str) -> View<'c> {
        self.chosen(view, Types::OBJECT, |fact| {
            if let Some((_, schema)) =
                fact.named(Keyword::PatternProperties).iter().find(|(known, _)| known == pattern)
            {
                return Some(vec![schema]);
            }
            let mut choices = Vec::new();
            for (name, schema) in fact.named(Keyword::Properties) {
                if self.matches(pattern, name) != Some(false) {
                    choices.push(schema);
                }
            }
            choices.extend(fact.named(Keyword::PatternProperties).iter().map(|(_, schema)| schema));
            choices.push(fact.schema(Keyword::AdditionalProperties)?);
            Some(choices)
        })
    }

    /// The view of properties that neither `properties` nor `patternProperties` of `source` names.
    pub(crate) fn additional(&self, view: &View<'c>, source: &Schema) -> View<'c> {
        let patterns = source.named(Keyword::PatternProperties);
        self.chosen(view, Types::OBJECT, |fact| {
            let mut choices = Vec::new();
            for (name, schema) in fact.named(Keyword::Properties) {
                let named = source.property(name).is_some()
                    || patterns.iter().any(|(pattern, _)| self.matches(pattern, name) == Some(true));
                if !named {
                    choices.push(schema);
                }
            }
            for (pattern, schema) in fact.named(Keyword::PatternProperties) {
                if !patterns.iter().any(|(known, _)| known == pattern) {
                    choices.push(schema);
                }
            }
            choices.push(fact.schema(Keyword::AdditionalProperties)?);
            Some(choices)
        })
    }

    /// The view of the item at this index.
    pub(crate) fn item(&self, view: &View<'c>, index: usize) -> View<'c> {
        self.collect(view, Types::ARRAY, |alternative| {
            if alternative.max_items().is_some_and(|most| most <= index as u64) {
                return View { alternatives: Vec::new() };
            }
            let at = |fact: &&'c Schema| {
                let prefix = fact.schemas(Keyword::PrefixItems);
                prefix.get(index).or_else(|| fact.schema(Keyword::Items))
            };
            let facts: Vec<&'c Schema> = alternative.facts.iter().filter_map(at).collect();
            self.all_of(&facts)
        })
    }

    /// The view of the items from this index on.
    pub(crate) fn items_from(&self, view: &View<'c>, index: usize) -> View<'c> {
        let within =
            |alternative: &&Alternative<'c>| alternative.max_items().is_none_or(|most| most > index as u64);
        let view = View { alternatives: view.alternatives.iter().filter(within).cloned().collect() };
        self.chosen(&view, Types::ARRAY, |fact| {
            let prefix = fact.schemas(Keyword::PrefixItems);
            let mut choices: Vec<&'c Schema> = prefix.iter().skip(index).collect();
            choices.push(fact.schema(Keyword::Items)?);
            Some(choices)
        })
    }

    /// The union of what `of` says for each alternative that has values of these types.
    fn collect(&self, view: &View<'c>, types: Types, of: impl Fn(&Alternative<'c>) -> View<'c>) -> View<'c> {
        let mut alternatives = Vec::new();
        for alternative in &view.alternatives {
            if alternative.types.and(types).is_empty() {
                continue;
            }
            let part = of(alternative);
            alternatives.extend(part.alternatives);
            let knows_nothing = alternatives.iter().any(|alternative| alternative.facts.is_empty());
            if knows_nothing || alternatives.len() > MAX_ALTERNATIVES {
                return View::unknown();
            }
        }
        View { alternatives }
    }

    /// As [`Converted::collect`], where a fact gives a choice of schemas: the value satisfies one of each
    /// fact's choice, whichever that is. Where a fact leaves no choice, what it says holds for certain.
    fn chosen(&self, view: &View<'c>, types: Types, choices: impl Fn(&'c Schema) -> Choices<'c>) -> View<'c> {
        self.collect(view, types, |alternative| {
            let (mut certain, mut unions) = (Vec::new(), Vec::new());
            for choices in alternative.facts.iter().filter_map(|fact| choices(fact)) {
                match choices.as_slice() {
                    [only] => certain.push(*only),
                    _ => unions.push(choices),
                }
            }
            self.conjoined(&certain, unions)
        })
    }

    /// Whether the pattern matches the name; `None` where that cannot be told.
    pub(crate) fn matches(&self, pattern: &str, name: &str) -> Option<bool> {
        self.accepts(Keyword::Pattern, &Value::String(pattern.to_owned()), &Value::String(name.to_owned()))
    }

    /// Whether a string satisfies `pattern` or `format`; `None` where that cannot be told.
    pub(crate) fn accepts(&self, keyword: Keyword, value: &Value, instance: &Value) -> Option<bool> {
        let mut compiled = self.patterns.borrow_mut();
        let schema = json!({ keyword.name(): value });
        let validator = compiled
            .entry(schema.to_string())
            .or_insert_with(|| crate::differential::compile::draft_2020_12(schema).ok())
            .as_ref()?;
        crate::differential::compile::verdict(validator, instance).ok()
    }
}

/// The alternative with its types, or nothing where no value is left.
fn settled(mut alternative: Alternative<'_>) -> Option<Alternative<'_>> {
    if alternative.facts.iter().any(|fact| fact.is_never()) {
        return None;
    }
    let types = alternative.facts.iter().fold(Types::ANY, |types, fact| types.and(fact.types()));
    alternative.types = types;
    if let Some(literals) = alternative.literals() {
        let listed = literals.iter().fold(Types::EMPTY, |types, value| types.with(Types::of(value)));
        alternative.types = types.and(listed);
    }
    (!alternative.types.is_empty()).then_some(alternative)
}
