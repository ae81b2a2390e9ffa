//! What the timeline shows: its visible part, the keys of the animation, curves, and how well a loop closes.
//! Everything is computed when it is first shown and kept until the animation, the skins or the bone change.

mod curves;
mod gap;
mod keyed;
mod place;
mod zoom;

use std::collections::BTreeSet;

pub use curves::{CURVES, Curve, CurveCache};
pub use gap::GapCache;
pub use keyed::{Keyed, KeysCache, Line, TargetKeys, selected_of, target_of};
pub use place::TimelinePlace;
pub use zoom::Zoom;

use crate::motion::KeyTarget;
use crate::player::Animator;

/// The area below the timeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lower {
    /// The keys of each bone, slot and constraint.
    Dopesheet,
    /// The curves of the selected bone.
    Curves,
}

/// The end of the range that the pointer drags.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RangeEnd {
    /// The in point.
    In,
    /// The out point.
    Out,
}

/// The state of the timeline.
#[derive(Debug, Default)]
pub struct TimelineView {
    /// The area below the timeline; `None`: closed.
    pub lower: Option<Lower>,
    /// The visible part of the animation.
    pub zoom: Zoom,
    /// Only rows whose names contain this text are shown.
    pub filter: String,
    /// The rows whose channels are shown.
    pub expanded: BTreeSet<KeyTarget>,
    /// The curves that are not shown.
    pub hidden_curves: [bool; CURVES],
    /// The end of the range that is being dragged.
    pub held: Option<RangeEnd>,
    /// The keys of the animation.
    pub keys: KeysCache,
    /// The curves of a bone.
    pub curve: CurveCache,
    /// The distance between the first and the last instant.
    pub gap: GapCache,
}

impl TimelineView {
    /// Forgets what belongs to the shown character.
    pub fn forget(&mut self) {
        self.zoom = Zoom::default();
        self.expanded.clear();
        self.held = None;
        (self.keys, self.curve, self.gap) = Default::default();
    }

    /// Shows `lower`, or closes it if it is shown.
    pub fn toggle(&mut self, lower: Lower) {
        self.lower = if self.lower == Some(lower) { None } else { Some(lower) };
    }

    /// Returns the rows to show, of those whose names match the filter.
    pub fn lines(&self) -> Vec<Line> {
        self.keys.shown().map(|keyed| keyed.lines(&self.filter, &self.expanded)).unwrap_or_default()
    }

    /// Updates the keys for what is shown. Returns true while they are being listed on another thread.
    pub fn refresh_keys(&mut self, animator: &Animator) -> bool {
        self.keys.refresh(animator)
    }
}
