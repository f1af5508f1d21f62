//! Telling the branches of a union apart by something cheap: a type, or the value of a constant property.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use crate::schema::{Document, Schema, same_value};
use crate::vocabulary::{Keyword, Types};

/// Schemas looked through for one branch.
const MAX_SCHEMAS: usize = 32;

/// Aliases followed to find the listed values of a property.
const MAX_ALIASES: usize = 8;

/// Unions in unions that are looked into, and the members of one.
const MAX_UNIONS: usize = 3;
const MAX_MEMBERS: usize = 32;

/// Required names that are remembered.
const MAX_NAMES: usize = 64;

/// A necessary condition of a branch, cheap to state: its types and the values of constant properties.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Test {
    pub(crate) types: Types,
    /// Required properties whose value is one of a list.
    pub(crate) properties: Vec<(String, Vec<Value>)>,
    /// Required properties that another branch does not allow.
    pub(crate) required: Vec<String>,
    /// The values themselves, where they are listed; not part of what a residual states.
    pub(crate) literals: Option<Vec<Value>>,
    /// Properties that are required, and the only ones that there may be; not part of what a residual states.
    names: Names,
}

#[derive(Debug, Clone, PartialEq, Default)]
struct Names {
    required: Vec<String>,
    allowed: Option<Vec<String>>,
}

impl Names {
    /// Whether one requires what the other does not allow.
    fn exclude(&self, other: &Names) -> bool {
        let lacks = |allowed: &Option<Vec<String>>, required: &[String]| {
            allowed.as_ref().is_some_and(|allowed| required.iter().any(|name| !allowed.contains(name)))
        };
        lacks(&self.allowed, &other.required) || lacks(&other.allowed, &self.required)
    }
}

impl Test {
    /// The condition that holds always.
    pub(crate) fn always() -> Test {
        Test {
            types: Types::ANY,
            properties: Vec::new(),
            required: Vec::new(),
            literals: None,
            names: Names::default(),
        }
    }

    /// Whether every value that passes the other test, as it is stated, passes this one.
    pub(crate) fn contains(&self, other: &Test) -> bool {
        let listed = |name: &String| other.properties.iter().find(|(known, _)| known == name);
        self.types.contains(other.types)
            && self.required.iter().all(|name| other.required.contains(name) || listed(name).is_some())
            && self.properties.iter().all(|(name, values)| {
                let is_allowed = |value: &Value| values.iter().any(|known| same_value(known, value));
                listed(name).is_some_and(|(_, others)| others.iter().all(is_allowed))
            })
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
            && (self.names.exclude(&other.names)
                || self.properties.iter().any(|(name, values)| {
                    other.properties.iter().any(|(other, others)| name == other && disjoint(values, others))
                }))
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

/// A necessary condition for each branch: its types, the values of those required properties that have listed
/// values in more than one branch, and those required properties that another branch does not allow.
pub(crate) fn tests(document: &Document, branches: &[Schema]) -> Vec<Test> {
    let mut tests: Vec<Test> = branches.iter().map(|branch| necessary(document, branch, 0)).collect();
    let tests_are_few = tests.len() <= MAX_MEMBERS;
    let mut counts: HashMap<String, usize> = HashMap::new();
    for (name, _) in tests.iter().flat_map(|test| &test.properties) {
        *counts.entry(name.clone()).or_default() += 1;
    }
    let allowed: Vec<Vec<String>> = tests.iter().filter_map(|test| test.names.allowed.clone()).collect();
    for test in &mut tests {
        let objects = test.types == Types::OBJECT;
        if objects && tests_are_few {
            let telling = |name: &&String| allowed.iter().any(|allowed| !allowed.contains(name));
            test.required = test.names.required.iter().filter(telling).cloned().collect();
        }
        test.properties.retain(|(name, _)| objects && counts.get(name).is_some_and(|count| *count > 1));
    }
    tests
}

/// What a schema's own keywords, its references and its `allOf` show to be necessary, and the values that all
/// branches of a union in it list.
fn necessary(document: &Document, branch: &Schema, depth: usize) -> Test {
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
        for keyword in [Keyword::AnyOf, Keyword::OneOf] {
            let members = schema.schemas(keyword);
            if !members.is_empty() && members.len() <= MAX_MEMBERS && depth < MAX_UNIONS {
                of_union(document, members, depth, &mut test);
            }
        }
        let closed = schema.schema(Keyword::AdditionalProperties).is_some_and(Schema::is_never);
        if closed && schema.named(Keyword::PatternProperties).is_empty() {
            let names = schema.named(Keyword::Properties).iter().map(|(name, _)| name.clone());
            test.names.allowed.get_or_insert_with(|| names.collect());
        }
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
    let required = required.into_iter().take(MAX_NAMES).map(str::to_owned).collect();
    test.names.required = required;
    test
}

/// What is necessary for any of the members.
fn of_union(document: &Document, members: &[Schema], depth: usize, test: &mut Test) {
    let members: Vec<Test> = members.iter().map(|member| necessary(document, member, depth + 1)).collect();
    test.types = test.types.and(members.iter().fold(Types::EMPTY, |types, member| types.with(member.types)));
    if test.literals.is_none() {
        let values: Option<Vec<Vec<Value>>> = members.into_iter().map(|member| member.literals).collect();
        test.literals = values.map(|values| values.into_iter().flatten().collect());
    }
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
    fn a_required_name_that_a_closed_object_lacks_tells_objects_apart() {
        let document = Document::new(Schema::always(Origin(0)));
        let with = |name: &str| {
            Schema::of_types(Origin(0), Types::OBJECT)
                .with(Keyword::Properties, vec![(name.to_owned(), Schema::always(Origin(0)))])
                .with(Keyword::Required, json!([name]))
        };
        let closed = |name: &str| with(name).with(Keyword::AdditionalProperties, Schema::never(Origin(0)));
        assert!(exclude_each_other(&tests(&document, &[closed("a"), with("b")])));
        assert!(!exclude_each_other(&tests(&document, &[with("a"), with("b")])));
        let mut optional = with("b");
        optional.remove(Keyword::Required);
        assert!(!exclude_each_other(&tests(&document, &[closed("a"), optional])));
    }

    #[test]
    fn values_listed_in_a_union_tell_branches_apart() {
        let document = Document::new(Schema::always(Origin(0)));
        let listed = |values: Value| Schema::always(Origin(0)).with(Keyword::Enum, values);
        let either = |left: Value, right: Value| {
            Schema::always(Origin(0)).with(Keyword::OneOf, vec![listed(left), listed(right)])
        };
        let one = either(json!(["a"]), json!(["b"]));
        assert!(exclude_each_other(&tests(&document, &[one.clone(), listed(json!(["c"]))])));
        assert!(!exclude_each_other(&tests(&document, &[one, either(json!(["c"]), json!(["b"]))])));
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
