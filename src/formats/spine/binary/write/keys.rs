//! Keys and the curves between them.
//!
//! Up to 3.8 the curve to the next key follows the values of a key. Since 4.0 it follows the values of the next key,
//! and the number of keys is followed by the number of curves with handles, counted for every value.

use super::{Writer, flags, is_given};
use crate::error::Result;
use crate::formats::spine::build;
use crate::formats::spine::build::keys::{Sorted, Way};
use crate::formats::spine::build::wrong_curve;
use crate::formats::spine::schema::{Curve, Encoding, Keys, Number, Property, Timed};

impl Writer<'_, '_> {
    /// A timeline, sorted by time.
    pub fn keys(&mut self, way: Way<'_>, keys: &Keys<'_>) -> Result<()> {
        let (row, is_four) = (keys.row(), self.layout.is_four());
        let (sorted, values) = (Sorted::of(&keys.list), row.curves());
        self.file.count(keys.len())?;
        if is_four {
            let curved =
                sorted.places().rev().skip(1).filter(|&index| !keys.list[index].curve.handles().is_empty());
            self.file.count(curved.count() * values)?;
        }
        let mut before: Option<usize> = None;
        for (number, index) in sorted.places().enumerate() {
            let before = before.replace(index);
            if keys.property == Property::Ik && self.layout.has_flags() {
                self.packed_ik_key(way, keys, index, before)?;
                continue;
            }
            self.file.f32(keys.list[index].time);
            self.values(way, keys, index)?;
            // Since 4.0, the curve of the previous key comes between.
            if let Some(before) = before.filter(|_| is_four) {
                self.curve(way, keys, before, values)?;
            }
            match keys.property {
                Property::Ik => self.ik_switches(keys, index),
                Property::Deform => self.deform(keys, index)?,
                _ => {}
            }
            if !is_four && number + 1 < keys.len() {
                self.curve(way, keys, index, 1)?;
            }
        }
        Ok(())
    }

    /// The values of a key.
    fn values(&mut self, way: Way<'_>, keys: &Keys<'_>, index: usize) -> Result<()> {
        let (layout, animation) = (self.layout, self.animation);
        let values = keys.get(index);
        for (field, place, at, encoding) in keys.row().stored(layout) {
            match encoding {
                Encoding::Float => self.file.f32(values[at]),
                Encoding::Byte => self.alpha(values[at], || format!("{}/{index}", way.at(animation))),
                Encoding::Rgba | Encoding::Rgb => {
                    let pointer = || format!("{}/{index}/{}", way.at(animation), field.name);
                    let rgba = build::key_color(keys, index, place, pointer)?;
                    match encoding {
                        Encoding::Rgba => self.file.rgba(rgba),
                        _ if layout.is_four() => self.file.rgb(rgba),
                        _ => self.file.dark(rgba),
                    }
                }
            }
        }
        Ok(())
    }

    /// An alpha, which is a byte in the file.
    fn alpha(&mut self, alpha: f32, pointer: impl FnOnce() -> String) {
        // A cast clamps.
        let byte = (alpha * 255.0).round() as u8;
        let change = (f32::from(byte) / 255.0 - alpha).abs();
        if change > 0.0 {
            self.losses.alphas.add(pointer);
            self.losses.alpha = self.losses.alpha.max(change);
        }
        self.file.u8(byte);
    }

    /// A timeline of keys without curves. `write` gets a key and its index.
    pub fn steps<'k, K: Timed>(
        &mut self,
        keys: &'k [K],
        mut write: impl FnMut(&mut Self, &'k K, usize) -> Result<()>,
    ) -> Result<()> {
        self.file.count(keys.len())?;
        for index in Sorted::of(keys).places() {
            self.file.f32(keys[index].time());
            write(self, &keys[index], index)?;
        }
        Ok(())
    }

    fn curve(&mut self, way: Way<'_>, keys: &Keys<'_>, index: usize, values: usize) -> Result<()> {
        let curve = &keys.list[index].curve;
        if curve.handles().is_empty() {
            self.file.u8((*curve == Curve::Stepped).into());
            return Ok(());
        }
        self.file.u8(2);
        self.handles(way, curve.handles(), index, values)
    }

    fn handles(&mut self, way: Way<'_>, handles: &[f32], index: usize, values: usize) -> Result<()> {
        if handles.len() != 4 * values {
            let pointer = format!("{}/{index}/curve", way.at(self.animation));
            return Err(wrong_curve(handles.len(), 4 * values, pointer));
        }
        handles.iter().for_each(|number| self.file.f32(*number));
        Ok(())
    }

    fn ik_switches(&mut self, keys: &Keys<'_>, index: usize) {
        let [bend, compress, stretch] = keys.switches(index);
        self.bend(bend);
        self.file.bool(compress);
        self.file.bool(stretch);
    }

    /// The form of 4.2.
    fn packed_ik_key(&mut self, way: Way<'_>, keys: &Keys<'_>, index: usize, before: Option<usize>) -> Result<()> {
        let [mix, softness, ..] = keys.get(index).map(Number);
        let [bend, compress, stretch] = keys.switches(index);
        let curve = before.map_or(&Curve::Linear, |before| &keys.list[before].curve);
        let flags = flags(&[
            (1, is_given(mix)),
            // No number follows for 0, but the editor sets the flag.
            (2, mix != Number(1.0)),
            (4, is_given(softness)),
            (8, bend),
            (16, compress),
            (32, stretch),
            (64, *curve == Curve::Stepped),
            (128, !curve.handles().is_empty()),
        ]);
        self.file.u8(flags);
        self.file.f32(keys.list[index].time);
        let has_mix = if flags & 1 != 0 { 2 } else { 0 };
        self.numbers_if(flags, &[(has_mix, mix), (4, softness)]);
        match before.filter(|_| !curve.handles().is_empty()) {
            Some(before) => self.handles(way, curve.handles(), before, 2),
            None => Ok(()),
        }
    }

    /// What a key changes of the vertices.
    fn deform(&mut self, keys: &Keys<'_>, index: usize) -> Result<()> {
        let (offset, vertices) = keys.deform(index);
        self.file.count(vertices.len())?;
        if !vertices.is_empty() {
            self.file.varint(offset);
            self.file.numbers(vertices);
        }
        Ok(())
    }
}
