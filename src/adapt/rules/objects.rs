//! Objects: which properties there are, and whether there may be others.

use serde_json::Value;

use super::literals::is_impossible;
use super::unions::union;
use crate::adapt::context::Context;
use crate::adapt::report::Effect;
use crate::error::Error;
use crate::schema::Schema;
use crate::target::Absent;
use crate::vocabulary::{Keyword, Types};

/// Whether the schema is about objects at all.
fn is_object(schema: &Schema) -> bool {
    let grouped =
        [Keyword::Properties, Keyword::PatternProperties, Keyword::AdditionalProperties, Keyword::Required];
    schema.has(Keyword::Type) && schema.types().contains(Types::OBJECT)
        || grouped.iter().any(|keyword| schema.has(*keyword))
}

/// The property that is required where a surface wants one and the source declares none.
const ANY_PROPERTY: &str = "value";

type Properties = Vec<(String, Schema)>;

fn additional(schema: &Schema) -> Option<&Schema> {
    schema.schema(Keyword::AdditionalProperties)
}

/// Without `patternProperties`, `additionalProperties` has to let through what the patterns would.
pub(crate) fn loosen_pattern_properties(
    schema: &mut Schema,
    context: &mut Context<'_>,
) -> Result<bool, Error> {
    if !schema.has(Keyword::PatternProperties) {
        return Ok(false);
    }
    let disjoint_enough =
        context.sends(schema, Keyword::PatternProperties) && !context.target.structure().closed_objects;
    if disjoint_enough {
        return Ok(false);
    }
    let patterns = schema.named(Keyword::PatternProperties);
    let mut schemas: Vec<Schema> = patterns.iter().map(|(_, schema)| schema.clone()).collect();
    let loosened = additional(schema).filter(|additional| !additional.is_always()).map(|additional| {
        schemas.insert(0, additional.clone());
        union(additional.origin, schemas)
    });
    context.removed(schema.origin, Keyword::PatternProperties);
    if context.target.structure().closed_objects {
        let reason = "objects are closed: names that match a pattern cannot be produced";
        context.lost(schema.origin, Keyword::PatternProperties, Effect::Unrepresentable, reason);
    }
    schema.remove(Keyword::PatternProperties);
    match loosened {
        Some(loosened) => schema.set(Keyword::AdditionalProperties, loosened),
        None => {
            schema.remove(Keyword::AdditionalProperties);
        }
    }
    Ok(true)
}

/// Declares required properties that `properties` does not list, with what `additionalProperties` says.
pub(crate) fn declare_required(schema: &mut Schema, context: &mut Context<'_>) -> Result<bool, Error> {
    let structure = context.target.structure();
    let wanted = structure.required_declared
        || structure.closed_objects
        || context.target.semantics().required_undeclared_ignored;
    if !wanted || schema.has(Keyword::PatternProperties) {
        return Ok(false);
    }
    let undeclared: Vec<String> =
        schema.required().filter(|name| schema.property(name).is_none()).map(str::to_owned).collect();
    if undeclared.is_empty() {
        return Ok(false);
    }
    let value = additional(schema).cloned().unwrap_or_else(|| Schema::always(schema.origin));
    let mut named = schema.named(Keyword::Properties).to_vec();
    named.extend(undeclared.into_iter().map(|name| (name, value.clone())));
    schema.set(Keyword::Properties, named);
    Ok(true)
}

/// Leaves a forbidden property out of a closed object, which forbids it anyway.
pub(crate) fn drop_forbidden_property(schema: &mut Schema, context: &mut Context<'_>) -> Result<bool, Error> {
    let closed = additional(schema).is_some_and(Schema::is_never) && !schema.has(Keyword::PatternProperties);
    let forbidden: Vec<String> = schema
        .named(Keyword::Properties)
        .iter()
        .filter(|(_, property)| is_impossible(property))
        .map(|(name, _)| name.clone())
        .collect();
    if forbidden.is_empty() || !context.can_send(Keyword::AdditionalProperties) {
        return Ok(false);
    }
    if schema.required().any(|name| forbidden.iter().any(|forbidden| forbidden == name)) {
        // No object has a property that it must not have.
        let types = schema.types().without(Types::OBJECT);
        *schema = if types.is_empty() {
            Schema::never(schema.origin)
        } else {
            let mut rest = schema.clone();
            rest.retain(|keyword, _| !keyword.constrains() || keyword.applies_to() != Types::OBJECT);
            rest.set_types(types);
            rest
        };
        return Ok(true);
    }
    if !closed {
        return Ok(false);
    }
    let mut named = schema.named(Keyword::Properties).to_vec();
    named.retain(|(_, property)| !is_impossible(property));
    schema.set(Keyword::Properties, named);
    Ok(true)
}

/// A forbidden property of an open object cannot be told to surfaces that want a type on every node: it is
/// not declared, and in an open object that allows it.
pub(crate) fn allow_forbidden_property(
    schema: &mut Schema,
    context: &mut Context<'_>,
) -> Result<bool, Error> {
    if context.takes_false() {
        return Ok(false);
    }
    let mut named = schema.named(Keyword::Properties).to_vec();
    let before = named.len();
    named.retain(|(_, property)| !is_impossible(property));
    if named.len() == before {
        return Ok(false);
    }
    let names: Vec<&str> = named.iter().map(|(name, _)| name.as_str()).collect();
    let required: Vec<Value> =
        schema.required().filter(|name| names.contains(name)).map(Value::from).collect();
    if schema.has(Keyword::Required) {
        schema.set(Keyword::Required, Value::Array(required));
    }
    schema.set(Keyword::Properties, named);
    context.removed(schema.origin, Keyword::Properties);
    Ok(true)
}

/// A property that the surface cannot name is not required.
pub(crate) fn unrequire_unspeakable(schema: &mut Schema, context: &mut Context<'_>) -> Result<bool, Error> {
    let target = context.target;
    if context.takes_any_name() || schema.required().all(|name| target.can_name(name)) {
        return Ok(false);
    }
    let left: Vec<Value> = schema.required().filter(|name| target.can_name(name)).map(Value::from).collect();
    context.removed(schema.origin, Keyword::Required);
    if left.is_empty() {
        schema.remove(Keyword::Required);
    } else {
        schema.set(Keyword::Required, Value::Array(left));
    }
    Ok(true)
}

/// In an open object a property that the surface cannot name is let through undeclared.
pub(crate) fn open_unspeakable(schema: &mut Schema, context: &mut Context<'_>) -> Result<bool, Error> {
    let closed = additional(schema).is_some_and(Schema::is_never);
    if closed {
        return Ok(false);
    }
    let Some((named, unspeakable)) = unspeakable(schema, context) else { return Ok(false) };
    if let Some(additional) = additional(schema).filter(|additional| !additional.is_always()).cloned() {
        let origin = additional.origin;
        let properties = unspeakable.into_iter().map(|(_, property)| property);
        let loosened = union(origin, std::iter::once(additional).chain(properties).collect());
        schema.set(Keyword::AdditionalProperties, loosened);
    }
    context.removed(schema.origin, Keyword::Properties);
    schema.set(Keyword::Properties, named);
    Ok(true)
}

/// In a closed object a property that the surface cannot name cannot be produced.
pub(crate) fn leave_out_unspeakable(schema: &mut Schema, context: &mut Context<'_>) -> Result<bool, Error> {
    let Some((named, unspeakable)) = unspeakable(schema, context) else { return Ok(false) };
    let names: Vec<String> = unspeakable.iter().map(|(name, _)| format!("`{name}`")).collect();
    let reason = format!("the surface has no properties with such names: {}", names.join(", "));
    context.lost(schema.origin, Keyword::Properties, Effect::Unrepresentable, reason);
    schema.set(Keyword::Properties, named);
    Ok(true)
}

/// The properties that the surface can name, and those that it cannot, where there are any.
fn unspeakable(schema: &Schema, context: &Context<'_>) -> Option<(Properties, Properties)> {
    if context.takes_any_name() {
        return None;
    }
    let named = schema.named(Keyword::Properties).iter().cloned();
    let (named, unspeakable): (Properties, Properties) =
        named.partition(|(name, _)| context.target.can_name(name));
    (!unspeakable.is_empty()).then_some((named, unspeakable))
}

/// Requires a property where the surface wants one in every object.
pub(crate) fn require_one(schema: &mut Schema, context: &mut Context<'_>) -> Result<bool, Error> {
    if !wants_one(schema, context) {
        return Ok(false);
    }
    let first = schema.named(Keyword::Properties).first().map(|(name, _)| name.clone());
    let (effect, name) = match first {
        Some(name) => (Effect::Narrow, name),
        None => (Effect::Unrepresentable, ANY_PROPERTY.to_owned()),
    };
    if schema.property(&name).is_none() {
        let value = additional(schema).filter(|additional| !additional.is_always()).cloned();
        // One type, since an object would want a property again.
        let value = value.unwrap_or_else(|| Schema::of_types(schema.origin, Types::STRING));
        schema.set(Keyword::Properties, vec![(name.clone(), value)]);
    }
    let reason = format!("the surface wants a required property in every object: `{name}` is required");
    context.lost(schema.origin, Keyword::Required, effect, reason);
    schema.set(Keyword::Required, Value::from(vec![name]));
    Ok(true)
}

/// An object in which no property can be required is opened, so that one can.
pub(crate) fn open_empty_object(schema: &mut Schema, context: &mut Context<'_>) -> Result<bool, Error> {
    let closed = additional(schema).is_some_and(Schema::is_never);
    if !closed || !schema.named(Keyword::Properties).is_empty() || !wants_one(schema, context) {
        return Ok(false);
    }
    context.removed(schema.origin, Keyword::AdditionalProperties);
    schema.set(Keyword::AdditionalProperties, Schema::always(schema.origin));
    Ok(true)
}

fn wants_one(schema: &Schema, context: &Context<'_>) -> bool {
    let is_object = schema.types() == Types::OBJECT || schema.types() == Types::OBJECT.with(Types::NULL);
    context.target.structure().one_required
        && is_object
        && settled(schema)
        && schema.required().next().is_none()
}

/// Closes every object where the target wants it closed.
pub(crate) fn close_object(schema: &mut Schema, context: &mut Context<'_>) -> Result<bool, Error> {
    let closed = additional(schema).is_some_and(Schema::is_never);
    if !context.target.structure().closed_objects || closed || !is_object(schema) || !settled(schema) {
        return Ok(false);
    }
    let map = additional(schema).is_some_and(|additional| !additional.is_always());
    let bare = schema.named(Keyword::Properties).is_empty();
    let (effect, reason) = if map || bare {
        (Effect::Unrepresentable, "objects must be closed: the surface has no objects with names of any kind")
    } else {
        (Effect::Narrow, "objects must be closed: properties that are not declared cannot be produced")
    };
    // Keywords about objects beside a type that is none say nothing, and nothing is lost with them.
    if !schema.types().and(Types::OBJECT).is_empty() {
        context.lost(schema.origin, Keyword::AdditionalProperties, effect, reason);
    }
    schema.set(Keyword::AdditionalProperties, Schema::never(schema.origin));
    if bare {
        schema.set(Keyword::Properties, Vec::<(String, Schema)>::new());
    }
    Ok(true)
}

/// Whether the object's properties are all in their place: nothing is left to be merged into it.
fn settled(schema: &Schema) -> bool {
    ![Keyword::AllOf, Keyword::AnyOf, Keyword::OneOf, Keyword::Ref].iter().any(|keyword| schema.has(*keyword))
}

/// Removes `additionalProperties` where the target does not enforce it with this value.
pub(crate) fn drop_additional_properties(
    schema: &mut Schema,
    context: &mut Context<'_>,
) -> Result<bool, Error> {
    if !schema.has(Keyword::AdditionalProperties) || context.sends(schema, Keyword::AdditionalProperties) {
        return Ok(false);
    }
    context.removed(schema.origin, Keyword::AdditionalProperties);
    schema.remove(Keyword::AdditionalProperties);
    Ok(true)
}

/// Says that an open object is open, where the source does not say what silence means.
pub(crate) fn state_openness(schema: &mut Schema, context: &mut Context<'_>) -> Result<bool, Error> {
    let silent = context.target.semantics().absent_additional_properties != Absent::Open;
    let object = is_object(schema) && schema.types().contains(Types::OBJECT);
    if !silent || !object || schema.has(Keyword::AdditionalProperties) {
        return Ok(false);
    }
    let stated = schema.clone().with(Keyword::AdditionalProperties, Schema::always(schema.origin));
    if !context.sends(&stated, Keyword::AdditionalProperties) {
        return Ok(false);
    }
    *schema = stated;
    Ok(true)
}
