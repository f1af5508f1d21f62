//! Encodings: the same instances spelled differently, because the target cannot spell them as they are.
//!
//! Two are applied here. Where every property must be required, an optional one becomes required and may be
//! `null`, which stands for its absence. Where the root must be an object, any other root is put into an
//! object with one property, [`RESPONSE`].
//!
//! Both schemas of a conversion, the projection and its effective form, have the same shape and are encoded
//! by the same steps. [`super::decode`] undoes them on instances.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::support::can_send;
use crate::schema::{Document, Schema};
use crate::target::{Nullable, Target, TypeArrays};
use crate::vocabulary::{Keyword, Types};

/// The property of the object that a root which is not an object is put into.
pub(crate) const RESPONSE: &str = "response";

/// What has been encoded in a document, told by the document before encoding.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Encodings {
    /// Optional properties are required and may be `null`.
    pub(crate) optional_as_nullable: bool,
    /// The root is the property [`RESPONSE`] of an object.
    pub(crate) wrapped_root: bool,
}

impl Encodings {
    /// The encodings that the target needs for this projection.
    pub(crate) fn needed(projected: &Document, target: &Target) -> Encodings {
        let structure = target.structure();
        Encodings {
            optional_as_nullable: structure.all_required,
            wrapped_root: structure.root_object && !is_root_object(&projected.root),
        }
    }
}

fn is_root_object(root: &Schema) -> bool {
    root.types() == Types::OBJECT && !root.has(Keyword::AnyOf) && !root.has(Keyword::Ref)
}

/// The document in the wire's shape.
pub(crate) fn encode(document: &Document, encodings: Encodings, target: &Target) -> Document {
    let scope = Scope { document, target };
    let rewrite = |schema: &Schema| {
        if encodings.optional_as_nullable { scope.require_all(schema) } else { schema.clone() }
    };
    let root = rewrite(&document.root);
    let root = if encodings.wrapped_root { wrap(root, target) } else { root };
    document.map_definitions(root, rewrite)
}

/// A schema of the document with every declared property required, as it is in the wire's shape.
pub(crate) fn require_all(schema: &Schema, document: &Document, target: &Target) -> Schema {
    Scope { document, target }.require_all(schema)
}

fn wrap(root: Schema, target: &Target) -> Schema {
    let origin = root.origin;
    let wrapper = Schema::of_types(origin, Types::OBJECT)
        .with(Keyword::Properties, vec![(RESPONSE.to_owned(), root)])
        .with(Keyword::Required, json!([RESPONSE]));
    if can_send(target, Keyword::AdditionalProperties) {
        wrapper.with(Keyword::AdditionalProperties, Schema::never(origin))
    } else {
        wrapper
    }
}

struct Scope<'a> {
    document: &'a Document,
    target: &'a Target,
}

impl Scope<'_> {
    /// Requires every declared property, with `null` for those that were optional.
    fn require_all(&self, schema: &Schema) -> Schema {
        let mut encoded = schema.map_children(|part| self.require_all(part));
        let named = encoded.named(Keyword::Properties);
        let required: HashSet<&str> = schema.required().collect();
        let is_optional = |name: &str| !required.contains(name);
        let needed = named.iter().any(|(name, _)| is_optional(name));
        if schema.has(Keyword::Properties) && (needed || !schema.has(Keyword::Required)) {
            let named: Vec<(String, Schema)> = named
                .iter()
                .map(|(name, part)| {
                    let part = if is_optional(name) { self.nullable(part) } else { part.clone() };
                    (name.clone(), part)
                })
                .collect();
            let names: Value = named.iter().map(|(name, _)| Value::from(name.as_str())).collect();
            encoded.set(Keyword::Properties, named);
            // `required` comes right after `properties`, where a person looks for it.
            let additional = encoded.remove(Keyword::AdditionalProperties);
            encoded.set(Keyword::Required, names);
            if let Some(additional) = additional {
                encoded.set(Keyword::AdditionalProperties, additional);
            }
        }
        encoded
    }

    /// The schema, accepting `null` as well.
    fn nullable(&self, schema: &Schema) -> Schema {
        if accepts_null(self.document, schema) {
            return schema.clone();
        }
        let structure = self.target.structure();
        let one_type = schema.types().names().count() == 1;
        let as_types = match structure.type_arrays {
            TypeArrays::None => structure.nullable == Nullable::Marker,
            TypeArrays::Nullable | TypeArrays::Any => structure.nullable != Nullable::AnyOf,
        };
        let plain = !schema.has(Keyword::AnyOf) && !schema.has(Keyword::Ref) && !schema.is_never();
        let null = Schema::of_types(schema.origin, Types::NULL);
        if one_type && as_types && plain {
            return with_null(schema);
        }
        let mut wrapped = schema.clone();
        if schema.has(Keyword::AnyOf) && self.only_union(schema) {
            let mut branches = schema.schemas(Keyword::AnyOf).to_vec();
            branches.push(null);
            wrapped.set(Keyword::AnyOf, branches);
            return wrapped;
        }
        wrapped.retain(|keyword, _| !keyword.constrains());
        let mut inner = schema.clone();
        inner.retain(|keyword, _| keyword.constrains());
        wrapped.set(Keyword::AnyOf, vec![inner, null]);
        wrapped
    }

    fn only_union(&self, schema: &Schema) -> bool {
        schema.keywords().iter().all(|(keyword, _)| *keyword == Keyword::AnyOf || !keyword.constrains())
    }
}

/// The schema, and `null`.
pub(crate) fn with_null(schema: &Schema) -> Schema {
    let mut nullable = schema.clone();
    nullable.set_types(schema.types().with(Types::NULL));
    if let Some(values) = schema.literals() {
        let mut values: Vec<Value> = values.into_iter().cloned().collect();
        values.push(Value::Null);
        nullable.remove(Keyword::Const);
        nullable.set(Keyword::Enum, Value::Array(values));
    }
    nullable
}

/// Whether a projected schema accepts `null`, as its `type`, `enum`, unions and references show.
pub(crate) fn accepts_null(document: &Document, schema: &Schema) -> bool {
    accepts_null_within(document, schema, &mut Vec::new())
}

fn accepts_null_within<'d>(document: &'d Document, schema: &'d Schema, seen: &mut Vec<&'d str>) -> bool {
    if !schema.types().contains(Types::NULL) || schema.is_never() {
        return false;
    }
    if schema.literals().is_some_and(|values| !values.contains(&&Value::Null)) {
        return false;
    }
    if let Some(name) = schema.target() {
        // A definition that is only itself accepts everything.
        let open = !seen.contains(&name.as_ref());
        seen.push(name);
        let target = document.definition(name);
        if open && !target.is_some_and(|target| accepts_null_within(document, target, seen)) {
            return false;
        }
    }
    let all = schema.schemas(Keyword::AllOf);
    let any = schema.schemas(Keyword::AnyOf);
    all.iter().all(|member| accepts_null_within(document, member, seen))
        && (any.is_empty() || any.iter().any(|branch| accepts_null_within(document, branch, seen)))
}
