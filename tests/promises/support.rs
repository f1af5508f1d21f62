//! What the tests of the guarantees share: the oracle, and the checks.
#![allow(dead_code)]

use std::collections::BTreeMap;

use jsonschema::{Draft, Validator};
use schema_residual::{AdaptOptions, Adapted, Consequence, Effect, Guard, Report, Target};
use serde_json::{Map, Value};

use crate::material::{Case, every};
use crate::parallel::on_all_cores;

/// A validator made by the `jsonschema` crate alone: the source's own draft, formats asserted, offline.
pub fn oracle(schema: &Value) -> Option<Validator> {
    jsonschema::options().should_validate_formats(true).offline().build(schema).ok()
}

/// A validator for a schema of draft 2020-12 that the library made.
pub fn made(schema: &Value) -> Validator {
    jsonschema::options()
        .with_draft(Draft::Draft202012)
        .should_validate_formats(true)
        .offline()
        .build(schema)
        .unwrap_or_else(|error| panic!("{error}: {schema}"))
}

/// The number of values and names in a JSON value.
pub fn nodes(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(nodes).sum::<usize>(),
        Value::Object(members) => 1 + members.values().map(|member| 1 + nodes(member)).sum::<usize>(),
        _ => 1,
    }
}

/// What was counted.
#[derive(Default, Debug)]
pub struct Counts {
    pub schemas: usize,
    pub pairs: usize,
    pub instances: usize,
    pub checks: usize,
    /// By reason.
    pub left_out: BTreeMap<String, usize>,
    pub violations: Vec<String>,
}

impl Counts {
    pub fn merge(&mut self, other: Counts) {
        self.schemas += other.schemas;
        self.pairs += other.pairs;
        self.instances += other.instances;
        self.checks += other.checks;
        for (reason, count) in other.left_out {
            *self.left_out.entry(reason).or_default() += count;
        }
        self.violations.extend(other.violations);
    }

    /// Prints the counts, and fails on violations.
    pub fn conclude(mut self, what: &str) {
        println!(
            "{what}: {} schemas, {} pairs with a target, {} instances, {} checks, {} violations",
            self.schemas,
            self.pairs,
            self.instances,
            self.checks,
            self.violations.len()
        );
        for (reason, count) in &self.left_out {
            println!("  left out: {count} × {reason}");
        }
        self.violations.sort();
        for violation in self.violations.iter().take(40) {
            println!("  {violation}");
        }
        assert!(self.violations.is_empty(), "{what}: {} violations", self.violations.len());
        assert!(self.checks > 0, "{what}: nothing was checked");
    }
}

/// The targets with which a test looks at the schema at this index: a few that change from one to the next, and all
/// of them where `SCHEMA_RESIDUAL_ALL` is set.
pub fn targets_for(index: usize) -> impl Iterator<Item = &'static Target> {
    let step = every(6);
    let chosen = move |(at, _): &(usize, &Target)| (at + index).is_multiple_of(step);
    schema_residual::targets().iter().enumerate().filter(chosen).map(|(_, target)| target)
}

/// Checks guarantees 1 to 5 and 8 for every case, with the targets that are for it.
pub fn check_all(cases: &[Case]) -> Counts {
    check(cases, |index| targets_for(index).collect())
}

/// Checks guarantees 1 to 5 and 8 for every case and every target.
pub fn check_with_every_target(cases: &[Case]) -> Counts {
    check(cases, |_| schema_residual::targets().iter().collect())
}

fn check(cases: &[Case], targets: impl Fn(usize) -> Vec<&'static Target> + Sync) -> Counts {
    let cases: Vec<(usize, &Case)> = cases.iter().enumerate().collect();
    let mut total = Counts::default();
    for counts in on_all_cores(&cases, |(index, case)| check_source(case, &targets(*index))) {
        total.merge(counts);
    }
    total
}

fn check_source(case: &Case, targets: &[&Target]) -> Counts {
    let mut counts = Counts::default();
    let Some(source) = oracle(&case.schema) else {
        *counts
            .left_out
            .entry("the jsonschema crate refuses the source, or it needs a remote document".into())
            .or_default() += 1;
        return counts;
    };
    counts.schemas += 1;
    if check_lift(case, &source, &mut counts) {
        for target in targets {
            check_pair(case, &source, target, &mut counts);
        }
    }
    counts
}

/// Guarantee 1. `false` where the library refuses what the crate carries.
pub fn check_lift(case: &Case, source: &Validator, counts: &mut Counts) -> bool {
    // The residual of `true` is the whole source: this is guarantee 1.
    match schema_residual::residual_between(&case.schema, &Value::Bool(true)) {
        Ok(whole) => {
            for instance in &case.instances {
                counts.checks += 1;
                if whole.is_valid(instance) != source.is_valid(instance) {
                    counts.violations.push(format!("lift is not exact: {}: {instance}", case.name));
                }
            }
        }
        // The crate carries the meta-schemas; for the library they are documents like any other elsewhere.
        Err(error) if error.to_string().contains("an external reference") => {
            *counts
                .left_out
                .entry("refers to a meta-schema, which is another document".into())
                .or_default() += 1;
            return false;
        }
        Err(error) => counts.violations.push(format!("no residual of true: {}: {error}", case.name)),
    }
    true
}

/// Guarantees 2 to 5 and 8 for one target.
pub fn check_pair(case: &Case, source: &Validator, target: &Target, counts: &mut Counts) {
    let name = format!("{} @ {}", case.name, target.id());
    let options = AdaptOptions::reporting();
    let adapted = match schema_residual::adapt(&case.schema, target, &options) {
        Ok(adapted) => adapted,
        Err(error) => {
            counts.violations.push(format!("adapt fails: {name}: {error}"));
            return;
        }
    };
    counts.pairs += 1;
    let instances = pool(case, &adapted);
    counts.instances += instances.len();
    let checks = Checks {
        name: &name,
        source,
        effective: made(&adapted.effective()),
        projection: made(&adapted.effective_projection()),
        residual: adapted.residual().schema(),
        residual_accepts: &|instance| adapted.residual().is_valid(instance),
        guard: adapted.guard().expect("the guard compiles"),
        wire: adapted.wire(),
        report: adapted.report(),
    };
    for instance in &instances {
        checks.instance(instance, counts);
    }
    counts.checks += 1;
    match target.check(adapted.wire()) {
        // A keyword may be sent for the model to read.
        Ok(problems) => {
            let refused = problems.iter().find(|problem| problem.consequence != Consequence::Ignored);
            if let Some(problem) = refused {
                let wire = adapted.wire();
                counts
                    .violations
                    .push(format!("refused by its own target: {name}: {problem:?}\n     wire {wire}"));
            }
        }
        Err(error) => counts.violations.push(format!("no check of the wire schema: {name}: {error}")),
    }
    let again = schema_residual::adapt(&case.schema, target, &options).expect("as before");
    let text = |adapted: &Adapted| {
        format!("{}{}", adapted.wire(), serde_json::to_string(adapted.report()).expect("a report is JSON"))
    };
    counts.checks += 1;
    if text(&adapted) != text(&again) {
        counts.violations.push(format!("not deterministic: {name}"));
    }
}

/// The data's own instances, and those of the witness corpus on both sides.
fn pool(case: &Case, adapted: &Adapted) -> Vec<Value> {
    let report = adapted.report();
    let mut pool = case.instances.clone();
    pool.extend(report.divergences.iter().filter_map(|divergence| divergence.witness.clone()));
    pool.extend(report.differential.widened_witnesses.iter().cloned());
    pool.extend(report.differential.narrowed_witnesses.iter().cloned());
    pool
}

/// One pair of a schema and a target, with everything that the guarantees speak of.
pub struct Checks<'a> {
    pub name: &'a str,
    pub source: &'a Validator,
    pub effective: Validator,
    pub projection: Validator,
    pub residual: &'a Value,
    pub residual_accepts: &'a dyn Fn(&Value) -> bool,
    pub guard: Guard,
    pub wire: &'a Value,
    pub report: &'a Report,
}

impl Checks<'_> {
    /// Checks everything about one instance.
    pub fn instance(&self, instance: &Value, counts: &mut Counts) {
        let valid = self.source.is_valid(instance);
        let projected = self.projection.is_valid(instance);
        let encoded = self.guard.encode(instance);
        let mut violation = |what: &str| {
            counts.violations.push(format!(
                "{what}: {}: {instance}\n     wire {}\n     residual {}",
                self.name, self.wire, self.residual
            ));
        };
        if valid && !(self.residual_accepts)(instance) {
            violation("false alarm");
        }
        if !valid && projected && (self.residual_accepts)(instance) {
            violation("leak through the residual");
        }
        if valid && projected {
            if !self.effective.is_valid(&encoded) {
                violation("encoding loses an instance");
            } else {
                match self.guard.check(encoded.clone()) {
                    Ok(value) if value == *instance => {}
                    // The stated exception: a `null` that may stand for absence is kept.
                    Ok(value)
                        if self.source.is_valid(&value)
                            && without_nulls(&value) == without_nulls(instance) => {}
                    Ok(_) => violation("decoding gives something else"),
                    Err(_) => violation("the guard rejects a good answer"),
                }
            }
        }
        if valid && !projected && !self.reports(&[Effect::Narrow, Effect::Unrepresentable]) {
            violation("a narrowing is not reported");
        }
        if !valid && projected && !self.reports(&[Effect::Widen]) {
            violation("a widening is not reported");
        }
        let mut answers = vec![instance.clone(), encoded];
        answers.push(filled_with_null(self.wire, self.wire, instance));
        for answer in answers {
            counts.checks += 1;
            if !self.effective.is_valid(&answer) {
                continue;
            }
            for guard in [&self.guard, &self.guard.full()] {
                if let Ok(value) = guard.check(answer.clone())
                    && !self.source.is_valid(&value)
                {
                    counts.violations.push(format!(
                        "leak: {}: {answer} gives {value}\n     wire {}\n     residual {}",
                        self.name, self.wire, self.residual
                    ));
                }
            }
        }
    }

    fn reports(&self, effects: &[Effect]) -> bool {
        self.report.divergences.iter().any(|divergence| effects.contains(&divergence.effect))
    }
}

/// The value without members that are `null`.
fn without_nulls(value: &Value) -> Value {
    match value {
        Value::Object(members) => Value::Object(
            members
                .iter()
                .filter(|(_, member)| !member.is_null())
                .map(|(name, member)| (name.clone(), without_nulls(member)))
                .collect::<Map<_, _>>(),
        ),
        Value::Array(items) => items.iter().map(without_nulls).collect(),
        scalar => scalar.clone(),
    }
}

/// The instance as a provider would send it that fills in whatever the wire schema wants: every property
/// that is declared and absent is `null`. Independent of the library's own encoder; follows only what is
/// easy to follow.
fn filled_with_null(root: &Value, schema: &Value, instance: &Value) -> Value {
    let schema = match schema.get("$ref").and_then(Value::as_str) {
        Some(reference) => root.pointer(reference.trim_start_matches('#')).unwrap_or(schema),
        None => schema,
    };
    match instance {
        Value::Object(members) => {
            let mut filled = Map::new();
            for (name, part) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
                let value =
                    members.get(name).map_or(Value::Null, |value| filled_with_null(root, part, value));
                filled.insert(name.clone(), value);
            }
            for (name, value) in members {
                filled.entry(name.clone()).or_insert_with(|| value.clone());
            }
            Value::Object(filled)
        }
        Value::Array(items) => {
            let part = schema.get("items").unwrap_or(&Value::Null);
            items.iter().map(|item| filled_with_null(root, part, item)).collect()
        }
        scalar => scalar.clone(),
    }
}
