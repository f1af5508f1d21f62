//! `adapt`: convert a schema and say what that cost.

use std::path::PathBuf;

use schema_residual::{AdaptOptions, Adapted};

use super::input::read_json;
use super::outcome::{Answer, Failure, json, pretty, print};
use super::surface::Surface;

/// Convert a schema for a target and say, with concrete values, what that cost.
///
/// Prints the report, the schema to send, and the schema of what is left to check.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  schema-residual adapt --target openai.strict.legacy corpus/schemas/review.json

Exit code 0: the schema to send accepts the same instances. 1: it does not, and the report says where.")]
pub(crate) struct Arguments {
    #[command(flatten)]
    surface: Surface,
    /// Say in descriptions what is dropped, so that the model still reads it.
    #[arg(long)]
    descriptions: bool,
    /// Read keywords in snake case too: `min_length` for `minLength`.
    #[arg(long)]
    snake_case: bool,
    /// Print only the report, as JSON.
    #[arg(long, conflicts_with = "wire")]
    json: bool,
    /// Print only the schema to send.
    #[arg(long)]
    wire: bool,
    /// The schema; `-` or nothing for standard input.
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Answer, Failure> {
    let target = arguments.surface.target()?;
    let (name, source) = read_json(arguments.file.as_deref())?;
    let mut options = AdaptOptions::reporting();
    options.convert.descriptions = arguments.descriptions;
    options.convert.snake_case = arguments.snake_case;
    let adapted =
        schema_residual::adapt(&source, &target, &options).map_err(|error| Failure::of(&name, &error))?;
    print(if arguments.wire {
        pretty(adapted.wire())
    } else if arguments.json {
        json("the report", adapted.report())?
    } else {
        everything(&adapted)
    })?;
    Ok(Answer::from_bool(adapted.report().equivalent))
}

fn everything(adapted: &Adapted) -> String {
    let mut text = adapted.report().to_string();
    text.push_str("\nthe schema to send:\n");
    text.push_str(&pretty(adapted.wire()));
    text.push_str("\nwhat is left for the guard to check:\n");
    text.push_str(&pretty(adapted.residual().schema()));
    text
}
