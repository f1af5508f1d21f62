//! Proving that one schema accepts everything that another accepts.
//!
//! The proof is that of [`jsonschema::canonical`], which is experimental. What it is asked, and how its
//! answers are read, keeps that from becoming a wrong verdict:
//!
//! * Only *yes* is a proof here. A *no* comes without an instance and proves nothing to a reader; instead the
//!   difference of the two schemas is asked for, and instances made from it count once both validators have
//!   judged them.
//! * What it reads is exactly what the validators read. Annotations are left out, and formats that they
//!   do not assert. Keywords and formats of the library's own have no meaning for it, and schemas with them
//!   are not shown to it ([`faithful`]).
//! * Only small pairs ([`Size`]) are shown to it: the cost of a proof is not bounded otherwise.

use std::sync::Arc;

use jsonschema::Draft;
use jsonschema::canonical::{self, CanonicalSchema, Containment};
use serde_json::Value;

use super::compile::is_asserted_format;
use super::size::Size;
use crate::schema::{Document, Rooted, Schema};
use crate::source::extensions;
use crate::vocabulary::Keyword;

/// Whether it is proved that `sup` accepts everything that `sub` accepts.
pub(crate) fn is_contained(sub: Rooted<'_>, sup: Rooted<'_>) -> bool {
    may_be_asked(sub, sup)
        && canonical(sub)
            .zip(canonical(sup))
            .is_some_and(|(sub, sup)| matches!(sup.covers(&sub), Ok(Containment::Yes)))
}

/// Whether the two are small enough, and all of what they mean is shown.
pub(crate) fn may_be_asked(sub: Rooted<'_>, sup: Rooted<'_>) -> bool {
    Size::of([sub, sup]).is_small() && is_faithful(sub) && is_faithful(sup)
}

/// A schema meant to accept what `sub` accepts and `sup` does not. It is a place to look for instances and no
/// more, so that it may be inexact.
pub(crate) fn difference(sub: Rooted<'_>, sup: Rooted<'_>) -> Option<Value> {
    if !Size::of([sub, sup]).is_very_small() {
        return None;
    }
    Some(canonical(sub)?.subtract(&canonical(sup)?).ok()?.to_json_schema())
}

fn canonical(schema: Rooted<'_>) -> Option<CanonicalSchema> {
    let mut shown = Document::new(stripped(schema.root));
    for (name, definition) in schema.definitions() {
        shown.define(Arc::clone(name), stripped(definition));
    }
    let options = canonical::options().with_draft(Draft::Draft202012);
    options.should_validate_formats(true).offline().canonicalize(&shown.to_value()).ok()
}

/// Whether all that a schema means is shown.
fn is_faithful(schema: Rooted<'_>) -> bool {
    let mut pending = vec![schema.root];
    pending.extend(schema.definitions().into_iter().map(|(_, definition)| definition));
    while let Some(schema) = pending.pop() {
        if schema.has(Keyword::IntegerLiteral) || format(schema).is_some_and(extensions::is_format) {
            return false;
        }
        pending.extend(schema.children());
    }
    true
}

fn format(schema: &Schema) -> Option<&str> {
    schema.data(Keyword::Format).and_then(Value::as_str)
}

/// The schema with only what the validators assert and the proof knows.
fn stripped(schema: &Schema) -> Schema {
    let asserted =
        format(schema).is_some_and(|name| is_asserted_format(name) && !extensions::is_format(name));
    let mut kept = schema.clone();
    kept.retain(|keyword, _| match keyword {
        Keyword::IntegerLiteral => false,
        Keyword::Format => asserted,
        keyword => keyword.constrains(),
    });
    kept.map_children(stripped)
}
