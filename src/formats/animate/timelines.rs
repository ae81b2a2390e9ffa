//! Symbols of a file → flat lists of layers, keyframes and elements, and the places in which each symbol shows something.

use std::collections::HashSet;

use foldhash::{HashMap, HashMapExt};

use super::atlas::Atlas;
use super::schema::{Element, Instance, InstanceKind, Key, Layer, LayerKind, Matrix};
use super::spelling::Spelling;
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Place as At, Result, escaped};
use crate::formats::MovieClips;
use crate::limits::Budget;
use crate::math::{Affine2, vec2};
use crate::model::Blend;
use crate::motion::animate::{self, Play, Rig, Shows};

/// Elements with larger numbers are not drawn, in pixels: Animate puts empty pictures at -2³¹ twips.
const FAR: f32 = 1e6;
/// Memory per element and its place, at most.
const ELEMENT_BYTES: usize = 256;

/// A symbol of the file.
pub struct Source<'a> {
    pub name: &'a str,
    /// JSON pointer of its timeline.
    pub pointer: String,
    pub layers: &'a [Layer<'a>],
}

/// A place in which a symbol can show an instance of one symbol, or sprites.
pub struct Place {
    pub layer: u32,
    /// `None` for sprites.
    pub symbol: Option<u32>,
    pub blend: Blend,
    pub sprites: Vec<u32>,
    pub name: Box<str>,
}

/// What a symbol shows, wherever it is placed.
#[derive(Default)]
pub struct Timelines {
    pub rig: Rig,
    /// For each symbol.
    pub places: Vec<Vec<Place>>,
    /// Numbers of instances with filters and with blend modes.
    pub filters: usize,
    pub blends: usize,
}

/// The same layer shows the same symbol with the same blend mode so many times before in a keyframe.
#[derive(PartialEq, Eq, Hash, Clone, Copy)]
struct PlaceKey {
    layer: u32,
    symbol: Option<u32>,
    blend: &'static str,
    ordinal: u32,
}

/// Resolves the elements of all symbols. Symbols are found by their names; the first one counts.
pub struct Resolver<'a, 'd> {
    pub sources: &'a [Source<'a>],
    pub by_name: &'a HashMap<&'a str, u32>,
    pub atlas: &'a Atlas,
    pub movie_clips: MovieClips,
    pub spelling: Spelling,
    pub diagnostics: &'d mut Diagnostics,
    made: Timelines,
    known: HashMap<PlaceKey, u32>,
    sprites: HashMap<(u32, u32), u32>,
    ordinals: HashMap<(Option<u32>, &'static str), u32>,
    /// Findings about symbols and sprites, by code and name or pointer: each is reported once.
    reported: HashSet<(&'static str, &'a str)>,
}

/// Where an element is.
#[derive(Clone, Copy)]
struct Position<'a> {
    symbol: &'a Source<'a>,
    layer: usize,
    key: usize,
    element: usize,
}

impl<'a, 'd> Resolver<'a, 'd> {
    pub fn new(
        sources: &'a [Source<'a>],
        by_name: &'a HashMap<&'a str, u32>,
        atlas: &'a Atlas,
        (movie_clips, spelling): (MovieClips, Spelling),
        diagnostics: &'d mut Diagnostics,
    ) -> Self {
        Self {
            sources,
            by_name,
            atlas,
            movie_clips,
            spelling,
            diagnostics,
            made: Timelines::default(),
            known: HashMap::new(),
            sprites: HashMap::new(),
            ordinals: HashMap::new(),
            reported: HashSet::new(),
        }
    }

    /// Resolves all symbols.
    pub fn resolve(mut self, budget: &mut Budget<'_>) -> Result<Timelines> {
        let layers = || self.sources.iter().flat_map(|source| source.layers);
        let keys = || layers().flat_map(|layer| &layer.keys);
        let elements: usize = keys().map(|key| key.elements.len()).sum();
        let count = self.sources.len() + layers().count() + keys().count() + elements;
        let too_many = || Error::malformed("too-many", At::default(), "there are more than 2³² elements");
        u32::try_from(count).map_err(|_| too_many())?;
        budget.charge_memory(count as u64, ELEMENT_BYTES, At::default)?;
        // Each place may have the name of its layer, or of its symbol, which `Tree::build` charges.
        for layer in layers() {
            let elements: usize = layer.keys.iter().map(|key| key.elements.len()).sum();
            budget.charge_memory(elements as u64, layer.name.as_str().len(), At::default)?;
        }
        for source in self.sources {
            self.symbol(source);
        }
        Ok(self.made)
    }

    fn symbol(&mut self, source: &'a Source<'a>) {
        self.known.clear();
        self.sprites.clear();
        self.made.places.push(Vec::new());
        let first = self.made.rig.layers.len() as u32;
        let mut clipped = 0;
        for ((index, layer), mask) in source.layers.iter().enumerate().zip(masks_of(source.layers)) {
            let keys = self.keys(source, index, layer);
            let clip = mask.map(|mask| (mask, clipped));
            clipped += u32::from(clip.is_some());
            let is_mask = layer.kind == LayerKind::Mask;
            self.made.rig.layers.push(animate::Layer { keys, is_mask, clip });
        }
        let keys = source.layers.iter().flat_map(|layer| &layer.keys);
        let frames = keys.map(|key| key.first + key.count).max().unwrap_or(0);
        let layers = first..self.made.rig.layers.len() as u32;
        self.made.rig.symbols.push(animate::Symbol { layers, frames });
    }

    fn keys(&mut self, source: &'a Source<'a>, layer: usize, of: &'a Layer<'a>) -> std::ops::Range<u32> {
        let first = self.made.rig.keys.len();
        for (index, key) in of.keys.iter().enumerate().filter(|_| of.kind != LayerKind::Folder) {
            let Key { first, count, elements, .. } = key;
            let from = self.made.rig.elements.len() as u32;
            self.ordinals.clear();
            for (element, it) in elements.iter().enumerate() {
                let at = Position { symbol: source, layer, key: index, element };
                let resolved = self.element(it, at);
                self.made.rig.elements.extend(resolved);
            }
            if let Some(what) = key.ignored {
                let at = Position { symbol: source, layer, key: index, element: 0 };
                let message = format!("the {what} of a whole keyframe is ignored");
                self.report("not-drawn", what, at, message);
            }
            let elements = from..self.made.rig.elements.len() as u32;
            self.made.rig.keys.push(animate::Key { frames: *first..*first + *count, elements });
        }
        self.check_gaps(source, layer, of);
        // Overlapping keyframes: the later one counts.
        self.made.rig.keys[first..].sort_by_key(|key| key.frames.start);
        first as u32..self.made.rig.keys.len() as u32
    }

    /// Keyframes follow each other without a gap.
    fn check_gaps(&mut self, symbol: &'a Source<'a>, layer: usize, of: &'a Layer<'a>) {
        let mut end = 0;
        for (index, key) in of.keys.iter().enumerate() {
            if key.first != end {
                let at = Position { symbol, layer, key: index, element: 0 };
                let message = format!("a keyframe starts at frame {}, the one before ends at {end}", key.first);
                self.report("frame-gap", &symbol.pointer, at, message);
            }
            end = key.first + key.count;
        }
    }

    /// Returns what an element shows; `None` if it is nothing.
    fn element(&mut self, element: &'a Element<'a>, at: Position<'a>) -> Option<animate::Element> {
        let (instance, matrix, sprite) = match element {
            Element::Sprite(it) => (it, self.matrix(it.matrix(), at)?, Some(&it.name)),
            Element::Symbol(it) => {
                let matrix = self.matrix(it.matrix(), at)?;
                let corner = it.bitmap.as_ref().map_or([0.0; 2], |bitmap| [bitmap.position.x, -bitmap.position.y]);
                let moved = matrix * Affine2::from_translation(corner.into());
                (it, moved, it.bitmap.as_ref().map(|bitmap| &bitmap.name))
            }
            Element::Other => {
                let message = "texts and other elements that are neither symbols nor sprites are not drawn";
                self.report("not-drawn", "", at, message.to_owned());
                return None;
            }
        };
        let blend = self.blend(instance, at);
        let effect = self.effect(instance, at);
        let (place, shows) = match sprite {
            Some(name) => self.sprite(name.as_str(), blend, at)?,
            None => self.nested(instance, blend, at)?,
        };
        Some(animate::Element { matrix, effect, place, shows })
    }

    fn sprite(&mut self, name: &'a str, blend: Blend, at: Position<'a>) -> Option<(u32, Shows)> {
        let Some(&sprite) = self.atlas.by_name.get(name) else {
            let message = format!("the spritemap has no sprite `{}`; nothing is drawn", escaped(name));
            // Without any sprites, the spritemap is missing.
            if !self.atlas.sprites.is_empty() {
                self.report("missing-sprite", name, at, message);
            }
            return None;
        };
        let index = self.place(None, blend, at);
        let place = self.made.places.last_mut()?.get_mut(index as usize)?;
        let shown = *self.sprites.entry((index, sprite)).or_insert_with(|| {
            place.sprites.push(sprite);
            place.sprites.len() as u32 - 1
        });
        Some((index, Shows::Sprite(shown)))
    }

    fn nested(&mut self, instance: &'a Instance<'a>, blend: Blend, at: Position<'a>) -> Option<(u32, Shows)> {
        let name = instance.name.as_str();
        let Some(&symbol) = self.by_name.get(name) else {
            let message = format!("there is no symbol `{}`; nothing is drawn", escaped(name));
            self.report("missing-symbol", name, at, message);
            return None;
        };
        let (play, first) = match (instance.kind, self.movie_clips) {
            (InstanceKind::Graphic, _) => (instance.play.unwrap_or_default(), instance.first),
            (InstanceKind::MovieClip, MovieClips::Play) => (Play::Loop, 0),
            (InstanceKind::MovieClip, MovieClips::First) | (InstanceKind::Button, _) => (Play::Still, 0),
        };
        if instance.plays_otherwise {
            let message = format!("`{}` has an unknown loop mode; it is played in a loop", escaped(name));
            self.report("odd-loop-mode", name, at, message);
        }
        let place = self.place(Some(symbol), blend, at);
        if let Some(text) = instance.instance_name.as_ref().filter(|text| !text.as_str().is_empty())
            && let Some(place) = self.made.places.last_mut().and_then(|places| places.get_mut(place as usize))
        {
            place.name = text.as_str().into();
        }
        Some((place, Shows::Symbol { symbol, play, first }))
    }

    /// Returns the index of the place of an element.
    fn place(&mut self, symbol: Option<u32>, blend: Blend, at: Position<'a>) -> u32 {
        let count = self.ordinals.entry((symbol, blend.name())).or_default();
        let key = PlaceKey { layer: at.layer as u32, symbol, blend: blend.name(), ordinal: *count };
        *count += 1;
        let Some(places) = self.made.places.last_mut() else { return 0 };
        let layer = at.symbol.layers.get(at.layer).map_or("", |layer| layer.name.as_str());
        *self.known.entry(key).or_insert_with(|| {
            let named = symbol.and_then(|symbol| self.sources.get(symbol as usize));
            let name = named.map_or(layer, |symbol| symbol.name).into();
            places.push(Place { layer: key.layer, symbol, blend, sprites: Vec::new(), name });
            places.len() as u32 - 1
        })
    }

    /// Returns the matrix with y up; `None` if nothing is visible.
    fn matrix(&mut self, matrix: Matrix, at: Position<'a>) -> Option<Affine2> {
        let Matrix { values: values @ [a, b, c, d, x, y], is_3d } = matrix;
        if is_3d {
            let message = "the matrix moves or turns in depth; only its plane part is used".to_owned();
            self.report("matrix-3d", at.symbol.name, at, message);
        }
        if values.iter().any(|value| value.abs() > FAR) {
            let message =
                format!("the element at {x},{y} is too far away, as empty pictures are; it is not drawn");
            self.report("far-away", at.symbol.name, at, message);
            return None;
        }
        let matrix = Affine2::from_cols(vec2(a, -b), vec2(-c, d), vec2(x, -y));
        (matrix.matrix2.determinant() != 0.0).then_some(matrix)
    }

    /// Returns the blend mode. Graphics have none.
    fn blend(&mut self, instance: &'a Instance<'a>, at: Position<'a>) -> Blend {
        const NAMES: [&str; 15] = [
            "add",
            "alpha",
            "darken",
            "difference",
            "erase",
            "hardlight",
            "invert",
            "layer",
            "lighten",
            "multiply",
            "normal",
            "overlay",
            "screen",
            "shader",
            "subtract",
        ];
        if instance.kind == InstanceKind::Graphic {
            return Blend::Normal;
        }
        let name = instance.name.as_str();
        if let Some(filter) = &instance.filter {
            self.made.filters += 1;
            let message = format!("the filter {} of `{}` is not drawn", escaped(filter.as_str()), escaped(name));
            self.report("not-drawn", name, at, message);
        }
        let mode = instance.blend.map_or("normal", |mode| NAMES.get(mode as usize).copied().unwrap_or("unknown"));
        self.made.blends += usize::from(mode != "normal");
        match mode {
            "add" => Blend::Additive,
            "multiply" => Blend::Multiply,
            "screen" => Blend::Screen,
            // A layer is blended as a whole.
            "normal" | "layer" => Blend::Normal,
            other => {
                let message = format!("`{}` is drawn normally, not with the blend mode {other}", escaped(name));
                self.report("not-drawn", name, at, message);
                Blend::Normal
            }
        }
    }

    /// Returns the index of the colour effect.
    fn effect(&mut self, instance: &'a Instance<'a>, at: Position<'a>) -> Option<u32> {
        let effect = **instance.effect.as_ref()?;
        if !effect.fits_tint() {
            let name = instance.name.as_str();
            let message = format!("the colours of `{}` go beyond a tint; they are clamped", escaped(name));
            self.report("clamped-color", name, at, message);
        }
        let effects = &mut self.made.rig.effects;
        // Keyframes of a layer often have the same.
        if effects.last() != Some(&effect) {
            effects.push(effect);
        }
        Some(effects.len() as u32 - 1)
    }

    fn report(&mut self, code: &'static str, name: &'a str, at: Position<'a>, message: String) {
        if self.reported.insert((code, name)) {
            let Position { symbol, layer, key, element } = at;
            let [layers, frames, elements] = self.spelling.of(["L", "FR", "E"]);
            let pointer = format!("{}/{layers}/{layer}/{frames}/{key}/{elements}/{element}", symbol.pointer);
            self.diagnostics.warn(code, At::inside(pointer), message);
        }
    }
}

/// Returns the mask that clips each layer: of those of the name, the nearest one above, or else the first one.
fn masks_of(layers: &[Layer<'_>]) -> Vec<Option<u32>> {
    let (mut first, mut above) = (HashMap::new(), HashMap::new());
    for (index, mask) in (0u32..).zip(layers).filter(|(_, layer)| layer.kind == LayerKind::Mask) {
        first.entry(mask.name.as_str()).or_insert(index);
    }
    let mut found = Vec::with_capacity(layers.len());
    for (index, layer) in (0u32..).zip(layers) {
        if layer.kind == LayerKind::Mask {
            above.insert(layer.name.as_str(), index);
        }
        let name = layer.clipped_by.as_ref().filter(|_| layer.kind == LayerKind::Plain).map(|name| name.as_str());
        found.push(name.and_then(|name| above.get(name).or_else(|| first.get(name)).copied()));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::json::borrowed::Text;

    #[test]
    fn masks_are_found_by_name_above_or_else_anywhere() {
        let layer = |name: &'static str, kind, mask: Option<&'static str>| Layer {
            name: Text(name.into()),
            kind,
            clipped_by: mask.map(|name| Text(name.into())),
            ..Layer::default()
        };
        let plain = |mask| layer("a", LayerKind::Plain, mask);
        let mask = |name| layer(name, LayerKind::Mask, Some("a"));
        let layers = [
            plain(Some("a")),
            mask("a"),
            mask("b"),
            plain(Some("a")),
            mask("a"),
            plain(Some("a")),
            plain(Some("b")),
            plain(Some("c")),
            plain(None),
        ];
        let expected = [Some(1), None, None, Some(1), None, Some(4), Some(2), None, None];
        assert_eq!(masks_of(&layers), expected);
    }
}
