//! Cues, layers and positions, and the stored frames next to a position.

use super::{BoneOverride, ConstraintOverride, Forces, SlotOverride};
use crate::model::{Animation, AnimationId, Model, SkinId, Timing};

/// What to show: animations with positions and mix weights, skins and moved bones.
///
/// The default is the rest pose. For stored frames that is the bind pose, for a sprite sheet its first picture.
///
/// Animations must belong to the evaluated character: evaluating an animation that does not exist panics. Skins
/// and bones that the character does not have are ignored.
///
/// ```
/// # use pchr::{Character, math::vec2, motion::{BoneOverride, Cue, Position}};
/// let lamp = Character::open("assets/paper-lamp.json")?;
/// let model = lamp.model();
/// let cue = Cue {
///     animation: model.find_animation("hop"),
///     position: Position::Seconds(0.5),
///     skins: model.find_skin("blue").into_iter().collect(),
///     bones: model.skeleton().find("mouse").map(|bone| BoneOverride::at(bone, vec2(80.0, 200.0))).into_iter().collect(),
///     ..Cue::default()
/// };
/// assert!(cue.animation.is_some() && cue.skins.len() == 1 && cue.bones.len() == 1);
/// # Ok::<(), pchr::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Cue {
    /// The animation; `None`: the rest pose.
    pub animation: Option<AnimationId>,
    /// The position in the animation.
    pub position: Position,
    /// Blends stored frames instead of holding each until the next. Keyed motion is always interpolated.
    pub interpolate: bool,
    /// Holds the ends of a looping animation instead of wrapping.
    pub hold: bool,
    /// The active skins in addition to the default one; later ones override earlier ones.
    pub skins: Vec<SkinId>,
    /// The animations mixed in after [`Self::animation`], in this order. Stored frames and sheets cannot be mixed:
    /// without an animation, they show the last layer.
    pub layers: Vec<Layer>,
    /// Bones moved by the caller, after animations and before constraints.
    pub bones: Vec<BoneOverride>,
    /// Slots changed by the caller, after animations and constraints.
    pub slots: Vec<SlotOverride>,
    /// Constraints changed by the caller, after animations.
    pub constraints: Vec<ConstraintOverride>,
    /// Wind, gravity and mix of physics.
    pub forces: Forces,
    /// What each of the characters on a [`Stage`](super::Stage) shows, in their order; those without a cue show their rest
    /// pose. Other characters ignore it.
    pub cast: Vec<Cue>,
}

impl Cue {
    /// The rest pose.
    pub(crate) const REST: Self = Self {
        animation: None,
        position: Position::Frame { frame: 0, fraction: 0.0 },
        interpolate: false,
        hold: false,
        skins: Vec::new(),
        layers: Vec::new(),
        bones: Vec::new(),
        slots: Vec::new(),
        constraints: Vec::new(),
        forces: Forces::INITIAL,
        cast: Vec::new(),
    };

    /// Returns the rest pose, followed by at most `count` evenly spaced frames of `animation`: a sample of what a
    /// character looks like in `skins`.
    ///
    /// # Panics
    ///
    /// Panics if `animation` belongs to another model.
    #[track_caller]
    pub fn samples(
        model: &Model,
        animation: Option<AnimationId>,
        skins: &[SkinId],
        count: u32,
    ) -> impl Iterator<Item = Self> {
        let frames = animation.map_or(0, |id| model.animation(id).frame_count());
        let count = frames.min(count);
        let frame = move |index: u32| (u64::from(index) * u64::from(frames) / u64::from(count)) as u32;
        let moving = (0..count).map(move |index| (animation, Position::frame(frame(index))));
        std::iter::once((None, Position::default())).chain(moving).map(|(animation, position)| Self {
            animation,
            position,
            skins: skins.to_vec(),
            ..Self::default()
        })
    }

    /// Writes the instant `steps` stored frames later into `out`, or earlier if negative. Loops wrap around; layers are
    /// moved alike. Returns false if there is none: beyond the ends of an animation, or a whole loop away.
    ///
    /// # Panics
    ///
    /// Panics if the cue contains an animation that `model` does not have.
    #[track_caller]
    pub fn stepped(&self, model: &Model, steps: i32, out: &mut Self) -> bool {
        out.set(self);
        let moved = |Played { animation, position, hold }: Played| {
            let animation = model.animation(animation);
            if animation.is_keyed() {
                return position.stepped_in_secs(animation, steps, animation.looping && !hold);
            }
            let count = i64::from(animation.frame_count());
            let loops = animation.looping && !hold;
            let instant = position.resolve_as(animation, loops)?;
            let frame = i64::from(instant.frame) + i64::from(steps);
            let is_inside = (0..count).contains(&frame) || loops && i64::from(steps).abs() < count;
            let frame = frame.rem_euclid(count) as u32;
            is_inside.then_some(Position::Frame { frame, fraction: instant.fraction })
        };
        let base = self.played().and_then(moved);
        out.position = base.unwrap_or(out.position);
        let mut is_moved = base.is_some();
        let later =
            |position: Position| position.seconds(self.animation.map_or(0.0, |id| model.animation(id).fps()));
        let later = later(out.position) - later(self.position);
        for cue in &mut out.cast {
            let positions = cue.layers.iter_mut().map(|layer| &mut layer.position).chain([&mut cue.position]);
            for position in positions {
                if let Position::Seconds(secs) = position {
                    *secs += later;
                }
            }
        }
        for layer in &mut out.layers {
            if let Some(position) = layer.played().and_then(moved) {
                layer.position = position;
                is_moved = true;
            }
        }
        is_moved
    }

    /// Copies `other` into this cue, reusing its memory.
    pub(crate) fn set(&mut self, other: &Self) {
        let Self {
            animation,
            position,
            interpolate,
            hold,
            skins,
            layers,
            bones,
            slots,
            constraints,
            forces,
            cast,
        } = self;
        (*animation, *position, *interpolate, *hold, *forces) =
            (other.animation, other.position, other.interpolate, other.hold, other.forces);
        skins.clone_from(&other.skins);
        layers.clone_from(&other.layers);
        bones.clone_from(&other.bones);
        slots.clone_from(&other.slots);
        constraints.clone_from(&other.constraints);
        cast.resize_with(other.cast.len(), Self::default);
        cast.iter_mut().zip(&other.cast).for_each(|(cue, other)| cue.set(other));
    }

    /// Returns the animation that layers are mixed into.
    pub(super) fn played(&self) -> Option<Played> {
        self.animation.map(|animation| Played { animation, position: self.position, hold: self.hold })
    }

    /// Returns the animation and the position to show for stored frames and pictures, which cannot be mixed.
    pub(super) fn instant(&self, model: &Model) -> Option<(AnimationId, Instant)> {
        let played = self.played().or_else(|| self.layers.iter().rev().find_map(Layer::played))?;
        let animation = model.animation(played.animation);
        let instant = played.position.resolve_as(animation, animation.looping && !played.hold)?;
        Some((played.animation, instant))
    }

    /// Returns every animation of the cue, including those of layers.
    pub fn animations(&self) -> impl Iterator<Item = AnimationId> {
        let of_layer = |layer: &Layer| [layer.animation, layer.fade.held_by.and_then(|by| by.animation)];
        [self.animation].into_iter().chain(self.layers.iter().flat_map(of_layer)).flatten()
    }

    /// Panics if the cue contains an animation that `model` does not have.
    #[track_caller]
    pub(super) fn expect_of(&self, model: &Model) {
        for id in self.animations() {
            model.animation(id);
        }
    }

    /// Returns true if both cues are equal except for the position.
    pub(super) fn differs_in_position_only(&self, other: &Self) -> bool {
        let Self {
            animation,
            position: _,
            interpolate,
            hold,
            skins,
            layers,
            bones,
            slots,
            constraints,
            forces,
            cast,
        } = self;
        (*animation, *interpolate, *hold, *forces)
            == (other.animation, other.interpolate, other.hold, other.forces)
            && (skins, layers, bones, slots) == (&other.skins, &other.layers, &other.bones, &other.slots)
            && (constraints, cast) == (&other.constraints, &other.cast)
    }
}

/// An animation that is mixed into the result of the layers before it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Layer {
    /// The animation. `None`: nothing, which others of a track fade to and from.
    pub animation: Option<AnimationId>,
    /// The position in the animation.
    pub position: Position,
    /// Holds the ends of a looping animation instead of wrapping.
    pub hold: bool,
    /// Mix weight, 0 to 1; for [`Mix::Fade`] without the progress of fades. Non-finite values count as 0.
    pub alpha: f64,
    /// What it is mixed with.
    pub mix: Mix,
    /// Whether `alpha` changes towards 1 or towards 0. [`Mix::Fade`] ignores it.
    pub direction: Direction,
    /// For [`Mix::Fade`]: the track. Layers of the same track follow each other; each replaces the one before it.
    pub track: u32,
    /// For [`Mix::Fade`]: how it replaces the previous layer of the track.
    pub fade: Fade,
}

/// An animation at a position, without how it is mixed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Played {
    pub animation: AnimationId,
    pub position: Position,
    /// Holds the ends of a looping animation instead of wrapping.
    pub hold: bool,
}

/// How an animation replaces the previous one on its track. The default replaces it entirely.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fade {
    /// How far it has replaced the previous layer, 0 to 1. Non-finite values count as 0.
    pub share: f64,
    /// The fade takes time; otherwise the previous layer is replaced at once.
    pub takes_time: bool,
    /// It is added to what is below it.
    pub is_additive: bool,
    /// The previous layer keeps its full strength; see [`Playback::set_hold_previous`](crate::player::Playback).
    pub holds_previous: bool,
    /// Rotations take the shortest way in each pose instead of keeping their direction.
    pub turns_short_way: bool,
    /// Its attachments are shown until the next layer has replaced it that far, 0 to 1.
    pub attachments_until: f64,
    /// Its draw order applies until the next layer has replaced it that far, 0 to 1.
    pub draw_order_until: f64,
    /// How far the previous layer had faded in when this one began.
    pub(crate) cap: f64,
    /// It has not started yet, and nothing of its track is applied.
    pub(crate) is_waiting: bool,
    /// What decides which of its values keep their strength, if that is not the next layer.
    pub(crate) held_by: Option<Holder>,
}

/// An animation that replaces another one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Holder {
    pub animation: Option<AnimationId>,
    pub is_additive: bool,
}

impl Holder {
    pub fn of(layer: &Layer) -> Self {
        Self { animation: layer.animation, is_additive: layer.fade.is_additive }
    }
}

impl Default for Fade {
    fn default() -> Self {
        Self {
            share: 1.0,
            takes_time: false,
            is_additive: false,
            holds_previous: false,
            turns_short_way: false,
            attachments_until: 0.0,
            draw_order_until: 0.0,
            cap: 1.0,
            is_waiting: false,
            held_by: None,
        }
    }
}

impl Fade {
    /// Returns the same fade of another character, in which `find` finds animations.
    #[must_use]
    pub fn map(self, find: impl Fn(AnimationId) -> Option<AnimationId>) -> Self {
        let held_by = self.held_by.map(|by| Holder { animation: by.animation.and_then(find), ..by });
        Self { held_by, ..self }
    }

    /// Returns the progress, or 0 if it is not finite.
    pub(super) fn finite_share(&self) -> f64 {
        finite(self.share)
    }
}

/// Returns `number`, or 0 if it is not finite.
pub(crate) fn finite(number: f64) -> f64 {
    if number.is_finite() { number } else { 0.0 }
}

impl Layer {
    /// Creates a layer that replaces what is below it with the whole weight.
    pub fn new(animation: AnimationId, position: Position) -> Self {
        Self {
            animation: Some(animation),
            position,
            hold: false,
            alpha: 1.0,
            mix: Mix::Replace,
            direction: Direction::In,
            track: 0,
            fade: Fade::default(),
        }
    }

    /// Returns the animation and its position.
    pub(super) fn played(&self) -> Option<Played> {
        self.animation.map(|animation| Played { animation, position: self.position, hold: self.hold })
    }

    /// Returns true if it is one of the animations of a track.
    pub(super) fn is_on(&self, track: u32) -> bool {
        self.mix == Mix::Fade && self.track == track
    }

    /// Returns the mix weight, or 0 if it is not finite.
    pub(super) fn finite_alpha(&self) -> f64 {
        finite(self.alpha)
    }
}

/// What an animation is mixed with, and its effect before its first keys.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum Mix {
    /// Mixes with the rest pose and discards earlier animations. Before the first key, values return to the rest
    /// pose.
    #[default]
    Setup,
    /// Mixes with the current pose. Before the first key, values change towards the rest pose.
    First,
    /// Mixes with the current pose. Before the first key, nothing changes.
    Replace,
    /// Adds to the current pose. Before the first key, nothing changes.
    Add,
    /// Is one of the animations of a track, each of which replaces the previous one: values that nothing below changes are
    /// mixed with the rest pose, others with the current pose. A value of a layer that is being replaced keeps its strength
    /// if the next layer changes it, too. [`Layer::fade`] says more, and [`Animator`](crate::Animator) creates such layers.
    Fade,
}

/// Direction in which a mix weight changes. Values that cannot be blended only change on the way in.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum Direction {
    /// Towards 1.
    #[default]
    In,
    /// Towards 0.
    Out,
}

/// A position in an animation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Position {
    /// A stored frame and the fraction of the way to the next one, 0 to 1. Positions after the last frame wrap or
    /// hold.
    Frame {
        /// Index of the stored frame.
        frame: u32,
        /// Fraction of the way to the next frame.
        fraction: f32,
    },
    /// Seconds from the first frame. Positions outside the animation wrap or hold.
    Seconds(f64),
}

impl Default for Position {
    fn default() -> Self {
        Self::frame(0)
    }
}

impl Position {
    /// Returns the position `steps` frames later in keyed motion, whose length need not be a whole number of frames.
    fn stepped_in_secs(self, animation: &Animation, steps: i32, loops: bool) -> Option<Self> {
        let (duration, step) = (animation.duration_secs(), animation.seconds_at(f64::from(steps)));
        if !(duration > 0.0 && duration.is_finite()) {
            return None;
        }
        let at = self.seconds(animation.fps());
        let at = if loops { at.rem_euclid(duration) } else { at.clamp(0.0, duration) };
        let next = at + step;
        let is_inside = if loops { step.abs() < duration } else { (0.0..=duration).contains(&next) };
        let next = if loops { next.rem_euclid(duration) } else { next };
        is_inside.then_some(Self::Seconds(next))
    }

    /// Returns the seconds from the first frame, at a rate of `fps`; 0 for the frame of a still picture.
    pub(super) fn seconds(self, fps: f64) -> f64 {
        match self {
            Self::Frame { frame, fraction } if fps > 0.0 => (f64::from(frame) + f64::from(fraction)) / fps,
            Self::Frame { .. } => 0.0,
            Self::Seconds(seconds) => seconds,
        }
    }

    /// Returns the position of a stored frame.
    pub fn frame(frame: u32) -> Self {
        Self::Frame { frame, fraction: 0.0 }
    }

    /// Returns the stored frames next to this position; `None` if the animation has none.
    pub fn resolve(self, animation: &Animation) -> Option<Instant> {
        self.resolve_as(animation, animation.looping)
    }

    /// Like [`Self::resolve`], with `looping` instead of the animation's own setting.
    pub(super) fn resolve_as(self, animation: &Animation, looping: bool) -> Option<Instant> {
        let last = animation.frame_count().checked_sub(1)?;
        let (frame, fraction) = match self {
            Self::Frame { frame, fraction } => {
                (u64::from(frame), if fraction > 0.0 { fraction.min(1.0) } else { 0.0 })
            }
            Self::Seconds(seconds) => split(seconds, animation, looping),
        };
        Some(if looping {
            let frame = (frame % u64::from(animation.frame_count())) as u32;
            Instant { frame, next: if frame == last { 0 } else { frame + 1 }, fraction }
        } else if frame >= u64::from(last) {
            Instant { frame: last, next: last, fraction: 0.0 }
        } else {
            Instant { frame: frame as u32, next: frame as u32 + 1, fraction }
        })
    }
}

/// Two neighbouring stored frames and the fraction between them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Instant {
    /// The frame that is shown. Visibility and draw order are taken from it.
    pub frame: u32,
    /// The next frame; the same one at the end.
    pub next: u32,
    /// Fraction of the way to the next frame, 0 to 1.
    pub fraction: f32,
}

/// Converts seconds to frame and fraction. A time within a millionth of a frame *is* that frame: without this, one
/// in thirty times computed as frame / fps lands one frame early.
fn split(seconds: f64, animation: &Animation, looping: bool) -> (u64, f32) {
    let steps = f64::from(animation.steps());
    let mut p = match &animation.timing {
        Timing::Frames { fps, .. } | Timing::Keys { fps, .. } => seconds * fps,
        Timing::TimedFrames { .. } if !seconds.is_finite() => return (0, 0.0),
        Timing::TimedFrames { .. } => {
            let end = animation.seconds_at(steps);
            let inside = if looping { seconds.rem_euclid(end) } else { seconds.clamp(0.0, end) };
            animation.position_at(inside)
        }
    };
    if !p.is_finite() || steps == 0.0 {
        return (0, 0.0);
    }
    let nearest = (p + 0.5).floor();
    if (p - nearest).abs() < 1e-6 * p.abs().max(1.0) {
        p = nearest;
    }
    p = if looping { p.rem_euclid(steps) } else { p.clamp(0.0, steps) };
    // `rem_euclid` of a tiny negative number rounds to `steps` itself.
    if p >= steps && looping {
        p = 0.0;
    }
    let frame = p.floor();
    (frame as u64, (p - frame) as f32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ModelBuilder;

    fn animation(looping: bool, count: u32, fps: f64) -> Animation {
        Animation { looping, timing: Timing::Frames { count, fps }, ..Animation::default() }
    }

    #[test]
    fn every_frame_is_found_by_its_own_time() {
        for fps in [1.0, 7.0, 24.0, 30.0, 60.0, 144.0] {
            let animation = animation(true, 65_535, fps);
            for frame in 0..65_535 {
                let instant = Position::Seconds(f64::from(frame) / fps).resolve(&animation).unwrap();
                assert_eq!((instant.frame, instant.fraction), (frame, 0.0), "frame {frame} at {fps} fps");
            }
        }
    }

    #[test]
    fn looping_wraps_and_the_last_frame_leads_to_the_first() {
        let animation = animation(true, 10, 10.0);
        assert_eq!(Position::Seconds(1.0).resolve(&animation), Some(Instant { frame: 0, next: 1, fraction: 0.0 }));
        assert_eq!(Position::Seconds(0.95).resolve(&animation).unwrap().next, 0);
        assert_eq!(Position::Seconds(-0.1).resolve(&animation).unwrap().frame, 9);
        assert_eq!(Position::Seconds(-1e-300).resolve(&animation).unwrap().frame, 0);
        assert_eq!(Position::frame(13).resolve(&animation).unwrap().frame, 3);
    }

    #[test]
    fn without_looping_the_last_frame_holds() {
        let animation = animation(false, 10, 10.0);
        let last = Some(Instant { frame: 9, next: 9, fraction: 0.0 });
        assert_eq!(Position::Seconds(0.9).resolve(&animation), last);
        assert_eq!(Position::Seconds(1e9).resolve(&animation), last);
        assert_eq!(Position::frame(u32::MAX).resolve(&animation), last);
        assert_eq!(Position::Seconds(-5.0).resolve(&animation).unwrap().frame, 0);
    }

    #[test]
    fn samples_are_the_rest_pose_and_evenly_spaced_frames() {
        let mut builder = ModelBuilder::default();
        let long = builder.animation(animation(true, 10, 10.0));
        let short = builder.animation(animation(true, 2, 10.0));
        let empty = builder.animation(animation(true, 0, 10.0));
        let model = builder.build();
        let frames = |id: Option<AnimationId>| -> Vec<(Option<AnimationId>, Position)> {
            Cue::samples(&model, id, &[], 4).map(|cue| (cue.animation, cue.position)).collect()
        };
        let rest = (None, Position::frame(0));
        let at = |id: AnimationId, frame: u32| (Some(id), Position::frame(frame));
        assert_eq!(frames(Some(long)), [rest, at(long, 0), at(long, 2), at(long, 5), at(long, 7)]);
        assert_eq!(frames(Some(short)), [rest, at(short, 0), at(short, 1)]);
        assert_eq!((frames(Some(empty)), frames(None)), (vec![rest], vec![rest]));
    }

    #[test]
    fn still_pictures_and_empty_animations() {
        assert_eq!(Position::Seconds(3.0).resolve(&animation(true, 5, 0.0)).unwrap().frame, 0);
        assert_eq!(Position::Seconds(f64::NAN).resolve(&animation(true, 5, 24.0)).unwrap().frame, 0);
        for (fraction, expected) in [(f32::NAN, 0.0), (-1.0, 0.0), (f32::INFINITY, 1.0), (7.0, 1.0), (0.5, 0.5)] {
            let instant = Position::Frame { frame: 1, fraction }.resolve(&animation(true, 5, 24.0)).unwrap();
            assert_eq!((instant.frame, instant.fraction), (1, expected), "{fraction}");
        }
        assert_eq!(Position::frame(0).resolve(&animation(true, 0, 24.0)), None);
    }

    #[test]
    fn stepping_wraps_in_loops_and_stops_at_ends() {
        let mut builder = ModelBuilder::default();
        let ids = [true, false].map(|looping| builder.animation(animation(looping, 4, 10.0)));
        let model = builder.build();
        let mut out = Cue::default();
        for (id, frame, steps, expected) in [
            (ids[0], 1, 2, Some(3)),
            (ids[0], 1, -2, Some(3)),
            (ids[0], 3, 1, Some(0)),
            (ids[0], 0, 4, None),
            (ids[1], 1, 2, Some(3)),
            (ids[1], 1, 3, None),
            (ids[1], 1, -2, None),
        ] {
            let cue = Cue { animation: Some(id), position: Position::frame(frame), ..Cue::default() };
            let found = cue.stepped(&model, steps, &mut out).then_some(out.position);
            assert_eq!(found, expected.map(Position::frame), "{frame} {steps}");
        }
        assert!(!Cue::default().stepped(&model, 1, &mut out), "the bind pose has no frames");
    }
}
