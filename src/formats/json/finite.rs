//! Numbers that are read and written as in Spine and SkelForm.

use serde::de::{Deserializer, Error};
use serde::{Deserialize, Serialize, Serializer};

use super::number;

/// A finite number.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Number(pub f32);

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        /// Whole numbers up to this have an exact `f32` value.
        const MAX_WHOLE: f32 = 16_777_216.0;
        let is_whole = self.0.fract() == 0.0 && self.0.abs() <= MAX_WHOLE;
        // Negative zero is not a whole number of JSON.
        if is_whole && (self.0 != 0.0 || self.0.is_sign_positive()) {
            serializer.serialize_i32(self.0 as i32)
        } else {
            number::Number(self.0).serialize(serializer)
        }
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = f32::deserialize(deserializer)?;
        if number.is_finite() { Ok(Self(number)) } else { Err(D::Error::custom("the number is too large")) }
    }
}
