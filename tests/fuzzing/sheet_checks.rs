//! Asserts that a converted sheet has the same frames, positions, durations and animations as its source, as far as
//! the target can represent them.

use pchr::Character;
use pchr::convert::Converted;
use pchr::model::{Attachment, Vertices};
use pchr::motion::Motion;

/// Compares a sheet with what was written of it. `is_flattened`: the source has layers.
pub fn assert_same_sheet(source: &Character, is_flattened: bool, back: &Character, converted: &Converted) {
    let (source, found) = (Facts::of(source, is_flattened), Facts::of(back, false));
    if ["json", "sprsh"].contains(&converted.to.extension) {
        return found.assert_same(&source, converted, back.model().pages().len());
    }
    // The other dialects list frames by animation, trim them and drop empty ones; tests/convert/sheets.rs compares pixels.
    let is_seen = |facts: &Facts| facts.quads.iter().any(|quad| !quad.is_empty());
    assert!(is_seen(&found) || !is_seen(&source), "{}: nothing is left", converted.to.name);
    assert!(!found.animations.is_empty(), "{}: no animation is left", converted.to.name);
}

/// The observable content of a sheet.
struct Facts {
    /// True if it was flattened from layers.
    is_flattened: bool,
    names: Vec<String>,
    /// For each frame: the corners of its quad, empty if it is invisible.
    quads: Vec<Vec<[f32; 2]>>,
    animations: Vec<Shown>,
}

/// An animation: name, looping, and index and duration of its first frames.
#[derive(Debug, PartialEq)]
struct Shown {
    name: String,
    looping: bool,
    count: u32,
    frames: Vec<(usize, f64)>,
}

/// Maximum number of frames and animations that are compared.
const MOST: usize = 64;

impl Facts {
    fn of(character: &Character, is_flattened: bool) -> Self {
        let Motion::Flipbook(book) = character.motion() else { panic!("it is not a sheet") };
        let model = character.model();
        let animations = model.animations().iter().enumerate().take(MOST).map(|(index, animation)| {
            let strip = book.strip(index).expect("every animation has one");
            let frame = |step: u32| {
                let ms = animation.seconds_at(f64::from(step) + 1.0) - animation.seconds_at(step.into());
                (book.pictures()[strip.entry(step.into())].index(), ms)
            };
            Shown {
                name: animation.name.clone(),
                looping: animation.looping,
                count: animation.frame_count(),
                frames: (0..animation.frame_count().min(MOST as u32)).map(frame).collect(),
            }
        });
        Self {
            is_flattened,
            names: model.attachments().iter().map(|shown| shown.name().to_owned()).collect(),
            quads: model.attachments().iter().map(quad).collect(),
            animations: animations.collect(),
        }
    }

    /// Compares the result with `source`, as far as the form can represent it.
    fn assert_same(&self, source: &Self, converted: &Converted, pages: usize) {
        let form = converted.to.name;
        let loses = |code: &str| converted.losses.iter().any(|loss| loss.code == code);
        assert_eq!(self.quads.len(), source.quads.len(), "{form}: the number of frames");
        for (index, (a, b)) in self.quads.iter().zip(&source.quads).enumerate() {
            // An empty Aseprite frame becomes a transparent pixel.
            let is_free = loses("pixels-squared") || (source.is_flattened && b.is_empty());
            assert!(a == b || is_free, "{form}: frame {index}: {a:?} is not {b:?}");
        }
        let keeps_names = !loses("frame-renamed");
        if keeps_names {
            for (index, (a, b)) in self.names.iter().zip(&source.names).enumerate() {
                assert!(a == b || b.is_empty(), "{form}: frame {index} is named `{a}`, not `{b}`");
            }
        }
        // Frames without a name get a number, which may be the name of other frames.
        if keeps_names && source.names.iter().all(|name| !name.is_empty()) && pages == 1 {
            assert_eq!(self.animations.len(), source.animations.len(), "{form}: the number of animations");
            for (a, b) in self.animations.iter().zip(&source.animations) {
                let is_same = (&a.name, a.looping, a.count) == (&b.name, b.looping, b.count);
                assert!(
                    is_same && (loses("duration-rounded") || a.frames == b.frames),
                    "{form}: {a:?} is not {b:?}"
                );
            }
        }
    }
}

/// Returns the corners.
fn quad(attachment: &Attachment) -> Vec<[f32; 2]> {
    match attachment.mesh().map(|mesh| &mesh.vertices) {
        Some(Vertices::SkinN(vertices)) => {
            vertices.iter().flat_map(|vertex| vertex.influences).map(|one| one.position.to_array()).collect()
        }
        Some(Vertices::Skin4(_)) | None => Vec::new(),
    }
}
