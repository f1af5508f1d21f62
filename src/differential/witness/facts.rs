//! What one instance position has to meet: a conjunction, merged from every schema that applies there.

use serde_json::Value;

use super::numbers::NumberFacts;
use crate::schema::{Schema, same_value};
use crate::vocabulary::{Keyword, Types};

/// More members are not made.
const MAX_REQUIRED: usize = 1_000;

/// One obligation on the value at a position.
#[derive(Debug, Clone, Copy)]
pub(super) enum Want<'a> {
    /// The schema accepts it.
    Holds(&'a Schema),
    /// The schema rejects it.
    Fails(&'a Schema),
    /// The route's schema at this step accepts it but for what happens at the route's end.
    Reach(usize),
    /// It is a string that the pattern matches.
    Matches(&'a str),
    /// It is of one of these types.
    Is(Types),
    /// It is an array in which there is an array.
    Nested,
}

/// The merged obligations cannot be met together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Dead;

#[derive(Debug, Clone)]
pub(super) struct Facts<'a> {
    pub(super) types: Types,
    /// The types that some keyword speaks of: what a schema without `type` is probably about.
    pub(super) hints: Types,
    /// Lists that the value must be in, all of them.
    pub(super) listed: Vec<&'a [Value]>,
    /// Lists that the value must not be in.
    pub(super) unlisted: Vec<&'a [Value]>,
    pub(super) strings: StringFacts<'a>,
    pub(super) numbers: NumberFacts<'a>,
    pub(super) arrays: ArrayFacts<'a>,
    pub(super) objects: ObjectFacts<'a>,
}

#[derive(Debug, Clone, Default)]
pub(super) struct StringFacts<'a> {
    pub(super) min: u64,
    pub(super) max: Option<u64>,
    pub(super) patterns: Vec<&'a str>,
    pub(super) not_patterns: Vec<&'a str>,
    pub(super) formats: Vec<&'a str>,
    pub(super) not_formats: Vec<&'a str>,
}

/// A want on one item or member that takes the place of what its schema would ask there anyway.
#[derive(Debug, Clone, Copy)]
pub(super) struct Instead<'a> {
    pub(super) want: Want<'a>,
    pub(super) replaces: Option<&'a Schema>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Contained<'a> {
    pub(super) schema: &'a Schema,
    pub(super) least: u64,
    pub(super) most: u64,
    /// What the first of the matching items has to meet instead.
    pub(super) first: Option<Want<'a>>,
}

#[derive(Debug, Clone, Default)]
pub(super) struct ArrayFacts<'a> {
    pub(super) min: u64,
    pub(super) max: Option<u64>,
    /// All items differ, or two are the same.
    pub(super) unique: bool,
    pub(super) repeated: bool,
    /// Schemas with `prefixItems` or `items`.
    pub(super) shapes: Vec<&'a Schema>,
    pub(super) contains: Vec<Contained<'a>>,
    /// Wants on single items, by index.
    pub(super) at: Vec<(usize, Instead<'a>)>,
}

/// Which member a demand is about.
#[derive(Debug, Clone, Copy)]
pub(super) enum Naming<'a> {
    Named(&'a str),
    /// A name that this pattern matches.
    Matching(&'a str),
    /// A name that this schema neither lists nor matches.
    Undeclared(&'a Schema),
    /// A name that no schema here lists or matches.
    Unevaluated,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Demand<'a> {
    pub(super) naming: Naming<'a>,
    pub(super) instead: Option<Instead<'a>>,
}

#[derive(Debug, Clone, Default)]
pub(super) struct ObjectFacts<'a> {
    pub(super) min: u64,
    pub(super) max: Option<u64>,
    pub(super) required: Vec<&'a str>,
    pub(super) forbidden: Vec<&'a str>,
    /// Schemas with `properties`, `patternProperties` or `additionalProperties`.
    pub(super) shapes: Vec<&'a Schema>,
    pub(super) names: Vec<&'a Schema>,
    pub(super) demands: Vec<Demand<'a>>,
    /// A member whose name meets this want.
    pub(super) named: Vec<Instead<'a>>,
    pub(super) dependent: Vec<(&'a str, &'a str)>,
}

impl<'a> Facts<'a> {
    pub(super) fn new() -> Facts<'a> {
        Facts {
            types: Types::ANY,
            hints: Types::EMPTY,
            listed: Vec::new(),
            unlisted: Vec::new(),
            strings: StringFacts::default(),
            numbers: NumberFacts::default(),
            arrays: ArrayFacts::default(),
            objects: ObjectFacts::default(),
        }
    }

    /// Leaves only these types.
    pub(super) fn restrict(&mut self, types: Types) -> Result<(), Dead> {
        self.types = self.types.and(types);
        if self.types.is_empty() { Err(Dead) } else { Ok(()) }
    }

    /// Merges one assertion. Keywords that apply other schemas to the same value are the goal's business.
    pub(super) fn assert(&mut self, schema: &'a Schema, keyword: Keyword) -> Result<(), Dead> {
        let data = schema.data(keyword);
        if keyword != Keyword::Type && keyword.applies_to() != Types::ANY {
            self.hints = self.hints.with(keyword.applies_to());
        }
        match (keyword, data) {
            (Keyword::Type, _) => self.restrict(schema.types())?,
            (Keyword::Enum, Some(Value::Array(values))) => self.listed.push(values),
            (Keyword::Const, Some(value)) => self.listed.push(std::slice::from_ref(value)),
            (Keyword::IntegerLiteral, Some(Value::Bool(true))) => self.numbers.literal = Some(true),
            (Keyword::MultipleOf, Some(Value::Number(step))) => self.numbers.multiples.push(step),
            (Keyword::Minimum, Some(Value::Number(bound))) => self.numbers.at_least(bound, false),
            (Keyword::ExclusiveMinimum, Some(Value::Number(bound))) => self.numbers.at_least(bound, true),
            (Keyword::Maximum, Some(Value::Number(bound))) => self.numbers.at_most(bound, false),
            (Keyword::ExclusiveMaximum, Some(Value::Number(bound))) => self.numbers.at_most(bound, true),
            (Keyword::Pattern, Some(Value::String(pattern))) => self.strings.patterns.push(pattern),
            (Keyword::Format, Some(Value::String(format))) => self.strings.formats.push(format),
            (Keyword::UniqueItems, Some(Value::Bool(true))) => self.arrays.unique = true,
            (Keyword::Required, _) => {
                // A list names nothing twice, so the first one needs no look at what is there.
                if self.objects.required.is_empty() && self.objects.forbidden.is_empty() {
                    self.objects.required.extend(schema.required().take(MAX_REQUIRED + 1));
                } else {
                    schema.required().take(MAX_REQUIRED + 1).try_for_each(|name| self.require(name))?;
                }
                if self.objects.required.len() > MAX_REQUIRED {
                    return Err(Dead);
                }
            }
            (Keyword::DependentRequired, _) => {
                self.objects.dependent.extend(super::check::dependent_required(schema));
            }
            (Keyword::PropertyNames, _) => self.objects.names.extend(schema.schema(keyword)),
            (Keyword::Properties | Keyword::PatternProperties | Keyword::AdditionalProperties, _) => {
                push_once(&mut self.objects.shapes, schema);
            }
            (Keyword::Items | Keyword::PrefixItems, _) => push_once(&mut self.arrays.shapes, schema),
            (Keyword::Contains, _) => {
                if let Some(wanted) = schema.schema(keyword) {
                    let (least, most) = contain_counts(schema);
                    self.arrays.contains.push(Contained { schema: wanted, least, most, first: None });
                }
            }
            _ => self.bound(keyword, schema.count(keyword)),
        }
        Ok(())
    }

    fn bound(&mut self, keyword: Keyword, count: Option<u64>) {
        let Some(count) = count else { return };
        let lower = |most: Option<u64>| Some(most.map_or(count, |most| most.min(count)));
        match keyword {
            Keyword::MinLength => self.strings.min = self.strings.min.max(count),
            Keyword::MaxLength => self.strings.max = lower(self.strings.max),
            Keyword::MinItems => self.arrays.min = self.arrays.min.max(count),
            Keyword::MaxItems => self.arrays.max = lower(self.arrays.max),
            Keyword::MinProperties => self.objects.min = self.objects.min.max(count),
            Keyword::MaxProperties => self.objects.max = lower(self.objects.max),
            _ => {}
        }
    }

    /// An object has this property. What contradicts itself is found out here, where the last choice is at fault.
    pub(super) fn require(&mut self, name: &'a str) -> Result<(), Dead> {
        if !self.objects.required.contains(&name) {
            self.objects.required.push(name);
        }
        if self.objects.forbidden.contains(&name) { self.no_object() } else { Ok(()) }
    }

    /// An object does not have this property.
    pub(super) fn forbid(&mut self, name: &'a str) -> Result<(), Dead> {
        self.objects.forbidden.push(name);
        if self.objects.required.contains(&name) { self.no_object() } else { Ok(()) }
    }

    fn no_object(&mut self) -> Result<(), Dead> {
        self.restrict(Types::ANY.without(Types::OBJECT))
    }

    /// Whether what is known here about single values allows this one; arrays and objects are not looked into.
    pub(super) fn admits(&self, value: &Value) -> bool {
        let of = Types::of(value);
        let kind = if of == Types::NUMBER { of.without(Types::INTEGER) } else { of };
        self.types.contains(kind)
            && self.listed.iter().all(|list| is_in(list, value))
            && !self.unlisted.iter().any(|list| is_in(list, value))
    }
}

/// `minContains` and `maxContains` beside a `contains`.
pub(super) fn contain_counts(schema: &Schema) -> (u64, u64) {
    (schema.count(Keyword::MinContains).unwrap_or(1), schema.count(Keyword::MaxContains).unwrap_or(u64::MAX))
}

pub(super) fn is_in(list: &[Value], value: &Value) -> bool {
    list.iter().any(|member| same_value(member, value))
}

fn push_once<'a>(shapes: &mut Vec<&'a Schema>, schema: &'a Schema) {
    if !shapes.iter().any(|known| std::ptr::eq(*known, schema)) {
        shapes.push(schema);
    }
}
