//! The options of golden pictures.

use std::path::PathBuf;

use clap::Args;

use crate::shared::failure::Failure;
use pchr::golden::{Allowance, MaxPixels};

/// Options of golden pictures.
#[derive(Debug, Args)]
#[command(next_help_heading = "Golden images")]
pub struct GoldenArgs {
    /// Compare with this picture, animated picture or sprite sheet, or with one picture per frame; placeholders as
    /// in -o; a folder contains {animation}-{frame:04}.png, or the file names of -o. Implies --backend cpu unless a
    /// backend or adapter is given. New pictures of frames that differ are written to -o [default: next to the
    /// reference, as NAME.now.png, or as the reference if there is none]
    #[arg(long, value_name = "TEMPLATE")]
    pub reference: Option<String>,
    /// How pictures are compared.
    #[command(flatten)]
    pub allowance: AllowanceArgs,
    /// Write pictures that show the differences to this path [default: next to the reference, as NAME.diff.png]
    #[arg(long, value_name = "TEMPLATE", requires = "reference")]
    pub diff: Option<String>,
    /// Write an HTML page with all compared pictures to this folder
    #[arg(long, value_name = "DIR", requires = "reference")]
    pub html_report: Option<PathBuf>,
    /// Replace the references that differ, and write missing ones; needs --force if the environment variable CI is
    /// set
    #[arg(long, requires = "reference")]
    pub update: bool,
}

/// How pictures are compared.
#[derive(Debug, Clone, Copy, Default, PartialEq, Args)]
#[command(next_help_heading = "Golden images")]
pub struct AllowanceArgs {
    /// Largest difference per channel at which two pixels count as the same
    #[arg(long, value_name = "0..255", default_value = "0", allow_negative_numbers = true)]
    pub tolerance: u8,
    /// Number or percentage of pixels per picture that may differ by more than the tolerance
    #[arg(
        long, value_name = "N|N%", default_value = "0", value_parser = max_pixels, allow_negative_numbers = true
    )]
    pub max_diff_pixels: MaxPixels,
}

impl AllowanceArgs {
    /// Returns how much pictures may differ.
    pub fn allowance(self) -> Allowance {
        Allowance { tolerance: self.tolerance, max_pixels: self.max_diff_pixels }
    }
}

/// Rejects `--update` without `--force` in continuous integration, where it would hide every difference.
pub fn check_update(update: bool, force: bool) -> Result<(), Failure> {
    let is_ci =
        || std::env::var_os("CI").is_some_and(|value| !value.is_empty() && value != "false" && value != "0");
    if !update || force || !is_ci() {
        return Ok(());
    }
    Err(Failure::usage_with_help(
        "continuous integration must not replace references, and the environment variable CI is set",
        "add --force if that is intended",
    ))
}

/// Parses `N` pixels or `N%`.
fn max_pixels(text: &str) -> Result<MaxPixels, String> {
    let parsed = match text.strip_suffix('%') {
        Some(percent) => {
            percent.parse().ok().filter(|percent| (0.0..=100.0).contains(percent)).map(MaxPixels::Percent)
        }
        None => text.parse().ok().map(MaxPixels::Count),
    };
    parsed.ok_or_else(|| {
        "expected a number of pixels such as 8, or a percentage of the picture such as 0.1%".to_owned()
    })
}
