//! Properties of bones and constraints that only some formats have, at rest: what an inspector shows.

use std::ops::Range;

use super::spine::{ConstraintKind, Inherit, OldInherit};
use super::{Motion, Played, Setting, SkelForm};
use crate::character::Character;
use crate::math::Vec2;
use crate::model::{AnimationId, BoneId, ConstraintId};

/// Returns the length of a bone along its x axis in pixels, or `None` if the format has no lengths.
pub fn bone_length(character: &Character, bone: BoneId) -> Option<f32> {
    match character.motion() {
        Motion::Spine(spine) => spine.rig.bones.get(bone.index()).map(|bone| bone.length as f32),
        Motion::Sampled(_) | Motion::Flipbook(_) | Motion::SkelForm(_) | Motion::Animate(_) | Motion::Stage(_) => {
            None
        }
    }
}

/// Returns the position of a bone at rest in the space of its parent, for motion that [`bone_position`] knows.
pub(crate) fn rest_position(character: &Character, bone: BoneId) -> Option<Vec2> {
    match character.motion() {
        Motion::Sampled(sampled) => sampled.rest_position(character.model(), bone),
        Motion::Spine(spine) => spine.rig.rest.get(bone.index()).map(|rest| rest.translation.as_vec2()),
        Motion::SkelForm(skelform) => skelform.rest_position(bone),
        Motion::Flipbook(_) | Motion::Animate(_) | Motion::Stage(_) => None,
    }
}

/// Returns the position of a bone in one animation, in the space of its parent and without constraints. `None` if the
/// animation does not move it, or the format is not supported.
pub(crate) fn bone_position(character: &Character, played: Played, bone: BoneId) -> Option<Vec2> {
    let model = character.model();
    match character.motion() {
        Motion::Sampled(sampled) => sampled.position_in(model, played, bone),
        Motion::Spine(spine) => spine.position_in(model, played, bone),
        Motion::SkelForm(skelform) => skelform.position_in(model, played, bone),
        Motion::Flipbook(_) | Motion::Animate(_) | Motion::Stage(_) => None,
    }
}

/// Returns the name of the symbol of which a bone is an instance, in atlases of Adobe Animate, and its number of frames.
pub fn symbol_of(character: &Character, bone: BoneId) -> Option<(&str, u32)> {
    let Motion::Animate(animate) = character.motion() else { return None };
    animate.symbol_of(bone)
}

/// Returns the name of the layer that shows a bone, in atlases of Adobe Animate.
pub fn layer_of(character: &Character, bone: BoneId) -> Option<&str> {
    let Motion::Animate(animate) = character.motion() else { return None };
    animate.layer_of(bone).map(|(_, name, _)| name)
}

/// Returns the labels of the main timeline that an animation of Adobe Animate contains, and its frames that have them.
pub fn labels_in(character: &Character, animation: AnimationId) -> Vec<(&str, Range<u32>)> {
    let Motion::Animate(animate) = character.motion() else { return Vec::new() };
    animate.labels_in(animation)
}

/// Returns the parts of its parent's transform that a bone inherits at rest, or `None` if the format has no such
/// setting.
pub fn inheritance(character: &Character, bone: BoneId) -> Option<&'static str> {
    let Motion::Spine(spine) = character.motion() else { return None };
    Some(match spine.rig.rest.get(bone.index())?.inherit {
        Inherit::Normal => "everything",
        Inherit::OnlyTranslation => "only translation",
        Inherit::NoRotationOrReflection => "no rotation or reflection",
        Inherit::NoScale => "no scale",
        Inherit::NoScaleOrReflection => "no scale or reflection",
        Inherit::Old(OldInherit { rotation, scale, .. }) => match (rotation, scale) {
            (true, true) => "everything",
            (true, false) => "only translation and rotation",
            (false, true) => "only translation and scale",
            (false, false) => "only translation",
        },
    })
}

/// Returns the settings of a constraint that are not numbers, by name, unless they are the usual ones: what drives what,
/// what a slider applies.
pub fn constraint_notes(character: &Character, id: ConstraintId) -> Vec<(&'static str, String)> {
    let Motion::Spine(spine) = character.motion() else { return Vec::new() };
    let Some(constraint) = spine.rig.constraints.get(id.index()) else { return Vec::new() };
    constraint.kind.notes(character.model())
}

/// Returns the mixes and other settings of a constraint at rest, by name, in the units of its format. Empty if the format has none.
///
/// A chain of SkelForm has no mix, but three switches: `bend` is 1 for counter-clockwise, -1 for clockwise and 0 if it bends
/// by itself; `arc` is 1 if it is laid along an arc; `copy rotation` is 1 if its last bone turns like the target.
pub fn constraint_settings(character: &Character, id: ConstraintId) -> Vec<(&'static str, f32)> {
    let values = match character.motion() {
        Motion::Spine(spine) => {
            let setup = spine.rig.constraints.get(id.index()).map(|constraint| constraint.setup);
            setup.unwrap_or_default().values.map(|value| value as f32).to_vec()
        }
        Motion::SkelForm(skelform) => skelform.settings_at_rest(id.index()).unwrap_or_default().to_vec(),
        Motion::Sampled(_) | Motion::Flipbook(_) | Motion::Animate(_) | Motion::Stage(_) => Vec::new(),
    };
    settings_of(character, id).iter().map(|setting| setting.name).zip(values).collect()
}

/// Returns the settings of a constraint, in order; none if the format has none.
pub(crate) fn settings_of(character: &Character, id: ConstraintId) -> &'static [Setting] {
    let kind = match character.motion() {
        Motion::Spine(spine) => spine.rig.constraints.get(id.index()).map(|constraint| &constraint.kind),
        Motion::SkelForm(skelform) if skelform.settings_at_rest(id.index()).is_some() => {
            return &SkelForm::SETTINGS;
        }
        Motion::Sampled(_) | Motion::Flipbook(_) | Motion::SkelForm(_) | Motion::Animate(_) | Motion::Stage(_) => {
            None
        }
    };
    kind.map_or(&[], ConstraintKind::settings)
}
