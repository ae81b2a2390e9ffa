//! What the timeline shows: its visible part, the keys of the animation, curves, and how well a loop closes.
//! Everything is computed when it is first shown and kept until the animation, the skins or the bone change.

pub mod curves;
pub mod gap;
pub mod go_to;
pub mod height;
pub mod keyed;
pub mod panel;
pub mod pointers;
pub mod zoom;

use std::collections::BTreeSet;
use std::sync::Arc;

pub use curves::{CURVES, Curve, CurveCache};
pub use gap::GapCache;
pub use height::StripHeight;
pub use keyed::{Keyed, KeysCache, Line, selected_of, target_of};
pub use pointers::Pointers;
pub use zoom::Zoom;

use crate::base::filter::Filter;
use crate::base::memo::{ByAddress, Cached};
use crate::playback::range::RangeEnd;
use crate::scene::id_map::IdMap;
use crate::widgets::actions::KeyAt;
use pchr::motion::KeyTarget;

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
    /// The visible part of the animation, and of the values of curves.
    pub zoom: Zoom,
    pub values: Zoom,
    /// The pointer is over the timeline.
    pub is_pointed: bool,
    /// The filter of the rows.
    pub filter: Filter,
    /// The rows whose channels are shown.
    pub expanded: Arc<BTreeSet<KeyTarget>>,
    lines: Cached<LinesOf, Arc<[Line]>>,
    /// The curves that are not shown.
    pub hidden_curves: [bool; CURVES],
    /// Each curve has a scale of its own.
    pub normalizes: bool,
    /// The end of the range that is being dragged.
    pub held: Option<RangeEnd>,
    /// The keys of the animation.
    pub keys: KeysCache,
    /// The curves of a bone.
    pub curve: CurveCache,
    /// The places of keys in the file.
    pub pointers: Pointers,
    /// The key under the pointer when the menu of its row was opened.
    pub pointed: Option<KeyAt>,
    /// The distance between the first and the last instant.
    pub gap: GapCache,
}

impl TimelineView {
    /// Forgets what belongs to the shown character.
    pub fn forget(&mut self) {
        self.show_all();
        self.expanded = Arc::default();
        (self.held, self.pointed) = Default::default();
        self.pointers.forget();
        (self.keys, self.lines, self.curve, self.gap) = Default::default();
    }

    /// Returns true if the whole animation is visible, with all values of the curves.
    pub fn shows_all(&self) -> bool {
        self.zoom.is_whole() && self.values.is_whole()
    }

    /// Shows the whole animation, with all values of the curves.
    pub fn show_all(&mut self) {
        (self.zoom, self.values) = Default::default();
    }

    /// Returns the first and the last visible position of an animation of `length` frames; `None`: all of it is visible.
    pub fn visible(&self, length: f64) -> Option<(f64, f64)> {
        (!self.zoom.is_whole()).then(|| self.zoom.visible(length))
    }

    /// Shows the same part of an animation that now has `length` frames, and the channels of the same rows.
    pub fn return_to(
        &mut self,
        visible: Option<(f64, f64)>,
        expanded: &BTreeSet<KeyTarget>,
        map: &IdMap,
        length: f64,
    ) {
        let target = |target: &KeyTarget| match selected_of(*target) {
            Some(part) => map.part(part).and_then(target_of),
            None => Some(*target),
        };
        self.zoom = visible.map_or(Zoom::default(), |visible| Zoom::of(visible, length));
        self.expanded = Arc::new(expanded.iter().filter_map(target).collect());
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
}

#[cfg(test)]
pub mod tests;
