//! Whether a subschema can be sent as it is and means there what it means here.

use super::support::{can_send, enforces, sends};
use crate::schema::Schema;
use crate::target::{Absent, Target};
use crate::vocabulary::{Keyword, Role, Types};

/// Whether a subschema of this keyword can be sent as it is: enforced throughout where the keyword is, and taken
/// throughout where the keyword is only there to be read.
pub(crate) fn stays(holder: &Schema, keyword: Keyword, inner: &Schema, target: &Target) -> bool {
    if enforces(target, holder, keyword) {
        is_enforced_throughout(target, inner)
    } else {
        is_sent_throughout(target, inner)
    }
}

/// Whether the target takes every keyword in this schema. Annotations are looked after elsewhere.
fn is_sent_throughout(target: &Target, schema: &Schema) -> bool {
    schema.everywhere().all(|schema| {
        let sent = |keyword: Keyword| match keyword {
            Keyword::Ref => can_send(target, keyword),
            _ => sends(target, schema, keyword),
        };
        let names = schema.named(Keyword::Properties).iter().all(|(name, _)| target.can_name(name));
        let items_wanted = target.structure().items_required && schema.types().contains(Types::ARRAY);
        let has_items = !items_wanted || schema.has(Keyword::Items) || !schema.has(Keyword::Type);
        names
            && has_items
            && schema.keywords().iter().all(|(known, _)| known.role() == Role::Annotation || sent(*known))
    })
}

/// Whether the target enforces every keyword in this schema exactly, all the way down.
///
/// This is what keywords under `not`, `if`, `oneOf` and the like need: loosening them there would tighten
/// the whole. References count as not enforced, since what they refer to is projected for other places.
fn is_enforced_throughout(target: &Target, schema: &Schema) -> bool {
    schema.everywhere().all(|schema| {
        let enforced = schema.keywords().iter().all(|(keyword, _)| {
            keyword.role() == Role::Annotation
                || (*keyword != Keyword::Ref && enforces(target, schema, *keyword))
        });
        enforced && means_the_same(target, schema)
    })
}

/// Whether no reading of the target's own changes what the schema object says.
fn means_the_same(target: &Target, schema: &Schema) -> bool {
    let semantics = target.semantics();
    let structure = target.structure();
    let object = schema.has(Keyword::Properties) || schema.types().contains(Types::OBJECT);
    let open_is_open = matches!(semantics.absent_additional_properties, Absent::Open | Absent::Unstated)
        || !object
        || schema.has(Keyword::AdditionalProperties);
    open_is_open
        && !structure.closed_objects
        && !structure.type_required
        && !schema.has(Keyword::Pattern)
        && !schema.has(Keyword::OneOf)
        && semantics.branches.is_empty()
        && (semantics.enum_casing || schema.literals().is_none())
}
