//! Constraints since 4.3: one list in the order in which they are applied.

use super::constraints::Pointer;
use super::sink::too_many;
use super::{Writer, flags, is_given};
use crate::error::Result;
use crate::formats::spine::binary::constraint_list::TYPES;
use crate::formats::spine::binary::reader::Kind;
use crate::formats::spine::build;
use crate::formats::spine::schema::{
    Constraint, Driver, Entries, Ik, Links, Number, PROPERTIES, ScaleYMode, Slider, Text, Transform,
};

const ZERO: Number = Number(0.0);
const ONE: Number = Number(1.0);

/// The most properties that have room in the flags.
const MAX_FROM: u32 = 7;

impl<'r> Writer<'r, '_> {
    pub fn constraint_list(&mut self) -> Result<()> {
        let root = self.root;
        self.file.count(root.constraints.len())?;
        for index in build::applied(root) {
            let constraint = &root.constraints[index];
            let pointer = |field: &str| format!("{}/{field}", build::constraint_pointer(root, index));
            self.file.string(Some(constraint.name().as_str()))?;
            let code = TYPES.iter().position(|kind| *kind == constraint.kind()).unwrap_or(0);
            self.file.u8(code as u8);
            match constraint {
                Constraint::Ik(it) => self.listed_ik(it, &pointer)?,
                Constraint::Path(it) => self.path_constraint(it, &pointer)?,
                Constraint::Transform(it) => self.linked_transform(it, &pointer)?,
                Constraint::Physics(it) => self.physics(it, &pointer)?,
                Constraint::Slider(it) => self.slider(it, &pointer)?,
            }
        }
        Ok(())
    }

    fn listed_ik(&mut self, ik: &Ik<'_>, pointer: Pointer<'_>) -> Result<()> {
        self.all_named(Kind::Bone, &ik.bones, || pointer("bones"))?;
        self.named(Kind::Bone, &ik.target, || pointer("target"))?;
        let has_mode = ik.scale_y != ScaleYMode::None;
        let flags = flags(&[
            (1, ik.skin),
            (2, has_mode),
            (4, !ik.bend_positive),
            (8, ik.compress),
            (16, ik.stretch),
            (32, is_given(ik.mix)),
            (64, is_given(ik.mix) && ik.mix != ONE),
            (128, is_given(ik.softness)),
        ]);
        self.file.u8(flags);
        if has_mode {
            self.file.u8(ik.scale_y as u8);
        }
        self.numbers_if(flags, &[(64, ik.mix), (128, ik.softness)]);
        Ok(())
    }

    fn linked_transform(&mut self, it: &Transform<'_>, pointer: Pointer<'_>) -> Result<()> {
        self.all_named(Kind::Bone, &it.bones, || pointer("bones"))?;
        self.named(Kind::Bone, &it.target, || pointer("source"))?;
        let none = Links::default();
        let links = it.links.as_ref().unwrap_or(&none);
        let known = known(&links.properties);
        let too_many = |count, most, place| too_many(count, "properties", most, build::at(place));
        if known.len() > MAX_FROM as usize {
            return Err(too_many(known.len(), MAX_FROM, pointer("properties")));
        }
        let switches = [(1, it.skin), (2, it.local), (4, links.local_target), (8, it.relative), (16, links.clamp)];
        self.file.u8(flags(&switches) | (known.len() as u8) << 5);
        for (code, way) in known {
            self.file.u8(code);
            self.file.number(way.offset);
            let driven = self::known(&way.to);
            let count = u8::try_from(driven.len());
            self.file.u8(count.map_err(|_| too_many(driven.len(), u8::MAX.into(), pointer("properties")))?);
            for (code, to) in driven {
                self.file.u8(code);
                self.file.numbers(&[to.offset, to.max, to.scale]);
            }
        }
        self.flagged(0, 0, [it.rotation, it.x, it.y, it.scale_x, it.scale_y, it.shear_y]);
        // The mix of a property that nothing drives is 0 unless stated.
        let (mut mixes, stated) = (it.mixes(), it.stated_mixes());
        for ((mix, name), stated) in mixes.iter_mut().zip(PROPERTIES).zip(stated) {
            if !links.drives(name) {
                *mix = stated.unwrap_or(ZERO);
            }
        }
        self.flagged(0, 0, mixes);
        Ok(())
    }

    fn slider(&mut self, it: &Slider<'_>, pointer: Pointer<'_>) -> Result<()> {
        let driver = it.driver.as_ref();
        if driver.is_some() && is_given(it.time) {
            self.losses.times.add(|| pointer("time"));
        }
        let number = match driver {
            None => it.time,
            Some(driver) => driver.max.filter(|_| self.is_nonessential).unwrap_or(ZERO),
        };
        let flags = flags(&[
            (1, it.skin),
            (2, it.looping),
            (4, it.additive),
            (8, is_given(number)),
            (16, is_given(it.mix)),
            (32, is_given(it.mix) && it.mix != ONE),
            (64, driver.is_some()),
            (128, driver.is_some_and(|driver| driver.local)),
        ]);
        self.file.u8(flags);
        self.numbers_if(flags, &[(8, number), (32, it.mix)]);
        driver.map_or(Ok(()), |driver| self.driver(driver, pointer))
    }

    fn driver(&mut self, it: &Driver<'_>, pointer: Pointer<'_>) -> Result<()> {
        self.named(Kind::Bone, &it.bone, || pointer("bone"))?;
        self.file.number(it.from);
        let property = property(&it.property);
        self.file.u8(property.ok_or_else(|| build::missing("property", &it.property, pointer("property")))?);
        self.file.numbers(&[it.to, it.scale]);
        Ok(())
    }

    /// The animations of all sliders, with which the file ends.
    pub fn slider_animations(&mut self) -> Result<()> {
        let root = self.root;
        for index in build::applied(root) {
            if let Constraint::Slider(it) = &root.constraints[index] {
                let pointer = || format!("{}/animation", build::constraint_pointer(root, index));
                self.named(Kind::Animation, &it.animation, pointer)?;
            }
        }
        Ok(())
    }
}

/// The number of a property.
fn property(name: &Text<'_>) -> Option<u8> {
    PROPERTIES.iter().position(|known| *known == name.as_str()).map(|at| at as u8)
}

/// The entries of properties, by number. Others have been reported, and have no effect.
fn known<'e, V>(entries: &'e Entries<'_, V>) -> Vec<(u8, &'e V)> {
    entries.0.iter().filter_map(|(name, entry)| Some((property(name)?, entry))).collect()
}
