//! Whether the values that `enum` or `const` lists satisfy what stands beside the list.
//!
//! The list is enforced or kept, so that what all of its values satisfy says nothing more. The values are asked
//! one by one, by the validator that gives every verdict here. A listed `1` is also `1.0`, which no keyword can
//! tell apart but draft 04's literal of an integer: where that is looked at, nothing is concluded.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;

use serde_json::Value;

use crate::differential::compile::{self, Validator};
use crate::schema::{Document, Rooted, Schema};
use crate::vocabulary::{Group, Keyword, Types};

/// Longer lists are not looked at.
const MAX_VALUES: usize = 256;

/// Groups that are compiled, in all.
const MAX_COMPILED: usize = 64;

/// The values that one schema object lists.
#[derive(Debug, Clone)]
pub(super) struct Listed<'s> {
    values: Vec<&'s Value>,
}

impl<'s> Listed<'s> {
    pub(super) fn of(schema: &'s Schema) -> Option<Listed<'s>> {
        Some(Listed { values: schema.literals()? })
    }

    pub(super) fn types(&self) -> Types {
        self.values.iter().fold(Types::EMPTY, |types, value| types.with(Types::of(value)))
    }
}

/// What was compiled for the question.
#[derive(Default)]
pub(super) struct Lists {
    compiled: Cell<usize>,
    assertions: RefCell<HashMap<String, Option<Validator>>>,
}

impl Lists {
    /// Whether all listed values satisfy the keywords of this group of a schema object.
    pub(super) fn satisfy(
        &self,
        document: &Document,
        schema: &Schema,
        group: Group,
        listed: &Listed<'_>,
    ) -> bool {
        let values = &listed.values;
        match group {
            // Each rests on the others, or on everything beside it.
            Group::Alone(
                Keyword::Enum
                | Keyword::Const
                | Keyword::IntegerLiteral
                | Keyword::AllOf
                | Keyword::UnevaluatedProperties
                | Keyword::UnevaluatedItems,
            ) => return false,
            Group::Alone(Keyword::Type) => {
                return values.iter().all(|value| schema.types().contains(Types::of(value)));
            }
            _ => {}
        }
        let keywords = schema.keywords().iter().filter(|(keyword, _)| keyword.group() == group);
        let part = keywords
            .fold(Schema::always(schema.origin), |part, (keyword, value)| part.with(*keyword, value.clone()));
        let concerned = |value: &&&Value| {
            part.keywords().iter().any(|(keyword, _)| keyword.applies_to().contains(Types::of(value)))
        };
        let mut concerned = values.iter().filter(concerned).peekable();
        if concerned.peek().is_none() {
            return true;
        }
        if values.len() > MAX_VALUES {
            return false;
        }
        let key = part.to_value().to_string();
        let mut known = self.assertions.borrow_mut();
        let validator = known.entry(key).or_insert_with(|| self.compile(document, &part));
        let satisfies = |validator: &Validator| {
            concerned.all(|value| compile::verdict(validator, value).is_ok_and(|accepts| accepts))
        };
        validator.as_ref().is_some_and(satisfies)
    }

    fn compile(&self, document: &Document, part: &Schema) -> Option<Validator> {
        if self.compiled.get() >= MAX_COMPILED {
            return None;
        }
        self.compiled.set(self.compiled.get() + 1);
        let validator = compile::document(&Rooted { document, root: part }.alone()).ok()?;
        // As text it is found in too many places rather than in too few.
        let by_literal = validator.schema().to_string().contains(Keyword::IntegerLiteral.name());
        (!by_literal).then_some(validator)
    }
}
