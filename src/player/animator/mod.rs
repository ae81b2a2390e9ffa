//! The runtime object of a game: a character, what it plays, and its current pose.

mod appearance;
mod changes;
mod single;
mod space;
mod whole;

use std::path::Path;
use std::sync::Arc;

use super::clock::LoopMode;
use super::event::{EventRecord, Events};
use super::overrides::Overrides;
use super::placed_bones::PlacedBones;
use super::playback::Playback;
use super::steps::Steps;
use super::tracks::Tracks;
use crate::character::Character;
use crate::error::Result;
use crate::math::{Affine2, Vec2};
use crate::model::{AnimationId, BoneId, Model, Select, Tint};
use crate::motion::{
    BoneOverride, BonePlace, Cue, Evaluator, Forces, finite, has_physics, initial_skins, rest_position,
};
use crate::pose::{self, Pose, SkinMatrix};

/// A character that plays animations: it owns the character, the tracks with their clocks, skins, moved bones and
/// physics, and the resulting pose.
///
/// Select what to play, call [`Self::update`] once per frame, and draw. Once all animations have been shown,
/// nothing is allocated any more.
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
/// Animations, skins, bones, slots and constraints are selected by name or by id; see [`Select`]. Attachments are selected
/// by name in their slot, or by id with [`SlotOverride::showing`](crate::motion::SlotOverride::showing). An unknown name is
/// an error that lists similar names.
///
/// # State
///
/// Unlike [`evaluate`](crate::motion::evaluate), which is pure, an animator depends on earlier frames where the
/// authoring tools do: for physics, and for the rotation of bones while animations are mixed.
#[derive(Debug, Clone)]
pub struct Animator {
    character: Arc<Character>,
    tracks: Tracks,
    is_playing: bool,
    speed: f64,
    overrides: Overrides,
    /// World from character.
    placement: Affine2,
    whole_tint: Tint,
    /// In the world.
    forces: Forces,
    /// Physics is enabled.
    physics: bool,
    /// Physics, if it is enabled and the character has it.
    steps: Option<Box<Steps>>,
    evaluator: Evaluator,
    /// The cue that was last evaluated. Its skins are the active ones.
    cue: Cue,
    /// The playback of each layer of the cue.
    ids: Vec<u64>,
    pose: Pose,
    /// Something has changed since the pose was evaluated.
    is_stale: bool,
    /// The next pose does not continue the previous one.
    resets_pose: bool,
    /// Animations have been mixed since a pose started from rest.
    has_mixed: bool,
    /// Something has lasted for one pose only.
    had_frame_changes: bool,
    /// Working memory of [`PlacedBones`].
    followers: Vec<bool>,
    /// The skinning matrices of the pose.
    palette: Vec<SkinMatrix>,
    records: Vec<EventRecord>,
    /// The bone whose displacement is taken out of the pose, and by how much it was displaced in the last update, in the
    /// space of its parent.
    root_motion: Option<(BoneId, Vec2)>,
}

impl Default for Animator {
    /// Returns an animator of an empty character.
    fn default() -> Self {
        Self::new(Character::default())
    }
}

impl Animator {
    /// Reads the character at `path` with default options and creates its animator.
    ///
    /// # Errors
    ///
    /// Fails like [`Character::open`].
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        Character::open(path).map(Self::new)
    }

    /// Creates an animator that shows the rest pose of `character`. Many animators can share one `Arc<Character>`.
    ///
    /// It activates the skins that [`initial_skins`] returns, and applies physics if the character has it.
    pub fn new(character: impl Into<Arc<Character>>) -> Self {
        let character = character.into();
        let skins = initial_skins(&character);
        let pose = Pose::for_model(character.model());
        let mut animator = Self {
            physics: true,
            steps: has_physics(&character).then(Box::default),
            character,
            tracks: Tracks::default(),
            is_playing: true,
            speed: 1.0,
            overrides: Overrides::default(),
            placement: Affine2::IDENTITY,
            whole_tint: Tint::NONE,
            forces: Forces::default(),
            evaluator: Evaluator::default(),
            cue: Cue { skins, ..Cue::default() },
            ids: Vec::new(),
            pose,
            is_stale: true,
            resets_pose: false,
            has_mixed: false,
            had_frame_changes: false,
            followers: Vec::new(),
            palette: Vec::new(),
            records: Vec::new(),
            root_motion: None,
        };
        animator.refresh();
        animator
    }

    /// Returns the character.
    pub fn character(&self) -> &Arc<Character> {
        &self.character
    }

    /// Returns the character's model: bones, slots, skins and the list of animations.
    pub fn model(&self) -> &Model {
        self.character.model()
    }

    /// Plays an animation on track 0, instead of what the track plays and has queued. Returns its playback for
    /// further settings.
    ///
    /// The previous animation fades out over [`Self::fade_secs`].
    ///
    /// # Errors
    ///
    /// Fails if the character has no such animation.
    pub fn play(&mut self, animation: impl Select<AnimationId>) -> Result<&mut Playback> {
        self.play_on(0, animation)
    }

    /// Plays an animation on a track. Each track plays over those with lower numbers; see [`Self::play`].
    ///
    /// Stored frames and sprite sheets cannot be mixed: they show the uppermost track alone.
    ///
    /// # Errors
    ///
    /// Fails if the character has no such animation.
    pub fn play_on(&mut self, track: usize, animation: impl Select<AnimationId>) -> Result<&mut Playback> {
        let model = self.character.model();
        let animation = animation.select(model)?;
        self.is_stale = true;
        Ok(self.tracks.play(&self.character, track, Some(animation)))
    }

    /// Plays an animation on track 0 after what the track plays and has queued; if it plays nothing, at once.
    /// Returns its playback for further settings.
    ///
    /// The fade ends together with the previous animation, or with its current loop.
    ///
    /// # Errors
    ///
    /// Fails if the character has no such animation.
    pub fn queue(&mut self, animation: impl Select<AnimationId>) -> Result<&mut Playback> {
        self.queue_on(0, animation, 0.0)
    }

    /// Plays an animation on a track after what the track plays and has queued: `delay_secs` seconds after the
    /// start of the previous one. If that is 0 or negative, it is relative to the moment from which the fade ends
    /// together with the previous one. The seconds are counted by the previous animation: at twice its speed they
    /// pass twice as fast.
    ///
    /// ```
    /// # let mut lamp = pchr::Animator::open("assets/paper-lamp.json")?;
    /// lamp.play_on(1, "idle")?;
    /// lamp.queue_on(1, "hop", 0.5)?.set_fade(0.1);
    /// # Ok::<(), pchr::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the character has no such animation.
    pub fn queue_on(
        &mut self,
        track: usize,
        animation: impl Select<AnimationId>,
        delay_secs: f64,
    ) -> Result<&mut Playback> {
        let model = self.character.model();
        let animation = animation.select(model)?;
        self.is_stale = true;
        Ok(self.tracks.queue(&self.character, track, Some(animation), delay_secs))
    }

    /// Fades a track out to those below it, in `secs` seconds, and clears its queue.
    ///
    /// An idle track starts to play nothing for as long, so that the next animation on it fades in:
    ///
    /// ```
    /// # let mut lamp = pchr::Animator::open("assets/paper-lamp.json")?;
    /// lamp.play("idle")?;
    /// lamp.fade_out(1, 0.0);
    /// lamp.queue_on(1, "hop", 0.0)?.set_fade(0.3);
    /// # Ok::<(), pchr::Error>(())
    /// ```
    pub fn fade_out(&mut self, track: usize, secs: f64) {
        self.is_stale = true;
        self.tracks.fade_out(&self.character, track, secs);
    }

    /// Fades a track out in `secs` seconds after everything that it plays and has queued.
    /// `delay_secs` means the same as in [`Self::queue_on`].
    pub fn queue_fade_out(&mut self, track: usize, secs: f64, delay_secs: f64) {
        self.is_stale = true;
        self.tracks.queue_fade_out(&self.character, track, secs, delay_secs);
    }

    /// Stops a track at once and clears its queue. Values that no other track animates stay as they are; see
    /// [`Self::reset_pose`].
    pub fn stop_track(&mut self, track: usize) {
        self.is_stale = true;
        self.tracks.clear(track);
    }

    /// Lets the next pose start from the rest pose instead of the previous pose: values that are no longer animated return
    /// to rest.
    ///
    /// A Spine character otherwise keeps them, as Spine does. Values that an additive animation adds to nothing start from
    /// rest in each pose in any case.
    pub fn reset_pose(&mut self) {
        self.is_stale = true;
        self.resets_pose = true;
    }

    /// Returns true if the pose may have values of animations that have ended, or depends on earlier poses because animations
    /// are mixed: [`evaluate`](crate::motion::evaluate) may then give another pose for [`Self::cue`].
    pub fn keeps_values(&self) -> bool {
        self.has_mixed
    }

    /// Stops all tracks at once and shows the rest pose.
    pub fn stop(&mut self) {
        self.tracks.clear_all();
        self.jump();
    }

    /// Returns the default duration of cross-fades in seconds of the animator, which its speed changes, but the speed of
    /// the animations does not. [`Playback::set_fade`] overrides it.
    pub fn fade_secs(&self) -> f64 {
        self.tracks.fade_secs
    }

    /// Sets [`Self::fade_secs`] for animations that replace others from now on; initially 0. Negative and non-finite values
    /// count as 0.
    pub fn set_fade_secs(&mut self, secs: f64) {
        self.tracks.fade_secs = finite(secs).max(0.0);
    }

    /// Sets the duration of the cross-fade from one animation to another, for animations played from now on; it overrides
    /// [`Self::fade_secs`]. Negative and non-finite values count as 0.
    ///
    /// ```
    /// # let mut lamp = pchr::Animator::open("assets/paper-lamp.json")?;
    /// lamp.set_fade_secs(0.2);
    /// lamp.set_fade_between("hop", "idle", 0.5)?;
    /// lamp.play("hop")?;
    /// assert_eq!(lamp.queue("idle")?.fade_secs(), 0.5);
    /// assert_eq!(lamp.queue("hop")?.fade_secs(), 0.2);
    /// # Ok::<(), pchr::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the character has no such animations.
    pub fn set_fade_between(
        &mut self,
        from: impl Select<AnimationId>,
        to: impl Select<AnimationId>,
        secs: f64,
    ) -> Result<()> {
        let model = self.character.model();
        self.tracks.set_fade_between([from.select(model)?, to.select(model)?], finite(secs).max(0.0));
        Ok(())
    }

    /// Returns what a track plays. If nothing, returns an empty playback whose [`animation`](Playback::animation)
    /// is `None`.
    pub fn playback(&self, track: usize) -> &Playback {
        self.tracks.playback(track)
    }

    /// Returns what a track plays for changing its settings; `None` if nothing.
    pub fn playback_mut(&mut self, track: usize) -> Option<&mut Playback> {
        self.is_stale = true;
        self.tracks.playback_mut(track)
    }

    /// Returns what is queued on a track, in the order in which it will be played.
    ///
    /// ```
    /// # let mut lamp = pchr::Animator::open("assets/paper-lamp.json")?;
    /// lamp.play("idle")?;
    /// lamp.queue("hop")?.set_fade(0.2);
    /// assert_eq!(lamp.queued(0).map(|next| next.fade_secs()).collect::<Vec<_>>(), [0.2]);
    /// # Ok::<(), pchr::Error>(())
    /// ```
    pub fn queued(&self, track: usize) -> impl ExactSizeIterator<Item = &Playback> {
        self.tracks.queued(track)
    }

    /// Returns the animation at `index` of the queue of a track for changing its settings; `None` if the queue is
    /// shorter.
    pub fn queued_mut(&mut self, track: usize, index: usize) -> Option<&mut Playback> {
        self.tracks.queued_mut(track, index)
    }

    /// Removes the animation at `index` of the queue of a track and returns it; `None` if the queue is shorter. The
    /// one after it then follows the one before it.
    pub fn remove_queued(&mut self, track: usize, index: usize) -> Option<AnimationId> {
        self.tracks.remove_queued(&self.character, track, index)
    }

    /// Returns everything that is played, with its track: lower tracks first, and on each track those first that
    /// are being replaced.
    pub fn playbacks(&self) -> impl Iterator<Item = (usize, &Playback)> {
        self.tracks.playbacks()
    }

    /// Returns true unless it is paused.
    pub fn is_playing(&self) -> bool {
        self.is_playing
    }

    /// Pauses or continues everything.
    pub fn set_playing(&mut self, playing: bool) {
        self.is_playing = playing;
    }

    /// Returns the speed of everything that is played, 1 as authored. It does not affect physics.
    pub fn speed(&self) -> f64 {
        self.speed
    }

    /// Sets the speed of everything. Negative values play backwards, non-finite values are ignored.
    pub fn set_speed(&mut self, speed: f64) {
        if speed.is_finite() {
            self.speed = speed;
        }
    }

    /// Returns what happens at the end of animations. [`Playback::set_loop_mode`] overrides it.
    pub fn loop_mode(&self) -> LoopMode {
        self.tracks.loop_mode
    }

    /// Sets what happens at the end of everything that is played or queued, and of what will be.
    pub fn set_loop_mode(&mut self, loop_mode: LoopMode) {
        self.tracks.set_loop_mode(loop_mode);
        self.is_stale = true;
    }

    /// Returns true if stored frames are blended. Keyed motion always is.
    pub fn interpolates(&self) -> bool {
        self.tracks.interpolates
    }

    /// Blends stored frames, or holds each until the next, which is the default.
    pub fn set_interpolate(&mut self, interpolates: bool) {
        self.tracks.set_interpolates(interpolates);
        self.is_stale = true;
    }

    /// Lets `dt_secs` seconds pass, evaluates the pose, and returns the events.
    ///
    /// Negative and non-finite values count as 0. While the animator is paused, no time passes and nothing
    /// happens.
    pub fn update(&mut self, dt_secs: f64) -> Events<'_> {
        self.advance(dt_secs);
        self.refresh();
        self.events()
    }

    /// Like [`Self::update`], and lets `change` move bones that are drawn in this frame: a limp shin, a look at something,
    /// a body of a physics engine.
    ///
    /// The order is: animations; overrides in the space of the parent; constraints; physics; overrides in the world; those
    /// [`after`](crate::motion::BoneOverride::after) all that; `change`. The next frame begins without the changes.
    ///
    /// ```
    /// # use pchr::math::Affine2;
    /// # let mut lamp = pchr::Animator::open("assets/paper-lamp.json")?;
    /// lamp.update_with(1.0 / 60.0, |bones| bones.shift("head", Affine2::from_angle(0.5)).expect("the lamp has a head"));
    /// # Ok::<(), pchr::Error>(())
    /// ```
    pub fn update_with(&mut self, dt_secs: f64, change: impl FnOnce(&mut PlacedBones<'_>)) -> Events<'_> {
        self.advance(dt_secs);
        self.is_stale = true;
        self.refresh();
        let Self { character, pose, followers, .. } = self;
        change(&mut PlacedBones::new(character.model(), &mut pose.world_from_bone, followers));
        self.had_frame_changes = true;
        self.write_palette();
        self.events()
    }

    /// Lets `dt_secs` seconds pass like [`Self::update`] without evaluating the pose: for characters that are not
    /// visible. [`Self::refresh`] evaluates it.
    pub fn advance(&mut self, dt_secs: f64) {
        self.records.clear();
        self.is_stale |= std::mem::take(&mut self.had_frame_changes);
        if let Some((_, moved)) = &mut self.root_motion {
            *moved = Vec2::ZERO;
        }
        if !self.is_playing {
            return;
        }
        // Without physics, an animation that has ended looks the same.
        self.is_stale |= self.is_moving() || self.steps.is_some();
        let dt = finite(dt_secs).max(0.0);
        match self.steps.take() {
            Some(mut steps) => {
                steps.pass(self, dt);
                self.steps = Some(steps);
            }
            None => self.pass(dt),
        }
        self.is_stale |= !self.records.is_empty();
    }

    /// Returns the events of the last [`Self::update`] or [`Self::advance`].
    pub fn events(&self) -> Events<'_> {
        Events { character: &self.character, records: self.records.iter() }
    }

    /// Evaluates the pose if anything has changed since it was last evaluated, as [`Self::update`] does.
    pub fn refresh(&mut self) {
        if !std::mem::take(&mut self.is_stale) {
            return;
        }
        let jumped = self.tracks.note_shown(&self.character);
        self.write_cue();
        let resets = std::mem::take(&mut self.resets_pose);
        self.has_mixed = !self.cue.layers.is_empty() || self.has_mixed && !resets && !jumped;
        match &mut self.steps {
            Some(steps) => {
                if resets {
                    steps.dynamics.reset_pose();
                }
                if jumped {
                    steps.jump();
                }
                steps.evaluate(&self.character, &self.cue, &self.ids, &mut self.pose);
            }
            None => {
                if resets {
                    self.evaluator.reset_pose();
                }
                if jumped {
                    self.evaluator.reset();
                }
                let Self { character, cue, ids, tracks, pose, .. } = self;
                self.evaluator.continue_with(character, cue, ids, &mut tracks.chains, pose);
            }
        }
        self.had_frame_changes |= self.overrides.end_frame();
        if self.placement != Affine2::IDENTITY {
            self.pose.world_from_bone.iter_mut().for_each(|bone| *bone = self.placement * *bone);
        }
        self.write_palette();
    }

    /// Computes the matrices for drawing from the pose.
    fn write_palette(&mut self) {
        let model = self.character.model();
        pose::palette(model, &self.pose, &mut self.palette);
        if self.placement == Affine2::IDENTITY {
            return;
        }
        for (bone, matrix) in model.skeleton().bones().iter().zip(&mut self.palette) {
            if bone.bone_from_bind.is_none() {
                *matrix = self.placement.into();
            }
        }
    }

    /// Returns the cue as of the last [`refresh`](Self::refresh), in the space of the character.
    pub fn cue(&self) -> &Cue {
        &self.cue
    }

    /// Returns the pose as of the last [`refresh`](Self::refresh).
    pub fn pose(&self) -> &Pose {
        &self.pose
    }

    /// Lets time pass on all tracks.
    pub(super) fn pass(&mut self, dt_secs: f64) {
        let Self { tracks, character, records, root_motion, speed, .. } = self;
        if let Some((bone, _)) = root_motion {
            tracks.note_root(character, *bone);
        }
        tracks.advance(character, finite(dt_secs * *speed), records);
        if let Some((bone, moved)) = root_motion {
            *moved += tracks.take_root_motion(character, *bone);
        }
    }

    /// Writes the current state into [`Self::cue`].
    pub(super) fn write_cue(&mut self) -> (&Cue, &[u64]) {
        self.tracks.write_cue(&mut self.cue, &mut self.ids);
        self.overrides.write(&self.character, self.placement, &mut self.cue);
        self.cue.forces = self.forces.within(self.placement);
        if let Some((bone, _)) = self.root_motion
            && let Some(rest) = rest_position(&self.character, bone)
        {
            let position = Some(BonePlace::Local(rest));
            self.cue.bones.insert(0, BoneOverride { position, ..BoneOverride::new(bone) });
        }
        (&self.cue, &self.ids)
    }

    /// Declares that the next pose is unrelated to the previous one.
    fn jump(&mut self) {
        self.is_stale = true;
        self.has_mixed = false;
        if let Some(steps) = &mut self.steps {
            steps.jump();
        }
        self.evaluator.reset();
    }
}
