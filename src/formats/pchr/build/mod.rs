//! [`Document`] → [`Character`]: checks every index, number and image, then decodes the images.
//!
//! Format errors are refused; oddities that can be played are reported.

mod animations;
mod bind_pose;
mod images;
mod meshes;

use super::document::{At, Document};
use super::schema;
use crate::character::Character;
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Result};
use crate::formats::{ReadOptions, page_alpha};
use crate::limits::Budget;
use crate::math::{Affine2, DAffine2};
use crate::model::{AtlasPage, Attachment, Bone, BoneId, Model, ModelBuilder, Slot, Tint};
use crate::motion::{Motion, Sampled};

pub use bind_pose::{Bind, bone_from_world, is_bind_name, world_from_bone};
pub use images::PageDecoder;
#[cfg(feature = "bake")]
pub use images::decode_page;
#[cfg(feature = "convert")]
pub use images::{PictureKey, picture_key};
pub use meshes::{CheckedMesh, Checker, Weights, outline};

/// Memory of the finished character per record in bytes, in addition to the file's own.
const BONE_BYTES: usize = size_of::<Bone>() + 2 * size_of::<Affine2>() + size_of::<DAffine2>();
const MESH_BYTES: usize = size_of::<Attachment>() + size_of::<Slot>();

/// Maximum number of errors reported for one mesh or one animation.
const MAX_FAULTS: usize = 100;

/// The result of checking all indices and numbers of a document. Complete if there are no errors.
pub struct Checked {
    /// By image: true if it has a picture.
    pub has_picture: Vec<bool>,
    /// By mesh; `None` if it has errors.
    pub meshes: Vec<Option<CheckedMesh>>,
    /// By animation: true if it can be played.
    pub is_playable: Vec<bool>,
    /// The bind pose; `None` if the skeleton or its animation has errors.
    pub bind: Option<Bind>,
}

/// Checks the whole structure, but no pixels.
pub fn check(
    document: &Document,
    options: &ReadOptions,
    budget: &mut Budget<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Checked> {
    document.check_blocks()?;
    let file = &document.file;
    let charge = |budget: &mut Budget<'_>, list, count: usize, size| {
        budget.charge_memory(count as u64, size, || document.list_place(list))
    };
    charge(budget, "bones", file.bones.len(), BONE_BYTES)?;
    charge(budget, "meshes", file.meshes.len(), MESH_BYTES)?;
    charge(budget, "animations", file.animations.len(), size_of::<crate::model::Animation>())?;

    let has_picture = images::check(document, budget, diagnostics)?;
    let errors = diagnostics.errors();
    for index in 0..file.bones.len() {
        check_parent(document, index, diagnostics)?;
    }
    let is_tree = diagnostics.errors() == errors;
    if file.images.is_empty() && !file.meshes.is_empty() {
        let message = "the file has no images; its meshes are drawn in a neutral colour";
        diagnostics.incomplete("no-atlas", document.place(At::File("imageCount")), message);
    }
    let mut weights = Weights::default();
    let mut checker = Checker::new(document, &has_picture, options, &mut weights);
    let mut meshes = Vec::with_capacity(file.meshes.len());
    for index in 0..file.meshes.len() {
        meshes.push(checker.check(index, budget, diagnostics)?);
    }
    let is_playable = animations::check(document, diagnostics)?;
    let all_play = is_playable.iter().all(|is| *is);
    let bind = if is_tree && all_play { Some(bind_pose::choose(document, options, diagnostics)?) } else { None };
    Ok(Checked { has_picture, meshes, is_playable, bind })
}

/// Builds a character from a document.
///
/// The whole structure is checked before the first image is decoded.
pub fn build(
    document: &Document,
    options: &ReadOptions,
    budget: &mut Budget<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Character> {
    let checked = check(document, options, budget, diagnostics)?;
    // One after the other, because decoding takes memory in addition to the pixels.
    let mut decoder = PageDecoder::new(document).with_progress(budget.progress());
    budget.expect_images(checked.has_picture.iter().filter(|has_picture| **has_picture).count());
    let mut pages = Vec::with_capacity(checked.has_picture.len());
    for (index, has_picture) in checked.has_picture.iter().enumerate() {
        pages.push(has_picture.then(|| decoder.page(index)).transpose()?);
        if *has_picture {
            budget.image_done();
        }
    }
    assemble(document, checked, pages, options, diagnostics)
}

/// Builds a character from a checked document and its `pages`, `None` for images without a picture.
pub fn assemble(
    document: &Document,
    checked: Checked,
    pages: Vec<Option<AtlasPage>>,
    options: &ReadOptions,
    diagnostics: &mut Diagnostics,
) -> Result<Character> {
    let (Some(bind), Some(meshes)) = (checked.bind, checked.meshes.into_iter().collect::<Option<Vec<_>>>()) else {
        return Err(Error::misuse("has-errors", "no character can be made from a document with errors"));
    };
    let file = &document.file;
    let mut builder = ModelBuilder::default();
    let mut page_of_image = Vec::with_capacity(pages.len());
    for page in pages {
        page_of_image.push(page.map(|page| builder.page(page)).transpose()?);
    }
    page_alpha::decide(&mut builder, options, diagnostics);
    for (bone, matrix) in file.bones.iter().zip(&bind.world_from_bone) {
        builder.bone(Bone {
            name: bone.name.as_str().into(),
            parent: parent_of(bone),
            bone_from_bind: bone_from_world(matrix),
            ..Bone::default()
        })?;
    }
    for (mesh, checked) in file.meshes.iter().zip(meshes) {
        let attachment = builder.attachment(Attachment::Mesh(crate::model::Mesh {
            name: mesh.name.as_str().into(),
            page: page_of_image.get(usize::from(mesh.image)).copied().flatten(),
            vertices: checked.vertices,
            indices: checked.indices,
            tint: Tint::NONE.light,
            outline: checked.outline,
        }))?;
        builder.slot(Slot {
            name: mesh.name.as_str().into(),
            bone: checked.owner,
            attachment: Some(attachment),
            ..Slot::default()
        })?;
    }
    let samples = animations::build(file, &mut builder);
    let bind_world = bind.world_from_bone.iter().map(|&world| world.into()).collect();
    let model: Model = builder.build();
    Ok(Character::of(model, Motion::Sampled(Sampled::new(samples, bind_world, options.y_down))))
}

fn parent_of(bone: &schema::Bone) -> Option<BoneId> {
    usize::try_from(bone.parent).ok().map(BoneId::new)
}

/// Checks that the parent is -1 or an earlier bone.
fn check_parent(document: &Document, index: usize, diagnostics: &mut Diagnostics) -> Result<()> {
    let parent = document.file.bones[index].parent;
    let fine = parent >= -1 && i64::from(parent) < index as i64;
    if fine {
        return Ok(());
    }
    let message = match index {
        0 => format!("bone {parent} cannot be the parent of the first bone, which must be a root (-1)"),
        _ => format!(
            "bone {parent} cannot be the parent of bone {index}: a parent must come before its children (0 to \
             {}) or be -1",
            index - 1
        ),
    };
    let place = document.place(At::Bone(index, "parent"));
    diagnostics.reject(Error::malformed("bad-parent", place, message))
}
