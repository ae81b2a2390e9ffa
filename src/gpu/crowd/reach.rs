//! A circle that contains everything that a character can show, so that members outside the view are not drawn.
//!
//! It holds for every mixture of stored frames: it is the sum of the longest distances from bone to bone.

use super::frames;
use super::parts::Part;
use crate::character::Character;
use crate::gpu::shaders::crowd_data::CrowdAnimation;
use crate::math::{Rect, Vec2};
use crate::model::{BoneId, Model};
use crate::motion::Sampled;

/// The circle, in the space of the character.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reach {
    pub center: Vec2,
    pub radius: f32,
}

/// How far a bone can be from the centre, and how much it can scale.
#[derive(Clone, Copy)]
struct BoneReach {
    distance: f32,
    scale: f32,
}

impl Reach {
    /// The circle of `parts` in all frames of `animations`.
    pub fn new(character: &Character, sampled: &Sampled, animations: &[CrowdAnimation], parts: &[Part]) -> Self {
        let model = character.model();
        let (center, bones) = bones(character, sampled, animations);
        let mut radius = 0.0_f32;
        for part in parts {
            part.vertices(model, |_, influences| {
                // Weights that do not add up to 1 move the vertex away from the centre.
                let weights: f32 = influences.iter().map(|influence| influence.weight).sum();
                let mut reach = (1.0 - weights).abs() * center.length();
                for influence in influences {
                    reach += influence.weight.abs()
                        * match bones.get(influence.bone as usize) {
                            Some(bone) => bone.distance + bone.scale * influence.position.length(),
                            None => influence.position.distance(center),
                        };
                }
                radius = radius.max(reach);
            });
        }
        Self { center, radius }
    }
}

/// The centre of all places of the roots, and the reach of every bone.
fn bones(character: &Character, sampled: &Sampled, animations: &[CrowdAnimation]) -> (Vec2, Vec<BoneReach>) {
    let model = character.model();
    let parents: Vec<Option<BoneId>> = model.skeleton().bones().iter().map(|bone| bone.parent).collect();
    let mut largest = vec![BoneReach { distance: 0.0, scale: 0.0 }; parents.len()];
    let mut roots: Option<Rect> = None;
    for (id, frame) in frames::all(character, animations) {
        for ((stored, bone), parent) in sampled.stored(model, id, frame).zip(&mut largest).zip(&parents) {
            let sample = stored.sample;
            bone.scale = bone.scale.max(sample.scale.x.abs()).max(sample.scale.y.abs());
            match parent {
                Some(_) => bone.distance = bone.distance.max(sample.translation.length()),
                None => {
                    let place = Rect { min: sample.translation, max: sample.translation };
                    roots = Some(roots.map_or(place, |roots| roots.union(place)));
                }
            }
        }
    }
    let (center, spread) = roots
        .map_or((Vec2::ZERO, 0.0), |roots| (roots.min.midpoint(roots.max), roots.min.distance(roots.max) / 2.0));
    for bone in 0..parents.len() {
        let own = largest[bone];
        largest[bone] = match parents[bone] {
            Some(parent) => {
                let above = largest[parent.index()];
                BoneReach { distance: above.distance + above.scale * own.distance, scale: above.scale * own.scale }
            }
            None => BoneReach { distance: spread, scale: own.scale },
        };
    }
    (center, largest)
}

/// Returns the parents of all bones, as the shaders read them.
pub fn parents(model: &Model) -> Vec<u32> {
    let parent = |bone: &crate::model::Bone| {
        bone.parent.map_or(crate::model::Influence::NO_BONE, |parent| parent.index() as u32)
    };
    model.skeleton().bones().iter().map(parent).collect()
}
