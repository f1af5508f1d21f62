//! What a rule may know and say while a schema is being projected.

use std::collections::BTreeSet;
use std::sync::Arc;

#[cfg(test)]
use super::recording::Recording;
use super::recursion::Recursion;
use super::report::Effect;
use super::rules::Rule;
use super::support::{can_send, enforces, sends, why};
use crate::schema::{Document, Origin, Schema};
use crate::target::{BooleanSchemas, Target};
use crate::vocabulary::{Keyword, Types};

/// Schema objects that may be written out in place of references or into the branches of unions, each time
/// counted. What does not fit is loosened instead.
pub(crate) const MAX_NODES: usize = 32_768;

/// How deep a projection may become by expanding references.
pub(crate) const MAX_DEPTH: usize = 256;

/// Something a rule did to a keyword.
#[derive(Debug, Clone)]
pub(crate) struct Step {
    pub(crate) origin: Origin,
    pub(crate) keyword: Keyword,
    pub(crate) rule: &'static Rule,
    pub(crate) kind: Kind,
    pub(crate) reason: String,
}

/// What was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The keyword is gone.
    Removed,
    /// It is said in another way.
    Rewritten,
    /// Instances that the source accepts are not accepted any more.
    Lost(Effect),
}

/// The state of one projection.
pub(crate) struct Context<'a> {
    pub(crate) target: &'a Target,
    /// The lifted source, for the definitions that references name.
    pub(crate) source: &'a Document,
    pub(crate) recursion: &'a Recursion,
    /// Whether the schema object being rewritten is the root of what is sent.
    pub(crate) is_root: bool,
    /// The definition being projected.
    pub(crate) within: Option<Arc<str>>,
    /// Whether the place is inside an optional property of the root or of the definition.
    pub(crate) in_optional: bool,
    /// Definitions whose content is being written out around this place.
    pub(crate) inlined: Vec<Arc<str>>,
    /// The name of the definition for "any value", once it is needed.
    pub(crate) any_value: Option<Arc<str>>,
    /// The rule at work.
    pub(crate) rule: Option<&'static Rule>,
    /// What the rules did, where a test wants to know.
    #[cfg(test)]
    pub(crate) recording: Option<Recording>,
    steps: Vec<Step>,
    nodes: usize,
    wants_types: bool,
}

impl<'a> Context<'a> {
    pub(crate) fn new(target: &'a Target, source: &'a Document, recursion: &'a Recursion) -> Context<'a> {
        Context {
            target,
            source,
            recursion,
            is_root: false,
            within: None,
            in_optional: false,
            inlined: Vec::new(),
            any_value: None,
            rule: None,
            #[cfg(test)]
            recording: None,
            steps: Vec::new(),
            nodes: 0,
            wants_types: target.structure().type_required || !target.support_name("[bool]").sent,
        }
    }

    /// Whether the target enforces the keyword as it stands here.
    pub(crate) fn enforces(&self, schema: &Schema, keyword: Keyword) -> bool {
        enforces(self.target, schema, keyword)
    }

    /// Whether the keyword is sent as it stands here, enforced or not.
    pub(crate) fn sends(&self, schema: &Schema, keyword: Keyword) -> bool {
        sends(self.target, schema, keyword)
    }

    /// Whether the keyword is sent at all.
    pub(crate) fn can_send(&self, keyword: Keyword) -> bool {
        can_send(self.target, keyword)
    }

    /// Whether every node needs a keyword that gives it a type.
    pub(crate) fn wants_types(&self) -> bool {
        self.wants_types
    }

    /// Whether this is the object at the root of what is sent, where no combinator may stand.
    pub(crate) fn is_bare_root(&self, schema: &Schema) -> bool {
        let structure = self.target.structure();
        self.is_root
            && structure.root_object
            && !structure.root_combinators
            && schema.types() == Types::OBJECT
    }

    /// Whether properties may have any name.
    pub(crate) fn takes_any_name(&self) -> bool {
        let structure = self.target.structure();
        structure.property_names.is_none() && structure.reserved_property_names.is_empty()
    }

    /// Whether the schema `false` can stand where a schema stands.
    pub(crate) fn takes_false(&self) -> bool {
        !self.wants_types() && self.target.structure().boolean_schemas == BooleanSchemas::Both
    }

    /// Whether the schema can be written out once more. If so, its schema objects are counted.
    pub(crate) fn afford(&mut self, schema: &Schema) -> bool {
        let left = MAX_NODES.saturating_sub(self.nodes);
        let count = schema.everywhere().take(left + 1).count();
        self.nodes += count.min(left);
        count <= left
    }

    /// Whether anything can still be written out. Once something did not fit, nothing does, so that what is
    /// written out does not depend on what was tried.
    pub(crate) fn can_afford_more(&self) -> bool {
        self.nodes < MAX_NODES
    }

    /// Notes that a keyword was removed, for the reason that the profile gives.
    pub(crate) fn removed(&mut self, origin: Origin, keyword: Keyword) {
        let reason = why(self.target, keyword);
        self.note(origin, keyword, Kind::Removed, reason);
    }

    /// Notes that a keyword is said in another way.
    pub(crate) fn rewritten(&mut self, origin: Origin, keyword: Keyword, reason: impl Into<String>) {
        self.note(origin, keyword, Kind::Rewritten, reason.into());
    }

    /// Notes that instances are lost.
    pub(crate) fn lost(
        &mut self,
        origin: Origin,
        keyword: Keyword,
        effect: Effect,
        reason: impl Into<String>,
    ) {
        self.note(origin, keyword, Kind::Lost(effect), reason.into());
    }

    fn note(&mut self, origin: Origin, keyword: Keyword, kind: Kind, reason: String) {
        let known = |step: &Step| step.origin == origin && step.keyword == keyword && step.kind == kind;
        // A place that is written several times is told about once. Steps of one place come close together.
        if let (false, Some(rule)) = (self.steps.iter().rev().take(64).any(known), self.rule) {
            self.steps.push(Step { origin, keyword, rule, kind, reason });
        }
    }

    /// Everything that was noted, each once.
    pub(crate) fn into_steps(self) -> Vec<Step> {
        let mut seen = BTreeSet::new();
        let mut steps = self.steps;
        steps.retain(|step| {
            let kind = match step.kind {
                Kind::Removed => 0,
                Kind::Rewritten => 1,
                Kind::Lost(_) => 2,
            };
            seen.insert((step.origin, step.keyword, kind))
        });
        steps
    }
}
