//! "Any value" and "no value", where the target wants a type on every node.

use std::sync::Arc;

use serde_json::Value;

use crate::adapt::context::Context;
use crate::adapt::report::Effect;
use crate::error::Error;
use crate::schema::{Origin, Schema};
use crate::target::{Empty, Recursion, TypeArrays};
use crate::vocabulary::{Keyword, Types};

/// What the definition for "any value" is called, unless the source has one of that name.
pub(crate) const ANY_VALUE: &str = "AnyValue";

/// "No value" cannot be said: one type stands for it, and the residual rejects it.
pub(crate) fn spell_nothing(schema: &mut Schema, context: &mut Context<'_>) -> Result<bool, Error> {
    if !schema.is_never() || context.takes_false() {
        return Ok(false);
    }
    context.removed(schema.origin, Keyword::Not);
    *schema = Schema::of_types(schema.origin, Types::BOOLEAN);
    Ok(true)
}

/// Spells "any value" as the union of all types where the target has open objects.
pub(crate) fn spell_any_value(schema: &mut Schema, context: &mut Context<'_>) -> Result<bool, Error> {
    if !wanted(schema, context) || !is_exact(context) {
        return Ok(false);
    }
    if context.target.structure().type_arrays == TypeArrays::Any {
        schema.set(Keyword::Type, Types::ANY.names().collect::<Value>());
        return Ok(true);
    }
    let branches = Types::ANY.each().map(|types| Schema::of_types(schema.origin, types)).collect::<Vec<_>>();
    schema.set(Keyword::AnyOf, branches);
    Ok(true)
}

/// Spells "any value" as the union of all types that the target can say without declared properties.
pub(crate) fn narrow_any_value(schema: &mut Schema, context: &mut Context<'_>) -> Result<bool, Error> {
    if !wanted(schema, context) {
        return Ok(false);
    }
    let recursive =
        context.can_send(Keyword::Ref) && context.target.structure().recursion == Recursion::Allowed;
    let missing = match (context.target.structure().closed_objects, recursive) {
        (true, true) => "objects with properties",
        (true, false) => "objects with properties and arrays in arrays",
        (false, _) => "arrays in arrays",
    };
    let reason =
        format!("any value is accepted here, and the surface wants types: {missing} cannot be produced");
    context.lost(schema.origin, Keyword::Type, Effect::Unrepresentable, reason);
    if recursive {
        let name = context.any_value.get_or_insert_with(|| free_name(context.source)).clone();
        schema.set(Keyword::AnyOf, vec![Schema::reference(schema.origin, name)]);
        if schema.keywords().len() == 1 {
            *schema = schema.schemas(Keyword::AnyOf).first().cloned().unwrap_or_else(|| schema.clone());
        }
    } else {
        schema.set(Keyword::AnyOf, any_value(schema.origin, context, None));
    }
    Ok(true)
}

/// The branches of "any value". With a name, array items are again any value, by reference.
pub(crate) fn any_value(origin: Origin, context: &Context<'_>, name: Option<&Arc<str>>) -> Vec<Schema> {
    let open = !context.target.structure().closed_objects;
    let simple = |types: &Types| *types != Types::ARRAY && (open || *types != Types::OBJECT);
    let mut branches: Vec<Schema> =
        Types::ANY.each().filter(simple).map(|types| Schema::of_types(origin, types)).collect();
    let items = match name {
        Some(name) => Schema::reference(origin, Arc::clone(name)),
        None => Schema::always(origin).with(Keyword::AnyOf, branches.clone()),
    };
    branches.push(Schema::of_types(origin, Types::ARRAY).with(Keyword::Items, items));
    branches
}

fn free_name(source: &crate::schema::Document) -> Arc<str> {
    let mut name = ANY_VALUE.to_owned();
    let mut count = 1;
    while source.definition(&name).is_some() {
        count += 1;
        name = format!("{ANY_VALUE}-{count}");
    }
    Arc::from(name)
}

fn wanted(schema: &Schema, context: &Context<'_>) -> bool {
    schema.is_always() && (context.wants_types() || context.target.semantics().empty_schema == Empty::Object)
}

/// Whether a union of bare types says "any value": objects are open and arrays need no `items`.
fn is_exact(context: &Context<'_>) -> bool {
    let structure = context.target.structure();
    !structure.closed_objects && !structure.items_required
}
