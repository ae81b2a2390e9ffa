//! Compares one pose of both characters: positions, visibility and draw order.

use super::{Partner, Poses};
use crate::diff::FoundIn;
use crate::diff::differences::{BonePart, FarthestBone, FarthestVertex, OrderDifference, VisibilityDifference};
use crate::diff::vertices;

/// The differences found in the frames so far.
#[derive(Default)]
pub struct Found {
    pub bones: Option<FarthestBone>,
    pub draw_order: Option<OrderDifference>,
    pub vertices: Option<FarthestVertex>,
    pub visibility: Option<VisibilityDifference>,
}

impl Poses<'_> {
    /// Compares the current poses of both characters, which are in `frame`, and adds the differences to `found`.
    pub fn compare_frame(&mut self, frame: u32, found: &mut Found) {
        self.compare_bones(frame, &mut found.bones);
        self.compare_vertices(frame, &mut found.vertices);
        self.compare_visibility(frame, &mut found.visibility);
        self.compare_order(frame, &mut found.draw_order);
    }

    /// Lists the common meshes that at least one side draws.
    pub fn list_drawn(&mut self) {
        let (a, b, meshes) = (&self.a, &self.b, self.paired.meshes);
        self.drawn.clear();
        self.drawn.extend(a.drawn.iter().filter(|&&in_a| meshes.partner(in_a).is_some()));
        let of_b = b.drawn.iter().map(|&in_b| meshes.key_of_b(in_b));
        self.drawn.extend(of_b.filter(|&in_a| in_a < a.is_drawn.len()));
        self.drawn.sort_unstable();
        self.drawn.dedup();
    }

    fn compare_bones(&self, frame: u32, found: &mut Option<FarthestBone>) {
        let mut farthest: Option<(f32, usize, BonePart)> = None;
        for (in_a, in_b) in self.paired.bones.pairs() {
            let (a, b) = (&self.a.pose.world_from_bone[in_a], &self.b.pose.world_from_bone[in_b]);
            let parts = [
                (BonePart::Origin, a.translation, b.translation),
                (BonePart::XAxis, a.matrix2.x_axis, b.matrix2.x_axis),
                (BonePart::YAxis, a.matrix2.y_axis, b.matrix2.y_axis),
            ];
            for (part, a, b) in parts {
                if let Some(distance) = self.tolerance.apart(a, b)
                    && farthest.is_none_or(|(most, ..)| distance > most)
                {
                    farthest = Some((distance, in_a, part));
                }
            }
        }
        let Some((distance, bone, part)) = farthest else { return };
        let frames = found.as_ref().map_or(0, |found| found.frames) + 1;
        match found {
            Some(found) if distance <= found.distance => found.frames = frames,
            _ => {
                *found =
                    Some(FarthestBone { bone: self.paired.bones.named_a(bone), distance, frame, frames, part })
            }
        }
    }

    fn compare_vertices(&mut self, frame: u32, found: &mut Option<FarthestVertex>) {
        let is_palette_same = self.a.palette == self.b.palette;
        let mut farthest: Option<(f32, usize, usize)> = None;
        for &in_a in &self.drawn {
            let Some(Partner { in_b, is_stored_alike }) = self.partners[in_a] else { continue };
            let (deform_a, deform_b) = (self.a.deform_of(in_a), self.b.deform_of(in_b));
            if is_palette_same && is_stored_alike && deform_a == deform_b {
                continue;
            }
            let [of_a, of_b] = &mut self.positions;
            vertices::posed(self.a.meshes.list[in_a].mesh, deform_a, &self.a.palette, of_a);
            vertices::posed(self.b.meshes.list[in_b].mesh, deform_b, &self.b.palette, of_b);
            for (vertex, (a, b)) in of_a.iter().zip(of_b.iter()).enumerate() {
                if let Some(distance) = self.tolerance.apart(*a, *b)
                    && farthest.is_none_or(|(most, ..)| distance > most)
                {
                    farthest = Some((distance, in_a, vertex));
                }
            }
        }
        let Some((distance, mesh, vertex)) = farthest else { return };
        let frames = found.as_ref().map_or(0, |found| found.frames) + 1;
        match found {
            Some(found) if distance <= found.distance => found.frames = frames,
            _ => {
                *found = Some(FarthestVertex {
                    distance,
                    frame,
                    frames,
                    mesh: self.paired.meshes.named_a(mesh),
                    vertex,
                })
            }
        }
    }

    /// Compares the visibility of the common meshes.
    fn compare_visibility(&self, frame: u32, found: &mut Option<VisibilityDifference>) {
        let is_drawn_in_b = |in_a| self.paired.meshes.partner(in_a).is_some_and(|in_b| self.b.is_drawn[in_b]);
        let differs = |&in_a: &usize| self.a.is_drawn[in_a] != is_drawn_in_b(in_a);
        let Some(in_a) = self.drawn.iter().copied().find(differs) else { return };
        let shown_in = if self.a.is_drawn[in_a] { FoundIn::A } else { FoundIn::B };
        let first = || VisibilityDifference { frame, frames: 0, mesh: self.paired.meshes.named_a(in_a), shown_in };
        found.get_or_insert_with(first).frames += 1;
    }

    /// Compares the draw order of the meshes that both draw.
    fn compare_order(&mut self, frame: u32, found: &mut Option<OrderDifference>) {
        let [of_a, of_b] = &mut self.orders;
        let (a, b, meshes) = (&self.a, &self.b, self.paired.meshes);
        of_a.clear();
        of_a.extend(a.drawn.iter().filter(|&&place| meshes.partner(place).is_some_and(|in_b| b.is_drawn[in_b])));
        of_b.clear();
        let keys = b.drawn.iter().map(|&place| meshes.key_of_b(place));
        of_b.extend(keys.filter(|&key| a.is_drawn.get(key).copied().unwrap_or(false)));
        let Some((first_a, first_b)) = of_a.iter().zip(&*of_b).find(|(a, b)| a != b) else { return };
        let first =
            || OrderDifference { a: meshes.named_a(*first_a), b: meshes.named_a(*first_b), frame, frames: 0 };
        found.get_or_insert_with(first).frames += 1;
    }
}
