//! Everything that can go wrong, each with the place where it did.

use crate::adapt::Report;

/// Why a call gave no result.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The conversion changes which instances are accepted, and the caller did not opt in to that.
    /// The whole report is carried along.
    #[error("the conversion for {} changes which instances are accepted: {}", .0.target, .0.summary())]
    Divergence(Box<Report>),
    /// There is no target of this name.
    #[error("unknown target {id:?}; known targets: {known}")]
    UnknownTarget {
        /// The name that was asked for.
        id: String,
        /// The names there are, separated by commas.
        known: String,
    },
    /// A profile given by the caller is not one.
    #[error("invalid target profile: {reason}")]
    InvalidProfile {
        /// What is wrong, with line and column where they are known.
        reason: String,
    },
    /// The input is not a schema that can be used: not an object or boolean, a keyword with a wrong
    /// value, a pattern that is not a regular expression, a reference that does not resolve inside the
    /// document.
    #[error("invalid schema at {pointer}: {reason}")]
    InvalidSchema {
        /// JSON Pointer (as a URI fragment, `#/properties/a`) to the offending place in the input.
        pointer: String,
        /// What is wrong there.
        reason: String,
    },
    /// A check could not be carried out, so nothing may be concluded: a schema that does not compile,
    /// an empty corpus, a regular expression that gave up.
    #[error("the check could not be performed: {detail}")]
    Probe {
        /// What could not be done, and to what.
        detail: String,
    },
    /// The input is larger than the library is willing to work on.
    #[error("over budget: {which} is limited to {limit}")]
    Budget {
        /// Which budget: `depth`, `nodes`, `literal bytes`.
        which: &'static str,
        /// The limit, in the unit of the budget.
        limit: usize,
    },
}
