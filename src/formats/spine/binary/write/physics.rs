//! Physics constraints. Since 4.2.

use super::constraints::Pointer;
use super::{Writer, flags};
use crate::error::Result;
use crate::formats::spine::binary::reader::Kind;
use crate::formats::spine::binary::{mass, scale_y};
use crate::formats::spine::schema::{Number, Physics, ScaleYMode};

const ONE: Number = Number(1.0);

impl<'r> Writer<'r, '_> {
    pub fn physics(&mut self, it: &Physics<'_>, pointer: Pointer<'_>) -> Result<()> {
        self.named(Kind::Bone, &it.bone, || pointer("bone"))?;
        let scale_x = if self.layout.has_one_list() { self.scale_x(it, pointer) } else { it.scale_x };
        let others = flags(&[(1, it.skin), (64, it.limit != Physics::LIMIT), (128, it.mass != ONE)]);
        self.flagged(others, 1, [it.x, it.y, it.rotate, scale_x, it.shear_x]);
        self.numbers_if(others, &[(64, it.limit)]);
        let rate = self.rate(it.fps, pointer);
        self.file.u8(rate);
        self.file.numbers(&[it.inertia, it.strength, it.damping]);
        if it.mass != ONE {
            let inverse = self.inverse(it.mass, pointer);
            self.file.f32(inverse);
        }
        self.file.numbers(&[it.wind, it.gravity]);
        let globals = flags(&[
            (1, it.inertia_global),
            (2, it.strength_global),
            (4, it.damping_global),
            (8, it.mass_global),
            (16, it.wind_global),
            (32, it.gravity_global),
            (64, it.mix_global),
            (128, it.mix != ONE),
        ]);
        self.file.u8(globals);
        self.numbers_if(globals, &[(128, it.mix)]);
        Ok(())
    }

    /// The share of the x scale, which also states the mode of the y scale: not all shares fit in all modes.
    fn scale_x(&mut self, it: &Physics<'_>, pointer: Pointer<'_>) -> Number {
        let stored = scale_y::stored(it.scale_x, it.scale_y);
        if scale_y::of_stored(stored).1 == it.scale_y {
            return stored;
        }
        self.losses.scales.add(|| pointer("scaleX"));
        match it.scale_y {
            ScaleYMode::Uniform => scale_y::stored(Number(it.scale_x.0.clamp(0.0, 1.0)), it.scale_y),
            ScaleYMode::None | ScaleYMode::Volume => Number(0.0),
        }
    }

    /// The rate, stored as one byte.
    fn rate(&mut self, fps: Number, pointer: Pointer<'_>) -> u8 {
        // A cast clamps.
        let rate = fps.0.round() as u8;
        if f32::from(rate) != fps.0 {
            self.losses.rates.add(|| pointer("fps"));
        }
        rate
    }

    /// The inverse of the mass, which must be finite.
    fn inverse(&mut self, mass: Number, pointer: Pointer<'_>) -> f32 {
        let inverse = mass::inverse(mass.0);
        if inverse.is_infinite() {
            self.losses.masses.add(|| pointer("mass"));
        }
        inverse.clamp(f32::MIN, f32::MAX)
    }
}
