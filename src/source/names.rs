//! What a definition is called.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The names that are taken.
#[derive(Default)]
pub(super) struct Names {
    taken: HashSet<Arc<str>>,
    /// The last number that was tried for a name, so that many namesakes do not try them all again.
    numbers: HashMap<String, usize>,
}

impl Names {
    /// A name that no other definition has: `wanted`, or `wanted-2` and so on.
    pub(super) fn take(&mut self, wanted: String) -> Arc<str> {
        let mut name: Arc<str> = wanted.as_str().into();
        if self.taken.contains(&name) {
            let number = self.numbers.entry(wanted.clone()).or_insert(1);
            while self.taken.contains(&name) {
                *number += 1;
                name = format!("{wanted}-{number}").into();
            }
        }
        self.taken.insert(Arc::clone(&name));
        name
    }
}

/// The name that a place asks for: the user's own name where it is a definition, otherwise what the
/// reference ends in.
pub(super) fn wanted(pointer: &str, reference: &str) -> String {
    let mut tokens = pointer.rsplit('/');
    let last = tokens.next().unwrap_or("#");
    if last == "#" {
        return "root".to_owned();
    }
    let own = matches!(tokens.next(), Some("$defs" | "definitions"));
    let fragment = reference.split_once('#').map(|(_, fragment)| fragment);
    match fragment {
        Some(anchor) if !own && !anchor.is_empty() && !anchor.starts_with('/') => clean(anchor),
        None | Some("") if !own => {
            let uri = reference.trim_end_matches('#').trim_end_matches('/');
            clean(uri.rsplit(['/', ':']).next().unwrap_or_default())
        }
        _ => clean(&last.replace("~1", "/").replace("~0", "~")),
    }
}

fn clean(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
    let name: String = name.chars().map(|c| if plain(c) { c } else { '_' }).collect();
    if name.is_empty() { "schema".to_owned() } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_users_own_name_comes_first() {
        assert_eq!(wanted("#/$defs/Item", "#item"), "Item");
        assert_eq!(wanted("#/definitions/a~1b c", "#/definitions/a~1b%20c"), "a_b_c");
        assert_eq!(wanted("#/properties/x", "#anchor"), "anchor");
        assert_eq!(wanted("#/properties/x", "http://example.com/item.json"), "item.json");
        assert_eq!(wanted("#/properties/x", "urn:example:item"), "item");
        assert_eq!(wanted("#/properties/x", "#/properties/x"), "x");
        assert_eq!(wanted("#", "#"), "root");
        assert_eq!(wanted("#/$defs/", "#/$defs/"), "schema");
    }

    #[test]
    fn namesakes_are_numbered() {
        let mut names = Names::default();
        let mut take = |name: &str| names.take(name.to_owned()).to_string();
        assert_eq!([take("a"), take("a-2"), take("a"), take("a")], ["a", "a-2", "a-3", "a-4"]);
    }
}
