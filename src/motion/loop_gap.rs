//! How far the first and the last instant of an animation are apart.

use std::ops::RangeInclusive;

use super::{Cue, Evaluator, Position};
use crate::character::Character;
use crate::math::Vec2;
use crate::model::{AnimationId, BoneId, Mesh, Model, SkinId, SlotId, Vertices};
use crate::pose::{Pose, SkinMatrix, for_each_deformed_vertex, palette};

/// The largest distance between the first and the last instant of an animation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LoopGap {
    /// Distance in world pixels.
    pub distance: f32,
    /// The bone with the largest share in the vertex that is furthest apart.
    pub bone: BoneId,
    /// For stored frames, the largest distance in world pixels that a vertex covers in the steps next to the seam:
    /// from the first frame to the second, and to the last from the one before it. The last frame of a loop of stored
    /// frames is one step before the first, so a loop without a jump has a [`distance`](Self::distance) of about as
    /// much. `None` for keyed motion, whose last instant is the first one of the next loop: without a jump, the
    /// distance is 0.
    pub step: Option<f32>,
}

/// Measures how far the first and the last instant of `animation` are apart: the largest distance between the two
/// positions of any vertex that is drawn at both. Physics is ignored.
///
/// Returns `None` if the animation has a single frame, or no vertex is drawn at both instants.
///
/// ```
/// # use pchr::{Character, motion::loop_gap};
/// let lamp = Character::open("assets/paper-lamp.json")?;
/// let idle = lamp.model().find_animation("idle").expect("the lamp can idle");
/// let gap = loop_gap(&lamp, idle, &[]).expect("the lamp is visible");
/// assert!(gap.distance < 0.01, "it loops without a jump");
/// # Ok::<(), pchr::Error>(())
/// ```
///
/// # Panics
///
/// Panics if `character` does not have `animation`.
#[track_caller]
pub fn loop_gap(character: &Character, animation: AnimationId, skins: &[SkinId]) -> Option<LoopGap> {
    loop_gap_in(character, animation, skins, None)
}

/// Like [`loop_gap`], for playback that is restricted to the frames of `range`, as
/// [`Playback::set_range`](crate::player::Playback::set_range) does. The part beyond the animation is ignored.
///
/// Returns `None` also if the range has a single stored frame, or none.
///
/// ```
/// # use pchr::{Character, motion::loop_gap_in};
/// let lamp = Character::open("assets/paper-lamp.json")?;
/// let idle = lamp.model().find_animation("idle").expect("the lamp can idle");
/// let gap = loop_gap_in(&lamp, idle, &[], Some(0..=11)).expect("the lamp is visible");
/// assert!(gap.distance > 1.0, "a quarter of the animation does not loop");
/// # Ok::<(), pchr::Error>(())
/// ```
///
/// # Panics
///
/// Panics if `character` does not have `animation`.
#[track_caller]
pub fn loop_gap_in(
    character: &Character,
    animation: AnimationId,
    skins: &[SkinId],
    range: Option<RangeInclusive<u32>>,
) -> Option<LoopGap> {
    let model = character.model();
    let timing = model.animation(animation);
    let mut evaluator = Evaluator::default();
    let mut shown = |position| {
        let cue =
            Cue { animation: Some(animation), position, hold: true, skins: skins.to_vec(), ..Cue::default() };
        let mut shown = Shown::default();
        evaluator.evaluate(character, &cue, &mut shown.pose);
        palette(model, &shown.pose, &mut shown.palette);
        shown
    };
    let last = timing.frame_count().checked_sub(1)?;
    let (start, end) = range.map_or((0, last), |range| (*range.start(), (*range.end()).min(last)));
    if timing.is_keyed() {
        // The instant after the last frame is the one that the first follows.
        let length = timing.duration_secs();
        let end = if end == last { length } else { timing.seconds_at(f64::from(end) + 1.0).min(length) };
        let start = timing.seconds_at(start.into());
        let [first, last] = [start, end].map(|secs| shown(Position::Seconds(secs)));
        return (end > start).then(|| first.distance(&last, model)).flatten();
    }
    if end <= start {
        return None;
    }
    let [a, b, y, z] = [start, start + 1, end - 1, end].map(|frame| shown(Position::frame(frame)));
    let step = |from: &Shown, to: &Shown| from.distance(to, model).map_or(0.0, |gap| gap.distance);
    let step = step(&a, &b).max(step(&y, &z));
    Some(LoopGap { step: Some(step), ..a.distance(&z, model)? })
}

/// A pose with its skinning matrices.
#[derive(Default)]
struct Shown {
    pose: Pose,
    palette: Vec<SkinMatrix>,
}

impl Shown {
    fn distance(&self, other: &Self, model: &Model) -> Option<LoopGap> {
        let mut largest: Option<LoopGap> = None;
        let mut corners = Vec::new();
        let mut is_drawn = vec![false; model.slots().len()];
        other.pose.draw_order.iter().for_each(|slot| is_drawn[slot.index()] = true);
        for &slot in &self.pose.draw_order {
            let [Some(mesh), Some(other_mesh)] = [self, other].map(|shown| shown.mesh(model, slot)) else {
                continue;
            };
            if !std::ptr::eq(mesh, other_mesh) || !is_drawn[slot.index()] {
                continue;
            }
            corners.clear();
            self.for_each_corner(mesh, slot, |corner| corners.push(corner));
            let mut index = 0u16;
            let mut furthest: Option<(f32, u16)> = None;
            other.for_each_corner(mesh, slot, |corner| {
                let before = corners.get(usize::from(index)).copied().unwrap_or(corner);
                let distance = corner.distance(before);
                if distance.is_finite() && furthest.is_none_or(|(most, _)| distance > most) {
                    furthest = Some((distance, index));
                }
                index = index.saturating_add(1);
            });
            if let Some((distance, vertex)) = furthest
                && largest.is_none_or(|gap| distance > gap.distance)
                && let Some(bone) = heaviest(mesh, vertex, model).or(model.slot(slot).bone)
            {
                largest = Some(LoopGap { distance, bone, step: None });
            }
        }
        largest
    }

    fn mesh<'a>(&self, model: &'a Model, slot: SlotId) -> Option<&'a Mesh> {
        let shown = self.pose.slots.get(slot.index()).filter(|_| self.pose.is_slot_active(model, slot))?;
        let mesh = model.attachment(shown.attachment?).mesh()?;
        let [_, _, _, alpha] = shown.tint.light;
        (alpha > 0.0 && mesh.tint[3] > 0.0 && model.is_drawn(mesh)).then_some(mesh)
    }

    fn for_each_corner(&self, mesh: &Mesh, slot: SlotId, mut visit: impl FnMut(Vec2)) {
        let deform = self.pose.slots.get(slot.index()).map_or(&[][..], |slot| self.pose.deform_of(slot));
        for_each_deformed_vertex(&mesh.vertices, deform, &self.palette, |corner, _uv| visit(corner));
    }
}

/// Returns the authored bone with the largest weight in a vertex.
fn heaviest(mesh: &Mesh, vertex: u16, model: &Model) -> Option<BoneId> {
    let heavier = |a: &(usize, f32), b: &(usize, f32)| a.1.abs().total_cmp(&b.1.abs());
    let (bone, _) = match &mesh.vertices {
        Vertices::Skin4(vertices) => {
            let vertex = vertices.get(vertex)?;
            let influences = vertex.bone_ids.into_iter().map(usize::from).zip(vertex.bone_weights);
            influences.max_by(heavier)?
        }
        Vertices::SkinN(vertices) => {
            let influences = vertices.get(vertex)?.influences.iter();
            influences.map(|influence| (influence.bone as usize, influence.weight)).max_by(heavier)?
        }
    };
    model.skeleton().authored_bone(BoneId::new(bone))
}
