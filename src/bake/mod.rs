//! Any character → PCHR v1: stored frames of bones, and a report of what they cannot represent.
//!
//! Every bone of the source is kept; a sheared one becomes two. In addition, each mesh shown at some time (one per
//! slot and attachment) has helper bones that copy the bones which move it most: the bone that owns a mesh
//! controls its visibility and draw order. If a mesh has no single bind pose or too many influences, its helpers
//! combine several bones. Positions are compared with the source at every stored frame; deviations above
//! 0.01 world pixels, and everything without representation in the format, are reported as a [`Loss`].

mod blend;
mod bones;
#[cfg(feature = "convert")]
mod deviation;
mod losses;
mod measure;
mod meshes;
mod sample;
mod side;

use std::collections::HashSet;
use std::ops::Range;

use crate::bytes::room;
use crate::character::Character;
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Place, Result};
use crate::formats::free_names::FreeNames;
use crate::formats::image::encode_png;
use crate::formats::pchr::document::Sidecar;
use crate::formats::pchr::schema::{Animation, Bone, BoneTransform, File, Image};
use crate::formats::pchr::{self, Document, is_bind_name};
use crate::formats::{Loss, ReadOptions};
use crate::limits::{Budget, Limits};
use crate::math::color::unpremultiply_all;
use crate::model::{AnimationId, AtlasPage, Model, PageId, SkinId};
use crate::motion::Motion;

use bones::Bones;
use meshes::{Above, Fit, Helper, MAX_PULLED, Owned, Places};
use sample::Sampling;

#[cfg(feature = "convert")]
pub(crate) use deviation::{Deviation, deviations};

/// Deviations up to this many world pixels are not reported.
pub(crate) const MIN_REPORTED_PX: f32 = 0.01;

/// Default frame rate.
const DEFAULT_FPS: u16 = 30;

/// Units of work for a bone that a bake stores and checks, counted from bones and helper bones × frames.
const STORED_BONE_WORK: u64 = 32;

/// Memory of a loss, with its texts.
const LOSS_BYTES: usize = 1024;

/// Options of baking.
#[derive(Debug, Clone, Default)]
pub struct BakeOptions {
    /// Stored frames per second. `None` uses the rate of the file, or 30.
    pub fps: Option<u16>,
    /// The animations, in output order.
    pub animations: Vec<AnimationId>,
    /// The skins applied in addition to the default one.
    pub skins: Vec<SkinId>,
    /// Simulates physics, if the character has it: each frame stores the state reached by playing the animation from its
    /// first frame. For a loop, that is the first pass that the next one resembles. The bind pose is stored without.
    pub physics: bool,
    /// Keeps influences beyond the fourth, which only the older JSON can store.
    pub keep_all_influences: bool,
    /// Limits of memory and work.
    pub limits: Limits,
}

/// A character as a PCHR document.
#[derive(Debug)]
pub struct Baked {
    /// The document. Its first animation is the bind pose.
    pub(crate) document: Document,
    /// What the document does not represent.
    pub losses: Vec<Loss>,
    /// Largest deviation of any vertex drawn in a stored frame, in world pixels.
    pub worst_error_px: f32,
}

impl Baked {
    /// Returns the document as a PCHR v1 file, without images if one is missing.
    ///
    /// # Errors
    ///
    /// If it has more items of a kind than the format allows.
    pub fn to_pchr(&self) -> Result<Vec<u8>> {
        let mut document = self.document.clone();
        if document.require_images().is_err() {
            document.drop_images();
        }
        pchr::write(&document.to_v1(None)?)
    }

    /// Returns the character that a reader would build from the document, with stored frames. A
    /// crowd that poses itself on the GPU needs one.
    ///
    /// # Errors
    ///
    /// If it exceeds `limits`.
    pub fn character(&self, limits: &Limits) -> Result<Character> {
        let options = ReadOptions { limits: limits.clone(), ..ReadOptions::default() };
        // Its findings were reported when the source was read.
        pchr::build(&self.document, &options, &mut Budget::new(limits), &mut Diagnostics::default())
    }
}

/// Samples `character` frame by frame.
///
/// # Errors
///
/// Fails if a limit of the format is exceeded: 65,535 frames per animation, 65,535 bones, 65,535 meshes, 32,767
/// slots, 32,767 bones with children or meshes, 65,535 pixels per side of a picture. Also fails for animations
/// that `character` does not have.
pub fn bake(character: &Character, options: &BakeOptions) -> Result<Baked> {
    bake_within(character, options, &mut Budget::new(&options.limits))
}

/// Like [`bake`], within a budget that may have been used and that has the limits of `options`.
pub(crate) fn bake_within(character: &Character, options: &BakeOptions, budget: &mut Budget<'_>) -> Result<Baked> {
    let model = character.model();
    model.check_animations(options.animations.iter().copied())?;
    let count = model.skeleton().bones().len();
    if count > usize::from(u16::MAX) {
        return Err(Error::unsupported(
            "too-many",
            Place::inside("bones"),
            format!("{count} bones are too many, the format allows {}", u16::MAX),
        ));
    }
    let fps = options.fps.unwrap_or_else(|| default_fps(model, &options.animations));
    let sampling = Sampling::of(character, fps, options, budget)?;
    let bones = Bones::fit(model, &sampling, budget)?;
    let mut meshes = Vec::with_capacity(sampling.visuals.len());
    // Helpers beyond the memory limit are refused below, but would have to be created first.
    let frame_bytes = (sampling.frames.len() * BoneTransform::SIZE).max(1) as u64;
    let mut room = MAX_PULLED.min((options.limits.memory_bytes / frame_bytes) as usize);
    let fit = Fit { sampling: &sampling, bones: &bones, keep_all_influences: options.keep_all_influences };
    for shown in &sampling.visuals {
        budget.check_cancelled()?;
        meshes.push(Owned::new(model, shown, fit, &mut room));
    }
    let names = mesh_names(character, &sampling);
    let (images, image_of_page) = images(model, &sampling, budget)?;
    let mut document = Document::v1(File { fps, images, ..File::default() });
    // Keeps the path of the picture, so that it is not overwritten.
    let source = |page: &AtlasPage| Sidecar { path: page.name.to_string(), missing: None };
    document.sidecars = model.pages().iter().map(source).collect();
    document.file.bones = bone_list(model, &bones, &meshes, &names)?;
    let bone_count = document.file.bones.len();
    let place = || Place::inside("animations");
    let transforms = sampling.frames.len() as u64 * bone_count as u64;
    budget.charge_memory(transforms, BoneTransform::SIZE, place)?;
    budget.charge_work(transforms, STORED_BONE_WORK, place)?;
    document.file.animations = animations(model, &sampling, &bones, &meshes, bone_count)?;
    let mut first_helper = bones.list.len();
    for (index, (mesh, shown)) in meshes.iter().zip(&sampling.visuals).enumerate() {
        let source = shown.mesh(model);
        // Without a picture, an index that no image can have.
        let image = source.page.map_or(u16::MAX, |page| image_of_page[page.index()]);
        let places = Places { of: &bones.of, first_helper };
        document.file.meshes.push(mesh.packed(&names[index], image, source, places));
        document.long_influences.extend(mesh.long_influences(index, places));
        first_helper += mesh.helpers.len();
    }
    let errors = measure::measure(character, &sampling, options, &document, budget)?;
    let moved = errors.iter().flatten().filter(|error| error.px > MIN_REPORTED_PX).count();
    budget.charge_memory(moved as u64, LOSS_BYTES, place)?;
    let worst_error_px = errors.iter().flatten().fold(0.0, |worst, error| error.px.max(worst));
    let parts = losses::Parts { sampling: &sampling, bones: &bones, meshes: &meshes, names: &names };
    let losses = losses::find(character, options, &parts, &errors, &document);
    Ok(Baked { document, losses, worst_error_px })
}

/// Returns the frame rate of the file, as a whole number.
fn default_fps(model: &Model, animations: &[AnimationId]) -> u16 {
    let rates = animations.iter().map(|&id| model.animation(id).fps());
    let rate = rates.fold(0.0, f64::max).round();
    if (1.0..=f64::from(u16::MAX)).contains(&rate) { rate as u16 } else { DEFAULT_FPS }
}

/// Returns the names of meshes: the attachment, with the slot if ambiguous. SkelForm attachments are named after
/// their texture, which many share; there the slot is the name that users know.
fn mesh_names(character: &Character, sampling: &Sampling) -> Vec<String> {
    let model = character.model();
    let is_known_by_slot = matches!(character.motion(), Motion::SkelForm(_));
    let mut names = FreeNames::default();
    let name = |visual: &sample::Visual| {
        let attachment = model.attachment(visual.attachment).name();
        let slot = &*model.slot(visual.slot).name;
        let short = if is_known_by_slot { slot } else { attachment };
        names.unique_of([short, &format!("{slot}/{attachment}")])
    };
    sampling.visuals.iter().map(name).collect()
}

/// Returns the bones of the source, then the helpers of the meshes.
fn bone_list(model: &Model, bones: &Bones, meshes: &[Owned], names: &[String]) -> Result<Vec<Bone>> {
    let source = model.skeleton().bones();
    let mut taken = FreeNames::default();
    source.iter().for_each(|bone| taken.reserve(&bone.name));
    let helpers: usize = meshes.iter().map(|mesh| mesh.helpers.len()).sum();
    let too_many = |message| Error::unsupported("too-many", Place::inside("bones"), message);
    if bones.list.len() + helpers > usize::from(u16::MAX) {
        let message = format!(
            "{} bones and {helpers} helpers of meshes are too many, the format allows {} in total",
            bones.list.len(),
            u16::MAX
        );
        return Err(too_many(message));
    }
    let parent_of = |parent: Option<usize>| match parent.map(i16::try_from) {
        None => Ok(-1),
        Some(Ok(parent)) => Ok(parent),
        Some(Err(_)) => Err(too_many(format!(
            "{} bones are too many, only the first {} can have children",
            bones.list.len(),
            u32::from(i16::MAX.unsigned_abs()) + 1
        ))),
    };
    let mut list = Vec::with_capacity(bones.list.len() + helpers);
    for bone in &bones.list {
        let name = &source[bone.source].name;
        let name = match bone.is_upper {
            true => taken.unique(&format!("{name} (shear)")),
            false => name.to_string(),
        };
        list.push(Bone { name, parent: parent_of(bone.parent)?, offset: 0 });
    }
    for (mesh, name) in meshes.iter().zip(names) {
        let first = list.len();
        for helper in &mesh.helpers {
            let name = taken.unique_of([name, &format!("{name} (mesh)")]);
            let above = match helper.above {
                Above::Nothing => None,
                Above::Bone(bone) => Some(bones.of[bone]),
                Above::Own(number) => Some(first + number),
            };
            list.push(Bone { name, parent: parent_of(above)?, offset: 0 });
        }
    }
    Ok(list)
}

/// Returns the bind pose, then the sampled animations. Frames are packed at once: there may be many, each with a bone
/// for every mesh.
fn animations(
    model: &Model,
    sampling: &Sampling,
    bones: &Bones,
    meshes: &[Owned],
    bone_count: usize,
) -> Result<Vec<Animation>> {
    let mut taken = FreeNames::default();
    taken.reserve("bind");
    let mut order = vec![None; meshes.len()];
    let mut pack = |at: usize, packed: &mut Vec<u8>| {
        bones.list.iter().for_each(|bone| packed.extend_from_slice(&bone.transforms[at].record()));
        sampling.frames[at].shown.iter().for_each(|&(visual, z)| order[visual] = Some(z));
        for (mesh, z) in meshes.iter().zip(&mut order) {
            let z = z.take();
            let flags = if z.is_some() { BoneTransform::VISIBLE } else { 0 };
            let transform = |helper: &Helper| match at.checked_sub(1) {
                None => helper.bind,
                Some(at) => helper.moves.get(at).copied().unwrap_or_default(),
            };
            let shown = |helper| BoneTransform { flags, z_order: z.unwrap_or(0), ..transform(helper) };
            mesh.helpers.iter().for_each(|helper| packed.extend_from_slice(&shown(helper).record()));
        }
    };
    let mut animation = |looping, frames: Range<usize>| -> Result<Animation> {
        let mut packed = room(frames.len() * bone_count * BoneTransform::SIZE)?;
        frames.clone().for_each(|at| pack(at, &mut packed));
        Ok(Animation::packed("", looping, frames.len(), packed))
    };
    let mut list = vec![Animation { name: "bind".to_owned(), ..animation(false, 0..1)? }];
    for track in &sampling.tracks {
        let mut animation = animation(track.looping, track.frames.clone())?;
        let name = &model.animation(track.animation).name;
        animation.name.clone_from(name);
        // An animation with a name of the bind pose would never be played.
        let other = format!("{name} motion");
        animation.name = taken.unique_of([if is_bind_name(&animation) { &other } else { name }, &other]);
        list.push(animation);
    }
    Ok(list)
}

/// Returns the used images, and the image index by page.
fn images(model: &Model, sampling: &Sampling, budget: &mut Budget<'_>) -> Result<(Vec<Image>, Vec<u16>)> {
    let used: HashSet<PageId> = sampling.visuals.iter().filter_map(|visual| visual.mesh(model).page).collect();
    let mut used: Vec<PageId> = used.into_iter().collect();
    used.sort_unstable();
    let (mut images, mut numbers) = (Vec::new(), vec![u16::MAX; model.pages().len()]);
    for page in used {
        numbers[page.index()] = images.len() as u16;
        images.push(image(&model.pages()[page.index()], budget)?);
    }
    Ok((images, numbers))
}

/// Returns an image with straight alpha.
pub(crate) fn image(page: &AtlasPage, budget: &mut Budget<'_>) -> Result<Image> {
    let (Ok(width), Ok(height)) = (u16::try_from(page.width), u16::try_from(page.height)) else {
        let message =
            format!("the picture has {}×{} pixels, the format allows 65,535 per side", page.width, page.height);
        return Err(Error::unsupported("too-many", Place::file(&page.name), message));
    };
    budget.charge_encoding(page.width, page.height, || Place::file(&page.name))?;
    let png = if page.is_premultiplied {
        let mut pixels = room(page.pixels.len())?;
        pixels.extend_from_slice(&page.pixels);
        unpremultiply_all(&mut pixels);
        encode_png(page.width, page.height, &pixels)?
    } else {
        encode_png(page.width, page.height, &page.pixels)?
    };
    let name = page.name.strip_suffix(".png").unwrap_or(&page.name).to_owned();
    Ok(Image { name, width, height, format: Image::PNG, data: png.into(), offset: 0 })
}
