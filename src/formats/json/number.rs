//! Numbers with the fewest digits that preserve their value.

use serde::ser::Error as _;
use serde::{Deserialize, Serialize, Serializer};

/// An `f32` value.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(transparent)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(transparent))]
pub struct Number(pub f32);

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if !self.0.is_finite() {
            return Err(S::Error::custom("JSON cannot represent infinite or NaN numbers"));
        }
        // JSON readers parse numbers as `f64`. A few numbers whose shortest digits are next to the midpoint
        // between two
        // `f32` would be rounded twice, to the neighbour: those are written in full.
        let round_trips = self.0.to_string().parse::<f64>().is_ok_and(|wide| wide as f32 == self.0);
        if round_trips { serializer.serialize_f32(self.0) } else { serializer.serialize_f64(self.0.into()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(value: f32) -> String {
        serde_json::to_string(&Number(value)).unwrap()
    }

    #[test]
    fn short_and_exact() {
        assert_eq!(text(0.1), "0.1");
        assert_eq!(text(-0.0), "-0.0");
        assert_eq!(text(24.0), "24.0");
        let mut random = 1u32;
        for _ in 0..200_000 {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let value = f32::from_bits(random);
            if value.is_finite() {
                let back: f32 = serde_json::from_str(&text(value)).unwrap();
                assert_eq!(back.to_bits(), value.to_bits(), "{value:e}");
            }
        }
    }
}
