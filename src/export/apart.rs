//! How far two characters are apart that should be the same, in stored frames of the first.

use crate::character::Character;
use crate::math::Vec2;
use crate::model::{AnimationId, Mesh, SkinId, SlotId};
use crate::motion::{Cue, Position, evaluate};
use crate::pose::{Pose, SkinMatrix, for_each_deformed_vertex, palette};

/// The worst vertex of a mesh in an animation.
#[derive(Debug, Clone, PartialEq)]
pub struct Apart {
    /// The animation of the first.
    pub animation: AnimationId,
    /// The slot of the first.
    pub slot: SlotId,
    /// World pixels.
    pub px: f32,
    /// The stored frame.
    pub frame: u32,
}

/// Compares the corners of triangles, whatever the order of their vertices. `animations` and `slots` are those of
/// `source`, in the order in which `written` has them; slots that are hidden in `source` do not count. `skins` are those
/// that it wears.
///
/// An entry for each pair of them that is seen at all.
pub fn apart(
    source: &Character,
    written: &Character,
    animations: &[AnimationId],
    slots: &[SlotId],
    skins: &[SkinId],
) -> Vec<Apart> {
    let mut slot_of = vec![None; source.model().slots().len()];
    slots.iter().enumerate().for_each(|(at, slot)| slot_of[slot.index()] = Some(SlotId::new(at)));
    let (mut meant, mut found) = (Side::new(source), Side::new(written));
    let mut list = Vec::new();
    for (&animation, other) in animations.iter().zip(written.model().animation_ids()) {
        let mut worst: Vec<Option<(f32, u32)>> = vec![None; slot_of.len()];
        let stored = source.model().animation(animation);
        let frames = if stored.fps > 0.0 { stored.frame_count } else { stored.frame_count.min(1) };
        for frame in 0..frames {
            let cue = |id| Cue { animation: Some(id), position: Position::frame(frame), ..Cue::default() };
            meant.show(&Cue { skins: skins.to_vec(), ..cue(animation) });
            found.show(&cue(other));
            for slot in std::mem::take(&mut meant.pose.draw_order) {
                let Some(other) = slot_of[slot.index()] else { continue };
                meant.skin(slot);
                found.skin(other);
                let pairs = meant.corners.iter().zip(&found.corners);
                let px = pairs.map(|(a, b)| a.distance(*b)).filter(|px| !px.is_nan()).fold(0.0, f32::max);
                // What is not shown at all is as far away as can be.
                let px = if meant.corners.len() == found.corners.len() { px } else { f32::INFINITY };
                let worst = &mut worst[slot.index()];
                if worst.is_none_or(|(most, _)| px > most) {
                    *worst = Some((px, frame));
                }
            }
        }
        let seen = worst.into_iter().enumerate();
        list.extend(seen.filter_map(|(slot, worst)| {
            worst.map(|(px, frame)| Apart { animation, slot: SlotId::new(slot), px, frame })
        }));
    }
    list
}

/// One of the two.
struct Side<'a> {
    character: &'a Character,
    pose: Pose,
    palette: Vec<SkinMatrix>,
    points: Vec<Vec2>,
    corners: Vec<Vec2>,
}

impl<'a> Side<'a> {
    fn new(character: &'a Character) -> Self {
        let pose = Pose::for_model(character.model());
        Self { character, pose, palette: Vec::new(), points: Vec::new(), corners: Vec::new() }
    }

    fn show(&mut self, cue: &Cue) {
        evaluate(self.character, cue, &mut self.pose);
        palette(self.character.model(), &self.pose, &mut self.palette);
    }

    /// Where the triangles are of the mesh that a slot shows.
    fn skin(&mut self, slot: SlotId) {
        let Self { character, pose, palette, points, corners } = self;
        points.clear();
        corners.clear();
        let Some(slot) = pose.slots.get(slot.index()) else { return };
        let mesh: Option<&Mesh> = slot.attachment.and_then(|id| character.model().attachment(id).mesh());
        let Some(mesh) = mesh else { return };
        for_each_deformed_vertex(&mesh.vertices, pose.deform_of(slot), palette, |point, _uv| points.push(point));
        corners.extend(mesh.indices.triangles().flatten().map(|index| points[usize::from(index)]));
    }
}
