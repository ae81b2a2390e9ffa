//! The parts, each with its layers of paper and its bone weights.

mod armour;
mod body;
mod head;
mod limbs;
pub mod palette;

use super::paper::{Layer, ink, paper};
use super::rig::Bone;
use super::shape::Node::{C, S};
use super::shape::{Point, Shape, turned};

/// Bones of a vertex with their weights.
pub type Weights = Vec<(Bone, f64)>;

/// One part: a mesh with its own picture.
pub struct Part {
    pub name: &'static str,
    /// Position of the drawing's origin in the bind pose, in world pixels.
    pub at: Point,
    /// Rotation of the drawing there.
    pub degrees: f64,
    pub layers: Vec<Layer>,
    /// Below 1 for parts on the far side.
    pub shade: f32,
    /// Cell size of the mesh's grid, in pixels.
    pub cell: Point,
    /// Weights of a point of the drawing.
    pub weights: Box<dyn Fn(Point) -> Weights>,
}

/// Returns all parts, in file order.
pub fn parts() -> Vec<Part> {
    let mut parts = body::parts();
    parts.extend(limbs::parts());
    parts.extend(armour::parts());
    parts.extend(head::parts());
    parts
}

/// Creates a part that is drawn in place and attached to one bone.
fn rigid(name: &'static str, bone: Bone, layers: Vec<Layer>) -> Part {
    let weights = Box::new(move |_| vec![(bone, 1.0)]);
    Part { name, at: [0.0, 0.0], degrees: 0.0, layers, shade: 1.0, cell: [26.0, 26.0], weights }
}

/// Rises smoothly from 0 at `from` to 1 at `to`; `from` may be the larger one.
fn ramp(value: f64, from: f64, to: f64) -> f64 {
    let t = ((value - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// Weights along a chain: `t` counts bones, and a cubic B-spline distributes each over its neighbours.
fn chain(bones: &[Bone], t: f64) -> Weights {
    let last = bones.len() as isize - 1;
    let t = t.clamp(0.0, last as f64);
    let (whole, f) = (t.floor(), t - t.floor());
    let (g, f2) = (1.0 - f, f * f);
    let spline = [
        g * g * g / 6.0,
        (3.0 * f2 * f - 6.0 * f2 + 4.0) / 6.0,
        (-3.0 * f2 * f + 3.0 * f2 + 3.0 * f + 1.0) / 6.0,
        f2 * f / 6.0,
    ];
    let at = |k: isize| bones[(whole as isize + k - 1).clamp(0, last) as usize];
    (0..4).map(|k| (at(k), spline[k as usize])).collect()
}
