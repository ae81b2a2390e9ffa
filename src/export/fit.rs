//! Which part of the world a picture shows, and how large it is.
//!
//! Rectangles are world pixels, y up. Those that are computed are rounded outward to whole pixels.

use crate::character::Character;
use crate::draw::View;
use crate::error::{Error, Result};
use crate::math::{Rect, vec2};
use crate::model::AnimationId;
use crate::motion::{Cue, Position, evaluate};
use crate::pose::{self, Pose};

/// Which part of the world is shown.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum Fit {
    /// Everything that any frame of the chosen animations shows.
    #[default]
    Animation,
    /// Everything that the rendered frames show.
    Frame,
    /// Everything that any frame of any animation shows.
    All,
    /// This rectangle.
    Rect(Rect),
}

/// How large the picture is.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum Size {
    /// One picture pixel a world pixel, times the scale.
    #[default]
    Native,
    /// Exactly this; the rectangle is letterboxed.
    Exact(u32, u32),
    /// This wide, as high as it comes.
    Width(u32),
    /// This high, as wide as it comes.
    Height(u32),
}

/// Space around what is shown.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Padding {
    /// Picture pixels.
    Pixels(u32),
    /// Percent of the shown rectangle's longer side.
    Percent(f32),
}

impl Default for Padding {
    fn default() -> Self {
        Self::Pixels(0)
    }
}

/// Largest side of a picture in pixels.
const MAX_SIDE: f32 = 32_768.0;

/// The rectangle around everything that `cues` show, rounded outward.
pub fn bounds_of(character: &Character, cues: impl IntoIterator<Item = Cue>) -> Rect {
    let model = character.model();
    let (mut pose, mut palette) = (Pose::for_model(model), Vec::new());
    let mut bounds = Rect::NOTHING;
    for cue in cues {
        evaluate(character, &cue, &mut pose);
        pose::palette(model, &pose, &mut palette);
        bounds = bounds.union(pose::bounds(model, &pose, &palette));
    }
    bounds.round_out()
}

/// Every stored frame of some animations.
fn stored_frames(character: &Character, animations: &[AnimationId]) -> impl Iterator<Item = Cue> {
    animations.iter().flat_map(|&id| {
        let count = character.model().animation(id).frame_count;
        (0..count).map(move |frame| Cue {
            animation: Some(id),
            position: Position::frame(frame),
            interpolate: false,
        })
    })
}

impl Fit {
    /// The rectangle to show when `shown` is rendered, which belongs to `animations`.
    /// Where nothing is ever visible it is one pixel at the origin.
    pub fn rect(self, character: &Character, animations: &[AnimationId], shown: &[Cue]) -> Rect {
        let shown = shown.iter().copied();
        let rect = match self {
            Self::Rect(rect) => rect,
            Self::Frame => bounds_of(character, shown),
            // What lies between two frames can reach beyond both.
            Self::Animation => bounds_of(character, stored_frames(character, animations).chain(shown)),
            Self::All => {
                let all: Vec<AnimationId> = character.model().motions().collect();
                bounds_of(character, stored_frames(character, &all).chain(shown))
            }
        };
        if rect.is_empty() { Rect::from_min_size(vec2(0.0, 0.0), vec2(1.0, 1.0)) } else { rect }
    }
}

/// The view that shows `rect` at `size` with `padding` around it. `scale` only matters for [`Size::Native`].
pub fn choose_view(rect: Rect, size: Size, scale: f32, padding: Padding) -> Result<View> {
    let world = rect.size();
    if !world.is_finite() {
        return Err(Error::misuse(
            "no-bounds",
            "the character reaches beyond all bounds; name a rectangle with --fit",
        ));
    }
    let longer = world.x.max(world.y);
    // A share of the padded side, solved for the picture: the padding grows with the content.
    let around = |content: f32| match padding {
        Padding::Pixels(pixels) => pixels as f32,
        Padding::Percent(percent) => (content * percent / 100.0).ceil(),
    };
    let (width, height, pad) = match size {
        Size::Native => {
            let pad = around(longer * scale);
            let content = (world * scale).ceil();
            (content.x + 2.0 * pad, content.y + 2.0 * pad, pad)
        }
        Size::Exact(width, height) => {
            let (width, height) = (width as f32, height as f32);
            let content = inside(width.min(height), padding);
            (width, height, ((width.min(height) - content) * 0.5).max(0.0))
        }
        Size::Width(width) => {
            let content = inside(width as f32, padding);
            let pad = (width as f32 - content) * 0.5;
            (width as f32, (world.y * content / world.x).ceil() + 2.0 * pad, pad)
        }
        Size::Height(height) => {
            let content = inside(height as f32, padding);
            let pad = (height as f32 - content) * 0.5;
            ((world.x * content / world.y).ceil() + 2.0 * pad, height as f32, pad)
        }
    };
    let (width, height) = (width.max(1.0), height.max(1.0));
    if width > MAX_SIDE || height > MAX_SIDE {
        let message = format!("a picture of {width}×{height} is too large, a side may have {MAX_SIDE} pixels");
        return Err(Error::misuse("picture-too-large", message));
    }
    let room = vec2(width - 2.0 * pad, height - 2.0 * pad);
    if room.x < 1.0 || room.y < 1.0 {
        return Err(Error::misuse("padding-too-large", format!("the padding leaves nothing of {width}×{height}")));
    }
    if size == Size::Native {
        // Exactly the asked scale, with the rectangle's corner on a pixel's corner.
        let top_left = vec2(rect.min.x - pad / scale, rect.max.y + pad / scale);
        return Ok(View::new(width as u32, height as u32, top_left, scale));
    }
    let content = View::fit(room.x as u32, room.y as u32, rect);
    let top_left = content.world_from_pixel(vec2(-pad, -pad));
    Ok(View::new(width as u32, height as u32, top_left, content.scale()))
}

/// What padding leaves of a side of `side` pixels, in whole pixels on both sides.
fn inside(side: f32, padding: Padding) -> f32 {
    let pad = match padding {
        Padding::Pixels(pixels) => pixels as f32,
        Padding::Percent(percent) => (side * percent / (100.0 + 2.0 * percent)).ceil(),
    };
    side - 2.0 * pad
}

#[cfg(test)]
mod tests {
    use super::*;

    const RECT: Rect = Rect { min: vec2(-10.0, 5.0), max: vec2(30.0, 25.0) };

    #[test]
    fn native_is_one_to_one_around_the_rectangle() {
        let view = choose_view(RECT, Size::Native, 1.0, Padding::Pixels(3)).unwrap();
        assert_eq!((view.width(), view.height(), view.scale()), (46, 26, 1.0));
        assert_eq!(view.pixel_from_world(vec2(-10.0, 25.0)), vec2(3.0, 3.0));
    }

    #[test]
    fn a_given_size_is_letterboxed_and_never_stretched() {
        let view = choose_view(RECT, Size::Exact(100, 100), 1.0, Padding::Pixels(10)).unwrap();
        assert_eq!((view.width(), view.height(), view.scale()), (100, 100, 2.0));
        assert_eq!(view.pixel_from_world(vec2(10.0, 15.0)), vec2(50.0, 50.0));
        let view = choose_view(RECT, Size::Width(80), 1.0, Padding::default()).unwrap();
        assert_eq!((view.width(), view.height()), (80, 40));
        let view = choose_view(RECT, Size::Height(80), 1.0, Padding::default()).unwrap();
        assert_eq!((view.width(), view.height()), (160, 80));
    }

    #[test]
    fn what_cannot_be_is_refused() {
        assert_eq!(
            choose_view(RECT, Size::Native, 1e4, Padding::default()).unwrap_err().code(),
            "picture-too-large"
        );
        let narrow = choose_view(RECT, Size::Exact(10, 10), 1.0, Padding::Pixels(5));
        assert_eq!(narrow.unwrap_err().code(), "padding-too-large");
    }
}
