//! The arguments of `pchr convert` and the checks of their combinations.

use std::path::{Path, PathBuf};

use crate::shared::counted::either;
use crate::shared::failure::Failure;
use crate::shared::kinds;
use crate::shared::load::keeping_going;
use crate::shared::read_args::ReadArgs;
use crate::shared::stdio::is_stdio;
use crate::shared::target::place;
use crate::shared::writing::{Job, WriteArgs};
use pchr::convert::{ConvertOptions, Repack};
use pchr::export::SheetOptions;
use pchr::formats::ReadOptions;
use pchr::formats::image::EXTENSIONS;
use pchr::formats::table::{self, FORMATS, Source, Target};

/// Arguments of `pchr convert`.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub struct ConvertArgs {
    /// Characters, folders of characters, or patterns such as 'art/**/*.json'; `-` is stdin
    #[arg(value_name = "IN", required = true)]
    pub files: Vec<PathBuf>,
    /// Output file; `-` is stdout. Images of JSON formats and of Spine are written next to it, as is a Spine atlas. With
    /// several inputs, {name} is the name of the input without extension, and {path} also has the folders below the given
    /// folder or pattern. A folder means DIR/{path} with the extension of --to
    #[arg(short, long, value_name = "OUT")]
    pub output: PathBuf,
    /// Expected input format; any other is an error
    #[arg(long, value_name = "FMT", value_parser = kinds::source())]
    pub from: Option<&'static Source>,
    /// Output format
    #[arg(long, value_name = "FMT", value_parser = kinds::target(), help = kinds::target_help())]
    pub to: Option<&'static Target>,
    /// Convert only this animation, by name or #index; repeatable
    #[arg(long = "animation", value_name = "NAME")]
    pub animations: Vec<String>,
    /// Skin to apply over the default skin, by name or #index; repeatable, later ones override earlier ones.
    /// `none` applies only the default skin [default: skins that fill the slots, if most would be empty]. From Spine
    /// to Spine, selects the skins to write besides the default one [default: all]
    #[arg(long = "skin", value_name = "NAME")]
    pub skins: Vec<String>,
    /// Frames per second to store [default: the file's rate, or 30]. A different rate resamples stored frames and
    /// replaces SkelForm keys, which are otherwise kept, with samples. From Spine to Spine, keys are kept, and only what
    /// has to be baked gets this rate. With --grid, sets the playback rate of the frames
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub fps: Option<u16>,
    /// Pack the frames of a sheet on new pages: trimmed, and identical frames once. `rotate` also turns frames by 90° where
    /// the format can store that [default: only if the format cannot store the pages as they are]
    #[arg(long, value_name = "HOW", num_args = 0..=1, require_equals = true, default_missing_value = "upright")]
    pub repack: Option<Repacking>,
    /// With --repack: pixels between frames
    #[arg(long, value_name = "N", requires = "repack", value_parser = few_pixels())]
    pub sheet_padding: Option<u32>,
    /// With --repack: repeat the edge pixels of each frame this many times around it
    #[arg(long, value_name = "N", requires = "repack", value_parser = few_pixels())]
    pub sheet_extrude: Option<u32>,
    /// With --repack: maximum width and height of a page in pixels [default: 4096]
    #[arg(
        long, value_name = "N", requires = "repack",
        value_parser = clap::value_parser!(u32).range(1..=i64::from(SheetOptions::LARGEST))
    )]
    pub sheet_max_size: Option<u32>,
    /// With --repack: make the width and height of pages powers of two
    #[arg(long, requires = "repack")]
    pub sheet_pot: bool,
    /// Fail if keys would have to be replaced with samples
    #[arg(long)]
    pub no_bake: bool,
    /// Write a JSON report of the conversion losses to this file; with placeholders as in --output
    #[arg(long, value_name = "FILE.json")]
    pub loss_report: Option<PathBuf>,
    /// Continue if an image is missing; PCHR v1 and its description are then written without any images
    #[arg(long)]
    pub no_image: bool,
    /// For an output that ends in .html: the player that the page contains, a pchr-player.inline.js [default: the one
    /// that the program was built with]
    #[arg(long, value_name = "FILE")]
    pub player: Option<PathBuf>,
    #[command(flatten)]
    pub write: WriteArgs,
    #[command(flatten)]
    pub read: ReadArgs,
}

/// Values of `--repack`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Repacking {
    /// Frames stay upright
    Upright,
    /// Frames may be turned by 90°
    Rotate,
}

fn few_pixels() -> clap::builder::RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(0..=i64::from(SheetOptions::FEW_PIXELS))
}

const HELP: &str = "\
Folders: files in a format that cannot be converted to the target, or other than --from, are
skipped. Files in the output folder are not read, if it is in the input folder.

Examples:
  pchr convert hero.json -o hero.pchr
  pchr convert art -o 'out/{path}.pchr' --keep-going --loss-report 'lost/{path}.json'
  pchr convert 'art/**/*.skf' -o out/ --to spine42
  pchr convert hero.skel -o hero.html    # one page that plays it, to send to someone

Exit codes: 0 success, 2 usage, 3 input, 5 output. With several files, the highest code is
returned";

impl ConvertArgs {
    /// Returns the output format: the one given with `--to`, or the one implied by the file names.
    pub fn target(&self, job: &Job) -> Result<&'static Target, Failure> {
        let (input, output) = (&job.input.path, &job.output);
        match self.to {
            Some(to) => Ok(to),
            None => match table::implied_target(input, output) {
                Some(to) if to.is_sheet && !is_stdio(input) && !is_sheet_name(input) => {
                    Err(Failure::usage_with_help(
                        "only a sprite sheet can be converted to a sprite sheet",
                        "pchr convert hero.json -o hero.sprsh; `pchr-view HERO -o hero.sprsh` renders a sheet",
                    ))
                }
                to => to.ok_or_else(|| unclear(output)),
            },
        }
    }

    /// Rejects options that have no effect on `to`, and outputs of other names.
    pub fn check(&self, to: &Target, job: &Job) -> Result<(), Failure> {
        let ignored = [
            (!self.animations.is_empty(), "--animation"),
            (!self.skins.is_empty(), "--skin"),
            (self.fps.is_some() && self.read.grid.is_none(), "--fps"),
        ];
        if let Some((_, option)) = ignored.into_iter().find(|(is_given, _)| to.is_sheet && *is_given) {
            let message = format!("{option} has no effect on a conversion between sprite sheets");
            return Err(Failure::usage_with_help(message, "pchr-view IN -o OUT.json renders a new sheet"));
        }
        if self.repack.is_some() && !to.is_sheet {
            let message = format!("--repack has no effect on a conversion to {}", to.name);
            return Err(Failure::usage_with_help(message, "only sprite sheets are packed again: --to sheet"));
        }
        if to.has_separate_images {
            let help = format!("-o DIR/NAME.{}", to.extension);
            if is_stdio(&job.output) {
                let message = format!("the images of {} are separate files and cannot go to stdout", to.name);
                return Err(Failure::usage_with_help(message, help));
            }
            if !ends_in(&job.output, to.extension) {
                let message = format!("`{}` does not end in .{}", job.output.display(), to.extension);
                return Err(Failure::usage_with_help(message, help));
            }
        }
        self.write.check_stdout(&job.output)?;
        check_report(job)
    }

    /// Returns the read options. `--fps` only applies to an image that is cut into frames, which has no rate of
    /// its own.
    pub fn read_options(&self) -> ReadOptions {
        let options = self.read.options().playing(&self.animations);
        let fps = self.fps.filter(|_| options.grid.is_some()).map(f64::from);
        ReadOptions { fps, ..keeping_going(&options) }
    }

    /// Returns the conversion options.
    pub fn convert_options(&self, to: &'static Target, read: ReadOptions, job: &Job) -> ConvertOptions {
        let (file_name, usual) = (job.output.file_name().unwrap_or_default().to_string_lossy(), Repack::default());
        ConvertOptions {
            to,
            preserve_text: self.to.is_none(),
            file_name: file_name.into_owned(),
            animations: self.animations.clone(),
            skins: self.skins.clone(),
            fps: self.fps,
            bakes: !self.no_bake,
            repack: self.repack.map(|how| Repack {
                may_turn: how == Repacking::Rotate,
                padding: self.sheet_padding.unwrap_or(usual.padding),
                extrude: self.sheet_extrude.unwrap_or(usual.extrude),
                max_size: self.sheet_max_size.unwrap_or(usual.max_size),
                is_pot: self.sheet_pot,
            }),
            allows_missing_images: self.no_image,
            read,
        }
    }
}

/// Rejects a loss report that could have the name of another output.
fn check_report(job: &Job) -> Result<(), Failure> {
    match &job.report {
        Some(path) if place(path) == place(&job.output.with_extension("atlas")) => {
            Err(Failure::usage("the loss report would overwrite the atlas"))
        }
        // It could have the name of an output image.
        Some(path) if EXTENSIONS.contains(&&*extension(path)) => {
            let message = format!("the loss report is JSON, not .{}", extension(path));
            Err(Failure::usage_with_help(message, "--loss-report FILE.json"))
        }
        Some(_) | None => Ok(()),
    }
}

/// Returns the extension of a path in lower case, or an empty string.
fn extension(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().to_lowercase()
}

/// Returns true if a file of this name may be a sprite sheet.
fn is_sheet_name(path: &Path) -> bool {
    let extension = extension(path);
    let mut sheets = FORMATS.iter().filter(|format| format.is_sheet);
    sheets.any(|format| format.extensions.all().any(|known| known == extension))
}

/// Returns true if the name is UTF-8 and ends in `.extension`.
fn ends_in(path: &Path, extension: &str) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_lowercase();
    name.strip_suffix(extension).is_some_and(|stem| stem.ends_with('.'))
}

fn unclear(output: &Path) -> Failure {
    let (sheets, others): (Vec<_>, Vec<_>) = table::targets().partition(|target| target.is_sheet);
    let listed = |targets: Vec<&Target>| either(&targets.iter().map(|target| target.name).collect::<Vec<_>>());
    let help = format!("--to {}; for a sheet also {}", listed(others), listed(sheets));
    Failure::usage_with_help(format!("cannot determine the output format from `{}`", output.display()), help)
}
