//! Instances made to a schema: ones that satisfy it, and ones that violate exactly one of its keywords.
//!
//! Why this finds what it looks for:
//!
//! * What a value has to meet at one position is a *conjunction*: everything that applies there, merged
//!   ([`facts`]). Of every disjunction one side is chosen, in a fixed order, and chosen anew where it leads
//!   nowhere ([`goal`]).
//! * Violating a keyword is the same conjunction with that keyword replaced by its negation ([`negate`]).
//!   Everything else still holds, so nothing else changes the verdict.
//! * A *route* ([`sites`]) forces the choices on the way from the root to the keyword: the property is there, the
//!   array has the item, the branch is taken and its siblings reject. Off the route the smallest value will do
//!   ([`solve`]).
//! * Candidates are checked here ([`check`]) with and without the keyword; those whose verdict turns on it come
//!   first. The caller's compiled validators have the last word.
//!
//! Nothing depends on chance, time or hash order, and every search has a budget.

mod along;
mod arrays;
mod check;
mod choose;
#[cfg(test)]
mod coverage_tests;
mod exercise;
mod facts;
mod formats;
mod goal;
#[cfg(test)]
mod hostile_tests;
mod names;
mod negate;
mod numbers;
mod objects;
mod pattern;
mod sites;
mod solve;
mod strings;
#[cfg(test)]
mod test_reader;
mod words;

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use serde_json::Value;

use self::check::Checker;
pub(crate) use self::check::Leaves;
use self::facts::Want;
use self::goal::Finale;
use self::sites::{Route, Sites};
use self::solve::{Memo, Solver};
use crate::schema::{Document, Origin};
use crate::vocabulary::Keyword;

/// Steps of one search.
const FUEL: u32 = 10_000;
/// Ways to a schema that are tried.
const MAX_ROUTES: usize = 6;

/// An instance that is meant to violate a keyword.
#[derive(PartialEq)]
pub(crate) struct Candidate {
    pub(crate) instance: Value,
    /// Whether the document would accept it without the keyword, as far as is known here. Asked before anything is
    /// compiled for the question.
    pub(crate) turns_on: bool,
}

/// Makes instances of one document.
pub(crate) struct Generator<'a> {
    document: &'a Document,
    sites: Sites<'a>,
    leaves: Rc<Leaves>,
    memo: Memo,
}

impl<'a> Generator<'a> {
    /// Looks the document over once; linear in its size.
    pub(crate) fn new(document: &'a Document) -> Generator<'a> {
        Generator::sharing(document, &Rc::default())
    }

    /// The same with the compiled patterns and formats of other documents, which are likely to be the same.
    pub(crate) fn sharing(document: &'a Document, leaves: &Rc<Leaves>) -> Generator<'a> {
        Generator { document, sites: Sites::new(document), leaves: Rc::clone(leaves), memo: Memo::default() }
    }

    /// Instances meant to satisfy the document: the smallest, the fullest, then one for each branch.
    pub(crate) fn seeds(&self, limit: usize) -> Vec<Value> {
        let mut found = Vec::new();
        add(&mut found, self.smallest(false, 1), limit);
        add(&mut found, self.smallest(true, 1), limit);
        let fuel = Cell::new(FUEL);
        // A branch that adds nothing costs a search, so not all of very many are tried.
        for route in self.sites.branches().take(limit.saturating_mul(4)) {
            if found.len() >= limit {
                break;
            }
            add(&mut found, self.along(&route, Finale::Visit, &fuel, 1), limit);
        }
        if found.len() < limit {
            add(&mut found, self.smallest(false, limit), limit);
        }
        found
    }

    /// Instances on which the verdict turns on this keyword at the schema of this origin: first those that the
    /// document rejects because of it and for no other reason, then those that it accepts because of it (under
    /// `not`, beside `oneOf`), then others that may still serve.
    pub(crate) fn violations(&self, origin: Origin, keyword: Keyword, limit: usize) -> Vec<Value> {
        self.candidates(origin, keyword, limit).into_iter().map(|candidate| candidate.instance).collect()
    }

    /// The same, with what is known here of each.
    pub(crate) fn candidates(&self, origin: Origin, keyword: Keyword, limit: usize) -> Vec<Candidate> {
        let (mut rejected, mut reversed, mut others) = (Vec::new(), Vec::new(), Vec::new());
        let fuel = Cell::new(FUEL);
        let routes: Vec<Route<'a>> = self.sites.routes(origin, |schema| schema.has(keyword), MAX_ROUTES);
        let beside = |route: &&Route<'a>| route.steps.iter().any(|step| step.keyword == Keyword::OneOf);
        let straight = routes.iter().map(|route| (route, Finale::Violate(keyword)));
        let around = routes.iter().filter(beside).take(2).map(|route| (route, Finale::Reverse(keyword)));
        for (route, finale) in straight.chain(around) {
            // One way is enough where it leads to what was asked for.
            if !rejected.is_empty() || !reversed.is_empty() {
                break;
            }
            for instance in self.along(route, finale, &fuel, limit) {
                let turns_on = self.turns_on(origin, keyword, &instance);
                let list = match (self.accepts(None, &instance), turns_on) {
                    (false, true) => &mut rejected,
                    (true, false) => &mut reversed,
                    _ => &mut others,
                };
                add(list, vec![Candidate { instance, turns_on }], limit);
            }
        }
        add(&mut rejected, reversed, limit);
        add(&mut rejected, others, limit);
        rejected
    }

    /// Whether the document would accept the instance without this keyword, as far as is known here.
    pub(crate) fn turns_on(&self, origin: Origin, keyword: Keyword, instance: &Value) -> bool {
        self.accepts(Some((origin, keyword)), instance)
    }

    /// Instances that satisfy the document and show, at the schema of this origin, what a narrower keyword of this
    /// name would forbid.
    pub(crate) fn exercises(&self, origin: Origin, keyword: Keyword, limit: usize) -> Vec<Value> {
        let (mut accepted, mut others) = (Vec::new(), Vec::new());
        let fuel = Cell::new(FUEL);
        let among = |route: &Route<'a>| route.steps.iter().any(|step| step.keyword == Keyword::AnyOf);
        for route in self.sites.routes(origin, |_| true, MAX_ROUTES) {
            let alone = self.along(&route, Finale::Exercise(keyword), &fuel, limit);
            let more = if among(&route) {
                self.along(&route, Finale::ExerciseAmong(keyword), &fuel, limit)
            } else {
                Vec::new()
            };
            // Both have their turn within the limit.
            for value in interleaved(alone, more) {
                let accepts = self.accepts(None, &value);
                add(if accepts { &mut accepted } else { &mut others }, vec![value], limit);
            }
            if !accepted.is_empty() {
                break;
            }
        }
        add(&mut accepted, others, limit);
        accepted
    }

    /// Values along one route. The routes of one question share its fuel; each is given at least a little.
    fn along(&self, route: &Route<'a>, finale: Finale, fuel: &Cell<u32>, limit: usize) -> Vec<Value> {
        let solver = self.solver(Some((route, finale)), false, fuel.get().max(FUEL / 10));
        let values = solver.solve(&[Want::Reach(0)], "", 0, limit);
        fuel.set(solver.fuel.get());
        values
    }

    fn smallest(&self, full: bool, limit: usize) -> Vec<Value> {
        self.solver(None, full, FUEL.saturating_mul(4)).solve(
            &[Want::Holds(&self.document.root)],
            "",
            0,
            limit,
        )
    }

    fn solver<'s>(&'s self, route: Option<(&'s Route<'a>, Finale)>, full: bool, fuel: u32) -> Solver<'s, 'a> {
        Solver {
            document: self.document,
            sites: &self.sites,
            leaves: &self.leaves,
            memo: &self.memo,
            route,
            full,
            fuel: Cell::new(fuel),
            filling: RefCell::default(),
        }
    }

    fn accepts(&self, without: Option<(Origin, Keyword)>, value: &Value) -> bool {
        Checker::new(self.document, &self.leaves, without).accepts(&self.document.root, value)
    }
}

/// One of the first, one of the second, and so on.
fn interleaved(first: Vec<Value>, second: Vec<Value>) -> Vec<Value> {
    let (mut first, mut second) = (first.into_iter(), second.into_iter());
    let mut all = Vec::new();
    loop {
        let pair = (first.next(), second.next());
        if pair == (None, None) {
            return all;
        }
        all.extend(pair.0.into_iter().chain(pair.1));
    }
}

/// Adds the values that are new, up to the limit.
fn add<T: PartialEq>(found: &mut Vec<T>, values: Vec<T>, limit: usize) {
    for value in values {
        if found.len() < limit && !found.contains(&value) {
            found.push(value);
        }
    }
}
