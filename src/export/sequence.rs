//! Many pictures to many files: rendering and encoding overlap, memory stays flat.
//!
//! With the CPU renderer every worker renders a picture, encodes and writes it: no worker waits
//! for another. With any other renderer the calling thread renders, and the workers encode behind it.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;

use super::file::ClosedFile;
use super::plan::{MAX_JOBS, check_animations};
use super::whole::WholeFiles;
use super::{OutputFile, Seen, Surface, write_png};
use crate::character::Character;
use crate::cpu;
use crate::draw::{DrawList, Picture, PictureWork, Settings, View};
use crate::error::{Error, Excess, Place, shown};
use crate::model::{AnimationId, Model, SkinId};
use crate::motion::{Cue, Dynamics, Evaluator, PoseWork};
use crate::pose::Pose;

/// Why pictures could not be made or written.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The renderer gave up.
    #[error("the renderer stopped")]
    Render(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// A file could not be written, or the limits do not allow what it would hold.
    #[error(transparent)]
    File(#[from] Error),
}

/// A renderer that draws a picture while the one before it is fetched.
pub trait Pipeline {
    /// Begins to draw `list` through `view`.
    fn submit(
        &mut self,
        model: &Model,
        list: &DrawList,
        view: &View,
        settings: Settings,
    ) -> Result<(), ExportError>;

    /// Waits for the picture that was submitted first, premultiplied.
    fn receive(&mut self, picture: &mut Picture) -> Result<(), ExportError>;
}

/// What draws the pictures.
pub enum Engine<'a> {
    /// The CPU renderer, once for each worker.
    Cpu(&'a cpu::Renderer),
    /// A renderer that there is only one of.
    Pipeline(&'a mut dyn Pipeline),
}

impl Engine<'_> {
    /// The CPU renderer, if it is one.
    pub(super) fn cpu(&self) -> Option<&cpu::Renderer> {
        match self {
            Self::Cpu(renderer) => Some(renderer),
            Self::Pipeline(_) => None,
        }
    }
}

/// One picture of a sequence and the file it goes to.
#[derive(Debug, Clone)]
pub struct Shot {
    /// What is shown.
    pub cue: Cue,
    /// Where it is written.
    pub path: PathBuf,
}

/// How a sequence is written.
///
/// Its methods refuse cues of another character, and pictures that are larger than the renderer draws. They panic where the
/// renderer is of another model.
#[derive(Debug)]
pub struct Sequence<'a> {
    /// What is shown.
    pub character: &'a Character,
    /// The part of the world, one for all pictures.
    pub view: View,
    /// How it is drawn.
    pub settings: Settings,
    /// What becomes of each picture.
    pub surface: Surface,
    /// What the file says swings does, in every picture as if it had been played up to it.
    pub physics: bool,
    /// Marks for the bones lie over the character.
    pub bones: bool,
    /// Write over files that exist.
    pub overwrite: bool,
    /// How many pictures are worked on at once; more than 64 are 64.
    pub jobs: usize,
    /// How much work one picture may take: see [`Limits::work`](crate::limits::Limits::work).
    pub work: u64,
    /// Looks at every picture as it was rendered.
    pub seen: Option<&'a Seen>,
    /// Set from elsewhere to stop early.
    pub cancelled: &'a AtomicBool,
}

impl Sequence<'_> {
    /// Renders and writes every shot. `written` is told of each file, from any thread.
    ///
    /// After an error nothing new is begun and the first error is returned; files that are
    /// written by then stay, whole. Returns false when it was cancelled.
    pub fn write(
        &self,
        engine: Engine<'_>,
        shots: &[Shot],
        written: &(dyn Fn(&Shot) + Sync),
    ) -> Result<bool, ExportError> {
        self.write_each(engine, shots, &|shot, file| {
            file.finish()?;
            written(shot);
            Ok(())
        })
    }

    /// [`Self::write`] with every file in `whole`, which puts them in their places when all of them are there.
    pub(super) fn write_into(
        &self,
        engine: Engine<'_>,
        shots: &[Shot],
        whole: &WholeFiles,
        worked: &(dyn Fn() + Sync),
    ) -> Result<bool, ExportError> {
        self.write_each(engine, shots, &|shot, file| {
            whole.add(&shot.path, file);
            worked();
            Ok(())
        })
    }

    fn write_each(&self, engine: Engine<'_>, shots: &[Shot], done: Done<'_>) -> Result<bool, ExportError> {
        self.check(engine.cpu(), shots.iter().map(|shot| &shot.cue))?;
        let jobs = self.jobs_of(shots.len());
        match engine {
            Engine::Cpu(renderer) => self.write_side_by_side(renderer, jobs, shots, done)?,
            Engine::Pipeline(renderer) => self.write_behind(renderer, jobs, shots, done)?,
        }
        Ok(!self.is_cancelled())
    }

    /// [`Self::write`] where a renderer that gives up, as when its device is lost, is no reason to stop:
    /// `fall_back` is told what happened and gives the one that draws what is left.
    pub fn write_or_fall_back(
        &self,
        renderer: &mut dyn Pipeline,
        shots: &[Shot],
        written: &(dyn Fn(&Shot) + Sync),
        fall_back: impl FnOnce(&ExportError) -> cpu::Renderer,
    ) -> Result<bool, ExportError> {
        let done = Mutex::new(HashSet::new());
        let remember = |shot: &Shot| {
            done.lock().unwrap_or_else(PoisonError::into_inner).insert(shot.path.clone());
            written(shot);
        };
        let result = self.write(Engine::Pipeline(renderer), shots, &remember);
        let Err(error @ ExportError::Render(_)) = result else { return result };
        let done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        let left: Vec<Shot> = shots.iter().filter(|shot| !done.contains(&shot.path)).cloned().collect();
        self.write(Engine::Cpu(&fall_back(&error)), &left, written)
    }

    /// Renders one cue and finishes it, without writing it anywhere.
    pub fn picture(&self, engine: Engine<'_>, cue: Cue) -> Result<Picture, ExportError> {
        self.check(engine.cpu(), [&cue])?;
        let mut frame = Frame::new(self);
        frame.prepare(&cue)?;
        match engine {
            Engine::Cpu(renderer) => frame.render(&mut renderer.clone()),
            Engine::Pipeline(renderer) => {
                frame.submit(renderer)?;
                renderer.receive(&mut frame.picture)?;
            }
        }
        self.look(&cue, &frame.picture);
        self.surface.finish(&mut frame.picture);
        Ok(frame.picture)
    }

    pub(super) fn look(&self, cue: &Cue, picture: &Picture) {
        if let Some(seen) = self.seen {
            seen.look(cue, picture);
        }
    }

    /// Refuses cues of another character, and pictures that are too large for a CPU renderer. Other renderers refuse them
    /// by themselves. A renderer of another model panics here and not on a thread of its own.
    pub(super) fn check<'c>(
        &self,
        renderer: Option<&cpu::Renderer>,
        cues: impl IntoIterator<Item = &'c Cue>,
    ) -> Result<(), ExportError> {
        let model = self.character.model();
        check_animations(model, cues.into_iter().flat_map(Cue::animations))?;
        if let Some(renderer) = renderer {
            renderer.expect_of(model);
            renderer.check_size(&self.view, self.settings.antialias)?;
        }
        Ok(())
    }

    /// Refuses pictures without pixels.
    pub(super) fn check_pixels(&self) -> Result<(), ExportError> {
        let (width, height) = (self.view.width(), self.view.height());
        if width > 0 && height > 0 {
            return Ok(());
        }
        let message = format!("a picture of {width}×{height} has no pixels");
        Err(Error::misuse("empty-picture", message).into())
    }

    /// How many of so many pictures are worked on at once.
    pub(super) fn jobs_of(&self, pictures: usize) -> usize {
        self.jobs.min(MAX_JOBS).clamp(1, pictures.max(1))
    }

    pub(super) fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    fn write_side_by_side(
        &self,
        renderer: &cpu::Renderer,
        jobs: usize,
        shots: &[Shot],
        done: Done<'_>,
    ) -> Result<(), ExportError> {
        // Alone, a worker may have every core for its picture.
        let threads = if jobs == 1 { cpu::Threads::All } else { cpu::Threads::One };
        let next = AtomicUsize::new(0);
        let failed = FirstError::default();
        let work = || {
            let mut renderer = renderer.clone().with_threads(threads);
            let mut frame = Frame::new(self);
            while !self.is_cancelled() && !failed.is_set() {
                let Some(shot) = shots.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
                let drawn = frame.prepare(&shot.cue).and_then(|()| {
                    frame.render(&mut renderer);
                    self.save(&mut frame.picture, shot)
                });
                if let Err(error) = drawn.and_then(|file| done(shot, file)) {
                    failed.set(error);
                }
            }
        };
        thread::scope(|scope| (0..jobs).for_each(|_| drop(scope.spawn(work))));
        failed.into_result()
    }

    fn write_behind(
        &self,
        renderer: &mut dyn Pipeline,
        jobs: usize,
        shots: &[Shot],
        done: Done<'_>,
    ) -> Result<(), ExportError> {
        let failed = FirstError::default();
        // Pictures go round: rendered, encoded, and back to be rendered into again.
        let (to_encode, rendered) = mpsc::sync_channel::<(Picture, &Shot)>(jobs);
        let (give_back, free) = mpsc::channel::<Picture>();
        let rendered = Mutex::new(rendered);
        let encode = |give_back: mpsc::Sender<Picture>| {
            loop {
                let received = rendered.lock().unwrap_or_else(PoisonError::into_inner).recv();
                let Ok((mut picture, shot)) = received else { break };
                if let Err(error) = self.save(&mut picture, shot).and_then(|file| done(shot, file)) {
                    failed.set(error);
                }
                // Nobody takes it back once rendering is over.
                let _ = give_back.send(picture);
            }
        };
        let encode = &encode;
        thread::scope(|scope| {
            for _ in 0..jobs {
                let give_back = give_back.clone();
                scope.spawn(move || encode(give_back));
            }
            let items = shots.iter().map(|shot| (shot, shot.cue.clone()));
            let go_on = |_: &&Shot| !self.is_cancelled() && !failed.is_set();
            let drawn = self.draw_ahead(renderer, items, go_on, |renderer, shot| {
                let mut picture = free.try_recv().unwrap_or_default();
                renderer.receive(&mut picture)?;
                // The workers end only after this sender does.
                let _ = to_encode.send((picture, shot));
                Ok(())
            });
            if let Err(error) = drawn {
                failed.set(error);
            }
            drop(to_encode);
        });
        failed.into_result()
    }

    /// Submits every cue and has each received once the next one is submitted, as long as it may `go_on`.
    pub(super) fn draw_ahead<I>(
        &self,
        renderer: &mut dyn Pipeline,
        items: impl Iterator<Item = (I, Cue)>,
        mut go_on: impl FnMut(&I) -> bool,
        mut receive: impl FnMut(&mut dyn Pipeline, I) -> Result<(), ExportError>,
    ) -> Result<(), ExportError> {
        let mut frame = Frame::new(self);
        let mut submitted: Option<I> = None;
        for (item, cue) in items {
            if !go_on(&item) {
                break;
            }
            frame.prepare(&cue)?;
            frame.submit(renderer)?;
            if let Some(before) = submitted.replace(item) {
                receive(renderer, before)?;
            }
        }
        submitted.map_or(Ok(()), |last| receive(renderer, last))
    }

    fn save(&self, picture: &mut Picture, shot: &Shot) -> Result<ClosedFile, ExportError> {
        self.look(&shot.cue, picture);
        self.surface.finish(picture);
        let mut file = OutputFile::create(&shot.path, self.overwrite)?;
        write_png(picture, &mut file).map_err(|error| Error::io(shot.path.display(), error))?;
        Ok(file.close()?)
    }
}

/// Told of every file that is written, before it is in its place.
type Done<'a> = &'a (dyn Fn(&Shot, ClosedFile) -> Result<(), ExportError> + Sync);

/// Everything one worker reuses from picture to picture.
pub(super) struct Frame<'a> {
    sequence: &'a Sequence<'a>,
    /// Pictures that follow one another share their steps, and none depends on those before it.
    evaluator: Evaluator,
    pose: Pose,
    list: DrawList,
    meter: Meter,
    work: PictureWork,
    pub(super) picture: Picture,
}

impl<'a> Frame<'a> {
    pub(super) fn new(sequence: &'a Sequence<'a>) -> Self {
        let pose = Pose::for_model(sequence.character.model());
        let evaluator = Evaluator::with_dynamics(sequence.physics.then(Dynamics::default));
        let (list, meter, work, picture) = Default::default();
        Self { sequence, evaluator, pose, list, meter, work, picture }
    }

    /// Makes everything ready that is drawn at `cue`. Refuses a picture that takes more work than one may.
    pub(super) fn prepare(&mut self, cue: &Cue) -> Result<(), ExportError> {
        let Sequence { character, view, work, .. } = self.sequence;
        let of_pose = self.meter.pose(character, cue);
        check_picture(character.model(), cue, of_pose, *work)?;
        self.evaluator.evaluate(character, cue, &mut self.pose);
        self.list.build(character.model(), &self.pose, view);
        if self.sequence.bones {
            self.list.add_bones(character.model(), &self.pose, view);
        }
        let left = work.saturating_sub(of_pose);
        let of_list = self.work.of(&self.list, character.model(), view, left);
        Ok(check_picture(character.model(), cue, of_pose.saturating_add(of_list), *work)?)
    }

    pub(super) fn render(&mut self, renderer: &mut cpu::Renderer) {
        let Sequence { character, view, settings, .. } = self.sequence;
        renderer.render(character.model(), &self.list, view, *settings, &mut self.picture);
    }

    fn submit(&self, renderer: &mut (impl Pipeline + ?Sized)) -> Result<(), ExportError> {
        let Sequence { character, view, settings, .. } = self.sequence;
        renderer.submit(character.model(), &self.list, view, *settings)
    }
}

/// What a pose takes, counted again only where something else is played.
#[derive(Default)]
struct Meter(Option<(Option<AnimationId>, Vec<SkinId>, u64)>);

impl Meter {
    fn pose(&mut self, character: &Character, cue: &Cue) -> u64 {
        match &self.0 {
            Some((animation, skins, work)) if (*animation, skins) == (cue.animation, &cue.skins) => *work,
            _ => {
                let work = PoseWork::new(character, &cue.skins).of(character, cue.animation);
                self.0 = Some((cue.animation, cue.skins.clone(), work));
                work
            }
        }
    }
}

/// Refuses a picture that takes more work than is allowed.
fn check_picture(model: &Model, cue: &Cue, asked: u64, allowed: u64) -> Result<(), Error> {
    if asked <= allowed {
        return Ok(());
    }
    let path = cue.animation.map_or("a picture of the bind pose".to_owned(), |id| {
        format!("a picture of `{}`", shown(&model.animation(id).name))
    });
    let place = Place { path, ..Place::default() };
    Err(Error::LimitExceeded(Box::new(Excess { place, limit: "work", asked, allowed })))
}

#[cfg(feature = "gpu")]
impl Pipeline for crate::gpu::Headless {
    fn submit(
        &mut self,
        model: &Model,
        list: &DrawList,
        view: &View,
        settings: Settings,
    ) -> Result<(), ExportError> {
        Self::submit(self, model, list, view, settings).map_err(|error| ExportError::Render(error.into()))
    }

    fn receive(&mut self, picture: &mut Picture) -> Result<(), ExportError> {
        Self::receive(self, picture).map_err(|error| ExportError::Render(error.into()))
    }
}

/// The first error of several threads.
#[derive(Default)]
struct FirstError(Mutex<Option<ExportError>>);

impl FirstError {
    fn set(&self, error: ExportError) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
    }

    fn is_set(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    fn into_result(self) -> Result<(), ExportError> {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
    }
}
