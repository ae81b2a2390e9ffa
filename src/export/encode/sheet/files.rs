//! The files of one sheet: their names, contents and order.
//!
//! The extension selects the kind: `.json` writes the JSON with separate PNGs, `.sprsh` both in one file, `.png`
//! the picture with embedded JSON. Pages after the first get a number.

use crate::export::options::{RenderOptions, SheetKind};
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Seek, Write};
use std::path::Path;

use super::describe::{SheetClip, SheetFiles, describe};
use super::positions::SheetPlan;
use crate::Error;
use crate::export::encode::destination::Destination;
use crate::export::error::ExportError;
use crate::export::files::OutputPath;
use crate::export::frames::{Drawing, Sequence};
use crate::export::plan::Planned;
use crate::formats::sheet::{Sheet, header};
use crate::math::Vec2;
use crate::motion::Cue;

/// Error code: the sheet needs several pages but the output can hold only one.
pub const SEVERAL_PAGES: &str = "several-pages";

/// Inputs of one sheet.
pub struct SheetJob<'a> {
    /// How frames are drawn.
    pub sequence: &'a Sequence<'a>,
    /// How the sheet is made.
    pub options: &'a RenderOptions,
    /// Its frames, at least one.
    pub pictures: &'a [Planned],
    /// Called after each processed frame, from any thread: [`SheetOptions::passes`](crate::export::SheetOptions::passes)
    /// times per frame, or less often if frames are identical.
    pub picture_done: &'a (dyn Fn() + Sync),
}

/// A sheet with known frame positions.
#[derive(Debug)]
pub struct PlannedSheet {
    plan: SheetPlan,
    sheet: Sheet,
    cues: Vec<Cue>,
    /// The files in the order in which they are written: a file that refers to others comes after them.
    pub files: Vec<SheetFile>,
}

/// One file of a sheet.
#[derive(Debug, Clone)]
pub struct SheetFile {
    /// Output path.
    pub path: OutputPath,
    content: Content,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Content {
    /// A page, with or without embedded metadata.
    Page { page: usize, has_text: bool },
    /// The metadata of a page.
    Text { page: usize },
    /// Metadata and page.
    Packed,
}

impl SheetJob<'_> {
    /// Computes the position of every frame and the files to write. Without a path it is one self-contained PNG.
    /// Returns `None` if cancelled.
    pub fn plan(
        &self,
        drawing: &mut Drawing<'_>,
        path: Option<&OutputPath>,
    ) -> Result<Option<PlannedSheet>, ExportError> {
        let cues: Vec<Cue> = self.pictures.iter().map(|picture| picture.cue.clone()).collect();
        let place = path.map_or_else(|| "stdout".into(), |path| path.display().to_string());
        let planned = self.sequence.plan_sheet(drawing, &cues, &self.options.output.sheet, self.picture_done)?;
        let Some(plan) = planned else { return Ok(None) };
        let (kind, default) =
            (path.map_or(Some(SheetKind::Png), |path| SheetKind::of_path(path)), OutputPath::named("sheet.png"));
        let Some(kind) = kind else {
            let message =
                format!("`{place}` does not have the extension of a sprite sheet, expected .json, .sprsh or .png");
            return Err(Error::misuse("other-format", message).into());
        };
        if plan.pages.len() > 1 && (path.is_none() || kind == SheetKind::Packed) {
            let who = if path.is_none() { "stdout can take only" } else { "a .sprsh file can hold only" };
            let message = format!("{who} one picture, these frames need {}", plan.pages.len());
            return Err(Error::misuse(SEVERAL_PAGES, message).into());
        }
        let path = path.unwrap_or(&default);
        let title = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let names = page_names(path, &title, kind, plan.pages.len());
        let sheet = self.describe(&plan, &title, &names)?;
        let files = files(path, &sheet, kind);
        Ok(Some(PlannedSheet { plan, sheet, cues, files }))
    }

    /// Writes one of the files of a sheet, without flushing it. Returns false if cancelled; the output is
    /// incomplete then.
    ///
    /// # Errors
    ///
    /// Fails if the file is not one of `planned`, and if rendering or writing fails.
    pub fn write(
        &self,
        drawing: &mut Drawing<'_>,
        planned: &PlannedSheet,
        file: &SheetFile,
        out: &mut (dyn Write + Send),
    ) -> Result<bool, ExportError> {
        let page = match file.content {
            Content::Page { page, .. } | Content::Text { page } => page,
            Content::Packed => 0,
        };
        if page >= planned.sheet.pages.len() {
            let message = format!("page {page} does not exist, the sheet has {}", planned.sheet.pages.len());
            return Err(Error::misuse("no-such-page", message).into());
        }
        let place = file.path.display().to_string();
        let failed = |error| ExportError::File(Error::io(&place, error));
        match file.content {
            Content::Page { page, has_text } => {
                let text = has_text.then(|| planned.sheet.json(page));
                self.page(drawing, planned, page, text.as_deref(), &place, out)
            }
            Content::Text { page } => {
                out.write_all(planned.sheet.json(page).as_bytes()).map_err(failed)?;
                Ok(true)
            }
            Content::Packed => self.packed(drawing, planned, &place, out),
        }
    }

    /// The file begins with the length of the picture, which is spooled to a temporary file until its length is
    /// known.
    fn packed(
        &self,
        drawing: &mut Drawing<'_>,
        planned: &PlannedSheet,
        place: &str,
        out: &mut (dyn Write + Send),
    ) -> Result<bool, ExportError> {
        let failed = |error| ExportError::File(Error::io(place, error));
        let temporary = |error| ExportError::File(Error::io(std::env::temp_dir().display(), error));
        let mut spool: BufWriter<File> = BufWriter::new(tempfile::tempfile().map_err(temporary)?);
        if !self.page(drawing, planned, 0, None, place, &mut spool)? {
            return Ok(false);
        }
        let mut picture = spool.into_inner().map_err(|error| failed(error.into_error()))?;
        let length = picture.stream_position().map_err(failed)?;
        picture.rewind().map_err(failed)?;
        let head = header(planned.sheet.json(0).as_bytes(), length)?;
        out.write_all(&head).map_err(failed)?;
        io::copy(&mut BufReader::new(picture), out).map_err(failed)?;
        Ok(true)
    }

    fn page(
        &self,
        drawing: &mut Drawing<'_>,
        planned: &PlannedSheet,
        page: usize,
        text: Option<&str>,
        place: &str,
        out: &mut (dyn Write + Send),
    ) -> Result<bool, ExportError> {
        let destination = Destination { place, out, picture_done: self.picture_done };
        self.sequence.write_sheet_page(drawing, &planned.cues, &planned.plan, page, text, destination)
    }

    fn describe(&self, plan: &SheetPlan, title: &str, pages: &[[String; 2]]) -> Result<Sheet, ExportError> {
        let view = &self.sequence.view;
        let origin = (view.pixel_from_world(Vec2::ZERO) + 0.5).floor();
        let (origin, canvas) = ([origin.x as i32, origin.y as i32], [view.width(), view.height()]);
        let files = SheetFiles { title, pages };
        Ok(describe(plan, &self.options.output.sheet, &self.clips(), canvas, origin, files)?)
    }

    /// Groups consecutive pictures of one animation into clips.
    fn clips(&self) -> Vec<SheetClip<'_>> {
        let Self { sequence, options, pictures, .. } = self;
        let model = sequence.character.model();
        let mut start = 0;
        let clip = |pictures: &[Planned]| {
            let frames = start..start + pictures.len();
            start = frames.end;
            let animation = pictures.first().and_then(|picture| picture.animation).map(|id| model.animation(id));
            let ends = animation.is_some_and(|animation| !animation.looping);
            SheetClip {
                name: animation.map_or("bind", |animation| &animation.name),
                frames,
                shown_ms: pictures.iter().map(|picture| 1000.0 * options.shown_secs(model, picture)).collect(),
                plays: options.subject.loops.map_or(u32::from(ends), u32::from),
            }
        };
        pictures.chunk_by(|a, b| a.animation == b.animation).map(clip).collect()
    }
}

/// Returns by page the name of its picture, and of the file with its metadata.
fn page_names(path: &Path, title: &str, kind: SheetKind, count: usize) -> Vec<[String; 2]> {
    let name = |page: usize, extension: &str| match page {
        0 => format!("{title}.{extension}"),
        page => format!("{title}-{page}.{extension}"),
    };
    let own_name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let of_page = |page: usize| match kind {
        SheetKind::Json if page == 0 => [name(0, "png"), own_name.clone()],
        SheetKind::Json => [name(page, "png"), name(page, "json")],
        SheetKind::Packed => [name(page, "png"), own_name.clone()],
        SheetKind::Png if page == 0 => [own_name.clone(), own_name.clone()],
        SheetKind::Png => [name(page, "png"), name(page, "png")],
    };
    (0..count).map(of_page).collect()
}

/// Returns the picture files, then the metadata files that refer to them.
fn files(path: &OutputPath, sheet: &Sheet, kind: SheetKind) -> Vec<SheetFile> {
    if kind == SheetKind::Packed {
        return vec![SheetFile { path: path.clone(), content: Content::Packed }];
    }
    let has_text = kind == SheetKind::Png;
    let file = |name: &str, content| SheetFile { path: path.with_file_name(name), content };
    let pages = sheet.pages.iter().enumerate();
    let mut files: Vec<SheetFile> =
        pages.map(|(page, names)| file(&names.image, Content::Page { page, has_text })).collect();
    // The metadata of the first page refers to the others and is written last.
    if has_text {
        files.reverse();
    } else {
        let texts = sheet.pages.iter().enumerate().rev();
        files.extend(texts.map(|(page, names)| file(&names.file, Content::Text { page })));
    }
    files
}
