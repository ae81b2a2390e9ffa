//! What `pchr validate` takes.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::cli::shared::failure::Failure;
use crate::cli::shared::read_args::ReadArgs;

/// What `pchr validate` takes.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub struct ValidateArgs {
    /// Characters, folders of characters, or patterns such as 'art/**/*.json'; `-` is standard input
    #[arg(value_name = "PATH", required = true)]
    pub paths: Vec<PathBuf>,
    /// How findings are told [default: human]
    #[arg(long, value_name = "STYLE")]
    style: Option<Style>,
    /// The same as --style json
    #[arg(long)]
    json: bool,
    /// Take a character with warnings as invalid
    #[arg(long, value_name = "WHAT")]
    pub deny: Option<Deny>,
    /// Drop findings with this code, repeatable; an error that is dropped makes nothing invalid
    #[arg(long, value_name = "CODE")]
    pub ignore: Vec<String>,
    /// Print at most so many findings, all with 0; all are counted
    #[arg(long, value_name = "N", default_value = "0")]
    pub max_issues: usize,
    /// How to read.
    #[command(flatten)]
    pub read: ReadArgs,
}

impl ValidateArgs {
    /// How findings are told.
    pub fn style(&self) -> Result<Style, Failure> {
        match (self.json, self.style) {
            (true, None | Some(Style::Json)) => Ok(Style::Json),
            (true, Some(_)) => Err(Failure::usage("--json means --style json and conflicts with another --style")),
            (false, style) => Ok(style.unwrap_or(Style::Human)),
        }
    }

    /// Whether errors are told as JSON on stdout, too.
    pub fn wants_json(&self) -> bool {
        self.json || self.style == Some(Style::Json)
    }
}

const HELP: &str = "\
Folders are searched, with those below them, for files that end in .pchr, .skf,
.skfe, .sprsh, .aseprite and .ase, and for .json, .xml, .plist and .atlas that
hold a character or a sprite sheet. An .atlas that belongs to a Spine skeleton
is not checked alone. Files and folders whose names begin with a dot are left out.

Examples:
  pchr validate knight.pchr
  pchr validate assets --deny warnings
  pchr validate assets --style sarif > findings.sarif

Exit codes: 0 all are valid, 1 one is not, 2 usage, 3 one is missing, unreadable, of unknown format or
over a limit; the highest of all files counts";

/// How findings are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Style {
    /// For people
    Human,
    /// pchr.validate/1
    Json,
    /// Annotations of GitHub Actions
    Github,
    /// SARIF 2.1.0
    Sarif,
}

/// What is taken as an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Deny {
    /// Warnings
    Warnings,
}
