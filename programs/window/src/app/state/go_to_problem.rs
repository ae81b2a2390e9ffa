//! Goes to what a finding about the file is about: shows the animation and the frame, selects the part, and moves the view
//! to it. Findings have places in the terms of their formats, such as `/slots/3/attachment` or `meshes[1].vertices[7]`.

use super::State;
use super::go_to::attachment;
use crate::scene::camera::Camera;
use crate::scene::names;
use crate::scene::selection::Selected;
use crate::scene::skinned::Skinned;
use pchr::draw::Hidden;
use pchr::math::Rect;
use pchr::model::{AnimationId, BoneId, ConstraintTarget, Model};
use pchr::pose::slot_bounds;
use pchr::validate::Finding;

/// The view shows at least this share of the character around a part.
const AROUND: f32 = 0.3;

/// What a finding is about.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
struct Subject {
    animation: Option<AnimationId>,
    frame: Option<u32>,
    part: Option<Selected>,
}

impl State {
    /// Goes to what finding `index` about the file is about.
    pub fn go_to_problem(&mut self, index: usize) {
        let Some(Ok((found, _))) = self.files.check.answer() else { return };
        let Some(finding) = found.get(index).cloned() else { return };
        self.files.check.chosen = Some(index);
        let Some(model) = self.model() else { return };
        let Subject { animation, frame, part } = Subject::of(model, &finding);
        if animation.is_none() && part.is_none() {
            return self.notify("This is about the file, not about a part of the character");
        }
        animation.into_iter().for_each(|animation| self.show_frame(animation, frame));
        if let Some(part) = part {
            self.parts.selected = Some(part);
            self.look_at(part);
        }
    }

    /// Moves the view to a part, if it can be seen.
    fn look_at(&mut self, part: Selected) {
        let (Some(area), Some(content), Some(view)) = (self.area_of(part), self.content(), self.view()) else {
            return;
        };
        let half = area.size().max(content.size() * AROUND) * 0.5;
        let around = Rect { min: area.center() - half, max: area.center() + half };
        let pixel_art = self.loaded().is_some_and(|loaded| loaded.is_pixel_art());
        self.canvas.camera = Camera::around(&view, around, pixel_art);
    }

    /// Returns the bounding rectangle of a part in world pixels; `None` if nothing of it can be seen.
    fn area_of(&mut self, part: Selected) -> Option<Rect> {
        let Skinned { model, pose, matrices } =
            self.playback.skinned(&mut self.canvas.skinned, &Hidden::default())?;
        let point = |bone: BoneId| {
            let at = pose.world_from_bone.get(bone.index())?.translation;
            Some(Rect { min: at, max: at })
        };
        let area = match part {
            Selected::Slot(slot) | Selected::Attachment(slot, _) => slot_bounds(model, pose, slot, matrices),
            Selected::Bone(bone) => {
                let slots = model.slot_ids().filter(|slot| model.slot(*slot).bone == Some(bone));
                let areas = slots.map(|slot| slot_bounds(model, pose, slot, matrices));
                areas.chain(point(bone)).fold(Rect::NOTHING, Rect::union)
            }
            Selected::Constraint(id) => {
                let constraint = model.constraints().get(id.index())?;
                let target = constraint.target.and_then(|target| match target {
                    ConstraintTarget::Bone(bone) => Some(bone),
                    ConstraintTarget::Slot(slot) => model.slot(slot).bone,
                });
                let bones = constraint.bones.iter().copied().chain(target);
                bones.filter_map(point).fold(Rect::NOTHING, Rect::union)
            }
            Selected::Skin(_) | Selected::Event(_) => return None,
        };
        (area.min.is_finite() && area.max.is_finite()).then_some(area)
    }
}

impl Subject {
    fn of(model: &Model, finding: &Finding) -> Self {
        if finding.other_file.is_some() {
            return Self::default();
        }
        let steps = steps(finding.inside());
        let steps: Vec<&str> = steps.iter().map(String::as_str).collect();
        let mut subject = match steps[..] {
            ["animations", which, ref inside @ ..] => {
                let animation = find(names::animations(model), which);
                let (frame, part) = match inside {
                    ["frames", frame, bone @ ..] => {
                        let bone = bone.first().and_then(|bone| part(model, &["bones", bone]));
                        (frame.parse().ok(), bone)
                    }
                    inside => (None, part(model, inside)),
                };
                Self { animation, frame, part }
            }
            ref steps => Self { part: part(model, steps), ..Self::default() },
        };
        // The message names what the place does not.
        subject.part = subject.part.or_else(|| {
            finding.message.split('`').skip(1).step_by(2).find_map(|name| {
                let bone = model.skeleton().find(name).map(Selected::Bone);
                let constraint = model.find_constraint(name).map(Selected::Constraint);
                let is_constraint = steps.first().is_some_and(|step| CONSTRAINTS.contains(step));
                if is_constraint { constraint } else { bone.or(model.find_slot(name).map(Selected::Slot)) }
            })
        });
        subject
    }
}

/// The lists of constraints of a Spine file. Their order is not the one in which constraints are applied.
const CONSTRAINTS: [&str; 5] = ["ik", "transform", "path", "physics", "constraints"];

/// Returns the names and numbers of a JSON pointer, or of a path such as `meshes[3].indices[7]`.
fn steps(inside: &str) -> Vec<String> {
    match inside.strip_prefix('/') {
        Some(pointer) => pointer.split('/').map(|step| step.replace("~1", "/").replace("~0", "~")).collect(),
        None => inside.split(['.', '[', ']']).filter(|step| !step.is_empty()).map(str::to_owned).collect(),
    }
}

/// Returns the part at a place in the file.
fn part(model: &Model, steps: &[&str]) -> Option<Selected> {
    match steps {
        ["bones", which, ..] => find(names::bones(model), which).map(Selected::Bone),
        ["slots", which, ..] => find(names::slots(model), which).map(Selected::Slot),
        ["meshes", which, ..] => attachment(model, find(names::attachments(model), which)?),
        ["events", which, ..] => find(names::events(model), which).map(Selected::Event),
        // The keys of attachments in animations are named by skin and slot, too.
        ["skins", skin, "attachments", slot, of @ ..]
        | ["attachments" | "deform" | "skins", skin, slot, of @ ..] => {
            let Some(slot) = model.find_slot(slot) else { return part(model, &["skins", skin]) };
            let skin = find(names::skins(model), skin).map(|skin| model.skin(skin));
            let entry = of.first().zip(skin).and_then(|(name, skin)| {
                skin.entries.iter().find(|entry| entry.slot == slot && &*entry.key == *name)
            });
            let attachment = entry.map(|entry| Selected::Attachment(slot, entry.attachment));
            Some(attachment.unwrap_or(Selected::Slot(slot)))
        }
        ["skins", which, ..] => find(names::skins(model), which).map(Selected::Skin),
        _ => None,
    }
}

/// Returns the item named `which`, or else the one at the index that `which` states.
fn find<'a, T: Copy>(items: impl Iterator<Item = (&'a str, T)>, which: &str) -> Option<T> {
    let items: Vec<(&str, T)> = items.collect();
    let by_index = || items.get(which.parse::<usize>().ok()?);
    items.iter().find(|(name, _)| *name == which).or_else(by_index).map(|(_, item)| *item)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_of_every_format_are_taken_apart() {
        assert_eq!(steps("/animations/a~1b/bones/hip~0"), ["animations", "a/b", "bones", "hip~"]);
        assert_eq!(steps("meshes[3].vertices[7].y"), ["meshes", "3", "vertices", "7", "y"]);
        assert!(steps("").is_empty());
    }
}
