//! What is shown beside the rendered animation, tracks and what was set by hand → complete cues.

use std::iter::Peekable;
use std::sync::Arc;

use super::choose;
use crate::error::Place;
use crate::export::options::{BoneChange, Subject, TrackSpec, hidden_meshes, named};
use crate::limits::{Budget, Limits};
use crate::model::{AnimationId, Model, SkinId, UnknownName};
use crate::motion::{BoneOverride, Cue, Forces, PoseWork, Position};
use crate::player::{LoopMode, PlaySettings};
use crate::{Animator, Character, Result};

impl Subject {
    /// Fails if `character` does not have something that is named here: an animation, a skin, a mesh, a bone, a slot or
    /// an attachment.
    pub fn check_names(&self, character: &Character) -> Result<()> {
        choose::animations(character.model(), &self.animations)?;
        let skins = choose::skins(character, &self.skins)?;
        hidden_meshes(character.model(), &self.meshes, &self.hidden_meshes)?;
        Scene::new(self, character, &skins).map(|_| ())
    }

    /// Shows in `animator` what this names beside the animation: moved bones, chosen attachments and the tracks. The
    /// animation is the one that track 0 plays, and the tracks are as if everything had been played from its first frame to
    /// its position. Returns the tracks that begin later, at their seconds after that.
    ///
    /// # Errors
    ///
    /// Fails if the character does not have something.
    pub fn begin_in(&self, animator: &mut Animator) -> Result<Vec<TrackSpec>> {
        let skins = animator.skins().to_vec();
        let character = Arc::clone(animator.character());
        let Some(scene) = Scene::new(self, &character, &skins)? else { return Ok(Vec::new()) };
        scene.animator.bone_overrides().iter().for_each(|change| animator.override_bone(*change));
        scene.animator.slot_overrides().iter().for_each(|change| animator.override_slot(*change));
        animator.set_forces(self.forces());
        if scene.tracks.is_empty() {
            return Ok(Vec::new());
        }
        let (is_playing, speed, mode) = (animator.is_playing(), animator.speed(), animator.loop_mode());
        let until = animator.playback(0).seconds();
        let mut main = scene.main(animator.playback(0).animation());
        animator.stop();
        animator.set_playing(true);
        animator.set_speed(1.0);
        let mut steps: Vec<f64> = scene.tracks.iter().map(|(_, spec)| spec.at_secs).chain([0.0, until]).collect();
        steps.retain(|secs| *secs <= until);
        steps.sort_by(f64::total_cmp);
        let mut now = steps.first().copied().unwrap_or_default();
        let mut tracks = scene.tracks.iter().peekable();
        for step in steps {
            animator.advance(step - now);
            now = step;
            scene.begin_until(animator, step, mode, &mut main, &mut tracks)?;
        }
        animator.set_speed(speed);
        animator.set_playing(is_playing);
        animator.refresh();
        Ok(tracks.map(|(_, spec)| TrackSpec { at_secs: spec.at_secs - until, ..(*spec).clone() }).collect())
    }
}

impl TrackSpec {
    /// Begins to play it on `animator` now, whatever its time is.
    ///
    /// # Errors
    ///
    /// Fails if the character does not have the animation.
    pub fn begin_in(&self, animator: &mut Animator) -> Result<()> {
        let animation = self.find(animator.model())?;
        begin(animator, animation, self)
    }

    fn find(&self, model: &Model) -> Result<Option<AnimationId>, UnknownName> {
        let names = model.animations().iter().map(|animation| &*animation.name);
        let name = Some(&self.animation).filter(|name| !name.is_empty());
        name.map(|name| find("animation", name, names, model.animation_ids())).transpose()
    }
}

/// In longer animations only the rendered frames are steps of the tracks.
const MAX_STEPS: u32 = 1 << 14;

/// What is shown beside the rendered animation.
pub struct Scene<'a> {
    /// In the skins, with what was set by hand. It plays nothing.
    animator: Animator,
    /// In the order in which they begin.
    tracks: Vec<Track<'a>>,
}

/// What begins on a track. `None`: the track fades out.
type Track<'a> = (Option<AnimationId>, &'a TrackSpec);

impl<'a> Scene<'a> {
    /// Finds everything that `subject` names; `None` if nothing is shown beside the rendered animation.
    ///
    /// # Errors
    ///
    /// Fails if the character does not have something.
    pub fn new(subject: &'a Subject, character: &Character, skins: &[SkinId]) -> Result<Option<Self>> {
        let Subject { tracks, bones, attachments, .. } = subject;
        let forces = subject.forces();
        if tracks.is_empty() && bones.is_empty() && attachments.is_empty() && forces == Forces::default() {
            return Ok(None);
        }
        let model = character.model();
        let animation = |spec: &'a TrackSpec| Ok((spec.find(model)?, spec));
        let mut tracks = tracks.iter().map(animation).collect::<Result<Vec<_>>>()?;
        tracks.sort_by(|(_, a), (_, b)| a.at_secs.total_cmp(&b.at_secs));
        // Without the pixels, which characters share.
        let mut animator = Animator::new(character.clone());
        animator.set_physics(false);
        animator.set_skins(skins.iter().copied())?;
        animator.set_forces(forces);
        for spec in bones {
            let (skeleton, names) = (model.skeleton(), model.skeleton().bones().iter().map(|bone| &*bone.name));
            let bone = find("bone", &spec.bone, names, skeleton.bone_ids())?;
            let change = match spec.change {
                BoneChange::Position(position) => BoneOverride::at(bone, position),
                BoneChange::Degrees(degrees) => {
                    BoneOverride { rotation_radians: Some(degrees.to_radians()), ..BoneOverride::new(bone) }
                }
            };
            let before = animator.bone_overrides().iter().find(|put| put.bone == bone).copied();
            let before = before.unwrap_or(BoneOverride::new(bone));
            animator.override_bone(BoneOverride {
                position: change.position.or(before.position),
                rotation_radians: change.rotation_radians.or(before.rotation_radians),
                ..before
            });
        }
        for spec in attachments {
            let names = model.slots().iter().map(|slot| &*slot.name);
            let slot = find("slot", &spec.slot, names, model.slot_ids())?;
            animator.set_attachment(slot, spec.attachment.as_deref())?;
        }
        Ok(Some(Self { animator, tracks }))
    }

    /// Adds what is shown beside their animations to `cues`. Each is as if everything had been played up to its position.
    ///
    /// # Errors
    ///
    /// [`Error::LimitExceeded`](crate::Error::LimitExceeded) if that takes more work than `limits` allow.
    pub fn dress(&self, cues: &mut [Cue], limits: &Limits) -> Result<()> {
        if self.tracks.is_empty() {
            for cue in cues {
                cue.bones.extend_from_slice(self.animator.bone_overrides());
                cue.slots.extend_from_slice(self.animator.slot_overrides());
                cue.forces = self.animator.forces();
            }
            return Ok(());
        }
        let mut budget = Budget::new(limits);
        cues.chunk_by_mut(|a, b| a.animation == b.animation).try_for_each(|cues| self.play(cues, &mut budget))
    }

    /// Plays the tracks beside the common animation of `cues`.
    fn play(&self, cues: &mut [Cue], budget: &mut Budget<'_>) -> Result<()> {
        let Some(Cue { animation: main, interpolate, .. }) = cues.first().cloned() else { return Ok(()) };
        let character = self.animator.character();
        let seconds: Vec<f64> = cues.iter().map(|cue| seconds(character.model(), cue)).collect();
        let end = seconds.iter().fold(0.0_f64, |end, secs| end.max(*secs));
        let steps = self.steps(character.model(), main, &seconds, end);
        let work = PoseWork::new(character, self.animator.skins());
        let all = self.tracks.iter().filter_map(|(id, _)| *id).chain(main);
        let units = all.fold(0_u64, |sum, id| sum.saturating_add(work.of(character, Some(id))));
        let place = || Place { path: "the tracks at all frames".to_owned(), ..Place::default() };
        budget.charge_work(steps.len() as u64, units, place)?;

        let mut order: Vec<usize> = (0..cues.len()).collect();
        order.sort_by(|&a, &b| seconds[a].total_cmp(&seconds[b]));
        let mut order = order.into_iter().peekable();
        let mut tracks = self.tracks.iter().peekable();
        let mut main = self.main(main);
        // A time after the end of a loop is its end if it is held.
        let mode = if cues.iter().any(|cue| cue.hold) { LoopMode::Once } else { LoopMode::Authored };
        let mut animator = self.animator.clone();
        animator.set_interpolate(interpolate);
        let mut now = steps.first().copied().unwrap_or_default();
        for step in steps {
            animator.advance(step - now);
            now = step;
            self.begin_until(&mut animator, step, mode, &mut main, &mut tracks)?;
            animator.refresh();
            while let Some(index) = order.next_if(|&index| seconds[index] <= step) {
                let position = cues[index].position;
                let cue = animator.cue();
                // Of layers it is not shown, but tells when the picture is.
                let position = if cue.animation.is_some() { cue.position } else { position };
                cues[index] = Cue { position, ..cue.clone() };
            }
        }
        Ok(())
    }

    /// Returns the rendered animation if it is played beside the tracks.
    fn main(&self, main: Option<AnimationId>) -> Option<AnimationId> {
        main.filter(|_| !self.tracks.iter().any(|(_, it)| it.track == 0 && it.at_secs <= 0.0))
    }

    /// Starts everything that begins by `secs`: the `main` animation in a loop mode, and the animations of `tracks`.
    fn begin_until<'t>(
        &self,
        animator: &mut Animator,
        secs: f64,
        mode: LoopMode,
        main: &mut Option<AnimationId>,
        tracks: &mut Peekable<impl Iterator<Item = &'t Track<'a>>>,
    ) -> Result<()>
    where
        'a: 't,
    {
        if secs >= 0.0
            && let Some(main) = main.take()
        {
            animator.play_on(0, main)?.set_loop_mode(mode);
        }
        while let Some((id, spec)) = tracks.next_if(|(_, spec)| spec.at_secs <= secs) {
            begin(animator, *id, spec)?;
        }
        Ok(())
    }

    /// Returns the times at which the tracks are advanced, in order: they do not depend on which frames are rendered.
    fn steps(&self, model: &Model, main: Option<AnimationId>, seconds: &[f64], end: f64) -> Vec<f64> {
        let mut steps: Vec<f64> = self.tracks.iter().map(|(_, spec)| spec.at_secs).chain([0.0]).collect();
        if let Some(animation) = main.map(|id| model.animation(id)).filter(|it| it.frame_count() <= MAX_STEPS) {
            steps.extend((0..animation.frame_count()).map(|frame| animation.seconds_at(frame.into())));
        }
        steps.extend(seconds);
        steps.retain(|secs| *secs <= end);
        steps.sort_by(f64::total_cmp);
        steps.dedup();
        steps
    }
}

fn begin(animator: &mut Animator, id: Option<AnimationId>, spec: &TrackSpec) -> Result<()> {
    let TrackSpec { settings, from_secs, .. } = spec;
    let track = spec.track as usize;
    match id {
        None => animator.fade_out(track, settings.fade_secs),
        Some(id) => {
            let loop_mode = Some(settings.loop_mode.unwrap_or_default());
            let playback = animator.play_on(track, id)?;
            playback.apply(&PlaySettings { loop_mode, ..settings.clone() });
            if *from_secs != 0.0 {
                playback.seek_secs(*from_secs);
            }
        }
    }
    Ok(())
}

/// Returns the time of a cue after the first frame.
pub fn seconds(model: &Model, cue: &Cue) -> f64 {
    let Some(animation) = cue.animation.map(|id| model.animation(id)) else { return 0.0 };
    let secs = match cue.position {
        Position::Seconds(secs) => secs,
        Position::Frame { frame, fraction } => animation.seconds_at(f64::from(frame) + f64::from(fraction)),
    };
    if secs.is_finite() { secs.max(0.0) } else { 0.0 }
}

/// Returns the id of the item called `name`, or `#index`.
fn find<'m, Id>(
    what: &'static str,
    name: &str,
    names: impl Iterator<Item = &'m str>,
    mut ids: impl Iterator<Item = Id>,
) -> Result<Id, UnknownName> {
    let known: Vec<&str> = names.collect();
    let found = named(name, known.iter().copied()).and_then(|index| ids.nth(index));
    found.ok_or_else(|| UnknownName {
        what,
        name: name.to_owned(),
        known: known.into_iter().map(str::to_owned).collect(),
    })
}
