//! Warns about slots whose blend mode needs a background that the picture does not have while it is drawn.

use super::loaded::Loaded;
use pchr::draw::blended_slots;
use pchr::error::Fault;
use pchr::export::{Additive, Format, RenderOptions};
use pchr::model::Blend;
use pchr::motion::Evaluator;
use pchr::pose::Pose;

/// Maximum number of pictures that are posed.
const MAX_POSED: usize = 1000;

/// Returns a warning about the first such visible slot.
pub fn warning(options: &RenderOptions, loaded: &Loaded) -> Option<Fault> {
    // The layers of a PSD keep their blend modes.
    if options.format() == Format::Psd {
        return None;
    }
    let light = light_loss(options);
    let is_lost = |blend: Blend| match blend {
        Blend::Normal => false,
        Blend::Additive => light.is_some(),
        Blend::Multiply | Blend::Screen => !options.blends_exactly(),
    };
    let (slot, blend) = first_lost(loaded, is_lost)?;
    let outside = "and outside of the character there is nothing opaque behind it:";
    let exact = if options.format() == Format::Gif {
        "--matte COLOUR and --background COLOUR are exact"
    } else {
        "--background COLOUR is exact"
    };
    let message = match blend {
        Blend::Normal | Blend::Additive => {
            let light = light.unwrap_or_default();
            format!("slot `{slot}` is additive, and outside of the character there is nothing to add to: {light}")
        }
        Blend::Multiply => format!("slot `{slot}` is multiplied, {outside} it darkens too much there; {exact}"),
        Blend::Screen => {
            format!("slot `{slot}` is screened, {outside} it is drawn there like a normal slot; {exact}")
        }
    };
    Some(loaded.fault("blend-on-nothing", message))
}

/// Describes how additive light over a transparent background is altered; `None` if the output preserves it.
fn light_loss(options: &RenderOptions) -> Option<&'static str> {
    if options.look.has_opaque_background() || !options.format().can_lose_light(options.look.alpha) {
        return None;
    }
    match (options.format() == Format::Gif, options.look.additive, options.look.matte) {
        (true, Additive::Keep, Some(_)) => None,
        (true, Additive::Keep, None) => Some(
            "a GIF shows only light of at least half brightness; --matte COLOUR or --background COLOUR shows \
            all of it on that colour",
        ),
        (true, Additive::Pure, _) => Some("a GIF shows none of its light there; --additive keep shows it"),
        (false, Additive::Keep, _) => Some(
            "with straight alpha its light is exact over black, but covers brighter backgrounds instead of \
            adding to them; --background COLOUR and --alpha premultiplied are exact",
        ),
        (false, Additive::Pure, _) => Some(
            "--additive pure drops its light there; --additive keep preserves it, --background COLOUR and --alpha \
            premultiplied are exact",
        ),
    }
}

/// Returns the first slot in the pictures of a character whose blend mode `is_lost`.
fn first_lost(loaded: &Loaded, is_lost: impl Fn(Blend) -> bool) -> Option<(&str, Blend)> {
    let (character, model) = (&loaded.character, loaded.character.model());
    // Most characters have no such slots; skip posing then.
    if !model.slots().iter().any(|slot| is_lost(slot.blend)) {
        return None;
    }
    let (mut evaluator, mut pose) = (Evaluator::default(), Pose::for_model(model));
    loaded.plan.pictures.iter().take(MAX_POSED).find_map(|picture| {
        evaluator.evaluate(character, &picture.cue, &mut pose);
        loaded.plan.hidden.apply(model, &mut pose);
        let slots = blended_slots(model, &pose).map(|id| model.slot(id));
        slots.map(|slot| (&*slot.name, slot.blend)).find(|(_, blend)| is_lost(*blend))
    })
}
