//! Guarantee 1 over independent material: the JSON-Schema-Test-Suite and real-world schemas.
//!
//! For every instance, the lifted schema must give the verdict that the `jsonschema` crate gives under the
//! source's own draft. The groups left out are those whose source the crate refuses to build offline, and
//! those that refer to another document (the meta-schemas, which the crate carries along).

use jsonschema::{Draft, Validator};
use serde_json::Value;

use crate::error::Error;

use super::{Budget, extensions, lift_as};
use crate::test_material::{data, json_files, read};

/// What a run over some files found.
#[derive(Debug, Default, PartialEq, Eq)]
struct Tally {
    groups: usize,
    instances: usize,
    /// The crate does not build the source offline.
    refused: usize,
    /// The source refers to a meta-schema.
    external: usize,
    differences: Vec<String>,
}

/// The crate's validator for a source.
fn oracle(source: &Value, default: Draft) -> Option<Validator> {
    let options = jsonschema::options().should_validate_formats(true).offline();
    let options = if source.get("$schema").is_some() { options } else { options.with_draft(default) };
    options.build(source).ok()
}

fn compare(name: &str, source: &Value, instances: &[Value], default: Draft, tally: &mut Tally) {
    tally.groups += 1;
    let Some(expected) = oracle(source, default) else {
        tally.refused += 1;
        return;
    };
    let lifted = match lift_as(source, default, &Budget::default()) {
        Ok(lifted) => lifted.document.to_value(),
        Err(Error::InvalidSchema { reason, .. }) if reason.contains("an external reference") => {
            tally.external += 1;
            return;
        }
        Err(error) => return tally.differences.push(format!("{name}: not lifted: {error}")),
    };
    let options =
        jsonschema::options().with_draft(Draft::Draft202012).should_validate_formats(true).offline();
    let actual = match extensions::register(options).build(&lifted) {
        Ok(actual) => actual,
        Err(error) => {
            return tally
                .differences
                .push(format!("{name}: lifted to what does not compile: {error}\n{lifted}"));
        }
    };
    for test in instances {
        let instance = &test["data"];
        tally.instances += 1;
        if expected.is_valid(instance) != actual.is_valid(instance) {
            tally.differences.push(format!("{name}: {instance}\n  source {source}\n  lifted {lifted}"));
        }
    }
}

fn report(what: &str, tally: &Tally) {
    println!(
        "{what}: {} schemas, {} instances, {} refused by the crate, {} with external references, {} differences",
        tally.groups,
        tally.instances,
        tally.refused,
        tally.external,
        tally.differences.len()
    );
    assert!(tally.differences.is_empty(), "{what}:\n{}", tally.differences.join("\n"));
}

fn suite(directory: &str, draft: Draft) {
    let Some(data) = data() else { return };
    let mut tally = Tally::default();
    let tests = data.join("json-schema-test-suite/tests").join(directory);
    for path in json_files(&tests) {
        for group in read(&path).as_array().unwrap() {
            let file = path.strip_prefix(&tests).unwrap().display();
            let name = format!("{directory}/{file}: {}", group["description"]);
            compare(&name, &group["schema"], group["tests"].as_array().unwrap(), draft, &mut tally);
        }
    }
    assert!(tally.instances > 500, "the suite is not there: {tally:?}");
    report(directory, &tally);
}

#[test]
fn draft_04_of_the_suite() {
    suite("draft4", Draft::Draft4);
}

#[test]
fn draft_06_of_the_suite() {
    suite("draft6", Draft::Draft6);
}

#[test]
fn draft_07_of_the_suite() {
    suite("draft7", Draft::Draft7);
}

#[test]
fn draft_2019_09_of_the_suite() {
    suite("draft2019-09", Draft::Draft201909);
}

#[test]
fn draft_2020_12_of_the_suite() {
    suite("draft2020-12", Draft::Draft202012);
}

#[test]
fn real_world_schemas() {
    let Some(data) = data() else { return };
    let mut tally = Tally::default();
    for path in json_files(&data.join("maskbench")) {
        let case = read(&path);
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        compare(&name, &case["schema"], case["tests"].as_array().unwrap(), Draft::Draft202012, &mut tally);
    }
    assert_eq!((tally.groups, tally.refused, tally.external), (932, 0, 0));
    report("maskbench", &tally);
}
