//! The keys of an animation, grouped by target.

use super::ease::{Easing, Handles, ease};
use super::{Animation, Rest, Scratch};
use crate::model::{self, Timing};
use crate::motion::{Direction, Layer, Mix, Played};

/// The keys of one number or switch.
#[derive(Debug, Clone)]
pub(crate) struct Track<Key> {
    /// Index of the number or switch.
    pub target: u32,
    /// The keys, by frame.
    pub keys: Box<[Key]>,
}

/// A key of a number.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Key {
    pub frame: f64,
    pub value: f64,
    /// Interpolation to the next key.
    pub handles: Handles,
}

/// A key of a switch.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SwitchKey {
    pub frame: f64,
    pub value: i32,
}

/// How an animation is mixed into the current values.
#[derive(Debug, Clone, Copy)]
pub(super) struct Share<'a> {
    pub alpha: f64,
    pub mix: Mix,
    pub direction: Direction,
    /// For [`Mix::Fade`]: the replacement of the animation.
    pub cover: Option<Covering<'a>>,
}

/// The replacement of an animation.
#[derive(Debug, Clone, Copy)]
pub(super) struct Covering<'a> {
    /// The replacing animation. `None`: nothing, so that the values below become visible again.
    pub by: Option<&'a Animation>,
    /// Progress of the replacement, 0 to 1.
    pub share: f64,
}

impl Share<'_> {
    /// Returns the share of a layer that is not on a track.
    pub fn of(layer: &Layer) -> Self {
        Self { alpha: layer.finite_alpha(), mix: layer.mix, direction: layer.direction, cover: None }
    }

    /// The whole weight.
    pub const WHOLE: Self = Self { alpha: 1.0, mix: Mix::Setup, direction: Direction::In, cover: None };

    /// Returns the mix weight for `target`. A value that will be covered is not faded out: otherwise the rest pose
    /// would show through during the cross-fade.
    fn alpha_of(&self, target: u32) -> f64 {
        match self.cover {
            Some(cover) if cover.by.is_some_and(|by| by.changes(target)) => self.alpha,
            Some(cover) => self.alpha * (1.0 - cover.share),
            None => self.alpha,
        }
    }
}

/// Interpolates between `keys[at]` and the next key.
#[inline]
fn between(keys: &[Key], at: usize, frame: f64, easing: &mut Easing) -> f64 {
    let key = &keys[at];
    match keys.get(at + 1) {
        Some(next) => easing.ease(frame - key.frame, next.frame - key.frame, key.value, next.value, key.handles),
        None => key.value,
    }
}

impl Animation {
    /// Returns true if the animation changes `target`.
    pub(super) fn changes(&self, target: u32) -> bool {
        self.changes.binary_search(&target).is_ok()
    }

    /// Returns a number at `frame`; `None` if no key changes it. Before the first key it is at rest.
    pub(super) fn number(&self, target: usize, frame: f64, rest: &Rest) -> Option<f64> {
        let track = self.tracks.iter().find(|track| track.target as usize == target)?;
        let before = track.keys.partition_point(|key| key.frame <= frame);
        let at = before.checked_sub(1);
        Some(at.map_or(rest.numbers[target], |at| between(&track.keys, at, frame, &mut Easing::default())))
    }

    /// Mixes this animation at `frame` into numbers and switches.
    pub(super) fn apply(&self, frame: f64, share: Share<'_>, rest: &Rest, scratch: &mut Scratch) {
        let Scratch { numbers, switches, .. } = scratch;
        let mut easing = Easing::default();
        for track in &self.tracks {
            let (target, keys) = (track.target as usize, &track.keys);
            let before = keys.partition_point(|key| key.frame <= frame);
            let (now, rest) = (&mut numbers[target], rest.numbers[target]);
            let alpha = share.alpha_of(track.target);
            let value = before.checked_sub(1).map(|at| between(keys, at, frame, &mut easing));
            *now = match (share.mix, value) {
                (Mix::Setup, None) => rest,
                (Mix::Replace | Mix::Add | Mix::Fade, None) => continue,
                (Mix::First, None) => *now + (rest - *now) * alpha,
                (Mix::Add, Some(value)) => *now + (value - rest) * alpha,
                // Avoids rounding errors if there is nothing to mix.
                (_, Some(value)) if alpha == 1.0 => value,
                (Mix::Setup, Some(value)) => rest + (value - rest) * alpha,
                (Mix::First | Mix::Replace | Mix::Fade, Some(value)) => *now + (value - *now) * alpha,
            };
        }
        self.switch(frame, share, rest, switches);
    }

    /// Applies the keys of switches.
    pub(super) fn switch(&self, frame: f64, share: Share<'_>, rest: &Rest, switches: &mut [i32]) {
        // A fully covered animation has no effect.
        let is_gone = share.cover.is_some_and(|cover| cover.share >= 1.0);
        for track in self.switch_tracks.iter().filter(|_| !is_gone) {
            let (target, keys) = (track.target as usize, &track.keys);
            let before = keys.partition_point(|key| key.frame <= frame);
            let value = before.checked_sub(1).map(|at| keys[at].value);
            switches[target] = match (share.direction, share.mix, value) {
                (Direction::In, _, Some(value)) | (Direction::Out, Mix::Fade, Some(value)) => value,
                (_, Mix::Setup | Mix::First, _) => rest.switches[target],
                (_, Mix::Replace | Mix::Add | Mix::Fade, _) => continue,
            };
        }
    }

    /// Moves `numbers` towards this animation at `frame`, and marks those that it changes. Every relevant key is
    /// applied separately, as in the format's own programs.
    pub(super) fn smooth(&self, frame: f64, smoothing: f64, numbers: &mut [f64], is_moved: &mut [bool]) {
        let mut easing = Easing::default();
        for track in &self.tracks {
            let (target, keys) = (track.target as usize, &track.keys);
            let before = keys.partition_point(|key| key.frame <= frame);
            // A key whose successor is at exactly this frame is still applied.
            let first = keys[..before].partition_point(|key| key.frame < frame).saturating_sub(1);
            for at in first..before {
                let value = between(keys, at, frame, &mut easing);
                numbers[target] = ease(frame - keys[at].frame, smoothing, numbers[target], value, Handles::SMOOTH);
                is_moved[target] = true;
            }
        }
    }
}

/// Returns the frame of a position, with a fraction; `None` if the animation has no frames. A held animation
/// continues beyond its last frame: no more keys follow, but smoothing needs the time.
pub(super) fn frame_of(played: Played, animation: &model::Animation) -> Option<f64> {
    let Played { position, hold, .. } = played;
    let instant = if hold && animation.frame_count() > 0 {
        let timing = Timing::Frames { count: u32::MAX, fps: animation.fps() };
        position.resolve(&model::Animation { timing, ..model::Animation::default() })?
    } else {
        position.resolve(animation)?
    };
    Some(f64::from(instant.frame) + f64::from(instant.fraction))
}
