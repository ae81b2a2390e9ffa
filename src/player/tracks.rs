//! Several animations at once: each track plays one animation after another, with cross-fades.
//!
//! Input: what to play, and the elapsed seconds. Output: the layers of a [`Cue`], and events.

use std::collections::{BTreeMap, VecDeque};
use std::sync::LazyLock;

use super::clock::LoopMode;
use super::event::{EventKind, EventRecord};
use super::playback::{Delay, Playback};
use crate::character::Character;
use crate::math::Vec2;
use crate::model::{AnimationId, BoneId, Model};
use crate::motion::{
    Chains, Cue, Direction, Fade, Holder, Layer, Mix, Position, QueuesAfter, Rules, finite, spent, track_rules,
};

/// The tracks on which animations are played, each over those below it. Stored frames cannot be mixed: they show
/// the uppermost track alone.
///
/// Track numbers are arbitrary: only tracks on which something was played take memory.
#[derive(Debug, Clone, Default)]
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
    pub interpolates: bool,
    /// A playback has ended without a pose in which it was replaced entirely.
    has_unshown_end: bool,
    /// Events since the last [`Self::advance`].
    pending: Vec<EventRecord>,
    /// The id of the last playback.
    last_id: u64,
    /// Evaluated parts of playbacks that have been replaced, and memory for them.
    layers: Vec<Layer>,
    /// The decisions about the layers; the evaluator uses them, too.
    pub chains: Chains,
}

/// The playback of an idle track.
static NOTHING: LazyLock<Playback> = LazyLock::new(|| Playback::empty(0.0, 0));
/// The queue of an idle track.
static NO_QUEUE: VecDeque<Playback> = VecDeque::new();

/// One track.
#[derive(Debug, Clone, Default)]
struct Track {
    number: usize,
    /// The current playback is the last; before it are those that are being replaced, the oldest first.
    playbacks: Vec<Playback>,
    queue: VecDeque<Playback>,
}

impl Tracks {
    /// Returns a playback of `animation`, or of nothing, which fades from what the playback `before` plays, if there is one.
    #[track_caller]
    fn playback_of(
        &mut self,
        model: &Model,
        animation: Option<AnimationId>,
        before: Option<Option<AnimationId>>,
    ) -> Playback {
        let fade = match (before, animation) {
            (None, _) => 0.0,
            (Some(Some(before)), Some(animation)) => self.fade_between([before, animation]),
            (Some(_), _) => self.fade_secs,
        };
        let id = self.take_id();
        let Some(animation) = animation else { return Playback::empty(fade, id) };
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
        self.last_id += 1;
        self.last_id
    }

    /// Plays `animation`, or nothing, instead of what the track plays and has queued.
    #[track_caller]
    pub fn play(&mut self, character: &Character, track: usize, animation: Option<AnimationId>) -> &mut Playback {
        let place = self.place(track);
        self.tracks[place].queue.clear();
        let is_dropped = self.drop_unshown(place, animation, &track_rules(character));
        let before = self.tracks[place].playbacks.last().map(Playback::animation);
        let playback = self.playback_of(character.model(), animation, before);
        self.begin(place, playback, !is_dropped)
    }

    /// Plays `animation`, or nothing, after what the track plays and has queued: `delay` seconds after the start of the
    /// previous one if that is positive. Otherwise, `delay` is relative to the moment from which the fade ends
    /// together with the previous one, or with its current loop.
    #[track_caller]
    pub fn queue(
        &mut self,
        character: &Character,
        track: usize,
        animation: Option<AnimationId>,
        delay: f64,
    ) -> &mut Playback {
        let (index, delay) = (self.place(track), finite(delay));
        let place = &self.tracks[index];
        let before = place.queue.back().or(place.playbacks.last());
        let start = before.map(|before| before.delay_of_next(delay, &track_rules(character)));
        let before = before.map(Playback::animation);
        let mut playback = self.playback_of(character.model(), animation, before);
        let Some(start) = start else {
            playback.delay = Delay::After(delay.max(0.0));
            return self.begin(index, playback, true);
        };
        playback.delay = start;
        let queue = &mut self.tracks[index].queue;
        queue.push_back(playback);
        let last = queue.len() - 1;
        &mut queue[last]
    }

    /// Fades the track out to those below it, and clears its queue. An idle track starts with nothing, from which the next
    /// animation fades in.
    pub fn fade_out(&mut self, character: &Character, track: usize, secs: f64) {
        let playback = self.play(character, track, None);
        let fade = playback.set_fade(secs).fade_secs();
        playback.set_end(Some(fade));
    }

    /// Fades the track out after what it plays and has queued.
    pub fn queue_fade_out(&mut self, character: &Character, track: usize, secs: f64, delay: f64) {
        let rules = track_rules(character);
        let has_before = self.find(track).is_ok_and(|at| !self.tracks[at].playbacks.is_empty());
        let playback = self.queue(character, track, None, delay);
        let (before, fade) = (playback.delay_secs(), playback.fade_secs());
        let own = playback.set_fade(secs).fade_secs();
        playback.set_end(Some(own));
        match (playback.delay, rules.queues_after) {
            _ if !has_before => {}
            (Delay::ToEnd { .. }, QueuesAfter::Latest) if rules.starts_late => {}
            // Its start is that of an animation with the default fade, moved by the difference of both.
            (Delay::ToEnd { .. }, QueuesAfter::Latest) => {
                playback.set_delay((before + fade - own).max(0.0));
            }
            // Both fades count.
            (Delay::ToEnd { .. }, QueuesAfter::Length | QueuesAfter::Now) => {
                playback.set_delay(before - own);
            }
            (Delay::After(_), _) => {}
        }
    }

    /// Stops a track at once. What it has set stays.
    pub fn clear(&mut self, track: usize) {
        if let Ok(at) = self.find(track) {
            self.clear_at(at);
        }
    }

    /// Stops all tracks at once. Their memory stays for what is played next.
    pub fn clear_all(&mut self) {
        (0..self.tracks.len()).for_each(|at| self.clear_at(at));
    }

    fn clear_at(&mut self, at: usize) {
        let Track { number, playbacks, queue } = &mut self.tracks[at];
        let record =
            |ended: &Playback| EventRecord { track: *number, animation: ended.animation, kind: EventKind::End };
        self.pending.extend(playbacks.iter().rev().map(record));
        playbacks.clear();
        queue.clear();
    }

    /// Returns true if something other than time will change what is shown: a queue or a fade.
    pub fn is_changing(&self) -> bool {
        self.tracks.iter().any(|track| !track.queue.is_empty() || track.is_changing())
    }

    /// Returns the seconds until a queue starts or a fade changes what is shown, at `speed`; infinity if neither will.
    pub fn secs_to_next_change(&self, speed: f64) -> f64 {
        let of_track = |track: &Track| match track.playbacks.last() {
            Some(_) if track.is_changing() => 0.0,
            Some(current) => {
                let next = track.queue.front();
                next.map_or(f64::INFINITY, |next| current.secs_until(next.delay_secs(), speed))
            }
            None => f64::INFINITY,
        };
        self.tracks.iter().map(of_track).fold(f64::INFINITY, f64::min)
    }

    /// Sets the loop mode of everything that is played or queued, and the default.
    pub fn set_loop_mode(&mut self, loop_mode: LoopMode) {
        self.loop_mode = loop_mode;
        self.all_mut().for_each(|playback| _ = playback.set_loop_mode(loop_mode));
    }

    /// Blends stored frames, or holds each until the next.
    pub fn set_interpolates(&mut self, interpolates: bool) {
        self.interpolates = interpolates;
        self.all_mut().for_each(|playback| playback.set_interpolates(interpolates));
    }

    /// Returns every playback, including queued ones.
    fn all_mut(&mut self) -> impl Iterator<Item = &mut Playback> {
        self.tracks.iter_mut().flat_map(|Track { playbacks, queue, .. }| playbacks.iter_mut().chain(queue))
    }

    /// Notes that the pose is evaluated now. Returns true if it does not continue the previous one.
    pub fn note_shown(&mut self, character: &Character) -> bool {
        self.settle(character);
        let mut jumps = std::mem::take(&mut self.has_unshown_end);
        for track in self.tracks.iter_mut().filter(|track| !track.is_waiting()) {
            let mut cover = 0.0;
            for playback in track.playbacks.iter_mut().rev() {
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
        let found = self.find(track).ok().and_then(|at| self.tracks[at].playbacks.last());
        found.unwrap_or(&NOTHING)
    }

    pub fn playback_mut(&mut self, track: usize) -> Option<&mut Playback> {
        let at = self.find(track).ok()?;
        self.tracks[at].playbacks.last_mut()
    }

    /// Returns the queue of a track, in order.
    pub fn queued(&self, track: usize) -> impl ExactSizeIterator<Item = &Playback> {
        let queue = self.find(track).ok().map(|at| &self.tracks[at].queue);
        queue.unwrap_or(&NO_QUEUE).iter()
    }

    pub fn queued_mut(&mut self, track: usize, index: usize) -> Option<&mut Playback> {
        let at = self.find(track).ok()?;
        self.tracks[at].queue.get_mut(index)
    }

    /// Removes an animation from the queue of a track. The next one then follows the one before it.
    pub fn remove_queued(&mut self, character: &Character, track: usize, index: usize) -> Option<AnimationId> {
        let at = self.find(track).ok()?;
        let Track { playbacks, queue, .. } = &mut self.tracks[at];
        let removed = queue.remove(index)?.animation;
        let before = match index.checked_sub(1) {
            Some(before) => queue.get(before),
            None => playbacks.last(),
        };
        let delay =
            |offset| before.map_or(Delay::After(0.0), |it| it.delay_of_next(offset, &track_rules(character)));
        if let Some(Delay::ToEnd { offset, .. }) = queue.get(index).map(|next| next.delay) {
            let delay = delay(offset);
            queue.get_mut(index).into_iter().for_each(|next| next.delay = delay);
        }
        removed
    }

    /// Returns everything that is played, including playbacks that are being replaced.
    pub fn playbacks(&self) -> impl Iterator<Item = (usize, &Playback)> {
        self.tracks.iter().flat_map(|track| track.playbacks.iter().map(|played| (track.number, played)))
    }

    /// Continues with the animations of the same names in another model, and drops those that it lacks.
    pub fn replace_model(&mut self, old: &Model, new: &Model) {
        for track in &mut self.tracks {
            track.queue.clear();
            track.playbacks.retain_mut(|playback| {
                playback.is_frozen = false;
                let Some(animation) = playback.animation else { return true };
                let found = new.find_animation(&old.animation(animation).name);
                if let Some(found) = found {
                    playback.replace_animation(found, new.animation(found));
                }
                found.is_some()
            });
            track.playbacks.first_mut().into_iter().for_each(|oldest| oldest.faded = f64::INFINITY);
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
        for Track { number, playbacks, .. } in self.tracks.iter_mut().filter(|track| !track.is_waiting()) {
            for at in 0..playbacks.len() {
                let cover = playbacks.get(at + 1).map(Playback::mix);
                let playback = &mut playbacks[at];
                let (track, animation) = (*number, playback.animation);
                let report = |kind| records.push(EventRecord { track, animation, kind });
                let fires = cover.is_none_or(|cover| cover < playback.events_until);
                playback.check_events(character, fires, report);
            }
        }
        self.settle(character);
    }

    /// Notes which playbacks have no effect any more, as of now.
    fn settle(&mut self, character: &Character) {
        for Track { playbacks, .. } in &mut self.tracks {
            for at in 0..playbacks.len() {
                let newer = playbacks.get(at + 1).map(Playback::holder);
                let playback = &mut playbacks[at];
                if newer.is_none() || !playback.is_frozen {
                    playback.held_by = newer.unwrap_or(Holder { animation: None, is_additive: false });
                }
                playback.is_spent = false;
            }
        }
        let is_replaced = |pair: &[Playback]| pair.iter().skip(1).any(|by| by.mix() >= 1.0);
        if !self.tracks.iter().any(|track| track.playbacks.windows(2).any(is_replaced)) {
            return;
        }
        let mut layers = std::mem::take(&mut self.layers);
        layers.clear();
        self.write_layers(&mut layers, |_| {});
        let all = self.tracks.iter_mut().flat_map(|track| &mut track.playbacks);
        let spent = spent(character, &mut self.chains, &layers);
        all.zip(spent).for_each(|(playback, is_spent)| playback.is_spent = is_spent);
        self.layers = layers;
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
    /// its animation and each layer. Does not allocate once the buffers are large enough.
    pub fn write_cue(&self, cue: &mut Cue, ids: &mut Vec<u64>) {
        cue.layers.clear();
        ids.clear();
        (cue.animation, cue.position, cue.hold) = (None, Position::default(), false);
        cue.interpolate = self.interpolates;
        let mut playing = self.tracks.iter().filter(|track| !track.playbacks.is_empty());
        match (playing.next(), playing.next()) {
            (Some(Track { number: 0, playbacks, .. }), None)
                if let [sole] = &playbacks[..]
                    && sole.is_whole() =>
            {
                ids.push(sole.id);
                cue.animation = sole.animation();
                cue.position = sole.cue_position();
                cue.hold = sole.is_keyed() && !sole.wraps();
            }
            _ => self.write_layers(&mut cue.layers, |id| ids.push(id)),
        }
    }

    /// Writes a layer for each playback, and passes its id to `note`.
    fn write_layers(&self, layers: &mut Vec<Layer>, mut note: impl FnMut(u64)) {
        // Numbers that do not fit into a layer are replaced by their ranks: only their order matters, and which is 0.
        let playing = || self.tracks.iter().filter(|track| !track.playbacks.is_empty());
        let fit = playing().all(|track| u32::try_from(track.number).is_ok());
        for (rank, place) in (1..).zip(playing()) {
            let track = if fit { place.number as u32 } else { rank * u32::from(place.number != 0) };
            let is_waiting = place.is_waiting();
            for (index, playback) in place.playbacks.iter().enumerate() {
                let next = place.playbacks.get(index + 1);
                note(playback.id);
                layers.push(Layer {
                    animation: playback.animation,
                    position: playback.cue_position(),
                    hold: !playback.wraps(),
                    alpha: if place.has_ended() { 0.0 } else { playback.weight() },
                    mix: Mix::Fade,
                    direction: if next.is_some() { Direction::Out } else { Direction::In },
                    track,
                    fade: Fade { is_waiting, ..playback.layer_fade(next) },
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

    /// Drops the current playback if it was never shown, so that the next one replaces what was there before it. Returns
    /// true if it was.
    fn drop_unshown(&mut self, at: usize, animation: Option<AnimationId>, rules: &Rules) -> bool {
        let Track { number, playbacks, .. } = &mut self.tracks[at];
        let is_dropped =
            |it: &mut Playback| !it.has_been_shown() && (!rules.drops_same_only || it.animation == animation);
        let dropped = playbacks.pop_if(is_dropped);
        for kind in [EventKind::Interrupt, EventKind::End].into_iter().filter(|_| dropped.is_some()) {
            let animation = dropped.as_ref().and_then(Playback::animation);
            self.pending.push(EventRecord { track: *number, animation, kind });
        }
        dropped.is_some()
    }

    /// Starts to replace what the track at `at` plays with `playback`, which `interrupts` it unless it was interrupted before.
    fn begin(&mut self, at: usize, mut playback: Playback, interrupts: bool) -> &mut Playback {
        let id = self.take_id();
        let Track { number, playbacks, .. } = &mut self.tracks[at];
        let track = *number;
        let mut report = |animation, kind| self.pending.push(EventRecord { track, animation, kind });
        match playbacks.last_mut() {
            Some(before) => {
                playback.fading.cap = before.mix();
                playback.fading.takes_time = playback.fade > 0.0;
                // A new id: state from when it was mixed in does not apply while it is mixed out.
                before.id = id;
                if interrupts {
                    report(before.animation, EventKind::Interrupt);
                }
            }
            // Nothing to fade from.
            None => playback.faded = f64::INFINITY,
        }
        report(playback.animation, EventKind::Start);
        playbacks.push(playback);
        let last = playbacks.len() - 1;
        &mut playbacks[last]
    }

    /// Advances a track. The state at the last check decides what ends and what starts.
    fn step(&mut self, character: &Character, at: usize, dt: f64) {
        let rules = track_rules(character);
        let place = &mut self.tracks[at];
        let track = place.number;
        place.rebase_queue(&rules);
        let Some(dt_left) = place.wait(dt) else { return };
        let Some(current) = place.playbacks.last() else { return };
        let (animation, speed, shown) = (current.animation, current.speed(), current.shown_secs());
        let is_over = shown >= current.ends_at && place.queue.is_empty() && place.playbacks.len() == 1;
        if let Some(mut next) = place.queue.pop_front_if(|next| shown >= next.delay_secs()) {
            let late = shown - next.delay_secs();
            match (rules.speeds_fades, speed == 0.0) {
                (true, _) => next.move_by(late + dt * next.speed()),
                (false, true) => {}
                (false, false) => next.pass(late / speed.abs() * dt.signum() + dt),
            }
            next.delay = Delay::After(0.0);
            place.playbacks.last_mut().into_iter().for_each(|current| current.pass(dt_left));
            self.begin(at, next, true);
            let faded = if rules.speeds_fades { (dt_left * speed).abs() } else { dt.abs() };
            self.tracks[at].playbacks.iter_mut().skip(1).for_each(|playback| playback.faded += faded);
            return;
        }
        if is_over {
            self.pending.push(EventRecord { track, animation, kind: EventKind::End });
            place.playbacks.clear();
            return;
        }
        let mut end = |ended: &Playback| {
            self.pending.push(EventRecord { track, animation: ended.animation, kind: EventKind::End });
            self.has_unshown_end |= ended.ends_unshown();
        };
        if place.fade(&rules, dt, &mut end)
            && let Some(current) = place.playbacks.len().checked_sub(1)
        {
            place.playbacks.drain(..current).rev().for_each(|ended| end(&ended));
            place.playbacks[0].faded = f64::INFINITY;
        }
        place.playbacks.last_mut().into_iter().for_each(|current| current.pass(dt_left));
    }
}

impl Track {
    /// Returns true if it waits before it starts.
    fn is_waiting(&self) -> bool {
        self.playbacks.last().is_some_and(|current| current.delay_secs() > 0.0)
    }

    /// Returns true if its only playback has ended by itself.
    fn has_ended(&self) -> bool {
        matches!(&self.playbacks[..], [sole] if sole.has_ended() && self.queue.is_empty())
    }

    /// Returns true if something other than its animations will change what it shows.
    fn is_changing(&self) -> bool {
        let ends = |current: &Playback| current.animation.is_none() || current.end_secs().is_some();
        self.playbacks.len() > 1 || self.is_waiting() || self.playbacks.last().is_some_and(ends)
    }

    /// Lets time pass until it starts. Returns the seconds that are left of `dt`; `None` if it still waits.
    fn wait(&mut self, dt: f64) -> Option<f64> {
        let current = self.playbacks.last_mut()?;
        let wait = current.delay_secs();
        if wait <= 0.0 {
            return Some(dt);
        }
        let left = wait - (dt * current.speed()).abs();
        current.delay = Delay::After(left.max(0.0));
        (left <= 0.0)
            .then(|| if current.speed() == 0.0 { 0.0 } else { -left / current.speed().abs() * dt.signum() })
    }

    /// Recomputes when the queue starts if the current playback was moved.
    fn rebase_queue(&mut self, rules: &Rules) {
        let Self { playbacks, queue, .. } = self;
        let Some(current) = playbacks.last_mut() else { return };
        if std::mem::take(&mut current.moved)
            && let Some(next) = queue.front_mut()
            && let Delay::ToEnd { offset, .. } = next.delay
        {
            next.delay = current.delay_of_next(offset, rules);
        }
    }

    /// Advances what is being replaced, and removes what has been replaced and has no effect any more. Returns true if
    /// everything but the current playback has been replaced.
    fn fade(&mut self, rules: &Rules, dt: f64, end: &mut impl FnMut(&Playback)) -> bool {
        let mut is_all = true;
        let mut at = 1;
        while at < self.playbacks.len() {
            let [before, by] = &mut self.playbacks[at - 1..=at] else { break };
            let was_shown = by.has_been_shown();
            let is_stopped = rules.speeds_fades && was_shown && by.speed() == 0.0;
            if was_shown && by.mix() >= 1.0 || is_stopped {
                if before.is_spent || by.fade == 0.0 || is_stopped {
                    (by.fading.cap, by.faded) =
                        (before.fading.cap, if at == 1 { f64::INFINITY } else { by.faded });
                    let freezes = before.is_spent && rules.freezes_holds;
                    if is_stopped {
                        // Its values stay.
                        before.shown_cover = 1.0;
                    }
                    end(before);
                    self.playbacks.remove(at - 1);
                    let above = self.playbacks.iter_mut().skip(at - 1).rev().skip(1);
                    above.filter(|_| freezes).for_each(|above| above.is_frozen = true);
                    continue;
                }
            } else {
                is_all = false;
                by.faded += (if rules.speeds_fades { dt * by.speed() } else { dt }).abs();
                before.pass(dt);
            }
            at += 1;
        }
        is_all
    }
}
