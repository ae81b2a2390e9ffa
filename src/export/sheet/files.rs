//! One sheet as files: what they are called, what each holds, and in which order they are written.
//!
//! What is written the path says: `.json` is the JSON with PNGs beside it, `.sprsh` both in one file, `.png` the
//! picture with the JSON inside. Pages after the first get a number.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};

use super::{SheetClip, SheetFiles, SheetPlan, describe};
use crate::error::Error;
use crate::export::{Destination, Drawing, ExportError, Planned, RenderOptions, Sequence};
use crate::formats::sheet::{Sheet, header};
use crate::math::Vec2;
use crate::motion::Cue;

/// Code of the error of a sheet of several pages where one is all there is room for.
pub const SEVERAL_PAGES: &str = "several-pages";

/// What kind of file a sheet is written to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum SheetKind {
    /// The JSON, with its PNGs beside it.
    #[default]
    Json,
    /// Both in one file.
    Packed,
    /// The PNG, with the JSON inside.
    Png,
}

impl SheetKind {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Json, Self::Packed, Self::Png];

    /// How its files end.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Packed => "sprsh",
            Self::Png => "png",
        }
    }

    /// What `path` asks for; capitals do not matter.
    pub fn of_path(path: &Path) -> Option<Self> {
        let extension = path.extension()?;
        Self::ALL.into_iter().find(|kind| extension.eq_ignore_ascii_case(kind.extension()))
    }
}

/// Everything that one sheet is made of.
pub struct SheetJob<'a> {
    /// How frames are drawn.
    pub sequence: &'a Sequence<'a>,
    /// How the sheet is made.
    pub options: &'a RenderOptions,
    /// Its frames, at least one.
    pub pictures: &'a [Planned],
    /// Told after every frame that was worked on, from any thread: as often as
    /// [`SheetOptions::passes`](super::SheetOptions::passes) says, or less where frames are the same.
    pub worked: &'a (dyn Fn() + Sync),
}

/// A sheet whose frames have their places.
#[derive(Debug)]
pub struct PlannedSheet {
    plan: SheetPlan,
    sheet: Sheet,
    cues: Vec<Cue>,
    /// What is written, in this order: a file that names others comes after them.
    pub files: Vec<SheetFile>,
}

/// One file of a sheet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SheetFile {
    /// Where it goes.
    pub path: PathBuf,
    content: Content,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Content {
    /// A page, with its text inside or without.
    Page { page: usize, has_text: bool },
    /// The text of a page.
    Text { page: usize },
    /// Text and page.
    Packed,
}

impl SheetJob<'_> {
    /// Finds out where every frame goes and which files that makes. Without a path it is one PNG that opens by
    /// itself. `None` when it was cancelled.
    pub fn plan(
        &self,
        drawing: &mut Drawing<'_>,
        path: Option<&Path>,
    ) -> Result<Option<PlannedSheet>, ExportError> {
        let cues: Vec<Cue> = self.pictures.iter().map(|picture| picture.cue.clone()).collect();
        let place = path.map_or_else(|| "stdout".into(), |path| path.display().to_string());
        let planned = self.sequence.plan_sheet(drawing, &cues, &self.options.output.sheet, self.worked)?;
        let Some(plan) = planned else { return Ok(None) };
        let (kind, usual) = (path.map_or(Some(SheetKind::Png), SheetKind::of_path), Path::new("sheet.png"));
        let Some(kind) = kind else {
            let message = format!("`{place}` does not say what kind of sheet to write");
            return Err(Error::misuse("other-format", message).into());
        };
        if plan.pages.len() > 1 && (path.is_none() || kind == SheetKind::Packed) {
            let who = if path.is_none() { "stdout takes" } else { "a .sprsh holds" };
            let message = format!("{who} one picture, these frames take {}", plan.pages.len());
            return Err(Error::misuse(SEVERAL_PAGES, message).into());
        }
        let path = path.unwrap_or(usual);
        let title = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let names = page_names(path, &title, kind, plan.pages.len());
        let sheet = self.describe(&plan, &title, &names)?;
        let files = files(path, &sheet, kind);
        Ok(Some(PlannedSheet { plan, sheet, cues, files }))
    }

    /// Writes one of the files of a sheet, which it does not flush. Returns false when it was cancelled: what was
    /// written is no whole file.
    ///
    /// Refuses a file that is not one of `planned`.
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

    /// The file begins with the length of the picture, which waits in a temporary file until that is known.
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
        let destination = Destination { place, out, worked: self.worked };
        self.sequence.write_sheet_page(drawing, &planned.cues, &planned.plan, page, text, destination)
    }

    fn describe(&self, plan: &SheetPlan, title: &str, pages: &[[String; 2]]) -> Result<Sheet, ExportError> {
        let view = &self.sequence.view;
        let origin = (view.pixel_from_world(Vec2::ZERO) + 0.5).floor();
        let (origin, canvas) = ([origin.x as i32, origin.y as i32], [view.width(), view.height()]);
        let files = SheetFiles { title, pages };
        Ok(describe(plan, &self.options.output.sheet, &self.clips(), canvas, origin, files)?)
    }

    /// Neighbouring pictures of one animation are one clip.
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

/// By page: the name of its picture, and of the file that says how the frames lie on it.
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

/// Pictures, and after them the JSON that names them.
fn files(path: &Path, sheet: &Sheet, kind: SheetKind) -> Vec<SheetFile> {
    if kind == SheetKind::Packed {
        return vec![SheetFile { path: path.to_owned(), content: Content::Packed }];
    }
    let has_text = kind == SheetKind::Png;
    let file = |name: &str, content| SheetFile { path: path.with_file_name(name), content };
    let pages = sheet.pages.iter().enumerate();
    let mut files: Vec<SheetFile> =
        pages.map(|(page, names)| file(&names.image, Content::Page { page, has_text })).collect();
    // That of the first page names the others, and comes last.
    if has_text {
        files.reverse();
    } else {
        let texts = sheet.pages.iter().enumerate().rev();
        files.extend(texts.map(|(page, names)| file(&names.file, Content::Text { page })));
    }
    files
}
