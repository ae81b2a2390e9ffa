//! `pchr inspect`: describes the contents of characters. Reads only the necessary parts of a file.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use clap::builder::PossibleValue;
use schemars::JsonSchema;
use serde::Serialize;

use super::shared::failure::Failure;
use super::shared::files;
use super::shared::json_error::JsonError;
use super::shared::json_output::{self, JsonOutput};
use super::shared::keep_going::Failures;
use super::shared::load::{bytes_of, keeping_going, sources};
use super::shared::read_args::ReadArgs;
use super::shared::stdio::{STDIN, is_stdio, portable, print_stdout, reject_repeated_stdin, shown_name};
use super::shared::warnings::{WarningArgs, name_files, print_findings};
use pchr::Error;
use pchr::diagnostics::Diagnostics;
use pchr::formats::{ReadOptions, RecordedSidecars};
use pchr::inspect::{self, FileReport};

/// The whole document.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Inspection {
    /// Files that could not be read; absent if all could.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failures: Vec<JsonError>,
    /// One entry for each file that could be read.
    pub files: Vec<FileReport>,
    /// Name and version of this schema.
    #[schemars(extend("const" = Inspection::SCHEMA))]
    pub schema: &'static str,
}

impl JsonOutput for Inspection {
    const SCHEMA: &'static str = "pchr.inspect/1";
}

/// Arguments of `pchr inspect`.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub struct InspectArgs {
    /// Characters, folders of characters, or patterns such as 'art/**/*.json'; `-` is stdin
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// Print only these sections
    #[arg(long, value_name = "SECTION,…", value_delimiter = ',')]
    only: Vec<Section>,
    #[command(flatten)]
    warnings: WarningArgs,
    #[command(flatten)]
    read: ReadArgs,
}

const HELP: &str = "\
Parts of animations with errors, such as timelines of a bone that does not exist, are left out. The
errors are printed to stderr, and do not change the exit code.

Exit codes: 0 success, 2 usage, 3 a file is missing, unreadable, in an unknown format or over a
limit. With several files, the highest code is returned";

/// A part of the report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Section {
    /// Version and frame rate
    Header,
    /// Images
    Images,
    /// Bones
    Bones,
    /// Slots
    Slots,
    /// Attachments of the slots
    Attachments,
    /// Skins
    Skins,
    /// Constraints
    Constraints,
    /// Events
    Events,
    /// Meshes
    Meshes,
    /// Animations
    Animations,
    /// Sizes in the file and on the GPU
    Memory,
}

/// Describes each file. If one cannot be read, the others are still described.
pub fn run(args: &InspectArgs, quiet: bool) -> Result<(), Failure> {
    reject_repeated_stdin(&args.files)?;
    let only: Vec<PossibleValue> = args.only.iter().filter_map(Section::to_possible_value).collect();
    let sections: Vec<&str> = only.iter().map(PossibleValue::get_name).collect();
    let options = keeping_going(&args.read.options());
    let mut described = Vec::new();
    let mut failures = Failures::new(true);
    for (number, target) in files::characters(&args.files, &options.limits)?.iter().enumerate() {
        let file = &target.path;
        let mut diagnostics = Diagnostics::default();
        let report = failures.attempt(file, || {
            let result = target.check().and_then(|()| inspect_file(file, &options, &mut diagnostics, &sections));
            result.map_err(|error| Failure::reading(error.in_file(shown_name(file))))
        })?;
        match report {
            Some(report) if args.json => described.push(report),
            Some(report) => {
                let gap = if number > 0 { "\n" } else { "" };
                print_stdout(&format!("{gap}{}", report))?;
            }
            None => {}
        }
        name_files(&mut diagnostics, file, &sources(file, &RecordedSidecars::none(), &options));
        print_findings(&diagnostics, file, args.warnings, quiet);
    }
    let (failed, result) = failures.into_parts();
    if args.json {
        json_output::print(&Inspection { failures: failed, files: described, schema: Inspection::SCHEMA })?;
    }
    result
}

fn inspect_file(
    file: &Path,
    options: &ReadOptions,
    diagnostics: &mut Diagnostics,
    sections: &[&str],
) -> Result<FileReport, Error> {
    if is_stdio(file) {
        inspect::bytes(bytes_of(file, &options.limits)?, STDIN, sections, options, diagnostics)
    } else {
        inspect::file(file, &portable(file), sections, options, diagnostics)
    }
}
