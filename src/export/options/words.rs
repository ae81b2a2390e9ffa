//! Names of option values on the command line, and their `--help` texts.

use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::Backend;
use crate::draw::{Antialias, Filter};
use crate::export::{Additive, Alpha, Format, SheetDurations, SheetLayout, SheetProfile, SheetTrim};

/// Returns the command-line name of an option value.
pub fn word(choice: &impl ValueEnum) -> String {
    choice.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}

/// Implements [`ValueEnum`] for types that have no `name` and `about` of their own.
macro_rules! words {
    ($($kind:ident { $($variant:ident => $name:literal, $help:literal;)* })*) => {$(
        impl ValueEnum for $kind {
            fn value_variants<'a>() -> &'a [Self] {
                &[$(Self::$variant),*]
            }

            fn to_possible_value(&self) -> Option<PossibleValue> {
                match self {
                    $(Self::$variant => Some(PossibleValue::new($name).help($help)),)*
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

/// Implements [`ValueEnum`] for types that have `name` and `about`.
macro_rules! named {
    ($($kind:ident),*) => {$(
        impl ValueEnum for $kind {
            fn value_variants<'a>() -> &'a [Self] {
                &Self::ALL
            }

            fn to_possible_value(&self) -> Option<PossibleValue> {
                Some(PossibleValue::new(self.name()).help(self.about()))
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
    let others = Antialias::value_variants().iter().filter_map(ValueEnum::to_possible_value);
    let known = |word: String| Antialias::value_variants().iter().copied().find(|mode| self::word(mode) == word);
    PossibleValuesParser::new(std::iter::once(auto).chain(others)).map(known)
}
