//! Playback, and changes to skins, slots, bones and constraints.

use pchr::Animator;
use pchr::math::{Affine2, vec2};
use pchr::player::{PlaySettings, Playback};

use crate::animator::PchrAnimator;
use crate::border::{Failure, Out, PchrStatus, PchrText, guarded, list, owned};

/// A transform: its columns are (`xx`, `xy`) and (`yx`, `yy`), its origin is (`x`, `y`).
#[repr(C)]
#[derive(Debug, Clone, Copy)]
#[allow(missing_docs, reason = "documented on the type")]
pub struct PchrTransform {
    pub xx: f32,
    pub xy: f32,
    pub yx: f32,
    pub yy: f32,
    pub x: f32,
    pub y: f32,
}

/// Changes an animator.
///
/// # Safety
///
/// The animator is valid, as the header says.
unsafe fn change(
    animator: *mut PchrAnimator,
    change: impl FnOnce(&mut Animator) -> Result<(), Failure>,
) -> PchrStatus {
    // SAFETY: the contract of this function.
    guarded(|| change(&mut unsafe { owned(animator)? }.animator))
}

/// Calls `start` and applies the settings to its playback. Invalid settings fail before it is called.
fn play<'a>(settings: &str, start: impl FnOnce() -> Result<&'a mut Playback, pchr::Error>) -> Result<(), Failure> {
    PlaySettings::default().set(settings).map_err(pchr::Error::from)?;
    let playback = start()?;
    let mut all = playback.settings();
    if !settings.is_empty() {
        all.set(settings).map_err(pchr::Error::from)?;
        playback.apply(&all);
    }
    Ok(())
}

/// Plays an animation on a track, instead of what it plays and has queued. `settings` may be empty, or settings
/// with commas between: `loop=loop,speed=1.5,fade=0.2,weight=0.5,add`. docs/render.md lists them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pchr_play(
    animator: *mut PchrAnimator,
    track: usize,
    animation: PchrText,
    settings: PchrText,
) -> PchrStatus {
    // SAFETY: the animator and the texts are valid, by the contract of the header.
    unsafe {
        change(animator, |it| {
            let animation = animation.read()?;
            play(settings.read()?, move || it.play_on(track, animation))
        })
    }
}

/// Plays an animation after what the track plays and has queued: `delay` seconds after the start of the previous one; if
/// that is 0 or negative, after its end.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pchr_queue(
    animator: *mut PchrAnimator,
    track: usize,
    animation: PchrText,
    delay: f64,
    settings: PchrText,
) -> PchrStatus {
    // SAFETY: the animator and the texts are valid, by the contract of the header.
    unsafe {
        change(animator, |it| {
            let animation = animation.read()?;
            play(settings.read()?, move || it.queue_on(track, animation, delay))
        })
    }
}

/// Fades a track out to those below it, and clears its queue.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pchr_fade_out(animator: *mut PchrAnimator, track: usize, secs: f64) -> PchrStatus {
    // SAFETY: the animator is valid, by the contract of the header.
    unsafe {
        change(animator, |it| {
            it.fade_out(track, secs);
            Ok(())
        })
    }
}

/// Stops all tracks and shows the rest pose.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pchr_stop(animator: *mut PchrAnimator) -> PchrStatus {
    // SAFETY: the animator is valid, by the contract of the header.
    unsafe {
        change(animator, |it| {
            it.stop();
            Ok(())
        })
    }
}

/// Sets how long animations that replace others fade in from now on; initially 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pchr_set_fade(animator: *mut PchrAnimator, secs: f64) -> PchrStatus {
    // SAFETY: the animator is valid, by the contract of the header.
    unsafe {
        change(animator, |it| {
            it.set_fade_secs(secs);
            Ok(())
        })
    }
}

/// Activates skins; later ones override earlier ones.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pchr_set_skins(
    animator: *mut PchrAnimator,
    names: *const PchrText,
    count: usize,
) -> PchrStatus {
    // SAFETY: the animator, the list and its texts are valid, by the contract of the header.
    unsafe {
        change(animator, |it| {
            let names: Result<Vec<&str>, _> = list(names, count)?.iter().map(|name| name.read()).collect();
            Ok(it.set_skins(names?)?)
        })
    }
}

/// Shows an attachment in a slot from now on; nothing if `attachment.data` is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pchr_set_attachment(
    animator: *mut PchrAnimator,
    slot: PchrText,
    attachment: PchrText,
) -> PchrStatus {
    // SAFETY: the animator and the texts are valid, by the contract of the header.
    unsafe {
        change(animator, |it| {
            let attachment = if attachment.data.is_null() { None } else { Some(attachment.read()?) };
            Ok(it.set_attachment(slot.read()?, attachment)?)
        })
    }
}

/// Moves a bone, such as a target of inverse kinematics, until `pchr_release_bone`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pchr_move_bone(
    animator: *mut PchrAnimator,
    bone: PchrText,
    x: f32,
    y: f32,
) -> PchrStatus {
    // SAFETY: the animator and the text are valid, by the contract of the header.
    unsafe { change(animator, |it| Ok(it.move_bone(bone.read()?, vec2(x, y))?)) }
}

/// Returns a bone to the animations.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pchr_release_bone(animator: *mut PchrAnimator, bone: PchrText) -> PchrStatus {
    // SAFETY: the animator and the text are valid, by the contract of the header.
    unsafe { change(animator, |it| Ok(it.release_bone(bone.read()?)?)) }
}

/// Changes a setting of a constraint from now on, such as `mix`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pchr_set_constraint(
    animator: *mut PchrAnimator,
    constraint: PchrText,
    setting: PchrText,
    value: f32,
) -> PchrStatus {
    // SAFETY: the animator and the texts are valid, by the contract of the header.
    unsafe { change(animator, |it| Ok(it.set_constraint(constraint.read()?, setting.read()?, value)?)) }
}

/// Places the character in the world.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pchr_place(animator: *mut PchrAnimator, place: PchrTransform) -> PchrStatus {
    let PchrTransform { xx, xy, yx, yy, x, y } = place;
    // SAFETY: the animator is valid, by the contract of the header.
    unsafe {
        change(animator, |it| {
            it.set_placement(Affine2::from_cols_array(&[xx, xy, yx, yy, x, y]));
            Ok(())
        })
    }
}

/// Returns where a bone is in the world, as of the last `pchr_update`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pchr_bone(
    animator: *mut PchrAnimator,
    bone: PchrText,
    place: *mut PchrTransform,
) -> PchrStatus {
    // SAFETY: the animator and the text are valid, and C has room for the place, by the contract of the header.
    unsafe {
        change(animator, |it| {
            let out = Out::new(place)?;
            let [xx, xy, yx, yy, x, y] = it.bone(bone.read()?)?.to_cols_array();
            out.put(PchrTransform { xx, xy, yx, yy, x, y });
            Ok(())
        })
    }
}
