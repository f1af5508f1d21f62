//! Adapting: from a lifted schema to what is sent.
//!
//! | step | file |
//! |---|---|
//! | drop and loosen what the target cannot express | [`project`], with one rule a rewrite in [`rules`] |
//! | what the target makes of the result | [`effective`] |
//! | say what was dropped in descriptions, where asked for | [`describe`] |
//! | spell the same instances the way the target can | [`encode`], undone on instances by [`decode`] |
//! | write it down in the target's dialect | [`spell`] |
//!
//! Nothing is compiled here: a conversion costs a walk over the schema.

pub(crate) mod branches;
pub(crate) mod contested;
pub(crate) mod context;
pub(crate) mod decode;
mod describe;
mod effective;
pub(crate) mod encode;
mod merge;
mod project;
#[cfg(test)]
mod recording;
pub(crate) mod recursion;
mod regex_features;
pub(crate) mod report;
mod respell;
mod rules;
mod spell;
pub(crate) mod support;
mod verbatim;
mod warnings;

use serde_json::Value;

use crate::error::Error;
use crate::schema::{Document, Origin};
use crate::source::{Budget, Lifted, lift, lift_snake_case};
use crate::target::{State, Target};
use crate::vocabulary::Keyword;

pub use report::{Change, Differential, Divergence, Effect, Evidence, Finding, Report, RuleEffect, Verdict};

use context::{Kind, Step};
use encode::Encodings;

/// How [`convert`] works.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct ConvertOptions {
    /// Whether the constraints that are dropped are said in descriptions, in plain words, so that the model still
    /// reads them. Existing descriptions stay first. Off by default.
    ///
    /// ```
    /// use schema_residual::{ConvertOptions, convert, target};
    ///
    /// let source = serde_json::json!({"type": "object", "properties": {"age": {"type": "integer", "minimum": 0}}});
    /// let mut options = ConvertOptions::default();
    /// options.descriptions = true;
    /// let conversion = convert(&source, target("openai.strict.legacy")?, &options)?;
    /// assert_eq!(conversion.wire()["properties"]["age"]["description"], "Constraints: at least 0.");
    /// # Ok::<(), schema_residual::Error>(())
    /// ```
    pub descriptions: bool,
    /// Whether keywords may be spelled in snake case: `min_length` for `minLength`. Only where keywords stand; a
    /// property of such a name is a property. Where both spellings are there, the one in snake case counts.
    /// References lead to the usual spelling. Off by default.
    pub snake_case: bool,
}

/// A converted schema, without evidence of what the conversion cost.
#[derive(Debug, Clone)]
pub struct Conversion {
    wire: Value,
    warnings: Vec<String>,
    pub(crate) lifted: Lifted,
    pub(crate) target: Target,
    pub(crate) projected: Document,
    /// The projection as the target enforces it, in the source's shape.
    pub(crate) effective: Document,
    pub(crate) encodings: Encodings,
    pub(crate) steps: Vec<Step>,
}

/// Converts a schema for a target. Compiles nothing and looks for no evidence: this is what a request path
/// calls. [`adapt`](crate::adapt()) does the same and says what it cost.
///
/// # Errors
///
/// [`Error::InvalidSchema`] for what is not a schema, [`Error::Budget`] for one that is too large.
///
/// ```
/// use serde_json::json;
///
/// let source = json!({
///     "type": "object",
///     "properties": {"name": {"type": "string", "minLength": 1}},
///     "required": ["name"],
///     "additionalProperties": false
/// });
/// let target = schema_residual::target("openai.strict")?;
/// let conversion = schema_residual::convert(&source, target, &Default::default())?;
/// assert_eq!(conversion.wire()["properties"]["name"], json!({"type": "string"}));
/// # Ok::<(), schema_residual::Error>(())
/// ```
pub fn convert(source: &Value, target: &Target, options: &ConvertOptions) -> Result<Conversion, Error> {
    let read = if options.snake_case { lift_snake_case } else { lift };
    let lifted = read(source, &Budget::default())?;
    let mut projection = project::project(&lifted.document, target)?;
    if options.descriptions {
        let described = describe::describe(&lifted.document, &projection.document, &projection.steps, target);
        projection.document = described;
    }
    let encodings = Encodings::needed(&projection.document, target);
    let wire = encode::encode(&projection.document, encodings, target);
    let spelled = spell::spell(&wire, target);
    let effective = effective::effective(&projection.document, target);
    Ok(Conversion {
        warnings: warnings::warnings(&wire, &spelled, target),
        wire: spelled,
        lifted,
        target: target.clone(),
        projected: projection.document,
        effective,
        encodings,
        steps: projection.steps,
    })
}

impl Conversion {
    /// The schema to send.
    #[must_use]
    pub fn wire(&self) -> &Value {
        &self.wire
    }

    /// The schema to send, taken out.
    #[must_use]
    pub fn into_wire(self) -> Value {
        self.wire
    }

    /// What the wire schema amounts to at the provider, as plain draft 2020-12: what it ignores is gone,
    /// what it reads differently is written the way it reads it.
    #[must_use]
    pub fn effective(&self) -> Value {
        self.encoded_effective().to_value()
    }

    /// The wire schema before encoding: it describes instances of the source's shape.
    #[must_use]
    pub fn projected(&self) -> Value {
        self.projected.to_value()
    }

    /// The projection as the target enforces it, in the source's shape. The residual is derived from this.
    #[must_use]
    pub fn effective_projection(&self) -> Value {
        self.effective.to_value()
    }

    /// Keywords that are not in the wire schema any more.
    #[must_use]
    pub fn removed(&self) -> Vec<Change> {
        let mut changes = self.changes(Kind::Removed);
        changes.extend(self.lifted.unknown.iter().map(|(origin, keyword)| Change {
            pointer: self.lifted.pointer(*origin).to_owned(),
            keyword: keyword.clone(),
            rule: "lift",
            effect: RuleEffect::Exact,
            reason: format!("`{keyword}` means nothing in the draft of the source"),
            documented: false,
            source: "the specification of that draft".to_owned(),
        }));
        changes
    }

    /// Keywords that are spelled differently in the wire schema.
    #[must_use]
    pub fn rewritten(&self) -> Vec<Change> {
        self.changes(Kind::Rewritten)
    }

    /// What to know before sending the schema.
    #[must_use]
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    pub(crate) fn encoded_effective(&self) -> Document {
        encode::encode(&self.effective, self.encodings, &self.target)
    }

    fn changes(&self, kind: Kind) -> Vec<Change> {
        self.steps
            .iter()
            .filter(|step| step.kind == kind)
            .map(|step| Change {
                pointer: self.lifted.pointer(step.origin).to_owned(),
                keyword: self.lifted.keyword_name(step.origin, step.keyword).to_owned(),
                rule: step.rule.name,
                effect: step.rule.declared,
                reason: step.reason.clone(),
                documented: self.documented(step.keyword),
                source: self.claim(step.keyword),
            })
            .collect()
    }

    /// Whether the vendor's text says what the target does with a keyword.
    pub(crate) fn documented(&self, keyword: Keyword) -> bool {
        self.target.support(keyword).documented
    }

    /// The step that dropped the keyword at this place.
    pub(crate) fn dropped(&self, origin: Origin, keyword: Keyword) -> Change {
        let step = self.steps.iter().find(|step| step.origin == origin && step.keyword == keyword);
        Change {
            pointer: self.lifted.pointer(origin).to_owned(),
            keyword: self.lifted.keyword_name(origin, keyword).to_owned(),
            rule: step.map_or("dropped with what is around it", |step| step.rule.name),
            effect: step.map_or(RuleEffect::Widens, |step| step.rule.declared),
            reason: self.reason(origin, keyword),
            documented: self.documented(keyword),
            source: self.claim(keyword),
        }
    }

    /// Where it was read, and when, what the target does with a keyword.
    pub(crate) fn claim(&self, keyword: Keyword) -> String {
        self.target.claim(self.target.support(keyword))
    }

    /// Why the keyword at this place is not enforced.
    pub(crate) fn reason(&self, origin: Origin, keyword: Keyword) -> String {
        let step = |kind_matters: bool| {
            self.steps.iter().find(|step| {
                step.origin == origin
                    && step.keyword == keyword
                    && (!kind_matters || step.kind == Kind::Removed)
            })
        };
        match step(true).or_else(|| step(false)) {
            Some(step) => step.reason.clone(),
            None if self.target.support(keyword).state != State::Enforced => {
                support::why(&self.target, keyword)
            }
            None if matches!(keyword, Keyword::Enum | Keyword::Const)
                && !self.target.semantics().enum_casing =>
            {
                "the capitals of listed strings are not guaranteed".to_owned()
            }
            None => "dropped along with a keyword around it that the target does not express".to_owned(),
        }
    }
}
