//! The converted document, looked into part by part.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;

use serde_json::{Value, json};

use super::alike::Alike;
use super::view::{Alternative, MAX_ALTERNATIVES, View};
use crate::differential::compile::{self, Validator};
use crate::schema::{Document, Schema};
use crate::vocabulary::{Keyword, Types};

/// The converted document, with what is needed to look into it.
pub(crate) struct Converted<'c> {
    pub(crate) document: &'c Document,
    patterns: RefCell<HashMap<String, Option<Validator>>>,
    /// Filled in when definitions are first told apart by their views.
    alike: OnceCell<Alike>,
}

/// The values that a position can have, one schema for each way to have one; `None`: nothing is known.
type Choices<'c> = Option<Vec<&'c Schema>>;

impl<'c> Converted<'c> {
    pub(crate) fn new(document: &'c Document) -> Converted<'c> {
        Converted { document, patterns: RefCell::new(HashMap::new()), alike: OnceCell::new() }
    }

    /// The view of an instance that the whole document accepts.
    pub(crate) fn root(&self) -> View<'c> {
        self.all_of(&[&self.document.root])
    }

    /// Which schema objects of the document say the same.
    pub(crate) fn alike(&self) -> &Alike {
        self.alike.get_or_init(|| Alike::new(self.document))
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
        let mut all = View { alternatives: Vec::new() };
        for alternative in &view.alternatives {
            if alternative.types.and(types).is_empty() {
                continue;
            }
            of(alternative).alternatives.into_iter().for_each(|part| all.add(part));
            if all.alternatives.len() > MAX_ALTERNATIVES {
                return View::unknown();
            }
        }
        all
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
            .or_insert_with(|| compile::draft_2020_12(schema).ok())
            .as_ref()?;
        compile::verdict(validator, instance).ok()
    }
}
