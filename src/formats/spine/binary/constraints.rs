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

/// The offsets and the mixes of a transform constraint.
pub const OFFSETS: [&str; 6] = ["rotation", "x", "y", "scaleX", "scaleY", "shearY"];
pub const MIXES: [&str; 6] = ["mixRotate", "mixX", "mixY", "mixScaleX", "mixScaleY", "mixShearY"];

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
            let mut ik = Ik { name, order, skin, bones, target, ..Ik::default() };
            if reader.layout.has_flags() {
                let flags = reader.file.u8("flags")?;
                let has = |bit: u8| flags & bit != 0;
                ik.mix = reader.listed_mix(has(32), has(64))?;
                ik.softness = reader.number_if(has(128), "softness", 0.0)?;
                [ik.skin, ik.bend_positive, ik.compress, ik.stretch] = [1, 2, 4, 8].map(has);
                ik.scale_y = ScaleYMode::of_uniform(has(16));
                return Ok(ik);
            }
            ik.mix = reader.file.number("mix")?;
            ik.softness = reader.softness()?;
            ik.bend_positive = reader.bend_positive()?;
            if reader.layout.has_audio() {
                ik.compress = reader.file.bool("compress")?;
                ik.stretch = reader.file.bool("stretch")?;
                ik.scale_y = ScaleYMode::of_uniform(reader.file.bool("uniform")?);
            }
            Ok(ik)
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
            let [x, y] = file.each_number(["x", "y"])?;
            return Ok(Transform { translate_mix, x, y, ..start });
        }
        let (local, relative) = (has_clipping && file.bool("local")?, has_clipping && file.bool("relative")?);
        let mut it = Transform { local, relative, ..start };
        [it.rotation, it.x, it.y, it.scale_x, it.scale_y, it.shear_y] = file.each_number(OFFSETS)?;
        if self.layout.is_four() {
            it.set_mixes(file.each_number(MIXES)?.map(Some));
        } else {
            let mixes = file.each_number(["rotateMix", "translateMix", "scaleMix", "shearMix"])?.map(Some);
            [it.rotate_mix, it.translate_mix, it.scale_mix, it.shear_mix] = mixes;
        }
        Ok(it)
    }

    /// The rest of a transform constraint since 4.2: numbers that are 0 are left out.
    fn packed_transform(&mut self, start: Transform<'a>) -> Result<Transform<'a>> {
        let flags = self.file.u8("flags")?;
        let [skin, local, relative] = [1, 2, 4].map(|bit| flags & bit != 0);
        let mut it = Transform { skin, local, relative, ..start };
        let offsets = ["rotation", "x", "y", "scaleX", "scaleY"];
        [it.rotation, it.x, it.y, it.scale_x, it.scale_y] = self.flagged(flags >> 3, offsets)?;
        let flags = self.file.u8("flags")?;
        [it.shear_y] = self.flagged(flags, ["shearY"])?;
        it.set_mixes(self.flagged(flags >> 1, MIXES)?.map(Some));
        Ok(it)
    }

    /// A number for each field, from the lowest flag on; 0 unless its flag is set.
    pub fn flagged<const N: usize>(&mut self, flags: u8, fields: [&'static str; N]) -> Result<[Number; N]> {
        let mut numbers = [Number(0.0); N];
        for (at, field) in fields.into_iter().enumerate() {
            numbers[at] = self.number_if(flags >> at & 1 != 0, field, 0.0)?;
        }
        Ok(numbers)
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
        [path.position, path.spacing] = self.file.each_number(["position", "spacing"])?;
        if self.layout.is_four() {
            let mixes = self.file.each_number(["mixRotate", "mixX", "mixY"])?.map(Some);
            [path.mix_rotate, path.mix_x, path.mix_y] = mixes;
        } else {
            let mixes = self.file.each_number(["rotateMix", "translateMix"])?.map(Some);
            [path.rotate_mix, path.translate_mix] = mixes;
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
        let mut it = Physics { name, order, skin: has(1), bone, ..Physics::default() };
        let shares = ["x", "y", "rotate", "scaleX", "shearX"];
        [it.x, it.y, it.rotate, it.scale_x, it.shear_x] = self.flagged(flags >> 1, shares)?;
        if self.layout.has_one_list() {
            (it.scale_x, it.scale_y) = scale_y::of_stored(it.scale_x);
        }
        it.limit = self.number_if(has(64), "limit", Physics::LIMIT.0)?;
        it.fps = Number(self.file.u8("fps")?.into());
        [it.inertia, it.strength, it.damping] = self.file.each_number(["inertia", "strength", "damping"])?;
        it.mass = if has(128) { self.mass()? } else { Number(1.0) };
        [it.wind, it.gravity] = self.file.each_number(["wind", "gravity"])?;
        let globals = self.file.u8("flags")?;
        let is_global = |bit: u8| globals & bit != 0;
        it.mix = self.number_if(is_global(128), "mix", 1.0)?;
        [it.inertia_global, it.strength_global, it.damping_global, it.mass_global] = [1, 2, 4, 8].map(is_global);
        [it.wind_global, it.gravity_global, it.mix_global] = [16, 32, 64].map(is_global);
        Ok(it)
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
