//! Keywords spelled in snake case: `min_length` for `minLength`, as some code generators write them.
//!
//! Only names at the places where keywords stand are read this way; a property called `min_length` is a property.
//! The source is lifted in the usual spelling, and what is said about it afterwards leads back to the user's.

use std::collections::{BTreeSet, HashMap};

use serde_json::{Map, Value};

use super::places::{item, member};
use super::{Budget, Lifted, check_size, lift};
use crate::error::Error;
use crate::schema::Origin;
use crate::vocabulary::{Holds, Keyword};

/// Lifts a source whose keywords may be spelled in snake case. Where both spellings of a keyword are there, the one
/// in snake case counts.
pub(crate) fn lift_snake_case(source: &Value, limits: &Budget) -> Result<Lifted, Error> {
    // Before anything recurses on it.
    check_size(source, limits)?;
    let mut respelled = BTreeSet::new();
    let usual = schema(source, "#", &mut respelled);
    match lift(&usual, limits) {
        Ok(lifted) => Ok(in_the_users_words(lifted, &respelled)),
        Err(Error::InvalidSchema { pointer, reason }) => {
            Err(Error::InvalidSchema { pointer: original(&pointer, &respelled), reason })
        }
        Err(error) => Err(error),
    }
}

/// The schema in the usual spelling. `respelled` gets the pointers, in that spelling, to what had another.
fn schema(value: &Value, pointer: &str, respelled: &mut BTreeSet<String>) -> Value {
    let Value::Object(members) = value else { return value.clone() };
    let mut usual = Map::new();
    for (name, value) in members {
        let spelled = camel_case(name);
        let other = snake_case(name);
        if camel_case(&other).is_some_and(|usual| usual == *name) && members.contains_key(&other) {
            // The other spelling counts.
            continue;
        }
        let name = spelled.as_deref().unwrap_or(name);
        let place = member(pointer, name);
        usual.insert(name.to_owned(), held(name, value, &place, respelled));
        if spelled.is_some() {
            respelled.insert(place);
        }
    }
    Value::Object(usual)
}

/// What a keyword holds, the schemas in it in the usual spelling.
fn held(keyword: &str, value: &Value, place: &str, respelled: &mut BTreeSet<String>) -> Value {
    match (Holds::in_any_draft(keyword, value), value) {
        (Holds::Schema, value) => schema(value, place, respelled),
        (Holds::Schemas, Value::Array(schemas)) => {
            let at = |(index, value): (usize, &Value)| schema(value, &item(place, index), respelled);
            schemas.iter().enumerate().map(at).collect()
        }
        (Holds::NamedSchemas, Value::Object(named)) => {
            let of = |(name, value): (&String, &Value)| {
                (name.clone(), schema(value, &member(place, name), respelled))
            };
            Value::Object(named.iter().map(of).collect())
        }
        (_, value) => value.clone(),
    }
}

/// The keyword that this is the spelling in snake case of.
fn camel_case(name: &str) -> Option<String> {
    if !name.contains('_') {
        return None;
    }
    let mut spelled = String::with_capacity(name.len());
    let mut after_mark = false;
    for letter in name.chars() {
        match letter {
            '_' => after_mark = true,
            letter if after_mark => {
                spelled.extend(letter.to_uppercase());
                after_mark = false;
            }
            letter => spelled.push(letter),
        }
    }
    let is_keyword = Keyword::from_name(&spelled).is_some() || spelled == "additionalItems";
    (is_keyword && snake_case(&spelled) == name).then_some(spelled)
}

fn snake_case(name: &str) -> String {
    let mut spelled = String::with_capacity(name.len() + 4);
    for letter in name.chars() {
        if letter.is_ascii_uppercase() {
            spelled.push('_');
            spelled.push(letter.to_ascii_lowercase());
        } else {
            spelled.push(letter);
        }
    }
    spelled
}

/// The pointer as the user would write it.
fn original(pointer: &str, respelled: &BTreeSet<String>) -> String {
    let mut usual = String::new();
    let mut written = String::new();
    for (index, token) in pointer.split('/').enumerate() {
        if index > 0 {
            usual.push('/');
            written.push('/');
        }
        usual.push_str(token);
        written.push_str(&if respelled.contains(&usual) { snake_case(token) } else { token.to_owned() });
    }
    written
}

fn in_the_users_words(mut lifted: Lifted, respelled: &BTreeSet<String>) -> Lifted {
    let mut spelled_at: HashMap<&str, Vec<Keyword>> = HashMap::new();
    for (holder, name) in respelled.iter().filter_map(|place| place.rsplit_once('/')) {
        spelled_at.entry(holder).or_default().extend(Keyword::from_name(name));
    }
    for (origin, pointer) in (0..).map(Origin).zip(&mut lifted.sources) {
        for keyword in spelled_at.get(pointer.as_str()).into_iter().flatten() {
            lifted.in_snake_case.insert((origin, *keyword), snake_case(keyword.name()));
        }
        *pointer = original(pointer, respelled);
    }
    lifted
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn keywords_are_read_in_either_spelling_and_properties_are_not() {
        let source = json!({
            "type": "object",
            "properties": {
                "min_length": {"type": "string", "min_length": 2, "minLength": 5},
                "a": {"any_of": [{"max_length": 3}, {"const": {"max_length": 1}}]}
            },
            "additional_properties": false
        });
        let lifted = lift_snake_case(&source, &Budget::default()).unwrap();
        assert_eq!(
            lifted.document.to_value(),
            json!({
                "type": "object",
                "properties": {
                    "min_length": {"type": "string", "minLength": 2},
                    "a": {"anyOf": [{"maxLength": 3}, {"const": {"max_length": 1}}]}
                },
                "additionalProperties": false
            })
        );
        let inner = &lifted.document.root.property("a").unwrap().schemas(Keyword::AnyOf)[0];
        assert_eq!(lifted.pointer(inner.origin), "#/properties/a/any_of/0");
        assert_eq!(lifted.keyword_name(inner.origin, Keyword::MaxLength), "max_length");
        assert_eq!(lifted.keyword_name(lifted.document.root.origin, Keyword::Properties), "properties");
    }

    #[test]
    fn errors_lead_to_what_the_user_wrote() {
        let source = json!({"any_of": [{"min_length": -1}]});
        match lift_snake_case(&source, &Budget::default()) {
            Err(Error::InvalidSchema { pointer, .. }) => {
                assert!(pointer.starts_with("#/any_of/0"), "{pointer}")
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn spellings_that_are_no_keywords_stay() {
        assert_eq!(camel_case("min_length").as_deref(), Some("minLength"));
        for name in ["minLength", "my_key", "min__length", "_ref", "Min_length"] {
            assert_eq!(camel_case(name), None, "{name}");
        }
    }
}
