//! Invariants that must hold for any input read as a Spine skeleton or atlas.
//!
//! Every function panics if an invariant does not hold.

use bytes::Bytes;
use pchr::Animator;
use pchr::Character;
use pchr::diagnostics::Diagnostics;
use pchr::formats::{Input, ReadOptions, Sidecars, spine};
use pchr::limits::Limits;
use pchr::model::Model;
use pchr::motion::{Cue, Direction, Dynamics, Layer, Mix, Position, Span, evaluate, for_each_event};
use pchr::player::LoopMode;
use pchr::pose::{Pose, palette};
use pchr::{Error, Result};

/// The picture of the fixtures.
const PNG: &[u8] = include_bytes!("../fixtures/pchr-json/description/atlas.png");

/// A skeleton that uses the regions of the atlas.
const SKELETON: &str = r#"{"skeleton":{"spine":"3.8.99"},"bones":[{"name":"root"}],
    "slots":[{"name":"s","bone":"root","attachment":"hat"},{"name":"t","bone":"root","attachment":"cap"}],
    "skins":[{"name":"default","attachments":{"s":{"hat":{}},"t":{"cap":{"type":"mesh","uvs":[0,0,1,0,1,1],
    "triangles":[0,1,2],"vertices":[0,0,9,0,9,9]}}}}]}"#;

/// The atlas of the skeleton.
pub const ATLAS: &str = "page.png\nsize: 64, 32\npma: true\nhat\nbounds: 2, 4, 16, 8\noffsets: 4, 2, 20, 10\n\
    rotate: 90\ncap\n  rotate: true\n  xy: 1, 2\n  size: 3, 4\n  orig: 5, 6\n  offset: 1, 1\n";

/// Returns the atlas or the picture for any path.
struct Beside(Bytes);

impl Sidecars for Beside {
    fn load(&self, path: &str, _limits: &Limits) -> Result<Result<Bytes, String>> {
        Ok(Ok(if path.ends_with(".atlas") { self.0.clone() } else { Bytes::from_static(PNG) }))
    }

    fn own_name(&self) -> Option<&str> {
        Some("hero.json")
    }

    fn size(&self, _path: &str) -> Result<u64, String> {
        Ok(PNG.len() as u64)
    }
}

/// Reads a skeleton with an atlas, or an atlas with a skeleton: input that begins with a brace is a skeleton.
pub fn read(bytes: &Bytes, limits: &Limits) -> Result<Character> {
    let options = ReadOptions { limits: limits.clone(), ..ReadOptions::default() };
    let (skeleton, atlas) = match bytes.first() {
        Some(b'{') => (bytes.clone(), Bytes::from_static(ATLAS.as_bytes())),
        _ => (Bytes::from_static(SKELETON.as_bytes()), bytes.clone()),
    };
    pchr::formats::spine::read_character(
        &Input { bytes: skeleton, sidecars: &Beside(atlas) },
        &options,
        &mut Diagnostics::default(),
    )
}

/// Reads a binary skeleton, or whatever the bytes are, with the atlas.
pub fn read_binary(bytes: &Bytes, limits: &Limits) -> Result<Character> {
    let options = ReadOptions { limits: limits.clone(), ..ReadOptions::default() };
    let beside = Beside(Bytes::from_static(ATLAS.as_bytes()));
    pchr::formats::spine::read_character(
        &Input { bytes: bytes.clone(), sidecars: &beside },
        &options,
        &mut Diagnostics::default(),
    )
}

/// Asserts that any binary skeleton gives a character that can be posed at any time, or an error with a place.
pub fn read_skel(bytes: &Bytes, limits: &Limits) {
    match read_binary(bytes, limits) {
        Ok(character) => pose(&character, bytes.len()),
        Err(error) => assert_placed_in_binary(&error, bytes),
    }
}

/// Like [`read_skel`], without posing the character, so that many more inputs can be tried.
pub fn parse_skel(bytes: &Bytes, limits: &Limits) {
    match read_binary(bytes, limits) {
        Ok(character) => assert_sound(character.model()),
        Err(error) => assert_placed_in_binary(&error, bytes),
    }
}

/// Like [`read_spine`], without posing the character.
pub fn parse_spine(bytes: &Bytes, limits: &Limits) {
    match read(bytes, limits) {
        Ok(character) => assert_sound(character.model()),
        Err(error) => assert_placed(&error),
    }
}

/// Asserts that no index dangles, parents precede their children, and numbers are finite.
pub fn assert_sound(model: &Model) {
    let bones = model.skeleton().bones();
    for (index, bone) in bones.iter().enumerate() {
        assert!(bone.parent.is_none_or(|parent| parent.index() < index), "the parent of bone {index} follows it");
    }
    for slot in model.slots() {
        assert!(slot.bone.is_none_or(|bone| bone.index() < bones.len()), "{slot:?}");
        assert!(slot.attachment.is_none_or(|id| id.index() < model.attachments().len()), "{slot:?}");
        assert!(slot.tint.light.iter().chain(slot.tint.dark.iter().flatten()).all(|part| part.is_finite()));
    }
    for animation in model.animations() {
        assert!(animation.duration_secs().is_finite() && animation.duration_secs() >= 0.0, "{}", animation.name);
    }
}

/// Asserts that an error about a binary skeleton has a byte offset and the path of a value.
pub fn assert_placed_in_binary(error: &Error, bytes: &Bytes) {
    let place = error.place().unwrap_or_else(|| panic!("an error of the file, not a misuse: {error}"));
    // What is no skeleton is read as JSON; an atlas is another file.
    if place.file.is_some() || spine::kind(bytes) != Some("Spine skeleton (binary)") {
        return assert_placed(error);
    }
    if let Error::LimitExceeded(excess) = error
        && excess.limit == "file-bytes"
    {
        return;
    }
    assert!(place.path.starts_with('/'), "no path: {error}");
    assert!(place.offset.is_some_and(|offset| offset <= bytes.len() as u64), "no offset: {error}");
}

/// Asserts that any input gives a character that can be posed at any time, or an error that names a place.
pub fn read_spine(bytes: &Bytes, limits: &Limits) {
    match read(bytes, limits) {
        Ok(character) => pose(&character, bytes.len()),
        Err(error) => assert_placed(&error),
    }
}

/// Asserts that an error names a place in the file, unless it concerns the whole file.
pub fn assert_placed(error: &Error) {
    let place = error.place().unwrap_or_else(|| panic!("an error of the file, not a misuse: {error}"));
    let is_whole_file = ["bad-json", "spine-binary"].contains(&error.code());
    let is_placed = !place.path.is_empty() || place.file.is_some() || place.offset.is_some();
    assert!(is_placed || is_whole_file, "{error}");
}

/// Evaluates a few poses, with and without layers, skins and an animator, chosen by `seed` alone.
pub fn pose(character: &Character, seed: usize) {
    const TIMES: [f64; 6] = [0.0, 0.37, 1.0, -1e300, 7.7, f64::INFINITY];
    const MIXES: [Mix; 5] = [Mix::Setup, Mix::First, Mix::Replace, Mix::Add, Mix::Fade];
    let model = character.model();
    let animations: Vec<_> = model.animation_ids().collect();
    let (mut pose, mut matrices) = (Pose::default(), Vec::new());
    let mut show = |cue: &Cue| {
        evaluate(character, cue, &mut pose);
        assert_eq!(pose.world_from_bone.len(), model.skeleton().bones().len());
        assert_eq!(pose.draw_order.len(), model.slots().len());
        palette(model, &pose, &mut matrices);
    };
    show(&Cue::default());
    let skins: Vec<_> = model.skins().iter().filter_map(|skin| model.find_skin(&skin.name)).take(3).collect();
    let Some(count) = std::num::NonZero::new(animations.len()) else { return };
    for step in 0..3 {
        let (one, other) = (animations[(seed + step) % count], animations[(seed / 7 + step) % count]);
        let position = Position::Seconds(TIMES[(seed + step) % TIMES.len()]);
        let layer = Layer {
            alpha: 0.3,
            mix: MIXES[(seed / 3 + step) % MIXES.len()],
            direction: if step == 1 { Direction::Out } else { Direction::In },
            ..Layer::new(other, position)
        };
        let skins = skins.get(step..).unwrap_or_default().to_vec();
        show(&Cue { animation: Some(one), position, skins, layers: vec![layer], ..Cue::default() });
        let mut fired = 0;
        for_each_event(character, one, Span { from: -1.0, to: 0.8, looping: step == 0 }, |_| fired += 1);
    }
    let mut dynamics = Dynamics::default();
    for (step, dt) in [0.017, 0.3, 1e9, f64::INFINITY, 0.001].into_iter().enumerate() {
        let cue = Cue {
            animation: Some(animations[(seed + step) % count]),
            position: Position::Seconds(TIMES[(seed + step) % TIMES.len()]),
            ..Cue::default()
        };
        dynamics.update(character, &cue, dt, &mut pose);
        assert_eq!(pose.world_from_bone.len(), model.skeleton().bones().len());
    }
    let mut animator = Animator::new(character.clone());
    animator.set_fade_secs(0.1);
    for step in 0..4 {
        let playback = animator.play_on(step % 2, animations[(seed + step) % count]).expect("the animation");
        playback.set_loop_mode(if step == 0 { LoopMode::Loop } else { LoopMode::Once });
        for _ in 0..4 {
            animator.update(0.02);
            assert_eq!(animator.pose().world_from_bone.len(), model.skeleton().bones().len());
        }
    }
}
