//! What is behind the character in pictures.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use super::look::Look;
use crate::draw::Picture;
use crate::error::{Place, Result};
use crate::formats::image::decode_still;
use crate::formats::read_file;
use crate::limits::Limits;
use crate::math::Rect;
use crate::math::color::premultiply;

/// The background of pictures.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Background {
    /// No background.
    #[default]
    Transparent,
    /// A colour with straight alpha.
    Color([u8; 4]),
    /// Light and dark squares of this many pixels.
    Checker(u32),
    /// A picture.
    Picture(BackgroundPicture),
}

/// A PNG, JPEG or WebP file that is a background. Planning reads it once, for all clones.
#[derive(Clone)]
pub struct BackgroundPicture {
    path: PathBuf,
    read: Arc<OnceLock<ReadPicture>>,
}

/// A picture that was read.
struct ReadPicture {
    /// Premultiplied.
    picture: Picture,
    is_opaque: bool,
}

/// How a background picture is placed.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum BackgroundFit {
    /// Scaled to cover the whole picture, in the middle; the rest is cut off.
    #[default]
    Cover,
    /// Scaled to be seen completely, in the middle; the rest stays transparent.
    Contain,
    /// Repeated in its own size, from the upper-left corner.
    Tile,
    /// Scaled to this rectangle of the world; the rest stays transparent.
    Rect(Rect),
}

impl Background {
    /// Returns the file of a picture.
    pub fn file(&self) -> Option<&Path> {
        match self {
            Self::Transparent | Self::Color(_) | Self::Checker(_) => None,
            Self::Picture(picture) => Some(&picture.path),
        }
    }

    /// Forgets the picture that was read: the next plan reads it again.
    pub fn forget(&mut self) {
        if let Self::Picture(picture) = self {
            *picture = BackgroundPicture::new(&picture.path);
        }
    }

    /// Reads the picture, unless it was read before.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, is damaged or exceeds `limits`.
    pub(in crate::export) fn read(&self, limits: &Limits) -> Result<()> {
        match self {
            Self::Picture(picture) if picture.read.get().is_none() => {
                let read = read(&picture.path, limits)?;
                picture.read.get_or_init(|| read);
                Ok(())
            }
            Self::Transparent | Self::Color(_) | Self::Checker(_) | Self::Picture(_) => Ok(()),
        }
    }
}

/// Reads the picture in a file.
fn read(path: &Path, limits: &Limits) -> Result<ReadPicture> {
    let bytes = read_file(path, limits)?;
    let ((width, height), pixels) = decode_still(&bytes, limits, || Place::file(path.display()))?;
    let mut picture = Picture::default();
    picture.reset(width, height);
    let straight = pixels.as_chunks::<4>().0;
    for (to, from) in picture.pixels_mut().as_chunks_mut::<4>().0.iter_mut().zip(straight) {
        *to = premultiply(*from);
    }
    let is_opaque = straight.iter().all(|pixel| pixel[3] == 255);
    Ok(ReadPicture { picture, is_opaque })
}

impl BackgroundPicture {
    /// Names a file, which is not read yet.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), read: Arc::default() }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the picture, premultiplied, once a plan has read it.
    pub(in crate::export) fn picture(&self) -> Option<&Picture> {
        self.read.get().map(|read| &read.picture)
    }

    fn is_opaque(&self) -> bool {
        self.read.get().is_some_and(|read| read.is_opaque)
    }
}

/// Pictures of the same file are equal.
impl PartialEq for BackgroundPicture {
    fn eq(&self, other: &Self) -> bool {
        self.path == other.path
    }
}

impl fmt::Debug for BackgroundPicture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("BackgroundPicture").field(&self.path).finish()
    }
}

impl Look {
    /// Returns true if nothing shines through the background. A picture has to be planned before, and counts only if
    /// it covers everything.
    pub fn has_opaque_background(&self) -> bool {
        match &self.background {
            Background::Transparent => false,
            Background::Color([_, _, _, alpha]) => *alpha == 255,
            Background::Checker(_) => true,
            Background::Picture(picture) => match self.background_fit {
                BackgroundFit::Cover | BackgroundFit::Tile => {
                    self.background_opacity >= 1.0 && picture.is_opaque()
                }
                BackgroundFit::Contain | BackgroundFit::Rect(_) => false,
            },
        }
    }
}
