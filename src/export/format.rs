//! Output formats and their detection from file names.

use std::path::Path;

use super::animated::Container;
use super::{Alpha, AnimatedFormat};
use crate::error::escaped;

/// An output format.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum Format {
    /// One PNG file per picture.
    #[default]
    Png,
    /// An animated PNG.
    Apng,
    /// An animated GIF.
    Gif,
    /// An animated WebP.
    Webp,
    /// The raw pixels of every frame.
    Raw,
    /// An uncompressed video.
    Y4m,
    /// An H.264 video, compressed by ffmpeg.
    Mp4,
    /// A VP9 video with alpha, compressed by ffmpeg.
    Webm,
    /// A ProRes 4444 video with alpha, compressed by ffmpeg.
    Mov,
    /// A sprite sheet.
    Sheet,
}

/// An error when detecting the format from a path.
#[derive(Debug, PartialEq, thiserror::Error)]
pub enum FormatError {
    /// The extension belongs to another format.
    #[error("`{}` does not have the extension of {}", escaped(path), requested.noun())]
    WrongExtension {
        /// The path.
        path: String,
        /// The requested format.
        requested: Format,
    },
    /// The extension is unknown.
    #[error("`{}` does not have a known extension", escaped(.0))]
    Unknown(String),
}

impl Format {
    /// All formats, in display order.
    pub const ALL: [Self; 10] = [
        Self::Png,
        Self::Apng,
        Self::Gif,
        Self::Webp,
        Self::Mp4,
        Self::Webm,
        Self::Mov,
        Self::Raw,
        Self::Y4m,
        Self::Sheet,
    ];

    /// Returns the name on the command line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Apng => "apng",
            Self::Gif => "gif",
            Self::Webp => "webp",
            Self::Raw => "raw",
            Self::Y4m => "y4m",
            Self::Mp4 => "mp4",
            Self::Webm => "webm",
            Self::Mov => "mov",
            Self::Sheet => "sheet",
        }
    }

    /// Returns the name for messages, with article.
    pub fn noun(self) -> &'static str {
        match self {
            Self::Png => "a PNG",
            Self::Apng => "an APNG",
            Self::Gif => "a GIF",
            Self::Webp => "a WebP",
            Self::Raw => "raw RGBA",
            Self::Y4m => "a y4m video",
            Self::Mp4 => "an MP4 video",
            Self::Webm => "a WebM video",
            Self::Mov => "a MOV video",
            Self::Sheet => "a sprite sheet",
        }
    }

    /// Returns the title for lists.
    pub fn title(self) -> &'static str {
        match self {
            Self::Png => "PNG, one file per frame",
            Self::Apng => "Animated PNG",
            Self::Gif => "Animated GIF",
            Self::Webp => "Animated WebP",
            Self::Raw => "Raw RGBA",
            Self::Y4m => "Uncompressed video (y4m)",
            Self::Mp4 => "Video (MP4)",
            Self::Webm => "Video with alpha (WebM)",
            Self::Mov => "Video with alpha (ProRes, MOV)",
            Self::Sheet => "Sprite sheet",
        }
    }

    /// Returns a short description.
    pub(crate) fn about(self) -> &'static str {
        match self {
            Self::Png => "One PNG file per picture",
            Self::Apng => "Animated PNG, lossless",
            Self::Gif => "Animated GIF: at most 255 colours, no partial transparency",
            Self::Webp => "Animated WebP, lossless",
            Self::Raw => "Raw RGBA pixels of every frame, without headers",
            Self::Y4m => "Uncompressed video for other encoders, composited over the matte",
            Self::Mp4 => "H.264 video by an ffmpeg on the PATH, composited over the matte",
            Self::Webm => "VP9 video with alpha by an ffmpeg on the PATH",
            Self::Mov => "ProRes 4444 video with alpha by an ffmpeg on the PATH",
            Self::Sheet => "All frames in one picture, with metadata: .json and .png, .sprsh, or .png alone",
        }
    }

    /// Returns true if a file contains several pictures that follow each other in time.
    pub fn is_animated(self) -> bool {
        self.animated().is_some()
    }

    /// Returns the animated format, or `None` for formats with one picture per file.
    pub(crate) fn animated(self) -> Option<AnimatedFormat> {
        match self {
            Self::Png | Self::Sheet => None,
            Self::Apng => Some(AnimatedFormat::Apng),
            Self::Gif => Some(AnimatedFormat::Gif),
            Self::Webp => Some(AnimatedFormat::Webp),
            Self::Raw => Some(AnimatedFormat::Raw),
            Self::Y4m => Some(AnimatedFormat::Y4m),
            Self::Mp4 => Some(AnimatedFormat::Compressed(Container::Mp4)),
            Self::Webm => Some(AnimatedFormat::Compressed(Container::Webm)),
            Self::Mov => Some(AnimatedFormat::Compressed(Container::Mov)),
        }
    }

    /// Returns true if one file contains all frames of an animation.
    pub fn takes_all_frames(self) -> bool {
        self == Self::Sheet || self.is_animated()
    }

    /// Returns the file extensions, the preferred one first.
    pub fn extensions(self) -> &'static [&'static str] {
        match self {
            Self::Png => &["png"],
            Self::Apng => &["apng", "png"],
            Self::Gif => &["gif"],
            Self::Webp => &["webp"],
            Self::Raw => &["raw", "rgba"],
            Self::Y4m => &["y4m"],
            Self::Mp4 => &["mp4", "m4v"],
            Self::Webm => &["webm"],
            Self::Mov => &["mov"],
            Self::Sheet => &["json", "sprsh", "png"],
        }
    }

    /// Returns true for videos that ffmpeg compresses: they contain every play, and end.
    pub fn is_compressed_video(self) -> bool {
        matches!(self.animated(), Some(AnimatedFormat::Compressed(_)))
    }

    /// Returns true if the file plays as often as requested.
    pub(crate) fn has_loops(self) -> bool {
        match self {
            Self::Png | Self::Raw | Self::Y4m => false,
            Self::Apng | Self::Gif | Self::Webp | Self::Mp4 | Self::Webm | Self::Mov | Self::Sheet => true,
        }
    }

    /// Returns true if the file stores the playback speed.
    pub(crate) fn has_rate(self) -> bool {
        match self {
            Self::Png | Self::Raw => false,
            Self::Apng | Self::Gif | Self::Webp | Self::Y4m | Self::Mp4 | Self::Webm | Self::Mov | Self::Sheet => {
                true
            }
        }
    }

    /// Returns true if the file stores partial alpha.
    pub(crate) fn has_alpha(self) -> bool {
        match self {
            Self::Png | Self::Apng | Self::Webp | Self::Webm | Self::Mov | Self::Raw | Self::Sheet => true,
            Self::Gif | Self::Mp4 | Self::Y4m => false,
        }
    }

    /// Returns true if files with this alpha mode cannot represent the additive light of every pixel.
    pub fn can_lose_light(self, alpha: Alpha) -> bool {
        match self {
            Self::Png | Self::Apng | Self::Webp | Self::Webm | Self::Mov | Self::Raw | Self::Sheet => {
                alpha == Alpha::Straight
            }
            Self::Gif => true,
            Self::Mp4 | Self::Y4m => false,
        }
    }

    /// Returns true if this is an extension of the format, ignoring case.
    pub fn is_extension(self, extension: &str) -> bool {
        self.extensions().iter().any(|known| known.eq_ignore_ascii_case(extension))
    }

    /// Detects the format of `path`, and checks it against `requested`. Devices have no extension and default to
    /// PNG.
    pub fn of_path(path: &str, requested: Option<Self>) -> Result<Self, FormatError> {
        let extension = Path::new(path).extension().unwrap_or_default().to_string_lossy();
        let implied = Self::ALL.into_iter().find(|format| format.is_extension(&extension));
        match (requested, implied) {
            (Some(requested), Some(_)) if !requested.is_extension(&extension) => {
                Err(FormatError::WrongExtension { path: path.to_owned(), requested })
            }
            (Some(requested), _) => Ok(requested),
            (None, Some(implied)) => Ok(implied),
            (None, None) if is_device(path) => Ok(Self::Png),
            (None, None) => Err(FormatError::Unknown(path.to_owned())),
        }
    }
}

fn is_device(path: &str) -> bool {
    std::fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir())
}
