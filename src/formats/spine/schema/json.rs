//! The root of JSON: constraints in a list for each kind before 4.3, and in one list since.
//!
//! [`constraint_list`](crate::formats::spine::constraint_list) converts it from and to documents.

use serde::{Deserialize, Serialize};

use super::constraints::ConstraintType;
use super::modes::{FromProperty, PositionMode, RotateMode, ScaleY, SpacingMode};
use super::{Animation, Bone, Entries, Event, Ik, Number, Path, Physics, Skeleton, Skins, Slot, Text, Transform};
use crate::formats::json::pull::{pulled_by_serde, pulled_objects};
use crate::formats::spine::version::Version;
use crate::model::ConstraintKind;

#[derive(Debug, Default, Serialize)]
pub struct Root<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skeleton: Option<Skeleton<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub bones: Vec<Bone<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub slots: Vec<Slot<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ik: Vec<Ik<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub transform: Vec<Transform<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub path: Vec<Path<'a>>,
    /// In 4.2.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub physics: Vec<Physics<'a>>,
    /// Since 4.3, instead of the lists above.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub constraints: Vec<Constraint<'a>>,
    #[serde(skip_serializing_if = "Skins::is_empty")]
    pub skins: Skins<'a>,
    #[serde(skip_serializing_if = "Entries::is_empty")]
    pub events: Entries<'a, Event<'a>>,
    #[serde(skip_serializing_if = "Entries::is_empty")]
    pub animations: Entries<'a, Animation<'a>>,
    /// The version by whose rules the skeleton is played.
    #[serde(skip)]
    pub version: Version,
}

pulled_objects! {
    Root<'a>, "struct Root" {
        "skeleton" => skeleton,
        "bones" => bones,
        "slots" => slots,
        "ik" => ik,
        "transform" => transform,
        "path" => path,
        "physics" => physics,
        "constraints" => constraints,
        "skins" => skins,
        "events" => events,
        "animations" => animations,
    }
}

pulled_by_serde! { Ik<'a>, Transform<'a>, Path<'a>, Physics<'a>, Constraint<'a> }

macro_rules! constraint {
    ($($field:ident: $type:ty = $name:literal,)*) => {
        /// A constraint of any kind since 4.3: the fields of all of them.
        #[derive(Debug, Clone, Deserialize, Serialize)]
        pub struct Constraint<'a> {
            #[serde(rename = "type", with = "ConstraintType")]
            pub kind: ConstraintKind,
            #[serde(borrow)]
            pub name: Text<'a>,
            $(
                #[serde(rename = $name, default, skip_serializing_if = "Option::is_none")]
                pub $field: Option<$type>,
            )*
        }

        impl<'a> Constraint<'a> {
            /// Creates a constraint without a name and any optional field.
            #[cfg(feature = "convert")]
            pub fn new(kind: ConstraintKind) -> Self {
                Self { kind, name: Text::default(), $($field: None,)* }
            }

            /// The names of the optional fields that it has.
            pub fn given(&self) -> impl Iterator<Item = &'static str> {
                [$(self.$field.is_some().then_some($name),)*].into_iter().flatten()
            }
        }
    };
}

constraint! {
    skin: bool = "skin",
    bones: Vec<Text<'a>> = "bones",
    bone: Text<'a> = "bone",
    target: Text<'a> = "target",
    source: Text<'a> = "source",
    slot: Text<'a> = "slot",
    animation: Text<'a> = "animation",
    property: Text<'a> = "property",
    from: Number = "from",
    to: Number = "to",
    max: Number = "max",
    scale: Number = "scale",
    local: bool = "local",
    local_source: bool = "localSource",
    local_target: bool = "localTarget",
    additive: bool = "additive",
    looping: bool = "loop",
    clamp: bool = "clamp",
    properties: Entries<'a, FromProperty<'a>> = "properties",
    position_mode: PositionMode = "positionMode",
    spacing_mode: SpacingMode = "spacingMode",
    rotate_mode: RotateMode = "rotateMode",
    rotation: Number = "rotation",
    x: Number = "x",
    y: Number = "y",
    rotate: Number = "rotate",
    scale_x: Number = "scaleX",
    scale_y: ScaleY = "scaleY",
    shear_x: Number = "shearX",
    shear_y: Number = "shearY",
    limit: Number = "limit",
    fps: Number = "fps",
    inertia: Number = "inertia",
    strength: Number = "strength",
    damping: Number = "damping",
    mass: Number = "mass",
    wind: Number = "wind",
    gravity: Number = "gravity",
    time: Number = "time",
    position: Number = "position",
    spacing: Number = "spacing",
    mix: Number = "mix",
    mix_rotate: Number = "mixRotate",
    mix_x: Number = "mixX",
    mix_y: Number = "mixY",
    mix_scale_x: Number = "mixScaleX",
    mix_scale_y: Number = "mixScaleY",
    mix_shear_y: Number = "mixShearY",
    softness: Number = "softness",
    bend_positive: bool = "bendPositive",
    compress: bool = "compress",
    stretch: bool = "stretch",
    inertia_global: bool = "inertiaGlobal",
    strength_global: bool = "strengthGlobal",
    damping_global: bool = "dampingGlobal",
    mass_global: bool = "massGlobal",
    wind_global: bool = "windGlobal",
    gravity_global: bool = "gravityGlobal",
    mix_global: bool = "mixGlobal",
}
