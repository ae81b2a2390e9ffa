//! Whether a motion belongs to a model.

use super::Motion;
use crate::model::Model;

impl Motion {
    /// Returns why the motion cannot belong to `model`; `None` if it can. Everything that evaluation relies on is checked.
    pub(crate) fn misfit(&self, model: &Model) -> Option<String> {
        let bones = model.skeleton().bones().len();
        let counts = |counts: &[(&str, usize, usize)]| {
            let other = counts.iter().find(|(_, found, expected)| found != expected);
            other.map(|(what, found, expected)| format!("the motion has {found} {what}, the model has {expected}"))
        };
        let (slots, animations) = (model.slots().len(), model.animations().len());
        match self {
            Self::Sampled(sampled) => counts(&[
                ("bones", sampled.bind_world_from_bone().len(), bones),
                ("animations", sampled.animation_count(), animations),
            ])
            .or_else(|| sampled.misfit(model)),
            Self::Flipbook(flipbook) => counts(&[
                ("bones", 1, bones),
                ("slots", flipbook.slot_count(), slots),
                ("animations", flipbook.animation_count(), animations),
            ])
            .or_else(|| lacks_attachments(flipbook.attachment_count(), model)),
            Self::Spine(spine) => {
                let rig = &spine.rig;
                counts(&[
                    ("bones", rig.bones.len(), bones),
                    ("slots", rig.slots.len(), slots),
                    ("constraints", rig.constraints.len(), model.constraints().len()),
                    ("animations", spine.animation_count(), animations),
                ])
                .or_else(|| lacks_attachments(rig.timed_as.len(), model))
            }
            Self::Animate(animate) => {
                let [of_motion, and_animations, attachments] = animate.counts();
                counts(&[("bones", of_motion, bones), ("animations", and_animations, animations)])
                    .or_else(|| lacks_attachments(attachments, model))
            }
            Self::Stage(stage) => {
                let [of_motion, and_slots, and_animations] = stage.counts();
                counts(&[
                    ("bones", of_motion, bones),
                    ("slots", and_slots, slots),
                    ("animations", and_animations, animations),
                ])
            }
            Self::SkelForm(skelform) => {
                let [of_motion, and_slots, and_animations, attachments] = skelform.counts();
                counts(&[
                    ("bones", of_motion, bones),
                    ("slots", and_slots, slots),
                    ("animations", and_animations, animations),
                ])
                .or_else(|| lacks_attachments(attachments, model))
            }
        }
    }
}

/// Later attachments have been added to the model.
fn lacks_attachments(count: usize, model: &Model) -> Option<String> {
    let found = model.attachments().len();
    (found < count).then(|| format!("the motion needs {count} attachments, the model has {found}"))
}
