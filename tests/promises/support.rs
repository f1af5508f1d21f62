//! What the tests of the guarantees share: the data, the oracle, and the checks.
#![allow(dead_code)]

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;

use jsonschema::{Draft, Validator};
use schema_residual::{AdaptOptions, Adapted, Effect, Guard, Report, Target};
use serde_json::{Map, Value};

/// Where the independent test material is, or `None` on a machine without it.
///
/// # Panics
///
/// With `CI` set a missing folder is a failure.
pub fn data() -> Option<PathBuf> {
    let folder = std::env::var_os("SCHEMA_RESIDUAL_DATA")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/data"), PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    assert!(std::env::var_os("CI").is_none(), "the test data is missing");
    println!("skipped: there is no test data at SCHEMA_RESIDUAL_DATA or ../shared/data");
    None
}

/// Every JSON file below a folder, sorted by path.
pub fn json_files(folder: &std::path::Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut pending = vec![folder.to_owned()];
    while let Some(folder) = pending.pop() {
        for entry in std::fs::read_dir(&folder).expect("the folder can be read") {
            let path = entry.expect("the entry can be read").path();
            if path.is_dir() {
                pending.push(path);
            } else if path.extension().is_some_and(|extension| extension == "json") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// The JSON in a file.
pub fn read(path: &std::path::Path) -> Value {
    let text = std::fs::read_to_string(path).expect("the file can be read");
    serde_json::from_str(&text).expect("the file is JSON")
}

/// The JSON in each line of a file.
pub fn read_lines(path: &std::path::Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).expect("the file can be read");
    text.lines().map(|line| serde_json::from_str(line).expect("the line is JSON")).collect()
}

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

/// A named schema with instances to try.
pub struct Case {
    pub name: String,
    pub schema: Value,
    pub instances: Vec<Value>,
}

/// The cases of the JSON Schema Test Suite, one for each group. The drafts before 2019-09 do not name
/// themselves in each schema, so `$schema` is added.
pub fn suite(folder: &std::path::Path) -> Vec<Case> {
    let drafts = [
        ("draft4", "http://json-schema.org/draft-04/schema#"),
        ("draft6", "http://json-schema.org/draft-06/schema#"),
        ("draft7", "http://json-schema.org/draft-07/schema#"),
        ("draft2019-09", "https://json-schema.org/draft/2019-09/schema"),
        ("draft2020-12", "https://json-schema.org/draft/2020-12/schema"),
    ];
    let mut cases = Vec::new();
    for (draft, uri) in drafts {
        let tests = folder.join("json-schema-test-suite/tests").join(draft);
        for file in json_files(&tests) {
            let name = file.strip_prefix(&tests).expect("below the folder").display().to_string();
            for group in read(&file).as_array().expect("a list of groups") {
                let mut schema = group["schema"].clone();
                if let Value::Object(object) = &mut schema {
                    object.entry("$schema").or_insert_with(|| uri.into());
                }
                let tests = group["tests"].as_array().expect("a list of tests");
                cases.push(Case {
                    name: format!("{draft}/{name}: {}", group["description"].as_str().unwrap_or_default()),
                    schema,
                    instances: tests.iter().map(|test| test["data"].clone()).collect(),
                });
            }
        }
    }
    cases
}

/// The real-world schemas with their real instances.
pub fn maskbench(folder: &std::path::Path) -> Vec<Case> {
    let files = json_files(&folder.join("maskbench"));
    let case = |file: &PathBuf| {
        let content = read(file);
        let tests = content["tests"].as_array().expect("a list of tests");
        Case {
            name: file.file_stem().expect("a name").to_string_lossy().into_owned(),
            schema: content["schema"].clone(),
            instances: tests.iter().map(|test| test["data"].clone()).collect(),
        }
    };
    files.iter().map(case).collect()
}

/// The input and output schemas of the tools of published MCP servers.
pub fn mcp_tools(folder: &std::path::Path) -> Vec<Case> {
    let mut cases = Vec::new();
    for file in json_files(&folder.join("mcp-tools")) {
        let server = read(&file);
        for tool in server["tools"].as_array().expect("a list of tools") {
            for field in ["inputSchema", "outputSchema"] {
                if let Some(schema) = tool.get(field) {
                    cases.push(Case {
                        name: format!("{}/{} {field}", server["server"], tool["name"]),
                        schema: schema.clone(),
                        instances: Vec::new(),
                    });
                }
            }
        }
    }
    cases
}

/// The number of values and names in a JSON value.
pub fn nodes(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(nodes).sum::<usize>(),
        Value::Object(members) => 1 + members.values().map(|member| 1 + nodes(member)).sum::<usize>(),
        _ => 1,
    }
}

/// The schemas of the field reports, but for those that are no schemas.
pub fn field_reports(folder: &std::path::Path) -> Vec<Case> {
    let reports = read_lines(&folder.join("field-reports.jsonl")).into_iter();
    let well_formed = reports.filter(|report| report.get("ill_formed").is_none());
    well_formed
        .map(|report| Case {
            name: report["id"].as_str().unwrap_or_default().to_owned(),
            schema: report["schema"].clone(),
            instances: Vec::new(),
        })
        .collect()
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

/// Checks guarantees 1 to 5 and 8 for every case and every target, on all cores.
pub fn check_all(cases: &[Case]) -> Counts {
    let next = Mutex::new(0_usize);
    let total = Mutex::new(Counts::default());
    let work = || {
        let mut counts = Counts::default();
        loop {
            let index = {
                let mut next = next.lock().expect("no panic");
                *next += 1;
                *next - 1
            };
            let Some(case) = cases.get(index) else { break };
            check_case(case, &mut counts);
        }
        total.lock().expect("no panic").merge(counts);
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..std::thread::available_parallelism().map_or(2, usize::from))
            .map(|_| {
                std::thread::Builder::new().stack_size(16 << 20).spawn_scoped(scope, work).expect("a thread")
            })
            .collect();
        for thread in threads {
            thread.join().expect("no panic");
        }
    });
    total.into_inner().expect("no panic")
}

fn check_case(case: &Case, counts: &mut Counts) {
    let Some(source) = oracle(&case.schema) else {
        *counts
            .left_out
            .entry("the jsonschema crate refuses the source, or it needs a remote document".into())
            .or_default() += 1;
        return;
    };
    counts.schemas += 1;
    if !check_lift(case, &source, counts) {
        return;
    }
    for target in schema_residual::targets() {
        check_pair(case, &source, target, counts);
    }
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
