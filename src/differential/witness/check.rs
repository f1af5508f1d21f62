//! Whether a schema accepts a value, also with one keyword left out.
//!
//! The generator asks this about its own candidates, to know which choice to take back and which candidate
//! isolates its keyword; the caller's compiled validators have the last word. Patterns and formats are decided by
//! the same crate as there, one compiled leaf each.

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use jsonschema::PatternCache;
use serde_json::{Map, Value};
use smallvec::SmallVec;

use super::formats;
use super::numbers::is_multiple;
use super::pattern::Sampler;
use crate::differential::compile::{self, Validator};
use crate::schema::{Document, Origin, Schema, compare_numbers, same_value};
use crate::vocabulary::{Keyword, Types};

/// Compiled patterns and formats, by their text.
#[derive(Default)]
pub(crate) struct Leaves {
    shared: PatternCache,
    patterns: RefCell<HashMap<String, Option<Rc<Validator>>>>,
    formats: RefCell<HashMap<String, Option<Rc<Validator>>>>,
    samplers: RefCell<HashMap<String, Option<Rc<Sampler>>>>,
}

impl Leaves {
    /// The patterns, for validators of whole documents.
    pub(crate) fn patterns(&self) -> &PatternCache {
        &self.shared
    }

    fn leaf(&self, keyword: Keyword, text: &str) -> Option<Validator> {
        let schema = Map::from_iter([(keyword.name().to_owned(), Value::from(text))]);
        compile::sharing(Value::Object(schema), &self.shared).ok()
    }

    /// `None` where the pattern does not compile.
    pub(super) fn matches(&self, pattern: &str, text: &str) -> Option<bool> {
        let compiled = cached(&self.patterns, pattern, || self.leaf(Keyword::Pattern, pattern))?;
        Some(compiled.is_valid(&Value::from(text)))
    }

    /// Whether the text is of the format; formats nobody knows accept everything.
    pub(super) fn conforms(&self, format: &str, text: &str) -> bool {
        formats::extension(format, text).unwrap_or_else(|| {
            let compiled = cached(&self.formats, format, || self.leaf(Keyword::Format, format));
            compiled.is_none_or(|compiled| compiled.is_valid(&Value::from(text)))
        })
    }

    pub(super) fn sampler(&self, pattern: &str) -> Option<Rc<Sampler>> {
        cached(&self.samplers, pattern, || Sampler::new(pattern))
    }
}

fn cached<T>(
    cache: &RefCell<HashMap<String, Option<Rc<T>>>>,
    key: &str,
    make: impl FnOnce() -> Option<T>,
) -> Option<Rc<T>> {
    if let Some(known) = cache.borrow().get(key) {
        return known.clone();
    }
    let made = make().map(Rc::new);
    cache.borrow_mut().insert(key.to_owned(), made.clone());
    made
}

/// Subschemas that apply to one member, and the keywords that they are under.
pub(super) type Applied<'s> = SmallVec<[(Keyword, &'s Schema); 2]>;

/// Evaluates schemas of one document, within a budget; beyond it everything is accepted.
pub(super) struct Checker<'c> {
    document: &'c Document,
    leaves: &'c Leaves,
    /// A keyword that is not there, for schemas of this origin.
    without: Option<(Origin, Keyword)>,
    fuel: Cell<u32>,
}

const MAX_DEPTH: u32 = 120;
const BUDGET: u32 = 200_000;

impl<'c> Checker<'c> {
    pub(super) fn new(
        document: &'c Document,
        leaves: &'c Leaves,
        without: Option<(Origin, Keyword)>,
    ) -> Checker<'c> {
        Checker { document, leaves, without, fuel: Cell::new(BUDGET) }
    }

    pub(super) fn accepts(&self, schema: &Schema, value: &Value) -> bool {
        self.check(schema, value, 0)
    }

    fn has(&self, schema: &Schema, keyword: Keyword) -> bool {
        self.without != Some((schema.origin, keyword)) && schema.has(keyword)
    }

    fn check(&self, schema: &Schema, value: &Value, depth: u32) -> bool {
        if depth > MAX_DEPTH || self.fuel.get() == 0 {
            return true;
        }
        self.fuel.set(self.fuel.get().saturating_sub(1));
        let types = Types::of(value);
        schema.keywords().iter().all(|(keyword, _)| {
            !keyword.constrains()
                || keyword.applies_to().and(types).is_empty()
                || !self.has(schema, *keyword)
                || self.keyword(schema, *keyword, value, depth + 1)
        })
    }

    /// The steps taken so far.
    pub(super) fn used(&self) -> u32 {
        BUDGET.saturating_sub(self.fuel.get())
    }

    /// Whether one keyword of a schema accepts the value.
    pub(super) fn keyword(&self, schema: &Schema, keyword: Keyword, value: &Value, depth: u32) -> bool {
        let child = || schema.schema(keyword);
        match keyword {
            Keyword::Ref => schema
                .target()
                .and_then(|name| self.document.definition(name))
                .is_none_or(|target| self.check(target, value, depth)),
            Keyword::Type => {
                !Types::of(value).and(schema.types()).is_empty() && schema.types().contains(Types::of(value))
            }
            Keyword::Enum => match schema.data(keyword) {
                Some(Value::Array(members)) => members.iter().any(|member| same_value(member, value)),
                _ => true,
            },
            Keyword::Const => schema.data(keyword).is_none_or(|known| same_value(known, value)),
            Keyword::AllOf => schema.schemas(keyword).iter().all(|branch| self.check(branch, value, depth)),
            Keyword::AnyOf => schema.schemas(keyword).iter().any(|branch| self.check(branch, value, depth)),
            Keyword::OneOf => {
                let holding =
                    schema.schemas(keyword).iter().filter(|branch| self.check(branch, value, depth));
                holding.take(2).count() == 1
            }
            Keyword::Not => child().is_none_or(|inner| !self.check(inner, value, depth)),
            Keyword::If => self.conditional(schema, value, depth),
            _ => match value {
                Value::String(text) => self.string(schema, keyword, text),
                Value::Number(number) => check_number(schema, keyword, number),
                Value::Array(items) => self.array(schema, keyword, items, depth),
                Value::Object(members) => self.object(schema, keyword, members, depth),
                _ => true,
            },
        }
    }

    /// Whether `if`/`then`/`else` of this schema hold.
    pub(super) fn conditional(&self, schema: &Schema, value: &Value, depth: u32) -> bool {
        let Some(condition) = schema.schema(Keyword::If) else { return true };
        let branch = if self.check(condition, value, depth) { Keyword::Then } else { Keyword::Else };
        !self.has(schema, branch)
            || schema.schema(branch).is_none_or(|branch| self.check(branch, value, depth))
    }

    fn string(&self, schema: &Schema, keyword: Keyword, text: &str) -> bool {
        let length = || u64::try_from(text.chars().count()).unwrap_or(u64::MAX);
        let data = || schema.data(keyword).and_then(Value::as_str);
        match keyword {
            Keyword::MinLength => schema.count(keyword).is_none_or(|least| length() >= least),
            Keyword::MaxLength => schema.count(keyword).is_none_or(|most| length() <= most),
            Keyword::Pattern => {
                data().is_none_or(|pattern| self.leaves.matches(pattern, text).unwrap_or(true))
            }
            Keyword::Format => data().is_none_or(|format| self.leaves.conforms(format, text)),
            _ => true,
        }
    }

    fn array(&self, schema: &Schema, keyword: Keyword, items: &[Value], depth: u32) -> bool {
        let length = u64::try_from(items.len()).unwrap_or(u64::MAX);
        let prefix =
            if self.has(schema, Keyword::PrefixItems) { schema.schemas(Keyword::PrefixItems) } else { &[] };
        match keyword {
            Keyword::MinItems => schema.count(keyword).is_none_or(|least| length >= least),
            Keyword::MaxItems => schema.count(keyword).is_none_or(|most| length <= most),
            Keyword::UniqueItems => schema.data(keyword) != Some(&Value::Bool(true)) || all_different(items),
            Keyword::PrefixItems => {
                prefix.iter().zip(items).all(|(schema, item)| self.check(schema, item, depth))
            }
            Keyword::Items => schema
                .schema(keyword)
                .is_none_or(|rest| items.iter().skip(prefix.len()).all(|item| self.check(rest, item, depth))),
            Keyword::Contains => {
                let least = self.count(schema, Keyword::MinContains).unwrap_or(1);
                let most = self.count(schema, Keyword::MaxContains).unwrap_or(u64::MAX);
                schema.schema(keyword).is_none_or(|wanted| {
                    let found = items.iter().filter(|item| self.check(wanted, item, depth)).count();
                    (least..=most).contains(&u64::try_from(found).unwrap_or(u64::MAX))
                })
            }
            Keyword::UnevaluatedItems => schema.schema(keyword).is_none_or(|rest| {
                items.iter().enumerate().all(|(index, item)| {
                    self.evaluates_item(schema, items, index, true, depth) || self.check(rest, item, depth)
                })
            }),
            _ => true,
        }
    }

    fn count(&self, schema: &Schema, keyword: Keyword) -> Option<u64> {
        self.has(schema, keyword).then(|| schema.count(keyword))?
    }

    fn object(&self, schema: &Schema, keyword: Keyword, members: &Map<String, Value>, depth: u32) -> bool {
        let count = u64::try_from(members.len()).unwrap_or(u64::MAX);
        let applied = |name: &String, value: &Value| {
            self.direct(schema, name)
                .into_iter()
                .all(|(by, child)| by != keyword || self.check(child, value, depth))
        };
        match keyword {
            Keyword::MinProperties => schema.count(keyword).is_none_or(|least| count >= least),
            Keyword::MaxProperties => schema.count(keyword).is_none_or(|most| count <= most),
            Keyword::Required => schema.required().all(|name| members.contains_key(name)),
            Keyword::DependentRequired => dependent_required(schema)
                .all(|(name, needed)| !members.contains_key(name) || members.contains_key(needed)),
            Keyword::DependentSchemas => schema.named(keyword).iter().all(|(name, child)| {
                !members.contains_key(name) || self.check(child, &Value::Object(members.clone()), depth)
            }),
            Keyword::PropertyNames => schema.schema(keyword).is_none_or(|names| {
                members.keys().all(|name| self.check(names, &Value::String(name.clone()), depth))
            }),
            Keyword::Properties => schema
                .named(keyword)
                .iter()
                .all(|(name, child)| members.get(name).is_none_or(|value| self.check(child, value, depth))),
            Keyword::PatternProperties | Keyword::AdditionalProperties => {
                members.iter().all(|(name, value)| applied(name, value))
            }
            Keyword::UnevaluatedProperties => schema.schema(keyword).is_none_or(|rest| {
                members.iter().all(|(name, value)| {
                    self.evaluates_property(schema, members, name, true, depth)
                        || self.check(rest, value, depth)
                })
            }),
            _ => true,
        }
    }

    /// The subschemas that `properties` and its group apply to this name.
    pub(super) fn direct<'s>(&self, schema: &'s Schema, name: &str) -> Applied<'s> {
        let mut found = Applied::new();
        if self.has(schema, Keyword::Properties) {
            found.extend(schema.property(name).map(|child| (Keyword::Properties, child)));
        }
        if self.has(schema, Keyword::PatternProperties) {
            let patterns = schema.named(Keyword::PatternProperties).iter();
            let matching =
                patterns.filter(|(pattern, _)| self.leaves.matches(pattern, name).unwrap_or(false));
            found.extend(matching.map(|(_, child)| (Keyword::PatternProperties, child)));
        }
        if found.is_empty() && self.has(schema, Keyword::AdditionalProperties) {
            found.extend(
                schema
                    .schema(Keyword::AdditionalProperties)
                    .map(|child| (Keyword::AdditionalProperties, child)),
            );
        }
        found
    }

    /// The subschemas applied to the same value, that hold and may therefore evaluate parts of it.
    fn in_place<'s>(&'s self, schema: &'s Schema, value: &Value, depth: u32) -> Vec<&'s Schema> {
        let mut found: Vec<&Schema> = Vec::new();
        for (keyword, part) in schema.keywords() {
            if !self.has(schema, *keyword) {
                continue;
            }
            match keyword {
                Keyword::Ref => found.extend(schema.target().and_then(|name| self.document.definition(name))),
                Keyword::AllOf | Keyword::AnyOf | Keyword::OneOf | Keyword::If => {
                    found.extend(part.schemas())
                }
                Keyword::Then | Keyword::Else => {
                    let holds =
                        schema.schema(Keyword::If).map(|condition| self.check(condition, value, depth));
                    if holds == Some(*keyword == Keyword::Then) {
                        found.extend(part.schemas());
                    }
                }
                Keyword::DependentSchemas => {
                    let present = |(name, _): &&(String, Schema)| value.get(name).is_some();
                    found.extend(schema.named(*keyword).iter().filter(present).map(|(_, child)| child));
                }
                _ => {}
            }
        }
        found.retain(|child| self.check(child, value, depth));
        found
    }

    fn evaluates_property(
        &self,
        schema: &Schema,
        members: &Map<String, Value>,
        name: &str,
        outermost: bool,
        depth: u32,
    ) -> bool {
        if depth > MAX_DEPTH || self.fuel.get() == 0 {
            return true;
        }
        (!outermost && self.has(schema, Keyword::UnevaluatedProperties))
            || !self.direct(schema, name).is_empty()
            || self
                .in_place(schema, &Value::Object(members.clone()), depth + 1)
                .into_iter()
                .any(|child| self.evaluates_property(child, members, name, false, depth + 1))
    }

    fn evaluates_item(
        &self,
        schema: &Schema,
        items: &[Value],
        index: usize,
        outermost: bool,
        depth: u32,
    ) -> bool {
        if depth > MAX_DEPTH || self.fuel.get() == 0 {
            return true;
        }
        let contains = self.has(schema, Keyword::Contains)
            && schema
                .schema(Keyword::Contains)
                .zip(items.get(index))
                .is_some_and(|(wanted, item)| self.check(wanted, item, depth));
        (!outermost && self.has(schema, Keyword::UnevaluatedItems))
            || self.has(schema, Keyword::Items)
            || contains
            || (self.has(schema, Keyword::PrefixItems) && index < schema.schemas(Keyword::PrefixItems).len())
            || self
                .in_place(schema, &Value::Array(items.to_vec()), depth + 1)
                .into_iter()
                .any(|child| self.evaluates_item(child, items, index, false, depth + 1))
    }
}

fn check_number(schema: &Schema, keyword: Keyword, number: &serde_json::Number) -> bool {
    let Some(Value::Number(bound)) = schema.data(keyword) else {
        return keyword != Keyword::IntegerLiteral || !number.is_f64();
    };
    let order = compare_numbers(number, bound);
    match keyword {
        Keyword::Minimum => order.is_ge(),
        Keyword::Maximum => order.is_le(),
        Keyword::ExclusiveMinimum => order.is_gt(),
        Keyword::ExclusiveMaximum => order.is_lt(),
        Keyword::MultipleOf => is_multiple(number, bound),
        _ => true,
    }
}

/// The pairs of names of `dependentRequired`: where the first is, the second must be.
pub(super) fn dependent_required(schema: &Schema) -> impl Iterator<Item = (&str, &str)> {
    let map = schema.data(Keyword::DependentRequired).and_then(Value::as_object);
    map.into_iter().flatten().flat_map(|(name, needed)| {
        let needed = needed.as_array().into_iter().flatten().filter_map(Value::as_str);
        needed.map(move |needed| (name.as_str(), needed))
    })
}

/// Whether no two items are equal. Arrays here are short: nothing generates more than a thousand items.
pub(super) fn all_different(items: &[Value]) -> bool {
    let texts: Option<HashSet<&str>> = items.iter().map(Value::as_str).collect();
    if let Some(texts) = texts {
        return texts.len() == items.len();
    }
    items
        .iter()
        .enumerate()
        .all(|(index, item)| !items.iter().skip(index + 1).any(|other| same_value(item, other)))
}
