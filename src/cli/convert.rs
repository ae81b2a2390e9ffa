//! `pchr convert`: a character of one kind → the same of another, and what that lost.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use serde::Serialize;

use super::choose;
use super::failure::{Failure, warn};
use super::load::{Loaded, load};
use super::schema::JsonOutput;
use super::sheet::convert as sheet;
use super::stdio::is_stdio;
use super::summary::portable;
use super::target::{Target, is_same_place, write_json};
use super::view::ReadArgs;
use crate::error::{Error, Fault};
use crate::formats::pchr::json::description::Description;
use crate::formats::pchr::json::pachario::Pachario;
use crate::formats::pchr::{self, Document, Kind, packed};

/// Arguments of `pchr convert`.
#[derive(Debug, clap::Args)]
pub struct ConvertArgs {
    /// The character; `-` is standard input
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// The file to write; `-` is stdout. JSON has its pictures beside it
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    /// Refuse an input of another kind
    #[arg(long, value_name = "FMT")]
    from: Option<FormatArg>,
    /// What to write; unless told by the extension: pchr for .pchr, pchr-json for .json
    #[arg(long, value_name = "FMT")]
    to: Option<FormatArg>,
    /// Keep only this animation, by name or #index; repeatable
    #[arg(long = "animation", value_name = "NAME")]
    animations: Vec<String>,
    /// Write what was lost to this file, as JSON
    #[arg(long, value_name = "FILE.json")]
    loss_report: Option<PathBuf>,
    /// Go on where an image is not to be had; PCHR v1 and its description are then written without any
    #[arg(long)]
    no_image: bool,
    /// Write over files that exist
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    read: ReadArgs,
}

/// Kinds of files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FormatArg {
    /// PCHR v1
    Pchr,
    /// The JSON description of PCHR v1, images beside it
    PchrJson,
    /// Pachario JSON, images beside it
    Pachario,
    /// JSON and image in one file
    PacharioPacked,
}

impl FormatArg {
    fn name(self) -> &'static str {
        match self {
            Self::Pchr => "pchr",
            Self::PchrJson => "pchr-json",
            Self::Pachario => "pachario",
            Self::PacharioPacked => "pachario-packed",
        }
    }

    fn is_json(self) -> bool {
        matches!(self, Self::PchrJson | Self::Pachario)
    }
}

impl From<Kind> for FormatArg {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::V1 => Self::Pchr,
            Kind::Description => Self::PchrJson,
            Kind::PacharioJson => Self::Pachario,
            Kind::PackedPachario => Self::PacharioPacked,
        }
    }
}

/// What a conversion lost: `pchr.loss/1`.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct LossReport {
    /// What was read.
    pub from: &'static str,
    /// The input as it was named; of an absolute path only the file's name.
    pub input: String,
    /// Everything that the output cannot say; empty where nothing was lost.
    pub losses: Vec<Loss>,
    /// Which form this report has.
    #[schemars(extend("const" = LossReport::SCHEMA))]
    pub schema: &'static str,
    /// What was written.
    pub to: &'static str,
}

/// One thing that was lost.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Loss {
    /// Stable name of the kind of loss.
    pub code: &'static str,
    /// What it was and what became of it.
    pub message: String,
    /// Where it stands in the input, in the words of its format.
    pub path: String,
}

impl JsonOutput for LossReport {
    const SCHEMA: &'static str = "pchr.loss/1";
}

/// Converts one file.
pub fn run(args: &ConvertArgs, quiet: bool) -> Result<(), Failure> {
    if sheet::is_meant(&args.input, &args.output)? {
        if args.from.is_some() || args.to.is_some() || args.loss_report.is_some() || !args.animations.is_empty() {
            let message = "--from, --to, --animation and --loss-report say nothing to a sprite sheet";
            return Err(Failure::usage_with_help(message, "it is packed and unpacked as it is"));
        }
        return sheet::run(&args.input, &args.output, &args.read.options(), args.force, quiet);
    }
    let to = match args.to {
        Some(to) => to,
        None => told_by_extension(&args.output)?,
    };
    if to.is_json() && is_stdio(&args.output) {
        return Err(Failure::usage_with_help(
            "JSON has its pictures beside it, which do not go to stdout",
            "-o DIR/NAME.json",
        ));
    }
    if to.is_json() && !ends_in_json(&args.output) {
        let message = format!("`{}` is not the name of a JSON file", args.output.display());
        return Err(Failure::usage_with_help(message, "-o DIR/NAME.json"));
    }
    let target = Target::binary(&args.output, &args.input, args.force)?;
    let report_target = match &args.loss_report {
        Some(path) if is_same_place(path, &args.output) => {
            return Err(Failure::usage("the loss report would replace the output"));
        }
        // Among the pictures it could be in the place of one.
        Some(path) if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("png")) => {
            return Err(Failure::usage_with_help("the loss report is JSON, not PNG", "--loss-report FILE.json"));
        }
        Some(path) => Some(Target::text(path, &args.input, args.force)?),
        None => None,
    };
    let options = args.read.options();
    let Loaded { mut document, bind } = load(&args.input, &options, quiet)?;
    let from = FormatArg::from(document.kind);
    if let Some(wanted) = args.from.filter(|wanted| *wanted != from) {
        let message = format!("{} is {}, not {}", args.input.display(), from.name(), wanted.name());
        return Err(Failure::Input(Error::unsupported("other-format", Default::default(), message)));
    }
    if !args.no_image
        && let Err(error) = document.require_images()
    {
        return Err(Failure::Incomplete(error.in_file(args.input.display())));
    }
    let keep = kept_animations(&document, &args.animations)?;
    let kept = keep.as_ref().map_or(document.file.animations.len(), Vec::len);
    let losses = match to {
        FormatArg::Pchr | FormatArg::PchrJson => {
            let mut losses = document.losses_to_v1();
            if document.require_images().is_err() {
                losses.extend(document.drop_images());
            }
            losses
        }
        FormatArg::Pachario | FormatArg::PacharioPacked => document.losses_to_pachario(),
    };
    document.make_upright(&options);
    document.lead_with_bind(&bind, keep.as_deref());
    if document.file.animations.len() > u16::MAX.into() {
        let message = format!("{kept} animations and the bind pose are more than the {} that fit", u16::MAX);
        return Err(Failure::Output(Error::unsupported("too-many", Default::default(), message)));
    }
    if !quiet {
        losses.iter().for_each(warn);
    }
    write(&document, to, args, &target)?;
    if let Some(target) = report_target {
        target.write(report(args, from, to, &losses)?.as_bytes(), &document, &args.input)?;
    }
    Ok(())
}

/// In UTF-8: the name is written as it is understood.
fn ends_in_json(path: &Path) -> bool {
    path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.to_lowercase().ends_with(".json"))
}

fn told_by_extension(output: &Path) -> Result<FormatArg, Failure> {
    let extension = output.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    match extension.as_str() {
        "pchr" => Ok(FormatArg::Pchr),
        "json" => Ok(FormatArg::PchrJson),
        _ => Err(Failure::usage_with_help(
            format!("`{}` does not say what to write", output.display()),
            "--to pchr, pchr-json, pachario or pachario-packed",
        )),
    }
}

/// The numbers of the animations to keep; `None` for all.
fn kept_animations(document: &Document, wanted: &[String]) -> Result<Option<Vec<usize>>, Failure> {
    if wanted.is_empty() {
        return Ok(None);
    }
    let names = || document.file.animations.iter().map(|animation| animation.name.as_str());
    wanted.iter().map(|name| choose::index("animation", name, names)).collect::<Result<_, _>>().map(Some)
}

fn write(document: &Document, to: FormatArg, args: &ConvertArgs, target: &Target) -> Result<(), Failure> {
    match to {
        FormatArg::Pchr => {
            let file = document.to_v1(None).map_err(Failure::Input)?;
            target.write(&pchr::write(&file).map_err(Failure::Output)?, document, &args.input)
        }
        FormatArg::PacharioPacked => {
            let count = document.file.images.len();
            if count > 1 {
                let message = format!("packed Pachario holds one image, this character has {count}");
                return Err(Failure::Output(Error::unsupported("too-many", Default::default(), message)));
            }
            let names: Vec<String> = document.file.images.iter().map(|image| image.name.clone()).collect();
            let mut json = Vec::new();
            let io = |error| Failure::Output(Error::io("JSON", error));
            Pachario::new(document, &names).write(&mut json).map_err(io)?;
            let has_picture = count == 1 && document.missing(0).is_none();
            let picture = if has_picture { document.png(0).map_err(Failure::Input)? } else { Default::default() };
            target.write(&packed::write(&json, &picture).map_err(Failure::Output)?, document, &args.input)
        }
        FormatArg::PchrJson | FormatArg::Pachario => {
            let folder = match args.output.parent() {
                Some(folder) if !folder.as_os_str().is_empty() => folder,
                _ => Path::new("."),
            };
            let name = args.output.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            write_json(document, &args.input, folder, name, args.force, |paths, out| match to {
                FormatArg::Pachario => Pachario::new(document, paths).write(out),
                _ => Description::new(document, paths).write(out),
            })
        }
    }
}

fn report(args: &ConvertArgs, from: FormatArg, to: FormatArg, losses: &[Fault]) -> Result<String, Failure> {
    let loss =
        |fault: &Fault| Loss { code: fault.code, message: fault.message.clone(), path: fault.place.path.clone() };
    let report = LossReport {
        from: from.name(),
        input: portable(&args.input),
        losses: losses.iter().map(loss).collect(),
        schema: LossReport::SCHEMA,
        to: to.name(),
    };
    let text = report.to_text().map_err(|error| Failure::Output(Error::io("JSON", error.into())))?;
    Ok(text + "\n")
}
