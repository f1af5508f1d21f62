//! What the README shows is what there is. Its Rust code runs as documentation tests.

use schema_residual::{AdaptOptions, adapt, explain, target, targets};
use serde_json::Value;

const README: &str = include_str!("../../README.md");

/// The contents of the fenced blocks of a language.
fn blocks(language: &str) -> Vec<String> {
    let opening = format!("```{language}");
    let mut found = Vec::new();
    let mut lines = README.lines();
    while let Some(line) = lines.next() {
        if line.starts_with("```") {
            let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            if line == opening {
                found.push(block.join("\n") + "\n");
            }
        }
    }
    found
}

#[test]
fn the_output_is_the_real_output() {
    let source: Value = serde_json::from_str(include_str!("../../corpus/schemas/review.json")).unwrap();
    let legacy = target("openai.strict.legacy").unwrap();
    let adapted = adapt(&source, legacy, &AdaptOptions::reporting()).unwrap();
    let output = explain(adapted.report());
    assert_eq!(blocks("text"), [output.as_str()], "the README should show:\n{output}");
}

#[test]
fn the_table_lists_the_targets() {
    let rows: Vec<String> = targets()
        .iter()
        .map(|target| {
            format!(
                "| `{}` | {} | [{}]({}) | {} |",
                target.id(),
                target.label(),
                target.version(),
                target.source_url(),
                target.captured_at()
            )
        })
        .collect();
    let shown: Vec<&str> = README
        .lines()
        .skip_while(|line| *line != "## Targets")
        .filter(|line| line.starts_with("| `"))
        .collect();
    assert_eq!(shown, rows, "the README should show:\n{}", rows.join("\n"));
}

#[test]
fn the_commands_are_two() {
    let commands = blocks("sh").concat();
    assert_eq!(
        commands.lines().collect::<Vec<_>>(),
        [
            "cargo run --features cli -- adapt --target openai.strict.legacy corpus/schemas/review.json",
            "cargo test --all-features",
        ]
    );
}

/// The checks before a change run the README's test command: they take it from there.
#[test]
fn the_checks_run_the_test_command_of_the_readme() {
    let script = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/.ci/run")).unwrap();
    assert!(script.contains("tests=$(grep -m 1 '^cargo test ' README.md)\n"));
    assert!(script.contains("\nstep $tests\n"));
}
