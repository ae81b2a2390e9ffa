//! The overlay of weights: how much one bone moves each point of the meshes, over the picture, which stays visible below.
//! Vertices whose weights do not add up to 1 are marked.
//!
//! The colours are interpolated in steps that are too small to see: triangles have one colour each, in every renderer.

use std::fmt::Write;

use super::marker::VERMILION;
use super::pen::rimmed;
use super::scratch::{LabelScratch, MarkScratch};
use super::{OverlayLabel, Shown, heat};
use crate::draw::OverlayVertex;
use crate::math::Vec2;
use crate::model::{BoneId, Mesh, Model, Vertices, WEIGHT_SUM_TOLERANCE};

/// Steps from 0 to 1.
const STEPS: usize = 64;

/// Opacity of the colours over the picture.
const OPACITY: f32 = 0.75;

/// Radius of a mark in picture pixels.
const RADIUS: f32 = 3.5;

/// Appends the triangles that the bone moves, the marks, and the legend.
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
    for mesh in shown.meshes().filter(|mesh| wrong_sums(shown.model, mesh.mesh).next().is_some()) {
        shown.positions(&mesh, points);
        let wrong = wrong_sums(shown.model, mesh.mesh).filter_map(|vertex| points.get(vertex));
        rimmed(shown, VERMILION, out, |pen| wrong.clone().for_each(|at| pen.dot(*at, RADIUS)));
    }
    heat::append_legend(shown, (0..STEPS).map(step_color), out);
}

/// Calls `visit` with the texts of the legend, and with the number of marks if there are any.
pub fn label(shown: &Shown<'_>, scratch: &mut LabelScratch, visit: &mut dyn FnMut(OverlayLabel<'_>)) {
    let bones = shown.model.skeleton().authored_bones();
    if let Some(bone) = shown.overlays.bone.and_then(|bone| bones.get(bone.index())) {
        let texts = [("0", 0.0), ("0.5", 0.5), ("1", 1.0)];
        heat::label_legend(shown, &bone.name, texts.into_iter(), visit);
        let wrong: usize = shown.meshes().map(|mesh| wrong_sums(shown.model, mesh.mesh).count()).sum();
        if wrong > 0 {
            let text = &mut scratch.text;
            text.clear();
            // Writing to a string cannot fail.
            let _ = write!(text, "Sum is not 1: {wrong} {}", if wrong == 1 { "vertex" } else { "vertices" });
            heat::label_above(shown, text, visit);
        }
    }
}

fn step_color(step: usize) -> [u8; 4] {
    heat::color(step as f32 / (STEPS - 1) as f32)
}

/// Returns the indices of the vertices whose weights do not add up to 1, within the rounding of files.
fn wrong_sums<'a>(model: &Model, mesh: &'a Mesh) -> impl Iterator<Item = usize> + Clone + 'a {
    // Without bones, nothing has weights.
    let count = if model.skeleton().bones().is_empty() { 0 } else { mesh.vertices.len() };
    let is_wrong = |sum: f64| (sum - 1.0).abs() > WEIGHT_SUM_TOLERANCE;
    (0..count).filter(move |vertex| mesh.vertices.weight_sum(*vertex).is_some_and(is_wrong))
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
        let color = step_color(step).map(|channel| (f32::from(channel) * OPACITY + 0.5) as u8);
        let [low, high] = [step, step + 1].map(|edge| edge as f32 / STEPS as f32);
        let mut part = Part::from(corners);
        if step > first {
            part = part.cut(low, |weight| weight >= low);
        }
        if step < last {
            part = part.cut(high, |weight| weight <= high);
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
    /// Returns the part on one side of the line where the weight is `edge`.
    fn cut(self, edge: f32, is_kept: impl Fn(f32) -> bool) -> Self {
        let mut kept = Self { points: self.points, count: 0 };
        let mut push = |point| {
            if let Some(place) = kept.points.get_mut(kept.count) {
                *place = point;
                kept.count += 1;
            }
        };
        for index in 0..self.count {
            let (from, to) = (self.points[index], self.points[(index + 1) % self.count]);
            if is_kept(from.1) {
                push(from);
            }
            if is_kept(from.1) != is_kept(to.1) {
                // From the lower corner to the higher one, so that parts that share an edge share the point: both would
                // show through each other, or the picture between them.
                let (bottom, top) = if from.1 < to.1 { (from, to) } else { (to, from) };
                let share = (edge - bottom.1) / (top.1 - bottom.1);
                push((bottom.0 + (top.0 - bottom.0) * share, edge));
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
