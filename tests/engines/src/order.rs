//! Writing an instance down the way the engine does: keys in the order of the schema, whole numbers without a
//! fraction.

use serde_json::{Map, Number, Value};

/// The order in which a schema object's names come: the engine's depends on how it merges what applies together.
#[derive(Clone, Copy)]
pub enum Order {
    /// Its own properties, then those of the schemas that it holds.
    OwnFirst,
    /// Those of the schemas that it holds first.
    HeldFirst,
    /// What it requires, then its own properties.
    RequiredFirst,
    /// Those of the schemas first that declare most of the names that there are.
    MostFirst,
}

const ORDERS: [Order; 4] = [Order::OwnFirst, Order::HeldFirst, Order::RequiredFirst, Order::MostFirst];

/// Texts in which the orders of single objects are mixed.
const MIXED: usize = 256;

/// The texts of the instance, the keys of its objects in orders in which the schema may be read: in one for all
/// objects, then in one for each object for which they differ.
pub fn texts(instance: &Value, schema: &Value) -> impl Iterator<Item = String> {
    let write = move |choose: &mut dyn FnMut(usize) -> usize| {
        ordered(instance, &[schema], schema, choose).to_string()
    };
    let same = (0..ORDERS.len()).map(move |order| write(&mut |count| order.min(count - 1)));
    let mixed = (0..MIXED).map(move |number| {
        let mut left = number;
        write(&mut |count| {
            let chosen = left % count;
            left /= count;
            chosen
        })
    });
    same.chain(mixed)
}

/// `schemas` are those that may apply to the instance; `choose` picks one of several orders.
fn ordered(
    instance: &Value,
    schemas: &[&Value],
    root: &Value,
    choose: &mut dyn FnMut(usize) -> usize,
) -> Value {
    let opened = |order| opened(instance, schemas, root, order);
    match instance {
        Value::Object(members) => {
            let mut orders: Vec<Vec<&String>> = Vec::new();
            for order in ORDERS {
                let names =
                    opened(order).into_iter().flat_map(|schema| keys(schema, order)).collect::<Vec<_>>();
                let place =
                    |name: &String| names.iter().position(|known| known == name).unwrap_or(names.len());
                let mut sorted: Vec<&String> = members.keys().collect();
                sorted.sort_by_key(|name| place(name));
                if !orders.contains(&sorted) {
                    orders.push(sorted);
                }
            }
            let chosen = if orders.len() > 1 { choose(orders.len()) } else { 0 };
            let all = opened(Order::OwnFirst);
            let mut written = Map::new();
            for name in &orders[chosen] {
                let parts: Vec<&Value> = all.iter().flat_map(|schema| member(schema, name)).collect();
                written.insert((*name).clone(), ordered(&members[*name], &parts, root, choose));
            }
            Value::Object(written)
        }
        Value::Array(items) => {
            let all = opened(Order::OwnFirst);
            let item = |(index, item): (usize, &Value)| {
                let parts: Vec<&Value> = all.iter().flat_map(|schema| at(schema, index)).collect();
                ordered(item, &parts, root, choose)
            };
            items.iter().enumerate().map(item).collect()
        }
        Value::Number(number) => whole(number).unwrap_or_else(|| instance.clone()),
        other => other.clone(),
    }
}

/// A whole number without a fraction: the engine writes no `1.0` for an integer, and both are the same number.
fn whole(number: &Number) -> Option<Value> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let float =
        number.as_f64().filter(|float| number.is_f64() && float.fract() == 0.0 && float.abs() <= EXACT)?;
    Some(Value::from(float as i64))
}

/// The schemas, with those that they hold for the same instance.
fn opened<'s>(instance: &Value, schemas: &[&'s Value], root: &'s Value, order: Order) -> Vec<&'s Value> {
    let mut found: Vec<&Value> = Vec::new();
    let schemas = match order {
        Order::MostFirst => by_names(instance, schemas.to_vec(), root),
        _ => schemas.to_vec(),
    };
    for schema in schemas {
        open(instance, schema, root, order, &mut Vec::new(), &mut found);
    }
    found
}

/// The schemas that declare most of the instance's names first: of the branches of a union it is in one of those.
fn by_names<'s>(instance: &Value, mut schemas: Vec<&'s Value>, root: &'s Value) -> Vec<&'s Value> {
    let declared = |schema: &&Value| {
        let schema = referred(schema, root).unwrap_or(schema);
        let names = instance.as_object().into_iter().flatten().map(|(name, _)| name);
        names
            .filter(|name| schema.pointer("/properties").is_some_and(|named| named.get(name).is_some()))
            .count()
    };
    schemas.sort_by_key(|schema| std::cmp::Reverse(declared(schema)));
    schemas
}

fn referred<'s>(schema: &Value, root: &'s Value) -> Option<&'s Value> {
    let reference = schema.get("$ref").and_then(Value::as_str)?;
    root.pointer(reference.trim_start_matches('#'))
}

fn open<'s>(
    instance: &Value,
    schema: &'s Value,
    root: &'s Value,
    order: Order,
    entered: &mut Vec<&'s Value>,
    found: &mut Vec<&'s Value>,
) {
    if entered.iter().any(|known| std::ptr::eq(*known, schema)) {
        return;
    }
    entered.push(schema);
    let own_first = !matches!(order, Order::HeldFirst);
    if own_first {
        found.push(schema);
    }
    let all = schema.get("allOf").and_then(Value::as_array).into_iter().flatten();
    let either = ["anyOf", "oneOf"].into_iter().filter_map(|name| schema.get(name)?.as_array()).flatten();
    let either = by_names(instance, either.collect(), root);
    for inner in referred(schema, root).into_iter().chain(all).chain(either) {
        open(instance, inner, root, order, entered, found);
    }
    if !own_first {
        found.push(schema);
    }
}

/// The names that a schema declares, requires or lists.
fn keys(schema: &Value, order: Order) -> Vec<String> {
    let list = |value: &Value| {
        value.as_object().map(|members| members.keys().cloned().collect()).unwrap_or_default()
    };
    let declared: Vec<String> = schema.get("properties").map(list).unwrap_or_default();
    let required = schema.get("required").and_then(Value::as_array);
    let required = required.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned);
    let values = schema.get("enum").and_then(Value::as_array);
    let listed = schema.get("const").into_iter().chain(values.into_iter().flatten()).flat_map(list);
    match order {
        Order::RequiredFirst => required.chain(declared).chain(listed).collect(),
        _ => declared.into_iter().chain(required).chain(listed).collect(),
    }
}

fn member<'s>(schema: &'s Value, name: &str) -> Vec<&'s Value> {
    let declared = schema.get("properties").and_then(|properties| properties.get(name));
    let patterns = schema.get("patternProperties").and_then(Value::as_object);
    let others = patterns.into_iter().flat_map(|patterns| patterns.values());
    declared.into_iter().chain(others).chain(schema.get("additionalProperties")).collect()
}

fn at(schema: &Value, index: usize) -> Vec<&Value> {
    let prefix = schema.get("prefixItems").and_then(|prefix| prefix.get(index));
    prefix.or(schema.get("items")).into_iter().collect()
}
