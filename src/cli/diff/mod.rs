//! `pchr diff`: compares two characters and prints what differs.
//!
//! [`crate::diff`] finds the differences, [`report`] is what is printed as JSON, [`print`] is the text for people.

mod from;
mod print;
mod report;

use std::path::{Path, PathBuf};

use clap::Args;

use super::shared::failure::Failure;
use super::shared::json_output;
use super::shared::load::load_character;
use super::shared::parse;
use super::shared::read_args::ReadArgs;
use super::shared::stdio::{print_stdout, refuse_stdin_twice, tell_warnings};
use crate::character::Character;
use crate::diagnostics::Diagnostics;
use crate::diff::{self, Options};
use crate::formats::ReadOptions;

pub use report::Diff;

/// What `pchr diff` takes.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub struct DiffArgs {
    /// The character that is compared with; `-` is standard input
    #[arg(value_name = "A")]
    pub a: PathBuf,
    /// The character that is compared; `-` is standard input
    #[arg(value_name = "B")]
    pub b: PathBuf,
    /// How far apart two places may be that count as one, in world units; 0 compares exactly
    #[arg(long, value_name = "X", default_value = "0.001", value_parser = parse::tolerance, allow_negative_numbers = true)]
    epsilon: f32,
    /// Tell on stdout what differs, as JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub read: ReadArgs,
}

const HELP: &str = "\
Output:
  The first line says whether and in what the two differ. Then - is missing
  in B, + is new in B and ~ is in both but differs; places are of A.

Tolerance:
  --epsilon X hides what rounding leaves and shows what can be seen.
  positions  X world units, or eight steps of a 32-bit number where the
             coordinates are so large that those are more
  uv         X pixels of the mesh's picture
  weights    what moves a vertex by X when its bones are one mesh size apart
  axes       X, where an unscaled axis has the length 1
  pixels     none, but pixels that are transparent in both are the same

Matching:
  Bones, meshes, images and animations are matched by name, those of one
  name in file order. Every stored frame of every animation that both have
  is posed, and vertices are compared where the mesh is shown.

Examples:
  pchr diff old.pchr new.pchr
  pchr diff old.pchr new.pchr --json | jq .poses
  git show HEAD:knight.pchr | pchr diff - knight.pchr -q

Exit codes: 0 same, 1 differs, 2 usage, 3 input, 5 output";

/// Compares two characters and prints what differs.
pub fn run(args: &DiffArgs, quiet: bool) -> Result<(), Failure> {
    refuse_stdin_twice([&args.a, &args.b])?;
    let read_options = args.read.options();
    let (a, a_odd) = read(&args.a, &read_options, quiet)?;
    let (b, b_odd) = read(&args.b, &read_options, quiet)?;
    let sides = [report::Side::new(&args.a, a.model(), &a_odd), report::Side::new(&args.b, b.model(), &b_odd)];
    let options = Options { epsilon: args.epsilon, limits: read_options.limits };
    let found = diff::compare(
        diff::Side { character: &a, file: &sides[0].file },
        diff::Side { character: &b, file: &sides[1].file },
        &options,
    );
    let found = found.map_err(|error| Failure::Input(error).in_file(&args.a))?;
    let diff = Diff::new(sides, args.epsilon, found);
    if args.json {
        json_output::print(&diff)?;
    } else if !quiet {
        print_stdout(&print::to_text(&diff))?;
    }
    if diff.same { Ok(()) } else { Err(Failure::Told(1)) }
}

fn read(file: &Path, options: &ReadOptions, quiet: bool) -> Result<(Character, Diagnostics), Failure> {
    let mut diagnostics = Diagnostics::default();
    let character = load_character(file, options, &mut diagnostics).map_err(Failure::reading);
    let (character, _) = character.map_err(|failure| failure.in_file(file))?;
    if !quiet {
        tell_warnings(&diagnostics, file);
    }
    Ok((character, diagnostics))
}
