//! The negation of one keyword, as facts.
//!
//! Most keywords can be violated in several ways (each name of `required`, each other type): the options.

use serde_json::Value;

use super::facts::{Contained, Dead, Demand, Instead, Naming, Want, contain_counts};
use super::goal::Goal;
use crate::schema::Schema;
use crate::vocabulary::{Keyword, Types};

/// The keywords that are not merged where this one is violated: itself, and what has no meaning without it.
pub(super) fn skipped(keyword: Keyword) -> &'static [Keyword] {
    macro_rules! alone {
        ($($known:ident)*) => {
            match keyword {
                // Violated inside a child that takes the place of the child's own want; the others still hold.
                Keyword::Properties | Keyword::PatternProperties | Keyword::AdditionalProperties => &[],
                Keyword::Items | Keyword::PrefixItems => &[],
                Keyword::Contains | Keyword::MinContains | Keyword::MaxContains => &[Keyword::Contains],
                Keyword::If | Keyword::Then | Keyword::Else => &[Keyword::If],
                $(Keyword::$known => &[Keyword::$known],)*
                _ => &[],
            }
        };
    }
    alone!(Ref Type Enum Const IntegerLiteral MultipleOf Minimum Maximum ExclusiveMinimum ExclusiveMaximum
        MinLength MaxLength Pattern Format MinItems MaxItems UniqueItems UnevaluatedItems PropertyNames Required
        MinProperties MaxProperties DependentRequired DependentSchemas UnevaluatedProperties AllOf AnyOf OneOf Not)
}

/// Types in the order in which they are tried where any other one will do.
const KINDS: [Types; 6] =
    [Types::STRING, Types::INTEGER, Types::BOOLEAN, Types::OBJECT, Types::ARRAY, Types::NULL];

fn fraction() -> Types {
    Types::NUMBER.without(Types::INTEGER)
}

/// The types that a schema's `type` rejects, one by one.
pub(super) fn other_types(allowed: Types) -> Vec<Types> {
    let mut kinds: Vec<Types> = KINDS.into_iter().filter(|kind| !allowed.contains(*kind)).collect();
    if !allowed.contains(fraction()) && allowed.contains(Types::INTEGER) {
        kinds.insert(kinds.len().min(1), fraction());
    }
    kinds
}

/// In how many ways a keyword can be violated.
pub(super) fn options(schema: &Schema, keyword: Keyword) -> usize {
    let listed = || schema.schemas(keyword).len();
    match keyword {
        Keyword::Type => other_types(schema.types()).len(),
        Keyword::Enum | Keyword::Const => 2,
        Keyword::Required => schema.required().count(),
        Keyword::DependentRequired => super::check::dependent_required(schema).count(),
        Keyword::Properties | Keyword::PatternProperties | Keyword::DependentSchemas => {
            schema.named(keyword).len()
        }
        Keyword::PrefixItems | Keyword::AllOf => listed(),
        Keyword::OneOf => 1 + pairs(listed()),
        Keyword::If => 2,
        Keyword::Contains | Keyword::Ref | Keyword::AnyOf => 2,
        Keyword::UniqueItems => usize::from(schema.data(keyword) == Some(&Value::Bool(true))),
        // A schema that accepts everything cannot be made to reject.
        _ if schema.schema(keyword).is_some_and(Schema::is_always) && keyword != Keyword::Not => 0,
        _ => usize::from(keyword.constrains()),
    }
}

/// Required names that are there beside the one that is left out. With more the object would not be readable.
const MAX_COMPANIONS: usize = 64;

/// Pairs of branches that both hold; neighbours only, where there are many.
fn pairs(count: usize) -> usize {
    if count <= 8 { count * count.saturating_sub(1) / 2 } else { count - 1 }
}

fn pair(count: usize, index: usize) -> (usize, usize) {
    if count > 8 {
        return (index, index + 1);
    }
    let mut rest = index;
    for first in 0..count {
        let here = count - first - 1;
        if rest < here {
            return (first, first + 1 + rest);
        }
        rest -= here;
    }
    (0, 0)
}

/// Adds what violates the keyword in this way.
pub(super) fn violate<'a>(
    goal: &mut Goal<'_, 'a>,
    schema: &'a Schema,
    keyword: Keyword,
    option: usize,
) -> Result<(), Dead> {
    if keyword.applies_to() != Types::ANY {
        goal.facts.restrict(keyword.applies_to())?;
    }
    let data = schema.data(keyword);
    match (keyword, data) {
        (Keyword::Type, _) => {
            let kinds = other_types(schema.types());
            goal.facts.restrict(kinds.get(option).copied().ok_or(Dead)?)?;
        }
        (Keyword::Enum, Some(Value::Array(values))) => unlist(goal, values, option)?,
        (Keyword::Const, Some(value)) => unlist(goal, std::slice::from_ref(value), option)?,
        (Keyword::IntegerLiteral, _) => {
            goal.facts.restrict(Types::INTEGER)?;
            goal.facts.numbers.literal = Some(false);
        }
        (Keyword::MultipleOf, Some(Value::Number(step))) => goal.facts.numbers.not_multiples.push(step),
        (Keyword::Minimum, Some(Value::Number(bound))) => goal.facts.numbers.at_most(bound, true),
        (Keyword::ExclusiveMinimum, Some(Value::Number(bound))) => goal.facts.numbers.at_most(bound, false),
        (Keyword::Maximum, Some(Value::Number(bound))) => goal.facts.numbers.at_least(bound, true),
        (Keyword::ExclusiveMaximum, Some(Value::Number(bound))) => goal.facts.numbers.at_least(bound, false),
        (Keyword::Pattern, Some(Value::String(pattern))) => goal.facts.strings.not_patterns.push(pattern),
        (Keyword::Format, Some(Value::String(format))) => goal.facts.strings.not_formats.push(format),
        (Keyword::UniqueItems, _) => {
            goal.facts.arrays.repeated = true;
            goal.facts.arrays.min = goal.facts.arrays.min.max(2);
        }
        (Keyword::Required, _) => {
            let name = schema.required().nth(option).ok_or(Dead)?;
            goal.facts.forbid(name)?;
            let is_end = goal.route.is_some_and(|(route, _)| std::ptr::eq(route.end, schema));
            if is_end && schema.required().nth(MAX_COMPANIONS).is_none() {
                schema
                    .required()
                    .filter(|other| *other != name)
                    .try_for_each(|other| goal.facts.require(other))?;
            }
        }
        (Keyword::DependentRequired, _) => {
            let (name, needed) = super::check::dependent_required(schema).nth(option).ok_or(Dead)?;
            goal.facts.require(name)?;
            goal.facts.forbid(needed)?;
        }
        _ if keyword.applies_to() == Types::ANY => in_place(goal, schema, keyword, option)?,
        _ if !bound(goal, schema, keyword)? => part(goal, schema, keyword, option)?,
        _ => {}
    }
    Ok(())
}

/// First a value of a type that the list has, then any.
fn unlist<'a>(goal: &mut Goal<'_, 'a>, values: &'a [Value], option: usize) -> Result<(), Dead> {
    goal.facts.unlisted.push(values);
    if option == 0 {
        let types = values.iter().take(100).map(Types::of).fold(Types::EMPTY, Types::with);
        goal.facts.restrict(types)?;
    }
    Ok(())
}

/// Violates a count. `false` where the keyword is not one.
fn bound<'a>(goal: &mut Goal<'_, 'a>, schema: &'a Schema, keyword: Keyword) -> Result<bool, Dead> {
    let facts = &mut goal.facts;
    let (min, max) = match keyword {
        Keyword::MinLength | Keyword::MaxLength => (&mut facts.strings.min, &mut facts.strings.max),
        Keyword::MinItems | Keyword::MaxItems => (&mut facts.arrays.min, &mut facts.arrays.max),
        Keyword::MinProperties | Keyword::MaxProperties => (&mut facts.objects.min, &mut facts.objects.max),
        _ => return Ok(false),
    };
    let count = schema.count(keyword).ok_or(Dead)?;
    if matches!(keyword, Keyword::MinLength | Keyword::MinItems | Keyword::MinProperties) {
        let most = count.checked_sub(1).ok_or(Dead)?;
        *max = Some(max.map_or(most, |known| known.min(most)));
    } else {
        *min = (*min).max(count.checked_add(1).ok_or(Dead)?);
    }
    Ok(true)
}

/// First a value of a type that one of the schemas is about: whoever lost what they say about it may have kept the
/// type. Then any.
fn nearby<'a>(goal: &mut Goal<'_, 'a>, schemas: &'a [Schema], option: usize) -> Result<(), Dead> {
    if option > 0 {
        return Ok(());
    }
    let types = |schema: &'a Schema| match schema.target().and_then(|name| goal.document.definition(name)) {
        Some(target) => schema.types().and(target.types()),
        None => schema.types(),
    };
    let types = schemas.iter().map(types).fold(Types::EMPTY, Types::with);
    goal.facts.restrict(types)
}

/// Violates a keyword that applies schemas to the value itself.
fn in_place<'a>(
    goal: &mut Goal<'_, 'a>,
    schema: &'a Schema,
    keyword: Keyword,
    option: usize,
) -> Result<(), Dead> {
    let branches = schema.schemas(keyword);
    match keyword {
        Keyword::Ref => {
            let target = schema.target().and_then(|name| goal.document.definition(name)).ok_or(Dead)?;
            nearby(goal, std::slice::from_ref(target), option)?;
            goal.push(Want::Fails(target));
        }
        Keyword::Not => goal.push(Want::Holds(schema.schema(keyword).ok_or(Dead)?)),
        Keyword::AllOf => goal.push(Want::Fails(branches.get(option).ok_or(Dead)?)),
        Keyword::AnyOf => {
            nearby(goal, branches, option)?;
            goal.agenda.extend(branches.iter().rev().map(Want::Fails));
        }
        Keyword::OneOf if option == 0 => goal.agenda.extend(branches.iter().rev().map(Want::Fails)),
        Keyword::OneOf => {
            let (first, second) = pair(branches.len(), option - 1);
            goal.push(Want::Holds(branches.get(first).ok_or(Dead)?));
            goal.push(Want::Holds(branches.get(second).ok_or(Dead)?));
        }
        Keyword::If | Keyword::Then | Keyword::Else => {
            let condition = schema.schema(Keyword::If).ok_or(Dead)?;
            let takes_then = keyword == Keyword::Then || keyword == Keyword::If && option == 0;
            let failing =
                schema.schema(if takes_then { Keyword::Then } else { Keyword::Else }).ok_or(Dead)?;
            goal.push(Want::Fails(failing));
            goal.push(if takes_then { Want::Holds(condition) } else { Want::Fails(condition) });
        }
        _ => return Err(Dead),
    }
    Ok(())
}

/// Violates a keyword that applies schemas to a part of the value.
fn part<'a>(
    goal: &mut Goal<'_, 'a>,
    schema: &'a Schema,
    keyword: Keyword,
    option: usize,
) -> Result<(), Dead> {
    let child = |child: &'a Schema| Instead { want: Want::Fails(child), replaces: Some(child) };
    let demand = |naming, at: &'a Schema| Demand { naming, instead: Some(child(at)) };
    let named = || schema.named(keyword).get(option).ok_or(Dead);
    let only = || schema.schema(keyword).ok_or(Dead);
    let items = &mut goal.facts.arrays;
    let objects = &mut goal.facts.objects;
    match keyword {
        Keyword::Properties => {
            let (name, at) = named()?;
            objects.demands.push(demand(Naming::Named(name), at));
        }
        Keyword::PatternProperties => {
            let (pattern, at) = named()?;
            objects.demands.push(demand(Naming::Matching(pattern), at));
        }
        Keyword::AdditionalProperties => objects.demands.push(demand(Naming::Undeclared(schema), only()?)),
        Keyword::UnevaluatedProperties => objects.demands.push(demand(Naming::Unevaluated, only()?)),
        Keyword::PropertyNames => objects.named.push(child(only()?)),
        Keyword::DependentSchemas => {
            let (name, at) = named()?;
            goal.facts.require(name)?;
            goal.push(Want::Fails(at));
        }
        Keyword::PrefixItems => {
            items.at.push((option, child(schema.schemas(keyword).get(option).ok_or(Dead)?)))
        }
        Keyword::Items => items.at.push((schema.schemas(Keyword::PrefixItems).len(), child(only()?))),
        Keyword::UnevaluatedItems => {
            let shapes = items.shapes.iter().chain([&schema]);
            let index = shapes.map(|shape| shape.schemas(Keyword::PrefixItems).len()).max().unwrap_or(0);
            items.at.push((index, child(only()?)));
        }
        Keyword::Contains | Keyword::MinContains | Keyword::MaxContains => {
            let wanted = schema.schema(Keyword::Contains).ok_or(Dead)?;
            let (least, most) = contain_counts(schema);
            let too_many = keyword == Keyword::MaxContains || keyword == Keyword::Contains && option == 1;
            let (least, most) = match keyword {
                _ if too_many => (most.checked_add(1).ok_or(Dead)?, u64::MAX),
                // Without `minContains` one match is needed, so one is given.
                Keyword::MinContains => (least.min(2).saturating_sub(1), least.saturating_sub(1)),
                _ => (0, least.checked_sub(1).ok_or(Dead)?),
            };
            items.contains.push(Contained { schema: wanted, least, most, first: None });
        }
        _ => return Err(Dead),
    }
    Ok(())
}
