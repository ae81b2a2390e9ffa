//! What was baked, or would have to be.

use super::compare::Worst;
use super::plan::{PLAYED_DIFFERENTLY, Plan, TOLERANCE_OF_BAKED};
use crate::character::Character;
use crate::error::{Error, Place, escaped};
use crate::formats::Loss;
use crate::formats::spine::binary::Layout;
use crate::formats::spine::schema::{Root, Slider};
use crate::formats::spine::translate::constraints;
use crate::model::ConstraintKind;
use crate::motion::Cycle;

/// Returns true if the animation of a slider changes slots, attachments, constraints or the draw order.
fn changes_more_than_bones(root: &Root<'_>, slider: &str) -> bool {
    let applied = root.all::<Slider<'_>>().filter(|it| it.name.as_str() == slider).map(|it| &it.animation);
    let is_applied = |name| applied.clone().any(|it| it == name);
    root.animations.0.iter().filter(|(name, _)| is_applied(name)).any(|(_, it)| {
        let shown = [it.slots.is_empty(), it.attachments.is_empty(), it.deform.is_empty()];
        let orders = [it.draw_order.is_empty(), it.folders.is_empty()];
        ![&[it.constraints.is_empty()][..], &shown, &orders].concat().into_iter().all(|is_empty| is_empty)
    })
}

/// Reports what was baked, at `fps` keys per second or, where needed, more, and by how much bones deviate. `worst` is `None`
/// if the poses were not compared.
pub fn report(
    plan: &Plan,
    (root, source): (&Root<'_>, &Character),
    worst: Option<&Worst>,
    (fps, is_dense): (f64, bool),
    losses: &mut Vec<Loss>,
) {
    let deviation = |bones: &[usize]| match worst {
        Some(worst) => {
            let units = bones.iter().map(|&bone| worst.of_bone(bone)).fold(0.0, f32::max);
            format!("; between keys, its bones deviate by up to {units:.3} units")
        }
        None => String::new(),
    };
    let baked = format!("was baked at {fps} keys per second{}", if is_dense { " or more" } else { "" });
    let moved = Plan::moved_bones(root, source);
    let named = constraints(root);
    for (constraint, why) in &plan.constraints {
        let deviation = deviation(moved.get(constraint).map_or(&[], |bones| bones));
        let at = named.iter().position(|it| it == constraint);
        let needs_skin = at.is_some_and(|at| source.model().constraints().get(at).is_some_and(|it| it.needs_skin));
        let everywhere = if needs_skin { "; its effect is now in every skin" } else { "" };
        let message = format!("{constraint} {baked}: {why}{deviation}{everywhere}");
        losses.push(Loss::new("constraint-baked", "", message));
        if constraint.kind == ConstraintKind::Slider && changes_more_than_bones(root, &constraint.name) {
            let message = format!("only the bones of {constraint} were baked: its other changes came with 4.3");
            losses.push(Loss::new("slider-dropped", "", message));
        }
    }
    for &bone in &plan.bones {
        let (name, deviation) = (escaped(root.bones[bone].name.as_str()), deviation(&[bone]));
        let message = format!("bone `{name}` {baked}: {PLAYED_DIFFERENTLY}{deviation}");
        losses.push(Loss::new("bone-baked", "", message));
    }
    for &(animation, bone) in &plan.inherits {
        let (name, deviation) = (escaped(root.bones[bone].name.as_str()), deviation(&[bone]));
        let message = format!("bone `{name}` {baked}: {INHERITANCE}{deviation}");
        losses.push(Loss::in_animation("inherit-baked", root.animations.0[animation].0.as_str(), message));
    }
    if let Some((bone, units)) = worst.and_then(|worst| plan.worst_of_others(root, source, worst)) {
        let name = escaped(root.bones[bone].name.as_str());
        let (which, why) = match plan.is_empty() {
            true => ("bones", format!("{PLAYED_DIFFERENTLY}: ")),
            false => ("bones that were not baked", String::new()),
        };
        let message = format!("{why}{which} deviate by up to {units:.3} units, most of all `{name}`");
        losses.push(Loss::new("bone-moved", "", message));
    }
    if worst.is_none() {
        losses.push(not_compared());
    }
}

fn not_compared() -> Loss {
    let message =
        "the poses of source and result were not compared, because that would take more work than allowed";
    Loss::new("not-compared", "", message)
}

/// Reports bones that move differently because another version plays physics in another way. `worst` is `None` if that was
/// not compared.
pub fn report_physics(root: &Root<'_>, worst: Option<&Worst>, losses: &mut Vec<Loss>) {
    let Some(worst) = worst else {
        if !losses.iter().any(|loss| loss.code == "not-compared") {
            losses.push(not_compared());
        }
        return;
    };
    let of_bones = root.bones.iter().enumerate().map(|(at, bone)| (worst.of_bone(at), bone));
    let most = of_bones.max_by(|(a, _), (b, _)| a.total_cmp(b));
    if let Some((units, bone)) = most.filter(|(units, _)| *units > TOLERANCE_OF_BAKED) {
        let name = escaped(bone.name.as_str());
        let message = format!(
            "physics: {PLAYED_DIFFERENTLY}: bones deviate by up to {units:.3} units, most of all `{name}`"
        );
        losses.push(Loss::new("bone-moved", "", message));
    }
}

/// Reports in which pass the physics of loops was baked.
pub fn report_cycles(source: &Character, cycles: Option<&[Cycle]>, losses: &mut Vec<Loss>) {
    for (cycle, animation) in cycles.into_iter().flatten().zip(source.model().animations()) {
        if let Some(message) = cycle.remark() {
            losses.push(Loss::in_animation("physics-loop", &animation.name, message));
        }
    }
}

const INHERITANCE: &str = "keys that change what a bone inherits require 4.2";

/// The error for a document that has to be baked.
pub fn refused(plan: &Plan, root: &Root<'_>, to: Layout) -> Error {
    let bone = |bone: usize| escaped(root.bones[bone].name.as_str());
    let constraints = plan.constraints.iter().map(|(constraint, why)| format!("{constraint} ({why})"));
    let inherits = plan.inherits.iter().map(|&(animation, at)| {
        let animation = escaped(root.animations.0[animation].0.as_str());
        format!("bone `{}` in `{animation}` ({INHERITANCE})", bone(at))
    });
    let bones = plan.bones.iter().map(|&at| format!("bone `{}` ({PLAYED_DIFFERENTLY})", bone(at)));
    let list: Vec<String> = constraints.chain(inherits).chain(bones).collect();
    let message = format!("Spine {to} cannot represent this without baking: {}", list.join(", "));
    Error::unsupported("would-bake", Place::default(), message)
}
