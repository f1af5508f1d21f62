//! Telling which branch of a union a value is in.
//!
//! All branches are compiled once, in one validator: each for itself would compile again whatever they
//! share, which is most of a recursive document.

use serde_json::{Map, Value};

use crate::adapt::Conversion;
use crate::adapt::contested;
use crate::adapt::decode::Accepts;
use crate::adapt::encode::encode_parts;
use crate::differential::compile::{self, Validator};
use crate::error::Error;

/// The contested branches of a conversion's effective projection, in one of the two shapes.
#[derive(Default)]
pub(super) struct Branches(Option<Validator>);

impl Branches {
    /// For values as the provider sends them.
    pub(super) fn in_wire_shape(conversion: &Conversion) -> Result<Branches, Error> {
        let trials =
            conversion.encodings.optional_as_nullable.then(|| contested::trials(&conversion.effective));
        let trials = trials.flatten().map(|trials| encode_parts(&trials, &conversion.target));
        Ok(Branches(trials.map(|trials| compile::document(&trials)).transpose()?))
    }

    /// For values as the source has them.
    pub(super) fn in_source_shape(conversion: &Conversion) -> Result<Branches, Error> {
        let trials =
            conversion.encodings.optional_as_nullable.then(|| contested::trials(&conversion.effective));
        Ok(Branches(trials.flatten().map(|trials| compile::document(&trials)).transpose()?))
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
