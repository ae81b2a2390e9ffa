//! Sheets that Aseprite has split by layers: `hero (Body) 3.aseprite` is frame 3 of the layer `Body`. Frames that differ
//! only in the layer are one frame of the character, with a slot for each layer.
//!
//! `meta.layers` lists the layers back to front. Their opacity is already in the pixels.

use std::collections::{HashMap, HashSet};

use super::parts::{Gathered, Part};
use super::schema::{Frame, Layer, Name};
use super::sequences::{stem, trailing_digits};
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Place, Result, escaped};
use crate::limits::Budget;
use crate::model::{Blend, UnknownName};

/// The layers of a sheet, and what they show in each frame.
pub struct Layers {
    /// Name and blend mode of each shown layer, back to front.
    pub shown: Vec<(String, Blend)>,
    /// For each frame of the character and each shown layer: the frame of the sheet.
    pub cells: Vec<Vec<Option<u32>>>,
    /// For each frame of the sheet: the frame of the character.
    pub frame_of: Vec<u32>,
}

/// Units of work of searching for a layer in the name of a frame, besides its letters.
const PAIR_WORK: usize = 128;

/// Returns the layers of the sheet, of those in `asked` or else all; `None` if it is not split by layers. Groups stand for
/// their layers. Fails if it lacks one in `asked`.
pub fn find(
    gathered: &Gathered,
    asked: &[String],
    budget: &mut Budget<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Option<Layers>> {
    let listed = gathered.meta.layers.as_deref().unwrap_or_default();
    let name = |layer: &Layer| layer.name.as_ref().map_or("", |Name(name)| name).to_owned();
    let names: Vec<String> = listed.iter().map(name).collect();
    let frames: Vec<&Frame> = gathered.parts.iter().flat_map(|part: &Part| &part.frames).collect();
    let letters: usize = frames.iter().map(|frame| frame.name().len()).sum();
    let place = || Place::inside("/meta/layers");
    let marks: Vec<String> = names.iter().map(|name| format!("({name})")).collect();
    budget.charge_memory(marks.iter().map(|mark| mark.len() as u64).sum(), 2, place)?;
    budget.charge_work(names.len() as u64, (letters + PAIR_WORK * frames.len()) as u64, place)?;
    let split: Option<Vec<_>> = frames.iter().map(|frame| split(frame.name(), &marks)).collect();
    let used: HashSet<usize> = split.iter().flatten().map(|found| found.layer).collect();
    let is_split = used.len() > 1 || (used.len() == 1 && !asked.is_empty());
    let known: Vec<&String> = names.iter().filter(|_| is_split).collect();
    let unknown = |name: &String| -> Error {
        UnknownName { what: "layer", name: name.clone(), known: known.iter().copied().cloned().collect() }.into()
    };
    if let Some(name) = asked.iter().find(|asked| !known.contains(asked)) {
        return Err(unknown(name));
    }
    let Some(split) = split.filter(|_| is_split) else { return Ok(None) };
    let is_asked = chosen(listed, &names, asked);
    let shown: Vec<usize> = (0..names.len()).filter(|layer| used.contains(layer) && is_asked[*layer]).collect();
    // Aseprite lists layers without frames, too.
    if let Some(empty) = asked.first().filter(|_| shown.is_empty()) {
        return Err(unknown(empty));
    }
    let frame_of = composed(&split);
    let count = frame_of.iter().max().map_or(0, |last| *last as usize + 1);
    let bytes = 4 * size_of::<Option<u32>>() * shown.len() + size_of::<Vec<u32>>();
    budget.charge_memory(count as u64, bytes, || Place::inside("/meta/layers"))?;
    let mut cells = vec![vec![None; shown.len()]; count];
    let mut hidden = 0;
    for ((index, found), frame) in (0..).zip(&split).zip(&frame_of) {
        if let Some(slot) = shown.iter().position(|layer| *layer == found.layer) {
            let cell = &mut cells[*frame as usize][slot];
            hidden += usize::from(cell.is_some());
            cell.get_or_insert(index);
        }
    }
    if hidden > 0 {
        let message =
            format!("frames that are not shown because another one has the same layer and number: {hidden}");
        diagnostics.warn("bad-layer", place(), message);
    }
    let layer = |layer: usize| (names[layer].clone(), blend(layer, &listed[layer], diagnostics));
    Ok(Some(Layers { shown: shown.into_iter().map(layer).collect(), cells, frame_of }))
}

/// Returns whether each layer, or a group around it, is in `asked`. Groups precede their layers.
fn chosen(listed: &[Layer], names: &[String], asked: &[String]) -> Vec<bool> {
    let mut known: HashMap<&str, bool> = HashMap::new();
    let each = listed.iter().zip(names).map(|(layer, name)| {
        let group = layer.group.as_ref().and_then(|Name(group)| known.get(&**group).copied());
        let is_chosen = asked.is_empty() || asked.contains(name) || group.unwrap_or(false);
        known.insert(name, is_chosen);
        is_chosen
    });
    each.collect()
}

/// The name of a frame, taken apart.
struct Split<'a> {
    layer: usize,
    /// What is before and after the layer, without the number.
    around: [&'a str; 2],
    number: u64,
}

/// Finds the layer with the longest name. `marks` are the names in parentheses.
fn split<'a>(name: &'a str, marks: &[String]) -> Option<Split<'a>> {
    let found = (0..).zip(marks).filter_map(|(index, mark)| {
        let at = name.rfind(mark.as_str())?;
        Some((index, at, mark.len()))
    });
    let (layer, at, len) = found.max_by_key(|(_, _, len)| *len)?;
    let rest = stem(&name[at + len..]);
    let (rest, number) = rest.split_at(rest.len() - trailing_digits(rest));
    Some(Split { layer, around: [&name[..at], rest], number: number.parse().unwrap_or(0) })
}

/// Returns the frame of the character for each frame of the sheet. Frames are ordered by the text around the layer, as the
/// sheet lists it, then by number.
fn composed(split: &[Split<'_>]) -> Vec<u32> {
    let mut known = HashMap::new();
    let keys = split.iter().map(|found| {
        let next = known.len();
        (*known.entry(found.around).or_insert(next), found.number)
    });
    let keys: Vec<(usize, u64)> = keys.collect();
    let mut sorted = keys.clone();
    sorted.sort_unstable();
    sorted.dedup();
    keys.iter().map(|key| sorted.partition_point(|other| other < key) as u32).collect()
}

fn blend(index: usize, layer: &Layer, diagnostics: &mut Diagnostics) -> Blend {
    match layer.blend_mode.as_deref() {
        None | Some("normal") => Blend::Normal,
        Some("multiply") => Blend::Multiply,
        Some("screen") => Blend::Screen,
        Some("addition") => Blend::Additive,
        Some(other) => {
            let message =
                format!("the blend mode `{}` is not supported; the layer is blended normally", escaped(other));
            diagnostics.warn("bad-layer", Place::inside(format!("/meta/layers/{index}/blendMode")), message);
            Blend::Normal
        }
    }
}
