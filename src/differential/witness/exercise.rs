//! Values that a schema accepts and that a narrower one may forbid, as facts.

use std::collections::HashSet;

use super::facts::{Dead, Demand, Facts, Instead, Naming, Want};
use super::goal::Goal;
use crate::schema::Schema;
use crate::vocabulary::{Keyword, Types};

/// Optional properties that are left out one by one while the others are there.
const MAX_OPTIONAL: usize = 16;

/// Optional properties that are looked at.
const MAX_LEFT_OUT: usize = 200;

/// Every type, integers and fractions apart, and arrays in arrays. Those come first that a surface which wants a
/// type for everything can say least of.
const KINDS: [Want<'static>; 8] = [
    Want::Is(Types::OBJECT),
    Want::Is(Types::STRING),
    Want::Nested,
    Want::Is(Types::INTEGER),
    Want::Is(Types::NUMBER.without(Types::INTEGER)),
    Want::Is(Types::BOOLEAN),
    Want::Is(Types::ARRAY),
    Want::Is(Types::NULL),
];

/// What a part of any kind is tried with.
const PARTS: [Want<'static>; 2] = [Want::Is(Types::OBJECT), Want::Nested];

fn optional(schema: &Schema) -> impl Iterator<Item = &str> {
    let required: HashSet<&str> = schema.required().collect();
    let names = schema.named(Keyword::Properties).iter().map(|(name, _)| name.as_str());
    names.filter(move |name| !required.contains(name)).take(MAX_LEFT_OUT)
}

/// In how many ways a value can exercise what this keyword could narrow, given what the value has to meet already.
pub(super) fn options(facts: &Facts<'_>, schema: &Schema, keyword: Keyword) -> usize {
    let branches = schema.schemas(keyword).len();
    match keyword {
        Keyword::Properties => 1 + schema.named(keyword).len(),
        Keyword::AdditionalProperties | Keyword::PatternProperties | Keyword::UnevaluatedProperties => {
            1 + schema.named(Keyword::PatternProperties).len()
        }
        Keyword::Required => 1 + optional(schema).count() + optional(schema).count().min(MAX_OPTIONAL),
        Keyword::AnyOf => branches + branches.saturating_sub(1),
        Keyword::OneOf => branches.max(1),
        Keyword::PrefixItems | Keyword::Items | Keyword::Contains | Keyword::MinItems | Keyword::MaxItems => {
            5
        }
        Keyword::UniqueItems => 2,
        Keyword::MinProperties | Keyword::MaxProperties | Keyword::PropertyNames => 4,
        Keyword::MinLength | Keyword::MaxLength | Keyword::Pattern | Keyword::Format => 4,
        Keyword::If | Keyword::Then | Keyword::Else => 2,
        Keyword::Enum | Keyword::Const | Keyword::MultipleOf => 1,
        Keyword::Minimum | Keyword::Maximum | Keyword::ExclusiveMinimum | Keyword::ExclusiveMaximum => 3,
        _ => {
            let places = usize::from(has_free_items(schema)) + free_names(facts, schema).len();
            KINDS.len() + PARTS.len() * places
        }
    }
}

/// Whether there can be items that the schema says nothing about.
fn has_free_items(schema: &Schema) -> bool {
    schema.types().contains(Types::ARRAY) && !schema.has(Keyword::Items)
}

/// Names that are required, here or beside, and that the schema says nothing about.
fn free_names<'a>(facts: &Facts<'a>, schema: &Schema) -> Vec<&'a str> {
    let declared: HashSet<&str> =
        schema.named(Keyword::Properties).iter().map(|(name, _)| name.as_str()).collect();
    let required = facts.objects.required.iter().copied();
    required.filter(|name| !declared.contains(name)).take(MAX_OPTIONAL).collect()
}

/// A value of one kind, then one with a part of a kind.
fn of_kind<'a>(goal: &mut Goal<'_, 'a>, schema: &'a Schema, option: usize) -> Result<(), Dead> {
    let Some(part) = option.checked_sub(KINDS.len()) else {
        goal.push(*KINDS.get(option).ok_or(Dead)?);
        return Ok(());
    };
    let want = *PARTS.get(part % PARTS.len()).ok_or(Dead)?;
    let instead = Instead { want, replaces: None };
    let place = part / PARTS.len();
    let free = usize::from(has_free_items(schema));
    if place < free {
        goal.facts.restrict(Types::ARRAY)?;
        goal.facts.arrays.at.push((schema.schemas(Keyword::PrefixItems).len(), instead));
    } else {
        let name = *free_names(&goal.facts, schema).get(place - free).ok_or(Dead)?;
        goal.facts.restrict(Types::OBJECT)?;
        goal.facts.objects.demands.push(Demand { naming: Naming::Named(name), instead: Some(instead) });
    }
    Ok(())
}

/// Adds what exercises the keyword in this way.
pub(super) fn exercise<'a>(
    goal: &mut Goal<'_, 'a>,
    schema: &'a Schema,
    keyword: Keyword,
    option: usize,
) -> Result<(), Dead> {
    if keyword.applies_to() != Types::ANY {
        goal.facts.restrict(keyword.applies_to())?;
    }
    let plus = |least: u64, more: usize| least.saturating_add(u64::try_from(more).unwrap_or(0));
    let facts = &mut goal.facts;
    match keyword {
        Keyword::Properties => {
            if let Some(index) = option.checked_sub(1) {
                let (name, _) = schema.named(keyword).get(index).ok_or(Dead)?;
                facts.require(name)?;
            }
        }
        Keyword::AdditionalProperties | Keyword::PatternProperties | Keyword::UnevaluatedProperties => {
            let naming = match option.checked_sub(1) {
                None => Naming::Undeclared(schema),
                Some(index) => {
                    Naming::Matching(&schema.named(Keyword::PatternProperties).get(index).ok_or(Dead)?.0)
                }
            };
            facts.objects.demands.push(Demand { naming, instead: None });
        }
        Keyword::Required => leave_out(goal, schema, option)?,
        Keyword::AnyOf | Keyword::OneOf => {
            let branches = schema.schemas(keyword);
            match branches.get(option) {
                Some(branch) => goal.push(Want::Holds(branch)),
                None => {
                    let first = option.saturating_sub(branches.len());
                    goal.agenda.extend(branches.iter().skip(first).take(2).map(Want::Holds));
                }
            }
        }
        Keyword::PrefixItems | Keyword::Items | Keyword::Contains | Keyword::MinItems | Keyword::MaxItems => {
            match option {
                0 => facts.arrays.min = facts.arrays.min.max(1),
                1 => facts.arrays.max = Some(facts.arrays.min),
                4 => facts.arrays.min = facts.arrays.max.unwrap_or(facts.arrays.min.saturating_add(8)),
                more => facts.arrays.min = plus(facts.arrays.min, more),
            }
        }
        Keyword::UniqueItems => {
            facts.arrays.min = facts.arrays.min.max(2);
            facts.arrays.repeated = option == 0 && !facts.arrays.unique;
        }
        Keyword::MinProperties | Keyword::MaxProperties | Keyword::PropertyNames => {
            facts.objects.min = plus(facts.objects.min, option);
        }
        Keyword::MinLength | Keyword::MaxLength | Keyword::Pattern | Keyword::Format => match option {
            1 => facts.strings.max = Some(facts.strings.min),
            2 => facts.strings.min = facts.strings.max.unwrap_or(facts.strings.min.saturating_add(30)),
            3 => facts.strings.min = plus(facts.strings.min, 1),
            _ => {}
        },
        Keyword::If => {
            let condition = schema.schema(keyword).ok_or(Dead)?;
            goal.push(if option == 0 { Want::Holds(condition) } else { Want::Fails(condition) });
        }
        Keyword::Minimum | Keyword::Maximum | Keyword::ExclusiveMinimum | Keyword::ExclusiveMaximum => {
            if let Some(kind) = [Types::INTEGER, Types::NUMBER.without(Types::INTEGER)].get(option) {
                facts.restrict(*kind)?;
            }
        }
        Keyword::Enum | Keyword::Const | Keyword::MultipleOf | Keyword::Then | Keyword::Else => {}
        _ => of_kind(goal, schema, option)?,
    }
    Ok(())
}

/// Nothing optional; then all optional properties but one; then only one left out for certain.
fn leave_out<'a>(goal: &mut Goal<'_, 'a>, schema: &'a Schema, option: usize) -> Result<(), Dead> {
    let Some(index) = option.checked_sub(1) else { return Ok(()) };
    let others = optional(schema).count().min(MAX_OPTIONAL);
    if index >= others {
        let name = optional(schema).nth(index - others).ok_or(Dead)?;
        goal.facts.forbid(name)?;
        return Ok(());
    }
    for (at, name) in optional(schema).enumerate().take(MAX_OPTIONAL) {
        if at == index {
            goal.facts.forbid(name)?;
        } else {
            goal.facts.require(name)?;
        }
    }
    Ok(())
}
