//! Builds the report from a loaded character, for formats that are read completely.

use std::collections::HashMap;

use super::report::{
    AlphaEvidence, Animation, AttachmentReport, Bone, Constraint, Event, FileReport, GpuMemory, Image, Memory,
    Skin, Slot, SpineHeader,
};
use crate::Character;
use crate::export::bounds_of;
use crate::formats::Sidecars;
use crate::model::{
    AlphaSource, AtlasPage, Attachment, AttachmentId, Blend, BoneId, ConstraintKind, ConstraintTarget, Evidence,
    Model, SkinEntry, SkinId, SkinNVertices, SlotId, Vertices,
};
use crate::motion::{
    Cue, Span, constraint_notes, default_skins, draw_order_folders, for_each_event, initial_skins,
};
use crate::pose::SkinMatrix;

/// Facts about the file, apart from its character.
pub struct About<'a> {
    /// Displayed name.
    pub name: &'a str,
    /// Name of the format.
    pub format: &'static str,
    /// File size in bytes.
    pub bytes: u64,
    /// For a Spine file, the version it states, if any.
    pub spine: Option<Option<&'a str>>,
    /// Gives access to the image files.
    pub sidecars: &'a dyn Sidecars,
    /// For an archive, the stored size of each entry in bytes, by name; otherwise empty.
    pub entries: HashMap<String, u64>,
}

/// Builds the report with the sections that `wants` selects.
pub fn gather(about: &About<'_>, character: &Character, wants: impl Fn(&str) -> bool) -> FileReport {
    let model = character.model();
    let cue = Cue { skins: initial_skins(character), ..Cue::default() };
    let bounds = bounds_of(character, [cue]);
    // Adding 0 turns -0 into 0.
    let numbers = || [bounds.min.x, bounds.min.y, bounds.size().x, bounds.size().y].map(|number| number + 0.0);
    FileReport {
        animations: wants("animations").then(|| animations(character)),
        attachments: wants("attachments").then(|| attachments(model)),
        bones: wants("bones").then(|| bones(model)),
        bounds: (!bounds.is_empty()).then(numbers),
        bytes: about.bytes,
        constraints: wants("constraints").then(|| constraints(character)),
        events: wants("events").then(|| events(model)),
        file: about.name.to_owned(),
        format: about.format,
        header: None,
        images: wants("images").then(|| images(model, about)),
        memory: wants("memory").then(|| Memory { gpu: gpu(model), sections: None }),
        meshes: None,
        not_read_bytes: 0,
        skins: wants("skins").then(|| skins(character)),
        slots: wants("slots").then(|| slots(model)),
        spine: about.spine.filter(|_| wants("header")).map(|version| SpineHeader {
            fps: model.animations().first().map(|animation| animation.fps()),
            version: version.map(str::to_owned),
        }),
    }
}

fn bone_name(model: &Model, id: BoneId) -> String {
    model.skeleton().bones().get(id.index()).map(|bone| bone.name.to_string()).unwrap_or_default()
}

fn bones(model: &Model) -> Vec<Bone> {
    let parent = |id: BoneId| u32::try_from(id.index()).ok();
    let bone = |bone: &crate::model::Bone| Bone {
        color: bone.marker.color.map(hex),
        hidden: bone.marker.is_hidden,
        icon: bone.marker.icon.as_deref().map(str::to_owned),
        name: bone.name.to_string(),
        parent: bone.parent.and_then(parent),
    };
    model.skeleton().authored_bones().iter().map(bone).collect()
}

/// Formats a colour as eight hexadecimal digits.
fn hex(color: [u8; 4]) -> String {
    color.iter().map(|channel| format!("{channel:02x}")).collect()
}

fn slots(model: &Model) -> Vec<Slot> {
    let slot = |slot: &crate::model::Slot| Slot {
        attachment: slot.attachment.map(|id| model.attachment(id).name().to_owned()),
        blend: match slot.blend {
            Blend::Normal => "normal",
            Blend::Additive => "additive",
            Blend::Multiply => "multiply",
            Blend::Screen => "screen",
        },
        bone: slot.bone.map(|id| bone_name(model, id)),
        hidden: slot.is_hidden_in_editor,
        name: slot.name.to_string(),
    };
    model.slots().iter().map(slot).collect()
}

/// Maps every attachment to its skin and its entry there.
fn entries(model: &Model) -> HashMap<AttachmentId, (&str, &SkinEntry)> {
    let of_skin = |skin| -> Vec<(AttachmentId, (&str, &SkinEntry))> {
        let skin: &crate::model::Skin = skin;
        skin.entries.iter().map(|entry| (entry.attachment, (&*skin.name, entry))).collect()
    };
    model.skins().iter().flat_map(of_skin).collect()
}

fn attachments(model: &Model) -> Vec<AttachmentReport> {
    let entries = entries(model);
    let mut pictures = vec![0; model.authored_attachments().len()];
    model.attachment_ids().for_each(|id| pictures[model.authored_attachment(id).index()] += 1);
    let report = |(id, attachment): (AttachmentId, &Attachment)| {
        let entry = entries.get(&id);
        let mesh = attachment.mesh();
        let (vertices, influences) = shape(attachment);
        let mask = if let Attachment::ClipMask(mask) = attachment { Some(mask) } else { None };
        AttachmentReport {
            convex: mask.is_some_and(|mask| mask.is_convex),
            image: mesh.and_then(|mesh| mesh.page).map(|page| page.index()),
            influences,
            inverse: mask.is_some_and(|mask| mask.is_inverse),
            key: entry.map(|(_, entry)| entry.key.to_string()),
            kind: match attachment {
                Attachment::Region(_) => "region",
                Attachment::Mesh(_) => "mesh",
                Attachment::ClipMask(_) => "clipping",
                Attachment::Path(_) => "path",
                Attachment::Point(_) => "point",
                Attachment::Bounds(_) => "boundingbox",
            },
            name: attachment.name().to_owned(),
            pictures: Some(pictures[id.index()]).filter(|count| *count > 1),
            skin: entry.map(|(skin, _)| (*skin).to_owned()),
            slot: entry.map(|(_, entry)| model.slot(entry.slot).name.to_string()),
            triangles: mesh.map_or(0, |mesh| mesh.indices.len() / 3),
            vertices,
        }
    };
    model.attachment_ids().zip(model.authored_attachments()).map(report).collect()
}

/// Returns the number of vertices and the most influences of any vertex.
fn shape(attachment: &Attachment) -> (usize, usize) {
    let of = |vertices: &SkinNVertices| {
        (vertices.len(), vertices.iter().map(|vertex| vertex.influences.len()).max().unwrap_or(0))
    };
    match attachment {
        Attachment::Region(mesh) | Attachment::Mesh(mesh) => match &mesh.vertices {
            Vertices::SkinN(vertices) => of(vertices),
            Vertices::Skin4(vertices) => (vertices.len(), 4),
        },
        Attachment::ClipMask(mask) => of(&mask.polygon.vertices),
        Attachment::Path(path) => of(&path.vertices),
        Attachment::Bounds(polygon) => of(&polygon.vertices),
        Attachment::Point(_) => (0, 0),
    }
}

fn skins(character: &Character) -> Vec<Skin> {
    let model = character.model();
    let initial = initial_skins(character);
    let is_worn = |id: SkinId| default_skins(character).contains(&id) || initial.contains(&id);
    let report = |id: SkinId| {
        let skin = model.skin(id);
        Skin {
            attachments: skin.entries.len(),
            bones: skin.bones.iter().map(|&id| bone_name(model, id)).collect(),
            color: skin.color.map(hex),
            name: skin.name.to_string(),
            worn: is_worn(id),
        }
    };
    model.skin_ids().map(report).collect()
}

fn constraints(character: &Character) -> Vec<Constraint> {
    let model = character.model();
    let constraint = |(index, constraint): (usize, &crate::model::Constraint)| Constraint {
        bones: constraint.bones.iter().map(|&id| bone_name(model, id)).collect(),
        kind: match constraint.kind {
            ConstraintKind::Ik => "ik",
            ConstraintKind::Transform => "transform",
            ConstraintKind::Path => "path",
            ConstraintKind::Physics => "physics",
            ConstraintKind::Slider => "slider",
        },
        name: constraint.name.to_string(),
        notes: constraint_notes(character, index).into_iter().collect(),
        target: constraint.target.map(|target| match target {
            ConstraintTarget::Bone(id) => bone_name(model, id),
            ConstraintTarget::Slot(id) => model.slot(id).name.to_string(),
        }),
    };
    model.constraints().iter().enumerate().map(constraint).collect()
}

fn events(model: &Model) -> Vec<Event> {
    let event = |event: &crate::model::Event| Event {
        audio: event.audio.as_deref().map(str::to_owned),
        float: event.float,
        int: event.int,
        name: event.name.to_string(),
        string: event.string.to_string(),
    };
    model.events().iter().map(event).collect()
}

fn animations(character: &Character) -> Vec<Animation> {
    let model = character.model();
    let animation = |id| {
        let animation = model.animation(id);
        let mut events = 0;
        let span = Span { from: -1.0, to: f64::INFINITY, looping: false };
        for_each_event(character, id, span, |_| events += 1);
        let folders = draw_order_folders(character, id);
        let named = |slots: Vec<SlotId>| slots.into_iter().map(|slot| model.slot(slot).name.to_string()).collect();
        Animation {
            bind_pose: animation.is_bind_pose,
            draw_order_folders: folders.into_iter().map(named).collect(),
            duration_secs: animation.duration_secs(),
            events: Some(events),
            frames: animation.frame_count(),
            is_looping: animation.looping,
            name: animation.name.clone(),
        }
    };
    model.animation_ids().map(animation).collect()
}

fn images(model: &Model, about: &About<'_>) -> Vec<Image> {
    let bytes = |name: &str| match about.entries.get(name) {
        Some(bytes) => *bytes,
        None => about.sidecars.size(name).unwrap_or(0),
    };
    let is_undeclared =
        |page: &&AtlasPage| matches!(page.alpha_source, AlphaSource::Pixels | AlphaSource::Assumed);
    let mut evidence = Evidence::default();
    model.pages().iter().filter(is_undeclared).for_each(|page| evidence.add(page.width, &page.pixels));
    let evidence = AlphaEvidence {
        brighter: evidence.brighter_than_alpha(),
        follows: evidence.follows_alpha(),
        is_sure: evidence.is_sure(),
    };
    let image = |page: &AtlasPage| Image {
        alpha: Image::alpha_name(page.is_premultiplied),
        alpha_evidence: is_undeclared(&page).then_some(evidence),
        alpha_source: Image::source_name(page.alpha_source),
        bytes: bytes(&page.name),
        format: "png",
        height: page.height,
        missing: None,
        name: page.name.to_string(),
        path: Some(page.name.to_string()),
        width: page.width,
    };
    model.pages().iter().map(image).collect()
}

fn gpu(model: &Model) -> GpuMemory {
    let textures = model.pages().iter().map(|page| page.pixels.len() as u64).sum();
    let palette = (model.skeleton().bones().len() * size_of::<SkinMatrix>()) as u64;
    let (mut vertices, mut indices) = (0, 0);
    for mesh in model.attachments().iter().filter_map(Attachment::mesh) {
        indices += mesh.indices.bytes().len() as u64;
        vertices += match &mesh.vertices {
            Vertices::Skin4(vertices) => vertices.bytes().len(),
            Vertices::SkinN(list) => size_of_val(list.records()) + size_of_val(list.influences()),
        } as u64;
    }
    GpuMemory { indices, palette, textures, total: indices + palette + textures + vertices, vertices }
}
