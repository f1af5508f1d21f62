//! The profile format: a target as a JSON object.
//!
//! A profile is an assertion about somebody else's API. Each statement carries where it was read and when,
//! and what the source does not say is left unsaid: an unstated keyword has the profile's default state,
//! which is `unmentioned` unless the profile gives another. Unknown fields are errors.
//!
//! | field | meaning |
//! |---|---|
//! | `id`, `label` | the name of the target, and the same in words |
//! | `field` | the field or fields of a request that take the schema |
//! | `version`, `captured_at` | which text is described; when it was last seen to say so (`YYYY-MM-DD` or `YYYY-MM`) |
//! | `sources` | `[{"url", "read"}]`, the main source first; `read` is a date or a version |
//! | `extends` | the id of a built-in profile to start from; then only what differs is stated |
//! | `notes` | what a person should know and no other field holds |
//! | `default` | the entry of all keywords that are not listed |
//! | `keywords` | entries; a key lists names and groups: `"[len], pattern"` |
//! | `structure` | what a schema must look like: the fields of `Structure` |
//! | `semantics` | what is read differently from the standard: the fields of `Semantics` |
//! | `limits` | how large a schema may be: the fields of `Limits` |
//! | `names` | how a `tool`, a `schema`, a `definition` may be called |
//!
//! An entry is `{"state", "documented", "sent", "note", "source", "restriction"}`, all optional but the
//! first. `state` is `enforced`, `ignored`, `rejected` or `unmentioned`. `documented` says whether the
//! vendor's own text names the keyword. `sent` says whether it is written to the wire, where that is not
//! simply what is enforced (a description is ignored and sent). `restriction` says for which values the
//! state holds (fields of `Restriction`); a value outside is not sent and not enforced. Groups: `[bounds]`, `[len]`, `[count]`,
//! `[size]`, `[contains]`, `[uneval]`, `[dep]`, `[cond]`, `[content]`, `[notes]`, `[dyn]`, `[draft7]`; and
//! `[bool]` for `true`, `false`, `{}` and nodes without a keyword that gives a type.
//!
//! With `extends`, entries replace those of the same name, and in `structure`, `semantics`, `limits` and
//! `names` each field replaces the field of the same name.
//!
//! ```
//! let target = schema_residual::Target::from_json(r#"{
//!     "id": "example.strict",
//!     "label": "Example",
//!     "field": "response_format.schema",
//!     "version": "text of 2026-01-31",
//!     "captured_at": "2026-01-31",
//!     "sources": [{"url": "https://example.com/structured-outputs", "read": "2026-01-31"}],
//!     "keywords": {
//!         "type, properties, required, items, enum": {"state": "enforced", "documented": true},
//!         "[len]": {"state": "rejected", "documented": true}
//!     }
//! }"#)?;
//! assert_eq!(target.source_url(), "https://example.com/structured-outputs");
//!
//! let looser = schema_residual::Target::from_json(r#"{
//!     "extends": "openai.strict",
//!     "id": "my.gateway",
//!     "keywords": {"pattern": {"state": "ignored", "note": "the gateway strips it"}}
//! }"#)?;
//! assert_eq!(looser.field(), schema_residual::target("openai.strict")?.field());
//! # Ok::<(), schema_residual::Error>(())
//! ```

use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer, MapAccess, Visitor};
use serde_json::{Map, Value};

use super::keywords::{Entry, Table};
use super::{Source, Target, registry};
use crate::Error;

/// How many profiles may extend one another in a row.
const LONGEST_CHAIN: usize = 8;

/// A profile as it is written. What may come from the profile it extends is optional.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct Document {
    extends: Option<String>,
    id: Option<String>,
    label: Option<String>,
    field: Option<String>,
    version: Option<String>,
    captured_at: Option<String>,
    sources: Option<Vec<Source>>,
    notes: Option<Vec<String>>,
    default: Option<Entry>,
    keywords: Entries,
    structure: Map<String, Value>,
    semantics: Map<String, Value>,
    limits: Map<String, Value>,
    names: Map<String, Value>,
}

/// Reads a profile and what it extends.
pub(super) fn read(text: &str) -> Result<Target, Error> {
    build(&chain(text)?).map_err(invalid)
}

fn invalid(reason: impl ToString) -> Error {
    Error::InvalidProfile { reason: reason.to_string() }
}

/// The profile and those it extends, the most basic one first.
fn chain(text: &str) -> Result<Vec<Document>, Error> {
    let mut documents: Vec<Document> = Vec::new();
    let mut next = Some(text);
    while let Some(text) = next {
        if documents.len() == LONGEST_CHAIN {
            return Err(invalid(format!("extends: more than {LONGEST_CHAIN} profiles in a row")));
        }
        let document: Document = serde_json::from_str(text).map_err(invalid)?;
        next = match &document.extends {
            Some(id) => {
                let known = registry::text(id);
                Some(known.ok_or_else(|| invalid(format!("extends: no built-in profile `{id}`")))?)
            }
            None => None,
        };
        documents.push(document);
    }
    documents.reverse();
    Ok(documents)
}

fn build(chain: &[Document]) -> Result<Target, String> {
    // The last in the chain is the profile itself: what it states goes before what it extends.
    let text = |field: &str, get: fn(&Document) -> Option<&String>| {
        let stated = chain.iter().rev().find_map(get).filter(|text| !text.is_empty());
        stated.cloned().ok_or_else(|| format!("missing field `{field}`"))
    };
    let sources = chain.iter().rev().find_map(|document| document.sources.clone()).unwrap_or_default();
    if sources.is_empty() || sources.iter().any(|source| source.url.is_empty() || source.read.is_empty()) {
        return Err("sources: at least one is needed, each with `url` and `read`".to_owned());
    }
    // An id is never inherited: two profiles of one name could not be told apart.
    let id = chain.last().and_then(|document| document.id.clone()).filter(|id| !id.is_empty());
    Ok(Target {
        id: id.ok_or("missing field `id`")?,
        label: text("label", |document| document.label.as_ref())?,
        field: text("field", |document| document.field.as_ref())?,
        version: text("version", |document| document.version.as_ref())?,
        captured_at: text("captured_at", |document| document.captured_at.as_ref())?,
        sources,
        notes: chain.iter().rev().find_map(|document| document.notes.clone()).unwrap_or_default(),
        keywords: table(chain)?,
        structure: section(chain, "structure", |document| &document.structure)?,
        semantics: section(chain, "semantics", |document| &document.semantics)?,
        limits: section(chain, "limits", |document| &document.limits)?,
        names: section(chain, "names", |document| &document.names)?,
    })
}

fn table(chain: &[Document]) -> Result<Table, String> {
    let default = chain.iter().rev().find_map(|document| document.default.clone()).unwrap_or_default();
    let mut table = Table::new(&default);
    for document in chain {
        table.apply(&document.keywords.0)?;
    }
    Ok(table)
}

/// One of the sections whose fields are merged one by one.
fn section<T: DeserializeOwned>(
    chain: &[Document],
    name: &str,
    get: fn(&Document) -> &Map<String, Value>,
) -> Result<T, String> {
    let mut merged = Map::new();
    for document in chain {
        merged.extend(get(document).iter().map(|(field, value)| (field.clone(), value.clone())));
    }
    T::deserialize(Value::Object(merged)).map_err(|error| format!("{name}: {error}"))
}

/// The entries in the order of the file. A map would let the second of two equal keys win in silence.
#[derive(Default)]
struct Entries(Vec<(String, Entry)>);

impl<'de> Deserialize<'de> for Entries {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Entries, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Entries;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object that maps keywords to entries")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entries, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Entries(entries))
            }
        }
        deserializer.deserialize_map(InOrder)
    }
}
