//! Whether keywords have values, and neighbours, with which the surface heeds them.

use std::collections::HashSet;
use std::sync::Arc;

use super::{Consequence, Found, consequence};
use crate::adapt::branches::{exclude_each_other, tests};
use crate::adapt::recursion::Recursion;
use crate::adapt::support::{is_matched_differently, takes_as_written, unread};
use crate::schema::{Part, Schema};
use crate::source::Lifted;
use crate::target::{Recursion as Allowed, State};
use crate::vocabulary::Keyword;

pub(super) fn check(lifted: &Lifted, found: &mut Found<'_>) {
    for schema in lifted.document.everywhere() {
        for (keyword, _) in schema.keywords().iter().filter(|(keyword, _)| keyword.constrains()) {
            value(lifted, schema, *keyword, found);
        }
        skipped(lifted, schema, found);
    }
    recursion(lifted, found);
}

fn value(lifted: &Lifted, schema: &Schema, keyword: Keyword, found: &mut Found<'_>) {
    let target = found.target;
    let support = target.support(keyword);
    // Where the name alone is a problem it has been told; `false` is not a `not`.
    if !support.sent || keyword == Keyword::IntegerLiteral || schema.is_never() {
        return;
    }
    let (pointer, name) = (lifted.pointer(schema.origin), lifted.keyword_name(schema.origin, keyword));
    let is_disjoint = || exclude_each_other(&tests(&lifted.document, schema.schemas(keyword)));
    let is_open_union = support.restriction.disjoint && keyword == Keyword::OneOf && !is_disjoint();
    if is_open_union || !takes_as_written(target, schema, keyword) {
        let outside = match support.restriction.outside {
            State::Enforced => State::Unmentioned,
            outside => outside,
        };
        let consequence = consequence(outside).unwrap_or(Consequence::Unstated);
        found.keyword(
            pointer,
            name,
            consequence,
            &format!("`{name}`: not with this value, or not beside what stands here"),
        );
    } else if is_matched_differently(target, schema, keyword) {
        let what = format!("`{name}`: matched against the whole string, and it has no `^` and `$` around it");
        found.keyword(pointer, name, Consequence::ReadDifferently, &what);
    }
}

/// What stands beside a keyword that is read alone.
fn skipped(lifted: &Lifted, schema: &Schema, found: &mut Found<'_>) {
    let Some((read, unread)) = unread(found.target, schema) else { return };
    for keyword in unread {
        let name = lifted.keyword_name(schema.origin, keyword);
        let what = format!("`{name}`: not read beside `{}`", read.join("`, `"));
        found.keyword(lifted.pointer(schema.origin), name, Consequence::Ignored, &what);
    }
}

/// References by which a definition contains itself, where the surface does not take that.
fn recursion(lifted: &Lifted, found: &mut Found<'_>) {
    let allowed = found.target.structure().recursion;
    if allowed == Allowed::Allowed || !found.target.support(Keyword::Ref).sent {
        return;
    }
    let recursion = Recursion::of(&lifted.document);
    for (within, definition) in lifted.document.definitions() {
        let mut pending = vec![(definition, false)];
        while let Some((schema, in_optional)) = pending.pop() {
            let returns = |name: &Arc<str>| match allowed {
                Allowed::OptionalOnly => !in_optional && recursion.returns_outside_optional(within, name),
                _ => recursion.returns(within, name),
            };
            if schema.target().is_some_and(returns) {
                let pointer = lifted.pointer(schema.origin);
                let what = "`$ref`: the definition contains itself";
                found.keyword(pointer, "$ref", Consequence::RequestError, what);
            }
            let required: HashSet<&str> = schema.required().collect();
            let is_optional =
                |keyword: Keyword, name: &str| keyword == Keyword::Properties && !required.contains(name);
            for (keyword, part) in schema.keywords() {
                match part {
                    Part::Named(named) => pending.extend(
                        named.iter().map(|(name, part)| (part, in_optional || is_optional(*keyword, name))),
                    ),
                    part => pending.extend(part.schemas().map(|part| (part, in_optional))),
                }
            }
        }
    }
}
