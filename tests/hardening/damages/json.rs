//! The records of PCHR v1, damaged or not, → the text of a JSON form.

use serde_json::{Value, json};

use crate::common::v1::{Animation, BoneTransform, File, Image, Mesh, Vertex};

/// Returns the text of the description, or of Pachario JSON. `paths` are those of the images.
pub fn text(file: &File, paths: &[String], is_pachario: bool) -> Vec<u8> {
    let images = file.images.iter().zip(paths).map(|(image, path)| {
        let mut json = json!({"name": image.name, "path": path, "width": image.width, "height": image.height});
        if !is_pachario {
            json["format"] = json!(if image.format == Image::RGBA8888 { "rgba8888" } else { "png" });
        }
        json
    });
    let parent = if is_pachario { "parentIdx" } else { "parent" };
    let bones = file.bones.iter().map(|bone| json!({"name": bone.name, parent: bone.parent}));
    let meshes = file.meshes.iter().map(|mesh| mesh_json(mesh, file.images.len(), is_pachario));
    let animations = file.animations.iter().map(|animation| animation_json(animation, file.bones.len()));
    let mut json = json!({
        "version": 1,
        "fps": file.fps,
        "images": images.collect::<Vec<_>>(),
        "bones": bones.collect::<Vec<_>>(),
        "meshes": meshes.collect::<Vec<_>>(),
        "animations": animations.collect::<Vec<_>>(),
    });
    if !is_pachario && file.flags != 0 {
        json["flags"] = json!(file.flags);
    }
    format!("{json:#}\n").into_bytes()
}

fn mesh_json(mesh: &Mesh, images: usize, is_pachario: bool) -> Value {
    let vertices = mesh.vertices.bytes.chunks_exact(Vertex::SIZE).map(|record| {
        let vertex = Vertex::read(record);
        let mut json = json!({"x": vertex.x, "y": vertex.y, "u": vertex.u, "v": vertex.v});
        if is_pachario {
            let used = vertex.bone_ids.iter().zip(vertex.bone_weights).filter(|(_, weight)| *weight != 0.0);
            json["bones"] = used.map(|(bone, weight)| json!({"idx": bone, "weight": weight})).collect();
        } else {
            json["boneIds"] = json!(vertex.bone_ids);
            json["boneWeights"] = json!(vertex.bone_weights);
        }
        json
    });
    let indices = mesh.indices.bytes.chunks_exact(2).map(|index| u16::from_le_bytes([index[0], index[1]]));
    let (image, indices_key) = if is_pachario { ("imageIdx", "triangles") } else { ("image", "indices") };
    let has_image = !is_pachario || usize::from(mesh.image) < images;
    json!({
        "name": mesh.name,
        image: if has_image { i32::from(mesh.image) } else { -1 },
        "vertices": vertices.collect::<Vec<_>>(),
        indices_key: indices.collect::<Vec<_>>(),
    })
}

fn animation_json(animation: &Animation, bones: usize) -> Value {
    let frame = bones * BoneTransform::SIZE;
    let frames = (0..usize::from(animation.frame_count)).map(|index| {
        let records = animation.frames.bytes.get(index * frame..(index + 1) * frame).unwrap_or_default();
        records.chunks_exact(BoneTransform::SIZE).map(transform_json).collect::<Vec<_>>()
    });
    let mut json =
        json!({"name": animation.name, "loop": animation.flags & 1 != 0, "frames": frames.collect::<Vec<_>>()});
    if animation.flags > 1 {
        json["flags"] = json!(animation.flags);
    }
    json
}

fn transform_json(record: &[u8]) -> Value {
    let BoneTransform { x, y, rotation, scale_x, scale_y, flags, z_order } = BoneTransform::read(record);
    let mut json = json!({
        "x": x, "y": y, "rotation": rotation, "scaleX": scale_x, "scaleY": scale_y,
        "visible": flags & 1 != 0, "zOrder": z_order,
    });
    if flags > 1 {
        json["flags"] = json!(flags);
    }
    json
}
