//! [`schema::Root`] of any version → one form: lists of visuals, chains and physics, and a setup value for
//! everything.
//!
//! The older form is recognised by its missing list of visuals, never by its version.

use super::read::at;
use super::schema::{self, Id, Text, Vec2, Word};
use crate::error::{Error, Result};
use crate::math::{DVec2, dvec2};
use crate::motion::skelform::{Body, Constraint, Mode, Physics, Pivot};

/// A character in the common form. Indices are taken from the file and may be invalid.
pub struct Armature<'a> {
    pub bones: Vec<Bone<'a>>,
    pub visuals: Vec<Visual<'a>>,
    pub chains: Vec<Chain<'a>>,
    pub physics: Vec<Physics>,
}

pub struct Bone<'a> {
    pub name: &'a str,
    pub parent: Option<usize>,
    pub position: DVec2,
    pub rotation: f64,
    pub scale: DVec2,
    pub is_hidden: bool,
    pub visual: Option<usize>,
    pub chain: Option<usize>,
    pub physics: Option<usize>,
}

pub struct Visual<'a> {
    /// Pointer to it in the text.
    pub pointer: String,
    pub rest: Look<'a>,
    /// When the file was saved.
    #[cfg_attr(not(feature = "convert"), expect(dead_code, reason = "only kept by an upgrade"))]
    pub saved: Look<'a>,
    /// `None`: the centre.
    pub pivot: Option<Pivot>,
    pub vertices: &'a [schema::Vertex],
    pub indices: &'a [Id],
    pub binds: &'a [schema::Bind],
}

/// What a visual looks like, unless keys change it.
pub struct Look<'a> {
    pub texture: &'a str,
    pub order: i32,
    pub tint: [f32; 4],
}

pub struct Chain<'a> {
    /// Pointer to its bones in the text.
    pub pointer: String,
    pub name: Option<&'a str>,
    pub target: Option<usize>,
    pub bones: &'a [Id],
    pub rest: Reach,
    /// When the file was saved.
    #[cfg_attr(not(feature = "convert"), expect(dead_code, reason = "only kept by an upgrade"))]
    pub saved: Reach,
}

/// How a chain follows its target, unless keys change it.
pub struct Reach {
    pub constraint: Constraint,
    pub mode: Mode,
    pub mimics: bool,
}

/// Converts a visual, or a bone of the older form, which has the same fields.
macro_rules! visual {
    ($pointer:expr, $json:expr) => {
        Visual {
            pointer: $pointer,
            rest: look(
                $json.init_tex.as_ref().unwrap_or(&$json.tex),
                $json.init_zindex.unwrap_or($json.zindex),
                $json.init_tint.or($json.tint),
            ),
            saved: look(&$json.tex, $json.zindex, $json.tint),
            pivot: pivot($json.pivot_pos.or($json.pivot), $json.pivot_rot, $json.pivot_scale),
            vertices: &$json.vertices,
            indices: &$json.indices,
            binds: &$json.binds,
        }
    };
}

/// Converts `root` to the common form.
pub fn normalise<'a>(root: &'a schema::Root<'a>) -> Result<Armature<'a>> {
    let Some(bones) = &root.bones else {
        let older = [("/armature", &root.armature), ("/armatures", &root.armatures)];
        if let Some((pointer, _)) = older.into_iter().find(|(_, value)| value.is_some()) {
            let message =
                "files before version 0.2 are not supported; save it with an editor that can still open it";
            return Err(Error::unsupported("skelform-version", at(pointer), message));
        }
        return Err(Error::malformed("json-value", at(""), "the list `bones` is missing; every armature has one"));
    };
    for (index, id) in bones.iter().enumerate().filter_map(|(index, bone)| Some((index, bone.id?))) {
        if id.get() != Some(index) {
            let message = format!("the bone has the id {}, expected {index}; ids number the bones from 0", id.0);
            return Err(Error::malformed("json-value", at(format!("/bones/{index}/id")), message));
        }
    }
    Ok(match &root.visuals {
        Some(visuals) => Armature {
            bones: bones.iter().map(|bone| newer_bone(bone)).collect(),
            visuals: (0..).zip(visuals).map(|(index, json)| visual!(format!("/visuals/{index}"), json)).collect(),
            chains: root.inverse_kinematics.iter().enumerate().map(newer_chain).collect(),
            physics: root.physics.iter().map(newer_physics).collect(),
        },
        None => older(root, bones)?,
    })
}

fn newer_bone<'a>(bone: &'a schema::Bone<'a>) -> Bone<'a> {
    let scale = bone.scale.map_or(DVec2::ONE, vector);
    let is_hidden = bone.hidden.or(bone.is_hidden).unwrap_or_default();
    Bone {
        name: bone.name.as_str(),
        parent: bone.parent_id.get(),
        position: vector(bone.init_pos.unwrap_or(bone.pos)),
        rotation: bone.init_rot.unwrap_or(bone.rot).0.into(),
        scale: bone.init_scale.map_or(scale, vector),
        is_hidden: bone.init_hidden.or(bone.init_is_hidden).unwrap_or(is_hidden).0,
        visual: bone.visuals_id.get(),
        chain: bone.ik_family_id.get(),
        physics: bone.physics_id.get(),
    }
}

fn newer_chain<'a>((index, family): (usize, &'a schema::Family<'a>)) -> Chain<'a> {
    Chain {
        pointer: format!("/inverse_kinematics/{index}/bone_ids"),
        name: family.name.as_ref().map(|name| name.as_str()).filter(|name| !name.is_empty()),
        target: family.target_id.get(),
        bones: &family.bone_ids,
        rest: Reach {
            constraint: first_of([family.init_constraint, family.constraint], constraint),
            mode: first_of([family.init_mode, family.mode], mode),
            mimics: family.init_mimic_target.unwrap_or(family.mimic_target).0,
        },
        saved: Reach {
            constraint: first_of([family.constraint, family.init_constraint], constraint),
            mode: first_of([family.mode, family.init_mode], mode),
            mimics: family.mimic_target.0,
        },
    }
}

fn newer_physics(physics: &schema::Physics) -> Physics {
    Physics {
        position_damping: physics.pos_damping.0.into(),
        position_ratio: physics.pos_ratio.0.into(),
        rotation_damping: physics.rot_damping.0.into(),
        scale_damping: physics.scale_damping.0.into(),
        scale_ratio: physics.scale_ratio.0.into(),
        sway: physics.sway.0.into(),
        bounce: physics.rot_bounce.0.into(),
        start: Body {
            position: vector(physics.global_pos),
            rotation: physics.global_rot.0.into(),
            scale: vector(physics.global_scale),
            orbit: physics.global_orbit.0.into(),
            orbit_diff: physics.global_orbit_diff.0.into(),
            orbit_velocity: physics.global_orbit_vel.0.into(),
        },
    }
}

/// Converts the older form, in which bones contain their visual, chain and physics.
fn older<'a>(root: &'a schema::Root<'a>, list: &'a [schema::Bone<'a>]) -> Result<Armature<'a>> {
    let mut armature =
        Armature { bones: Vec::new(), visuals: Vec::new(), chains: Vec::new(), physics: Vec::new() };
    for (index, bone) in list.iter().enumerate() {
        let is_set = |text: &Text<'_>| !text.as_str().is_empty();
        let has_visual =
            is_set(&bone.tex) || bone.init_tex.as_ref().is_some_and(is_set) || !bone.vertices.is_empty();
        let physics = older_physics(bone);
        let swings = [physics.position_damping, physics.rotation_damping, physics.scale_damping, physics.sway];
        let has_physics = swings.iter().any(|amount| *amount > 0.0);
        armature.bones.push(Bone {
            visual: has_visual.then_some(armature.visuals.len()),
            chain: None,
            physics: has_physics.then_some(armature.physics.len()),
            ..newer_bone(bone)
        });
        if has_visual {
            armature.visuals.push(visual!(format!("/bones/{index}"), bone));
        }
        if has_physics {
            armature.physics.push(physics);
        }
    }
    for (index, id) in root.ik_root_ids.iter().enumerate() {
        let Some(bone) = id.get().and_then(|id| list.get(id)) else {
            let message = format!("bone {} does not exist, the skeleton has {}", id.0, list.len());
            return Err(Error::malformed("bone-out-of-range", at(format!("/ik_root_ids/{index}")), message));
        };
        for id in bone.ik_bone_ids.iter().filter_map(|id| id.get()) {
            if let Some(member) = armature.bones.get_mut(id) {
                member.chain = Some(armature.chains.len());
            }
        }
        armature.chains.push(Chain {
            pointer: format!("/bones/{}/ik_bone_ids", id.0),
            name: None,
            target: bone.ik_target_id.get(),
            bones: &bone.ik_bone_ids,
            rest: Reach {
                constraint: first_of(
                    [bone.init_ik_constraint, bone.ik_constraint_str, bone.ik_constraint],
                    constraint,
                ),
                mode: first_of([bone.init_ik_mode, bone.ik_mode_str, bone.ik_mode], mode),
                mimics: false,
            },
            saved: Reach {
                constraint: first_of(
                    [bone.ik_constraint_str, bone.ik_constraint, bone.init_ik_constraint],
                    constraint,
                ),
                mode: first_of([bone.ik_mode_str, bone.ik_mode, bone.init_ik_mode], mode),
                mimics: false,
            },
        });
    }
    Ok(armature)
}

fn older_physics(bone: &schema::Bone<'_>) -> Physics {
    newer_physics(&schema::Physics {
        global_pos: bone.phys_global_pos.unwrap_or_default(),
        global_rot: bone.phys_global_rot,
        global_scale: bone.phys_global_scale.unwrap_or_default(),
        global_orbit: bone.phys_global_orbit,
        global_orbit_diff: bone.phys_global_orbit_diff,
        global_orbit_vel: bone.phys_global_orbit_vel,
        pos_damping: bone.phys_pos_damping,
        pos_ratio: bone.phys_pos_ratio,
        rot_damping: bone.phys_rot_damping,
        rot_bounce: bone.phys_rot_bounce,
        scale_damping: bone.phys_scale_damping,
        scale_ratio: bone.phys_scale_ratio,
        sway: bone.phys_sway,
    })
}

pub fn vector(vector: Vec2) -> DVec2 {
    dvec2(vector.x.0.into(), vector.y.0.into())
}

fn look<'a>(texture: &'a Text<'_>, order: schema::Number, tint: Option<schema::Tint>) -> Look<'a> {
    let schema::Tint { r, g, b, a } = tint.unwrap_or_default();
    Look { texture: texture.as_str(), order: order.0 as i32, tint: [r.0, g.0, b.0, a.0] }
}

/// Returns `None` for an identity pivot.
fn pivot(position: Option<Vec2>, rotation: schema::Number, scale: Option<Vec2>) -> Option<Pivot> {
    let pivot = Pivot {
        position: position.map_or(DVec2::ZERO, vector),
        rotation: rotation.0.into(),
        scale: scale.map_or(DVec2::ONE, vector),
    };
    let nothing = Pivot { position: DVec2::ZERO, rotation: 0.0, scale: DVec2::ONE };
    (pivot != nothing).then_some(pivot)
}

/// The meaning of the first word that has one.
fn first_of<T: Default, const N: usize>(words: [Word; N], meaning: impl Fn(Word) -> Option<T>) -> T {
    words.into_iter().find_map(meaning).unwrap_or_default()
}

/// The constraint on the side to which a chain bends.
pub fn constraint(word: Word) -> Option<Constraint> {
    match word {
        Word::Known("None") | Word::Number(0) => Some(Constraint::None),
        Word::Known("Clockwise") | Word::Number(1) => Some(Constraint::Clockwise),
        Word::Known("CounterClockwise") | Word::Number(2) => Some(Constraint::CounterClockwise),
        Word::Missing | Word::Known(_) | Word::Unknown | Word::Number(_) => None,
    }
}

/// The method by which a chain reaches its target.
pub fn mode(word: Word) -> Option<Mode> {
    match word {
        Word::Known("FABRIK") | Word::Number(0) => Some(Mode::Fabrik),
        Word::Known("Arc") | Word::Number(1) => Some(Mode::Arc),
        Word::Missing | Word::Known(_) | Word::Unknown | Word::Number(_) => None,
    }
}
