//! What a surface does with each keyword.

use serde::{Deserialize, Serialize};

use super::restriction::Restriction;
use crate::vocabulary::Keyword;

/// What a surface does with a keyword.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum State {
    /// The output is constrained by it.
    Enforced,
    /// Accepted, without effect on the output.
    Ignored,
    /// The request fails, or the vendor names it as not supported.
    Rejected,
    /// The sources are silent or contradict each other.
    #[default]
    Unmentioned,
}

impl State {
    /// What becomes of a keyword that is not enforced as it stands.
    pub(crate) const fn in_words(self) -> &'static str {
        match self {
            State::Enforced => "enforced for other values or in other places only",
            State::Ignored => "accepted there and not enforced",
            State::Rejected => "rejected there",
            State::Unmentioned => "not mentioned by the source",
        }
    }
}

/// The answer for one keyword.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Support {
    pub(crate) state: State,
    /// Whether the vendor's own text names the keyword, or a class it belongs to, for this surface.
    pub(crate) documented: bool,
    /// Whether the keyword is written to the wire, where its restriction allows.
    pub(crate) sent: bool,
    pub(crate) note: Option<String>,
    /// Address and date of the claim, where it was not read in the profile's main source.
    pub(crate) source: Option<String>,
    pub(crate) restriction: Restriction,
}

/// A [`Support`] as a profile states it.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Entry {
    state: State,
    #[serde(default)]
    documented: bool,
    /// Default: what is enforced is sent, nothing else is.
    #[serde(default)]
    sent: Option<bool>,
    #[serde(default)]
    note: Option<String>,
    #[serde(default)]
    source: Option<String>,
    #[serde(default)]
    restriction: Restriction,
}

impl Entry {
    /// What is enforced has to be sent for that, and what fails the request must not be.
    fn contradicts_itself(&self) -> bool {
        matches!((self.state, self.sent), (State::Enforced, Some(false)) | (State::Rejected, Some(true)))
    }
}

impl From<&Entry> for Support {
    fn from(entry: &Entry) -> Support {
        Support {
            state: entry.state,
            documented: entry.documented,
            sent: entry.sent.unwrap_or(entry.state == State::Enforced),
            note: entry.note.clone(),
            source: entry.source.clone(),
            restriction: entry.restriction.clone(),
        }
    }
}

/// Names that a profile may use for several keywords at once.
const GROUPS: &[(&str, &[&str])] = &[
    ("[bounds]", &["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"]),
    ("[len]", &["minLength", "maxLength"]),
    ("[count]", &["minItems", "maxItems"]),
    ("[size]", &["minProperties", "maxProperties"]),
    ("[contains]", &["contains", "minContains", "maxContains"]),
    ("[uneval]", &["unevaluatedProperties", "unevaluatedItems"]),
    ("[dep]", &["dependentRequired", "dependentSchemas"]),
    ("[cond]", &["if", "then", "else"]),
    ("[content]", &["contentEncoding", "contentMediaType", "contentSchema"]),
    ("[notes]", &["examples", "deprecated", "readOnly", "writeOnly", "$comment"]),
    ("[dyn]", &["$dynamicRef", "$dynamicAnchor", "$recursiveRef", "$recursiveAnchor"]),
    ("[draft7]", &["[draft7]", "additionalItems", "dependencies"]),
];

/// Names outside the vocabulary that a profile may classify: what a lifted schema no longer has, what only
/// a dialect of a provider has, and two forms that have no keyword of their own (`[draft7]`: `items` as an
/// array; `[bool]`: `true`, `false`, `{}` and nodes without a keyword that gives a type).
const OTHER_NAMES: &[&str] = &[
    "$defs",
    "definitions",
    "$schema",
    "$id",
    "$anchor",
    "$vocabulary",
    "$dynamicRef",
    "$dynamicAnchor",
    "$recursiveRef",
    "$recursiveAnchor",
    "additionalItems",
    "dependencies",
    "nullable",
    "propertyOrdering",
    "example",
    "[draft7]",
    "[bool]",
    "x-*",
];

/// The answers for all keywords and for the names outside the vocabulary.
#[derive(Debug, Clone)]
pub(super) struct Table {
    /// One for each keyword, in the order of [`Keyword::ALL`].
    keywords: Vec<Support>,
    others: Vec<(String, Support)>,
    default: Support,
    /// The names that the profile states itself, groups resolved.
    stated: Vec<String>,
}

impl Table {
    /// A table that answers everything with the default.
    pub(super) fn new(default: &Entry) -> Table {
        let default = Support::from(default);
        let unmentioned = Support::from(&Entry::default());
        let keywords = Keyword::ALL.iter().map(|keyword| match keyword {
            // It exists only inside the library; no provider has ever heard of it.
            Keyword::IntegerLiteral => unmentioned.clone(),
            _ => default.clone(),
        });
        Table { keywords: keywords.collect(), others: Vec::new(), default, stated: Vec::new() }
    }

    /// Applies the entries of one profile. The key of an entry lists names and groups; a name listed by
    /// itself goes before a group that contains it.
    pub(super) fn apply(&mut self, entries: &[(String, Entry)]) -> Result<(), String> {
        let mut single = Vec::new();
        let mut grouped = Vec::new();
        for (key, entry) in entries {
            for name in key.split(',').map(str::trim) {
                match GROUPS.iter().find(|(group, _)| *group == name) {
                    Some((_, members)) => grouped.extend(members.iter().map(|member| (*member, entry))),
                    None => single.push((name, entry)),
                }
            }
        }
        for layer in [grouped, single] {
            let mut seen: Vec<&str> = Vec::new();
            for (name, entry) in layer {
                if seen.contains(&name) {
                    return Err(format!("keywords: `{name}` is listed twice"));
                }
                if entry.contradicts_itself() {
                    return Err(format!("keywords: `sent` contradicts the state of `{name}`"));
                }
                seen.push(name);
                self.set(name, Support::from(entry))?;
            }
        }
        Ok(())
    }

    fn set(&mut self, name: &str, support: Support) -> Result<(), String> {
        if let Some(keyword) = Keyword::from_name(name) {
            if let Some(slot) = self.keywords.get_mut(keyword as usize) {
                *slot = support;
            }
        } else if !OTHER_NAMES.contains(&name) && !name.starts_with("x-") {
            return Err(format!("keywords: unknown keyword or group `{name}`"));
        } else if let Some((_, slot)) = self.others.iter_mut().find(|(known, _)| known == name) {
            *slot = support;
        } else {
            self.others.push((name.to_owned(), support));
        }
        if !self.stated.iter().any(|stated| stated == name) {
            self.stated.push(name.to_owned());
        }
        Ok(())
    }

    pub(super) fn support(&self, keyword: Keyword) -> &Support {
        self.keywords.get(keyword as usize).unwrap_or(&self.default)
    }

    pub(super) fn support_name(&self, name: &str) -> &Support {
        if let Some(keyword) = Keyword::from_name(name) {
            return self.support(keyword);
        }
        let find = |name: &str| self.others.iter().find(|(known, _)| known == name);
        let extension = || if name.starts_with("x-") { find("x-*") } else { None };
        find(name).or_else(extension).map_or(&self.default, |(_, support)| support)
    }

    /// The answer for whatever the profile does not state.
    pub(super) fn default_support(&self) -> &Support {
        &self.default
    }

    /// The names that the profile states itself, in its order.
    pub(super) fn stated(&self) -> &[String] {
        &self.stated
    }
}
