//! The overlays that can be drawn over a character. An overlay is one file of this folder and one line in each
//! table here.

use super::{OverlayVertex, View, bones, names};
use crate::model::Model;
use crate::pose::Pose;

/// An overlay over a character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Overlay {
    /// Bones and their hierarchy.
    Bones,
    /// Bone names.
    Names,
}

impl Overlay {
    /// Every overlay, bottom to top.
    pub const ALL: [Self; 2] = [Self::Bones, Self::Names];

    /// Returns the name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bones => "bones",
            Self::Names => "names",
        }
    }

    /// Returns a short description.
    pub fn about(self) -> &'static str {
        match self {
            Self::Bones => "Bones and their hierarchy",
            Self::Names => "Bone names",
        }
    }

    /// Returns true if it is text, which a window may prefer to draw itself, in its own font.
    pub fn is_text(self) -> bool {
        match self {
            Self::Bones => false,
            Self::Names => true,
        }
    }

    /// Appends the triangles of the overlay.
    pub(super) fn draw(self, model: &Model, pose: &Pose, view: &View, out: &mut Vec<OverlayVertex>) {
        match self {
            Self::Bones => bones::append(model, pose, view, out),
            Self::Names => names::append(model, pose, view, out),
        }
    }
}

/// A set of overlays.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Overlays(u32);

impl Overlays {
    /// Returns true if `overlay` is in the set.
    pub fn contains(self, overlay: Overlay) -> bool {
        self.0 & Self::bit(overlay) != 0
    }

    /// Returns the overlays, bottom to top.
    pub fn iter(self) -> impl Iterator<Item = Overlay> {
        Overlay::ALL.into_iter().filter(move |overlay| self.contains(*overlay))
    }

    /// Returns the overlays that are not text.
    #[must_use]
    pub fn without_text(self) -> Self {
        self.iter().filter(|overlay| !overlay.is_text()).collect()
    }

    /// Adds or removes an overlay.
    pub fn set(&mut self, overlay: Overlay, is_shown: bool) {
        self.0 = if is_shown { self.0 | Self::bit(overlay) } else { self.0 & !Self::bit(overlay) };
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
