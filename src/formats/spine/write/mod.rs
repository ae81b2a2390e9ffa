//! A [`Character`] with stored frames → Spine 3.8 JSON and its atlas text.
//!
//! Bones keep their hierarchy: a PCHR bone is a translation, rotation and scale relative to its parent, which is
//! what Spine calls `normal` inheritance. Frames become as few linear keys as reproduce them; visibility becomes
//! attachment keys, and z-orders become draw order keys. Weights are kept.
//!
//! Spine's bones point along x, PCHR's along y, so each bone is rotated by 90° about its joint; its length is the
//! distance to the next joint. An animation lasts until the end of its last frame, even if it is played once.

mod animations;
mod atlas;
mod attachments;
mod hull;
mod schema;
mod skeleton;

use crate::character::Character;
use crate::error::{Error, Place, Result};
use crate::formats::stored::Stored;
use crate::formats::written::Lost;
use crate::limits::{Budget, Limits};
use crate::model::{AnimationId, Blend, SlotId};

use skeleton::Rig;

/// The version stated in the file: the last 3.8.
const VERSION: &str = "3.8.99";

/// The written files. Page images are stored next to them under the given names.
#[derive(Debug)]
pub struct Written {
    /// The skeleton.
    pub json: Vec<u8>,
    /// The atlas; `None` without pages.
    pub atlas: Option<String>,
    /// What Spine cannot represent.
    pub losses: Vec<Lost>,
    /// The character's animations, in the written order.
    pub animations: Vec<AnimationId>,
    /// The character's slots, in the written order.
    pub slots: Vec<SlotId>,
}

/// Writes `character`, whose motion must be stored frames; `pages` are the file names of its pages.
///
/// All keys together may take as much memory as `limits` allow.
pub fn write(character: &Character, pages: &[String], limits: &Limits) -> Result<Written> {
    let Some(stored) = Stored::of(character) else {
        return Err(Error::misuse(
            "not-sampled",
            "only stored frames can be written as Spine; bake the character first",
        ));
    };
    let mut losses = Vec::new();
    let regions = atlas::region_names(pages);
    let rig = Rig::new(&stored);
    let model = stored.model;
    let skins =
        vec![schema::Skin { name: "default", attachments: attachments::attachments(&stored, &rig, &regions) }];
    let animations = animations::animations(&stored, &rig, &mut Budget::new(limits), &mut losses)?;
    let root = schema::Root {
        skeleton: skeleton::skeleton(character),
        bones: rig.bones,
        slots: rig.slots,
        skins,
        animations: schema::Entries(animations),
    };
    let json = serde_json::to_vec(&root).map_err(|error| {
        let message = format!("{error}: coordinates of the character are too large for the file");
        Error::unsupported("not-finite", Place::default(), message)
    })?;
    let atlas = (!pages.is_empty()).then(|| atlas::text(model.pages(), pages, &regions));
    Ok(Written { json, atlas, losses, animations: stored.animations(), slots: rig.order })
}

/// `rrggbbaa`, or `None` for white.
fn hex(color: [f32; 4]) -> Option<String> {
    (color != [1.0; 4]).then(|| digits(&color))
}

fn digits(color: &[f32]) -> String {
    let digits = |part: &f32| format!("{:02x}", (part.clamp(0.0, 1.0) * 255.0 + 0.5) as u8);
    color.iter().map(digits).collect()
}

fn blend(blend: Blend) -> Option<&'static str> {
    match blend {
        Blend::Normal => None,
        Blend::Additive => Some("additive"),
        Blend::Multiply => Some("multiply"),
        Blend::Screen => Some("screen"),
    }
}
