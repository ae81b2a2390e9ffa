//! Parts of the JSON forms that are read and written alike.

use serde::{Deserialize, Serialize};

use crate::formats::json::number::Number;

/// One bone in one frame.
#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
#[serde(rename_all = "camelCase")]
pub(super) struct Transform {
    /// Offset from the parent in pixels.
    pub x: Number,
    /// Offset from the parent in pixels.
    pub y: Number,
    /// Degrees, counter-clockwise, relative to the parent.
    pub rotation: Number,
    /// Scale across the bone.
    pub scale_x: Number,
    /// Scale along the bone.
    pub scale_y: Number,
    /// Whether the meshes of this bone are shown.
    pub visible: bool,
    /// All flags; present only if a reserved bit is set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flags: Option<u8>,
    /// Higher draws on top.
    pub z_order: i16,
}

/// A bone and its weight.
#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub(super) struct Influence {
    /// Index into `bones`.
    pub idx: u16,
    /// Its weight.
    pub weight: Number,
}
