//! One contact sheet of several characters: of those on the stage, or of those in the gallery. Like the command, it reads the
//! files themselves, so that it shows neither moved targets nor chosen skins.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::preview::{Estimate, MAX_SIDE};
use super::{contact, input_name};
use crate::draw::Picture;
use crate::error::{escaped, with_sources};
use crate::export::{
    Alpha, BatchError, Drawing, ExportError, Observer, Outcome, OutputFile, Plan, PlannedFile, RenderOptions,
    SharedSheet, SheetPart, SheetParts, Size, Values, Written, check_outputs, choose,
};
use crate::formats::ReadOptions;
use crate::progress::Progress;
use crate::viewer::files::loading::read::Source;
use crate::{Character, Error};

/// Maximum size of the images of characters that are kept until they are drawn; the others are read again.
const MAX_KEPT_BYTES: usize = 128 << 20;
/// The side of a cell in the estimate, unless a size is given.
const CELL: u32 = 160;

/// Several characters, and what a sheet shows of them.
#[derive(Debug, Clone, PartialEq)]
pub struct Cast {
    /// Their files, in order.
    pub files: Vec<PathBuf>,
    /// What they are, for display.
    pub label: String,
    /// How they are read.
    pub read: ReadOptions,
    /// What the sheet shows.
    pub choices: CastChoices,
}

/// What a sheet of several characters shows.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct CastChoices {
    /// All of them, not only the shown character.
    pub is_chosen: bool,
    /// All animations, not only the first of each.
    pub all_animations: bool,
    /// Only the first frame in which something is visible.
    pub one_frame: bool,
}

/// A character that was opened.
struct Member {
    plan: Plan,
    /// The character, unless it is read again.
    kept: Option<Character>,
}

/// The characters of a sheet.
struct Members<'a> {
    options: &'a RenderOptions,
    /// The options for the share of each.
    shares: Vec<RenderOptions>,
    /// By number, those that were opened.
    opened: BTreeMap<usize, Member>,
    sheet: SharedSheet,
    /// Files that were read.
    sources: Vec<PathBuf>,
}

/// Writes the sheet of the files in `options`. A character that cannot be opened has a cell that says why.
///
/// # Errors
///
/// Fails if no character can be opened, and if there is no place for the sheet.
pub fn write(
    options: &RenderOptions,
    cancelled: &AtomicBool,
    total: impl FnOnce(usize),
    observer: &(impl Observer + ?Sized),
) -> Result<Written, BatchError> {
    let template = options.template()?.filter(|_| options.shares_contact_sheet());
    let Some(template) = template else {
        let message = "one sheet for several characters has one name, without placeholders";
        return Err(Error::misuse("placeholders", message).into());
    };
    let nothing = || Written { files: Vec::new(), outcome: Outcome::default() };
    let Some(mut members) = Members::open(options, cancelled)? else { return Ok(nothing()) };
    let path = template.fill(Values { name: "", path: "", animation: "", index: 0, frame: 0 });
    let file = PlannedFile { path: Some(path.clone()), pictures: 0..0 };
    check_outputs(&[file], options.format(), &members.sources, &|_: &Path| options.output.force)?;
    total(members.opened.values().map(|member| member.plan.pictures.len()).sum());
    let mut out = OutputFile::create(&path, options.output.force)?;
    let is_finished =
        members.draw(&path.display().to_string(), &mut out, cancelled, &|| observer.picture_done())?;
    if !is_finished {
        return Ok(nothing());
    }
    out.finish()?;
    let outcome = Outcome { is_finished, ..Outcome::default() };
    Ok(Written { files: vec![path.to_path_buf()], outcome })
}

/// Draws the sheet with smaller cells. Returns `None` if cancelled.
pub fn preview(
    options: &RenderOptions,
    cancelled: &AtomicBool,
) -> Result<Option<(Option<Picture>, Estimate)>, String> {
    let (given, mut options) = (options, options.clone());
    options.look.alpha = Alpha::Premultiplied;
    let message = |error: BatchError| escaped(&with_sources(&error));
    options.look.size = smaller(&options);
    let Some(mut members) = Members::open(&options, cancelled).map_err(|error| message(error.into()))? else {
        return Ok(None);
    };
    let plans = || members.opened.values().map(|member| &member.plan);
    let size = match given.look.size {
        Size::Exact(width, height) => [width, height],
        Size::Native => [CELL, CELL],
        Size::Width(_) | Size::Height(_) => {
            plans().next().map_or([0, 0], |plan| [plan.view.width(), plan.view.height()])
        }
    };
    let pictures = plans().map(|plan| plan.pictures.len()).sum();
    let mut png = Vec::new();
    if !members.draw("preview", &mut png, cancelled, &|| {}).map_err(|error| message(error.into()))? {
        return Ok(None);
    }
    let estimate = Estimate { pictures, files: 1, size, rate: 0.0, sheet: None };
    Ok(Some((contact::decoded(&png, given.surface())?, estimate)))
}

/// Returns a size of cells with which the sheet is about as large as a preview.
fn smaller(options: &RenderOptions) -> Size {
    let grid = options.contact_sheet();
    let columns = grid.and_then(|grid| grid.columns()).unwrap_or(1).max(1);
    let rows = grid.and_then(|grid| grid.rows()).unwrap_or(0);
    let count = options.subject.files.len() as u32;
    let rows = rows.max(if options.subject.frames.is_some() { count.div_ceil(columns) } else { count });
    let most = (MAX_SIDE / columns.max(rows).max(1)).max(1);
    match options.look.size {
        Size::Native if options.look.scale == 1.0 => Size::Exact(CELL.min(most), CELL.min(most)),
        Size::Native => Size::Native,
        Size::Exact(width, height) => {
            let side = |side: u32| {
                (u64::from(side) * u64::from(most) / u64::from(width.max(height).max(most))).max(1) as u32
            };
            Size::Exact(side(width), side(height))
        }
        Size::Width(width) => Size::Width(width.min(most)),
        Size::Height(height) => Size::Height(height.min(most)),
    }
}

impl<'a> Members<'a> {
    /// Opens the files. Returns `None` if cancelled.
    fn open(options: &'a RenderOptions, cancelled: &AtomicBool) -> Result<Option<Self>, Error> {
        let files = &options.subject.files;
        let shares = options.sharing_contact_sheet(files.len())?;
        let (mut opened, mut sources, mut parts) = (BTreeMap::new(), Vec::new(), Vec::new());
        let (mut kept_bytes, mut first_error) = (0, None);
        for (number, (file, share)) in files.iter().zip(&shares).enumerate() {
            if cancelled.load(Ordering::Relaxed) {
                return Ok(None);
            }
            let name = input_name(file);
            match open(file, share, &mut sources) {
                Ok((character, plan)) => {
                    parts.push(SheetPart::new(name, &plan));
                    kept_bytes += character.model().pages().iter().map(|page| page.pixels.len()).sum::<usize>();
                    let kept = (kept_bytes <= MAX_KEPT_BYTES).then_some(character);
                    opened.insert(number, Member { plan, kept });
                }
                Err(error) => {
                    // As the command words it.
                    let message = match &error {
                        Error::Misuse(fault) => format!("{}: {}", file.display(), fault.message),
                        error => with_sources(error),
                    };
                    parts.push(SheetPart::failed(name, message));
                    first_error = first_error.or(Some(error));
                }
            }
        }
        if let Some(error) = first_error.filter(|_| opened.is_empty()) {
            return Err(error);
        }
        let sheet = SharedSheet::new(options, parts)?;
        Ok(Some(Self { options, shares, opened, sheet, sources }))
    }

    /// Writes the sheet to `out`, which is called `place` in errors. Returns false if cancelled.
    fn draw(
        &mut self,
        place: &str,
        out: &mut (dyn Write + Send),
        cancelled: &AtomicBool,
        picture_done: &(dyn Fn() + Sync),
    ) -> Result<bool, ExportError> {
        let Self { options, shares, opened, sheet, .. } = self;
        let mut is_finished = true;
        let draw = |parts: &mut SheetParts<'_, '_>| {
            for (&number, member) in opened.iter_mut() {
                let Some((character, plan)) = member.take_or_open(number, options, shares) else { continue };
                let sequence = options.sequence(&character, &plan, cancelled);
                let drawing = Drawing::open(options, character.model(), &plan.view, |_: &str| {});
                let Ok(mut drawing) = drawing else { continue };
                // The cells of a character that cannot be drawn say so, and the others are drawn.
                if let Ok(false) = parts.draw(number, &sequence, &mut drawing, &plan, picture_done) {
                    is_finished = false;
                    break;
                }
            }
            Ok::<(), Infallible>(())
        };
        let Ok(()) = sheet.write(place, out, draw)?;
        Ok(is_finished && !cancelled.load(Ordering::Relaxed))
    }
}

impl Member {
    /// Returns the character, which is read again unless it was kept; `None` if it has changed since.
    fn take_or_open(
        &mut self,
        number: usize,
        options: &RenderOptions,
        shares: &[RenderOptions],
    ) -> Option<(Character, Plan)> {
        if let Some(kept) = self.kept.take() {
            return Some((kept, self.plan.clone()));
        }
        let file = options.subject.files.get(number)?;
        let (character, plan) = open(file, shares.get(number)?, &mut Vec::new()).ok()?;
        let is_same = plan.pictures.len() == self.plan.pictures.len() && plan.view == self.plan.view;
        is_same.then_some((character, plan))
    }
}

/// Reads and plans a file. The files that were read are added to `sources`.
fn open(file: &Path, options: &RenderOptions, sources: &mut Vec<PathBuf>) -> Result<(Character, Plan), Error> {
    let source = Source { path: file.to_owned(), pipe: None, name: file.display().to_string() };
    let contents = source.read(options.read.clone(), &Arc::new(Progress::default()));
    sources.push(file.to_owned());
    sources.extend(contents.sidecars);
    let character = contents.character?;
    let unknown = |error: crate::model::UnknownName| Error::misuse("unknown-name", error.to_string());
    let animations = choose::animations(character.model(), &options.subject.animations).map_err(unknown)?;
    let animations = animations.unwrap_or_else(|| character.model().default_animation().into_iter().collect());
    let skins = choose::skins(&character, &options.subject.skins).map_err(unknown)?;
    let plan = options.plan(&character, &animations, &skins)?;
    Ok((character, plan))
}
