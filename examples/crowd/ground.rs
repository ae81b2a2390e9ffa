//! The field: stripes that move below the feet, as triangles of a draw list.

use pchr::draw::{Command, DrawList, OverlayVertex, View};
use pchr::math::vec2;

use super::formation::{Perspective, STRIDE};

/// The colour of everything beyond the stripes.
pub const FAR: [u8; 4] = [108, 133, 92, 255];
/// The two colours of the stripes near the viewer.
const NEAR: [[u8; 4]; 2] = [[150, 178, 96, 255], [136, 166, 88, 255]];
/// Scales at which the field begins and ends.
const NEAREST: f32 = 2.0;
const FARTHEST: f32 = 0.3;

/// Draws the visible part of the field, which was moved to the left by `moved`.
pub fn draw(list: &mut DrawList, view: &View, perspective: Perspective, moved: f64) {
    list.commands.clear();
    list.overlay.clear();
    let world = view.world();
    let near = perspective.scale_at(world.min.y).clamp(FARTHEST, NEAREST);
    let far = perspective.scale_at(world.max.y).clamp(FARTHEST, NEAREST);
    let width = STRIDE / 2.0;
    // Only the remainder of two stripes is visible.
    let moved = (moved % f64::from(STRIDE)) as f32;
    let first = ((world.min.x / far).min(world.min.x / near) + moved) / width;
    let last = ((world.max.x / far).max(world.max.x / near) + moved) / width;
    for stripe in first.floor() as i64..=last.floor() as i64 {
        let left = stripe as f32 * width - moved;
        let color = NEAR[stripe.rem_euclid(2) as usize];
        let at = |x: f32, scale: f32| OverlayVertex {
            position: vec2(x * scale, perspective.height_of(scale)),
            color: mix(FAR, color, (scale - FARTHEST) / (1.0 - FARTHEST)),
        };
        let [a, b] = [at(left, near), at(left + width, near)];
        let [c, d] = [at(left, far), at(left + width, far)];
        list.overlay.extend([a, b, c, c, b, d]);
    }
    list.commands.push(Command::Overlay(0..list.overlay.len() as u32));
}

fn mix(from: [u8; 4], to: [u8; 4], share: f32) -> [u8; 4] {
    let share = share.clamp(0.0, 1.0);
    std::array::from_fn(|at| (f32::from(from[at]) * (1.0 - share) + f32::from(to[at]) * share + 0.5) as u8)
}

/// The colour of [`FAR`] for clearing the target.
pub fn clear() -> wgpu::Color {
    let [r, g, b, _] = FAR.map(|value| f64::from(value) / 255.0);
    wgpu::Color { r, g, b, a: 1.0 }
}
