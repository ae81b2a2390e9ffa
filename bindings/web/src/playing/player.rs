//! One character that plays, and what is drawn of it.

use std::sync::Arc;

use pchr::Error;
use pchr::cpu::Renderer;
use pchr::draw::{Antialias, Batches, DrawList, Overlay, Overlays, Picture, PictureWork, Settings, View};
use pchr::error::{Excess, Place};
use pchr::limits::Limits;
use pchr::math::{Rect, Vec2, vec2};
use pchr::model::{AnimationId, Blend, BoneId, Select};
use pchr::motion::{Overview, PoseWork, ik_targets, plays_physics};
use pchr::player::{LoopMode, PlaySettings};
use pchr::pose::Pose;
use pchr::{Animator, Result};

use super::answers::{Hit, Playing, Target, events, finite};
use super::characters::{Character, Ids};
use super::pose_bytes;

/// Units of work that a pose may take, about half a nanosecond each: with more, the page would not answer.
const MAX_POSE_WORK: u64 = 1 << 28;

/// Pictures of more units of work are drawn by the CPU renderer, in a worker, rather than by WebGL without a GPU, which takes
/// no less time and lets the page wait.
const HEAVY_WORK: u64 = 1 << 26;

/// An animator, a view and the memory of drawing.
pub struct Player {
    animator: Animator,
    ids: Arc<Ids>,
    /// The targets of inverse kinematics.
    targets: Vec<BoneId>,
    view: View,
    overlays: Overlays,
    list: DrawList,
    batches: Batches,
    table: Table,
    /// Made when the CPU draws first, because it keeps the pages in its own form.
    renderer: Option<Renderer>,
    picture: Picture,
    /// The pose of another module.
    received: Pose,
    work: PictureWork,
}

/// Batches as numbers.
#[derive(Default)]
struct Table {
    batches: Vec<[u32; 5]>,
    clips: Vec<[u32; 2]>,
    head: [u32; 11],
}

impl Player {
    pub fn new(character: &Character) -> Self {
        Self {
            animator: Animator::new(Arc::clone(&character.shared)),
            ids: Arc::clone(&character.ids),
            targets: ik_targets(&character.shared),
            view: View::new(1, 1, Vec2::ZERO, 1.0),
            overlays: Overlays::default(),
            list: DrawList::default(),
            batches: Batches::default(),
            table: Table::default(),
            renderer: None,
            picture: Picture::default(),
            received: Pose::default(),
            work: PictureWork::default(),
        }
    }

    pub fn animator(&self) -> &Animator {
        &self.animator
    }

    pub fn view(&self) -> &View {
        &self.view
    }

    pub fn pose(&self) -> &Pose {
        self.animator.pose()
    }

    /// Plays an animation, or queues it with a delay; `input` is its settings and its name in two lines.
    pub fn play(&mut self, input: &str, track: usize, delay: Option<f64>) -> Result<i32> {
        let (changes, name) = input.split_once('\n').unwrap_or((input, ""));
        // Checked before anything plays.
        let mut settings = PlaySettings { fade_secs: self.animator.fade_secs(), ..PlaySettings::default() };
        settings.set(changes)?;
        if name.is_empty() {
            let secs = settings.fade_secs;
            match delay {
                Some(delay) => self.animator.queue_fade_out(track, secs, delay),
                None => self.animator.fade_out(track, secs),
            }
            return Ok(0);
        }
        let animation: AnimationId = name.select(self.animator.model())?;
        let work = PoseWork::new(self.animator.character(), self.animator.skins())
            .of(self.animator.character(), Some(animation));
        within(work, MAX_POSE_WORK, "the pose")?;
        let playback = match delay {
            Some(delay) => self.animator.queue_on(track, animation, delay)?,
            None => self.animator.play_on(track, animation)?,
        };
        let mut settings = playback.settings();
        settings.set(changes)?;
        playback.apply(&settings);
        Ok(0)
    }

    pub fn stop(&mut self, track: i32, secs: f64) -> Result<i32> {
        match usize::try_from(track) {
            Ok(track) if secs.is_nan() => self.animator.stop_track(track),
            Ok(track) => self.animator.fade_out(track, secs),
            Err(_) => self.animator.stop(),
        }
        self.refresh()
    }

    pub fn seek(&mut self, secs: f64) -> Result<i32> {
        if let Some(playback) = self.animator.playback_mut(0) {
            playback.seek_secs(secs);
        }
        self.refresh()
    }

    /// Moves track 0 to the frame that a still picture of its animation shows.
    pub fn seek_still(&mut self) -> Result<i32> {
        let (animator, work) = (&self.animator, Limits::default().first_picture_work());
        let animation = animator.playback(0).animation();
        let overview = Overview::of(animator.character(), &[animation], animator.skins(), false, work);
        let frame = f64::from(overview.first_frame(animation));
        self.seek(animation.map_or(0.0, |id| self.animator.model().animation(id).seconds_at(frame)))
    }

    pub fn set(&mut self, speed: f64, fade: f64, loop_mode: u32, physics: u32) -> Result<i32> {
        self.animator.set_speed(speed);
        self.animator.set_fade_secs(fade);
        self.animator.set_loop_mode(LoopMode::ALL.get(loop_mode as usize).copied().unwrap_or_default());
        let wanted = match physics {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        };
        let physics = plays_physics(self.animator.character(), wanted);
        if physics != self.animator.shows_physics() {
            self.animator.set_physics(physics);
        }
        Ok(0)
    }

    pub fn set_skins(&mut self, names: &str) -> Result<i32> {
        if names.is_empty() {
            let initial = pchr::motion::initial_skins(self.animator.character());
            self.animator.set_skins(initial)?;
        } else if names == "none" && self.animator.model().find_skin(names).is_none() {
            self.animator.clear_skins();
        } else {
            self.animator.set_skins(names.lines())?;
        }
        self.refresh()
    }

    pub fn set_attachment(&mut self, names: &str, release: bool) -> Result<i32> {
        let (slot, attachment) = names.split_once('\n').unwrap_or((names, ""));
        match release {
            true => self.animator.release_slot(slot)?,
            false => self.animator.set_attachment(slot, Some(attachment).filter(|name| !name.is_empty()))?,
        }
        self.refresh()
    }

    pub fn move_bone(&mut self, name: &str, [x, y]: [f32; 2]) -> Result<i32> {
        match x.is_finite() && y.is_finite() {
            true => self.animator.move_bone(name, vec2(x, y))?,
            false if name.is_empty() => self.animator.release_bones(),
            false => self.animator.release_bone(name)?,
        }
        self.refresh()
    }

    /// The events as JSON; empty if there are none.
    pub fn update(&mut self, secs: f64) -> Vec<u8> {
        self.animator.update(secs);
        events(self.animator.character(), self.animator.events())
    }

    pub fn refresh(&mut self) -> Result<i32> {
        self.animator.refresh();
        Ok(0)
    }

    pub fn playing(&self) -> Playing {
        let model = self.animator.model();
        let playback = self.animator.playback(0);
        Playing {
            animation: playback.animation().map(|id| model.animation(id).name.clone()),
            duration: finite(playback.duration_secs()),
            ended: self.animator.is_finished(0),
            skins: self.animator.skins().iter().map(|&id| model.skin(id).name.to_string()).collect(),
        }
    }

    /// The index of what track 0 plays; -1: nothing.
    pub fn animation(&self) -> i32 {
        self.animator.playback(0).animation().map_or(-1, |id| id.index() as i32)
    }

    pub fn time(&self) -> f64 {
        finite(self.animator.playback(0).seconds())
    }

    /// True if time changes what is shown, physics included.
    pub fn is_moving(&self) -> bool {
        self.animator.is_moving() || self.animator.shows_physics()
    }

    pub fn set_view(&mut self, [width, height]: [u32; 2], [left, bottom, right, top]: [f32; 4]) -> Result<i32> {
        let area = Rect { min: vec2(left, bottom), max: vec2(right, top) };
        self.view = View::fit(width, height, area);
        Ok(0)
    }

    /// Shows the overlays that `names` lists, one a line, in the words of `--show`; `weights=` names a bone.
    pub fn show(&mut self, names: &str) -> Result<i32> {
        let mut overlays = Overlays::default();
        for line in names.lines() {
            let (name, value) = line.split_once('=').map_or((line, None), |(name, value)| (name, Some(value)));
            let overlay = Overlay::ALL.into_iter().find(|overlay| overlay.name() == name).ok_or_else(|| {
                let message =
                    format!("there is no overlay `{name}`; `--show` in the help of `pchr-view` lists them");
                Error::misuse("no-overlay", message)
            })?;
            match (overlay, value) {
                // Ghosts are poses of other frames, which nobody evaluates here.
                (Overlay::Onion, _) => return Err(Error::misuse("no-overlay", "the player cannot show `onion`")),
                (Overlay::Weights, Some(bone)) if !bone.is_empty() => overlays.bone = Some(self.bone(bone)?),
                (Overlay::Weights, _) => {
                    let message = "expected a bone, as in weights=arm or weights=#3";
                    return Err(Error::misuse("bad-overlay", message));
                }
                (_, None) => {}
                (_, Some(_)) => return Err(Error::misuse("bad-overlay", format!("{name} takes no value"))),
            }
            overlays.set(overlay, true);
        }
        self.overlays = overlays;
        Ok(0)
    }

    /// The bone of this name, or `#index`.
    fn bone(&self, name: &str) -> Result<BoneId> {
        let by_index = || self.ids.bones.get(name.strip_prefix('#')?.parse::<usize>().ok()?).copied();
        Ok(name.select(self.animator.model()).or_else(|unknown| by_index().ok_or(unknown))?)
    }

    /// The active targets of inverse kinematics.
    pub fn targets(&self) -> Vec<Target> {
        let (pose, bones) = (self.animator.pose(), self.animator.model().skeleton().bones());
        let is_active = |bone: &&BoneId| pose.inactive_bones.binary_search(bone).is_err();
        let target = |bone: &BoneId| {
            let at = pose.world_from_bone.get(bone.index())?.translation;
            Some(Target { bone: bones.get(bone.index())?.name.to_string(), x: at.x, y: at.y })
        };
        self.targets.iter().filter(is_active).filter_map(target).collect()
    }

    pub fn hit(&self, [x, y]: [f32; 2]) -> Hit {
        let at = self.view.world_from_pixel(vec2(x, y));
        let slot = self.animator.hit(at).map(|slot| self.animator.model().slot(slot).name.to_string());
        Hit { slot, x: at.x, y: at.y }
    }

    /// Makes the triangles, and returns the address of the table of [`super::pchr_batches`].
    pub fn batches(&mut self) -> Result<*const u32> {
        self.build_list();
        let is_heavy = self.check_work()?;
        self.batches.build(self.animator.model(), &self.list);
        let Self { batches, table, .. } = self;
        table.batches.clear();
        table.batches.extend(batches.batches().iter().map(|batch| {
            let blend = match batch.blend {
                Blend::Normal | Blend::Additive => 0,
                Blend::Multiply => 1,
                Blend::Screen => 2,
            };
            let page = batch.page.map_or(0, |page| page.index() as u32 + 1);
            let clip = batch.clip.map_or(0, |clip| clip + 1);
            [page, blend, clip, batch.indices.start, batch.indices.end - batch.indices.start]
        }));
        table.clips.clear();
        table
            .clips
            .extend(batches.clips().iter().map(|clip| [clip.points.start, clip.points.end - clip.points.start]));
        table.head = [
            batches.vertices().as_ptr() as u32,
            batches.vertices().len() as u32,
            batches.indices().as_ptr() as u32,
            batches.indices().len() as u32,
            table.batches.as_ptr() as u32,
            table.batches.len() as u32,
            table.clips.as_ptr() as u32,
            table.clips.len() as u32,
            batches.clip_points().as_ptr() as u32,
            batches.clip_points().len() as u32,
            is_heavy.into(),
        ];
        Ok(table.head.as_ptr())
    }

    /// Refuses a picture that takes more work than a frame in the window may, antialiasing included. Returns true if it is a
    /// heavy one.
    fn check_work(&mut self) -> Result<bool> {
        let samples = u64::from(Antialias::for_scale(self.view.scale()).supersampling().pow(2));
        let Self { work, list, animator, view, .. } = self;
        let mut work_up_to =
            |most: u64| work.of(list, animator.model(), view, most / samples).saturating_mul(samples);
        if work_up_to(HEAVY_WORK) <= HEAVY_WORK {
            return Ok(false);
        }
        let allowed = Limits::default().frame_work();
        within(work_up_to(allowed), allowed, "the picture").map(|()| true)
    }

    fn build_list(&mut self) {
        self.animator.build_draw_list(&self.view, &mut self.list);
        self.list.add_overlays(self.animator.model(), self.animator.pose(), &self.view, self.overlays);
    }

    /// Draws the present pose, or one of another module, on the CPU. Returns straight RGBA.
    pub fn paint(&mut self, pose: Option<&[u8]>) -> Result<&[u8]> {
        match pose {
            None => self.build_list(),
            Some(bytes) => {
                pose_bytes::read(bytes, &self.ids, &mut self.received)
                    .ok_or_else(|| Error::misuse("bad-pose", "the pose is of another character"))?;
                let model = self.animator.model();
                self.list.build(model, &self.received, &self.view);
                self.list.add_overlays(model, &self.received, &self.view, self.overlays);
            }
        }
        self.rasterize()?;
        Ok(self.picture.pixels())
    }

    /// Draws `pose` on the CPU, without overlays. Returns straight RGBA.
    pub fn paint_pose(&mut self, pose: &Pose) -> Result<&[u8]> {
        self.list.build(self.animator.model(), pose, &self.view);
        self.rasterize()?;
        Ok(self.picture.pixels())
    }

    fn rasterize(&mut self) -> Result<()> {
        self.check_work()?;
        let model = self.animator.model();
        let renderer = self.renderer.get_or_insert_with(|| Renderer::new(model));
        let antialias = Antialias::for_scale(self.view.scale());
        renderer.check_size(&self.view, antialias)?;
        let settings = Settings { antialias, ..Settings::default() };
        renderer.render(model, &self.list, &self.view, settings, &mut self.picture);
        self.picture.keep_light();
        self.picture.unpremultiply();
        Ok(())
    }
}

/// Refuses what takes more work than it may.
fn within(asked: u64, allowed: u64, what: &str) -> Result<()> {
    if asked <= allowed {
        return Ok(());
    }
    let place = Place { path: what.to_owned(), ..Place::default() };
    Err(Error::LimitExceeded(Box::new(Excess { place, limit: "work", asked, allowed })))
}
