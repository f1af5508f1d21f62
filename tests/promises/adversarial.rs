//! No input makes the library panic, overflow the stack, run away or take all memory.
//!
//! `corpus/adversarial` has a file per kind of input. Each is run in a child process, which is this test
//! binary again with only [`child`] to run, under a limit of time and of memory: a hang, an overflow or an
//! abort is then a failure like any other, and not the end of the test run.

mod exercise;
mod recipe;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use crate::material::{every, json_files, read};

/// Names the file for [`child`].
const VARIABLE: &str = "SCHEMA_RESIDUAL_ADVERSARIAL";

/// A case of the corpus takes a few seconds at most; the rest is for a machine that is busy. All targets take longer
/// than the few that each case is looked at with.
fn time() -> Duration {
    Duration::from_secs(1_440 / every(6) as u64)
}

/// Address space, in KiB as `ulimit` counts it.
const MEMORY: usize = 2 << 20;

#[test]
fn nothing_brings_the_library_down() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/adversarial");
    let wanted = std::env::var("SCHEMA_RESIDUAL_ONLY").unwrap_or_default();
    let mut cases = json_files(&folder);
    cases.retain(|path| path.to_string_lossy().contains(&wanted));
    assert!(!cases.is_empty(), "there is no such case");
    let start = Instant::now();
    let outcomes = run_all(&cases);
    let mut calls = 0;
    for (name, outcome) in &outcomes {
        calls += outcome.calls;
        println!("{name}: {} calls in {:.1} s{}", outcome.calls, outcome.seconds, outcome.slowest);
    }
    let failures: Vec<&String> = outcomes.values().flat_map(|outcome| &outcome.failures).collect();
    let seconds = start.elapsed().as_secs_f64();
    println!("{} cases, {calls} calls, {} failures, {seconds:.0} s", outcomes.len(), failures.len());
    for failure in failures.iter().take(60) {
        println!("  {failure}");
    }
    assert!(failures.is_empty(), "{} failures", failures.len());
}

/// What the parent runs for each case; on its own it does nothing.
#[test]
fn child() {
    if let Some(path) = std::env::var_os(VARIABLE) {
        exercise::run(&read(Path::new(&path)));
    }
}

struct Outcome {
    calls: usize,
    seconds: f64,
    slowest: String,
    failures: Vec<String>,
}

/// Two at a time.
fn run_all(cases: &[PathBuf]) -> BTreeMap<String, Outcome> {
    let next = Mutex::new(cases.iter());
    let outcomes = Mutex::new(BTreeMap::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let Some(path) = next.lock().expect("no panic").next() else { break };
                    let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
                    let outcome = run(path, &name);
                    outcomes.lock().expect("no panic").insert(name, outcome);
                }
            });
        }
    });
    outcomes.into_inner().expect("no panic")
}

fn run(path: &Path, name: &str) -> Outcome {
    // What the child says goes to a file: a pipe that nobody reads would stop it.
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("adversarial");
    fs::create_dir_all(&folder).expect("the folder can be made");
    let (output, errors) = (folder.join(format!("{name}.out")), folder.join(format!("{name}.err")));
    let start = Instant::now();
    let ended = wait(
        Command::new("sh")
            .args(["-c", &format!("ulimit -v {MEMORY} && exec \"$0\" \"$@\"")])
            .arg(std::env::current_exe().expect("this binary has a path"))
            .args(["--exact", "adversarial::child", "--nocapture", "--test-threads=1"])
            .env(VARIABLE, path)
            .env_remove("RUST_MIN_STACK")
            .stdin(Stdio::null())
            .stdout(File::create(&output).expect("a file for the output"))
            .stderr(File::create(&errors).expect("a file for the errors")),
    );
    let seconds = start.elapsed().as_secs_f64();
    let said = String::from_utf8_lossy(&fs::read(&output).expect("the output")).into_owned();
    let complaint = String::from_utf8_lossy(&fs::read(&errors).expect("the errors")).into_owned();
    judge(name, seconds, ended, &said, &complaint)
}

/// Waits until the process has ended; `None` where it had to be killed.
fn wait(command: &mut Command) -> Option<ExitStatus> {
    let mut process = command.spawn().expect("the child starts");
    let start = Instant::now();
    while start.elapsed() < time() {
        if let Some(status) = process.try_wait().expect("the child can be waited for") {
            return Some(status);
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    process.kill().expect("the child can be killed");
    process.wait().expect("the child has ended");
    None
}

fn judge(name: &str, seconds: f64, ended: Option<ExitStatus>, said: &str, complaint: &str) -> Outcome {
    let after = |prefix: &'static str| said.lines().filter_map(move |line| line.strip_prefix(prefix));
    let mut failures: Vec<String> =
        after(exercise::FAILURE).map(|failure| format!("{name}: {failure}")).collect();
    let last = after(exercise::CALL).next_back().unwrap_or("before the first call");
    let reason = complaint.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
    match ended {
        None => failures.push(format!("{name}: killed after {seconds:.0} s in {last}")),
        Some(status) if !status.success() && failures.is_empty() => {
            failures.push(format!("{name}: {status} in {last}: {reason}"));
        }
        // Without this a child that finds no such test would pass.
        Some(_) if !said.lines().any(|line| line == exercise::DONE) && failures.is_empty() => {
            failures.push(format!("{name}: ended early, in {last}"));
        }
        Some(_) => {}
    }
    let slow = after(exercise::SLOWEST).next_back().map_or(String::new(), |slow| format!(", slowest {slow}"));
    Outcome { calls: after(exercise::CALL).count(), seconds, slowest: slow, failures }
}
