//! Objects that meet names, counts and members together.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::facts::{Demand, Facts, Instead, Naming, ObjectFacts, Want};
use super::solve::{Solver, size};
use super::words::EXTRA_NAMES;
use crate::vocabulary::Keyword;

/// Objects with more members are not made.
const MAX_MEMBERS: u64 = 1_000;
/// Names that are tried for one demand.
const MAX_NAMES: usize = 6;

/// Objects with more members keep them as they come.
const MAX_ORDERED: usize = 100;

/// The members of an object that is being made.
type Filled<'a> = Vec<(Cow<'a, str>, Value)>;

/// A member to be: its name, and wants that take the place of others.
#[derive(Clone)]
pub(super) struct Member<'a> {
    pub(super) name: Cow<'a, str>,
    instead: Vec<Instead<'a>>,
}

impl<'a> Solver<'_, 'a> {
    /// Objects that meet the facts, the smallest first.
    pub(super) fn objects(&self, facts: &Facts<'a>, depth: u32, limit: usize) -> Vec<Value> {
        let objects = &facts.objects;
        if objects.min > MAX_MEMBERS {
            return Vec::new();
        }
        let mut members: Vec<Member<'a>> = Vec::new();
        for name in &objects.required {
            join(&mut members, Cow::Borrowed(*name), None);
        }
        let mut open: Vec<&Demand<'a>> = Vec::new();
        for demand in &objects.demands {
            match demand.naming {
                Naming::Named(name) => join(&mut members, Cow::Borrowed(name), demand.instead),
                _ => open.push(demand),
            }
        }
        // What is left open is a choice of names. One demand is the rule; each is given its first names that work.
        let mut choices: Vec<Vec<Member<'a>>> = vec![members];
        for demand in open {
            choices = self.widen(
                objects,
                choices,
                |solver, members| solver.names_for(objects, demand, members, depth),
                demand.instead,
            );
        }
        for instead in &objects.named {
            choices =
                self.widen(objects, choices, |solver, _| solver.names_meeting(objects, instead, depth), None);
        }
        let mut found = Vec::new();
        for members in choices {
            if found.len() >= limit || !self.spend(1) {
                break;
            }
            found.extend(self.complete(facts, members, depth, limit.saturating_sub(found.len())));
        }
        found.truncate(limit);
        found
    }

    fn widen(
        &self,
        objects: &ObjectFacts<'a>,
        choices: Vec<Vec<Member<'a>>>,
        names: impl Fn(&Self, &[Member<'a>]) -> Vec<Cow<'a, str>>,
        instead: Option<Instead<'a>>,
    ) -> Vec<Vec<Member<'a>>> {
        let mut wider = Vec::new();
        for members in choices {
            for name in names(self, &members).into_iter().take(MAX_NAMES) {
                if wider.len() < MAX_NAMES && !objects.forbidden.contains(&&*name) {
                    let mut members = members.clone();
                    join(&mut members, name, instead);
                    wider.push(members);
                }
            }
        }
        wider
    }

    /// Adds what the members there need beside them, and gives everything a value.
    fn complete(
        &self,
        facts: &Facts<'a>,
        mut members: Vec<Member<'a>>,
        depth: u32,
        limit: usize,
    ) -> Vec<Value> {
        let objects = &facts.objects;
        for _ in 0..objects.dependent.len() {
            let before = members.len();
            for (name, needed) in &objects.dependent {
                if members.iter().any(|member| member.name == *name) {
                    join(&mut members, Cow::Borrowed(*needed), None);
                }
            }
            if members.len() == before {
                break;
            }
        }
        let max = objects.max.unwrap_or(MAX_MEMBERS).min(MAX_MEMBERS);
        let count = |members: usize| u64::try_from(members).unwrap_or(u64::MAX);
        if members.iter().any(|member| objects.forbidden.contains(&&*member.name))
            || count(members.len()) > max
        {
            return Vec::new();
        }
        let mut filled: Filled<'a> = Vec::new();
        let mut varied: Option<(usize, Vec<Value>)> = None;
        for member in &members {
            let special = !member.instead.is_empty();
            let wanted = if special { limit } else { 1 };
            let values = self.member(objects, member, depth, wanted);
            let Some(first) = values.first() else { return Vec::new() };
            filled.push((member.name.clone(), first.clone()));
            if special && varied.is_none() {
                varied = Some((filled.len().saturating_sub(1), values));
            }
        }
        let fill = self.full && varied.is_none();
        for optional in self.optional(objects, count(filled.len()) < objects.min, fill, depth) {
            let enough = count(filled.len()) >= objects.min;
            if count(filled.len()) >= max || enough && !fill || !self.spend(1) {
                break;
            }
            let known = filled.iter().any(|(name, _)| *name == optional);
            if known || objects.forbidden.contains(&&*optional) || !self.allowed(objects, &optional, &filled)
            {
                continue;
            }
            let member = Member { name: optional, instead: Vec::new() };
            if let Some(value) = self.member(objects, &member, depth, 1).into_iter().next() {
                filled.push((member.name, value));
            }
        }
        if count(filled.len()) < objects.min {
            return Vec::new();
        }
        let is_various = varied.is_none() && limit > 1 && !self.full;
        let others = varied.filter(|(_, values)| values.len() > 1);
        if !is_various && others.is_none() {
            return vec![self.assemble(objects, filled)];
        }
        let mut found = vec![self.assemble(objects, filled.clone())];
        match others {
            Some((index, values)) => self.vary(objects, &mut filled, index, values, &mut found),
            None => self.variety(objects, &mut filled, &mut found, depth, limit),
        }
        found.truncate(limit);
        found
    }

    /// The same object with other values for one member.
    fn vary(
        &self,
        objects: &ObjectFacts<'a>,
        filled: &mut Filled<'a>,
        index: usize,
        values: Vec<Value>,
        found: &mut Vec<Value>,
    ) {
        for value in values.into_iter().skip(1) {
            if let Some(entry) = filled.get_mut(index) {
                entry.1 = value;
            }
            found.push(self.assemble(objects, filled.clone()));
        }
    }

    /// Other objects: other values for the members, then more members.
    fn variety(
        &self,
        objects: &ObjectFacts<'a>,
        filled: &mut Filled<'a>,
        found: &mut Vec<Value>,
        depth: u32,
        limit: usize,
    ) {
        for index in 0..filled.len() {
            let Some((name, first)) = filled.get(index).cloned() else { break };
            if found.len() >= limit || !self.spend(1) {
                return;
            }
            let values = self.member(objects, &Member { name, instead: Vec::new() }, depth, limit);
            self.vary(objects, filled, index, values, found);
            if let Some(entry) = filled.get_mut(index) {
                entry.1 = first;
            }
        }
        let max = objects.max.unwrap_or(MAX_MEMBERS);
        for optional in self.optional(objects, true, true, depth) {
            if found.len() >= limit
                || u64::try_from(filled.len()).unwrap_or(u64::MAX) >= max
                || !self.spend(1)
            {
                return;
            }
            let known = filled.iter().any(|(name, _)| *name == optional);
            if known || objects.forbidden.contains(&&*optional) || !self.allowed(objects, &optional, filled) {
                continue;
            }
            let member = Member { name: optional.clone(), instead: Vec::new() };
            for value in self.member(objects, &member, depth, limit) {
                filled.push((optional.clone(), value));
                found.push(self.assemble(objects, filled.clone()));
                filled.pop();
            }
        }
    }

    /// Names that may be added: the declared ones, then, where more are needed, those of patterns and any others.
    fn optional(&self, objects: &ObjectFacts<'a>, needed: bool, full: bool, depth: u32) -> Vec<Cow<'a, str>> {
        let mut names: Vec<Cow<'a, str>> = Vec::new();
        if !needed && !full {
            return names;
        }
        for shape in &objects.shapes {
            names.extend(
                shape.named(Keyword::Properties).iter().map(|(name, _)| Cow::Borrowed(name.as_str())),
            );
        }
        let patterns = objects.shapes.iter().flat_map(|shape| shape.named(Keyword::PatternProperties));
        for (pattern, _) in patterns {
            let more = if needed { usize::try_from(objects.min).unwrap_or(1).clamp(4, 64) } else { 1 };
            let sampler = self.leaves.sampler(pattern);
            let samples = sampler.into_iter().flat_map(|sampler| sampler.samples(0, 64, more));
            let matching = samples.filter(|name| self.leaves.matches(pattern, name) == Some(true));
            let matching: Vec<String> = matching.take(more).collect();
            // Longer names, where a pattern leaves open what comes after.
            let first = matching.first().cloned().filter(|_| needed);
            let longer =
                (1..=more).flat_map(|count| first.iter().map(move |name| format!("{name}-{count:03}")));
            let longer: Vec<String> =
                longer.filter(|name| self.leaves.matches(pattern, name) == Some(true)).collect();
            names.extend(matching.into_iter().chain(longer).map(Cow::Owned));
        }
        if needed {
            names.extend(self.names_allowed(objects, depth).into_iter().map(Cow::Owned));
            names.extend(EXTRA_NAMES.iter().map(|name| Cow::Borrowed(*name)));
            let more = usize::try_from(objects.min).unwrap_or(0).min(1_000);
            names.extend((2..more.saturating_add(2)).map(|count| Cow::Owned(format!("extra{count}"))));
        }
        names
    }

    /// Whether a name can be added to what is there.
    fn allowed(&self, objects: &ObjectFacts<'a>, name: &str, filled: &[(Cow<'a, str>, Value)]) -> bool {
        let checker = self.checker();
        let text = Value::from(name);
        let needs = objects.dependent.iter().filter(|(first, _)| *first == name);
        objects.names.iter().all(|schema| checker.accepts(schema, &text))
            && needs.into_iter().all(|(_, needed)| filled.iter().any(|(known, _)| known == needed))
    }

    fn member(&self, objects: &ObjectFacts<'a>, member: &Member<'a>, depth: u32, limit: usize) -> Vec<Value> {
        let checker = self.checker();
        let mut wants: Vec<Want<'a>> = Vec::new();
        for shape in &objects.shapes {
            self.spend(u32::try_from(shape.named(Keyword::Properties).len() / 64).unwrap_or(u32::MAX));
            for (_, child) in checker.direct(shape, &member.name) {
                let replaced = member.instead.iter().filter_map(|instead| instead.replaces);
                if !replaced.into_iter().any(|known| std::ptr::eq(known, child)) {
                    if child.is_never() {
                        return Vec::new();
                    }
                    wants.push(Want::Holds(child));
                }
            }
        }
        wants.extend(member.instead.iter().map(|instead| instead.want));
        self.solve(&wants, &member.name, depth + 1, limit)
    }

    /// The object, its members in the order in which the schemas declare them.
    fn assemble(&self, objects: &ObjectFacts<'a>, mut filled: Filled<'a>) -> Value {
        // Copying is what large values cost.
        let copied = filled.iter().map(|(_, value)| size(value, 0)).fold(0, u32::saturating_add);
        self.spend(copied / 4);
        if filled.len() <= MAX_ORDERED {
            let shapes = objects.shapes.iter().flat_map(|shape| shape.named(Keyword::Properties));
            let mut ordered = 0;
            for (name, _) in shapes {
                let rest = filled.get_mut(ordered..).unwrap_or_default();
                if rest.is_empty() {
                    break;
                }
                if let Some(at) = rest.iter().position(|(known, _)| known == name)
                    && let Some(moved) = rest.get_mut(..=at)
                {
                    moved.rotate_right(1);
                    ordered += 1;
                }
            }
        }
        Value::Object(filled.into_iter().map(|(name, value)| (name.into_owned(), value)).collect())
    }

    /// Whether a listed object meets the facts, as far as they are about whole objects.
    pub(super) fn object_fits(&self, objects: &ObjectFacts<'a>, members: &Map<String, Value>) -> bool {
        let count = u64::try_from(members.len()).unwrap_or(u64::MAX);
        let checker = self.checker();
        count >= objects.min
            && objects.max.is_none_or(|max| count <= max)
            && objects.required.iter().all(|name| members.contains_key(*name))
            && !objects.forbidden.iter().any(|name| members.contains_key(*name))
            && members.iter().all(|(name, value)| {
                let children = objects.shapes.iter().flat_map(|shape| checker.direct(shape, name));
                children.into_iter().all(|(_, child)| {
                    let replaced = objects.demands.iter().filter_map(|demand| demand.instead?.replaces);
                    replaced.into_iter().any(|known| std::ptr::eq(known, child))
                        || checker.accepts(child, value)
                })
            })
    }
}

fn join<'a>(members: &mut Vec<Member<'a>>, name: Cow<'a, str>, instead: Option<Instead<'a>>) {
    match members.iter_mut().find(|member| member.name == name) {
        Some(member) => member.instead.extend(instead),
        None => members.push(Member { name, instead: instead.into_iter().collect() }),
    }
}
