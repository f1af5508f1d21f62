//! How things may be called at a surface.

use regex_syntax::hir::{Class, HirKind};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// How something may be called.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NameRule {
    /// The first character, where it differs from the others.
    #[serde(default)]
    pub(crate) first: Option<Characters>,
    /// The characters.
    pub(crate) characters: Characters,
    /// How many characters at most, where that is limited.
    #[serde(default)]
    pub(crate) max_length: Option<usize>,
}

impl NameRule {
    /// Whether something may have this name. No name is empty.
    pub(crate) fn allows(&self, name: &str) -> bool {
        let first = self.first.as_ref().unwrap_or(&self.characters);
        name.chars().next().is_some_and(|character| first.contains(character))
            && name.chars().all(|character| self.characters.contains(character))
            && self.max_length.is_none_or(|most| name.chars().count() <= most)
    }
}

/// A set of characters, written as a regular expression class: `[a-zA-Z0-9_-]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Characters {
    class: String,
    ranges: Vec<(char, char)>,
}

impl Characters {
    fn parse(class: String) -> Option<Characters> {
        let hir = regex_syntax::Parser::new().parse(&class).ok()?;
        let HirKind::Class(Class::Unicode(set)) = hir.kind() else { return None };
        let ranges = set.ranges().iter().map(|range| (range.start(), range.end())).collect();
        Some(Characters { class, ranges })
    }

    fn contains(&self, character: char) -> bool {
        self.ranges.iter().any(|(low, high)| (*low..=*high).contains(&character))
    }
}

impl<'de> Deserialize<'de> for Characters {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Characters, D::Error> {
        let class = String::deserialize(deserializer)?;
        let refused = D::Error::custom(format!("`{class}` is not a class of characters such as `[a-z0-9]`"));
        Characters::parse(class).ok_or(refused)
    }
}

impl Serialize for Characters {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.class)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_held_to_its_characters_its_first_one_and_its_length() {
        let text = r#"{"first": "[a-z_]", "characters": "[a-z0-9_]", "max_length": 4}"#;
        let rule: NameRule = serde_json::from_str(text).unwrap();
        for (name, allowed) in
            [("a1", true), ("_abc", true), ("1a", false), ("", false), ("a-b", false), ("abcde", false)]
        {
            assert_eq!(rule.allows(name), allowed, "{name}");
        }
        let dashes: NameRule = serde_json::from_str(r#"{"characters": "[^~/]"}"#).unwrap();
        assert!(dashes.allows("é") && !dashes.allows("a/b"));
        assert!(serde_json::from_str::<NameRule>(r#"{"characters": "a+"}"#).is_err());
    }
}
