//! What is decided about animations on tracks, kept from pose to pose.

use super::changed::Bits;
use crate::model::{AnimationId, Identity};
use crate::motion::{Holder, Layer, Mix};

/// The decisions about all layers.
#[derive(Debug, Clone, Default)]
pub(crate) struct Chains {
    /// The motion and the layers that they are about.
    pub motion: Identity,
    pub entries: Vec<Entry>,
    /// Index of the first run of each layer.
    pub firsts: Vec<u32>,
    pub runs: Vec<Run>,
    /// Something is added to only some values of a timeline, so the pose must start from rest.
    pub starts_from_rest: bool,
    /// Values that count as being below the current layer; those of lower tracks, if the rules ask for them; and those of
    /// any earlier layer, if any layer is additive.
    pub seen: Bits,
    pub lower: Bits,
    pub every: Bits,
}

/// The part of a layer on which decisions depend.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Entry {
    animation: Option<AnimationId>,
    /// `None` for a layer that is not in a chain.
    track: Option<u32>,
    flags: [bool; 3],
    held_by: Option<Holder>,
}

/// Consecutive timelines of a layer about which the same was decided.
#[derive(Debug, Clone, Copy)]
pub struct Run {
    /// Index of the timeline after the last one, in the animation.
    pub end: u32,
    pub class: Class,
}

/// The decision about one timeline of a layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Class {
    /// Nothing below changes its values: it starts from the rest pose.
    pub is_first: bool,
    /// No earlier layer changes them, not even an added one. Unknown if no layer is additive.
    pub is_alone: bool,
    /// A lower track changes them. Unknown unless the rules ask for it.
    pub is_above: bool,
    pub hold: Hold,
    /// An additive animation adds its values.
    pub can_add: bool,
    /// It exchanges attachments or the draw order.
    pub is_exchanged: bool,
}

/// Whether values keep their strength while their animation is being replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hold {
    No,
    Full,
    /// They fade with the layer at this index.
    Until(u32),
}

impl Entry {
    pub fn of(layer: &Layer) -> Self {
        let fade = &layer.fade;
        Self {
            animation: layer.animation,
            track: (layer.mix == Mix::Fade).then_some(layer.track),
            flags: [fade.takes_time, fade.is_additive, fade.holds_previous],
            held_by: fade.held_by,
        }
    }
}
