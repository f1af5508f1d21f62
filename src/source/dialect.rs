//! What each keyword of a source means in the draft that the source is written in.
//!
//! The list follows the `jsonschema` crate, which is what "the same verdict" is measured against: it
//! knows `dependencies` in every draft, for instance, and asserts `contentEncoding` in drafts 06 and 07.

use jsonschema::Draft;

use crate::vocabulary::Keyword;

use super::extensions;

/// What a source keyword holds, in a given draft.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// A reference to another place.
    Reference,
    /// One schema.
    Schema,
    /// An array of schemas.
    Schemas,
    /// Schemas by name.
    Named,
    /// `items` as it was before 2020-12: one schema or an array of them.
    Items,
    /// `dependencies`: by name, a schema or an array of property names.
    Dependencies,
    /// Data.
    Data,
    /// Schemas by name that are only there to be referred to. The second kind is one that the draft
    /// itself does not know (`$defs` before 2019-09), so that its meta-schema says nothing about it.
    Definitions,
    ForeignDefinitions,
    /// Identifies or describes the schema; has done its work once references are resolved.
    Identity,
    /// Not a keyword of this draft.
    Unknown,
}

/// The first draft that knows a keyword, where that is not draft 04, and the shape of its value.
pub(super) fn shape(draft: Draft, keyword: &str) -> Shape {
    let (since, shape) = match keyword {
        "$ref" => (Draft::Draft4, Shape::Reference),
        "$recursiveRef" if draft == Draft::Draft201909 => (draft, Shape::Reference),
        "$dynamicRef" => (Draft::Draft202012, Shape::Reference),
        "additionalProperties" | "not" => (Draft::Draft4, Shape::Schema),
        "contains" | "propertyNames" => (Draft::Draft6, Shape::Schema),
        "if" | "then" | "else" => (Draft::Draft7, Shape::Schema),
        "unevaluatedItems" | "unevaluatedProperties" | "contentSchema" => (Draft::Draft201909, Shape::Schema),
        "items" if draft >= Draft::Draft202012 => (draft, Shape::Schema),
        "items" => (Draft::Draft4, Shape::Items),
        "additionalItems" if draft < Draft::Draft202012 => (draft, Shape::Schema),
        "allOf" | "anyOf" | "oneOf" => (Draft::Draft4, Shape::Schemas),
        "prefixItems" => (Draft::Draft202012, Shape::Schemas),
        "properties" | "patternProperties" => (Draft::Draft4, Shape::Named),
        "dependentSchemas" => (Draft::Draft201909, Shape::Named),
        "dependencies" => (Draft::Draft4, Shape::Dependencies),
        "definitions" => (Draft::Draft4, Shape::Definitions),
        "$defs" if draft < Draft::Draft201909 => (draft, Shape::ForeignDefinitions),
        "$defs" => (draft, Shape::Definitions),
        "$schema" => (Draft::Draft4, Shape::Identity),
        "id" if draft == Draft::Draft4 => (draft, Shape::Identity),
        "$id" => (Draft::Draft6, Shape::Identity),
        "$anchor" | "$vocabulary" => (Draft::Draft201909, Shape::Identity),
        "$recursiveAnchor" if draft == Draft::Draft201909 => (draft, Shape::Identity),
        "$dynamicAnchor" => (Draft::Draft202012, Shape::Identity),
        _ => match assertion_since(keyword) {
            Some(since) => (since, Shape::Data),
            // Annotations change no verdict: they are kept from every draft, whoever introduced them.
            None if annotation(keyword).is_some() => (Draft::Draft4, Shape::Data),
            None => return Shape::Unknown,
        },
    };
    if draft >= since { shape } else { Shape::Unknown }
}

fn assertion_since(keyword: &str) -> Option<Draft> {
    Some(match keyword {
        "type" | "enum" | "multipleOf" | "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum"
        | "minLength" | "maxLength" | "pattern" | "format" | "minItems" | "maxItems" | "uniqueItems"
        | "required" | "minProperties" | "maxProperties" => Draft::Draft4,
        "const" => Draft::Draft6,
        "minContains" | "maxContains" | "dependentRequired" => Draft::Draft201909,
        _ => return None,
    })
}

/// The annotation of this name whose value is data.
pub(super) fn annotation(keyword: &str) -> Option<Keyword> {
    Keyword::from_name(keyword)
        .filter(|known| !known.constrains() && !matches!(known, Keyword::ContentSchema))
}

/// Whether an annotation's value is one that the 2020-12 meta-schema accepts: an earlier draft that does
/// not know the keyword accepts any value.
pub(super) fn annotation_fits(keyword: Keyword, value: &serde_json::Value) -> bool {
    match keyword {
        Keyword::Default => true,
        Keyword::Deprecated | Keyword::ReadOnly | Keyword::WriteOnly => value.is_boolean(),
        Keyword::Examples => value.is_array(),
        _ => value.is_string(),
    }
}

/// The 2020-12 spelling of a `format`; `None` where this draft ignores a format that 2020-12 asserts.
pub(super) fn format(draft: Draft, name: &str) -> Option<&str> {
    let since = match name {
        "hostname" if draft < Draft::Draft7 => return Some(extensions::HOSTNAME_RFC1034),
        "json-pointer" | "uri-reference" | "uri-template" => Draft::Draft6,
        "idn-hostname" | "iri" | "iri-reference" | "relative-json-pointer" => Draft::Draft7,
        "duration" | "uuid" => Draft::Draft201909,
        // The user's own format of such a name is unknown to every draft, and stays without meaning.
        _ if extensions::is_format(name) => return None,
        _ => Draft::Draft4,
    };
    (draft >= since).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_keyword_is_unknown_before_the_draft_that_introduced_it() {
        assert_eq!(shape(Draft::Draft4, "const"), Shape::Unknown);
        assert_eq!(shape(Draft::Draft6, "if"), Shape::Unknown);
        assert_eq!(shape(Draft::Draft7, "prefixItems"), Shape::Unknown);
        assert_eq!(shape(Draft::Draft202012, "additionalItems"), Shape::Unknown);
        assert_eq!(shape(Draft::Draft202012, "$recursiveRef"), Shape::Unknown);
        assert_eq!(shape(Draft::Draft202012, "dependencies"), Shape::Dependencies);
        assert_eq!(shape(Draft::Draft202012, "x-integer-literal"), Shape::Unknown);
    }

    #[test]
    fn a_format_is_dropped_only_where_it_would_gain_meaning() {
        assert_eq!(format(Draft::Draft4, "uuid"), None);
        assert_eq!(format(Draft::Draft4, "int64"), Some("int64"));
        assert_eq!(format(Draft::Draft6, "hostname"), Some("x-hostname-rfc1034"));
        assert_eq!(format(Draft::Draft7, "hostname"), Some("hostname"));
        assert_eq!(format(Draft::Draft202012, "x-content-json"), None);
    }
}
