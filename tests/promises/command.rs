//! The command, from outside: what it prints and how it exits.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What a run did.
#[derive(Debug, PartialEq, Eq)]
struct Run {
    code: i32,
    output: String,
    errors: String,
}

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_schema-residual"));
    command.args(arguments).current_dir(env!("CARGO_MANIFEST_DIR"));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(arguments: &[&str], input: &str) -> Run {
    let mut child = command(arguments).spawn().unwrap();
    // A run that reads nothing may be over by now.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let done = child.wait_with_output().unwrap();
    Run {
        code: done.status.code().expect("no signal"),
        output: String::from_utf8(done.stdout).unwrap(),
        errors: String::from_utf8(done.stderr).unwrap(),
    }
}

/// A run without complaints.
fn fine(code: i32, output: &str) -> Run {
    Run { code, output: output.to_owned(), errors: String::new() }
}

/// A run without output.
fn refused(code: i32, errors: &str) -> Run {
    Run { code, output: String::new(), errors: errors.to_owned() }
}

/// A folder for one test's files.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn file(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    }
}

const REVIEW: &str = "corpus/schemas/review.json";
const LEGACY: &str = "openai.strict.legacy";

const WIRE: &str = r#"{
  "type": "object",
  "properties": {
    "email": {
      "type": "string"
    },
    "score": {
      "type": "integer"
    }
  },
  "required": [
    "email",
    "score"
  ],
  "additionalProperties": false
}
"#;

const RESIDUAL: &str = r#"{
  "properties": {
    "email": {
      "format": "email"
    },
    "score": {
      "minimum": 0,
      "maximum": 10
    }
  }
}
"#;

#[test]
fn adapt_prints_the_report_the_schema_and_what_is_left() {
    let run = run(&["adapt", "--target", LEGACY, REVIEW], "");
    assert_eq!((run.code, run.errors.as_str()), (1, ""));
    assert!(run.output.starts_with("target: openai.strict.legacy\n"), "{}", run.output);
    assert!(run.output.contains("  3. widen: maximum at #/properties/score\n"), "{}", run.output);
    let rest = format!("\nthe schema to send:\n{WIRE}\nwhat is left for the guard to check:\n{RESIDUAL}");
    assert!(run.output.ends_with(&rest), "{}", run.output);
}

#[test]
fn adapt_exits_with_0_where_nothing_is_lost() {
    let run = run(&["adapt", "--target", "openai.strict", REVIEW], "");
    assert_eq!((run.code, run.errors.as_str()), (0, ""));
    assert!(run.output.contains("\nverdict: equivalent: proved\n"), "{}", run.output);
    assert!(run.output.ends_with("\nwhat is left for the guard to check:\ntrue\n"), "{}", run.output);
}

#[test]
fn adapt_prints_the_wire_schema_alone() {
    assert_eq!(run(&["adapt", "--target", LEGACY, "--wire", REVIEW], ""), fine(1, WIRE));
    let source = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(REVIEW)).unwrap();
    for from_standard_input in
        [&["adapt", "--target", LEGACY, "--wire"][..], &["adapt", "--wire", "--target", LEGACY, "-"]]
    {
        assert_eq!(run(from_standard_input, &source), fine(1, WIRE));
    }
}

#[test]
fn adapt_prints_the_report_as_json() {
    let run = run(&["adapt", "--target", LEGACY, "--json", REVIEW], "");
    assert_eq!((run.code, run.errors.as_str()), (1, ""));
    let report: serde_json::Value = serde_json::from_str(&run.output).unwrap();
    assert_eq!(report["target"], LEGACY);
    assert_eq!(report["verdict"], "widened");
    assert_eq!(report["divergences"][1]["keyword"], "minimum");
    assert_eq!(report["divergences"][1]["pointer"], "#/properties/score");
    assert_eq!(report["divergences"][1]["effect"], "widen");
}

#[test]
fn diff_with_a_corpus() {
    let folder = Folder::new("diff_with_a_corpus");
    let source = folder.file("source.json", r#"{"type": "integer", "minimum": 0, "maximum": 9}"#);
    let converted = folder.file("converted.json", r#"{"type": "integer", "minimum": 0, "multipleOf": 2}"#);
    let expected = "\
verdict: both widened and narrowed

only the converted schema accepts: 1
  10

only the source accepts: 1
  1

differential: 4 checked, 2 agreed, 1 widened, 1 narrowed
";
    let array = folder.file("array.json", "[1, 2,\n 10, -1]\n");
    assert_eq!(run(&["diff", &source, &converted, "--corpus", &array], ""), fine(1, expected));
    let lines = folder.file("lines.jsonl", "1\n2\n\n10\n-1\n");
    assert_eq!(run(&["diff", &source, &converted, "--corpus", &lines], ""), fine(1, expected));
    // A corpus that shows nothing does not make two different schemas the same.
    let agreeing = folder.file("agreeing.json", "[2]");
    let expected = "\
verdict: both widened and narrowed

only the converted schema accepts, beyond the corpus:
  10

only the source accepts, beyond the corpus:
  1

differential: 1 checked, 1 agreed, 0 widened, 0 narrowed
";
    assert_eq!(run(&["diff", &source, &converted, "--corpus", &agreeing], ""), fine(1, expected));
}

#[test]
fn diff_makes_instances_where_there_is_no_corpus() {
    let folder = Folder::new("diff_without_a_corpus");
    let source = folder.file("source.json", r#"{"type": "integer", "minimum": 0}"#);
    let different = run(&["diff", &source, "-"], r#"{"type": "integer"}"#);
    assert_eq!((different.code, different.errors.as_str()), (1, ""));
    assert!(different.output.contains("\nonly the converted schema accepts: "), "{}", different.output);
    assert!(!different.output.contains("\nonly the source accepts: "), "{}", different.output);
    let same = run(&["diff", "-", &source], r#"{"minimum": 0, "type": ["integer"]}"#);
    assert_eq!((same.code, same.errors.as_str()), (0, ""));
    assert!(same.output.starts_with("verdict: equivalent: proved\n"), "{}", same.output);
}

#[test]
fn diff_without_a_single_instance_is_no_answer() {
    let folder = Folder::new("diff_without_an_instance");
    let corpus = folder.file("empty.json", "[]");
    assert_eq!(
        run(&["diff", REVIEW, REVIEW, "--corpus", &corpus], ""),
        refused(3, "error: the check could not be performed: the corpus is empty\n")
    );
}

#[test]
fn residual_for_a_target_and_for_a_pair() {
    assert_eq!(run(&["residual", "--target", LEGACY, REVIEW], ""), fine(1, RESIDUAL));
    assert_eq!(run(&["residual", "--target", "openai.strict", REVIEW], ""), fine(0, "true\n"));
    assert_eq!(run(&["residual", "--converted", "-", REVIEW], WIRE), fine(1, RESIDUAL));
    assert_eq!(run(&["residual", "--converted", REVIEW, REVIEW], ""), fine(0, "true\n"));
}

#[test]
fn guard_prints_what_it_accepts() {
    let guard = ["guard", "--target", LEGACY, "--schema", REVIEW];
    let accepted = "{\n  \"email\": \"a@b.co\",\n  \"score\": 7\n}\n";
    assert_eq!(run(&guard, r#"{"email":"a@b.co","score":7}"#), fine(0, accepted));
    assert_eq!(run(&guard, "```json\n{\"email\":\"a@b.co\",\"score\":7}\n```\n"), fine(0, accepted));
}

#[test]
fn guard_says_what_it_rejects() {
    let guard = ["guard", "--target", LEGACY, "--schema", REVIEW, "-"];
    let rejected = run(&guard, r#"{"email":"not-an-email","score":99}"#);
    let expected = "\
error: the answer violates what was not enforced
  /email: \"not-an-email\" is not a \"email\"
  /score: 99 is greater than the maximum of 10
";
    assert_eq!(rejected, refused(1, expected));
    let not_json = run(&guard, "Here you are: {}");
    assert_eq!(not_json, refused(1, "error: the answer is not JSON: expected value at line 1 column 1\n"));
}

/// An optional property is sent as one that may be `null`, and comes back as one that is absent.
#[test]
fn guard_puts_the_answer_back_into_the_shape_of_the_source() {
    let folder = Folder::new("guard_decodes");
    let schema = folder.file(
        "schema.json",
        r#"{
            "type": "object",
            "properties": {"a": {"type": "string", "minLength": 1}},
            "additionalProperties": false
        }"#,
    );
    let guard = ["guard", "--target", LEGACY, "--schema", &schema];
    assert_eq!(run(&guard, r#"{"a": null}"#), fine(0, "{}\n"));
    assert_eq!(run(&guard, r#"{"a": ""}"#).code, 1);
}

#[test]
fn targets_are_listed_and_shown() {
    let list = run(&["targets"], "");
    assert_eq!((list.code, list.errors.as_str()), (0, ""));
    let ids: Vec<&str> = list.output.lines().filter_map(|line| line.split(' ').next()).collect();
    let known: Vec<&str> = schema_residual::targets().iter().map(schema_residual::Target::id).collect();
    assert_eq!(ids, known);
    for id in ids {
        let target = schema_residual::target(id).unwrap();
        assert_eq!(run(&["targets", id], ""), fine(0, &target.to_string()));
    }
}

#[test]
fn check_says_what_a_surface_would_not_take() {
    let schema = r#"{"type": "object", "properties": {"a": {"type": "string", "uniqueItems": true}}, "required": ["a"],
        "additionalProperties": false}"#;
    let told = run(&["check", "--target", "openai.strict"], schema);
    assert_eq!((told.code, told.errors.as_str()), (1, ""));
    assert_eq!(
        told.output,
        "#/properties/a uniqueItems: the request fails\n    `uniqueItems`: rejected there\n    source: \
         https://github.com/1jehuang/jcode/issues/687 (2026-07-31), not in the vendor's text\n"
    );
    let json = run(&["check", "--target", "openai.strict", "--json"], schema);
    let problems: serde_json::Value = serde_json::from_str(&json.output).unwrap();
    assert_eq!((json.code, problems[0]["consequence"].as_str()), (1, Some("request-error")));
    let fine = run(&["check", "--target", "openai.strict", REVIEW], "");
    assert_eq!((fine.code, fine.output.as_str()), (0, "openai.strict enforces the schema as it is\n"));
}

/// The profile in the README is a whole one, and every command that takes a target takes it.
#[test]
fn a_profile_of_ones_own_is_taken_everywhere() {
    let readme = include_str!("../../README.md");
    let profile = readme.split("```json\n").find(|block| block.contains("\"acme.tools\"")).unwrap();
    let folder = Folder::new("profile");
    let profile = &folder.file("acme.json", profile.split("```").next().unwrap());
    let schema = &folder
        .file("schema.json", r#"{"type": "object", "properties": {"a": {"type": "integer", "minimum": 1}}}"#);
    let shown = run(&["targets", "--profile", profile], "");
    assert!(
        shown.code == 0 && shown.output.starts_with("acme.tools: Acme, function tools\n"),
        "{}",
        shown.output
    );
    let adapted = run(&["adapt", "--profile", profile, "--descriptions", "--wire", schema], "");
    assert_eq!(adapted.code, 1);
    assert!(
        !adapted.output.contains("minimum") && adapted.output.contains("\"integer\""),
        "{}",
        adapted.output
    );
    assert_eq!(run(&["check", "--profile", profile, schema], "").code, 1);
    assert_eq!(run(&["residual", "--profile", profile, schema], "").code, 1);
    assert_eq!(run(&["guard", "--profile", profile, "--schema", schema], r#"{"a": 0}"#).code, 1);
    assert_eq!(run(&["guard", "--profile", profile, "--schema", schema], r#"{"a": 1}"#).code, 0);
    let broken = &folder.file("broken.json", r#"{"id": "x", "lable": "y"}"#);
    let refused = run(&["targets", "--profile", broken], "");
    assert!(refused.code == 2 && refused.errors.contains("`lable`"), "{}", refused.errors);
}

#[test]
fn self_check_passes() {
    let run = run(&["self-check"], "");
    assert_eq!((run.code, run.errors.as_str()), (0, ""), "{}", run.output);
    assert!(run.output.starts_with("passed  B1: 720 checked, 648 agreed, 72 widened, 0 narrowed\n"));
    let expected = format!("\n{} passed, 0 failed\n", 5 + schema_residual::targets().len());
    assert!(run.output.ends_with(&expected), "{}", run.output);
}

/// The first line of the complaint about a schema on standard input.
fn complaint(schema: &str) -> String {
    let run = run(&["adapt", "--target", "openai.strict", "-"], schema);
    assert_eq!((run.code, run.output.as_str()), (2, ""), "{schema}");
    run.errors
}

#[test]
fn input_that_is_not_json() {
    assert_eq!(
        complaint("{"),
        "error: standard input: not JSON: EOF while parsing an object at line 1 column 1\n"
    );
    assert_eq!(
        complaint(""),
        "error: standard input: not JSON: EOF while parsing a value at line 1 column 0\n"
    );
    assert_eq!(
        complaint("{} {}"),
        "error: standard input: not JSON: trailing characters at line 1 column 4\n"
    );
    assert_eq!(
        complaint("{\"type\": \"string\",\n \"type\": \"number\"}"),
        "error: standard input: not JSON: the key \"type\" is there twice at line 2 column 7\n"
    );
}

#[test]
fn input_that_is_not_a_schema() {
    for schema in ["[]", "1", "\"a\"", "null"] {
        assert_eq!(
            complaint(schema),
            "error: standard input: invalid schema at #: a schema is an object or a boolean\n"
        );
    }
    assert!(complaint(r#"{"type": 1}"#).starts_with("error: standard input: invalid schema at #/type: "));
    assert!(
        complaint(r##"{"items": {"$ref": "#/nowhere"}}"##)
            .starts_with("error: standard input: invalid schema at #/items/$ref: ")
    );
    assert!(
        complaint(r#"{"items": {"pattern": "("}}"#)
            .starts_with("error: standard input: invalid schema at #/items/pattern: ")
    );
}

#[test]
fn input_that_is_too_deep() {
    let nested = |levels: usize| format!("{}{{}}{}", "{\"not\":".repeat(levels), "}".repeat(levels));
    assert_eq!(complaint(&nested(97)), "error: standard input: over budget: depth is limited to 96\n");
    assert!(
        complaint(&nested(5_000))
            .starts_with("error: standard input: not JSON: recursion limit exceeded at ")
    );
}

#[test]
fn files_and_targets_that_are_not_there() {
    let missing = run(&["adapt", "--target", LEGACY, "no/such/file.json"], "");
    assert_eq!((missing.code, missing.output.as_str()), (2, ""));
    assert!(missing.errors.starts_with("error: no/such/file.json: cannot be read: "), "{}", missing.errors);
    let expected = "error: unknown target \"nope\"; known targets: openai.strict, ";
    for arguments in
        [&["adapt", "--target", "nope", REVIEW][..], &["residual", "--target", "nope"], &["targets", "nope"]]
    {
        let run = run(arguments, "");
        assert_eq!((run.code, run.output.as_str()), (2, ""));
        assert!(run.errors.starts_with(expected), "{}", run.errors);
    }
}

#[test]
fn ways_of_asking_that_make_no_sense() {
    for arguments in [
        &[][..],
        &["adapt"],
        &["adapt", "--target", LEGACY, "--wire", "--json", REVIEW],
        &["residual", REVIEW],
        &["residual", "--target", LEGACY, "--converted", REVIEW, REVIEW],
        &["explode"],
    ] {
        let run = run(arguments, "{}");
        assert_eq!((run.code, run.output.as_str()), (2, ""), "{arguments:?}");
        assert!(!run.errors.is_empty());
    }
    let twice = "error: only one input can come from standard input\n";
    assert_eq!(run(&["diff", "-", "-"], "{}"), refused(2, twice));
    assert_eq!(run(&["guard", "--target", LEGACY, "--schema", "-"], "{}"), refused(2, twice));
}

#[test]
fn a_corpus_with_a_bad_line() {
    let folder = Folder::new("bad_corpus");
    let corpus = folder.file("corpus.jsonl", "{}\n{\"a\": 1, \"a\": 2}\n");
    let run = run(&["diff", REVIEW, REVIEW, "--corpus", &corpus], "");
    let expected = format!(
        "error: {corpus}, text of line 2: not JSON: the key \"a\" is there twice at line 1 column 12\n"
    );
    assert_eq!(run, refused(2, &expected));
}

#[test]
fn every_help_has_an_example() {
    for name in ["adapt", "check", "diff", "residual", "guard", "targets", "self-check"] {
        let run = run(&[name, "--help"], "");
        assert_eq!((run.code, run.errors.as_str()), (0, ""));
        assert!(run.output.contains(&format!("  schema-residual {name}")), "{}", run.output);
        assert!(run.output.contains("\nExample"), "{}", run.output);
    }
}

#[test]
fn a_reader_that_stops_reading_is_no_reason_to_panic_and_changes_no_answer() {
    for (arguments, code) in
        [(&["targets", "openai.strict"][..], 0), (&["adapt", "--target", LEGACY, REVIEW], 1)]
    {
        let mut child = command(arguments).spawn().unwrap();
        drop(child.stdout.take());
        let done = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8(done.stderr).unwrap(), "");
        assert_eq!(done.status.code(), Some(code));
    }
}
