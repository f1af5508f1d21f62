//! Which keywords of a document an instance violates, and whether it is rejected for one of them alone.

use jsonschema::error::ValidationErrorKind;
use jsonschema::{PatternCache, ValidationError};
use serde_json::Value;
use smallvec::SmallVec;

use super::compile::{self, Validator};
use crate::error::Error;
use crate::schema::{Document, Origin, Schema};
use crate::vocabulary::{Holds, Keyword};

/// The errors that a validator has for an instance.
pub(crate) struct Violated(Vec<Failure>);

/// One error.
struct Failure {
    place: Option<Place>,
    /// Where no branch of a union holds: what fails in each.
    branches: Option<Branches>,
}

struct Branches {
    /// Whether just one may hold.
    is_exclusive: bool,
    failures: Vec<Vec<Failure>>,
}

/// A keyword at a schema object.
struct Place {
    origin: Origin,
    keyword: Keyword,
    /// The schema object that the keyword leads to, and whether it accepts nothing: then the error may as well be
    /// said to be at its `not`.
    ends: Origin,
    accepts_nothing: bool,
    /// The keywords on the way there, this one included.
    way: SmallVec<[(Origin, Keyword); 8]>,
    /// Whether they apply whatever other keywords say.
    is_unconditional: bool,
    /// Whether no other schema decides about the error.
    asks_no_schema: bool,
}

impl Place {
    fn passes(&self, origin: Origin, keyword: Keyword) -> bool {
        is_at(Some(self), origin, keyword)
            || self.way.iter().any(|(at, held)| *at == origin && is_same_group(*held, keyword))
    }
}

impl Violated {
    /// What the instance violates of the document that the validator is compiled from.
    pub(crate) fn of(
        document: &Document,
        validator: &Validator,
        instance: &Value,
    ) -> Result<Violated, Error> {
        let errors = validator.iter_errors(instance);
        let failures = errors.map(|error| failure(document, validator, &error, 0));
        Ok(Violated(failures.collect::<Result<_, Error>>()?))
    }

    /// Whether an error is at this keyword of this schema object.
    pub(crate) fn includes(&self, origin: Origin, keyword: Keyword) -> bool {
        self.0.iter().any(|failure| is_at(failure.place.as_ref(), origin, keyword))
    }

    /// Whether all errors go away with the keyword.
    fn is_only(&self, origin: Origin, keyword: Keyword) -> bool {
        self.0.iter().all(|failure| failure.goes_with(origin, keyword))
    }

    /// Whether there certainly is an error without the keyword too.
    fn stays_without(&self, origin: Origin, keyword: Keyword) -> bool {
        self.0.iter().any(|failure| failure.stays_without(origin, keyword))
    }
}

impl Failure {
    /// Whether the error certainly does not go away with the keyword: it is at a keyword that does not ask other
    /// schemas, which nothing but the keywords on the way to it made apply.
    fn stays_without(&self, origin: Origin, keyword: Keyword) -> bool {
        let Some(place) = &self.place else { return false };
        if !place.is_unconditional || place.passes(origin, keyword) {
            return false;
        }
        self.branches.as_ref().is_some_and(|branches| {
            let stays = |failures: &Vec<Failure>| {
                failures.iter().any(|failure| failure.stays_without(origin, keyword))
            };
            branches.failures.iter().all(stays)
        }) || place.asks_no_schema
    }

    /// Whether the error goes away with the keyword, by itself or because a branch then holds.
    fn goes_with(&self, origin: Origin, keyword: Keyword) -> bool {
        is_at(self.place.as_ref(), origin, keyword)
            || self.branches.as_ref().is_some_and(|branches| {
                let hold = |failures: &&Vec<Failure>| {
                    failures.iter().all(|failure| failure.goes_with(origin, keyword))
                };
                let holding = branches.failures.iter().filter(hold).count();
                if branches.is_exclusive { holding == 1 } else { holding > 0 }
            })
    }
}

/// Unions in unions that are looked into.
const MAX_UNIONS: usize = 16;

fn failure(
    document: &Document,
    validator: &Validator,
    error: &ValidationError<'_>,
    depth: usize,
) -> Result<Failure, Error> {
    if let Some(error) = validator.gave_up(error) {
        return Err(error);
    }
    let (is_exclusive, context) = match error.kind() {
        ValidationErrorKind::AnyOf { context } if depth < MAX_UNIONS => (false, context.as_slice()),
        ValidationErrorKind::OneOfNotValid { context } if depth < MAX_UNIONS => (true, context.as_slice()),
        _ => (false, &[][..]),
    };
    let within = |errors: &Vec<ValidationError<'static>>| {
        let failures = errors.iter().map(|error| failure(document, validator, error, depth + 1));
        failures.collect::<Result<Vec<Failure>, Error>>()
    };
    let failures = context.iter().map(within).collect::<Result<Vec<_>, Error>>()?;
    let branches = (!failures.is_empty()).then_some(Branches { is_exclusive, failures });
    Ok(Failure { place: place(document, error.evaluation_path().as_str()), branches })
}

/// The question for one keyword at one place. The document without the keyword is compiled once, and only where
/// an error comes from a keyword that does not tell what fails in it (`not`, `contains`, …).
pub(crate) struct Isolation<'d> {
    document: &'d Document,
    origin: Origin,
    keyword: Keyword,
    patterns: &'d PatternCache,
    without: Option<Validator>,
}

impl<'d> Isolation<'d> {
    pub(crate) fn new(
        document: &'d Document,
        origin: Origin,
        keyword: Keyword,
        patterns: &'d PatternCache,
    ) -> Isolation<'d> {
        Isolation { document, origin, keyword, patterns, without: None }
    }

    /// Whether the document, which rejects the instance, would accept it without this keyword at this place.
    /// `violated` is what the instance violates of the document, or of one that means the same.
    pub(crate) fn isolates(&mut self, violated: &Violated, instance: &Value) -> Result<bool, Error> {
        if violated.is_only(self.origin, self.keyword) {
            return Ok(true);
        }
        if violated.stays_without(self.origin, self.keyword) {
            return Ok(false);
        }
        let without = match self.without.take() {
            Some(without) => without,
            None => {
                let document = without(self.document, self.origin, self.keyword);
                compile::sharing(document.to_value(), self.patterns)?
            }
        };
        compile::verdict(self.without.insert(without), instance)
    }
}

/// Where the way through the keywords that were evaluated leads.
fn place(document: &Document, location: &str) -> Option<Place> {
    let mut tokens = location.split('/').skip(1).map(|token| token.replace("~1", "/").replace("~0", "~"));
    let mut schema = &document.root;
    let mut way = SmallVec::new();
    while let Some(token) = tokens.next() {
        let known = Keyword::from_name(&token)?;
        way.push((schema.origin, known));
        let Some(next) = step(document, schema, known, &mut tokens) else { break };
        schema = next;
    }
    let accepts_nothing = schema.is_never();
    let holder = way.last().copied();
    let (origin, keyword) = holder.or(accepts_nothing.then_some((schema.origin, Keyword::Not)))?;
    let is_conditional = |(_, keyword): &(Origin, Keyword)| {
        use Keyword::{Else, If, Then, UnevaluatedItems, UnevaluatedProperties};
        matches!(keyword, If | Then | Else | UnevaluatedItems | UnevaluatedProperties)
    };
    Some(Place {
        origin,
        keyword,
        accepts_nothing,
        ends: schema.origin,
        is_unconditional: !way.iter().any(is_conditional),
        asks_no_schema: accepts_nothing || keyword.holds() == Holds::Data,
        way,
    })
}

/// Whether an error there is one at this keyword.
fn is_at(place: Option<&Place>, origin: Origin, keyword: Keyword) -> bool {
    place.is_some_and(|place| {
        place.accepts_nothing && (place.ends, Keyword::Not) == (origin, keyword)
            || place.origin == origin && is_same_group(place.keyword, keyword)
    })
}

/// Whether this keyword goes where the other does.
fn is_same_group(held: Keyword, keyword: Keyword) -> bool {
    held == keyword || held.group() == keyword.group() && is_whole(keyword)
}

/// Whether a loss of this keyword is the loss of its whole group.
fn is_whole(keyword: Keyword) -> bool {
    matches!(keyword, Keyword::Contains | Keyword::If)
}

fn step<'d>(
    document: &'d Document,
    schema: &'d Schema,
    keyword: Keyword,
    tokens: &mut impl Iterator<Item = String>,
) -> Option<&'d Schema> {
    match keyword.holds() {
        Holds::Data => None,
        Holds::Reference => document.definition(schema.target()?),
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
    changed(document, origin, &|schema| schema.retain(|known, _| !is_same_group(known, keyword)))
}

/// The document with `anyOf` for `oneOf` at the place, or places, of one origin, unless it has both there.
pub(crate) fn any_for_one(document: &Document, origin: Origin) -> Document {
    changed(document, origin, &|schema| {
        if !schema.has(Keyword::AnyOf)
            && let Some(branches) = schema.remove(Keyword::OneOf)
        {
            schema.set(Keyword::AnyOf, branches);
        }
    })
}

/// The document with the schema objects of one origin changed.
fn changed(document: &Document, origin: Origin, change: &impl Fn(&mut Schema)) -> Document {
    // A root that is referred to is written once, as a definition: the reference that stands for it is nobody's.
    let definition = document.root.target().and_then(|name| document.definition(name));
    let stands_for_a_definition = definition.is_some_and(|root| root.origin == document.root.origin);
    document.map(|schema| {
        let mut changed = schema.clone();
        if !(stands_for_a_definition && std::ptr::eq(schema, &document.root)) {
            change_within(&mut changed, origin, change);
        }
        changed
    })
}

fn change_within(schema: &mut Schema, origin: Origin, change: &impl Fn(&mut Schema)) {
    if schema.origin == origin {
        change(schema);
    }
    for part in schema.children_mut() {
        change_within(part, origin, change);
    }
}
