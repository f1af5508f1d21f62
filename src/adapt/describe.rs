//! What is dropped, said in descriptions, so that the model still reads it.
//!
//! A description is an annotation: it changes nothing about what is accepted, so nothing has to be undone. What is
//! lost at a schema object is said there, or at the nearest one around it that may have a description. An existing
//! description stays first.

use std::collections::{BTreeSet, HashMap};

use serde_json::{Value, json};

use super::context::{Kind, Step};
use crate::schema::{Document, Origin, Schema};
use crate::target::Target;
use crate::vocabulary::Keyword;

/// What stands before the constraints in a description.
const HEADING: &str = "Constraints: ";

/// The text of a keyword's value that is longer than this many characters is not said.
const LONGEST: usize = 200;

/// The projected document with what the steps removed said in its descriptions.
pub(crate) fn describe(source: &Document, projected: &Document, steps: &[Step], target: &Target) -> Document {
    if !target.support(Keyword::Description).sent {
        return projected.clone();
    }
    let may_describe = |schema: &&Schema| takes_description(schema, target);
    let places: BTreeSet<Origin> =
        projected.everywhere().filter(may_describe).map(|schema| schema.origin).collect();
    let around = parents(source, |_| true);
    let in_place = parents(source, Keyword::is_in_place);
    let schemas: HashMap<Origin, &Schema> =
        source.everywhere().map(|schema| (schema.origin, schema)).collect();
    let mut said: HashMap<Origin, Vec<String>> = HashMap::new();
    for step in steps.iter().filter(|step| step.kind == Kind::Removed && step.keyword.constrains()) {
        // What stood beside a union was written into its branches before it was dropped there.
        let has_it = |origin: Origin| schemas.get(&origin).is_some_and(|schema| schema.has(step.keyword));
        let Some(holder) = nearest(step.origin, has_it, &in_place) else { continue };
        let Some(words) = schemas.get(&holder).and_then(|schema| words(schema, step.keyword)) else {
            continue;
        };
        let Some(place) = nearest(holder, |origin| places.contains(&origin), &around) else { continue };
        let said = said.entry(place).or_default();
        if !said.contains(&words) {
            said.push(words);
        }
    }
    projected.map(|schema| with_descriptions(schema, &said, target))
}

fn takes_description(schema: &Schema, target: &Target) -> bool {
    let structure = target.structure();
    let is_boolean = schema.is_always() || schema.is_never();
    let is_bare = schema.has(Keyword::Ref) && !structure.reference_siblings.takes_annotations()
        || schema.has(Keyword::AnyOf) && structure.any_of_bare;
    !is_boolean && !is_bare
}

/// For each schema object the one that holds it, under a keyword that counts.
fn parents(document: &Document, counts: impl Fn(Keyword) -> bool) -> HashMap<Origin, Origin> {
    let mut parents = HashMap::new();
    for schema in document.everywhere() {
        for (_, part) in schema.keywords().iter().filter(|(keyword, _)| counts(*keyword)) {
            for child in part.schemas() {
                parents.entry(child.origin).or_insert(schema.origin);
            }
        }
    }
    parents
}

/// The schema object itself, or else the nearest one around it, that is wanted.
fn nearest(
    mut origin: Origin,
    is_wanted: impl Fn(Origin) -> bool,
    around: &HashMap<Origin, Origin>,
) -> Option<Origin> {
    // A place around another is found in fewer steps than there are places.
    for _ in 0..=around.len() {
        if is_wanted(origin) {
            return Some(origin);
        }
        origin = *around.get(&origin)?;
    }
    None
}

fn with_descriptions(schema: &Schema, said: &HashMap<Origin, Vec<String>>, target: &Target) -> Schema {
    let mut described = schema.map_children(|part| with_descriptions(part, said, target));
    let Some(constraints) = said.get(&schema.origin).filter(|_| takes_description(schema, target)) else {
        return described;
    };
    let constraints = format!("{HEADING}{}.", constraints.join("; "));
    let text = match schema.data(Keyword::Description).and_then(Value::as_str) {
        Some(text) if !text.is_empty() => format!("{text}\n{constraints}"),
        _ => constraints,
    };
    described.set(Keyword::Description, json!(text));
    described
}

/// A keyword in plain words, or as JSON where there are none. `None` where that is too long.
fn words(schema: &Schema, keyword: Keyword) -> Option<String> {
    let value = schema.get(keyword)?.to_value();
    let text = match &value {
        Value::String(text) => text.clone(),
        value => value.to_string(),
    };
    let said = match keyword {
        Keyword::MinLength => format!("at least {text} characters"),
        Keyword::MaxLength => format!("at most {text} characters"),
        Keyword::Pattern => format!("matches the regular expression {text}"),
        Keyword::Format => format!("in the format {text}"),
        Keyword::Minimum => format!("at least {text}"),
        Keyword::Maximum => format!("at most {text}"),
        Keyword::ExclusiveMinimum => format!("greater than {text}"),
        Keyword::ExclusiveMaximum => format!("less than {text}"),
        Keyword::MultipleOf => format!("a multiple of {text}"),
        Keyword::MinItems => format!("at least {text} items"),
        Keyword::MaxItems => format!("at most {text} items"),
        Keyword::UniqueItems => "no two items are equal".to_owned(),
        Keyword::MinProperties => format!("at least {text} properties"),
        Keyword::MaxProperties => format!("at most {text} properties"),
        Keyword::Const => format!("is {value}"),
        Keyword::Enum => format!("one of {value}"),
        Keyword::Required => format!("has the properties {value}"),
        Keyword::AdditionalProperties if schema.schema(keyword).is_some_and(Schema::is_never) => {
            "no other properties".to_owned()
        }
        Keyword::OneOf => "satisfies exactly one of the alternatives".to_owned(),
        // What the schemas in it say is said where they stand, or not at all.
        Keyword::Ref
        | Keyword::Type
        | Keyword::Properties
        | Keyword::Items
        | Keyword::AllOf
        | Keyword::AnyOf => {
            return None;
        }
        keyword => format!("JSON Schema {}", json!({keyword.name(): value})),
    };
    (said.chars().count() <= LONGEST).then_some(said)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::{ConvertOptions, convert, target};

    fn wire(schema: serde_json::Value, id: &str) -> serde_json::Value {
        let options = ConvertOptions { descriptions: true, ..ConvertOptions::default() };
        convert(&schema, target(id).unwrap(), &options).unwrap().into_wire()
    }

    #[test]
    fn what_is_dropped_is_said_after_what_is_there() {
        let schema = json!({
            "type": "object",
            "properties": {
                "name": {"type": "string", "description": "A name.", "minLength": 2, "pattern": "^[a-z]+$"},
                "tags": {"type": "array", "items": {"type": "string"}, "uniqueItems": true}
            },
            "required": ["name", "tags"],
            "additionalProperties": false
        });
        let wire = wire(schema, "openai.strict.legacy");
        assert_eq!(
            wire["properties"]["name"]["description"],
            "A name.\nConstraints: at least 2 characters; matches the regular expression ^[a-z]+$."
        );
        assert_eq!(wire["properties"]["tags"]["description"], "Constraints: no two items are equal.");
    }

    #[test]
    fn where_no_description_may_stand_the_next_place_around_has_it() {
        let schema = json!({
            "type": "object",
            "properties": {"a": {"anyOf": [{"type": "string"}, {"type": "integer"}], "not": {"const": "x"}}},
            "required": ["a"]
        });
        let wire = wire(schema, "vertex.functionDeclarationParameters");
        assert_eq!(wire["description"], r#"Constraints: JSON Schema {"not":{"const":"x"}}."#);
    }

    #[test]
    fn nothing_is_said_unless_asked_for() {
        let schema = json!({"type": "object", "properties": {"a": {"type": "string", "minLength": 2}}});
        let plain = convert(&schema, target("openai.strict.legacy").unwrap(), &ConvertOptions::default());
        assert!(!plain.unwrap().wire().to_string().contains("Constraints"));
    }
}
