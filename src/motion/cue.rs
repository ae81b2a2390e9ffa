//! What to show, and which stored frames that lies between.

use super::BoneOverride;
use crate::model::{Animation, AnimationId, Model, SkinId, Timing};

/// What to show. The default is the rest pose: of stored frames the bind pose, of a sheet its first picture.
///
/// Its animations are those of the character that it is evaluated for: evaluating panics where one does not exist. Skins
/// and bones that the character does not have are ignored.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Cue {
    /// Which animation; `None`: the rest pose.
    pub animation: Option<AnimationId>,
    /// When in it.
    pub position: Position,
    /// Blend between stored frames instead of holding the last one. Motion that has keys always blends.
    pub interpolate: bool,
    /// Hold the ends of an animation that goes round.
    pub hold: bool,
    /// Which skins are worn beside the default one; a later one goes before an earlier one.
    pub skins: Vec<SkinId>,
    /// What is mixed in after [`Self::animation`], in this order. Stored frames and sheets are not mixed: without an
    /// animation they show the last of these.
    pub layers: Vec<Layer>,
    /// Bones that the caller puts somewhere, after animations and before constraints.
    pub overrides: Vec<BoneOverride>,
}

impl Cue {
    /// The rest pose and after it at most `count` frames of `animation`, evenly spread: enough to judge what a character
    /// looks like in `skins`.
    ///
    /// # Panics
    ///
    /// If `animation` belongs to another model.
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

    /// Becomes the same as `other`, in the memory that is there.
    pub(crate) fn set(&mut self, other: &Self) {
        let Self { animation, position, interpolate, hold, skins, layers, overrides } = self;
        (*animation, *position, *interpolate, *hold) =
            (other.animation, other.position, other.interpolate, other.hold);
        skins.clone_from(&other.skins);
        layers.clone_from(&other.layers);
        overrides.clone_from(&other.overrides);
    }

    /// The animation that layers are mixed into.
    pub(super) fn played(&self) -> Option<Played> {
        self.animation.map(|animation| Played { animation, position: self.position, hold: self.hold })
    }

    /// What is shown of stored pictures and frames, which are not mixed: which animation, and where in it.
    pub(super) fn instant(&self, model: &Model) -> Option<(AnimationId, Instant)> {
        let played = self.played().or(self.layers.last().map(Layer::played))?;
        let animation = model.animation(played.animation);
        let instant = played.position.resolve_as(animation, animation.looping && !played.hold)?;
        Some((played.animation, instant))
    }

    /// Every animation that the cue names, those of layers and what covers them included.
    pub fn animations(&self) -> impl Iterator<Item = AnimationId> {
        let of_layer = |layer: &Layer| [Some(layer.animation), layer.cover.and_then(|cover| cover.by)];
        [self.animation].into_iter().chain(self.layers.iter().flat_map(of_layer)).flatten()
    }

    /// Panics where the cue names an animation that `model` does not have.
    #[track_caller]
    pub(super) fn expect_of(&self, model: &Model) {
        for id in self.animations() {
            model.animation(id);
        }
    }

    /// Whether `other` is another instant of the same.
    pub(super) fn differs_in_position_only(&self, other: &Self) -> bool {
        let Self { animation, position: _, interpolate, hold, skins, layers, overrides } = self;
        (*animation, *interpolate, *hold) == (other.animation, other.interpolate, other.hold)
            && (skins, layers, overrides) == (&other.skins, &other.layers, &other.overrides)
    }
}

/// An animation that is mixed into what others have made.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Layer {
    /// Which animation.
    pub animation: AnimationId,
    /// When in it.
    pub position: Position,
    /// Hold the ends of an animation that goes round.
    pub hold: bool,
    /// How much of it, 0 to 1. Anything but a finite number is 0.
    pub alpha: f64,
    /// What it is mixed with.
    pub mix: Mix,
    /// Whether `alpha` is on its way to 1 or to 0.
    pub direction: Direction,
    /// Of layers that are [`Mix::Fade`]: which track it is on. Those of one track follow each other.
    pub track: u32,
    /// Of layers that are [`Mix::Fade`]: what is taking its place.
    pub cover: Option<Cover>,
}

/// An animation at an instant, without how it is mixed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Played {
    pub animation: AnimationId,
    pub position: Position,
    /// Hold the ends of an animation that goes round.
    pub hold: bool,
}

/// What takes the place of an animation on its track.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cover {
    /// The animation, which has the next layer. `None`: nothing, so that the tracks below are seen again.
    pub by: Option<AnimationId>,
    /// How far it has come, 0 to 1. Anything but a finite number is 0.
    pub share: f64,
    /// The covered animation has ended: only values that both animations change are held, and it shows no attachments.
    pub has_ended: bool,
}

impl Cover {
    /// How far it has come.
    pub(super) fn finite_share(&self) -> f64 {
        finite(self.share)
    }
}

/// A share, 0 where it is not finite.
fn finite(share: f64) -> f64 {
    if share.is_finite() { share } else { 0.0 }
}

impl Layer {
    /// All of an animation, over whatever is there.
    pub fn new(animation: AnimationId, position: Position) -> Self {
        Self {
            animation,
            position,
            hold: false,
            alpha: 1.0,
            mix: Mix::Replace,
            direction: Direction::In,
            track: 0,
            cover: None,
        }
    }

    /// What is mixed in.
    pub(super) fn played(&self) -> Played {
        Played { animation: self.animation, position: self.position, hold: self.hold }
    }

    /// How much of it.
    pub(super) fn finite_alpha(&self) -> f64 {
        finite(self.alpha)
    }
}

/// What an animation is mixed with, and what it does before its first keys.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Mix {
    /// With the rest pose: whatever came before is lost. Before a first key that is the rest pose.
    #[default]
    Setup,
    /// With what is there. Before a first key it leads to the rest pose.
    First,
    /// With what is there. Before a first key nothing changes.
    Replace,
    /// Added to what is there. Before a first key nothing changes.
    Add,
    /// With what is there, as one of the animations of a track: as [`Self::First`] does what no track below changes,
    /// as [`Self::Replace`] the rest. Where [`Layer::cover`] changes something too, it is not faded out before it is
    /// covered, unless something below changes it as well. [`Tracks`](crate::player::Tracks) makes such layers.
    Fade,
}

/// Whether a share is on its way to 1 or to 0: what cannot be blended changes only on the way in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Direction {
    /// Towards 1.
    #[default]
    In,
    /// Towards 0.
    Out,
}

/// A point in an animation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Position {
    /// A stored frame and how far to the next one, 0 to 1. Beyond the last frame it wraps or holds.
    Frame {
        /// The stored frame.
        frame: u32,
        /// How far to the next one.
        fraction: f32,
    },
    /// Seconds from the first frame. Before it and beyond the end it wraps or holds.
    Seconds(f64),
}

impl Default for Position {
    fn default() -> Self {
        Self::frame(0)
    }
}

impl Position {
    /// A stored frame, exactly.
    pub fn frame(frame: u32) -> Self {
        Self::Frame { frame, fraction: 0.0 }
    }

    /// The stored frames that this position lies between; `None` when nothing is stored.
    pub fn resolve(self, animation: &Animation) -> Option<Instant> {
        self.resolve_as(animation, animation.looping)
    }

    /// As [`Self::resolve`], where an animation that goes round may be asked to hold its ends instead.
    fn resolve_as(self, animation: &Animation, looping: bool) -> Option<Instant> {
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

/// Two neighbouring stored frames and how far the instant is between them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Instant {
    /// The frame that is shown, and whose steps (visibility, order) hold.
    pub frame: u32,
    /// The frame after it; the same one at the end.
    pub next: u32,
    /// 0 to 1.
    pub fraction: f32,
}

/// Seconds to frame and fraction. A time within a millionth of a frame *is* that frame: without
/// this one time in thirty, computed as frame / fps, lands one frame early.
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
    fn samples_are_the_rest_pose_and_frames_that_are_evenly_spread() {
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
    fn a_still_picture_and_nothing_at_all() {
        assert_eq!(Position::Seconds(3.0).resolve(&animation(true, 5, 0.0)).unwrap().frame, 0);
        assert_eq!(Position::Seconds(f64::NAN).resolve(&animation(true, 5, 24.0)).unwrap().frame, 0);
        for (fraction, expected) in [(f32::NAN, 0.0), (-1.0, 0.0), (f32::INFINITY, 1.0), (7.0, 1.0), (0.5, 0.5)] {
            let instant = Position::Frame { frame: 1, fraction }.resolve(&animation(true, 5, 24.0)).unwrap();
            assert_eq!((instant.frame, instant.fraction), (1, expected), "{fraction}");
        }
        assert_eq!(Position::frame(0).resolve(&animation(true, 0, 24.0)), None);
    }
}
