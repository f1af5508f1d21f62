//! Whether a part of the source and a part of the converted schema say the same, read through references.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use serde_json::Value;

use crate::schema::{Document, Part, Schema};
use crate::vocabulary::{Keyword, Types};

/// Pairs of schemas looked at before the answer is "not known to be the same".
const MAX_PAIRS: usize = 65_536;

/// References and schemas inside of each other that are followed.
const MAX_DEPTH: usize = 128;

type Pair = (*const Schema, *const Schema);

/// What comparisons of two documents have come to.
#[derive(Default)]
pub(crate) struct Compared(RefCell<HashMap<Pair, bool>>);

/// Compares schemas of two documents.
///
/// Two recursive schemas are the same when no difference can be reached, so a pair that is met again while
/// it is being compared counts as the same. Hence that a whole comparison succeeds says so of every pair in
/// it. That a pair differs says so of every pair that contains it, whatever was assumed.
pub(crate) struct Same<'d> {
    source: &'d Document,
    converted: &'d Document,
    compared: &'d Compared,
    met: HashSet<Pair>,
    depth: usize,
    gave_up: bool,
}

impl<'d> Same<'d> {
    pub(crate) fn new(source: &'d Document, converted: &'d Document, compared: &'d Compared) -> Same<'d> {
        Same { source, converted, compared, met: HashSet::new(), depth: 0, gave_up: false }
    }

    /// Whether the two schemas accept the same instances, as far as their text shows it.
    pub(crate) fn schemas(&mut self, left: &'d Schema, right: &'d Schema) -> bool {
        let (Some(left), Some(right)) = (resolved(self.source, left), resolved(self.converted, right)) else {
            return false;
        };
        let pair = (std::ptr::from_ref(left), std::ptr::from_ref(right));
        if let Some(known) = self.compared.0.borrow().get(&pair) {
            return *known;
        }
        if self.met.contains(&pair) {
            return true;
        }
        if self.met.len() >= MAX_PAIRS || self.depth >= MAX_DEPTH {
            self.gave_up = true;
            return false;
        }
        self.met.insert(pair);
        self.depth += 1;
        let same = self.keywords(left, right);
        self.depth -= 1;
        if !same && !self.gave_up {
            self.compared.0.borrow_mut().insert(pair, false);
        }
        if same && self.depth == 0 {
            self.compared.0.borrow_mut().extend(self.met.drain().map(|pair| (pair, true)));
        }
        same
    }

    fn keywords(&mut self, left: &'d Schema, right: &'d Schema) -> bool {
        let constraining = |schema: &Schema| {
            schema.keywords().iter().filter(|(keyword, part)| asserts(*keyword, part)).count()
        };
        constraining(left) == constraining(right)
            && left.keywords().iter().filter(|(keyword, part)| asserts(*keyword, part)).all(
                |(keyword, part)| right.get(*keyword).is_some_and(|other| self.parts(*keyword, part, other)),
            )
    }

    /// Whether a keyword's values say the same.
    pub(crate) fn parts(&mut self, keyword: Keyword, left: &'d Part, right: &'d Part) -> bool {
        match (left, right) {
            (Part::Data(left), Part::Data(right)) => same_data(keyword, left, right),
            (Part::Reference(left), Part::Reference(right)) => {
                match (self.source.definition(left), self.converted.definition(right)) {
                    (Some(left), Some(right)) => self.schemas(left, right),
                    _ => false,
                }
            }
            (Part::Schema(left), Part::Schema(right)) => self.schemas(left, right),
            (Part::Schemas(left), Part::Schemas(right)) => {
                left.len() == right.len()
                    && left.iter().zip(right).all(|(left, right)| self.schemas(left, right))
            }
            (Part::Named(left), Part::Named(right)) => {
                left.len() == right.len()
                    && left.iter().all(|(name, left)| {
                        let right = right.iter().find(|(other, _)| other == name);
                        right.is_some_and(|(_, right)| self.schemas(left, right))
                    })
            }
            _ => false,
        }
    }
}

/// Whether the keyword with this value can reject anything by itself or take part in doing so.
fn asserts(keyword: Keyword, part: &Part) -> bool {
    keyword.constrains()
        && !matches!(part, Part::Data(Value::Array(names)) if keyword == Keyword::Required && names.is_empty())
}

fn same_data(keyword: Keyword, left: &Value, right: &Value) -> bool {
    if keyword == Keyword::Type {
        return Types::listed(left) == Types::listed(right);
    }
    crate::schema::same_value(left, right)
}

/// The schema itself, or what it refers to where it says nothing else.
fn resolved<'d>(document: &'d Document, mut schema: &'d Schema) -> Option<&'d Schema> {
    for _ in 0..=document.definitions().len() {
        let only_reference =
            schema.keywords().iter().all(|(keyword, _)| *keyword == Keyword::Ref || !keyword.constrains());
        match schema.target() {
            Some(name) if only_reference => schema = document.definition(name)?,
            _ => return Some(schema),
        }
    }
    // References in a circle accept everything; two such circles are not worth comparing.
    None
}
