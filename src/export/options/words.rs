//! Choices by their names on the command line, and what `--help` says of each.

use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::Backend;
use crate::draw::{Antialias, Filter, Overlay};
use crate::export::{Additive, Alpha, Format, SheetDurations, SheetLayout, SheetProfile, SheetTrim};

/// What a choice is called on the command line.
pub fn word(choice: &impl ValueEnum) -> String {
    choice.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}

/// Choices whose types know no names.
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
        Auto => "auto", "Nearest at whole-number magnifications of small pages, linear otherwise";
        Nearest => "nearest", "The nearest texel";
        Linear => "linear", "Between the four nearest texels";
    }
    Antialias {
        None => "none", "Not at all";
        Msaa4 => "msaa4", "Four coverage samples a pixel";
        Ssaa2 => "ssaa2", "Twice the size, averaged";
        Ssaa4 => "ssaa4", "Four times the size, averaged";
    }
    Alpha {
        Straight => "straight", "As PNG wants it";
        Premultiplied => "premultiplied", "As blending wants it";
    }
    Additive {
        Keep => "keep", "Raise alpha to the light: exact over black, and a picture of the light over other colours";
        Pure => "pure", "Leave alpha as it is: light beyond it is cut off";
    }
    Backend {
        Auto => "auto",
            "The best graphics card; the built-in CPU renderer where there is none, or only a software driver";
        Cpu => "cpu", "The built-in CPU renderer, the same bytes on every machine";
        Vulkan => "vulkan", "Vulkan";
        Metal => "metal", "Metal";
        Dx12 => "dx12", "Direct3D 12";
        Gl => "gl", "OpenGL";
    }
}

/// Choices whose types know their names.
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

named!(Format, Overlay, SheetProfile, SheetLayout, SheetTrim, SheetDurations);

/// Parses [`Antialias`] or `auto`, which is `None`.
pub fn antialias() -> impl TypedValueParser<Value = Option<Antialias>> {
    let auto = PossibleValue::new("auto").help(
        "For files: ssaa2 if the picture is smaller than the character, else none; in a window: depends on the zoom",
    );
    let others = Antialias::value_variants().iter().filter_map(ValueEnum::to_possible_value);
    let known = |word: String| Antialias::value_variants().iter().copied().find(|mode| self::word(mode) == word);
    PossibleValuesParser::new(std::iter::once(auto).chain(others)).map(known)
}
