//! The runtime object of a game: a character, what it plays, and what it looks like now.

mod appearance;
mod single;
mod space;

use std::path::Path;
use std::sync::Arc;

use super::clock::LoopMode;
use super::event::{Events, Happening};
use super::playback::{Playback, finite};
use super::steps::Steps;
use super::tracks::Tracks;
use crate::character::Character;
use crate::error::Result;
use crate::model::{AnimationId, Model, Select};
use crate::motion::{BoneOverride, Cue, Evaluator, has_physics, sole_skin};
use crate::pose::{Pose, SkinMatrix};

/// A character that plays animations: it owns the character, the tracks with their clocks, skins, moved bones and
/// physics, and the resulting pose.
///
/// Tell it what to play, call [`Self::update`] once per frame, and draw. After the first frames of what is played
/// nothing is allocated.
///
/// ```
/// use pchr::Animator;
/// use pchr::draw::{DrawList, View};
/// use pchr::math::vec2;
/// use pchr::player::EventKind;
///
/// let mut lamp = Animator::open("assets/paper-lamp.json")?;
/// lamp.play("hop")?;
/// lamp.queue("idle")?.set_fade(0.2);
/// // Every frame, with the seconds since the last one:
/// for event in lamp.update(1.0 / 60.0) {
///     if let EventKind::Fired(fired) = event.kind {
///         println!("{} {}", fired.name, fired.int);
///     }
/// }
/// let (view, mut list) = (View::new(640, 480, vec2(-320.0, 440.0), 1.0), DrawList::default());
/// lamp.build_draw_list(&view, &mut list);
/// // Now pass `lamp.model()`, `list` and `view` to `cpu::Renderer` or `gpu::Renderer`.
/// # Ok::<(), pchr::Error>(())
/// ```
///
/// # Names
///
/// What is selected by name can be selected by id, too: see [`Select`]. An unknown name is an error that lists similar
/// names.
///
/// # State
///
/// Unlike [`evaluate`](crate::motion::evaluate), which is pure, an animator depends on what it showed before where the
/// author's own tools do: physics, and how bones turn while animations are mixed.
#[derive(Debug, Clone)]
pub struct Animator {
    character: Arc<Character>,
    tracks: Tracks,
    is_playing: bool,
    speed: f64,
    interpolates: bool,
    overrides: Vec<BoneOverride>,
    /// Physics is wanted.
    physics: bool,
    /// Physics, if it is wanted and the character has it.
    steps: Option<Steps>,
    evaluator: Evaluator,
    /// What is shown, as it was last evaluated. Its skins are those that are worn.
    cue: Cue,
    /// The playback of each layer of the cue.
    ids: Vec<u64>,
    pose: Pose,
    /// Something has changed since the pose was evaluated.
    is_stale: bool,
    /// The skinning matrices of the pose; empty until they are needed.
    palette: Vec<SkinMatrix>,
    happened: Vec<Happening>,
}

impl Default for Animator {
    /// An animator of an empty character.
    fn default() -> Self {
        Self::new(Character::default())
    }
}

impl Animator {
    /// Reads the character at `path` with default options, and wraps it.
    ///
    /// # Errors
    ///
    /// As [`Character::open`].
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        Character::open(path).map(Self::new)
    }

    /// An animator that shows the rest pose of `character`. Many animators can share one `Arc<Character>`.
    ///
    /// It wears the skin that [`sole_skin`] suggests, if any, and shows physics if the character has it.
    pub fn new(character: impl Into<Arc<Character>>) -> Self {
        let character = character.into();
        let skins = sole_skin(&character).into_iter().collect();
        let pose = Pose::for_model(character.model());
        let mut animator = Self {
            physics: true,
            steps: has_physics(&character).then(Steps::default),
            character,
            tracks: Tracks::default(),
            is_playing: true,
            speed: 1.0,
            interpolates: false,
            overrides: Vec::new(),
            evaluator: Evaluator::default(),
            cue: Cue { skins, ..Cue::default() },
            ids: Vec::new(),
            pose,
            is_stale: true,
            palette: Vec::new(),
            happened: Vec::new(),
        };
        animator.refresh();
        animator
    }

    /// The character.
    pub fn character(&self) -> &Arc<Character> {
        &self.character
    }

    /// The character's model: bones, slots, skins and the list of animations.
    pub fn model(&self) -> &Model {
        self.character.model()
    }

    /// Plays an animation on track 0, instead of what the track plays and would play. Returns it to be adjusted.
    ///
    /// What was played before fades out for [`Self::fade_secs`].
    ///
    /// # Errors
    ///
    /// If the character has no such animation.
    pub fn play(&mut self, animation: impl Select<AnimationId>) -> Result<&mut Playback> {
        self.play_on(0, animation)
    }

    /// Plays an animation on a track. Each track plays over those with lower numbers; see [`Self::play`].
    ///
    /// Stored frames and sprite sheets cannot be mixed: they show the uppermost track alone.
    ///
    /// # Errors
    ///
    /// If the character has no such animation.
    pub fn play_on(&mut self, track: usize, animation: impl Select<AnimationId>) -> Result<&mut Playback> {
        let model = self.character.model();
        let animation = animation.select(model)?;
        self.is_stale = true;
        Ok(self.tracks.play(model, track, animation))
    }

    /// Plays an animation on track 0 after what the track plays and has queued; if it plays nothing, at once. Returns
    /// it to be adjusted.
    ///
    /// The fade ends together with the animation before it, or with the current loop of that.
    ///
    /// # Errors
    ///
    /// If the character has no such animation.
    pub fn queue(&mut self, animation: impl Select<AnimationId>) -> Result<&mut Playback> {
        self.queue_on(0, animation, 0.0)
    }

    /// Plays an animation on a track after what the track plays and has queued: `delay_secs` seconds after the one
    /// before it began. If that is 0 or negative, it is relative to the moment from which the fade ends together with
    /// the one before it.
    ///
    /// # Errors
    ///
    /// If the character has no such animation.
    pub fn queue_on(
        &mut self,
        track: usize,
        animation: impl Select<AnimationId>,
        delay_secs: f64,
    ) -> Result<&mut Playback> {
        let model = self.character.model();
        let animation = animation.select(model)?;
        self.is_stale = true;
        Ok(self.tracks.queue(model, track, animation, delay_secs))
    }

    /// Fades what a track plays to what is below it, in `secs` seconds, and clears its queue.
    pub fn fade_out(&mut self, track: usize, secs: f64) {
        self.is_stale = true;
        self.tracks.fade_out(track, secs);
    }

    /// Stops all tracks at once and shows the rest pose.
    pub fn stop(&mut self) {
        self.tracks.clear();
        self.jump();
    }

    /// Seconds in which an animation replaces the one before it, unless [`Playback::set_fade`] says otherwise.
    pub fn fade_secs(&self) -> f64 {
        self.tracks.fade_secs
    }

    /// Sets [`Self::fade_secs`] for what is played from now on; 0 at first. Values that are negative or not finite
    /// count as 0.
    pub fn set_fade_secs(&mut self, secs: f64) {
        self.tracks.fade_secs = finite(secs).max(0.0);
    }

    /// What a track plays. If nothing, an empty playback whose [`animation`](Playback::animation) is `None`.
    pub fn playback(&self, track: usize) -> &Playback {
        self.tracks.playback(track)
    }

    /// What a track plays, to be adjusted; `None` if nothing.
    pub fn playback_mut(&mut self, track: usize) -> Option<&mut Playback> {
        self.is_stale = true;
        self.tracks.playback_mut(track)
    }

    /// Everything that is played, with its track: lower tracks first, and on a track those first that are being
    /// replaced.
    pub fn playbacks(&self) -> impl Iterator<Item = (usize, &Playback)> {
        self.tracks.playbacks()
    }

    /// True unless it is paused.
    pub fn is_playing(&self) -> bool {
        self.is_playing
    }

    /// Pauses everything, or continues.
    pub fn set_playing(&mut self, playing: bool) {
        self.is_playing = playing;
    }

    /// The speed of everything that is played, 1 as authored. Physics keeps its own pace.
    pub fn speed(&self) -> f64 {
        self.speed
    }

    /// Sets the speed of everything. Negative values play backwards, values that are not finite are ignored.
    pub fn set_speed(&mut self, speed: f64) {
        if speed.is_finite() {
            self.speed = speed;
        }
    }

    /// What happens at the end of animations, unless [`Playback::set_loop_mode`] says otherwise.
    pub fn loop_mode(&self) -> LoopMode {
        self.tracks.loop_mode
    }

    /// Sets what happens at the end of what is played now and from now on.
    pub fn set_loop_mode(&mut self, loop_mode: LoopMode) {
        self.tracks.loop_mode = loop_mode;
        self.tracks.playbacks_mut().for_each(|playback| _ = playback.set_loop_mode(loop_mode));
        self.is_stale = true;
    }

    /// True if stored frames are blended. Motion with keys always is.
    pub fn interpolates(&self) -> bool {
        self.interpolates
    }

    /// Blends stored frames, or holds each until the next, which is the default.
    pub fn set_interpolate(&mut self, interpolates: bool) {
        self.interpolates = interpolates;
        self.is_stale = true;
    }

    /// Lets `dt_secs` seconds pass, evaluates the pose, and returns what has happened.
    ///
    /// Values that are negative or not finite count as 0. While it is paused no time passes and nothing happens.
    pub fn update(&mut self, dt_secs: f64) -> Events<'_> {
        self.advance(dt_secs);
        self.refresh();
        self.events()
    }

    /// Lets `dt_secs` seconds pass like [`Self::update`], but leaves the pose as it is: for a character that is not
    /// visible. [`Self::refresh`] evaluates it.
    pub fn advance(&mut self, dt_secs: f64) {
        self.happened.clear();
        if !self.is_playing {
            return;
        }
        let dt = finite(dt_secs).max(0.0);
        match self.steps.take() {
            Some(mut steps) => {
                steps.pass(self, dt);
                self.steps = Some(steps);
            }
            None => self.pass(dt),
        }
        self.is_stale |= dt > 0.0 || !self.happened.is_empty();
    }

    /// What happened in the last [`Self::update`] or [`Self::advance`].
    pub fn events(&self) -> Events<'_> {
        Events { character: &self.character, happened: self.happened.iter() }
    }

    /// Evaluates the pose if anything has changed since it was last evaluated, as [`Self::update`] does.
    pub fn refresh(&mut self) {
        if !std::mem::take(&mut self.is_stale) {
            return;
        }
        let jumped = self.tracks.playbacks_mut().fold(false, |any, playback| {
            playback.was_shown = true;
            any | std::mem::take(&mut playback.jumped)
        });
        self.write_cue();
        match &mut self.steps {
            Some(steps) => {
                if jumped {
                    steps.jump();
                }
                steps.evaluate(&self.character, &self.cue, &mut self.pose);
            }
            None => {
                if jumped {
                    self.evaluator.reset();
                }
                self.evaluator.continue_with(&self.character, &self.cue, &self.ids, &mut self.pose);
            }
        }
        self.palette.clear();
    }

    /// What is shown, as [`refresh`](Self::refresh) last evaluated it.
    pub fn cue(&self) -> &Cue {
        &self.cue
    }

    /// What it looks like, as [`refresh`](Self::refresh) last evaluated it.
    pub fn pose(&self) -> &Pose {
        &self.pose
    }

    /// Lets time pass on all tracks.
    pub(super) fn pass(&mut self, dt_secs: f64) {
        self.tracks.advance(&self.character, finite(dt_secs * self.speed), &mut self.happened);
    }

    /// Writes what is shown now into [`Self::cue`].
    pub(super) fn write_cue(&mut self) -> &Cue {
        self.tracks.write_cue(self.interpolates, &mut self.cue, &mut self.ids);
        self.cue.overrides.clone_from(&self.overrides);
        &self.cue
    }

    /// What is shown has nothing to do with what was shown before.
    fn jump(&mut self) {
        self.is_stale = true;
        if let Some(steps) = &mut self.steps {
            steps.jump();
        }
        self.evaluator.reset();
    }
}
