//! What the window shows beside the stored frames of one animation.

use super::{Which, scene};
use crate::playback::Playback;
use pchr::draw::View;
use pchr::export::{AttachmentSpec, BoneSpec, Subject, TrackSpec};
use pchr::math::Rect;
use pchr::motion::Forces;

/// What the window shows beside the stored frames of one animation, and whether the export shows it too.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ShownScene {
    /// The choice that the tracks belong to.
    which: Option<Which>,
    /// The time of the shown instant in seconds, if it is between stored frames.
    pub seconds: Option<f64>,
    /// The time of the main animation in seconds.
    pub main_seconds: f64,
    /// The tracks.
    pub tracks: Vec<TrackSpec>,
    /// The moved bones.
    pub bones: Vec<BoneSpec>,
    /// The slots whose attachment was chosen.
    attachments: Vec<AttachmentSpec>,
    /// Wind, gravity and mix of physics.
    forces: Forces,
    /// The visible area, and the size of the canvas in pixels.
    pub view: Option<(Rect, [u32; 2])>,
    /// The tracks are exported.
    pub with_tracks: bool,
    /// The moved bones are exported.
    pub with_bones: bool,
}

impl ShownScene {
    /// Returns what is shown in `view`.
    pub fn of(playback: &Playback, view: Option<View>) -> Self {
        let (animator, main) = (&playback.animator, scene::main(&playback.animator));
        let is_between = main.is_keyed() || animator.interpolates();
        let is_between = is_between && main.position().fract().abs() > 1e-6;
        let visible = |view: View| {
            let Rect { min, max } = view.world();
            // As the command line states it: a corner and a size.
            (Rect::from_min_size(min, max - min), [view.width(), view.height()])
        };
        Self {
            which: Some(Which::One(main.animation())),
            seconds: is_between.then(|| main.seconds()),
            main_seconds: main.seconds(),
            tracks: scene::tracks(animator),
            bones: scene::bones(animator),
            attachments: scene::attachments(animator),
            forces: animator.forces(),
            view: view.map(visible),
            with_tracks: true,
            with_bones: true,
        }
    }

    /// Adds the tracks, bones and attachments that are exported with the animations of `which`.
    pub fn add_to(&self, subject: &mut Subject, which: Which) {
        // With another animation in the place of the shown one, there is nothing to fade from.
        let is_shown = self.which == Some(which);
        let tracks = self.tracks.iter().filter(|spec| self.with_tracks && (is_shown || spec.track != 0));
        subject.tracks = tracks.cloned().collect();
        subject.bones = if self.with_bones { self.bones.clone() } else { Vec::new() };
        subject.attachments.clone_from(&self.attachments);
        subject.set_forces(self.forces);
    }
}
