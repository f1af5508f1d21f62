//! `targets`: what is known about the providers' surfaces.

use std::fmt::Write as _;
use std::path::PathBuf;

use super::outcome::{Answer, Failure, print};
use super::surface;

/// List the targets, or show all that is known about one.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  schema-residual targets openai.strict")]
pub(crate) struct Arguments {
    /// The target to show.
    #[arg(value_name = "ID")]
    id: Option<String>,
    /// Show a profile of your own.
    #[arg(long, value_name = "FILE", conflicts_with = "id")]
    profile: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Answer, Failure> {
    match (&arguments.id, &arguments.profile) {
        (None, None) => print(list())?,
        (id, profile) => print(surface::of(id.as_deref(), profile.as_deref())?)?,
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
