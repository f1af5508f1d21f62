//! Which features a regular expression uses, as far as providers tell them apart.
//!
//! A scan over the characters is enough: every feature is told by its spelling outside of a character
//! class, apart from `\p`, `\d` and the like, which count inside one as well.

use crate::target::RegexFeature;

/// Repetition counts from here on are called large where a source says "large" and gives no number.
const LARGE_REPEAT: u64 = 1_000;

/// The features that the pattern uses, each once.
pub(crate) fn regex_features(pattern: &str) -> Vec<RegexFeature> {
    let mut features = Vec::new();
    let mut found = |feature| {
        if !features.contains(&feature) {
            features.push(feature);
        }
    };
    let mut rest = pattern;
    let mut in_class = false;
    let mut is_negated = false;
    while let Some(character) = rest.chars().next() {
        let after = rest.get(character.len_utf8()..).unwrap_or("");
        match character {
            '\\' => {
                let escaped = after.chars().next();
                if in_class && is_negated && escaped == Some('\\') {
                    found(RegexFeature::ExcludedBackslash);
                }
                escape(escaped, in_class).map(&mut found);
                rest = after.get(escaped.map_or(0, char::len_utf8)..).unwrap_or("");
                continue;
            }
            '[' if !in_class => {
                in_class = true;
                is_negated = after.starts_with('^');
            }
            ']' => in_class = false,
            '^' | '$' if !in_class => found(RegexFeature::Anchors),
            '(' if !in_class => {
                group(after).map(&mut found);
            }
            '{' if !in_class && largest_repeat(after) >= LARGE_REPEAT => found(RegexFeature::LargeRepeat),
            _ => {}
        }
        rest = after;
    }
    let (inner, starts, ends) = unanchored(pattern);
    if has_anchor(inner) {
        found(RegexFeature::InnerAnchor);
    }
    if !(starts && ends) {
        found(RegexFeature::Unanchored);
    }
    features
}

/// One piece of a pattern.
pub(crate) enum Piece<'p> {
    /// A backslash and what follows, inside a class or not.
    Escape(&'p str, bool),
    /// Any other character, inside a class or not.
    Plain(char, bool),
}

/// The pieces of a pattern, in order.
pub(crate) fn pieces(pattern: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut rest = pattern;
    let mut in_class = false;
    std::iter::from_fn(move || {
        let character = rest.chars().next()?;
        let escaped = rest.chars().nth(1).filter(|_| character == '\\');
        let length = character.len_utf8() + escaped.map_or(0, char::len_utf8);
        let (text, after) = rest.split_at_checked(length)?;
        rest = after;
        if character == '\\' {
            return Some(Piece::Escape(text, in_class));
        }
        let opens = character == '[' && !in_class;
        in_class &= character != ']';
        let piece = Piece::Plain(character, in_class);
        in_class |= opens;
        Some(piece)
    })
}

/// Whether there is a `^` or a `$` that is not escaped and not in a class.
pub(crate) fn has_anchor(pattern: &str) -> bool {
    pieces(pattern).any(|piece| matches!(piece, Piece::Plain('^' | '$', false)))
}

/// The largest repetition count in the pattern.
pub(crate) fn largest_repetition(pattern: &str) -> u64 {
    pattern.split('{').skip(1).map(largest_repeat).max().unwrap_or(0)
}

/// Whether the pattern begins with `^` and ends with `$`, and no alternative escapes from between them.
pub(crate) fn is_anchored(pattern: &str) -> bool {
    let (_, starts, ends) = unanchored(pattern);
    starts && ends
}

/// The pattern without the `^` and the `$` around all of it, and whether they were there.
pub(crate) fn unanchored(pattern: &str) -> (&str, bool, bool) {
    if has_top_level_alternative(pattern) {
        return (pattern, false, false);
    }
    let (inner, starts) = pattern.strip_prefix('^').map_or((pattern, false), |rest| (rest, true));
    let ends = inner.strip_suffix('$').filter(|rest| {
        let backslashes = rest.chars().rev().take_while(|character| *character == '\\').count();
        backslashes % 2 == 0
    });
    ends.map_or((inner, starts, false), |inner| (inner, starts, true))
}

fn has_top_level_alternative(pattern: &str) -> bool {
    let mut depth = 0_usize;
    pieces(pattern).any(|piece| {
        match piece {
            Piece::Plain('(', false) => depth += 1,
            Piece::Plain(')', false) => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && matches!(piece, Piece::Plain('|', false))
    })
}

fn escape(escaped: Option<char>, in_class: bool) -> Option<RegexFeature> {
    match escaped? {
        '1'..='9' | 'k' if !in_class => Some(RegexFeature::Backreference),
        'b' | 'B' if !in_class => Some(RegexFeature::WordBoundary),
        'c' => Some(RegexFeature::ControlEscape),
        'p' | 'P' => Some(RegexFeature::UnicodeClass),
        'd' | 'D' | 'w' | 'W' | 's' | 'S' => Some(RegexFeature::ShorthandClass),
        _ => None,
    }
}

/// What the text after an opening parenthesis makes the group.
fn group(after: &str) -> Option<RegexFeature> {
    let kind = after.strip_prefix('?')?;
    if ["=", "!", "<=", "<!"].iter().any(|sign| kind.starts_with(sign)) {
        return Some(RegexFeature::Lookaround);
    }
    if kind.starts_with('(') {
        return Some(RegexFeature::Conditionals);
    }
    let flag = kind.starts_with('-') || kind.starts_with(|c: char| c.is_ascii_alphabetic() && c != 'P');
    flag.then_some(RegexFeature::InlineFlags)
}

fn largest_repeat(after: &str) -> u64 {
    let Some((counts, _)) = after.split_once('}') else { return 0 };
    counts.split(',').filter_map(|count| count.parse().ok()).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_are_told_by_position() {
        assert_eq!(regex_features("^[a-z]{2,5}$"), [RegexFeature::Anchors]);
        assert_eq!(
            regex_features(r"^(?=.*\d)a$"),
            [RegexFeature::Anchors, RegexFeature::Lookaround, RegexFeature::ShorthandClass]
        );
        assert_eq!(regex_features(r"^[\b$^(?=]\\$"), [RegexFeature::Anchors]);
        assert!(regex_features(r"(a)\1").contains(&RegexFeature::Backreference));
        assert!(regex_features("^a|b$").contains(&RegexFeature::Unanchored));
        assert!(regex_features("^a($|b)$").contains(&RegexFeature::InnerAnchor));
        assert!(!regex_features(r"^[$^]\$$").contains(&RegexFeature::InnerAnchor));
        assert!(regex_features(r"[^a\\]").contains(&RegexFeature::ExcludedBackslash));
        assert!(!regex_features(r"[a\\][^\w]").contains(&RegexFeature::ExcludedBackslash));
        assert!(regex_features(r"\cA").contains(&RegexFeature::ControlEscape));
        assert!(regex_features(r"^a\$").contains(&RegexFeature::Unanchored));
        assert!(!regex_features("^(a|b)$").contains(&RegexFeature::Unanchored));
        assert!(regex_features("^a{1,2000}$").contains(&RegexFeature::LargeRepeat));
        assert!(regex_features("(?i:a)").contains(&RegexFeature::InlineFlags));
        assert!(!regex_features("(?:a)(?P<n>b)").contains(&RegexFeature::InlineFlags));
    }
}
