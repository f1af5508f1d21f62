//! From the plan to the residual schema: trivial parts go, what is left is written down.
//!
//! A planned definition is trivial when nothing is left in it but references to trivial definitions. That
//! is a greatest fixed point: all definitions start out trivial, and one that has something left makes
//! those that refer to it have something left. An instance that only a circle of trivial definitions could
//! reject is rejected by none of them.
//!
//! The residual document has two spaces of definitions: what is left of a definition gets a name of its
//! own, and everything that is kept as it is refers to untouched copies of the source's definitions.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::Arc;

use serde_json::{Value, json};

use super::derive::Derivation;
use super::left::{left, plan_left, step_left};
use super::plan::{DefinitionId, Items, Plan, Properties, Step, Union};
use crate::adapt::branches::{Test, exclude_each_other};
use crate::schema::{Document, Origin, Part, Schema};
use crate::vocabulary::Keyword;

/// Branches of which only the test is left that others are compared with.
const MAX_ONLY_TESTS: usize = 64;

/// A keyword of the source that the converted schema does not enforce.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Loss {
    pub(crate) origin: Origin,
    pub(crate) keyword: Keyword,
}

/// What is left of a source.
pub(crate) struct Left {
    pub(crate) document: Document,
    /// The losses in the order in which they stand in the document.
    pub(crate) losses: Vec<Loss>,
    /// Losses inside a union that is a loss as a whole. Whether one of them makes a difference by itself is not
    /// known here.
    pub(crate) covered: Vec<Loss>,
}

/// Which losses are noted while a part of the plan is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Noted {
    /// Each by itself.
    Each,
    /// They are inside a union that has been noted as a whole.
    Covered,
    /// None: a reference has been noted that stands for all that it leads to.
    Not,
}

/// Writes the residual down.
pub(crate) fn emit(source: &Document, derivation: &Derivation<'_>) -> Left {
    let names = names(source, derivation);
    let mut emit = Emit {
        source,
        left: left(derivation),
        names,
        losses: Vec::new(),
        known: HashMap::new(),
        untouched: Vec::new(),
        referred: [VecDeque::new(), VecDeque::new(), VecDeque::new()],
        noted: Noted::Each,
    };
    let root = emit.plan(&derivation.root);
    let mut document = Document::new(root);
    let mut done = BTreeSet::new();
    // Whatever is also referred to without a loss of the reference comes first, and reports its own losses.
    while let Some((id, noted)) = emit.next() {
        emit.noted = noted;
        if let (true, Some(definition)) = (done.insert(id.0), derivation.definitions.get(id.0)) {
            let schema = emit.plan(&definition.plan);
            document.define(emit.name(id), schema);
        }
    }
    emit.add_untouched(&mut document);
    let is_covered = |loss: &Loss| emit.known.get(loss) == Some(&Noted::Covered);
    let (covered, losses) = emit.losses.iter().copied().partition(is_covered);
    Left { document, losses, covered }
}

/// A name for what is left of each definition, apart from all names of the source.
fn names(source: &Document, derivation: &Derivation<'_>) -> Vec<Arc<str>> {
    let mut taken: BTreeSet<String> = source.definitions().iter().map(|(name, _)| name.to_string()).collect();
    let mut names = Vec::with_capacity(derivation.definitions.len());
    let mut used: HashMap<&str, usize> = HashMap::new();
    for definition in &derivation.definitions {
        let count = used.entry(&definition.name).or_default();
        let mut name = String::new();
        while name.is_empty() || taken.contains(&name) {
            *count += 1;
            let suffix = if *count == 1 { String::new() } else { format!("-{count}") };
            name = format!("{}.residual{suffix}", definition.name);
        }
        taken.insert(name.clone());
        names.push(Arc::from(name));
    }
    names
}

struct Emit<'s> {
    source: &'s Document,
    left: Vec<bool>,
    names: Vec<Arc<str>>,
    losses: Vec<Loss>,
    /// How each loss was noted; by itself goes before as a part of a union.
    known: HashMap<Loss, Noted>,
    /// Definitions of the source that kept keywords refer to.
    untouched: Vec<Arc<str>>,
    /// Planned definitions that are referred to, by which of their losses are to be noted.
    referred: [VecDeque<DefinitionId>; 3],
    /// Which losses are noted in what is being written.
    noted: Noted,
}

impl Emit<'_> {
    fn name(&self, id: DefinitionId) -> Arc<str> {
        self.names.get(id.0).cloned().unwrap_or_else(|| Arc::from("residual"))
    }

    /// The next definition to write, and which of its losses are to be noted.
    fn next(&mut self) -> Option<(DefinitionId, Noted)> {
        let mut queues = self.referred.iter_mut().zip([Noted::Each, Noted::Covered, Noted::Not]);
        queues.find_map(|(queue, noted)| Some((queue.pop_front()?, noted)))
    }

    fn refer(&mut self, id: DefinitionId, noted: Noted) {
        let [each, covered, not] = &mut self.referred;
        match noted {
            Noted::Each => each.push_back(id),
            Noted::Covered => covered.push_back(id),
            Noted::Not => not.push_back(id),
        }
    }

    fn lose(&mut self, origin: Origin, keyword: Keyword) {
        let loss = Loss { origin, keyword };
        if self.noted == Noted::Not {
            return;
        }
        match self.known.get_mut(&loss) {
            Some(known) => *known = self.noted.min(*known),
            None => {
                self.known.insert(loss, self.noted);
                self.losses.push(loss);
            }
        }
    }

    fn plan(&mut self, plan: &Plan<'_>) -> Schema {
        let mut schema = Schema::always(plan.source.origin);
        let mut whole = false;
        for step in &plan.steps {
            if let Step::KeepWhole(keyword) = step {
                self.lose(plan.source.origin, *keyword);
                whole = true;
            }
        }
        for step in &plan.steps {
            if step_left(step, &self.left) {
                self.step(plan.source, step, &mut schema);
            }
        }
        if whole {
            return self.kept(plan.source);
        }
        schema
    }

    fn step(&mut self, source: &Schema, step: &Step<'_>, schema: &mut Schema) {
        match step {
            Step::KeepWhole(_) => {}
            Step::Keep(keywords) => self.keep(source, keywords, schema),
            Step::Required(names) => {
                self.lose(source.origin, Keyword::Required);
                schema.set(Keyword::Required, names.iter().map(|name| Value::from(*name)).collect::<Value>());
            }
            Step::KeepReference => self.keep(source, &[Keyword::Ref], schema),
            Step::Reference { id, says_nothing } => {
                if *says_nothing {
                    self.lose(source.origin, Keyword::Ref);
                }
                self.refer(*id, if *says_nothing { Noted::Not } else { self.noted });
                schema.set(Keyword::Ref, Part::Reference(self.name(*id)));
            }
            Step::AllOf(plans) => {
                let left: Vec<&Plan<'_>> = plans.iter().filter(|plan| plan_left(plan, &self.left)).collect();
                let parts: Vec<Schema> = left.into_iter().map(|plan| self.plan(plan)).collect();
                add(schema, Keyword::AllOf, Part::Schemas(parts));
            }
            Step::Conditional(_) => {
                self.keep(source, &[Keyword::If, Keyword::Then, Keyword::Else], schema);
            }
            Step::DependentSchemas(named) => {
                let named = self.named(named);
                schema.set(Keyword::DependentSchemas, named);
            }
            Step::Properties(properties) => self.properties(properties, schema),
            Step::Items(items) => self.items(items, schema),
            Step::AnyOf(union) => self.union(source, union, schema),
        }
    }

    /// A keyword inside a branch is the loss where putting it back would make a difference by itself: when
    /// the branches exclude each other, or when the other branches have lost nothing. Otherwise the union
    /// as a whole is, and it covers what its branches hold and refer to.
    fn union(&mut self, source: &Schema, union: &Union<'_>, schema: &mut Schema) {
        let left = union.branches.iter().filter(|(_, plan)| plan_left(plan, &self.left)).count();
        let tests: Vec<Test> = union.branches.iter().map(|(test, _)| test.clone()).collect();
        let unpassed = union.passed.iter().any(Vec::is_empty);
        let outer = self.noted;
        if left == 0 || unpassed || (left > 1 && !exclude_each_other(&tests)) {
            self.lose(source.origin, union.keyword);
            self.noted = Noted::Covered.max(outer);
        }
        let branches = self.needed(union).into_iter().map(|branch| self.branch(source, branch)).collect();
        self.noted = outer;
        add(schema, Keyword::AnyOf, Part::Schemas(branches));
    }

    /// The branches without those that accept no more than one of which only its test is left.
    fn needed<'u, 's>(&self, union: &'u Union<'s>) -> Vec<&'u (Test, Plan<'s>)> {
        let is_only_test = |(_, plan): &&(Test, Plan<'s>)| !plan_left(plan, &self.left);
        let only_tests = union.branches.iter().filter(is_only_test).take(MAX_ONLY_TESTS);
        let mut widest: Vec<&Test> = Vec::new();
        for (test, _) in only_tests {
            if !widest.iter().any(|known| known.contains(test)) {
                widest.retain(|known| !test.contains(known));
                widest.push(test);
            }
        }
        let is_needed = |(test, _): &&(Test, Plan<'s>)| {
            !widest.iter().any(|known| !std::ptr::eq(*known, test) && known.contains(test))
        };
        union.branches.iter().filter(is_needed).collect()
    }

    /// Copies keywords of the source; a loss of the first of them.
    fn keep(&mut self, source: &Schema, keywords: &[Keyword], schema: &mut Schema) {
        if let Some(first) = keywords.first() {
            self.lose(source.origin, *first);
        }
        for keyword in keywords {
            if let Some(part) = source.get(*keyword) {
                self.note_references(*keyword, part);
                schema.set(*keyword, part.clone());
            }
        }
    }

    fn kept(&mut self, source: &Schema) -> Schema {
        let mut schema = source.clone();
        schema.retain(|keyword, _| keyword.constrains());
        for (keyword, part) in schema.keywords() {
            self.note_references(*keyword, part);
        }
        schema
    }

    fn named(&mut self, named: &[(&str, Plan<'_>)]) -> Vec<(String, Schema)> {
        let mut parts = Vec::new();
        for (name, plan) in named {
            if plan_left(plan, &self.left) {
                parts.push(((*name).to_owned(), self.plan(plan)));
            }
        }
        parts
    }

    fn properties(&mut self, properties: &Properties<'_>, schema: &mut Schema) {
        let additional = properties.additional.as_ref().filter(|plan| plan_left(plan, &self.left));
        let all = |plans: &[(&str, Plan<'_>)], emit: &mut Self| {
            plans.iter().map(|(name, plan)| ((*name).to_owned(), emit.plan(plan))).collect::<Vec<_>>()
        };
        // `additionalProperties` steps over exactly the names that it finds beside it: all must be there.
        let (named, patterns) = match additional {
            Some(_) => (all(&properties.named, self), all(&properties.patterns, self)),
            None => (self.named(&properties.named), self.named(&properties.patterns)),
        };
        if !named.is_empty() {
            schema.set(Keyword::Properties, named);
        }
        if !patterns.is_empty() {
            schema.set(Keyword::PatternProperties, patterns);
        }
        if let Some(plan) = additional {
            let part = self.plan_of_subschema(plan, schema.origin, Keyword::AdditionalProperties);
            schema.set(Keyword::AdditionalProperties, part);
        }
    }

    fn items(&mut self, items: &Items<'_>, schema: &mut Schema) {
        let rest = items.rest.as_ref().filter(|plan| plan_left(plan, &self.left));
        // `items` starts where `prefixItems` ends, so the positions before it must be there.
        let last = items.prefix.iter().rposition(|plan| plan_left(plan, &self.left));
        let count = if rest.is_some() { items.prefix.len() } else { last.map_or(0, |last| last + 1) };
        if count > 0 {
            let prefix: Vec<Schema> = items.prefix.iter().take(count).map(|plan| self.plan(plan)).collect();
            schema.set(Keyword::PrefixItems, prefix);
        }
        if let Some(plan) = rest {
            let part = self.plan_of_subschema(plan, schema.origin, Keyword::Items);
            schema.set(Keyword::Items, part);
        }
    }

    /// What is left of a subschema; where that is `false`, the loss is that of the keyword that holds it.
    fn plan_of_subschema(&mut self, plan: &Plan<'_>, origin: Origin, keyword: Keyword) -> Schema {
        if plan.source.is_never() {
            self.lose(origin, keyword);
            return Schema::never(plan.source.origin);
        }
        self.plan(plan)
    }

    fn branch(&mut self, source: &Schema, (test, plan): &(Test, Plan<'_>)) -> Schema {
        let left = self.plan(plan);
        let test = written(test, source.origin);
        match (test.is_always(), left.is_always()) {
            (true, _) => left,
            (_, true) => test,
            _ => beside(test, left),
        }
    }

    /// Remembers the definitions that a kept keyword refers to, wherever in it.
    fn note_references(&mut self, keyword: Keyword, part: &Part) {
        if let (Keyword::Ref, Part::Reference(name)) = (keyword, part)
            && !self.untouched.contains(name)
        {
            self.untouched.push(Arc::clone(name));
        }
        for schema in part.schemas() {
            for (keyword, part) in schema.keywords() {
                self.note_references(*keyword, part);
            }
        }
    }

    /// Copies the definitions that are referred to, and those that they refer to.
    fn add_untouched(&mut self, document: &mut Document) {
        let mut next = 0;
        while let Some(name) = self.untouched.get(next).cloned() {
            next += 1;
            if let Some(definition) = self.source.definition(&name) {
                let copy = self.kept(definition);
                document.define(name, copy);
            }
        }
    }
}

/// Adds what must hold too, beside what the schema already says with the same keyword.
fn add(schema: &mut Schema, keyword: Keyword, part: Part) {
    match (schema.get_mut(keyword), keyword) {
        (None, _) => schema.set(keyword, part),
        (Some(Part::Schemas(there)), Keyword::AllOf) => {
            if let Part::Schemas(more) = part {
                there.extend(more);
            }
        }
        (Some(_), _) => {
            let other = Schema::always(schema.origin).with(keyword, part);
            add(schema, Keyword::AllOf, Part::Schemas(vec![other]));
        }
    }
}

/// The test as a schema.
fn written(test: &Test, origin: Origin) -> Schema {
    if test.types.is_empty() {
        return Schema::never(origin);
    }
    let mut schema = Schema::of_types(origin, test.types);
    if !test.required.is_empty() {
        schema.set(Keyword::Required, test.required.iter().map(|name| json!(name)).collect::<Value>());
    }
    if !test.properties.is_empty() {
        let value = |values: &[Value]| match values {
            [value] => Schema::always(origin).with(Keyword::Const, value.clone()),
            values => Schema::always(origin).with(Keyword::Enum, Value::Array(values.to_vec())),
        };
        let named: Vec<(String, Schema)> =
            test.properties.iter().map(|(name, values)| (name.clone(), value(values))).collect();
        let more =
            test.required.iter().filter(|name| !test.properties.iter().any(|(known, _)| known == *name));
        let names = test.properties.iter().map(|(name, _)| name).chain(more);
        let names: Value = names.map(|name| json!(name)).collect();
        schema.set(Keyword::Properties, named);
        schema.set(Keyword::Required, names);
    }
    schema
}

/// Both schemas in one object where no keyword clashes, in an `allOf` otherwise.
fn beside(mut test: Schema, left: Schema) -> Schema {
    let alone = left.keywords().iter().all(|(keyword, _)| {
        !test.has(*keyword)
            && !matches!(keyword, Keyword::AdditionalProperties | Keyword::UnevaluatedProperties)
    });
    if !alone {
        return Schema::always(test.origin).with(Keyword::AllOf, vec![test, left]);
    }
    for (keyword, part) in left.keywords() {
        test.set(*keyword, part.clone());
    }
    test
}
