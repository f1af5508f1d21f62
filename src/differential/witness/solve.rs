//! From wants to values, position by position.
//!
//! The parts of a value do not depend on each other once the facts about the whole are fixed (`uniqueItems`
//! apart), so each is solved by itself, without backtracking across siblings. Only the part that the route leads
//! into yields more than one value, so the number of candidates never multiplies. The smallest value of a schema
//! is remembered. All work is paid for from one budget.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;

use serde_json::Value;
use smallvec::SmallVec;

use super::check::{Checker, Leaves};
use super::choose::Chooser;
use super::facts::{Facts, Want};
use super::goal::{Finale, Goal, Hope};
use super::sites::{Route, Sites};
use crate::schema::{Document, Origin, Schema};
use crate::vocabulary::{Keyword, Types};

/// What is known about the smallest value of some schemas together: the value and its size, or the room that was
/// too small for it.
pub(super) enum Known {
    Value(Value, u32),
    NoneWithin(u32),
}

pub(super) type Memo = RefCell<HashMap<Places, Known>>;

/// The schemas that a value has to meet, and nothing else.
type Places = SmallVec<[*const Schema; 2]>;

/// The places of these wants, where no want is of another kind.
fn places(wants: &[Want<'_>]) -> Option<Places> {
    let place = |want: &Want<'_>| match want {
        Want::Holds(schema) => Some(std::ptr::from_ref(*schema)),
        _ => None,
    };
    wants.iter().map(place).collect()
}

/// Positions below each other.
const MAX_DEPTH: u32 = 64;
/// Alternatives tried at one position.
const MAX_ATTEMPTS: u32 = 160;
/// Alternatives tried at a position that the route passes through: each costs a search below it.
const MAX_ATTEMPTS_ON_ROUTE: u32 = 32;
/// Alternatives tried for one way to end the route.
const MAX_ATTEMPTS_PER_END: u32 = 40;

pub(super) struct Solver<'s, 'a> {
    pub(super) document: &'a Document,
    pub(super) sites: &'s Sites<'a>,
    pub(super) leaves: &'s Leaves,
    pub(super) memo: &'s Memo,
    pub(super) route: Option<(&'s Route<'a>, Finale)>,
    /// Whether optional parts are filled in.
    pub(super) full: bool,
    pub(super) fuel: Cell<u32>,
    /// The schemas that are being filled, so that recursion is filled once.
    pub(super) filling: RefCell<Vec<Places>>,
}

impl<'s, 'a> Solver<'s, 'a> {
    pub(super) fn checker(&self) -> Checker<'s> {
        Checker::new(self.document, self.leaves, None)
    }

    pub(super) fn spend(&self, amount: u32) -> bool {
        self.fuel.set(self.fuel.get().saturating_sub(amount));
        self.fuel.get() > 0
    }

    /// The keyword that is violated at the end of the route.
    fn violated(&self) -> Option<(Origin, Keyword)> {
        match self.route {
            Some((route, Finale::Violate(keyword) | Finale::Reverse(keyword))) => {
                Some((route.end.origin, keyword))
            }
            _ => None,
        }
    }

    /// Values that meet all wants, at most `limit`, the plainest first.
    pub(super) fn solve(&self, wants: &[Want<'a>], name: &str, depth: u32, limit: usize) -> Vec<Value> {
        if depth >= MAX_DEPTH || !self.spend(1) {
            return Vec::new();
        }
        let Some(places) = places(wants) else { return self.search(wants, name, depth, limit) };
        if self.full {
            return self.filled(wants, places, name, depth, limit);
        }
        if limit != 1 {
            return self.search(wants, name, depth, limit);
        }
        let room = MAX_DEPTH.saturating_sub(depth);
        match self.memo.borrow().get(&places) {
            Some(Known::Value(value, size)) => {
                return if self.spend(*size) { vec![value.clone()] } else { Vec::new() };
            }
            Some(Known::NoneWithin(tried)) if *tried >= room => return Vec::new(),
            _ => {}
        }
        let values = self.search(wants, name, depth, 1);
        let known = match values.first() {
            Some(value) => Some(Known::Value(value.clone(), size(value, 0))),
            // Out of budget says nothing about the schemas.
            None => (self.fuel.get() > 0).then_some(Known::NoneWithin(room)),
        };
        if let Some(known) = known {
            self.memo.borrow_mut().insert(places, known);
        }
        values
    }

    /// The same with optional parts filled in, but not in what is being filled already.
    fn filled(&self, wants: &[Want<'a>], places: Places, name: &str, depth: u32, limit: usize) -> Vec<Value> {
        if self.filling.borrow().contains(&places) {
            let plain = Solver { full: false, filling: RefCell::default(), fuel: self.fuel.clone(), ..*self };
            let values = plain.solve(wants, name, depth, limit);
            self.fuel.set(plain.fuel.get());
            return values;
        }
        self.filling.borrow_mut().push(places);
        let values = self.search(wants, name, depth, limit);
        self.filling.borrow_mut().pop();
        values
    }

    fn search(&self, wants: &[Want<'a>], name: &str, depth: u32, limit: usize) -> Vec<Value> {
        let on_route = wants.iter().any(|want| matches!(want, Want::Reach(_)));
        let mut chooser = Chooser::default();
        let mut found: Vec<Value> = Vec::new();
        let (mut attempts, mut attempts_here, mut found_before) = (0, 0, 0_usize);
        loop {
            attempts += 1;
            attempts_here += 1;
            chooser.rewind();
            let mut goal = Goal::new(self.document, self.sites, self.route, wants);
            let expanded = goal.expand(&mut chooser);
            if !self.spend(goal.work + 3) {
                break;
            }
            let mut next = chooser.position();
            // Every way to end the route gets its share.
            let share = goal.end.map_or(limit, |end| (limit / end.ways.max(1)).max(1));
            if expanded.is_ok() {
                let left = limit.saturating_sub(found.len());
                let left = left.min(found_before.saturating_add(share).saturating_sub(found.len()));
                let values = self.realise(&goal.facts, name, depth, left);
                let any = !values.is_empty();
                match self.keep(values, &goal.hopes, &mut found) {
                    Err(position) => next = position.saturating_add(1).min(next),
                    Ok(()) if any && goal.end.is_none() && on_route => break,
                    // Where one way is open, others beside it probably are: a few tries more.
                    Ok(()) if any => attempts_here = attempts_here.max(MAX_ATTEMPTS_PER_END - 8),
                    Ok(()) => {}
                }
            }
            if let Some(end) = goal.end
                && (attempts_here > MAX_ATTEMPTS_PER_END || found.len() >= found_before.saturating_add(share))
            {
                next = end.position.saturating_add(1);
            }
            if goal.end.is_some_and(|end| next <= end.position.saturating_add(1)) {
                attempts_here = 0;
                found_before = found.len();
            }
            let most = if on_route && goal.end.is_none() { MAX_ATTEMPTS_ON_ROUTE } else { MAX_ATTEMPTS };
            if found.len() >= limit || attempts >= most || !chooser.advance(next) {
                break;
            }
        }
        found
    }

    /// Keeps the values for which every hope came true. Where there is none, says which choice to take back.
    fn keep(
        &self,
        values: Vec<Value>,
        hopes: &[(usize, Hope<'a>)],
        found: &mut Vec<Value>,
    ) -> Result<(), usize> {
        let mut broken = None;
        let mut kept = false;
        for value in values {
            let checker = self.checker();
            let relaxed = Checker::new(self.document, self.leaves, self.violated());
            let failed = hopes.iter().find(|(_, hope)| match hope {
                Hope::Fails(schema) => checker.accepts(schema, &value),
                Hope::Keyword(schema, keyword) => !relaxed.keyword(schema, *keyword, &value, 0),
                Hope::Conditional(schema) => !checker.conditional(schema, &value, 0),
            });
            self.spend(checker.used().saturating_add(relaxed.used()));
            match failed {
                Some((position, _)) => broken = broken.or(Some(*position)),
                None => {
                    kept = true;
                    if !found.contains(&value) {
                        found.push(value);
                    }
                }
            }
        }
        match broken {
            Some(position) if !kept => Err(position),
            _ => Ok(()),
        }
    }

    /// Values that meet the facts.
    fn realise(&self, facts: &Facts<'a>, name: &str, depth: u32, limit: usize) -> Vec<Value> {
        if let Some(list) = facts.listed.iter().min_by_key(|list| list.len()) {
            self.spend(u32::try_from(list.len() / 8).unwrap_or(u32::MAX));
            let spelled = list.iter().map(|value| respelled(facts, value));
            let fitting = spelled.filter(|value| facts.admits(value) && self.fits(facts, value));
            return fitting.take(limit).map(Cow::into_owned).collect();
        }
        let mut found: Vec<Value> = Vec::new();
        for kind in order(facts) {
            let more = limit.saturating_sub(found.len());
            if more == 0 || !self.spend(1) {
                break;
            }
            let mut values = match kind {
                Types::NULL => vec![Value::Null],
                Types::BOOLEAN => vec![Value::Bool(true), Value::Bool(false)],
                Types::STRING => self.strings(facts, name, more),
                Types::ARRAY => self.arrays(facts, depth, more),
                Types::OBJECT => self.objects(facts, depth, more),
                numeric => facts.numbers.values(numeric, more.saturating_add(facts.unlisted.len())),
            };
            values.retain(|value| facts.admits(value));
            values.truncate(more);
            found.extend(values);
        }
        found
    }

    /// Whether a listed value meets what is known about values of its type.
    fn fits(&self, facts: &Facts<'a>, value: &Value) -> bool {
        match value {
            Value::String(text) => self.string_fits(&facts.strings, text),
            Value::Number(number) => facts.numbers.admits(number),
            Value::Array(items) => self.array_fits(&facts.arrays, items),
            Value::Object(members) => self.object_fits(&facts.objects, members),
            _ => true,
        }
    }
}

/// A listed value as it is, or a whole number written as `2.0` where it must not be an integer's literal.
fn respelled<'v>(facts: &Facts<'_>, value: &'v Value) -> Cow<'v, Value> {
    match value.as_i64() {
        Some(whole) if facts.numbers.literal == Some(false) => Cow::Owned(Value::from(whole as f64)),
        _ => Cow::Borrowed(value),
    }
}

/// The types to try: the one the keywords speak of first.
fn order(facts: &Facts<'_>) -> impl Iterator<Item = Types> {
    let fraction = Types::NUMBER.without(Types::INTEGER);
    let by_hint = [Types::OBJECT, Types::ARRAY, Types::STRING, Types::INTEGER, fraction];
    let plain =
        [Types::STRING, Types::INTEGER, fraction, Types::BOOLEAN, Types::OBJECT, Types::ARRAY, Types::NULL];
    let (types, hints) = (facts.types, facts.hints);
    let hinted = by_hint.into_iter().filter(move |kind| hints.contains(*kind));
    let others = plain.into_iter().filter(move |kind| !hints.contains(*kind));
    hinted.chain(others).filter(move |kind| types.contains(*kind))
}

/// The number of values in a value, roughly, with long strings counted by length.
pub(super) fn size(value: &Value, depth: u32) -> u32 {
    if depth > MAX_DEPTH {
        return 1;
    }
    let inner: u32 = match value {
        Value::String(text) => u32::try_from(text.len() / 64).unwrap_or(u32::MAX),
        Value::Array(items) => items.iter().map(|item| size(item, depth + 1)).fold(0, u32::saturating_add),
        Value::Object(members) => {
            members.values().map(|member| size(member, depth + 1)).fold(0, u32::saturating_add)
        }
        _ => 0,
    };
    inner.saturating_add(1)
}
