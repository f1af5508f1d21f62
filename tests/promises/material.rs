//! The independent test material: where it is, and the schemas in it. The library's own unit tests and the
//! benchmarks include this file as well.
#![allow(dead_code)]

use std::path::{Path, PathBuf};

use serde_json::Value;

/// Where the independent test material is, or `None` on a machine without it.
///
/// # Panics
///
/// With `CI` set a missing folder is a failure.
pub fn data() -> Option<PathBuf> {
    let folder = std::env::var_os("SCHEMA_RESIDUAL_DATA")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data"), PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    assert!(std::env::var_os("CI").is_none(), "the test data is missing");
    println!("skipped: there is no test data at SCHEMA_RESIDUAL_DATA or ../shared/data");
    None
}

/// Every JSON file below a folder, sorted by path.
pub fn json_files(folder: &Path) -> Vec<PathBuf> {
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
pub fn read(path: &Path) -> Value {
    let text = std::fs::read_to_string(path).expect("the file can be read");
    serde_json::from_str(&text).expect("the file is JSON")
}

/// The JSON in each line of a file.
pub fn read_lines(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).expect("the file can be read");
    text.lines().map(|line| serde_json::from_str(line).expect("the line is JSON")).collect()
}

/// Every how many of a long list a test looks at: all of them where `SCHEMA_RESIDUAL_ALL` is set.
pub fn every(sampled: usize) -> usize {
    if std::env::var_os("SCHEMA_RESIDUAL_ALL").is_some() { 1 } else { sampled }
}

/// A named schema with instances to try.
pub struct Case {
    pub name: String,
    pub schema: Value,
    pub instances: Vec<Value>,
}

/// The cases of the JSON Schema Test Suite, one for each group. The drafts before 2019-09 do not name
/// themselves in each schema, so `$schema` is added.
pub fn suite(folder: &Path) -> Vec<Case> {
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
pub fn maskbench(folder: &Path) -> Vec<Case> {
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
pub fn mcp_tools(folder: &Path) -> Vec<Case> {
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

/// The schemas of the field reports, but for those that are no schemas, with every value that the reports name.
pub fn field_reports(folder: &Path) -> Vec<Case> {
    let reports = read_lines(&folder.join("field-reports.jsonl")).into_iter();
    let well_formed = reports.filter(|report| report.get("ill_formed").is_none());
    let fields = ["valid", "invalid", "format_invalid", "unspecified"];
    well_formed
        .map(|report| Case {
            name: report["id"].as_str().expect("a name").to_owned(),
            schema: report["schema"].clone(),
            instances: fields
                .iter()
                .filter_map(|field| report[field].as_array())
                .flatten()
                .cloned()
                .collect(),
        })
        .collect()
}
