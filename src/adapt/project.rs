//! Projecting a lifted schema onto what a target can say.
//!
//! One walk from the root down. At each schema object the rules of [`super::rules`] are applied until none
//! changes anything; then the walk goes on into the subschemas. It only enters keywords through which
//! loosening a part loosens the whole (`properties`, `items`, `anyOf`, `allOf`, …). Every other applicator
//! (`not`, `if`, a `oneOf` that stays one, `contains`, …) is sent as it is where all of it is enforced, and
//! dropped as a whole where not. So each rule's declared effect is its effect on the whole schema.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::context::{Context, MAX_DEPTH, Step};
#[cfg(test)]
use super::recording::Recording;
use super::recursion::Recursion;
use super::rules::{RULES, Rule, any_value};
use super::support::can_send;
use crate::error::Error;
use crate::schema::{Document, Origin, Part, Schema};
use crate::target::{Inlining, Target};
use crate::vocabulary::Keyword;

/// Rule applications at one schema object. Every rule takes away what makes it apply, so this is never
/// reached; it is the difference between a defect and a hang.
const MAX_APPLICATIONS: usize = 4_096;

/// The projection of a document: references point to its own definitions.
pub(crate) struct Projection {
    pub(crate) document: Document,
    pub(crate) steps: Vec<Step>,
}

/// Projects a lifted document onto a target.
pub(crate) fn project(source: &Document, target: &Target) -> Result<Projection, Error> {
    if target.structure().inlining == Inlining::Always || !can_send(target, Keyword::Ref) {
        refuse_bomb(source)?;
    }
    let recursion = Recursion::of(source);
    let mut context = Context::new(target, source, &recursion);
    let document = walk(source, &mut context)?;
    Ok(Projection { document, steps: context.into_steps() })
}

/// Projects and tells of every application of a rule.
#[cfg(test)]
pub(crate) fn recorded(source: &Document, target: &Target) -> Result<Recorded, Error> {
    let recursion = Recursion::of(source);
    let mut context = Context::new(target, source, &recursion);
    context.recording = Some(Recording::default());
    walk(source, &mut context)?;
    let any_value = context.any_value.take().map(|name| {
        let definition = any_value_definition(&name, &context);
        (name, definition)
    });
    let recording = context.recording.take().unwrap_or_default();
    Ok(Recorded { recording, any_value, steps: context.into_steps() })
}

/// What the rules did in one projection.
#[cfg(test)]
pub(crate) struct Recorded {
    pub(crate) recording: Recording,
    /// The only definition that schemas refer to and that the source does not have.
    pub(crate) any_value: Option<(Arc<str>, Schema)>,
    pub(crate) steps: Vec<Step>,
}

/// The root, then every definition that is still referred to.
fn walk(source: &Document, context: &mut Context<'_>) -> Result<Document, Error> {
    context.is_root = true;
    let root = schema(source.root.clone(), context, 0)?;
    let mut document = Document::new(root);
    let mut waiting: Vec<Arc<str>> = references(&document.root);
    let mut done: BTreeSet<Arc<str>> = BTreeSet::new();
    let mut next = 0;
    while let Some(name) = waiting.get(next).cloned() {
        next += 1;
        if !done.insert(Arc::clone(&name)) {
            continue;
        }
        let projected = match source.definition(&name) {
            Some(definition) => {
                context.within = Some(Arc::clone(&name));
                context.in_optional = false;
                context.inlined.clear();
                schema(definition.clone(), context, 0)?
            }
            None => any_value_definition(&name, context),
        };
        waiting.extend(references(&projected));
        document.define(name, projected);
    }
    Ok(document)
}

/// References that would expand to more schema objects than this are no schema anybody wrote.
const MAX_EXPANDED: u64 = 1 << 22;

/// Refuses a document whose references multiply without end in sight, where they have to be written out.
fn refuse_bomb(source: &Document) -> Result<(), Error> {
    // An estimate from below: definitions come in the order of first reference, so that going backwards most
    // sizes are known when they are needed. What is really written out is counted exactly, and cut.
    let mut sizes: BTreeMap<&str, u64> = BTreeMap::new();
    for (name, definition) in source.definitions().iter().rev() {
        let size = expanded(definition, &sizes);
        sizes.insert(name, size);
    }
    if expanded(&source.root, &sizes) > MAX_EXPANDED {
        return Err(Error::Budget {
            which: "nodes, with references written out",
            limit: MAX_EXPANDED as usize,
        });
    }
    Ok(())
}

fn expanded(schema: &Schema, sizes: &BTreeMap<&str, u64>) -> u64 {
    let referred = |schema: &Schema| schema.target().and_then(|name| sizes.get(name.as_ref())).copied();
    schema
        .everywhere()
        .fold(0, |total: u64, schema| total.saturating_add(referred(schema).unwrap_or(0)).saturating_add(1))
}

/// The only definition that the source does not have: "any value".
fn any_value_definition(name: &Arc<str>, context: &Context<'_>) -> Schema {
    let origin = Origin(0);
    Schema::always(origin).with(Keyword::AnyOf, any_value::any_value(origin, context, Some(name)))
}

/// Applies the rules here, then goes on into the parts.
pub(crate) fn schema(mut schema: Schema, context: &mut Context<'_>, depth: usize) -> Result<Schema, Error> {
    if depth > MAX_DEPTH {
        return Err(Error::Budget { which: "depth", limit: MAX_DEPTH });
    }
    let inlined = context.inlined.len();
    settle(&mut schema, context)?;
    context.is_root = false;
    let required: Vec<String> = schema.required().map(str::to_owned).collect();
    let keywords: Vec<Keyword> = schema.keywords().iter().map(|(keyword, _)| *keyword).collect();
    for keyword in keywords.into_iter().filter(|keyword| is_entered(*keyword)) {
        let Some(part) = schema.get_mut(keyword) else { continue };
        match part {
            Part::Named(named) => {
                for (name, part) in named {
                    let outside = context.in_optional;
                    context.in_optional |= keyword == Keyword::Properties && !required.contains(name);
                    replace(part, context, depth)?;
                    context.in_optional = outside;
                }
            }
            part => {
                for part in part.schemas_mut() {
                    // Objects are closed and opened, and tuples closed, with booleans everywhere.
                    let is_open_or_closed = match keyword {
                        Keyword::AdditionalProperties => part.is_never() || part.is_always(),
                        Keyword::Items => part.is_never(),
                        _ => false,
                    };
                    if is_open_or_closed {
                        continue;
                    }
                    replace(part, context, depth)?;
                }
            }
        }
    }
    context.inlined.truncate(inlined);
    Ok(schema)
}

fn replace(part: &mut Schema, context: &mut Context<'_>, depth: usize) -> Result<(), Error> {
    let taken = std::mem::replace(part, Schema::always(part.origin));
    *part = schema(taken, context, depth + 1)?;
    Ok(())
}

fn settle(schema: &mut Schema, context: &mut Context<'_>) -> Result<(), Error> {
    for _ in 0..=MAX_APPLICATIONS {
        #[cfg(test)]
        let before = context.recording.as_ref().and_then(|recording| recording.before(schema));
        let applied = apply_first(schema, context)?;
        #[cfg(test)]
        if let Some(recording) = &mut context.recording {
            recording.record(before, applied, schema);
        }
        if applied.is_none() {
            return Ok(());
        }
    }
    Err(Error::Budget { which: "rule applications", limit: MAX_APPLICATIONS })
}

/// Applies the first rule that has something to do here, and says which that was.
fn apply_first(schema: &mut Schema, context: &mut Context<'_>) -> Result<Option<&'static Rule>, Error> {
    for rule in RULES {
        context.rule = Some(rule);
        if (rule.apply)(schema, context)? {
            return Ok(Some(rule));
        }
    }
    Ok(None)
}

/// Whether loosening what this keyword holds loosens the whole.
pub(super) fn is_entered(keyword: Keyword) -> bool {
    matches!(
        keyword,
        Keyword::Properties
            | Keyword::PatternProperties
            | Keyword::AdditionalProperties
            | Keyword::PrefixItems
            | Keyword::Items
            | Keyword::AllOf
            | Keyword::AnyOf
    )
}

/// The definitions that a schema refers to, in order.
fn references(schema: &Schema) -> Vec<Arc<str>> {
    let mut found = Vec::new();
    let mut pending = vec![schema];
    while let Some(schema) = pending.pop() {
        found.extend(schema.target().cloned());
        let children: Vec<&Schema> = schema.children().collect();
        pending.extend(children.into_iter().rev());
    }
    found
}
