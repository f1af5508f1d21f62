//! The profiles that come with the library. Adding a target is adding one file and its line here.

use std::sync::LazyLock;

use super::{Target, profile};
use crate::Error;

macro_rules! profiles {
    ($($id:literal),* $(,)?) => {
        &[$(($id, include_str!(concat!("profiles/", $id, ".json")))),*]
    };
}

/// The targets in the order in which they are listed.
const PROFILES: &[(&str, &str)] = profiles![
    "openai.strict",
    "openai.strict.legacy",
    "openai.strict.finetuned",
    "azure.openai.strict",
    "openai.tools",
    "openai.chat",
    "openai.responses",
    "gemini.responseJsonSchema",
    "gemini.parametersJsonSchema",
    "gemini.responseSchema",
    "gemini.functionDeclarationParameters",
    "google.cloudCodeAssist",
    "vertex.responseSchema",
    "vertex.functionDeclarationParameters",
    "anthropic.strict",
    "anthropic.tools",
    "bedrock.strict",
    "xai.grok",
    "cerebras.strict",
    "deepseek.strict",
    "cohere.v2",
    "llguidance",
    "llama.cpp",
    "xgrammar.vllm",
    "mcp",
    "generic",
];

// A profile that does not parse would be missing here; a test sees to it that none is.
static TARGETS: LazyLock<Vec<Target>> =
    LazyLock::new(|| PROFILES.iter().filter_map(|(_, text)| profile::read(text).ok()).collect());

/// All targets that come with the library, in a fixed order.
#[must_use]
pub fn targets() -> &'static [Target] {
    &TARGETS
}

/// The target of this name.
///
/// # Errors
///
/// [`Error::UnknownTarget`], which lists the names there are.
pub fn target(id: &str) -> Result<&'static Target, Error> {
    targets().iter().find(|target| target.id() == id).ok_or_else(|| Error::UnknownTarget {
        id: id.to_owned(),
        known: targets().iter().map(Target::id).collect::<Vec<_>>().join(", "),
    })
}

/// The text of a built-in profile, for others to extend.
pub(super) fn text(id: &str) -> Option<&'static str> {
    PROFILES.iter().find(|(known, _)| *known == id).map(|(_, text)| *text)
}

/// Every profile and its id.
#[cfg(test)]
pub(crate) fn all() -> impl Iterator<Item = (&'static str, &'static str)> {
    PROFILES.iter().copied()
}
