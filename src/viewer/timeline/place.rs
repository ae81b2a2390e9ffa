//! What is shown of the timeline, by name, so that it stays so when the file is read again.

use std::sync::Arc;

use super::{TimelineView, Zoom, selected_of, target_of};
use crate::model::Model;
use crate::motion::KeyTarget;
use crate::viewer::scene::selection::ByName;

/// The visible part of the animation, and the rows whose channels are shown.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TimelinePlace {
    /// The first and the last visible position, in frames; `None`: the whole animation is visible.
    pub visible: Option<(f64, f64)>,
    expanded: Vec<TargetName>,
}

/// The name of a row.
#[derive(Debug, Clone, PartialEq)]
enum TargetName {
    /// A bone, a slot or a constraint.
    Part(ByName),
    /// A row that there is only one of.
    Only(KeyTarget),
}

impl TimelineView {
    /// Returns what is shown of an animation of `length` frames.
    pub fn place(&self, model: &Model, length: f64) -> TimelinePlace {
        let name = |target: &KeyTarget| match selected_of(*target) {
            Some(part) => ByName::of(model, part).map(TargetName::Part),
            None => Some(TargetName::Only(*target)),
        };
        TimelinePlace {
            visible: (!self.zoom.is_whole()).then(|| self.zoom.visible(length)),
            expanded: self.expanded.iter().filter_map(name).collect(),
        }
    }

    /// Shows the same of an animation that now has `length` frames.
    pub fn return_to(&mut self, place: &TimelinePlace, model: &Model, length: f64) {
        let target = |name: &TargetName| match name {
            TargetName::Part(name) => name.find(model).and_then(target_of),
            TargetName::Only(target) => Some(*target),
        };
        self.zoom = place.visible.map_or(Zoom::default(), |visible| Zoom::of(visible, length));
        self.expanded = Arc::new(place.expanded.iter().filter_map(target).collect());
    }
}
