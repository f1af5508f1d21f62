//! What a conversion did and what it cost, as data and as text.

use std::fmt;

use serde::Serialize;
use serde_json::Value;

/// What happens to the set of accepted instances.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Effect {
    /// The target accepts instances that the source rejects. The residual rejects them.
    Widen,
    /// The target rejects instances that the source accepts.
    Narrow,
    /// The target has no way to say what the source says, and accepts only part of it, or nothing.
    Unrepresentable,
}

/// How a statement is backed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Evidence {
    /// A concrete instance on which the two compiled schemas disagree.
    Witness,
    /// Shown without such an instance: one is accepted that violates this keyword and others that are lost along
    /// with it, so that putting any of them back would make a difference.
    Proof,
    /// Neither was found: the keyword was dropped or changed, and that is all that is known.
    Keyword,
}

/// What a rewrite rule declares to do to the set of accepted instances.
///
/// Meant is one application to one schema object, before and after, both read as draft 2020-12 says, with the
/// definitions that the source has. What the target makes of the result is not the rule's doing. A rule is
/// only applied where the whole accepts more or fewer instances as the part does, so that this is also what
/// happens to the whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum RuleEffect {
    /// Nothing: the same instances are accepted.
    Exact,
    /// Add instances: whatever was accepted still is.
    Widens,
    /// Take instances away: whatever is accepted was before. The rule notes a divergence for the place.
    Narrows,
}

/// One keyword at one place whose loss or rewrite changes which instances are accepted.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct Divergence {
    /// The schema object that holds the keyword, as a pointer into the source as the user wrote it.
    pub pointer: String,
    /// The keyword, as the user wrote it.
    pub keyword: String,
    /// What it does to the set of accepted instances.
    pub effect: Effect,
    /// How that is known.
    pub evidence: Evidence,
    /// Whether the vendor's own text says what the target does with this keyword.
    pub documented: bool,
    /// Where that was read, and when.
    pub source: String,
    /// Whether the guard makes up for it.
    pub undone_by_guard: bool,
    /// Why the keyword was dropped or changed.
    pub reason: String,
    /// An instance, in the source's shape, on which source and conversion disagree.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub witness: Option<Value>,
}

/// A keyword that was removed or rewritten, whether or not that changes what is accepted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Change {
    /// The schema object that held it, as a pointer into the source as the user wrote it.
    pub pointer: String,
    /// The keyword, as the user wrote it.
    pub keyword: String,
    /// The rule that did it.
    pub rule: &'static str,
    /// What that rule declares to do.
    pub effect: RuleEffect,
    /// Why.
    pub reason: String,
    /// Whether the vendor's own text says what the target does with this keyword.
    pub documented: bool,
    /// Where that was read, and when.
    pub source: String,
}

/// What is known of the instances that one of two schemas accepts and the other rejects.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Finding {
    /// There are none, and that is shown.
    Excluded,
    /// This is one: both compiled schemas have judged it.
    Instance(Value),
    /// None was found over the corpus that was checked; none is excluded either.
    #[default]
    NoneFound,
}

/// What the two compiled schemas say about one corpus, and what is known beyond it.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Differential {
    /// How many instances were looked at.
    pub checked: usize,
    /// On how many the schemas agree.
    pub agreed: usize,
    /// How many only the converted schema accepts.
    pub widened: usize,
    /// How many only the source accepts.
    pub narrowed: usize,
    /// The first of those that only the converted schema accepts.
    pub widened_witnesses: Vec<Value>,
    /// The first of those that only the source accepts.
    pub narrowed_witnesses: Vec<Value>,
    /// What is known of instances that only the converted schema accepts, in the corpus or not.
    pub widening: Finding,
    /// What is known of instances that only the source accepts, in the corpus or not.
    pub narrowing: Finding,
}

impl Differential {
    /// The overall answer: [`Verdict::Proved`] only where both directions are excluded.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        match (&self.widening, &self.narrowing) {
            (Finding::Instance(_), Finding::Instance(_)) => Verdict::Both,
            (Finding::Instance(_), _) => Verdict::Widened,
            (_, Finding::Instance(_)) => Verdict::Narrowed,
            (Finding::Excluded, Finding::Excluded) => Verdict::Proved,
            _ => Verdict::NoneFound,
        }
    }
}

/// The overall answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Verdict {
    /// Both accept the same instances, and that is shown.
    Proved,
    /// No difference was found over the corpus that was checked; none is excluded either.
    NoneFound,
    /// The conversion accepts more.
    Widened,
    /// The conversion accepts less.
    Narrowed,
    /// The conversion accepts instances that the source rejects, and the reverse.
    Both,
}

/// What the conversion of one schema for one target did and cost.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct Report {
    /// The target's name.
    pub target: String,
    /// Where the target's profile was read.
    pub source_url: String,
    /// Which version of that page or file.
    pub source_version: String,
    /// The day on which it was last seen to say so.
    pub captured_at: String,
    /// Keywords that are not in the wire schema any more.
    pub removed: Vec<Change>,
    /// Keywords that are spelled differently in the wire schema.
    pub rewritten: Vec<Change>,
    /// Keywords that were dropped and that the rest of the schema implies.
    pub redundant: Vec<Change>,
    /// What the caller should know before sending the schema.
    pub warnings: Vec<String>,
    /// What changes the set of accepted instances.
    pub divergences: Vec<Divergence>,
    /// The verdicts of both compiled schemas over the witness corpus.
    pub differential: Differential,
    /// Whether both accept the same instances, as far as `verdict` says.
    pub equivalent: bool,
    /// The overall answer.
    pub verdict: Verdict,
}

impl Report {
    /// The divergences in one line.
    #[must_use]
    pub fn summary(&self) -> String {
        let count = |effect| self.divergences.iter().filter(|divergence| divergence.effect == effect).count();
        let places: Vec<String> = self
            .divergences
            .iter()
            .take(3)
            .map(|divergence| format!("{} at {}", divergence.keyword, divergence.pointer))
            .collect();
        let more = if self.divergences.len() > places.len() { ", …" } else { "" };
        format!(
            "{} widened, {} narrowed, {} unrepresentable ({}{more})",
            count(Effect::Widen),
            count(Effect::Narrow),
            count(Effect::Unrepresentable),
            places.join(", ")
        )
    }
}

impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Effect::Widen => "widen",
            Effect::Narrow => "narrow",
            Effect::Unrepresentable => "unrepresentable",
        })
    }
}
