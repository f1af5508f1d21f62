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
    schema.types() == Types::OBJECT
        || schema.types() == Types::OBJECT.with(Types::NULL)
        || grouped.iter().any(|keyword| schema.has(*keyword))
}

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
        context.enforces(schema, Keyword::PatternProperties) && !context.target.structure().closed_objects;
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
    let wanted = structure.required_declared || structure.closed_objects;
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
    if forbidden.is_empty() || !context.can_enforce(Keyword::AdditionalProperties) {
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
    if !context.target.structure().type_required {
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
    if !schema.has(Keyword::AdditionalProperties) || context.enforces(schema, Keyword::AdditionalProperties) {
        return Ok(false);
    }
    context.removed(schema.origin, Keyword::AdditionalProperties);
    schema.remove(Keyword::AdditionalProperties);
    Ok(true)
}

/// Says that an open object is open, where the source does not say what silence means.
pub(crate) fn state_openness(schema: &mut Schema, context: &mut Context<'_>) -> Result<bool, Error> {
    let silent = context.target.semantics().absent_additional_properties != Absent::Open;
    let object = !schema.types().and(Types::OBJECT).is_empty() && is_object(schema);
    if !silent || !object || schema.has(Keyword::AdditionalProperties) || !settled(schema) {
        return Ok(false);
    }
    let stated = schema.clone().with(Keyword::AdditionalProperties, Schema::always(schema.origin));
    if !context.enforces(&stated, Keyword::AdditionalProperties) {
        return Ok(false);
    }
    *schema = stated;
    Ok(true)
}
