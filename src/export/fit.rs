//! Which part of the world a picture shows, and how large it is.
//!
//! Rectangles are world pixels, y up. Those that are computed are rounded outward to whole pixels.

use crate::character::Character;
use crate::draw::View;
use crate::error::{Error, Place, Result, shown as shown_text};
use crate::limits::{Budget, Limits};
use crate::math::{Rect, Vec2, vec2};
use crate::model::{AnimationId, SkinId};
use crate::motion::{Cue, Dynamics, Evaluator, PoseWork, Position, has_physics};
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
    /// Percent of the shown rectangle's longer side, in whichever size that is drawn.
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
///
/// # Panics
///
/// If a cue names an animation that `character` does not have.
pub fn bounds_of(character: &Character, cues: impl IntoIterator<Item = Cue>) -> Rect {
    let unlimited = &mut |_: &Pose| Ok(());
    // Nothing in it can fail then.
    bounds_with(Evaluator::default(), character, cues, unlimited).unwrap_or(Rect::NOTHING)
}

/// The same, posed by `evaluator`. `charge` may refuse to go on, before anything that a pose shows is looked at.
fn bounds_with(
    mut evaluator: Evaluator,
    character: &Character,
    cues: impl IntoIterator<Item = Cue>,
    charge: &mut dyn FnMut(&Pose) -> Result<()>,
) -> Result<Rect> {
    let model = character.model();
    let (mut pose, mut palette) = (Pose::for_model(model), Vec::new());
    let mut bounds = Rect::NOTHING;
    for cue in cues {
        evaluator.evaluate(character, &cue, &mut pose);
        charge(&pose)?;
        pose::palette(model, &pose, &mut palette);
        bounds = bounds.union(pose::bounds(model, &pose, &palette));
    }
    Ok(bounds.round_out())
}

/// Of an animation that has keys no more frames than this are looked at, evenly chosen: a key may be years away.
const MAX_LOOKS: u32 = 1 << 14;
/// The same where each look plays a minute, as what swings does in animations that are longer.
const MAX_LONG_LOOKS: u32 = 1 << 6;

/// Which frames of an animation are looked at: every one that divides by `step`.
struct Looks {
    count: u32,
    step: u32,
}

impl Looks {
    fn at(character: &Character, id: AnimationId, physics: bool) -> Self {
        let animation = character.model().animation(id);
        // Without bones every frame shows the same.
        let is_still = character.model().skeleton().bones().is_empty();
        let count = if is_still { animation.frame_count().min(1) } else { animation.frame_count() };
        let is_long = physics && animation.duration_secs() > Dynamics::MAX_REPLAY_SECS;
        let most = if is_long { MAX_LONG_LOOKS } else { MAX_LOOKS };
        let step = if animation.is_keyed() { count.div_ceil(most).max(1) } else { 1 };
        Self { count, step }
    }
}

/// Every frame of some animations, in `skins`.
fn stored_frames(
    character: &Character,
    animations: &[AnimationId],
    skins: &[SkinId],
    physics: bool,
) -> impl Iterator<Item = Cue> {
    animations.iter().flat_map(move |&id| {
        let Looks { count, step } = Looks::at(character, id, physics);
        (0..count).step_by(step as usize).map(move |frame| Cue {
            animation: Some(id),
            position: Position::frame(frame),
            skins: skins.to_vec(),
            ..Cue::default()
        })
    })
}

impl Fit {
    /// The rectangle to show when `shown` is rendered, which belongs to `animations`.
    /// All of them wear the same skins. With `physics` what swings counts where it swings to. Where nothing is ever
    /// visible it is one pixel at the origin.
    ///
    /// # Errors
    ///
    /// [`Error::LimitExceeded`] where looking at all these frames takes more work than `limits` allow.
    ///
    /// # Panics
    ///
    /// If `character` does not have one of `animations`, or of those that `shown` names.
    pub fn rect(
        self,
        character: &Character,
        animations: &[AnimationId],
        shown: &[Cue],
        physics: bool,
        limits: &Limits,
    ) -> Result<Rect> {
        let physics = physics && has_physics(character);
        let skins = shown.first().map_or(&[][..], |cue| &cue.skins);
        let all: Vec<AnimationId>;
        // What lies between two frames can reach beyond both.
        let stored = match self {
            Self::Rect(rect) => return Ok(or_one_pixel(rect)),
            Self::Frame => &[][..],
            Self::Animation => animations,
            Self::All => {
                all = character.model().motions().collect();
                &all
            }
        };
        let mut budget = Budget::new(limits);
        let work = PoseWork::new(character, skins);
        for &id in stored {
            let Looks { count, step } = Looks::at(character, id, physics);
            let looks = u64::from(count.div_ceil(step));
            let steps = if physics { steps_of_looks(character, id, looks) } else { looks };
            budget.charge_work(steps, work.of(character, Some(id)), || looking_at(character, id))?;
        }
        for cue in shown {
            let place = || cue.animation.map_or_else(Place::default, |id| looking_at(character, id));
            budget.charge_work(1, work.of(character, cue.animation), place)?;
        }
        let mut charge = |pose: &Pose| {
            let place = || Place { path: "the rectangle around all frames".to_owned(), ..Place::default() };
            budget.charge_work(1, pose::bounds_work(character.model(), pose), place)
        };
        let cues = stored_frames(character, stored, skins, physics).chain(shown.iter().cloned());
        let evaluator = Evaluator::with_dynamics(physics.then(Dynamics::default));
        Ok(or_one_pixel(bounds_with(evaluator, character, cues, &mut charge)?))
    }
}

fn or_one_pixel(rect: Rect) -> Rect {
    if rect.is_empty() { Rect::from_min_size(vec2(0.0, 0.0), vec2(1.0, 1.0)) } else { rect }
}

/// How many steps of what swings are made while an animation is looked at.
fn steps_of_looks(character: &Character, id: AnimationId, looks: u64) -> u64 {
    let seconds = character.model().animation(id).duration_secs().max(0.0);
    let steps = |seconds: f64| u64::from(Dynamics::SETTLE_STEPS) + (seconds / Dynamics::STEP_SECS) as u64;
    match seconds > Dynamics::MAX_REPLAY_SECS {
        // Each begins again.
        true => looks.saturating_mul(steps(Dynamics::MAX_REPLAY_SECS)),
        false => looks + steps(seconds),
    }
}

fn looking_at(character: &Character, id: AnimationId) -> Place {
    let name = shown_text(&character.model().animation(id).name);
    Place { path: format!("the frames of `{name}`"), ..Place::default() }
}

/// The view that shows `rect` at `size` with `padding` around it. `scale` only matters for [`Size::Native`].
pub fn choose_view(rect: Rect, size: Size, scale: f32, padding: Padding) -> Result<View> {
    let share = |percent: f32| rect.size().max_element() * percent / 100.0;
    // Around a picture of a given size a share is a larger rectangle; at native size it is whole pixels,
    // so that the rectangle's corner stays on a pixel's corner.
    let (rect, pad) = match padding {
        Padding::Pixels(pixels) => (rect, pixels as f32),
        Padding::Percent(percent) if size == Size::Native => (rect, (share(percent) * scale).ceil()),
        Padding::Percent(percent) => (rect.expand(share(percent)), 0.0),
    };
    let world = rect.size();
    if !world.is_finite() {
        return Err(Error::misuse(
            "no-bounds",
            "the character reaches beyond all bounds; name a rectangle with --fit",
        ));
    }
    let whole = |side: f32| side.ceil().max(1.0);
    let room = match size {
        Size::Native => vec2(whole(world.x * scale), whole(world.y * scale)),
        Size::Exact(width, height) => vec2(width as f32, height as f32) - 2.0 * pad,
        Size::Width(width) => {
            let width = width as f32 - 2.0 * pad;
            vec2(width, whole(world.y * width / world.x))
        }
        Size::Height(height) => {
            let height = height as f32 - 2.0 * pad;
            vec2(whole(world.x * height / world.y), height)
        }
    };
    let is_padding = match padding {
        Padding::Pixels(_) => true,
        Padding::Percent(percent) => percent.is_finite() && percent >= 0.0,
    };
    if !is_padding {
        return Err(Error::misuse("padding", "a padding is a finite number, 0 or more"));
    }
    if room.x < 1.0 || room.y < 1.0 {
        return Err(Error::misuse("padding-too-large", "the padding leaves nothing of the picture"));
    }
    let picture = room + 2.0 * pad;
    if picture.max_element() > MAX_SIDE {
        let Vec2 { x, y } = picture;
        let message = format!("a picture of {x}×{y} is too large, a side may have {MAX_SIDE} pixels");
        return Err(Error::misuse("picture-too-large", message));
    }
    let (top_left, scale) = match size {
        Size::Native => (vec2(rect.min.x, rect.max.y), scale),
        Size::Exact(..) | Size::Width(_) | Size::Height(_) => {
            let content = View::fit(room.x as u32, room.y as u32, rect);
            (content.world_from_pixel(Vec2::ZERO), content.scale())
        }
    };
    if !(scale.is_normal() && scale > 0.0) {
        return Err(Error::misuse("no-scale", "the rectangle is too small or too large for this size"));
    }
    let around = vec2(-pad, pad) / scale;
    Ok(View::new(picture.x as u32, picture.y as u32, top_left + around, scale))
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
    fn a_share_is_of_the_longer_side_whatever_the_size() {
        // A quarter of 40 is 10 on every side: 60 × 40 world pixels.
        let view = |size| choose_view(RECT, size, 2.0, Padding::Percent(25.0)).unwrap();
        for (size, expected) in [
            (Size::Native, (120, 80, 2.0)),
            (Size::Exact(600, 400), (600, 400, 10.0)),
            (Size::Exact(60, 400), (60, 400, 1.0)),
            (Size::Width(30), (30, 20, 0.5)),
            (Size::Height(20), (30, 20, 0.5)),
        ] {
            let view = view(size);
            assert_eq!((view.width(), view.height(), view.scale()), expected);
            let middle = vec2(view.width() as f32, view.height() as f32) / 2.0;
            assert_eq!(view.pixel_from_world(vec2(10.0, 15.0)), middle);
        }
    }

    #[test]
    fn what_cannot_be_is_refused() {
        assert_eq!(
            choose_view(RECT, Size::Native, 1e4, Padding::default()).unwrap_err().code(),
            "picture-too-large"
        );
        let narrow = choose_view(RECT, Size::Exact(10, 10), 1.0, Padding::Pixels(5));
        assert_eq!(narrow.unwrap_err().code(), "padding-too-large");
        for scale in [0.0, -1.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e-45] {
            let refused = choose_view(RECT, Size::Native, scale, Padding::default());
            assert!(refused.is_err(), "scale {scale}: {refused:?}");
        }
        for percent in [-1.0, -1000.0, f32::NAN, f32::INFINITY, f32::MAX] {
            for size in [Size::Native, Size::Exact(10, 10), Size::Width(10), Size::Height(10)] {
                let refused = choose_view(RECT, size, 1.0, Padding::Percent(percent));
                assert!(refused.is_err(), "{percent} % of {size:?}: {refused:?}");
            }
        }
        for side in [0.0, -1.0, f32::NAN, f32::INFINITY, f32::MAX, 1e-45, 1e-38] {
            let rect = Rect { min: vec2(-1.0, -1.0), max: vec2(-1.0 + side, 1.0) };
            for size in [Size::Native, Size::Exact(10, 10), Size::Width(10), Size::Height(10)] {
                if let Ok(view) = choose_view(rect, size, 1.0, Padding::default()) {
                    assert!(
                        view.width() > 0 && view.height() > 0 && view.scale() > 0.0,
                        "{side} {size:?}: {view:?}"
                    );
                }
            }
        }
    }
}
