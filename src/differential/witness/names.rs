//! Names for members: ones that a pattern matches, that no schema declares, or that `propertyNames` rejects.

use std::borrow::Cow;

use serde_json::Value;

use super::facts::{Demand, Instead, Naming, ObjectFacts, Want};
use super::objects::Member;
use super::solve::Solver;
use super::words::EXTRA_NAMES;
use crate::schema::Schema;
use crate::vocabulary::Keyword;

impl<'a> Solver<'_, 'a> {
    /// Names that a demand can be met with.
    pub(super) fn names_for(
        &self,
        objects: &ObjectFacts<'a>,
        demand: &Demand<'a>,
        members: &[Member<'a>],
        depth: u32,
    ) -> Vec<Cow<'a, str>> {
        let replaces = demand.instead.and_then(|instead| instead.replaces);
        let checker = self.checker();
        let declares = |shape: &Schema, name: &str| {
            shape.property(name).is_some()
                || shape
                    .named(Keyword::PatternProperties)
                    .iter()
                    .any(|(pattern, _)| self.leaves.matches(pattern, name).unwrap_or(false))
        };
        let patterns = || {
            let shapes = objects.shapes.iter().flat_map(|shape| shape.named(Keyword::PatternProperties));
            shapes.map(|(pattern, _)| pattern.as_str())
        };
        let declared = || {
            let shapes = objects.shapes.iter().flat_map(|shape| shape.named(Keyword::Properties));
            shapes.map(|(name, _)| Cow::Borrowed(name.as_str()))
        };
        let generic = || EXTRA_NAMES.iter().map(|name| Cow::Borrowed(*name));
        let mut names: Vec<Cow<'a, str>> = match demand.naming {
            Naming::Named(name) => vec![Cow::Borrowed(name)],
            Naming::Matching(pattern) => {
                let matches = |name: &Cow<'a, str>| self.leaves.matches(pattern, name) == Some(true);
                let sampled = self.samples(pattern).into_iter().map(Cow::Owned);
                generic().take(7).chain(sampled).chain(declared().take(64)).filter(matches).collect()
            }
            Naming::Undeclared(shape) => {
                let others = declared()
                    .take(64)
                    .chain(patterns().take(8).flat_map(|p| self.samples(p)).map(Cow::Owned));
                let limits = self.names_allowed(objects, depth).into_iter().map(Cow::Owned);
                generic().chain(others).chain(limits).filter(|name| !declares(shape, name)).collect()
            }
            Naming::Unevaluated => {
                let limits = self.names_allowed(objects, depth).into_iter().map(Cow::Owned);
                let undeclared =
                    |name: &Cow<'a, str>| !objects.shapes.iter().any(|shape| declares(shape, name));
                generic().chain(limits).filter(undeclared).collect()
            }
        };
        names.retain(|name| {
            let value = Value::from(&**name);
            let named = objects.names.iter().all(|schema| checker.accepts(schema, &value));
            let known = members.iter().any(|member| member.name == *name);
            named && (!known || demand.instead.is_some()) && !objects.forbidden.contains(&&**name) && {
                let members = objects.shapes.iter().flat_map(|shape| checker.direct(shape, name));
                !members
                    .filter(|(_, child)| !replaces.is_some_and(|known| std::ptr::eq(known, *child)))
                    .any(|(_, child)| child.is_never())
            }
        });
        names.dedup();
        names
    }

    fn samples(&self, pattern: &str) -> Vec<String> {
        let sampler = self.leaves.sampler(pattern);
        sampler.map_or_else(Vec::new, |sampler| sampler.samples(0, 64, 4).take(12).collect())
    }

    /// Names that `propertyNames` allows. It may refer to a schema that holds it, so depth counts on.
    pub(super) fn names_allowed(&self, objects: &ObjectFacts<'a>, depth: u32) -> Vec<String> {
        if objects.names.is_empty() {
            return Vec::new();
        }
        let wants: Vec<Want<'a>> = objects.names.iter().map(|schema| Want::Holds(schema)).collect();
        texts(self.solve(&wants, "", depth + 1, 12))
    }

    /// Names that meet a want about names.
    pub(super) fn names_meeting(
        &self,
        objects: &ObjectFacts<'a>,
        instead: &Instead<'a>,
        depth: u32,
    ) -> Vec<Cow<'a, str>> {
        let others = objects
            .names
            .iter()
            .filter(|schema| !instead.replaces.is_some_and(|known| std::ptr::eq(known, **schema)));
        let mut wants: Vec<Want<'a>> = others.map(|schema| Want::Holds(schema)).collect();
        wants.push(instead.want);
        let checker = self.checker();
        let closed = |name: &str| {
            objects
                .shapes
                .iter()
                .any(|shape| checker.direct(shape, name).iter().any(|(_, child)| child.is_never()))
        };
        let mut names: Vec<Cow<'a, str>> = Vec::new();
        if let Want::Fails(schema) = instead.want {
            let declared = objects.shapes.iter().flat_map(|shape| shape.named(Keyword::Properties)).take(256);
            let bad = declared.filter(|(name, _)| !checker.accepts(schema, &Value::from(name.as_str())));
            names.extend(bad.map(|(name, _)| Cow::Borrowed(name.as_str())).take(2));
        }
        // A closed object leaves only the names that its patterns match.
        let patterns =
            objects.shapes.iter().flat_map(|shape| shape.named(Keyword::PatternProperties)).take(8);
        let mut meeting = texts(self.solve(&wants, "", depth + 1, 4));
        for (pattern, _) in patterns {
            let mut wants = wants.clone();
            wants.push(Want::Matches(pattern));
            meeting.extend(texts(self.solve(&wants, "", depth + 1, 3)));
        }
        names.extend(meeting.into_iter().filter(|name| !closed(name)).map(Cow::Owned));
        names
    }
}

fn texts(values: Vec<Value>) -> Vec<String> {
    let text = |value| match value {
        Value::String(text) => Some(text),
        _ => None,
    };
    values.into_iter().filter_map(text).collect()
}
