//! Constraints: a list for each kind. Since 4.3 there is [one](super::constraint_list).

use super::mass;
use super::reader::{Kind, Reader, text};
use super::scale_y;
use super::trace::MaybeTrace;
use crate::error::Result;
use crate::formats::spine::schema::{
    Constraint, Ik, Number, Path, Physics, PositionMode, RotateMode, ScaleYMode, SpacingMode, Text, Transform,
};
use crate::model::ConstraintKind;

const POSITION_MODES: [PositionMode; 2] = [PositionMode::Fixed, PositionMode::Percent];
const SPACING_MODES: [SpacingMode; 4] =
    [SpacingMode::Length, SpacingMode::Fixed, SpacingMode::Percent, SpacingMode::Proportional];
const ROTATE_MODES: [RotateMode; 3] = [RotateMode::Tangent, RotateMode::Chain, RotateMode::ChainScale];

/// Minimum sizes in bytes.
const MIN_IK: usize = 5;
const MIN_TRANSFORM: usize = 6;
const MIN_PATH: usize = 26;
const MIN_PHYSICS: usize = 26;

impl<'a, T: MaybeTrace<'a>> Reader<'a, '_, T> {
    /// All constraints.
    pub fn constraints(&mut self) -> Result<Vec<Constraint<'a>>> {
        if self.layout.has_one_list() {
            return self.constraint_list();
        }
        let mut all: Vec<Constraint<'a>> = Vec::new();
        all.extend(self.iks()?.into_iter().map(Constraint::Ik));
        if !self.layout.has_flips() {
            all.extend(self.transforms()?.into_iter().map(Constraint::Transform));
        }
        if self.layout.has_paths() {
            all.extend(self.paths()?.into_iter().map(Constraint::Path));
        }
        if self.layout.has_flags() {
            all.extend(self.all_physics()?.into_iter().map(Constraint::Physics));
        }
        Ok(all)
    }

    /// The name of a constraint and its place in the order.
    fn start(&mut self, kind: ConstraintKind) -> Result<(Text<'a>, i64)> {
        let name = self.file.name("name")?;
        self.names.of(Kind::Constraint(kind)).push(name);
        let order = if self.layout.has_orders() { self.file.varint("order")? as i32 } else { 0 };
        Ok((text(name), order.into()))
    }

    /// True if the constraint needs a skin. Since 4.2 it is a flag, except for paths.
    fn skin_unless(&mut self, is_flag: bool) -> Result<bool> {
        Ok(!is_flag && self.layout.has_shared_strings() && self.file.bool("skin")?)
    }

    fn iks(&mut self) -> Result<Vec<Ik<'a>>> {
        self.list("ik", MIN_IK, |reader, _| {
            let (name, order) = reader.start(ConstraintKind::Ik)?;
            let skin = reader.skin_unless(reader.layout.has_flags())?;
            let bones = reader.all_named(Kind::Bone, "bones")?;
            let target = reader.named_text(Kind::Bone, "target")?;
            if reader.layout.has_flags() {
                let flags = reader.file.u8("flags")?;
                let has = |bit: u8| flags & bit != 0;
                let mix = reader.listed_mix(has(32), has(64))?;
                let softness = reader.number_if(has(128), "softness", 0.0)?;
                return Ok(Ik {
                    name,
                    order,
                    skin: has(1),
                    bones,
                    target,
                    mix,
                    softness,
                    bend_positive: has(2),
                    compress: has(4),
                    stretch: has(8),
                    scale_y: ScaleYMode::of_uniform(has(16)),
                });
            }
            let has_audio = reader.layout.has_audio();
            Ok(Ik {
                name,
                order,
                skin,
                bones,
                target,
                mix: reader.file.number("mix")?,
                softness: reader.softness()?,
                bend_positive: reader.bend_positive()?,
                compress: has_audio && reader.file.bool("compress")?,
                stretch: has_audio && reader.file.bool("stretch")?,
                scale_y: ScaleYMode::of_uniform(has_audio && reader.file.bool("uniform")?),
            })
        })
    }

    /// The softness of IK, since 3.8.
    pub fn softness(&mut self) -> Result<Number> {
        if self.layout.has_shared_strings() { self.file.number("softness") } else { Ok(Number(0.0)) }
    }

    /// The direction in which IK bends: 1 or -1.
    pub fn bend_positive(&mut self) -> Result<bool> {
        let start = self.file.offset();
        match self.file.u8("bendPositive")? as i8 {
            1 => Ok(true),
            -1 => Ok(false),
            other => {
                let message = format!("the bend direction is {other}; expected 1 or -1");
                Err(self.file.fault("skel-value", "bendPositive", start, message))
            }
        }
    }

    fn transforms(&mut self) -> Result<Vec<Transform<'a>>> {
        self.list("transform", MIN_TRANSFORM, |reader, _| {
            let (name, order) = reader.start(ConstraintKind::Transform)?;
            let skin = reader.skin_unless(reader.layout.has_flags())?;
            let bones = match reader.layout.has_paths() {
                true => reader.all_named(Kind::Bone, "bones")?,
                false => {
                    reader.file.charge::<Text<'_>>(1)?;
                    vec![reader.named_text(Kind::Bone, "bone")?]
                }
            };
            let target = reader.named_text(Kind::Bone, "target")?;
            let start = Transform { name, order, skin, bones, target, ..Transform::default() };
            if reader.layout.has_flags() { reader.packed_transform(start) } else { reader.old_transform(start) }
        })
    }

    /// The rest of a transform constraint before 4.2.
    fn old_transform(&mut self, start: Transform<'a>) -> Result<Transform<'a>> {
        let (file, has_clipping) = (&mut self.file, self.layout.has_clipping());
        if !self.layout.has_shear() {
            let translate_mix = Some(file.number("translateMix")?);
            return Ok(Transform { translate_mix, x: file.number("x")?, y: file.number("y")?, ..start });
        }
        let mut transform = Transform {
            local: has_clipping && file.bool("local")?,
            relative: has_clipping && file.bool("relative")?,
            rotation: file.number("rotation")?,
            x: file.number("x")?,
            y: file.number("y")?,
            scale_x: file.number("scaleX")?,
            scale_y: file.number("scaleY")?,
            shear_y: file.number("shearY")?,
            ..start
        };
        if self.layout.is_four() {
            transform.mix_rotate = Some(file.number("mixRotate")?);
            transform.mix_x = Some(file.number("mixX")?);
            transform.mix_y = Some(file.number("mixY")?);
            transform.mix_scale_x = Some(file.number("mixScaleX")?);
            transform.mix_scale_y = Some(file.number("mixScaleY")?);
            transform.mix_shear_y = Some(file.number("mixShearY")?);
        } else {
            transform.rotate_mix = Some(file.number("rotateMix")?);
            transform.translate_mix = Some(file.number("translateMix")?);
            transform.scale_mix = Some(file.number("scaleMix")?);
            transform.shear_mix = Some(file.number("shearMix")?);
        }
        Ok(transform)
    }

    /// The rest of a transform constraint since 4.2: numbers that are 0 are left out.
    fn packed_transform(&mut self, start: Transform<'a>) -> Result<Transform<'a>> {
        let flags = self.file.u8("flags")?;
        let has = |bit: u8| flags & bit != 0;
        let mut transform = Transform {
            skin: has(1),
            local: has(2),
            relative: has(4),
            rotation: self.number_if(has(8), "rotation", 0.0)?,
            x: self.number_if(has(16), "x", 0.0)?,
            y: self.number_if(has(32), "y", 0.0)?,
            scale_x: self.number_if(has(64), "scaleX", 0.0)?,
            scale_y: self.number_if(has(128), "scaleY", 0.0)?,
            ..start
        };
        let flags = self.file.u8("flags")?;
        let has = |bit: u8| flags & bit != 0;
        transform.shear_y = self.number_if(has(1), "shearY", 0.0)?;
        transform.mix_rotate = Some(self.number_if(has(2), "mixRotate", 0.0)?);
        transform.mix_x = Some(self.number_if(has(4), "mixX", 0.0)?);
        transform.mix_y = Some(self.number_if(has(8), "mixY", 0.0)?);
        transform.mix_scale_x = Some(self.number_if(has(16), "mixScaleX", 0.0)?);
        transform.mix_scale_y = Some(self.number_if(has(32), "mixScaleY", 0.0)?);
        transform.mix_shear_y = Some(self.number_if(has(64), "mixShearY", 0.0)?);
        Ok(transform)
    }

    fn paths(&mut self) -> Result<Vec<Path<'a>>> {
        self.list("path", MIN_PATH, |reader, _| {
            let (name, order) = reader.start(ConstraintKind::Path)?;
            let skin = reader.skin_unless(false)?;
            reader.path_constraint(Path { name, order, skin, ..Path::default() }, "target")
        })
    }

    /// The rest of a path constraint.
    pub fn path_constraint(&mut self, mut path: Path<'a>, target: &'static str) -> Result<Path<'a>> {
        path.bones = self.all_named(Kind::Bone, "bones")?;
        path.target = self.named_text(Kind::Slot, target)?;
        self.path_modes(&mut path)?;
        path.position = self.file.number("position")?;
        path.spacing = self.file.number("spacing")?;
        if self.layout.is_four() {
            path.mix_rotate = Some(self.file.number("mixRotate")?);
            path.mix_x = Some(self.file.number("mixX")?);
            path.mix_y = Some(self.file.number("mixY")?);
        } else {
            path.rotate_mix = Some(self.file.number("rotateMix")?);
            path.translate_mix = Some(self.file.number("translateMix")?);
        }
        Ok(path)
    }

    fn path_modes(&mut self, path: &mut Path<'a>) -> Result<()> {
        if self.layout.has_flags() {
            let start = self.file.offset();
            let flags = u32::from(self.file.u8("flags")?);
            let has_rotation = flags & 128 != 0;
            // Since 4.3, the lowest bit says whether it needs a skin.
            let is_shifted = self.layout.has_one_list();
            path.skin |= is_shifted && flags & 1 != 0;
            let flags = flags >> u32::from(is_shifted);
            path.position_mode = self.choice(&POSITION_MODES, flags & 1, "positionMode", start)?;
            path.spacing_mode = self.choice(&SPACING_MODES, flags >> 1 & 3, "spacingMode", start)?;
            path.rotate_mode = self.choice(&ROTATE_MODES, flags >> 3 & 3, "rotateMode", start)?;
            path.rotation = self.number_if(has_rotation, "rotation", 0.0)?;
            return Ok(());
        }
        // Spacing in proportion came with 4.0.
        let spacing_modes = if self.layout.is_four() { &SPACING_MODES[..] } else { &SPACING_MODES[..3] };
        path.position_mode = self.chosen(&POSITION_MODES, "positionMode")?;
        path.spacing_mode = self.chosen(spacing_modes, "spacingMode")?;
        path.rotate_mode = self.chosen(&ROTATE_MODES, "rotateMode")?;
        path.rotation = self.file.number("rotation")?;
        Ok(())
    }

    fn all_physics(&mut self) -> Result<Vec<Physics<'a>>> {
        self.list("physics", MIN_PHYSICS, |reader, _| {
            let (name, order) = reader.start(ConstraintKind::Physics)?;
            reader.physics(name, order)
        })
    }

    /// The rest of a physics constraint.
    pub fn physics(&mut self, name: Text<'a>, order: i64) -> Result<Physics<'a>> {
        let bone = self.named_text(Kind::Bone, "bone")?;
        let flags = self.file.u8("flags")?;
        let has = |bit: u8| flags & bit != 0;
        let x = self.number_if(has(2), "x", 0.0)?;
        let y = self.number_if(has(4), "y", 0.0)?;
        let rotate = self.number_if(has(8), "rotate", 0.0)?;
        let scale_x = self.number_if(has(16), "scaleX", 0.0)?;
        let (scale_x, scale_y) =
            if self.layout.has_one_list() { scale_y::of_stored(scale_x) } else { (scale_x, ScaleYMode::None) };
        let shear_x = self.number_if(has(32), "shearX", 0.0)?;
        let limit = self.number_if(has(64), "limit", Physics::LIMIT.0)?;
        let fps = Number(self.file.u8("fps")?.into());
        let inertia = self.file.number("inertia")?;
        let strength = self.file.number("strength")?;
        let damping = self.file.number("damping")?;
        let mass = if has(128) { self.mass()? } else { Number(1.0) };
        let wind = self.file.number("wind")?;
        let gravity = self.file.number("gravity")?;
        let globals = self.file.u8("flags")?;
        let is_global = |bit: u8| globals & bit != 0;
        let mix = self.number_if(is_global(128), "mix", 1.0)?;
        Ok(Physics {
            name,
            order,
            skin: has(1),
            bone,
            x,
            y,
            rotate,
            scale_x,
            shear_x,
            limit,
            fps,
            inertia,
            strength,
            damping,
            mass,
            wind,
            gravity,
            mix,
            inertia_global: is_global(1),
            strength_global: is_global(2),
            damping_global: is_global(4),
            mass_global: is_global(8),
            wind_global: is_global(16),
            gravity_global: is_global(32),
            mix_global: is_global(64),
            scale_y,
        })
    }

    /// The mass, stored as its inverse.
    fn mass(&mut self) -> Result<Number> {
        let start = self.file.offset();
        let inverse = self.file.number("mass")?.0;
        let mass = mass::of_inverse(inverse);
        if mass.is_finite() {
            return Ok(Number(mass));
        }
        let message = format!("1 / mass is {inverse}; the mass must be finite");
        Err(self.file.fault("not-finite", "mass", start, message))
    }
}
