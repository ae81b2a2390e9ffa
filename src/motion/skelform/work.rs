//! The cost of a pose, estimated before it is evaluated.

use super::SkelForm;
use crate::model::AnimationId;

/// Units of work for a SkelForm bone, counted from bones.
const BONE: u64 = 120;
/// Units of work for a bone of an IK chain, counted from chains.
const CHAINED: u64 = 800;
/// Units of work for a keyed number or switch, counted from tracks of the animation.
const TRACK: u64 = 60;
/// Units of work for a helper bone that moves vertices, counted from visuals.
const ENTRY: u64 = 60;

impl SkelForm {
    /// Returns the units of work of a pose without any animation.
    pub(in crate::motion) fn rest_work(&self) -> u64 {
        let rig = &self.rig;
        let chained: usize = rig.chains.iter().map(|chain| chain.bones.len()).sum();
        rig.bones.len() as u64 * BONE + chained as u64 * CHAINED + rig.entries.len() as u64 * ENTRY
    }

    /// Returns the units of work that an animation adds to a pose.
    pub(in crate::motion) fn keys_work(&self, id: AnimationId) -> u64 {
        let tracks = |animation: &super::Animation| animation.tracks.len() + animation.switch_tracks.len();
        self.animations.get(id.index()).map_or(0, |animation| tracks(animation) as u64 * TRACK)
    }
}
