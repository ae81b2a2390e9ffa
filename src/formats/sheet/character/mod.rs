//! Characters of Friday Night Funkin' engines: Psych Engine (JSON), V-Slice (JSON) and Codename Engine (XML).
//!
//! Such a file names sheets, and lists animations with the frames, rate, loop, offset and mirroring of each. The sheets
//! are searched for as in a game, in the folder `images` beside a folder that contains the file. Its place on a stage,
//! icons and times are not read. Pictures are Sparrow sheets, Packer sheets (`.txt`), or one texture atlas of Adobe Animate.

#[cfg(feature = "animate")]
mod atlas;
mod codename;
mod find;
mod frames;
mod json;
mod packer;
#[cfg(feature = "convert")]
mod unrolled;

use std::collections::{HashMap, HashSet};

use super::loose::Scalar;
use super::parts::{Dialect, Gathered, Part, Picture, Related, check_frames};
use super::schema::{Frame, Meta, Number};
use super::starling;
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Place, Result, escaped};
use crate::formats::Sidecars;
use crate::formats::detect::sheet::Engine;
use crate::limits::Budget;
use crate::math::Vec2;

#[cfg(feature = "animate")]
pub use atlas::read_atlas;
#[cfg(feature = "convert")]
pub use atlas::texts_of_atlas;
#[cfg(feature = "convert")]
pub use unrolled::unrolled;

/// Frames per second where a file states none.
const FPS: f64 = 24.0;

/// A character in the terms of all engines.
#[derive(Default)]
struct Described {
    /// Paths below `images`, without an extension.
    sheets: Vec<String>,
    animations: Vec<Listed>,
    is_flipped: bool,
    scale: f64,
    is_smooth: bool,
    /// The animation to show first.
    start: Option<String>,
}

impl Described {
    fn read(
        bytes: &[u8],
        engine: Engine,
        sidecars: &dyn Sidecars,
        budget: &mut Budget<'_>,
        diagnostics: &mut Diagnostics,
    ) -> Result<Self> {
        match engine {
            Engine::Codename => codename::read(bytes, sidecars.own_name(), budget, diagnostics),
            Engine::Psych | Engine::VSlice => json::read(bytes, budget, diagnostics),
        }
    }
}

/// An animation.
struct Listed {
    place: Place,
    name: String,
    prefix: String,
    /// The first and the last number of each range; all frames if there are none.
    ranges: Vec<[u64; 2]>,
    fps: f64,
    looping: bool,
    /// Pixels by which the picture is moved left and up.
    offset: [f64; 2],
    flip: [bool; 2],
    /// True if the prefix is the name of a symbol rather than a label of a texture atlas.
    #[cfg_attr(not(feature = "animate"), expect(dead_code, reason = "only atlases have symbols"))]
    is_symbol: bool,
    /// The sheet that it is in, if it is not in those of the character.
    sheet: Option<String>,
}

/// An animation with the frames that it shows.
pub struct Played {
    pub name: String,
    /// Indices into the frames of all parts.
    pub frames: Vec<u32>,
    pub fps: f64,
    pub looping: bool,
    /// The place of the upper-left corner of a frame, y up.
    pub corner: Vec2,
}

/// What a character adds to the frames of its sheets.
pub struct Play {
    pub animations: Vec<Played>,
    pub scale: f32,
    pub is_smooth: bool,
    pub start: Option<String>,
}

/// Gathers the frames of all sheets, and the animations.
pub fn gather(
    bytes: &[u8],
    engine: Engine,
    sidecars: &dyn Sidecars,
    budget: &mut Budget<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Gathered> {
    let mut described = Described::read(bytes, engine, sidecars, budget, diagnostics)?;
    budget.charge_records(described.animations.len() as u64, || Place::inside("animations"))?;
    let mut sheets = Sheets::default();
    let mut used = HashSet::new();
    for path in &described.sheets {
        let sheet = sheets.files.load(path, engine, sidecars, budget)?;
        sheets.own.extend(sheet.filter(|index| used.insert(*index)));
    }
    let has_sheets = !sheets.own.is_empty() || described.animations.iter().any(|listed| listed.sheet.is_some());
    if let (false, Some(why)) = (has_sheets, sheets.files.missing.pop()) {
        return Err(Error::malformed("no-frames", Place::inside(engine.image_key()), why));
    }
    let mut animations = Vec::with_capacity(described.animations.len());
    for listed in std::mem::take(&mut described.animations) {
        let flip = [listed.flip[0] != described.is_flipped, listed.flip[1]];
        let parts: Vec<usize> = match &listed.sheet {
            Some(path) => sheets.files.load(path, engine, sidecars, budget)?.into_iter().collect(),
            None => sheets.own.clone(),
        };
        let (found, missing) = frames::find(&sheets.files.parts, &parts, &listed, budget)?;
        if found.is_empty() {
            let message = format!(
                "the animation `{}` is left out: none of its frames exists; their names start with `{}`",
                escaped(&listed.name),
                escaped(&listed.prefix)
            );
            diagnostics.warn("bad-tag", listed.place, message);
            continue;
        }
        if missing > 0 {
            let message =
                format!("{missing} of the indices of `{}` have no frame; they are skipped", escaped(&listed.name));
            diagnostics.warn("bad-tag", listed.place.clone(), message);
        }
        sheets.files.flips(&parts, flip, budget)?;
        animations.push((listed, flip, found));
    }
    let Files { parts, flips, missing, .. } = sheets.files;
    for why in missing {
        diagnostics.incomplete("missing-image", Place::inside(engine.image_key()), why);
    }
    check_frames(&parts, diagnostics)?;
    if animations.is_empty() {
        let message = "the character has no animation with frames; there is nothing to show";
        return Err(Error::malformed("no-frames", Place::inside("animations"), message));
    }
    let starts = starts(&parts, &flips);
    let animations = animations.into_iter().map(|(listed, flip, found)| Played {
        frames: found.iter().filter_map(|(part, frame)| Some(starts.get(&(*part, flip))? + frame)).collect(),
        name: listed.name,
        fps: listed.fps,
        looping: listed.looping,
        // Adding 0 turns -0 into 0.
        corner: Vec2::new(0.0 - listed.offset[0] as f32, listed.offset[1] as f32),
    });
    let play = Play {
        animations: animations.collect(),
        scale: described.scale as f32,
        is_smooth: described.is_smooth,
        start: described.start,
    };
    let parts = parts.into_iter().zip(flips).map(|(part, flips)| flipped(part, &flips)).collect();
    Ok(Gathered { parts, meta: Meta::default(), play: Some(play), ..Gathered::default() })
}

/// The sheets of a character.
#[derive(Default)]
struct Sheets {
    files: Files,
    /// Those of animations that do not name another.
    own: Vec<usize>,
}

/// The sheets by their path, `None` for one that is missing.
#[derive(Default)]
struct Files {
    known: HashMap<String, Option<usize>>,
    parts: Vec<Part>,
    /// The ways in which the frames of each are mirrored.
    flips: Vec<Vec<[bool; 2]>>,
    /// Why others are missing.
    missing: Vec<String>,
    /// Bytes read so far.
    total: u64,
}

impl Files {
    /// Returns the sheet at a path, which is loaded once.
    fn load(
        &mut self,
        path: &str,
        engine: Engine,
        sidecars: &dyn Sidecars,
        budget: &mut Budget<'_>,
    ) -> Result<Option<usize>> {
        if let Some(known) = self.known.get(path) {
            return Ok(*known);
        }
        budget.charge_records(1, || Place::inside(engine.image_key()))?;
        let index = match find::sheet(path, engine, sidecars, budget)? {
            Ok(found) => {
                let picture = found.picture.as_ref().map_or(0, |(bytes, _)| bytes.len());
                self.total = self.total.saturating_add(found.bytes.len() as u64).saturating_add(picture as u64);
                budget.check_file(self.total).map_err(|error| error.in_file(&*found.name))?;
                self.parts.push(part(found, engine, budget)?);
                self.flips.push(Vec::new());
                Some(self.parts.len() - 1)
            }
            Err(why) => {
                self.missing.push(why);
                None
            }
        };
        self.known.insert(path.to_owned(), index);
        Ok(index)
    }

    /// Adds a way of mirroring the frames of sheets.
    fn flips(&mut self, parts: &[usize], flip: [bool; 2], budget: &mut Budget<'_>) -> Result<()> {
        for &index in parts {
            let (Some(part), Some(flips)) = (self.parts.get(index), self.flips.get_mut(index)) else { continue };
            if !flips.contains(&flip) {
                flips.push(flip);
                budget.charge_memory(part.frames.len() as u64, 2 * size_of::<Frame>(), || part.place(""))?;
            }
        }
        Ok(())
    }
}

/// Reads a sheet.
fn part(found: find::Found, engine: Engine, budget: &mut Budget<'_>) -> Result<Part> {
    let is_packer = found.name.ends_with(".txt");
    let file = Related::new(found.name, engine.image_key());
    let (read, dialect) = match is_packer {
        true => (packer::read(&found.bytes, budget), Dialect::Atlas),
        false => {
            (starling::read(&found.bytes, budget).map(|root| root.frames.unwrap_or_default()), Dialect::Starling)
        }
    };
    let mut frames = read.map_err(|error| file.relocate_error(error))?.list;
    // The engines do not read pivots.
    frames.iter_mut().for_each(|frame| frame.pivot = None);
    budget.charge_records(frames.len() as u64, || Place::inside(engine.image_key()))?;
    let picture = Picture::Found(found.picture);
    Ok(Part { dialect, file: Some(file), picture, frames, ..Part::default() })
}

/// Returns the index of the first frame of each part for each way of mirroring.
fn starts(parts: &[Part], flips: &[Vec<[bool; 2]>]) -> HashMap<(usize, [bool; 2]), u32> {
    let mut next = 0;
    let all = (0..).zip(parts).zip(flips);
    let each =
        all.flat_map(|((index, part), flips)| flips.iter().map(move |flip| ((index, *flip), part.frames.len())));
    let start = |(key, count)| {
        let start = next;
        next += count as u32;
        (key, start)
    };
    each.map(start).collect()
}

/// Repeats the frames for each way of mirroring.
fn flipped(part: Part, flips: &[[bool; 2]]) -> Part {
    let frame = |frame: &Frame, flip: [bool; 2]| {
        let both = [frame.flip[0] != flip[0], frame.flip[1] != flip[1]];
        Frame { flip: both, ..frame.clone() }
    };
    let frames = flips.iter().flat_map(|flip| part.frames.iter().map(move |it| frame(it, *flip))).collect();
    Part { frames, ..part }
}

/// Returns a number in a range, or the default with a finding.
fn number(
    value: &Scalar,
    name: &str,
    (range, default): (std::ops::RangeInclusive<f64>, f64),
    place: &Place,
    diagnostics: &mut Diagnostics,
) -> f64 {
    let is_nothing = matches!(value, Scalar::Missing | Scalar::Null) || *value == Scalar::Text("null".to_owned());
    match value.number() {
        _ if is_nothing => default,
        Some(number) if range.contains(&number) => number,
        _ => {
            let message = format!("`{name}` is {}, which is not valid; {default} is used", value.described());
            diagnostics.warn("bad-tag", place.clone(), message);
            default
        }
    }
}

/// The valid rates, in frames per second, with the default.
const RATES: (std::ops::RangeInclusive<f64>, f64) = (0.001..=1000.0, FPS);
/// The valid scales, with the default.
const SCALES: (std::ops::RangeInclusive<f64>, f64) = (0.001..=1000.0, 1.0);
/// The valid offsets, with the default.
const OFFSETS: (std::ops::RangeInclusive<f64>, f64) = (-Number::LARGEST..=Number::LARGEST, 0.0);

/// Returns whether a value is true; some programs write it as a string. `default` if it is neither.
fn is_true(value: &Scalar, default: bool) -> bool {
    match value {
        Scalar::Bool(value) => *value,
        Scalar::Text(text) if text.eq_ignore_ascii_case("true") => true,
        Scalar::Text(text) if text.eq_ignore_ascii_case("false") => false,
        Scalar::Missing | Scalar::Null | Scalar::Number(_) | Scalar::Text(_) | Scalar::Other(_) => default,
    }
}
