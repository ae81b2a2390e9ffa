//! Bones and slots that are set by hand: `hand=120,80`, `head=30deg`, `weapon=sword`.

use std::fmt;
use std::str::FromStr;

use super::values;
use crate::error::escaped;
use crate::export::error::ParseError;
use crate::math::{Vec2, vec2};

/// A bone that is placed by hand, before constraints: `NAME=X,Y` or `NAME=DEGREESdeg`.
#[derive(Debug, Clone, PartialEq)]
pub struct BoneSpec {
    /// The bone, by name or `#index`.
    pub bone: String,
    /// What is changed.
    pub change: BoneChange,
}

/// What is changed in a bone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum BoneChange {
    /// Its origin, in world pixels, y up.
    Position(Vec2),
    /// Its rotation relative to its parent in degrees, counter-clockwise.
    Degrees(f32),
}

/// What a slot shows in every picture: `SLOT=NAME`, or `SLOT=` for nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct AttachmentSpec {
    /// The slot, by name or `#index`.
    pub slot: String,
    /// The attachment; `None`: nothing is shown.
    pub attachment: Option<String>,
}

impl fmt::Display for BoneSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.change {
            BoneChange::Position(Vec2 { x, y }) => write!(f, "{}={x},{y}", self.bone),
            BoneChange::Degrees(degrees) => write!(f, "{}={degrees}deg", self.bone),
        }
    }
}

impl FromStr for BoneSpec {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let number = |text: &str| values::number(text).ok();
        let change = |value: &str| match value.strip_suffix("deg") {
            Some(degrees) => number(degrees).map(BoneChange::Degrees),
            None => {
                let (x, y) = value.split_once(',')?;
                Some(BoneChange::Position(vec2(number(x)?, number(y)?)))
            }
        };
        // Names may contain the sign.
        let found = text.rsplit_once('=').and_then(|(bone, value)| Some((bone, change(value)?)));
        let (bone, change) = found.ok_or_else(|| {
            ParseError(format!(
                "`{}` is not a bone with its place, expected NAME=X,Y or NAME=30deg",
                escaped(text)
            ))
        })?;
        Ok(Self { bone: bone.to_owned(), change })
    }
}

impl fmt::Display for AttachmentSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.slot, self.attachment.as_deref().unwrap_or_default())
    }
}

impl FromStr for AttachmentSpec {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (slot, name) = text.split_once('=').ok_or_else(|| {
            ParseError(format!(
                "`{}` is not a slot with its attachment, expected SLOT=NAME or SLOT=",
                escaped(text)
            ))
        })?;
        let attachment = Some(name.to_owned()).filter(|name| !name.is_empty());
        Ok(Self { slot: slot.to_owned(), attachment })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_round_trips() {
        for text in ["hand=120,-80.5", "a=b=1,2", "head=30deg", "#3=-0.5deg"] {
            assert_eq!(text.parse::<BoneSpec>().unwrap().to_string(), text);
        }
        for text in ["weapon=sword", "weapon=", "a=b=c"] {
            assert_eq!(text.parse::<AttachmentSpec>().unwrap().to_string(), text);
        }
        assert_eq!("weapon=".parse::<AttachmentSpec>().unwrap().attachment, None);
    }

    #[test]
    fn invalid_forms_are_refused() {
        for text in ["", "hand", "hand=", "hand=1", "hand=1,2,3", "hand=nan,1", "hand=infdeg", "hand=1°"] {
            assert!(text.parse::<BoneSpec>().is_err(), "{text}");
        }
        assert!("weapon".parse::<AttachmentSpec>().is_err());
    }
}
