//! Documents → files of formats with keys, and how far those are off: what is written is read again and compared.

use ::bytes::Bytes;

use super::convert::Loss;
use super::failure::Failure;
use crate::character::Character;
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Result};
use crate::export::{Apart, NOTED, apart, distinct_names};
use crate::formats::pchr::{self, Document};
use crate::formats::skelform::upgrade::Keep;
use crate::formats::written::Lost;
use crate::formats::{self, Input, ReadOptions, Sidecars, skelform, spine};
use crate::limits::{Budget, Limits};
use crate::model::SlotId;

/// Files that are about to be written.
pub struct Keyed {
    /// Those that the others are about.
    pub pictures: Vec<(String, Bytes)>,
    /// The one that names the others comes last.
    pub files: Vec<(String, Bytes)>,
    /// A file that must not be there, for it would be taken for one of these.
    pub absent: Option<String>,
    /// What they cannot say.
    pub losses: Vec<Loss>,
    /// By how many world pixels the worst vertex is off; where it could be measured.
    pub worst_error_px: Option<f32>,
}

/// JSON of Spine that is called `stem.json`, its atlas and its pages.
pub fn spine(document: &Document, stem: &str, limits: &Limits) -> Result<Keyed, Failure> {
    let (character, options) = character_of(document, limits).map_err(Failure::Input)?;
    let pages = pages(document).map_err(Failure::Input)?;
    let names = distinct_names(pages.iter().map(|(name, _)| *name), ".png");
    let written = spine::write::write(&character, &names, limits).map_err(failed)?;
    let atlas = format!("{stem}.atlas");
    let sidecars = OnlyAtlas(written.atlas.clone().map(Bytes::from));
    let input = Input { bytes: written.json.clone().into(), sidecars: &sidecars };
    let back = formats::from_input(&input, &options, &mut Diagnostics::default()).map_err(failed)?;
    let measured = measure(apart(&character, &back, &written.animations, &written.slots, &[], limits))?;
    let mut files = Vec::new();
    let absent = written.atlas.is_none().then(|| atlas.clone());
    files.extend(written.atlas.map(|text| (atlas, text.into())));
    files.push((format!("{stem}.json"), written.json.into()));
    Ok(Keyed {
        pictures: names.into_iter().zip(pages.into_iter().map(|(_, png)| png)).collect(),
        files,
        absent,
        losses: losses(&character, &written.losses, measured.as_deref()),
        worst_error_px: worst(measured.as_deref()),
    })
}

/// An archive of SkelForm, one file without a name.
pub fn skelform(document: &Document, limits: &Limits) -> Result<Keyed, Failure> {
    let (character, options) = character_of(document, limits).map_err(Failure::Input)?;
    let pages: Vec<Bytes> = pages(document).map_err(Failure::Input)?.into_iter().map(|(_, png)| png).collect();
    let written = skelform::write::write(&character, &pages, limits).map_err(failed)?;
    let bytes = Bytes::from(written.bytes);
    let back = formats::from_bytes(bytes.clone(), &options, &mut Diagnostics::default()).map_err(failed)?;
    let measured = measure(apart(&character, &back, &written.animations, &written.slots, &[], limits))?;
    Ok(Keyed {
        pictures: Vec::new(),
        files: vec![(String::new(), bytes)],
        absent: None,
        losses: losses(&character, &written.losses, measured.as_deref()),
        worst_error_px: worst(measured.as_deref()),
    })
}

/// The file of SkelForm in `bytes`, which is `character`, as an archive of 0.7 with all of its keys; one file without a
/// name.
pub fn upgraded(bytes: &Bytes, character: &Character, keep: &Keep, limits: &Limits) -> Result<Keyed, Failure> {
    let written = skelform::upgrade::upgrade(bytes, keep, limits).map_err(failed)?;
    let bytes = Bytes::from(written.bytes);
    let options = ReadOptions { limits: limits.clone(), ..ReadOptions::default() };
    let back = formats::from_bytes(bytes.clone(), &options, &mut Diagnostics::default()).map_err(failed)?;
    let model = character.model();
    let animations = keep.animations.clone().unwrap_or_else(|| model.animation_ids().collect());
    let slots: Vec<SlotId> = model.slot_ids().collect();
    let measured = measure(apart(character, &back, &animations, &slots, &keep.skins, limits))?;
    Ok(Keyed {
        pictures: Vec::new(),
        files: vec![(String::new(), bytes)],
        absent: None,
        losses: losses(character, &written.losses, measured.as_deref()),
        worst_error_px: worst(measured.as_deref()),
    })
}

/// What a limit forbids is asked for by the input.
fn failed(error: Error) -> Failure {
    match error {
        Error::LimitExceeded(_) => Failure::Input(error),
        error => Failure::Output(error),
    }
}

/// What is written is upright, and begins with the bind pose.
fn character_of(document: &Document, limits: &Limits) -> Result<(Character, ReadOptions)> {
    let options = ReadOptions { limits: limits.clone(), ..ReadOptions::default() };
    // Its findings were told when it was read.
    let character = pchr::build(document, &options, &mut Budget::new(limits), &mut Diagnostics::default())?;
    Ok((character, options))
}

/// Names and PNG files of the images that are there, which are the pages of the character.
fn pages(document: &Document) -> Result<Vec<(&str, Bytes)>> {
    let images = document.file.images.iter().enumerate().filter(|(index, _)| document.missing(*index).is_none());
    images.map(|(index, image)| Ok((image.name.as_str(), document.png(index)?))).collect()
}

/// What takes too long to compare is written all the same, and not measured.
fn measure(measured: Result<Vec<Apart>>) -> Result<Option<Vec<Apart>>, Failure> {
    match measured {
        Err(Error::LimitExceeded(_)) => Ok(None),
        measured => measured.map(Some).map_err(Failure::Input),
    }
}

fn worst(measured: Option<&[Apart]>) -> Option<f32> {
    measured.map(|measured| measured.iter().fold(0.0, |worst, apart| apart.px.max(worst)))
}

fn losses(character: &Character, lost: &[Lost], measured: Option<&[Apart]>) -> Vec<Loss> {
    let model = character.model();
    let lost = lost.iter().map(|lost| Loss {
        animation: lost.animation.clone(),
        code: lost.code,
        error_px: None,
        frame: None,
        mesh: None,
        message: match &lost.animation {
            Some(animation) => format!("animation `{animation}`: {}", lost.message),
            None => lost.message.clone(),
        },
        path: lost.animation.as_ref().map_or_else(String::new, |animation| format!("animations/{animation}")),
    });
    let moved = measured.into_iter().flatten().filter(|apart| apart.px > NOTED).map(|apart| {
        let animation = model.animation(apart.animation).name.clone();
        let mesh = model.slot(apart.slot).name.to_string();
        let (px, frame) = (apart.px, apart.frame);
        let message = format!("mesh `{mesh}` is up to {px:.3} px off in `{animation}`, most in frame {frame}");
        Loss {
            path: format!("animations/{animation}"),
            animation: Some(animation),
            code: "vertices-moved",
            error_px: Some(px),
            frame: Some(frame),
            mesh: Some(mesh),
            message,
        }
    });
    lost.chain(moved).collect()
}

/// An atlas without its pages: positions are the same, and nothing needs decoding.
struct OnlyAtlas(Option<Bytes>);

impl OnlyAtlas {
    const NAME: &str = "it.atlas";
}

impl Sidecars for OnlyAtlas {
    fn own_name(&self) -> Option<&str> {
        Some("it.json")
    }

    fn names_in(&self, _folder: &str, wanted: &dyn Fn(&str) -> bool) -> Vec<String> {
        let found = self.0.as_ref().filter(|_| wanted(Self::NAME));
        found.map(|_| Self::NAME.to_owned()).into_iter().collect()
    }

    fn size(&self, path: &str) -> std::result::Result<u64, String> {
        let atlas = self.0.as_ref().filter(|_| path == Self::NAME);
        atlas.map(|atlas| atlas.len() as u64).ok_or_else(|| "is not looked for".to_owned())
    }

    fn load(&self, path: &str, _limits: &Limits) -> Result<std::result::Result<Bytes, String>> {
        Ok(self.size(path).map(|_| self.0.clone().unwrap_or_default()))
    }
}

impl From<&Loss> for crate::error::Fault {
    fn from(loss: &Loss) -> Self {
        let place = crate::error::Place { path: loss.path.clone(), ..Default::default() };
        Self { code: loss.code, place, message: loss.message.clone() }
    }
}
