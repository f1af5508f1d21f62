//! Copying and dropping values of any depth. The ordinary ways recurse, and a value that was built in memory
//! may be nested deeper than any stack.

use serde_json::Value;

/// Drops a value without recursion.
pub(super) fn dismantle(value: Value) {
    let mut pending = vec![value];
    while let Some(value) = pending.pop() {
        match value {
            Value::Array(items) => pending.extend(items),
            Value::Object(members) => pending.extend(members.into_iter().map(|(_, member)| member)),
            _ => {}
        }
    }
}

/// What is still to be done for a copy; the parts that are ready lie on a stack of their own.
enum Step<'a> {
    Copy(&'a Value),
    /// Its parts are the last ones that are ready.
    Assemble(&'a Value),
}

/// Copies a value without recursion.
pub(super) fn copy(value: &Value) -> Value {
    let mut steps = vec![Step::Copy(value)];
    let mut ready: Vec<Value> = Vec::new();
    while let Some(step) = steps.pop() {
        match step {
            Step::Copy(whole @ Value::Array(items)) => {
                steps.push(Step::Assemble(whole));
                steps.extend(items.iter().rev().map(Step::Copy));
            }
            Step::Copy(whole @ Value::Object(members)) => {
                steps.push(Step::Assemble(whole));
                steps.extend(members.values().rev().map(Step::Copy));
            }
            Step::Copy(scalar) => ready.push(scalar.clone()),
            Step::Assemble(Value::Object(members)) => {
                let parts = ready.split_off(ready.len().saturating_sub(members.len()));
                ready.push(Value::Object(members.keys().cloned().zip(parts).collect()));
            }
            Step::Assemble(whole) => {
                let length = whole.as_array().map_or(0, Vec::len);
                let parts = ready.split_off(ready.len().saturating_sub(length));
                ready.push(Value::Array(parts));
            }
        }
    }
    ready.pop().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Map, json};

    #[test]
    fn a_copy_is_equal() {
        let value = json!({"b": [1, [], {"c": null, "a": "x"}], "a": {}, "": [[2], [3, 4]]});
        assert_eq!(copy(&value), value);
        assert_eq!(copy(&value).to_string(), value.to_string());
    }

    #[test]
    fn depth_does_not_matter() {
        let deep = (0..100_000).fold(json!(1), |inner, level| match level % 2 {
            0 => Value::Array(vec![inner]),
            _ => Value::Object(Map::from_iter([("a".to_owned(), inner)])),
        });
        dismantle(copy(&deep));
        dismantle(deep);
    }
}
