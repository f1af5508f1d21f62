//! Whether a surface takes a schema as it is.
//!
//! Nothing is converted. Three things are asked, each in a file of its own:
//!
//! | question | file |
//! |---|---|
//! | Does the surface know the keyword, and does it heed it? | [`names`] |
//! | Does the schema have the form that the surface wants? | [`form`] |
//! | Is the keyword's value one for which the surface heeds it? | [`values`] |
//!
//! The first two look at the schema as it is written, since that is what the surface looks at. The last one lifts it,
//! since values mean the same in every draft only then.
//!
//! Limits of size are not asked about: they are warnings of a conversion.

mod form;
mod names;
mod positions;
mod values;

use std::collections::HashSet;

use serde::Serialize;
use serde_json::Value;

use self::positions::{Node, nodes};
use crate::error::Error;
use crate::source::{Budget, check_size, lift};
use crate::target::{State, Target};

/// Schemas in a schema that is checked.
const MAX_NODES: usize = 1 << 18;

/// Something in a schema that a surface does not take as it is meant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Problem {
    /// The schema object, as a pointer into the schema: `#/properties/a`.
    pub pointer: String,
    /// The keyword, or the name of the rule of form.
    pub rule: String,
    /// What comes of it.
    pub consequence: Consequence,
    /// What is the matter, in words.
    pub reason: String,
    /// Where that was read, and when.
    pub source: String,
    /// Whether the vendor's own text says so.
    pub documented: bool,
}

/// What comes of a problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Consequence {
    /// The request fails, or the vendor says that this is not supported.
    RequestError,
    /// The constraint is accepted and has no effect.
    Ignored,
    /// The constraint is taken to mean something else.
    ReadDifferently,
    /// The sources do not say.
    Unstated,
}

impl Target {
    /// Whether this surface takes the schema as it is: what it would refuse, ignore or misread, and what nothing is
    /// known about. An empty list means that all of the schema is enforced there as written.
    ///
    /// Limits of size are not problems: [`Report::warnings`](crate::Report::warnings) has them.
    ///
    /// ```
    /// use schema_residual::{Consequence, target};
    ///
    /// let schema = serde_json::json!({"type": "object", "properties": {"age": {"type": "integer"}}});
    /// let problems = target("openai.strict")?.check(&schema)?;
    /// let rules: Vec<&str> = problems.iter().map(|problem| problem.rule.as_str()).collect();
    /// assert_eq!(rules, ["all required", "closed objects"]);
    /// assert!(problems.iter().all(|problem| problem.consequence == Consequence::RequestError));
    /// # Ok::<(), schema_residual::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::InvalidSchema`] for what is not a schema, [`Error::Budget`] for one that is too large.
    pub fn check(&self, schema: &Value) -> Result<Vec<Problem>, Error> {
        // What references are written out in may be larger than what it was made from.
        let budget = Budget { nodes: MAX_NODES, ..Budget::default() };
        // Before anything recurses on it.
        check_size(schema, &budget)?;
        let nodes = nodes(schema);
        let lifted = lift(&positions::in_standard_words(schema, &nodes, self), &budget)?;
        let mut found = Found { target: self, problems: Vec::new(), told: HashSet::new() };
        for node in &nodes {
            names::check(node, &mut found);
            form::check(node, &mut found);
        }
        values::check(&lifted, &mut found);
        Ok(found.problems)
    }
}

/// The problems found so far.
struct Found<'t> {
    target: &'t Target,
    problems: Vec<Problem>,
    /// Where which rule has been told of.
    told: HashSet<(String, String)>,
}

impl Found<'_> {
    /// A problem with a keyword, or with a form that the profile speaks of like one.
    fn keyword(&mut self, pointer: &str, name: &str, consequence: Consequence, what: &str) {
        let support = self.target.support_name(name);
        let note = support.note.as_ref().map(|note| format!(" ({note})")).unwrap_or_default();
        let source = self.target.claim(support);
        self.add(Problem {
            pointer: pointer.to_owned(),
            rule: name.to_owned(),
            consequence,
            reason: format!("{what}{note}"),
            source,
            documented: support.documented,
        });
    }

    /// A problem with a rule of form. What breaks one fails the request, as far as the sources say.
    fn form(&mut self, node: &Node<'_>, rule: &str, reason: impl Into<String>) {
        let source = self.target.main_claim();
        self.add(Problem {
            pointer: node.pointer(),
            rule: rule.to_owned(),
            consequence: Consequence::RequestError,
            reason: reason.into(),
            source,
            documented: true,
        });
    }

    fn add(&mut self, problem: Problem) {
        if self.told.insert((problem.pointer.clone(), problem.rule.clone())) {
            self.problems.push(problem);
        }
    }
}

/// What comes of sending something in this state. `None` where it is enforced.
fn consequence(state: State) -> Option<Consequence> {
    match state {
        State::Enforced => None,
        State::Ignored => Some(Consequence::Ignored),
        State::Rejected => Some(Consequence::RequestError),
        State::Unmentioned => Some(Consequence::Unstated),
    }
}
