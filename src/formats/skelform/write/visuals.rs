//! Meshes → visuals, each on its own bone, because hiding a bone also hides its children.
//!
//! If several bones move a vertex, SkelForm applies them in turn, each interpolating from the previous result.

use super::joints::{Joints, Moves};
use super::schema::{self, Bind, BoundVertex, Tint, Vertex, Visual};
use super::{number, vec2};
use crate::formats::stored::{Local, Pull, SlotState, Stored};
use crate::math::{DVec2, Vec2};
use crate::model::{BoneId, Mesh, Slot, Vertices};

/// Deficit of a weight sum that counts as rounding.
const ROUNDING: f64 = 1e-5;

/// A drawn slot.
pub struct Drawn<'a> {
    /// Index of the model's slot.
    pub slot: usize,
    /// Parent of its own bone, which is added later.
    parent: Option<usize>,
    name: String,
    pub visual: Visual<'a>,
}

/// Returns the visuals in the order of the slots, and adds the helpers that they need.
pub fn visuals<'a>(
    stored: &Stored<'_>,
    joints: &mut Joints,
    textures: &'a [String],
    states: &[SlotState],
) -> Vec<Drawn<'a>> {
    let mut drawn = Vec::new();
    for (index, slot) in stored.model.slots().iter().enumerate() {
        let Some(mesh) = stored.mesh(slot) else { continue };
        let Some(texture) = mesh.page.and_then(|page| textures.get(page.index())) else { continue };
        let pulls = stored.pulls(mesh);
        let (parent, positions, binds) = match single(&pulls) {
            Some(bone) if bone.is_none_or(|bone| joints.is_exact(bone)) => {
                (bone, pulls.iter().map(|pulls| stored.position(&pulls[0])).collect(), Vec::new())
            }
            _ => {
                let positions = pulls.iter().map(|pulls| pulls[0].position.as_dvec2());
                (slot.bone, positions.collect::<Vec<DVec2>>(), binds(stored, joints, &pulls))
            }
        };
        let visual = visual(mesh, slot, texture, &positions, binds, states[index].z_order);
        drawn.push(Drawn { slot: index, parent: parent.map(BoneId::index), name: mesh.name.to_string(), visual });
    }
    drawn
}

/// Adds the bones of the visuals after all others: of equal z-orders, the later bone is in front.
pub fn add_bones(drawn: &[Drawn<'_>], joints: &mut Joints) -> usize {
    let first = joints.joints.len();
    for drawn in drawn {
        joints.add(drawn.name.clone(), drawn.parent, Moves::Fixed(Local::IDENTITY));
    }
    first
}

/// Returns the bone that moves all vertices with full weight, if there is one.
fn single(pulls: &[Vec<Pull>]) -> Option<Option<BoneId>> {
    let bone = pulls.first()?.first()?.bone;
    let is_alone = |pulls: &Vec<Pull>| matches!(pulls[..], [pull] if pull.weight == 1.0 && pull.bone == bone);
    pulls.iter().all(is_alone).then_some(bone)
}

fn visual<'a>(
    mesh: &Mesh,
    slot: &Slot,
    texture: &'a str,
    positions: &[DVec2],
    binds: Vec<Bind>,
    z_order: i16,
) -> Visual<'a> {
    let uvs: Vec<Vec2> = match &mesh.vertices {
        Vertices::Skin4(vertices) => vertices.iter().map(|vertex| vertex.uv).collect(),
        Vertices::SkinN(vertices) => vertices.iter().map(|vertex| vertex.uv).collect(),
    };
    let vertex = |(id, (at, uv)): (usize, (&DVec2, &Vec2))| {
        let pos = vec2(at.x, at.y);
        Vertex { id, pos, uv: vec2(uv.x.into(), uv.y.into()), init_pos: pos }
    };
    let [r, g, b, a]: [f32; 4] = std::array::from_fn(|i| mesh.tint[i] * slot.tint.light[i]);
    let tint = Some(Tint { r, g, b, a }).filter(|_| [r, g, b, a] != [1.0; 4]);
    Visual {
        tex: texture,
        tint,
        zindex: z_order.into(),
        pivot_pos: vec2(0.0, 0.0),
        pivot_rot: number(0.0),
        pivot_scale: vec2(1.0, 1.0),
        vertices: positions.iter().zip(&uvs).enumerate().map(vertex).collect(),
        indices: mesh.indices.triangles().flatten().map(i64::from).collect(),
        binds,
        init_tex: texture,
        init_zindex: z_order.into(),
        init_tint: tint,
    }
}

/// Returns the vertices of each bone. The first bone of a vertex has weight 1 in it.
fn binds(stored: &Stored<'_>, joints: &mut Joints, pulls: &[Vec<Pull>]) -> Vec<Bind> {
    let weights: Vec<Vec<(usize, f64)>> = pulls.iter().map(|pulls| weights(stored, joints, pulls)).collect();
    let mut binds: std::collections::BTreeMap<usize, Vec<BoundVertex>> = std::collections::BTreeMap::new();
    for (id, weights) in weights.into_iter().enumerate() {
        let lacking = 1.0 - weights.iter().map(|(_, weight)| weight).sum::<f64>();
        let mut left = 1.0;
        if lacking.abs() > ROUNDING {
            // Last, so that the share left for the others is not zero, whatever their weights.
            binds.entry(usize::MAX).or_default().push(BoundVertex { id: id as i64, weight: number(lacking) });
            left -= lacking;
        }
        for (at, &(joint, weight)) in weights.iter().enumerate().rev() {
            let share = if at == 0 { 1.0 } else { weight / left };
            left -= weight;
            binds.entry(joint).or_default().push(BoundVertex { id: id as i64, weight: number(share) });
        }
    }
    if let Some(lacking) = binds.remove(&usize::MAX) {
        // Last in this list, whatever its index, because helpers of other meshes are added later.
        let nowhere = joints.nowhere();
        let mut list: Vec<Bind> = binds.into_iter().map(bind).collect();
        list.push(bind((nowhere, lacking)));
        return list;
    }
    binds.into_iter().map(bind).collect()
}

fn bind((bone, verts): (usize, Vec<BoundVertex>)) -> Bind {
    schema::Bind { bone_id: bone as i64, is_path: false, verts }
}

/// Returns joints and weights of a vertex, sorted by joint; sums are normalised if they are off by rounding.
fn weights(stored: &Stored<'_>, joints: &mut Joints, pulls: &[Pull]) -> Vec<(usize, f64)> {
    let mut weights: Vec<(usize, f64)> = Vec::new();
    for pull in pulls {
        for (joint, share) in joints.helpers(stored, pull.bone) {
            weights.push((joint, f64::from(pull.weight) * share));
        }
    }
    weights.sort_by_key(|(joint, _)| *joint);
    // A bone may occur several times.
    weights.dedup_by(|later, first| {
        let is_same = later.0 == first.0;
        first.1 += if is_same { later.1 } else { 0.0 };
        is_same
    });
    let sum: f64 = weights.iter().map(|(_, weight)| weight).sum();
    if (sum - 1.0).abs() <= ROUNDING {
        weights.iter_mut().for_each(|(_, weight)| *weight /= sum);
    }
    weights
}
