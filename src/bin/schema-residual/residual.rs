//! `residual`: the schema of exactly what was lost.

use std::path::PathBuf;

use super::input::{at_most_one_from_standard_input, read_json};
use super::outcome::{Answer, Failure, pretty, print};
use super::surface;

/// Print the schema of exactly what a target, or a converted schema, does not enforce.
///
/// It is `true` where nothing was lost.
#[derive(clap::Args)]
#[command(
    after_help = "\
Examples:
  schema-residual residual --target openai.strict.legacy corpus/schemas/review.json
  schema-residual residual --converted converted.json source.json

Exit code 0: nothing was lost. 1: something was, and it is printed.",
    group = clap::ArgGroup::new("other").required(true)
)]
pub(crate) struct Arguments {
    /// The target, as `schema-residual targets` lists it.
    #[arg(long, value_name = "ID", group = "other")]
    target: Option<String>,
    /// A profile of your own, in the format of the profiles that come with the library.
    #[arg(long, value_name = "FILE", group = "other")]
    profile: Option<PathBuf>,
    /// A converted schema, whoever made it; `-` for standard input.
    #[arg(long, value_name = "FILE", group = "other")]
    converted: Option<PathBuf>,
    /// The schema that is meant; `-` or nothing for standard input.
    #[arg(value_name = "SOURCE")]
    source: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Answer, Failure> {
    let Arguments { target, profile, converted, source } = arguments;
    let residual = match converted {
        None => {
            let target = surface::of(target.as_deref(), profile.as_deref())?;
            let (name, source) = read_json(source.as_deref())?;
            schema_residual::residual(&source, &target).map_err(|error| Failure::of(&name, &error))?
        }
        Some(converted) => {
            at_most_one_from_standard_input(&[Some(converted), source.as_deref()])?;
            let (_, converted) = read_json(Some(converted))?;
            let (_, source) = read_json(source.as_deref())?;
            schema_residual::residual_between(&source, &converted)?
        }
    };
    print(pretty(residual.schema()))?;
    Ok(Answer::from_bool(residual.is_trivial()))
}
