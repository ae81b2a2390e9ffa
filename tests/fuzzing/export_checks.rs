//! Invariants of exporting any character that opens to clips and sheets: clips of every format are complete, and
//! sheets open again with the same number of frames.

use std::sync::atomic::AtomicBool;

use bytes::Bytes;
use pchr::Character;
use pchr::cpu::Renderer;
use pchr::diagnostics::Diagnostics;
use pchr::draw::{Overlays, Settings};
use pchr::error::{Error, Place, Result};
use pchr::export::{
    AnimatedFormat, Clip, Destination, Drawing, ExportError, Format, Rate, Sequence, SheetClip, SheetFiles,
    SheetLayout, SheetOptions, SheetProfile, SheetTrim, Surface, describe_sheet,
};
use pchr::formats::image::{decode_picture, decode_png};
use pchr::formats::{Input, Sidecars, from_input};
use pchr::limits::Limits;
use pchr::model::AnimationId;
use pchr::motion::{Cue, Motion, Position, evaluate};
use pchr::pose::{Pose, bounds, palette};

use super::opened::{assert_refused, open, within};
use crate::common::show::view_of;

/// Width and height of pictures in pixels.
const SIDE: u32 = 12;

/// Maximum number of pictures; more would not find more.
const MOST_PICTURES: u32 = 5;

/// Draws the first frames as a clip and as a sheet. The number of bytes selects the formats and options.
pub fn export(bytes: &Bytes, limits: &Limits) {
    let Some(character) = open(bytes, limits) else { return };
    let animation = character.model().default_animation();
    let cues = cues(&character, animation);
    let (mut pose, mut matrices) = (Pose::default(), Vec::new());
    evaluate(&character, &cues[0], &mut pose);
    palette(character.model(), &pose, &mut matrices);
    let view = view_of(SIDE, bounds(character.model(), &pose, &matrices));
    let cancelled = AtomicBool::new(false);
    let sequence = Sequence {
        character: &character,
        view,
        settings: Settings::default(),
        surface: Surface::default(),
        physics: bytes.len().is_multiple_of(2),
        hidden: None,
        overlays: Overlays::default(),
        jobs: 1,
        work: u64::MAX,
        visible: None,
        cancelled: &cancelled,
    };
    let renderer = Renderer::new(character.model());
    let formats: Vec<AnimatedFormat> = Format::ALL.into_iter().filter_map(Format::animated).collect();
    clip(&sequence, &renderer, &cues, formats[bytes.len() % formats.len()]);
    sheet(&sequence, &renderer, &cues, &sheet_options(bytes.len()), limits);
}

/// Returns cues for the first frames of an animation.
fn cues(character: &Character, animation: Option<AnimationId>) -> Vec<Cue> {
    let count = animation.map_or(1, |id| character.model().animation(id).frame_count());
    let cue = |frame| Cue { animation, position: Position::frame(frame), ..Cue::default() };
    (0..count.clamp(1, MOST_PICTURES)).map(cue).collect()
}

fn clip(sequence: &Sequence<'_>, renderer: &Renderer, cues: &[Cue], format: AnimatedFormat) {
    let clip = Clip { format, cues, rate: Rate::new(24.0), starts_secs: None, plays: 0, matte: None };
    let mut bytes = Vec::new();
    let destination = Destination { place: "clip", out: &mut bytes, picture_done: &|| () };
    let outcome = sequence.write_clip(&mut Drawing::cpu(renderer.clone()), &clip, destination);
    let Some(outcome) = drawn(outcome) else { return };
    assert!(outcome.is_finished, "{format:?}: the export was not cancelled");
    let pixels = 4 * sequence.view.width() as usize * sequence.view.height() as usize;
    match format {
        AnimatedFormat::Apng => {
            assert_eq!(decode_png(&bytes, Place::default).expect("an APNG is a PNG").len(), pixels);
        }
        AnimatedFormat::Webp => {
            assert_eq!(decode_picture(&bytes, Place::default).expect("it was written").len(), pixels);
        }
        AnimatedFormat::Gif => assert!(bytes.starts_with(b"GIF89a") && bytes.ends_with(b";")),
        AnimatedFormat::Raw => assert_eq!(bytes.len(), pixels * cues.len()),
        AnimatedFormat::Y4m => assert!(bytes.starts_with(b"YUV4MPEG2 ")),
    }
}

/// Unwraps the result; `None` if a limit was exceeded.
#[track_caller]
fn drawn<T>(result: Result<T, ExportError>) -> Option<T> {
    match result {
        Ok(drawn) => Some(drawn),
        Err(ExportError::File(error)) => {
            assert_refused(&error);
            None
        }
        Err(error) => panic!("{error}"),
    }
}

/// Returns a mix of all options.
fn sheet_options(seed: usize) -> SheetOptions {
    let trims = [SheetTrim::None, SheetTrim::Frame, SheetTrim::All];
    SheetOptions {
        profile: SheetProfile::ALL[seed % 3],
        layout: SheetLayout::ALL[seed / 3 % 5],
        trim: trims[seed / 7 % 3],
        merge: (seed / 11).is_multiple_of(2),
        pot: (seed / 13).is_multiple_of(2),
        extrude: (seed / 17 % 3) as u32,
        padding: (seed / 19 % 3) as u32,
        bleed: (seed / 23 % 2) as u32,
        // Some sheets need several pages.
        max_size: [16, 4096][seed / 29 % 2],
        ..SheetOptions::default()
    }
}

fn sheet(sequence: &Sequence<'_>, renderer: &Renderer, cues: &[Cue], options: &SheetOptions, limits: &Limits) {
    let mut drawing = Drawing::cpu(renderer.clone());
    let plan = match sequence.plan_sheet(&mut drawing, cues, options, &|| ()) {
        // A frame with its margins is larger than a page.
        Err(ExportError::File(Error::Misuse(fault))) => return assert_eq!(fault.code, "sheet-too-small"),
        plan => drawn(plan),
    };
    let Some(plan) = plan else { return };
    let plan = plan.expect("the export was not cancelled");
    let name = |page: usize| [format!("{page}.png"), format!("{page}.json")];
    let pages: Vec<[String; 2]> = (0..plan.pages.len()).map(name).collect();
    let clips = [SheetClip { name: "all", frames: 0..cues.len(), shown_ms: vec![40.0; cues.len()], plays: 0 }];
    let canvas = [sequence.view.width(), sequence.view.height()];
    let files = SheetFiles { title: "sheet", pages: &pages };
    let text = describe_sheet(&plan, options, &clips, canvas, [0, 0], files).expect("the names are distinct");
    let mut folder = Folder(Vec::new());
    for (page, [picture, json]) in pages.iter().enumerate() {
        let mut png = Vec::new();
        let destination = Destination { place: "page", out: &mut png, picture_done: &|| () };
        let written = sequence.write_sheet_page(&mut drawing, cues, &plan, page, None, destination);
        let Some(is_whole) = drawn(written) else { return };
        assert!(is_whole, "page {page}: the export was not cancelled");
        folder.0.push((json.clone(), text.json(page).into()));
        folder.0.push((picture.clone(), png.into()));
    }
    let mut options = within(limits);
    options.limits.file_bytes = u64::MAX;
    let input = Input { bytes: folder.0[0].1.clone(), sidecars: &folder };
    match from_input(&input, &options, &mut Diagnostics::default()) {
        Ok(back) => {
            let Motion::Flipbook(book) = back.motion() else { panic!("a sheet is not a flipbook") };
            assert_eq!(book.pictures().len(), cues.len());
            assert_eq!(back.model().pages().len(), pages.len());
        }
        Err(error) => assert_refused(&error),
    }
}

/// The written files.
struct Folder(Vec<(String, Bytes)>);

impl Sidecars for Folder {
    fn load(&self, path: &str, _limits: &Limits) -> Result<Result<Bytes, String>> {
        let found = self.0.iter().find(|(name, _)| name == path);
        Ok(found.map(|(_, bytes)| bytes.clone()).ok_or_else(|| format!("`{path}` was not written")))
    }

    fn own_name(&self) -> Option<&str> {
        Some("0.json")
    }

    fn size(&self, path: &str) -> Result<u64, String> {
        let found = self.0.iter().find(|(name, _)| name == path);
        found.map(|(_, bytes)| bytes.len() as u64).ok_or_else(|| format!("`{path}` was not written"))
    }
}
