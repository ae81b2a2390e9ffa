//! `pchr pack`: JSON descriptions and their images → PCHR v1 files.

use std::io::Write;
use std::path::PathBuf;

use clap::ValueEnum;

use super::shared::failure::Failure;
use super::shared::load::reject_changes;
use super::shared::read_args::ReadArgs;
use super::shared::writing::{self, Done, Job, Loaded, Outputs, Session, WriteArgs, WrittenFile, load};
use pchr::convert::{ConvertError, PackedImages};
use pchr::formats::ReadOptions;

/// Arguments of `pchr pack`.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub struct PackArgs {
    /// JSON descriptions as written by `pchr unpack`, or Pachario JSON, folders of them, or patterns; `-` is stdin
    #[arg(value_name = "DESC.json", required = true)]
    files: Vec<PathBuf>,
    /// Output file; `-` is stdout. With several inputs, {name} is the name of the input without extension, and {path} also
    /// has the folders below the given folder or pattern. A folder means DIR/{path}.pchr
    #[arg(short, long, value_name = "OUT.pchr")]
    output: PathBuf,
    /// Pixel format of the images; overrides the description
    #[arg(long, value_name = "FORMAT")]
    image_format: Option<ImageFormatArg>,
    /// Do not store any images
    #[arg(long, conflicts_with = "image_format")]
    no_image: bool,
    #[command(flatten)]
    pub write: WriteArgs,
    #[command(flatten)]
    read: ReadArgs,
}

const HELP: &str = "\
Examples:
  pchr pack unpacked/knight.json -o knight.pchr
  pchr pack unpacked -o 'art/{name}.pchr'

Exit codes: 0 success, 2 usage, 3 input, 5 output. With several files, the highest code is
returned";

/// Pixel formats of a v1 file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ImageFormatArg {
    /// PNG files
    Png,
    /// Raw pixels
    Rgba8888,
}

/// Packs all files.
pub fn run(args: &PackArgs, quiet: bool) -> Result<(), Failure> {
    let outputs = Outputs::files(&args.output, Some("pchr"))?;
    let read = args.read.options();
    let jobs = outputs.jobs(None, &args.files, &read.limits, quiet)?;
    writing::check(&jobs, &outputs, args.write.force)?;
    args.write.check_stdout(&args.output)?;
    reject_changes(&args.read, "pack")?;
    writing::run(&jobs, &args.write, quiet, |job, session| pack(args, &read, job, session))
}

/// Packs one file.
fn pack(args: &PackArgs, read: &ReadOptions, job: &Job, session: &mut Session<'_>) -> Done {
    let input = &job.input.path;
    let taken = (["pchr-json", "pachario"], "JSON");
    let Loaded { document, from, sources, diagnostics } = load(job, read, session, taken)?;
    let images = match args.image_format {
        _ if args.no_image => PackedImages::None,
        None => PackedImages::AsDescribed,
        Some(ImageFormatArg::Png) => PackedImages::Png,
        Some(ImageFormatArg::Rgba8888) => PackedImages::Rgba8888,
    };
    let mut losses = Vec::new();
    let packed = document.pack(images, "character.pchr", &mut losses);
    session.warn_of_losses(job, losses.iter(), &losses);
    let packed = packed.map_err(|error| match error {
        ConvertError::Incomplete(error) => Failure::Incomplete(error.in_file(input.display())),
        error => Failure::converting(error),
    })?;
    let write = |out: &mut dyn Write| packed.files.iter().try_for_each(|file| file.write_to(out));
    let outputs = session.write(job, &job.output, &sources, write)?;
    Ok(WrittenFile::new(job, [from, "pchr"], losses, outputs, &diagnostics))
}
