//! The three together: adapt a schema, show what that cost, and derive what is left to check.
//!
//! Divergences that widen are the losses of the residual, keyword by keyword: what the residual contains is
//! what was lost, so the report and the residual cannot disagree. Divergences that narrow are the losses
//! that the rules noted. For each an instance is looked for on which the two compiled schemas disagree; for
//! a widening it must also be one that the source rejects for that keyword alone.

use std::collections::HashSet;

use serde_json::Value;

use crate::adapt::context::Kind;
use crate::adapt::{
    Conversion, ConvertOptions, Differential, Divergence, Effect, Evidence, Report, Verdict, convert,
};
use crate::differential::classify::{Sorted, record, sort};
use crate::differential::compile::{self, Validator};
use crate::differential::isolate;
use crate::differential::witness::Generator;
use crate::error::Error;
use crate::residual::{Guard, Loss, Residual};
use crate::target::Target;

/// Candidates that are tried where the options do not say.
const DEFAULT_CANDIDATES: usize = 512;

/// More candidates than this are never tried.
const MAX_CANDIDATES: usize = 4_096;

/// Candidates tried for one divergence before the next has its turn.
const CANDIDATES_A_SITE: usize = 12;

/// Valid instances in the corpus.
const SEEDS: usize = 8;

/// When a conversion that changes what is accepted is an error.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum OnDivergence {
    /// Always.
    #[default]
    Error,
    /// Unless the guard makes up for all of it.
    Undone,
    /// Never: the report tells.
    Report,
}

/// How [`adapt`] works.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct AdaptOptions {
    /// When a conversion that changes what is accepted is an error.
    pub on_divergence: OnDivergence,
    /// How many candidate instances may be tried, 512 by default and never more than 4,096.
    pub max_candidates: usize,
    /// Instances, in the source's shape, that are looked at in addition.
    pub corpus: Vec<Value>,
    /// How the conversion itself works.
    pub convert: ConvertOptions,
}

impl Default for AdaptOptions {
    fn default() -> AdaptOptions {
        AdaptOptions {
            on_divergence: OnDivergence::default(),
            max_candidates: DEFAULT_CANDIDATES,
            corpus: Vec::new(),
            convert: ConvertOptions::default(),
        }
    }
}

impl AdaptOptions {
    /// Options under which the report tells of divergences, and they are no error.
    #[must_use]
    pub fn reporting() -> AdaptOptions {
        AdaptOptions { on_divergence: OnDivergence::Report, ..AdaptOptions::default() }
    }
}

/// A converted schema with a report of what the conversion cost.
#[derive(Debug, Clone)]
pub struct Adapted {
    conversion: Conversion,
    residual: Residual,
    report: Report,
}

impl Adapted {
    /// The schema to send.
    #[must_use]
    pub fn wire(&self) -> &Value {
        self.conversion.wire()
    }

    /// What the wire schema amounts to at the provider, as plain draft 2020-12.
    #[must_use]
    pub fn effective(&self) -> Value {
        self.conversion.effective()
    }

    /// The wire schema before encoding: it describes instances of the source's shape.
    #[must_use]
    pub fn projected(&self) -> Value {
        self.conversion.projected()
    }

    /// The projection as the target enforces it, in the source's shape.
    #[must_use]
    pub fn effective_projection(&self) -> Value {
        self.conversion.effective_projection()
    }

    /// What the conversion did and cost.
    #[must_use]
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// The validator over what the target does not enforce.
    #[must_use]
    pub fn residual(&self) -> &Residual {
        &self.residual
    }

    /// The guard for the provider's answers.
    ///
    /// # Errors
    ///
    /// [`Error::Probe`] where the effective schema does not compile.
    pub fn guard(&self) -> Result<Guard, Error> {
        Guard::new(self.conversion.clone(), self.residual.clone())
    }

    /// An instance of the source in the shape in which the provider would send it.
    ///
    /// # Errors
    ///
    /// [`Error::Probe`] where the effective schema does not compile.
    pub fn encode(&self, instance: &Value) -> Result<Value, Error> {
        Ok(self.guard()?.encode(instance))
    }
}

impl Conversion {
    /// The validator over what the target does not enforce.
    ///
    /// # Errors
    ///
    /// [`Error::Probe`] where the residual does not compile.
    pub fn residual(&self) -> Result<Residual, Error> {
        Residual::derive(&self.lifted, &self.effective)
    }

    /// The guard for the provider's answers.
    ///
    /// # Errors
    ///
    /// [`Error::Probe`] where the residual or the effective schema does not compile.
    pub fn guard(&self) -> Result<Guard, Error> {
        Guard::new(self.clone(), self.residual()?)
    }
}

/// Converts a schema for a target and says, with concrete values, what that cost.
///
/// # Errors
///
/// As [`convert`]; [`Error::Divergence`], which carries the report, where the conversion changes which
/// instances are accepted, as far as [`AdaptOptions::on_divergence`] says; [`Error::Probe`] where a check
/// could not be carried out.
///
/// ```
/// use schema_residual::{AdaptOptions, adapt, target};
/// use serde_json::json;
///
/// let source = json!({
///     "type": "object",
///     "properties": {"score": {"type": "integer", "minimum": 0}},
///     "required": ["score"],
///     "additionalProperties": false
/// });
/// // Nothing is lost here …
/// let adapted = adapt(&source, target("openai.strict")?, &AdaptOptions::default())?;
/// assert!(adapted.residual().is_trivial());
/// // … and here the bound is, which is an error unless the caller says otherwise.
/// assert!(adapt(&source, target("openai.strict.legacy")?, &AdaptOptions::default()).is_err());
/// let adapted = adapt(&source, target("openai.strict.legacy")?, &AdaptOptions::reporting())?;
/// assert_eq!(adapted.report().divergences[0].witness, Some(json!({"score": -1})));
/// # Ok::<(), schema_residual::Error>(())
/// ```
pub fn adapt(source: &Value, target: &Target, options: &AdaptOptions) -> Result<Adapted, Error> {
    let conversion = convert(source, target, &options.convert)?;
    let residual = conversion.residual()?;
    let report = Search::new(&conversion, &residual, options)?.report()?;
    let undone = report.divergences.iter().all(|divergence| divergence.undone_by_guard);
    let is_error = match options.on_divergence {
        OnDivergence::Error => !report.divergences.is_empty(),
        OnDivergence::Undone => !undone,
        OnDivergence::Report => false,
    };
    if is_error {
        return Err(Error::Divergence(Box::new(report)));
    }
    Ok(Adapted { conversion, residual, report })
}

/// The search for evidence.
struct Search<'a> {
    conversion: &'a Conversion,
    residual: &'a Residual,
    options: &'a AdaptOptions,
    source: Validator,
    effective: Validator,
    differential: Differential,
    seen: HashSet<String>,
    left: usize,
}

/// A divergence that is to be shown.
struct Site {
    loss: Loss,
    effect: Effect,
    reason: String,
}

impl<'a> Search<'a> {
    fn new(
        conversion: &'a Conversion,
        residual: &'a Residual,
        options: &'a AdaptOptions,
    ) -> Result<Search<'a>, Error> {
        Ok(Search {
            conversion,
            residual,
            options,
            source: compile::document(&conversion.lifted.document)?,
            effective: compile::document(&conversion.effective)?,
            differential: Differential::default(),
            seen: HashSet::new(),
            left: options.max_candidates.min(MAX_CANDIDATES),
        })
    }

    fn report(mut self) -> Result<Report, Error> {
        let generator = Generator::new(&self.conversion.lifted.document);
        for instance in &self.options.corpus {
            // Before anything recurses on it.
            compile::check_depth(instance)?;
            self.look_at(instance)?;
        }
        for seed in generator.seeds(SEEDS) {
            self.spend(&seed)?;
        }
        let mut divergences = Vec::new();
        for site in self.sites() {
            let witness = self.witness(&generator, &site)?;
            divergences.push(self.divergence(site, witness));
        }
        let conversion = self.conversion;
        let target = &conversion.target;
        let mut warnings = conversion.warnings().to_vec();
        if self.left == 0 {
            warnings.push(format!(
                "the budget of {} candidates was used up before every divergence was looked into",
                self.options.max_candidates.min(MAX_CANDIDATES)
            ));
        }
        let verdict = verdict(&divergences, &self.differential);
        Ok(Report {
            target: target.id().to_owned(),
            source_url: target.source_url().to_owned(),
            source_version: target.version().to_owned(),
            captured_at: target.captured_at().to_owned(),
            removed: conversion.removed(),
            rewritten: conversion.rewritten(),
            redundant: Vec::new(),
            warnings,
            equivalent: divergences.is_empty() && verdict == Verdict::Proved,
            divergences,
            differential: self.differential,
            verdict,
        })
    }

    /// What widens, in the order of the residual, then what narrows, in the order of the walk.
    fn sites(&self) -> Vec<Site> {
        let widened = self.residual.losses().iter().map(|loss| Site {
            loss: *loss,
            effect: Effect::Widen,
            reason: self.conversion.reason(loss.origin, loss.keyword),
        });
        let narrowed = self.conversion.steps.iter().filter_map(|step| match step.kind {
            Kind::Lost(effect) => Some(Site {
                loss: Loss { origin: step.origin, keyword: step.keyword },
                effect,
                reason: step.reason.clone(),
            }),
            Kind::Removed | Kind::Rewritten => None,
        });
        widened.chain(narrowed).collect()
    }

    fn witness(&mut self, generator: &Generator<'_>, site: &Site) -> Result<Option<Value>, Error> {
        let Loss { origin, keyword } = site.loss;
        let most = CANDIDATES_A_SITE.min(self.left);
        let (candidates, wanted) = match site.effect {
            Effect::Widen => (generator.violations(origin, keyword, most), Sorted::Widened),
            _ => (generator.exercises(origin, keyword, most), Sorted::Narrowed),
        };
        for candidate in candidates {
            if self.spend(&candidate)? != Some(wanted) {
                continue;
            }
            let document = &self.conversion.lifted.document;
            if wanted == Sorted::Narrowed
                || isolate::isolates(document, &self.source, &candidate, origin, keyword)?
            {
                return Ok(Some(candidate));
            }
        }
        Ok(None)
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

    fn divergence(&self, site: Site, witness: Option<Value>) -> Divergence {
        let lifted = &self.conversion.lifted;
        Divergence {
            pointer: lifted.pointer(site.loss.origin).to_owned(),
            keyword: lifted.keyword_name(site.loss.origin, site.loss.keyword).to_owned(),
            effect: site.effect,
            evidence: if witness.is_some() { Evidence::Witness } else { Evidence::Keyword },
            documented: self.conversion.documented(site.loss.keyword),
            undone_by_guard: site.effect == Effect::Widen,
            reason: site.reason,
            witness,
        }
    }
}

/// Without divergences the derivation is the proof: nothing is left of the source, and no rule took
/// instances away.
fn verdict(divergences: &[Divergence], differential: &Differential) -> Verdict {
    match (differential.widened > 0, differential.narrowed > 0) {
        (true, true) => Verdict::Both,
        (true, false) => Verdict::Widened,
        (false, true) => Verdict::Narrowed,
        (false, false) if divergences.is_empty() => Verdict::Proved,
        (false, false) => Verdict::NoneFound,
    }
}
