//! How long a string is that has a `pattern` or a `format`.
//!
//! Both bounds are safe. At least as many characters are in the string as any match of the pattern takes; what is
//! not understood takes none. At most as many are in it as the pattern matches where it holds on to both ends of
//! the text; what is not understood takes any number. The bounds of formats are those that the `jsonschema` crate
//! checks, since that is what a verdict is; of formats that are not only ASCII there are none.

use fancy_regex::{Assertion, Expr};
use regex_syntax::hir::{Class, HirKind};

/// Nodes below each other that are looked at.
const MAX_DEPTH: u32 = 60;

/// The least and the greatest number of characters; without the latter any number.
pub(crate) type Lengths = (u64, Option<u64>);

/// The lengths of the strings in which the pattern matches.
pub(crate) fn of_pattern(pattern: &str) -> Lengths {
    let Ok(tree) = Expr::parse_tree(pattern) else { return (0, None) };
    let (least, most) = of_node(&tree.expr, 0);
    let anchored = match &tree.expr {
        Expr::Concat(parts) => {
            matches!(parts.first(), Some(Expr::Assertion(Assertion::StartText)))
                && matches!(parts.last(), Some(Expr::Assertion(Assertion::EndText)))
        }
        _ => false,
    };
    (least, most.filter(|_| anchored))
}

/// Whether the pattern matches in every string: it is not held to a place, and can match nothing at all there.
pub(crate) fn matches_in_everything(pattern: &str) -> bool {
    Expr::parse_tree(pattern).is_ok_and(|tree| can_match_nothing(&tree.expr, 0))
}

/// Assertions, look-around and references to groups also take no characters, but not everywhere.
fn can_match_nothing(expr: &Expr, depth: u32) -> bool {
    if depth > MAX_DEPTH {
        return false;
    }
    let can = |part: &Expr| can_match_nothing(part, depth + 1);
    match expr {
        Expr::Empty => true,
        Expr::Group(inner) => can(inner),
        Expr::Concat(parts) => parts.iter().all(can),
        Expr::Alt(parts) => parts.iter().any(can),
        Expr::Repeat { child, lo, .. } => *lo == 0 || can(child),
        _ => false,
    }
}

/// The lengths of the strings of the format.
pub(crate) fn of_format(format: &str) -> Lengths {
    match format {
        "date" => (10, Some(10)),
        "date-time" => (20, None),
        "time" => (9, None),
        "duration" => (3, None),
        "hostname" => (1, Some(253)),
        "uuid" => (36, Some(36)),
        "ipv4" => (7, Some(15)),
        "ipv6" => (2, Some(45)),
        _ => (0, None),
    }
}

fn of_node(expr: &Expr, depth: u32) -> Lengths {
    if depth > MAX_DEPTH {
        return (0, None);
    }
    match expr {
        Expr::Empty | Expr::Assertion(_) | Expr::LookAround(..) => (0, Some(0)),
        Expr::Any { .. } => (1, Some(1)),
        Expr::Literal { val, .. } => {
            let count = u64::try_from(val.chars().count()).unwrap_or(0);
            (count, Some(count))
        }
        Expr::Delegate { inner, .. } if is_one_character(inner) => (1, Some(1)),
        Expr::Group(inner) => of_node(inner, depth + 1),
        Expr::AtomicGroup(inner) => of_node(inner, depth + 1),
        Expr::Concat(parts) => {
            parts.iter().map(|part| of_node(part, depth + 1)).fold((0, Some(0)), |sum, part| {
                let most = sum.1.zip(part.1).and_then(|(sum, part)| sum.checked_add(part));
                (sum.0.saturating_add(part.0), most)
            })
        }
        Expr::Alt(parts) => {
            let ways = parts.iter().map(|part| of_node(part, depth + 1));
            let widest = |all: Lengths, part: Lengths| {
                (all.0.min(part.0), all.1.zip(part.1).map(|(all, part)| all.max(part)))
            };
            ways.reduce(widest).unwrap_or((0, None))
        }
        Expr::Repeat { child, lo, hi, .. } => {
            let (least, most) = of_node(child, depth + 1);
            let times = |count: &usize| u64::try_from(*count).unwrap_or(u64::MAX);
            let most = match most {
                Some(0) => Some(0),
                most if *hi != usize::MAX => most.and_then(|most| most.checked_mul(times(hi))),
                _ => None,
            };
            (least.saturating_mul(times(lo)), most)
        }
        _ => (0, None),
    }
}

/// Whether this is a class of characters, and not an assertion that takes none.
fn is_one_character(class: &str) -> bool {
    let tree = regex_syntax::Parser::new().parse(class);
    tree.is_ok_and(|tree| matches!(tree.kind(), HirKind::Class(Class::Unicode(_))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_of_patterns_hold() {
        for (pattern, lengths) in [
            ("^[a-zA-Z0-9._]+(?:[-._a-zA-Z0-9]*)$", (1, None)),
            ("[0-9]{10,10}", (10, None)),
            ("^[0-9]{4}-\\d\\d$", (7, Some(7))),
            ("^(a|bcd)?$", (0, Some(3))),
            ("^a$|^bc$", (1, None)),
            ("^a|b$", (1, None)),
            ("^(?=.{5})é$", (1, Some(1))),
            ("(a)\\1", (1, None)),
            ("^\\bx{2}$", (2, Some(2))),
            ("(", (0, None)),
        ] {
            assert_eq!(of_pattern(pattern), lengths, "{pattern}");
        }
    }

    #[test]
    fn a_pattern_that_can_match_nothing_anywhere_matches_in_everything() {
        for pattern in ["", "[A-Za-z0-9_-]*", "(a|b*)", "(a?b?)+", "a{0,3}"] {
            assert!(matches_in_everything(pattern), "{pattern}");
            let schema = serde_json::json!({"pattern": pattern});
            let validator = crate::differential::compile::draft_2020_12(schema).unwrap();
            assert!(["", "é\n", "zz"].iter().all(|text| validator.is_valid(&(*text).into())), "{pattern}");
        }
        for pattern in ["^a*$", "a*$", "\\b", "(?=a)", "(a)?\\1", "a+", "("] {
            assert!(!matches_in_everything(pattern), "{pattern}");
        }
    }

    #[test]
    fn bounds_of_formats_hold_for_the_crate() {
        let accepts = |format: &str, text: String| {
            let schema = serde_json::json!({"format": format});
            crate::differential::compile::draft_2020_12(schema).unwrap().is_valid(&text.into())
        };
        let longest = format!("{}.{}.{}.{}", "a".repeat(63), "a".repeat(63), "a".repeat(63), "a".repeat(61));
        assert_eq!(longest.len(), 253);
        assert!(accepts("hostname", longest.clone()));
        assert!(!accepts("hostname", format!("{longest}a")));
        for (format, shortest) in [
            ("date", "2024-01-31"),
            ("date-time", "2024-01-31T12:00:00Z"),
            ("time", "12:00:00Z"),
            ("duration", "P1D"),
            ("hostname", "a"),
            ("ipv4", "1.1.1.1"),
            ("ipv6", "::"),
        ] {
            assert_eq!(of_format(format).0, shortest.len() as u64);
            assert!(accepts(format, shortest.to_owned()), "{format}");
        }
    }
}
