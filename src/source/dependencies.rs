//! `dependencies`, which 2019-09 split into `dependentRequired` and `dependentSchemas`.
//!
//! The `jsonschema` crate goes on checking it in every draft, also beside the two new keywords, so all
//! three are merged by property name.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};

use crate::error::Error;
use crate::schema::{Origin, Part, Schema};
use crate::vocabulary::Keyword;

use super::budget;
use super::keywords::{Parts, wrong};
use super::lift::{At, Lifter};
use super::places::member;

impl<'a> Lifter<'a, '_> {
    pub(super) fn dependencies(
        &mut self,
        value: &'a Value,
        at: &At<'_>,
        parts: &mut Parts,
    ) -> Result<(), Error> {
        let Value::Object(members) = value else { return Err(wrong(at, "dependencies")) };
        let pointer = member(at.pointer, "dependencies");
        let mut dependent = Vec::new();
        for (name, value) in members {
            self.charge(name.len())?;
            if let Value::Array(names) = value {
                self.charge(budget::size(value))?;
                self.note(Keyword::DependentRequired, at, parts);
                require(&mut parts.schema, name, names);
                continue;
            }
            let schema = self.schema(value, &member(&pointer, name), at.scope, at.depth + 1)?;
            // `dependencies` evaluates no properties; `dependentSchemas` does.
            dependent.push((name.clone(), if self.unevaluated_properties { hide(schema) } else { schema }));
        }
        if !dependent.is_empty() {
            self.note(Keyword::DependentSchemas, at, parts);
            depend(&mut parts.schema, at.origin, dependent);
        }
        Ok(())
    }

    /// Where both spellings are there, the new one names the keyword.
    fn note(&mut self, keyword: Keyword, at: &At<'_>, parts: &Parts) {
        if !parts.schema.has(keyword) {
            self.renamed.insert((at.origin, keyword), "dependencies");
        }
    }

    pub(super) fn dependent_required(
        &mut self,
        value: &Value,
        at: &At<'_>,
        parts: &mut Parts,
    ) -> Result<(), Error> {
        let Value::Object(members) = value else { return Err(wrong(at, "dependentRequired")) };
        self.renamed.remove(&(at.origin, Keyword::DependentRequired));
        if !parts.schema.has(Keyword::DependentRequired) {
            parts.schema.set(Keyword::DependentRequired, Value::Object(Map::new()));
        }
        for (name, value) in members {
            let Value::Array(names) = value else { return Err(wrong(at, "dependentRequired")) };
            require(&mut parts.schema, name, names);
        }
        Ok(())
    }

    pub(super) fn dependent_schemas(
        &mut self,
        value: &'a Value,
        at: &At<'_>,
        parts: &mut Parts,
    ) -> Result<(), Error> {
        let named = self.named(value, "dependentSchemas", at)?;
        self.renamed.remove(&(at.origin, Keyword::DependentSchemas));
        depend(&mut parts.schema, at.origin, named);
        Ok(())
    }
}

/// Adds to what a property requires.
fn require(schema: &mut Schema, name: &str, names: &[Value]) {
    if !schema.has(Keyword::DependentRequired) {
        schema.set(Keyword::DependentRequired, Value::Object(Map::new()));
    }
    if let Some(Part::Data(Value::Object(required))) = schema.get_mut(Keyword::DependentRequired) {
        match required.get_mut(name) {
            Some(Value::Array(there)) => {
                let mut known: HashSet<Value> = there.iter().cloned().collect();
                there.extend(names.iter().filter(|name| known.insert((*name).clone())).cloned());
            }
            _ => {
                required.insert(name.to_owned(), Value::Array(names.to_vec()));
            }
        }
    }
}

/// Adds to the schemas that properties bring with them.
fn depend(schema: &mut Schema, origin: Origin, dependent: Vec<(String, Schema)>) {
    let Some(Part::Named(there)) = schema.get_mut(Keyword::DependentSchemas) else {
        schema.set(Keyword::DependentSchemas, dependent);
        return;
    };
    let positions: HashMap<String, usize> =
        there.iter().enumerate().map(|(index, (name, _))| (name.clone(), index)).collect();
    for (name, second) in dependent {
        match positions.get(&name).and_then(|index| there.get_mut(*index)) {
            Some((_, first)) => {
                let both = vec![std::mem::replace(first, Schema::always(origin)), second];
                first.set(Keyword::AllOf, both);
            }
            None => there.push((name, second)),
        }
    }
}

/// The same assertion without its annotations: nothing inside counts as evaluated.
fn hide(schema: Schema) -> Schema {
    let origin = schema.origin;
    Schema::always(origin).with(Keyword::Not, Schema::always(origin).with(Keyword::Not, schema))
}

#[cfg(test)]
mod tests {
    use super::super::tests::lifted;
    use serde_json::json;

    #[test]
    fn both_spellings_are_merged() {
        let source = json!({
            "dependencies": {"a": ["b"], "c": {"minProperties": 2}},
            "dependentRequired": {"a": ["b", "d"]},
            "dependentSchemas": {"c": {"maxProperties": 3}, "e": false}
        });
        let expected = json!({
            "dependentRequired": {"a": ["b", "d"]},
            "dependentSchemas": {"c": {"allOf": [{"minProperties": 2}, {"maxProperties": 3}]}, "e": false}
        });
        assert_eq!(lifted(&source), expected);
    }

    #[test]
    fn dependencies_evaluate_nothing() {
        let source =
            json!({"dependencies": {"a": {"properties": {"b": true}}}, "unevaluatedProperties": false});
        let expected = json!({
            "dependentSchemas": {"a": {"not": {"not": {"properties": {"b": true}}}}},
            "unevaluatedProperties": false
        });
        assert_eq!(lifted(&source), expected);
    }
}
