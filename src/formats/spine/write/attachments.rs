//! Meshes, with their vertices in the space of their bones.

use super::hull::Hull;
use super::schema::{Attachment, AttachmentType, Attachments, Entries, Number};
use super::skeleton::{Rig, number};
use super::{text, unless_white};
use crate::formats::stored::Stored;
use crate::model::{self, BoneId, Vertices};

/// The attachment of each slot, by slot and name.
pub fn attachments(stored: &Stored<'_>, rig: &Rig, regions: &[String]) -> Attachments<'static> {
    let mut entries = Vec::with_capacity(rig.slots.len());
    for (slot, id) in rig.slots.iter().zip(&rig.order) {
        let of_model = stored.model.slot(*id);
        if let (Some(mesh), Some(key)) = (stored.mesh(of_model), &rig.keys[id.index()]) {
            let written = attachment(stored, rig, regions, mesh, key, of_model.bone);
            entries.push((slot.name.clone(), Entries(vec![(text(key.as_str()), written)])));
        }
    }
    Entries(entries)
}

fn attachment(
    stored: &Stored<'_>,
    rig: &Rig,
    regions: &[String],
    mesh: &model::Mesh,
    key: &str,
    slot_bone: Option<BoneId>,
) -> Attachment<'static> {
    let triangles: Vec<[u16; 3]> = mesh.indices.triangles().collect();
    let hull = Hull::of(&triangles, mesh.vertices.len());
    let uvs: Vec<[f32; 2]> = match &mesh.vertices {
        Vertices::Skin4(vertices) => vertices.iter().map(|vertex| vertex.uv.to_array()).collect(),
        Vertices::SkinN(vertices) => vertices.iter().map(|vertex| vertex.uv.to_array()).collect(),
    };
    let pulls = stored.pulls(mesh);
    let is_rigid =
        pulls.iter().all(|pulls| matches!(pulls[..], [pull] if pull.weight == 1.0 && pull.bone == slot_bone));
    let mut vertices = Vec::new();
    for &old in &hull.order {
        let pulls = &pulls[usize::from(old)];
        if !is_rigid {
            vertices.push(Number(pulls.len() as f32));
        }
        for pull in pulls {
            let at = stored.position(pull);
            if is_rigid {
                vertices.extend([at.x, at.y].map(number));
            } else {
                vertices.push(Number(rig.bone(pull.bone) as f32));
                vertices.extend([number(at.x), number(at.y), Number(pull.weight)]);
            }
        }
    }
    let edge = |at: usize| [2 * at as u32, 2 * ((at + 1) % hull.length) as u32];
    Attachment {
        uvs: hull.order.iter().flat_map(|&old| uvs[usize::from(old)]).map(Number).collect(),
        triangles: triangles.as_flattened().iter().map(|&old| hull.place[usize::from(old)].into()).collect(),
        vertices,
        hull: hull.length as u32,
        // Edges index numbers, two per vertex.
        edges: (0..hull.length).flat_map(edge).collect(),
        ..picture(stored.model, mesh, key, regions)
    }
}

/// A picture whose corners have the bone of its slot. `key` is its name.
pub fn quad(model: &model::Model, mesh: &model::Mesh, key: &str, regions: &[String]) -> Attachment<'static> {
    let (uvs, corners): (Vec<[f32; 2]>, Vec<[f32; 2]>) = match &mesh.vertices {
        Vertices::Skin4(vertices) => {
            vertices.iter().map(|vertex| (vertex.uv.to_array(), vertex.position.to_array())).unzip()
        }
        Vertices::SkinN(vertices) => {
            let corner =
                |vertex: model::SkinNVertex<'_>| vertex.influences.first().map(|it| it.position.to_array());
            vertices.iter().map(|vertex| (vertex.uv.to_array(), corner(vertex).unwrap_or_default())).unzip()
        }
    };
    let triangles: Vec<[u16; 3]> = mesh.indices.triangles().collect();
    let count = corners.len() as u32;
    Attachment {
        uvs: uvs.as_flattened().iter().copied().map(Number).collect(),
        vertices: corners.as_flattened().iter().copied().map(Number).collect(),
        triangles: triangles.as_flattened().iter().map(|&corner| corner.into()).collect(),
        hull: count,
        edges: (0..count).flat_map(|at| [2 * at, 2 * ((at + 1) % count)]).collect(),
        ..picture(model, mesh, key, regions)
    }
}

/// A mesh without its vertices.
fn picture(model: &model::Model, mesh: &model::Mesh, key: &str, regions: &[String]) -> Attachment<'static> {
    let page = mesh.page.and_then(|page| Some((&model.pages()[page.index()], regions.get(page.index())?)));
    Attachment {
        kind: AttachmentType::Mesh,
        path: page.map(|(_, region)| region.clone()).filter(|region| region != key).map(text),
        color: unless_white(mesh.tint),
        scale_x: Number(1.0),
        scale_y: Number(1.0),
        width: page.map(|(page, _)| Number(page.width as f32)),
        height: page.map(|(page, _)| Number(page.height as f32)),
        ..Attachment::default()
    }
}
