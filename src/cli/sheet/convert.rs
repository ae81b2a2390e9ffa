//! `pchr convert` of sprite sheets to each other: their texts say the same in another form, PNGs keep their
//! bytes. What is packed and unpacked without `--to` keeps the bytes of its text, too.

use std::collections::HashSet;
use std::io::Write;
use std::path::{Path, PathBuf};

use ::bytes::Bytes;

use crate::cli::convert::{ConvertArgs, Loss, LossReport, read_options, report_target};
use crate::cli::failure::{Failure, note, warn};
use crate::cli::json_output::JsonOutput;
use crate::cli::kinds::{FormatArg, SourceArg};
use crate::cli::load::{beside, bytes_of, sources};
use crate::cli::stdio::portable;
use crate::cli::stdio::{is_stdio, print_bytes, shown_name};
use crate::cli::target::Target;
use crate::cli::target::refuse_sources;
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Fault, Place};
use crate::export::{OutputFolder, safe_name};
use crate::formats::image::PNG_SIGNATURE;
use crate::formats::sheet::rewrite::{Form, Rewrite, load_picture, read};
use crate::formats::sheet::{header, is_text, picture_names, read_packed};
use crate::formats::{self, Input, ReadOptions};
use crate::motion::Motion;

/// The sheet that is asked for, by `--to` or by the names of the files; `None` where it is none.
pub fn wanted(input: &Path, output: &Path, to: Option<FormatArg>) -> Result<Option<FormatArg>, Failure> {
    let is = |path: &Path, name: &str| path.extension().is_some_and(|found| found.eq_ignore_ascii_case(name));
    match to {
        Some(to) if to.form().is_some() => Ok(Some(to)),
        Some(_) => Ok(None),
        None if is(output, "sprsh")
            && (is_stdio(input)
                || ["json", "png", "sprsh", "xml", "plist", "atlas", "aseprite", "ase"]
                    .into_iter()
                    .any(|name| is(input, name))) =>
        {
            Ok(Some(FormatArg::SheetPacked))
        }
        None if is(output, "sprsh") => Err(Failure::usage_with_help(
            "only a sprite sheet is converted to one",
            "pchr convert hero.json -o hero.sprsh; pchr-view HERO -o hero.sprsh makes a sheet of a character",
        )),
        None if is(input, "sprsh") && is(output, "json") => Ok(Some(FormatArg::Sheet)),
        None => Ok(None),
    }
}

/// More pages than this are not written: each file names all others.
const MAX_PAGES: usize = 1000;

/// A file that is to be written.
type Out = (String, Bytes);

/// Converts a sheet that can be read.
pub fn run(args: &ConvertArgs, to: FormatArg, quiet: bool) -> Result<(), Failure> {
    let ConvertArgs { input, output, .. } = args;
    check_usage(args, to)?;
    let report_target = report_target(args)?;
    let options = read_options(args);
    let reading = |error: Error| Failure::reading(error.in_file(shown_name(input)));
    let bytes = bytes_of(input, &options.limits).map_err(reading)?;
    let beside = beside(input);
    let source = Input { bytes, sidecars: &beside };
    let mut diagnostics = Diagnostics::default();
    let character = formats::from_input(&source, &options, &mut diagnostics).map_err(reading)?;
    let from = match character.motion() {
        Motion::Flipbook(_) => SourceArg::Sheet,
        motion => SourceArg::of(motion),
    };
    if from != SourceArg::Sheet || args.from.is_some_and(|wanted| wanted != from) {
        let wanted = args.from.map_or("a sprite sheet", SourceArg::name);
        let mut message = format!("{} is {}, not {wanted}", input.display(), from.name());
        if from != SourceArg::Sheet {
            message += "; `pchr-view` draws a sheet of any character with -o NAME.json --format sheet";
        }
        return Err(Failure::Input(Error::unsupported("other-format", Place::default(), message)));
    }
    let is_premultiplied = character.model().pages().iter().any(|page| page.is_premultiplied);
    drop(character);
    if !quiet {
        diagnostics.warnings().for_each(warn);
        if is_premultiplied {
            note("the pictures are premultiplied and stay so; pchr-view IN -o OUT.json draws them anew, straight");
        }
    }
    let (files, losses) = match as_it_is(args, to, &source, &options).map_err(reading)? {
        Some(files) => (files, Vec::new()),
        None => {
            let rewrite = read(&source, &options).map_err(reading)?;
            if rewrite.turned() > 0 && !quiet {
                note(&format!(
                    "{} frames are stored turned by a quarter and stay so; pchr-view IN -o OUT.json draws them anew",
                    rewrite.turned()
                ));
            }
            (rewritten(&rewrite, to, output).map_err(reading)?, lost(&rewrite, to))
        }
    };
    if !quiet {
        losses.iter().for_each(warn);
    }
    let sources = sources(input, beside, &options);
    write(args, files, &sources)?;
    let Some(target) = report_target else { return Ok(()) };
    let report = LossReport {
        fps: None,
        from: from.name(),
        input: portable(input),
        losses: losses.iter().map(Loss::from).collect(),
        schema: LossReport::SCHEMA,
        to: to.name(),
        worst_error_px: None,
    };
    let text = report.to_text().map_err(|error| Failure::Output(Error::io("JSON", error.into())))?;
    target.write((text + "\n").as_bytes(), &sources)
}

fn check_usage(args: &ConvertArgs, to: FormatArg) -> Result<(), Failure> {
    let refuse = |what: &str| {
        let message = format!("{what} says nothing to a sprite sheet that is one already");
        Err(Failure::usage_with_help(message, "pchr-view IN -o OUT.json draws a sheet anew"))
    };
    match () {
        () if !args.animations.is_empty() => refuse("--animation"),
        () if !args.skins.is_empty() => refuse("--skin"),
        () if args.fps.is_some() && args.read.grid.is_none() => refuse("--fps"),
        () if to.is_json() && is_stdio(&args.output) => Err(Failure::usage_with_help(
            "JSON has its pictures beside it, which do not go to stdout",
            "-o DIR/NAME.json",
        )),
        () if to.is_json() && !args.output.extension().is_some_and(|found| found.eq_ignore_ascii_case("json")) => {
            let message = format!("`{}` is not the name of a JSON file", args.output.display());
            Err(Failure::usage_with_help(message, "-o DIR/NAME.json"))
        }
        () => Ok(()),
    }
}

/// What the form that is asked for cannot say.
fn lost(rewrite: &Rewrite, to: FormatArg) -> Vec<Fault> {
    let mut losses = Vec::new();
    let mut lose = |code, path: &str, message: String| {
        losses.push(Fault { code, place: Place { path: path.to_owned(), ..Place::default() }, message });
    };
    let renamed = rewrite.renamed();
    if to == FormatArg::SheetHash && renamed > 0 {
        let message = format!("{renamed} frames are called like others before them; they get a number");
        lose("frame-renamed", "/frames", message);
    }
    if rewrite.rounded > 0 {
        let message = format!("{} frames are shown for whole milliseconds", rewrite.rounded);
        lose("duration-rounded", "/frames", message);
    }
    if let Some([width, height]) = rewrite.stretched {
        let message = format!("pixels that are {width} wide and {height} high become square");
        lose("pixels-squared", "pixelRatio", message);
    }
    losses
}

/// What is only packed or unpacked, and keeps its text; `None` where that becomes another one.
fn as_it_is(
    args: &ConvertArgs,
    to: FormatArg,
    source: &Input<'_>,
    options: &ReadOptions,
) -> Result<Option<Vec<Out>>, Error> {
    match (args.to, to) {
        (_, FormatArg::SheetPacked) if is_text(&source.bytes) => match packed(source, &args.output, options) {
            // A multi-atlas of one picture has to become a list.
            Err(error) if error.code() == "too-many" => Ok(None),
            files => files.map(Some),
        },
        (None, FormatArg::Sheet) => unpacked(&source.bytes, &args.output).map(Some),
        _ => Ok(None),
    }
}

/// A text that stands alone and its picture, in one file.
fn packed(source: &Input<'_>, output: &Path, options: &ReadOptions) -> Result<Vec<Out>, Error> {
    let picture = picture_beside(source, options)?;
    let head = header(&source.bytes, picture.len() as u64)?;
    Ok(vec![(name_of(output), [&head[..], &picture[..]].concat().into())])
}

/// The text and the picture of a packed sheet.
fn unpacked(bytes: &Bytes, output: &Path) -> Result<Vec<Out>, Error> {
    let packed = read_packed(bytes, &mut Diagnostics::default())?;
    let name = name_of(output);
    let names = picture_names(packed.text(), None)?;
    // Under its own name where that is one; a reader looks for that of the JSON as well.
    let usual = format!("{}.png", stem_of(output));
    let own = names.into_iter().next().filter(|own| safe_name(own) == *own && *own != name);
    Ok(vec![(own.unwrap_or(usual), packed.image.bytes.clone()), (name, packed.json.bytes.clone())])
}

/// The pictures, and then the texts that name them, the one that is opened last.
fn rewritten(rewrite: &Rewrite, to: FormatArg, output: &Path) -> Result<Vec<Out>, Error> {
    let (form, stem, count) = (to.form().unwrap_or(Form::List), stem_of(output), rewrite.page_count());
    let numbered = |page: usize, extension: &str| match page {
        0 => format!("{stem}.{extension}"),
        page => format!("{stem}-{page}.{extension}"),
    };
    if count > MAX_PAGES {
        let message = format!("the sheet has {count} pictures, no more than {MAX_PAGES} are written");
        return Err(Error::unsupported("too-many", Place::default(), message));
    }
    // Pictures keep their names where all have one of their own.
    let own: Option<Vec<String>> = (0..count).map(|page| rewrite.image(page).map(str::to_owned)).collect();
    let is_fine = |names: &Vec<String>| {
        let safe = names.iter().all(|name| safe_name(name) == *name && name.to_lowercase().ends_with(".png"));
        let mut known = HashSet::new();
        safe && names.iter().all(|name| known.insert(name))
    };
    let images = own.filter(is_fine).unwrap_or_else(|| (0..count).map(|page| numbered(page, "png")).collect());
    if to == FormatArg::SheetPacked {
        if count != 1 {
            let message = format!("the sheet has {count} pictures; a .sprsh holds one");
            return Err(Error::unsupported("too-many", Place::default(), message));
        }
        let (text, picture) = (rewrite.text(0, form, &images, &[]), rewrite.picture(0));
        let head = header(text.as_bytes(), picture.len() as u64)?;
        return Ok(vec![(name_of(output), [&head[..], &picture[..]].concat().into())]);
    }
    let texts = if form == Form::Multiatlas { 1 } else { count };
    let of_page = |page: usize| if page == 0 { name_of(output) } else { numbered(page, "json") };
    let files: Vec<String> = (0..texts).map(of_page).collect();
    let pictures = images.iter().enumerate().map(|(page, name)| (name.clone(), rewrite.picture(page)));
    let texts = files.iter().enumerate().rev();
    let texts = texts.map(|(page, name)| (name.clone(), rewrite.text(page, form, &images, &files).into()));
    Ok(pictures.chain(texts).collect())
}

fn name_of(output: &Path) -> String {
    output.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn stem_of(output: &Path) -> String {
    output.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// Writes all of them or none; not over what is read, and not what is there already.
fn write(args: &ConvertArgs, files: Vec<Out>, sources: &[PathBuf]) -> Result<(), Failure> {
    let ConvertArgs { input, output, force, .. } = args;
    if let [(_, bytes)] = &files[..] {
        if is_stdio(output) {
            return print_bytes(bytes);
        }
        return Target::binary(output, input, *force)?.write(bytes, sources);
    }
    let folder = output.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut out = OutputFolder::create(folder, *force).map_err(Failure::Output)?;
    // Next to the input its pictures are there already.
    let is_there = |(name, bytes): &Out| bytes.starts_with(&PNG_SIGNATURE) && out.holds(name, bytes);
    let files: Vec<Out> = files.into_iter().filter(|file| !is_there(file)).collect();
    out.check_free(files.iter().map(|(name, _)| name.as_str())).map_err(Failure::Output)?;
    let paths: Vec<PathBuf> = files.iter().map(|(name, _)| folder.join(name)).collect();
    refuse_sources(&paths, sources)?;
    for (name, content) in &files {
        out.write(name, |file| file.write_all(content)).map_err(Failure::Output)?;
    }
    out.finish().map_err(Failure::Output)
}

/// The only picture of a sheet whose text is `input`.
fn picture_beside(input: &Input<'_>, options: &ReadOptions) -> Result<Bytes, Error> {
    let text = formats::sheet::Text { bytes: &input.bytes, offset: 0 };
    load_picture(&picture_names(text, input.sidecars.own_name())?, input, options)
}
