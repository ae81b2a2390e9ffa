//! The arguments of `pchr validate`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::shared::failure::Failure;
use crate::shared::json_output;
use crate::shared::read_args::ReadArgs;

/// Arguments of `pchr validate`.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub struct ValidateArgs {
    /// Characters, folders of characters, or patterns such as 'art/**/*.json'; `-` is stdin
    #[arg(value_name = "PATH", required = true)]
    pub paths: Vec<PathBuf>,
    /// Output style [default: human]
    #[arg(long, value_name = "STYLE")]
    style: Option<Style>,
    /// Same as --style json
    #[arg(long)]
    json: bool,
    /// Treat characters with warnings as invalid
    #[arg(long, value_name = "WHAT")]
    pub deny: Option<Deny>,
    /// Ignore findings with this code; repeatable. Ignored errors do not make a character invalid
    #[arg(long, value_name = "CODE")]
    pub ignore: Vec<String>,
    /// Print at most N findings; 0 prints all. The counts always include all findings
    #[arg(long, value_name = "N", default_value = "0")]
    pub max_issues: usize,
    /// List the files in folders that are not checked, and why
    #[arg(short, long)]
    pub verbose: bool,
    /// Reading options.
    #[command(flatten)]
    pub read: ReadArgs,
}

impl ValidateArgs {
    /// Returns the output style.
    pub fn style(&self) -> Result<Style, Failure> {
        json_output::style(self.json, self.style, [Style::Json, Style::Human])
    }

    /// Returns true if errors are also printed to stdout as JSON.
    pub fn wants_json(&self) -> bool {
        self.json || self.style == Some(Style::Json)
    }
}

const HELP: &str = "\
Folders are searched recursively for .pchr, .skf, .skfe, .skel, .sprsh, .aseprite
and .ase files, and for .json, .xml, .plist, .atlas, .tpsheet and .tres files that
contain a character or a sprite sheet. A .json file beside an atlas or a picture of its
name must contain one. An .atlas that belongs to a Spine skeleton is not checked
separately. Files and folders whose names begin with a dot are skipped.

Examples:
  pchr validate knight.pchr
  pchr validate assets --deny warnings
  pchr validate assets --style sarif > findings.sarif

Exit codes: 0 all files are valid, 1 a file is invalid, 2 usage, 3 a file is missing, unreadable,
in an unknown format or over a limit. With several files, the highest code is returned";

/// Output styles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Style {
    /// Text in the style of compiler messages
    Human,
    /// JSON document pchr.validate/1
    Json,
    /// GitHub Actions annotations
    Github,
    /// SARIF 2.1.0 log
    Sarif,
}

/// Findings that are treated as errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Deny {
    /// Warnings
    Warnings,
}
