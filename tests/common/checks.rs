//! What must hold for any bytes whatever. The fuzz targets ask it, the mutations and the regressions do.
//!
//! Enters: the bytes of a file, from wherever they are. Everything here panics where something does not hold.

use bytes::Bytes;
use pchr::diagnostics::Diagnostics;
use pchr::draw::{Antialias, Filter, Settings};
use pchr::formats::pchr as v1;
use pchr::formats::{ReadOptions, from_bytes, from_reader};
use pchr::limits::{Budget, Limits};
use pchr::motion::{Cue, Position};
use pchr::{Character, Error, Result};

use super::show::show_shots;

/// What reading a file came to, and what was noticed on the way.
pub struct Verdict {
    /// The character, or why there is none.
    pub result: Result<Character>,
    /// The warnings.
    pub diagnostics: Diagnostics,
}

/// Reads `bytes` as every program does.
pub fn verdict(bytes: &Bytes, options: &ReadOptions) -> Verdict {
    let mut diagnostics = Diagnostics::default();
    let result = from_bytes(bytes.clone(), options, &mut diagnostics);
    Verdict { result, diagnostics }
}

/// Every other judge of the same bytes comes to the same verdict, and an error says where.
///
/// This is the one place for that: whoever judges files is asked here.
pub fn assert_same_verdict(bytes: &Bytes, options: &ReadOptions, verdict: &Verdict) {
    let told = |result: &Result<Character>| {
        result.as_ref().err().map(|error| (error.code(), error.place().cloned(), error.to_string()))
    };
    let mut streamed = Diagnostics::default();
    let result = from_reader(&bytes[..], bytes.len() as u64, options, &mut streamed);
    assert_eq!(told(&result), told(&verdict.result), "from a stream and from memory");
    assert!(streamed.warnings().eq(verdict.diagnostics.warnings()), "from a stream and from memory");
    if let Err(error) = &verdict.result {
        assert_says_where(error);
    }
}

/// An error about bytes names a place in them, but where no format knows them at all.
fn assert_says_where(error: &Error) {
    let has_none = ["unknown-format", "packed-pachario"].contains(&error.code());
    let place = error.place().unwrap_or_else(|| panic!("bytes cannot be a misuse: {error}"));
    let says_where = !place.path.is_empty() || place.offset.is_some();
    assert!(says_where || has_none, "this does not say where: {error}");
    // What was found stands after the place.
    assert!(error.to_string().len() > place.to_string().len(), "this does not say what: {error}");
}

fn within(limits: &Limits) -> ReadOptions {
    let mut options = ReadOptions::default();
    options.limits = limits.clone();
    options
}

/// The PCHR v1 reader by itself, with its numbers as they are and mirrored.
pub fn read_pchr(bytes: &Bytes, limits: &Limits) {
    let mut options = within(limits);
    for mirrored in [false, true] {
        (options.flip_v, options.y_down) = (mirrored, mirrored);
        let (mut budget, mut diagnostics) = (Budget::new(&options.limits), Diagnostics::default());
        let result = v1::read(bytes.clone(), &mut budget, &mut diagnostics)
            .and_then(|file| v1::build(&v1::Document::v1(file), &options, &mut budget, &mut diagnostics));
        if let Err(error) = result {
            assert_says_where(&error);
        }
    }
    assert_same_verdict(bytes, &options, &verdict(bytes, &options));
}

/// What is read and written again are the same bytes, without those after the last animation.
pub fn round_trip(bytes: &Bytes, limits: &Limits) {
    let mut diagnostics = Diagnostics::default();
    let Ok(file) = v1::read(bytes.clone(), &mut Budget::new(limits), &mut diagnostics) else { return };
    let written = v1::write(&file).unwrap_or_else(|error| panic!("what was read can be written: {error}"));
    assert!(bytes.starts_with(&written), "{} bytes are not the same when they are written", written.len());
    let trailing = diagnostics.warnings().find(|fault| fault.code == "trailing-bytes");
    let end = trailing.map_or(Some(bytes.len() as u64), |fault| fault.place.offset);
    assert_eq!(end, Some(written.len() as u64), "where the file ends, without trailing bytes");
}

/// What opens can be posed and drawn at any time.
pub fn evaluate_and_draw(bytes: &Bytes, limits: &Limits) {
    if let Ok(character) = verdict(bytes, &within(limits)).result {
        draw(&character);
    }
}

/// Draws the bind pose and a few instants of every animation, some of them far outside, in every way there is.
pub fn draw(character: &Character) {
    const SIZE: u32 = 24;
    let model = character.model();
    let mut cues = vec![Cue::default()];
    for animation in model.animation_ids().take(8) {
        let at =
            |position, interpolate| Cue { animation: Some(animation), position, interpolate, ..Cue::default() };
        let last = model.animation(animation).frame_count.saturating_sub(1);
        cues.extend([
            at(Position::frame(0), false),
            at(Position::Frame { frame: last, fraction: 0.5 }, true),
            at(Position::frame(u32::MAX), true),
            at(Position::Seconds(0.37), true),
            at(Position::Seconds(-1e300), true),
        ]);
    }
    let ways = [
        Settings::default(),
        Settings { filter: Filter::Linear, antialias: Antialias::Msaa4 },
        Settings { filter: Filter::Nearest, antialias: Antialias::Ssaa2 },
    ];
    let shots = cues.into_iter().enumerate().map(|(index, cue)| (cue, ways[index % ways.len()]));
    let picture = show_shots(character, SIZE, shots);
    assert_eq!(picture.pixels().len(), (SIZE * SIZE * 4) as usize);
    // Premultiplied: no colour is more than its alpha.
    let is_mixed = |pixel: &[u8; 4]| pixel[..3].iter().all(|&channel| channel <= pixel[3]);
    assert!(picture.pixels().as_chunks::<4>().0.iter().all(is_mixed), "a colour is more than its alpha");
}
