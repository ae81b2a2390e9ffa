//! The overlays that are shown, with their parameters.

use super::Overlay;
use crate::model::{BoneId, Model};
use crate::pose::{Pose, SkinMatrix, expect_palette};

/// A set of overlays with their parameters.
///
/// ```
/// use pchr::draw::{Onion, Overlay, Overlays};
///
/// let mut overlays = Overlays::from_iter([Overlay::Bones, Overlay::Onion]);
/// overlays.onion = Onion { before: 2, after: 0 };
/// assert!(overlays.contains(Overlay::Onion) && !overlays.contains(Overlay::Wire));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Overlays {
    set: u32,
    /// The bone whose weights [`Overlay::Weights`] shows; `None` shows nothing.
    pub bone: Option<BoneId>,
    /// The ghosts of [`Overlay::Onion`].
    pub onion: Onion,
    /// How large lines and dots are drawn: 1 for one picture pixel per pixel, 2 on a screen with two pixels per point.
    pub scale: f32,
}

impl Default for Overlays {
    fn default() -> Self {
        Self { set: 0, bone: None, onion: Onion::default(), scale: 1.0 }
    }
}

/// The numbers of frames that an onion skin shows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Onion {
    /// Number of earlier frames, at most [`Self::MOST`].
    pub before: u8,
    /// Number of later frames, at most [`Self::MOST`].
    pub after: u8,
}

impl Onion {
    /// The largest number of frames on either side. More cannot be told apart.
    pub const MOST: u8 = 10;
    /// No frames.
    pub(crate) const NONE: Self = Self { before: 0, after: 0 };

    /// Returns the number of steps to each frame that is shown, negative for earlier ones, in drawing order: the
    /// farthest first.
    pub fn steps(self) -> impl Iterator<Item = i32> {
        let [before, after] = [self.before, self.after].map(|count| i32::from(count.min(Self::MOST)));
        let farthest = before.max(after);
        (1..=farthest).rev().flat_map(move |step| {
            [(step <= before).then_some(-step), (step <= after).then_some(step)].into_iter().flatten()
        })
    }
}

impl Default for Onion {
    fn default() -> Self {
        Self { before: 2, after: 2 }
    }
}

impl Overlays {
    /// Panics if `pose` belongs to another model, or if an overlay needs matrices that `palette` lacks.
    #[track_caller]
    pub(in crate::draw) fn expect_palette(self, model: &Model, pose: &Pose, palette: &[SkinMatrix]) {
        if self.iter().any(|overlay| overlay.row().is_skinned) {
            expect_palette(model, pose, palette);
        } else {
            pose.expect_of(model);
        }
    }

    /// Returns true if `overlay` is in the set.
    pub fn contains(self, overlay: Overlay) -> bool {
        self.set & Self::bit(overlay) != 0
    }

    /// Returns the overlays, bottom to top.
    pub fn iter(self) -> impl Iterator<Item = Overlay> {
        Overlay::ALL.into_iter().filter(move |overlay| self.contains(*overlay))
    }

    /// Returns the ghosts to draw; none unless [`Overlay::Onion`] is in the set.
    pub fn ghosts(self) -> Onion {
        if self.contains(Overlay::Onion) { self.onion } else { Onion::NONE }
    }

    /// Adds or removes an overlay.
    pub fn set(&mut self, overlay: Overlay, is_shown: bool) {
        self.set = if is_shown { self.set | Self::bit(overlay) } else { self.set & !Self::bit(overlay) };
    }

    /// Adds an overlay, or removes it if it is in the set.
    pub fn toggle(&mut self, overlay: Overlay) {
        self.set(overlay, !self.contains(overlay));
    }

    fn bit(overlay: Overlay) -> u32 {
        1 << overlay as u32
    }
}

impl FromIterator<Overlay> for Overlays {
    fn from_iter<I: IntoIterator<Item = Overlay>>(overlays: I) -> Self {
        let mut set = Self::default();
        overlays.into_iter().for_each(|overlay| set.set(overlay, true));
        set
    }
}

impl From<Overlay> for Overlays {
    fn from(overlay: Overlay) -> Self {
        Self::from_iter([overlay])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ghosts_are_drawn_from_the_farthest_to_the_nearest() {
        let steps = |before, after| Onion { before, after }.steps().collect::<Vec<_>>();
        assert_eq!(steps(2, 1), [-2, -1, 1]);
        assert_eq!(steps(0, 3), [3, 2, 1]);
        assert!(steps(0, 0).is_empty());
        assert_eq!(steps(255, 0).len(), usize::from(Onion::MOST));
    }
}
