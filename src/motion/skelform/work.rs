//! The cost of a pose, estimated before it is evaluated.

use super::SkelForm;
use crate::model::AnimationId;

/// Cost of a bone, which is computed from keys, after chains and after physics.
const BONE: u64 = 120;
/// Cost of a bone of a chain, with all iterations of the solver.
const CHAINED: u64 = 800;
/// Cost of a keyed number or switch.
const TRACK: u64 = 60;
/// Cost of a helper bone that moves vertices.
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
