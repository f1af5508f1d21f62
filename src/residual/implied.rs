//! Whether what is known about a value already implies one assertion of the source.

use serde_json::{Number, Value};
use std::cmp::Ordering;

use super::converted::Converted;
use super::view::{Alternative, View};
use crate::differential::compile;
use crate::schema::{Schema, compare_numbers, same_value};
use crate::vocabulary::{Keyword, Types};

/// Whether every value that the view allows satisfies `keyword` of `source`.
pub(crate) fn assertion(
    converted: &Converted<'_>,
    source: &Schema,
    keyword: Keyword,
    view: &View<'_>,
) -> bool {
    says_nothing(source, keyword)
        || view.alternatives.iter().all(|alternative| by_alternative(converted, source, keyword, alternative))
}

/// Whether the keyword's value makes it accept everything.
fn says_nothing(source: &Schema, keyword: Keyword) -> bool {
    match keyword {
        Keyword::MinLength | Keyword::MinItems | Keyword::MinProperties => source.count(keyword) == Some(0),
        Keyword::UniqueItems | Keyword::IntegerLiteral => source.data(keyword) == Some(&Value::Bool(false)),
        Keyword::Required => source.required().next().is_none(),
        Keyword::Type => source.types() == Types::ANY,
        Keyword::Format => {
            let format = source.data(keyword).and_then(Value::as_str);
            format.is_some_and(|format| !compile::is_asserted_format(format))
        }
        _ => false,
    }
}

fn by_alternative(
    converted: &Converted<'_>,
    source: &Schema,
    keyword: Keyword,
    alternative: &Alternative<'_>,
) -> bool {
    if keyword == Keyword::Type {
        return source.types().contains(alternative.types);
    }
    if keyword.applies_to().and(alternative.types).is_empty() {
        return true;
    }
    if let Some(literals) = alternative.literals()
        && (lists(source, keyword, &literals)
            || literals.iter().all(|literal| holds(converted, source, keyword, literal) == Some(true)))
    {
        return true;
    }
    match keyword {
        Keyword::Required => source.required().all(|name| alternative.requires(name)),
        Keyword::MultipleOf => multiples(source, alternative),
        _ => alternative.facts.iter().any(|fact| by_fact(source, keyword, fact, alternative)),
    }
}

/// Whether the assertion lists just these values in this order. Looking up each of ten thousand values in a
/// list of as many takes long, and most lists are kept as they are.
fn lists(source: &Schema, keyword: Keyword, literals: &[&Value]) -> bool {
    matches!(keyword, Keyword::Enum | Keyword::Const)
        && source.literals().is_some_and(|listed| {
            listed.len() == literals.len() && listed.iter().zip(literals).all(|(a, b)| same_value(a, b))
        })
}

/// Whether one listed value satisfies the assertion; `None` where that is not decided here.
pub(crate) fn holds(
    converted: &Converted<'_>,
    source: &Schema,
    keyword: Keyword,
    literal: &Value,
) -> Option<bool> {
    if !keyword.applies_to().contains(Types::of(literal)) {
        return Some(true);
    }
    match keyword {
        Keyword::Type => Some(source.types().contains(Types::of(literal))),
        Keyword::Enum | Keyword::Const => {
            Some(source.literals()?.iter().any(|value| same_value(value, literal)))
        }
        // `1` and `1.0` are the same listed value, spelled in two ways.
        Keyword::IntegerLiteral => None,
        // Exact for every assertion on scalars; compound literals of other keywords are left undecided.
        _ if !matches!(literal, Value::Array(_) | Value::Object(_)) => {
            converted.accepts(keyword, source.data(keyword)?, literal)
        }
        _ => None,
    }
}

fn by_fact(source: &Schema, keyword: Keyword, fact: &Schema, alternative: &Alternative<'_>) -> bool {
    let at_least =
        || matches!((source.count(keyword), fact.count(keyword)), (Some(want), Some(have)) if have >= want);
    let at_most =
        || matches!((source.count(keyword), fact.count(keyword)), (Some(want), Some(have)) if have <= want);
    match keyword {
        Keyword::MinLength | Keyword::MinItems => at_least(),
        Keyword::MaxLength | Keyword::MaxItems => at_most(),
        Keyword::MinProperties => {
            at_least() || source.count(keyword).is_some_and(|want| fact.required().count() as u64 >= want)
        }
        Keyword::MaxProperties => {
            at_most()
                || source
                    .count(keyword)
                    .is_some_and(|want| most_properties(fact).is_some_and(|most| most <= want))
        }
        Keyword::UniqueItems => {
            fact.data(keyword) == Some(&Value::Bool(true))
                || alternative.max_items().is_some_and(|most| most <= 1)
        }
        Keyword::Minimum | Keyword::ExclusiveMinimum => {
            bounded(source, keyword, fact, Keyword::Minimum, Keyword::ExclusiveMinimum, Ordering::Greater)
        }
        Keyword::Maximum | Keyword::ExclusiveMaximum => {
            bounded(source, keyword, fact, Keyword::Maximum, Keyword::ExclusiveMaximum, Ordering::Less)
        }
        Keyword::Pattern | Keyword::Format | Keyword::IntegerLiteral => {
            matches!((source.data(keyword), fact.data(keyword)), (Some(want), Some(have)) if want == have)
        }
        _ => false,
    }
}

/// How many properties a closed object can have.
pub(crate) fn most_properties(fact: &Schema) -> Option<u64> {
    let closed = fact.schema(Keyword::AdditionalProperties).is_some_and(Schema::is_never)
        && fact.named(Keyword::PatternProperties).is_empty();
    closed.then(|| fact.named(Keyword::Properties).len() as u64)
}

/// Whether the fact bounds the number at least as tightly; `tighter` is the side on which the bound lies.
fn bounded(
    source: &Schema,
    keyword: Keyword,
    fact: &Schema,
    inclusive: Keyword,
    exclusive: Keyword,
    tighter: Ordering,
) -> bool {
    let Some(want) = number(source, keyword) else { return false };
    let beyond = |have: &Number, or_equal: bool| {
        let ordering = compare_numbers(have, want);
        ordering == tighter || (or_equal && ordering == Ordering::Equal)
    };
    number(fact, inclusive).is_some_and(|have| beyond(have, keyword == inclusive))
        || number(fact, exclusive).is_some_and(|have| beyond(have, true))
}

fn number(schema: &Schema, keyword: Keyword) -> Option<&Number> {
    match schema.data(keyword) {
        Some(Value::Number(number)) => Some(number),
        _ => None,
    }
}

fn multiples(source: &Schema, alternative: &Alternative<'_>) -> bool {
    let Some(want) = number(source, Keyword::MultipleOf) else { return false };
    let integral = Types::INTEGER.contains(alternative.types.and(Types::NUMBER));
    if integral && want.as_f64() == Some(1.0) {
        return true;
    }
    alternative.facts.iter().filter_map(|fact| number(fact, Keyword::MultipleOf)).any(|have| {
        compare_numbers(have, want) == Ordering::Equal
            || matches!((have.as_u64(), want.as_u64()), (Some(have), Some(want)) if want != 0 && have % want == 0)
    })
}
