//! What can be played: the labels of the main timeline, or else the main timeline and the symbols on its only frame; and the
//! symbols that the caller asks for.

use std::collections::{HashSet, VecDeque};
use std::iter;
use std::ops::Range;

use foldhash::HashMap;

use super::timelines::{Place, Source, Timelines};
use super::tree::{MAX_DEPTH, Tree};
use crate::error::Result;
use crate::math::Affine2;
use crate::model::{Animation, ModelBuilder, Timing, UnknownName};
use crate::motion::animate;

/// The animations of a character.
pub struct Animations<'a> {
    pub list: Vec<Named>,
    /// Number of labels, which come first.
    pub labels: usize,
    sources: &'a [Source<'a>],
    timelines: &'a Timelines,
    by_name: &'a HashMap<&'a str, u32>,
}

/// An animation and its name.
#[derive(Clone)]
pub struct Named {
    pub name: String,
    pub symbol: u32,
    pub runs: Vec<Range<u32>>,
    pub node: u32,
    /// Its rate in frames per second, if it is not that of the file.
    pub fps: Option<f64>,
    pub looping: bool,
    /// Moves and mirrors its frames, y up.
    pub root: Affine2,
}

impl Named {
    fn of(name: String, symbol: u32, runs: Vec<Range<u32>>) -> Self {
        Self { name, symbol, runs, node: 0, fps: None, looping: true, root: Affine2::IDENTITY }
    }
}

impl<'a> Animations<'a> {
    pub fn of(sources: &'a [Source<'a>], timelines: &'a Timelines, by_name: &'a HashMap<&'a str, u32>) -> Self {
        let list = labels(sources);
        let mut found = Self { labels: list.len(), list, sources, timelines, by_name };
        if found.list.is_empty() {
            let main = found.whole(0);
            found.list.push(main);
            if found.frames(0) == 1 {
                let shown = timelines.places.first().map(Vec::as_slice).unwrap_or_default();
                let mut known = HashSet::from([0]);
                let symbols = shown.iter().filter_map(|place| place.symbol);
                let symbols = symbols.filter(|symbol| found.frames(*symbol) > 1 && known.insert(*symbol));
                let symbols: Vec<Named> = symbols.map(|symbol| found.whole(symbol)).collect();
                found.list.extend(symbols);
            }
        }
        found
    }

    fn frames(&self, symbol: u32) -> u32 {
        self.timelines.rig.symbols.get(symbol as usize).map_or(0, |symbol| symbol.frames)
    }

    /// Returns the whole timeline of a symbol, with its name.
    fn whole(&self, symbol: u32) -> Named {
        let name = self.sources.get(symbol as usize).map_or("", |source| source.name).to_owned();
        let frames = iter::once(0..self.frames(symbol)).filter(|frames| !frames.is_empty());
        Named::of(name, symbol, frames.collect())
    }

    pub fn symbol(&self, name: &str) -> Option<Named> {
        self.by_name.get(name).map(|&symbol| self.whole(symbol))
    }

    /// Adds symbols that the caller asks for, as `symbol:` and the name. Leaves out unknown ones if `keep_going`.
    pub fn ask(&mut self, symbols: &[String], keep_going: bool) -> Result<()> {
        for asked in symbols {
            let known = || self.sources.iter().map(|source| source.name.to_owned()).collect();
            let unknown = || UnknownName { what: "symbol", name: asked.clone(), known: known() };
            match self.symbol(asked) {
                Some(named) => self.list.push(Named { name: format!("symbol:{asked}"), ..named }),
                None if keep_going => {}
                None => return Err(unknown().into()),
            }
        }
        Ok(())
    }

    /// Returns the symbols that need trees.
    pub fn roots(&self) -> Vec<u32> {
        let mut shown = shown_by_main(self.timelines);
        let others = self.list.iter().map(|named| named.symbol).filter(|symbol| shown.insert(*symbol));
        iter::once(0).chain(others).collect()
    }

    /// Determines where each animation is in the tree.
    pub fn place(&mut self, tree: &Tree<'_>) {
        let nodes = tree.first_nodes();
        for animation in &mut self.list {
            animation.node = nodes.get(&animation.symbol).copied().unwrap_or_default();
        }
    }
}

/// Adds the animations to the model. The one called `start` is shown first.
pub fn add(
    list: Vec<Named>,
    builder: &mut ModelBuilder,
    usual: f64,
    start: Option<&str>,
) -> Vec<animate::Animation> {
    let add = |Named { name, symbol, runs, node, fps, looping, root }: Named| {
        let count = runs.iter().map(|run| run.len() as u64).sum::<u64>();
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        let timing = Timing::Frames { count, fps: fps.unwrap_or(usual) };
        let is_first = start == Some(&*name);
        let id = builder.animation(Animation { name, looping, timing, is_bind_pose: false });
        if is_first {
            builder.first_animation(id);
        }
        animate::Animation { node, symbol, runs, root }
    };
    list.into_iter().map(add).collect()
}

/// Returns the labels of the main timeline, in the order of their first frames: the frames of all keyframes of the name.
fn labels(sources: &[Source<'_>]) -> Vec<Named> {
    let layers = sources.first().map(|source| source.layers).unwrap_or_default();
    let keys = layers.iter().flat_map(|layer| &layer.keys);
    let mut found: Vec<(&str, Range<u32>)> = keys
        .filter_map(|key| Some((key.label.as_ref()?.as_str(), key.first..key.first + key.count)))
        .filter(|(name, frames)| !name.is_empty() && !frames.is_empty())
        .collect();
    found.sort_by_key(|(_, frames)| frames.start);
    let mut named: Vec<Named> = Vec::new();
    let mut indices = std::collections::HashMap::new();
    for (name, frames) in found {
        let index = *indices.entry(name).or_insert_with(|| {
            named.push(Named::of(name.to_owned(), 0, Vec::new()));
            named.len() - 1
        });
        named[index].runs.push(frames);
    }
    named
}

/// Returns the symbols that the main timeline shows, directly or not. Each has a node outside of masks.
fn shown_by_main(timelines: &Timelines) -> HashSet<u32> {
    let (mut found, mut open) = (HashSet::from([0]), VecDeque::from([(0, 1)]));
    while let Some((symbol, depth)) = open.pop_front() {
        let rig = &timelines.rig;
        let first = rig.symbols.get(symbol as usize).map_or(0, |symbol| symbol.layers.start as usize);
        let is_mask =
            |place: &Place| rig.layers.get(first + place.layer as usize).is_some_and(|layer| layer.is_mask);
        let places = timelines.places.get(symbol as usize).map(Vec::as_slice).unwrap_or_default();
        let inner = places.iter().filter(|place| depth < MAX_DEPTH && !is_mask(place));
        let inner = inner.filter_map(|place| place.symbol).filter(|symbol| found.insert(*symbol));
        open.extend(inner.map(|symbol| (symbol, depth + 1)));
    }
    found
}
