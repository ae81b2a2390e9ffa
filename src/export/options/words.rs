//! Names of option values on the command line, and their `--help` texts.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::Backend;
use crate::draw::{Antialias, Filter};
use crate::export::{Additive, Alpha, Format, SheetDurations, SheetLayout, SheetProfile, SheetTrim};

/// A choice with a name on the command line.
pub trait Choice: Copy + Send + Sync + 'static {
    /// Returns all values.
    fn all() -> &'static [Self];
    /// Returns the name and the `--help` text.
    fn described(self) -> PossibleValue;
}

/// Returns the command-line name of an option value.
pub fn word(choice: &impl Choice) -> String {
    choice.described().get_name().to_owned()
}

/// Parses a choice by its name.
pub fn choice<T: Choice>() -> impl TypedValueParser<Value = T> {
    let named = |name: String| T::all().iter().copied().find(|choice| word(choice) == name).ok_or("unknown name");
    PossibleValuesParser::new(T::all().iter().map(|choice| choice.described())).try_map(named)
}

/// Implements [`Choice`] for types that have no `name` and `about` of their own.
macro_rules! words {
    ($($kind:ident { $($variant:ident => $name:literal, $help:literal;)* })*) => {$(
        impl Choice for $kind {
            fn all() -> &'static [Self] {
                &[$(Self::$variant),*]
            }

            fn described(self) -> PossibleValue {
                match self {
                    $(Self::$variant => PossibleValue::new($name).help($help),)*
                }
            }
        }
    )*};
}

words! {
    Filter {
        Auto => "auto", "Nearest if pixel art is magnified by an integer factor, otherwise linear";
        Nearest => "nearest", "The nearest texel";
        Linear => "linear", "Interpolation of the four nearest texels";
    }
    Antialias {
        None => "none", "No antialiasing";
        Msaa4 => "msaa4", "Four coverage samples per pixel";
        Ssaa2 => "ssaa2", "Rendered at twice the size and averaged";
        Ssaa4 => "ssaa4", "Rendered at four times the size and averaged";
    }
    Alpha {
        Straight => "straight", "Colour is not multiplied by alpha, as in PNG";
        Premultiplied => "premultiplied", "Colour is multiplied by alpha, ready for blending";
    }
    Additive {
        Keep => "keep", "Raise alpha to the brightness of the light: exact on black, approximate on other colours";
        Pure => "pure", "Keep alpha unchanged: light that exceeds it is clipped";
    }
    Backend {
        Auto => "auto",
            "The best GPU, or the built-in CPU renderer if there is no GPU or only a software driver";
        Cpu => "cpu", "The built-in CPU renderer, with identical output on every machine";
        Vulkan => "vulkan", "Vulkan";
        Metal => "metal", "Metal";
        Dx12 => "dx12", "Direct3D 12";
        Gl => "gl", "OpenGL";
    }
}

/// Implements [`Choice`] for types that have `name` and `about`.
macro_rules! named {
    ($($kind:ident),*) => {$(
        impl Choice for $kind {
            fn all() -> &'static [Self] {
                &Self::ALL
            }

            fn described(self) -> PossibleValue {
                PossibleValue::new(self.name()).help(self.about())
            }
        }
    )*};
}

named!(Format, SheetProfile, SheetLayout, SheetTrim, SheetDurations);

/// Parses an [`Antialias`] mode, or `auto` as `None`.
pub fn antialias() -> impl TypedValueParser<Value = Option<Antialias>> {
    let auto = PossibleValue::new("auto").help(
        "For files: ssaa2 if the picture is smaller than the character, otherwise none; in a window: depends on the zoom",
    );
    let others = Antialias::all().iter().map(|mode| mode.described());
    let known = |name: String| Antialias::all().iter().copied().find(|mode| word(mode) == name);
    PossibleValuesParser::new(std::iter::once(auto).chain(others)).map(known)
}
