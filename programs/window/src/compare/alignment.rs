//! What the second character of a comparison shows while the first one shows a cue: animations, skins and bones of
//! the same names, at the same time or frame.

use std::collections::BTreeMap;

use crate::scene::names::Names;
use pchr::model::{Animation, AnimationId, Model, SkinId};
use pchr::motion::{BoneOverride, Cue, Layer, Position};

/// Which instant of the second character corresponds to one of the first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Align {
    /// The same time in seconds.
    #[default]
    Time,
    /// The same frame number.
    Frame,
}

impl Align {
    /// Returns the length of an animation: seconds or frames.
    fn length(self, animation: &Animation) -> f64 {
        match self {
            Self::Time => animation.duration_secs(),
            Self::Frame => animation.frame_count().into(),
        }
    }

    /// Returns the position in `to` that corresponds to `at` in `of`, and whether it lies after the end of `to`.
    fn position(self, at: Position, of: &Animation, to: &Animation) -> (Position, bool) {
        if of.timing == to.timing {
            // Converting would round.
            return (at, false);
        }
        let frame = match at {
            Position::Frame { frame, fraction } => f64::from(frame) + f64::from(fraction),
            Position::Seconds(seconds) => of.position_at(seconds),
        };
        match self {
            Self::Time => {
                let seconds = match at {
                    Position::Seconds(seconds) => seconds,
                    Position::Frame { .. } => of.seconds_at(frame),
                };
                // Rounding must not turn the last instant into the first.
                let is_over = seconds > to.seconds_at(to.steps().into()).max(to.duration_secs()) + 1e-9;
                (Position::Seconds(seconds), is_over)
            }
            Self::Frame => {
                let whole = frame.floor().clamp(0.0, f64::from(u32::MAX));
                let position = Position::Frame { frame: whole as u32, fraction: (frame - whole) as f32 };
                let is_over = frame >= f64::from(to.frame_count());
                (if to.is_keyed() { Position::Seconds(to.seconds_at(frame)) } else { position }, is_over)
            }
        }
    }
}

/// Which of two animations ends first, and when.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ends {
    /// True if the second one ends first.
    pub is_second: bool,
    /// Length of the shorter one, in seconds or frames.
    pub shorter: f64,
    /// Length of the longer one.
    pub longer: f64,
}

/// Returns which animation ends first; `None` if their lengths are equal.
pub fn ends(align: Align, first: &Animation, second: &Animation) -> Option<Ends> {
    let (a, b) = (align.length(first), align.length(second));
    // Rates are rounded in some formats.
    let is_same = (a - b).abs() <= 1e-6 * a.abs().max(b.abs());
    (!is_same).then_some(Ends { is_second: b < a, shorter: a.min(b), longer: a.max(b) })
}

/// Pairs the items of two models by name.
#[derive(Debug, Clone, Copy)]
pub struct Counterparts<'a> {
    /// The first character.
    pub first: &'a Model,
    /// The second character.
    pub second: &'a Model,
    /// The names of the second character.
    pub names: &'a Names,
    /// Which instants correspond.
    pub align: Align,
    /// Animations of the second character that were chosen for names that it does not have.
    pub chosen: &'a BTreeMap<String, String>,
}

impl Counterparts<'_> {
    /// Returns the animation of the second character for one of the first.
    pub fn animation(&self, id: AnimationId) -> Option<AnimationId> {
        let name = &self.first.animation(id).name;
        let chosen = || self.names.animation(self.chosen.get(name)?);
        self.names.animation(name).or_else(chosen)
    }

    /// Returns the skins of the second character for some of the first. Those that it does not have are left out.
    pub fn skins(&self, skins: &[SkinId]) -> Vec<SkinId> {
        skins.iter().filter_map(|&id| self.names.skin(&self.first.skin(id).name)).collect()
    }

    /// Returns the position of `second` in frames that corresponds to `position` of `first`.
    pub fn position(&self, first: AnimationId, second: AnimationId, position: f64) -> f64 {
        let (of, to) = (self.first.animation(first), self.second.animation(second));
        match self.align {
            Align::Time if of.timing != to.timing => to.position_at(of.seconds_at(position)),
            Align::Time | Align::Frame => position,
        }
    }

    /// Returns what the second character shows while the first one shows `cue`. What it does not have is left out.
    pub fn cue(&self, cue: &Cue) -> Cue {
        let bones = self.second.skeleton();
        let first_bones = self.first.skeleton().bones();
        let bone = |moved: &BoneOverride| {
            let bone = bones.find(&first_bones.get(moved.bone.index())?.name)?;
            Some(BoneOverride { bone, ..*moved })
        };
        let mut shown = Cue {
            interpolate: cue.interpolate,
            skins: self.skins(&cue.skins),
            layers: cue.layers.iter().filter_map(|layer| self.layer(layer)).collect(),
            bones: cue.bones.iter().filter_map(bone).collect(),
            ..Cue::default()
        };
        if let Some((id, position, is_over)) = cue.animation.and_then(|id| self.at(id, cue.position)) {
            (shown.animation, shown.position, shown.hold) = (Some(id), position, cue.hold || is_over);
        }
        shown
    }

    fn layer(&self, layer: &Layer) -> Option<Layer> {
        let Some(id) = layer.animation else { return Some(*layer) };
        let (animation, position, is_over) = self.at(id, layer.position)?;
        let fade = layer.fade.map(|id| self.animation(id));
        Some(Layer { animation: Some(animation), position, hold: layer.hold || is_over, fade, ..*layer })
    }

    fn at(&self, id: AnimationId, position: Position) -> Option<(AnimationId, Position, bool)> {
        let other = self.animation(id)?;
        let (of, to) = (self.first.animation(id), self.second.animation(other));
        let (position, is_over) = self.align.position(position, of, to);
        Some((other, position, is_over))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pchr::model::Timing;

    fn frames(count: u32, fps: f64, looping: bool) -> Animation {
        Animation { looping, timing: Timing::Frames { count, fps }, ..Animation::default() }
    }

    #[test]
    fn instants_correspond_by_time_or_frame() {
        let (a, b) = (frames(30, 30.0, true), frames(12, 15.0, true));
        let at = Position::Frame { frame: 10, fraction: 0.5 };
        let (time, is_over) = Align::Time.position(at, &a, &b);
        assert!(matches!(time, Position::Seconds(seconds) if (seconds - 0.35).abs() < 1e-12) && !is_over);
        assert_eq!(Align::Frame.position(at, &a, &b), (at, false));
        assert!(Align::Time.position(Position::frame(25), &a, &b).1, "0.83 s of 0.8 s");
        assert!(!Align::Time.position(Position::frame(23), &a, &b).1);
        assert!(Align::Frame.position(Position::frame(12), &a, &b).1);
        assert!(!Align::Frame.position(Position::frame(11), &a, &b).1);
        assert_eq!(Align::Time.position(at, &a, &a), (at, false), "not rounded");
    }

    #[test]
    fn the_shorter_animation_ends_first() {
        let (a, b) = (frames(30, 30.0, true), frames(12, 15.0, true));
        assert_eq!(ends(Align::Time, &a, &b), Some(Ends { is_second: true, shorter: 0.8, longer: 1.0 }));
        assert_eq!(ends(Align::Frame, &b, &a), Some(Ends { is_second: false, shorter: 12.0, longer: 30.0 }));
        assert_eq!(ends(Align::Time, &a, &frames(15, 15.0, true)), None);
    }
}
