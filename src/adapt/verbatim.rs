//! Whether a subschema can be sent as it is and means there what it means here.

use super::support::enforces;
use crate::schema::Schema;
use crate::target::{Absent, Target};
use crate::vocabulary::{Keyword, Role};

/// Whether the target enforces every keyword in this schema exactly, all the way down.
///
/// This is what keywords under `not`, `if`, `oneOf` and the like need: loosening them there would tighten
/// the whole. References count as not enforced, since what they refer to is projected for other places.
pub(crate) fn is_enforced_throughout(target: &Target, schema: &Schema) -> bool {
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
    let object = schema.has(Keyword::Properties) || schema.types().contains(crate::vocabulary::Types::OBJECT);
    let open_is_open = matches!(semantics.absent_additional_properties, Absent::Open | Absent::Unstated)
        || !object
        || schema.has(Keyword::AdditionalProperties);
    open_is_open
        && !structure.closed_objects
        && !structure.type_required
        && !schema.has(Keyword::Pattern)
        && !schema.has(Keyword::OneOf)
        && semantics.branches.is_empty()
}
