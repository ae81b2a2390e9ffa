//! Several animations at once: each track plays one after the other, and fades from each to the next.
//!
//! Enters: what is to be played and the seconds that went by. Leaves: a [`Cue`] of everything that is seen of the
//! tracks, and what has happened since the last one. Times are seconds.

use std::collections::VecDeque;

use super::entry::Entry;
use crate::character::Character;
use crate::model::{AnimationId, Model};
use crate::motion::{Cover, Cue, Direction, FiredEvent, Layer, Mix, Position, change_the_same};

/// What happens to an animation on a track.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TrackEvent<'a> {
    /// It begins.
    Start,
    /// Another one begins to take its place.
    Interrupt,
    /// It has been played to its end; if it goes round, that of a round. Told once however many ends went by since the
    /// last time.
    Complete,
    /// Its place is taken.
    End,
    /// It tells something. One whose place is being taken tells nothing.
    Event(FiredEvent<'a>),
}

/// Tracks on which animations are played, each track over those below it. What has stored frames cannot be mixed, and
/// shows the uppermost track alone.
///
/// ```
/// use pchr::motion::{Cue, Evaluator};
/// use pchr::player::{TrackEvent, Tracks};
/// use pchr::pose::Pose;
/// # let character = pchr::Character::open("assets/paper-lamp.json")?;
/// # let model = character.model();
/// # let [idle, hop] = ["idle", "hop"].map(|name| model.find_animation(name).expect("it is there"));
/// let mut tracks = Tracks::new(0.2);
/// tracks.play(model, 0, hop, false);
/// tracks.queue(model, 0, idle, true, 0.0);
/// let (mut evaluator, mut pose, mut cue) = (Evaluator::default(), Pose::default(), Cue::default());
/// // Every frame, with the seconds that went by:
/// # let mut heard = 0;
/// # for _ in 0..100 {
/// tracks.advance(&character, 1.0 / 60.0, |_track, _animation, what| {
///     if let TrackEvent::Event(fired) = what {
///         println!("{}", model.event(fired.event).name);
/// #       heard += 1;
///     }
/// });
/// tracks.write_layers(&mut cue);
/// evaluator.evaluate(&character, &cue, &mut pose);
/// # }
/// # assert!(heard > 0);
/// # Ok::<(), pchr::Error>(())
/// ```
///
/// An animation that is not there, `None`, is an empty one: what a track that was faded out has until that is done.
///
/// Tracks may have any numbers: only those that something was played on take memory.
#[derive(Debug, Clone, Default)]
pub struct Tracks {
    /// In the order of their numbers.
    tracks: Vec<Track>,
    fade_secs: f64,
    /// What was not told yet.
    news: Vec<News>,
}

/// Track, animation, and what happened to it.
type News = (usize, Option<AnimationId>, TrackEvent<'static>);

/// One track.
#[derive(Debug, Clone, Default)]
struct Track {
    /// What the caller calls it.
    number: usize,
    /// The one that plays is the last; before it those whose place is being taken, the oldest first.
    entries: Vec<Entry>,
    /// How many of the first have ended and are left because something of them was held: it stays until something
    /// else is played.
    left: usize,
    queue: VecDeque<Queued>,
}

/// What comes next on a track.
#[derive(Debug, Clone, Copy)]
struct Queued {
    entry: Entry,
    /// When it begins, in seconds of the one before it.
    at: f64,
}

impl Tracks {
    /// No animations yet; each will fade to the next of its track for so many seconds.
    pub fn new(fade_secs: f64) -> Self {
        Self { fade_secs: finite(fade_secs), ..Self::default() }
    }

    /// Plays `animation`, one of `model`'s, instead of what the track plays and would play.
    ///
    /// # Panics
    ///
    /// If `animation` is of another model.
    #[track_caller]
    pub fn play(&mut self, model: &Model, track: usize, animation: AnimationId, looping: bool) {
        let entry = Entry::new(model, animation, looping, self.fade_secs);
        let place = self.place(track);
        self.tracks[place].queue.clear();
        self.begin(place, entry);
    }

    /// Plays `animation` after what the track plays and will play: `after_secs` seconds after that begins. Where that
    /// is 0 or less it counts from the moment from which on the fade ends with the other's end, or with that of its
    /// next round.
    ///
    /// # Panics
    ///
    /// If `animation` is of another model.
    #[track_caller]
    pub fn queue(&mut self, model: &Model, track: usize, animation: AnimationId, looping: bool, after_secs: f64) {
        let entry = Entry::new(model, animation, looping, self.fade_secs);
        let index = self.place(track);
        let place = &mut self.tracks[index];
        let before = place.queue.back().map(|queued| queued.entry).or(place.entries.last().copied());
        let Some(before) = before else { return self.begin(index, entry) };
        let after_secs = finite(after_secs);
        let at =
            if after_secs > 0.0 { after_secs } else { (before.next_end() - entry.fade + after_secs).max(0.0) };
        place.queue.push_back(Queued { entry, at });
    }

    /// Fades what the track plays to what is below it, and plays nothing more on it.
    pub fn fade_out(&mut self, track: usize, secs: f64) {
        let Ok(at) = self.find(track) else { return };
        let place = &mut self.tracks[at];
        place.queue.clear();
        if place.entries.len() > place.left {
            self.begin(at, Entry::empty(finite(secs)));
        }
    }

    /// Lets `dt_secs` seconds go by, and tells what has happened: on which track, to which animation, what. Call it
    /// with 0 after what should be seen at once.
    ///
    /// # Panics
    ///
    /// If an animation that is played is not one of `character`'s.
    #[track_caller]
    pub fn advance<'a>(
        &mut self,
        character: &'a Character,
        dt_secs: f64,
        mut tell: impl FnMut(usize, Option<AnimationId>, TrackEvent<'a>),
    ) {
        let dt = finite(dt_secs).max(0.0);
        for at in 0..self.tracks.len() {
            self.step(character, at, dt);
        }
        self.news.drain(..).for_each(|(track, animation, what)| tell(track, animation, what));
        for track in &mut self.tracks {
            let (number, count) = (track.number, track.entries.len());
            for (at, entry) in track.entries.iter_mut().enumerate().skip(track.left) {
                let animation = entry.animation;
                entry.look(character, at + 1 == count, |what| tell(number, animation, what));
            }
        }
    }

    /// Everything that is seen of the tracks now. The skins are for the caller to put on.
    pub fn cue(&self) -> Cue {
        let mut cue = Cue::default();
        self.write_layers(&mut cue);
        cue
    }

    /// Writes everything that is seen of the tracks now into the layers of `cue`, which keeps the rest: the same as
    /// [`Self::cue`], without allocating once there is room.
    pub fn write_layers(&self, cue: &mut Cue) {
        let layers = &mut cue.layers;
        layers.clear();
        // Where a number does not fit into a layer, they are numbered anew: only their order counts.
        let fit = self.tracks.last().is_none_or(|last| u32::try_from(last.number).is_ok());
        for (at, place) in (0..).zip(&self.tracks) {
            let track = if fit { place.number as u32 } else { at };
            for (index, entry) in place.entries.iter().enumerate() {
                let Some(animation) = entry.animation else { continue };
                let cover = place.entries.get(index + 1);
                let cover = cover.map(|next| Cover { by: next.animation, share: next.share() as f32 });
                layers.push(Layer {
                    animation,
                    position: Position::Seconds(entry.time),
                    hold: !entry.looping,
                    alpha: if cover.is_some() { entry.share_when_covered } else { entry.share() } as f32,
                    mix: Mix::Fade,
                    direction: if cover.is_some() { Direction::Out } else { Direction::In },
                    track,
                    cover,
                });
            }
        }
    }

    /// Where the track of a number is, or would be.
    fn find(&self, number: usize) -> Result<usize, usize> {
        self.tracks.binary_search_by_key(&number, |track| track.number)
    }

    /// Where the track of a number is, which is added where it is not there.
    fn place(&mut self, number: usize) -> usize {
        self.find(number).unwrap_or_else(|at| {
            self.tracks.insert(at, Track { number, ..Track::default() });
            at
        })
    }

    /// `entry` begins to take the place of what the track at `at` plays.
    fn begin(&mut self, at: usize, mut entry: Entry) {
        for place in &mut self.tracks {
            place.entries.drain(..std::mem::take(&mut place.left));
        }
        let place = &mut self.tracks[at];
        let track = place.number;
        if let Some(before) = place.entries.last_mut() {
            before.share_when_covered = before.share();
            self.news.push((track, before.animation, TrackEvent::Interrupt));
            if !before.was_seen() {
                self.news.push((track, before.animation, TrackEvent::End));
                place.entries.pop();
            }
        }
        if place.entries.is_empty() {
            // Nothing to fade from.
            entry.faded = entry.fade;
        }
        self.news.push((track, entry.animation, TrackEvent::Start));
        place.entries.push(entry);
    }

    /// What the tracks were when they were last looked at decides what ends and what begins.
    fn step(&mut self, character: &Character, at: usize, dt: f64) {
        let place = &mut self.tracks[at];
        let track = place.number;
        let Some(current) = place.entries.last().copied().filter(|_| place.entries.len() > place.left) else {
            return;
        };
        if let Some(next) = place.queue.pop_front_if(|next| current.seen >= next.at) {
            place.pass(0, dt);
            self.begin(at, Entry { time: current.seen - next.at + dt, faded: dt, ..next.entry });
            return;
        }
        if place.entries.len() == place.left + 1 && current.seen >= current.ends_at {
            self.news.push((track, current.animation, TrackEvent::End));
            place.entries.clear();
            place.left = 0;
            return;
        }
        let covering = (place.left + 1..place.entries.len()).rev().find(|&at| place.entries[at].share() >= 1.0);
        let Some(covering) = covering else { return place.pass(place.left, dt) };
        let is_current = covering + 1 == place.entries.len();
        let is_held = place.is_held(character, covering);
        if is_current || !is_held {
            let ended = place.entries[place.left..covering].iter().rev();
            self.news.extend(ended.map(|entry| (track, entry.animation, TrackEvent::End)));
            if is_held {
                place.left = covering;
            } else {
                place.entries.drain(..covering);
                place.left = 0;
            }
            place.pass(place.left, dt);
        } else {
            // What is covered and held stands still.
            place.pass(covering, dt);
        }
    }
}

impl Track {
    /// Time goes by for the entries from `first` on.
    fn pass(&mut self, first: usize, dt: f64) {
        for (at, entry) in self.entries.iter_mut().enumerate().skip(first) {
            entry.time += dt;
            if at > 0 {
                entry.faded += dt;
            }
        }
    }

    /// Whether something of the animation before that at `at` is held for it.
    fn is_held(&self, character: &Character, at: usize) -> bool {
        match (self.entries[at - 1].animation, self.entries[at].animation) {
            (Some(covered), Some(by)) => change_the_same(character, covered, by),
            _ => false,
        }
    }
}

/// A number of seconds, 0 where it is none.
fn finite(secs: f64) -> f64 {
    if secs.is_finite() { secs } else { 0.0 }
}
