//! Every public function on one case, in the child process.

use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use schema_residual::{
    AdaptOptions, Adapted, Conversion, Error, Guard, Rejection, Residual, Target, adapt, candidates, convert,
    differential, explain, residual, residual_between,
};
use serde_json::{Value, json};

use super::recipe::{dismantle, expand};
use crate::support::targets_for;

/// The beginnings of the lines that the parent reads.
pub const CALL: &str = "call: ";
pub const FAILURE: &str = "failure: ";
pub const SLOWEST: &str = "slowest: ";
pub const DONE: &str = "every call has returned";

/// Texts that are tried on every guard.
const TEXTS: [&str; 6] = ["", "{", "[1,", r#"{"a":1,"a":2}"#, r#""\ud800""#, r#"{"\u0000":"\u0000"}"#];

/// Runs a case and says what happened.
pub fn run(case: &Value) {
    let list = |name: &str| case.get(name).and_then(Value::as_array).cloned().unwrap_or_default();
    let mut recipes = list("answers");
    let own = recipes.len();
    recipes.extend([json!(null), json!("a"), json!([1]), json!({}), json!({"a": {"a": null}})]);
    let mut texts: Vec<String> = TEXTS.map(str::to_owned).to_vec();
    texts.extend(list("texts").iter().map(|text| expand(text).as_str().expect("a text").to_owned()));
    let mut exercise = Exercise {
        answers: recipes.iter().map(expand).collect(),
        recipes,
        own,
        texts,
        gives_up: case.get("gives_up").and_then(Value::as_str).map(str::to_owned),
        prefix: String::new(),
        slowest: (Duration::ZERO, String::new()),
        failures: 0,
    };
    let schemas = expand(&case["schemas"]);
    let Value::Object(schemas) = schemas else { panic!("schemas have names") };
    for (name, schema) in schemas {
        exercise.prefix = name.chars().take(60).collect();
        exercise.schema(&schema);
        dismantle(schema);
    }
    exercise.answers.drain(..).for_each(dismantle);
    println!("{SLOWEST}{:.1} s in {}", exercise.slowest.0.as_secs_f64(), exercise.slowest.1);
    println!("{DONE}");
    assert_eq!(exercise.failures, 0, "failures");
}

struct Exercise {
    answers: Vec<Value>,
    /// What the answers are made from: a guard takes its answer, and a deep one cannot be cloned.
    recipes: Vec<Value>,
    /// How many of the answers are the case's own. Those come first.
    own: usize,
    texts: Vec<String>,
    /// A pattern that cannot be matched to the end against the case's own answers.
    gives_up: Option<String>,
    prefix: String,
    slowest: (Duration, String),
    failures: usize,
}

impl Exercise {
    /// Calls, and says so before: what does not return was the last call.
    fn call<T>(&mut self, what: impl Display, call: impl FnOnce(&Exercise) -> T) -> Option<T> {
        println!("{CALL}{}: {what}", self.prefix);
        let start = Instant::now();
        let result = catch_unwind(AssertUnwindSafe(|| call(self)));
        let seconds = start.elapsed().as_secs_f64();
        if seconds > 0.5 {
            println!("{seconds:.1} s");
        }
        if start.elapsed() > self.slowest.0 {
            self.slowest = (start.elapsed(), format!("{}: {what}", self.prefix));
        }
        match result {
            Ok(result) => Some(result),
            Err(_) => {
                self.fail(format!("{what} panics"));
                None
            }
        }
    }

    /// The same for what may fail with an error of the library.
    fn attempt<T>(
        &mut self,
        what: impl Display,
        call: impl FnOnce(&Exercise) -> Result<T, Error>,
    ) -> Option<T> {
        self.call(what, |exercise| call(exercise).map_err(|error| error.to_string()).ok())?
    }

    fn fail(&mut self, what: impl Display) {
        println!("{FAILURE}{}: {what}", self.prefix);
        self.failures += 1;
    }

    fn schema(&mut self, schema: &Value) {
        // Any number will do that differs from one schema to the next.
        let index = self.prefix.bytes().map(usize::from).sum();
        for target in targets_for(index) {
            self.at(schema, target);
        }
        let anything = json!(true);
        for (name, source, converted) in [
            ("itself", schema, schema),
            ("its loss", schema, &anything),
            ("what it was made from", &anything, schema),
        ] {
            self.between(name, source, converted);
        }
        if let Some(pattern) = self.gives_up.clone() {
            let result = differential(schema, &anything, &self.answers[..self.own]);
            self.names("differential", &pattern, result.map(|_| ()));
        }
    }

    fn at(&mut self, schema: &Value, target: &Target) {
        let id = target.id();
        let mut guard = None;
        if let Some(conversion) =
            self.attempt(format!("{id}: convert"), |_| convert(schema, target, &Default::default()))
        {
            self.call(format!("{id}: the conversion's parts"), |_| parts(&conversion));
            guard = self.attempt(format!("{id}: guard"), |_| conversion.guard());
        }
        if let Some(adapted) =
            self.attempt(format!("{id}: adapt"), |_| adapt(schema, target, &AdaptOptions::reporting()))
        {
            self.call(format!("{id}: the report"), |_| told(&adapted));
        }
        self.adapt_with_corpus(schema, target);
        if let Some(residual) = self.attempt(format!("{id}: residual"), |_| residual(schema, target)) {
            self.residual(id, &residual);
            if let Some(guard) = guard {
                self.guard(id, &guard, residual.is_trivial());
                self.guard(&format!("{id}: full"), &guard.full(), false);
            }
        }
    }

    /// Adapts with the case's own answers as instances to look at.
    fn adapt_with_corpus(&mut self, schema: &Value, target: &Target) {
        if self.own == 0 {
            return;
        }
        let mut options = AdaptOptions::reporting();
        options.corpus = self.recipes[..self.own].iter().map(expand).collect();
        let what = format!("{}: adapt with a corpus", target.id());
        let result = self.call(&what, |_| adapt(schema, target, &options).map(|_| ()));
        options.corpus.drain(..).for_each(dismantle);
        if let (Some(pattern), Some(result)) = (self.gives_up.clone(), result) {
            self.names(&what, &pattern, result);
        }
    }

    /// A check that gave up must be an error that names the pattern.
    fn names(&mut self, what: &str, pattern: &str, result: Result<(), Error>) {
        match result {
            Err(Error::Probe { detail }) if detail.contains(pattern) => {}
            Err(error) => self.fail(format!("{what} does not name the pattern: {error}")),
            Ok(()) => self.fail(format!("{what} hides that a match was not finished")),
        }
    }

    fn residual(&mut self, id: &str, residual: &Residual) {
        for index in 0..self.answers.len() {
            let answer = |exercise: &Exercise| residual.is_valid(&exercise.answers[index]);
            let valid = self.call(format!("{id}: is_valid of answer {index}"), answer);
            if index < self.own && self.gives_up.is_some() && !residual.is_trivial() && valid == Some(true) {
                self.fail(format!("{id}: the residual accepts what it cannot tell"));
            }
            self.call(format!("{id}: violations of answer {index}"), |exercise| {
                residual.violations(&exercise.answers[index]).len()
            });
        }
        self.call(format!("{id}: lists of constraints"), |_| {
            (residual.enforced_here().len(), residual.enforced_by_target().len())
        });
    }

    /// `open` says that the guard need not look at anything.
    fn guard(&mut self, id: &str, guard: &Guard, open: bool) {
        for index in 0..self.recipes.len() {
            let encoded = self.call(format!("{id}: encode answer {index}"), |exercise| {
                guard.encode(&exercise.answers[index])
            });
            let passes = |result: Result<Value, Rejection>| {
                result.map_err(|rejection| rejection.to_string()).map(dismantle).is_ok()
            };
            self.call(format!("{id}: check answer {index}"), |exercise| {
                passes(guard.check(expand(&exercise.recipes[index])))
            });
            let Some(encoded) = encoded else { continue };
            let accepted =
                self.call(format!("{id}: check encoded answer {index}"), |_| passes(guard.check(encoded)));
            if index < self.own && self.gives_up.is_some() && !open && accepted == Some(true) {
                self.fail(format!("{id}: the guard accepts what it cannot tell"));
            }
        }
        for index in 0..self.texts.len() {
            self.call(format!("{id}: check_str of text {index}"), |exercise| {
                guard.check_str(&exercise.texts[index]).map_err(|rejection| rejection.to_string()).is_ok()
            });
        }
    }

    fn between(&mut self, name: &str, source: &Value, converted: &Value) {
        if let Some(residual) =
            self.attempt(format!("residual_between, {name}"), |_| residual_between(source, converted))
        {
            self.residual(name, &residual);
        }
        self.attempt(format!("differential, {name}"), |exercise| {
            differential(source, converted, &exercise.answers)
        });
        if let Some(found) = self.attempt(format!("candidates, {name}"), |_| candidates(source, converted)) {
            self.attempt(format!("differential over candidates, {name}"), |_| {
                differential(source, converted, &found)
            });
        }
    }
}

/// Everything that a conversion can be asked for.
fn parts(conversion: &Conversion) -> usize {
    let schemas = [conversion.effective(), conversion.projected(), conversion.effective_projection()];
    let text: usize = schemas.iter().map(|schema| schema.to_string().len()).sum();
    let changes = conversion.removed().len() + conversion.rewritten().len();
    text + conversion.wire().to_string().len() + changes + conversion.warnings().len()
}

/// The report in words and as data.
fn told(adapted: &Adapted) -> usize {
    let report = adapted.report();
    explain(report).len()
        + report.summary().len()
        + serde_json::to_string(report).expect("a report is JSON").len()
        + format!("{adapted:?}").len()
}
