//! `pchr unpack`: a PCHR v1 file → its JSON description, and its images as PNG files.

use std::path::PathBuf;

use super::shared::failure::{Failure, warn};
use super::shared::load::{load, reject_changes};
use super::shared::read_args::ReadArgs;
use super::shared::stdio::is_stdio;
use super::shared::written::write_files;
use crate::convert::{self, ConvertError, Place};
use crate::export::safe_name;
use crate::formats::pchr::Kind;

/// Arguments of `pchr unpack`.
#[derive(Debug, clap::Args)]
pub struct UnpackArgs {
    /// A PCHR v1 or packed Pachario file; `-` is stdin
    #[arg(value_name = "FILE.pchr")]
    pub file: PathBuf,
    /// Output folder; created if it does not exist
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    /// Overwrite existing files
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    pub read: ReadArgs,
}

/// Unpacks one file.
pub fn run(args: &UnpackArgs, quiet: bool) -> Result<(), Failure> {
    if is_stdio(&args.output) {
        return Err(Failure::usage_with_help("cannot write several files to stdout", "use -o DIR"));
    }
    reject_changes(&args.read, "unpack")?;
    let options = args.read.options();
    let (mut document, sources) = load(&args.file, &options, quiet)?;
    if matches!(document.kind, Kind::Description | Kind::PacharioJson) {
        let message = format!("{} is {}, not a packed file", args.file.display(), document.kind.name());
        return Err(Failure::usage_with_help(message, "use `pchr convert` to convert between formats"));
    }
    let mut losses = document.losses_to_v1();
    if document.require_images().is_err() {
        // Like v1, the description allows no meshes without an image if there are images.
        losses.extend(document.drop_images());
    }
    if !quiet {
        losses.iter().for_each(warn);
    }
    let stem = match args.file.file_stem() {
        Some(stem) if !is_stdio(&args.file) => safe_name(&stem.to_string_lossy()),
        _ => "character".to_owned(),
    };
    let files =
        convert::description(document.into(), &format!("{stem}.json"), &options).map_err(|error| match error {
            ConvertError::Output(error) => Failure::Output(error),
            ConvertError::Input(error) | ConvertError::Incomplete(error) => Failure::Input(error),
            ConvertError::Unknown(unknown) => Failure::usage(unknown.to_string()),
        })?;
    write_files(&files, &Place { folder: &args.output, force: args.force, sources: &sources })
}
