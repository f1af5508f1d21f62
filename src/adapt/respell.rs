//! Regular expressions, written so that a target reads them the way the standard does.
//!
//! Where a target matches the whole string, or its source does not say whether it does, a pattern that is to be
//! searched for says itself what may stand around it. Where `.` matches line ends there, a class without them takes
//! its place. What a target has no shorthand for is written out. Each of these means the same to the standard, so
//! nothing has to be undone.

use super::regex_features::{Piece, has_anchor, pieces, unanchored};
use crate::target::{PatternMatch, RegexFeature, Restriction, Target};
use crate::vocabulary::Keyword;

/// What may stand before and after what is searched for.
const ANYTHING: &str = r"[\s\S]*";

/// The line ends that `.` does not match.
const NOT_A_LINE_END: &str = r"[^\n\r\u2028\u2029]";

/// The pattern as it is to be sent under this keyword.
pub(crate) fn respelled(pattern: &str, keyword: Keyword, target: &Target) -> String {
    let refused = |feature| refuses(&target.support(keyword).restriction, feature);
    let mut text = pattern.to_owned();
    if refused(RegexFeature::ShorthandClass) {
        text = without_shorthand(&text);
    }
    if target.semantics().dot_matches_newline {
        text = without_dots(&text);
    }
    if matching(keyword, target) == PatternMatch::Search {
        return text;
    }
    let (inner, starts, ends) = unanchored(&text);
    let (start, end) = if target.structure().strip_anchors { ("", "") } else { ("^", "$") };
    match (starts, ends) {
        (true, true) => format!("{start}{inner}{end}"),
        // What may stand around it takes a shorthand.
        _ if refused(RegexFeature::ShorthandClass) => text,
        (true, false) => format!("{start}(?:{inner}){ANYTHING}{end}"),
        (false, true) => format!("{start}{ANYTHING}(?:{inner}){end}"),
        (false, false) => format!("{start}{ANYTHING}(?:{inner}){ANYTHING}{end}"),
    }
}

/// Whether the target reads the respelled pattern as it is meant. Where it matches the whole string, an anchor
/// within has no meaning.
pub(crate) fn is_read_as_meant(pattern: &str, keyword: Keyword, target: &Target) -> bool {
    matching(keyword, target) != PatternMatch::Whole || !has_anchor(unanchored(pattern).0)
}

/// Whether the target may read the respelled pattern more loosely: it is sent without its anchors, and nothing says
/// that the whole string is matched.
pub(crate) fn may_be_searched_for(pattern: &str, keyword: Keyword, target: &Target) -> bool {
    let (_, starts, ends) = unanchored(pattern);
    target.structure().strip_anchors
        && (starts || ends)
        && matching(keyword, target) == PatternMatch::Unstated
}

/// How the target matches the patterns under this keyword.
pub(crate) fn matching(keyword: Keyword, target: &Target) -> PatternMatch {
    match keyword {
        Keyword::PatternProperties => target.semantics().pattern_properties,
        _ => target.semantics().pattern,
    }
}

fn refuses(restriction: &Restriction, feature: RegexFeature) -> bool {
    restriction.regex.contains(&feature) || restriction.regex_ignored.contains(&feature)
}

fn written(pattern: &str, write: impl Fn(&Piece<'_>) -> Option<&'static str>) -> String {
    let mut text = String::with_capacity(pattern.len());
    for piece in pieces(pattern) {
        match (write(&piece), piece) {
            (Some(other), _) => text.push_str(other),
            (None, Piece::Escape(escape, _)) => text.push_str(escape),
            (None, Piece::Plain(character, _)) => text.push(character),
        }
    }
    text
}

fn without_dots(pattern: &str) -> String {
    written(pattern, |piece| matches!(piece, Piece::Plain('.', false)).then_some(NOT_A_LINE_END))
}

/// The classes that have a short form and are small: digits and word characters of ASCII, as ECMA-262 reads them.
fn without_shorthand(pattern: &str) -> String {
    written(pattern, |piece| match piece {
        Piece::Escape(r"\d", false) => Some("[0-9]"),
        Piece::Escape(r"\d", true) => Some("0-9"),
        Piece::Escape(r"\D", false) => Some("[^0-9]"),
        Piece::Escape(r"\w", false) => Some("[A-Za-z0-9_]"),
        Piece::Escape(r"\w", true) => Some("A-Za-z0-9_"),
        Piece::Escape(r"\W", false) => Some("[^A-Za-z0-9_]"),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(profile: &str) -> Target {
        Target::from_json(&format!(r#"{{"extends": "openai.strict", "id": "mine", {profile}}}"#)).unwrap()
    }

    fn respell(pattern: &str, profile: &str) -> String {
        respelled(pattern, Keyword::Pattern, &target(profile))
    }

    #[test]
    fn what_is_searched_for_says_what_may_stand_around_it() {
        let whole = r#""semantics": {"pattern": "whole"}"#;
        assert_eq!(respell("^a+$", whole), "^a+$");
        assert_eq!(respell("a+", whole), r"^[\s\S]*(?:a+)[\s\S]*$");
        assert_eq!(respell("^a|b$", whole), r"^[\s\S]*(?:^a|b$)[\s\S]*$");
        assert_eq!(respell("^a", whole), r"^(?:a)[\s\S]*$");
        assert_eq!(respell(r"\$$", whole), r"^[\s\S]*(?:\$)$");
        assert_eq!(respell("a+", r#""semantics": {"pattern": "search"}"#), "a+");
        let stripped = r#""structure": {"strip_anchors": true}, "semantics": {"pattern": "unstated"}"#;
        assert_eq!(respell("^a+$", stripped), "a+");
        assert_eq!(respell("a+", stripped), r"[\s\S]*(?:a+)[\s\S]*");
    }

    #[test]
    fn a_pattern_is_read_as_meant_where_no_anchor_is_lost() {
        let whole = target(r#""semantics": {"pattern": "whole"}"#);
        for (pattern, read) in
            [("^a+$", true), ("a+", true), ("^a", true), ("^a|b$", false), (r"[\^$]\$", true)]
        {
            assert_eq!(is_read_as_meant(pattern, Keyword::Pattern, &whole), read, "{pattern}");
        }
        let stripped =
            target(r#""structure": {"strip_anchors": true}, "semantics": {"pattern": "unstated"}"#);
        assert!(may_be_searched_for("^a$", Keyword::Pattern, &stripped));
        assert!(!may_be_searched_for("a", Keyword::Pattern, &stripped));
    }

    #[test]
    fn dots_and_shorthand_are_written_out_where_they_stand() {
        assert_eq!(without_dots(r"^a.\.[.]$"), format!(r"^a{NOT_A_LINE_END}\.[.]$"));
        assert_eq!(without_shorthand(r"^\d[\w-]\\d\W$"), r"^[0-9][A-Za-z0-9_-]\\d[^A-Za-z0-9_]$");
    }
}
