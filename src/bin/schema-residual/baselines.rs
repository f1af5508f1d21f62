//! The reference conversions of `corpus/baselines`: two schemas, a corpus, and how often they must agree.
//!
//! A corpus is written as `{"one of each": [[{"a": 1}, {"a": 2}], [{}, {"b": 3}]]}`: of each list one
//! object is taken, and their members together are an instance. All combinations are meant, the last list
//! varying fastest; `{}` leaves the property out.

use schema_residual::{Error, differential};
use serde::Deserialize;
use serde_json::{Map, Value};

/// One reference conversion.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Baseline {
    pub(crate) name: String,
    pub(crate) source: Value,
    pub(crate) converted: Value,
    pub(crate) corpus: Product,
    pub(crate) expected: Counts,
}

/// Instances as combinations of their members.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Product {
    #[serde(rename = "one of each")]
    one_of_each: Vec<Vec<Map<String, Value>>>,
}

/// What a comparison counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Counts {
    pub(crate) checked: usize,
    pub(crate) agreed: usize,
    pub(crate) widened: usize,
    pub(crate) narrowed: usize,
}

impl Product {
    /// Every combination, in order.
    pub(crate) fn instances(&self) -> Vec<Value> {
        let mut instances = vec![Map::new()];
        for choices in &self.one_of_each {
            instances = instances
                .iter()
                .flat_map(|instance| choices.iter().map(move |choice| (instance, choice)))
                .map(|(instance, choice)| instance.iter().chain(choice).map(own).collect())
                .collect();
        }
        instances.into_iter().map(Value::Object).collect()
    }
}

fn own((name, value): (&String, &Value)) -> (String, Value) {
    (name.clone(), value.clone())
}

impl Baseline {
    /// What the library counts.
    pub(crate) fn counts(&self) -> Result<Counts, Error> {
        let result = differential(&self.source, &self.converted, &self.corpus.instances())?;
        Ok(Counts {
            checked: result.checked,
            agreed: result.agreed,
            widened: result.widened,
            narrowed: result.narrowed,
        })
    }
}
