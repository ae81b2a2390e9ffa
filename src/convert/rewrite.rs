//! Writes a Spine file in another version or form, with its keys. The atlas and its pages are copied.
//!
//! The result is read again and compared with the source, 60 times a second, in every animation and skin.

use std::collections::{BTreeMap, HashSet};

use ::bytes::Bytes;

use super::targets::keyed::{OnlyAtlas, measure, moved_loss, read_back, worst};
use super::{Content, ConvertError, ConvertOptions, Converted, Files, Opened, OutFile};
use crate::bake::{Deviation, MIN_REPORTED_PX, deviations};
use crate::character::Character;
use crate::error::{Error, Place, escaped};
use crate::export::{choose, safe_name};
use crate::formats::spine::rewrite::{self, Form, RewriteOptions};
use crate::formats::spine::{PictureFiles, picture_files};
use crate::formats::table::Target;
use crate::formats::{Input, Loss, ReadOptions};
use crate::limits::Limits;
use crate::model::{AnimationId, Model, SkinId, SlotId, UnknownName};
use crate::motion::{Cycle, Motion};

/// The rate of the comparison, per second.
const COMPARED_FPS: f64 = 60.0;

/// Keys per second of baked animations, if no animation of the file states a rate.
const DEFAULT_FPS: f64 = 30.0;

/// The skin that is always active.
const DEFAULT_SKIN: &str = "default";

/// Returns the form to write, if the file of such a character is rewritten as `to`.
pub fn form_of(character: &Character, to: &Target) -> Option<Form> {
    match character.motion() {
        Motion::Spine(_) => Form::of_target(to.name),
        Motion::Sampled(_) | Motion::Flipbook(_) | Motion::SkelForm(_) | Motion::Animate(_) | Motion::Stage(_) => {
            None
        }
    }
}

/// Rewrites a Spine file. Returns `None` for other sources and targets.
pub fn rewrite(opened: &Opened<'_>, options: &ConvertOptions) -> Result<Option<Converted>, ConvertError> {
    let Content::Character(character) = &opened.content else { return Ok(None) };
    let Some(form) = form_of(character, options.to) else { return Ok(None) };
    let (input, limits) = (&opened.input, &options.read.limits);
    let chosen = Chosen::of(character, options)?;
    let mut pictures = picture_files(input, &options.read).map_err(ConvertError::Input)?;
    if opened.missing_image.is_some() {
        pictures.find_broken(limits);
    }
    let declares_alpha = !form.reads_newer_atlas() && pictures.write_older_atlas().map_err(ConvertError::Input)?;
    let (mut files, mut losses) = files(&pictures, options)?;
    if declares_alpha {
        let message = "an atlas of 3.8 cannot state that its pages are premultiplied; most programs assume it";
        losses.push(Loss::new("alpha-undeclared", "", message));
    }
    let animations: Option<Vec<usize>> =
        chosen.animations.as_ref().map(|ids| ids.iter().map(|id| id.index()).collect());
    let rate = character.model().animations().iter().map(|animation| animation.fps()).find(|fps| *fps > 0.0);
    let written = rewrite::rewrite(
        &input.bytes,
        &RewriteOptions {
            form,
            animations: animations.as_deref(),
            skins: &chosen.skins.iter().map(String::as_str).collect::<Vec<_>>(),
            fps: options.fps.map(f64::from).or(rate).unwrap_or(DEFAULT_FPS),
            bakes: options.bakes,
            keep_going: opened.has_errors,
            limits,
        },
    );
    let written = written.map_err(ConvertError::writing)?;
    let bytes = Bytes::from(written.bytes);
    let measured =
        compare(&input.bytes, &bytes, pictures.atlas, &chosen, written.baked_physics.as_deref(), limits)?;
    files.files.push(OutFile::new(options.file_name.clone(), bytes));
    losses.extend(written.losses);
    let is_known = losses.iter().any(|loss: &Loss| loss.code == "not-compared");
    if measured.is_none() && !is_known && !character.model().animations().is_empty() {
        let message = "source and result were not compared, because that would take more work than allowed";
        losses.push(Loss::new("not-compared", "", message));
    }
    let moved = measured.iter().flatten().filter(|deviation| deviation.px > MIN_REPORTED_PX);
    losses.extend(moved.map(|deviation| loss_of(character, deviation)));
    Ok(Some(Converted {
        // Of the vertices of one mesh that move in several animations, only the worst are printed.
        sampled: losses.len(),
        losses,
        worst_error_px: worst(measured.as_deref()),
        ..Converted::new(opened.source, options.to, files)
    }))
}

/// What is written of the source.
struct Chosen {
    /// The animations, in the order of the file; `None` for all.
    animations: Option<Vec<AnimationId>>,
    /// Names of skins; empty for all.
    skins: Vec<String>,
}

impl Chosen {
    fn of(character: &Character, options: &ConvertOptions) -> Result<Self, ConvertError> {
        let model = character.model();
        let mut animations = distinct_animations(model, &options.animations)?;
        if let Some(animations) = &mut animations {
            animations.sort_by_key(|id| id.index());
        }
        if options.skins.is_empty() {
            return Ok(Self { animations, skins: Vec::new() });
        }
        let skins = choose::skins(character, &options.skins)?.into_iter();
        let mut skins: Vec<String> = skins.map(|id| model.skin(id).name.to_string()).collect();
        // It is written in any case, and an empty list would mean all.
        skins.push(DEFAULT_SKIN.to_owned());
        Ok(Self { animations, skins })
    }
}

/// Same as [`choose::animations`], without duplicates.
pub fn distinct_animations(model: &Model, wanted: &[String]) -> Result<Option<Vec<AnimationId>>, UnknownName> {
    let mut seen = HashSet::new();
    let mut chosen = choose::animations(model, wanted)?;
    if let Some(chosen) = &mut chosen {
        chosen.retain(|id| seen.insert(*id));
    }
    Ok(chosen)
}

/// Returns the atlas and the pictures, and what is missing of them.
fn files(pictures: &PictureFiles, options: &ConvertOptions) -> Result<(Files, Vec<Loss>), ConvertError> {
    let atlas = format!("{}.atlas", options.stem());
    let mut files = Files::default();
    let mut losses = Vec::new();
    for picture in &pictures.pictures {
        let bytes = match &picture.bytes {
            Ok(bytes) => bytes,
            Err(why) if options.allows_missing_images => {
                let message = format!("{why}; it is not written");
                losses.push(Loss::new("images-dropped", "", message));
                continue;
            }
            Err(why) => {
                let error = Error::malformed("missing-image", Place::default(), why.clone());
                return Err(ConvertError::Incomplete(error));
            }
        };
        let path = picture.path.as_str();
        let is_plain = path.split('/').all(|part| safe_name(part) == part);
        let is_taken = [&atlas, &options.file_name].iter().any(|name| name.eq_ignore_ascii_case(path));
        if !is_plain || is_taken {
            let why = if is_taken { "is the name of another output file" } else { "is not a portable file name" };
            let message = format!("the image `{}` cannot be written: its name {why}", escaped(path));
            return Err(ConvertError::Output(Error::unsupported("bad-name", Place::default(), message)));
        }
        files.pictures.push(OutFile::new(path, bytes.clone()));
    }
    match &pictures.atlas {
        Some(bytes) => files.pictures.push(OutFile::new(atlas, bytes.clone())),
        // A reader would use it instead of the loose pictures.
        None if !files.pictures.is_empty() => files.must_not_exist.push(atlas),
        None => {}
    }
    Ok((files, losses))
}

/// Reads source and result and compares their poses: with the default skin alone, and with every other skin that was
/// written. With `physics`, the source plays its physics, in the passes that were baked. Returns the largest deviation of each slot in each animation, or `None` if comparing takes too long.
fn compare(
    source: &Bytes,
    written: &Bytes,
    atlas: Option<Bytes>,
    chosen: &Chosen,
    physics: Option<&[Cycle]>,
    limits: &Limits,
) -> Result<Option<Vec<Deviation>>, ConvertError> {
    let sidecars = OnlyAtlas(atlas);
    let read = |bytes: &Bytes, keep_going| {
        let options =
            ReadOptions { fps: Some(COMPARED_FPS), keep_going, limits: limits.clone(), ..ReadOptions::default() };
        read_back(&Input { bytes: bytes.clone(), sidecars: &sidecars }, &options)
    };
    let (source, written) = (read(source, true)?, read(written, false)?);
    let model = source.model();
    let animations = chosen.animations.clone().unwrap_or_else(|| model.animation_ids().collect());
    if animations.is_empty() {
        return Ok(None);
    }
    let slots: Vec<SlotId> = model.slot_ids().collect();
    let of_skin = |(id, skin): (SkinId, &crate::model::Skin)| Some([model.find_skin(&skin.name)?, id]);
    let others = written.model().skin_ids().zip(written.model().skins());
    let others = others.filter(|(_, skin)| *skin.name != *DEFAULT_SKIN).filter_map(of_skin);
    let skins = std::iter::once([vec![], vec![]]).chain(others.map(|pair| pair.map(|id| vec![id])));
    let mut worst: BTreeMap<[usize; 2], Deviation> = BTreeMap::new();
    // All of them together may take as much as one.
    let shared = Limits { work: limits.work / (1 + written.model().skins().len() as u64), ..limits.clone() };
    for [own, theirs] in skins {
        let measured = deviations(&source, &written, &animations, &slots, [&own, &theirs], physics, &shared);
        let Some(measured) = measure(measured)? else { return Ok(None) };
        for deviation in measured {
            let key = [deviation.animation.index(), deviation.slot.index()];
            let known = worst.entry(key).or_insert_with(|| deviation.clone());
            if deviation.px > known.px {
                *known = deviation;
            }
        }
    }
    Ok(Some(worst.into_values().collect()))
}

/// The loss for a mesh that is off.
fn loss_of(character: &Character, deviation: &Deviation) -> Loss {
    let (px, secs) = (deviation.px, f64::from(deviation.frame) / COMPARED_FPS);
    moved_loss(character, deviation, |mesh, animation| match px.is_finite() {
        true => format!("mesh `{mesh}` is off by up to {px:.3} px in `{animation}`, most at {secs:.3} s"),
        false => format!("slot `{mesh}` shows something else in `{animation}`, first at {secs:.3} s"),
    })
}
