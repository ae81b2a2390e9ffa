//! Output formats and their detection from file names.

use std::path::Path;

use super::surface::Alpha;
use crate::error::escaped;
use crate::rows::rows;

rows! {
    /// An output format, in display order.
    #[derive(Debug, Clone, Copy, Default, PartialEq)]
    pub enum Format: Row {
        /// One PNG file per picture.
        #[default]
        Png => Row {
            name: "png",
            noun: "a PNG",
            title: "PNG, one file per frame",
            about: "One PNG file per picture",
            extensions: &["png"],
            copies: 1,
            can_be_optimized: true,
            ..PICTURES
        },
        /// An animated PNG.
        Apng => Row {
            name: "apng",
            noun: "an APNG",
            title: "Animated PNG",
            about: "Animated PNG, lossless",
            extensions: &["apng", "png"],
            animated: Some(AnimatedFormat::Apng),
            copies: 5,
            ..ANIMATION
        },
        /// An animated GIF.
        Gif => Row {
            name: "gif",
            noun: "a GIF",
            title: "Animated GIF",
            about: "Animated GIF: at most 255 colours, no partial transparency",
            extensions: &["gif"],
            animated: Some(AnimatedFormat::Gif),
            transparency: Transparency::OneBit,
            copies: 5,
            ..ANIMATION
        },
        /// An animated WebP.
        Webp => Row {
            name: "webp",
            noun: "a WebP",
            title: "Animated WebP",
            about: "Animated WebP, lossless",
            extensions: &["webp"],
            animated: Some(AnimatedFormat::Webp),
            copies: 5,
            ..ANIMATION
        },
        /// An H.264 video, compressed by ffmpeg.
        Mp4 => Row {
            name: "mp4",
            noun: "an MP4 video",
            title: "Video (MP4)",
            about: "H.264 video by an ffmpeg on the PATH, composited over the matte",
            extensions: &["mp4", "m4v"],
            animated: Some(AnimatedFormat::Compressed(Container::Mp4)),
            transparency: Transparency::None,
            ..ANIMATION
        },
        /// A VP9 video with alpha, compressed by ffmpeg.
        Webm => Row {
            name: "webm",
            noun: "a WebM video",
            title: "Video with alpha (WebM)",
            about: "VP9 video with alpha by an ffmpeg on the PATH",
            extensions: &["webm"],
            animated: Some(AnimatedFormat::Compressed(Container::Webm)),
            ..ANIMATION
        },
        /// A ProRes 4444 video with alpha, compressed by ffmpeg.
        Mov => Row {
            name: "mov",
            noun: "a MOV video",
            title: "Video with alpha (ProRes, MOV)",
            about: "ProRes 4444 video with alpha by an ffmpeg on the PATH",
            extensions: &["mov"],
            animated: Some(AnimatedFormat::Compressed(Container::Mov)),
            ..ANIMATION
        },
        /// The raw pixels of every frame.
        Raw => Row {
            name: "raw",
            noun: "raw RGBA",
            title: "Raw RGBA",
            about: "Raw RGBA pixels of every frame, without headers",
            extensions: &["raw", "rgba"],
            animated: Some(AnimatedFormat::Raw),
            ..PICTURES
        },
        /// An uncompressed video.
        Y4m => Row {
            name: "y4m",
            noun: "a y4m video",
            title: "Uncompressed video (y4m)",
            about: "Uncompressed video for other encoders, composited over the matte",
            extensions: &["y4m"],
            animated: Some(AnimatedFormat::Y4m),
            transparency: Transparency::None,
            has_rate: true,
            ..PICTURES
        },
        /// A sprite sheet.
        Sheet => Row {
            name: "sheet",
            noun: "a sprite sheet",
            title: "Sprite sheet",
            about: "All frames in one picture, with metadata: .json and .png, .sprsh, or .png alone",
            extensions: &["json", "sprsh", "png"],
            can_be_optimized: true,
            ..ANIMATION
        },
        /// A Photoshop document.
        Psd => Row {
            name: "psd",
            noun: "a PSD",
            title: "Photoshop layers (PSD)",
            about: "Photoshop document with a layer for each slot, and a group for each frame of several",
            extensions: &["psd"],
            ..PICTURES
        },
    }
}

/// The properties of a format.
struct Row {
    /// Name on the command line.
    name: &'static str,
    /// Name for messages, with article.
    noun: &'static str,
    /// Title for lists.
    title: &'static str,
    /// Short description.
    about: &'static str,
    /// File extensions, the preferred one first.
    extensions: &'static [&'static str],
    /// The animated format; `None` if a file contains one picture.
    animated: Option<AnimatedFormat>,
    transparency: Transparency,
    /// Whether the file stores the playback speed.
    has_rate: bool,
    /// Whether the file plays as often as requested.
    has_loops: bool,
    /// Number of pictures that are held for each one that is drawn. Besides it, two finished ones may wait. Where changes
    /// are stored, another one is encoded beside its neighbours.
    copies: u64,
    /// Whether it consists of PNGs that can be compressed further.
    can_be_optimized: bool,
}

/// What most formats have in common; the rows add their names.
const PICTURES: Row = Row {
    name: "",
    noun: "",
    title: "",
    about: "",
    extensions: &[],
    animated: None,
    transparency: Transparency::Partial,
    has_rate: false,
    has_loops: false,
    copies: 3,
    can_be_optimized: false,
};

/// What most formats with a playback speed have in common.
const ANIMATION: Row = Row { has_rate: true, has_loops: true, ..PICTURES };

/// The alpha that a format stores.
#[derive(Clone, Copy, PartialEq)]
pub enum Transparency {
    /// Every value.
    Partial,
    /// Opaque and transparent.
    OneBit,
    /// None: pictures are composited over the matte.
    None,
}

/// File format of an animated picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum AnimatedFormat {
    /// Animated PNG; lossless.
    Apng,
    /// GIF: one palette for all pictures, 1-bit transparency.
    Gif,
    /// Animated, lossless WebP.
    Webp,
    /// Raw RGBA pixels without headers, picture after picture.
    Raw,
    /// YUV4MPEG2 with full chroma, composited over the matte.
    Y4m,
    /// A video that ffmpeg compresses.
    Compressed(Container),
}

impl AnimatedFormat {
    /// Returns how often every picture is rendered.
    pub(crate) fn passes(self) -> usize {
        match self {
            Self::Apng | Self::Webp | Self::Raw | Self::Y4m | Self::Compressed(_) => 1,
            Self::Gif => 2,
        }
    }
}

/// The matte of formats without transparency, unless another is requested.
pub const WHITE: [u8; 3] = [255; 3];

/// A container, with the codec that is written into it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Container {
    /// H.264, 4:2:0, without alpha.
    Mp4,
    /// VP9, 4:2:0, with alpha.
    Webm,
    /// ProRes 4444, with alpha.
    Mov,
}

impl Container {
    /// Returns true if the codec stores alpha.
    pub fn has_alpha(self) -> bool {
        match self {
            Self::Mp4 => false,
            Self::Webm | Self::Mov => true,
        }
    }
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
    /// Returns the name on the command line.
    pub(crate) fn name(self) -> &'static str {
        self.row().name
    }

    /// Returns the name for messages, with article.
    pub fn noun(self) -> &'static str {
        self.row().noun
    }

    /// Returns the title for lists.
    pub fn title(self) -> &'static str {
        self.row().title
    }

    /// Returns a short description.
    pub(crate) fn about(self) -> &'static str {
        self.row().about
    }

    /// Returns true if a file contains several pictures that follow each other in time.
    pub fn is_animated(self) -> bool {
        self.animated().is_some()
    }

    /// Returns the animated format, or `None` for formats with one picture per file.
    pub(crate) fn animated(self) -> Option<AnimatedFormat> {
        self.row().animated
    }

    /// Returns true if one file contains all selected frames of an animation.
    pub fn takes_all_frames(self) -> bool {
        matches!(self, Self::Sheet | Self::Psd) || self.is_animated()
    }

    /// Returns true if each animation gets a file of its own, with all of its frames.
    pub fn has_file_per_animation(self) -> bool {
        self == Self::Psd || self.is_animated()
    }

    /// Returns the file extensions, the preferred one first.
    pub fn extensions(self) -> &'static [&'static str] {
        self.row().extensions
    }

    /// Returns true for videos that ffmpeg compresses: they contain every play, and end.
    pub fn is_compressed_video(self) -> bool {
        matches!(self.animated(), Some(AnimatedFormat::Compressed(_)))
    }

    /// Returns true if the file plays as often as requested.
    pub(crate) fn has_loops(self) -> bool {
        self.row().has_loops
    }

    /// Returns true if the file stores the playback speed.
    pub(crate) fn has_rate(self) -> bool {
        self.row().has_rate
    }

    /// Returns the alpha that the file stores.
    pub(in crate::export) fn transparency(self) -> Transparency {
        self.row().transparency
    }

    /// Returns true if the file stores partial alpha.
    pub(crate) fn has_alpha(self) -> bool {
        self.transparency() == Transparency::Partial
    }

    /// Returns the colour under partly transparent pixels, if `chosen` is the requested one; `None` if they stay as they
    /// are.
    pub(in crate::export) fn matte(self, chosen: Option<[u8; 3]>) -> Option<[u8; 3]> {
        match self.transparency() {
            Transparency::Partial => None,
            Transparency::OneBit => chosen,
            Transparency::None => Some(chosen.unwrap_or(WHITE)),
        }
    }

    /// Returns true if files with this alpha mode cannot represent the additive light of every pixel.
    pub fn can_lose_light(self, alpha: Alpha) -> bool {
        match self.transparency() {
            Transparency::Partial => alpha == Alpha::Straight,
            Transparency::OneBit => true,
            Transparency::None => false,
        }
    }

    /// Returns true if the file consists of PNGs that can be compressed further.
    pub(crate) fn can_be_optimized(self) -> bool {
        self.row().can_be_optimized
    }

    /// Returns the number of pictures that are held in memory for each one that is drawn.
    pub(crate) fn copies(self, is_optimized: bool) -> u64 {
        /// A PNG is optimized in several copies.
        const OPTIMIZED: u64 = 5;
        if is_optimized && self.can_be_optimized() { OPTIMIZED } else { self.row().copies }
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
