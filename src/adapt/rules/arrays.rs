//! Arrays: tuples, and what the items are.

use serde_json::json;

use super::unions::union;
use crate::adapt::context::Context;
use crate::error::Error;
use crate::schema::Schema;
use crate::target::Tuples;
use crate::vocabulary::{Keyword, Types};

fn is_array(schema: &Schema) -> bool {
    schema.has(Keyword::Type) && schema.types().contains(Types::ARRAY)
}

/// Without tuples every item may be what any position may be. The length of a closed tuple stays.
pub(crate) fn tuple_as_items(schema: &mut Schema, context: &mut Context<'_>) -> Result<bool, Error> {
    let kept = context.sends(schema, Keyword::PrefixItems) && fits(schema, context);
    if kept || !schema.has(Keyword::PrefixItems) {
        return Ok(false);
    }
    let mut schemas = schema.schemas(Keyword::PrefixItems).to_vec();
    let positions = schemas.len() as u64;
    let rest = schema.schema(Keyword::Items).cloned().unwrap_or_else(|| Schema::always(schema.origin));
    let longest = schema.count(Keyword::MaxItems);
    if rest.is_never() && longest.is_none_or(|longest| longest > positions) {
        schema.set(Keyword::MaxItems, json!(positions));
    }
    if longest.is_none_or(|longest| longest > positions) {
        schemas.push(rest);
    }
    let items = union(schema.origin, schemas);
    context.removed(schema.origin, Keyword::PrefixItems);
    schema.remove(Keyword::PrefixItems);
    schema.set(Keyword::Items, items);
    Ok(true)
}

/// Whether the tuple is one that the surface reads as it is meant.
fn fits(schema: &Schema, context: &Context<'_>) -> bool {
    let positions = schema.schemas(Keyword::PrefixItems).len() as u64;
    let is_closed = schema.schema(Keyword::Items).is_some_and(Schema::is_never)
        || schema.count(Keyword::MaxItems).is_some_and(|most| most <= positions);
    let has_all = schema.count(Keyword::MinItems).is_some_and(|least| least >= positions);
    let no_more = schema.count(Keyword::MaxItems).is_none_or(|most| most >= positions);
    match context.target.structure().tuples {
        Tuples::None => false,
        Tuples::PrefixItems => is_closed || !context.target.semantics().tuples_closed,
        Tuples::Closed => schema.schema(Keyword::Items).is_some_and(Schema::is_never),
        Tuples::FixedLength | Tuples::WithoutItems => is_closed && has_all && no_more,
    }
}

/// An array whose items are `false` is empty.
pub(crate) fn no_items(schema: &mut Schema, context: &mut Context<'_>) -> Result<bool, Error> {
    let nothing = schema.schema(Keyword::Items).is_some_and(Schema::is_never);
    if !nothing || schema.has(Keyword::PrefixItems) || !context.wants_types() {
        return Ok(false);
    }
    let empty = schema.clone().with(Keyword::MaxItems, json!(0));
    if !context.sends(&empty, Keyword::MaxItems) {
        return Ok(false);
    }
    *schema = empty;
    schema.remove(Keyword::Items);
    context.rewritten(schema.origin, Keyword::Items, "spelled as `maxItems: 0`");
    Ok(true)
}

/// Where neither `items: false` nor `maxItems` can be said, items of any kind are let through.
pub(crate) fn allow_items(schema: &mut Schema, context: &mut Context<'_>) -> Result<bool, Error> {
    let nothing = schema.schema(Keyword::Items).is_some_and(Schema::is_never);
    if !nothing || schema.has(Keyword::PrefixItems) || !context.wants_types() {
        return Ok(false);
    }
    context.removed(schema.origin, Keyword::Items);
    schema.remove(Keyword::Items);
    Ok(true)
}

/// Says that items are of any kind, where the target wants `items` on every array.
pub(crate) fn declare_items(schema: &mut Schema, context: &mut Context<'_>) -> Result<bool, Error> {
    let wanted = context.target.structure().items_required && is_array(schema);
    if !wanted || schema.has(Keyword::Items) || schema.has(Keyword::PrefixItems) {
        return Ok(false);
    }
    let items = Schema::always(schema.origin);
    schema.set(Keyword::Items, items);
    Ok(true)
}
