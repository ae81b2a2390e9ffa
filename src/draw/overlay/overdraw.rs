//! The overlay of overdraw: every triangle that is drawn adds the same light to a black picture. The sum is exact up to
//! 40 layers, and colours become steadily brighter: red up to 9, orange up to 18, then yellow and white.

use super::scratch::{LabelScratch, MarkScratch};
use super::{OverlayLabel, Shown, heat};
use crate::draw::OverlayVertex;

/// Premultiplied RGBA without alpha: the light of a layer, which is added.
pub const LAYER_COLOR: [u8; 4] = [28, 14, 6, 0];

/// The numbers of layers in the legend.
const LAYERS: [(u8, &str); 6] = [(0, "0"), (1, "1"), (2, "2"), (4, "4"), (8, "8"), (16, "16")];

/// Appends the legend.
pub fn append_legend(shown: &Shown<'_>, _: &mut MarkScratch, out: &mut Vec<OverlayVertex>) {
    let colors = LAYERS.iter().map(|(layers, _)| {
        let [r, g, b, _] = LAYER_COLOR.map(|light| light.saturating_mul(*layers));
        [r, g, b, 255]
    });
    heat::append_legend(shown, colors, out);
}

/// Calls `visit` with the texts of the legend, each below the middle of its cell.
pub fn label(shown: &Shown<'_>, _: &mut LabelScratch, visit: &mut dyn FnMut(OverlayLabel<'_>)) {
    let cells = LAYERS.len() as f32;
    let texts = (0..).zip(LAYERS).map(|(index, (_, text))| (text, (index as f32 + 0.5) / cells));
    heat::label_legend(shown, "Layers per pixel", texts, visit);
}
