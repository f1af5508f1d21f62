//! Looking for witnesses.
//!
//! Every divergence has a quick turn before any has a thorough one, so that a budget is spent evenly. The quick
//! ones look at the source alone. The thorough one looks, for a widening, where what is enforced holds too:
//! an instance made there violates the keyword and satisfies all that would hide it.

use std::cell::LazyCell;
use std::collections::HashSet;
use std::rc::Rc;

use serde_json::Value;

use super::site::{Site, sites};
use crate::adapt::{Conversion, Differential, Effect};
use crate::differential::classify::{Sorted, record, sort};
use crate::differential::compile::{self, Validator};
use crate::differential::isolate::{Isolation, Violated};
use crate::differential::only::only;
use crate::differential::together::together;
use crate::differential::witness::{Candidate, Generator, Leaves};
use crate::error::Error;
use crate::residual::{Loss, Residual, left_between};
use crate::schema::Document;

/// Candidates tried for one divergence in each of its turns. The last one is the thorough one.
const TURNS: [usize; 3] = [1, QUICK_CANDIDATES, THOROUGH_CANDIDATES];
const QUICK_CANDIDATES: usize = 4;
const THOROUGH_CANDIDATES: usize = 16;

/// Valid instances in the corpus, and instances of what is enforced where a divergence is left open.
const SEEDS: usize = 8;

/// Divergences that are looked into once more after the turns have left them open.
const MAX_LEFT_OPEN: usize = 256;

/// Instances that only the conversion accepts which are tried for other divergences.
const MAX_SHARED: usize = 256;

/// The search for evidence.
pub(super) struct Search<'a> {
    pub(super) conversion: &'a Conversion,
    pub(super) source: Validator,
    pub(super) effective: Validator,
    pub(super) sites: Vec<Site>,
    pub(super) differential: Differential,
    pub(super) left: usize,
    /// Patterns and formats, compiled once for all that is looked at.
    pub(super) leaves: Rc<Leaves>,
    /// The instances that have been counted, as text: `0` and `0.0` are not the same to every draft.
    seen: HashSet<String>,
    /// Instances that only the conversion accepts.
    widened: Vec<Value>,
}

impl<'a> Search<'a> {
    pub(super) fn new(
        conversion: &'a Conversion,
        residual: &Residual,
        most: usize,
    ) -> Result<Search<'a>, Error> {
        let leaves = Rc::<Leaves>::default();
        Ok(Search {
            conversion,
            source: compile::sharing(conversion.lifted.document.to_value(), leaves.patterns())?,
            effective: compile::sharing(conversion.effective.to_value(), leaves.patterns())?,
            sites: sites(conversion, residual),
            differential: Differential::default(),
            seen: HashSet::new(),
            left: most,
            leaves,
            widened: Vec::new(),
        })
    }

    pub(super) fn generator<'d>(&self, document: &'d Document) -> Generator<'d> {
        Generator::sharing(document, &self.leaves)
    }

    /// Looks beside the source for a witness for every divergence.
    pub(super) fn look_for_witnesses(&mut self) -> Result<(), Error> {
        let source = &self.conversion.lifted.document;
        let generator = self.generator(source);
        for seed in generator.seeds(SEEDS) {
            self.spend(&seed)?;
        }
        self.look_beside(source, &generator)?;
        if self.sites.iter().any(|site| site.widens() && site.is_open()) {
            for seed in self.generator(&self.conversion.effective).seeds(SEEDS) {
                self.spend(&seed)?;
            }
            self.look_alone()?;
            self.share_witnesses(source, &generator)?;
        }
        self.sites.retain(|site| !(site.is_covered && site.is_open()));
        Ok(())
    }

    /// Tries instances of what is enforced that violate a keyword of which no witness was found, whatever else of
    /// the source they violate.
    fn look_alone(&mut self) -> Result<(), Error> {
        let enforced = &self.conversion.effective;
        let left = left_between(&self.conversion.lifted.document, enforced).document;
        let is_open = |(_, site): &(usize, &Site)| site.widens() && site.is_open() && !site.is_covered;
        let open = self.sites.iter().enumerate().filter(is_open).map(|(index, site)| (index, site.loss));
        for (index, Loss { origin, keyword }) in open.take(MAX_LEFT_OPEN).collect::<Vec<_>>() {
            let both = together(&only(&left, origin, keyword), enforced);
            for candidate in self.generator(&both).violations(origin, keyword, QUICK_CANDIDATES) {
                if self.spend(&candidate)? == Some(Sorted::Widened)
                    && self.violated(&candidate)?.includes(origin, keyword)
                    && let Some(site) = self.sites.get_mut(index)
                {
                    site.is_among_others = true;
                    break;
                }
            }
        }
        Ok(())
    }

    /// Looks for a witness for every divergence that has none. `source` is the source, possibly without what it
    /// implies, and `generator` is of the same.
    pub(super) fn look_beside(&mut self, source: &Document, generator: &Generator<'_>) -> Result<(), Error> {
        let both = LazyCell::new(|| {
            let enforced = &self.conversion.effective;
            together(&left_between(source, enforced).document, enforced)
        });
        let leaves = Rc::clone(&self.leaves);
        let beside_enforced = LazyCell::new(|| Generator::sharing(&both, &leaves));
        for most in TURNS {
            for index in 0..self.sites.len() {
                let open = self.sites.get(index).filter(|site| site.is_open());
                let Some((loss, effect)) = open.map(|site| (site.loss, site.effect)) else { continue };
                let is_thorough = most == THOROUGH_CANDIDATES;
                let generator =
                    if is_thorough && effect == Effect::Widen { &*beside_enforced } else { generator };
                let witness = self.witness(generator, source, loss, effect, most)?;
                if let Some(site) = self.sites.get_mut(index) {
                    site.witness = witness;
                }
            }
        }
        Ok(())
    }

    fn witness(
        &mut self,
        generator: &Generator<'_>,
        source: &Document,
        Loss { origin, keyword }: Loss,
        effect: Effect,
        most: usize,
    ) -> Result<Option<Value>, Error> {
        let most = most.min(self.left);
        if effect != Effect::Widen {
            for candidate in generator.exercises(origin, keyword, most) {
                if self.spend(&candidate)? == Some(Sorted::Narrowed) {
                    return Ok(Some(candidate));
                }
            }
            return Ok(None);
        }
        let leaves = Rc::clone(&self.leaves);
        let mut isolation = Isolation::new(source, origin, keyword, leaves.patterns());
        for Candidate { instance, turns_on } in generator.candidates(origin, keyword, most) {
            if self.spend(&instance)? == Some(Sorted::Widened)
                && turns_on
                && isolation.isolates(&self.violated(&instance)?, &instance)?
            {
                return Ok(Some(instance));
            }
        }
        Ok(None)
    }

    /// What shows one loss may show another: that of a keyword in a union that of the union. What violates
    /// several shows of each that it is lost.
    fn share_witnesses(&mut self, source: &Document, generator: &Generator<'_>) -> Result<(), Error> {
        let mut widened = Vec::new();
        for instance in &self.widened {
            widened.push((instance, self.violated(instance)?));
        }
        let open = self.sites.iter_mut().filter(|site| site.widens() && site.is_open());
        for site in open.take(MAX_LEFT_OPEN) {
            let Loss { origin, keyword } = site.loss;
            let mut isolation = Isolation::new(source, origin, keyword, self.leaves.patterns());
            for (instance, violated) in &widened {
                site.is_among_others |= violated.includes(origin, keyword);
                if generator.turns_on(origin, keyword, instance) && isolation.isolates(violated, instance)? {
                    site.witness = Some((*instance).clone());
                    break;
                }
            }
        }
        Ok(())
    }

    /// What the instance violates of the source.
    pub(super) fn violated(&self, instance: &Value) -> Result<Violated, Error> {
        Violated::of(&self.conversion.lifted.document, &self.source, instance)
    }

    /// Looks at a candidate, as long as the budget lasts.
    fn spend(&mut self, candidate: &Value) -> Result<Option<Sorted>, Error> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        self.look_at(candidate).map(Some)
    }

    /// Sorts an instance, and counts it unless it has been counted.
    pub(super) fn look_at(&mut self, instance: &Value) -> Result<Sorted, Error> {
        if !self.seen.insert(instance.to_string()) {
            return sort(&self.source, &self.effective, instance);
        }
        let sorted = record(&mut self.differential, &self.source, &self.effective, instance)?;
        if sorted == Sorted::Widened && self.widened.len() < MAX_SHARED {
            self.widened.push(instance.clone());
        }
        Ok(sorted)
    }
}
