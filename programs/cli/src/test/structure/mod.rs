//! `structure.json`: properties of a character that its pictures do not show, stored beside its references.
//!
//! It contains facts about all items, durations, events, the setup pose, the course of all that moves over each animation, and the area
//! that its pictures show. Numbers are rounded, and names sorted, so that an unchanged export gives the same bytes, and a
//! change is a few lines in a review.

mod compare;
mod course;
mod file;
mod moving;
mod pictures;
mod recording;
mod sample;
mod sampler;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::shared::json_output::JsonOutput;
use pchr::math::{Rect, vec2};
use pchr::outline::Comparable;

pub use compare::growth;
use course::Course;
pub use file::FILE;
pub use recording::{Outcome, Recording, structure_path};
pub use sample::{animation_names, fit_name};

/// The properties of a character that its pictures do not show. No character has the same top-level keys, so it is not
/// mistaken for one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Structure {
    /// How the areas were chosen. They are used as long as the settings say the same.
    pub fit: String,
    /// Facts about bones, slots, skins, constraints and events, by kind and name; later ones of the same name have a
    /// number.
    pub items: Items,
    /// All animations by name; later ones of the same name have a number.
    pub motions: BTreeMap<String, Motion>,
    /// Checksums of the pictures of a sheet, by name; later ones of the same name have a number.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub pictures: BTreeMap<String, u32>,
    /// World units to which positions are rounded. Positions that differ by up to twice as much are equal.
    pub precision: f64,
    /// Name and version of this schema.
    #[schemars(extend("const" = Structure::SCHEMA))]
    pub schema: String,
    /// The setup pose.
    pub setup: Setup,
}

impl Structure {
    /// Returns the area of an animation, or of the setup pose.
    pub fn area(&self, animation: Option<&str>) -> Option<Area> {
        animation.map_or(self.setup.area, |name| self.motions.get(name)?.area)
    }

    /// Returns true if both are of the same pictures.
    pub fn has_same_pictures(&self, other: &Self) -> bool {
        let pictures = |structure: &Self| {
            let motions = structure.motions.iter().map(|(name, motion)| (Some(name.clone()), motion.area));
            motions.chain([(None, structure.setup.area)]).collect::<Vec<_>>()
        };
        self.fit == other.fit && pictures(self) == pictures(other)
    }
}

impl JsonOutput for Structure {
    const SCHEMA: &'static str = "pchr.structure/3";
}

/// Facts by item and name.
type Items = BTreeMap<String, BTreeMap<String, Comparable>>;

/// Bones by name; later ones of the same name have a number.
type Bones = BTreeMap<String, Option<Placement>>;

/// The setup pose.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Setup {
    /// The area that its picture shows; absent if none was rendered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub area: Option<Area>,
    /// All bones by name; null for those that are inactive, or below a bone without any size.
    pub bones: Bones,
    /// What is drawn, back to front.
    pub drawn: Vec<Drawn>,
}

/// An animation.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Motion {
    /// The area that its pictures show; absent if none was rendered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub area: Option<Area>,
    /// The bones and slots that change. Of each value, compared with the setup pose: minimum, maximum, mean, trend and mean
    /// step for each of eight spans, or one number for a span in which it is constant, or for all.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub courses: BTreeMap<String, Course>,
    /// Events, in the order in which they fire.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<Event>,
    /// Whether it loops.
    pub looping: bool,
    /// Duration in seconds.
    pub seconds: f64,
    /// Number of stored frames; absent for animations of keys.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stored_frames: Option<u32>,
}

/// A visible area in world units, without padding.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Area {
    /// The lower edge.
    pub bottom: f32,
    /// The height.
    pub height: f32,
    /// The left edge.
    pub left: f32,
    /// The width.
    pub width: f32,
}

impl Area {
    /// Creates an area from a rectangle.
    pub fn of(rect: Rect) -> Self {
        let size = rect.size();
        Self { bottom: rect.min.y, height: size.y, left: rect.min.x, width: size.x }
    }

    /// Returns the rectangle, with finite sides if it was read from a file.
    pub fn rect(self) -> Rect {
        Rect::from_min_size(vec2(self.left, self.bottom), vec2(self.width, self.height))
    }
}

/// An event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Event {
    /// Name, followed by its payload unless that is the default.
    pub event: String,
    /// Seconds from the start of the animation.
    pub seconds: f64,
}

/// A slot that is drawn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Drawn {
    /// Name of the attachment.
    pub attachment: String,
    /// Name of the slot; later ones of the same name have a number.
    pub slot: String,
}

/// The transform of a bone relative to its parent, after constraints.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Placement {
    /// Degrees, counter-clockwise.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub rotation: f64,
    /// Scale along the x axis; 1 if absent.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub scale_x: f64,
    /// Scale along the y axis, negative if mirrored; 1 if absent.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub scale_y: f64,
    /// Degrees by which the axes are not at a right angle.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub shear: f64,
    /// Position along the x axis of the parent, in world units.
    pub x: f64,
    /// Position along the y axis of the parent, in world units.
    pub y: f64,
}

fn one() -> f64 {
    1.0
}

fn is_one(value: &f64) -> bool {
    *value == 1.0
}

fn is_zero(value: &f64) -> bool {
    *value == 0.0
}
