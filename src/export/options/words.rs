//! Options whose values have names on the command line.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::format::Format;
use super::look::Backend;
use super::psd::PsdGroups;
use super::sheet::{SheetDurations, SheetLayout, SheetProfile, SheetTrim};
use super::surface::{Additive, Alpha};
use super::table::Value;
use crate::draw::{Antialias, Filter};

/// A choice with a name on the command line.
pub trait Choice: Copy + Send + Sync + 'static {
    /// Returns all values.
    fn all() -> &'static [Self];
    /// Returns the name and the `--help` text.
    fn described(self) -> PossibleValue;
}

/// Implements [`Choice`] and [`Value`] for enums that have `ALL`, `name` and `about`.
macro_rules! choices {
    ($($kind:ident),*) => {$(
        impl Choice for $kind {
            fn all() -> &'static [Self] {
                &Self::ALL
            }

            fn described(self) -> PossibleValue {
                PossibleValue::new(self.name()).help(self.about())
            }
        }

        impl Value for $kind {
            fn words(&self) -> Vec<Option<String>> {
                vec![Some(self.name().to_owned())]
            }
        }
    )*};
}

#[rustfmt::skip]
choices!(
    Filter, Antialias, Alpha, Additive, Backend, Format, PsdGroups, SheetProfile, SheetLayout, SheetTrim, SheetDurations
);

/// Returns the command-line name of an option value.
pub fn word(choice: &impl Choice) -> String {
    choice.described().get_name().to_owned()
}

/// Parses a choice by its name.
pub fn choice<T: Choice>() -> impl TypedValueParser<Value = T> {
    let named = |name: String| T::all().iter().copied().find(|choice| word(choice) == name).ok_or("unknown name");
    PossibleValuesParser::new(T::all().iter().map(|choice| choice.described())).try_map(named)
}

/// Parses an [`Antialias`] mode, or `auto` as `None`.
pub fn antialias() -> impl TypedValueParser<Value = Option<Antialias>> {
    let auto = PossibleValue::new("auto").help(
        "For files: ssaa2 if the picture is smaller than the character, otherwise none; in a window: depends on the zoom",
    );
    let others = Antialias::all().iter().map(|mode| mode.described());
    let known = |name: String| Antialias::all().iter().copied().find(|mode| word(mode) == name);
    PossibleValuesParser::new(std::iter::once(auto).chain(others)).map(known)
}
