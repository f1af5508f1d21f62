//! What the rules do in one projection, for the tests that hold them to their word.

use super::rules::Rule;
use crate::schema::Schema;

/// Applications that are recorded of one projection.
const MAX_APPLICATIONS: usize = 2_000;

/// Schemas in a schema that is recorded.
const MAX_SCHEMAS: usize = 150;

/// One rule that changed one schema object.
pub(crate) struct Application {
    pub(crate) rule: &'static Rule,
    pub(crate) before: Schema,
    pub(crate) after: Schema,
}

/// The applications of one projection.
#[derive(Default)]
pub(crate) struct Recording {
    pub(crate) applications: Vec<Application>,
    /// Applications beyond the limits.
    pub(crate) left_out: usize,
}

impl Recording {
    /// The schema as a rule will find it, within the limits.
    pub(crate) fn before(&self, schema: &Schema) -> Option<Schema> {
        (self.applications.len() < MAX_APPLICATIONS && is_small(schema)).then(|| schema.clone())
    }

    /// Records what a rule made of a schema; without a rule, the schema must be what it was.
    pub(crate) fn record(&mut self, before: Option<Schema>, rule: Option<&'static Rule>, after: &Schema) {
        match (before, rule) {
            (Some(before), Some(rule)) if is_small(after) => {
                self.applications.push(Application { rule, before, after: after.clone() });
            }
            (_, Some(_)) => self.left_out += 1,
            (Some(before), None) => {
                assert!(before == *after, "a rule that says it did nothing changed {}", before.to_value());
            }
            (None, None) => {}
        }
    }
}

fn is_small(schema: &Schema) -> bool {
    schema.everywhere().nth(MAX_SCHEMAS).is_none()
}
