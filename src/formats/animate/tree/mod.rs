//! Places of symbols → the tree of all places in which anything can be shown.
//!
//! `build` adds its bones, slots and attachments to the model, `masks` the outlines of masks.

mod build;
mod masks;

use std::collections::HashSet;

use foldhash::{HashMap, HashMapExt};

use super::timelines::{Place, Source, Timelines};
use crate::diagnostics::Diagnostics;
use crate::error::{Place as At, Result, escaped};
use crate::limits::Budget;
use crate::model::Blend;
use crate::motion::animate::Node;

/// Maximum number of symbols inside each other.
pub const MAX_DEPTH: u32 = 64;
/// Memory per node, attachment and clip, at most.
const NODE_BYTES: usize = 1024;

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
}
