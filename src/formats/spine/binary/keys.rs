//! Keys and the curves between them.
//!
//! Up to 3.8 the curve to the next key follows the values of a key. Since 4.0 it follows the values of the next key,
//! and the number of keys is followed by the number of curves with handles, which is not needed.

use super::reader::Reader;
use super::trace::MaybeTrace;
use crate::error::Result;
use crate::formats::spine::schema::{
    Color, Curve, Encoding, Field, Key, Keys, MAX_WIDTH, Number, Property, SWITCHES, Value,
};

/// Minimum sizes in bytes: a time, and what a key has besides.
const TIME: usize = 4;
const MIN_IK_KEY: usize = 5;

impl<'a, T: MaybeTrace<'a>> Reader<'a, '_, T> {
    /// The keys of a timeline. With an empty `field`, the list is the current value.
    pub fn keys(&mut self, property: Property, field: &'a str) -> Result<Keys<'a>> {
        self.file.enter(field);
        let keys = match property {
            Property::Ik if self.layout.has_flags() => self.packed_ik_keys()?,
            Property::FlipX | Property::FlipY => self.flip_keys(property)?,
            property => self.plain_keys(property)?,
        };
        self.file.leave();
        Ok(keys)
    }

    /// Keys of one switch, without curves.
    fn flip_keys(&mut self, property: Property) -> Result<Keys<'a>> {
        let field = property.row().form.fields[0].name;
        let (count, mut keys) = self.start_keys(property, TIME + 1)?;
        for index in 0..count {
            self.file.enter_item(index);
            keys.list[index].time = self.file.number("time")?.0;
            keys.fields_mut(index)[0] = Value::Switch(self.file.bool(field)?);
            self.file.leave();
        }
        Ok(keys)
    }

    fn plain_keys(&mut self, property: Property) -> Result<Keys<'a>> {
        let (row, layout, is_four) = (property.row(), self.layout, self.layout.is_four());
        let mut stored = [(&row.form.fields[0], 0, Encoding::Float); MAX_WIDTH];
        let mut width = 0;
        for (field, place, _, encoding) in row.stored(layout) {
            stored[width] = (field, place, encoding);
            width += 1;
        }
        let stored = &stored[..width];
        let sizes = stored.iter().map(|(.., encoding)| encoding.size(layout));
        let size = match property {
            Property::Ik if is_four => 11,
            Property::Ik => MIN_IK_KEY,
            Property::Deform => 1,
            _ => sizes.sum(),
        };
        let curves = row.curves();
        let has_more = matches!(property, Property::Ik | Property::Deform);
        let (count, mut keys) = self.start_keys(property, TIME + size)?;
        for index in 0..count {
            self.file.enter_item(index);
            keys.list[index].time = self.file.number("time")?.0;
            let fields = keys.fields_mut(index);
            for &(field, place, encoding) in stored {
                fields[place] = self.value(field, encoding)?;
            }
            // Since 4.0, the curve of the previous key comes between.
            if is_four && let Some(before) = index.checked_sub(1) {
                self.file.leave();
                self.file.enter_item(before);
                keys.list[before].curve = self.curve(curves)?;
                if has_more {
                    self.file.leave();
                    self.file.enter_item(index);
                }
            }
            match property {
                Property::Ik => self.ik_switches(keys.fields_mut(index))?,
                Property::Deform => self.deform(index, &mut keys)?,
                _ => {}
            }
            if !is_four && index + 1 < count {
                keys.list[index].curve = self.curve(1)?;
            }
            self.file.leave();
        }
        Ok(keys)
    }

    /// The number of keys, and that many without times and values.
    fn start_keys(&mut self, property: Property, min_size: usize) -> Result<(usize, Keys<'a>)> {
        let count = self.file.count::<Key>("", min_size)?;
        if self.layout.is_four() {
            self.file.varint("")?;
        }
        Ok((count, Keys::blank(property, count)))
    }

    #[inline]
    fn value(&mut self, field: &Field, encoding: Encoding) -> Result<Value> {
        let color = match encoding {
            Encoding::Float => return Ok(Value::Number(self.file.number(field.name)?.0)),
            Encoding::Byte => return Ok(Value::Number(f32::from(self.file.u8(field.name)?) / 255.0)),
            Encoding::Rgba => self.file.color(field.name)?,
            Encoding::Rgb if self.layout.is_four() => self.file.rgb(field.name)?,
            Encoding::Rgb => self.file.dark_color(field.name)?,
        };
        Ok(if let Color::Rgba(rgba) = color { Value::Color(rgba) } else { Value::Missing })
    }

    /// Keys without curves.
    pub fn steps<K>(
        &mut self,
        field: &'a str,
        size: usize,
        mut read: impl FnMut(&mut Self, Number) -> Result<K>,
    ) -> Result<Vec<K>> {
        self.list(field, TIME + size, |reader, _| {
            let time = reader.file.number("time")?;
            read(reader, time)
        })
    }

    /// The curve of a key with this many values; up to 3.8 it is one for all.
    #[inline]
    fn curve(&mut self, values: usize) -> Result<Curve> {
        let start = self.file.offset();
        match self.file.u8("curve")? {
            0 => Ok(Curve::Linear),
            1 => Ok(Curve::Stepped),
            2 => self.handles(values),
            other => Err(self.unknown(other.into(), 2, "curve", start)),
        }
    }

    fn handles(&mut self, values: usize) -> Result<Curve> {
        Ok(match values {
            1 => Curve::Four(self.file.array("curve")?),
            2 => Curve::Eight(self.file.array("curve")?),
            _ => {
                let start = self.file.offset();
                let numbers = self.file.numbers("curve", start, 4 * values)?;
                Curve::More(numbers.iter().map(|number| number.0).collect())
            }
        })
    }

    fn ik_switches(&mut self, fields: &mut [Value]) -> Result<()> {
        let [bend, compress, stretch, ..] = &mut fields[SWITCHES] else { return Ok(()) };
        *bend = Value::Switch(self.bend_positive()?);
        if self.layout.has_audio() {
            *compress = Value::Switch(self.file.bool("compress")?);
            *stretch = Value::Switch(self.file.bool("stretch")?);
        }
        Ok(())
    }

    /// The form of 4.2.
    fn packed_ik_keys(&mut self) -> Result<Keys<'a>> {
        let (count, mut keys) = self.start_keys(Property::Ik, MIN_IK_KEY)?;
        for index in 0..count {
            self.file.enter_item(index);
            let flags = self.file.u8("flags")?;
            let has = |bit: u8| flags & bit != 0;
            keys.list[index].time = self.file.number("time")?.0;
            let mix = self.number_if(has(1) && has(2), "mix", if has(1) { 1.0 } else { 0.0 })?.0;
            let softness = self.number_if(has(4), "softness", 0.0)?.0;
            let [mix, softness] = [mix, softness].map(Value::Number);
            let [bend, compress, stretch] = [has(8), has(16), has(32)].map(Value::Switch);
            self.file.leave();
            if let Some(before) = index.checked_sub(1) {
                self.file.enter_item(before);
                if has(64) {
                    keys.list[before].curve = Curve::Stepped;
                } else if has(128) {
                    keys.list[before].curve = self.handles(2)?;
                }
                self.file.leave();
            }
            keys.fields_mut(index).copy_from_slice(&[mix, softness, bend, compress, stretch]);
        }
        Ok(keys)
    }

    /// What a key changes of the vertices.
    fn deform(&mut self, index: usize, keys: &mut Keys<'a>) -> Result<()> {
        let start = self.file.offset();
        let count = self.file.varint("vertices")? as usize;
        if count > 0 {
            let offset = Value::Count(self.file.varint("offset")?);
            let vertices = keys.list(self.file.numbers("vertices", start, count)?);
            keys.fields_mut(index).copy_from_slice(&[offset, vertices]);
        }
        Ok(())
    }
}
