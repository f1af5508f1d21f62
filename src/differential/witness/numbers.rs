//! Numbers that meet bounds and multiples exactly.
//!
//! JSON numbers are decimal text, so the arithmetic here is on scaled integers: `0.3` is a multiple of
//! `0.1`, which no arithmetic on binary floats says.

use std::cmp::Ordering;

use serde_json::{Number, Value};

use crate::schema::compare_numbers;
use crate::vocabulary::Types;

/// A decimal number: `units / 10^scale`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Decimal {
    units: i128,
    scale: u32,
}

impl Decimal {
    /// Exactly this number, where it fits 30 digits.
    fn parse(text: &str) -> Option<Decimal> {
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
            None => (text, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let fraction = fraction.trim_end_matches('0');
        let units: i128 = format!("{whole}{fraction}").parse().ok()?;
        let scale = i32::try_from(fraction.len()).ok()?.checked_sub(exponent)?;
        if scale >= 0 {
            let scale = u32::try_from(scale).ok()?;
            return (scale <= 30).then_some(Decimal { units, scale });
        }
        let factor = 10_i128.checked_pow(scale.unsigned_abs())?;
        Some(Decimal { units: units.checked_mul(factor)?, scale: 0 })
    }

    fn of(number: &Number) -> Option<Decimal> {
        Decimal::parse(&number.to_string())
    }

    const fn whole(units: i128) -> Decimal {
        Decimal { units, scale: 0 }
    }

    fn at_scale(self, scale: u32) -> Option<i128> {
        self.units.checked_mul(10_i128.checked_pow(scale.checked_sub(self.scale)?)?)
    }

    /// Both numbers as units of the finer scale.
    fn align(self, other: Decimal) -> Option<(i128, i128, u32)> {
        let scale = self.scale.max(other.scale);
        Some((self.at_scale(scale)?, other.at_scale(scale)?, scale))
    }

    fn plus(self, other: Decimal) -> Option<Decimal> {
        let (left, right, scale) = self.align(other)?;
        Some(Decimal { units: left.checked_add(right)?, scale })
    }

    fn half(self) -> Option<Decimal> {
        Some(Decimal { units: self.units.checked_mul(5)?, scale: self.scale.checked_add(1)? })
    }

    fn is_multiple_of(self, step: Decimal) -> Option<bool> {
        let (number, step, _) = self.align(step)?;
        Some(step != 0 && number.checked_rem(step)? == 0)
    }

    /// The greatest multiple of `step` that is not above this number.
    fn floor_to(self, step: Decimal) -> Option<Decimal> {
        let (number, step, scale) = self.align(step)?;
        let rest = number.checked_rem_euclid(step)?;
        Some(Decimal { units: number.checked_sub(rest)?, scale })
    }

    /// The least number that is a multiple of both.
    fn common_multiple(self, other: Decimal) -> Option<Decimal> {
        let (left, right, scale) = self.align(other)?;
        let (mut a, mut b) = (left, right);
        while b != 0 {
            (a, b) = (b, a.checked_rem(b)?);
        }
        Some(Decimal { units: left.checked_div(a)?.checked_mul(right)?.checked_abs()?, scale })
    }

    fn number(self) -> Option<Number> {
        let mut units = self.units;
        let mut scale = self.scale;
        while scale > 0 && units % 10 == 0 {
            (units, scale) = (units / 10, scale - 1);
        }
        if scale == 0 {
            if let Ok(small) = i64::try_from(units) {
                return Some(small.into());
            }
            if let Ok(large) = u64::try_from(units) {
                return Some(large.into());
            }
        }
        Number::from_f64(format!("{units}e-{scale}").parse().ok()?)
    }
}

/// What a number has to meet.
#[derive(Debug, Clone, Default)]
pub(super) struct NumberFacts<'a> {
    /// The greatest lower bound and whether it is exclusive.
    lower: Option<(&'a Number, bool)>,
    /// The least upper bound and whether it is exclusive.
    upper: Option<(&'a Number, bool)>,
    pub(super) multiples: Vec<&'a Number>,
    pub(super) not_multiples: Vec<&'a Number>,
    /// Whether an integral number has to be written without a fraction, or with one.
    pub(super) literal: Option<bool>,
}

impl<'a> NumberFacts<'a> {
    pub(super) fn at_least(&mut self, bound: &'a Number, exclusive: bool) {
        let tighter = self.lower.is_none_or(|(known, strict)| match compare_numbers(bound, known) {
            Ordering::Greater => true,
            Ordering::Equal => exclusive && !strict,
            Ordering::Less => false,
        });
        if tighter {
            self.lower = Some((bound, exclusive));
        }
    }

    pub(super) fn at_most(&mut self, bound: &'a Number, exclusive: bool) {
        let tighter = self.upper.is_none_or(|(known, strict)| match compare_numbers(bound, known) {
            Ordering::Less => true,
            Ordering::Equal => exclusive && !strict,
            Ordering::Greater => false,
        });
        if tighter {
            self.upper = Some((bound, exclusive));
        }
    }

    pub(super) fn admits(&self, number: &Number) -> bool {
        let above = self.lower.is_none_or(|(bound, exclusive)| match compare_numbers(number, bound) {
            Ordering::Greater => true,
            Ordering::Equal => !exclusive,
            Ordering::Less => false,
        });
        let below = self.upper.is_none_or(|(bound, exclusive)| match compare_numbers(number, bound) {
            Ordering::Less => true,
            Ordering::Equal => !exclusive,
            Ordering::Greater => false,
        });
        above
            && below
            && self.multiples.iter().all(|step| is_multiple(number, step))
            && !self.not_multiples.iter().any(|step| is_multiple(number, step))
            && self.literal.is_none_or(|plain| plain != number.is_f64())
    }

    /// Numbers of these types that meet everything, the plainest first.
    pub(super) fn values(&self, types: Types, limit: usize) -> Vec<Value> {
        let mut found: Vec<Value> = Vec::new();
        let mut offer = |number: Number| {
            let written = match self.literal {
                Some(false) => number.as_f64().and_then(Number::from_f64).unwrap_or(number),
                _ => number,
            };
            let value = Value::Number(written);
            if types.contains(Types::of(&value).without(whole_if_fraction(&value)))
                && matches!(&value, Value::Number(number) if self.admits(number))
                && !found.contains(&value)
            {
                found.push(value);
            }
            found.len() >= limit
        };
        for decimal in self.points(limit) {
            if decimal.number().is_some_and(&mut offer) {
                break;
            }
        }
        for float in self.neighbours() {
            if Number::from_f64(float).is_some_and(&mut offer) {
                break;
            }
        }
        found
    }

    /// Where a number that meets the bounds and multiples is to be looked for.
    fn points(&self, limit: usize) -> Vec<Decimal> {
        let lower = self.lower.and_then(|(bound, _)| Decimal::of(bound));
        let upper = self.upper.and_then(|(bound, _)| Decimal::of(bound));
        let step = self.step().unwrap_or(Decimal::whole(1));
        let mut bases = vec![Decimal::whole(0)];
        bases.extend(lower);
        bases.extend(upper);
        if let (Some(lower), Some(upper)) = (lower, upper) {
            bases.extend(lower.plus(upper).and_then(Decimal::half));
        }
        let mut points = Vec::new();
        let tries = i128::try_from(limit.clamp(2, 1_000)).unwrap_or(2);
        for base in &bases {
            let start = base.floor_to(step).unwrap_or(*base);
            for count in 0..=tries {
                points.extend(times(step, count).and_then(|more| start.plus(more)));
            }
            points.extend(times(step, -1).and_then(|less| start.plus(less)));
        }
        let mut parts: Vec<Decimal> =
            [5, -5, 1, -1, 25].map(|units| Decimal { units, scale: if units == 25 { 2 } else { 1 } }).into();
        parts.extend(self.not_multiples.iter().filter_map(|step| Decimal::of(step)?.half()));
        parts.extend(step.half());
        for base in bases {
            points.push(base);
            points.extend(parts.iter().filter_map(|part| base.plus(*part)));
            points.extend([1, -1].iter().filter_map(|sign| base.plus(Decimal::whole(*sign))));
        }
        points
    }

    /// The floats beside the bounds, for bounds too large or too fine for decimal arithmetic.
    fn neighbours(&self) -> Vec<f64> {
        let bounds = self.lower.iter().chain(&self.upper).filter_map(|(bound, _)| bound.as_f64());
        bounds
            .flat_map(|bound| [bound, bound.next_up(), bound.next_down(), bound * 2.0, bound / 2.0])
            .filter(|float| float.is_finite())
            .collect()
    }

    fn step(&self) -> Option<Decimal> {
        let mut steps = self.multiples.iter().filter_map(|step| Decimal::of(step));
        let first = steps.next()?;
        Some(steps.fold(first, |common, step| common.common_multiple(step).unwrap_or(common)))
    }
}

/// A fraction counts as a number that is not an integer, so that a set of types can hold one without the other.
fn whole_if_fraction(value: &Value) -> Types {
    if Types::of(value) == Types::NUMBER { Types::INTEGER } else { Types::EMPTY }
}

fn times(step: Decimal, count: i128) -> Option<Decimal> {
    Some(Decimal { units: step.units.checked_mul(count)?, scale: step.scale })
}

/// Whether a number is a multiple of another, as decimal numbers.
pub(super) fn is_multiple(number: &Number, step: &Number) -> bool {
    let exact =
        Decimal::of(number).zip(Decimal::of(step)).and_then(|(number, step)| number.is_multiple_of(step));
    exact.unwrap_or_else(|| match (number.as_f64(), step.as_f64()) {
        (Some(number), Some(step)) => number % step == 0.0,
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn number(value: &Value) -> &Number {
        value.as_number().unwrap()
    }

    #[test]
    fn multiples_do_not_round() {
        assert!(is_multiple(number(&json!(0.3)), number(&json!(0.1))));
        assert!(is_multiple(number(&json!(19.99)), number(&json!(0.01))));
        assert!(!is_multiple(number(&json!(0.35)), number(&json!(0.1))));
        assert!(is_multiple(number(&json!(1e300)), number(&json!(1))));
    }

    #[test]
    fn bounds_at_the_ends_of_64_bits_are_met() {
        let (low, high) = (json!(u64::MAX - 1), json!(u64::MAX));
        let mut facts = NumberFacts::default();
        facts.at_least(number(&low), true);
        facts.at_most(number(&high), false);
        assert_eq!(facts.values(Types::INTEGER, 1), [json!(u64::MAX)]);
    }

    #[test]
    fn a_narrow_interval_and_a_decimal_step_meet() {
        let (low, high, step) = (json!(0.25), json!(0.35), json!(0.1));
        let mut facts = NumberFacts { multiples: vec![number(&step)], ..NumberFacts::default() };
        facts.at_least(number(&low), false);
        facts.at_most(number(&high), true);
        assert_eq!(facts.values(Types::NUMBER, 1), [json!(0.3)]);
    }

    #[test]
    fn an_integral_number_can_be_asked_for_with_a_fraction() {
        let facts = NumberFacts { literal: Some(false), ..NumberFacts::default() };
        let value = facts.values(Types::INTEGER, 1).remove(0);
        assert_eq!(value.to_string(), "0.0");
    }
}
