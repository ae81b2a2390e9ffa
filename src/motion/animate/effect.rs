//! Colour effects: a multiplier and an offset per channel, straight, clamped once at the end.

use crate::model::Tint;

/// A colour effect: `multiplier` · colour + `offset`, red, green, blue and alpha, 0–1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Effect {
    pub multiplier: [f32; 4],
    pub offset: [f32; 4],
}

impl Effect {
    /// Changes nothing.
    pub const NONE: Self = Self { multiplier: [1.0; 4], offset: [0.0; 4] };

    /// Returns the effect of `inner` followed by `self`.
    pub fn around(&self, inner: &Self) -> Self {
        let mut whole = *inner;
        for channel in 0..4 {
            whole.multiplier[channel] *= self.multiplier[channel];
            whole.offset[channel] = whole.offset[channel] * self.multiplier[channel] + self.offset[channel];
        }
        whole
    }

    /// Returns the effect as a tint, clamped to what that can represent.
    pub fn tint(&self) -> Tint {
        let [r, g, b, a] = [0, 1, 2, 3].map(|channel| unit(self.light(channel)));
        let [dark_r, dark_g, dark_b, _] = self.offset.map(unit);
        let is_offset = self.offset[..3].iter().any(|offset| *offset != 0.0);
        Tint { light: [r, g, b, a], dark: is_offset.then_some([dark_r, dark_g, dark_b]) }
    }

    /// Returns true if [`Self::tint`] loses nothing.
    pub fn fits_tint(&self) -> bool {
        /// Files round to three digits.
        const ROUNDING: f32 = 2e-3;
        let fits = |value: f32| (-ROUNDING..=1.0 + ROUNDING).contains(&value);
        self.offset[3] == 0.0
            && self.offset.into_iter().all(fits)
            && (0..4).all(|channel| fits(self.light(channel)))
    }

    /// Returns what white becomes.
    fn light(&self, channel: usize) -> f32 {
        self.multiplier[channel] + self.offset[channel]
    }
}

/// Clamps to 0–1; products that are NaN become 0.
#[expect(clippy::manual_clamp, reason = "that keeps NaN")]
fn unit(value: f32) -> f32 {
    value.max(0.0).min(1.0)
}
