//! Constraints: a type for each kind. The types have the form of JSON before 4.3, where each kind has a list; their tables
//! also state the fields of 4.3, where all kinds have the same list.

use serde::{Deserialize, Serialize};

use super::modes::{FromProperty, PROPERTIES, PositionMode, RotateMode, ScaleY, ScaleYMode, SpacingMode, uniform};
use super::{Entries, Number, Text, is_default, is_one, is_true, json, one, sparse, yes};
use crate::formats::spine::binary::Layout;
use crate::model::ConstraintKind;

/// All kinds: the type, and the columns of [`KindRow`].
macro_rules! kinds {
    ($($kind:ident $what:literal since $since:ident $requires:literal,)*) => {
        #[derive(Debug, Clone)]
        pub enum Constraint<'a> {
            $($kind($kind<'a>),)*
        }

        /// All kinds, in the order in which files list them before 4.3.
        pub const KINDS: &[ConstraintKind] = &[$(ConstraintKind::$kind),*];

        /// The kinds in JSON.
        #[derive(Deserialize, Serialize)]
        #[serde(remote = "ConstraintKind", rename_all = "camelCase", expecting = "enum ConstraintType")]
        pub enum ConstraintType {
            $($kind,)*
        }

        impl ConstraintKind {
            pub(in crate::formats::spine) fn row(self) -> &'static KindRow {
                match self {
                    $(Self::$kind => {
                        &KindRow { what: $what, since: Layout::$since, requires: $requires }
                    })*
                }
            }
        }

        impl<'a> Constraint<'a> {
            pub fn kind(&self) -> ConstraintKind {
                match self {
                    $(Self::$kind(_) => ConstraintKind::$kind,)*
                }
            }

            pub fn name(&self) -> &Text<'a> {
                match self {
                    $(Self::$kind(it) => &it.name,)*
                }
            }

            pub fn order(&self) -> i64 {
                match self {
                    $(Self::$kind(it) => it.order,)*
                }
            }

            pub fn set_order(&mut self, order: i64) {
                match self {
                    $(Self::$kind(it) => it.order = order,)*
                }
            }

            /// True if it is only active in skins that list it.
            pub fn needs_skin(&self) -> bool {
                match self {
                    $(Self::$kind(it) => it.skin,)*
                }
            }

            /// Takes the fields of its kind from JSON of 4.3.
            pub fn read(it: &mut json::Constraint<'a>) -> Self {
                match it.kind {
                    $(ConstraintKind::$kind => Self::$kind($kind::read(it)),)*
                }
            }

            /// States all that is not the default in JSON of 4.3.
            #[cfg(feature = "convert")]
            pub fn write(self) -> json::Constraint<'a> {
                let mut it = json::Constraint::new(self.kind());
                match self {
                    $(Self::$kind(constraint) => constraint.write(&mut it),)*
                }
                it
            }
        }

        $(
            impl<'a> OfKind<'a> for $kind<'a> {
                #[cfg(feature = "convert")]
                const KIND: ConstraintKind = ConstraintKind::$kind;

                fn of<'c>(constraint: &'c Constraint<'a>) -> Option<&'c Self> {
                    if let Constraint::$kind(it) = constraint { Some(it) } else { None }
                }

                fn of_mut<'c>(constraint: &'c mut Constraint<'a>) -> Option<&'c mut Self> {
                    if let Constraint::$kind(it) = constraint { Some(it) } else { None }
                }
            }
        )*
    };
}

kinds! {
    Ik "IK constraint" since V2_1 "",
    Transform "transform constraint" since V3_1 "",
    Path "path constraint" since V3_4 "",
    Physics "physics constraint" since V4_2 "physics requires 4.2",
    Slider "slider" since V4_3 "sliders require 4.3",
}

/// What all constraints of a kind have in common.
pub struct KindRow {
    /// What messages call a constraint.
    pub what: &'static str,
    /// The first layout that has it.
    pub since: Layout,
    /// Why an earlier version does not have it.
    #[cfg_attr(not(feature = "convert"), expect(dead_code, reason = "only for conversion"))]
    pub requires: &'static str,
}

/// A constraint of one kind.
pub trait OfKind<'a>: Sized {
    #[cfg(feature = "convert")]
    const KIND: ConstraintKind;

    /// Returns the constraint if it is of this kind.
    fn of<'c>(constraint: &'c Constraint<'a>) -> Option<&'c Self>;

    /// Like [`Self::of`], to be changed.
    fn of_mut<'c>(constraint: &'c mut Constraint<'a>) -> Option<&'c mut Self>;
}

/// Takes a field from JSON of 4.3.
macro_rules! read {
    ($it:ident) => {
        Default::default()
    };
    ($it:ident name name) => {
        $it.name.clone()
    };
    // It is always written.
    ($it:ident $listed:ident always) => {
        $it.$listed.take().unwrap_or_default()
    };
    // Its default depends on another field.
    ($it:ident $listed:ident stated) => {
        $it.$listed.take()
    };
    ($it:ident $listed:ident offset) => {
        ScaleY::take_offset(&mut $it.$listed)
    };
    ($it:ident $listed:ident mode) => {
        ScaleY::take_mode(&mut $it.$listed)
    };
    // Several fields.
    ($it:ident properties Links) => {
        Some(Links::read($it))
    };
    ($it:ident bone Driver) => {
        $it.bone.is_some().then(|| Driver::read($it))
    };
    ($it:ident $listed:ident ($default:expr)) => {
        $it.$listed.take().unwrap_or($default)
    };
}

/// States a field in JSON of 4.3.
#[cfg(feature = "convert")]
macro_rules! write {
    ($it:ident $value:expr) => {};
    ($it:ident $value:expr, name name) => {
        $it.name = $value
    };
    ($it:ident $value:expr, $listed:ident always) => {
        $it.$listed = Some($value)
    };
    ($it:ident $value:expr, $listed:ident stated) => {
        $it.$listed = $value
    };
    ($it:ident $value:expr, $listed:ident offset) => {
        $it.$listed = ($value != Number(0.0)).then_some(ScaleY::Offset($value))
    };
    ($it:ident $value:expr, $listed:ident mode) => {
        $it.$listed = ($value != ScaleYMode::None).then_some(ScaleY::Mode($value))
    };
    ($it:ident $value:expr, properties Links) => {
        $value.unwrap_or_default().write($it)
    };
    ($it:ident $value:expr, bone Driver) => {
        if let Some(driver) = $value {
            driver.write($it);
        }
    };
    ($it:ident $value:expr, $listed:ident ($default:expr)) => {
        $it.$listed = ($value != $default).then_some($value)
    };
}

/// Reads and writes the fields of a struct that are followed by a field of 4.3, and by its default or how it is stated.
macro_rules! mirror {
    ($name:ident { $($field:ident $($listed:ident $way:tt)?,)* }) => {
        impl<'a> $name<'a> {
            fn read(it: &mut json::Constraint<'a>) -> Self {
                Self { $($field: read!(it $($listed $way)?),)* }
            }

            #[cfg(feature = "convert")]
            fn write(self, it: &mut json::Constraint<'a>) {
                $(write!(it self.$field $(, $listed $way)?);)*
            }
        }
    };
}

/// A kind of constraint that JSON has before 4.3, too: fields as in `sparse!`, each with its field of 4.3 as in `mirror!`.
macro_rules! constraint {
    ($(#[$of_struct:meta])* pub struct $name:ident<'a> {
        $(
            $(#[$of_field:meta])*
            pub $field:ident: $type:ty $(= $is_default:literal $(or $default:literal)?)? $(=> $listed:ident $way:tt)?,
        )*
    }) => {
        sparse! {
            #[derive(Debug, Clone, Deserialize, Serialize)]
            #[serde(rename_all = "camelCase")]
            $(#[$of_struct])*
            pub struct $name<'a> {
                #[serde(borrow)]
                pub name: Text<'a>,
                pub order: i64 = "is_default",
                pub skin: bool = "is_default",
                $($(#[$of_field])* pub $field: $type $(= $is_default $(or $default)?)?,)*
            }
        }

        mirror! { $name { name name name, order, skin skin (false), $($field $($listed $way)?,)* } }
    };
}

const ZERO: Number = Number(0.0);
const ONE: Number = Number(1.0);

constraint! {
    #[derive(Default)]
    pub struct Ik<'a> {
        pub bones: Vec<Text<'a>> => bones always,
        pub target: Text<'a> => target always,
        pub mix: Number = "is_one" or "one" => mix (ONE),
        pub softness: Number = "is_default" => softness (ZERO),
        pub bend_positive: bool = "is_true" or "yes" => bend_positive (true),
        pub compress: bool = "is_default" => compress (false),
        pub stretch: bool = "is_default" => stretch (false),
        /// Before 4.3, only whether it is uniform.
        #[serde(rename = "uniform", with = "uniform")]
        pub scale_y: ScaleYMode = "is_default" => scale_y mode,
    }
}

constraint! {
    #[derive(Default)]
    pub struct Transform<'a> {
        #[serde(default)]
        pub bones: Vec<Text<'a>> => bones always,
        /// Replaced by `bones` in 3.4.
        #[serde(default, skip_serializing)]
        pub bone: Option<Text<'a>>,
        pub target: Text<'a> => source always,
        pub rotation: Number = "is_default" => rotation (ZERO),
        pub x: Number = "is_default" => x (ZERO),
        pub y: Number = "is_default" => y (ZERO),
        pub scale_x: Number = "is_default" => scale_x (ZERO),
        pub scale_y: Number = "is_default" => scale_y offset,
        pub shear_y: Number = "is_default" => shear_y (ZERO),
        /// Before 4.0.
        pub rotate_mix: Option<Number> = "Option::is_none",
        /// Before 4.0.
        pub translate_mix: Option<Number> = "Option::is_none",
        /// Before 4.0.
        pub scale_mix: Option<Number> = "Option::is_none",
        /// Before 4.0.
        pub shear_mix: Option<Number> = "Option::is_none",
        pub mix_rotate: Option<Number> = "Option::is_none" => mix_rotate stated,
        pub mix_x: Option<Number> = "Option::is_none" => mix_x stated,
        /// Defaults to `mix_x`.
        pub mix_y: Option<Number> = "Option::is_none" => mix_y stated,
        pub mix_scale_x: Option<Number> = "Option::is_none" => mix_scale_x stated,
        /// Defaults to `mix_scale_x`.
        pub mix_scale_y: Option<Number> = "Option::is_none" => mix_scale_y stated,
        pub mix_shear_y: Option<Number> = "Option::is_none" => mix_shear_y stated,
        pub local: bool = "is_default" => local_source (false),
        pub relative: bool = "is_default" => additive (false),
        /// Since 4.3.
        #[serde(skip)]
        pub links: Option<Links<'a>> => properties Links,
    }
}

/// The part of a transform constraint that 4.3 has brought.
#[derive(Debug, Clone, Default)]
pub struct Links<'a> {
    pub properties: Entries<'a, FromProperty<'a>>,
    /// Changes local poses; `local` says which pose of the source is read.
    pub local_target: bool,
    /// Limits what drives a property to its range.
    pub clamp: bool,
}

mirror! { Links { properties properties always, local_target local_target (false), clamp clamp (false), } }

constraint! {
    #[derive(Default)]
    pub struct Path<'a> {
        pub bones: Vec<Text<'a>> => bones always,
        pub target: Text<'a> => slot always,
        pub position_mode: PositionMode = "is_default" => position_mode (PositionMode::Percent),
        pub spacing_mode: SpacingMode = "is_default" => spacing_mode (SpacingMode::Length),
        pub rotate_mode: RotateMode = "is_default" => rotate_mode (RotateMode::Tangent),
        pub rotation: Number = "is_default" => rotation (ZERO),
        pub position: Number = "is_default" => position (ZERO),
        pub spacing: Number = "is_default" => spacing (ZERO),
        /// Before 4.0.
        pub rotate_mix: Option<Number> = "Option::is_none",
        /// Before 4.0.
        pub translate_mix: Option<Number> = "Option::is_none",
        pub mix_rotate: Option<Number> = "Option::is_none" => mix_rotate stated,
        pub mix_x: Option<Number> = "Option::is_none" => mix_x stated,
        /// Defaults to `mix_x`.
        pub mix_y: Option<Number> = "Option::is_none" => mix_y stated,
    }
}

constraint! {
    #[derive(Default)]
    pub struct Physics<'a> {
        pub bone: Text<'a> => bone always,
        pub x: Number = "is_default" => x (ZERO),
        pub y: Number = "is_default" => y (ZERO),
        pub rotate: Number = "is_default" => rotate (ZERO),
        pub scale_x: Number = "is_default" => scale_x (ZERO),
        pub shear_x: Number = "is_default" => shear_x (ZERO),
        pub limit: Number = "is_whole::<5000>" or "whole::<5000>" => limit (Physics::LIMIT),
        pub fps: Number = "is_whole::<60>" or "whole::<60>" => fps (Number(60.0)),
        pub inertia: Number = "is_one" or "one" => inertia (Number(0.5)),
        pub strength: Number = "is_whole::<100>" or "whole::<100>" => strength (Number(100.0)),
        pub damping: Number = "is_one" or "one" => damping (Number(0.85)),
        pub mass: Number = "is_one" or "one" => mass (ONE),
        pub wind: Number = "is_default" => wind (ZERO),
        pub gravity: Number = "is_default" => gravity (ZERO),
        pub mix: Number = "is_one" or "one" => mix (ONE),
        pub inertia_global: bool = "is_default" => inertia_global (false),
        pub strength_global: bool = "is_default" => strength_global (false),
        pub damping_global: bool = "is_default" => damping_global (false),
        pub mass_global: bool = "is_default" => mass_global (false),
        pub wind_global: bool = "is_default" => wind_global (false),
        pub gravity_global: bool = "is_default" => gravity_global (false),
        pub mix_global: bool = "is_default" => mix_global (false),
        /// Since 4.3.
        #[serde(skip)]
        pub scale_y: ScaleYMode => scale_y mode,
    }
}

/// Applies an animation at a time of its own, or at one given by a property of a bone. Since 4.3.
#[derive(Debug, Clone)]
pub struct Slider<'a> {
    pub name: Text<'a>,
    pub order: i64,
    pub skin: bool,
    pub animation: Text<'a>,
    pub additive: bool,
    pub looping: bool,
    pub time: Number,
    pub mix: Number,
    pub driver: Option<Driver<'a>>,
}

mirror! {
    Slider {
        name name name,
        order,
        skin skin (false),
        animation animation always,
        additive additive (false),
        looping looping (false),
        time time (ZERO),
        mix mix (ONE),
        driver bone Driver,
    }
}

/// The property of a bone that moves a slider.
#[derive(Debug, Clone)]
pub struct Driver<'a> {
    pub bone: Text<'a>,
    pub property: Text<'a>,
    pub local: bool,
    pub from: Number,
    pub to: Number,
    pub scale: Number,
    #[cfg_attr(not(feature = "convert"), expect(dead_code, reason = "only written"))]
    pub max: Option<Number>,
}

mirror! {
    Driver {
        bone bone always,
        property property always,
        local local (false),
        from from (ZERO),
        to to (ZERO),
        scale scale (ONE),
        max max stated,
    }
}

impl Links<'_> {
    /// Returns true if a property is driven. Unknown ones drive nothing.
    pub fn drives(&self, name: &str) -> bool {
        let known = self.properties.0.iter().filter(|(from, _)| PROPERTIES.contains(&from.as_str()));
        known.flat_map(|(_, from)| &from.to.0).any(|(to, _)| to.as_str() == name)
    }
}

impl<'a> Constraint<'a> {
    /// The bones that it moves or follows.
    pub fn bones(&self) -> impl Iterator<Item = &Text<'a>> {
        let (moved, other): (&[_], _) = match self {
            Self::Ik(it) => (&it.bones, Some(&it.target)),
            Self::Transform(it) => (&it.bones, Some(&it.target)),
            Self::Path(it) => (&it.bones, None),
            Self::Physics(it) => (&[], Some(&it.bone)),
            Self::Slider(it) => (&[], it.driver.as_ref().map(|driver| &driver.bone)),
        };
        moved.iter().chain(other)
    }
}

impl Physics<'_> {
    pub const LIMIT: Number = Number(5000.0);
}

fn whole<const N: u16>() -> Number {
    Number(N.into())
}

fn is_whole<const N: u16>(number: &Number) -> bool {
    *number == whole::<N>()
}

impl Transform<'_> {
    /// The mixes in the order of [`PROPERTIES`](super::PROPERTIES), as they are stated since 4.0.
    #[cfg(feature = "convert")]
    pub fn stated_mixes(&self) -> [Option<Number>; 6] {
        [self.mix_rotate, self.mix_x, self.mix_y, self.mix_scale_x, self.mix_scale_y, self.mix_shear_y]
    }

    /// States mixes in the order of [`PROPERTIES`](super::PROPERTIES).
    pub fn set_mixes(&mut self, mixes: [Option<Number>; 6]) {
        [self.mix_rotate, self.mix_x, self.mix_y, self.mix_scale_x, self.mix_scale_y, self.mix_shear_y] = mixes;
    }

    /// The mixes of rotation, x, y, scale x, scale y and shear y, in the form of any version.
    pub fn mixes(&self) -> [Number; 6] {
        let x = self.mix_x.or(self.translate_mix).unwrap_or(ONE);
        let scale_x = self.mix_scale_x.or(self.scale_mix).unwrap_or(ONE);
        [
            self.mix_rotate.or(self.rotate_mix).unwrap_or(ONE),
            x,
            self.mix_y.unwrap_or(x),
            scale_x,
            self.mix_scale_y.unwrap_or(scale_x),
            self.mix_shear_y.or(self.shear_mix).unwrap_or(ONE),
        ]
    }

    /// States the mixes of y and scale y that drive something although the mixes of x and scale x, otherwise their
    /// defaults, do not. `omitted` is the value of a mix that is not stated; `None` stands for the value in earlier
    /// versions.
    pub fn state_split_mixes(&mut self, omitted: Option<Number>) {
        let Some(links) = &self.links else { return };
        let split = [("x", "y"), ("scaleX", "scaleY")].map(|(x, y)| !links.drives(x) && links.drives(y));
        let [_, _, y, _, scale_y, _] = self.mixes();
        for (is_split, mix, now) in [(split[0], &mut self.mix_y, y), (split[1], &mut self.mix_scale_y, scale_y)] {
            if is_split {
                mix.get_or_insert(omitted.unwrap_or(now));
            }
        }
    }
}

impl Path<'_> {
    /// The mixes of rotation, x and y, in the form of any version.
    pub fn mixes(&self) -> [Number; 3] {
        let x = self.mix_x.or(self.translate_mix).unwrap_or(ONE);
        [self.mix_rotate.or(self.rotate_mix).unwrap_or(ONE), x, self.mix_y.unwrap_or(x)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lists are sorted by kind, and kinds are indices of arrays of this length.
    #[test]
    fn kinds_have_the_order_of_the_model() {
        assert!(KINDS.iter().enumerate().all(|(at, kind)| *kind as usize == at));
    }
}
