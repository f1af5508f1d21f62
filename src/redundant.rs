//! Dropped keywords that the rest of the schema implies: no instance tells that they are gone.
//!
//! A keyword is redundant where the smallest schema around it that can be proved to mean the same without it
//! does. Why that is right:
//!
//! * Both directions are proved: without the keyword a part accepts no more, and, under a `not`, no less. For
//!   the whole document nothing being left of either where the other holds is such a proof.
//! * A part that means the same may be put in place of another anywhere, whatever is around it. The one
//!   exception is `unevaluated*`, which looks at how a part accepts an instance and not only at whether it
//!   does. In a document that has it, only the root counts as a part.
//! * Keywords are taken out one after the other, each from what the earlier ones have left. Of two keywords
//!   that imply each other only the first is redundant.
//! * What implies it must itself be enforced, or be a loss that is told of: a keyword stays where taking it
//!   out would make a loss of another one.

use std::collections::HashSet;

use crate::differential::isolate;
use crate::differential::proof;
use crate::residual::{Loss, contains, left_between};
use crate::schema::{Document, Rooted, Schema};
use crate::vocabulary::Keyword;

/// Proofs that are tried for one document.
const PROOFS: usize = 64;

/// Schema objects of a document of which what is left is derived for each keyword.
const MOST_DERIVED: usize = 512;

/// A document from which redundant keywords are taken out.
pub(crate) struct Redundancy<'a> {
    document: Document,
    converted: &'a Document,
    /// What is lost of the document, once that has been asked for.
    losses: Option<HashSet<Loss>>,
    has_unevaluated: bool,
    /// Whether deriving what is left of the document is cheap enough to be done for every keyword.
    may_be_derived: bool,
    proofs_left: usize,
}

impl<'a> Redundancy<'a> {
    /// `converted` is what is enforced.
    pub(crate) fn new(document: &Document, converted: &'a Document) -> Redundancy<'a> {
        let unevaluated = [Keyword::UnevaluatedProperties, Keyword::UnevaluatedItems];
        let has_unevaluated =
            document.everywhere().any(|schema| unevaluated.iter().any(|keyword| schema.has(*keyword)));
        Redundancy {
            document: document.clone(),
            converted,
            losses: None,
            has_unevaluated,
            may_be_derived: document.everywhere().count() <= MOST_DERIVED,
            proofs_left: PROOFS,
        }
    }

    /// What is left. It accepts the same instances as the document that this began with.
    pub(crate) fn document(&self) -> &Document {
        &self.document
    }

    /// Takes the keyword out if that is proved to change nothing. Says whether it was. Of a `oneOf` it may be
    /// only that no more than one branch holds which is taken out.
    pub(crate) fn take_out(&mut self, loss: Loss) -> bool {
        let without = isolate::without(&self.document, loss.origin, loss.keyword);
        let is_taken_out = self.put_in_place(without, loss);
        is_taken_out
            || loss.keyword == Keyword::OneOf
                && self.put_in_place(isolate::any_for_one(&self.document, loss.origin), loss)
    }

    /// Puts a document without the keyword in place of the one that has it.
    fn put_in_place(&mut self, without: Document, loss: Loss) -> bool {
        let proofs = Proofs { document: &self.document, left: &mut self.proofs_left };
        let is_derived = || {
            self.may_be_derived && contains(&self.document, &without) && contains(&without, &self.document)
        };
        if !is_derived() && !proofs.show(&without, loss, self.has_unevaluated) {
            return false;
        }
        let lost_of = |document| {
            let left = left_between(document, self.converted);
            left.losses.into_iter().chain(left.covered).collect()
        };
        let before = self.losses.get_or_insert_with(|| lost_of(&self.document));
        let after: HashSet<Loss> = lost_of(&without);
        let is_redundant = after.is_subset(before);
        if is_redundant {
            self.document = without;
            self.losses = Some(after);
        }
        is_redundant
    }
}

struct Proofs<'a> {
    document: &'a Document,
    left: &'a mut usize,
}

impl Proofs<'_> {
    fn show(mut self, without: &Document, loss: Loss, has_unevaluated: bool) -> bool {
        let (root, rest) = (&self.document.root, self.document.definitions());
        let trees = std::iter::once((root, &without.root))
            .chain(rest.iter().zip(without.definitions()).map(|((_, before), (_, after))| (before, after)));
        let holding: Vec<(&Schema, &Schema)> = trees.filter(|(before, _)| holds(before, loss)).collect();
        if holding.is_empty() {
            return false;
        }
        let in_parts =
            !has_unevaluated && holding.into_iter().all(|(before, after)| self.within(before, after, loss));
        in_parts || self.same(self.document.whole(), without.whole())
    }

    /// Whether each part in here that holds the keyword, or a part around it, means the same without it.
    fn within(&mut self, before: &Schema, after: &Schema, loss: Loss) -> bool {
        let inner = !is_at(before, loss) && {
            let pairs = before.children().zip(after.children());
            let mut holding = pairs.filter(|(before, _)| holds(before, loss));
            holding.all(|(before, after)| self.within(before, after, loss))
        };
        // References on either side lead into what there was before: a part is exchanged, and nothing else.
        let rooted = |root| Rooted { document: self.document, root };
        let (before, after) = (rooted(before), rooted(after));
        inner || self.same(before, after)
    }

    fn same(&mut self, before: Rooted<'_>, after: Rooted<'_>) -> bool {
        if *self.left == 0 || !proof::may_be_asked(before, after) {
            return false;
        }
        *self.left -= 1;
        proof::is_contained(after, before) && proof::is_contained(before, after)
    }
}

fn is_at(schema: &Schema, loss: Loss) -> bool {
    schema.origin == loss.origin && schema.has(loss.keyword)
}

/// Whether the keyword is in this schema or in one inside it.
fn holds(schema: &Schema, loss: Loss) -> bool {
    schema.everywhere().any(|schema| is_at(schema, loss))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::source::{Budget, lift};

    /// The keywords of those asked for, in order, that turn out to be redundant, and what is left.
    fn taken_out(schema: &Value, asked: &[(&str, Keyword)]) -> (Vec<Keyword>, Value) {
        let lifted = lift(schema, &Budget::default()).unwrap();
        let converted = Document::new(Schema::always(lifted.document.root.origin));
        let mut redundancy = Redundancy::new(&lifted.document, &converted);
        let mut found = Vec::new();
        for (pointer, keyword) in asked {
            let mut origins = lifted.document.everywhere().map(|schema| schema.origin);
            let origin = origins.find(|origin| lifted.pointer(*origin) == *pointer).unwrap();
            if redundancy.take_out(Loss { origin, keyword: *keyword }) {
                found.push(*keyword);
            }
        }
        (found, redundancy.document().to_value())
    }

    #[test]
    fn of_two_keywords_that_imply_each_other_one_is_left() {
        let schema = json!({"allOf": [{"not": {"type": "object"}}, {"not": {"type": ["object"]}}]});
        let asked = [("#/allOf/0", Keyword::Not), ("#/allOf/1", Keyword::Not)];
        let (found, left) = taken_out(&schema, &asked);
        assert_eq!(found, [Keyword::Not]);
        assert_eq!(left, json!({"allOf": [true, {"not": {"type": ["object"]}}]}));
    }

    /// The residual holds one of the two bounds, so that one has to stay.
    #[test]
    fn of_two_bounds_that_imply_each_other_the_one_that_is_told_of_is_left() {
        let schema = json!({"type": "integer", "minimum": 5, "exclusiveMinimum": 4});
        let asked = [("#", Keyword::Minimum), ("#", Keyword::ExclusiveMinimum)];
        let (found, left) = taken_out(&schema, &asked);
        assert_eq!(found, [Keyword::ExclusiveMinimum]);
        assert_eq!(left, json!({"type": "integer", "minimum": 5}));
    }

    #[test]
    fn what_a_schema_around_implies_is_redundant() {
        let schema = json!({"allOf": [{"enum": ["a", "b"]}, {"not": {"type": "object"}}]});
        assert_eq!(taken_out(&schema, &[("#/allOf/1", Keyword::Not)]).0, [Keyword::Not]);
        // Deep in a document that is too large to be proved something about as a whole.
        let many: serde_json::Map<String, Value> =
            (0..40).map(|index| (format!("p{index}"), json!({"type": "string"}))).collect();
        let schema = json!({"properties": {"deep": schema, "wide": {"properties": many}}});
        let asked = [("#/properties/deep/allOf/1", Keyword::Not)];
        assert_eq!(taken_out(&schema, &asked).0, [Keyword::Not]);
    }

    /// Nothing satisfies the two types, with or without the list; but the list is what tells of the first.
    #[test]
    fn what_would_uncover_another_loss_is_not() {
        let schema = json!({"allOf": [{"type": "null", "enum": [null]}, {"type": "boolean"}]});
        assert!(taken_out(&schema, &[("#/allOf/0", Keyword::Enum)]).0.is_empty());
    }

    #[test]
    fn what_says_something_is_not() {
        let schema = json!({"allOf": [{"enum": ["a", {}]}, {"not": {"type": "object"}}]});
        assert!(taken_out(&schema, &[("#/allOf/1", Keyword::Not)]).0.is_empty());
        let schema = json!({"$schema": "http://json-schema.org/draft-04/schema#", "type": "integer",
            "minimum": 1, "exclusiveMinimum": true, "multipleOf": 2});
        assert!(taken_out(&schema, &[("#", Keyword::MultipleOf)]).0.is_empty());
    }

    /// The branch with `a` accepts what the other one does, and yet it is what evaluates `a`.
    #[test]
    fn how_a_part_accepts_counts_beside_unevaluated() {
        let branches = json!([{"properties": {"a": true}, "required": ["a"]}, true]);
        let schema = json!({"anyOf": [{"anyOf": branches}], "unevaluatedProperties": false});
        assert!(taken_out(&schema, &[("#/anyOf/0", Keyword::AnyOf)]).0.is_empty());
    }
}
