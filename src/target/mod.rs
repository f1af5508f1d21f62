//! Targets: one surface of one provider each, described by a profile that is data.
//!
//! | file | what is in it |
//! |---|---|
//! | [`profile`] | the profile format and how a profile is read |
//! | [`keywords`] | what a surface does with each keyword |
//! | [`restriction`] | the values for which a keyword is enforced |
//! | [`structure`] | what a schema must look like there |
//! | [`name`] | how things may be called |
//! | [`semantics`] | what the surface reads differently from the standard, its limits and its names |
//! | [`registry`] | the profiles that come with the library |
//! | [`page`] | a profile as text for a person |

mod keywords;
mod name;
mod page;
mod profile;
mod registry;
mod restriction;
mod semantics;
mod structure;
#[cfg(test)]
mod tests;

use crate::Error;
use crate::vocabulary::Keyword;

pub(crate) use keywords::{State, Support};
#[cfg(test)]
pub(crate) use registry::all as profiles;
pub use registry::{target, targets};
pub(crate) use restriction::{RegexFeature, Restriction};
use semantics::Names;
pub(crate) use semantics::{Absent, DepthStep, Empty, Limits, OneOf, PatternMatch, Semantics};
pub(crate) use structure::{
    BooleanSchemas, Inlining, Nullable, Recursion, Siblings, Structure, Tuples, TypeArrays,
};

/// One surface of one provider: a place that takes a JSON Schema, and what it makes of it.
///
/// The targets that come with the library are listed by [`targets`] and found by [`target`]. A profile of
/// your own is read by [`Target::from_json`]. `Display` prints the whole profile for a person to read.
#[derive(Debug, Clone)]
pub struct Target {
    id: String,
    label: String,
    field: String,
    version: String,
    captured_at: String,
    sources: Vec<Source>,
    notes: Vec<String>,
    keywords: keywords::Table,
    structure: Structure,
    semantics: Semantics,
    limits: Limits,
    names: Names,
}

/// Where a profile's statements were read, and when.
#[derive(Debug, Clone, PartialEq, Eq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Source {
    /// The address of the page or file.
    pub url: String,
    /// The date or the version of the text that was read.
    pub read: String,
}

impl Target {
    /// Reads a profile. The format is that of the files in `src/target/profiles`; a profile that names
    /// another one under `extends` starts from that and says only what differs.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidProfile`] for text that is not JSON, for a field or keyword that the format does
    /// not know, and for a profile without an id or without a dated source.
    pub fn from_json(profile: &str) -> Result<Target, Error> {
        profile::read(profile)
    }

    /// The name of the target, for example `openai.strict`.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// What the surface is called in words.
    #[must_use]
    pub fn label(&self) -> &str {
        &self.label
    }

    /// The field or fields of a request in which the schema is sent.
    #[must_use]
    pub fn field(&self) -> &str {
        &self.field
    }

    /// Where the profile's statements come from; the main source is the first.
    #[must_use]
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// The address of the main source.
    #[must_use]
    pub fn source_url(&self) -> &str {
        self.sources.first().map_or("", |source| &source.url)
    }

    /// Where a statement was read, and when.
    pub(crate) fn claim(&self, support: &Support) -> String {
        support.source.clone().unwrap_or_else(|| self.main_claim())
    }

    /// The main source and the date on which it said what the profile says.
    pub(crate) fn main_claim(&self) -> String {
        format!("{} ({})", self.source_url(), self.captured_at)
    }

    /// Which version of the main source the profile describes.
    #[must_use]
    pub fn version(&self) -> &str {
        &self.version
    }

    /// When the sources were last seen to say this, as `YYYY-MM-DD`, or `YYYY-MM` where the day is not known.
    #[must_use]
    pub fn captured_at(&self) -> &str {
        &self.captured_at
    }

    /// What the surface does with a keyword. Every keyword has an answer.
    pub(crate) fn support(&self, keyword: Keyword) -> &Support {
        self.keywords.support(keyword)
    }

    /// The same by name, for names outside the vocabulary too: `$defs`, `nullable`, `[bool]`, …
    pub(crate) fn support_name(&self, name: &str) -> &Support {
        self.keywords.support_name(name)
    }

    /// What a schema must look like.
    pub(crate) fn structure(&self) -> &Structure {
        &self.structure
    }

    /// What the surface reads differently from the standard.
    pub(crate) fn semantics(&self) -> &Semantics {
        &self.semantics
    }

    /// Whether a property may have this name.
    pub(crate) fn can_name(&self, property: &str) -> bool {
        !self.structure.reserved_property_names.iter().any(|reserved| reserved == property)
            && self.structure.property_names.as_ref().is_none_or(|rule| rule.allows(property))
    }

    /// How large a schema may be.
    pub(crate) fn limits(&self) -> &Limits {
        &self.limits
    }
}
