//! Exit codes, printing, and what can go wrong.

use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;

use schema_residual::Error;
use serde::Serialize;
use serde_json::Value;

/// What the help says about exit codes.
pub(crate) const EXIT_CODES: &str = "\
Exit codes:
  0  equivalent, or passed
  1  divergences, or rejected, or failed
  2  usage or input error
  3  the check could not be performed";

/// The answer to a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    /// Equivalent, or passed.
    Yes,
    /// Divergences, or rejected, or failed.
    No,
}

impl Answer {
    /// Yes where this holds.
    pub(crate) fn from_bool(holds: bool) -> Answer {
        if holds { Answer::Yes } else { Answer::No }
    }
}

/// Why there is no answer.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The input or the way of asking is at fault.
    Input(String),
    /// The check could not be performed.
    Undecided(String),
}

impl Failure {
    /// An error that came of the input of this name.
    pub(crate) fn of(name: &str, error: &Error) -> Failure {
        match error {
            Error::Probe { .. } => Failure::Undecided(format!("{name}: {error}")),
            error => Failure::Input(format!("{name}: {error}")),
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        match error {
            Error::Probe { .. } => Failure::Undecided(error.to_string()),
            error => Failure::Input(error.to_string()),
        }
    }
}

/// Prints text to standard output as it is. Where nobody reads any more, the exit code still tells.
pub(crate) fn print(text: impl Display) -> Result<(), Failure> {
    let mut output = io::stdout().lock();
    match write!(output, "{text}").and_then(|()| output.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::Undecided(format!("the output cannot be written: {error}")))
        }
        _ => Ok(()),
    }
}

/// What can be written as JSON, over several lines. `what` is its name in messages.
pub(crate) fn json(what: &str, value: &impl Serialize) -> Result<String, Failure> {
    let value = serde_json::to_value(value);
    value.map(|value| pretty(&value)).map_err(|error| Failure::Undecided(format!("{what}: no JSON: {error}")))
}

/// JSON over several lines.
pub(crate) fn pretty(value: &Value) -> String {
    format!("{value:#}\n")
}

/// Says on standard error what is wrong.
pub(crate) fn complain(text: impl Display) {
    // Where that cannot be written either, the exit code still tells.
    let _ = writeln!(io::stderr(), "error: {text}");
}

/// The exit code, and the message where there is one.
pub(crate) fn conclude(outcome: Result<Answer, Failure>) -> ExitCode {
    match outcome {
        Ok(Answer::Yes) => ExitCode::SUCCESS,
        Ok(Answer::No) => ExitCode::from(1),
        Err(Failure::Input(message)) => {
            complain(message);
            ExitCode::from(2)
        }
        Err(Failure::Undecided(message)) => {
            complain(message);
            ExitCode::from(3)
        }
    }
}
