//! Places of symbols → the tree of all places in which anything can be shown, and its bones, slots and attachments.

use std::collections::HashSet;

use foldhash::{HashMap, HashMapExt};

use super::atlas::Atlas;
use super::timelines::{Place, Source, Timelines};
use crate::diagnostics::Diagnostics;
use crate::error::{Place as At, Result, escaped};
use crate::limits::Budget;
use crate::math::{Affine2, Vec2};
use crate::model::{
    Attachment, AttachmentId, Blend, Bone, BoneId, ClipMask, Influence, ModelBuilder, Polygon, SkinNVertices,
    Slot, SlotId,
};
use crate::motion::animate::{Clip, Node, Rig};

/// Maximum number of symbols inside each other.
pub const MAX_DEPTH: u32 = 64;
/// Memory per node, attachment and clip, at most.
const NODE_BYTES: usize = 1024;
/// Memory per corner of a mask.
const CORNER_BYTES: usize = 64;

/// A node while the tree grows.
#[derive(Clone, Copy)]
struct Grown<'a> {
    parent: Option<u32>,
    /// The symbol that it shows, unless it shows nothing or sprites.
    symbol: Option<u32>,
    /// Where it is in the symbol of its parent; `None` for a root.
    place: Option<&'a Place>,
    blend: Blend,
    depth: u32,
    is_in_mask: bool,
    /// Index of the mask around it.
    clip: Option<u32>,
    /// The first child.
    child: u32,
    shows: bool,
}

/// A clipped layer.
#[derive(Clone, Copy)]
struct GrownClip {
    node: u32,
    mask: u32,
    /// The mask that it continues.
    origin: u32,
    outer: Option<u32>,
}

/// A tree while it grows.
pub struct Tree<'a> {
    sources: &'a [Source<'a>],
    timelines: &'a Timelines,
    nodes: Vec<Grown<'a>>,
    clips: Vec<GrownClip>,
    node_kinds: Vec<Node>,
    work: u64,
    /// Findings by code and symbol: each is reported once.
    reported: HashSet<(&'static str, u32)>,
}

impl<'a> Tree<'a> {
    /// Grows trees of these symbols.
    pub fn grow(
        sources: &'a [Source<'a>],
        timelines: &'a Timelines,
        roots: &[u32],
        budget: &mut Budget<'_>,
        diagnostics: &mut Diagnostics,
    ) -> Result<Self> {
        let root = |&symbol: &u32| Grown {
            parent: None,
            symbol: Some(symbol),
            place: None,
            blend: Blend::Normal,
            depth: 1,
            is_in_mask: false,
            clip: None,
            child: 0,
            shows: true,
        };
        let nodes = roots.iter().map(root).collect();
        let mut tree = Self {
            sources,
            timelines,
            nodes,
            clips: Vec::new(),
            node_kinds: Vec::new(),
            work: 0,
            reported: HashSet::new(),
        };
        let mut at = 0;
        while let Some(&node) = tree.nodes.get(at) {
            tree.children(at as u32, node, budget, diagnostics)?;
            at += 1;
        }
        Ok(tree)
    }

    fn children(
        &mut self,
        index: u32,
        node: Grown<'a>,
        budget: &mut Budget<'_>,
        diagnostics: &mut Diagnostics,
    ) -> Result<()> {
        let child = self.nodes.len() as u32;
        let clip = self.clips.len() as u32;
        if let Some(grown) = self.nodes.get_mut(index as usize) {
            grown.child = child;
        }
        let symbol = node.symbol.filter(|_| node.shows);
        let kind = match (symbol, node.place) {
            (Some(_), _) => Node::Symbol { child, clip },
            (None, Some(Place { symbol: None, .. })) if node.shows => Node::Sprite { slot: 0, attachment: 0 },
            (None, _) => Node::Nothing,
        };
        self.node_kinds.push(kind);
        let Some(symbol) = symbol else { return Ok(()) };
        let places = self.timelines.places.get(symbol as usize).map(Vec::as_slice).unwrap_or_default();
        let layers = self.timelines.rig.symbols.get(symbol as usize).map(|symbol| symbol.layers.clone());
        let layers =
            self.timelines.rig.layers.get(layers.map_or(0..0, |range| range.start as usize..range.end as usize));
        let layers = layers.unwrap_or_default();
        self.work = self.work.saturating_add((layers.len() + places.len()) as u64);
        let sources = self.sources;
        let place = || At::inside(sources.get(symbol as usize).map_or("", |source| &*source.pointer));
        let attachments: usize = places.iter().map(|place| place.sprites.len()).sum();
        budget.charge_records(places.len() as u64, place)?;
        budget.charge_memory((places.len() + attachments + layers.len()) as u64, NODE_BYTES, place)?;
        let mut of_layers = HashMap::new();
        for (layer, mask) in layers.iter().enumerate().filter_map(|(layer, it)| Some((layer as u32, it.clip?.0))) {
            let clip = GrownClip { node: index, mask, origin: self.clips.len() as u32, outer: node.clip };
            of_layers.insert(layer, self.clips.len() as u32);
            self.clips.push(clip);
        }
        if node.clip.is_some() && !of_layers.is_empty() && !node.is_in_mask {
            self.report(
                "nested-mask",
                symbol,
                "has a mask and is inside of another one; only the inner one cuts",
                diagnostics,
            );
        }
        let used: HashSet<u32> = layers.iter().filter_map(|layer| Some(layer.clip?.0)).collect();
        for of in places {
            let is_mask = layers.get(of.layer as usize).is_some_and(|layer| layer.is_mask);
            let is_used = !is_mask || !node.is_in_mask && used.contains(&of.layer);
            let grown = Grown {
                parent: Some(index),
                symbol: of.symbol,
                place: Some(of),
                blend: if node.blend == Blend::Normal { of.blend } else { node.blend },
                depth: node.depth + 1,
                is_in_mask: node.is_in_mask || is_mask,
                clip: of_layers.get(&of.layer).copied().or(node.clip),
                child: 0,
                shows: is_used && self.can_show(of, index, diagnostics),
            };
            self.nodes.push(grown);
        }
        Ok(())
    }

    /// Returns false for a symbol inside itself, or too deep inside others.
    fn can_show(&mut self, place: &Place, parent: u32, diagnostics: &mut Diagnostics) -> bool {
        let Some(symbol) = place.symbol else { return true };
        let mut above = self.nodes.get(parent as usize);
        let is_deep = above.is_some_and(|parent| parent.depth >= MAX_DEPTH);
        let mut is_inside_itself = false;
        while let Some(node) = above {
            is_inside_itself |= node.symbol == Some(symbol);
            above = node.parent.and_then(|parent| self.nodes.get(parent as usize));
        }
        if is_inside_itself {
            self.report("symbol-loop", symbol, "contains itself; the inner one is not drawn", diagnostics);
        } else if is_deep {
            self.report("deep-symbol", symbol, "is inside of 64 others; it is not drawn", diagnostics);
        }
        !is_inside_itself && !is_deep
    }

    /// Reports a finding about a symbol, once.
    fn report(&mut self, code: &'static str, symbol: u32, message: &str, diagnostics: &mut Diagnostics) {
        if self.reported.insert((code, symbol))
            && let Some(source) = self.sources.get(symbol as usize)
        {
            let message = format!("symbol `{}` {message}", escaped(source.name));
            diagnostics.warn(code, At::inside(&*source.pointer), message);
        }
    }

    /// Returns for each symbol the first node that shows it, outside of masks.
    pub fn first_nodes(&self) -> HashMap<u32, u32> {
        let shown = (0..).zip(&self.nodes).filter(|(_, node)| node.shows && !node.is_in_mask);
        let mut first = HashMap::new();
        for (index, node) in shown {
            node.symbol.map(|symbol| *first.entry(symbol).or_insert(index));
        }
        first
    }

    /// Adds bones, slots and attachments to the model.
    pub fn build(
        mut self,
        atlas: &Atlas,
        builder: &mut ModelBuilder,
        budget: &mut Budget<'_>,
        diagnostics: &mut Diagnostics,
    ) -> Result<Built> {
        for node in &self.nodes {
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
        Ok(Built { nodes: self.node_kinds, contours, clips, bones, attachments: attachments as usize, work })
    }

    /// Adds a bone for each outline, since only one of the sprites of a place is shown at a time.
    fn add_contours(
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

    /// Returns all clips, followed by those that continue the outer one of two.
    fn all_clips(&self) -> impl Iterator<Item = GrownClip> {
        let outer = |clip: &GrownClip| {
            let outer = *self.clips.get(clip.outer? as usize)?;
            Some(GrownClip { outer: None, ..outer })
        };
        self.clips.iter().copied().chain(self.clips.iter().filter_map(outer))
    }

    fn add_clip_slots(&self, builder: &mut ModelBuilder) -> Result<Vec<Clip>> {
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
    fn corners(&self, clip: GrownClip, shapes: &Shapes<'_>, budget: &mut Budget<'_>) -> Result<(Corners, u64)> {
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
fn polygon(corners: Corners, end: SlotId, builder: &mut ModelBuilder) -> Result<Option<AttachmentId>> {
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

/// What the motion needs of the tree.
pub struct Built {
    nodes: Vec<Node>,
    contours: Vec<Option<u32>>,
    clips: Vec<Clip>,
    bones: usize,
    attachments: usize,
    work: u64,
}

impl Built {
    /// Adds the tree to the lists of symbols.
    pub fn with(self, rig: Rig) -> Rig {
        let Self { nodes, contours, clips, bones, attachments, work } = self;
        Rig { nodes, contours, clips, bones, attachments, work, ..rig }
    }
}

/// Outlines of a sprite.
type Outlines = std::rc::Rc<[Vec<Vec2>]>;

/// The outlines of sprites in masks.
struct Shapes<'a> {
    atlas: &'a Atlas,
    known: HashMap<u32, Outlines>,
    /// For each sprite of each place in a mask: its bone.
    contours: Vec<Option<u32>>,
    /// For each of these bones.
    outlines: Vec<Outlines>,
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
