//! Several characters on one stage: puts files on it, reads them, lets them play, and moves them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::State;
use super::canvas::shown_content;
use super::stage::OnStage;
use crate::base::memo::Shared;
use crate::base::name;
use crate::compare::lineup::{Arrival, MOST};
use crate::compare::member::Member;
use crate::files::document::{Document, Origin};
use crate::files::loading::job::Job;
use crate::parts::picking::Picking;
use crate::scene::Scene;
use crate::scene::camera::Camera;
use crate::scene::placing::Placing;
use crate::widgets::actions::{Dialog, Request};
use pchr::Animator;
use pchr::draw::View;
use pchr::math::{Rect, Vec2};

impl State {
    /// Returns the path of the shown file if it is on the stage with others, and nothing is compared.
    pub fn on_stage(&self) -> Option<&Path> {
        let path = self.current()?.path();
        (self.compare.second.is_none() && self.lineup.is_shown(path)).then_some(path)
    }

    /// Returns true if several characters are on the stage.
    pub fn has_companions(&self) -> bool {
        self.on_stage().is_some()
    }

    /// Shows all open files on the stage, or only the shown one again. If no other is open, asks for one.
    pub fn toggle_lineup(&mut self) {
        if !self.lineup.members.is_empty() {
            return self.lineup.members.clear();
        }
        match self.files.documents.len() {
            0 => self.notify("Open a file first, then add others to the stage"),
            1 => self.requests.push(Request::Dialog(Dialog::Stage)),
            count => {
                // Including the shown one.
                let first = self.files.current.min(count.saturating_sub(MOST));
                let paths = self.files.documents.iter().skip(first).map(|document| document.path().to_owned());
                self.lineup.members = paths.take(MOST).map(Member::new).collect();
                if count > MOST {
                    self.notify(format!("The stage has room for {MOST} of {count} files"));
                }
            }
        }
    }

    /// Puts the file at `index` of the list on the stage, beside the shown one, or takes it off.
    pub fn toggle_on_stage(&mut self, index: usize) {
        let Some(path) = self.files.documents.get(index).map(|document| document.path().to_owned()) else {
            return;
        };
        match self.lineup.members.iter().position(|member| member.path == path) {
            Some(member) => {
                self.lineup.members.remove(member);
                if self.lineup.members.len() < 2 {
                    self.lineup.members.clear();
                }
            }
            None => self.put_on_stage(vec![path]),
        }
    }

    /// Adds files to the list, unless they are there, and puts them on the stage beside the shown one.
    pub fn add_to_stage(&mut self, paths: Vec<PathBuf>) {
        if self.files.documents.is_empty() {
            return self.open(paths);
        }
        self.files.recent.add(&paths, self.files.loading.waker.as_ref());
        self.files.documents.add(paths.clone(), Origin::Window);
        self.put_on_stage(paths);
    }

    fn put_on_stage(&mut self, paths: Vec<PathBuf>) {
        let current = self.current().map(|document| document.path().to_owned());
        if current.as_ref().is_some_and(|current| !self.lineup.is_shown(current)) {
            // A stage without the shown file was left.
            self.lineup.members.clear();
        }
        for (is_added, path) in
            current.map(|path| (false, path)).into_iter().chain(paths.into_iter().map(|it| (true, it)))
        {
            if self.lineup.is_shown(&path) {
                if is_added {
                    let name = name::file(&path);
                    self.notify(format!(
                        "{name} is on the stage already: each file is shown once, a copy of it again"
                    ));
                }
                continue;
            }
            if self.lineup.members.len() == MOST {
                return self.notify(format!("The stage has room for {MOST} files"));
            }
            self.lineup.members.push(Member::new(path));
        }
        if self.lineup.members.len() < 2 {
            self.lineup.members.clear();
        }
        self.files.has_read = true;
    }

    /// Reads companions, and lets new ones play what the shown file plays. Call it at the beginning of each frame.
    pub fn follow_lineup(&mut self) {
        self.follow_stated_physics();
        if self.lineup.members.is_empty() {
            return;
        }
        let documents = &self.files.documents;
        self.lineup.members.retain(|member| documents.find(&member.path).is_some());
        if self.lineup.members.len() < 2 {
            return self.lineup.members.clear();
        }
        if self.on_stage().is_none() {
            return;
        }
        self.read_companions();
        let animator = &self.playback.animator;
        let name = animator.playback(0).animation().map(|id| animator.model().animation(id).name.to_string());
        let work = self.files.read.limits.frame_work();
        let forces = self.playback.placing.turned(animator.forces());
        let mut areas = Vec::with_capacity(self.lineup.members.len());
        for member in &mut self.lineup.members {
            let index = self.files.documents.find(&member.path);
            let document = index.and_then(|index| self.files.documents.get_mut(index));
            let Some(loaded) = document.and_then(Document::loaded_mut) else {
                areas.push(None);
                continue;
            };
            let placing = Placing::of(&member.spec);
            if index == Some(self.files.current) {
                areas.push(Some(placing.area(shown_content(loaded, animator, work))));
                continue;
            }
            (member.playback.physics, member.playback.stated_physics) =
                (self.playback.physics, member.spec.physics);
            let left = self.places.get(&member.path);
            if member.is_new(&loaded.character) {
                let model = loaded.character.model();
                let stated = || self.lineup.patterns.get(&member.path).map(|patterns| patterns.find(model));
                let left = left.map(|it| it.mesh_patterns.carry(&it.hidden, it.of.model(), model));
                member.hidden = left.or_else(stated).unwrap_or_default().into();
            }
            let skins = left.map(|place| &place.skins[..]);
            member.follow_controls(animator);
            member.follow(loaded, skins, name.as_deref(), work);
            member.playback.apply_physics();
            let own = &mut member.playback.animator;
            own.set_forces(placing.turned(forces));
            areas.push(Some(placing.area(shown_content(loaded, own, work))));
        }
        self.lineup.arrange(&areas);
    }

    /// Reads the files of companions that have changed, and takes over what was read.
    fn read_companions(&mut self) {
        for place in 0..self.lineup.members.len() {
            let member = &mut self.lineup.members[place];
            let Some(index) = self.files.documents.find(&member.path) else { continue };
            let Some(document) = self.files.documents.get_mut(index) else { continue };
            if index == self.files.current {
                member.job = None;
                continue;
            }
            if let Some(outcome) = member.job.as_ref().and_then(Job::take) {
                member.job = None;
                document.finish(outcome);
                self.files.has_read = true;
            }
            if document.is_expired() && member.job.is_none() {
                self.lineup.members[place].job = self.read_beside(index);
            }
        }
    }

    /// Lets time pass for the companions.
    pub fn advance_companions(&mut self, dt_secs: f64) {
        if self.on_stage().is_some() {
            for Member { playback, .. } in &mut self.lineup.members {
                playback.begin_later(dt_secs);
                playback.animator.advance(dt_secs);
            }
        }
    }

    /// Returns true if a companion moves by itself.
    pub fn are_companions_moving(&self) -> bool {
        let path = self.on_stage();
        self.lineup.companions(path).any(|member| member.playback.animator.is_moving())
    }

    /// Returns the seconds until a character on the canvas changes by itself; `None` if none will.
    pub fn secs_to_next_change(&self) -> Option<f64> {
        if self.compare.second.is_some() {
            // The second character changes at other times.
            return Some(0.0);
        }
        let companions = self.lineup.companions(self.on_stage()).map(|member| &member.playback.animator);
        let animators = companions.chain([&self.playback.animator]);
        animators.filter_map(Animator::secs_to_next_change).reduce(f64::min)
    }

    /// Returns what the companions cover, in the coordinates of the shown character.
    pub fn companions_content(&self) -> Option<Rect> {
        let path = self.on_stage()?;
        let areas = self.lineup.companions(Some(path)).filter_map(|member| self.lineup.area_from(path, member));
        areas.reduce(Rect::union)
    }

    /// Returns the characters on the stage and their areas, in the coordinates of the shown character.
    pub fn areas_on_stage(&self) -> Vec<(PathBuf, Rect)> {
        let Some(path) = self.on_stage() else { return Vec::new() };
        let area = |member: &Member| Some((member.path.clone(), self.lineup.area_from(path, member)?));
        self.lineup.members.iter().filter_map(area).collect()
    }

    /// Returns the scenes of the companions beside the shown one.
    pub fn companion_scenes(&mut self, shown: &Scene) -> Vec<Option<Scene>> {
        let Some(path) = self.on_stage().map(Path::to_owned) else { return Vec::new() };
        let origin = self.lineup.place(&path);
        let places: Vec<Vec2> = self.lineup.members.iter().map(|member| self.lineup.place(&member.path)).collect();
        let mut scenes = Vec::with_capacity(places.len());
        for (member, place) in self.lineup.members.iter_mut().zip(places) {
            if member.path == path || !member.playback.has_character {
                continue;
            }
            let animator = &mut member.playback.animator;
            animator.refresh();
            let is_evaluated = animator.shows_physics() || animator.keeps_values();
            let character = Shared::of(animator.character());
            scenes.push(Some(Scene {
                cue: animator.cue().clone(),
                pose: is_evaluated.then(|| Arc::new(animator.pose().clone())),
                hidden: Arc::clone(&member.hidden),
                placing: Placing::of(&member.spec),
                overlays: Default::default(),
                view: moved_view(&shown.view, place - origin),
                character,
                ..shown.clone()
            }));
        }
        scenes
    }

    /// Returns the places of the pictures on the canvas, back to front: the shown one has the first, and companions follow the
    /// second, which is for a comparison.
    pub fn pictures_on_stage(&self) -> Vec<usize> {
        let Some(path) = self.on_stage().filter(|_| !self.blends_on_stage()) else { return vec![0] };
        let mut free = 2..;
        let mut place = |member: &Member| match member.path == path {
            true => Some(0),
            false => member.playback.has_character.then(|| free.next()).flatten(),
        };
        let placed = self.lineup.members.iter().map(|member| (member.spec.order, place(member)));
        let mut places: Vec<_> = placed.collect();
        places.sort_by_key(|(order, _)| *order);
        places.into_iter().filter_map(|(_, place)| place).collect()
    }

    /// Returns how the shown character stands on the stage.
    pub fn shown_placing(&self) -> Placing {
        Placing::of(&self.staged_spec())
    }

    /// Returns the front character that is visible at a point in the coordinates of the shown one.
    pub fn front_at(&mut self, at: Vec2) -> Option<PathBuf> {
        self.standing()?.into_iter().rev().find_map(|OnStage { path, spec, playback, hidden, offset }| {
            let placing = Placing::of(spec);
            let (model, pose) = playback.posed()?;
            let is_visible = placing.tint.light[3] > 0.0
                && Picking::default().sees(model, pose, hidden, placing.inside(at - offset));
            is_visible.then(|| path.to_owned())
        })
    }

    /// Selects the part of the shown character at a point in its coordinates, or shows the companion that is in front there.
    pub fn click(&mut self, at: Vec2, reach: f32) {
        let front = self.front_at(at).filter(|front| Some(&**front) != self.on_stage());
        match front.and_then(|front| self.files.documents.find(&front)) {
            Some(index) => self.select(index),
            None => self.pick(at, reach),
        }
    }

    /// Begins to move the front character at a point in the coordinates of the shown one.
    pub fn begin_move(&mut self, at: Vec2) {
        self.lineup.dragged = self.front_at(at);
        if self.lineup.dragged.is_some() {
            self.hold_view();
        }
    }

    /// Keeps a fitted view from following what is moved on the stage.
    pub fn hold_view(&mut self) {
        self.look(|camera, view| camera.scaled(view, view.scale()));
    }

    /// Moves the dragged character by `delta` units. Returns false if there is none.
    pub fn move_dragged(&mut self, delta: Vec2) -> bool {
        let dragged = self.lineup.dragged.clone().filter(|_| self.on_stage().is_some());
        dragged.iter().for_each(|path| self.move_on_stage(path, delta));
        dragged.is_some()
    }

    /// Moves the character of a file by `delta` units.
    pub fn move_on_stage(&mut self, path: &Path, delta: Vec2) {
        *self.lineup.moved.entry(path.to_owned()).or_default() += delta;
        if self.current().is_some_and(|document| document.path() == path)
            && let Camera::Free { center, .. } = &mut self.canvas.camera
        {
            // The camera is in the coordinates of the shown character; the others stay where they are.
            *center -= delta;
        }
    }

    /// Shows a file that was a companion until now: it plays on, and nothing moves on the stage.
    pub fn join(&mut self, arrival: Arrival) {
        let Arrival { camera, mut animator, later } = arrival;
        self.canvas.camera = camera;
        let shown = &mut self.playback.animator;
        let left = (shown.playback(0).animation(), shown.playback(0).range());
        // If the file has changed since, it is shown as the user left it.
        if self.playback.has_character && Arc::ptr_eq(animator.character(), shown.character()) {
            animator.set_forces(shown.forces());
            *shown = animator;
            self.playback.later = later;
            let (animation, range) = left;
            if range.is_some() && self.playback.animator.playback(0).animation() == animation {
                self.playback.set_range(range);
            }
        }
    }

    /// Puts all characters back in their row.
    pub fn rearrange(&mut self) {
        self.lineup.moved.clear();
        self.lineup.fixed.clear();
        self.canvas.fit();
    }
}

/// Returns the same view for a character whose origin is at `origin`.
fn moved_view(view: &View, origin: Vec2) -> View {
    let corner = view.world_from_pixel(Vec2::ZERO);
    View::new(view.width(), view.height(), corner - origin, view.scale())
}
