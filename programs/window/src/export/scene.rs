//! What the window shows beside one animation, as options of an export: tracks with their fades, moved bones and
//! changed slots.

use super::arguments::{argument, named};
use pchr::Animator;
use pchr::export::{AttachmentSpec, BoneChange, BoneSpec, TrackSpec};
use pchr::model::{AnimationId, Model};
use pchr::motion::BonePlace;
use pchr::player::{LoopMode, PlaySettings, Playback};

/// Seconds by which what is being replaced begins before what replaces it, at least.
const BEFORE_SECS: f64 = 0.05;

/// Returns the animation whose frames are exported: on track 0, or else the lowest that plays.
pub fn main(animator: &Animator) -> &Playback {
    let first = animator.playback(0);
    let others = animator.playbacks().map(|(track, _)| animator.playback(track));
    [first].into_iter().chain(others).find(|it| it.animation().is_some()).unwrap_or(first)
}

/// Returns the tracks that `animator` plays beside [`main`], such that both are shown together as now.
pub fn tracks(animator: &Animator) -> Vec<TrackSpec> {
    let now = main(animator).seconds();
    let mut found: Vec<TrackSpec> = Vec::new();
    let all: Vec<(usize, &Playback)> = animator.playbacks().collect();
    for group in all.chunk_by(|a, b| a.0 == b.0) {
        let Ok(track) = u32::try_from(group[0].0) else { continue };
        let played: Vec<&Playback> = group.iter().map(|(_, playback)| *playback).collect();
        let mut specs = of_track(animator.model(), track, &played, now);
        queue(animator, track, now, &mut specs);
        // What is replaced does not end by itself before that.
        specs.iter_mut().rev().skip(1).for_each(|spec| spec.settings.end_secs = None);
        found.append(&mut specs);
    }
    let first: Vec<&TrackSpec> = found.iter().filter(|spec| spec.track == 0).collect();
    match first[..] {
        [] if !found.is_empty() && animator.playback(0).animation().is_none() => {
            found.insert(0, nothing_at_first())
        }
        // As the export plays it by itself.
        [sole] if is_plain(sole) => found.retain(|spec| spec.track != 0),
        [sole, ..] if sole.at_secs > 0.0 => found.insert(0, nothing_at_first()),
        _ => {}
    }
    found
}

/// Keeps the export from playing the main animation on track 0 as well.
fn nothing_at_first() -> TrackSpec {
    TrackSpec::new(0, String::new())
}

/// Without the digits of rounding errors.
fn rounded(secs: f64) -> f64 {
    (secs * 1e9).round() / 1e9
}

fn is_plain(spec: &TrackSpec) -> bool {
    let settings = PlaySettings { fade_secs: 0.0, loop_mode: None, ..spec.settings.clone() };
    spec.at_secs == 0.0 && spec.from_secs.abs() < 1e-9 && settings == PlaySettings::default()
}

/// Returns what plays on a track, the oldest first; all but the last are being replaced.
fn of_track(model: &Model, track: u32, played: &[&Playback], now: f64) -> Vec<TrackSpec> {
    let mut specs = Vec::with_capacity(played.len());
    // From the last, because each begins before the one that replaces it.
    let mut before = f64::INFINITY;
    for (index, playback) in played.iter().enumerate().rev() {
        let spec = of_playback(model, track, playback);
        let faded = if index > 0 { playback.fade_secs() * playback.mix() } else { 0.0 };
        let spec = match index {
            0 if before == f64::INFINITY => placed(spec, playback, now),
            0 => at(without_fade(spec), playback, now, (before - BEFORE_SECS).min(0.0)),
            _ => at(spec, playback, now, (now - faded).min(before - BEFORE_SECS)),
        };
        before = spec.at_secs;
        specs.push(spec);
    }
    specs.reverse();
    specs
}

fn of_playback(model: &Model, track: u32, playback: &Playback) -> TrackSpec {
    let mut settings = playback.settings();
    settings.loop_mode = settings.loop_mode.filter(|mode| *mode != LoopMode::Authored);
    let Some(animation) = playback.animation() else {
        let settings = PlaySettings { fade_secs: settings.fade_secs, ..PlaySettings::default() };
        return TrackSpec { settings, ..TrackSpec::new(track, String::new()) };
    };
    TrackSpec { settings, ..TrackSpec::new(track, name(model, animation)) }
}

fn without_fade(mut spec: TrackSpec) -> TrackSpec {
    spec.settings.fade_secs = 0.0;
    spec
}

/// Returns the name of an animation, or its index if the name would be read as something else.
fn name(model: &Model, id: AnimationId) -> String {
    let name = argument(model, id);
    if name.contains(['@', ',']) { format!("#{}", id.index()) } else { name }
}

/// Places what nothing is replaced by: from 0 s on if possible.
fn placed(spec: TrackSpec, playback: &Playback, now: f64) -> TrackSpec {
    let (at_now, speed, duration) = (playback.seconds(), playback.speed(), playback.duration_secs());
    let spec = without_fade(spec);
    let at_first = at_now - speed * now;
    let begins_later =
        !playback.wraps() && (speed > 0.0 && at_first < -1e-9 || speed < 0.0 && at_first > duration);
    if !begins_later {
        return at(spec, playback, now, 0.0);
    }
    let from_secs = if speed > 0.0 { 0.0 } else { duration };
    begun(spec, playback, now, now - (at_now - from_secs) / speed, from_secs)
}

/// Lets it begin at `at_secs`, from the position that leads to its current one.
fn at(spec: TrackSpec, playback: &Playback, now: f64, at_secs: f64) -> TrackSpec {
    let range = spec.settings.range_secs.clone().unwrap_or(0.0..=playback.duration_secs());
    let (first, duration) = (*range.start(), range.end() - range.start());
    let from = playback.seconds() - spec.settings.speed * (now - at_secs) - first;
    let from = match playback.wraps() && duration > 0.0 {
        true => from.rem_euclid(duration),
        false => from.clamp(0.0, duration.max(0.0)),
    };
    // Rounding errors of the sum are no position.
    let is_first = from < 1e-9 || playback.wraps() && duration - from < 1e-9;
    begun(spec, playback, now, at_secs, if is_first { 0.0 } else { first + from })
}

/// Lets it begin at `at_secs` from a position, and end after as many seconds as now.
fn begun(mut spec: TrackSpec, playback: &Playback, now: f64, at_secs: f64, from_secs: f64) -> TrackSpec {
    let later = (now - at_secs) * spec.settings.speed.abs() - playback.played_secs();
    spec.settings.end_secs = spec.settings.end_secs.map(|secs| rounded((secs + later).max(0.0)));
    TrackSpec { at_secs: rounded(at_secs), from_secs: rounded(from_secs), ..spec }
}

/// Adds what is queued on a track.
fn queue(animator: &Animator, track: u32, now: f64, specs: &mut Vec<TrackSpec>) {
    let current = animator.playback(track as usize);
    let left = |playback: &Playback, from: f64| match playback.speed() {
        speed if speed > 0.0 => (playback.duration_secs() - from) / speed,
        speed => from / -speed,
    };
    let mut end = now + left(current, current.seconds());
    for queued in animator.queued(track as usize) {
        let at_secs = end - queued.fade_secs();
        if !at_secs.is_finite() {
            return;
        }
        let from_secs = queued.seconds();
        specs.push(TrackSpec {
            at_secs: rounded(at_secs),
            from_secs: rounded(from_secs),
            ..of_playback(animator.model(), track, queued)
        });
        end = at_secs + left(queued, from_secs);
    }
}

/// Returns the bones that the user has moved.
pub fn bones(animator: &Animator) -> Vec<BoneSpec> {
    let model = animator.model();
    let mut found = Vec::new();
    for put in animator.bone_overrides() {
        let Some(bone) = model.skeleton().bones().get(put.bone.index()) else { continue };
        let is_found = model.skeleton().find(&bone.name) == Some(put.bone);
        let name = named(&bone.name, is_found, put.bone.index());
        if let Some(BonePlace::World(position)) = put.position {
            found.push(BoneSpec { bone: name.clone(), change: BoneChange::Position(position) });
        }
        if let Some(radians) = put.rotation_radians {
            found.push(BoneSpec { bone: name, change: BoneChange::Degrees(radians.to_degrees()) });
        }
    }
    found
}

/// Returns the slots whose attachment the user has chosen.
pub fn attachments(animator: &Animator) -> Vec<AttachmentSpec> {
    let model = animator.model();
    let chosen = animator.slot_overrides().iter().filter_map(|put| Some((put.slot, put.attachment?)));
    let spec = |(slot, attachment)| {
        let index: pchr::model::SlotId = slot;
        let name = &model.slot(index).name;
        let is_found = model.find_slot(name) == Some(index) && !name.contains('=');
        let attachment: Option<pchr::model::AttachmentId> = attachment;
        AttachmentSpec {
            slot: named(name, is_found, index.index()),
            attachment: attachment.map(|id| model.attachment(id).name().to_owned()),
        }
    };
    chosen.map(spec).collect()
}
