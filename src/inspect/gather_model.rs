//! Builds the report from a loaded character, for every format but PCHR.

use std::collections::HashMap;

use super::report::{AlphaEvidence, FileReport, GpuMemory, Image, Memory, SpineHeader, corner_and_size};
use crate::Character;
use crate::diagnostics::{Diagnostics, Severity};
use crate::formats::Sidecars;
use crate::formats::image::picture_format;
use crate::limits::Limits;
use crate::model::{self, AlphaSource, AtlasPage, Evidence, Model, Vertices};
use crate::motion::{Overview, initial_skins};
use crate::outline::{Animation, Atlas, Attachment, Bone, Constraint, Event, Skin, Slot};
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
    /// Limits of reading them.
    pub limits: &'a Limits,
    /// What was found while it was read.
    pub diagnostics: &'a Diagnostics,
    /// For an archive, the stored size of each entry in bytes, by name; otherwise empty.
    pub entries: HashMap<String, u64>,
}

/// Builds the report with the sections that `wants` selects.
pub fn gather(about: &About<'_>, character: &Character, wants: impl Fn(&str) -> bool) -> FileReport {
    let model = character.model();
    // Only the area matters. If nothing is hidden, pixels are searched for visible ones.
    let overview = Overview::without(character, &[None], &initial_skins(character), false, u64::MAX, |_, _| true);
    let bounds = overview.extent().whole().round_out();
    FileReport {
        animate: Atlas::of(character).filter(|_| wants("header")),
        animations: wants("animations").then(|| Animation::all(character)),
        attachments: wants("attachments").then(|| Attachment::all(model)),
        bones: wants("bones").then(|| Bone::all(character)),
        bounds: (!bounds.is_empty()).then(|| corner_and_size(bounds)).flatten(),
        bytes: about.bytes,
        constraints: wants("constraints").then(|| Constraint::all(character)),
        errors: about.diagnostics.described(Severity::Error),
        events: wants("events").then(|| Event::all(model)),
        file: about.name.to_owned(),
        format: about.format,
        header: None,
        images: wants("images").then(|| images(model, about)),
        memory: wants("memory").then(|| Memory { gpu: gpu(model), sections: None }),
        meshes: None,
        not_read_bytes: 0,
        skins: wants("skins").then(|| Skin::all(character)),
        slots: wants("slots").then(|| Slot::all(model)),
        spine: about.spine.filter(|_| wants("header")).map(|version| SpineHeader {
            fps: model.animations().first().map(|animation| animation.fps()),
            version: version.map(str::to_owned),
        }),
    }
}

fn images(model: &Model, about: &About<'_>) -> Vec<Image> {
    let bytes = |name: &str| match about.entries.get(name) {
        Some(bytes) => *bytes,
        None => about.sidecars.size(name).unwrap_or(0),
    };
    let format = |name: &str| {
        // Names may be wrong, but what is packed in an archive is not read again.
        let loaded =
            if about.entries.contains_key(name) { None } else { about.sidecars.load(name, about.limits).ok() };
        let found = loaded.and_then(Result::ok).and_then(|bytes| picture_format(&bytes));
        found.unwrap_or_else(|| {
            match name.rsplit_once('.').map(|(_, extension)| extension.to_lowercase()).as_deref() {
                Some("jpg" | "jpeg") => "jpeg",
                Some("webp") => "webp",
                _ => "png",
            }
        })
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
        format: format(&page.name),
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
    for mesh in model.attachments().iter().filter_map(model::Attachment::mesh) {
        indices += mesh.indices.bytes().len() as u64;
        vertices += match &mesh.vertices {
            Vertices::Skin4(vertices) => vertices.bytes().len(),
            Vertices::SkinN(list) => size_of_val(list.records()) + size_of_val(list.influences()),
        } as u64;
    }
    GpuMemory { indices, palette, textures, total: indices + palette + textures + vertices, vertices }
}
