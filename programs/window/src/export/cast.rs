//! One contact sheet of several characters: of those on the stage, or of those in the gallery. Like the command, it reads the
//! files themselves, so that it shows neither moved targets nor chosen skins.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::input_name;
use super::reduced::{decoded, smaller};
use crate::files::loading::read::Source;
use pchr::draw::{Picture, View};
use pchr::error::{escaped, with_sources};
use pchr::export::{
    Alpha, BatchError, Drawing, ExportError, Observer, Outcome, OutputFile, Plan, PlannedFile, RenderOptions,
    SharedSheet, SheetPart, SheetParts, Values, Written, check_outputs, choose,
};
use pchr::formats::ReadOptions;
use pchr::progress::Progress;
use pchr::{Character, Error};

/// Maximum size of the images of characters that are kept until they are drawn; the others are read again.
const MAX_KEPT_BYTES: usize = 128 << 20;

/// Several characters, and what a sheet shows of them.
#[derive(Debug, Clone, PartialEq)]
pub struct Cast {
    /// Their files, in order.
    pub files: Vec<PathBuf>,
    /// The folder in which the sheet is suggested.
    pub folder: PathBuf,
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
    /// All animations, not only the one that each shows first.
    pub all_animations: bool,
    /// Only the first frame that shows enough.
    pub one_frame: bool,
}

/// A sheet as the preview shows it.
pub struct SmallSheet {
    pub picture: Option<Picture>,
    /// Number of frames.
    pub pictures: usize,
    /// Width and height of the cells in the file.
    pub cell: [u32; 2],
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
    /// Each, or why it cannot be opened.
    opened: Vec<Result<Member, String>>,
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
    let sheet = members.sheet()?;
    let path = template.fill(Values { name: "", path: "", animation: "", index: 0, frame: 0 });
    let file = PlannedFile { path: Some(path.clone()), pictures: 0..0 };
    check_outputs(&[file], options.format(), &members.sources, &|_: &Path| options.output.force)?;
    total(members.plans().map(|plan| plan.pictures.len()).sum());
    let mut out = OutputFile::create(&path, options.output.force)?;
    let place = path.display().to_string();
    if !members.draw(&sheet, &place, &mut out, cancelled, &|| observer.picture_done())? {
        return Ok(nothing());
    }
    out.finish()?;
    let outcome = Outcome { is_finished: true, ..Outcome::default() };
    Ok(Written { files: vec![path.to_path_buf()], outcome })
}

/// Draws the sheet with smaller cells. Returns `None` if cancelled.
pub fn preview(options: &RenderOptions, cancelled: &AtomicBool) -> Result<Option<SmallSheet>, String> {
    let mut drawn = options.clone();
    // As textures are stored.
    drawn.look.alpha = Alpha::Premultiplied;
    drawn.output.optimize = false;
    let message = |error: BatchError| escaped(&with_sources(&error));
    let Some(mut members) = Members::open(&drawn, cancelled).map_err(|error| message(error.into()))? else {
        return Ok(None);
    };
    let pictures = members.plans().map(|plan| plan.pictures.len()).sum();
    let cell = members.cell();
    members.reduce();
    let sheet = members.sheet().map_err(|error| message(error.into()))?;
    let mut png = Vec::new();
    let is_finished = members.draw(&sheet, "preview", &mut png, cancelled, &|| {});
    if !is_finished.map_err(|error| message(error.into()))? {
        return Ok(None);
    }
    Ok(Some(SmallSheet { picture: decoded(&png, options.surface())?, pictures, cell }))
}

impl<'a> Members<'a> {
    /// Opens the files. Returns `None` if cancelled.
    fn open(options: &'a RenderOptions, cancelled: &AtomicBool) -> Result<Option<Self>, Error> {
        let files = &options.subject.files;
        let shares = options.sharing_contact_sheet(files.len())?;
        let mut opened = Vec::new();
        let mut sources: Vec<PathBuf> = options.look.background.file().map(Path::to_owned).into_iter().collect();
        let (mut kept_bytes, mut first_error) = (0, None);
        for (file, share) in files.iter().zip(&shares) {
            if cancelled.load(Ordering::Relaxed) {
                return Ok(None);
            }
            opened.push(match open(file, share, &mut sources) {
                Ok((character, plan)) => {
                    kept_bytes += character.model().pages().iter().map(|page| page.pixels.len()).sum::<usize>();
                    let kept = (kept_bytes <= MAX_KEPT_BYTES).then_some(character);
                    Ok(Member { plan, kept })
                }
                Err(error) => {
                    // As the command words it.
                    let message = match &error {
                        Error::Misuse(fault) => format!("{}: {}", file.display(), fault.message),
                        error => with_sources(error),
                    };
                    first_error = first_error.or(Some(error));
                    Err(message)
                }
            });
        }
        match first_error.filter(|_| opened.iter().all(Result::is_err)) {
            Some(error) => Err(error),
            None => Ok(Some(Self { options, shares, opened, sources })),
        }
    }

    fn plans(&self) -> impl Iterator<Item = &Plan> {
        self.opened.iter().flatten().map(|member| &member.plan)
    }

    /// Returns the width and height of the cells.
    fn cell(&self) -> [u32; 2] {
        [View::width, View::height].map(|side| self.plans().map(|plan| side(&plan.view)).max().unwrap_or(0))
    }

    /// Reduces the cells so that the sheet is about as large as a preview.
    fn reduce(&mut self) {
        let (cell, grid) = (self.cell(), self.options.contact_sheet());
        let columns = grid.and_then(|grid| grid.columns()).unwrap_or(1).max(1);
        let counts = || self.plans().map(|plan| plan.pictures.len() as u32);
        // Each character begins a row, unless all have only one frame.
        let rows = match counts().all(|count| count <= 1) {
            true => (self.opened.len() as u32).div_ceil(columns),
            false => counts().map(|count| count.div_ceil(columns)).sum(),
        };
        for member in self.opened.iter_mut().flatten() {
            member.plan.view = smaller(member.plan.view, cell, columns, rows);
        }
    }

    fn sheet(&self) -> Result<SharedSheet, Error> {
        let part = |(file, member): (&PathBuf, &Result<Member, String>)| match member {
            Ok(member) => SheetPart::new(input_name(file), &member.plan),
            Err(message) => SheetPart::failed(input_name(file), message.clone()),
        };
        let parts = self.options.subject.files.iter().zip(&self.opened).map(part).collect();
        SharedSheet::new(self.options, parts)
    }

    /// Writes the sheet to `out`, which is called `place` in errors. Returns false if cancelled.
    fn draw(
        &mut self,
        sheet: &SharedSheet,
        place: &str,
        out: &mut (dyn Write + Send),
        cancelled: &AtomicBool,
        picture_done: &(dyn Fn() + Sync),
    ) -> Result<bool, ExportError> {
        let Self { options, shares, opened, .. } = self;
        struct Cancelled;
        let draw = |parts: &mut SheetParts<'_, '_>| {
            let files = options.subject.files.iter().zip(&*shares);
            for (number, (member, (file, share))) in opened.iter_mut().zip(files).enumerate() {
                let Some((character, plan)) = member.as_mut().ok().and_then(|it| it.take_or_open(file, share))
                else {
                    continue;
                };
                let sequence = options.sequence(&character, &plan, cancelled);
                let drawing = Drawing::open(options, character.model(), &plan.view, |_: &str| {});
                let Ok(mut drawing) = drawing else { continue };
                // The cells of a character that cannot be drawn say so, and the others are drawn.
                if let Ok(false) = parts.draw(number, &sequence, &mut drawing, &plan, picture_done) {
                    return Err(Cancelled);
                }
            }
            Ok(())
        };
        let is_complete = sheet.write(place, out, cancelled, draw)?.unwrap_or(false);
        Ok(is_complete && !cancelled.load(Ordering::Relaxed))
    }
}

impl Member {
    /// Returns the character, which is read again unless it was kept; `None` if it has changed since.
    fn take_or_open(&mut self, file: &Path, share: &RenderOptions) -> Option<(Character, Plan)> {
        if let Some(kept) = self.kept.take() {
            return Some((kept, self.plan.clone()));
        }
        let (character, plan) = open(file, share, &mut Vec::new()).ok()?;
        let is_same = plan.pictures.len() == self.plan.pictures.len() && plan.area == self.plan.area;
        is_same.then_some((character, Plan { view: self.plan.view, ..plan }))
    }
}

/// Reads and plans a file. The files that were read are added to `sources`.
fn open(file: &Path, options: &RenderOptions, sources: &mut Vec<PathBuf>) -> Result<(Character, Plan), Error> {
    let source = Source { path: file.to_owned(), pipe: None, name: file.display().to_string() };
    let contents = source.read(options.read.clone(), &Arc::new(Progress::default()));
    sources.push(file.to_owned());
    sources.extend(contents.sidecars);
    let character = contents.character?;
    let unknown = |error: pchr::model::UnknownName| Error::misuse("unknown-name", error.to_string());
    let animations = choose::animations_or_first(&character, &options.subject.animations, &options.read.limits)
        .map_err(unknown)?;
    let skins = choose::skins(&character, &options.subject.skins).map_err(unknown)?;
    let plan = options.plan(&character, &animations, &skins)?;
    Ok((character, plan))
}
