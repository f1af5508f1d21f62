//! Which facts hold together: references and `allOf` followed, unions taken apart.

use smallvec::SmallVec;

use super::converted::Converted;
use super::view::{Alternative, MAX_ALTERNATIVES, View};
use crate::schema::{Document, Schema};
use crate::vocabulary::{Keyword, Types};

/// More facts than this about one value are not collected.
const MAX_FACTS: usize = 24;

/// Schemas looked into for the types of which the members of one `oneOf` accept every value.
const MOST_LOOKED_INTO: usize = 4_096;
/// References and combinators below each other that are followed for that.
const DEEPEST: usize = 8;

/// A member of a union, with the types of the values that may be in it alone.
type Member<'c> = (&'c Schema, Types);

/// Facts that are being collected. A schema object that only refers to another one is none: what it refers to is.
#[derive(Clone, Default)]
struct Known<'c> {
    facts: SmallVec<[&'c Schema; 2]>,
    seen: SmallVec<[&'c Schema; 4]>,
}

impl<'c> Known<'c> {
    /// Whether the schema is new, and there is room for it.
    fn add(&mut self, schema: &'c Schema) -> bool {
        if self.seen.len() >= MAX_FACTS || self.seen.iter().any(|seen| std::ptr::eq(*seen, schema)) {
            return false;
        }
        self.seen.push(schema);
        let mut constraining = schema.keywords().iter().filter(|(keyword, _)| keyword.constrains());
        if constraining.any(|(keyword, _)| *keyword != Keyword::Ref) {
            self.facts.push(schema);
        }
        true
    }
}

impl<'c> Converted<'c> {
    /// The view of a value that satisfies all of these schemas.
    pub(crate) fn all_of(&self, schemas: &[&'c Schema]) -> View<'c> {
        self.conjoined(schemas, Vec::new())
    }

    /// The view of a value that satisfies all of these schemas, and of each union at least one member.
    pub(super) fn conjoined(&self, schemas: &[&'c Schema], also: Vec<Vec<&'c Schema>>) -> View<'c> {
        let mut pending: Vec<&'c Schema> = schemas.iter().rev().copied().collect();
        let mut unions: Vec<Vec<Member<'c>>> = Vec::new();
        let mut known = Known::default();
        while let Some(schema) = pending.pop() {
            if known.add(schema) {
                self.follow(schema, &mut pending, &mut unions);
            }
        }
        let mut alternatives = vec![Alternative { facts: known.facts, types: Types::ANY }];
        let also =
            also.into_iter().map(|union| union.into_iter().map(|member| (member, Types::ANY)).collect());
        for union in unions.into_iter().chain(also) {
            alternatives = self.distribute(alternatives, &union);
        }
        View { alternatives: alternatives.into_iter().filter_map(settled).collect() }
    }

    /// Adds what must hold along with `schema`.
    fn follow(&self, schema: &'c Schema, pending: &mut Vec<&'c Schema>, unions: &mut Vec<Vec<Member<'c>>>) {
        if let Some(target) = schema.target().and_then(|name| self.document.definition(name)) {
            pending.push(target);
        }
        pending.extend(schema.schemas(Keyword::AllOf));
        if schema.has(Keyword::AnyOf) {
            unions.push(schema.schemas(Keyword::AnyOf).iter().map(|member| (member, Types::ANY)).collect());
        }
        if schema.has(Keyword::OneOf) {
            unions.push(self.exclusive(schema.schemas(Keyword::OneOf)));
        }
    }

    /// The members of a `oneOf`: a value of a type of which another member accepts all values is in none of
    /// them alone.
    fn exclusive(&self, members: &'c [Schema]) -> Vec<Member<'c>> {
        let mut left = MOST_LOOKED_INTO;
        let all = members.iter().map(|member| surely_accepted(self.document, member, &mut left, 0));
        let all: Vec<Types> = all.collect();
        let (once, twice) = all.iter().fold((Types::EMPTY, Types::EMPTY), |(once, twice), types| {
            (once.with(*types), twice.with(once.and(*types)))
        });
        let alone = |(member, types)| (member, Types::ANY.without(twice.with(once.without(types))));
        members.iter().zip(all).map(alone).collect()
    }

    /// Each alternative with each member of the union. A union that would make too many is left out.
    fn distribute(&self, alternatives: Vec<Alternative<'c>>, union: &[Member<'c>]) -> Vec<Alternative<'c>> {
        let mut members = Vec::new();
        for member in union {
            if members.len() > MAX_ALTERNATIVES {
                return alternatives;
            }
            members.extend(self.member(*member));
        }
        if members.len() * alternatives.len() > MAX_ALTERNATIVES {
            return alternatives;
        }
        let mut product = Vec::with_capacity(members.len() * alternatives.len());
        for alternative in &alternatives {
            for member in &members {
                let mut facts = alternative.facts.clone();
                let is_new = |fact: &&'c Schema| !facts.iter().any(|known| std::ptr::eq(*known, *fact));
                let new: SmallVec<[&'c Schema; 2]> = member.facts.iter().copied().filter(is_new).collect();
                facts.extend(new);
                product.push(Alternative { facts, types: alternative.types.and(member.types) });
            }
        }
        product
    }

    /// The alternatives of one member of a union, unions directly inside it taken apart as well.
    fn member(&self, (member, types): Member<'c>) -> Vec<Alternative<'c>> {
        let mut done = Vec::new();
        let mut open: Vec<(Known<'c>, Types, Vec<&'c Schema>)> =
            vec![(Known::default(), types, vec![member])];
        while let Some((mut known, types, mut pending)) = open.pop() {
            let mut unions: Vec<Vec<Member<'c>>> = Vec::new();
            while let Some(schema) = pending.pop() {
                if known.add(schema) {
                    self.follow(schema, &mut pending, &mut unions);
                }
            }
            match unions.first() {
                Some(union) if open.len() + done.len() + union.len() <= MAX_ALTERNATIVES => {
                    open.extend(
                        union
                            .iter()
                            .rev()
                            .map(|(branch, of_branch)| (known.clone(), types.and(*of_branch), vec![*branch])),
                    );
                }
                _ => done.push(Alternative { facts: known.facts, types }),
            }
        }
        done
    }
}

/// Types of which the schema accepts every value, as far as its own keywords show and those that it refers to.
fn surely_accepted(document: &Document, schema: &Schema, left: &mut usize, depth: usize) -> Types {
    *left = left.saturating_sub(1);
    if depth > DEEPEST || *left == 0 {
        return Types::EMPTY;
    }
    let mut of = |schema| surely_accepted(document, schema, left, depth + 1);
    schema.keywords().iter().fold(schema.types(), |types, (keyword, _)| {
        types.and(match keyword {
            Keyword::Type => types,
            Keyword::Ref => {
                schema.target().and_then(|name| document.definition(name)).map_or(Types::EMPTY, &mut of)
            }
            Keyword::AllOf => schema.schemas(*keyword).iter().map(&mut of).fold(types, Types::and),
            Keyword::AnyOf => schema.schemas(*keyword).iter().map(&mut of).fold(Types::EMPTY, Types::with),
            keyword if keyword.constrains() => types.without(keyword.applies_to()),
            _ => types,
        })
    })
}

/// The alternative with its types, or nothing where no value is left.
fn settled(mut alternative: Alternative<'_>) -> Option<Alternative<'_>> {
    if alternative.facts.iter().any(|fact| fact.is_never()) {
        return None;
    }
    let types = alternative.facts.iter().fold(alternative.types, |types, fact| types.and(fact.types()));
    alternative.types = types;
    if let Some(literals) = alternative.literals() {
        let listed = literals.iter().fold(Types::EMPTY, |types, value| types.with(Types::of(value)));
        alternative.types = types.and(listed);
    }
    (!alternative.types.is_empty()).then_some(alternative)
}
