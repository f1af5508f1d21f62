//! Whether an instance is rejected for one keyword and for nothing else.

use serde_json::Value;

use super::compile::{self, Validator};
use crate::error::Error;
use crate::schema::{Document, Origin, Schema};
use crate::vocabulary::Keyword;

/// The question for one keyword at one place. The document without the keyword is compiled once, and only
/// where an error comes from a keyword that looks at others (`anyOf`, `not`, …): all other errors tell where
/// they come from.
pub(crate) struct Isolation<'d> {
    document: &'d Document,
    origin: Origin,
    keyword: Keyword,
    without: Option<Validator>,
}

impl<'d> Isolation<'d> {
    pub(crate) fn new(document: &'d Document, origin: Origin, keyword: Keyword) -> Isolation<'d> {
        Isolation { document, origin, keyword, without: None }
    }

    /// Whether the document, which rejects the instance, would accept it without this keyword at this place.
    pub(crate) fn isolates(&mut self, validator: &Validator, instance: &Value) -> Result<bool, Error> {
        let mut only_this = true;
        for error in validator.iter_errors(instance) {
            if let Some(error) = validator.gave_up(&error) {
                return Err(error);
            }
            only_this &= is_at(self.document, error.schema_path().as_str(), self.origin, self.keyword);
        }
        if only_this {
            return Ok(true);
        }
        let without = match self.without.take() {
            Some(without) => without,
            None => compile::document(&without(self.document, self.origin, self.keyword))?,
        };
        compile::verdict(self.without.insert(without), instance)
    }
}

/// Whether a schema location is that of the keyword at the place of this origin.
fn is_at(document: &Document, location: &str, origin: Origin, keyword: Keyword) -> bool {
    let mut tokens = location.split('/').skip(1).map(|token| token.replace("~1", "/").replace("~0", "~"));
    let mut schema = &document.root;
    let mut holder: Option<(Origin, Keyword)> = None;
    while let Some(token) = tokens.next() {
        if token == "$defs" {
            let Some(definition) = tokens.next().and_then(|name| document.definition(&name)) else {
                return false;
            };
            schema = definition;
            continue;
        }
        let Some(known) = Keyword::from_name(&token) else { return false };
        holder = Some((schema.origin, known));
        let Some(next) = step(schema, known, &mut tokens) else { break };
        schema = next;
    }
    let rejects_everything = schema.is_never() && (schema.origin, Keyword::Not) == (origin, keyword);
    let same_group = |held: Keyword| held == keyword || held.group() == keyword.group() && is_whole(keyword);
    rejects_everything || holder.is_some_and(|(place, held)| place == origin && same_group(held))
}

/// Whether a loss of this keyword is the loss of its whole group.
fn is_whole(keyword: Keyword) -> bool {
    matches!(keyword, Keyword::Contains | Keyword::If)
}

fn step<'d>(
    schema: &'d Schema,
    keyword: Keyword,
    tokens: &mut impl Iterator<Item = String>,
) -> Option<&'d Schema> {
    use crate::vocabulary::Holds;
    match keyword.holds() {
        Holds::Data | Holds::Reference => None,
        Holds::Schema => schema.schema(keyword),
        Holds::Schemas => schema.schemas(keyword).get(tokens.next()?.parse::<usize>().ok()?),
        Holds::NamedSchemas => {
            let name = tokens.next()?;
            schema.named(keyword).iter().find(|(known, _)| *known == name).map(|(_, schema)| schema)
        }
    }
}

/// The document without a keyword at the place, or places, of one origin. Keywords that mean nothing
/// without it go along.
pub(crate) fn without(document: &Document, origin: Origin, keyword: Keyword) -> Document {
    document.map(|schema| {
        let mut schema = schema.clone();
        remove(&mut schema, origin, keyword);
        schema
    })
}

fn remove(schema: &mut Schema, origin: Origin, keyword: Keyword) {
    if schema.origin == origin {
        schema
            .retain(|known, _| known != keyword && !(is_whole(keyword) && known.group() == keyword.group()));
    }
    for part in schema.children_mut() {
        remove(part, origin, keyword);
    }
}
