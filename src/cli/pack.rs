//! `pchr pack`: a JSON description and its images → a PCHR v1 file.

use std::path::PathBuf;

use clap::ValueEnum;

use super::shared::failure::{Failure, warn};
use super::shared::load::{load, reject_changes};
use super::shared::read_args::ReadArgs;
use super::shared::target::Target;
use crate::formats::pchr::{self, ImageFormat, Kind};

/// Arguments of `pchr pack`.
#[derive(Debug, clap::Args)]
pub struct PackArgs {
    /// A JSON description as written by `pchr unpack`, or Pachario JSON; `-` is stdin
    #[arg(value_name = "DESC.json")]
    pub file: PathBuf,
    /// Output file; `-` is stdout
    #[arg(short, long, value_name = "OUT.pchr")]
    output: PathBuf,
    /// Pixel format of the images; overrides the description
    #[arg(long, value_name = "FORMAT")]
    image_format: Option<ImageFormatArg>,
    /// Do not store any images
    #[arg(long, conflicts_with = "image_format")]
    no_image: bool,
    /// Overwrite an existing file
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    pub read: ReadArgs,
}

/// Pixel formats of a v1 file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ImageFormatArg {
    /// PNG files
    Png,
    /// Raw pixels
    Rgba8888,
}

impl From<ImageFormatArg> for ImageFormat {
    fn from(format: ImageFormatArg) -> Self {
        match format {
            ImageFormatArg::Png => Self::Png,
            ImageFormatArg::Rgba8888 => Self::Rgba8888,
        }
    }
}

/// Packs one file.
pub fn run(args: &PackArgs, quiet: bool) -> Result<(), Failure> {
    let target = Target::binary(&args.output, &args.file, args.force)?;
    reject_changes(&args.read, "pack")?;
    let (mut document, sources) = load(&args.file, &args.read.options(), quiet)?;
    match document.kind {
        Kind::Description | Kind::PacharioJson => {}
        Kind::V1 | Kind::PackedPachario => {
            let message = format!("{} is {}, not JSON", args.file.display(), document.kind.name());
            return Err(Failure::usage_with_help(message, "use `pchr convert` to convert between formats"));
        }
    }
    if args.no_image {
        document.drop_images();
    } else if let Err(error) = document.require_images() {
        return Err(Failure::Incomplete(error.in_file(args.file.display())));
    }
    if !quiet {
        document.losses_to_v1().iter().for_each(warn);
    }
    let file = document.to_v1(args.image_format.map(Into::into)).map_err(Failure::Input)?;
    target.write(&pchr::write(&file).map_err(Failure::Output)?, &sources)
}
