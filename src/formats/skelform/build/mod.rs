//! [`Armature`] → [`Character`]: checks every index and count.
//!
//! The first error ends the reading, with a pointer to its place; oddities become findings.

pub mod animations;
mod pictures;
pub mod styles;
mod visuals;
mod weights;

pub use animations::element_name;
pub use pictures::Pixels;

use super::container::Container;
use super::normalise::{Armature, Chain, Reach};
use super::read::at;
use super::schema::{self, Id};
use crate::character::Character;
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Result, escaped};
use crate::formats::{ReadOptions, page_alpha};
use crate::limits::Budget;
use crate::math::Affine2;
use crate::model::{Bone, BoneId, Constraint, ConstraintKind, ConstraintTarget, ModelBuilder};
use crate::motion::Motion;
use crate::motion::skelform::{self, Rig, SWITCHES_A_CHAIN, SkelForm};

/// Builds the character. `active` states for each style whether it is active, if the editor's file does.
pub fn build(
    root: &schema::Root<'_>,
    armature: &Armature<'_>,
    active: Option<&[bool]>,
    (container, options, pixels): (&Container, &ReadOptions, Pixels),
    budget: &mut Budget<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Character> {
    charge(root, armature, budget)?;
    let mut builder = ModelBuilder::default();
    let mut rig = Rig { is_baked: root.baked_ik.0, physics: armature.physics.clone(), ..Rig::default() };
    bones(armature, &mut builder, &mut rig)?;
    let pictures = pictures::build(root, (container, pixels), &mut builder, budget, diagnostics)?;
    page_alpha::decide(&mut builder, options, diagnostics);
    let mut candidates = styles::Candidates::gather(root, armature, diagnostics);
    let styles = styles::Styles::new(root, &pictures, active)?;
    rest(armature, &candidates, &mut rig);
    visuals::build(armature, &styles, &mut candidates, &mut builder, &mut rig, budget)?;
    styles.skins(&candidates, &mut builder, &mut rig)?;
    chains(armature, &mut builder, &mut rig, budget)?;
    let animations =
        animations::build(root, armature, &candidates, &mut builder, &rig, options, budget, diagnostics)?;
    Ok(Character::of(builder.build(), Motion::SkelForm(SkelForm::new(rig, animations))))
}

/// Upper bound on the size of any record in bytes, without its lists.
const RECORD_BYTES: usize = 512;

/// Charges all counts before anything is built.
fn charge(root: &schema::Root<'_>, armature: &Armature<'_>, budget: &mut Budget<'_>) -> Result<()> {
    let textures: usize = root.styles.iter().map(|style| style.textures.len()).sum();
    for (list, count) in [
        ("/bones", armature.bones.len()),
        ("/visuals", armature.visuals.len()),
        ("/inverse_kinematics", armature.chains.len()),
        ("/physics", armature.physics.len()),
        ("/animations", root.animations.len()),
        ("/atlases", root.atlases.len()),
        ("/styles", root.styles.len() + textures),
    ] {
        budget.charge_records(count as u64, || at(list))?;
        budget.charge_memory(count as u64, RECORD_BYTES, || at(list))?;
    }
    Ok(())
}

fn malformed(code: &'static str, pointer: impl Into<String>, message: impl Into<String>) -> Error {
    Error::malformed(code, at(pointer), message)
}

/// Returns the index of the bone `id`.
fn bone(id: Id, armature: &Armature<'_>, pointer: impl FnOnce() -> String) -> Result<u32> {
    let count = armature.bones.len();
    if let Some(id) = id.get().filter(|&id| id < count) {
        return Ok(id as u32);
    }
    let message = format!("bone {} does not exist, the skeleton has {count}", id.0);
    Err(Error::malformed("bone-out-of-range", at(pointer()), message))
}

fn bones(armature: &Armature<'_>, builder: &mut ModelBuilder, rig: &mut Rig) -> Result<()> {
    for (index, bone) in armature.bones.iter().enumerate() {
        if let Some(parent) = bone.parent.filter(|&parent| parent >= index) {
            let name = escaped(bone.name);
            let message =
                format!("bone {parent} cannot be the parent of `{name}`: a parent must come before its children");
            return Err(malformed("bad-parent", format!("/bones/{index}/parent_id"), message));
        }
        for (field, found, count) in [
            ("visuals_id", bone.visual, armature.visuals.len()),
            ("ik_family_id", bone.chain, armature.chains.len()),
            ("physics_id", bone.physics, armature.physics.len()),
        ] {
            if let Some(found) = found.filter(|&found| found >= count) {
                let message = format!("{found} does not exist, there are {count}; use -1 for none");
                return Err(malformed("json-value", format!("/bones/{index}/{field}"), message));
            }
        }
        builder.bone(Bone {
            name: bone.name.into(),
            parent: bone.parent.map(BoneId::new),
            bone_from_bind: Some(Affine2::IDENTITY),
            ..Bone::default()
        })?;
        let small = |index: usize| index as u32;
        rig.bones.push(skelform::Bone { parent: bone.parent.map(small), physics: bone.physics.map(small) });
    }
    Ok(())
}

/// Collects the setup value of every number and switch, in the order of the rig.
fn rest(armature: &Armature<'_>, candidates: &styles::Candidates<'_>, rig: &mut Rig) {
    let rest = &mut rig.rest;
    for bone in &armature.bones {
        let (position, scale) = (bone.position, bone.scale);
        rest.numbers.extend([position.x, position.y, bone.rotation, scale.x, scale.y]);
        rest.switches.push(bone.is_hidden.into());
    }
    for (index, visual) in armature.visuals.iter().enumerate() {
        rest.numbers.extend(visual.rest.tint.map(f64::from));
        rest.switches.extend([candidates.index(index, visual.rest.texture), visual.rest.order]);
    }
    for chain in &armature.chains {
        let Reach { constraint, mode, mimics } = chain.rest;
        let switches: [i32; SWITCHES_A_CHAIN] = [constraint as i32, mode as i32, mimics.into()];
        rest.switches.extend(switches);
    }
}

/// Adds the chains. Chains that move anything are also added as constraints.
fn chains(
    armature: &Armature<'_>,
    builder: &mut ModelBuilder,
    rig: &mut Rig,
    budget: &mut Budget<'_>,
) -> Result<()> {
    for chain in &armature.chains {
        let Chain { pointer, name, target, bones, .. } = chain;
        let target = match target {
            Some(target) => Some(bone(Id(*target as i64), armature, || pointer.replace("bone_ids", "target_id"))?),
            None => None,
        };
        let member = |(at, id): (usize, &Id)| bone(*id, armature, || format!("{pointer}/{at}"));
        let bones: Vec<u32> = bones.iter().enumerate().map(member).collect::<Result<_>>()?;
        if let Some(target) = target.filter(|_| !rig.is_baked && bones.len() > 1) {
            let id = |bone: u32| BoneId::new(bone as usize);
            let name = name.unwrap_or(armature.bones[target as usize].name);
            // Any number of chains may have the same target.
            budget.charge_memory(1, name.len(), || at(pointer.as_str()))?;
            builder.constraint(Constraint {
                name: name.into(),
                kind: ConstraintKind::Ik,
                bones: bones.iter().copied().map(id).collect(),
                target: Some(ConstraintTarget::Bone(id(target))),
                needs_skin: false,
            })?;
        }
        rig.chains.push(skelform::Chain { target, bones });
    }
    Ok(())
}
