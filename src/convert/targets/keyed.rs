//! Converts stored frames to formats with keys. The output is read back and compared to measure the error.

use ::bytes::Bytes;

use crate::bake::{Deviation, MIN_REPORTED_PX, deviations};
use crate::character::Character;
use crate::convert::frames::{Frames, Written, character};
use crate::convert::{ConvertError, ConvertOptions, Files, OutFile};
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Result};
use crate::export::distinct_names;
use crate::formats::pchr::Document;
use crate::formats::spine::rewrite::Form;
use crate::formats::{self, Input, Loss, ReadOptions, Sidecars, skelform, spine};
use crate::limits::{Budget, Limits};
use crate::model::{AnimationId, SkinId, SlotId};

/// Writes a Spine skeleton, its atlas and its pages.
pub fn spine(frames: &Frames, options: &ConvertOptions, budget: &mut Budget<'_>) -> Result<Written, ConvertError> {
    let form = Form::of_target(options.to.name).ok_or_else(|| {
        let message = format!("`{}` is not a form of Spine", options.to.name);
        ConvertError::Output(Error::misuse("no-writer", message))
    })?;
    let character = character(frames, budget).map_err(ConvertError::Input)?;
    let pages = pages(frames, budget).map_err(ConvertError::Input)?;
    let names = distinct_names(pages.iter().map(|(name, _)| *name), ".png");
    let written = spine::write::write(&character, &names, form, budget).map_err(ConvertError::writing)?;
    let pages = names.into_iter().zip(pages.into_iter().map(|(_, png)| png)).collect();
    skeleton(Skeleton { character: &character, written, pages }, options)
}

/// A written skeleton, and its source.
pub struct Skeleton<'a> {
    pub character: &'a Character,
    pub written: spine::write::Written,
    /// File names of the pages, and their pictures.
    pub pages: Vec<(String, Bytes)>,
}

/// Returns the files of a skeleton, which is compared with its source.
pub fn skeleton(skeleton: Skeleton<'_>, options: &ConvertOptions) -> Result<Written, ConvertError> {
    let Skeleton { character, written, pages } = skeleton;
    let limits = &options.read.limits;
    let atlas = format!("{}.atlas", options.stem());
    let sidecars = OnlyAtlas(written.atlas.clone().map(Bytes::from));
    let bytes = Bytes::from(written.bytes);
    let input = Input { bytes: bytes.clone(), sidecars: &sidecars };
    let back = read_again(&input, limits)?;
    let compared = Compared { source: character, back: &back, skins: &[], limits };
    let (losses, worst_error_px) = compared.losses(written.losses, &written.animations, &written.slots)?;
    let pictures = pages.into_iter().map(|(name, png)| OutFile::new(name, png)).collect();
    let mut files = Files { pictures, ..Files::default() };
    match written.atlas {
        Some(text) => files.files.push(OutFile::new(atlas, text)),
        None => files.must_not_exist.push(atlas),
    }
    files.files.push(OutFile::new(options.file_name.clone(), bytes));
    Ok(Written { files, losses, worst_error_px })
}

/// Writes a SkelForm archive.
pub fn skelform(
    frames: &Frames,
    options: &ConvertOptions,
    budget: &mut Budget<'_>,
) -> Result<Written, ConvertError> {
    let limits = &options.read.limits;
    let character = character(frames, budget).map_err(ConvertError::Input)?;
    let pages = pages(frames, budget).map_err(ConvertError::Input)?;
    let pages: Vec<Bytes> = pages.into_iter().map(|(_, png)| png).collect();
    let written = skelform::write::write(&character, &pages, budget).map_err(ConvertError::writing)?;
    let bytes = Bytes::from(written.bytes);
    let back = read_again(&Input { bytes: bytes.clone(), sidecars: formats::NO_SIDECARS }, limits)?;
    let compared = Compared { source: &character, back: &back, skins: &[], limits };
    let (losses, worst_error_px) = compared.losses(written.losses, &written.animations, &written.slots)?;
    Ok(Written { files: Files::one(&options.file_name, vec![bytes]), losses, worst_error_px })
}

/// Returns names and PNG files of the images that are not missing: the pages of the character.
fn pages<'a>(document: &'a Document, budget: &mut Budget<'_>) -> Result<Vec<(&'a str, Bytes)>> {
    let images = document.file.images.iter().enumerate().filter(|(index, _)| document.missing(*index).is_none());
    images.map(|(index, image)| Ok((image.name.as_str(), document.png_within(index, budget)?))).collect()
}

/// Reads the written files back.
pub fn read_again(input: &Input<'_>, limits: &Limits) -> Result<Character, ConvertError> {
    read_back(input, &ReadOptions { limits: limits.clone(), ..ReadOptions::default() })
}

/// Like [`read_again`], with other options.
pub fn read_back(input: &Input<'_>, options: &ReadOptions) -> Result<Character, ConvertError> {
    formats::from_input(input, options, &mut Diagnostics::default()).map_err(|error| {
        ConvertError::writing(match error {
            Error::Malformed(fault) | Error::Unsupported(fault) => {
                let message = format!("the output cannot be read back: {}", fault.message);
                Error::unsupported(fault.code, fault.place, message)
            }
            error => error,
        })
    })
}

/// Ignores an exceeded limit: if comparing takes too long, the error is not measured.
pub fn measure(measured: Result<Vec<Deviation>>) -> Result<Option<Vec<Deviation>>, ConvertError> {
    match measured {
        Err(Error::LimitExceeded(_)) => Ok(None),
        measured => measured.map(Some).map_err(ConvertError::Input),
    }
}

/// Returns the largest vertex error in world pixels.
pub fn worst(measured: Option<&[Deviation]>) -> Option<f32> {
    measured.map(|measured| measured.iter().fold(0.0, |worst, deviation| deviation.px.max(worst)))
}

/// What was written, read back, beside its source.
pub struct Compared<'a> {
    pub source: &'a Character,
    pub back: &'a Character,
    /// Skins that the source wears.
    pub skins: &'a [SkinId],
    pub limits: &'a Limits,
}

impl Compared<'_> {
    /// Returns the `losses` reported by a writer with the measured errors, and the largest of these in world pixels.
    /// `animations` and `slots` are those of the source, in the order of the output.
    pub fn losses(
        &self,
        mut losses: Vec<Loss>,
        animations: &[AnimationId],
        slots: &[SlotId],
    ) -> Result<(Vec<Loss>, Option<f32>), ConvertError> {
        let Self { source, back, skins, limits } = *self;
        let measured = measure(deviations(source, back, animations, slots, [skins, &[]], None, limits))?;
        let moved = measured.iter().flatten().filter(|deviation| deviation.px > MIN_REPORTED_PX);
        losses.extend(moved.map(|deviation| {
            let (px, frame) = (deviation.px, deviation.frame);
            let message = |mesh: &str, animation: &str| {
                format!("mesh `{mesh}` is off by up to {px:.3} px in `{animation}`, most in frame {frame}")
            };
            Loss { frame: Some(frame), ..moved_loss(source, deviation, message) }
        }));
        Ok((losses, worst(measured.as_deref())))
    }
}

/// Returns the loss for a mesh that is off. `message` takes the names of the mesh and the animation.
pub fn moved_loss(source: &Character, deviation: &Deviation, message: impl FnOnce(&str, &str) -> String) -> Loss {
    let model = source.model();
    let animation = model.animation(deviation.animation).name.clone();
    let mesh = model.slot(deviation.slot).name.to_string();
    let (path, message) = (format!("animations/{animation}"), message(&mesh, &animation));
    Loss {
        animation: Some(animation),
        mesh: Some(mesh),
        error_px: Some(deviation.px),
        ..Loss::new("vertices-moved", path, message)
    }
}

/// An atlas without its pages: this does not change positions, and nothing has to be decoded.
pub struct OnlyAtlas(pub Option<Bytes>);

impl OnlyAtlas {
    const NAME: &str = "it.atlas";
}

impl Sidecars for OnlyAtlas {
    fn own_name(&self) -> Option<&str> {
        Some("it.json")
    }

    fn size(&self, path: &str) -> std::result::Result<u64, String> {
        let atlas = self.0.as_ref().filter(|_| path == Self::NAME);
        atlas.map(|atlas| atlas.len() as u64).ok_or_else(|| "is not available".to_owned())
    }

    fn load(&self, path: &str, _limits: &Limits) -> Result<std::result::Result<Bytes, String>> {
        Ok(self.size(path).map(|_| self.0.clone().unwrap_or_default()))
    }
}
