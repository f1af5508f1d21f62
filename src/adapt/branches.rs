//! Telling the branches of a union apart by something cheap: a type, or the value of a constant property.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use crate::schema::{Document, Schema, same_value};
use crate::vocabulary::{Keyword, Types};

/// Schemas looked through for one branch.
const MAX_SCHEMAS: usize = 32;

/// Aliases followed to find the listed values of a property.
const MAX_ALIASES: usize = 8;

/// A necessary condition of a branch, cheap to state: its types and the values of constant properties.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Test {
    pub(crate) types: Types,
    /// Required properties whose value is one of a list.
    pub(crate) properties: Vec<(String, Vec<Value>)>,
    /// The values themselves, where they are listed; not part of what a residual states.
    pub(crate) literals: Option<Vec<Value>>,
}

impl Test {
    /// The condition that holds always.
    pub(crate) fn always() -> Test {
        Test { types: Types::ANY, properties: Vec::new(), literals: None }
    }

    /// Whether no value can pass both.
    pub(crate) fn excludes(&self, other: &Test) -> bool {
        if self.types.and(other.types).is_empty() {
            return true;
        }
        if let (Some(values), Some(others)) = (&self.literals, &other.literals) {
            return disjoint(values, others);
        }
        self.types.with(other.types) == Types::OBJECT
            && self.properties.iter().any(|(name, values)| {
                other.properties.iter().any(|(other, others)| name == other && disjoint(values, others))
            })
    }
}

fn disjoint(values: &[Value], others: &[Value]) -> bool {
    !values.iter().any(|value| others.iter().any(|other| same_value(value, other)))
}

/// Whether no instance passes two of the tests.
pub(crate) fn exclude_each_other(tests: &[Test]) -> bool {
    all_list_other_strings(tests) || each_excludes_each(tests)
}

/// Whether every test lists strings, and no two list the same. Many branches are mostly of this kind, and
/// comparing each with each would take their square.
fn all_list_other_strings(tests: &[Test]) -> bool {
    let mut seen: HashSet<&str> = HashSet::new();
    tests.iter().all(|test| {
        let own: Option<HashSet<&str>> =
            test.literals.as_ref().and_then(|values| values.iter().map(Value::as_str).collect());
        own.is_some_and(|own| own.into_iter().all(|text| seen.insert(text)))
    })
}

fn each_excludes_each(tests: &[Test]) -> bool {
    let mut rest = tests;
    while let Some((test, others)) = rest.split_first() {
        if !others.iter().all(|other| test.excludes(other)) {
            return false;
        }
        rest = others;
    }
    true
}

/// A necessary condition for each branch: its types, and the values of those required properties that have
/// listed values in more than one branch.
pub(crate) fn tests(document: &Document, branches: &[Schema]) -> Vec<Test> {
    let mut tests: Vec<Test> = branches.iter().map(|branch| necessary(document, branch)).collect();
    let mut counts: HashMap<String, usize> = HashMap::new();
    for (name, _) in tests.iter().flat_map(|test| &test.properties) {
        *counts.entry(name.clone()).or_default() += 1;
    }
    for test in &mut tests {
        let objects = test.types == Types::OBJECT;
        test.properties.retain(|(name, _)| objects && counts.get(name).is_some_and(|count| *count > 1));
    }
    tests
}

/// What a schema's own keywords, its references and its `allOf` show to be necessary.
fn necessary(document: &Document, branch: &Schema) -> Test {
    let mut test = Test::always();
    let mut seen: Vec<&Schema> = Vec::new();
    let mut pending = vec![branch];
    while let Some(schema) = pending.pop() {
        if seen.len() > MAX_SCHEMAS || seen.iter().any(|other| std::ptr::eq(*other, schema)) {
            continue;
        }
        seen.push(schema);
        test.types = test.types.and(schema.types());
        if schema.is_never() {
            test.types = Types::EMPTY;
        }
        if let Some(values) = schema.literals() {
            let types = values.iter().fold(Types::EMPTY, |types, value| types.with(Types::of(value)));
            test.types = test.types.and(types);
            test.literals.get_or_insert_with(|| values.into_iter().cloned().collect());
        }
        pending.extend(schema.target().and_then(|name| document.definition(name)));
        pending.extend(schema.schemas(Keyword::AllOf));
    }
    let required: Vec<&str> = seen.iter().flat_map(|schema| schema.required()).collect();
    for (name, property) in seen.iter().flat_map(|schema| schema.named(Keyword::Properties)) {
        let Some(values) = listed_values(document, property) else { continue };
        let scalar = values.iter().all(|value| !value.is_array() && !value.is_object());
        if required.contains(&name.as_str())
            && scalar
            && !test.properties.iter().any(|(known, _)| known == name)
        {
            test.properties.push((name.clone(), values.into_iter().cloned().collect()));
        }
    }
    test
}

fn listed_values<'s>(document: &'s Document, mut property: &'s Schema) -> Option<Vec<&'s Value>> {
    for _ in 0..MAX_ALIASES {
        if let Some(values) = property.literals() {
            return Some(values);
        }
        property = document.definition(property.target()?)?;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::Origin;
    use serde_json::json;

    fn tagged(value: &str) -> Schema {
        let tag = Schema::always(Origin(0)).with(Keyword::Const, json!(value));
        Schema::of_types(Origin(0), Types::OBJECT)
            .with(Keyword::Properties, vec![("kind".to_owned(), tag)])
            .with(Keyword::Required, json!(["kind"]))
    }

    #[test]
    fn a_required_tag_tells_objects_apart_and_an_optional_one_does_not() {
        let document = Document::new(Schema::always(Origin(0)));
        assert!(exclude_each_other(&tests(&document, &[tagged("a"), tagged("b")])));
        let mut optional = tagged("b");
        optional.remove(Keyword::Required);
        assert!(!exclude_each_other(&tests(&document, &[tagged("a"), optional])));
        assert!(!exclude_each_other(&tests(&document, &[tagged("a"), tagged("a")])));
    }

    #[test]
    fn types_and_listed_values_tell_branches_apart() {
        let document = Document::new(Schema::always(Origin(0)));
        let listed = |values: Value| Schema::always(Origin(0)).with(Keyword::Enum, values);
        let number = Schema::of_types(Origin(0), Types::NUMBER);
        assert!(exclude_each_other(&tests(
            &document,
            &[listed(json!(["a"])), number, listed(json!([true, null]))]
        )));
        assert!(!exclude_each_other(&tests(&document, &[listed(json!([1])), listed(json!([2, 1.0]))])));
        assert!(exclude_each_other(&tests(&document, &[listed(json!(["a", "a"])), listed(json!(["b"]))])));
        assert!(!exclude_each_other(&tests(&document, &[listed(json!(["a", "b"])), listed(json!(["b"]))])));
    }
}
