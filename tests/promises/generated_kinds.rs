//! The generated schemas are of every kind: what is never generated is never tested.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::arbitrary::Arbitrarily;
use crate::arbitrary::places::{meant, schemas};
use crate::generated::input;
use crate::nearby::nearby;
use crate::support::oracle;

const SAMPLE: u64 = 2_000;

/// Each keyword stands in so many schema objects of the sample at least.
const EACH_KEYWORD: usize = 100;

/// Each kind of schema occurs so often at least.
const EACH_KIND: usize = 40;

/// Keywords that are settled when a schema is lifted, and therefore not in the library's vocabulary.
const SETTLED_BY_LIFTING: [&str; 5] = ["$dynamicRef", "$dynamicAnchor", "$anchor", "$id", "$defs"];

/// Places that a reference seldom leads to.
const ODD: [&str; 9] = [
    "/not",
    "/if",
    "/then",
    "/else",
    "/contains",
    "/propertyNames",
    "/dependentSchemas/",
    "/patternProperties/",
    "/unevaluated",
];

fn sample() -> impl Iterator<Item = Value> {
    (0..SAMPLE).map(|number| input::<Arbitrarily>(1, number).0)
}

/// The keywords of the library's own table that can change a verdict; the one of its own making left out.
fn constraining_keywords() -> Vec<&'static str> {
    let table = include_str!("../../src/vocabulary.rs");
    let rows = table.lines().filter(|line| line.ends_with("];") && line.starts_with("    "));
    let keywords = rows.filter_map(|row| {
        let (_, after) = row.split_once('"')?;
        let (name, holds_and_role) = after.split_once('"')?;
        (!holds_and_role.contains(" Annotation ") && !name.starts_with("x-")).then_some(name)
    });
    keywords.collect()
}

#[test]
fn every_keyword_occurs() {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for schema in sample() {
        for place in schemas(&schema) {
            for keyword in schema.pointer(&place).and_then(Value::as_object).into_iter().flatten() {
                *counts.entry(keyword.0.clone()).or_default() += 1;
            }
        }
    }
    let keywords = constraining_keywords();
    assert!(keywords.len() >= 38, "the table is not read: {keywords:?}");
    let count = |keyword: &str| counts.get(keyword).copied().unwrap_or_default();
    let all = keywords.into_iter().chain(SETTLED_BY_LIFTING);
    let rare: Vec<_> =
        all.map(|keyword| (keyword, count(keyword))).filter(|it| it.1 < EACH_KEYWORD).collect();
    assert!(rare.is_empty(), "too rare: {rare:?} of {counts:?}");
}

#[test]
fn every_kind_occurs() {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for schema in sample() {
        for kind in kinds(&schema) {
            *counts.entry(kind).or_default() += 1;
        }
    }
    let rare: Vec<_> = KINDS
        .iter()
        .map(|kind| (*kind, counts.get(kind).copied().unwrap_or_default()))
        .filter(|(_, count)| *count < EACH_KIND)
        .collect();
    assert!(rare.is_empty(), "too rare: {rare:?} of {counts:?}");
}

const KINDS: [&str; 9] = [
    "recursion",
    "recursion through a branch",
    "a reference to an odd place",
    "a reference to another resource",
    "a boolean schema",
    "not in not, oneOf in not, not in oneOf",
    "a condition in a condition",
    "unevaluated beside a branch or a reference",
    "two schemas for the items or the properties of one value",
];

fn kinds(root: &Value) -> Vec<&'static str> {
    let mut kinds = Vec::new();
    for place in schemas(root) {
        let Some(schema) = root.pointer(&place) else { continue };
        let has = |keyword: &str| schema.get(keyword).is_some();
        let nested = |outer: &[&str], inner: &[&str]| {
            inner.iter().any(|inner| has(inner)) && outer.iter().any(|outer| place.contains(outer))
        };
        let branches = ["allOf", "anyOf", "oneOf", "if", "$ref", "dependentSchemas"];
        let parts = ["items", "properties", "additionalProperties", "patternProperties"];
        kinds.extend(
            [
                ("a boolean schema", schema.is_boolean()),
                (KINDS[5], nested(&["/not"], &["not", "oneOf"]) || nested(&["/oneOf/"], &["not"])),
                (KINDS[6], nested(&["/if", "/then", "/else"], &["if"])),
                (
                    KINDS[7],
                    (has("unevaluatedItems") || has("unevaluatedProperties"))
                        && branches.iter().any(|branch| has(branch)),
                ),
                (
                    KINDS[8],
                    parts.iter().any(|part| {
                        let conjoined = ["/allOf/0", "/allOf/1", "/anyOf/0", "/oneOf/0"];
                        let speaks = |beside: &&str| schema.pointer(&format!("{beside}/{part}")).is_some();
                        has(part) && conjoined.iter().any(speaks)
                    }),
                ),
            ]
            .into_iter()
            .filter_map(|(kind, is)| is.then_some(kind)),
        );
        for keyword in ["$ref", "$dynamicRef"] {
            let Some(reference) = schema.get(keyword).and_then(Value::as_str) else { continue };
            for target in meant(root, &place, reference) {
                let recursive = place.starts_with(&target);
                let branch = ["anyOf", "oneOf", "not", "if", "then", "else"];
                let below = place.get(target.len()..).unwrap_or_default();
                kinds.extend(recursive.then_some("recursion"));
                kinds.extend((recursive && branch.iter().any(|it| below.contains(it))).then_some(KINDS[1]));
                kinds.extend(ODD.iter().any(|odd| target.contains(odd)).then_some(KINDS[2]));
            }
            kinds.extend((!reference.starts_with('#')).then_some("a reference to another resource"));
        }
    }
    kinds.sort_unstable();
    kinds.dedup();
    kinds
}

/// Instances on both sides tell whether a schema is understood. Schemas that accept nothing, or everything
/// that is tried, have to be among the others, but not too many.
#[test]
fn the_instances_are_on_both_sides() {
    let (mut both, mut never, mut always, mut refused) = (0, 0, 0, 0);
    for schema in sample() {
        let Some(validator) = oracle(&schema) else {
            refused += 1;
            continue;
        };
        let instances = nearby(&schema);
        let valid = instances.iter().filter(|instance| validator.is_valid(instance)).count();
        match valid {
            0 => never += 1,
            valid if valid == instances.len() => always += 1,
            _ => both += 1,
        }
    }
    println!("both sides {both}, nothing accepted {never}, everything accepted {always}, refused {refused}");
    assert!(both >= 1_200 && never >= 100 && always >= 100 && refused <= 20);
}
