//! `guard`: check one answer of a provider.

use std::path::PathBuf;

use schema_residual::{ConvertOptions, RejectionKind, convert};

use super::input::{at_most_one_from_standard_input, read, read_json};
use super::outcome::{Answer, Failure, complain, pretty, print};
use super::surface::Surface;

/// Check a provider's answer against what the provider did not enforce, and print it in the source's shape.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  echo '{\"email\": \"a@b.co\", \"score\": 7}' |
    schema-residual guard --target openai.strict.legacy --schema corpus/schemas/review.json

Exit code 0: the answer is accepted and printed. 1: it is rejected, and standard error says why.")]
pub(crate) struct Arguments {
    #[command(flatten)]
    surface: Surface,
    /// The schema that is meant, not the one that was sent; `-` for standard input.
    #[arg(long, value_name = "FILE")]
    schema: PathBuf,
    /// The answer as the model gave it; `-` or nothing for standard input.
    #[arg(value_name = "INSTANCE")]
    instance: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Answer, Failure> {
    let Arguments { surface, schema, instance } = arguments;
    let target = surface.target()?;
    at_most_one_from_standard_input(&[Some(schema), instance.as_deref()])?;
    let (name, source) = read_json(Some(schema))?;
    let guard = convert(&source, &target, &ConvertOptions::default())
        .and_then(|conversion| conversion.guard())
        .map_err(|error| Failure::of(&name, &error))?;
    let answer = read(instance.as_deref())?;
    match guard.check_str(&answer.text) {
        Ok(value) => print(pretty(&value)).map(|()| Answer::Yes),
        Err(rejection) if rejection.kind == RejectionKind::Undecided => {
            Err(Failure::Undecided(format!("{}: {rejection}", answer.name)))
        }
        Err(rejection) => {
            complain(rejection);
            Ok(Answer::No)
        }
    }
}
