//! Warns of slots that blend with what is below them where that is a background which the picture does not have.

use super::plan::{Job, MAX_LOOKS};
use crate::cli::shared::failure::warn;
use crate::draw::blended_slots;
use crate::error::{Fault, Place};
use crate::export::{Additive, Background, Format, RenderOptions};
use crate::model::Blend;
use crate::motion::Evaluator;
use crate::pose::Pose;

/// Warns once per run, of the first visible slot.
pub fn warn_of_blends(options: &RenderOptions, jobs: &[Job]) {
    let light = light_over_nothing(options);
    let is_lost = |blend: Blend| match blend {
        Blend::Normal => false,
        Blend::Additive => light.is_some(),
        // The background is laid under the picture afterwards, when nothing is multiplied with it any more.
        Blend::Multiply | Blend::Screen => true,
    };
    let found = jobs.iter().find_map(|job| Some((job, first_lost(job, is_lost)?)));
    let Some((job, (slot, blend))) = found else { return };
    let beside = "what is below it, and beside the character there is no background while it is drawn:";
    let message = match blend {
        Blend::Normal | Blend::Additive => {
            let light = light.unwrap_or_default();
            format!(
                "slot `{slot}` is added to what is below it, and beside the character that is nothing: {light}"
            )
        }
        Blend::Multiply => format!("slot `{slot}` is multiplied with {beside} it darkens too much there"),
        Blend::Screen => format!("slot `{slot}` is screened over {beside} it is laid over it like a normal slot"),
    };
    warn(&Fault { code: "blend-on-nothing", place: Place::file(job.file.display()), message });
}

/// What becomes of light that is added to a transparent background; `None` where the files show it as it is.
fn light_over_nothing(options: &RenderOptions) -> Option<&'static str> {
    match options.look.background {
        // What is laid under the picture afterwards is lit all the same.
        Background::Checker(_) | Background::Color([_, _, _, 255]) => return None,
        Background::Transparent | Background::Color(_) => {}
    }
    if !options.format().can_lose_light(options.look.alpha) {
        return None;
    }
    match (options.format() == Format::Gif, options.look.additive, options.look.matte) {
        (true, Additive::Keep, Some(_)) => None,
        (true, Additive::Keep, None) => Some(
            "a GIF shows light that is at least half as bright as can be; --matte COLOUR or --background COLOUR \
             shows all of it on that colour",
        ),
        (true, Additive::Pure, _) => Some("a GIF shows none of its light there; --additive keep does"),
        (false, Additive::Keep, _) => Some(
            "straight alpha keeps its light exact over black, but over brighter colours it covers what it should \
             light up; --background COLOUR and --alpha premultiplied are exact",
        ),
        (false, Additive::Pure, _) => Some(
            "--additive pure cuts its light off there; --additive keep keeps it, --background COLOUR and --alpha \
             premultiplied are exact",
        ),
    }
}

/// The first slot in the pictures of a job whose way of blending `is_lost`.
fn first_lost(job: &Job, is_lost: impl Fn(Blend) -> bool) -> Option<(&str, Blend)> {
    let (character, model) = (&job.character, job.character.model());
    // Posing takes time, and most characters have none.
    if !model.slots().iter().any(|slot| is_lost(slot.blend)) {
        return None;
    }
    let (mut evaluator, mut pose) = (Evaluator::default(), Pose::for_model(model));
    job.plan.pictures.iter().take(MAX_LOOKS).find_map(|picture| {
        evaluator.evaluate(character, &picture.cue, &mut pose);
        let slots = blended_slots(model, &pose).map(|id| model.slot(id));
        slots.map(|slot| (&*slot.name, slot.blend)).find(|(_, blend)| is_lost(*blend))
    })
}
