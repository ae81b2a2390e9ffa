//! Colours for amounts, and the legend that explains them. The palette becomes steadily brighter (viridis), so that it
//! reads the same with any kind of colour vision, and in grey.

use super::{OverlayLabel, Shown};
use crate::draw::OverlayVertex;
use crate::draw::text::{self, HEIGHT};
use crate::math::vec2;

/// Stops at equal distances, from little to much.
const STOPS: [[u8; 3]; 5] = [[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]];

/// Premultiplied RGBA behind a legend.
const PANEL: [u8; 4] = [12, 14, 20, 220];

/// In dots.
const MARGIN: i64 = 6;
const PADDING: i64 = 5;
const BAR: [i64; 2] = [120, 8];
/// Height of a line of text with its gap. A window's font may be larger than ours.
const LINE: i64 = HEIGHT as i64 + 3;

/// Returns the opaque colour of an amount, 0 to 1.
pub fn color(amount: f32) -> [u8; 4] {
    let at = amount.clamp(0.0, 1.0) * (STOPS.len() - 1) as f32;
    let index = (at as usize).min(STOPS.len() - 2);
    let share = at - index as f32;
    let mix = |channel: usize| {
        let [from, to] = [STOPS[index], STOPS[index + 1]].map(|stop| f32::from(stop[channel]));
        (from + (to - from) * share + 0.5) as u8
    };
    [mix(0), mix(1), mix(2), 255]
}

/// The place of a legend in the lower left corner of the picture, in pixels.
struct Place {
    dot: i64,
    left: i64,
    /// The upper edge of the bar.
    top: i64,
    width: i64,
}

impl Place {
    fn of(shown: &Shown<'_>) -> Self {
        let dot = i64::from(shown.dot());
        let around = 2 * (MARGIN + PADDING) * dot;
        let width = (BAR[0] * dot).min(i64::from(shown.view.width()) - around).max(dot);
        let top = i64::from(shown.view.height()) - (MARGIN + PADDING + LINE + BAR[1]) * dot;
        Self { dot, left: (MARGIN + PADDING) * dot, top, width }
    }
}

/// Appends a legend whose bar is divided into cells of these colours.
pub fn append_legend(
    shown: &Shown<'_>,
    colors: impl ExactSizeIterator<Item = [u8; 4]>,
    out: &mut Vec<OverlayVertex>,
) {
    let Place { dot, left, top, width } = Place::of(shown);
    let panel = [
        left - PADDING * dot,
        top - (PADDING + LINE) * dot,
        width + 2 * PADDING * dot,
        (2 * PADDING + 2 * LINE + BAR[1]) * dot,
    ];
    text::rectangle(panel, PANEL, shown.view, out);
    let count = colors.len() as i64;
    for (index, color) in (0..).zip(colors) {
        let [from, to] = [index, index + 1].map(|edge: i64| left + width * edge / count);
        text::rectangle([from, top, to - from, BAR[1] * dot], color, shown.view, out);
    }
}

/// Calls `visit` with a text above the panel of a legend.
pub fn label_above(shown: &Shown<'_>, text: &str, visit: &mut dyn FnMut(OverlayLabel<'_>)) {
    let Place { dot, left, top, .. } = Place::of(shown);
    let at = vec2((left - PADDING * dot) as f32, (top - (PADDING + LINE + 2) * dot) as f32);
    visit(OverlayLabel { text, at, anchor: vec2(0.0, 1.0) });
}

/// Calls `visit` with the title of a legend and with the texts below its bar, each at a part of the bar's width.
pub fn label_legend<'a>(
    shown: &Shown<'_>,
    title: &str,
    texts: impl Iterator<Item = (&'a str, f32)>,
    visit: &mut dyn FnMut(OverlayLabel<'_>),
) {
    let Place { dot, left, top, width } = Place::of(shown);
    let at = vec2(left as f32, (top - 2 * dot) as f32);
    visit(OverlayLabel { text: title, at, anchor: vec2(0.0, 1.0) });
    for (text, share) in texts {
        let at = vec2(left as f32 + width as f32 * share, (top + (BAR[1] + 2) * dot) as f32);
        visit(OverlayLabel { text, at, anchor: vec2(share, 0.0) });
    }
}
