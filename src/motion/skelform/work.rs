//! How much work a pose is, counted before anything is evaluated.

use super::SkelForm;
use crate::model::AnimationId;

/// A bone that is placed: as animated, after its chain and after what swings.
const BONE: u64 = 120;
/// A bone of a chain, pulled to its target and back in every round.
const CHAINED: u64 = 800;
/// A number or a switch that keys change.
const TRACK: u64 = 60;
/// A helper bone that moves vertices.
const ENTRY: u64 = 60;

impl SkelForm {
    /// Units of work that a pose takes without any animation.
    pub(in crate::motion) fn rest_work(&self) -> u64 {
        let rig = &self.rig;
        let chained: usize = rig.chains.iter().map(|chain| chain.bones.len()).sum();
        rig.bones.len() as u64 * BONE + chained as u64 * CHAINED + rig.entries.len() as u64 * ENTRY
    }

    /// Units of work that an animation adds to a pose.
    pub(in crate::motion) fn keys_work(&self, id: AnimationId) -> u64 {
        let tracks = |animation: &super::Animation| animation.tracks.len() + animation.switch_tracks.len();
        self.animations.get(id.index()).map_or(0, |animation| tracks(animation) as u64 * TRACK)
    }
}
