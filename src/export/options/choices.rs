//! The names of option values on the command line, and their `--help` texts.

use clap::builder::PossibleValue;

use super::Backend;
use super::words::Choice;
use crate::draw::{Antialias, Filter};
use crate::export::{Additive, Alpha, Format, SheetDurations, SheetLayout, SheetProfile, SheetTrim};

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
