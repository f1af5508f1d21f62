//! `const` and `enum`.

use serde_json::Value;

use crate::adapt::context::Context;
use crate::error::Error;
use crate::schema::Schema;
use crate::vocabulary::{Keyword, Types};

/// Spells `const` as an `enum` of one value.
pub(crate) fn constant_as_enum(schema: &mut Schema, context: &mut Context<'_>) -> Result<bool, Error> {
    if !schema.has(Keyword::Const)
        || (context.sends(schema, Keyword::Const) && !context.target.structure().constant_as_enum)
    {
        return Ok(false);
    }
    let values: Vec<Value> = schema.literals().unwrap_or_default().into_iter().cloned().collect();
    context.rewritten(schema.origin, Keyword::Const, "spelled as an `enum` of one value");
    // The order of keywords is kept: `enum` takes the place of `const`.
    let mut spelled = Schema::always(schema.origin);
    for (keyword, part) in schema.keywords() {
        match keyword {
            Keyword::Const => spelled.set(Keyword::Enum, Value::Array(values.clone())),
            Keyword::Enum => {}
            _ => spelled.set(*keyword, part.clone()),
        }
    }
    *schema = spelled;
    Ok(true)
}

/// Writes the type of the listed values down, and leaves out values that the type excludes.
pub(crate) fn type_of_literals(schema: &mut Schema, context: &mut Context<'_>) -> Result<bool, Error> {
    let structure = context.target.structure();
    // Values that the surface does not take go later; their type stays.
    let wanted = structure.enum_needs_type || context.wants_types() || !literals_sent(schema, context);
    // A surface that reads the list reads nothing beside it.
    let reads_list_alone = !context.target.semantics().branches.is_empty();
    let Some(values) = schema.literals() else { return Ok(false) };
    let wanted = wanted || reads_list_alone && values.iter().any(|value| !admits(schema, value));
    if !wanted {
        return Ok(false);
    }
    let possible: Vec<Value> =
        values.iter().filter(|value| admits(schema, value)).map(|value| (*value).clone()).collect();
    let types = possible.iter().fold(Types::EMPTY, |types, value| types.with(Types::of(value)));
    // Under `integer` a listed `2.0` is an integer.
    let excess = possible.len() < schema.data(Keyword::Enum).and_then(Value::as_array).map_or(0, Vec::len);
    if possible.is_empty() || (types == schema.types() && !excess) {
        return Ok(false);
    }
    schema.set_types(types);
    if schema.has(Keyword::Enum) && excess {
        schema.set(Keyword::Enum, Value::Array(possible));
    }
    Ok(true)
}

/// Whether the value is of a type that the schema allows.
pub(super) fn admits(schema: &Schema, value: &Value) -> bool {
    schema.types().contains(Types::of(value))
}

fn literals_sent(schema: &Schema, context: &Context<'_>) -> bool {
    let sent = |keyword| !schema.has(keyword) || takes(schema, keyword, context);
    sent(Keyword::Enum) && sent(Keyword::Const)
}

/// Whether the target takes the values that the keyword lists. Where optional properties are spelled as
/// `null`, a listed object would have to be spelled another way in each place: it is left to the residual.
fn takes(schema: &Schema, keyword: Keyword, context: &Context<'_>) -> bool {
    let compound = |value: &&Value| value.is_object() || value.is_array();
    let respelled = context.target.structure().all_required
        && schema.literals().is_some_and(|values| values.iter().any(compound));
    !respelled && context.sends(schema, keyword) && !context.is_bare_root(schema)
}

/// A list of values that leaves none is `false`.
pub(crate) fn nothing_listed(schema: &mut Schema, _: &mut Context<'_>) -> Result<bool, Error> {
    if is_impossible(schema) && !schema.is_never() {
        *schema = Schema::never(schema.origin);
        return Ok(true);
    }
    Ok(false)
}

/// Whether the schema's own types and listed values leave no value.
pub(super) fn is_impossible(schema: &Schema) -> bool {
    let is_possible = |value: &&Value| admits(schema, value);
    schema.is_never()
        || schema.types().is_empty()
        || schema.literals().is_some_and(|values| !values.iter().any(is_possible))
}

/// Drops lists with values that the target does not take. The type of the values has been written down.
pub(crate) fn drop_literals(schema: &mut Schema, context: &mut Context<'_>) -> Result<bool, Error> {
    let mut changed = false;
    for keyword in [Keyword::Enum, Keyword::Const] {
        if schema.has(keyword) && !takes(schema, keyword, context) {
            context.removed(schema.origin, keyword);
            schema.remove(keyword);
            changed = true;
        }
    }
    Ok(changed)
}
