//! Characters whose vertices have influence lists, converted from those with four influences.

use pchr::model::{Attachment, Influence, Model, ModelBuilder, Skin4Vertex, SkinNVertices, Vertices};

/// Returns `model` with the influences that `influences_of` returns for each vertex of each mesh. All ids stay the
/// same, so poses of one model can be used for the other.
pub fn with_lists(model: &Model, influences_of: impl Fn(&Skin4Vertex) -> Vec<Influence>) -> Model {
    with_lists_in(model, |_| true, influences_of)
}

/// Like [`with_lists`], for the meshes with certain indices.
pub fn with_lists_in(
    model: &Model,
    is_listed: impl Fn(usize) -> bool,
    influences_of: impl Fn(&Skin4Vertex) -> Vec<Influence>,
) -> Model {
    let mut builder = ModelBuilder::default();
    for bone in model.skeleton().bones() {
        builder.bone(bone.clone()).expect("a bone");
    }
    for page in model.pages() {
        builder.page(page.clone()).expect("a page");
    }
    for (number, attachment) in model.attachments().iter().enumerate() {
        let mut mesh = attachment.mesh().expect("a mesh").clone();
        if is_listed(number) {
            mesh.vertices = listed(&mesh.vertices, &influences_of).into();
        }
        builder.attachment(Attachment::Mesh(mesh)).expect("a mesh");
    }
    for slot in model.slots() {
        builder.slot(slot.clone()).expect("a slot");
    }
    for animation in model.animations() {
        builder.animation(animation.clone());
    }
    builder.build()
}

fn listed(vertices: &Vertices, influences_of: impl Fn(&Skin4Vertex) -> Vec<Influence>) -> SkinNVertices {
    let Vertices::Skin4(vertices) = vertices else { panic!("files hold four influences") };
    let mut lists = SkinNVertices::with_capacity(vertices.len(), 4 * vertices.len());
    for vertex in vertices.iter() {
        lists.push(vertex.uv, vertex.position, &influences_of(&vertex)).expect("finite numbers");
    }
    lists
}

/// Returns the four influences of a vertex as a list.
pub fn same_influences(vertex: &Skin4Vertex) -> Vec<Influence> {
    // Negative weights count as 0 among four influences, but not in lists.
    let influences = vertex.bone_ids.into_iter().zip(vertex.bone_weights.map(|weight| weight.max(0.0)));
    influences.map(|(bone, weight)| Influence { position: vertex.position, bone: bone.into(), weight }).collect()
}

/// Returns the influences of a limb along the y axis with many more than four influences: the lower a vertex, the
/// more bones move it, from all `bones` at the bottom to one at the top. The bones are `spacing` apart.
pub fn spread_influences(vertex: &Skin4Vertex, bones: u32, spacing: f32) -> Vec<Influence> {
    let height = (bones - 1) as f32 * spacing;
    let up = (vertex.position.y / height).clamp(0.0, 1.0);
    let count = bones - ((bones - 1) as f32 * up).round() as u32;
    let distance = |bone: u32| (bone as f32 * spacing - vertex.position.y).abs() / spacing;
    let mut nearest: Vec<u32> = (0..bones).collect();
    nearest.sort_by(|&a, &b| distance(a).total_cmp(&distance(b)));
    nearest.truncate(count as usize);
    let total: f32 = nearest.iter().map(|&bone| 1.0 / (1.0 + distance(bone))).sum();
    nearest
        .into_iter()
        .map(|bone| Influence { position: vertex.position, bone, weight: 1.0 / (1.0 + distance(bone)) / total })
        .collect()
}
