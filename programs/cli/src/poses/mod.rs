//! `pchr poses`: the poses of animations as data: bones, slots, hit boxes and events.

mod columns;
mod document;
mod rows;
mod table;

use std::path::PathBuf;

use clap::ValueEnum;

use super::shared::choose;
use super::shared::failure::{Failure, note};
use super::shared::json_output;
use super::shared::keep_going::KeepGoingArgs;
use super::shared::load::load_character;
use super::shared::parse;
use super::shared::read_args::ReadArgs;
use super::shared::stdio::{json_name, print_with};
use super::shared::warnings::{WarningArgs, print_findings};
use pchr::Character;
use pchr::diagnostics::{Diagnostics, Severity};
use pchr::export::{NamePattern, PoseSampling, values};
use pchr::motion::plays_physics;

pub use document::Poses;
use rows::Filter;

/// Arguments of `pchr poses`.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub struct PosesArgs {
    /// Character; `-` is stdin
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Animation by name or #index; repeatable; `all` selects every animation except the bind pose
    /// [default: the first one that is not the bind pose]
    #[arg(short, long = "animation", value_name = "NAME")]
    animations: Vec<String>,
    /// Poses per second, interpolated [default: the frames that pchr-view -f all renders]
    #[arg(long, value_name = "N", value_parser = parse::fps)]
    fps: Option<f64>,
    /// Only bones whose name matches, and the slots on them; repeatable
    #[arg(long = "bones", value_name = "GLOB")]
    bones: Vec<NamePattern>,
    /// What to print
    #[arg(long, value_name = "WHAT,…", value_delimiter = ',', default_value = "bones")]
    what: Vec<What>,
    /// Skin to apply over the default one, by name or #index; repeatable, later skins override earlier ones.
    /// `none` applies only the default skin [default: skins that fill the slots, if most would be empty]
    #[arg(long = "skin", value_name = "NAME")]
    skins: Vec<String>,
    /// Simulate physics from the first frame of each animation; without a value: on [default: on for Spine, off for
    /// SkelForm]
    #[arg(
        long, value_name = "on|off", value_parser = values::switch(), num_args = 0..=1, require_equals = true,
        default_missing_value = "on", hide_possible_values = true
    )]
    physics: Option<bool>,
    /// Print CSV, with all digits and matrices
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    errors: KeepGoingArgs,
    #[command(flatten)]
    warnings: WarningArgs,
    #[command(flatten)]
    read: ReadArgs,
}

const HELP: &str = "\
Positions are world pixels, y up; rotations are degrees, counter-clockwise; colours are 0 to 1,
without premultiplication. A matrix is the x axis, the y axis and the position of the bone.
Inactive bones are left out.

Without --fps, there is one pose for each frame: each stored one, or each at the rate of the file.
With --fps, there is a pose every 1/N s, and the last one of an animation that does not loop is
its end. Events are listed with the times at which they fire, whatever the rate is.

Examples:
  pchr poses knight.pchr -a walk --fps 30 --bones 'hand*'
  pchr poses hero.json -a all --what bones,slots,events,boxes --json > hero-poses.json
  pchr poses hero.json -a attack --what boxes --csv > boxes.csv

Exit codes: 0 success, 2 usage, 3 input, 5 output";

/// What is printed about an animation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum What {
    /// World transforms of the bones
    Bones,
    /// Attachments and colours of the slots, back to front
    Slots,
    /// Events with their times
    Events,
    /// Corners of the hit boxes
    Boxes,
}

/// Prints the poses of a character while they are computed.
pub fn run(args: &PosesArgs, quiet: bool) -> Result<(), Failure> {
    if args.csv && args.what.len() > 1 {
        let help = "use --csv once for each, or --json, which has all in one document";
        return Err(Failure::usage_with_help("a CSV table has one kind of rows; --what names several", help));
    }
    let options = args.read.options();
    let mut diagnostics = Diagnostics::default();
    let (character, _) = load_character(&args.file, &options, args.errors, &mut diagnostics)?;
    print_findings(&diagnostics, &args.file, args.warnings, quiet);
    if !quiet && let Some(message) = choose::unchosen_skins(&character, &args.skins) {
        note(&format!("{}: {message}", args.file.display()));
    }
    print(args, &character, &diagnostics).map_err(|failure| failure.in_file(&args.file))
}

fn print(args: &PosesArgs, character: &Character, diagnostics: &Diagnostics) -> Result<(), Failure> {
    let model = character.model();
    let filter = Filter::new(model, &args.bones)?;
    let sampling = PoseSampling {
        character,
        skins: choose::skins(character, &args.skins)?,
        physics: plays_physics(character, args.physics),
        fps: args.fps,
    };
    let motions: Vec<_> = match &choose::animations(model, &args.animations)?[..] {
        [] => vec![sampling.rest()],
        chosen => chosen.iter().map(|id| sampling.motion(*id)).collect(),
    };
    sampling.charge(&motions, &args.read.options().limits).map_err(Failure::Input)?;
    if args.json {
        return json_output::print_streamed(&Poses::new(
            json_name(&args.file),
            diagnostics.described(Severity::Error),
            &sampling,
            &motions,
            &filter,
            &args.what,
        ));
    }
    let format = if args.csv { table::Format::Csv } else { table::Format::Aligned };
    print_with(|out| table::write(format, &sampling, &motions, &filter, &args.what, out))
}
