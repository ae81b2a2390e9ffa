//! The arguments of `pchr convert`, and what of them makes no sense together.

use std::path::{Path, PathBuf};

use crate::cli::shared::failure::Failure;
use crate::cli::shared::kinds;
use crate::cli::shared::read_args::ReadArgs;
use crate::cli::shared::stdio::is_stdio;
use crate::cli::shared::target::{Target as OutTarget, is_same_place};
use crate::convert::ConvertOptions;
use crate::formats::ReadOptions;
use crate::formats::table::{self, FORMATS, Source, Target};

/// Arguments of `pchr convert`.
#[derive(Debug, clap::Args)]
pub struct ConvertArgs {
    /// The character; `-` is standard input
    #[arg(value_name = "IN")]
    pub input: PathBuf,
    /// The file to write; `-` is stdout. JSON has its pictures beside it
    #[arg(short, long, value_name = "OUT")]
    pub output: PathBuf,
    /// Refuse an input of another kind
    #[arg(long, value_name = "FMT", value_parser = kinds::source())]
    pub from: Option<&'static Source>,
    /// What to write
    #[arg(long, value_name = "FMT", value_parser = kinds::target(), help = kinds::target_help())]
    pub to: Option<&'static Target>,
    /// Keep only this animation, by name or #index; repeatable
    #[arg(long = "animation", value_name = "NAME")]
    pub animations: Vec<String>,
    /// Wear this skin over the default one, by name or #index; repeatable, later ones cover earlier ones. `none` wears
    /// no other. If the default skin is empty and there is only one other, that is worn unless this says otherwise
    #[arg(long = "skin", value_name = "NAME")]
    pub skins: Vec<String>,
    /// Store so many frames a second; unless told as many as the file says, else 30. Frames that are stored already
    /// are sampled anew, and so are keys of SkelForm that are to stay keys where this is another rate; those of a
    /// picture with --grid are shown so fast
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub fps: Option<u16>,
    /// Write what was lost to this file, as JSON
    #[arg(long, value_name = "FILE.json")]
    pub loss_report: Option<PathBuf>,
    /// Go on where an image is not to be had; PCHR v1 and its description are then written without any
    #[arg(long)]
    pub no_image: bool,
    /// Write over files that exist
    #[arg(long)]
    pub force: bool,
    #[command(flatten)]
    pub read: ReadArgs,
}

impl ConvertArgs {
    /// What to write: named by `--to`, or following from the names of the files.
    pub fn target(&self) -> Result<&'static Target, Failure> {
        let sprsh = |path: &Path| extension(path) == "sprsh";
        match self.to {
            Some(to) => Ok(to),
            None if sprsh(&self.output) && !is_stdio(&self.input) && !is_sheet_name(&self.input) => {
                Err(Failure::usage_with_help(
                    "only a sprite sheet is converted to one",
                    "pchr convert hero.json -o hero.sprsh; pchr-view HERO -o hero.sprsh makes a sheet of a character",
                ))
            }
            // A packed sheet is unpacked into its own JSON.
            None if sprsh(&self.input) && extension(&self.output) == "json" => {
                table::target("sheet").ok_or_else(|| unclear(&self.output))
            }
            None => table::usual_target(&extension(&self.output)).ok_or_else(|| unclear(&self.output)),
        }
    }

    /// Refuses what says nothing to `to`.
    pub fn check(&self, to: &Target) -> Result<(), Failure> {
        let refuse = |what: &str| {
            let message = format!("{what} says nothing to a sprite sheet that is one already");
            Err(Failure::usage_with_help(message, "pchr-view IN -o OUT.json draws a sheet anew"))
        };
        match () {
            () if to.is_sheet && !self.animations.is_empty() => refuse("--animation"),
            () if to.is_sheet && !self.skins.is_empty() => refuse("--skin"),
            () if to.is_sheet && self.fps.is_some() && self.read.grid.is_none() => refuse("--fps"),
            () if to.has_files_beside && is_stdio(&self.output) => Err(Failure::usage_with_help(
                "JSON has its pictures beside it, which do not go to stdout",
                "-o DIR/NAME.json",
            )),
            () if to.has_files_beside && !ends_in_json(&self.output) => {
                let message = format!("`{}` is not the name of a JSON file", self.output.display());
                Err(Failure::usage_with_help(message, "-o DIR/NAME.json"))
            }
            () => Ok(()),
        }
    }

    /// How the input is read: a picture that is cut into frames does not say how fast they are shown.
    pub fn read_options(&self) -> ReadOptions {
        let options = self.read.options();
        let fps = self.fps.filter(|_| options.grid.is_some()).map(f64::from);
        ReadOptions { fps, ..options }
    }

    /// How it is converted.
    pub fn convert_options(&self, to: &'static Target, read: ReadOptions) -> ConvertOptions {
        let file_name = self.output.file_name().unwrap_or_default().to_string_lossy();
        ConvertOptions {
            to,
            keeps_text: self.to.is_none(),
            file_name: file_name.into_owned(),
            animations: self.animations.clone(),
            skins: self.skins.clone(),
            fps: self.fps,
            allows_missing_images: self.no_image,
            read,
        }
    }

    /// Where the loss report goes.
    pub fn report_target(&self) -> Result<Option<OutTarget>, Failure> {
        match &self.loss_report {
            Some(path) if is_same_place(path, &self.output) => {
                Err(Failure::usage("the loss report would replace the output"))
            }
            // Among the pictures it could be in the place of one.
            Some(path) if extension(path) == "png" => {
                Err(Failure::usage_with_help("the loss report is JSON, not PNG", "--loss-report FILE.json"))
            }
            Some(path) => OutTarget::text(path, &self.input, self.force).map(Some),
            None => Ok(None),
        }
    }
}

/// The extension of a path in lower case; empty where it has none.
fn extension(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().to_lowercase()
}

/// Whether a file of this name may be a sprite sheet.
fn is_sheet_name(path: &Path) -> bool {
    let extension = extension(path);
    let mut sheets = FORMATS.iter().filter(|format| format.is_sheet);
    sheets.any(|format| format.extensions.all().any(|known| known == extension))
}

/// In UTF-8: the name is written as it is understood.
fn ends_in_json(path: &Path) -> bool {
    path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.to_lowercase().ends_with(".json"))
}

fn unclear(output: &Path) -> Failure {
    let (sheets, others): (Vec<_>, Vec<_>) = table::targets().partition(|target| target.is_sheet);
    let help = format!("--to {}; of a sheet also {}", listed(&others), listed(&sheets));
    Failure::usage_with_help(format!("`{}` does not say what to write", output.display()), help)
}

/// `a, b or c`.
fn listed(targets: &[&Target]) -> String {
    let names: Vec<&str> = targets.iter().map(|target| target.name).collect();
    match &names[..] {
        [others @ .., last] if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        all => all.concat(),
    }
}
