//! What a conversion cost, with the evidence for it.
//!
//! Divergences that widen are the losses of the residual, keyword by keyword: what the residual contains is
//! what was lost, so the report and the residual cannot disagree. Divergences that narrow are the losses
//! that the rules noted. For each an instance is looked for on which the two compiled schemas disagree; for
//! a widening it must also be one that the source rejects for that keyword alone.
//!
//! Where none is found the loss may be none, or it may never be alone. Four things are shown without a witness:
//!
//! * A keyword that the rest of the source implies is redundant ([`Redundancy`]).
//! * What a rule made narrower may have been as narrow already for what is around it ([`settle`]).
//! * The two schemas as a whole may accept no instance that the other rejects ([`outside`]), in which case no
//!   loss in that direction is one.
//! * Where an instance is accepted that violates several lost keywords, putting any of them back would stop it:
//!   each is a loss that makes a difference, though none is the only reason to reject that instance.
//!
//! What is left without any of these says so.
//!
//! | file | what is in it |
//! |---|---|
//! | [`site`] | a divergence that is to be shown |
//! | [`search`] | looking for witnesses |
//! | [`settle`] | what is shown without one |
//!
//! [`Redundancy`]: crate::redundant::Redundancy
//! [`outside`]: crate::containment::outside

mod search;
mod settle;
mod site;

use serde_json::Value;

use self::search::Search;
use crate::adapt::{Change, Conversion, Divergence, Report, Verdict};
use crate::differential::compile;
use crate::error::Error;
use crate::residual::{Loss, Residual};

/// More candidates than this are never tried.
const MAX_CANDIDATES: usize = 4_096;

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
    search.look_for_witnesses()?;
    let redundant = search.settle()?;
    Ok(written(search, redundant, most))
}

fn written(search: Search<'_>, redundant: Vec<Loss>, most: usize) -> Report {
    let conversion = search.conversion;
    let target = &conversion.target;
    let mut warnings = conversion.warnings().to_vec();
    if search.left == 0 {
        warnings.push(format!(
            "the budget of {most} candidates was used up before every divergence was looked into"
        ));
    }
    let verdict = search.differential.verdict();
    let divergences: Vec<Divergence> =
        search.sites.into_iter().map(|site| site.divergence(conversion)).collect();
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
        differential: search.differential,
        verdict,
    }
}
