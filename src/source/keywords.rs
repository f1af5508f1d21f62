//! One schema object, keyword by keyword.

use jsonschema::Draft;
use serde_json::{Map, Value};

use crate::error::Error;
use crate::schema::{Part, Schema};
use crate::vocabulary::{Keyword, Types};

use super::dialect::{self, Shape};
use super::lift::{At, Lifter};
use super::places::{item, member};
use super::{budget, extensions, meta};

/// A schema that is being put together.
pub(super) struct Parts {
    pub(super) schema: Schema,
    /// What the schema has no room for: members of an `allOf`.
    pub(super) more: Vec<Schema>,
}

impl<'a> Lifter<'a, '_> {
    pub(super) fn keywords(&mut self, members: &'a Map<String, Value>, at: &At<'_>) -> Result<Schema, Error> {
        let mut parts = Parts { schema: Schema::always(at.origin), more: Vec::new() };
        for (name, value) in members {
            self.keyword(name, value, members, at, &mut parts)?;
        }
        self.content(members, at, &mut parts)?;
        let Parts { mut schema, more } = parts;
        if !more.is_empty() {
            match schema.get_mut(Keyword::AllOf) {
                Some(Part::Schemas(schemas)) => schemas.extend(more),
                _ => schema.set(Keyword::AllOf, more),
            }
        }
        Ok(schema)
    }

    fn keyword(
        &mut self,
        name: &'a str,
        value: &'a Value,
        members: &'a Map<String, Value>,
        at: &At<'_>,
        parts: &mut Parts,
    ) -> Result<(), Error> {
        let draft = at.scope.draft;
        match dialect::shape(draft, name) {
            Shape::Identity | Shape::Definitions | Shape::ForeignDefinitions => {}
            Shape::Unknown => self.left_out(name, at),
            Shape::Reference => self.reference_keyword(name, value, members, at, parts)?,
            Shape::Items => self.items(value, at, parts)?,
            Shape::Dependencies => self.dependencies(value, at, parts)?,
            Shape::Data => self.data(name, value, members, at, parts)?,
            Shape::Schema if name == "additionalItems" => {
                if members.get("items").is_some_and(Value::is_array) {
                    let schema = self.child(value, name, at)?;
                    self.set_renamed(parts, at, Keyword::Items, "additionalItems", schema);
                } else {
                    self.left_out(name, at);
                }
            }
            // Without `if` they mean nothing, and what they refer to need not exist.
            Shape::Schema if matches!(name, "then" | "else") && !members.contains_key("if") => {
                self.left_out(name, at);
            }
            Shape::Schema => {
                let schema = self.child(value, name, at)?;
                self.set(parts, at, name, schema);
            }
            Shape::Schemas => {
                let schemas = self.children(value, name, at)?;
                self.set(parts, at, name, schemas);
            }
            Shape::Named if name == "dependentSchemas" => self.dependent_schemas(value, at, parts)?,
            Shape::Named => {
                let named = self.named(value, name, at)?;
                self.set(parts, at, name, named);
            }
        }
        Ok(())
    }

    /// Sets a keyword that is called the same in 2020-12.
    fn set(&mut self, parts: &mut Parts, at: &At<'_>, name: &str, part: impl Into<Part>) {
        match Keyword::from_name(name) {
            Some(keyword) => parts.schema.set(keyword, part),
            None => self.left_out(name, at),
        }
    }

    pub(super) fn set_renamed(
        &mut self,
        parts: &mut Parts,
        at: &At<'_>,
        keyword: Keyword,
        name: &'static str,
        part: impl Into<Part>,
    ) {
        self.renamed.insert((at.origin, keyword), name);
        parts.schema.set(keyword, part);
    }

    pub(super) fn left_out(&mut self, name: &str, at: &At<'_>) {
        if at.first {
            self.unknown.push((at.origin, name.to_owned()));
        }
    }

    pub(super) fn child(&mut self, value: &'a Value, name: &str, at: &At<'_>) -> Result<Schema, Error> {
        self.schema(value, &member(at.pointer, name), at.scope, at.depth + 1)
    }

    fn children(&mut self, value: &'a Value, name: &str, at: &At<'_>) -> Result<Vec<Schema>, Error> {
        let pointer = member(at.pointer, name);
        let Value::Array(items) = value else { return Err(wrong(at, name)) };
        let lifted = items.iter().enumerate();
        lifted
            .map(|(index, value)| self.schema(value, &item(&pointer, index), at.scope, at.depth + 1))
            .collect()
    }

    pub(super) fn named(
        &mut self,
        value: &'a Value,
        name: &str,
        at: &At<'_>,
    ) -> Result<Vec<(String, Schema)>, Error> {
        let pointer = member(at.pointer, name);
        let Value::Object(members) = value else { return Err(wrong(at, name)) };
        let mut named = Vec::with_capacity(members.len());
        for (key, value) in members {
            let pointer = member(&pointer, key);
            if name == "patternProperties" {
                meta::check_pattern(key, || pointer.clone())?;
            }
            self.charge(key.len())?;
            named.push((key.clone(), self.schema(value, &pointer, at.scope, at.depth + 1)?));
        }
        Ok(named)
    }

    fn reference_keyword(
        &mut self,
        name: &'a str,
        value: &'a Value,
        members: &'a Map<String, Value>,
        at: &At<'_>,
        parts: &mut Parts,
    ) -> Result<(), Error> {
        let Some(target) = self.reference(name, value, members, at)? else { return Ok(()) };
        let user = match name {
            "$dynamicRef" => Some("$dynamicRef"),
            "$recursiveRef" => Some("$recursiveRef"),
            _ => None,
        };
        // A schema has room for one reference.
        let origin =
            if parts.schema.has(Keyword::Ref) { self.another_origin(at.pointer)? } else { at.origin };
        if let Some(user) = user {
            self.renamed.insert((origin, Keyword::Ref), user);
        }
        if origin == at.origin {
            parts.schema.set(Keyword::Ref, Part::Reference(target));
        } else {
            parts.more.push(Schema::reference(origin, target));
        }
        Ok(())
    }

    fn items(&mut self, value: &'a Value, at: &At<'_>, parts: &mut Parts) -> Result<(), Error> {
        if value.is_array() {
            let schemas = self.children(value, "items", at)?;
            self.set_renamed(parts, at, Keyword::PrefixItems, "items", schemas);
        } else {
            let schema = self.child(value, "items", at)?;
            parts.schema.set(Keyword::Items, schema);
        }
        Ok(())
    }

    fn data(
        &mut self,
        name: &str,
        value: &Value,
        members: &Map<String, Value>,
        at: &At<'_>,
        parts: &mut Parts,
    ) -> Result<(), Error> {
        let draft_4 = at.scope.draft == Draft::Draft4;
        self.charge(budget::size(value))?;
        match name {
            "pattern" => {
                let pattern = value.as_str().ok_or_else(|| wrong(at, name))?;
                meta::check_pattern(pattern, || member(at.pointer, name))?;
                parts.schema.set(Keyword::Pattern, value.clone());
            }
            "format" => {
                let format = value.as_str().ok_or_else(|| wrong(at, name))?;
                match dialect::format(at.scope.draft, format) {
                    Some(format) => parts.schema.set(Keyword::Format, Value::from(format)),
                    None => self.left_out(name, at),
                }
            }
            "type" => {
                parts.schema.set(Keyword::Type, value.clone());
                let types = parts.schema.types();
                if draft_4 && types.contains(Types::INTEGER) && !types.contains(Types::NUMBER) {
                    self.set_renamed(parts, at, Keyword::IntegerLiteral, "type", Value::Bool(true));
                }
            }
            "minimum" if draft_4 && members.get("exclusiveMinimum") == Some(&Value::Bool(true)) => {
                self.set_renamed(parts, at, Keyword::ExclusiveMinimum, "minimum", value.clone());
            }
            "maximum" if draft_4 && members.get("exclusiveMaximum") == Some(&Value::Bool(true)) => {
                self.set_renamed(parts, at, Keyword::ExclusiveMaximum, "maximum", value.clone());
            }
            // Modifies its neighbour, as above.
            "exclusiveMinimum" | "exclusiveMaximum" if draft_4 => {}
            "dependentRequired" => self.dependent_required(value, at, parts)?,
            _ => match dialect::annotation(name) {
                Some(keyword) if !dialect::annotation_fits(keyword, value) => self.left_out(name, at),
                _ => self.set(parts, at, name, plain_count(name, value)),
            },
        }
        Ok(())
    }

    /// Drafts 06 and 07 assert `contentEncoding` and `contentMediaType`.
    fn content(&mut self, members: &Map<String, Value>, at: &At<'_>, parts: &mut Parts) -> Result<(), Error> {
        if !matches!(at.scope.draft, Draft::Draft6 | Draft::Draft7) {
            return Ok(());
        }
        let text = |name: &str| match members.get(name) {
            Some(value) => value.as_str().map(Some).ok_or_else(|| wrong(at, name)),
            None => Ok(None),
        };
        let (encoding, media_type) = (text("contentEncoding")?, text("contentMediaType")?);
        let Some(format) = extensions::content_format(encoding, media_type) else { return Ok(()) };
        let user = if media_type.is_some() { "contentMediaType" } else { "contentEncoding" };
        if parts.schema.has(Keyword::Format) {
            let origin = self.another_origin(at.pointer)?;
            self.renamed.insert((origin, Keyword::Format), user);
            parts.more.push(Schema::always(origin).with(Keyword::Format, Value::from(format)));
        } else {
            self.set_renamed(parts, at, Keyword::Format, user, Value::from(format));
        }
        Ok(())
    }
}

/// A keyword with a value that the meta-schema does not allow but did not get to see.
pub(super) fn wrong(at: &At<'_>, name: &str) -> Error {
    Error::InvalidSchema {
        pointer: member(at.pointer, name),
        reason: format!("not a value that {name:?} may have"),
    }
}

/// A count is written as an integer: `2.0` as `2`.
fn plain_count(name: &str, value: &Value) -> Value {
    let counts = matches!(
        name,
        "minLength"
            | "maxLength"
            | "minItems"
            | "maxItems"
            | "minProperties"
            | "maxProperties"
            | "minContains"
            | "maxContains"
    );
    match value.as_f64() {
        // Beyond 2^53 the float may not be the number that was written; it stays as it is.
        Some(float) if counts && value.is_f64() && float.fract() == 0.0 && (0.0..9e15).contains(&float) => {
            Value::from(float as u64)
        }
        _ => value.clone(),
    }
}
