//! `pchr diff`: compares two characters, or the characters of two folders, and prints what differs.
//!
//! [`pchr::diff`] finds the differences and describes them, as text and as JSON.

mod folders;
mod pairs;

use std::path::{Path, PathBuf};

use ::bytes::Bytes;
use clap::Args;

use super::shared::failure::Failure;
use super::shared::json_output::{self, JsonOutput};
use super::shared::keep_going::KeepGoingArgs;
use super::shared::load::{load_with_bytes, recorded_sidecars};
use super::shared::parse;
use super::shared::read_args::ReadArgs;
use super::shared::stdio::{portable, print_stdout, reject_repeated_stdin};
use super::shared::warnings::{WarningArgs, print_findings};
use pchr::Character;
use pchr::diagnostics::Diagnostics;
use pchr::diff::{self, Diff, Options, Side};
use pchr::formats::{Input, ReadOptions, RecordedSidecars};

pub use folders::FolderDiff;
use pairs::Pairs;

/// Arguments of `pchr diff`.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub struct DiffArgs {
    /// First character (old), or a folder or pattern of them; `-` is stdin
    #[arg(value_name = "A")]
    a: PathBuf,
    /// Second character (new), or a folder or pattern of them; `-` is stdin
    #[arg(value_name = "B")]
    b: PathBuf,
    /// Maximum distance of points that count as equal, in world units; 0 compares exactly
    #[arg(long, value_name = "X", default_value = "0.001", value_parser = parse::tolerance, allow_negative_numbers = true)]
    epsilon: f32,
    /// Print the differences as JSON
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
Output:
  The first line lists what differs. Below, - marks items that are missing
  in B, + items that are new in B, and ~ items that differ. Indices are
  those of A.

Tolerance:
  --epsilon X ignores rounding errors.
  positions  X world units, or eight steps of a 32-bit float if larger
  uv         X pixels of the mesh's image
  weights    changes that would move a vertex by X if its bones were one
             mesh size apart
  axes       X; an unscaled axis has length 1
  pixels     none; pixels that are transparent in both count as equal

Matching:
  Bones, meshes, images and animations are matched by name; items with
  duplicate names are matched in file order. Every stored frame of every
  common animation is posed, and the vertices of visible meshes are
  compared.

Keys and places:
  If the characters differ, the keys that differ are listed with their
  places, as in pchr keys. Both files must have the same format and
  version, and both be text or both binary. Keys are matched by time, then
  by values. Other items also have the places at which JSON names them;
  in binary skeletons and atlases of Adobe Animate, only keys have places.

Folders:
  The characters of two folders or patterns are paired by their relative
  paths. If only the extensions differ, the path without them must be
  unique. A character that only one side has is a difference.

Examples:
  pchr diff old.pchr new.pchr
  pchr diff old.pchr new.pchr --json | jq .poses
  pchr diff release/art art --keep-going
  git show HEAD:knight.pchr | pchr diff - knight.pchr -q

Exit codes: 0 same, 1 different, 2 usage, 3 input, 5 output";

/// Compares two characters, or the characters of two folders, and prints what differs.
pub fn run(args: &DiffArgs, quiet: bool) -> Result<(), Failure> {
    reject_repeated_stdin([&args.a, &args.b])?;
    let options = args.read.options();
    let [a, b] = match Pairs::find([&args.a, &args.b], &options.limits)? {
        Pairs::One(pair) => pair,
        Pairs::Many(pairs) => return folders::run(args, &pairs, quiet),
    };
    let characters = [read(args, &a, &options, quiet)?, read(args, &b, &options, quiet)?];
    let diff = compare(args, [&a, &b], &characters, &options)?;
    if args.json {
        json_output::print(&diff)?;
    } else if !quiet {
        print_stdout(&diff.to_string())?;
    }
    if diff.is_empty() { Ok(()) } else { Err(Failure::Reported(1)) }
}

impl JsonOutput for Diff {
    const SCHEMA: &'static str = Self::SCHEMA;
}

/// A character and what it was read from.
struct Loaded {
    character: Character,
    diagnostics: Diagnostics,
    bytes: Bytes,
    sidecars: RecordedSidecars,
}

impl Loaded {
    fn input(&self) -> Input<'_> {
        Input { bytes: self.bytes.clone(), sidecars: self.sidecars.access() }
    }
}

fn compare(args: &DiffArgs, files: [&Path; 2], loaded: &[Loaded; 2], read: &ReadOptions) -> Result<Diff, Failure> {
    let options = Options { epsilon: args.epsilon, limits: read.limits.clone() };
    let names = files.map(portable);
    let side = |at: usize| Side { character: &loaded[at].character, file: &names[at] };
    let found = diff::compare(side(0), side(1), &options);
    let found = found.map_err(|error| Failure::Input(error).in_file(files[0]))?;
    let [a, b] = loaded.each_ref().map(Loaded::input);
    Ok(found.with_findings(loaded.each_ref().map(|side| &side.diagnostics)).with_keys([(&a, read), (&b, read)]))
}

fn read(args: &DiffArgs, file: &Path, options: &ReadOptions, quiet: bool) -> Result<Loaded, Failure> {
    let mut diagnostics = Diagnostics::default();
    let sidecars = recorded_sidecars(file, options);
    let loaded = load_with_bytes(file, options, args.errors, &mut diagnostics, &sidecars);
    let (character, bytes) = loaded.map_err(|failure| failure.in_file(file))?;
    print_findings(&diagnostics, file, args.warnings, quiet);
    Ok(Loaded { character, diagnostics, bytes, sidecars })
}
