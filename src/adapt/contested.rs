//! The branches of unions between which decoding has to choose by trying.
//!
//! A value can only be in a branch that admits its type. Where one branch of a union is the only one to
//! admit objects, an object that the union accepts is in that branch, and nothing has to be tried; likewise
//! arrays. Other values have no parts, so their branch does not matter.

use crate::schema::{Document, Schema};
use crate::vocabulary::{Keyword, Types};

/// References followed without going into the instance; more only happens in a circle.
pub(super) const MAX_ALIASES: usize = 128;

/// The branches that admit any of the types.
pub(crate) fn admitting<'d>(
    document: &'d Document,
    branches: &'d [Schema],
    types: Types,
) -> impl Iterator<Item = (usize, &'d Schema)> {
    branches.iter().enumerate().filter(move |(_, branch)| admits(document, branch, types))
}

fn admits<'d>(document: &'d Document, mut schema: &'d Schema, types: Types) -> bool {
    let mut left = types;
    for _ in 0..MAX_ALIASES {
        left = left.and(schema.types());
        if left.is_empty() || schema.is_never() {
            return false;
        }
        match schema.target().and_then(|name| document.definition(name)) {
            Some(target) => schema = target,
            None => break,
        }
    }
    true
}

/// A document for trying them: it accepts an object with one member, named by the pointer to a contested
/// branch, exactly where that branch accepts the member's value. `None` where no branch is contested. `shape`
/// puts a schema of the document into the shape of the values.
pub(crate) fn trials(document: &Document, shape: impl Fn(&Schema) -> Schema) -> Option<Document> {
    let mut contested: Vec<(String, Schema)> = Vec::new();
    let definitions = document.definitions().iter().map(|(name, schema)| (format!("/$defs/{name}"), schema));
    let mut pending: Vec<(String, &Schema)> =
        std::iter::once((String::new(), &document.root)).chain(definitions).collect();
    while let Some((pointer, schema)) = pending.pop() {
        let branches = schema.schemas(Keyword::AnyOf);
        if is_contested(document, branches) {
            let at = |(index, branch): (usize, &Schema)| (format!("{pointer}/anyOf/{index}"), shape(branch));
            contested.extend(branches.iter().enumerate().map(at));
        }
        for (keyword, part) in schema.keywords() {
            let placed = part.placed();
            pending.extend(placed.map(|(token, schema)| (format!("{pointer}/{keyword}{token}"), schema)));
        }
    }
    if contested.is_empty() {
        return None;
    }
    let root = Schema::always(document.root.origin).with(Keyword::Properties, contested);
    Some(document.map_definitions(root, shape))
}

fn is_contested(document: &Document, branches: &[Schema]) -> bool {
    branches.iter().any(holds_parts)
        && [Types::OBJECT, Types::ARRAY]
            .into_iter()
            .any(|types| admitting(document, branches, types).nth(1).is_some())
}

fn holds_parts(schema: &Schema) -> bool {
    [Keyword::Properties, Keyword::Items, Keyword::PrefixItems, Keyword::Ref, Keyword::AnyOf]
        .iter()
        .any(|keyword| schema.has(*keyword))
}
