//! `--format` and `--backend` by their names, and which options say nothing to a format.

use clap::ValueEnum;
use clap::builder::PossibleValue;

use super::failure::Failure;
use super::output::Output;
use super::video;
use super::view::{AdditiveArg, AlphaArg, ViewArgs};
use crate::export::{Backend, Format, FormatError};

impl ValueEnum for Format {
    fn value_variants<'a>() -> &'a [Self] {
        &Self::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.name()).help(self.about()))
    }
}

impl ValueEnum for Backend {
    fn value_variants<'a>() -> &'a [Self] {
        &Self::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let help = match self {
            Self::Auto => {
                "The best graphics card; the built-in CPU renderer where there is none, or only a software driver"
            }
            Self::Cpu => "The built-in CPU renderer, the same bytes on every machine",
            Self::Vulkan => "Vulkan",
            Self::Metal => "Metal",
            Self::Dx12 => "Direct3D 12",
            Self::Gl => "OpenGL",
        };
        Some(PossibleValue::new(self.name()).help(help))
    }
}

/// What `-o` and `--format` ask for. Options that say nothing to it are refused.
pub fn chosen(args: &ViewArgs) -> Result<Format, Failure> {
    let asked = args.output.format;
    let format = match &args.output.output {
        // Nothing is written, so nothing is refused.
        None => return Ok(asked.unwrap_or_default()),
        Some(Output::Stdout) => asked.unwrap_or_default(),
        Some(Output::Files { text, template }) => Format::of_path(text, asked).map_err(|error| {
            let help = match &error {
                FormatError::Video(path) => return video::refused(args, path, template),
                FormatError::OtherName { asked, .. } => {
                    format!("end the path in .{}, or leave out --format", asked.extensions()[0])
                }
                FormatError::Unknown(_) => {
                    let known = Format::ALL.map(|format| format!(".{}", format.extensions()[0]));
                    format!("end the path in one of {}, or name a --format", known.join(" "))
                }
            };
            Failure::usage_with_help(error.to_string(), help)
        })?,
    };
    let refuse = |option: &str| {
        let message = format!("--{option} says nothing to {}", format.noun());
        Err(Failure::usage(message))
    };
    match () {
        () if args.show.loops.is_some() && !format.has_loops() => refuse("loops"),
        () if args.output.matte.is_some() && format.has_alpha() => refuse("matte"),
        () if args.output.alpha == AlphaArg::Premultiplied && !format.has_alpha() => refuse("alpha"),
        () if args.output.additive == AdditiveArg::Pure && !format.can_lose_light(args.output.alpha.into()) => {
            match format.has_alpha() {
                true => {
                    Err(Failure::usage("--additive has no effect on premultiplied pixels: they hold all light"))
                }
                false => refuse("additive"),
            }
        }
        () if format != Format::Sheet => args.sheet.given().map_or(Ok(format), refuse),
        () if args.sheet.bleeds() && args.output.alpha == AlphaArg::Premultiplied => {
            Err(Failure::usage("--sheet-bleed colours what is transparent, which premultiplied pixels cannot be"))
        }
        () if args.sheet.has_idle_columns() => {
            Err(Failure::usage("--sheet-columns says nothing to a layout without a grid of its own"))
        }
        () => Ok(format),
    }
}
