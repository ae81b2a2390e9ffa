//! Parsed and normalised form → `armature.json` of 0.7, with both the saved values and the setup values.

use crate::formats::json::number::Number;
use crate::formats::skelform::normalise::{self, Armature};
use crate::formats::skelform::schema as read;
use crate::formats::skelform::write::VERSION;
use crate::formats::skelform::write::schema::{
    Animation, Bind, Bone, BoundVertex, Family, Id, Physics, PhysicsPosition, PhysicsRotation, PhysicsScale, Root,
    Style, Texture, Tint, Vec2, Vertex, Visual,
};
use crate::math::DVec2;
use crate::motion::skelform::{self, Body, Constraint, Mode, Pivot};

/// Returns everything; keys are given as `animations`, and `order` is the order of the styles.
pub fn root<'a>(
    root: &'a read::Root<'a>,
    normal: &Armature<'a>,
    animations: Vec<Animation<'a>>,
    order: &[usize],
) -> Root<'a> {
    let bones = root.bones.as_deref().unwrap_or_default().iter().zip(&normal.bones).enumerate();
    Root {
        version: VERSION,
        baked_ik: root.baked_ik.0,
        img_format: image_format(root),
        clear_color: root.clear_color,
        bones: bones.map(|(id, (saved, bone))| self::bone(id, saved, bone)).collect(),
        animations,
        atlases: root.atlases.clone(),
        styles: order.iter().enumerate().map(|(id, &style)| self::style(id, &root.styles[style])).collect(),
        visuals: normal.visuals.iter().map(visual).collect(),
        inverse_kinematics: normal.chains.iter().enumerate().map(family).collect(),
        physics: normal.physics.iter().map(physics).collect(),
    }
}

fn number(number: read::Number) -> Number {
    Number(number.0)
}

fn vec2(vector: read::Vec2) -> Vec2 {
    Vec2 { x: Number(vector.x.0), y: Number(vector.y.0) }
}

/// Converts back to the 32-bit number that was read.
fn single(number: f64) -> Number {
    Number(number as f32)
}

fn point(vector: DVec2) -> Vec2 {
    Vec2 { x: single(vector.x), y: single(vector.y) }
}

fn id(index: Option<usize>) -> i64 {
    index.map_or(-1, |index| index as i64)
}

fn image_format<'a>(root: &'a read::Root<'a>) -> &'a str {
    let is_jpeg = |atlas: &read::Atlas<'_>| {
        let name = atlas.filename.as_str().to_lowercase();
        name.ends_with(".jpg") || name.ends_with(".jpeg")
    };
    let stated = root.img_format.as_ref().and_then(read::Named::name);
    stated.unwrap_or(if root.atlases.iter().any(is_jpeg) { "JPG" } else { "PNG" })
}

fn bone<'a>(id: usize, saved: &'a read::Bone<'a>, bone: &normalise::Bone<'a>) -> Bone<'a> {
    let is_hidden = saved.hidden.or(saved.is_hidden).unwrap_or_default().0;
    Bone {
        id,
        name: bone.name,
        parent_id: self::id(bone.parent),
        pos: vec2(saved.pos),
        scale: saved.scale.map_or(point(DVec2::ONE), vec2),
        rot: number(saved.rot),
        hidden: is_hidden,
        init_pos: point(bone.position),
        init_rot: single(bone.rotation),
        init_scale: point(bone.scale),
        init_hidden: (is_hidden || bone.is_hidden).then_some(bone.is_hidden),
        ik_family_id: self::id(bone.chain),
        ik_family_name: saved.ik_family_name.as_ref().and_then(read::Named::name).unwrap_or_default(),
        physics_id: self::id(bone.physics),
        visuals_id: self::id(bone.visual),
    }
}

fn visual<'a>(visual: &normalise::Visual<'a>) -> Visual<'a> {
    let nothing = Pivot { position: DVec2::ZERO, rotation: 0.0, scale: DVec2::ONE };
    let Pivot { position, rotation, scale } = visual.pivot.unwrap_or(nothing);
    let (saved, rest) = (&visual.saved, &visual.rest);
    let is_white = saved.tint == [1.0; 4] && rest.tint == [1.0; 4];
    let tint = |[r, g, b, a]: [f32; 4]| (!is_white).then_some(Tint { r, g, b, a });
    Visual {
        tex: saved.texture,
        tint: tint(saved.tint),
        zindex: saved.order,
        pivot_pos: point(position),
        pivot_rot: single(rotation),
        pivot_scale: point(scale),
        vertices: visual.vertices.iter().enumerate().map(vertex).collect(),
        indices: visual.indices.iter().map(|index| index.0).collect(),
        binds: visual.binds.iter().map(bind).collect(),
        init_tex: rest.texture,
        init_zindex: rest.order,
        init_tint: tint(rest.tint),
    }
}

fn vertex((id, vertex): (usize, &read::Vertex)) -> Vertex {
    let rest = vertex.init_pos.unwrap_or(vertex.pos);
    Vertex { id, pos: vec2(vertex.pos), uv: vec2(vertex.uv), init_pos: vec2(rest) }
}

fn bind(bind: &read::Bind) -> Bind {
    let vert = |vert: &read::BindVert| BoundVertex { id: vert.id.0, weight: number(vert.weight) };
    Bind { bone_id: bind.bone_id.0, is_path: bind.is_path.0, verts: bind.verts.iter().map(vert).collect() }
}

fn family<'a>((id, chain): (usize, &normalise::Chain<'a>)) -> Family<'a> {
    let (saved, rest) = (&chain.saved, &chain.rest);
    Family {
        id,
        name: chain.name.unwrap_or_default(),
        constraint: constraint_word(saved.constraint),
        mode: mode_word(saved.mode),
        target_id: self::id(chain.target),
        bone_ids: chain.bones.iter().map(|id| id.0).collect(),
        mimic_target: saved.mimics,
        init_constraint: constraint_word(rest.constraint),
        init_mode: mode_word(rest.mode),
        init_mimic_target: (saved.mimics || rest.mimics).then_some(rest.mimics),
    }
}

/// The word for a constraint.
pub fn constraint_word(constraint: Constraint) -> &'static str {
    match constraint {
        Constraint::None => "None",
        Constraint::Clockwise => "Clockwise",
        Constraint::CounterClockwise => "CounterClockwise",
    }
}

/// The word for a mode.
pub fn mode_word(mode: Mode) -> &'static str {
    match mode {
        Mode::Fabrik => "FABRIK",
        Mode::Arc => "Arc",
    }
}

fn physics(physics: &skelform::Physics) -> Physics {
    let skelform::Physics { position_damping, position_ratio, scale_damping, scale_ratio, .. } = *physics;
    let skelform::Physics { rotation_damping, sway, bounce, .. } = *physics;
    let Body { position, rotation, scale, orbit, orbit_diff, orbit_velocity } = physics.start;
    let is_any = |numbers: &[f64]| numbers.iter().any(|number| *number != 0.0);
    let turning = [rotation, rotation_damping, orbit, orbit_diff, orbit_velocity, sway, bounce];
    Physics {
        position: is_any(&[position.x, position.y, position_damping, position_ratio]).then(|| PhysicsPosition {
            global_pos: point(position),
            pos_damping: single(position_damping),
            pos_ratio: single(position_ratio),
        }),
        rotation: is_any(&turning).then(|| PhysicsRotation {
            global_rot: single(rotation),
            rot_damping: single(rotation_damping),
            global_orbit: single(orbit),
            global_orbit_diff: single(orbit_diff),
            global_orbit_vel: single(orbit_velocity),
            sway: single(sway),
            rot_bounce: single(bounce),
        }),
        scale: is_any(&[scale.x, scale.y, scale_damping, scale_ratio]).then(|| PhysicsScale {
            global_scale: point(scale),
            scale_damping: single(scale_damping),
            scale_ratio: single(scale_ratio),
        }),
    }
}

fn style<'a>(id: usize, style: &'a read::Style<'a>) -> Style<'a> {
    // The first atlas if none is stated.
    let texture = |texture: &Texture<'a>| Texture { atlas_idx: Id(texture.atlas_idx.0.max(0)), ..texture.clone() };
    Style { id, name: style.name.as_str(), textures: style.textures.iter().map(texture).collect() }
}
