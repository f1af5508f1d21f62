//! What a conversion cost, with the evidence for it.
//!
//! Divergences that widen are the losses of the residual, keyword by keyword: what the residual contains is
//! what was lost, so the report and the residual cannot disagree. Divergences that narrow are the losses
//! that the rules noted. For each an instance is looked for on which the two compiled schemas disagree; for
//! a widening it must also be one that the source rejects for that keyword alone.
//!
//! Where none is found the loss may be none. A keyword that the rest of the source implies is redundant
//! ([`Redundancy`]); and the two schemas as a whole may accept no instance that the other rejects
//! ([`outside`]), in which case no loss in that direction is one. Either is a proof, and what is left without
//! witness and without proof says so.

use std::cell::LazyCell;
use std::collections::HashSet;

use serde_json::Value;

use crate::adapt::context::Kind;
use crate::adapt::{
    Change, Conversion, Differential, Divergence, Effect, Evidence, Finding, Report, Verdict,
};
use crate::containment::{Side, outside};
use crate::differential::classify::{Sorted, record, sort};
use crate::differential::compile::{self, Validator};
use crate::differential::isolate::Isolation;
use crate::differential::together::together;
use crate::differential::witness::Generator;
use crate::error::Error;
use crate::redundant::Redundancy;
use crate::residual::{Loss, Residual, left_between, losses_between};
use crate::schema::Document;

/// More candidates than this are never tried.
const MAX_CANDIDATES: usize = 4_096;

/// Candidates tried for one divergence in each of its two turns, the quick and the thorough one.
const QUICK_CANDIDATES: usize = 4;
const THOROUGH_CANDIDATES: usize = 16;

/// Valid instances in the corpus.
const SEEDS: usize = 8;

/// Looks for evidence and writes the report. `corpus` are instances that are looked at in addition.
pub(crate) fn report(
    conversion: &Conversion,
    residual: &Residual,
    corpus: &[Value],
    max_candidates: usize,
) -> Result<Report, Error> {
    let most = max_candidates.min(MAX_CANDIDATES);
    let mut search = Search::new(conversion, residual, most)?;
    for instance in corpus {
        // Before anything recurses on it.
        compile::check_depth(instance)?;
        search.look_at(instance)?;
    }
    let redundant = search.run()?;
    Ok(search.written(redundant, most))
}

/// The search for evidence.
struct Search<'a> {
    conversion: &'a Conversion,
    source: Validator,
    effective: Validator,
    sites: Vec<Site>,
    differential: Differential,
    seen: HashSet<String>,
    left: usize,
}

/// A divergence that is to be shown.
struct Site {
    loss: Loss,
    effect: Effect,
    reason: String,
    witness: Option<Value>,
}

impl Site {
    fn widens(&self) -> bool {
        self.effect == Effect::Widen
    }

    fn is_open(&self) -> bool {
        self.witness.is_none()
    }
}

impl<'a> Search<'a> {
    fn new(conversion: &'a Conversion, residual: &Residual, most: usize) -> Result<Search<'a>, Error> {
        Ok(Search {
            conversion,
            source: compile::document(&conversion.lifted.document)?,
            effective: compile::document(&conversion.effective)?,
            sites: sites(conversion, residual),
            differential: Differential::default(),
            seen: HashSet::new(),
            left: most,
        })
    }

    /// Finds what there is to find; returns the losses that are none.
    fn run(&mut self) -> Result<Vec<Loss>, Error> {
        let source = &self.conversion.lifted.document;
        for seed in Generator::new(source).seeds(SEEDS) {
            self.spend(&seed)?;
        }
        self.look_for_witnesses(source)?;
        let mut redundancy = Redundancy::new(source, &self.conversion.effective);
        let mut redundant = Vec::new();
        self.sites.retain(|site| {
            let is_redundant = site.widens() && site.is_open() && redundancy.take_out(site.loss);
            if is_redundant {
                redundant.push(site.loss);
            }
            !is_redundant
        });
        if !redundant.is_empty() {
            // What was one of two reasons to reject an instance may be the only one now.
            self.look_for_witnesses(redundancy.document())?;
        }
        self.settle_widening(redundancy.document(), &mut redundant)?;
        self.settle_narrowing()?;
        Ok(redundant)
    }

    /// Looks for a witness for every divergence that has none. Each has a quick turn before any has a thorough
    /// one. `source` is the source, possibly without what it implies.
    fn look_for_witnesses(&mut self, source: &Document) -> Result<(), Error> {
        let generator = Generator::new(source);
        let both = LazyCell::new(|| {
            let enforced = &self.conversion.effective;
            together(&left_between(source, enforced).0, enforced)
        });
        let beside_enforced = LazyCell::new(|| Generator::new(&both));
        for most in [QUICK_CANDIDATES, THOROUGH_CANDIDATES] {
            for index in 0..self.sites.len() {
                let open = self.sites.get(index).filter(|site| site.is_open());
                let Some((loss, effect)) = open.map(|site| (site.loss, site.effect)) else { continue };
                let is_thorough = most == THOROUGH_CANDIDATES;
                let generator =
                    if is_thorough && effect == Effect::Widen { &*beside_enforced } else { &generator };
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
        let mut isolation = Isolation::new(source, origin, keyword);
        let (candidates, wanted) = match effect {
            Effect::Widen => (generator.violations(origin, keyword, most), Sorted::Widened),
            _ => (generator.exercises(origin, keyword, most), Sorted::Narrowed),
        };
        for candidate in candidates {
            if self.spend(&candidate)? != Some(wanted) {
                continue;
            }
            let turns = || generator.turns_on(origin, keyword, &candidate);
            if wanted == Sorted::Narrowed || turns() && isolation.isolates(&self.source, &candidate)? {
                return Ok(Some(candidate));
            }
        }
        Ok(None)
    }

    /// What is known of instances that only the conversion accepts. `source` means what the source means.
    fn settle_widening(&mut self, source: &Document, redundant: &mut Vec<Loss>) -> Result<(), Error> {
        if self.differential.widening != Finding::NoneFound {
            return Ok(());
        }
        let nothing_lost = !self.sites.iter().any(Site::widens)
            && (redundant.is_empty() || losses_between(source, &self.conversion.effective).is_empty());
        let finding =
            if nothing_lost { Finding::Excluded } else { outside(self.effective_side(), self.source_side()) };
        match finding {
            Finding::Excluded => {
                let widening = self.sites.iter().filter(|site| site.widens());
                redundant.extend(widening.map(|site| site.loss));
                self.sites.retain(|site| !site.widens());
                self.differential.widening = Finding::Excluded;
            }
            Finding::Instance(instance) => self.take_as_witness(source, &instance)?,
            Finding::NoneFound => {}
        }
        Ok(())
    }

    /// What is known of instances that only the source accepts. That there are none where no rule noted a
    /// loss is what the rules declare.
    fn settle_narrowing(&mut self) -> Result<(), Error> {
        if self.differential.narrowing != Finding::NoneFound {
            return Ok(());
        }
        let nothing_lost = self.sites.iter().all(Site::widens);
        let finding =
            if nothing_lost { Finding::Excluded } else { outside(self.source_side(), self.effective_side()) };
        match finding {
            Finding::Excluded => {
                self.sites.retain(Site::widens);
                self.differential.narrowing = Finding::Excluded;
            }
            Finding::Instance(instance) => {
                self.take_as_witness(&self.conversion.lifted.document, &instance)?
            }
            Finding::NoneFound => {}
        }
        Ok(())
    }

    /// Counts an instance that was found for the whole, and gives it to the divergences that it shows.
    fn take_as_witness(&mut self, source: &Document, instance: &Value) -> Result<(), Error> {
        let sorted = self.look_at(instance)?;
        // It is not known which of several narrowings rejects it.
        let is_only_narrowing = self.sites.iter().filter(|site| !site.widens()).count() == 1;
        for site in self.sites.iter_mut().filter(|site| site.is_open()) {
            let shows = match sorted {
                Sorted::Agreed => false,
                Sorted::Narrowed => !site.widens() && is_only_narrowing,
                Sorted::Widened => {
                    let mut isolation = Isolation::new(source, site.loss.origin, site.loss.keyword);
                    site.widens() && isolation.isolates(&self.source, instance)?
                }
            };
            if shows {
                site.witness = Some(instance.clone());
            }
        }
        Ok(())
    }

    fn source_side(&self) -> Side<'_> {
        Side { document: &self.conversion.lifted.document, validator: &self.source }
    }

    fn effective_side(&self) -> Side<'_> {
        Side { document: &self.conversion.effective, validator: &self.effective }
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
    fn look_at(&mut self, instance: &Value) -> Result<Sorted, Error> {
        if self.seen.insert(instance.to_string()) {
            record(&mut self.differential, &self.source, &self.effective, instance)
        } else {
            sort(&self.source, &self.effective, instance)
        }
    }

    fn written(self, redundant: Vec<Loss>, most: usize) -> Report {
        let conversion = self.conversion;
        let target = &conversion.target;
        let mut warnings = conversion.warnings().to_vec();
        if self.left == 0 {
            warnings.push(format!(
                "the budget of {most} candidates was used up before every divergence was looked into"
            ));
        }
        let verdict = self.differential.verdict();
        let divergences: Vec<Divergence> =
            self.sites.into_iter().map(|site| divergence(conversion, site)).collect();
        let redundant: Vec<Change> =
            redundant.into_iter().map(|loss| conversion.dropped(loss.origin, loss.keyword)).collect();
        Report {
            target: target.id().to_owned(),
            source_url: target.source_url().to_owned(),
            source_version: target.version().to_owned(),
            captured_at: target.captured_at().to_owned(),
            removed: conversion.removed(),
            rewritten: conversion.rewritten(),
            redundant,
            warnings,
            equivalent: divergences.is_empty() && verdict == Verdict::Proved,
            divergences,
            differential: self.differential,
            verdict,
        }
    }
}

/// What widens, in the order of the residual, then what narrows, in the order of the walk.
fn sites(conversion: &Conversion, residual: &Residual) -> Vec<Site> {
    let widened = residual.losses().iter().map(|loss| Site {
        loss: *loss,
        effect: Effect::Widen,
        reason: conversion.reason(loss.origin, loss.keyword),
        witness: None,
    });
    let narrowed = conversion.steps.iter().filter_map(|step| match step.kind {
        Kind::Lost(effect) => Some(Site {
            loss: Loss { origin: step.origin, keyword: step.keyword },
            effect,
            reason: step.reason.clone(),
            witness: None,
        }),
        Kind::Removed | Kind::Rewritten => None,
    });
    widened.chain(narrowed).collect()
}

fn divergence(conversion: &Conversion, site: Site) -> Divergence {
    let lifted = &conversion.lifted;
    Divergence {
        pointer: lifted.pointer(site.loss.origin).to_owned(),
        keyword: lifted.keyword_name(site.loss.origin, site.loss.keyword).to_owned(),
        effect: site.effect,
        evidence: if site.is_open() { Evidence::Keyword } else { Evidence::Witness },
        documented: conversion.documented(site.loss.keyword),
        undone_by_guard: site.widens(),
        reason: site.reason,
        witness: site.witness,
    }
}
