//! Motion of Adobe Animate's texture atlases: symbols with timelines, nested.
//!
//! A node of a tree stands for each place in which a timeline can show an instance or a sprite. Every node is a bone, and
//! every node of a sprite is a slot. Evaluation walks the timelines at one frame, and writes the nodes that it meets; the
//! others are inactive. Frames are never interpolated. Units are pixels, y up.

mod effect;
mod facts;
mod keyed;
mod walk;

pub(crate) use effect::Effect;
pub(crate) use facts::{Facts, Origin};

use std::ops::Range;

use super::Cue;
use super::sampled::put_root;
use crate::math::Affine2;
use crate::model::{AnimationId, AttachmentId, Model, SlotId, Tint};
use crate::pose::{DeformSpan, Pose, SlotPose};
use walk::Walk;

/// Timelines of a character. All references are valid in its model, and every node is met at most once in a frame.
#[derive(Debug, Clone, Default)]
pub struct Animate {
    pub(crate) rig: Rig,
    pub(crate) facts: Facts,
}

/// Flat lists; the parts of a part are a range of the next list.
#[derive(Debug, Clone, Default)]
pub(crate) struct Rig {
    pub symbols: Vec<Symbol>,
    pub layers: Vec<Layer>,
    pub keys: Vec<Key>,
    pub elements: Vec<Element>,
    pub effects: Vec<Effect>,
    /// Parents before children. Each has the bone of its index.
    pub nodes: Vec<Node>,
    /// The bones of mask contours; `None` for sprites without visible pixels.
    pub contours: Vec<Option<u32>>,
    pub clips: Vec<Clip>,
    pub animations: Vec<Animation>,
    /// Numbers of bones and attachments of the model.
    pub bones: usize,
    pub attachments: usize,
    /// What a frame takes at most, in layers and nodes.
    pub work: u64,
}

/// A timeline.
#[derive(Debug, Clone, Default)]
pub(crate) struct Symbol {
    /// From the topmost one.
    pub layers: Range<u32>,
    /// Number of frames.
    pub frames: u32,
}

/// A layer with elements.
#[derive(Debug, Clone, Default)]
pub(crate) struct Layer {
    /// Sorted by their first frames.
    pub keys: Range<u32>,
    pub is_mask: bool,
    /// The mask layer, and the index among the clipped layers of the symbol.
    pub clip: Option<(u32, u32)>,
}

/// A keyframe.
#[derive(Debug, Clone, Default)]
pub(crate) struct Key {
    pub frames: Range<u32>,
    /// Back to front.
    pub elements: Range<u32>,
}

/// An instance or a sprite in a keyframe.
#[derive(Debug, Clone)]
pub(crate) struct Element {
    pub matrix: Affine2,
    /// Index of its colour effect.
    pub effect: Option<u32>,
    /// Index among the places of its symbol.
    pub place: u32,
    pub shows: Shows,
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Shows {
    /// The index among the sprites of its place.
    Sprite(u32),
    /// A symbol, from its frame `first`.
    Symbol { symbol: u32, play: Play, first: u32 },
}

/// How an instance plays the timeline of its symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Play {
    #[default]
    Loop,
    Once,
    Still,
}

/// A place in which a timeline can show something.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Node {
    /// An instance of a symbol: its first child and its first clipped layer.
    Symbol { child: u32, clip: u32 },
    /// A sprite: the slot and the attachment of its first picture.
    Sprite { slot: u32, attachment: u32 },
    /// A sprite in a mask: the entry of [`Rig::contours`] for its first picture.
    Contour(u32),
    /// Shows nothing.
    Nothing,
}

/// The slots around a clipped layer.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Clip {
    pub mask: SlotId,
    /// The polygon; `None` if no sprite of the mask has visible pixels.
    pub polygon: Option<AttachmentId>,
    /// The slot after which the mask ends.
    pub end: SlotId,
    /// Index of the mask that this is, or that it continues after another one inside.
    pub origin: u32,
    /// Inside another clipped layer: the mask that continues that one.
    pub outer: Option<u32>,
}

/// One animation: frames of a symbol.
#[derive(Debug, Clone, Default)]
pub(crate) struct Animation {
    pub node: u32,
    pub symbol: u32,
    /// Shown one after the other.
    pub runs: Vec<Range<u32>>,
    /// Moves and mirrors all frames.
    pub root: Affine2,
}

impl Animation {
    /// Returns the frame of the symbol that is shown in a frame of the animation.
    fn frame(&self, mut frame: u32) -> Option<u32> {
        for run in &self.runs {
            if frame < run.len() as u32 {
                return Some(run.start + frame);
            }
            frame -= run.len() as u32;
        }
        None
    }
}

impl Animate {
    /// Returns the numbers of bones, animations and attachments of its model.
    pub(super) fn counts(&self) -> [usize; 3] {
        [self.rig.bones, self.rig.animations.len(), self.rig.attachments]
    }

    /// Returns the work of finding a frame of an animation, in runs.
    pub(super) fn keys_work(&self, id: AnimationId) -> u64 {
        self.rig.animations.get(id.index()).map_or(0, |animation| animation.runs.len() as u64)
    }

    /// Returns the work of a pose, in units of a layer or a node.
    pub(super) fn rest_work(&self) -> u64 {
        self.rig.work
    }

    pub(super) fn evaluate(&self, model: &Model, cue: &Cue, pose: &mut Pose) {
        let shown = cue.instant(model).and_then(|(id, instant)| {
            let animation = self.rig.animations.get(id.index())?;
            Some((animation.node, animation.symbol, animation.frame(instant.frame)?, animation.root))
        });
        // A large tree shows little of itself at a time: what is not met must cost little.
        pose.world_from_bone.clear();
        pose.world_from_bone.resize(self.rig.nodes.len(), Affine2::IDENTITY);
        // Outlines of masks that are not shown collapse.
        pose.world_from_bone.resize(self.rig.bones, Affine2::ZERO);
        pose.slots.clear();
        let empty = SlotPose { attachment: None, tint: Tint::NONE, deform: DeformSpan::NONE };
        pose.slots.resize(model.slots().len(), empty);
        pose.draw_order.clear();
        pose.deform.clear();
        pose.inactive_bones.clear();
        // The rest pose is the first frame of the root timeline.
        let (node, symbol, frame, root) = shown.unwrap_or_default();
        let mut walk = Walk { rig: &self.rig, overrides: &cue.bones, clip: None, pose };
        walk.symbol(node, symbol, frame, put_root(&cue.bones) * root, &Effect::NONE);
        walk.finish();
    }
}

impl Rig {
    fn layers_of(&self, symbol: u32) -> &[Layer] {
        let range = self.symbols.get(symbol as usize).map(|symbol| &symbol.layers);
        range.and_then(|range| self.layers.get(range.start as usize..range.end as usize)).unwrap_or_default()
    }

    fn keys_of(&self, layer: &Layer) -> &[Key] {
        self.keys.get(layer.keys.start as usize..layer.keys.end as usize).unwrap_or_default()
    }

    /// Returns the keyframe of a layer that holds `frame`.
    fn key_at(&self, layer: &Layer, frame: u32) -> Option<u32> {
        let keys = self.keys_of(layer);
        let index = keys.partition_point(|key| key.frames.start <= frame).checked_sub(1)?;
        keys.get(index)?.frames.contains(&frame).then_some(layer.keys.start + index as u32)
    }

    /// Returns the first frame of a keyframe, and its elements.
    fn key(&self, key: u32) -> Option<(u32, &[Element])> {
        let key = self.keys.get(key as usize)?;
        let elements = self.elements.get(key.elements.start as usize..key.elements.end as usize)?;
        Some((key.frames.start, elements))
    }

    /// Returns the first frame of the keyframe that holds `frame`, and its elements.
    fn elements_at(&self, layer: &Layer, frame: u32) -> Option<(u32, &[Element])> {
        self.key(self.key_at(layer, frame)?)
    }

    /// Returns the frame of a nested symbol `after` frames after the first one of its keyframe; `None` shows nothing.
    fn nested_frame(&self, symbol: u32, play: Play, first: u32, after: u32) -> Option<u32> {
        let frames = self.symbols.get(symbol as usize)?.frames;
        let frame = match play {
            Play::Loop => first.saturating_add(after).checked_rem(frames)?,
            Play::Once => first.saturating_add(after).min(frames.checked_sub(1)?),
            Play::Still => first,
        };
        (frame < frames).then_some(frame)
    }
}
