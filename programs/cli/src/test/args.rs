//! The arguments of `pchr test`.

use std::path::PathBuf;

use clap::ValueEnum;

use super::select::SelectArgs;
use super::settings::{Given, StructureArg};
use super::shard::{self, Shard};
use crate::golden::args::check_update;
use crate::golden::print::Style;
use crate::shared::failure::Failure;
use crate::shared::json_output;
use pchr::export::values;

/// Arguments of `pchr test`.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub struct TestArgs {
    /// Folder of characters, with pchr-test.toml and the folder `references`; or a character or folder inside one
    #[arg(value_name = "DIR", required_unless_present = "merge")]
    pub dir: Option<PathBuf>,
    /// Replace the references that differ, write missing ones and remove unused ones; needs --force if the environment
    /// variable CI is set
    #[arg(long, group = "replaces", conflicts_with = "merge")]
    pub update: bool,
    /// Replace only references at this path or below, relative to `references`; patterns such as 'hero/walk-*' too;
    /// repeatable
    #[arg(long, value_name = "PATTERN", group = "replaces", conflicts_with = "merge")]
    pub accept: Vec<String>,
    /// Allow --update and --accept if the environment variable CI is set, and --html-report to write to a folder that contains
    /// other files
    #[arg(long)]
    pub force: bool,
    /// Which characters are tested.
    #[command(flatten)]
    pub select: SelectArgs,
    /// How to treat references that no picture uses
    #[arg(long, value_name = "WHAT", default_value = "fail", conflicts_with = "merge")]
    pub unused: UnusedArg,
    /// Accept pictures as references in which nothing is visible
    #[arg(long, requires = "replaces")]
    pub allow_empty: bool,
    /// Compare names, durations, events and all that moves with structure.json beside the references [default: on]
    #[arg(long, value_name = "on|off", num_args = 0..=1, require_equals = true, default_missing_value = "on", conflicts_with = "merge")]
    pub structure: Option<StructureArg>,
    /// Number of pictures rendered in parallel; 0 means one per core
    #[arg(
        long, value_name = "N", default_value = "0", value_parser = values::jobs, allow_negative_numbers = true,
        conflicts_with = "merge"
    )]
    pub jobs: usize,
    /// Test only part I of N, from 1/N to N/N, for machines that share the characters; --merge joins the results
    #[arg(long, value_name = "I/N", value_parser = shard::parse, conflicts_with = "merge")]
    pub shard: Option<Shard>,
    /// Join the JSON results of all shards and print what a single run would have printed
    #[arg(long, value_name = "FILE.json", num_args = 1.., conflicts_with = "dir")]
    pub merge: Vec<PathBuf>,
    /// Write an HTML page with the pictures that differ to this folder
    #[arg(long, value_name = "DIR")]
    pub html_report: Option<PathBuf>,
    /// Folder for the pictures of frames that differ [default: DIR/results]
    #[arg(long, value_name = "DIR", conflicts_with = "merge")]
    pub results: Option<PathBuf>,
    /// Add pictures that are the same to the page, too
    #[arg(long, requires = "html_report")]
    pub report_all: bool,
    /// Append a summary as Markdown to this file, such as $GITHUB_STEP_SUMMARY
    #[arg(long, value_name = "FILE")]
    pub summary: Option<PathBuf>,
    /// How characters are read.
    #[command(flatten)]
    pub given: Given,
    /// Output style [default: human]
    #[arg(long, value_name = "STYLE")]
    style: Option<Style>,
    /// Same as --style json
    #[arg(long)]
    json: bool,
}

/// What unused references mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum UnusedArg {
    /// A failure, with exit code 3
    Fail,
    /// A note
    Note,
}

impl TestArgs {
    /// Checks the combination of options and returns the output style.
    pub fn check(&self) -> Result<Style, Failure> {
        check_update(self.update || !self.accept.is_empty(), self.force)?;
        json_output::style(self.json, self.style, [Style::Json, Style::Human])
    }

    /// Returns true if errors are also printed to stdout as JSON.
    pub fn wants_json(&self) -> bool {
        self.json || self.style == Some(Style::Json)
    }
}

const HELP: &str = "\
References: PNGs in DIR/references, written by --update. If a frame differs from its reference
or has none, the new picture and a picture of the difference are written to DIR/results, or to
the folder of --results. They are removed once the frame is the same.

Settings: by default, three frames of every animation are rendered, at 256 pixels.
DIR/pchr-test.toml changes that. Its keys are long options of pchr-view, and `samples`, the
number of frames per animation. Each [[render]] table renders the characters that match its
`files`, relative to DIR, or all of them. Keys in a table override those above the first one.
Characters that no table suits are rendered with the keys above the first one; `exclude` there
lists those that are not tested. Tables that render the same character need different values of `name`. Each animation is
rendered by itself and shows its own area, unless `fit` is `all` or a rectangle.

Example of settings:
  size = 128
  tolerance = 2
  max-diff-pixels = \"0.1%\"
  [[render]]
  animation = [\"walk\", \"jump\"]
  samples = 5
  [[render]]
  files = [\"heroes/*.json\"]
  name = \"red\"
  skin = \"red\"

Examples:
  pchr test art --update
  pchr test art --html-report report
  pchr test art --style junit > results.xml
  pchr test art --shard 2/4 --json > shard-2.json
  pchr test --merge shard-*.json --html-report report

Exit codes: 0 all frames are the same, 1 a frame or structure differs, 2 usage, 3 a reference or
structure is missing or unreadable, a reference is of another size, or a character or setting is invalid, 5 output. The highest code
is returned";
