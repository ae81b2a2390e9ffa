//! A [`Character`] with stored frames → JSON of Spine 3.8 and the text of its atlas.
//!
//! Bones keep their hierarchy: a bone of PCHR is a translation, a rotation and a scale inside its parent, which is
//! what `normal` bones of Spine are. Frames become keys with straight lines between them, as few as say the same;
//! visibility becomes keys of attachments, order keys of the draw order. Vertices stay as they are weighted.
//!
//! Spine's bones point along x, so each is turned by a quarter on its joint, and its length is that to the next
//! joint. An animation takes as long as all its frames are shown, also where it is played once.

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

/// The version that the file says it is of: the last of its kind.
const VERSION: &str = "3.8.99";

/// What is written. The pages' pictures lie beside it under the names that were given.
#[derive(Debug)]
pub struct Written {
    /// The skeleton.
    pub json: Vec<u8>,
    /// The atlas; `None` without pages.
    pub atlas: Option<String>,
    /// What Spine cannot say.
    pub losses: Vec<Lost>,
    /// The animations of the character, in the order of those that are written.
    pub animations: Vec<AnimationId>,
    /// Its slots, in that of those that are written.
    pub slots: Vec<SlotId>,
}

/// Writes `character`, whose motion is stored frame by frame; `pages` are the files of its pages.
///
/// The keys together may take as much memory as `limits` allow.
pub fn write(character: &Character, pages: &[String], limits: &Limits) -> Result<Written> {
    let Some(stored) = Stored::of(character) else {
        return Err(Error::misuse("not-sampled", "Spine is written of stored frames; bake the character first"));
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
        let message = format!("{error}: positions of the character are too large for the file that is written");
        Error::unsupported("not-finite", Place::default(), message)
    })?;
    let atlas = (!pages.is_empty()).then(|| atlas::text(model.pages(), pages, &regions));
    Ok(Written { json, atlas, losses, animations: stored.animations(), slots: rig.order })
}

/// `rrggbbaa`; `None` where it is white.
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
