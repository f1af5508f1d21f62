//! Lifting: a source in any draft from 04 to 2020-12, rewritten to draft 2020-12 with the same meaning.
//!
//! "The same meaning" is measured against the `jsonschema` crate: the lifted schema, compiled as draft
//! 2020-12 with formats asserted and with the names of [`extensions`] registered, gives every instance the
//! verdict that the crate gives it under the source's own draft.
//!
//! The steps, each in a file of its own:
//!
//! 1. [`budget`] walks the source without recursion and refuses what is too large;
//! 2. [`meta`] checks that keywords have values that they may have;
//! 3. [`resolve`] finds the places that references name, [`dynamic`] keeps the dynamic scope;
//! 4. [`lift`] rewrites schema by schema: the root first, then every referenced place, which becomes a
//!    definition, in the order of first reference. [`keywords`] rewrites one keyword, [`dependencies`]
//!    splits `dependencies`, [`dialect`] knows what a keyword means in which draft;
//! 5. [`expansion`] refuses what references alone would make too much work.
//!
//! A source whose keywords are spelled in snake case is put into the usual spelling first, by [`snake_case`].
//!
//! It ends because a definition is lifted once per place and environment, of which there are finitely
//! many (see [`dynamic`]), and because everything inside a definition is part of the finite source.

mod budget;
mod dependencies;
mod dialect;
mod dynamic;
mod expansion;
pub(crate) mod extensions;
mod keywords;
mod lift;
mod meta;
mod names;
mod places;
mod resolve;
mod snake_case;
#[cfg(test)]
mod suite_tests;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use jsonschema::Draft;
use serde_json::Value;

use crate::error::Error;
use crate::schema::{Document, Origin};
use crate::vocabulary::Keyword;

pub(crate) use budget::Budget;
pub(crate) use snake_case::lift_snake_case;

/// A source in draft 2020-12, with the way back to what the user wrote.
#[derive(Debug, Clone)]
pub(crate) struct Lifted {
    /// The lifted schema.
    pub(crate) document: Document,
    /// By [`Origin`], the pointer to the schema object in the source.
    sources: Vec<String>,
    /// Keywords that were left out because they mean nothing in the source's draft.
    pub(crate) unknown: Vec<(Origin, String)>,
    /// Where a lifted keyword has another name than the one it was lifted from, that one.
    renamed: HashMap<(Origin, Keyword), &'static str>,
    /// Where a keyword is spelled in snake case, that spelling.
    in_snake_case: HashMap<(Origin, Keyword), String>,
}

impl Lifted {
    /// The pointer to the schema in the source, as a URI fragment: `#/properties/a`, `#` for the root.
    pub(crate) fn pointer(&self, origin: Origin) -> &str {
        usize::try_from(origin.0).ok().and_then(|index| self.sources.get(index)).map_or("#", String::as_str)
    }

    /// The user's spelling of a keyword: `additionalItems` for a lifted `items` that came from there.
    pub(crate) fn keyword_name(&self, origin: Origin, keyword: Keyword) -> &str {
        let renamed = || self.renamed.get(&(origin, keyword)).copied().unwrap_or(keyword.name());
        self.in_snake_case.get(&(origin, keyword)).map_or_else(renamed, String::as_str)
    }
}

/// Refuses a source that is too large, without recursion. After this it may be recursed on.
pub(crate) fn check_size(source: &Value, budget: &Budget) -> Result<(), Error> {
    budget::measure(source, Draft::Draft202012, budget).map(|_| ())
}

/// Lifts a source. Without `$schema` it is read as draft 2020-12.
pub(crate) fn lift(source: &Value, budget: &Budget) -> Result<Lifted, Error> {
    lift_as(source, Draft::Draft202012, budget)
}

/// Lifts a source that is in `default_draft` unless its `$schema` says otherwise.
pub(crate) fn lift_as(source: &Value, default_draft: Draft, budget: &Budget) -> Result<Lifted, Error> {
    if !(source.is_object() || source.is_boolean()) {
        return Err(Error::InvalidSchema {
            pointer: "#".to_owned(),
            reason: "a schema is an object or a boolean".to_owned(),
        });
    }
    let draft = lift::detect(source, default_draft, "#")?;
    let measure = budget::measure(source, draft, budget)?;
    meta::check(source, draft, "#", measure.dialects)?;
    let lifted = lift::Lifter::new(source, draft, budget, &measure)?.run(source)?;
    expansion::check(&lifted.document)?;
    Ok(lifted)
}
