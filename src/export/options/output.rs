//! Where pictures go, and in which format.

use clap::Args;

use super::values;
use crate::export::{Format, SheetOptions};

/// Where pictures go. The texts of its fields are those of `--help`.
#[derive(Debug, Clone, Default, PartialEq, Args)]
#[command(next_help_heading = "Output")]
pub struct Output {
    /// Render to this file; `-` is stdout. {name} {animation} {index} {frame:04} are filled in
    #[arg(
        id = "output", short, long = "output", value_name = "PATH", value_parser = values::output_path,
        allow_hyphen_values = true
    )]
    pub path: Option<String>,
    /// What is written; unless told what the path ends in says it, and stdout takes a PNG
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<Format>,
    /// Pictures worked on at once; 0 is one a core
    #[arg(long, value_name = "N", default_value = "0", value_parser = values::jobs, allow_negative_numbers = true)]
    pub jobs: usize,
    /// Overwrite existing files
    #[arg(long)]
    pub force: bool,
    /// How a sprite sheet is made.
    #[command(flatten)]
    pub sheet: SheetOptions,
}

impl Output {
    /// Whether it goes to stdout.
    pub fn is_stdout(&self) -> bool {
        self.path.as_deref() == Some("-")
    }

    /// The path where it goes to files.
    pub fn files(&self) -> Option<&str> {
        self.path.as_deref().filter(|path| *path != "-")
    }

    /// What is written where nobody names a format.
    pub(super) fn told_format(&self) -> Option<Format> {
        match self.files() {
            None => Some(Format::Png),
            Some(path) => Format::of_path(path, None).ok(),
        }
    }
}
