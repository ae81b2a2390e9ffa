//! A tree → bones, slots and attachments of the model.

use foldhash::{HashMap, HashMapExt};

use super::Tree;
use super::masks::{Shapes, polygon};
use crate::diagnostics::Diagnostics;
use crate::error::{Place as At, Result};
use crate::formats::animate::atlas::Atlas;
use crate::limits::Budget;
use crate::math::Affine2;
use crate::model::{Bone, BoneId, ModelBuilder, Slot};
use crate::motion::animate::{Clip, Node, Origin, Rig};

impl Tree<'_> {
    /// Adds bones, slots and attachments to the model.
    pub fn build(
        mut self,
        atlas: &Atlas,
        builder: &mut ModelBuilder,
        budget: &mut Budget<'_>,
        diagnostics: &mut Diagnostics,
    ) -> Result<Built> {
        let mut origins = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let above = node.parent.and_then(|parent| self.nodes.get(parent as usize)?.symbol);
            let layers = above.and_then(|symbol| self.timelines.rig.symbols.get(symbol as usize));
            let layer = layers.zip(node.place).map(|(symbol, place)| symbol.layers.start + place.layer);
            origins.push(Origin { symbol: node.symbol, layer });
            let symbol = node.symbol.and_then(|symbol| self.sources.get(symbol as usize));
            let name = node.place.map_or_else(|| symbol.map_or("root", |it| it.name).into(), |it| it.name.clone());
            let parent = node.parent.map(|parent| BoneId::new(parent as usize));
            // The slot has the same name.
            budget.charge_memory(2, name.len(), At::default)?;
            builder.bone(Bone { name, parent, bone_from_bind: Some(Affine2::IDENTITY), ..Bone::default() })?;
        }
        let mut shapes = Shapes { atlas, known: HashMap::new(), contours: Vec::new(), outlines: Vec::new() };
        self.add_contours(&mut shapes, builder, budget)?;
        self.add_slots(builder)?;
        let mut clips = self.add_clip_slots(builder)?;
        let (mut attachments, mut blank, mut work) = (0, Vec::new(), self.work);
        for (index, node) in self.nodes.iter().enumerate() {
            let (Some(Node::Sprite { attachment, .. }), Some(place)) =
                (self.node_kinds.get_mut(index), node.place)
            else {
                continue;
            };
            *attachment = attachments;
            for &sprite in &place.sprites {
                budget.charge_memory(1, atlas.sprites[sprite as usize].name.len(), At::default)?;
                builder.attachment(atlas.region(sprite, BoneId::new(index))?)?;
                attachments += 1;
            }
        }
        for (clip, grown) in clips.iter_mut().zip(self.all_clips()) {
            let (corners, met) = self.corners(grown, &shapes, budget)?;
            // Evaluation walks a mask once for each layer that it clips.
            work = work.saturating_add(met);
            clip.polygon = polygon(corners, clip.end, builder)?;
            attachments += u32::from(clip.polygon.is_some());
            let symbol = self.nodes.get(grown.node as usize).filter(|node| !node.is_in_mask);
            if let Some(symbol) = symbol.and_then(|node| node.symbol).filter(|_| clip.polygon.is_none()) {
                blank.push(symbol);
            }
        }
        for symbol in blank.into_iter().filter(|_| !atlas.sprites.is_empty()) {
            self.report("blank-mask", symbol, "has a mask without visible pixels; it cuts nothing", diagnostics);
        }
        let bones = self.nodes.len() + shapes.outlines.len();
        let contours = shapes.contours;
        let attachments = attachments as usize;
        Ok(Built { nodes: self.node_kinds, origins, contours, clips, bones, attachments, work })
    }

    fn add_slots(&mut self, builder: &mut ModelBuilder) -> Result<()> {
        for (index, node) in self.nodes.iter().enumerate() {
            let (Some(Node::Sprite { slot, .. }), Some(place)) = (self.node_kinds.get_mut(index), node.place)
            else {
                continue;
            };
            let (bone, blend) = (Some(BoneId::new(index)), node.blend);
            let added = builder.slot(Slot { name: place.name.clone(), bone, blend, ..Slot::default() })?;
            *slot = added.index() as u32;
        }
        Ok(())
    }
}

/// What the motion needs of the tree.
pub struct Built {
    nodes: Vec<Node>,
    origins: Vec<Origin>,
    contours: Vec<Option<u32>>,
    clips: Vec<Clip>,
    bones: usize,
    attachments: usize,
    work: u64,
}

impl Built {
    /// Adds the tree to the lists of symbols. Also returns where its nodes come from.
    pub fn with(self, rig: Rig) -> (Rig, Vec<Origin>) {
        let Self { nodes, origins, contours, clips, bones, attachments, work } = self;
        (Rig { nodes, contours, clips, bones, attachments, work, ..rig }, origins)
    }
}
