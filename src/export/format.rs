//! What pictures are written as, and how it is told from the name of a file.

use std::path::Path;

use super::{Alpha, AnimatedFormat};
use crate::error::shown;

/// What pictures are written as.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Format {
    /// A file for each picture.
    #[default]
    Png,
    /// An animated PNG.
    Apng,
    /// An animated GIF.
    Gif,
    /// An animated WebP.
    Webp,
    /// Nothing but the pixels of every frame.
    Raw,
    /// A video without compression.
    Y4m,
    /// A sprite sheet.
    Sheet,
}

/// Why a path does not say what is written to it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FormatError {
    /// It ends as the files of another format do.
    #[error("`{}` is not the name of {}", shown(path), asked.noun())]
    OtherName {
        /// The path.
        path: String,
        /// What was asked for.
        asked: Format,
    },
    /// It ends as compressed videos do, which are not written here.
    #[error("`{}` is a compressed video; write a y4m video, of which ffmpeg makes one", shown(.0))]
    Video(String),
    /// It ends as the files of no format do.
    #[error("`{}` does not say what to write", shown(.0))]
    Unknown(String),
}

/// How compressed videos end.
const VIDEOS: [&str; 6] = ["mp4", "m4v", "mov", "mkv", "avi", "webm"];

impl Format {
    /// Every format, in the order in which they are shown.
    pub const ALL: [Self; 7] = [Self::Png, Self::Apng, Self::Gif, Self::Webp, Self::Raw, Self::Y4m, Self::Sheet];

    /// What it is called on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Apng => "apng",
            Self::Gif => "gif",
            Self::Webp => "webp",
            Self::Raw => "raw",
            Self::Y4m => "y4m",
            Self::Sheet => "sheet",
        }
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

    /// What it is called in a list of choices.
    pub fn title(self) -> &'static str {
        match self {
            Self::Png => "PNG, a file for each frame",
            Self::Apng => "Animated PNG",
            Self::Gif => "Animated GIF",
            Self::Webp => "Animated WebP",
            Self::Raw => "Raw RGBA",
            Self::Y4m => "Video (y4m)",
            Self::Sheet => "Sprite sheet",
        }
    }

    /// What it is for, in a few words.
    pub fn about(self) -> &'static str {
        match self {
            Self::Png => "A file for each picture",
            Self::Apng => "An animated PNG, every pixel as it is",
            Self::Gif => "An animated GIF: at most 255 colours, and pixels that are there or not",
            Self::Webp => "An animated WebP, every pixel as it is",
            Self::Raw => "Nothing but the pixels of every frame, RGBA",
            Self::Y4m => "A video without compression on the matte, for ffmpeg",
            Self::Sheet => {
                "All frames in one picture, and where they are: .json with a .png beside it, .sprsh, or .png alone"
            }
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

    /// How its files end, the usual end first.
    pub fn extensions(self) -> &'static [&'static str] {
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
    pub fn has_loops(self) -> bool {
        match self {
            Self::Png | Self::Raw | Self::Y4m => false,
            Self::Apng | Self::Gif | Self::Webp | Self::Sheet => true,
        }
    }

    /// Whether the file says how fast it is played.
    pub fn has_rate(self) -> bool {
        match self {
            Self::Png | Self::Raw => false,
            Self::Apng | Self::Gif | Self::Webp | Self::Y4m | Self::Sheet => true,
        }
    }

    /// Whether the file says how much of a pixel is there.
    pub fn has_alpha(self) -> bool {
        match self {
            Self::Png | Self::Apng | Self::Webp | Self::Raw | Self::Sheet => true,
            Self::Gif | Self::Y4m => false,
        }
    }

    /// Whether its files, with this alpha, cannot say of every pixel by how much it lights what is below it.
    pub fn can_lose_light(self, alpha: Alpha) -> bool {
        match self {
            Self::Png | Self::Apng | Self::Webp | Self::Raw | Self::Sheet => alpha == Alpha::Straight,
            Self::Gif => true,
            Self::Y4m => false,
        }
    }

    /// Whether its files end like this; capitals do not matter.
    pub fn is_extension(self, extension: &str) -> bool {
        self.extensions().iter().any(|known| known.eq_ignore_ascii_case(extension))
    }

    /// What is written to `path`, where `asked` may have been asked for. A device has no extension and gets a PNG.
    pub fn of_path(path: &str, asked: Option<Self>) -> Result<Self, FormatError> {
        let extension = Path::new(path).extension().unwrap_or_default().to_string_lossy();
        if VIDEOS.iter().any(|known| known.eq_ignore_ascii_case(&extension)) {
            return Err(FormatError::Video(path.to_owned()));
        }
        let told = Self::ALL.into_iter().find(|format| format.is_extension(&extension));
        match (asked, told) {
            (Some(asked), Some(_)) if !asked.is_extension(&extension) => {
                Err(FormatError::OtherName { path: path.to_owned(), asked })
            }
            (Some(asked), _) => Ok(asked),
            (None, Some(told)) => Ok(told),
            (None, None) if is_device(path) => Ok(Self::Png),
            (None, None) => Err(FormatError::Unknown(path.to_owned())),
        }
    }
}

fn is_device(path: &str) -> bool {
    std::fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir())
}
