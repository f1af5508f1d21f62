//! Proving that one schema accepts everything that another accepts.
//!
//! The proof is that of [`jsonschema::canonical`], which is experimental. What it is asked, and how its
//! answers are read, keeps that from becoming a wrong verdict:
//!
//! * Only *yes* is a proof here. A *no* comes without an instance and proves nothing to a reader; instead the
//!   difference of the two schemas is asked for, and instances made from it count once both validators have
//!   judged them.
//! * What it reads is exactly what the validators read. Annotations are left out, and formats that they
//!   do not assert. Keywords and formats of the library's own have no meaning for it, and schemas with them
//!   are not shown to it ([`faithful`]).
//! * Only small pairs ([`Size`]) are shown to it: the cost of a proof is not bounded otherwise.

use jsonschema::Draft;
use jsonschema::canonical::{self, CanonicalSchema, Containment};
use serde_json::Value;

use super::compile::is_asserted_format;
use super::size::Size;
use crate::schema::{Rooted, Schema};
use crate::source::extensions;
use crate::vocabulary::Keyword;

/// Whether it is proved that `sup` accepts everything that `sub` accepts.
pub(crate) fn is_contained(sub: Rooted<'_>, sup: Rooted<'_>) -> bool {
    may_be_asked(sub, sup)
        && canonical(sub)
            .zip(canonical(sup))
            .is_some_and(|(sub, sup)| matches!(sup.covers(&sub), Ok(Containment::Yes)))
}

/// Whether the two are small enough, and all of what they mean is shown.
pub(crate) fn may_be_asked(sub: Rooted<'_>, sup: Rooted<'_>) -> bool {
    Size::of([sub, sup]).is_small() && is_faithful(sub) && is_faithful(sup)
}

/// A schema meant to accept what `sub` accepts and `sup` does not. It is a place to look for instances and no
/// more, so that it may be inexact.
pub(crate) fn difference(sub: Rooted<'_>, sup: Rooted<'_>) -> Option<Value> {
    if !Size::of([sub, sup]).is_very_small() {
        return None;
    }
    Some(canonical(sub)?.subtract(&canonical(sup)?).ok()?.to_json_schema())
}

fn canonical(schema: Rooted<'_>) -> Option<CanonicalSchema> {
    let shown = schema.alone().map(stripped);
    let options = canonical::options().with_draft(Draft::Draft202012);
    options.should_validate_formats(true).offline().canonicalize(&shown.to_value()).ok()
}

/// Whether all that a schema means is shown.
fn is_faithful(schema: Rooted<'_>) -> bool {
    let own = |schema: &Schema| {
        schema.has(Keyword::IntegerLiteral) || format(schema).is_some_and(extensions::is_format)
    };
    let definitions = schema.definitions().into_iter().map(|(_, definition)| definition);
    !std::iter::once(schema.root).chain(definitions).flat_map(Schema::everywhere).any(own)
}

fn format(schema: &Schema) -> Option<&str> {
    schema.data(Keyword::Format).and_then(Value::as_str)
}

/// The schema with only what the validators assert and the proof knows.
fn stripped(schema: &Schema) -> Schema {
    let asserted =
        format(schema).is_some_and(|name| is_asserted_format(name) && !extensions::is_format(name));
    let mut kept = schema.clone();
    kept.retain(|keyword, _| match keyword {
        Keyword::IntegerLiteral => false,
        Keyword::Format => asserted,
        keyword => keyword.constrains(),
    });
    kept.map_children(stripped)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::differential::compile;
    use crate::differential::witness::Generator;
    use crate::schema::Document;
    use crate::source::{Budget, lift};

    fn document(schema: &Value) -> Document {
        lift(schema, &Budget::default()).unwrap().document
    }

    fn proved(sub: &Value, sup: &Value) -> bool {
        is_contained(document(sub).whole(), document(sup).whole())
    }

    #[test]
    fn what_is_proved() {
        assert!(proved(&json!({"const": 3}), &json!({"type": "integer", "minimum": 1})));
        assert!(!proved(&json!({"type": "integer"}), &json!({"type": "integer", "minimum": 1})));
        assert!(proved(
            &json!({"enum": ["a", true]}),
            &json!({"anyOf": [{"const": "a"}, {"type": "boolean"}]})
        ));
    }

    /// An unknown format is an annotation to the validators.
    #[test]
    fn formats_are_read_as_the_validators_read_them() {
        assert!(proved(&json!({"type": "string"}), &json!({"format": "no-such-format"})));
        assert!(!proved(&json!({"type": "string"}), &json!({"format": "date"})));
        assert!(proved(&json!({"format": "date"}), &json!({"format": "date"})));
    }

    /// Draft 04 tells 1 from 1.0, and only the validators know.
    #[test]
    fn what_the_proof_does_not_know_it_is_not_asked_about() {
        let draft_04 = "http://json-schema.org/draft-04/schema#";
        let integer = json!({"$schema": draft_04, "type": "integer"});
        assert!(!proved(&json!({"const": 1.0}), &integer));
        assert!(!proved(&integer, &integer));
    }

    #[test]
    fn a_difference_is_a_place_to_look_for_instances() {
        let (sub, sup) = (document(&json!({"type": "integer"})), document(&json!({"multipleOf": 2})));
        let difference = difference(sub.whole(), sup.whole()).unwrap();
        let found = Generator::new(&document(&difference)).seeds(1);
        assert!(found.iter().all(|instance| instance.as_i64().is_some_and(|number| number % 2 != 0)));
        assert_eq!(found.len(), 1);
    }

    /// No instance made for either schema contradicts a proof, whatever the keyword.
    #[test]
    fn no_instance_contradicts_a_proof() {
        let mut schemas: Vec<Value> = [
            "date-time",
            "date",
            "time",
            "duration",
            "email",
            "hostname",
            "ipv4",
            "ipv6",
            "uuid",
            "uri",
            "uri-reference",
            "iri",
            "iri-reference",
            "uri-template",
            "json-pointer",
            "relative-json-pointer",
            "regex",
        ]
        .into_iter()
        .flat_map(|format| [json!({"format": format}), json!({"not": {"format": format}})])
        .collect();
        schemas.extend(
            [
                "^a", "a$", "(?=a)", "^(?!a)", "a(?!b)", "(?<=a)b", "^[^a]*$", ".+", "^\\d+$", "\\p{L}",
                "^(a|b)$", "é",
            ]
            .into_iter()
            .flat_map(|pattern| [json!({"pattern": pattern}), json!({"not": {"pattern": pattern}})]),
        );
        schemas.extend([
            json!({"type": "string", "minLength": 1}),
            json!({"enum": ["a", "b", "2020-01-01", 1, 1.0, "1"]}),
            json!({"multipleOf": 0.1}),
            json!({"multipleOf": 0.3}),
            json!({"multipleOf": 3}),
            json!({"type": "integer", "minimum": 9_007_199_254_740_993_i64}),
            json!({"exclusiveMaximum": 1e308}),
            json!({"type": "array", "uniqueItems": true, "items": {"enum": [1, 2, true]}}),
            json!({"type": "array", "contains": {"type": "null"}, "maxContains": 1, "minItems": 2}),
            json!({"prefixItems": [{"type": "null"}], "unevaluatedItems": false}),
            json!({"patternProperties": {"^a": {"type": "null"}}, "additionalProperties": false}),
            json!({"properties": {"a": {"type": "null"}}, "unevaluatedProperties": false}),
            json!({"propertyNames": {"pattern": "^(?!b)"}}),
            json!({"dependentRequired": {"a": ["b"]}, "minProperties": 1}),
            json!({"if": {"required": ["a"]}, "then": {"required": ["b"]}, "else": {"maxProperties": 1}}),
            json!({"type": "object", "properties": {"next": {"$ref": "#"}}, "required": ["next"]}),
            json!({"contentMediaType": "application/json"}),
            json!(false),
            json!(true),
        ]);
        let made: Vec<_> = schemas
            .iter()
            .map(|schema| {
                let document = document(schema);
                let validator = compile::document(&document).unwrap();
                let mut instances = Generator::new(&document).seeds(8);
                instances.extend(
                    ["1990-02-31", "a", "b", "ba", "12:00:00Z", "a@b.co", "::1", "/a"].map(Value::from),
                );
                instances.extend([json!(0.3), json!(3), json!([null, null]), json!({"b": null})]);
                (document, validator, instances)
            })
            .collect();
        let mut proofs = 0;
        for (sub, accepts_sub, instances) in &made {
            for (sup, accepts_sup, others) in &made {
                if !is_contained(sub.whole(), sup.whole()) {
                    continue;
                }
                proofs += 1;
                for instance in instances.iter().chain(others) {
                    let is_outside = compile::verdict(accepts_sub, instance).unwrap()
                        && !compile::verdict(accepts_sup, instance).unwrap();
                    assert!(!is_outside, "{} in {}: {instance}", sub.to_value(), sup.to_value());
                }
            }
        }
        assert!(proofs > made.len(), "{proofs} proofs");
    }

    /// Small schemas with large numbers, wide products and long patterns in them. Far more time than any of
    /// them takes, so that a busy machine does not matter, and far less than one without a limit would.
    #[test]
    fn what_is_small_does_not_take_long() {
        let pair = |index: usize| json!({"anyOf": [{"required": [format!("a{index}")]}, {"required": [format!("b{index}")]}]});
        let union = |index: usize| json!({"oneOf": [{"multipleOf": index + 2}, {"minimum": index}]});
        let patterns =
            |index: usize| json!({"anyOf": [{"pattern": format!("^(a|b){{{index},}}c")}, {"pattern": "x"}]});
        let names: serde_json::Map<String, Value> = (0..12)
            .map(|index| (format!("p{index}"), json!({"type": "string", "minLength": index})))
            .collect();
        let listed: Vec<Value> = (0..240).map(|index| json!(format!("value {index}"))).collect();
        let schemas = [
            json!({"multipleOf": 1e-300}),
            json!({"multipleOf": 1e300, "minimum": -1e308}),
            json!({"minLength": u64::MAX, "minItems": u64::MAX, "minProperties": u64::MAX}),
            json!({"type": "array", "minItems": 1_000_000, "uniqueItems": true, "items": {"type": "integer", "minimum": 0}}),
            json!({"contains": {"type": "null"}, "minContains": 1_000_000}),
            json!({"pattern": "^(((a{0,50}){0,50}){0,4})$"}),
            json!({"pattern": "^(a+)+$", "maxLength": 100_000}),
            json!({"allOf": (1..5).map(pair).collect::<Vec<_>>()}),
            json!({"allOf": (1..9).map(pair).collect::<Vec<_>>()}),
            json!({"allOf": (1..5).map(union).collect::<Vec<_>>()}),
            json!({"not": {"allOf": (1..5).map(union).collect::<Vec<_>>()}}),
            json!({"allOf": (1..5).map(patterns).collect::<Vec<_>>()}),
            json!({"properties": names, "patternProperties": {}, "additionalProperties": false}),
            json!({"properties": names, "minProperties": 3, "propertyNames": {"pattern": "^p"}}),
            json!({"enum": listed, "pattern": "^(.*e)+"}),
            json!({"items": {"enum": listed}, "uniqueItems": true}),
            json!({"not": {"not": {"not": {"not": {"properties": {"a": {"not": {"items": {"not": {"pattern": "a"}}}}}}}}}}),
        ];
        let documents: Vec<Document> = schemas.iter().map(document).collect();
        for sub in &documents {
            for sup in &documents {
                let start = std::time::Instant::now();
                let asked = may_be_asked(sub.whole(), sup.whole());
                let (_, _) = (is_contained(sub.whole(), sup.whole()), difference(sub.whole(), sup.whole()));
                let took = start.elapsed();
                assert!(took.as_secs() < 3, "{asked} {took:?}: {} in {}", sub.to_value(), sup.to_value());
            }
        }
    }
}
