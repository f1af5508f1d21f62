//! Telling which branch of a union a value is in.
//!
//! All branches are compiled once, in one validator: each for itself would compile again whatever they
//! share, which is most of a recursive document.

use serde_json::{Map, Value};

use crate::adapt::Conversion;
use crate::adapt::contested;
use crate::adapt::decode::Accepts;
use crate::adapt::encode::require_all;
use crate::differential::compile::{self, Validator};
use crate::error::Error;
use crate::schema::Schema;

/// The contested branches of a conversion's effective projection, in one of the two shapes.
#[derive(Default)]
pub(super) struct Branches(Option<Validator>);

impl Branches {
    /// For values as the provider sends them.
    pub(super) fn in_wire_shape(conversion: &Conversion) -> Result<Branches, Error> {
        let Conversion { effective, target, .. } = conversion;
        Branches::of(conversion, |schema| require_all(schema, effective, target))
    }

    /// For values as the source has them.
    pub(super) fn in_source_shape(conversion: &Conversion) -> Result<Branches, Error> {
        Branches::of(conversion, Schema::clone)
    }

    fn of(conversion: &Conversion, shape: impl Fn(&Schema) -> Schema) -> Result<Branches, Error> {
        if !conversion.encodings.optional_as_nullable {
            return Ok(Branches::default());
        }
        let trials = contested::trials(&conversion.effective, shape);
        Ok(Branches(trials.map(|trials| compile::document(&trials)).transpose()?))
    }
}

impl Accepts for Branches {
    fn accepts(&self, pointer: &str, value: &mut Value) -> Result<bool, Error> {
        let Some(validator) = &self.0 else { return Ok(false) };
        let mut trial = Value::Object(Map::from_iter([(pointer.to_owned(), value.take())]));
        let verdict = compile::verdict_at_any_depth(validator, &trial);
        if let Some(member) = trial.get_mut(pointer) {
            *value = member.take();
        }
        verdict
    }
}
