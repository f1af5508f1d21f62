//! The walk: one schema after the other, definitions as they are needed.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;

use jsonschema::Draft;
use serde_json::{Map, Value};

use crate::error::Error;
use crate::schema::{Document, Origin, Schema};
use crate::vocabulary::Keyword;

use super::budget::{Budget, Measure};
use super::dialect::{self, Shape};
use super::names::{self, Names};
use super::places::{address, member};
use super::resolve::{Resolver, Scope, Target};
use super::{Lifted, meta};

/// A schema object or boolean that is being lifted.
#[derive(Clone, Copy)]
pub(super) struct At<'p> {
    /// Its pointer in the source.
    pub(super) pointer: &'p str,
    pub(super) origin: Origin,
    pub(super) scope: Scope,
    pub(super) depth: usize,
    /// Whether this place has not been lifted before, so that what is said about it is said once.
    pub(super) first: bool,
}

/// A reference on the way to where aliases end: its keyword, its value, the object that holds the two, and
/// where that is.
type Link<'a, 'k> = (&'k str, &'a Value, &'a Map<String, Value>, Scope, String);

/// A definition that has been referred to and not been lifted yet.
struct Pending<'a> {
    name: Arc<str>,
    target: Target<'a>,
}

/// Lifts one source.
pub(super) struct Lifter<'a, 'b> {
    budget: &'b Budget,
    /// Absent where the source has no references.
    resolver: Option<Resolver<'a>>,
    root: Scope,
    /// Places that have passed the meta-schema of a draft.
    checked: HashSet<(usize, Draft)>,
    dialects: bool,
    /// Whether `unevaluatedProperties` occurs anywhere.
    pub(super) unevaluated_properties: bool,
    origins: HashMap<usize, Origin>,
    sources: Vec<String>,
    pub(super) unknown: Vec<(Origin, String)>,
    pub(super) renamed: HashMap<(Origin, Keyword), &'static str>,
    names: Names,
    definitions: HashMap<(usize, Scope), Arc<str>>,
    /// Where aliases end, so that a long chain is followed once.
    aliases: HashMap<(usize, Scope), Option<Arc<str>>>,
    pending: VecDeque<Pending<'a>>,
    nodes: usize,
    bytes: usize,
}

/// The draft of a schema, from its `$schema` or else from what is around it.
pub(super) fn detect(value: &Value, around: Draft, pointer: &str) -> Result<Draft, Error> {
    match around.detect(value) {
        Draft::Unknown => Err(Error::InvalidSchema {
            pointer: member(pointer, "$schema"),
            reason: "not one of the drafts 04, 06, 07, 2019-09 and 2020-12".to_owned(),
        }),
        draft => Ok(draft),
    }
}

impl<'a, 'b> Lifter<'a, 'b> {
    pub(super) fn new(
        source: &'a Value,
        draft: Draft,
        budget: &'b Budget,
        measure: &Measure<'a>,
    ) -> Result<Lifter<'a, 'b>, Error> {
        let (resolver, root) = if measure.references {
            let (resolver, root) = Resolver::new(source, draft, measure)?;
            (Some(resolver), root)
        } else {
            (None, Scope::unresolved(draft))
        };
        Ok(Lifter {
            budget,
            // Only the target of a reference can be a place that has not been checked.
            checked: if resolver.is_some() {
                measure.checked.iter().copied().collect()
            } else {
                HashSet::new()
            },
            resolver,
            root,
            dialects: measure.dialects,
            unevaluated_properties: measure.unevaluated_properties,
            origins: HashMap::new(),
            sources: Vec::new(),
            unknown: Vec::new(),
            renamed: HashMap::new(),
            names: Names::default(),
            definitions: HashMap::new(),
            aliases: HashMap::new(),
            pending: VecDeque::new(),
            nodes: 0,
            bytes: 0,
        })
    }

    pub(super) fn run(mut self, source: &'a Value) -> Result<Lifted, Error> {
        let root = self.schema(source, "#", self.root, 0)?;
        let mut document = Document::new(root);
        while let Some(Pending { name, target }) = self.pending.pop_front() {
            self.check(target.value, target.scope.draft, &target.pointer)?;
            let schema = self.entered(target.value, &target.pointer, target.scope, 0)?;
            document.define(name, schema);
        }
        // A root that is referred to is written once. This also keeps the number of references in every
        // circle the same, which matters where a validator has to cut one.
        let is_root =
            |schema: &Schema| self.sources.get(schema.origin.0 as usize).is_some_and(|at| at == "#");
        let copy =
            document.definitions().iter().find(|(_, schema)| is_root(schema) && *schema == document.root);
        if let Some(name) = copy.map(|(name, _)| Arc::clone(name)) {
            document.root = Schema::reference(document.root.origin, name);
        }
        Ok(Lifted {
            document,
            sources: self.sources,
            unknown: self.unknown,
            renamed: self.renamed,
            in_snake_case: HashMap::new(),
        })
    }

    /// Checks a place that the walk over the document has not come by: `#/components/schemas/X`, or a
    /// schema that is read in another draft than the one around it.
    fn check(&mut self, value: &Value, draft: Draft, pointer: &str) -> Result<(), Error> {
        if self.checked.insert((address(value), draft)) {
            meta::check(value, draft, pointer, self.dialects)?;
        }
        Ok(())
    }

    /// Lifts a schema that stands in another one.
    pub(super) fn schema(
        &mut self,
        value: &'a Value,
        pointer: &str,
        around: Scope,
        depth: usize,
    ) -> Result<Schema, Error> {
        let draft = detect(value, around.draft, pointer)?;
        if draft != around.draft {
            self.check(value, draft, pointer)?;
        }
        let scope = Scope { draft, ..around };
        let scope = match &mut self.resolver {
            Some(resolver) => resolver.enter(value, scope).map_err(|reason| Error::InvalidSchema {
                pointer: member(pointer, draft.id_keyword()),
                reason,
            })?,
            None => scope,
        };
        self.entered(value, pointer, scope, depth)
    }

    /// Lifts a schema whose scope is known: what it says about itself has been taken into account.
    fn entered(
        &mut self,
        value: &'a Value,
        pointer: &str,
        scope: Scope,
        depth: usize,
    ) -> Result<Schema, Error> {
        self.budget.check_depth(depth)?;
        self.nodes += 1;
        self.budget.check_nodes(self.nodes + self.resolver.as_ref().map_or(0, Resolver::work))?;
        let (origin, first) = self.origin(value, pointer)?;
        match value {
            Value::Bool(true) => Ok(Schema::always(origin)),
            Value::Bool(false) => Ok(Schema::never(origin)),
            Value::Object(members) => self.object(members, &At { pointer, origin, scope, depth, first }),
            _ => Err(Error::InvalidSchema {
                pointer: pointer.to_owned(),
                reason: "a schema is an object or a boolean".to_owned(),
            }),
        }
    }

    fn origin(&mut self, value: &Value, pointer: &str) -> Result<(Origin, bool), Error> {
        if let Some(origin) = self.origins.get(&address(value)) {
            return Ok((*origin, false));
        }
        let origin = self.another_origin(pointer)?;
        self.origins.insert(address(value), origin);
        Ok((origin, true))
    }

    /// A second origin for the same place, for a schema that holds what its own schema has no room for.
    pub(super) fn another_origin(&mut self, pointer: &str) -> Result<Origin, Error> {
        let index = u32::try_from(self.sources.len())
            .map_err(|_| Error::Budget { which: "nodes", limit: self.budget.nodes })?;
        self.charge(pointer.len())?;
        self.sources.push(pointer.to_owned());
        Ok(Origin(index))
    }

    /// Counts bytes that are about to be copied.
    pub(super) fn charge(&mut self, bytes: usize) -> Result<(), Error> {
        self.bytes = self.bytes.saturating_add(bytes);
        self.budget.check_copies(self.bytes)
    }

    fn object(&mut self, members: &'a Map<String, Value>, at: &At<'_>) -> Result<Schema, Error> {
        // Up to draft 07, `$ref` hides everything beside it.
        if at.scope.draft < Draft::Draft201909
            && let Some(reference) = members.get("$ref")
        {
            return Ok(match self.reference("$ref", reference, members, at)? {
                Some(name) => Schema::reference(at.origin, name),
                None => Schema::always(at.origin),
            });
        }
        self.keywords(members, at)
    }

    /// The definition that a reference leads to, aliases followed to their end; `None` where it leads
    /// nowhere but back to itself, which constrains nothing.
    pub(super) fn reference(
        &mut self,
        keyword: &str,
        value: &'a Value,
        members: &'a Map<String, Value>,
        at: &At<'_>,
    ) -> Result<Option<Arc<str>>, Error> {
        let mut followed = HashSet::new();
        let end = self.follow((keyword, value, members, at.scope, at.pointer.to_owned()), &mut followed)?;
        self.aliases.extend(followed.into_iter().map(|alias| (alias, end.clone())));
        Ok(end)
    }

    fn follow(
        &mut self,
        from: Link<'a, '_>,
        followed: &mut HashSet<(usize, Scope)>,
    ) -> Result<Option<Arc<str>>, Error> {
        let mut from = from;
        loop {
            let (keyword, value, members, scope, pointer) = from;
            let pointer = || member(&pointer, keyword);
            let text = value.as_str().ok_or_else(|| Error::InvalidSchema {
                pointer: pointer(),
                reason: "a reference is a string".to_owned(),
            })?;
            // The crate reads an empty reference as no reference at all.
            if text.is_empty() && keyword != "$recursiveRef" {
                return Ok(None);
            }
            let target = self.target(keyword, text, scope).map_err(|reason| Error::InvalidSchema {
                pointer: pointer(),
                reason: format!("cannot resolve {text:?}: {reason}"),
            })?;
            self.charge(target.pointer.len())?;
            if !(target.value.is_object() || target.value.is_boolean()) {
                return Err(Error::InvalidSchema {
                    pointer: pointer(),
                    reason: format!("{text:?} does not name a schema"),
                });
            }
            if target.value.as_object().is_some_and(|target| std::ptr::eq(target, members)) {
                return Ok(None);
            }
            let key = (address(target.value), target.scope);
            let Some((keyword, value, members)) =
                target.value.as_object().and_then(|members| alias(members, target.scope.draft))
            else {
                return Ok(Some(self.define(key, text, target)));
            };
            if let Some(end) = self.aliases.get(&key) {
                return Ok(end.clone());
            }
            if !followed.insert(key) {
                return Ok(None);
            }
            from = (keyword, value, members, target.scope, target.pointer);
        }
    }

    fn target(&mut self, keyword: &str, text: &'a str, scope: Scope) -> Result<Target<'a>, String> {
        let resolver = self.resolver.as_mut().ok_or("references were not looked for")?;
        if keyword == "$recursiveRef" {
            resolver.resolve_recursive(scope)
        } else {
            resolver.resolve(text, scope)
        }
    }

    fn define(&mut self, key: (usize, Scope), reference: &str, target: Target<'a>) -> Arc<str> {
        if let Some(name) = self.definitions.get(&key) {
            return Arc::clone(name);
        }
        let name = self.names.take(names::wanted(&target.pointer, reference));
        self.definitions.insert(key, Arc::clone(&name));
        self.pending.push_back(Pending { name: Arc::clone(&name), target });
        name
    }
}

/// The reference that a schema consists of, where it consists of nothing else.
fn alias(members: &Map<String, Value>, draft: Draft) -> Option<(&'static str, &Value, &Map<String, Value>)> {
    if draft < Draft::Draft201909 {
        return members.get("$ref").map(|value| ("$ref", value, members));
    }
    let mut found = None;
    for (name, value) in members {
        let keyword = match (dialect::shape(draft, name), name.as_str()) {
            (Shape::Identity | Shape::Definitions, _) => continue,
            (Shape::Reference, "$ref") => "$ref",
            (Shape::Reference, "$dynamicRef") => "$dynamicRef",
            (Shape::Reference, "$recursiveRef") => "$recursiveRef",
            _ => return None,
        };
        if found.replace((keyword, value, members)).is_some() {
            return None;
        }
    }
    found
}
