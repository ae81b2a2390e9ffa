//! Keys and the curves between them.
//!
//! Up to 3.8 the curve to the next key follows the values of a key. Since 4.0 it follows the values of that next
//! key, and after the number of keys comes that of the curves with handles, counted for every value.

use std::borrow::Cow;

use super::{Writer, flags, is_given};
use crate::error::Result;
use crate::formats::spine::build::keys::{Key, Sorted, Way, short_curve};
use crate::formats::spine::build::wrong_curve;
use crate::formats::spine::schema::{Curve, DeformKey, IkKey, Number};

/// The handles of the curve of a key; empty without any.
fn handles<K: Key>(key: &K) -> Cow<'_, [f32]> {
    match key.curve() {
        Some(Curve::First(c1)) => Cow::Owned(short_curve(*c1, key.more()).to_vec()),
        Some(curve) => Cow::Borrowed(curve.handles()),
        None => Cow::Borrowed(&[]),
    }
}

impl Writer<'_, '_> {
    /// A timeline of keys with `values` values, sorted by time, with their curves. `write` gets a key and its index.
    pub fn keys<K: Key>(
        &mut self,
        way: Way<'_>,
        keys: &[K],
        values: usize,
        mut write: impl FnMut(&mut Self, &K, usize) -> Result<()>,
    ) -> Result<()> {
        let sorted = Sorted::by_time(keys);
        self.start_keys(keys, &sorted, values)?;
        let mut before: Option<usize> = None;
        for (number, index) in sorted.places().enumerate() {
            let key = &keys[index];
            self.file.f32(key.time());
            write(self, key, index)?;
            if self.layout.is_four() {
                if let Some(before) = before {
                    self.curve(way, &keys[before], before, values)?;
                }
            } else if number + 1 < keys.len() {
                self.curve(way, key, index, 1)?;
            }
            before = Some(index);
        }
        Ok(())
    }

    /// The number of keys, and since 4.0 that of the curves with handles.
    fn start_keys<K: Key>(&mut self, keys: &[K], sorted: &Sorted, values: usize) -> Result<()> {
        self.file.count(keys.len())?;
        if self.layout.is_four() {
            let curved = sorted.places().rev().skip(1).filter(|&index| !handles(&keys[index]).is_empty());
            self.file.count(curved.count() * values)?;
        }
        Ok(())
    }

    /// A timeline of keys without curves. `write` gets a key and its index.
    pub fn steps<'k, K: Key>(
        &mut self,
        keys: &'k [K],
        mut write: impl FnMut(&mut Self, &'k K, usize) -> Result<()>,
    ) -> Result<()> {
        self.file.count(keys.len())?;
        for index in Sorted::by_time(keys).places() {
            self.file.f32(keys[index].time());
            write(self, &keys[index], index)?;
        }
        Ok(())
    }

    fn curve<K: Key>(&mut self, way: Way<'_>, key: &K, index: usize, values: usize) -> Result<()> {
        let handles = handles(key);
        if handles.is_empty() {
            self.file.u8(matches!(key.curve(), Some(Curve::Stepped)).into());
            return Ok(());
        }
        self.file.u8(2);
        self.handles(way, &handles, index, values)
    }

    fn handles(&mut self, way: Way<'_>, handles: &[f32], index: usize, values: usize) -> Result<()> {
        if handles.len() != 4 * values {
            let pointer = format!("{}/{index}/curve", way.at(self.animation));
            return Err(wrong_curve(handles.len(), 4 * values, pointer));
        }
        handles.iter().for_each(|number| self.file.f32(*number));
        Ok(())
    }

    /// The keys of an IK constraint.
    pub fn ik_keys(&mut self, way: Way<'_>, keys: &[IkKey]) -> Result<()> {
        if self.layout.has_flags() {
            return self.packed_ik_keys(way, keys);
        }
        if !self.layout.is_four() {
            return self.keys(way, keys, 1, |writer, key, _| {
                writer.file.numbers(&[key.mix, key.softness]);
                writer.ik_switches(key);
                Ok(())
            });
        }
        let sorted = Sorted::by_time(keys);
        self.start_keys(keys, &sorted, 2)?;
        let mut before: Option<usize> = None;
        for index in sorted.places() {
            let key = &keys[index];
            self.file.numbers(&[key.time, key.mix, key.softness]);
            // The curve of the previous key comes between.
            if let Some(before) = before.replace(index) {
                self.curve(way, &keys[before], before, 2)?;
            }
            self.ik_switches(key);
        }
        Ok(())
    }

    fn ik_switches(&mut self, key: &IkKey) {
        self.bend(key.bend_positive);
        self.file.bool(key.compress);
        self.file.bool(key.stretch);
    }

    /// The form of 4.2.
    fn packed_ik_keys(&mut self, way: Way<'_>, keys: &[IkKey]) -> Result<()> {
        let sorted = Sorted::by_time(keys);
        self.start_keys(keys, &sorted, 2)?;
        let mut before: Option<usize> = None;
        for index in sorted.places() {
            let key = &keys[index];
            let before = before.replace(index);
            let curve = before.map_or(Cow::Borrowed(&[][..]), |before| handles(&keys[before]));
            let is_stepped = before.is_some_and(|before| matches!(keys[before].curve, Some(Curve::Stepped)));
            let flags = flags(&[
                (1, is_given(key.mix)),
                // No number follows for 0, but the editor sets the flag.
                (2, key.mix != Number(1.0)),
                (4, is_given(key.softness)),
                (8, key.bend_positive),
                (16, key.compress),
                (32, key.stretch),
                (64, is_stepped),
                (128, !curve.is_empty()),
            ]);
            self.file.u8(flags);
            self.file.number(key.time);
            let has_mix = if flags & 1 != 0 { 2 } else { 0 };
            self.numbers_if(flags, &[(has_mix, key.mix), (4, key.softness)]);
            if !curve.is_empty() {
                self.handles(way, &curve, before.unwrap_or(index), 2)?;
            }
        }
        Ok(())
    }

    /// The deformations of an attachment. Unlike other keys, since 4.0 their curve follows the time of the next key.
    pub fn deform_keys(&mut self, way: Way<'_>, keys: &[DeformKey]) -> Result<()> {
        if !self.layout.is_four() {
            return self.keys(way, keys, 1, |writer, key, _| writer.deform_key(key));
        }
        let sorted = Sorted::by_time(keys);
        self.start_keys(keys, &sorted, 1)?;
        let mut before: Option<usize> = None;
        for index in sorted.places() {
            self.file.number(keys[index].time);
            if let Some(before) = before.replace(index) {
                self.curve(way, &keys[before], before, 1)?;
            }
            self.deform_key(&keys[index])?;
        }
        Ok(())
    }

    fn deform_key(&mut self, key: &DeformKey) -> Result<()> {
        self.file.count(key.vertices.len())?;
        if !key.vertices.is_empty() {
            self.file.varint(key.offset);
            self.file.numbers(&key.vertices);
        }
        Ok(())
    }
}
