//! The schemas and the targets over which the rules are held to their word.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use serde_json::{Map, Value, json};

use super::schemas::written_for;
use crate::adapt::rules::RULES;
use crate::schema::Document;
use crate::target::{Target, profiles};
use crate::test_material::{self, every, field_reports, json_files, maskbench, read};
use crate::vocabulary::{Keyword, Types};

/// A schema, and the rule that it was written for.
pub(super) struct Case {
    pub(super) name: String,
    pub(super) written_for: Option<&'static str>,
    pub(super) schema: Value,
}

impl Case {
    fn new(name: impl Into<String>, schema: Value) -> Case {
        Case { name: name.into(), written_for: None, schema }
    }
}

/// The schemas written for the rules, all of the corpus, and some of the data.
pub(super) fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for rule in RULES {
        for (number, schema) in written_for(rule.name).into_iter().enumerate() {
            let name = format!("{} {number}", rule.name);
            cases.push(Case { name, written_for: Some(rule.name), schema });
        }
    }
    cases.extend(corpus());
    cases.extend(data());
    cases
}

/// Whether a definition is what it is not: `a` is `not a`. The specification leaves the behaviour undefined, and
/// what a validator makes of it depends on how often it goes round.
pub(super) fn has_no_meaning(document: &Document) -> bool {
    let mut all: HashMap<&str, Vec<&str>> = HashMap::new();
    let mut negative: Vec<(&str, &str)> = Vec::new();
    for (name, definition) in document.definitions() {
        let mut pending = vec![(definition, false)];
        while let Some((schema, is_negative)) = pending.pop() {
            if let Some(target) = schema.target() {
                all.entry(name.as_ref()).or_default().push(target.as_ref());
                negative.extend(is_negative.then_some((name.as_ref(), target.as_ref())));
            }
            for (keyword, part) in schema.keywords() {
                let negates = matches!(keyword, Keyword::Not | Keyword::If | Keyword::OneOf);
                if keyword.applies_to() == Types::ANY || *keyword == Keyword::DependentSchemas {
                    pending.extend(part.schemas().map(|part| (part, is_negative || negates)));
                }
            }
        }
    }
    negative.into_iter().any(|(from, to)| {
        let (mut seen, mut pending) = (HashSet::new(), vec![to]);
        while let Some(name) = pending.pop() {
            if seen.insert(name) {
                pending.extend(all.get(name).into_iter().flatten());
            }
        }
        seen.contains(from)
    })
}

/// Every profile, those that are not offered yet too, and profiles that nobody has yet: each form that a
/// surface may ask for by itself, on a surface that enforces every keyword.
pub(super) fn targets() -> Vec<Target> {
    let known = profiles().map(|(_, text)| text.to_owned());
    known.chain(imagined()).map(|text| Target::from_json(&text).unwrap()).collect()
}

fn imagined() -> Vec<String> {
    let forms = json!([
        {}, {"all_required": true}, {"closed_objects": true}, {"type_required": true},
        {"type_required": true, "closed_objects": true}, {"inlining": "always"}, {"inlining": "non-recursive"},
        {"items_required": true}, {"any_of_alone": true}, {"any_of_bare": true}, {"required_declared": true},
        {"enum_needs_type": true}, {"constant_as_enum": true}, {"merge_all_of": true},
        {"root_object": true, "root_combinators": false, "root_reference": false}, {"tuples": "none"},
        {"type_arrays": "none"}, {"recursion": "optional-only"}, {"recursion": "forbidden"},
        {"reference_siblings": "none"}
    ]);
    let lenient = json!({
        "root_object": false, "root_combinators": true, "root_reference": true, "type_arrays": "any",
        "reference_siblings": "any", "recursion": "allowed", "boolean_schemas": "both", "tuples": "prefix-items"
    });
    let mut profiles = Vec::new();
    for form in forms.as_array().unwrap() {
        for absent in ["open", "closed-beside-properties"] {
            let mut structure: Map<String, Value> = lenient.as_object().unwrap().clone();
            structure.extend(form.as_object().unwrap().clone());
            profiles.push(
                json!({
                    "id": format!("imagined {form} {absent}"), "label": "imagined", "field": "none", "version": "1",
                    "captured_at": "2026-01-01", "sources": [{"url": "https://example.com", "read": "2026-01-01"}],
                    "default": {"state": "enforced"}, "structure": structure,
                    "semantics": {"absent_additional_properties": absent, "one_of": "any-of"}
                })
                .to_string(),
            );
        }
    }
    profiles
}

/// The schemas of the repository's own corpus that are written out in full.
fn corpus() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let mut cases = Vec::new();
    for file in json_files(&folder) {
        let content = read(&file);
        let name = file.strip_prefix(&folder).unwrap().display().to_string();
        let schemas: Vec<(String, Value)> = match (content.get("schemas"), content.get("source")) {
            (Some(Value::Object(schemas)), _) => {
                schemas.iter().map(|(key, schema)| (format!("{name}: {key}"), schema.clone())).collect()
            }
            (_, Some(source)) => vec![(name, source.clone())],
            _ => vec![(name, content)],
        };
        let written_out = schemas.into_iter().filter(|(_, schema)| !schema.to_string().contains("\"$make\""));
        cases.extend(written_out.map(|(name, schema)| Case::new(name, schema)));
    }
    cases
}

/// Some of the independent material, evenly taken.
fn data() -> Vec<Case> {
    let Some(folder) = test_material::data() else { return Vec::new() };
    let suite =
        test_material::suite(&folder).into_iter().filter(|case| case.name.starts_with("draft2020-12"));
    let mut cases: Vec<test_material::Case> = suite.step_by(every(3)).collect();
    cases.extend(maskbench(&folder).into_iter().step_by(every(24)));
    cases.extend(field_reports(&folder));
    cases.into_iter().map(|case| Case::new(case.name, case.schema)).collect()
}
