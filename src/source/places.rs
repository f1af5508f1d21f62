//! Where in the source a value is.
//!
//! References are resolved to values; reports speak of pointers. Values inside one borrowed document
//! have distinct addresses, so the address of a value tells its pointer.

use std::collections::HashMap;

use serde_json::Value;

/// The address by which a value in the source is known.
pub(super) fn address(value: &Value) -> usize {
    std::ptr::from_ref(value).addr()
}

enum Token<'a> {
    Root,
    Name(&'a str),
    Index(usize),
}

struct Place<'a> {
    value: &'a Value,
    parent: usize,
    token: Token<'a>,
}

/// Every value in a document.
pub(super) struct Places<'a> {
    places: Vec<Place<'a>>,
    by_address: HashMap<usize, usize>,
}

impl<'a> Places<'a> {
    pub(super) fn new(source: &'a Value) -> Places<'a> {
        let mut places = vec![Place { value: source, parent: 0, token: Token::Root }];
        let mut next = 0;
        while let Some(value) = places.get(next).map(|place| place.value) {
            match value {
                Value::Object(members) => places.extend(members.iter().map(|(name, value)| Place {
                    value,
                    parent: next,
                    token: Token::Name(name),
                })),
                Value::Array(items) => places.extend(items.iter().enumerate().map(|(index, value)| Place {
                    value,
                    parent: next,
                    token: Token::Index(index),
                })),
                _ => {}
            }
            next += 1;
        }
        let by_address =
            places.iter().enumerate().map(|(index, place)| (address(place.value), index)).collect();
        Places { places, by_address }
    }

    /// The value of this address, and the pointer to it; `None` for a value of another document.
    pub(super) fn find(&self, address: usize) -> Option<(&'a Value, String)> {
        let mut place = self.places.get(*self.by_address.get(&address)?)?;
        let value = place.value;
        let mut tokens = Vec::new();
        loop {
            match place.token {
                Token::Root => break,
                Token::Name(name) => tokens.push(escape(name)),
                Token::Index(index) => tokens.push(index.to_string()),
            }
            place = self.places.get(place.parent)?;
        }
        let pointer = tokens.iter().rev().fold("#".to_owned(), |mut pointer, token| {
            pointer.push('/');
            pointer.push_str(token);
            pointer
        });
        Some((value, pointer))
    }

    /// The pointer to the first string member of one of these names that `wanted` picks.
    pub(super) fn member(&self, names: &[&str], wanted: impl Fn(&str) -> bool) -> Option<String> {
        let place = self.places.iter().find(|place| match (&place.token, place.value) {
            (Token::Name(name), Value::String(text)) => names.contains(name) && wanted(text),
            _ => false,
        })?;
        Some(self.find(address(place.value))?.1)
    }
}

/// A name as a token of a JSON Pointer.
pub(super) fn escape(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// The pointer to a member.
pub(super) fn member(pointer: &str, name: &str) -> String {
    format!("{pointer}/{}", escape(name))
}

/// The pointer to an item.
pub(super) fn item(pointer: &str, index: usize) -> String {
    format!("{pointer}/{index}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_value_is_found_by_its_address() {
        let source = json!({"a/b": [{"~": true}]});
        let places = Places::new(&source);
        let inner = source.pointer("/a~1b/0/~0").unwrap();
        assert_eq!(places.find(address(inner)).unwrap().1, "#/a~1b/0/~0");
        assert_eq!(places.find(address(&source)).unwrap().1, "#");
        assert!(places.find(address(&json!(true))).is_none());
    }
}
