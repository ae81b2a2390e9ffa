//! A [`Character`] with stored frames → an archive of SkelForm 0.7.
//!
//! Poses agree in every stored frame, up to rounding; what a SkelForm bone cannot represent, several helpers do
//! together. Bones point along x, as in Spine. Frames become as few linear keys as reproduce them.

pub(super) mod animations;
mod fitness;
mod joints;
pub(super) mod schema;
mod visuals;

use serde::Serialize;

use super::archive::{Entry, archive};
use super::read::{ARMATURE, EDITOR};
use crate::character::Character;
use crate::error::{Error, Place, Result};
use crate::formats::Loss;
use crate::formats::json::number::Number;
use crate::formats::stored::{Local, Stored, distinct};
use crate::limits::Budget;
use crate::math::Rect;
use crate::model::{AnimationId, Blend, Model, SlotId};
use crate::motion::{Cue, evaluate};
use crate::pose::{Pose, bounds, palette};

use joints::{Joints, Moves};

/// The version stated in the file.
pub(super) const VERSION: &str = "0.7.0";

/// The written file.
#[derive(Debug)]
pub struct Written {
    /// The archive, with the pictures in it.
    pub bytes: Vec<u8>,
    /// What SkelForm cannot represent.
    pub losses: Vec<Loss>,
    /// The character's animations, in the written order.
    pub animations: Vec<AnimationId>,
    /// The drawn slots, in the order of their visuals.
    pub slots: Vec<SlotId>,
}

/// Writes `character`, whose motion must be stored frames; `pages` are its pages as PNG files with straight alpha.
///
/// All keys together may take as much memory as `budget` allows.
pub fn write(character: &Character, pages: &[impl AsRef<[u8]>], budget: &mut Budget<'_>) -> Result<Written> {
    let stored = Stored::of(character, "SkelForm", budget)?;
    // They are copied into the archive.
    let copied = pages.iter().map(|page| page.as_ref().len() as u64).sum();
    budget.charge_memory(copied, 1, || Place::inside("images"))?;
    let model = stored.model;
    let textures = distinct(model.pages().iter().map(|page| &*page.name), "atlas");
    let states = stored.setup_states();
    let mut joints = Joints::new(&stored);
    let mut drawn = visuals::visuals(&stored, &mut joints, &textures, &states);
    let losses = losses(&stored, &joints, drawn.len());
    let first_drawn = visuals::add_bones(&drawn, &mut joints);
    let setup = stored.setup();
    let world = stored.compose(setup.iter().copied());
    let rest: Vec<Local> = joints.joints.iter().map(|joint| joint.moves.local(&stored, setup, &world)).collect();
    let writer = animations::Writer {
        stored: &stored,
        joints: &joints.joints,
        rest: &rest,
        drawn: &drawn,
        first_drawn,
        states: &states,
        budget,
    };
    let animations = writer.animations()?;
    let slots = drawn.iter().map(|drawn| SlotId::new(drawn.slot)).collect();
    let mut bones = bones(&joints, &rest);
    for (id, drawn) in drawn.iter().enumerate() {
        let bone = &mut bones[first_drawn + id];
        bone.visuals_id = id as i64;
        bone.hidden = !states[drawn.slot].is_visible;
        bone.init_hidden = bone.hidden.then_some(true);
    }
    let editor = editor(character, bones.len());
    let files: Vec<String> = (0..model.pages().len()).map(|page| format!("atlas{page}.png")).collect();
    let root = schema::Root {
        version: VERSION,
        baked_ik: false,
        img_format: "PNG",
        clear_color: schema::Color::default(),
        bones,
        animations,
        atlases: atlases(model, &files),
        styles: vec![style(model, &textures)],
        visuals: drawn.drain(..).map(|drawn| drawn.visual).collect(),
        inverse_kinematics: Vec::new(),
        physics: Vec::new(),
    };
    let (armature, editor) = (json(&root)?, json(&editor)?);
    let mut entries = vec![Entry::whole(ARMATURE, &armature)?, Entry::whole(EDITOR, &editor)?];
    for (file, page) in files.iter().zip(pages) {
        entries.push(Entry::whole(file, page.as_ref())?);
    }
    Ok(Written { bytes: archive(&entries)?, losses, animations: stored.animations(), slots })
}

/// Serialises `value` as JSON.
pub(super) fn json(value: &impl Serialize) -> Result<Vec<u8>> {
    serde_json::to_vec(value).map_err(|error| {
        let message = format!("{error}: coordinates of the character are too large for the file");
        Error::unsupported("not-finite", Place::default(), message)
    })
}

/// Converts without negative zeros.
fn number(value: f64) -> Number {
    Number(value as f32 + 0.0)
}

fn vec2(x: f64, y: f64) -> schema::Vec2 {
    schema::Vec2 { x: number(x), y: number(y) }
}

fn bones<'a>(joints: &'a Joints, rest: &[Local]) -> Vec<schema::Bone<'a>> {
    let bone = |(id, (joint, rest)): (usize, (&'a joints::Joint, &Local))| {
        let [x, y, rot, scale_x, scale_y] = animations::numbers(rest);
        let (pos, rot, scale) = (vec2(x, y), number(rot), vec2(scale_x, scale_y));
        schema::Bone {
            id,
            name: &joint.name,
            parent_id: joint.parent.map_or(-1, |parent| parent as i64),
            pos,
            scale,
            rot,
            hidden: false,
            init_pos: pos,
            init_rot: rot,
            init_scale: scale,
            init_hidden: None,
            ik_family_id: -1,
            ik_family_name: "",
            physics_id: -1,
            visuals_id: -1,
        }
    };
    joints.joints.iter().zip(rest).enumerate().map(bone).collect()
}

fn atlases<'a>(model: &Model, files: &'a [String]) -> Vec<schema::Atlas<'a>> {
    let atlas = |(page, file): (&crate::model::AtlasPage, &'a String)| schema::Atlas {
        filename: schema::Text(file.into()),
        size: schema::size(page.width, page.height),
    };
    model.pages().iter().zip(files).map(atlas).collect()
}

/// The only style, with one texture per page that covers all of it.
fn style<'a>(model: &Model, textures: &'a [String]) -> schema::Style<'a> {
    let texture = |(atlas, (page, name)): (usize, (&crate::model::AtlasPage, &'a String))| schema::Texture {
        name: schema::Text(name.into()),
        offset: schema::size(0, 0),
        size: schema::size(page.width, page.height),
        atlas_idx: schema::Id(atlas as i64),
    };
    let textures = model.pages().iter().zip(textures).enumerate().map(texture).collect();
    schema::Style { id: 0, name: "Default", textures }
}

/// The editor's initial state: everything in view, and the style active.
fn editor(character: &Character, bones: usize) -> schema::Editor {
    let (mut pose, mut matrices) = (Pose::for_model(character.model()), Vec::new());
    evaluate(character, &Cue::default(), &mut pose);
    palette(character.model(), &pose, &mut matrices);
    let bounds = bounds(character.model(), &pose, &matrices);
    let around =
        if bounds.is_empty() { Rect { min: (-1.0, -1.0).into(), max: (1.0, 1.0).into() } } else { bounds };
    let center = around.center();
    schema::Editor {
        camera: schema::Camera {
            pos: vec2(center.x.into(), center.y.into()),
            zoom: Number(around.size().max_element()),
        },
        bones: vec![schema::EditorBone::default(); bones],
        styles: vec![schema::EditorStyle { active: true }],
    }
}

fn losses(stored: &Stored<'_>, joints: &Joints, drawn: usize) -> Vec<Loss> {
    let model = stored.model;
    let mut losses = Vec::new();
    let detached: Vec<&str> = joints
        .joints
        .iter()
        .filter(|joint| matches!(joint.moves, Moves::World(_)))
        .map(|joint| joint.name.as_str())
        .collect();
    if let [first, ..] = detached[..] {
        let message = format!(
            "{} bones (first: `{first}`) are rotated inside a parent with non-uniform scale, which SkelForm cannot \
             represent: they become roots, with helpers that move their vertices to the same places",
            detached.len()
        );
        losses.push(Loss::new("bone-detached", "", message));
    }
    let missing = model.slots().iter().filter(|slot| stored.mesh(slot).is_some()).count() - drawn;
    if missing > 0 {
        let message = format!("{missing} meshes have no picture, so SkelForm does not draw them");
        losses.push(Loss::new("no-picture", "", message));
    }
    let odd = |slot: &&crate::model::Slot| slot.blend != Blend::Normal || slot.tint.dark.is_some();
    let blended = model.slots().iter().filter(odd).count();
    if blended > 0 {
        let message = format!("{blended} slots have a blend mode or a dark colour, which are dropped");
        losses.push(Loss::new("blend-dropped", "", message));
    }
    for id in stored.animations() {
        let animation = model.animation(id);
        if !animation.looping && animation.frame_count() > 1 {
            let message = "the animation does not loop, which SkelForm files cannot represent";
            losses.push(Loss::in_animation("plays-once", &animation.name, message));
        }
        losses.extend(stored.lost_frames(id));
    }
    losses
}
