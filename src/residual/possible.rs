//! What no accepted instance of a document has: types without values, and branches that never hold.
//!
//! Types of which there is no value are seen from what is required.
//! A value of a type is impossible where what must be in it is: a required property that no value can have, a
//! first item where there has to be one, or a count that excludes itself. Whatever is not looked into (for its
//! depth, or for its number) counts as possible, so that *impossible* is certain.

use std::collections::HashSet;

use super::converted::Converted;
use super::losses_between;
use super::view::{Alternative, View};
use crate::schema::{Document, Origin, Schema};
use crate::vocabulary::{Keyword, Types};

/// Parts of parts that are looked into.
const DEEPEST: usize = 16;
/// Pairs of branches that are compared in one document.
const MOST_PAIRS: usize = 256;
/// Views that are looked into in all.
const MOST_VIEWS: usize = 1_024;

/// The document with a `type` that leaves out the types of which it accepts no value. It means the same.
pub(crate) fn with_possible_types(document: &Document) -> Document {
    let possible = possible_types(document);
    let origin = document.root.origin;
    let root = if possible == Types::ANY {
        document.root.clone()
    } else if possible.is_empty() {
        Schema::never(origin)
    } else {
        Schema::always(origin)
            .with(Keyword::AllOf, vec![document.root.clone(), Schema::of_types(origin, possible)])
    };
    document.map_definitions(root, Schema::clone)
}

/// The types of which the document may accept a value.
fn possible_types(document: &Document) -> Types {
    let converted = Converted::new(document);
    let root = converted.root();
    let mut search = Search { converted: &converted, left: MOST_VIEWS };
    root.alternatives
        .iter()
        .fold(Types::EMPTY, |types, alternative| types.with(search.possible_types(alternative, 0)))
}

/// The places of the schema objects that an accepted instance can be an instance of. A branch of a `oneOf` of which
/// every instance is one of another branch too is never the one that holds, and what is only in there is not
/// reached. Under keywords that ask whether something does not hold everything counts as reached.
pub(crate) fn reached(document: &Document) -> HashSet<Origin> {
    let mut found = HashSet::new();
    let mut entered: HashSet<(&str, bool)> = HashSet::new();
    let mut pending = vec![(&document.root, true)];
    let mut left = MOST_PAIRS;
    while let Some((schema, has_to_hold)) = pending.pop() {
        found.insert(schema.origin);
        for (keyword, part) in schema.keywords() {
            let holds = has_to_hold && !matches!(keyword, Keyword::Not | Keyword::If | Keyword::Contains);
            let is_alive = |branch: &&Schema| {
                !holds || *keyword != Keyword::OneOf || !is_dead(document, schema, branch, &mut left)
            };
            pending.extend(part.schemas().filter(is_alive).map(|part| (part, holds)));
        }
        if let Some(name) = schema.target().filter(|name| entered.insert((name, has_to_hold))) {
            pending.extend(document.definition(name).map(|definition| (definition, has_to_hold)));
        }
    }
    found
}

/// Whether whatever satisfies a branch of the schema's `oneOf` satisfies another one too.
fn is_dead(document: &Document, schema: &Schema, branch: &Schema, left: &mut usize) -> bool {
    let rooted = |root: &Schema| document.map_definitions(root.clone(), Schema::clone);
    let here = rooted(branch);
    schema.schemas(Keyword::OneOf).iter().filter(|other| !std::ptr::eq(*other, branch)).any(|other| {
        *left = left.saturating_sub(1);
        *left > 0 && losses_between(&rooted(other), &here).is_empty()
    })
}

struct Search<'c, 'd> {
    converted: &'d Converted<'c>,
    left: usize,
}

impl<'c> Search<'c, '_> {
    fn is_impossible(&mut self, view: &View<'c>, depth: usize) -> bool {
        if depth > DEEPEST || self.left == 0 {
            return view.is_empty();
        }
        self.left -= 1;
        view.alternatives.iter().all(|alternative| self.possible_types(alternative, depth).is_empty())
    }

    fn possible_types(&mut self, alternative: &Alternative<'c>, depth: usize) -> Types {
        Types::EACH.into_iter().fold(alternative.types, |types, one| {
            let is_impossible = !types.and(one).is_empty() && self.has_none(alternative, one, depth);
            if is_impossible { types.without(one) } else { types }
        })
    }

    /// Whether no value of this one type satisfies the alternative.
    fn has_none(&mut self, alternative: &Alternative<'c>, one: Types, depth: usize) -> bool {
        let crossed = |least, most| crossed(alternative, least, most);
        if one == Types::OBJECT {
            crossed(Keyword::MinProperties, Keyword::MaxProperties)
                || self.lacks_a_property(alternative, depth)
        } else if one == Types::ARRAY {
            crossed(Keyword::MinItems, Keyword::MaxItems) || self.lacks_an_item(alternative, depth)
        } else if one == Types::STRING {
            crossed(Keyword::MinLength, Keyword::MaxLength)
        } else {
            false
        }
    }

    fn lacks_a_property(&mut self, alternative: &Alternative<'c>, depth: usize) -> bool {
        let view = View { alternatives: vec![alternative.clone()] };
        let mut names: Vec<&str> = alternative.facts.iter().flat_map(|fact| fact.required()).collect();
        names.sort_unstable();
        names.dedup();
        names.into_iter().any(|name| {
            let property = self.converted.property(&view, name);
            self.is_impossible(&property, depth + 1)
        })
    }

    fn lacks_an_item(&mut self, alternative: &Alternative<'c>, depth: usize) -> bool {
        let has_to_be = |fact: &&Schema| fact.count(Keyword::MinItems).is_some_and(|least| least > 0);
        alternative.facts.iter().any(has_to_be) && {
            let view = View { alternatives: vec![alternative.clone()] };
            let first = self.converted.item(&view, 0);
            self.is_impossible(&first, depth + 1)
        }
    }
}

/// Whether a least count is above a largest one.
fn crossed(alternative: &Alternative<'_>, least: Keyword, most: Keyword) -> bool {
    let counts = |keyword| alternative.facts.iter().filter_map(move |fact| fact.count(keyword));
    counts(least).max().zip(counts(most).min()).is_some_and(|(least, most)| least > most)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::source::{Budget, lift};

    fn possible(schema: &Value) -> Types {
        possible_types(&lift(schema, &Budget::default()).unwrap().document)
    }

    #[test]
    fn what_must_be_there_and_cannot() {
        let closed = json!({"type": "object", "properties": {"a": true}, "additionalProperties": false,
            "required": ["b"]});
        assert_eq!(possible(&closed), Types::EMPTY);
        assert_eq!(possible(&json!({"type": "array", "minItems": 1, "items": closed})), Types::EMPTY);
        assert_eq!(possible(&json!({"minItems": 1, "items": closed})), Types::ANY.without(Types::ARRAY));
        let within = json!({"$defs": {"c": closed}, "type": ["object", "null"], "required": ["x"],
            "properties": {"x": {"anyOf": [{"$ref": "#/$defs/c"}, false]}}});
        assert_eq!(possible(&within), Types::NULL);
        let lengths = json!({"type": "string", "allOf": [{"minLength": 3}, {"maxLength": 2}]});
        assert_eq!(possible(&lengths), Types::EMPTY);
    }

    #[test]
    fn what_need_not_be_there() {
        let closed = json!({"type": "object", "additionalProperties": false, "required": ["b"]});
        assert_eq!(possible(&json!({"type": "array", "items": closed})), Types::ARRAY);
        assert_eq!(possible(&json!({"type": "object", "properties": {"x": closed}})), Types::OBJECT);
        let named = json!({"type": "object", "patternProperties": {"^b": true}, "additionalProperties": false,
            "required": ["b"]});
        assert_eq!(possible(&named), Types::OBJECT);
        let list = json!({"type": ["object", "null"], "properties": {"next": {"$ref": "#"}},
            "required": ["next"]});
        assert_eq!(possible(&list), Types::OBJECT.with(Types::NULL));
    }

    #[test]
    fn a_branch_within_another_never_holds_alone() {
        let graph = json!({"type": "object", "required": ["type"]});
        let elastic = json!({"type": "object", "required": ["type", "filter"]});
        let union =
            json!({"oneOf": [{"$ref": "#/$defs/elastic"}, {"type": "null"}, {"$ref": "#/$defs/graph"}]});
        let reached_in = |schema: &Value| {
            let lifted = lift(schema, &Budget::default()).unwrap();
            let reached = reached(&lifted.document);
            let pointers = reached.into_iter().map(|origin| lifted.pointer(origin).to_owned());
            pointers.collect::<std::collections::BTreeSet<String>>()
        };
        let definitions = json!({"graph": graph, "elastic": elastic});
        let found = reached_in(&json!({"$defs": definitions, "items": union}));
        assert!(found.contains("#/$defs/graph") && !found.contains("#/$defs/elastic"), "{found:?}");
        let found = reached_in(&json!({"$defs": definitions, "not": union}));
        assert!(found.contains("#/$defs/graph") && found.contains("#/$defs/elastic"), "{found:?}");
    }

    #[test]
    fn what_is_impossible_is_left_out() {
        let schema = json!({"minItems": 2, "maxItems": 1, "type": ["array", "null"]});
        let document = lift(&schema, &Budget::default()).unwrap().document;
        assert_eq!(with_possible_types(&document).to_value(), json!({"allOf": [schema, {"type": "null"}]}));
    }
}
