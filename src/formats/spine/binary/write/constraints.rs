//! Constraints: a list for each kind. Since 4.3 there is [one](super::constraint_list).

use super::{Writer, flags, is_given};
use crate::error::{Error, Result};
use crate::formats::spine::binary::reader::Kind;
use crate::formats::spine::build;
use crate::formats::spine::schema::{Ik, Number, OfKind, Path, ScaleYMode, SpacingMode, Text, Transform};

/// Returns the JSON pointer to a field of a constraint.
pub type Pointer<'p> = &'p dyn Fn(&str) -> String;

impl<'r, 'a> Writer<'r, 'a> {
    /// All constraints.
    pub fn constraints(&mut self) -> Result<()> {
        if self.layout.has_one_list() {
            return self.constraint_list();
        }
        self.list(Self::ik)?;
        self.list(Self::transform)?;
        self.list(Self::path_constraint)?;
        if self.layout.has_flags() {
            self.list(Self::physics)?;
        }
        Ok(())
    }

    /// All constraints of a kind.
    fn list<T: OfKind<'a> + 'r>(&mut self, write: fn(&mut Self, &'r T, Pointer<'_>) -> Result<()>) -> Result<()> {
        let all = self.root.constraints.iter().filter_map(|it| Some((it, T::of(it)?)));
        self.file.count(all.clone().count())?;
        for (index, (constraint, it)) in all.enumerate() {
            let pointer = |field: &str| format!("/{}/{index}/{field}", T::KIND.name());
            self.start(constraint.name(), constraint.order(), &pointer)?;
            write(self, it, &pointer)?;
        }
        Ok(())
    }

    /// The name of a constraint and its place in the order.
    fn start(&mut self, name: &Text<'_>, order: i64, pointer: Pointer<'_>) -> Result<()> {
        self.file.string(Some(name.as_str()))?;
        let order = i32::try_from(order).map_err(|_| {
            let message = format!("the order {order} does not fit in 32 bits");
            Error::unsupported("too-many", build::at(pointer("order")), message)
        })?;
        self.file.varint(order as u32);
        Ok(())
    }

    /// Whether the constraint needs a skin. Before 4.2; later it is a flag, except for paths.
    fn old_skin(&mut self, needs_skin: bool) {
        if !self.layout.has_flags() {
            self.file.bool(needs_skin);
        }
    }

    fn ik(&mut self, ik: &Ik<'_>, pointer: Pointer<'_>) -> Result<()> {
        self.old_skin(ik.skin);
        self.all_named(Kind::Bone, &ik.bones, || pointer("bones"))?;
        self.named(Kind::Bone, &ik.target, || pointer("target"))?;
        if self.layout.has_flags() {
            self.packed_ik(ik);
            return Ok(());
        }
        self.file.number(ik.mix);
        self.file.number(ik.softness);
        self.bend(ik.bend_positive);
        self.file.bool(ik.compress);
        self.file.bool(ik.stretch);
        self.file.bool(ik.scale_y == ScaleYMode::Uniform);
        Ok(())
    }

    /// The direction in which IK bends: 1 or -1.
    pub fn bend(&mut self, is_positive: bool) {
        self.file.u8(if is_positive { 1 } else { -1_i8 as u8 });
    }

    fn packed_ik(&mut self, ik: &Ik<'_>) {
        let flags = flags(&[
            (1, ik.skin),
            (2, ik.bend_positive),
            (4, ik.compress),
            (8, ik.stretch),
            (16, ik.scale_y == ScaleYMode::Uniform),
            (32, is_given(ik.mix)),
            // No number follows for 0, but the editor sets the flag.
            (64, ik.mix != Number(1.0)),
            (128, is_given(ik.softness)),
        ]);
        self.file.u8(flags);
        let has_mix = if flags & 32 != 0 { 64 } else { 0 };
        self.numbers_if(flags, &[(has_mix, ik.mix), (128, ik.softness)]);
    }

    fn transform(&mut self, it: &Transform<'_>, pointer: Pointer<'_>) -> Result<()> {
        self.old_skin(it.skin);
        self.all_named(Kind::Bone, &it.bones, || pointer("bones"))?;
        self.named(Kind::Bone, &it.target, || pointer("target"))?;
        if self.layout.has_flags() {
            self.packed_transform(it);
        } else {
            self.file.bool(it.local);
            self.file.bool(it.relative);
            self.file.numbers(&[it.rotation, it.x, it.y, it.scale_x, it.scale_y, it.shear_y]);
            self.transform_mixes(it.mixes());
        }
        Ok(())
    }

    /// All mixes since 4.0; before, x and y have one, and so have scale x and y.
    pub fn transform_mixes(&mut self, mixes: [Number; 6]) {
        let [rotate, x, _, scale_x, _, shear_y] = mixes;
        if self.layout.is_four() {
            self.file.numbers(&mixes);
        } else {
            self.file.numbers(&[rotate, x, scale_x, shear_y]);
        }
    }

    /// Numbers that are 0 are left out.
    fn packed_transform(&mut self, it: &Transform<'_>) {
        let switches = flags(&[(1, it.skin), (2, it.local), (4, it.relative)]);
        self.flagged(switches, 3, [it.rotation, it.x, it.y, it.scale_x, it.scale_y]);
        let [rotate, x, y, scale_x, scale_y, shear_y] = it.mixes();
        self.flagged(0, 0, [it.shear_y, rotate, x, y, scale_x, scale_y, shear_y]);
    }

    pub fn path_constraint(&mut self, path: &Path<'_>, pointer: Pointer<'_>) -> Result<()> {
        let has_one_list = self.layout.has_one_list();
        if !has_one_list {
            self.file.bool(path.skin);
        }
        self.all_named(Kind::Bone, &path.bones, || pointer("bones"))?;
        self.named(Kind::Slot, &path.target, || pointer(if has_one_list { "slot" } else { "target" }))?;
        self.path_modes(path, pointer)?;
        self.file.number(path.position);
        self.file.number(path.spacing);
        self.path_mixes(path.mixes());
        Ok(())
    }

    fn path_modes(&mut self, path: &Path<'_>, pointer: Pointer<'_>) -> Result<()> {
        if !self.layout.is_four() && matches!(path.spacing_mode, SpacingMode::Proportional) {
            let message = "3.8 has no proportional spacing";
            return Err(Error::unsupported("skel-value", build::at(pointer("spacingMode")), message));
        }
        let [position, spacing, rotate] =
            [path.position_mode as u8, path.spacing_mode as u8, path.rotate_mode as u8];
        if self.layout.has_flags() {
            let has_rotation = is_given(path.rotation);
            let modes = position | spacing << 1 | rotate << 3;
            // Since 4.3, the lowest bit says whether it needs a skin.
            let modes = if self.layout.has_one_list() { modes << 1 | u8::from(path.skin) } else { modes };
            self.file.u8(modes | flags(&[(128, has_rotation)]));
            if has_rotation {
                self.file.number(path.rotation);
            }
            return Ok(());
        }
        self.file.bytes.extend([position, spacing, rotate]);
        self.file.number(path.rotation);
        Ok(())
    }

    /// All mixes since 4.0; before, x and y have one.
    pub fn path_mixes(&mut self, mixes: [Number; 3]) {
        let count = if self.layout.is_four() { 3 } else { 2 };
        self.file.numbers(&mixes[..count]);
    }
}
