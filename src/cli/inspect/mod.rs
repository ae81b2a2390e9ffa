//! `pchr inspect`: describes the contents of characters. Reads only the necessary parts of a file.

mod gather;
mod gather_model;
mod print;
mod report;

use std::collections::HashMap;
use std::io::Read;
use std::path::{Path, PathBuf};

use clap::ValueEnum;

use super::shared::failure::Failure;
use super::shared::files;
use super::shared::json_output::{self, JsonOutput};
use super::shared::keep_going::Failures;
use super::shared::load::{bytes_of, sidecars_of};
use super::shared::read_args::ReadArgs;
use super::shared::stdio::portable;
use super::shared::stdio::{STDIN, is_stdio, print_stdout, reject_repeated_stdin, shown_name};
use super::shared::warnings::print_warnings;
use crate::diagnostics::Diagnostics;
use crate::error::Error;
use crate::formats::pchr::{Outline, read_document, read_file_outline};
use crate::formats::{self, Input, ReadOptions, Sidecars, skelform, spine};
use crate::limits::Budget;
use crate::motion::Motion;

use gather_model::About;
use report::FileReport;

pub use report::Inspection;

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
    read: ReadArgs,
}

const HELP: &str = "\
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
    let wants = |section| args.only.is_empty() || args.only.contains(&section);
    let options = args.read.options();
    let mut described = Vec::new();
    let mut failures = Failures::new(true);
    for (number, target) in files::characters(&args.files, &options.limits)?.iter().enumerate() {
        let file = &target.path;
        let mut diagnostics = Diagnostics::default();
        let report = failures.attempt(file, || {
            let result = target.check().and_then(|()| inspect_file(file, &options, &mut diagnostics, wants));
            result.map_err(|error| Failure::reading(error.in_file(shown_name(file))))
        })?;
        match report {
            Some(report) if args.json => described.push(report),
            Some(report) => {
                let gap = if number > 0 { "\n" } else { "" };
                print_stdout(&format!("{gap}{}", print::describe(&report)))?;
            }
            None => {}
        }
        if !quiet {
            print_warnings(&diagnostics, file);
        }
    }
    let (failed, result) = failures.into_parts();
    if args.json {
        json_output::print(&Inspection { failures: failed, files: described, schema: Inspection::SCHEMA })?;
    }
    result
}

fn name_of(file: &Path) -> String {
    if is_stdio(file) { STDIN.to_owned() } else { portable(file) }
}

fn inspect_file(
    file: &Path,
    options: &ReadOptions,
    diagnostics: &mut Diagnostics,
    wants: impl Fn(Section) -> bool,
) -> Result<FileReport, Error> {
    let sidecars = sidecars_of(file, options);
    // If parts of the file can be skipped, read only its beginning here.
    let is_read_whole = |head: &[u8]| spine::may_be(head) || !formats::is_document(head);
    // A pipe can only be read once.
    let is_piped = is_stdio(file) || formats::is_pipe_or_device(file);
    let is_read_whole = is_piped || is_read_whole(&head_of(file)?);
    let bytes = if is_read_whole { Some(bytes_of(file, &options.limits)?) } else { None };
    let outline = match bytes {
        Some(bytes) => {
            let input = Input { bytes: bytes.clone(), sidecars: &*sidecars };
            if !formats::is_document(&bytes) {
                let format = formats::format_name(&bytes).unwrap_or("unknown");
                let character = formats::from_input(&input, options, diagnostics)?;
                let about = About {
                    name: &name_of(file),
                    format,
                    bytes: bytes.len() as u64,
                    spine: spine::kind(&bytes).map(|_| spine::version(&bytes)),
                    sidecars: &*sidecars,
                    entries: match character.motion() {
                        Motion::SkelForm(_) => {
                            skelform::entry_sizes(&bytes, &options.limits)?.into_iter().collect()
                        }
                        // No other format is an archive.
                        _ => HashMap::new(),
                    },
                };
                return Ok(gather_model::gather(&about, &character, wants));
            }
            if is_piped {
                let file_bytes = bytes.len() as u64;
                let document = read_document(&input, &mut Budget::new(&options.limits), diagnostics)?;
                Outline::of(document, file_bytes, options, diagnostics)?
            } else {
                outline_of(file, &*sidecars, options, diagnostics)?
            }
        }
        None => outline_of(file, &*sidecars, options, diagnostics)?,
    };
    Ok(gather::gather(&name_of(file), &outline, options, wants))
}

fn outline_of(
    file: &Path,
    sidecars: &dyn Sidecars,
    options: &ReadOptions,
    diagnostics: &mut Diagnostics,
) -> Result<Outline, Error> {
    let (opened, len) = formats::open_regular_file(file)?;
    read_file_outline(opened, len, sidecars, options, diagnostics)
}

/// Reads the beginning of a file.
fn head_of(file: &Path) -> Result<Vec<u8>, Error> {
    let (opened, _) = formats::open_regular_file(file)?;
    let mut head = Vec::new();
    opened.take(HEAD).read_to_end(&mut head).map_err(|error| Error::io(file.display(), error))?;
    Ok(head)
}

/// Bytes needed to detect whether a file has to be read completely.
const HEAD: u64 = 64;
