//! Keys and the curves between them.
//!
//! Up to 3.8 the curve to the next key follows the values of a key. Since 4.0 it follows the values of that next
//! key, and after the number of keys the file states that of the curves with handles, which is not needed.

use super::reader::Reader;
use super::trace::Trace;
use crate::error::Result;
use crate::formats::spine::schema::{
    BoneKey, ColorKey, Curve, DeformKey, IkKey, Number, PathKey, TransformKey, ValueKey,
};

/// A key with a curve to the next one.
pub trait Curved {
    fn curve(&mut self) -> &mut Option<Curve>;
}

macro_rules! curved {
    ($($name:ty),*) => {$(
        impl Curved for $name {
            fn curve(&mut self) -> &mut Option<Curve> {
                &mut self.curve
            }
        }
    )*};
}

curved!(BoneKey, ColorKey<'_>, DeformKey, IkKey, PathKey, TransformKey, ValueKey);

/// Minimum sizes in bytes: a time, and what a key has besides.
const TIME: usize = 4;
const MIN_IK_KEY: usize = 5;

impl<'a, T: Trace<'a>> Reader<'a, '_, T> {
    /// A list of keys of a time and `values` numbers of at least `size` bytes together, with curves. With an empty
    /// `field`, the list is the current value.
    pub fn keys<K: Curved>(
        &mut self,
        field: &'a str,
        (values, size): (usize, usize),
        mut read: impl FnMut(&mut Self, Number) -> Result<K>,
    ) -> Result<Vec<K>> {
        let is_four = self.layout.is_four();
        self.file.enter(field);
        let (count, mut keys) = self.start_keys::<K>(TIME + size)?;
        for index in 0..count {
            self.file.enter_item(index);
            let time = self.file.number("time")?;
            let mut key = read(self, time)?;
            if !is_four && index + 1 < count {
                *key.curve() = self.curve(1)?;
            }
            self.file.leave();
            if let Some(before) = keys.last_mut().filter(|_| is_four) {
                self.file.enter_item(index - 1);
                *before.curve() = self.curve(values)?;
                self.file.leave();
            }
            keys.push(key);
        }
        self.file.leave();
        Ok(keys)
    }

    /// The number of keys, and an empty list with room for them.
    fn start_keys<K>(&mut self, min_size: usize) -> Result<(usize, Vec<K>)> {
        let count = self.file.count::<K>("", min_size)?;
        if self.layout.is_four() {
            self.file.varint("")?;
        }
        Ok((count, Vec::with_capacity(count)))
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
    fn curve(&mut self, values: usize) -> Result<Option<Curve>> {
        let start = self.file.offset();
        match self.file.u8("curve")? {
            0 => Ok(None),
            1 => Ok(Some(Curve::Stepped)),
            2 => self.handles(values).map(Some),
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

    /// The keys of an IK constraint, the current value.
    pub fn ik_keys(&mut self) -> Result<Vec<IkKey>> {
        if self.layout.has_flags() {
            return self.packed_ik_keys();
        }
        if !self.layout.is_four() {
            return self.keys("", (1, 5), |reader, time| {
                let mut key = IkKey { time, ..IkKey::default() };
                key.mix = reader.file.number("mix")?;
                key.softness = reader.softness()?;
                reader.ik_switches(&mut key)?;
                Ok(key)
            });
        }
        let (count, mut keys) = self.start_keys::<IkKey>(TIME + 11)?;
        for index in 0..count {
            self.file.enter_item(index);
            let mut key = IkKey { time: self.file.number("time")?, ..IkKey::default() };
            key.mix = self.file.number("mix")?;
            key.softness = self.file.number("softness")?;
            // The curve of the previous key comes between.
            if let Some(before) = keys.last_mut() {
                self.file.leave();
                self.file.enter_item(index - 1);
                before.curve = self.curve(2)?;
                self.file.leave();
                self.file.enter_item(index);
            }
            self.ik_switches(&mut key)?;
            self.file.leave();
            keys.push(key);
        }
        Ok(keys)
    }

    fn ik_switches(&mut self, key: &mut IkKey) -> Result<()> {
        key.bend_positive = self.bend_positive()?;
        if self.layout.has_audio() {
            key.compress = self.file.bool("compress")?;
            key.stretch = self.file.bool("stretch")?;
        }
        Ok(())
    }

    /// The form of 4.2.
    fn packed_ik_keys(&mut self) -> Result<Vec<IkKey>> {
        let (count, mut keys) = self.start_keys::<IkKey>(MIN_IK_KEY)?;
        for index in 0..count {
            self.file.enter_item(index);
            let flags = self.file.u8("flags")?;
            let has = |bit: u8| flags & bit != 0;
            let key = IkKey {
                time: self.file.number("time")?,
                mix: self.number_if(has(1) && has(2), "mix", if has(1) { 1.0 } else { 0.0 })?,
                softness: self.number_if(has(4), "softness", 0.0)?,
                bend_positive: has(8),
                compress: has(16),
                stretch: has(32),
                ..IkKey::default()
            };
            self.file.leave();
            if let Some(before) = keys.last_mut() {
                self.file.enter_item(index - 1);
                if has(64) {
                    before.curve = Some(Curve::Stepped);
                } else if has(128) {
                    before.curve = Some(self.handles(2)?);
                }
                self.file.leave();
            }
            keys.push(key);
        }
        Ok(keys)
    }

    /// The deformations of an attachment, in `field`. Unlike other keys, since 4.0 their curve follows the time of
    /// the next key.
    pub fn deform_keys(&mut self, field: &'a str) -> Result<Vec<DeformKey>> {
        if !self.layout.is_four() {
            return self.keys(field, (1, 1), Self::deform_key);
        }
        self.file.enter(field);
        let (count, mut keys) = self.start_keys(TIME + 1)?;
        let mut time = Number(0.0);
        for index in 0..count {
            self.file.enter_item(index);
            if index == 0 {
                time = self.file.number("time")?;
            }
            let mut key = self.deform_key(time)?;
            if index + 1 < count {
                self.file.leave();
                self.file.enter_item(index + 1);
                time = self.file.number("time")?;
                self.file.leave();
                self.file.enter_item(index);
                key.curve = self.curve(1)?;
            }
            self.file.leave();
            keys.push(key);
        }
        self.file.leave();
        Ok(keys)
    }

    fn deform_key(&mut self, time: Number) -> Result<DeformKey> {
        let start = self.file.offset();
        let count = self.file.varint("vertices")? as usize;
        let mut key = DeformKey { time, ..DeformKey::default() };
        if count > 0 {
            key.offset = self.file.varint("offset")?;
            key.vertices = self.file.numbers("vertices", start, count)?;
        }
        Ok(key)
    }
}
