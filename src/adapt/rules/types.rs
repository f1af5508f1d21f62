//! `type`: present on every node, and one at a time, where the target wants that.

use serde_json::Value;

use crate::adapt::context::Context;
use crate::adapt::report::Effect;
use crate::error::Error;
use crate::schema::Schema;
use crate::target::{Nullable, TypeArrays};
use crate::vocabulary::{Keyword, Types};

/// A schema whose keywords all speak of certain types gets those types, where the target wants a type.
pub(crate) fn implied_type(schema: &mut Schema, context: &mut Context<'_>) -> Result<bool, Error> {
    let typed = schema.types() != Types::ANY
        || schema.has(Keyword::AnyOf)
        || schema.has(Keyword::Ref)
        || schema.literals().is_some()
        || schema.is_never();
    if typed || !context.target.structure().type_required {
        return Ok(false);
    }
    let spoken_of = schema
        .keywords()
        .iter()
        .map(|(keyword, _)| keyword)
        .filter(|keyword| keyword.constrains() && keyword.applies_to() != Types::ANY)
        .fold(Types::EMPTY, |types, keyword| types.with(keyword.applies_to()));
    if spoken_of.is_empty() {
        return Ok(false);
    }
    schema.set_types(spoken_of);
    let names: Vec<&str> = spoken_of.names().collect();
    let reason = format!("the surface wants a type; the keywords here are about {}", names.join(" and "));
    context.lost(schema.origin, Keyword::Type, Effect::Narrow, reason);
    Ok(true)
}

/// Splits several types into one branch for each, with the keywords that say something about it.
pub(crate) fn split_types(schema: &mut Schema, context: &mut Context<'_>) -> Result<bool, Error> {
    let types = schema.types();
    if types == Types::ANY || schema.has(Keyword::AnyOf) || fits(types, context) {
        return Ok(false);
    }
    let together = together(types, context);
    let branches: Vec<Schema> = together.into_iter().map(|types| of_types(schema, types)).collect();
    schema.retain(|keyword, _| !keyword.constrains());
    schema.set(Keyword::AnyOf, branches);
    Ok(true)
}

/// Whether the surface takes these types in one `type`.
fn fits(types: Types, context: &Context<'_>) -> bool {
    let structure = context.target.structure();
    let count = types.names().count();
    let with_null = types.contains(Types::NULL);
    match structure.type_arrays {
        TypeArrays::Any => true,
        TypeArrays::Nullable => count <= 1 || (count == 2 && with_null),
        TypeArrays::None => count <= 1 || (count == 2 && with_null && structure.nullable == Nullable::Marker),
    }
}

/// The types that go together in one branch: each by itself, `null` with the only other one where that fits.
fn together(types: Types, context: &Context<'_>) -> Vec<Types> {
    if fits(types, context) { vec![types] } else { types.each().collect() }
}

/// The part of a schema that is about these types.
fn of_types(schema: &Schema, types: Types) -> Schema {
    let mut part = schema.clone();
    part.retain(|keyword, _| keyword.constrains() && !keyword.applies_to().and(types).is_empty());
    part.set_types(types);
    if let Some(Value::Array(values)) = schema.data(Keyword::Enum) {
        let kept: Vec<Value> =
            values.iter().filter(|value| types.contains(Types::of(value))).cloned().collect();
        if kept.len() < values.len() {
            part.set(Keyword::Enum, Value::Array(kept));
        }
    }
    part
}
