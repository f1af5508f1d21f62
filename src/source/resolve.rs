//! From a reference to the place that it names.
//!
//! The `jsonschema` crate's own registry does the resolving, over the borrowed source and nothing else:
//! base URIs, anchors, embedded resources and pointers that cross them therefore mean exactly what they
//! mean to the validators. What the registry cannot know without being asked to compile the schema, the
//! dynamic scope, is kept in [`super::dynamic`].

use std::collections::HashMap;

use jsonschema::{Draft, Registry, Retrieve, Uri, uri};
use serde_json::{Map, Value};

use crate::error::Error;

use super::budget::Measure;
use super::dynamic::{Anchor, Dynamic, EnvironmentId};
use super::places::{Places, address};

/// A base URI, by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct BaseId(usize);

/// Everything outside a schema object that its meaning depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Scope {
    pub(super) draft: Draft,
    pub(super) base: BaseId,
    pub(super) environment: EnvironmentId,
}

impl Scope {
    /// The scope of a document in which nothing needs resolving.
    pub(super) fn unresolved(draft: Draft) -> Scope {
        Scope { draft, base: BaseId(0), environment: EnvironmentId::default() }
    }
}

/// The place that a reference names.
#[derive(Debug)]
pub(super) struct Target<'a> {
    pub(super) value: &'a Value,
    pub(super) pointer: String,
    pub(super) scope: Scope,
}

/// What a reference names when the dynamic scope is left out of account.
#[derive(Clone, Copy)]
struct Found {
    at: Anchor,
    /// The resource that the reference leads to; the place may be in a resource inside it.
    document: BaseId,
    /// Whether it names a dynamic anchor.
    dynamic: bool,
}

/// Nothing is ever fetched: every other document is an empty object, which no reference may lead to.
struct Nowhere;

impl Retrieve for Nowhere {
    fn retrieve(&self, _: &Uri<String>) -> Result<Value, Box<dyn std::error::Error + Send + Sync>> {
        Ok(Value::Object(Map::new()))
    }
}

/// Resolves the references of one source.
pub(super) struct Resolver<'a> {
    registry: Registry<'a>,
    places: Places<'a>,
    bases: Vec<Uri<String>>,
    base_ids: HashMap<String, BaseId>,
    found: HashMap<(BaseId, &'a str), Result<Found, String>>,
    dynamic: Option<Dynamic<'a>>,
}

impl<'a> Resolver<'a> {
    pub(super) fn new(
        source: &'a Value,
        draft: Draft,
        measure: &Measure<'a>,
    ) -> Result<(Resolver<'a>, Scope), Error> {
        let places = Places::new(source);
        let (base, registry) = prepare(source, draft).map_err(|reason| blame(&places, reason))?;
        let dynamic = Dynamic::new(measure);
        let mut resolver = Resolver {
            registry,
            places,
            bases: Vec::new(),
            base_ids: HashMap::new(),
            found: HashMap::new(),
            dynamic,
        };
        let base = resolver.base_id(base);
        Ok((resolver, Scope { draft, base, environment: EnvironmentId::default() }))
    }

    fn base_id(&mut self, base: Uri<String>) -> BaseId {
        if let Some(id) = self.base_ids.get(base.as_str()) {
            return *id;
        }
        let id = BaseId(self.bases.len());
        self.base_ids.insert(base.as_str().to_owned(), id);
        self.bases.push(base);
        id
    }

    /// The base URI inside a schema that has an identifier of its own.
    pub(super) fn enter(&mut self, value: &Value, scope: Scope) -> Result<Scope, String> {
        let resource = scope.draft.create_resource_ref(value);
        let (Some(id), Some(base)) = (resource.id(), self.bases.get(scope.base.0)) else { return Ok(scope) };
        let base = uri::resolve_against(&base.borrow(), id).map_err(|error| error.to_string())?;
        Ok(Scope { base: self.base_id(base), ..scope })
    }

    /// The place that a `$ref` or a `$dynamicRef` names. The crate treats the two alike: what decides is
    /// whether the fragment is a dynamic anchor.
    pub(super) fn resolve(&mut self, reference: &'a str, scope: Scope) -> Result<Target<'a>, String> {
        let found = self.find(reference, scope.base)?;
        let environment = self.leave(scope, found.document);
        let anchor = match (&self.dynamic, reference.rsplit_once('#')) {
            (Some(dynamic), Some((_, name))) if found.dynamic => {
                dynamic.outermost(environment, name).unwrap_or(found.at)
            }
            _ => found.at,
        };
        self.target(anchor, environment)
    }

    /// The place that a `$recursiveRef` names.
    pub(super) fn resolve_recursive(&mut self, scope: Scope) -> Result<Target<'a>, String> {
        let outermost = self.dynamic.as_ref().and_then(|dynamic| dynamic.recursive(scope.environment));
        let found = self.find("#", scope.base)?;
        let found = match outermost {
            Some(outermost) if self.is_recursive(scope.base) => self.find("#", outermost)?,
            _ => found,
        };
        let environment = self.leave(scope, found.document);
        self.target(found.at, environment)
    }

    fn target(&self, anchor: Anchor, environment: EnvironmentId) -> Result<Target<'a>, String> {
        let (value, pointer) = self
            .places
            .find(anchor.address)
            .ok_or("an external reference; only references inside the document are followed")?;
        let scope = Scope { draft: anchor.draft, base: anchor.base, environment };
        Ok(Target { value, pointer, scope })
    }

    /// The dynamic scope after a reference has left the resource `scope.base` for `document`.
    fn leave(&mut self, scope: Scope, document: BaseId) -> EnvironmentId {
        let Some(dynamic) = &self.dynamic else { return scope.environment };
        if let Some(known) = dynamic.after(scope, document) {
            return known;
        }
        let anchors: Vec<(&'a str, Anchor)> = dynamic
            .missing(scope.environment)
            .into_iter()
            .filter_map(|name| Some((name, self.own_anchor(name, scope.base)?)))
            .collect();
        let recursive = self.is_recursive(scope.base);
        match &mut self.dynamic {
            Some(dynamic) => dynamic.grow(scope, anchors, recursive),
            None => scope.environment,
        }
    }

    /// The dynamic anchor of this name in the resource `base` itself.
    fn own_anchor(&mut self, name: &str, base: BaseId) -> Option<Anchor> {
        let found = self.look_up(&format!("#{name}"), base).ok()?;
        found.dynamic.then_some(found.at)
    }

    fn is_recursive(&mut self, base: BaseId) -> bool {
        self.dynamic.as_ref().is_some_and(Dynamic::has_recursive_anchor)
            && self.find("#", base).is_ok_and(|found| {
                self.places.find(found.at.address).is_some_and(|(value, _)| {
                    value.get("$recursiveAnchor").and_then(Value::as_bool).unwrap_or(false)
                })
            })
    }

    fn find(&mut self, reference: &'a str, base: BaseId) -> Result<Found, String> {
        if let Some(found) = self.found.get(&(base, reference)) {
            return found.clone();
        }
        let found = self.look_up(reference, base);
        self.found.insert((base, reference), found.clone());
        found
    }

    fn look_up(&mut self, reference: &str, base: BaseId) -> Result<Found, String> {
        let base_uri = self.bases.get(base.0).cloned().ok_or("unknown base URI")?;
        let resolver = self.registry.resolver(base_uri);
        let resolved = resolver.lookup(reference).map_err(|error| error.to_string())?;
        let (contents, inner, draft) = resolved.into_inner();
        let inner_base = Uri::clone(&inner.base_uri());
        let (uri, name) = reference.split_once('#').unwrap_or((reference, ""));
        let document = match &self.dynamic {
            Some(_) => {
                let uri = if uri.is_empty() { "#" } else { uri };
                let document = resolver.lookup(uri).map_err(|error| error.to_string())?;
                Uri::clone(&document.resolver().base_uri())
            }
            None => inner_base.clone(),
        };
        let dynamic = draft >= Draft::Draft202012
            && contents.get("$dynamicAnchor").and_then(Value::as_str).is_some_and(|own| own == name);
        let at = Anchor { address: address(contents), draft, base: self.base_id(inner_base) };
        Ok(Found { at, document: self.base_id(document), dynamic })
    }

    /// How many look-ups the dynamic scope has cost; they count as nodes.
    pub(super) fn work(&self) -> usize {
        self.dynamic.as_ref().map_or(0, Dynamic::work)
    }
}

fn prepare(source: &Value, draft: Draft) -> Result<(Uri<String>, Registry<'_>), String> {
    let resource = draft.create_resource_ref(source);
    let base =
        uri::from_str(resource.id().unwrap_or("json-schema:///")).map_err(|error| error.to_string())?;
    let registry = Registry::new()
        .retriever(Nowhere)
        .draft(draft)
        .retrieve_known_draft_meta_schemas(false)
        .add(base.as_str(), source)
        .and_then(jsonschema::RegistryBuilder::prepare)
        .map_err(|error| error.to_string())?;
    Ok((base, registry))
}

/// The registry does not say where a malformed URI is; this looks for it.
fn blame(places: &Places<'_>, reason: String) -> Error {
    let pointer = places
        .member(&["$ref", "$id", "id", "$dynamicRef"], |text| uri::from_str(text).is_err())
        .unwrap_or_else(|| "#".to_owned());
    Error::InvalidSchema { pointer, reason }
}
