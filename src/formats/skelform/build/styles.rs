//! Styles, which become skins, and the textures that visuals can show.

use std::collections::HashMap;

use super::pictures::Picture;
use super::{Armature, malformed, schema};
use crate::diagnostics::Diagnostics;
use crate::error::Result;
use crate::formats::skelform::read::at;
use crate::math::{Vec2, vec2};
use crate::model::{AttachmentId, ModelBuilder, PageId, Skin, SkinEntry, SkinId, SlotId};
use crate::motion::skelform::Rig;

/// The textures that each visual can show, initially or through keys.
pub struct Candidates<'a> {
    /// Textures by visual, in order of first use.
    pub of_visual: Vec<Vec<&'a str>>,
    indices: HashMap<(usize, &'a str), i32>,
    /// What the slots can show, by style.
    pub shown: Vec<Vec<Shown<'a>>>,
}

/// What a slot shows in a style.
pub struct Shown<'a> {
    pub slot: SlotId,
    pub texture: &'a str,
    /// Index among everything that slots can show.
    pub index: u32,
    pub attachment: AttachmentId,
}

/// A texture of a style, with resolved coordinates.
#[derive(Debug, Clone, Copy)]
pub struct Texture {
    pub page: Option<PageId>,
    /// Size in pixels.
    pub size: Vec2,
    /// Offset in its picture, 0 to 1.
    pub uv_offset: Vec2,
    /// Size in its picture, 0 to 1.
    pub uv_size: Vec2,
}

/// The styles of a file.
pub struct Styles<'a> {
    names: Vec<&'a str>,
    is_active: Vec<bool>,
    /// By name: the styles that have such a texture, in order.
    textures: HashMap<&'a str, Vec<(usize, Texture)>>,
}

impl<'a> Candidates<'a> {
    /// Collects the textures of visuals and keys.
    pub fn gather(root: &'a schema::Root<'a>, armature: &Armature<'a>, diagnostics: &mut Diagnostics) -> Self {
        let of_visual = vec![Vec::new(); armature.visuals.len()];
        let shown = root.styles.iter().map(|_| Vec::new()).collect();
        let mut candidates = Self { of_visual, indices: HashMap::new(), shown };
        for (index, visual) in armature.visuals.iter().enumerate() {
            candidates.add(index, visual.rest.texture);
        }
        let keys = root.animations.iter().flat_map(|animation| &animation.keyframes);
        for key in keys.filter(|key| super::animations::element_name(key) == Some("Texture")) {
            let bone = key.bone_id.get().and_then(|bone| armature.bones.get(bone));
            if let Some(visual) = bone.and_then(|bone| bone.visual) {
                candidates.add(visual, key.value_str.as_str());
            }
        }
        let known: std::collections::HashSet<&str> =
            root.styles.iter().flat_map(|style| &style.textures).map(|texture| texture.name.as_str()).collect();
        for (visual, textures) in armature.visuals.iter().zip(&candidates.of_visual) {
            for texture in textures.iter().filter(|texture| !known.contains(*texture)) {
                let message =
                    format!("no style has a texture `{}`; nothing is drawn", crate::error::escaped(texture));
                diagnostics.note("missing-texture", at(format!("{}/tex", visual.pointer)), message);
            }
        }
        candidates
    }

    fn add(&mut self, visual: usize, texture: &'a str) {
        let list = &mut self.of_visual[visual];
        if !texture.is_empty() && !self.indices.contains_key(&(visual, texture)) {
            self.indices.insert((visual, texture), list.len() as i32);
            list.push(texture);
        }
    }

    /// Returns the index of a texture among the textures of a visual; -1 for none.
    pub fn index(&self, visual: usize, texture: &str) -> i32 {
        self.indices.get(&(visual, texture)).copied().unwrap_or(-1)
    }
}

/// Returns for each style whether it is active by default: as `active` states, or the file itself, or only the
/// style called `default`, or the last one.
pub fn active_by_default(root: &schema::Root<'_>, active: Option<&[bool]>) -> Vec<bool> {
    let styles = &root.styles;
    let stated: Option<Vec<bool>> = styles.iter().map(|style| Some(style.active?.0)).collect();
    match (active, stated) {
        (Some(active), _) => {
            (0..styles.len()).map(|style| active.get(style).copied().unwrap_or_default()).collect()
        }
        (None, Some(stated)) => stated,
        (None, None) => {
            let default = styles.iter().position(|style| style.name.as_str().eq_ignore_ascii_case("default"));
            let default = default.or(styles.len().checked_sub(1));
            (0..styles.len()).map(|style| Some(style) == default).collect()
        }
    }
}

impl<'a> Styles<'a> {
    /// Checks textures. `active` is as for [`active_by_default`].
    pub fn new(root: &'a schema::Root<'a>, pictures: &[Picture], active: Option<&[bool]>) -> Result<Self> {
        let names: Vec<&str> = root.styles.iter().map(|style| style.name.as_str()).collect();
        let is_active = active_by_default(root, active);
        let mut textures: HashMap<&str, Vec<(usize, Texture)>> = HashMap::new();
        for (style, json) in root.styles.iter().enumerate() {
            for (index, texture) in json.textures.iter().enumerate() {
                let id = texture.atlas();
                let Some(picture) = pictures.get(id) else {
                    let message = format!("atlas {id} does not exist, there are {}", pictures.len());
                    let pointer = format!("/styles/{style}/textures/{index}/atlas_idx");
                    return Err(malformed("image-out-of-range", pointer, message));
                };
                let whole = Vec2::from(picture.size);
                let (offset, size) = (pixels(texture.offset), pixels(texture.size));
                let ready = Texture { page: picture.page, size, uv_offset: offset / whole, uv_size: size / whole };
                let list = textures.entry(texture.name.as_str()).or_default();
                // Of several textures with one name, the first counts.
                if list.last().is_none_or(|(last, _)| *last != style) {
                    list.push((style, ready));
                }
            }
        }
        Ok(Self { names, is_active, textures })
    }

    /// The styles that have a texture of this name, each with its texture.
    pub fn with(&self, texture: &str) -> &[(usize, Texture)] {
        self.textures.get(texture).map_or(&[], Vec::as_slice)
    }

    /// Returns true if the style is active by default.
    pub fn is_active(&self, style: usize) -> bool {
        self.is_active[style]
    }

    /// Adds the skins.
    pub fn skins(&self, candidates: &Candidates<'_>, builder: &mut ModelBuilder, rig: &mut Rig) -> Result<()> {
        for (name, shown) in self.names.iter().zip(&candidates.shown) {
            let entry = |shown: &Shown<'_>| SkinEntry {
                slot: shown.slot,
                key: shown.texture.into(),
                attachment: shown.attachment,
            };
            let entries = shown.iter().map(entry).collect();
            builder.skin(Skin { name: (*name).into(), entries, bones: Vec::new(), color: None })?;
            rig.skins.push(shown.iter().map(|shown| (shown.index, shown.attachment)).collect());
        }
        // Earlier styles take precedence, but later skins override earlier ones, so the order is reversed.
        let active = (0..self.names.len()).rev().filter(|&style| self.is_active[style]);
        rig.default_skins = active.map(SkinId::new).collect();
        Ok(())
    }
}

fn pixels(vector: schema::Vec2) -> Vec2 {
    vec2(vector.x.0, vector.y.0)
}
