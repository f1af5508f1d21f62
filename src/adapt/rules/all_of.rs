//! `allOf`, merged into the schema object that holds it.

use std::sync::Arc;

use crate::adapt::context::Context;
use crate::adapt::merge::merge;
use crate::error::Error;
use crate::schema::{Part, Schema};
use crate::vocabulary::Keyword;

/// An `allOf` with one member and nothing beside it is that member.
pub(crate) fn unwrap_all_of(schema: &mut Schema, _: &mut Context<'_>) -> Result<bool, Error> {
    let alone =
        schema.keywords().iter().all(|(keyword, _)| *keyword == Keyword::AllOf || !keyword.constrains());
    if !alone || schema.schemas(Keyword::AllOf).len() != 1 {
        return Ok(false);
    }
    let Some(Part::Schemas(mut members)) = schema.remove(Keyword::AllOf) else { return Ok(false) };
    let Some(mut member) = members.pop() else { return Ok(false) };
    for (keyword, part) in schema.keywords() {
        member.set(*keyword, part.clone());
    }
    *schema = member;
    Ok(true)
}

/// Merges the members into their parent, as far as one schema object can say it.
pub(crate) fn merge_all_of(schema: &mut Schema, context: &mut Context<'_>) -> Result<bool, Error> {
    let members = schema.schemas(Keyword::AllOf);
    if members.is_empty() || (stays(schema, context) && !context.target.structure().merge_all_of) {
        return Ok(false);
    }
    if members.iter().all(|member| is_remainder(schema, member, context)) {
        return Ok(false);
    }
    let Some(Part::Schemas(members)) = schema.remove(Keyword::AllOf) else { return Ok(false) };
    let mut remainders = Vec::new();
    for member in members {
        let member = content(member, context);
        let remainder = if member.has(Keyword::Ref) { member } else { merge(schema, member) };
        if !remainder.is_always() {
            remainders.push(remainder);
        }
    }
    if !remainders.is_empty() && !schema.is_never() {
        // Merging a member that had an `allOf` of its own has put one back.
        let mut all = schema.schemas(Keyword::AllOf).to_vec();
        all.extend(remainders);
        schema.set(Keyword::AllOf, all);
    }
    Ok(true)
}

/// What a member that is a reference refers to; the member itself where that would never end or become too
/// large.
fn content(mut member: Schema, context: &mut Context<'_>) -> Schema {
    while let Some(name) = member.target().cloned() {
        if !can_open(&name, context) {
            return member;
        }
        let Some(content) = context.source.definition(&name).cloned() else { return member };
        if !context.afford(&content) {
            return member;
        }
        context.inlined.push(name);
        member.remove(Keyword::Ref);
        let remainder = merge(&mut member, content);
        if !remainder.is_always() {
            member.also(remainder);
        }
    }
    member
}

fn can_open(name: &Arc<str>, context: &Context<'_>) -> bool {
    !context.inlined.contains(name) && context.can_afford_more()
}

/// Whether merging this member again would change nothing.
fn is_remainder(schema: &Schema, member: &Schema, context: &Context<'_>) -> bool {
    if let Some(name) = member.target() {
        return !can_open(name, context);
    }
    let mut merged = schema.clone();
    merged.remove(Keyword::AllOf);
    let before = merged.clone();
    merge(&mut merged, member.clone()) == *member && merged == before
}

fn stays(schema: &Schema, context: &Context<'_>) -> bool {
    // Members that are closed each by itself would forbid each other's properties.
    let is_closed = context.target.structure().closed_objects;
    context.sends(schema, Keyword::AllOf) && !is_closed && !context.is_bare_root(schema)
}

/// Drops what could not be merged.
pub(crate) fn drop_all_of(schema: &mut Schema, context: &mut Context<'_>) -> Result<bool, Error> {
    if !schema.has(Keyword::AllOf) || stays(schema, context) {
        return Ok(false);
    }
    for member in schema.schemas(Keyword::AllOf).to_vec() {
        for (keyword, _) in member.keywords() {
            context.removed(member.origin, *keyword);
        }
    }
    schema.remove(Keyword::AllOf);
    Ok(true)
}
