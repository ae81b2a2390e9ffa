//! The timelines of slots, bones, constraints and attachments: a type, and keys.

use super::Writer;
use crate::error::{Error, Result};
use crate::formats::spine::build;
use crate::formats::spine::build::keys::Way;
use crate::formats::spine::schema::{
    AttachmentKey, AttachmentTimelines, BoneKey, BoneTimelines, Color, ColorKey, Number, PathKey, PathTimelines,
    PhysicsTimelines, SequenceKey, SlotTimelines, Text, TransformKey, ValueKey,
};

/// The bytes of a colour key.
#[derive(Clone, Copy)]
enum Colors {
    Rgba,
    Rgb,
    /// The dark colour has four bytes before 4.0.
    Rgba2,
    Rgb2,
}

impl Colors {
    /// The number of values.
    fn values(self) -> usize {
        match self {
            Self::Rgba => 4,
            Self::Rgb => 3,
            Self::Rgba2 => 7,
            Self::Rgb2 => 6,
        }
    }
}

impl<'r, 'a> Writer<'r, 'a> {
    /// The timelines of an entry: their number, then each.
    fn typed(&mut self, write: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        let (at, before) = (self.file.bytes.len(), self.timelines);
        self.file.u8(0);
        write(self)?;
        // At most eleven types, so the number takes a byte.
        self.file.bytes[at] = (self.timelines - before) as u8;
        Ok(())
    }

    /// A timeline of the given type, unless it has no keys.
    fn timeline<'k, K>(
        &mut self,
        kind: u8,
        keys: &'k [K],
        write: impl FnOnce(&mut Self, &'k [K]) -> Result<()>,
    ) -> Result<()> {
        if keys.is_empty() {
            return Ok(());
        }
        self.timelines += 1;
        self.file.u8(kind);
        write(self, keys)
    }

    /// The timelines of a slot. The editor writes that of the attachment after those of colours.
    pub fn slot_timelines(&mut self, way: Way<'_>, it: &'r SlotTimelines<'a>) -> Result<()> {
        self.typed(|writer| {
            if writer.layout.is_four() {
                writer.colors(1, Colors::Rgba, way, "rgba", &it.rgba)?;
                writer.colors(2, Colors::Rgb, way, "rgb", &it.rgb)?;
                writer.colors(3, Colors::Rgba2, way, "rgba2", &it.rgba2)?;
                writer.colors(4, Colors::Rgb2, way, "rgb2", &it.rgb2)?;
                writer.alphas(5, way, "alpha", &it.alpha)?;
            } else {
                writer.colors(1, Colors::Rgba, way, "color", &it.color)?;
                writer.colors(2, Colors::Rgba2, way, "twoColor", &it.two_color)?;
            }
            writer.timeline(0, &it.attachment, |writer, keys: &'r [AttachmentKey<'a>]| {
                writer.steps(keys, |writer, key, _| {
                    writer.shared(key.name.as_ref().map(Text::as_str));
                    Ok(())
                })
            })
        })
    }

    fn alphas(&mut self, kind: u8, way: Way<'_>, name: &str, keys: &[ValueKey]) -> Result<()> {
        let way = extended(way, name);
        self.timeline(kind, keys, |writer, keys| {
            writer.keys(Way(&way), keys, 1, |writer, key, index| {
                let animation = writer.animation;
                writer.alpha(key.value.unwrap_or_default(), || format!("{}/{index}", Way(&way).at(animation)));
                Ok(())
            })
        })
    }

    /// An alpha, of which a file has a byte.
    fn alpha(&mut self, Number(alpha): Number, pointer: impl FnOnce() -> String) {
        // A cast clamps.
        let byte = (alpha * 255.0).round() as u8;
        let change = (f32::from(byte) / 255.0 - alpha).abs();
        if change > 0.0 {
            self.losses.alphas.add(pointer);
            self.losses.alpha = self.losses.alpha.max(change);
        }
        self.file.u8(byte);
    }

    fn colors(&mut self, kind: u8, colors: Colors, way: Way<'_>, name: &str, keys: &[ColorKey<'_>]) -> Result<()> {
        let way = extended(way, name);
        self.timeline(kind, keys, |writer, keys| {
            writer.keys(Way(&way), keys, colors.values(), |writer, key, index| {
                let animation = writer.animation;
                let channels = |color: &Option<Color<'_>>, field: &str| {
                    let pointer = || format!("{}/{index}/{field}", Way(&way).at(animation));
                    let missing = || build::malformed("bad-color", pointer(), "this key has no colour");
                    build::channels(color.as_ref().ok_or_else(missing)?, pointer)
                };
                match colors {
                    Colors::Rgba => writer.file.rgba(channels(&key.color, "color")?),
                    Colors::Rgb => writer.file.rgb(channels(&key.color, "color")?),
                    Colors::Rgba2 => {
                        writer.file.rgba(channels(&key.light, "light")?);
                        let dark = channels(&key.dark, "dark")?;
                        if writer.layout.is_four() { writer.file.rgb(dark) } else { writer.file.dark(dark) }
                    }
                    Colors::Rgb2 => {
                        writer.file.rgb(channels(&key.light, "light")?);
                        writer.file.rgb(channels(&key.dark, "dark")?);
                    }
                }
                Ok(())
            })
        })
    }

    pub fn bone_timelines(&mut self, way: Way<'_>, it: &'r BoneTimelines) -> Result<()> {
        self.typed(|writer| {
            if !writer.layout.is_four() {
                writer.bone_values(0, way, "rotate", &it.rotate, 0.0)?;
                writer.pairs(1, way, "translate", &it.translate, 0.0)?;
                writer.pairs(2, way, "scale", &it.scale, 1.0)?;
                return writer.pairs(3, way, "shear", &it.shear, 0.0);
            }
            writer.bone_values(0, way, "rotate", &it.rotate, 0.0)?;
            writer.pairs(1, way, "translate", &it.translate, 0.0)?;
            writer.bone_values(2, way, "translatex", &it.translatex, 0.0)?;
            writer.bone_values(3, way, "translatey", &it.translatey, 0.0)?;
            writer.pairs(4, way, "scale", &it.scale, 1.0)?;
            writer.bone_values(5, way, "scalex", &it.scalex, 1.0)?;
            writer.bone_values(6, way, "scaley", &it.scaley, 1.0)?;
            writer.pairs(7, way, "shear", &it.shear, 0.0)?;
            writer.bone_values(8, way, "shearx", &it.shearx, 0.0)?;
            writer.bone_values(9, way, "sheary", &it.sheary, 0.0)?;
            if !writer.layout.has_flags() {
                return Ok(());
            }
            writer.timeline(10, &it.inherit, |writer, keys| {
                writer.steps(keys, |writer, key, _| {
                    writer.file.u8(key.inherit as u8);
                    Ok(())
                })
            })
        })
    }

    fn bone_values(&mut self, kind: u8, way: Way<'_>, name: &str, keys: &[BoneKey], default: f32) -> Result<()> {
        let way = extended(way, name);
        self.timeline(kind, keys, |writer, keys| {
            writer.keys(Way(&way), keys, 1, |writer, key, _| {
                // Before 4.0, rotations are called angles.
                writer.file.number(key.value.or(key.angle).unwrap_or(Number(default)));
                Ok(())
            })
        })
    }

    fn pairs(&mut self, kind: u8, way: Way<'_>, name: &str, keys: &[BoneKey], default: f32) -> Result<()> {
        let way = extended(way, name);
        self.timeline(kind, keys, |writer, keys| {
            writer.keys(Way(&way), keys, 2, |writer, key, _| {
                writer.file.numbers(&[key.x, key.y].map(|value| value.unwrap_or(Number(default))));
                Ok(())
            })
        })
    }

    pub fn transform_keys(&mut self, way: Way<'_>, keys: &[TransformKey]) -> Result<()> {
        self.keys(way, keys, 6, |writer, key, _| {
            writer.transform_mixes(key.mixes());
            Ok(())
        })
    }

    pub fn path_timelines(&mut self, way: Way<'_>, it: &'r PathTimelines) -> Result<()> {
        self.typed(|writer| {
            writer.path_values(0, way, "position", &it.position, |key| key.value.unwrap_or(key.position))?;
            writer.path_values(1, way, "spacing", &it.spacing, |key| key.value.unwrap_or(key.spacing))?;
            let way = extended(way, "mix");
            writer.timeline(2, &it.mix, |writer, keys| {
                writer.keys(Way(&way), keys, 3, |writer, key, _| {
                    writer.path_mixes(key.mixes());
                    Ok(())
                })
            })
        })
    }

    fn path_values(
        &mut self,
        kind: u8,
        way: Way<'_>,
        name: &str,
        keys: &[PathKey],
        value: impl Fn(&PathKey) -> Number,
    ) -> Result<()> {
        let way = extended(way, name);
        self.timeline(kind, keys, |writer, keys| {
            writer.keys(Way(&way), keys, 1, |writer, key, _| {
                writer.file.number(value(key));
                Ok(())
            })
        })
    }

    pub fn physics_timelines(&mut self, way: Way<'_>, it: &'r PhysicsTimelines) -> Result<()> {
        self.typed(|writer| {
            writer.values(0, way, "inertia", &it.inertia, 0.0)?;
            writer.values(1, way, "strength", &it.strength, 0.0)?;
            writer.values(2, way, "damping", &it.damping, 0.0)?;
            writer.values(4, way, "mass", &it.mass, 0.0)?;
            writer.values(5, way, "wind", &it.wind, 0.0)?;
            writer.values(6, way, "gravity", &it.gravity, 0.0)?;
            writer.values(7, way, "mix", &it.mix, 1.0)?;
            writer.timeline(8, &it.reset, |writer, keys| writer.steps(keys, |_, _, _| Ok(())))
        })
    }

    fn values(&mut self, kind: u8, way: Way<'_>, name: &str, keys: &[ValueKey], default: f32) -> Result<()> {
        let way = extended(way, name);
        self.timeline(kind, keys, |writer, keys| {
            writer.keys(Way(&way), keys, 1, |writer, key, _| {
                writer.file.number(key.value.unwrap_or(Number(default)));
                Ok(())
            })
        })
    }

    /// The timelines of an attachment, each after the name of that.
    pub fn attachment_timelines(&mut self, way: Way<'_>, key: &'r str, it: &'r AttachmentTimelines) -> Result<()> {
        if !it.deform.is_empty() {
            self.shared(Some(key));
            let way = extended(way, "deform");
            self.timeline(0, &it.deform, |writer, keys| writer.deform_keys(Way(&way), keys))?;
        }
        if !it.sequence.is_empty() {
            self.shared(Some(key));
            let way = extended(way, "sequence");
            self.timeline(1, &it.sequence, |writer, keys| writer.sequence_keys(Way(&way), keys))?;
        }
        Ok(())
    }

    fn sequence_keys(&mut self, way: Way<'_>, keys: &[SequenceKey]) -> Result<()> {
        // A key that states no delay has that of the key before.
        let mut delay = Number(0.0);
        self.steps(keys, |writer, key, index| {
            delay = key.delay.unwrap_or(delay);
            let picture = key.index.checked_mul(16).ok_or_else(|| {
                let pointer = format!("{}/{index}/index", way.at(writer.animation));
                let message = format!("picture {} does not fit in the 28 bits of a binary skeleton", key.index);
                Error::unsupported("too-many", build::at(pointer), message)
            })?;
            writer.file.i32(picture | key.mode as i32);
            writer.file.number(delay);
            Ok(())
        })
    }
}

/// The way to a timeline of an entry.
fn extended<'w>(Way(way): Way<'w>, name: &'w str) -> Vec<&'w str> {
    [way, &[name]].concat()
}
