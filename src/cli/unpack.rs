//! `pchr unpack`: a PCHR v1 file → its JSON description, and its images as PNG files.

use std::path::{Path, PathBuf};

use super::failure::{Failure, warn};
use super::headless::is_stdin;
use super::load::{Loaded, load};
use super::target::refuse_input;
use super::view::ReadArgs;
use crate::export::{OutputFolder, distinct_names, safe_name};
use crate::formats::pchr::json::description::Description;
use crate::formats::pchr::{Document, Kind};

/// Arguments of `pchr unpack`.
#[derive(Debug, clap::Args)]
pub struct UnpackArgs {
    /// A PCHR v1 file, or packed Pachario; `-` is standard input
    #[arg(value_name = "FILE.pchr")]
    file: PathBuf,
    /// The folder to write to, made where it is not there
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    /// Write over files that exist
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    read: ReadArgs,
}

/// Unpacks one file.
pub fn run(args: &UnpackArgs, quiet: bool) -> Result<(), Failure> {
    if is_stdin(&args.output) {
        return Err(Failure::usage_with_help("several files do not go to stdout", "-o DIR"));
    }
    let Loaded { document, .. } = load(&args.file, &args.read.options(), quiet)?;
    if matches!(document.kind, Kind::Description | Kind::PacharioJson) {
        let message = format!("{} is not packed, it is {}", args.file.display(), document.kind.name());
        return Err(Failure::usage_with_help(message, "pchr convert turns every kind into every other"));
    }
    let stem = match args.file.file_stem() {
        Some(stem) if !is_stdin(&args.file) => safe_name(&stem.to_string_lossy()),
        _ => "character".to_owned(),
    };
    let json = format!("{stem}.json");
    refuse_input(&args.output.join(&json), &args.file)?;
    if !quiet {
        document.losses_to_v1().iter().for_each(warn);
    }
    write_json(&document, &args.output, &json, args.force, |document, paths, out| {
        Description::new(document, paths).write(out)
    })
}

/// Writes the pictures of a document that has them, then the JSON that names them.
pub fn write_json(
    document: &Document,
    folder: &Path,
    json: &str,
    force: bool,
    write: impl FnOnce(&Document, &[String], &mut crate::export::OutputFile) -> std::io::Result<()>,
) -> Result<(), Failure> {
    let names = distinct_names(document.file.images.iter().map(|image| image.name.as_str()), ".png");
    let mut out = OutputFolder::create(folder, force).map_err(Failure::Output)?;
    let has_picture = |index: &usize| document.missing(*index).is_none();
    let written: Vec<usize> = (0..names.len()).filter(has_picture).collect();
    out.check_free(written.iter().map(|&index| names[index].as_str()).chain([json])).map_err(Failure::Output)?;
    for index in written {
        let png = document.png(index).map_err(Failure::Input)?;
        out.write_bytes(&names[index], &png).map_err(Failure::Output)?;
    }
    out.write(json, |file| write(document, &names, file)).map_err(Failure::Output)?;
    out.finish().map_err(Failure::Output)
}
