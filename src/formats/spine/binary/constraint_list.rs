//! Constraints since 4.3: one list in the order in which they are applied. Skins and timelines count in it.

use super::constraints::{MIXES, OFFSETS};
use super::reader::{Kind, Reader, text};
use super::trace::MaybeTrace;
use crate::error::Result;
use crate::formats::spine::schema::{
    Constraint, Driver, Entries, FromProperty, Ik, Links, Number, PROPERTIES, Path, ScaleYMode, Slider, Text,
    ToProperty, Transform,
};
use crate::model::ConstraintKind;

/// The kinds by number.
pub const TYPES: [ConstraintKind; 5] = [
    ConstraintKind::Ik,
    ConstraintKind::Path,
    ConstraintKind::Transform,
    ConstraintKind::Physics,
    ConstraintKind::Slider,
];

const MODES: [ScaleYMode; 3] = [ScaleYMode::None, ScaleYMode::Uniform, ScaleYMode::Volume];

/// Minimum sizes in bytes.
const MIN_CONSTRAINT: usize = 3;
const MIN_FROM: usize = 6;
const MIN_TO: usize = 13;

impl<'a, T: MaybeTrace<'a>> Reader<'a, '_, T> {
    pub fn constraint_list(&mut self) -> Result<Vec<Constraint<'a>>> {
        self.list("constraints", MIN_CONSTRAINT, |reader, index| {
            let name = reader.file.name("name")?;
            let kind = reader.byte_choice(&TYPES, "type")?;
            reader.constraints.push((kind, name));
            let (name, order) = (text(name), index as i64);
            Ok(match kind {
                ConstraintKind::Ik => Constraint::Ik(reader.listed_ik(name, order)?),
                ConstraintKind::Path => {
                    let start = Path { name, order, ..Path::default() };
                    Constraint::Path(reader.path_constraint(start, "slot")?)
                }
                ConstraintKind::Transform => Constraint::Transform(reader.linked_transform(name, order)?),
                ConstraintKind::Physics => Constraint::Physics(reader.physics(name, order)?),
                ConstraintKind::Slider => Constraint::Slider(reader.slider(name, order)?),
            })
        })
    }

    fn listed_ik(&mut self, name: Text<'a>, order: i64) -> Result<Ik<'a>> {
        let bones = self.all_named(Kind::Bone, "bones")?;
        let target = self.named_text(Kind::Bone, "target")?;
        let flags = self.file.u8("flags")?;
        let has = |bit: u8| flags & bit != 0;
        Ok(Ik {
            name,
            order,
            skin: has(1),
            bones,
            target,
            scale_y: if has(2) { self.byte_choice(&MODES, "scaleY")? } else { ScaleYMode::None },
            mix: self.listed_mix(has(32), has(64))?,
            softness: self.number_if(has(128), "softness", 0.0)?,
            bend_positive: !has(4),
            compress: has(8),
            stretch: has(16),
        })
    }

    /// A mix that is 0, or 1 unless it is stored.
    pub fn listed_mix(&mut self, is_mixed: bool, is_stored: bool) -> Result<Number> {
        self.number_if(is_mixed && is_stored, "mix", if is_mixed { 1.0 } else { 0.0 })
    }

    fn linked_transform(&mut self, name: Text<'a>, order: i64) -> Result<Transform<'a>> {
        let bones = self.all_named(Kind::Bone, "bones")?;
        let target = self.named_text(Kind::Bone, "source")?;
        let flags = self.file.u8("flags")?;
        let has = |bit: u8| flags & bit != 0;
        let properties = self.properties(flags >> 5)?;
        let links = Links { properties, local_target: has(4), clamp: has(16) };
        let (skin, local, relative) = (has(1), has(2), has(8));
        let mut it = Transform { name, order, skin, bones, target, local, relative, ..Transform::default() };
        let flags = self.file.u8("flags")?;
        [it.rotation, it.x, it.y, it.scale_x, it.scale_y, it.shear_y] = self.flagged(flags, OFFSETS)?;
        let flags = self.file.u8("flags")?;
        let mixes = self.flagged(flags, MIXES)?;
        // JSON omits the mixes of properties that nothing drives.
        let stated = |at: usize| Some(mixes[at]).filter(|mix| mix.0 != 0.0 || links.drives(PROPERTIES[at]));
        it.set_mixes([0, 1, 2, 3, 4, 5].map(stated));
        it.links = Some(links);
        Ok(it)
    }

    /// The properties that drive others.
    fn properties(&mut self, count: u8) -> Result<Entries<'a, FromProperty<'a>>> {
        self.file.enter("properties");
        let from = self.counted_properties(count, MIN_FROM, |reader, _| {
            let offset = reader.file.number("offset")?;
            reader.file.enter("to");
            let count = reader.file.u8("")?;
            let to = reader.counted_properties(count, MIN_TO, |reader, _| {
                let [offset, max, scale] = reader.file.each_number(["offset", "max", "scale"])?;
                Ok(ToProperty { offset, max, scale })
            })?;
            reader.file.leave();
            Ok(FromProperty { offset, to })
        })?;
        self.file.leave();
        Ok(from)
    }

    fn counted_properties<V>(
        &mut self,
        count: u8,
        min_size: usize,
        read: impl FnMut(&mut Self, &'a str) -> Result<V>,
    ) -> Result<Entries<'a, V>> {
        let start = self.file.offset();
        self.file.require::<(Text<'_>, V)>("", start, count.into(), min_size)?;
        self.counted_entries(count.into(), |reader| reader.byte_choice(&PROPERTIES, ""), read)
    }

    fn slider(&mut self, name: Text<'a>, order: i64) -> Result<Slider<'a>> {
        let flags = self.file.u8("flags")?;
        let has = |bit: u8| flags & bit != 0;
        // The bone gives the time.
        let field = if has(64) { "max" } else { "time" };
        let number = self.number_if(has(8), field, 0.0)?;
        let mix = self.listed_mix(has(16), has(32))?;
        let driver = has(64).then(|| self.driver(has(128), has(8).then_some(number))).transpose()?;
        Ok(Slider {
            name,
            order,
            skin: has(1),
            animation: Text::default(),
            additive: has(4),
            looping: has(2),
            time: if has(64) { Number(0.0) } else { number },
            mix,
            driver,
        })
    }

    fn driver(&mut self, local: bool, max: Option<Number>) -> Result<Driver<'a>> {
        Ok(Driver {
            bone: self.named_text(Kind::Bone, "bone")?,
            from: self.file.number("from")?,
            property: text(self.byte_choice(&PROPERTIES, "property")?),
            to: self.file.number("to")?,
            scale: self.file.number("scale")?,
            local,
            max,
        })
    }

    /// The animations of all sliders, with which the file ends.
    pub fn slider_animations(&mut self, constraints: &mut [Constraint<'a>]) -> Result<()> {
        self.file.enter("constraints");
        for (index, constraint) in constraints.iter_mut().enumerate() {
            if let Constraint::Slider(slider) = constraint {
                self.file.enter_item(index);
                slider.animation = self.named_text(Kind::Animation, "animation")?;
                self.file.leave();
            }
        }
        self.file.leave();
        Ok(())
    }

    /// The constraints of a skin, sorted by kind.
    pub fn listed_constraints(&mut self) -> Result<Vec<(ConstraintKind, Text<'a>)>> {
        let mut listed = self.list("constraints", 1, |reader, _| {
            let start = reader.file.offset();
            let index = reader.file.varint("")?;
            let (kind, name) = reader.listed(index, start)?;
            Ok((kind, text(name)))
        })?;
        listed.sort_by_key(|(kind, _)| *kind);
        Ok(listed)
    }

    /// The name of the constraint with an index, which was read at `start`. It must be of this kind.
    pub fn constraint_name(&mut self, kind: ConstraintKind, index: u32, start: usize) -> Result<&'a str> {
        if !self.layout.has_one_list() {
            return self.name_of(Kind::Constraint(kind), index, "", start);
        }
        let (found, name) = self.listed(index, start)?;
        if found == kind {
            return Ok(name);
        }
        let message =
            format!("constraint {index} is of another kind: {}, not {}", found.row().what, kind.row().what);
        Err(self.file.fault("skel-value", "", start, message))
    }

    /// The constraint with an index, which was read at `start`.
    fn listed(&mut self, index: u32, start: usize) -> Result<(ConstraintKind, &'a str)> {
        match self.constraints.get(index as usize).copied() {
            // As in `name_of`.
            Some((kind, name)) => self.file.charge::<u8>(name.len()).map(|()| (kind, name)),
            None => Err(self.no_such("constraint", index, self.constraints.len(), "", start)),
        }
    }
}
