//! Masks: polygons of the outlines of all sprites that they can show, and the slots around what they clip.

use foldhash::HashMap;

use super::{GrownClip, Tree};
use crate::error::{Place as At, Result};
use crate::formats::animate::atlas::Atlas;
use crate::limits::Budget;
use crate::math::Vec2;
use crate::model::{
    Attachment, AttachmentId, BoneId, ClipMask, Influence, ModelBuilder, Polygon, SkinNVertices, Slot, SlotId,
};
use crate::motion::animate::{Clip, Node};

/// Memory per corner of a mask.
const CORNER_BYTES: usize = 64;

impl Tree<'_> {
    /// Adds a bone for each outline, since only one of the sprites of a place is shown at a time.
    pub(super) fn add_contours(
        &mut self,
        shapes: &mut Shapes<'_>,
        builder: &mut ModelBuilder,
        budget: &mut Budget<'_>,
    ) -> Result<()> {
        for (index, node) in self.nodes.iter().enumerate().filter(|(_, node)| node.is_in_mask) {
            let (Some(kind @ Node::Sprite { .. }), Some(place)) = (self.node_kinds.get_mut(index), node.place)
            else {
                continue;
            };
            *kind = Node::Contour(shapes.contours.len() as u32);
            for &sprite in &place.sprites {
                let outlines = shapes.outlines_of(sprite, budget)?;
                let bone = match outlines.is_empty() {
                    true => None,
                    false => {
                        shapes.outlines.push(outlines);
                        Some(builder.helper(BoneId::new(index))?.index() as u32)
                    }
                };
                shapes.contours.push(bone);
            }
        }
        Ok(())
    }

    /// Returns all clips, followed by those that continue the outer one of two.
    pub(super) fn all_clips(&self) -> impl Iterator<Item = GrownClip> {
        let outer = |clip: &GrownClip| {
            let outer = *self.clips.get(clip.outer? as usize)?;
            Some(GrownClip { outer: None, ..outer })
        };
        self.clips.iter().copied().chain(self.clips.iter().filter_map(outer))
    }

    pub(super) fn add_clip_slots(&self, builder: &mut ModelBuilder) -> Result<Vec<Clip>> {
        let mut continued = self.clips.len() as u32;
        let add = |grown: GrownClip| {
            let bone = Some(BoneId::new(grown.node as usize));
            let [mask, end] =
                ["mask", "mask end"].map(|name| builder.slot(Slot { name: name.into(), bone, ..Slot::default() }));
            let outer = grown.outer.map(|_| {
                continued += 1;
                continued - 1
            });
            Ok(Clip { mask: mask?, polygon: None, end: end?, origin: grown.origin, outer })
        };
        self.all_clips().map(add).collect()
    }

    /// Returns the corners of a mask's polygon with their bones: the outlines of all sprites that it can show. Evaluation
    /// collapses those that it does not. From one to the next, the polygon goes along the same line twice.
    ///
    /// Also returns the number of nodes and layers in the mask.
    pub(super) fn corners(
        &self,
        clip: GrownClip,
        shapes: &Shapes<'_>,
        budget: &mut Budget<'_>,
    ) -> Result<(Corners, u64)> {
        let mut corners = Corners::new();
        let (mut open, mut met) = (vec![clip.node], 0u64);
        while let Some(index) = open.pop() {
            let Some(node) = self.nodes.get(index as usize) else { continue };
            budget.charge_work(1, 1, At::default)?;
            met += 1;
            match self.node_kinds.get(index as usize) {
                Some(Node::Contour(first)) => {
                    let count = node.place.map_or(0, |place| place.sprites.len());
                    let bones = shapes.contours.get(*first as usize..*first as usize + count).unwrap_or_default();
                    for bone in bones.iter().flatten() {
                        let outlines = shapes.outlines.get(*bone as usize - self.nodes.len());
                        for outline in outlines.into_iter().flat_map(|outlines| outlines.iter()) {
                            budget.charge_memory(outline.len() as u64 + 2, CORNER_BYTES, At::default)?;
                            let around = outline.iter().chain(outline.first()).map(|&corner| (corner, *bone));
                            let start = corners.first().copied();
                            corners.extend(around);
                            corners.extend(start);
                        }
                    }
                }
                Some(Node::Symbol { child, .. }) => {
                    let symbol = node.symbol.unwrap_or_default() as usize;
                    let places = self.timelines.places.get(symbol).map(Vec::as_slice).unwrap_or_default();
                    budget.charge_work(places.len() as u64, 1, At::default)?;
                    let layers = self.timelines.rig.symbols.get(symbol).map_or(0, |symbol| symbol.layers.len());
                    met += if index == clip.node { 1 } else { layers as u64 };
                    let shown = places
                        .iter()
                        .enumerate()
                        .filter(|(_, place)| index != clip.node || place.layer == clip.mask);
                    open.extend(shown.map(|(index, _)| child + index as u32));
                }
                _ => {}
            }
        }
        Ok((corners, met))
    }
}

/// The corners of a polygon, with their bones.
type Corners = Vec<(Vec2, u32)>;

/// Adds the polygon of a mask.
pub fn polygon(corners: Corners, end: SlotId, builder: &mut ModelBuilder) -> Result<Option<AttachmentId>> {
    if corners.is_empty() {
        return Ok(None);
    }
    let mut vertices = SkinNVertices::with_capacity(corners.len(), corners.len());
    for (position, bone) in corners {
        vertices.push(Vec2::ZERO, position, &[Influence { position, bone, weight: 1.0 }])?;
    }
    let polygon = Polygon { name: "mask".into(), vertices };
    let mask = ClipMask { polygon, is_convex: false, is_inverse: false, end: Some(end) };
    builder.attachment(Attachment::ClipMask(mask)).map(Some)
}

/// Outlines of a sprite.
pub type Outlines = std::rc::Rc<[Vec<Vec2>]>;

/// The outlines of sprites in masks.
pub struct Shapes<'a> {
    pub atlas: &'a Atlas,
    pub known: HashMap<u32, Outlines>,
    /// For each sprite of each place in a mask: its bone.
    pub contours: Vec<Option<u32>>,
    /// For each of these bones.
    pub outlines: Vec<Outlines>,
}

impl Shapes<'_> {
    fn outlines_of(&mut self, sprite: u32, budget: &mut Budget<'_>) -> Result<Outlines> {
        if let Some(known) = self.known.get(&sprite) {
            return Ok(known.clone());
        }
        let outlines: Outlines = self.atlas.contours(sprite, budget)?.into();
        self.known.insert(sprite, outlines.clone());
        Ok(outlines)
    }
}
