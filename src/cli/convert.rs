//! `pchr convert`: a character of one kind → the same of another, and what that lost.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::choose;
use super::failure::{Failure, note, warn};
use super::keyed::{self, Keyed};
use super::kinds::{FormatArg, SourceArg};
use super::load::{Loaded, Source, load_any};
use super::schema::JsonOutput;
use super::sheet::convert as sheet;
use super::stdio::is_stdio;
use super::summary::portable;
use super::target::{Target, is_same_place, write_files, write_json};
use super::view::ReadArgs;
use crate::character::Character;
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Fault};
use crate::export::{BakeLoss, BakeOptions, Baked, bake};
use crate::formats::ReadOptions;
use crate::formats::pchr::json::description::Description;
use crate::formats::pchr::json::pachario::Pachario;
use crate::formats::pchr::packed;
use crate::formats::pchr::schema::File;
use crate::formats::pchr::{self, Bind, Document};
use crate::formats::skelform::upgrade::Keep;
use crate::limits::Budget;
use crate::motion::Motion;

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
    #[arg(long, value_name = "FMT")]
    pub from: Option<SourceArg>,
    /// What to write; unless told by the extension: pchr for .pchr, pchr-json for .json, skelform for .skf, sheet-packed
    /// for .sprsh. A file of SkelForm becomes one of 0.7 with all that it has. Sheets are made of sheets, and .json of a
    /// .sprsh is its own
    #[arg(long, value_name = "FMT")]
    pub to: Option<FormatArg>,
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

/// What a conversion lost: `pchr.loss/1`.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct LossReport {
    /// Frames a second that are stored; where they were sampled for this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fps: Option<u16>,
    /// What was read.
    pub from: &'static str,
    /// The path of the input as it was given, with `/`.
    pub input: String,
    /// Everything that the output cannot say; empty where nothing was lost.
    pub losses: Vec<Loss>,
    /// Which form this report has.
    #[schemars(extend("const" = LossReport::SCHEMA))]
    pub schema: &'static str,
    /// What was written.
    pub to: &'static str,
    /// By how many world pixels the worst vertex is off that is drawn in a stored frame; where they were sampled for
    /// this, or made keys of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worst_error_px: Option<f32>,
}

/// One thing that was lost.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Loss {
    /// The animation that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub animation: Option<String>,
    /// Stable name of the kind of loss.
    pub code: &'static str,
    /// By how many world pixels vertices are off at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_px: Option<f32>,
    /// The stored frame where they are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frame: Option<u32>,
    /// The mesh of the output that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mesh: Option<String>,
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
    if let Some(to) = sheet::wanted(&args.input, &args.output, args.to)? {
        return sheet::run(args, to, quiet);
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
    let report_target = report_target(args)?;
    let options = read_options(args);
    let (source, sources) = load_any(&args.input, &options, quiet)?;
    if let Source::Character(character, _) = &source
        && let Some(message) = choose::unchosen_skin(character, &args.skins).filter(|_| !quiet)
    {
        note(&format!("{}: {message}", args.input.display()));
    }
    let from = match &source {
        Source::Document(loaded) => SourceArg::from(loaded.document.kind),
        Source::Character(character, _) => SourceArg::of(character.motion()),
    };
    if let Some(wanted) = args.from.filter(|wanted| *wanted != from) {
        let message = format!("{} is {}, not {}", args.input.display(), from.name(), wanted.name());
        return Err(Failure::Input(Error::unsupported("other-format", Default::default(), message)));
    }
    let way =
        Way { from, to, args, target: &target, report_target: report_target.as_ref(), sources: &sources, quiet };
    if let (Source::Character(character, bytes), FormatArg::Skelform) = (&source, to)
        && let Some(keep) = kept_as_it_is(character, args)?
    {
        let keyed = keyed::upgraded(bytes, character, &keep, &options.limits)?;
        let document = Document::v1(File::default());
        let bare = Converted { document, bind: None, baked: Vec::new(), worst_error_px: None };
        return finish(&way, &bare, &[], Some(&keyed));
    }
    let mut converted = prepare(source, to, args, &options)?;
    let Converted { document, bind, .. } = &mut converted;
    if !args.no_image
        && let Err(error) = document.require_images()
    {
        return Err(Failure::Incomplete(error.in_file(args.input.display())));
    }
    let losses = match to {
        FormatArg::Pchr | FormatArg::PchrJson => {
            let mut losses = document.losses_to_v1();
            if document.require_images().is_err() {
                losses.extend(document.drop_images());
            }
            losses
        }
        FormatArg::Pachario | FormatArg::PacharioPacked | FormatArg::Spine | FormatArg::Skelform => {
            document.losses_to_pachario()
        }
        // Written before.
        FormatArg::Sheet | FormatArg::SheetHash | FormatArg::SheetMultiatlas | FormatArg::SheetPacked => {
            Vec::new()
        }
    };
    if let Some(bind) = bind.take() {
        let keep = kept_animations(document, &args.animations)?;
        document.make_upright(&options);
        document.make_straight(&options).map_err(Failure::Input)?;
        document.lead_with_bind(&bind, keep.as_deref());
    }
    let kept = document.file.animations.len() - 1;
    if kept >= u16::MAX.into() {
        let message = format!("{kept} animations and the bind pose are more than the {} that fit", u16::MAX);
        return Err(Failure::Output(Error::unsupported("too-many", Default::default(), message)));
    }
    let keyed = match to {
        FormatArg::Spine => Some(keyed::spine(document, &stem(&args.output), &options.limits)?),
        FormatArg::Skelform => Some(keyed::skelform(document, &options.limits)?),
        FormatArg::Pchr | FormatArg::PchrJson | FormatArg::Pachario | FormatArg::PacharioPacked => None,
        FormatArg::Sheet | FormatArg::SheetHash | FormatArg::SheetMultiatlas | FormatArg::SheetPacked => None,
    };
    finish(&way, &converted, &losses, keyed.as_ref())
}

/// From what to what, and where it goes.
struct Way<'a> {
    from: SourceArg,
    to: FormatArg,
    args: &'a ConvertArgs,
    target: &'a Target,
    report_target: Option<&'a Target>,
    /// What was read.
    sources: &'a [PathBuf],
    quiet: bool,
}

/// Tells what was lost, writes the output and the report.
fn finish(way: &Way<'_>, converted: &Converted, losses: &[Fault], keyed: Option<&Keyed>) -> Result<(), Failure> {
    let Converted { document, baked, worst_error_px, .. } = converted;
    let Way { from, to, args, report_target, sources, quiet, .. } = *way;
    if !quiet {
        worst_of_each(baked).for_each(|loss| warn(&loss.fault()));
        losses.iter().for_each(warn);
        told(keyed).for_each(|loss| warn(&loss.into()));
    }
    write(document, way, keyed)?;
    if let Some(target) = report_target {
        let losses = baked.iter().map(Loss::from).chain(losses.iter().map(Loss::from));
        let losses = losses.chain(told(keyed).cloned());
        let fps = worst_error_px.map(|_| document.file.fps);
        // What is off by one and then by the other is off by no more than both.
        let worst_error_px = match (*worst_error_px, keyed.and_then(|keyed| keyed.worst_error_px)) {
            (Some(sampled), Some(written)) => Some(sampled + written),
            (sampled, written) => sampled.or(written),
        };
        let report = LossReport {
            fps,
            from: from.name(),
            input: portable(&args.input),
            losses: losses.collect(),
            schema: LossReport::SCHEMA,
            to: to.name(),
            worst_error_px,
        };
        let text = report.to_text().map_err(|error| Failure::Output(Error::io("JSON", error.into())))?;
        target.write((text + "\n").as_bytes(), sources)?;
    }
    Ok(())
}

/// How the input is read: a picture that is cut into frames says nothing of how fast they are shown.
pub fn read_options(args: &ConvertArgs) -> ReadOptions {
    let options = args.read.options();
    let fps = args.fps.filter(|_| options.grid.is_some()).map(f64::from);
    ReadOptions { fps, ..options }
}

/// Where the loss report goes.
pub fn report_target(args: &ConvertArgs) -> Result<Option<Target>, Failure> {
    match &args.loss_report {
        Some(path) if is_same_place(path, &args.output) => {
            Err(Failure::usage("the loss report would replace the output"))
        }
        // Among the pictures it could be in the place of one.
        Some(path) if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("png")) => {
            Err(Failure::usage_with_help("the loss report is JSON, not PNG", "--loss-report FILE.json"))
        }
        Some(path) => Target::text(path, &args.input, args.force).map(Some),
        None => Ok(None),
    }
}

/// What is about to be written.
struct Converted {
    document: Document,
    /// Of a document that was read as such.
    bind: Option<Bind>,
    /// What sampling lost.
    baked: Vec<BakeLoss>,
    /// Where frames were sampled.
    worst_error_px: Option<f32>,
}

/// What is kept of a file of SkelForm that becomes one; `None` where its keys do not stay.
fn kept_as_it_is(character: &Character, args: &ConvertArgs) -> Result<Option<Keep>, Failure> {
    let Motion::SkelForm(_) = character.motion() else { return Ok(None) };
    let model = character.model();
    let animations = match &args.animations[..] {
        [] => None,
        wanted => {
            let mut chosen = choose::animations(model, wanted)?;
            let mut seen = HashSet::new();
            chosen.retain(|id| seen.insert(*id));
            Some(chosen)
        }
    };
    let mut written = animations.clone().unwrap_or_else(|| model.animation_ids().collect()).into_iter();
    let is_other_rate = |fps: u16| written.any(|id| model.animation(id).fps != f64::from(fps));
    if args.fps.is_some_and(is_other_rate) {
        return Ok(None);
    }
    let is_premultiplied = model.pages().iter().any(|page| page.is_premultiplied);
    Ok(Some(Keep { animations, skins: choose::skins(character, &args.skins)?, is_premultiplied }))
}

/// The document as it is, or one of sampled frames where the source has none, or others are wanted.
fn prepare(
    source: Source,
    to: FormatArg,
    args: &ConvertArgs,
    options: &ReadOptions,
) -> Result<Converted, Failure> {
    let character = match source {
        Source::Document(loaded) => {
            let Loaded { document, bind } = *loaded;
            if args.fps.is_none() && args.skins.is_empty() {
                return Ok(Converted { document, bind: Some(bind), baked: Vec::new(), worst_error_px: None });
            }
            let mut budget = Budget::new(&options.limits);
            // Its findings were told when it was read.
            let character = pchr::build(&document, options, &mut budget, &mut Diagnostics::default());
            character.map_err(Failure::Input)?
        }
        Source::Character(character, _) => *character,
    };
    let Baked { document, losses, worst_error_px } = sampled(&character, to, args, options)?;
    Ok(Converted { document, bind: None, baked: losses, worst_error_px: Some(worst_error_px) })
}

fn sampled(
    character: &Character,
    to: FormatArg,
    args: &ConvertArgs,
    options: &ReadOptions,
) -> Result<Baked, Failure> {
    let model = character.model();
    let options = BakeOptions {
        fps: args.fps,
        animations: match &args.animations[..] {
            [] => model.motions().collect(),
            wanted => choose::animations(model, wanted)?,
        },
        skins: choose::skins(character, &args.skins)?,
        keeps_influences: !matches!(to, FormatArg::Pchr | FormatArg::PchrJson),
        limits: options.limits.clone(),
    };
    bake(character, &options).map_err(|error| match error {
        Error::LimitExceeded(_) => Failure::Input(error.in_file(args.input.display())),
        error => Failure::Output(error),
    })
}

/// Of what is lost of one mesh in several animations only the worst: the report has all.
fn worst_of_each(losses: &[BakeLoss]) -> impl Iterator<Item = &BakeLoss> {
    let px = |loss: &BakeLoss| loss.worst.map_or(0.0, |(px, _)| px);
    let mut worst: HashMap<(&str, &str), usize> = HashMap::new();
    for (at, loss) in losses.iter().enumerate() {
        if let Some(mesh) = &loss.mesh {
            let known = worst.entry((loss.code, mesh)).or_insert(at);
            if px(loss) > px(&losses[*known]) {
                *known = at;
            }
        }
    }
    losses.iter().enumerate().filter_map(move |(at, loss)| {
        let is_worst = loss.mesh.as_ref().is_none_or(|mesh| worst.get(&(loss.code, mesh)) == Some(&at));
        is_worst.then_some(loss)
    })
}

impl From<&BakeLoss> for Loss {
    fn from(loss: &BakeLoss) -> Self {
        Self {
            animation: loss.animation.clone(),
            code: loss.code,
            error_px: loss.worst.map(|(px, _)| px),
            frame: loss.worst.map(|(_, frame)| frame),
            mesh: loss.mesh.clone(),
            message: loss.message.clone(),
            path: loss.path.clone(),
        }
    }
}

impl From<&Fault> for Loss {
    fn from(fault: &Fault) -> Self {
        Self {
            animation: None,
            code: fault.code,
            error_px: None,
            frame: None,
            mesh: None,
            message: fault.message.clone(),
            path: fault.place.path.clone(),
        }
    }
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
        "skf" => Ok(FormatArg::Skelform),
        _ => Err(Failure::usage_with_help(
            format!("`{}` does not say what to write", output.display()),
            "--to pchr, pchr-json, pachario, pachario-packed, spine or skelform; of a sheet also sheet, sheet-hash, \
             sheet-multiatlas or sheet-packed",
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

/// The name of the output without `.json`.
fn stem(output: &Path) -> String {
    let name = output.file_stem().and_then(|name| name.to_str());
    name.unwrap_or_default().to_owned()
}

/// What a format with keys does not say.
fn told(keyed: Option<&Keyed>) -> impl Iterator<Item = &Loss> {
    keyed.into_iter().flat_map(|keyed| &keyed.losses)
}

fn folder_of(output: &Path) -> &Path {
    output.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn write(document: &Document, way: &Way<'_>, keyed: Option<&Keyed>) -> Result<(), Failure> {
    let Way { to, args, target, sources, .. } = *way;
    match to {
        FormatArg::Sheet | FormatArg::SheetHash | FormatArg::SheetMultiatlas | FormatArg::SheetPacked => Ok(()),
        FormatArg::Spine => {
            let mut keyed = keyed.into_iter();
            keyed.try_for_each(|keyed| write_files(sources, folder_of(&args.output), args.force, keyed))
        }
        FormatArg::Skelform => {
            let mut files = keyed.into_iter().flat_map(|keyed| &keyed.files);
            files.try_for_each(|(_, bytes)| target.write(bytes, sources))
        }
        FormatArg::Pchr => {
            let file = document.to_v1(None).map_err(Failure::Input)?;
            target.write(&pchr::write(&file).map_err(Failure::Output)?, sources)
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
            target.write(&packed::write(&json, &picture).map_err(Failure::Output)?, sources)
        }
        FormatArg::PchrJson | FormatArg::Pachario => {
            let folder = folder_of(&args.output);
            let name = args.output.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            write_json(document, sources, folder, name, args.force, |paths, out| match to {
                FormatArg::Pachario => Pachario::new(document, paths).write(out),
                _ => Description::new(document, paths).write(out),
            })
        }
    }
}
