//! Builds the report from the outline of a PCHR document.

use super::report::{FileReport, GpuMemory, Header, Image, Memory, Mesh, Sections, corner_and_size};
use crate::formats::ReadOptions;
use crate::formats::pchr::schema::Block;
use crate::formats::pchr::{Document, Kind, Outline, is_bind_name, schema};
use crate::math::Rect;
use crate::model::{AlphaSource, Influence, SkinNRecord, Timing};
use crate::outline::{Animation, Bone};
use crate::pose::SkinMatrix;

/// Builds the report with the sections that `wants` selects.
pub fn gather(name: &str, outline: &Outline, options: &ReadOptions, wants: impl Fn(&str) -> bool) -> FileReport {
    let document = &outline.document;
    let file = &document.file;
    let whole = outline.meshes.iter().fold(Rect::NOTHING, |whole, mesh| whole.union(mesh.bounds));
    let mesh = |index: usize| {
        let (mesh, found) = (&file.meshes[index], &outline.meshes[index]);
        Mesh {
            bounds: corner_and_size(found.bounds),
            image: (usize::from(mesh.image) < file.images.len()).then_some(mesh.image),
            influences: found.influences,
            name: mesh.name.clone(),
            owner: found.owner,
            owner_name: found
                .owner
                .and_then(|owner| file.bones.get(owner))
                .map_or_else(String::new, |bone| bone.name.clone()),
            triangles: mesh.index_count() / 3,
            vertices: mesh.vertex_count(),
        }
    };
    let not_read = |block: &Block| if block.is_skipped() { block.len } else { 0 };
    let not_read_bytes = file.images.iter().map(|image| not_read(&image.data)).sum::<u64>()
        + file.animations.iter().map(|animation| not_read(&animation.frames)).sum::<u64>();
    let header = || Header { flags: file.flags, fps: file.fps, version: schema::VERSION };
    FileReport {
        animate: None,
        animations: wants("animations")
            .then(|| file.animations.iter().map(|animation| animation_of(animation, file.fps)).collect()),
        bones: wants("bones").then(|| file.bones.iter().map(|bone| bone_of(bone, &file.bones)).collect()),
        attachments: None,
        bounds: corner_and_size(whole),
        bytes: outline.file_bytes,
        constraints: None,
        errors: Vec::new(),
        events: None,
        file: name.to_owned(),
        format: document.kind.name(),
        header: wants("header").then(header),
        images: wants("images")
            .then(|| (0..file.images.len()).map(|index| image_of(document, index, options)).collect()),
        memory: wants("memory").then(|| memory_of(outline)),
        meshes: wants("meshes").then(|| (0..file.meshes.len()).map(mesh).collect()),
        not_read_bytes,
        skins: None,
        slots: None,
        spine: None,
    }
}

fn bone_of(bone: &schema::Bone, bones: &[schema::Bone]) -> Bone {
    let parent = u32::try_from(bone.parent).ok();
    let parent_name = parent.and_then(|parent| bones.get(parent as usize)).map(|parent| parent.name.clone());
    Bone { name: bone.name.clone(), parent, parent_name, ..Bone::default() }
}

fn animation_of(animation: &schema::Animation, fps: u16) -> Animation {
    Animation::of(&crate::model::Animation {
        name: animation.name.clone(),
        looping: animation.flags & schema::Animation::LOOP != 0,
        timing: Timing::Frames { count: animation.frame_count.into(), fps: fps.into() },
        is_bind_pose: is_bind_name(animation),
    })
}

fn image_of(document: &Document, index: usize, options: &ReadOptions) -> Image {
    let image = &document.file.images[index];
    let forced = options.page_alpha.forced();
    Image {
        alpha: Image::alpha_name(forced.unwrap_or_default()),
        alpha_evidence: None,
        alpha_source: Image::source_name(forced.map_or(AlphaSource::Stated, |_| AlphaSource::Forced)),
        bytes: image.data.len,
        format: match image.format {
            schema::Image::PNG => "png",
            schema::Image::RGBA8888 => "rgba8888",
            _ => "unknown",
        },
        height: image.height.into(),
        missing: document.missing(index).map(str::to_owned),
        name: image.name.clone(),
        path: document.sidecars.get(index).map(|sidecar| sidecar.path.clone()),
        width: image.width.into(),
    }
}

fn memory_of(outline: &Outline) -> Memory {
    let file = &outline.document.file;
    let vertices = (0..file.meshes.len()).map(|mesh| gpu_vertex_bytes(&outline.document, mesh)).sum();
    let indices = file.meshes.iter().map(|mesh| mesh.indices.len).sum();
    let textures = file.images.iter().map(|image| u64::from(image.width) * u64::from(image.height) * 4).sum();
    let palette = (file.bones.len() * size_of::<SkinMatrix>()) as u64;
    let gpu = GpuMemory { indices, palette, textures, total: indices + palette + textures + vertices, vertices };
    Memory { gpu, sections: (outline.document.kind == Kind::V1).then(|| sections_of(outline)) }
}

/// Returns the vertex bytes of a mesh: fixed-size records as in the file, or influence lists if any vertex needs
/// one.
fn gpu_vertex_bytes(document: &Document, mesh: usize) -> u64 {
    let (long, mesh) = (document.long_influences_of(mesh), &document.file.meshes[mesh]);
    if long.is_empty() {
        return mesh.vertices.len;
    }
    let count = mesh.vertex_count();
    let influences = 4 * (count - long.len()) + long.iter().map(|long| long.influences.len()).sum::<usize>();
    (count * size_of::<SkinNRecord>() + influences * size_of::<Influence>()) as u64
}

/// Returns the sizes of the sections; an empty one consists of its count.
fn sections_of(outline: &Outline) -> Sections {
    const COUNT: u64 = 2;
    let file = &outline.document.file;
    let header = 4 + 4 + 2 + 2;
    let images: u64 = file.images.iter().map(|image| 2 + image.name.len() as u64 + 9 + image.data.len).sum();
    let bones: u64 = file.bones.iter().map(|bone| 2 + bone.name.len() as u64 + 2).sum();
    let mesh = |mesh: &schema::Mesh| 2 + mesh.name.len() as u64 + 8 + mesh.vertices.len + mesh.indices.len;
    let meshes: u64 = file.meshes.iter().map(mesh).sum();
    let animation = |animation: &schema::Animation| 2 + animation.name.len() as u64 + 3 + animation.frames.len;
    let animations: u64 = file.animations.iter().map(animation).sum();
    let [images, bones, meshes, animations] = [images, bones, meshes, animations].map(|bytes| COUNT + bytes);
    let known = header + images + bones + meshes + animations;
    Sections { animations, bones, header, images, meshes, trailing: outline.file_bytes.saturating_sub(known) }
}
