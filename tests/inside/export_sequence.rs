//! Sequences of pictures with failures.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};

use crate::common;
use pchr::Character;
use pchr::cpu::Renderer;
use pchr::draw::{DrawList, Overlays, Picture, Settings, View};
use pchr::export::{
    AnimatedFormat, Background, BackgroundFit, Clip, ContactGrid, ContactSheet, Destination, Drawing, ExportError,
    Format, Outcome, OutputPath, Pipeline, Planned, Rate, Sequence, Shot, Surface,
};
use pchr::limits::Limits;
use pchr::math::vec2;
use pchr::model::Model;
use pchr::motion::{Cue, Position};

const SHOTS: u32 = 9;

/// Draws on the CPU until its device is lost.
struct Losing {
    renderer: Renderer,
    drawn: Vec<Picture>,
    left: usize,
}

impl Pipeline for &mut Losing {
    fn submit(
        &mut self,
        model: &Model,
        list: &DrawList,
        view: &View,
        settings: Settings,
        _: Option<&Arc<Picture>>,
    ) -> Result<(), ExportError> {
        self.left = self.left.checked_sub(1).ok_or_else(|| ExportError::Render("the device was lost".into()))?;
        let mut picture = Picture::default();
        self.renderer.render(model, list, view, settings, &mut picture);
        self.drawn.push(picture);
        Ok(())
    }

    fn receive(&mut self, picture: &mut Picture) -> Result<(), ExportError> {
        *picture = self.drawn.remove(0);
        Ok(())
    }
}

fn shots(folder: &Path) -> Vec<Shot> {
    let wave = |character: &Character| character.model().find_animation("wave");
    let animation = wave(&common::read(&common::tiny()));
    let cue = |frame| Cue { animation, position: Position::frame(frame), interpolate: false, ..Cue::default() };
    (0..SHOTS)
        .map(|frame| Shot {
            cue: cue(frame),
            path: OutputPath::below(folder, format!("{frame}.png")),
            overwrite: false,
        })
        .collect()
}

static LIMITS: LazyLock<Limits> = LazyLock::new(Limits::default);

fn sequence<'a>(character: &'a Character, cancelled: &'a AtomicBool) -> Sequence<'a> {
    Sequence {
        character,
        view: View::new(40, 40, vec2(-20.0, 30.0), 1.0),
        settings: Settings::default(),
        background: &Background::Transparent,
        background_fit: BackgroundFit::default(),
        background_opacity: 1.0,
        matte: None,
        surface: Surface::default(),
        physics: false,
        hidden: None,
        overlays: Overlays::default(),
        is_optimized: false,
        jobs: 2,
        limits: &LIMITS,
        visible: None,
        cancelled,
    }
}

#[test]
fn the_cpu_draws_the_rest_after_a_lost_device() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (character, cancelled) = (common::read(&common::tiny()), AtomicBool::new(false));
    let sequence = sequence(&character, &cancelled);
    let expected = folder.path().join("expected");
    let engine = Renderer::new(character.model());
    sequence.write(&mut Drawing::cpu(engine.clone()), &shots(&expected), &|_| ()).expect("the CPU draws");
    for left in 0..=SHOTS as usize {
        let found = folder.path().join(left.to_string());
        let (written, fell_back) = (AtomicUsize::new(0), AtomicBool::new(false));
        let mut losing = Losing { renderer: engine.clone(), drawn: Vec::new(), left };
        let count = |_: &Shot| {
            written.fetch_add(1, Ordering::Relaxed);
        };
        let mut drawing = Drawing::pipeline(Box::new(&mut losing)).or_cpu_with(|error| {
            assert!(matches!(error, ExportError::Render(_)), "{error}");
            fell_back.store(true, Ordering::Relaxed);
        });
        let finished = sequence.write(&mut drawing, &shots(&found), &count);
        drop(drawing);
        assert!(finished.expect("nothing is lost with the device"));
        assert_eq!(fell_back.into_inner(), left < SHOTS as usize);
        assert_eq!(written.into_inner(), SHOTS as usize, "each is written once");
        for frame in 0..SHOTS {
            let read = |folder: &Path| fs::read(folder.join(format!("{frame}.png"))).expect("it is written");
            assert!(read(&found) == read(&expected), "frame {frame} with {left} drawn before");
        }
    }
}

fn formats() -> impl Iterator<Item = AnimatedFormat> {
    // ffmpeg is not needed for tests of what precedes it.
    Format::ALL.into_iter().filter(|format| !format.is_compressed_video()).filter_map(Format::animated)
}

/// Returns the bytes of a clip, and its outcome.
fn clip(
    sequence: &Sequence<'_>,
    drawing: &mut Drawing<'_>,
    format: AnimatedFormat,
) -> Result<(Vec<u8>, Outcome), ExportError> {
    let cues: Vec<Cue> = shots(Path::new("")).iter().map(|shot| shot.cue.clone()).collect();
    let clip = Clip { format, cues: &cues, rate: Rate::new(24.0), starts_secs: None, plays: 0, dither: false };
    let mut bytes = Vec::new();
    let worked = AtomicUsize::new(0);
    let count = || {
        worked.fetch_add(1, Ordering::Relaxed);
    };
    let destination = Destination { place: "clip", out: &mut bytes, picture_done: &count };
    let outcome = sequence.write_clip(drawing, &clip, destination)?;
    if outcome.is_finished {
        assert_eq!(worked.into_inner(), SHOTS as usize * format.passes(), "{format:?}");
    }
    Ok((bytes, outcome))
}

#[test]
fn a_clip_is_complete_whenever_the_device_is_lost() {
    let (character, cancelled) = (common::read(&common::tiny()), AtomicBool::new(false));
    let sequence = sequence(&character, &cancelled);
    let engine = Renderer::new(character.model());
    for format in formats() {
        let expected = clip(&sequence, &mut Drawing::cpu(engine.clone()), format);
        let (expected, outcome) = expected.expect("the CPU draws");
        assert!(outcome.is_finished && expected.len() > 100, "{format:?}");
        let submitted = SHOTS as usize * format.passes();
        for left in 0..=submitted {
            let mut losing = Losing { renderer: engine.clone(), drawn: Vec::new(), left };
            let mut fell_back = 0;
            let mut drawing = Drawing::pipeline(Box::new(&mut losing)).or_cpu_with(|_| fell_back += 1);
            let (found, _) = clip(&sequence, &mut drawing, format).expect("nothing is lost with the device");
            assert_eq!(drawing.name() == "cpu", left < submitted);
            drop(drawing);
            assert!(found == expected, "{format:?} with {left} drawn before");
            assert_eq!(fell_back, usize::from(left < submitted), "it falls back once");
        }
        let mut losing = Losing { renderer: engine.clone(), drawn: Vec::new(), left: 3 };
        let lost = clip(&sequence, &mut Drawing::pipeline(Box::new(&mut losing)), format);
        assert!(matches!(lost, Err(ExportError::Render(_))), "without fallback the error is returned");
    }
}

/// Returns a contact sheet of nine frames and whether it is complete.
fn contact_sheet(sequence: &Sequence<'_>, drawing: &mut Drawing<'_>) -> Result<(Vec<u8>, bool), ExportError> {
    let pictures: Vec<Planned> = shots(Path::new(""))
        .into_iter()
        .zip(0..)
        .map(|(shot, frame)| Planned { animation: shot.cue.animation, frame, cue: shot.cue, path: None })
        .collect();
    let sheet = ContactSheet { grid: ContactGrid::new(4, Some(3)), pictures: &pictures };
    let mut bytes = Vec::new();
    let destination = Destination { place: "sheet", out: &mut bytes, picture_done: &|| () };
    let is_finished = sequence.write_contact_sheet(drawing, sheet, destination)?;
    Ok((bytes, is_finished))
}

#[test]
fn a_contact_sheet_is_complete_whenever_the_device_is_lost() {
    let (character, cancelled) = (common::read(&common::tiny()), AtomicBool::new(false));
    let sequence = sequence(&character, &cancelled);
    let engine = Renderer::new(character.model());
    let expected = contact_sheet(&sequence, &mut Drawing::cpu(engine.clone())).expect("the CPU draws");
    assert!(expected.1 && expected.0.len() > 1000);
    for left in 0..=SHOTS as usize {
        let mut losing = Losing { renderer: engine.clone(), drawn: Vec::new(), left };
        let mut drawing = Drawing::pipeline(Box::new(&mut losing)).or_cpu_with(|_| ());
        let found = contact_sheet(&sequence, &mut drawing).expect("nothing is lost with the device");
        assert!(found == expected, "with {left} drawn before");
        assert_eq!(drawing.name() == "cpu", left < SHOTS as usize);
    }
    let mut losing = Losing { renderer: engine, drawn: Vec::new(), left: 3 };
    let lost = contact_sheet(&sequence, &mut Drawing::pipeline(Box::new(&mut losing)));
    assert!(matches!(lost, Err(ExportError::Render(_))), "without fallback the error is returned");
}

#[test]
fn a_cancelled_contact_sheet_is_not_finished() {
    let (character, cancelled) = (common::read(&common::tiny()), AtomicBool::new(true));
    let mut drawing = Drawing::cpu(Renderer::new(character.model()));
    assert!(!contact_sheet(&sequence(&character, &cancelled), &mut drawing).expect("that is no error").1);
}

#[test]
fn a_contact_sheet_refuses_more_pictures_than_cells() {
    let (character, cancelled) = (common::read(&common::tiny()), AtomicBool::new(false));
    let picture = Planned { animation: None, frame: 0, cue: Cue::default(), path: None };
    let sheet = ContactSheet {
        grid: ContactGrid::new(1, Some(2)),
        pictures: &[picture.clone(), picture.clone(), picture],
    };
    let destination = Destination { place: "sheet", out: &mut Vec::new(), picture_done: &|| () };
    let mut drawing = Drawing::cpu(Renderer::new(character.model()));
    let error = sequence(&character, &cancelled).write_contact_sheet(&mut drawing, sheet, destination);
    assert!(error.expect_err("one too many").to_string().contains("3 pictures do not fit"));
}

#[test]
fn a_cancelled_clip_is_not_finished() {
    let (character, cancelled) = (common::read(&common::tiny()), AtomicBool::new(true));
    let engine = Renderer::new(character.model());
    for format in formats() {
        let mut drawing = Drawing::cpu(engine.clone());
        let (_, outcome) =
            clip(&sequence(&character, &cancelled), &mut drawing, format).expect("that is no error");
        assert!(!outcome.is_finished, "{format:?}");
    }
}

#[test]
fn the_first_error_ends_a_sequence_and_leaves_complete_files() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (character, cancelled) = (common::read(&common::tiny()), AtomicBool::new(false));
    let shots = shots(folder.path());
    fs::write(&shots[4].path, "in the way").expect("it can be written");
    let engine = Renderer::new(character.model());
    let result = sequence(&character, &cancelled).write(&mut Drawing::cpu(engine.clone()), &shots, &|_| ());
    assert!(matches!(result, Err(ExportError::File(_))));
    for entry in fs::read_dir(folder.path()).expect("a folder") {
        let path = entry.expect("an entry").path();
        let bytes = fs::read(&path).expect("a file");
        assert!(bytes.ends_with(b"IEND\xaeB`\x82") || bytes == b"in the way", "{}", path.display());
    }
}

#[test]
fn a_cancelled_sequence_starts_nothing() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (character, cancelled) = (common::read(&common::tiny()), AtomicBool::new(true));
    let engine = Renderer::new(character.model());
    let finished =
        sequence(&character, &cancelled).write(&mut Drawing::cpu(engine.clone()), &shots(folder.path()), &|_| ());
    assert!(!finished.expect("that is no error"));
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
}
