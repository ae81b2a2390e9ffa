//! What pictures are written as: told by `--format`, or by how the path ends.

use std::path::Path;

use clap::ValueEnum;

use super::failure::Failure;
use super::output::Output;
use super::view::{AlphaArg, ViewArgs};
use crate::export::AnimatedFormat;

/// What pictures are written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// A file for each picture
    Png,
    /// An animated PNG, every pixel as it is
    Apng,
    /// An animated GIF: at most 255 colours, and pixels that are there or not
    Gif,
    /// An animated WebP, every pixel as it is
    Webp,
    /// Nothing but the pixels of every frame, RGBA
    Raw,
    /// A video without compression on the matte, for ffmpeg
    Y4m,
    /// All frames in one picture, and where they are: .json with a .png beside it, .sprsh, or .png alone
    Sheet,
}

impl Format {
    /// What `-o` and `--format` ask for. Options that say nothing to it are refused.
    pub fn chosen(args: &ViewArgs, output: &Output) -> Result<Self, Failure> {
        let format = match output {
            Output::Stdout => args.output.format.unwrap_or(Self::Png),
            Output::Files { text, .. } => Self::of_path(text, args.output.format)?,
        };
        let refuse = |option: &str| {
            let message = format!("--{option} says nothing to {}", format.noun());
            Err(Failure::usage(message))
        };
        match () {
            () if args.show.loops.is_some() && !format.has_loops() => refuse("loops"),
            () if args.output.matte.is_some() && format.has_alpha() => refuse("matte"),
            () if args.output.alpha == AlphaArg::Premultiplied && !format.has_alpha() => refuse("alpha"),
            () if format != Self::Sheet => args.sheet.given().map_or(Ok(format), refuse),
            () if args.sheet.bleeds() && args.output.alpha == AlphaArg::Premultiplied => Err(Failure::usage(
                "--sheet-bleed colours what is transparent, which premultiplied pixels cannot be",
            )),
            () if args.sheet.has_idle_columns() => {
                Err(Failure::usage("--sheet-columns says nothing to a layout without a grid of its own"))
            }
            () => Ok(format),
        }
    }

    /// As one file that plays; `None` for files of one picture.
    pub fn animated(self) -> Option<AnimatedFormat> {
        match self {
            Self::Png | Self::Sheet => None,
            Self::Apng => Some(AnimatedFormat::Apng),
            Self::Gif => Some(AnimatedFormat::Gif),
            Self::Webp => Some(AnimatedFormat::Webp),
            Self::Raw => Some(AnimatedFormat::Raw),
            Self::Y4m => Some(AnimatedFormat::Y4m),
        }
    }

    /// Whether one file takes every frame of an animation.
    pub fn takes_all_frames(self) -> bool {
        self == Self::Sheet || self.animated().is_some()
    }

    /// What the user is told of one.
    pub fn noun(self) -> &'static str {
        match self {
            Self::Png => "a PNG",
            Self::Apng => "an APNG",
            Self::Gif => "a GIF",
            Self::Webp => "a WebP",
            Self::Raw => "raw RGBA",
            Self::Y4m => "a y4m video",
            Self::Sheet => "a sprite sheet",
        }
    }

    /// How its files end, the usual end first.
    fn extensions(self) -> &'static [&'static str] {
        match self {
            Self::Png => &["png"],
            Self::Apng => &["apng", "png"],
            Self::Gif => &["gif"],
            Self::Webp => &["webp"],
            Self::Raw => &["raw", "rgba"],
            Self::Y4m => &["y4m"],
            Self::Sheet => &["json", "sprsh", "png"],
        }
    }

    /// Whether the file says how often it is played.
    fn has_loops(self) -> bool {
        match self {
            Self::Png | Self::Raw | Self::Y4m => false,
            Self::Apng | Self::Gif | Self::Webp | Self::Sheet => true,
        }
    }

    /// Whether the file says how much of a pixel is there.
    fn has_alpha(self) -> bool {
        match self {
            Self::Png | Self::Apng | Self::Webp | Self::Raw | Self::Sheet => true,
            Self::Gif | Self::Y4m => false,
        }
    }

    fn is_extension(self, extension: &str) -> bool {
        self.extensions().iter().any(|known| known.eq_ignore_ascii_case(extension))
    }

    fn of_path(text: &str, asked: Option<Self>) -> Result<Self, Failure> {
        let path = Path::new(text);
        let extension = path.extension().unwrap_or_default().to_string_lossy();
        let told = Self::value_variants().iter().copied().find(|format| format.is_extension(&extension));
        match (asked, told) {
            (Some(asked), Some(_)) if !asked.is_extension(&extension) => Err(Failure::usage_with_help(
                format!("`{text}` is not the name of {}", asked.noun()),
                format!("end the path in .{}, or leave out --format", asked.extensions()[0]),
            )),
            (Some(asked), _) => Ok(asked),
            (None, Some(told)) => Ok(told),
            // A device has no extension and gets a PNG all the same.
            (None, None) if path.metadata().is_ok_and(|found| !found.is_file() && !found.is_dir()) => {
                Ok(Self::Png)
            }
            (None, None) => {
                let known: Vec<String> =
                    Self::value_variants().iter().map(|format| format!(".{}", format.extensions()[0])).collect();
                Err(Failure::usage_with_help(
                    format!("`{text}` does not say what to write"),
                    format!("end the path in one of {}, or name a --format", known.join(" ")),
                ))
            }
        }
    }
}
