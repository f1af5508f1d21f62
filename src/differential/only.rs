//! One keyword of a document by itself, with the applicators that lead to it.
//!
//! An instance made to violate the keyword in this document may violate anything else of the source too. What is
//! lost along with a keyword cannot hide it here.

use crate::schema::{Document, Origin, Schema};
use crate::vocabulary::Keyword;

/// The document with nothing in it but the keyword at the place, or places, of one origin.
pub(crate) fn only(document: &Document, origin: Origin, keyword: Keyword) -> Document {
    document.map(|schema| way_to(schema, origin, keyword))
}

/// Applicators that always apply: what is inside them holds if the whole does.
fn leads_on(keyword: Keyword) -> bool {
    matches!(
        keyword,
        Keyword::Ref
            | Keyword::AllOf
            | Keyword::Properties
            | Keyword::PatternProperties
            | Keyword::AdditionalProperties
            | Keyword::PrefixItems
            | Keyword::Items
    )
}

fn way_to(schema: &Schema, origin: Origin, keyword: Keyword) -> Schema {
    let mut kept = schema.clone();
    if schema.origin == origin && schema.has(keyword) {
        kept.retain(|known, _| known.group() == keyword.group());
        return kept;
    }
    kept.retain(|known, _| leads_on(known));
    kept.map_children(|part| way_to(part, origin, keyword))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::source::{Budget, lift};

    #[test]
    fn what_leads_to_the_keyword_is_kept_and_nothing_else() {
        let schema = json!({"type": "object", "required": ["a"], "properties": {
            "a": {"type": "array", "minItems": 1, "items": {"type": "string", "minLength": 2}},
            "b": {"anyOf": [{"minimum": 1}]}
        }});
        let lifted = lift(&schema, &Budget::default()).unwrap();
        let strings = lifted.document.everywhere().find(|schema| schema.has(Keyword::MinLength)).unwrap();
        let found = only(&lifted.document, strings.origin, Keyword::MinLength);
        let wanted = json!({"properties": {"a": {"items": {"minLength": 2}}, "b": true}});
        assert_eq!(found.to_value(), wanted);
    }
}
