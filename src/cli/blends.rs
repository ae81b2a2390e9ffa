//! Tells that something is blended with a background that is not there while it is drawn.

use super::failure::warn;
use super::headless::Plan;
use super::view::ViewArgs;
use crate::draw::blended_slots;
use crate::error::{Fault, Place};
use crate::export::Background;
use crate::model::Blend;
use crate::motion::evaluate;
use crate::pose::Pose;

/// Warns once a run, of the first slot that is seen.
pub fn warn_of_blends(args: &ViewArgs, plans: &[Plan]) {
    let is_transparent = matches!(args.output.background, None | Some(Background::Transparent));
    let is_lost = |blend: Blend| match blend {
        Blend::Normal => false,
        // What is laid under the picture afterwards is lit all the same.
        Blend::Additive => is_transparent,
        Blend::Multiply | Blend::Screen => true,
    };
    let found = plans.iter().find_map(|plan| Some((plan, first_lost(plan, is_lost)?)));
    let Some((plan, (slot, blend))) = found else { return };
    let how = match blend {
        Blend::Normal | Blend::Additive => "added to",
        Blend::Multiply => "multiplied with",
        Blend::Screen => "screened over",
    };
    let help = if blend == Blend::Additive { "; --background COLOUR gives it one" } else { "" };
    let message = format!(
        "slot `{slot}` is {how} what is below it, and beside the character that is a transparent background{help}"
    );
    warn(&Fault { code: "blend-on-nothing", place: Place::file(plan.file.display()), message });
}

/// The first slot in the pictures of a plan whose way of blending `is_lost`.
fn first_lost(plan: &Plan, is_lost: impl Fn(Blend) -> bool) -> Option<(&str, Blend)> {
    let (character, model) = (&plan.character, plan.character.model());
    // Posing takes time, and most characters have none.
    if !model.slots().iter().any(|slot| is_lost(slot.blend)) {
        return None;
    }
    let mut pose = Pose::for_model(model);
    plan.pictures.iter().find_map(|picture| {
        evaluate(character, &picture.cue, &mut pose);
        let slots = blended_slots(model, &pose).map(|id| model.slot(id));
        slots.map(|slot| (&*slot.name, slot.blend)).find(|(_, blend)| is_lost(*blend))
    })
}
