//! `targets`: what is known about the providers' surfaces.

use std::fmt::Write as _;

use super::outcome::{Answer, Failure, print};

/// List the targets, or show all that is known about one.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  schema-residual targets openai.strict")]
pub(crate) struct Arguments {
    /// The target to show.
    #[arg(value_name = "ID")]
    id: Option<String>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Answer, Failure> {
    match &arguments.id {
        Some(id) => print(schema_residual::target(id)?)?,
        None => print(list())?,
    }
    Ok(Answer::Yes)
}

fn list() -> String {
    let targets = schema_residual::targets();
    let width = targets.iter().map(|target| target.id().len()).max().unwrap_or_default();
    let mut text = String::new();
    for target in targets {
        // Writing to a string does not fail.
        let _ =
            writeln!(text, "{:width$}  {} (last seen {})", target.id(), target.label(), target.captured_at());
    }
    text
}
