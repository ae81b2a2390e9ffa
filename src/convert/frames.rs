//! Converts any character to stored frames of bones, ready to be written.

use std::sync::Arc;

use super::{Content, ConvertError, ConvertOptions, Converted, Files, Opened};
use crate::bake::{BakeOptions, Baked, bake_within};
use crate::bytes::room;
use crate::character::Character;
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Fault, Place, Result};
use crate::export::choose;
use crate::formats::pchr::{self, Bind, Document};
use crate::formats::table::Target;
use crate::formats::{Loss, ReadOptions};
use crate::limits::Budget;
use crate::motion::{Motion, plays_physics};

/// A character as stored frames of bones, the input of every baking writer. Its y axis points up, and its first
/// animation contains the bind pose.
pub type Frames = Arc<Document>;

/// Builds the character that a reader would build from the frames.
pub fn character(frames: &Frames, budget: &mut Budget<'_>) -> Result<Character> {
    let options = ReadOptions { limits: budget.limits().clone(), ..ReadOptions::default() };
    build(frames, &options, budget)
}

/// The result of writing [`Frames`].
pub struct Written {
    pub files: Files,
    /// Everything that the format cannot represent.
    pub losses: Vec<Loss>,
    /// Largest vertex error in world pixels, if it was measured.
    pub worst_error_px: Option<f32>,
}

impl From<Files> for Written {
    fn from(files: Files) -> Self {
        Self { files, losses: Vec::new(), worst_error_px: None }
    }
}

/// A writer of stored frames.
#[derive(Clone, Copy)]
pub struct FrameWriter {
    pub bakes: Bakes,
    pub write: WriteFrames,
}

pub type WriteFrames = fn(&Frames, &ConvertOptions, &mut Budget<'_>) -> Result<Written, ConvertError>;

/// What the stored frames may contain.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Bakes {
    /// What PCHR v1 can represent: four influences per vertex, and either all images or none.
    V1,
    /// Any number of influences, but no reserved bits.
    Everything,
}

/// Converts a file to stored frames and writes them.
pub fn convert(
    opened: Opened<'_>,
    writer: FrameWriter,
    options: &ConvertOptions,
    budget: &mut Budget<'_>,
) -> Result<Converted, ConvertError> {
    let Opened { source, content, missing_image, .. } = opened;
    let Prepared { mut document, bind, sampled, worst_error_px } =
        prepare(content, writer.bakes, options, budget)?;
    if !options.allows_missing_images {
        document.require_images().map_err(|error| {
            // Sampled frames are no file: the reader knows which image is missing.
            let missing = missing_image.filter(|_| bind.is_none());
            let missing = missing.map(|Fault { code, place, message }| {
                let place = if place.file.is_none() { place } else { Place::default() };
                Error::malformed(code, place, message)
            });
            ConvertError::Incomplete(missing.unwrap_or(error))
        })?;
    }
    let dropped = losses(&mut document, writer.bakes);
    if let Some(bind) = bind {
        let keep = kept_animations(&document, &options.animations)?;
        charge_flip(&document, &options.read, budget).map_err(ConvertError::Input)?;
        document.flip_to_y_up(&options.read);
        document.straighten(&options.read, budget).map_err(ConvertError::Input)?;
        document.prepend_bind_pose(&bind, keep.as_deref());
    }
    let kept = document.file.animations.len() - 1;
    if kept >= u16::MAX.into() {
        let message = format!("{kept} animations and the bind pose exceed the maximum of {}", u16::MAX);
        return Err(ConvertError::Output(Error::unsupported("too-many", Place::default(), message)));
    }
    let frames = Arc::new(document);
    budget.next_step();
    let written = (writer.write)(&frames, options, budget)?;
    let mut converted = Converted::new(source, options.to, written.files);
    converted.sampled = sampled.len();
    converted.losses = sampled;
    converted.losses.extend(dropped);
    converted.losses.extend(written.losses);
    converted.fps = worst_error_px.map(|_| frames.file.fps);
    // The sum is an upper bound of both errors together.
    converted.worst_error_px = match (worst_error_px, written.worst_error_px) {
        (Some(sampled), Some(written)) => Some(sampled + written),
        (sampled, written) => sampled.or(written),
    };
    Ok(converted)
}

/// Stored frames whose y axis may still have to be flipped.
struct Prepared {
    document: Document,
    /// Bind pose of a document that is not converted to y up yet.
    bind: Option<Bind>,
    /// Losses from sampling.
    sampled: Vec<Loss>,
    /// Largest vertex error in world pixels, if frames were sampled.
    worst_error_px: Option<f32>,
}

/// Returns the document unchanged, or one of sampled frames if the source has none or the options require it.
fn prepare(
    content: Content,
    bakes: Bakes,
    options: &ConvertOptions,
    budget: &mut Budget<'_>,
) -> Result<Prepared, ConvertError> {
    let character = match content {
        Content::Document(document, bind) if options.fps.is_none() && options.skins.is_empty() => {
            return Ok(Prepared {
                document: *document,
                bind: Some(bind),
                sampled: Vec::new(),
                worst_error_px: None,
            });
        }
        Content::Document(document, _) => build(&document, &options.read, budget).map_err(ConvertError::Input)?,
        Content::Character(character) => *character,
    };
    if !options.bakes {
        reject_keys(&character, options)?;
    }
    let model = character.model();
    let bake_options = BakeOptions {
        fps: options.fps,
        animations: match choose::animations(model, &options.animations)? {
            Some(animations) => animations,
            None => model.motions().collect(),
        },
        skins: choose::skins(&character, &options.skins)?,
        physics: plays_physics(&character, None),
        keep_all_influences: bakes == Bakes::Everything,
        limits: options.read.limits.clone(),
    };
    let Baked { document, mut losses, worst_error_px } =
        bake_within(&character, &bake_options, budget).map_err(ConvertError::writing)?;
    losses.extend(assumed_loops(&character, &document, options.to));
    Ok(Prepared { document, bind: None, sampled: losses, worst_error_px: Some(worst_error_px) })
}

/// Returns the format of a character with keys.
fn keyed(character: &Character) -> Option<&'static str> {
    match character.motion() {
        Motion::Sampled(_) | Motion::Flipbook(_) | Motion::Animate(_) | Motion::Stage(_) => None,
        Motion::Spine(_) => Some("Spine"),
        Motion::SkelForm(_) => Some("SkelForm"),
    }
}

/// The formats with keys leave looping to the player, so an animation that should play once is stored as looping.
fn assumed_loops(character: &Character, document: &Document, to: &Target) -> Option<Loss> {
    let code = to.losses().map(|kind| kind.code).find(|code| *code == "loops-assumed")?;
    let source = keyed(character)?;
    let count = document.file.animations.iter().filter(|animation| animation.frame_count > 1).count();
    let stored = crate::outline::plural(count, "animation is", "animations are");
    let message = format!("{source} files do not store which animations loop; {stored} stored as looping");
    (count > 0).then(|| Loss::new(code, "animations", message))
}

/// Rejects a character whose keys would be replaced by samples.
fn reject_keys(character: &Character, options: &ConvertOptions) -> Result<(), ConvertError> {
    let Some(source) = keyed(character) else { return Ok(()) };
    let message = format!(
        "converting this {source} file to {} would replace its keys with sampled frames, and baking is disabled",
        options.to.name
    );
    Err(ConvertError::Output(Error::unsupported("would-bake", Place::default(), message)))
}

fn build(document: &Document, options: &ReadOptions, budget: &mut Budget<'_>) -> Result<Character> {
    // Its findings were already reported when it was read.
    pchr::build(document, options, budget, &mut Diagnostics::default())
}

/// Charges the memory of the blocks that [`Document::flip_to_y_up`] copies, and checks that the longest copy can be
/// allocated.
fn charge_flip(document: &Document, options: &ReadOptions, budget: &mut Budget<'_>) -> Result<()> {
    let meshes = document.file.meshes.iter().filter(|_| options.y_down || options.flip_v);
    let animations = document.file.animations.iter().filter(|_| options.y_down);
    let copied = meshes.map(|mesh| &mesh.vertices).chain(animations.map(|animation| &animation.frames));
    let mut longest = 0;
    for block in copied {
        budget.charge_memory(block.len, 1, || document.list_place("animations"))?;
        longest = longest.max(block.bytes.len());
    }
    room::<u8>(longest).map(drop)
}

/// Removes what the stored frames may not contain, and returns it as losses.
fn losses(document: &mut Document, bakes: Bakes) -> Vec<Loss> {
    match bakes {
        Bakes::V1 => {
            let mut losses = document.losses_to_v1();
            if document.require_images().is_err() {
                losses.extend(document.drop_images());
            }
            losses
        }
        Bakes::Everything => document.losses_to_pachario(),
    }
}

/// Returns the indices of the animations to keep; `None` for all.
fn kept_animations(document: &Document, wanted: &[String]) -> Result<Option<Vec<usize>>, ConvertError> {
    if wanted.is_empty() {
        return Ok(None);
    }
    let names: Vec<&str> = document.file.animations.iter().map(|animation| animation.name.as_str()).collect();
    let kept: Result<_, _> = wanted.iter().map(|name| choose::index("animation", name, &names)).collect();
    Ok(Some(kept?))
}
