//! `check`: does a surface take a schema as it is?

use std::fmt::Write as _;
use std::path::PathBuf;

use schema_residual::{Consequence, Problem};

use super::input::read_json;
use super::outcome::{Answer, Failure, json, print};
use super::surface::Surface;

/// Say what a surface would refuse, ignore or misread in a schema that is sent as it is.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  schema-residual check --target openai.strict corpus/schemas/review.json

Exit code 0: the surface enforces all of the schema as it is written. 1: it does not, and the problems say where.")]
pub(crate) struct Arguments {
    #[command(flatten)]
    surface: Surface,
    /// Print the problems as JSON.
    #[arg(long)]
    json: bool,
    /// The schema; `-` or nothing for standard input.
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Answer, Failure> {
    let target = arguments.surface.target()?;
    let (name, schema) = read_json(arguments.file.as_deref())?;
    let problems = target.check(&schema).map_err(|error| Failure::of(&name, &error))?;
    print(if arguments.json { json("the problems", &problems)? } else { text(target.id(), &problems) })?;
    Ok(Answer::from_bool(problems.is_empty()))
}

fn text(target: &str, problems: &[Problem]) -> String {
    if problems.is_empty() {
        return format!("{target} enforces the schema as it is\n");
    }
    let mut text = String::new();
    for problem in problems {
        let said = if problem.documented { "" } else { ", not in the vendor's text" };
        // Writing to a string does not fail.
        let _ = writeln!(text, "{} {}: {}", problem.pointer, problem.rule, consequence(problem.consequence));
        let _ = writeln!(text, "    {}", problem.reason);
        let _ = writeln!(text, "    source: {}{said}", problem.source);
    }
    text
}

fn consequence(consequence: Consequence) -> &'static str {
    match consequence {
        Consequence::RequestError => "the request fails",
        Consequence::Ignored => "ignored",
        Consequence::ReadDifferently => "read differently",
        _ => "nothing is known about it",
    }
}
