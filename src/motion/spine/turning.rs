//! State that Spine's players keep between frames while animations are mixed.
//!
//! They never reset a character between frames. So values that are no longer animated keep their last value, and
//! the rotation of a bone that is animated with its whole weight on the first track continues from the previous
//! frame: whole turns add up, which is visible in constraints that add a share of a rotation.
//!
//! A bone that is mixed starts to turn the short way and keeps its direction when the other way becomes shorter.
//! Only passing the rotation from which it is mixed changes the direction.

use super::{Rig, Rules};

/// State kept from frame to frame.
#[derive(Debug, Clone, Default)]
pub(crate) struct Turning {
    /// The pose was left by a frame, and the next frame continues from it.
    pub has_frame: bool,
    /// The playbacks of the frame.
    playbacks: Vec<Mixed>,
    /// Unused memory for ways.
    spare: Vec<Vec<Option<Way>>>,
}

/// The state of one playback.
#[derive(Debug, Clone)]
struct Mixed {
    id: u64,
    is_used: bool,
    /// By timeline; `None` if it has not been mixed yet. Empty if none has been.
    ways: Vec<Option<Way>>,
}

/// The rotation of a bone that is being mixed, in degrees.
#[derive(Debug, Clone, Copy)]
struct Way {
    /// The short way, -180 to 180.
    short: f64,
    /// In the initial direction, whole turns included.
    total: f64,
}

impl Way {
    /// Beyond this angle, a change of sides passes the far side instead of the rotation from which the bone is
    /// mixed.
    const NEAR: f64 = 90.0;

    /// Returns the new rotation when the short way becomes `short`.
    fn continued(self, short: f64, rules: &Rules) -> f64 {
        if short == 0.0 {
            // On neither side: keep the direction and the rotation.
            return self.total;
        }
        let whole_turns = if self.total.abs() < 360.0 { 0.0 } else { (self.total / 360.0).trunc() * 360.0 };
        let changes_sides = self.short == 0.0 || (self.short > 0.0) != (short > 0.0);
        if changes_sides && self.short.abs() <= Self::NEAR {
            // After more than half a turn, this completes a whole one.
            return match self.total.abs() > 180.0 {
                true if rules.turns_on => short + whole_turns + 360.0 * self.total.signum(),
                true => self.total + short - self.short,
                false => short,
            };
        }
        whole_turns
            + match (self.total >= 0.0, short > 0.0) {
                (true, false) => short + 360.0,
                (false, true) => short - 360.0,
                (true, true) | (false, false) => short,
            }
    }
}

impl Mixed {
    /// Returns its memory for ways, if it has any.
    fn memory(mut self) -> Option<Vec<Option<Way>>> {
        self.ways.clear();
        (self.ways.capacity() > 0).then_some(self.ways)
    }
}

impl Turning {
    /// Begins a frame with these playbacks, and drops the state of all others.
    pub fn begin(&mut self, ids: &[u64]) {
        let Self { playbacks, spare, .. } = self;
        playbacks.iter_mut().for_each(|playback| playback.is_used = ids.contains(&playback.id));
        while let Some(at) = playbacks.iter().position(|playback| !playback.is_used) {
            spare.extend(playbacks.swap_remove(at).memory());
        }
        for &id in ids {
            if !playbacks.iter().any(|playback| playback.id == id) {
                playbacks.push(Mixed { id, is_used: true, ways: Vec::new() });
            }
        }
    }

    /// Drops all state.
    pub fn reset(&mut self) {
        self.has_frame = false;
        self.spare.extend(self.playbacks.drain(..).filter_map(Mixed::memory));
    }

    /// Returns the index of a playback of the frame.
    pub fn find(&self, id: u64) -> Option<usize> {
        self.playbacks.iter().position(|playback| playback.id == id)
    }

    /// Returns the rotation for a timeline of the playback at an index if the short way is `short`, in degrees.
    pub fn way(&mut self, (playback, timeline): (usize, usize), short: f64, rig: &Rig) -> f64 {
        let Self { playbacks, spare, .. } = self;
        let count = playbacks.len();
        let Some(playback) = playbacks.get_mut(playback) else { return short };
        if playback.ways.is_empty() {
            // Of one size, so that no playback needs memory that an earlier one did not.
            playback.ways = spare.pop().unwrap_or_else(|| {
                spare.reserve(count);
                Vec::new()
            });
            playback.ways.resize(rig.most_timelines, None);
        }
        let Some(way) = playback.ways.get_mut(timeline) else { return short };
        let total = way.map_or(short, |way| way.continued(short, &rig.rules));
        *way = Some(Way { short, total });
        total
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rig() -> Rig {
        Rig { most_timelines: 3, ..Rig::default() }
    }

    fn ways(shorts: &[f64]) -> Vec<f64> {
        let mut turning = Turning::default();
        turning.begin(&[7]);
        shorts.iter().map(|&short| turning.way((0, 2), short, &rig())).collect()
    }

    #[test]
    fn a_bone_keeps_turning_the_way_it_began() {
        assert_eq!(ways(&[170.0, 179.0, -172.0, -160.0]), [170.0, 179.0, 188.0, 200.0]);
        assert_eq!(ways(&[-170.0, 172.0]), [-170.0, -188.0]);
        assert_eq!(ways(&[20.0, -20.0, -30.0]), [20.0, -20.0, -30.0], "passing the start changes the direction");
        assert_eq!(ways(&[-169.0, 0.0, 0.0]), [-169.0, -169.0, -169.0]);
        assert_eq!(ways(&[170.0, -80.0, 10.0]), [170.0, 280.0, 370.0], "a whole turn");
    }

    #[test]
    fn state_of_ended_playbacks_is_dropped() {
        let mut turning = Turning::default();
        turning.begin(&[1, 2]);
        turning.way((0, 0), 170.0, &rig());
        turning.begin(&[2]);
        turning.begin(&[1, 2]);
        let again = turning.find(1).expect("a playback of the frame");
        assert_eq!(turning.way((again, 0), -170.0, &rig()), -170.0);
        assert_eq!(turning.way((again, 0), 170.0, &rig()), -190.0);
    }
}
