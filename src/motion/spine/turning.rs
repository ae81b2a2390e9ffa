//! How bones turn while animations are mixed, which depends on what was shown before.
//!
//! Spine's own players never reset a character between frames. Two things follow for rotations, and only for them:
//!
//! * A bone that is animated with its whole weight on the first track turns from the rotation of the frame before, the
//!   short way. So whole turns add up, which constraints can see that add a share of a rotation.
//! * A bone that is mixed begins to turn the short way, and keeps its direction when the other way becomes the shorter
//!   one. Only passing the rotation from which it is mixed changes the direction.

use super::parts::BoneLocal;
use crate::math::angle::wrap_turn;

/// What is kept of rotations from frame to frame.
#[derive(Debug, Clone, Default)]
pub(crate) struct Turning {
    /// By bone: its local pose in the frame before, as animations left it. Empty in the first frame.
    pub before: Vec<BoneLocal>,
    /// The playbacks of the frame, in the order of the layers.
    playbacks: Vec<Mixed>,
    /// Unused memory.
    spare: Vec<Mixed>,
}

/// What is kept of one playback.
#[derive(Debug, Clone, Default)]
struct Mixed {
    id: u64,
    is_used: bool,
    /// By timeline.
    ways: Vec<Way>,
}

/// How far a bone is turned, in degrees, if it is being mixed.
#[derive(Debug, Clone, Copy, Default)]
struct Way {
    /// How far it is by the short way.
    short: f64,
    /// How far it is in the direction in which it began, turns included.
    total: f64,
    has_begun: bool,
}

impl Turning {
    /// Begins a frame in which these playbacks are mixed.
    pub fn begin(&mut self, ids: &[u64]) {
        let Self { playbacks, spare, .. } = self;
        playbacks.iter_mut().for_each(|playback| playback.is_used = false);
        for &id in ids {
            match playbacks.iter_mut().find(|playback| playback.id == id) {
                Some(playback) => playback.is_used = true,
                None => {
                    let mut playback = spare.pop().unwrap_or_default();
                    playback.ways.clear();
                    playbacks.push(Mixed { id, is_used: true, ..playback });
                }
            }
        }
        for at in (0..playbacks.len()).rev().filter(|&at| !playbacks[at].is_used).collect::<Vec<_>>() {
            spare.push(playbacks.swap_remove(at));
        }
    }

    /// Forgets everything.
    pub fn reset(&mut self) {
        self.before.clear();
        self.spare.append(&mut self.playbacks);
    }

    /// How far to turn for a timeline of a playback if the short way is `short` degrees.
    pub fn way(&mut self, id: u64, timeline: usize, short: f64) -> f64 {
        let Some(playback) = self.playbacks.iter_mut().find(|playback| playback.id == id) else { return short };
        if playback.ways.len() <= timeline {
            playback.ways.resize(timeline + 1, Way::default());
        }
        let way = &mut playback.ways[timeline];
        let total = match way.has_begun {
            true if short == 0.0 => way.total,
            true => way.total + wrap_turn(short - way.total),
            false => short,
        };
        *way = Way { short, total, has_begun: true };
        total
    }
}
