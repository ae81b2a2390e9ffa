//! The number of texels of a mesh per picture pixel.

use crate::math::Vec2;
use crate::model::{Influence, Model, Vertices};

/// The pixels per texel, by area, up to which a level is used: a little above 1, so that pictures of exactly half the size
/// of a page do not change between two levels by rounding.
const FULL: f32 = 1.001;

/// For each attachment, its area in the space of each of its bones relative to its area on the page.
#[derive(Debug, Clone, Default)]
pub struct Footprints {
    /// Ends of the ranges of each attachment in `shares`.
    ends: Vec<u32>,
    shares: Vec<Share>,
}

/// The contribution of one bone to the area of an attachment.
#[derive(Debug, Clone, Copy)]
struct Share {
    /// Index into the palette, or [`Influence::NO_BONE`].
    bone: u32,
    /// World area per texel before the bone's transform, times the bone's share of the weights.
    area: f32,
}

impl Footprints {
    pub fn new(model: &Model) -> Self {
        let mut footprints = Self::default();
        let mut scatters = Scatters::new(model.skeleton().bones().len());
        for attachment in model.attachments() {
            if let Some((mesh, page)) = super::textured(attachment) {
                let page = &model.pages()[page];
                scatters.take(&mesh.vertices);
                let texels = f64::from(page.width) * f64::from(page.height);
                scatters.drain(texels, &mut footprints.shares);
            }
            footprints.ends.push(footprints.shares.len() as u32);
        }
        footprints
    }

    /// Returns the bones of an attachment, and the area that each contributes.
    #[cfg(feature = "gpu")]
    pub fn shares(&self, attachment: usize) -> impl Iterator<Item = (u32, f32)> {
        self.of(attachment).iter().map(|share| (share.bone, share.area))
    }

    fn of(&self, attachment: usize) -> &[Share] {
        let first = attachment.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.shares[first as usize..self.ends[attachment] as usize]
    }

    /// Returns how often the texels of an attachment can be halved, at most `most` times, until another halving
    /// would leave fewer texels than pixels: at 3.9 texels per pixel along each side, once. Only uses `+ - * /`,
    /// so every machine computes the same level.
    ///
    /// `magnification` is the number of picture pixels per pixel of the character's own space, by area.
    /// Deformation and the positions of bones do not matter, only how much the bones scale.
    /// `area_scale` is the factor by which a bone scales areas.
    pub fn level(
        &self,
        attachment: usize,
        area_scale: impl Fn(usize) -> Option<f32>,
        magnification: f32,
        most: u32,
    ) -> u32 {
        let shares = self.of(attachment);
        if shares.is_empty() {
            return 0;
        }
        let area = |share: &Share| match area_scale(share.bone as usize) {
            Some(scale) => share.area * scale,
            None => share.area,
        };
        let mut pixels = magnification * shares.iter().map(area).sum::<f32>();
        let mut level = 0;
        while level < most && pixels * 4.0 <= FULL {
            pixels *= 4.0;
            level += 1;
        }
        level
    }
}

/// The scatter of a mesh's vertices in the space of every bone.
struct Scatters {
    /// By bone; the last one is for vertices without influences.
    of_bones: Vec<Scatter>,
    /// Indices of the ones that are not empty.
    used: Vec<usize>,
}

/// Weighted sums over the vertices influenced by one bone.
#[derive(Clone, Copy, Default)]
struct Scatter {
    weight: f64,
    position: Spread,
    uv: Spread,
}

/// Weighted scatter of points around their mean.
#[derive(Clone, Copy, Default)]
struct Spread {
    middle: [f64; 2],
    /// Σ weight · x², y², x·y relative to the mean.
    squares: [f64; 3],
}

impl Scatters {
    fn new(bones: usize) -> Self {
        Self { of_bones: vec![Scatter::default(); bones + 1], used: Vec::new() }
    }

    fn take(&mut self, vertices: &Vertices) {
        match vertices {
            Vertices::Skin4(vertices) => {
                for vertex in vertices.iter() {
                    let moving =
                        vertex.bone_ids.into_iter().zip(vertex.bone_weights).filter(|(_, weight)| *weight > 0.0);
                    let mut is_moved = false;
                    for (bone, weight) in moving {
                        self.add(bone.into(), weight, vertex.position, vertex.uv);
                        is_moved = true;
                    }
                    if !is_moved {
                        self.add(Influence::NO_BONE, 1.0, vertex.position, vertex.uv);
                    }
                }
            }
            Vertices::SkinN(vertices) => {
                for vertex in vertices.iter() {
                    for influence in vertex.influences.iter().filter(|influence| influence.weight > 0.0) {
                        self.add(influence.bone, influence.weight, influence.position, vertex.uv);
                    }
                }
            }
        }
    }

    fn add(&mut self, bone: u32, weight: f32, position: Vec2, uv: Vec2) {
        let last = self.of_bones.len() - 1;
        let index = (bone as usize).min(last);
        let scatter = &mut self.of_bones[index];
        if scatter.weight == 0.0 {
            self.used.push(index);
        }
        let weight = f64::from(weight);
        scatter.weight += weight;
        let share = weight / scatter.weight;
        scatter.position.add(weight, share, position);
        scatter.uv.add(weight, share, uv);
    }

    /// Writes the shares of the mesh whose vertices were added. `texels` is the number of texels in the unit
    /// square of `uv`. A bone with too few vertices to span an area contributes nothing.
    fn drain(&mut self, texels: f64, shares: &mut Vec<Share>) {
        let first = shares.len();
        let mut weights = 0.0;
        let last = self.of_bones.len() - 1;
        for index in self.used.drain(..) {
            let scatter = std::mem::take(&mut self.of_bones[index]);
            // An affine map scales areas by the square roots of these determinants.
            let area = (scatter.position.determinant() / scatter.uv.determinant()).sqrt() / texels;
            if area.is_finite() && scatter.position.spans() && scatter.uv.spans() {
                let bone = if index == last { Influence::NO_BONE } else { index as u32 };
                weights += scatter.weight;
                shares.push(Share { bone, area: (area * scatter.weight) as f32 });
            }
        }
        for share in &mut shares[first..] {
            share.area /= weights as f32;
        }
    }
}

impl Spread {
    /// Adds a point whose weight is `share` of the total so far.
    fn add(&mut self, weight: f64, share: f64, point: Vec2) {
        let from = [f64::from(point.x) - self.middle[0], f64::from(point.y) - self.middle[1]];
        self.middle = [self.middle[0] + from[0] * share, self.middle[1] + from[1] * share];
        let rest = weight * (1.0 - share);
        for (sum, product) in
            self.squares.iter_mut().zip([from[0] * from[0], from[1] * from[1], from[0] * from[1]])
        {
            *sum += rest * product;
        }
    }

    fn determinant(&self) -> f64 {
        let [x, y, xy] = self.squares;
        x * y - xy * xy
    }

    /// Returns true unless all points are on a line, up to rounding.
    fn spans(&self) -> bool {
        let [x, y, _] = self.squares;
        self.determinant() > x * y * 1e-9
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shader_of_crowds_uses_the_same_bound() {
        let shader = include_str!("../../../shaders/crowd_draw.wgsl");
        assert!(shader.contains(&format!("const FULL: f32 = {FULL};")));
    }
}
