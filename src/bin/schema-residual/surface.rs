//! Which surface is meant: one that comes with the library, or one described by a profile of the user's own.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use schema_residual::Target;

use super::input::{Input, read};
use super::outcome::Failure;

/// The surface; one of the two is given.
#[derive(clap::Args)]
#[group(required = true, multiple = false)]
pub(crate) struct Surface {
    /// The target, as `schema-residual targets` lists it.
    #[arg(long, value_name = "ID")]
    target: Option<String>,
    /// A profile of your own, in the format of the profiles that come with the library.
    #[arg(long, value_name = "FILE")]
    profile: Option<PathBuf>,
}

impl Surface {
    pub(crate) fn target(&self) -> Result<Cow<'static, Target>, Failure> {
        of(self.target.as_deref(), self.profile.as_deref())
    }
}

/// The target of this name, or the one that the profile describes.
pub(crate) fn of(id: Option<&str>, profile: Option<&Path>) -> Result<Cow<'static, Target>, Failure> {
    match profile {
        Some(path) => {
            let Input { name, text } = read(Some(path))?;
            Target::from_json(&text).map(Cow::Owned).map_err(|error| Failure::of(&name, &error))
        }
        None => Ok(Cow::Borrowed(schema_residual::target(id.unwrap_or_default())?)),
    }
}
