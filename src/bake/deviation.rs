//! Deviation of a converted character from its source, measured at the stored frames of the source.

use super::side::{Side, farthest};
use crate::character::Character;
use crate::error::{Place, Result};
use crate::limits::{Budget, Limits};
use crate::math::Vec2;
use crate::model::{AnimationId, SkinId, SlotId};
use crate::motion::{Cue, Cycle, Dynamics, PoseWork, Position};
use crate::pose::bounds_work;

/// The largest deviation of a slot in an animation.
#[derive(Debug, Clone)]
pub struct Deviation {
    /// The animation of the source.
    pub animation: AnimationId,
    /// The slot of the source.
    pub slot: SlotId,
    /// Deviation in world pixels.
    pub px: f32,
    /// The stored frame at which it occurs.
    pub frame: u32,
}

/// Upper bound of frames compared per animation.
const MOST_FRAMES: u32 = 1 << 16;

/// Compares the corners of triangles, regardless of vertex order. `animations` and `slots` belong to `source` and
/// are in the order of `written`; slots hidden in `source` are ignored. `skins` are the active skins of `source` and of
/// `written`. With `physics`, `source` plays its physics, in the pass of each animation that
/// was baked.
///
/// Returns an entry for each animation and slot that is visible in any frame. At most 65,536 evenly spaced frames
/// are compared per keyed animation.
///
/// # Errors
///
/// [`Error::LimitExceeded`](crate::Error::LimitExceeded) if posing both characters takes more work than `limits`
/// allow.
///
/// # Panics
///
/// Panics if `animations` or `slots` contain an id that `source` does not have.
#[track_caller]
pub fn deviations(
    source: &Character,
    written: &Character,
    animations: &[AnimationId],
    slots: &[SlotId],
    skins: [&[SkinId]; 2],
    physics: Option<&[Cycle]>,
    limits: &Limits,
) -> Result<Vec<Deviation>> {
    let mut budget = Budget::new(limits);
    let place = || Place::inside("comparison of the output with its source");
    let [own_skins, written_skins] = skins;
    let work = [(source, PoseWork::new(source, own_skins)), (written, PoseWork::new(written, written_skins))];
    let mut slot_of = vec![None; source.model().slots().len()];
    for (at, slot) in slots.iter().enumerate() {
        source.model().slot(*slot);
        slot_of[slot.index()] = Some(at);
    }
    let (mut expected, mut found) = (Side::with_physics(source, physics.is_some()), Side::new(written));
    let (mut expected_corners, mut found_corners) = (Vec::new(), Vec::new());
    let mut list = Vec::new();
    for (at, (&animation, other)) in animations.iter().zip(written.model().animation_ids()).enumerate() {
        let cycle = physics.and_then(|cycles| cycles.get(at).copied()).unwrap_or_default();
        let mut worst: Vec<Option<(f32, u32)>> = vec![None; slot_of.len()];
        let stored = source.model().animation(animation);
        let frames = if stored.fps() > 0.0 { stored.frame_count() } else { stored.frame_count().min(1) };
        // Keys may be arbitrarily far apart.
        let step = if stored.is_keyed() { frames.div_ceil(MOST_FRAMES).max(1) } else { 1 };
        for ((character, work), id) in work.iter().zip([animation, other]) {
            budget.charge_work(frames.div_ceil(step).into(), work.of(character, Some(id)), place)?;
        }
        let passed = f64::from(cycle.passes) * stored.duration_secs() / Dynamics::STEP_SECS;
        budget.charge_work(passed as u64, work[0].1.of(source, Some(animation)), place)?;
        for frame in (0..frames).step_by(step as usize) {
            let cue = |id, skins: &[SkinId]| Cue {
                animation: Some(id),
                position: Position::frame(frame),
                skins: skins.to_vec(),
                ..Cue::default()
            };
            let own = cue(animation, own_skins);
            expected.show(&match cycle.passes {
                0 => own,
                _ => cycle.cue(source, &own, f64::from(frame) / stored.fps()),
            });
            found.show(&cue(other, written_skins));
            // Both usually have the same meshes.
            budget.charge_work(2, bounds_work(source.model(), &expected.pose), place)?;
            for slot in std::mem::take(&mut expected.pose.draw_order) {
                let Some(other) = slot_of[slot.index()] else { continue };
                corners(&mut expected, slot.index(), &mut expected_corners);
                corners(&mut found, other, &mut found_corners);
                // A missing mesh counts as infinitely far away.
                let px = if expected_corners.len() == found_corners.len() {
                    farthest(&expected_corners, &found_corners)
                } else {
                    f32::INFINITY
                };
                let worst = &mut worst[slot.index()];
                if worst.is_none_or(|(most, _)| px > most) {
                    *worst = Some((px, frame));
                }
            }
        }
        let visible = source.model().slot_ids().zip(worst);
        list.extend(
            visible.filter_map(|(slot, worst)| worst.map(|(px, frame)| Deviation { animation, slot, px, frame })),
        );
    }
    Ok(list)
}

/// Collects the positions of the triangle corners of the mesh shown by a slot.
fn corners(side: &mut Side<'_>, slot: usize, corners: &mut Vec<Vec2>) {
    corners.clear();
    let shown = side.pose.slots.get(slot).and_then(|slot| slot.attachment);
    let Some(mesh) = shown.and_then(|id| side.character.model().attachment(id).mesh()) else { return };
    side.skin(mesh, slot);
    corners.extend(mesh.indices.triangles().flatten().map(|index| side.points[usize::from(index)]));
}
