//! The overlay of weights: how much one bone moves each point of the meshes, in steps of a tenth. Where it moves
//! nothing, the picture shows.

use super::scratch::MarkScratch;
use super::{OverlayLabel, Shown, heat};
use crate::draw::OverlayVertex;
use crate::math::Vec2;
use crate::model::{BoneId, Mesh, Model, Vertices};

/// Steps from 0 to 1.
const STEPS: usize = 10;

/// Appends the triangles that the bone moves, and the legend.
pub fn append(shown: &Shown<'_>, scratch: &mut MarkScratch, out: &mut Vec<OverlayVertex>) {
    let Some(bone) = shown.overlays.bone else { return };
    let MarkScratch { points, weights, .. } = scratch;
    for mesh in shown.meshes() {
        weights_of(shown.model, mesh.mesh, bone, weights);
        if weights.iter().all(|weight| *weight == 0.0) {
            continue;
        }
        shown.positions(&mesh, points);
        for triangle in mesh.mesh.indices.triangles() {
            let corners = triangle.map(usize::from).map(|index| (points[index], weights[index]));
            if corners.iter().any(|(_, weight)| *weight > 0.0) {
                append_steps(corners, out);
            }
        }
    }
    let colors = (0..STEPS).map(step_color);
    heat::append_legend(shown, colors, out);
}

/// Calls `visit` with the texts of the legend.
pub fn label(shown: &Shown<'_>, visit: &mut dyn FnMut(OverlayLabel<'_>)) {
    let bones = shown.model.skeleton().authored_bones();
    if let Some(bone) = shown.overlays.bone.and_then(|bone| bones.get(bone.index())) {
        let texts = [("0", 0.0), ("0.5", 0.5), ("1", 1.0)];
        heat::label_legend(shown, &bone.name, texts.into_iter(), visit);
    }
}

fn step_color(step: usize) -> [u8; 4] {
    heat::color(step as f32 / (STEPS - 1) as f32)
}

/// Writes the weight of a bone and its helpers at each vertex into `out`, 0 to 1.
fn weights_of(model: &Model, mesh: &Mesh, bone: BoneId, out: &mut Vec<f32>) {
    let is_meant = |index: usize| model.skeleton().authored_bone(BoneId::new(index)) == Some(bone);
    let clamped = |weight: f32| if weight > 0.0 { weight.min(1.0) } else { 0.0 };
    out.clear();
    match &mesh.vertices {
        Vertices::Skin4(vertices) => out.extend(vertices.iter().map(|vertex| {
            let all = vertex.bone_ids.iter().zip(vertex.bone_weights);
            clamped(
                all.filter(|(id, weight)| *weight > 0.0 && is_meant(usize::from(**id)))
                    .map(|(_, weight)| weight)
                    .sum(),
            )
        })),
        Vertices::SkinN(vertices) => out.extend(vertices.iter().map(|vertex| {
            let meant = vertex.influences.iter().filter(|influence| is_meant(influence.bone as usize));
            clamped(meant.map(|influence| influence.weight).sum())
        })),
    }
}

/// Appends the parts of a triangle between two steps of the weight, each in its colour.
fn append_steps(corners: [(Vec2, f32); 3], out: &mut Vec<OverlayVertex>) {
    let step_of = |weight: f32| ((weight * STEPS as f32) as usize).min(STEPS - 1);
    let steps = corners.map(|(_, weight)| step_of(weight));
    let (first, last) = (steps[0].min(steps[1]).min(steps[2]), steps[0].max(steps[1]).max(steps[2]));
    for step in first..=last {
        let color = step_color(step);
        let [low, high] = [step, step + 1].map(|edge| edge as f32 / STEPS as f32);
        let mut part = Part::from(corners);
        if step > first {
            part = part.above(low);
        }
        if step < last {
            part = part.negated().above(-high);
        }
        let points = &part.points[..part.count];
        if let [(a, _), rest @ ..] = points {
            for pair in rest.windows(2) {
                out.extend([*a, pair[0].0, pair[1].0].map(|position| OverlayVertex { position, color }));
            }
        }
    }
}

/// A convex polygon with a weight at each corner.
struct Part {
    points: [(Vec2, f32); 6],
    count: usize,
}

impl From<[(Vec2, f32); 3]> for Part {
    fn from([a, b, c]: [(Vec2, f32); 3]) -> Self {
        Self { points: [a, b, c, a, a, a], count: 3 }
    }
}

impl Part {
    fn negated(mut self) -> Self {
        self.points.iter_mut().for_each(|(_, weight)| *weight = -*weight);
        self
    }

    /// Returns the part where the weight is at least `low`.
    fn above(self, low: f32) -> Self {
        let mut kept = Self { points: self.points, count: 0 };
        let mut push = |point| {
            if let Some(place) = kept.points.get_mut(kept.count) {
                *place = point;
                kept.count += 1;
            }
        };
        for index in 0..self.count {
            let (from, to) = (self.points[index], self.points[(index + 1) % self.count]);
            if from.1 >= low {
                push(from);
            }
            if (from.1 >= low) != (to.1 >= low) {
                // From the lower corner to the higher one, so that triangles that share an edge share the point.
                let (bottom, top) = if from.1 < to.1 { (from, to) } else { (to, from) };
                let share = (low - bottom.1) / (top.1 - bottom.1);
                push((bottom.0 + (top.0 - bottom.0) * share, low));
            }
        }
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::vec2;

    #[test]
    fn steps_cover_the_triangle_once() {
        let corners = [(vec2(0.0, 0.0), 0.0), (vec2(8.0, 0.0), 1.0), (vec2(0.0, 8.0), 0.55)];
        let mut out = Vec::new();
        append_steps(corners, &mut out);
        let area = |[a, b, c]: [Vec2; 3]| (b - a).perp_dot(c - a).abs() * 0.5;
        let sum: f32 = out.as_chunks::<3>().0.iter().map(|of| area(of.map(|vertex| vertex.position))).sum();
        assert!((sum - 32.0).abs() < 1e-3, "{sum}");
        let mut colors: Vec<_> = out.iter().map(|vertex| vertex.color).collect();
        colors.dedup();
        assert_eq!(colors.len(), STEPS);
    }
}
