//! Visible area and size of pictures.
//!
//! Rectangles are world pixels, y up. Computed rectangles are rounded outward to whole pixels.

use std::collections::HashMap;

use crate::draw::{Hidden, View};
use crate::error::{Place, escaped};
use crate::export::options::{Fit, Padding, Size};
use crate::limits::{Budget, Limits};
use crate::math::{Rect, Vec2, vec2};
use crate::model::{AnimationId, Model, SkinId};
use crate::motion::{Cue, Dynamics, Evaluator, Overview, PoseWork, Position, has_physics};
use crate::pose::{self, Extent, Pose};
use crate::{Character, Error, Result};

/// A visible area, rounded outward to whole pixels.
#[derive(Debug, Clone, Copy)]
pub struct Area {
    /// Without what hardly anyone sees; see [`Extent::seen`].
    pub(crate) seen: Rect,
    /// With everything.
    pub(crate) whole: Rect,
}

/// Adds what is shown beside the animations to cues.
pub type Dress<'a> = &'a dyn Fn(&mut [Cue]) -> Result<()>;

/// Maximum side of a picture in pixels.
const MAX_SIDE: f32 = 32_768.0;

/// At most this many evenly spaced frames of a keyed animation are sampled: keys may be arbitrarily far apart.
const MAX_SAMPLES: u32 = 1 << 14;
/// The same if every sample replays up to a minute of physics, as in longer animations with physics.
const MAX_LONG_SAMPLES: u32 = 1 << 6;

/// The sampled frames of an animation: every multiple of `step`.
#[derive(Debug, Clone, Copy)]
struct Sampling {
    animation: AnimationId,
    count: u32,
    step: u32,
}

impl Sampling {
    fn of(character: &Character, animation: AnimationId, physics: bool) -> Self {
        let found = character.model().animation(animation);
        // Without bones all frames are equal.
        let is_still = character.model().skeleton().bones().is_empty();
        let count = if is_still { found.frame_count().min(1) } else { found.frame_count() };
        let is_long = physics && found.duration_secs() > Dynamics::MAX_REPLAY_SECS;
        let most = if is_long { MAX_LONG_SAMPLES } else { MAX_SAMPLES };
        let step = if found.is_keyed() { count.div_ceil(most).max(1) } else { 1 };
        Self { animation, count: count.div_ceil(step), step }
    }

    fn cues(self, skins: &[SkinId]) -> impl Iterator<Item = Cue> {
        (0..self.count).map(move |index| Cue {
            animation: Some(self.animation),
            position: Position::frame(index * self.step),
            skins: skins.to_vec(),
            ..Cue::default()
        })
    }
}

impl Fit {
    /// Returns the animations all of whose frames belong to the area of pictures of `animations`: interpolation between two
    /// frames can exceed the bounds of both.
    pub(super) fn sampled(self, model: &Model, animations: &[AnimationId]) -> Vec<AnimationId> {
        match self {
            Self::Rect(_) | Self::Frame => Vec::new(),
            Self::Animation => animations.to_vec(),
            Self::All => model.motions().collect(),
        }
    }
}

/// Measures what a character shows: the area, and where its animations begin to show something.
pub struct Measure<'a> {
    character: &'a Character,
    skins: &'a [SkinId],
    hidden: &'a Hidden,
    dress: Option<Dress<'a>>,
    physics: bool,
    work: PoseWork,
    budget: Budget<'a>,
    evaluator: Evaluator,
    /// The sampled animations, and their first poses in the extent.
    sampled: HashMap<AnimationId, (Sampling, usize)>,
    extent: Extent,
    /// The area of the joints of authored bones.
    joints: Rect,
}

impl<'a> Measure<'a> {
    /// Begins with nothing. All poses are in the same `skins`. With `physics`, simulated motion is included. What is
    /// `hidden` belongs to the area, but shows nothing.
    pub fn new(
        character: &'a Character,
        skins: &'a [SkinId],
        physics: bool,
        hidden: &'a Hidden,
        dress: Option<Dress<'a>>,
        limits: &'a Limits,
    ) -> Self {
        let physics = physics && has_physics(character);
        Self {
            character,
            skins,
            hidden,
            dress,
            physics,
            work: PoseWork::new(character, skins),
            budget: Budget::new(limits),
            evaluator: Evaluator::with_dynamics(physics.then(Dynamics::default)),
            sampled: HashMap::new(),
            extent: Extent::default(),
            joints: Rect::NOTHING,
        }
    }

    /// Adds what all frames of `animations` show. To be called before [`Self::add`].
    ///
    /// # Errors
    ///
    /// [`Error::LimitExceeded`] if evaluating all frames takes more than the limits allow.
    ///
    /// # Panics
    ///
    /// Panics if the character does not have one of `animations`.
    pub fn add_frames(&mut self, animations: &[AnimationId]) -> Result<()> {
        let (mut samplings, mut pose) = (Vec::new(), 0);
        for &id in animations {
            let sampling = Sampling::of(self.character, id, self.physics);
            let samples = u64::from(sampling.count);
            let steps = if self.physics { Dynamics::sampling_steps(self.character, id, samples) } else { samples };
            let work = self.work.of(self.character, Some(id));
            self.budget.charge_work(steps, work, || frames_place(self.character, id))?;
            // Of its visible area.
            self.budget.charge_memory(samples, size_of::<f64>(), || frames_place(self.character, id))?;
            self.sampled.insert(id, (sampling, pose));
            samplings.push(sampling);
            pose += sampling.count as usize;
        }
        let skins = self.skins;
        let frames = samplings.into_iter().flat_map(|sampling| sampling.cues(skins));
        match self.dress {
            None => self.measure(frames),
            Some(dress) => {
                let mut frames: Vec<Cue> = frames.collect();
                dress(&mut frames)?;
                if let Some(cue) = frames.first() {
                    // What is shown beside the animation.
                    let work = self.work.of_cue(self.character, cue);
                    let more = work.saturating_sub(self.work.of(self.character, cue.animation));
                    self.budget.charge_work(frames.len() as u64, more, Place::default)?;
                }
                self.measure(frames)
            }
        }
    }

    /// Adds what `cues` show, which are dressed.
    ///
    /// # Errors
    ///
    /// As [`Self::add_frames`].
    ///
    /// # Panics
    ///
    /// Panics if the character does not have an animation of a cue.
    pub fn add(&mut self, cues: &[Cue]) -> Result<()> {
        let mut before: Option<&Cue> = None;
        for cue in cues {
            let place = || cue.animation.map_or_else(Place::default, |id| frames_place(self.character, id));
            let steps = if self.physics { shared_steps(self.character, before, cue) } else { 1 };
            before = Some(cue);
            self.budget.charge_work(steps, self.work.of_cue(self.character, cue), place)?;
        }
        self.measure(cues.iter().cloned())
    }

    fn measure(&mut self, cues: impl IntoIterator<Item = Cue>) -> Result<()> {
        let model = self.character.model();
        let bones = model.skeleton().authored_bones().len();
        let (mut pose, mut palette) = (Pose::for_model(model), Vec::new());
        for cue in cues {
            self.evaluator.evaluate(self.character, &cue, &mut pose);
            let place = || Place { path: "the bounds of all frames".to_owned(), ..Place::default() };
            self.budget.charge_work(1, pose::bounds_work(model, &pose), place)?;
            pose::palette(model, &pose, &mut palette);
            let is_hidden = |slot, attachment| self.hidden.hides(model, slot, attachment);
            self.extent.add_without(model, &pose, &palette, is_hidden);
            let places =
                pose.world_from_bone.iter().take(bones).map(|world_from_bone| world_from_bone.translation);
            self.joints = places.fold(self.joints, Rect::include);
        }
        Ok(())
    }

    /// Returns the frame in which a still of each of `animations` shows it: the [first that shows](Extent::first_shown)
    /// enough, or 0. Of animations that were not added, a few frames are evaluated.
    ///
    /// # Panics
    ///
    /// Panics if the character does not have one of `animations`.
    pub fn first_frames(&self, animations: &[AnimationId]) -> Vec<u32> {
        let is_other = |id: &&AnimationId| !self.sampled.contains_key(*id);
        let others: Vec<_> = animations.iter().filter(is_other).copied().map(Some).collect();
        let work = self.budget.limits().first_picture_work();
        let is_hidden = |slot, attachment| self.hidden.hides(self.character.model(), slot, attachment);
        let overview = Overview::without(self.character, &others, self.skins, false, work, is_hidden);
        let of = |id: &AnimationId| match self.sampled.get(id) {
            Some(&(Sampling { count, step, .. }, pose)) => {
                let first = self.extent.first_shown(pose..pose + count as usize);
                first.map_or(0, |first| (first - pose) as u32 * step)
            }
            None => overview.first_frame(Some(*id)),
        };
        animations.iter().map(of).collect()
    }

    /// Returns the area of everything that was added. If nothing is ever visible, it contains the joints, so that overlays
    /// show the skeleton, or else one pixel at the origin.
    pub fn area(&self) -> Area {
        let skeleton = around_joints(self.joints).filter(|_| self.extent.whole().is_empty());
        let of = |visible: Rect| or_one_pixel(skeleton.unwrap_or(visible.round_out()));
        Area { seen: of(self.extent.seen()), whole: of(self.extent.whole()) }
    }
}

/// Returns an area with room for the marks of these joints; `None` if they are all in one place, or too far apart.
fn around_joints(joints: Rect) -> Option<Rect> {
    /// On each side, as a part of the longer side.
    const MARGIN: f32 = 0.1;
    let side = joints.size().max_element();
    (side > 0.0 && side <= MAX_SIDE).then(|| joints.expand(side * MARGIN).round_out())
}

/// Returns `rect`, or one pixel at the origin if it is empty.
pub fn or_one_pixel(rect: Rect) -> Rect {
    if rect.is_empty() { Rect::from_min_size(vec2(0.0, 0.0), vec2(1.0, 1.0)) } else { rect }
}

/// Returns the number of simulation steps needed for `cue` after the cue `before`, and one for the pose itself.
fn shared_steps(character: &Character, before: Option<&Cue>, cue: &Cue) -> u64 {
    let steps = Dynamics::replay_steps(character, cue);
    let before = before.filter(|before| before.animation == cue.animation);
    let made = before.map_or(0, |before| Dynamics::replay_steps(character, before));
    1 + if made <= steps { steps - made } else { steps }
}

fn frames_place(character: &Character, id: AnimationId) -> Place {
    let name = escaped(&character.model().animation(id).name);
    Place { path: format!("the frames of `{name}`"), ..Place::default() }
}

/// Returns the view that shows `rect` at `size` with `padding` around it. `scale` is only used for
/// [`Size::Native`].
pub fn choose_view(rect: Rect, size: Size, scale: f32, padding: Padding) -> Result<View> {
    let share = |percent: f32| rect.size().max_element() * percent / 100.0;
    // At a given size, percent padding enlarges the rectangle; at native size it is rounded to whole pixels, so
    // that the corner of the rectangle stays on a pixel boundary.
    let (rect, pad) = match padding {
        Padding::Pixels(pixels) => (rect, pixels as f32),
        Padding::Percent(percent) if size == Size::Native => (rect, (share(percent) * scale).ceil()),
        Padding::Percent(percent) => (rect.expand(share(percent)), 0.0),
    };
    let world = rect.size();
    if !world.is_finite() {
        return Err(Error::misuse("no-bounds", "the bounds of the character are not finite"));
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
        return Err(Error::misuse("padding", "the padding must be a finite number of at least 0"));
    }
    if room.x < 1.0 || room.y < 1.0 {
        return Err(Error::misuse("padding-too-large", "the padding leaves no room for the character"));
    }
    let picture = room + 2.0 * pad;
    if picture.max_element() > MAX_SIDE {
        let Vec2 { x, y } = picture;
        let message = format!("a picture of {x}×{y} is too large; each side is limited to {MAX_SIDE} pixels");
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
    fn native_size_is_one_pixel_per_world_pixel() {
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
    fn percent_padding_refers_to_the_longer_side_at_any_size() {
        // 25 % of 40 is 10 on every side: 60 × 40 world pixels.
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
    fn invalid_views_are_rejected() {
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
