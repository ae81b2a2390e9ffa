//! What the timeline shows: its visible part, the keys of the animation, curves, and how well a loop closes.
//! Everything is computed when it is first shown and kept until the animation, the skins or the bone change.

pub mod curves;
pub mod gap;
pub mod go_to;
pub mod height;
pub mod keyed;
pub mod panel;
pub mod place;
pub mod zoom;

use std::collections::BTreeSet;
use std::sync::Arc;

pub use curves::{CURVES, Curve, CurveCache};
pub use gap::GapCache;
pub use height::StripHeight;
pub use keyed::{Keyed, KeysCache, Line, selected_of, target_of};
pub use place::TimelinePlace;
pub use zoom::Zoom;

use crate::motion::KeyTarget;
use crate::player::Animator;
use crate::viewer::base::filter::Filter;
use crate::viewer::base::memo::{ByAddress, Cached};
use crate::viewer::playback::range::RangeEnd;

/// The area below the timeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lower {
    /// The keys of each bone, slot and constraint.
    Dopesheet,
    /// The curves of the selected bone.
    Curves,
}

/// What the rows depend on: the keys, the filter, and the expanded rows.
type LinesOf = (ByAddress<Keyed>, Filter, ByAddress<BTreeSet<KeyTarget>>);

/// The state of the timeline.
#[derive(Debug, Default)]
pub struct TimelineView {
    /// The area below the timeline; `None`: closed.
    pub lower: Option<Lower>,
    /// The height of that area with the ruler.
    pub height: StripHeight,
    /// The visible part of the animation.
    pub zoom: Zoom,
    /// The filter of the rows.
    pub filter: Filter,
    /// The rows whose channels are shown.
    pub expanded: Arc<BTreeSet<KeyTarget>>,
    lines: Cached<LinesOf, Arc<[Line]>>,
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
        self.expanded = Arc::default();
        self.held = None;
        (self.keys, self.lines, self.curve, self.gap) = Default::default();
    }

    /// Shows `lower`, or closes it if it is shown.
    pub fn toggle(&mut self, lower: Lower) {
        self.lower = if self.lower == Some(lower) { None } else { Some(lower) };
    }

    /// Returns the rows to show, of those whose names match the filter.
    pub fn lines(&mut self) -> Arc<[Line]> {
        let Some(keyed) = self.keys.shown() else { return Arc::default() };
        let (filter, expanded) = (&self.filter, &self.expanded);
        let key = (ByAddress::of(keyed), filter.clone(), ByAddress::of(expanded));
        Arc::clone(self.lines.get(key, || keyed.lines(filter, expanded)))
    }

    /// Returns how often the rows were computed.
    #[cfg(test)]
    pub fn computed(&self) -> u64 {
        self.lines.computed()
    }

    /// Shows or hides the channels of a row.
    pub fn toggle_expanded(&mut self, target: KeyTarget) {
        let expanded = Arc::make_mut(&mut self.expanded);
        if !expanded.remove(&target) {
            expanded.insert(target);
        }
    }

    /// Updates the keys for what is shown. Returns true while they are being listed on another thread.
    pub fn refresh_keys(&mut self, animator: &Animator) -> bool {
        self.keys.refresh(animator)
    }
}

#[cfg(test)]
pub mod tests;
