//! Several animations at once: each track plays one animation after another, with cross-fades.
//!
//! Input: what to play, and the elapsed seconds. Output: the layers of a [`Cue`], and events.

use std::collections::{BTreeMap, VecDeque};

use super::clock::LoopMode;
use super::event::{EventKind, EventRecord};
use super::playback::{Playback, finite};
use crate::character::Character;
use crate::math::Vec2;
use crate::model::{AnimationId, BoneId, Model};
use crate::motion::{Cover, Cue, Direction, Layer, Mix, Position, continues_fades, holds_values};

/// The tracks on which animations are played, each over those below it. Stored frames cannot be mixed: they show
/// the uppermost track alone.
///
/// Track numbers are arbitrary: only tracks on which something was played take memory.
#[derive(Debug, Clone)]
pub(super) struct Tracks {
    /// Sorted by number.
    tracks: Vec<Track>,
    /// Default duration of cross-fades in seconds.
    pub fade_secs: f64,
    /// Durations of cross-fades from one animation to another, which override the default.
    fades_between: BTreeMap<[AnimationId; 2], f64>,
    /// Default loop mode.
    pub loop_mode: LoopMode,
    /// Stored frames are blended.
    interpolates: bool,
    /// A playback has ended without a pose in which it was replaced entirely.
    has_unshown_end: bool,
    /// Events since the last [`Self::advance`].
    pending: Vec<EventRecord>,
    /// The id of the next playback.
    next_id: u64,
    /// The playback of an idle track.
    nothing: Playback,
    /// The queue of an idle track.
    no_queue: VecDeque<Queued>,
}

/// One track.
#[derive(Debug, Clone, Default)]
struct Track {
    number: usize,
    /// The current playback is the last; before it are those that are being replaced, the oldest first.
    playbacks: Vec<Playback>,
    /// How many of the first have ended but are kept because others hold some of their values, until another
    /// animation is played.
    kept: usize,
    queue: VecDeque<Queued>,
}

/// A queued animation.
#[derive(Debug, Clone)]
struct Queued {
    playback: Playback,
    /// Seconds after the start of the previous one; if not positive, relative to the moment from which the fade
    /// ends together with the previous one.
    delay: f64,
    /// End of the previous one, in its played seconds.
    end_before: f64,
}

impl Queued {
    /// Returns its start, in played seconds of the previous one.
    fn at(&self) -> f64 {
        if self.delay > 0.0 { self.delay } else { (self.end_before - self.playback.fade + self.delay).max(0.0) }
    }
}

impl Default for Tracks {
    fn default() -> Self {
        Self {
            tracks: Vec::new(),
            fade_secs: 0.0,
            fades_between: BTreeMap::new(),
            loop_mode: LoopMode::Authored,
            interpolates: false,
            has_unshown_end: false,
            pending: Vec::new(),
            next_id: 1,
            nothing: Playback::empty(0.0, 0),
            no_queue: VecDeque::new(),
        }
    }
}

impl Tracks {
    #[track_caller]
    fn playback_of(&mut self, model: &Model, animation: AnimationId, before: Option<AnimationId>) -> Playback {
        let id = self.take_id();
        let fade = before.map_or(self.fade_secs, |before| self.fade_between([before, animation]));
        Playback::new(animation, model.animation(animation), self.loop_mode, self.interpolates, fade, id)
    }

    /// Returns the default duration of the cross-fade from one animation to another, in seconds.
    pub fn fade_between(&self, animations: [AnimationId; 2]) -> f64 {
        self.fades_between.get(&animations).copied().unwrap_or(self.fade_secs)
    }

    /// Sets the default duration of the cross-fade from one animation to another.
    pub fn set_fade_between(&mut self, animations: [AnimationId; 2], secs: f64) {
        self.fades_between.insert(animations, secs);
    }

    fn take_id(&mut self) -> u64 {
        self.next_id += 1;
        self.next_id
    }

    /// Plays `animation` instead of what the track plays and has queued.
    #[track_caller]
    pub fn play(&mut self, model: &Model, track: usize, animation: AnimationId) -> &mut Playback {
        let before = self.playback(track).animation();
        let playback = self.playback_of(model, animation, before);
        let place = self.place(track);
        self.tracks[place].queue.clear();
        self.begin(place, playback)
    }

    /// Plays `animation` after what the track plays and has queued: `delay` seconds after the start of the
    /// previous one if that is positive. Otherwise, `delay` is relative to the moment from which the fade ends
    /// together with the previous one, or with its current loop.
    #[track_caller]
    pub fn queue(&mut self, model: &Model, track: usize, animation: AnimationId, delay: f64) -> &mut Playback {
        let index = self.place(track);
        let place = &self.tracks[index];
        let before = place.queue.back().map(|queued| &queued.playback).or(place.playbacks.last());
        let end_before = before.map(Playback::end_in_played_secs);
        let before = before.and_then(Playback::animation);
        let playback = self.playback_of(model, animation, before);
        let Some(end_before) = end_before else {
            return self.begin(index, playback);
        };
        let queue = &mut self.tracks[index].queue;
        queue.push_back(Queued { playback, delay: finite(delay), end_before });
        let last = queue.len() - 1;
        &mut queue[last].playback
    }

    /// Fades the track out to those below it, and clears its queue.
    pub fn fade_out(&mut self, track: usize, secs: f64) {
        let Ok(at) = self.find(track) else { return };
        let place = &mut self.tracks[at];
        place.queue.clear();
        if place.playbacks.len() > place.kept {
            let id = self.take_id();
            self.begin(at, Playback::empty(finite(secs).max(0.0), id));
        }
    }

    /// Stops all tracks at once. Their memory stays for what is played next.
    pub fn clear(&mut self) {
        for Track { number, playbacks, kept, queue } in &mut self.tracks {
            let ended = playbacks[std::mem::take(kept)..].iter().rev();
            self.pending.extend(ended.map(|ended| EventRecord {
                track: *number,
                animation: ended.animation,
                kind: EventKind::End,
            }));
            playbacks.clear();
            queue.clear();
        }
    }

    /// Returns true if something other than time will change what is shown: a queue or a fade.
    pub fn is_changing(&self) -> bool {
        self.tracks.iter().any(|track| {
            !track.queue.is_empty()
                || track.playbacks.len() > track.kept + 1
                || track.current().is_some_and(|current| current.animation.is_none() || current.mix() < 1.0)
        })
    }

    /// Returns the seconds until a queue starts or a fade changes what is shown, at `speed`; infinity if neither will.
    pub fn secs_to_next_change(&self, speed: f64) -> f64 {
        let of_track = |track: &Track| {
            let Some(current) = track.current() else { return f64::INFINITY };
            if track.playbacks.len() > track.kept + 1 || current.mix() < 1.0 || current.animation.is_none() {
                return 0.0;
            }
            track.queue.front().map_or(f64::INFINITY, |next| current.secs_until(next.at(), speed))
        };
        self.tracks.iter().map(of_track).fold(f64::INFINITY, f64::min)
    }

    /// Sets the loop mode of everything that is played or queued, and the default.
    pub fn set_loop_mode(&mut self, loop_mode: LoopMode) {
        self.loop_mode = loop_mode;
        self.all_mut().for_each(|playback| _ = playback.set_loop_mode(loop_mode));
    }

    pub fn interpolates(&self) -> bool {
        self.interpolates
    }

    /// Blends stored frames, or holds each until the next.
    pub fn set_interpolates(&mut self, interpolates: bool) {
        self.interpolates = interpolates;
        self.all_mut().for_each(|playback| playback.set_interpolates(interpolates));
    }

    /// Returns every playback, including queued ones.
    fn all_mut(&mut self) -> impl Iterator<Item = &mut Playback> {
        self.tracks.iter_mut().flat_map(|Track { playbacks, queue, .. }| {
            playbacks.iter_mut().chain(queue.iter_mut().map(|queued| &mut queued.playback))
        })
    }

    /// Notes that the pose is evaluated now. Returns true if it does not continue the previous one.
    pub fn note_shown(&mut self) -> bool {
        let mut jumps = std::mem::take(&mut self.has_unshown_end);
        for track in &mut self.tracks {
            let mut cover = 0.0;
            for playback in track.playbacks[track.kept..].iter_mut().rev() {
                playback.was_shown = true;
                playback.shown_cover = cover;
                cover = playback.mix();
                jumps |= std::mem::take(&mut playback.jumped);
            }
        }
        jumps
    }

    /// Returns what the track plays; an empty playback if nothing.
    pub fn playback(&self, track: usize) -> &Playback {
        let found = self.find(track).ok().and_then(|at| self.tracks[at].current());
        found.unwrap_or(&self.nothing)
    }

    pub fn playback_mut(&mut self, track: usize) -> Option<&mut Playback> {
        let at = self.find(track).ok()?;
        let place = &mut self.tracks[at];
        place.current()?;
        place.playbacks.last_mut()
    }

    /// Returns the queue of a track, in order.
    pub fn queued(&self, track: usize) -> impl ExactSizeIterator<Item = &Playback> {
        let queue = self.find(track).ok().map(|at| &self.tracks[at].queue);
        queue.unwrap_or(&self.no_queue).iter().map(|queued| &queued.playback)
    }

    pub fn queued_mut(&mut self, track: usize, index: usize) -> Option<&mut Playback> {
        let at = self.find(track).ok()?;
        self.tracks[at].queue.get_mut(index).map(|queued| &mut queued.playback)
    }

    /// Removes an animation from the queue of a track. The next one then follows the one before it.
    pub fn remove_queued(&mut self, track: usize, index: usize) -> Option<AnimationId> {
        let at = self.find(track).ok()?;
        let Track { playbacks, queue, .. } = &mut self.tracks[at];
        let removed = queue.remove(index)?.playback.animation;
        let before = match index.checked_sub(1) {
            Some(before) => queue.get(before).map(|queued| &queued.playback),
            None => playbacks.last(),
        };
        let end_before = before.map_or(0.0, Playback::end_in_played_secs);
        if let Some(next) = queue.get_mut(index) {
            next.end_before = end_before;
        }
        removed
    }

    /// Returns everything that is played, including playbacks that are being replaced.
    pub fn playbacks(&self) -> impl Iterator<Item = (usize, &Playback)> {
        self.tracks
            .iter()
            .flat_map(|track| track.playbacks[track.kept..].iter().map(|played| (track.number, played)))
    }

    /// Continues with the animations of the same names in another model, and drops those that it lacks.
    pub fn replace_model(&mut self, old: &Model, new: &Model) {
        for track in &mut self.tracks {
            track.queue.clear();
            track.playbacks.drain(..std::mem::take(&mut track.kept));
            track.playbacks.retain_mut(|playback| {
                let Some(animation) = playback.animation else { return true };
                let found = new.find_animation(&old.animation(animation).name);
                if let Some(found) = found {
                    playback.replace_animation(found, new.animation(found));
                }
                found.is_some()
            });
        }
        self.tracks.retain(|track| !track.playbacks.is_empty());
        let renamed = |id: AnimationId| new.find_animation(&old.animation(id).name);
        let fades = std::mem::take(&mut self.fades_between).into_iter();
        self.fades_between =
            fades.filter_map(|([from, to], secs)| Some(([renamed(from)?, renamed(to)?], secs))).collect();
        self.pending.clear();
    }

    /// Lets `dt_secs` seconds pass, and appends the events to `records`.
    #[track_caller]
    pub fn advance(&mut self, character: &Character, dt_secs: f64, records: &mut Vec<EventRecord>) {
        for at in 0..self.tracks.len() {
            self.step(character, at, dt_secs);
        }
        records.append(&mut self.pending);
        for track in &mut self.tracks {
            let (number, count) = (track.number, track.playbacks.len());
            for (at, playback) in track.playbacks.iter_mut().enumerate().skip(track.kept) {
                let animation = playback.animation;
                let report = |kind| records.push(EventRecord { track: number, animation, kind });
                playback.check_events(character, at + 1 == count, report);
            }
        }
    }

    /// Notes where the root of each animation is before time passes.
    pub fn note_root(&mut self, character: &Character, bone: BoneId) {
        self.all_mut().for_each(|playback| playback.note_root(character, bone));
    }

    /// Returns the displacement of `bone` by all animations since the last call, mixed like them.
    pub fn take_root_motion(&mut self, character: &Character, bone: BoneId) -> Vec2 {
        let mut below = Vec2::ZERO;
        for track in &mut self.tracks {
            let mut sum = below;
            for (index, playback) in track.playbacks.iter_mut().enumerate() {
                let share = (playback.mix() * playback.weight()) as f32;
                match playback.take_root_motion(character, bone) {
                    Some(moved) if playback.is_additive() => sum += moved * share,
                    Some(moved) => sum = sum.lerp(moved, share),
                    // It replaces what the one before does.
                    None if index > 0 => sum = sum.lerp(below, share),
                    None => {}
                }
            }
            below = sum;
        }
        below
    }

    /// Writes the state of the tracks into `cue`, except for skins and overrides, and the ids of the playbacks of
    /// its animation and each layer. `continues`: see [`continues_fades`]. Does not allocate once the buffers are large enough.
    pub fn write_cue(&self, continues: bool, cue: &mut Cue, ids: &mut Vec<u64>) {
        cue.layers.clear();
        ids.clear();
        (cue.animation, cue.position, cue.hold) = (None, Position::default(), false);
        cue.interpolate = self.interpolates;
        let mut played = self.tracks.iter().flat_map(|track| track.playbacks.iter().map(|it| (track.number, it)));
        match (played.next(), played.next()) {
            // A sole animation with its whole weight on the first track needs no layers.
            (Some((0, sole)), None) if sole.mix() * sole.weight() >= 1.0 && !sole.is_additive() => {
                ids.push(sole.id);
                cue.animation = sole.animation();
                cue.position = sole.clock.cue_position();
                cue.hold = sole.is_keyed() && !sole.wraps();
            }
            _ => self.write_layers(continues, &mut cue.layers, ids),
        }
    }

    fn write_layers(&self, continues: bool, layers: &mut Vec<Layer>, ids: &mut Vec<u64>) {
        // Numbers that do not fit into a layer are replaced by their ranks: only their order matters.
        let playing = || self.tracks.iter().filter(|track| !track.playbacks.is_empty());
        let fit = playing().all(|track| u32::try_from(track.number).is_ok());
        for (at, place) in (0..).zip(playing()) {
            let track = if fit { place.number as u32 } else { at };
            for (index, playback) in place.playbacks.iter().enumerate() {
                let Some(animation) = playback.animation else { continue };
                let next = place.playbacks.get(index + 1);
                let is_fixed = next.is_some() && !continues;
                let mix = if is_fixed { playback.mix_when_covered } else { playback.mix() };
                let mut alpha = mix * playback.weight();
                let mut cover = next.map(|next| Cover {
                    by: next.replacing_animation(),
                    share: next.mix(),
                    has_ended: index < place.kept,
                    is_released: playback.fades_in(),
                });
                if playback.is_additive() {
                    alpha *= 1.0 - cover.take().map_or(0.0, |cover| cover.share);
                }
                ids.push(playback.id);
                layers.push(Layer {
                    animation,
                    position: playback.clock.cue_position(),
                    hold: !playback.wraps(),
                    alpha,
                    mix: if playback.is_additive() { Mix::Add } else { Mix::Fade },
                    direction: if next.is_some() { Direction::Out } else { Direction::In },
                    track,
                    cover,
                });
            }
        }
    }

    /// Returns the index of the track with this number, or where to insert it.
    fn find(&self, number: usize) -> Result<usize, usize> {
        self.tracks.binary_search_by_key(&number, |track| track.number)
    }

    /// Returns the index of the track with this number, adding it if it is missing.
    fn place(&mut self, number: usize) -> usize {
        self.find(number).unwrap_or_else(|at| {
            self.tracks.insert(at, Track { number, ..Track::default() });
            at
        })
    }

    /// Starts to replace what the track at `at` plays with `playback`.
    fn begin(&mut self, at: usize, mut playback: Playback) -> &mut Playback {
        for place in &mut self.tracks {
            place.playbacks.drain(..std::mem::take(&mut place.kept));
        }
        let id = self.take_id();
        let place = &mut self.tracks[at];
        let track = place.number;
        let mut report = |animation, kind| self.pending.push(EventRecord { track, animation, kind });
        if let Some(before) = place.playbacks.last_mut() {
            before.mix_when_covered = before.mix();
            // A new id: state from when it was mixed in does not apply while it is mixed out.
            before.id = id;
            report(before.animation, EventKind::Interrupt);
            if !before.was_checked() && !before.was_shown {
                report(before.animation, EventKind::End);
                place.playbacks.pop();
            }
        }
        if place.playbacks.is_empty() {
            // Nothing to fade from.
            playback.faded = f64::INFINITY;
        }
        report(playback.animation, EventKind::Start);
        place.playbacks.push(playback);
        let last = place.playbacks.len() - 1;
        &mut place.playbacks[last]
    }

    /// Advances a track. The state at the last check decides what ends and what starts.
    fn step(&mut self, character: &Character, at: usize, dt: f64) {
        let place = &mut self.tracks[at];
        let track = place.number;
        place.rebase_queue();
        let Some(current) = place.current() else { return };
        let (animation, speed) = (current.animation, current.speed());
        // Before the first check nothing is reached.
        let checked_at = current.checked_at.unwrap_or(f64::NEG_INFINITY);
        let is_over = checked_at >= current.ends_at;
        if let Some(mut next) = place.queue.pop_front_if(|next| checked_at >= next.at()) {
            let late = if speed == 0.0 { 0.0 } else { (checked_at - next.at()) / speed.abs() };
            // Those that are being replaced already do not advance, but go on to fade, from what they are now.
            if let Some(current) = place.playbacks.last_mut() {
                current.pass(dt);
            }
            next.playback.pass(late * dt.signum() + dt);
            self.begin(at, next.playback);
            self.tracks[at].playbacks.iter_mut().skip(1).for_each(|playback| playback.faded += dt.abs());
            return;
        }
        if place.playbacks.len() == place.kept + 1 && is_over {
            self.pending.push(EventRecord { track, animation, kind: EventKind::End });
            place.playbacks.clear();
            place.kept = 0;
            return;
        }
        let (below, above) = self.tracks.split_at_mut(at);
        let Some(place) = above.first_mut() else { return };
        let below = below.iter().flat_map(|track| &track.playbacks).filter_map(Playback::animation);
        let is_whole = place.fade(character, below.clone(), dt, |ended| {
            self.pending.push(EventRecord { track, animation: ended.animation, kind: EventKind::End });
            self.has_unshown_end |= ended.ends_unshown();
        });
        let current = place.playbacks.len() - 1;
        if is_whole && current > place.kept {
            for ended in place.playbacks[place.kept..current].iter().rev() {
                self.pending.push(EventRecord { track, animation: ended.animation, kind: EventKind::End });
                self.has_unshown_end |= ended.ends_unshown();
            }
            if place.holds(character, below, current) {
                place.kept = current;
            } else {
                place.playbacks.drain(..current);
                place.kept = 0;
            }
        }
        if let Some(current) = place.playbacks.last_mut() {
            current.pass(dt);
        }
    }
}

impl Track {
    fn current(&self) -> Option<&Playback> {
        self.playbacks.last().filter(|_| self.playbacks.len() > self.kept)
    }

    /// Recomputes when the queue starts if the current playback was moved.
    fn rebase_queue(&mut self) {
        let Self { playbacks, queue, .. } = self;
        let Some(current) = playbacks.last_mut() else { return };
        if std::mem::take(&mut current.moved)
            && let Some(next) = queue.front_mut()
        {
            next.end_before = current.end_in_played_secs();
        }
    }

    /// Advances what is being replaced, and removes what has been replaced entirely and holds no value. Returns true
    /// if everything but the current playback has been replaced.
    fn fade(
        &mut self,
        character: &Character,
        below: impl Iterator<Item = AnimationId> + Clone,
        dt: f64,
        mut end: impl FnMut(&Playback),
    ) -> bool {
        let mut is_all = true;
        let mut at = self.kept + 1;
        while at < self.playbacks.len() {
            let by = &mut self.playbacks[at];
            if by.mix() < 1.0 || !by.was_checked() {
                is_all = false;
                by.faded += dt.abs();
                self.playbacks[at - 1].pass(dt);
            } else if at + 1 < self.playbacks.len() && !self.holds(character, below.clone(), at) {
                end(&self.playbacks[at - 1]);
                self.playbacks.remove(at - 1);
                continue;
            }
            at += 1;
        }
        is_all
    }

    /// Returns true if the playback at `at` holds values of the previous one that nothing else determines. `below` is
    /// played on tracks below this one.
    fn holds(&self, character: &Character, below: impl Iterator<Item = AnimationId> + Clone, at: usize) -> bool {
        let earlier = self.playbacks[..at - 1].iter().filter_map(Playback::animation);
        let covered = &self.playbacks[at - 1];
        let is_released = covered.fades_in() || continues_fades(character);
        let later = if is_released { &self.playbacks[at + 1..] } else { &[] };
        let later = later.iter().map(|later| (later.replacing_animation(), later.mix() >= 1.0));
        match (covered.replacing_animation(), self.playbacks[at].replacing_animation()) {
            (Some(covered), Some(by)) => holds_values(character, [covered, by], below.chain(earlier), later),
            _ => false,
        }
    }
}
