//! [`schema::File`] → [`Character`]: checks every index, number and image, then decodes the images.
//!
//! Refuses what breaks the format; reports what is odd but playable.

mod animations;
mod bind_pose;
mod images;
mod meshes;

use super::schema;
use crate::character::Character;
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Place, Result};
use crate::formats::ReadOptions;
use crate::limits::Budget;
use crate::math::Affine2;
use crate::model::{Attachment, Bone, BoneId, Model, ModelBuilder, PageId, Slot};
use crate::motion::{Motion, Sampled};

/// Bytes that the finished character takes for each record, beside the file's own.
const BONE_BYTES: usize = size_of::<Bone>() + 2 * size_of::<Affine2>() + size_of::<bind_pose::Matrix>();
const MESH_BYTES: usize = size_of::<Attachment>() + size_of::<Slot>();

/// Makes a character of a file, or says what is wrong with it.
///
/// The whole structure is checked before the first image is decoded.
pub fn build(
    file: schema::File,
    options: &ReadOptions,
    budget: &mut Budget<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Character> {
    let charge = |budget: &mut Budget<'_>, list: &str, count: usize, size| {
        budget.charge_memory(count as u64, size, || Place { path: list.to_owned(), ..Place::default() })
    };
    charge(budget, "bones", file.bones.len(), BONE_BYTES)?;
    charge(budget, "meshes", file.meshes.len(), MESH_BYTES)?;
    charge(budget, "animations", file.animations.len(), size_of::<crate::model::Animation>())?;

    images::check(&file.images, budget)?;
    for (index, bone) in file.bones.iter().enumerate() {
        check_parent(index, bone)?;
    }
    let mut mesh_checker = meshes::Checker::new(&file, options, diagnostics);
    let mut checked_meshes = Vec::with_capacity(file.meshes.len());
    for (index, mesh) in file.meshes.iter().enumerate() {
        checked_meshes.push(mesh_checker.check(index, mesh, budget)?);
    }
    animations::check(&file, diagnostics)?;
    let bind = bind_pose::choose(&file, options, diagnostics)?;

    let mut builder = ModelBuilder::default();
    let pages = images::decode(&file.images)?;
    for page in pages {
        builder.page(page)?;
    }
    for (bone, matrix) in file.bones.iter().zip(&bind) {
        builder.bone(Bone {
            name: bone.name.as_str().into(),
            parent: parent_of(bone),
            bone_from_bind: matrix.bone_from_world(),
        })?;
    }
    for (mesh, checked) in file.meshes.iter().zip(checked_meshes) {
        let page = (!file.images.is_empty()).then(|| PageId::new(mesh.image.into()));
        let attachment = builder.attachment(Attachment::Mesh(crate::model::Mesh {
            name: mesh.name.as_str().into(),
            page,
            vertices: checked.vertices.into(),
            indices: checked.indices,
            outline: checked.outline,
        }))?;
        builder.slot(Slot { bone: checked.owner, attachment: Some(attachment) })?;
    }
    let samples = animations::build(&file, &mut builder);
    let bind_world = bind.iter().map(bind_pose::Matrix::world_from_bone).collect();
    let model: Model = builder.build();
    Ok(Character::new(model, Motion::Sampled(Sampled::new(samples, bind_world, options.y_down))))
}

fn parent_of(bone: &schema::Bone) -> Option<BoneId> {
    usize::try_from(bone.parent).ok().map(BoneId::new)
}

/// -1, or a bone before this one.
fn check_parent(index: usize, bone: &schema::Bone) -> Result<()> {
    let fine = bone.parent >= -1 && (bone.parent as i64) < index as i64;
    if fine {
        return Ok(());
    }
    let place = Place::at(format!("bones[{index}].parent"), bone.offset + 2 + bone.name.len() as u64);
    let parent = bone.parent;
    let message = match index {
        0 => format!("bone {parent} cannot be a parent here, the first bone is a root (-1)"),
        _ => format!(
            "bone {parent} cannot be the parent of bone {index}, a parent comes before its children (0 to {}) or is -1",
            index - 1
        ),
    };
    Err(Error::malformed("bad-parent", place, message))
}
