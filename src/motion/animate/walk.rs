//! A walk over the timelines that are shown in one frame.

use super::{Effect, Element, Layer, Node, Rig, Shows};
use crate::math::Affine2;
use crate::model::{AttachmentId, BoneId, SlotId};
use crate::motion::BoneOverride;
use crate::motion::sampled::BoneSample;
use crate::pose::Pose;

/// A walk, which writes what it meets into a pose. It recurses as deep as the tree of nodes, whose depth is limited.
pub(super) struct Walk<'a> {
    pub rig: &'a Rig,
    pub overrides: &'a [BoneOverride],
    /// The mask that clips what follows.
    pub clip: Option<u32>,
    /// Until the walk [is finished](Self::finish), its inactive bones are those that were met.
    pub pose: &'a mut Pose,
}

impl Walk<'_> {
    /// Shows a frame of a symbol.
    pub fn symbol(&mut self, node: u32, symbol: u32, frame: u32, world_from_bone: Affine2, effect: &Effect) {
        let rig = self.rig;
        let Some(Node::Symbol { child, clip }) = rig.nodes.get(node as usize).copied() else { return };
        self.place(node, world_from_bone);
        // The first layer is on top.
        for layer in rig.layers_of(symbol).iter().rev().filter(|layer| !layer.is_mask) {
            match layer.clip {
                Some((mask, index)) if self.masked(symbol, mask, child, frame, world_from_bone) => {
                    self.clipped(clip + index, |walk| walk.layer(layer, child, frame, world_from_bone, effect));
                }
                Some(_) | None => self.layer(layer, child, frame, world_from_bone, effect),
            }
        }
    }

    /// Marks bones that were not met as inactive.
    pub fn finish(self) {
        let bones = &mut self.pose.inactive_bones;
        bones.sort_unstable();
        bones.dedup();
        let (met, mut next) = (bones.len(), 0);
        for index in 0..met {
            let bone = bones.get(index).map_or(next, |bone| bone.index());
            bones.extend((next..bone).map(BoneId::new));
            next = bone + 1;
        }
        bones.extend((next..self.rig.nodes.len()).map(BoneId::new));
        bones.drain(..met);
    }

    fn layer(&mut self, layer: &Layer, child: u32, frame: u32, world_from_symbol: Affine2, effect: &Effect) {
        let Some((start, elements)) = self.rig.elements_at(layer, frame) else { return };
        for element in elements {
            let (node, world_from_bone) = self.placed(element, child, world_from_symbol);
            let own = element.effect.and_then(|own| self.rig.effects.get(own as usize));
            let effect = own.map_or(*effect, |own| effect.around(own));
            if effect.multiplier[3] + effect.offset[3] <= 0.0 || !world_from_bone.is_finite() {
                continue;
            }
            match element.shows {
                Shows::Sprite(index) => self.sprite(node, index, world_from_bone, &effect),
                Shows::Symbol { symbol, play, first } => {
                    if let Some(frame) = self.rig.nested_frame(symbol, play, first, frame - start) {
                        self.symbol(node, symbol, frame, world_from_bone, &effect);
                    }
                }
            }
        }
    }

    /// Returns the node and the matrix of an element.
    fn placed(&self, element: &Element, child: u32, world_from_symbol: Affine2) -> (u32, Affine2) {
        let bone = (child + element.place) as usize;
        let mut moved = self.overrides.iter().filter(|moved| moved.bone.index() == bone).peekable();
        let mut local = element.matrix;
        if moved.peek().is_some() {
            let put = BoneSample::of(local).put(bone, self.overrides, world_from_symbol).parent_from_bone(false);
            // Shear is kept, unless the bone is turned or scaled.
            let keeps_shape = moved.all(|moved| moved.rotation_radians.is_none() && moved.scale.is_none());
            local = if keeps_shape { Affine2 { translation: put.translation, ..local } } else { put };
        }
        (child + element.place, world_from_symbol * local)
    }

    fn place(&mut self, node: u32, world_from_bone: Affine2) {
        if let Some(matrix) = self.pose.world_from_bone.get_mut(node as usize) {
            *matrix = world_from_bone;
            if (node as usize) < self.rig.nodes.len() {
                self.pose.inactive_bones.push(BoneId::new(node as usize));
            }
        }
    }

    fn sprite(&mut self, node: u32, index: u32, world_from_bone: Affine2, effect: &Effect) {
        let Some(Node::Sprite { slot, attachment }) = self.rig.nodes.get(node as usize).copied() else { return };
        self.place(node, world_from_bone);
        if let Some(shown) = self.pose.slots.get_mut(slot as usize) {
            shown.attachment = Some(AttachmentId::new((attachment + index) as usize));
            shown.tint = effect.tint();
            self.pose.draw_order.push(SlotId::new(slot as usize));
        }
    }

    /// Draws inside a mask. Only the innermost one of several cuts.
    fn clipped(&mut self, clip: u32, draw: impl FnOnce(&mut Self)) {
        let origin = |walk: &Self, clip: Option<u32>| Some(walk.rig.clips.get(clip? as usize)?.origin);
        let around = origin(self, self.clip);
        self.end();
        self.begin(clip);
        draw(self);
        self.end();
        let continued = self.rig.clips.get(clip as usize).and_then(|clip| clip.outer);
        if let Some(continued) = continued.filter(|clip| around.is_some() && origin(self, Some(*clip)) == around) {
            self.begin(continued);
        }
    }

    fn begin(&mut self, index: u32) {
        let Some(clip) = self.rig.clips.get(index as usize) else { return };
        if let Some(slot) = self.pose.slots.get_mut(clip.mask.index()) {
            slot.attachment = clip.polygon;
        }
        self.pose.draw_order.push(clip.mask);
        self.clip = Some(index);
    }

    fn end(&mut self) {
        let clip = self.clip.take().and_then(|clip| self.rig.clips.get(clip as usize));
        self.pose.draw_order.extend(clip.map(|clip| clip.end));
    }

    /// Moves the contours of a mask layer. Returns true if the mask has a shape in this frame; else it does not cut.
    fn masked(&mut self, symbol: u32, mask: u32, child: u32, frame: u32, world_from_symbol: Affine2) -> bool {
        let layer = self.rig.layers_of(symbol).get(mask as usize);
        layer.is_some_and(|layer| self.contours(layer, child, frame, world_from_symbol))
    }

    fn contours(&mut self, layer: &Layer, child: u32, frame: u32, world_from_symbol: Affine2) -> bool {
        let rig = self.rig;
        let Some((start, elements)) = rig.elements_at(layer, frame) else { return false };
        let mut is_shaped = false;
        for element in elements {
            let (node, world_from_bone) = self.placed(element, child, world_from_symbol);
            if !world_from_bone.is_finite() {
                continue;
            }
            match (rig.nodes.get(node as usize).copied(), element.shows) {
                (Some(Node::Contour(first)), Shows::Sprite(index)) => {
                    self.place(node, world_from_bone);
                    if let Some(Some(bone)) = rig.contours.get((first + index) as usize) {
                        self.place(*bone, world_from_bone);
                        is_shaped = true;
                    }
                }
                (Some(Node::Symbol { child, .. }), Shows::Symbol { symbol, play, first }) => {
                    self.place(node, world_from_bone);
                    let Some(frame) = rig.nested_frame(symbol, play, first, frame - start) else { continue };
                    for layer in rig.layers_of(symbol).iter().filter(|layer| !layer.is_mask) {
                        is_shaped |= self.contours(layer, child, frame, world_from_bone);
                    }
                }
                _ => {}
            }
        }
        is_shaped
    }
}
