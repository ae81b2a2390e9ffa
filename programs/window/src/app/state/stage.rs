//! The characters on the stage as one picture: for exports, screenshots and the clipboard.

use std::path::Path;
use std::sync::Arc;

use super::State;
use crate::base::memo::Shared;
use crate::compare::member::Member;
use crate::export::arguments::{argument, skin_arguments};
use crate::export::{Staged, scene, sources};
use crate::parts::hidden::patterns_on_stage;
use crate::playback::Playback;
use crate::scene::Scene;
use pchr::Character;
use pchr::draw::Hidden;
use pchr::export::{NamePattern, StagedCharacter, Subject};
use pchr::math::Vec2;
use pchr::model::{Blend, Model};
use pchr::motion::{Motion, takes_rate};
use pchr::pose::Pose;

/// The least and the largest scale of a character, in percent.
pub const SCALES: (f32, f32) = (1.0, 10_000.0);

/// A character on the stage.
pub struct OnStage<'a> {
    pub path: &'a Path,
    pub spec: &'a StagedCharacter,
    pub playback: &'a mut Playback,
    pub hidden: &'a Hidden,
    /// Its place, seen from that of the shown one.
    pub offset: Vec2,
}

impl State {
    /// Returns the stage, if several characters are on it and were read.
    pub fn staged(&mut self) -> Option<Staged> {
        let shown = self.on_stage()?.to_owned();
        let now = scene::main(&self.playback.animator).seconds();
        let (mut specs, mut characters, mut files) = (Vec::new(), Vec::new(), Vec::new());
        for member in &self.lineup.members {
            let playback = if member.path == shown { &self.playback } else { &member.playback };
            let document = self.files.documents.iter().find(|document| document.path() == member.path);
            if !playback.has_character {
                continue;
            }
            let position = self.lineup.place(&member.path);
            let spec = spec(playback, &member.path, position, now)?;
            let StagedCharacter { scale, flip_x, flip_y, order, tint, .. } = member.spec;
            specs.push(StagedCharacter { scale, flip_x, flip_y, order, tint, ..spec });
            characters.push(Arc::clone(playback.animator.character()));
            files.extend(document.map(sources).unwrap_or_default());
        }
        if specs.len() < 2 {
            return None;
        }
        let fps = self.files.read.fps.filter(|_| characters.iter().any(|character| takes_rate(character)));
        let subject = Subject { stage: specs, ..Subject::default() };
        let character = subject.staged(&characters, fps, &self.files.read.limits).ok()?;
        let mut subject = Subject { hidden_meshes: self.hidden_on_stage(&character), ..subject };
        subject.set_forces(self.playback.placing.turned(self.playback.animator.forces()));
        Some(Staged { subject, character: Arc::new(character), sources: files, place: self.lineup.place(&shown) })
    }

    /// Returns the hidden parts of all characters by their names in `stage`.
    fn hidden_on_stage(&mut self, stage: &Character) -> Vec<NamePattern> {
        let Motion::Stage(stage) = stage.motion() else { return Vec::new() };
        let standing = self.standing().into_iter().flatten().filter(|it| it.playback.has_character);
        standing.zip(stage.cast()).flat_map(|(it, actor)| patterns_on_stage(it.hidden, actor)).collect()
    }

    /// Puts the characters of a scene on the stage.
    pub fn stage(&mut self, specs: &[StagedCharacter]) {
        for spec in specs {
            let Some(member) = self.lineup.members.iter_mut().find(|it| it.path == Path::new(&spec.file)) else {
                continue;
            };
            self.lineup.fixed.extend(spec.position.map(|position| (member.path.clone(), position)));
            member.spec = spec.clone();
        }
    }

    /// Returns how the shown character stands on the stage, and where.
    pub fn staged_spec(&self) -> StagedCharacter {
        let path = self.on_stage();
        let member = self.lineup.members.iter().find(|member| Some(&*member.path) == path);
        let placed = |member: &Member| StagedCharacter {
            position: Some(self.lineup.place(&member.path)),
            ..member.spec.clone()
        };
        member.map(placed).unwrap_or_default()
    }

    /// Changes how the shown character stands on the stage; nothing else moves.
    pub fn restage(&mut self, change: impl FnOnce(&mut StagedCharacter)) {
        let Some(path) = self.on_stage().map(Path::to_owned) else { return };
        self.hold_view();
        let before = self.staged_spec();
        let mut spec = before.clone();
        change(&mut spec);
        let moved = spec.position.unwrap_or_default() - before.position.unwrap_or_default();
        if moved != Vec2::ZERO {
            self.move_on_stage(&path, moved);
        }
        let member = self.lineup.members.iter_mut().find(|member| member.path == path);
        member.into_iter().for_each(|member| {
            let StagedCharacter { scale, flip_x, flip_y, order, tint, .. } = spec;
            member.spec =
                StagedCharacter { scale, flip_x, flip_y, order, tint, ..std::mem::take(&mut member.spec) };
        });
    }

    /// Enables or disables physics, if the character has it. This replaces what a scene states for the shown one.
    pub fn toggle_physics(&mut self) {
        self.playback.toggle_physics();
        let path = self.current().map(|document| document.path().to_owned());
        let member = self.lineup.members.iter_mut().find(|member| Some(&member.path) == path.as_ref());
        member.into_iter().for_each(|member| member.spec.physics = None);
    }

    /// Applies what a scene states for the physics of the shown character.
    pub fn follow_stated_physics(&mut self) {
        let path = self.current().map(|document| document.path());
        let member = self.lineup.members.iter().find(|member| Some(&*member.path) == path);
        self.playback.stated_physics = member.and_then(|member| member.spec.physics);
        self.playback.apply_physics();
    }

    /// Resets size, direction, order and tint of the shown character.
    pub fn reset_staged(&mut self) {
        self.restage(|spec| *spec = StagedCharacter { position: spec.position, ..StagedCharacter::default() });
    }

    /// Enlarges or shrinks the shown character on the stage by a tenth.
    pub fn scale_staged(&mut self, is_larger: bool) {
        const STEP: f32 = 1.1;
        let factor = if is_larger { STEP } else { 1.0 / STEP };
        self.restage(|spec| spec.scale = (spec.scale * factor * 100.0).round().clamp(SCALES.0, SCALES.1) / 100.0);
    }

    /// Moves the shown character before or behind the next one on the stage.
    pub fn reorder(&mut self, is_forward: bool) {
        let Some(path) = self.on_stage().map(Path::to_owned) else { return };
        let mut members: Vec<_> = self.lineup.members.iter_mut().collect();
        members.sort_by_key(|member| member.spec.order);
        let Some(at) = members.iter().position(|member| member.path == path) else { return };
        let to = if is_forward { at + 1 } else { at.saturating_sub(1) };
        if to < members.len() {
            members.swap(at, to);
        }
        members.into_iter().zip(0..).for_each(|(member, order)| member.spec.order = order);
    }

    /// Returns true if the canvas shows [`Self::staged_scene`]: characters only blend with what is in the same picture. With
    /// overlays, which belong to the shown character, each is drawn in a picture of its own.
    pub fn blends_on_stage(&self) -> bool {
        let Some(path) = self.on_stage() else { return false };
        let blends = |model: &Model| model.slots().iter().any(|slot| slot.blend != Blend::Normal);
        let has_overlays = self.shown_overlays().iter().next().is_some();
        let mut companions = self.lineup.companions(Some(path)).peekable();
        !has_overlays
            && companions.peek().is_some()
            && (self.model().is_some_and(blends) || companions.any(|it| blends(it.playback.animator.model())))
    }

    /// Returns the scene of the whole stage as it stands now, if several characters are on it.
    pub fn staged_scene(&mut self, shown: &Scene) -> Option<Scene> {
        let (mut cast, mut poses) = (Vec::new(), Vec::new());
        for OnStage { spec, playback, hidden, offset, .. } in self.standing()? {
            let Some((model, pose)) = playback.posed() else { continue };
            let mut pose: Pose = pose.clone();
            hidden.apply(model, &mut pose);
            pose.place(spec.placed_at(offset), &spec.whole_tint());
            cast.push(Arc::clone(playback.animator.character()));
            poses.push(pose);
        }
        let character = self.lineup.together(&cast)?;
        let Motion::Stage(stage) = character.motion() else { return None };
        let mut pose = Pose::default();
        stage.assemble(poses.iter(), &mut pose);
        Some(Scene {
            cue: Default::default(),
            pose: Some(Arc::new(pose)),
            hidden: Default::default(),
            placing: Default::default(),
            overlays: Default::default(),
            work: shown.work.saturating_mul(cast.len() as u64),
            character: Shared::of(&character),
            ..shown.clone()
        })
    }

    /// Returns the characters on the stage, back to front.
    pub fn standing(&mut self) -> Option<Vec<OnStage<'_>>> {
        let shown = self.on_stage()?.to_owned();
        let origin = self.lineup.place(&shown);
        let places: Vec<Vec2> = self.lineup.members.iter().map(|member| self.lineup.place(&member.path)).collect();
        let mut of_shown = Some((&mut self.playback, &*self.parts.hidden));
        let mut cast = Vec::with_capacity(places.len());
        for (member, place) in self.lineup.members.iter_mut().zip(places) {
            let taken = if member.path == shown { of_shown.take() } else { None };
            let (playback, hidden) = taken.unwrap_or((&mut member.playback, &*member.hidden));
            cast.push(OnStage {
                path: &member.path,
                spec: &member.spec,
                playback,
                hidden,
                offset: place - origin,
            });
        }
        cast.sort_by_key(|it| it.spec.order);
        Some(cast)
    }
}

/// Returns what a character shows, relative to a time of the shown one. `None` for a path that no scene can name.
fn spec(playback: &Playback, path: &Path, position: Vec2, now: f64) -> Option<StagedCharacter> {
    let animator = &playback.animator;
    let (character, main): (&Character, _) = (animator.character(), scene::main(animator));
    let later = ((main.seconds() - now) * 1e9).round() / 1e9;
    let file = std::path::absolute(path).ok()?.into_os_string().into_string().ok()?;
    Some(StagedCharacter {
        animation: main.animation().map(|id| argument(character.model(), id)),
        start: if main.wraps() && main.duration_secs() > 0.0 {
            later.rem_euclid(main.duration_secs())
        } else {
            later
        },
        tracks: scene::tracks(animator),
        skins: skin_arguments(character, animator.skins()),
        bones: scene::bones(animator),
        attachments: scene::attachments(animator),
        physics: playback.chosen_physics(),
        position: Some(position),
        ..StagedCharacter::new(file)
    })
}
