//! The onion skin: earlier frames in warm and later frames in cool colours, the paler the farther.

use super::Onion;
use crate::draw::SpriteColor;

/// Straight RGB, 0 to 1.
const BEFORE: [f32; 3] = [1.0, 0.42, 0.15];
const AFTER: [f32; 3] = [0.2, 0.5, 1.0];

/// Opacity of the nearest ghost.
const NEAREST: f32 = 0.5;
/// How bright black and how pale white parts of the picture become. Some contrast keeps details visible.
const BLACK: f32 = 0.4;
const WHITE: f32 = 0.3;

/// Returns the colours of the ghost `steps` frames away, negative for earlier ones, and as opaque as `alpha`, 0 to 1.
pub fn ghost_color(onion: Onion, steps: i32, alpha: f32) -> SpriteColor {
    let (tint, count) = if steps < 0 { (BEFORE, onion.before) } else { (AFTER, onion.after) };
    let distance = steps.unsigned_abs().saturating_sub(1) as f32;
    let alpha = alpha * NEAREST * (1.0 - distance / f32::from(count.max(1)));
    let dark = tint.map(|channel| channel * BLACK * alpha);
    let [r, g, b] = tint.map(|channel| (channel + (1.0 - channel) * WHITE) * alpha);
    SpriteColor { light: [r, g, b, alpha], dark }
}
