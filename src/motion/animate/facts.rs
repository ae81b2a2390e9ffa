//! What a file says about its timelines besides what they show.

use std::ops::Range;

use super::{Animate, Layer};
use crate::model::{AnimationId, BoneId};

/// Facts about the file, for reports only.
#[derive(Debug, Clone, Default)]
#[cfg_attr(
    all(feature = "animate", not(feature = "formats-all")),
    expect(dead_code, reason = "reports are about every format")
)]
pub(crate) struct Facts {
    /// The program that wrote the spritemap, and its version.
    pub exporter: Option<String>,
    /// Labels of the main timeline and their frames.
    pub labels: Vec<(Box<str>, Vec<Range<u32>>)>,
    /// Numbers of instances with filters and with blend modes.
    pub filters: usize,
    pub blends: usize,
    /// Names of the symbols and layers of the rig.
    pub symbols: Vec<Box<str>>,
    pub layers: Vec<Box<str>>,
    /// Where each node comes from.
    pub origins: Vec<Origin>,
}

/// Where a node comes from.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Origin {
    /// The symbol of which it is an instance; `None` for a sprite.
    pub symbol: Option<u32>,
    /// The layer that shows it; `None` for what can be played.
    pub layer: Option<u32>,
}

impl Animate {
    /// Returns the name and the number of frames of the symbol of which a bone is an instance.
    pub(crate) fn symbol_of(&self, bone: BoneId) -> Option<(&str, u32)> {
        let symbol = self.facts.origins.get(bone.index())?.symbol? as usize;
        Some((self.facts.symbols.get(symbol)?, self.rig.symbols.get(symbol)?.frames))
    }

    /// Returns the layer that shows a bone, with its name, and the name of its mask.
    pub(crate) fn layer_of(&self, bone: BoneId) -> Option<(&Layer, &str, Option<&str>)> {
        let index = self.facts.origins.get(bone.index())?.layer?;
        let name = |index: u32| self.facts.layers.get(index as usize).map(|name| &**name);
        let layer = self.rig.layers.get(index as usize)?;
        let symbols = &self.rig.symbols;
        let symbol = symbols.get(symbols.partition_point(|symbol| symbol.layers.end <= index))?;
        Some((layer, name(index)?, layer.clip.and_then(|(mask, _)| name(symbol.layers.start + mask))))
    }

    /// Returns the labels of the main timeline that an animation contains, and the frames of the animation that have them;
    /// none if the animation is put together from several parts.
    pub(in crate::motion) fn labels_in(&self, id: AnimationId) -> Vec<(&str, Range<u32>)> {
        let animation = self.rig.animations.get(id.index()).filter(|animation| animation.symbol == 0);
        let Some([run]) = animation.map(|animation| &animation.runs[..]) else { return Vec::new() };
        let labels =
            self.facts.labels.iter().flat_map(|(name, frames)| frames.iter().map(|label| (&**name, label)));
        let common = labels.map(|(name, label)| (name, label.start.max(run.start)..label.end.min(run.end)));
        let common = common.filter(|(_, frames)| !frames.is_empty());
        common.map(|(name, frames)| (name, frames.start - run.start..frames.end - run.start)).collect()
    }
}
