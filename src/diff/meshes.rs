//! Meshes: everything except their motion.

use std::borrow::Cow;
use std::collections::HashMap;

use super::differences::{Change, MeshDifference, Named, TriangleDifference, VertexDifference};
use super::matching::{Entry, Matching};
use super::order::moved;
use super::tolerance::Tolerance;
use super::vertices::{self, Vertex};
use crate::math::{Rect, Vec2, vec2};
use crate::model::{AttachmentId, BoneId, Mesh, Model, PageId};

/// The meshes of a model in their default draw order.
#[derive(Debug)]
pub struct Meshes<'a> {
    pub list: Vec<MeshOnBone<'a>>,
    /// Index in `list` of every attachment.
    pub place: Vec<usize>,
}

/// A mesh and the bone of its slot.
#[derive(Debug)]
pub struct MeshOnBone<'a> {
    pub mesh: &'a Mesh,
    /// Name; if the model has skins, with the names of skin and slot.
    name: Cow<'a, str>,
    bone: Option<usize>,
}

impl<'a> Meshes<'a> {
    /// Lists the meshes: first those that slots show, in slot order. With `in_full`, names include skin and slot.
    pub fn of(model: &'a Model, in_full: bool) -> Self {
        let mut full = HashMap::new();
        for skin in model.skins().iter().filter(|_| in_full) {
            for entry in &skin.entries {
                let slot = model.slot(entry.slot);
                full.insert(entry.attachment, (full_name(&skin.name, &slot.name, &entry.key), slot.bone));
            }
        }
        let mut meshes = Self { list: Vec::new(), place: vec![usize::MAX; model.attachments().len()] };
        let in_slots = model.slots().iter().filter_map(|slot| Some((slot.attachment?, slot.bone)));
        let others = (0..model.attachments().len()).map(|index| (AttachmentId::new(index), None));
        for (id, bone) in in_slots.chain(others) {
            if meshes.place[id.index()] == usize::MAX {
                let Some(mesh) = model.attachment(id).mesh() else { continue };
                meshes.place[id.index()] = meshes.list.len();
                let (name, bone) = match full.remove(&id) {
                    Some((name, bone)) => (Cow::Owned(name), bone),
                    None => (Cow::Borrowed(&*mesh.name), bone),
                };
                meshes.list.push(MeshOnBone { mesh, name, bone: bone.map(BoneId::index) });
            }
        }
        meshes
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        self.list.iter().map(|entry| &*entry.name)
    }
}

/// Returns the name of an attachment of a skin.
pub fn full_name(skin: &str, slot: &str, key: &str) -> String {
    match skin {
        "default" => format!("{slot}/{key}"),
        skin => format!("{skin}/{slot}/{key}"),
    }
}

/// Finds a mesh that a [`Diff`](super::Diff) of two characters names, in `model`, which is one of them. `other` is the
/// other one: if both have skins, names include skin and slot.
pub fn find_mesh(model: &Model, other: &Model, named: &Named) -> Option<AttachmentId> {
    let has_skins = !model.skins().is_empty() && !other.skins().is_empty();
    let meshes = Meshes::of(model, has_skins);
    let mut same = meshes.names().enumerate().filter(|(_, name)| *name == named.name);
    let (wanted, _) = same.nth(named.occurrence as usize)?;
    meshes.place.iter().position(|&place| place == wanted).map(AttachmentId::new)
}

/// Matches two lists of meshes by name.
pub fn matched<'a>(a: &'a Meshes<'_>, b: &'a Meshes<'_>) -> Matching<'a> {
    Matching::new(a.names(), b.names())
}

/// The context of a mesh comparison.
pub struct Comparison<'a> {
    pub models: [&'a Model; 2],
    pub meshes: &'a Matching<'a>,
    pub bones: &'a Matching<'a>,
    pub images: &'a Matching<'a>,
    pub tolerance: Tolerance,
}

impl Comparison<'_> {
    /// Returns the meshes that differ.
    pub fn compare(&self, a: &Meshes<'_>, b: &Meshes<'_>) -> Vec<MeshDifference> {
        let in_b: Vec<usize> = self.meshes.pairs().map(|(_, b)| b).collect();
        let mut moved = moved(&in_b).into_iter();
        let mut scratch = Vec::new();
        let difference = |entry| {
            let (named, found_in) = self.meshes.named(entry);
            let mut difference = MeshDifference { found_in, named, ..MeshDifference::default() };
            if let Entry::Both(in_a, in_b) = entry {
                if moved.next() == Some(true) {
                    difference.order = Some(Change { a: in_a, b: in_b });
                }
                let is_same = self.pair(&a.list[in_a], &b.list[in_b], &mut scratch, &mut difference);
                if is_same && difference.order.is_none() {
                    return None;
                }
            }
            Some(difference)
        };
        self.meshes.entries().filter_map(difference).collect()
    }

    /// Compares two meshes and fills in `difference`. Returns true if they are equal.
    fn pair(
        &self,
        a: &MeshOnBone<'_>,
        b: &MeshOnBone<'_>,
        scratch: &mut Vec<(usize, f32)>,
        difference: &mut MeshDifference,
    ) -> bool {
        difference.bone = change(self.bones, a.bone, b.bone);
        let (a, b) = (a.mesh, b.mesh);
        difference.image = change(self.images, a.page.map(PageId::index), b.page.map(PageId::index));
        difference.triangles = triangles(a, b);
        difference.vertices = Change::of(vertices::count(a), vertices::count(b));
        if difference.vertices.is_none() {
            self.vertices(a, b, scratch, difference);
        }
        let MeshDifference { bone, image, positions, triangles, uv, vertices, weights, .. } = difference;
        let is_owner_same = bone.is_none() && image.is_none();
        let is_shape_same = triangles.is_none() && vertices.is_none();
        is_owner_same && is_shape_same && positions.is_none() && uv.is_none() && weights.is_none()
    }

    fn vertices(&self, a: &Mesh, b: &Mesh, scratch: &mut Vec<(usize, f32)>, difference: &mut MeshDifference) {
        let page_size = page_size(self.models[0], a).max(page_size(self.models[1], b));
        let weight_tolerance = self.tolerance.of_weights(size(a).max(size(b)));
        let [mut positions, mut uv, mut weights] = [Tally::default(), Tally::default(), Tally::default()];
        for (index, (a, b)) in vertices::vertices(a).zip(vertices::vertices(b)).enumerate() {
            positions.add(index, self.tolerance.apart(a.position, b.position));
            uv.add(index, self.tolerance.apart(a.uv * page_size, b.uv * page_size));
            weights.add(index, Some(self.weights(&a, &b, scratch)).filter(|off| *off > weight_tolerance));
        }
        difference.positions = positions.0;
        difference.uv = uv.0;
        difference.weights = weights.0;
    }

    /// Returns the largest difference of the total weight of any bone between two vertices.
    fn weights(&self, a: &Vertex, b: &Vertex, scratch: &mut Vec<(usize, f32)>) -> f32 {
        scratch.clear();
        scratch.extend(a.influences().map(|(bone, weight)| (self.bones.key_of_a(bone), weight)));
        scratch.extend(b.influences().map(|(bone, weight)| (self.bones.key_of_b(bone), -weight)));
        // A stable sort, so that the weights of a bone are summed in file order.
        scratch.sort_by_key(|(key, _)| *key);
        let of_bone = |chunk: &[(usize, f32)]| chunk.iter().map(|(_, weight)| weight).sum::<f32>().abs();
        let largest = scratch.chunk_by(|(a, _), (b, _)| a == b).map(of_bone).fold(0.0, f32::max);
        largest.min(f32::MAX)
    }
}

fn change(names: &Matching<'_>, a: Option<usize>, b: Option<usize>) -> Option<Change<Option<Named>>> {
    let change = || Change { a: a.map(|a| names.named_a(a)), b: b.map(|b| names.named_b(b)) };
    (!names.is_pair(a, b)).then(change)
}

/// Counts differences and keeps the largest.
#[derive(Default)]
struct Tally(Option<VertexDifference>);

impl Tally {
    fn add(&mut self, vertex: usize, off: Option<f32>) {
        let Some(off) = off else { return };
        let tally = self.0.get_or_insert(VertexDifference { count: 0, largest: off, vertex });
        tally.count += 1;
        if off > tally.largest {
            (tally.largest, tally.vertex) = (off, vertex);
        }
    }
}

/// Returns the size of the image of `mesh` in pixels, or 1×1 without an image.
fn page_size(model: &Model, mesh: &Mesh) -> Vec2 {
    let page = mesh.page.map(|page| &model.pages()[page.index()]);
    page.map_or(Vec2::ONE, |page| vec2(page.width as f32, page.height as f32))
}

/// Returns the longer side of the authored bounds of `mesh`, in world units.
fn size(mesh: &Mesh) -> f32 {
    let all = vertices::vertices(mesh).fold(Rect::NOTHING, |rect, vertex| rect.include(vertex.position));
    if all.is_empty() { 0.0 } else { all.size().max_element() }
}

/// Compares triangles, whichever corner they begin with.
fn triangles(a: &Mesh, b: &Mesh) -> Option<TriangleDifference> {
    if a.indices.bytes() == b.indices.bytes() {
        return None;
    }
    let from_lowest = |mut corners: [u16; 3]| {
        let lowest = (0..3).min_by_key(|&corner| corners[corner]).unwrap_or(0);
        corners.rotate_left(lowest);
        corners
    };
    let pairs = a.indices.triangles().zip(b.indices.triangles());
    let different = pairs.filter(|&(a, b)| from_lowest(a) != from_lowest(b)).count();
    let (of_a, of_b) = (a.indices.triangles().len(), b.indices.triangles().len());
    (different > 0 || of_a != of_b).then_some(TriangleDifference { a: of_a, b: of_b, different })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tally_counts_all_and_keeps_the_largest() {
        let mut tally = Tally::default();
        [None, Some(1.0), Some(3.0), None, Some(2.0)]
            .into_iter()
            .enumerate()
            .for_each(|(i, off)| tally.add(i, off));
        assert_eq!(tally.0, Some(VertexDifference { count: 3, largest: 3.0, vertex: 2 }));
    }
}
