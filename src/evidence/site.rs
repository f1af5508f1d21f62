//! A divergence that is to be shown.

use serde_json::Value;

use crate::adapt::context::Kind;
use crate::adapt::{Conversion, Divergence, Effect, Evidence};
use crate::residual::{Loss, Residual};

/// A divergence that is to be shown.
pub(super) struct Site {
    pub(super) loss: Loss,
    pub(super) effect: Effect,
    reason: String,
    /// Whether the loss of a union around it tells of it: then it is one of its own only where a witness shows so.
    pub(super) is_covered: bool,
    pub(super) witness: Option<Value>,
    /// Whether an instance is accepted that violates this keyword and others that are lost.
    pub(super) is_among_others: bool,
}

impl Site {
    fn new(loss: Loss, effect: Effect, reason: String) -> Site {
        Site { loss, effect, reason, is_covered: false, witness: None, is_among_others: false }
    }

    pub(super) fn widens(&self) -> bool {
        self.effect == Effect::Widen
    }

    pub(super) fn is_open(&self) -> bool {
        self.witness.is_none()
    }

    pub(super) fn divergence(self, conversion: &Conversion) -> Divergence {
        let lifted = &conversion.lifted;
        Divergence {
            pointer: lifted.pointer(self.loss.origin).to_owned(),
            keyword: lifted.keyword_name(self.loss.origin, self.loss.keyword).to_owned(),
            effect: self.effect,
            evidence: match (&self.witness, self.is_among_others) {
                (Some(_), _) => Evidence::Witness,
                (None, true) => Evidence::Proof,
                (None, false) => Evidence::Keyword,
            },
            documented: conversion.documented(self.loss.keyword),
            source: conversion.claim(self.loss.keyword),
            undone_by_guard: self.widens(),
            reason: self.reason,
            witness: self.witness,
        }
    }
}

/// Losses inside lost unions that are looked into.
const MAX_COVERED: usize = 256;

/// What widens, in the order of the residual, then what narrows, in the order of the walk.
pub(super) fn sites(conversion: &Conversion, residual: &Residual) -> Vec<Site> {
    let told = residual.losses().iter().map(|loss| (loss, false));
    let covered = residual.covered().iter().take(MAX_COVERED).map(|loss| (loss, true));
    let widened = told.chain(covered).map(|(loss, is_covered)| {
        let reason = conversion.reason(loss.origin, loss.keyword);
        Site { is_covered, ..Site::new(*loss, Effect::Widen, reason) }
    });
    let narrowed = conversion.steps.iter().filter_map(|step| match step.kind {
        Kind::Lost(effect) => {
            let loss = Loss { origin: step.origin, keyword: step.keyword };
            Some(Site::new(loss, effect, step.reason.clone()))
        }
        Kind::Removed | Kind::Rewritten => None,
    });
    widened.chain(narrowed).collect()
}
