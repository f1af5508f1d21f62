//! What a target makes of a schema, written as plain draft 2020-12.

use super::support::enforces;
use crate::schema::{Document, Schema};
use crate::target::{Absent, OneOf, Target};
use crate::vocabulary::{Keyword, Types};

/// The document as the target enforces it: what it ignores is gone, what it reads differently is written
/// the way it reads it.
pub(crate) fn effective(document: &Document, target: &Target) -> Document {
    document.map(|sent| schema(sent, target))
}

fn schema(sent: &Schema, target: &Target) -> Schema {
    let mut effective = Schema::always(sent.origin);
    for (keyword, part) in sent.keywords() {
        let is_enforced = keyword.constrains() && (sent.is_never() || enforces(target, sent, *keyword));
        let read = match keyword {
            Keyword::OneOf if target.semantics().one_of == OneOf::AnyOf => Keyword::AnyOf,
            _ if !is_enforced => continue,
            keyword => *keyword,
        };
        effective.set(read, part.map(|inner| schema(inner, target)));
    }
    if is_closed_by_silence(sent, target) {
        effective.set(Keyword::AdditionalProperties, Schema::never(sent.origin));
    }
    effective
}

/// Whether the target reads the absence of `additionalProperties` as `false` here.
fn is_closed_by_silence(sent: &Schema, target: &Target) -> bool {
    let object = sent.types().contains(Types::OBJECT) && sent.types() != Types::ANY;
    let declared = sent.has(Keyword::Properties);
    !sent.has(Keyword::AdditionalProperties)
        && match target.semantics().absent_additional_properties {
            Absent::Open | Absent::Unstated => false,
            Absent::Closed => object || declared,
            Absent::ClosedBesideProperties => declared,
        }
}
