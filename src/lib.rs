//! Convert a JSON Schema for a language model provider, see with concrete values what that cost, and enforce
//! what was lost.
//!
//! Every provider accepts a subset of JSON Schema, so every client deletes or rewrites keywords before it
//! sends a schema, mostly in silence. The request succeeds, and from then on the schema lets through values
//! that the application's own schema rejects. This crate makes the conversion, *measures* what it changed, and
//! compiles a validator over *exactly what was lost*, to run where the model's answer comes back.
//!
//! ```
//! use schema_residual::{AdaptOptions, adapt, target};
//! use serde_json::json;
//!
//! let source = json!({
//!     "type": "object",
//!     "properties": {
//!         "email": {"type": "string", "format": "email"},
//!         "score": {"type": "integer", "minimum": 0, "maximum": 10}
//!     },
//!     "required": ["email", "score"],
//!     "additionalProperties": false
//! });
//! // By default a conversion that changes what is accepted is an error; here the report tells.
//! let adapted = adapt(&source, target("openai.strict.legacy")?, &AdaptOptions::reporting())?;
//!
//! // What to send …
//! assert_eq!(adapted.wire()["properties"]["score"], json!({"type": "integer"}));
//! // … what that cost, each loss with an instance that shows it …
//! let lost: Vec<&str> = adapted.report().divergences.iter().map(|lost| lost.keyword.as_str()).collect();
//! assert_eq!(lost, ["format", "minimum", "maximum"]);
//! // … and what to do with the answer.
//! let guard = adapted.guard()?;
//! assert!(guard.check_str(r#"{"email": "a@b.co", "score": 7}"#).is_ok());
//! let rejection = guard.check_str(r#"{"email": "not-an-email", "score": 99}"#).unwrap_err();
//! assert_eq!(rejection.violations.len(), 2);
//! # Ok::<(), schema_residual::Error>(())
//! ```
//!
//! # The triad
//!
//! ```text
//!              ┌── adapt ───────────────────────────────────────┐
//!   source ──► │ lift L ──► project P ──► encode ──► wire schema│ ──► sent to the provider
//!              └────┬───────────┬───────────────────────────────┘
//!                   │           │      ┌── differential ──┐
//!                   ├───────────┼────► │ witnesses, proof │ ──► report
//!                   │           │      └──────────────────┘
//!                   │           │      ┌── residual ──┐
//!                   └───────────┴────► │ what is lost │ ──► guard: answer ─► decode ─► check ─► value
//!                                      └──────────────┘
//! ```
//!
//! | question | call |
//! |---|---|
//! | What do I send, and what does it cost? | [`adapt`](adapt()) → [`Adapted`] with its [`Report`] |
//! | What do I send? (on a request path: nothing is compiled) | [`convert`] → [`Conversion`] |
//! | Is this answer what I asked for? | [`Guard`] |
//! | What is lost between any two schemas? | [`residual_between`], [`residual`](residual()) → [`Residual`] |
//! | On which instances do two schemas disagree? | [`differential`](differential()) |
//! | Which instances, where nobody has a corpus? | [`candidates`](candidates()) |
//! | What does the report say, in words? | [`explain`](explain()) |
//! | Does a provider take this schema as it is? | [`Target::check`] → [`Problem`]s |
//! | What do the providers accept? | [`targets`], [`target`](target()) → [`Target`] |
//!
//! # Rooms
//!
//! Data flows from the top of this table to the bottom; a later room uses earlier ones, never the reverse.
//!
//! | room | what happens there |
//! |---|---|
//! | `vocabulary`, `schema` | the keywords, and a schema as a tree that tells schemas from data |
//! | `source` | a document in any draft from 04 to 2020-12 is lifted to 2020-12 with the same meaning |
//! | `target` | what each provider's surface enforces, ignores and rejects, as data |
//! | `adapt` | what the target cannot express is dropped or loosened, and the rest spelled its way |
//! | `differential` | two schemas, compiled separately, and the instances on which they disagree |
//! | `residual` | the schema of exactly what was lost, and the guard |
//! | `containment` | whether one schema accepts everything that another accepts: proved, refuted or open |
//! | `redundant` | dropped keywords that the rest of the schema implies |
//! | `evidence` | each loss of a conversion with a witness or a proof |
//! | `triad` | the three together |
//! | `check` | whether a surface takes a schema as it is |
//! | `candidates`, `explain` | a corpus for any two schemas; a report as text |

mod adapt;
mod candidates;
mod check;
mod containment;
mod differential;
mod error;
mod evidence;
mod explain;
mod redundant;
mod residual;
mod schema;
mod source;
mod target;
#[cfg(test)]
#[path = "../tests/promises/material.rs"]
mod test_material;
#[cfg(test)]
#[path = "../tests/promises/parallel.rs"]
mod test_parallel;
mod triad;
mod vocabulary;

pub use adapt::{
    Change, Conversion, ConvertOptions, Differential, Divergence, Effect, Evidence, Finding, Report, Verdict,
    convert,
};
pub use candidates::candidates;
pub use check::{Consequence, Problem};
pub use containment::differential;

pub use error::Error;
pub use explain::explain;
pub use residual::{
    Constraint, Guard, Rejection, RejectionKind, Residual, Violation, residual, residual_between,
};
pub use target::{Source, Target, target, targets};
pub use triad::{AdaptOptions, Adapted, OnDivergence, adapt};

/// The README's code.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
