//! How much work one instance can be, because of references alone.
//!
//! A validator follows the references that apply to the same value one by one, and remembers nothing: forty
//! definitions each of which asks for the next one twice are 2^40 visits, and a chain of references is as much
//! recursion as it is long. Both are counted here, with everything that a definition leads to counted once.

use std::collections::{HashMap, HashSet};

use crate::error::Error;
use crate::schema::{Document, Schema};

/// Schemas that may apply to one value in one place.
const VISITS: usize = 1 << 16;

/// How deep schemas that apply to the same value may be nested, references followed.
const NESTED: usize = 512;

/// Schemas that are looked at to find that out. Only cycles without progress are looked at repeatedly.
const STEPS: usize = 1 << 22;

/// Refuses a document in which too many schemas apply to one value.
pub(super) fn check(document: &Document) -> Result<(), Error> {
    let mut count = Count { document, known: HashMap::new(), active: HashSet::new(), steps: 0 };
    let mut pending: Vec<&Schema> = vec![&document.root];
    pending.extend(document.definitions().iter().map(|(_, schema)| schema));
    while let Some(schema) = pending.pop() {
        count.visits(schema, 0)?;
        beyond(schema, &mut pending);
    }
    Ok(())
}

/// The schemas below this one that apply to parts of its instance.
fn beyond<'a>(schema: &'a Schema, found: &mut Vec<&'a Schema>) {
    for (keyword, part) in schema.keywords() {
        for child in part.schemas() {
            if keyword.is_in_place() {
                beyond(child, found);
            } else {
                found.push(child);
            }
        }
    }
}

struct Count<'a> {
    document: &'a Document,
    known: HashMap<&'a str, Visits>,
    active: HashSet<&'a str>,
    steps: usize,
}

#[derive(Clone, Copy)]
struct Visits {
    count: usize,
    nested: usize,
    /// Whether a cycle was cut, so that the count holds only for the way that led here.
    cut: bool,
}

impl<'a> Count<'a> {
    fn visits(&mut self, schema: &'a Schema, depth: usize) -> Result<Visits, Error> {
        // Before the recursion here is too deep itself.
        within("nesting of references", NESTED, depth)?;
        self.steps += 1;
        within("references applied to one value", STEPS, self.steps)?;
        let mut all = Visits { count: 1, nested: 0, cut: false };
        for (_, part) in schema.keywords().iter().filter(|(keyword, _)| keyword.is_in_place()) {
            for child in part.schemas() {
                let child = self.visits(child, depth + 1)?;
                all.add(child);
            }
        }
        if let Some(name) = schema.target() {
            let target = self.definition(name, depth + 1)?;
            all.add(target);
        }
        within("references applied to one value", VISITS, all.count)?;
        within("nesting of references", NESTED, all.nested)?;
        Ok(all)
    }

    fn definition(&mut self, name: &'a str, depth: usize) -> Result<Visits, Error> {
        if let Some(known) = self.known.get(name) {
            return Ok(*known);
        }
        let Some(schema) = self.document.definition(name).filter(|_| self.active.insert(name)) else {
            return Ok(Visits { count: 1, nested: 0, cut: true });
        };
        let visits = self.visits(schema, depth)?;
        self.active.remove(name);
        if !visits.cut {
            self.known.insert(name, visits);
        }
        Ok(visits)
    }
}

impl Visits {
    fn add(&mut self, child: Visits) {
        self.count = self.count.saturating_add(child.count);
        self.nested = self.nested.max(child.nested + 1);
        self.cut |= child.cut;
    }
}

fn within(which: &'static str, limit: usize, used: usize) -> Result<(), Error> {
    if used > limit { Err(Error::Budget { which, limit }) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, Value, json};

    use crate::error::Error;
    use crate::source::{Budget, lift};

    fn over(source: &Value) -> Option<&'static str> {
        match lift(source, &Budget::default()) {
            Err(Error::Budget { which, .. }) => Some(which),
            Err(other) => panic!("{other}"),
            Ok(_) => None,
        }
    }

    fn levels(count: usize, of: impl Fn(Value) -> Value) -> Value {
        let next = |index: usize| json!({"$ref": format!("#/$defs/d{}", index + 1)});
        let mut definitions: Map<String, Value> =
            (0..count).map(|index| (format!("d{index}"), of(next(index)))).collect();
        definitions.insert(format!("d{count}"), json!({"minLength": 2}));
        json!({"$ref": "#/$defs/d0", "$defs": definitions})
    }

    #[test]
    fn what_applies_to_one_value_twice_doubles() {
        for of in [
            |next: Value| json!({"allOf": [next, next]}),
            |next: Value| json!({"anyOf": [next, {"not": next}]}),
            |next: Value| json!({"if": next, "then": next}),
        ] {
            assert_eq!(over(&levels(8, of)), None);
            assert_eq!(over(&levels(40, of)), Some("references applied to one value"));
        }
        let apart = |next: Value| json!({"properties": {"a": next, "b": next}});
        assert_eq!(over(&levels(40, apart)), None);
    }

    #[test]
    fn a_long_chain_is_refused_without_following_it_to_its_end() {
        let one = |next: Value| json!({"allOf": [next]});
        assert_eq!(over(&levels(100, one)), None);
        assert!(over(&levels(5_000, one)).is_some());
    }

    #[test]
    fn cycles_end() {
        assert_eq!(over(&json!({"allOf": [{"$ref": "#"}, {"$ref": "#"}], "minLength": 2})), None);
        let everywhere: Map<String, Value> = (0..30)
            .map(|index| {
                let all: Vec<Value> =
                    (0..30).map(|other| json!({"$ref": format!("#/$defs/d{other}")})).collect();
                (format!("d{index}"), json!({"anyOf": all}))
            })
            .collect();
        let source = json!({"$ref": "#/$defs/d0", "$defs": everywhere});
        assert_eq!(over(&source), Some("references applied to one value"));
    }
}
