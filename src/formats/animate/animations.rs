//! What can be played: the labels of the main timeline, or else the main timeline and the symbols on its only frame; and the
//! symbols that the caller asks for.

use std::collections::{HashSet, VecDeque};
use std::iter;
use std::ops::Range;

use foldhash::HashMap;

use super::timelines::{Place, Source, Timelines};
use super::tree::{MAX_DEPTH, Tree};
use crate::error::{Error, Result, escaped};
use crate::formats::ReadOptions;
use crate::model::{Animation, ModelBuilder, Timing};
use crate::motion::animate;

/// The animations of a character.
pub struct Animations {
    pub list: Vec<Named>,
    /// Number of labels, which come first.
    pub labels: usize,
    /// The symbols that need trees.
    pub roots: Vec<u32>,
}

/// An animation and its name.
pub struct Named {
    name: String,
    symbol: u32,
    runs: Vec<Range<u32>>,
    node: u32,
}

impl Animations {
    pub fn of(
        sources: &[Source<'_>],
        timelines: &Timelines,
        by_name: &HashMap<&str, u32>,
        options: &ReadOptions,
    ) -> Result<Self> {
        let frames = |symbol: u32| timelines.rig.symbols.get(symbol as usize).map_or(0, |symbol| symbol.frames);
        let name = |symbol: u32| sources.get(symbol as usize).map_or("", |source| source.name).to_owned();
        let whole =
            |symbol: u32, name| Named { name, symbol, runs: iter::once(0..frames(symbol)).collect(), node: 0 };
        let mut list = labels(sources);
        let labels = list.len();
        if list.is_empty() {
            list.push(whole(0, name(0)));
            if frames(0) == 1 {
                let shown = timelines.places.first().map(Vec::as_slice).unwrap_or_default();
                let mut known = HashSet::from([0]);
                let symbols = shown.iter().filter_map(|place| place.symbol);
                let symbols = symbols.filter(|symbol| frames(*symbol) > 1 && known.insert(*symbol));
                list.extend(symbols.map(|symbol| whole(symbol, name(symbol))));
            }
        }
        for asked in &options.symbols {
            let symbol = *by_name.get(&**asked).ok_or_else(|| {
                Error::misuse("unknown-symbol", format!("the character has no symbol `{}`", escaped(asked)))
            })?;
            list.push(whole(symbol, format!("symbol:{asked}")));
        }
        let mut shown = shown_by_main(timelines);
        let others = list.iter().map(|named| named.symbol).filter(|symbol| shown.insert(*symbol));
        let roots = iter::once(0).chain(others).collect();
        Ok(Self { list, labels, roots })
    }

    /// Determines where each animation is in the tree.
    pub fn place(&mut self, tree: &Tree<'_>) {
        let nodes = tree.first_nodes();
        for animation in &mut self.list {
            animation.node = nodes.get(&animation.symbol).copied().unwrap_or_default();
        }
    }

    /// Adds the animations to the model.
    pub fn add_to(self, builder: &mut ModelBuilder, fps: f64) -> Vec<animate::Animation> {
        let add = |Named { name, symbol, runs, node }: Named| {
            let count = runs.iter().map(|run| run.len() as u64).sum::<u64>();
            let count = u32::try_from(count).unwrap_or(u32::MAX);
            let timing = Timing::Frames { count, fps };
            builder.animation(Animation { name, looping: true, timing, is_bind_pose: false });
            animate::Animation { node, symbol, runs }
        };
        self.list.into_iter().map(add).collect()
    }
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
            named.push(Named { name: name.to_owned(), symbol: 0, runs: Vec::new(), node: 0 });
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
