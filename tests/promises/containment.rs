//! The residual of two schemas that nobody converted: pairs with a published verdict on whether the one is
//! contained in the other.

use std::collections::BTreeMap;

use jsonschema::Validator;
use schema_residual::{Error, Residual, candidates, residual_between};
use serde_json::{Value, json};

use crate::material::{data, read_lines};
use crate::parallel::on_all_cores;
use crate::support::oracle;

#[derive(Default)]
struct Counted {
    rows: usize,
    contained: usize,
    instances: usize,
    checks: usize,
    /// By reason.
    left_out: BTreeMap<String, Vec<String>>,
    violations: Vec<String>,
}

/// `sup` is the source and `sub` the conversion. Whatever the published verdict, what the source accepts
/// passes the residual, and what `sub` and the residual accept, the source accepts. Where `sub` is contained
/// in `sup` nothing is lost, so that the residual may not reject anything that `sub` accepts.
#[test]
fn residuals_of_pairs_with_a_known_verdict() {
    let Some(data) = data() else { return };
    let rows = read_lines(&data.join("containment.jsonl"));
    let mut counted = Counted::default();
    for of_a_row in on_all_cores(&rows, check) {
        counted.add(of_a_row);
    }
    println!(
        "containment: {} of {} rows ({} contained), {} instances, {} checks, {} violations",
        counted.rows,
        rows.len(),
        counted.contained,
        counted.instances,
        counted.checks,
        counted.violations.len()
    );
    for (reason, names) in &counted.left_out {
        println!("  left out: {} × {reason}: {}", names.len(), names.join(", "));
    }
    for violation in counted.violations.iter().take(40) {
        println!("  {violation}");
    }
    assert!(counted.violations.is_empty(), "{} violations", counted.violations.len());
    assert!(counted.checks > 0, "nothing was checked");
}

impl Counted {
    fn add(&mut self, other: Counted) {
        self.rows += other.rows;
        self.contained += other.contained;
        self.instances += other.instances;
        self.checks += other.checks;
        for (reason, names) in other.left_out {
            self.left_out.entry(reason).or_default().extend(names);
        }
        self.violations.extend(other.violations);
    }

    fn leave_out(&mut self, reason: &str, name: &str) {
        let names = self.left_out.entry(reason.to_owned()).or_default();
        if !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    }
}

/// The row's schemas with what judges them.
struct Pair<'a> {
    name: &'a str,
    sub: Validator,
    sup: Validator,
    contained: bool,
    residual: Residual,
}

fn check(row: &Value) -> Counted {
    let mut counted = Counted::default();
    check_row(row, &mut counted);
    counted
}

fn check_row(row: &Value, counted: &mut Counted) {
    let name = row["id"].as_str().expect("a name");
    let (sub, sup) = (&in_one_dialect(&row["sub"], &row["sup"]), &in_one_dialect(&row["sup"], &row["sub"]));
    if reaches_itself_in_place(sub) || reaches_itself_in_place(sup) {
        return counted.leave_out(
            "a schema that reaches itself on the same instance means what the validator makes of it",
            name,
        );
    }
    let (Some(sub_oracle), Some(sup_oracle)) = (oracle(sub), oracle(sup)) else {
        return counted.leave_out("the jsonschema crate refuses one of the two", name);
    };
    let residual = match residual_between(sup, sub) {
        Ok(residual) => residual,
        Err(error) => return refused(name, &error, counted),
    };
    let mut instances = small_values();
    instances.extend(row.get("witness").cloned());
    for (source, converted) in [(sup, sub), (sub, sup)] {
        match candidates(source, converted) {
            Ok(found) => instances.extend(found),
            Err(error) => counted.violations.push(format!("no candidates: {name}: {error}")),
        }
    }
    counted.rows += 1;
    counted.instances += instances.len();
    let contained = row["sub_in_sup"].as_bool().expect("a verdict");
    counted.contained += usize::from(contained);
    let pair = Pair { name, sub: sub_oracle, sup: sup_oracle, contained, residual };
    for instance in &instances {
        pair.check(instance, counted);
    }
}

/// The schema, in the dialect of the other where only that one names its own: the published verdict is about
/// two schemas of one draft.
pub fn in_one_dialect(schema: &Value, other: &Value) -> Value {
    let mut schema = schema.clone();
    if let (Value::Object(members), Some(dialect)) = (&mut schema, other.get("$schema")) {
        members.entry("$schema").or_insert_with(|| dialect.clone());
    }
    schema
}

/// A document elsewhere is out of reach; any other refusal of what the crate accepts is a fault.
fn refused(name: &str, error: &Error, counted: &mut Counted) {
    if error.to_string().contains("an external reference") {
        counted.leave_out("a remote document is needed", name);
    } else {
        counted.violations.push(format!("no residual: {name}: {error}"));
    }
}

impl Pair<'_> {
    fn check(&self, instance: &Value, counted: &mut Counted) {
        let (sub, sup) = (self.sub.is_valid(instance), self.sup.is_valid(instance));
        let residual = self.residual.is_valid(instance);
        // Some rows take `format` as an annotation. With formats asserted the validators contradict them.
        let contradicted = self.contained && sub && !sup;
        if contradicted {
            counted.leave_out("the published verdict does not hold with formats asserted", self.name);
        }
        let mut rule = |holds: bool, what: &str| {
            counted.checks += 1;
            if !holds {
                counted.violations.push(format!(
                    "{what}: {}: {instance}\n     residual {}",
                    self.name,
                    self.residual.schema()
                ));
            }
        };
        rule(!sup || residual, "false alarm");
        rule(!(sub && residual) || sup, "leak");
        if self.contained && !contradicted {
            rule(!sub || residual, "nothing was lost, and yet the residual rejects");
        }
    }
}

/// Values of every type around the boundaries that small schemas have.
fn small_values() -> Vec<Value> {
    let mut values = vec![
        json!(null),
        json!(true),
        json!(false),
        json!(-1),
        json!(0),
        json!(0.5),
        json!(1),
        json!(1.0),
        json!(2),
        json!(10),
        json!(1e30),
    ];
    values.extend(["", "a", "b", "ab", "aa", "A", "0", "é", "2020-01-01", "a@b.co"].map(Value::from));
    values.extend([json!([]), json!([null]), json!([1]), json!(["a"]), json!([1, 1]), json!([1, "a", {}])]);
    values.extend([json!([[]]), json!([0, 1, 2, 3]), json!({}), json!({"a": 1}), json!({"a": "a"})]);
    values.extend([json!({"a": null}), json!({"b": 1}), json!({"a": 1, "b": "b"}), json!({"a": {"a": {}}})]);
    values
}

/// Whether the schema reaches itself through references without going into a property or an item. What such
/// a schema accepts depends on where a validator cuts the circle, which the specification leaves open.
fn reaches_itself_in_place(root: &Value) -> bool {
    let mut around = Vec::new();
    let mut done = Vec::new();
    circles(root, root, &mut around, &mut done) || {
        let definitions = root.get("$defs").or_else(|| root.get("definitions")).and_then(Value::as_object);
        definitions.into_iter().flatten().any(|(_, schema)| circles(root, schema, &mut Vec::new(), &mut done))
    }
}

fn circles<'v>(
    root: &'v Value,
    schema: &'v Value,
    around: &mut Vec<&'v Value>,
    done: &mut Vec<*const Value>,
) -> bool {
    if around.iter().any(|outer| std::ptr::eq(*outer, schema)) {
        return true;
    }
    if done.contains(&std::ptr::from_ref(schema)) {
        return false;
    }
    around.push(schema);
    let target = schema.get("$ref").and_then(Value::as_str).and_then(|reference| reference.strip_prefix('#'));
    let target = target.and_then(|pointer| root.pointer(pointer));
    let lists = ["allOf", "anyOf", "oneOf"].iter().filter_map(|name| schema.get(name)?.as_array()).flatten();
    let single = ["not", "if", "then", "else"].iter().filter_map(|name| schema.get(name));
    let inner: Vec<&Value> = target.into_iter().chain(lists).chain(single).collect();
    let found = inner.into_iter().any(|inner| circles(root, inner, around, done));
    around.pop();
    done.push(std::ptr::from_ref(schema));
    found
}
