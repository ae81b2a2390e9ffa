//! A [`Character`] with stored frames → a Spine skeleton of any version and form, and its atlas text.
//!
//! Bones keep their hierarchy: a PCHR bone is a translation, rotation and scale relative to its parent, which is
//! what Spine calls `normal` inheritance. Frames become as few linear keys as reproduce them; visibility becomes
//! attachment keys, and z-orders become draw order keys. Weights are kept.
//!
//! Spine's bones point along x, PCHR's along y, so each bone is rotated by 90° about its joint; its length is the
//! distance to the next joint. An animation lasts until the end of its last frame, even if it is played once.
//!
//! The document is made in the form of 3.8 and translated. All versions can represent what it contains.

mod animations;
mod atlas;
mod attachments;
mod hull;
mod skeleton;
pub mod stepped;

use super::rewrite::{self, Form};
use super::version::Version;
use super::{schema, translate};
use crate::character::Character;
use crate::error::Result;
use crate::formats::Loss;
use crate::formats::stored::Stored;
use crate::limits::Budget;
use crate::model::{AnimationId, Blend, SlotId};

use skeleton::Rig;

/// The written files. Page images are stored next to them under the given names.
#[derive(Debug)]
pub struct Written {
    /// The skeleton.
    pub bytes: Vec<u8>,
    /// The atlas; `None` without pages.
    pub atlas: Option<String>,
    /// What Spine cannot represent.
    pub losses: Vec<Loss>,
    /// The character's animations, in the written order.
    pub animations: Vec<AnimationId>,
    /// The character's slots, in the written order.
    pub slots: Vec<SlotId>,
}

/// Writes `character`, whose motion must be stored frames; `pages` are the file names of its pages.
///
/// All keys together may take as much memory as `budget` allows.
pub fn write(character: &Character, pages: &[String], form: Form, budget: &mut Budget<'_>) -> Result<Written> {
    let stored = Stored::of(character, "Spine", budget)?;
    let mut losses = Vec::new();
    let regions = atlas::region_names(pages);
    let rig = Rig::new(&stored);
    let model = stored.model;
    let skin = schema::Skin {
        name: text("default"),
        attachments: attachments::attachments(&stored, &rig, &regions),
        ..schema::Skin::default()
    };
    let animations = animations::animations(&stored, &rig, budget, &mut losses)?;
    let root = schema::Root {
        skeleton: Some(skeleton::skeleton(character)),
        bones: rig.bones,
        slots: rig.slots,
        skins: schema::Skins { list: vec![skin], is_object: false },
        animations: schema::Entries(animations),
        version: Version::Three(8),
        ..schema::Root::default()
    };
    let (bytes, losses) = finish(root, form, losses, budget)?;
    let atlas = (!pages.is_empty()).then(|| atlas::text(model.pages(), pages, &regions));
    Ok(Written { bytes, atlas, losses, animations: stored.animations(), slots: rig.order })
}

/// Translates a document of 3.8, and writes it. Adds to the losses.
fn finish(
    mut root: schema::Root<'_>,
    form: Form,
    mut losses: Vec<Loss>,
    budget: &mut Budget<'_>,
) -> Result<(Vec<u8>, Vec<Loss>)> {
    translate::translate(&mut root, form.layout(), &mut losses, budget)?;
    let mut lost = Vec::new();
    let bytes = rewrite::write(root, form, &mut lost)?;
    // The hulls are our own.
    losses.extend(lost.into_iter().filter(|lost| lost.code != "hull-changed"));
    Ok((bytes, losses))
}

/// Text of the document.
fn text(text: impl Into<String>) -> schema::Text<'static> {
    schema::Text(text.into().into())
}

/// The colour, or `None` for white.
fn unless_white(color: [f32; 4]) -> Option<schema::Color<'static>> {
    (color != [1.0; 4]).then(|| of_channels(color))
}

fn of_channels(color: [f32; 4]) -> schema::Color<'static> {
    schema::Color::Rgba(color.map(|part| (part.clamp(0.0, 1.0) * 255.0 + 0.5) as u8))
}

fn blend(blend: Blend) -> schema::Blend {
    match blend {
        Blend::Normal => schema::Blend::Normal,
        Blend::Additive => schema::Blend::Additive,
        Blend::Multiply => schema::Blend::Multiply,
        Blend::Screen => schema::Blend::Screen,
    }
}
