//! Animations without frames, bind poses that move, and implausible frame rates.

use super::{Report, Subject};
use crate::formats::pchr::build::is_bind_name;
use crate::formats::pchr::document::At;
use crate::formats::pchr::schema::Animation;

/// Faster than any display, so most likely in another unit.
const MAX_FPS: u16 = 240;

/// Checks names, counts and rates, not frames.
pub fn check(subject: &Subject<'_>, report: &mut Report<'_>) {
    let all = || subject.file.animations.iter().enumerate();
    let is_playable = |index: usize| subject.checked.is_playable.get(index) == Some(&true);
    let is_empty = |(index, animation): &(usize, &Animation)| animation.frame_count == 0 && is_playable(*index);
    let empty = all().filter(is_empty).map(|(index, animation)| {
        (
            At::Animation(index, "frameCount"),
            format!("animation `{}` has no frames, so it shows nothing", animation.name),
        )
    });
    report.warn_all("empty-animation", empty);
    let moving = all().filter(|(_, animation)| is_bind_name(animation)).filter_map(|(index, animation)| {
        let is_looping = animation.flags & Animation::LOOP != 0;
        let what = match (animation.frame_count, is_looping) {
            (..=1, false) => return None,
            (..=1, true) => "loops".to_owned(),
            (count, false) => format!("has {count} frames"),
            (count, true) => format!("has {count} frames and loops"),
        };
        let name = &animation.name;
        let message = format!("`{name}` {what}, but its name marks it as a bind pose, so only frame 0 is used");
        Some((At::Animation(index, ""), message))
    });
    report.note_all("bind-is-motion", moving);
    let fps = subject.file.fps;
    let odd = (fps > MAX_FPS)
        .then(|| (At::File("fps"), format!("{fps} fps is more than any display can show; 12 to 60 are usual")));
    report.note_all("odd-fps", odd);
}
