//! Structs of options. Each field is a row: its doc comment is the text of `--help`, `arg` states name and values, and the
//! value after `=` is the default. From the same row, the option is parsed, reset and written back as arguments.

use std::path::PathBuf;

use clap::{Args, Command};

use super::area::{Fit, Padding, Size};
use super::background::{Background, BackgroundFit};
use super::contact_grid::ContactGrid;
use super::frame_spec::FrameSpec;
use super::name_pattern::NamePattern;
use super::overlay_choice::OverlayChoice;
use super::parts::{AttachmentSpec, BoneSpec};
use super::sheet::SheetOptions;
use super::sheet_name::SheetName;
use super::stage::StagedCharacter;
use super::track::TrackSpec;
use crate::math::Vec2;
use crate::math::color::hex;

/// Declares a struct of options.
macro_rules! options {
    (
        $(#[$of_struct:meta])*
        pub struct $name:ident {
            $($(#[$of_field:meta])* pub $field:ident: $kind:ty $(= $default:expr)?,)*
        }
    ) => {
        #[derive(Debug, Clone, PartialEq, clap::Args)]
        $(#[$of_struct])*
        pub struct $name {
            $($(#[$of_field])* pub $field: $kind,)*
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $($field: $crate::export::options::table::default_of!($($default)?),)* }
            }
        }

        impl $crate::export::options::table::Options for $name {
            fn command() -> &'static clap::Command {
                static COMMAND: std::sync::LazyLock<clap::Command> =
                    std::sync::LazyLock::new(|| <$name as clap::Args>::augment_args(clap::Command::new("")));
                &COMMAND
            }

            fn words(&self) -> Vec<Vec<Option<String>>> {
                let defaults = Self::default();
                vec![$(
                    if self.$field == defaults.$field {
                        Vec::new()
                    } else {
                        $crate::export::options::table::Value::words(&self.$field)
                    },
                )*]
            }
        }
    };
}

/// The default of a field: the value after `=`, or that of its type.
macro_rules! default_of {
    () => {
        Default::default()
    };
    ($default:expr) => {
        $default
    };
}

pub(crate) use {default_of, options};

/// A struct of options.
pub trait Options: Args {
    /// Returns a command with these options, in the order of the fields.
    fn command() -> &'static Command;

    /// By field, the words of its occurrences on a command line: none if it has its default value.
    fn words(&self) -> Vec<Vec<Option<String>>>;
}

/// The value of an option.
pub trait Value {
    /// Returns the word of each occurrence on a command line; `None` for an occurrence without a word.
    fn words(&self) -> Vec<Option<String>>;
}

impl<T: Value> Value for Option<T> {
    fn words(&self) -> Vec<Option<String>> {
        self.iter().flat_map(Value::words).collect()
    }
}

impl<T: Value> Value for Vec<T> {
    fn words(&self) -> Vec<Option<String>> {
        self.iter().flat_map(Value::words).collect()
    }
}

/// A flag, or a switch with an optional value.
impl Value for bool {
    fn words(&self) -> Vec<Option<String>> {
        vec![(!self).then(|| "off".to_owned())]
    }
}

/// An opaque colour.
impl Value for [u8; 3] {
    fn words(&self) -> Vec<Option<String>> {
        vec![Some(format!("#{}", hex(self)))]
    }
}

/// A direction or a place: X,Y.
impl Value for Vec2 {
    fn words(&self) -> Vec<Option<String>> {
        vec![Some(format!("{},{}", self.x, self.y))]
    }
}

/// An input file: those follow or precede all options.
impl Value for PathBuf {
    fn words(&self) -> Vec<Option<String>> {
        Vec::new()
    }
}

/// A colour with its opacity.
impl Value for [u8; 4] {
    fn words(&self) -> Vec<Option<String>> {
        vec![Some(format!("#{}", hex(self)))]
    }
}

/// The characters of a stage are tables of their own.
impl Value for StagedCharacter {
    fn words(&self) -> Vec<Option<String>> {
        Vec::new()
    }
}

/// The options of a sheet are written by themselves.
impl Value for SheetOptions {
    fn words(&self) -> Vec<Option<String>> {
        Vec::new()
    }
}

/// Implements [`Value`] for types that are displayed as they are written on a command line.
macro_rules! displayed {
    ($($kind:ty),*) => {$(
        impl Value for $kind {
            fn words(&self) -> Vec<Option<String>> {
                vec![Some(self.to_string())]
            }
        }
    )*};
}

#[rustfmt::skip]
displayed!(
    f32, f64, i32, u16, u32, usize, String, Size, Padding, Fit, Background, BackgroundFit, FrameSpec, NamePattern, TrackSpec, BoneSpec,
    AttachmentSpec, OverlayChoice, ContactGrid, SheetName
);
