//! Many pictures to many files: rendering and encoding overlap, memory stays flat.
//!
//! With the CPU renderer every worker renders a picture on one thread, encodes and writes it:
//! no worker waits for another. With any other renderer the calling thread renders, and the
//! workers encode behind it.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;

use super::{OutputFile, Surface, write_png};
use crate::character::Character;
use crate::cpu;
use crate::draw::{DrawList, Picture, Settings, View};
use crate::error::{Error, Result};
use crate::model::Model;
use crate::motion::{Cue, evaluate};
use crate::pose::Pose;

/// Something that draws.
pub trait Render {
    /// Draws `list` through `view` into `picture`, premultiplied.
    fn render(
        &mut self,
        model: &Model,
        list: &DrawList,
        view: &View,
        settings: Settings,
        picture: &mut Picture,
    ) -> Result<()>;
}

/// What draws the pictures.
pub enum Engine<'a> {
    /// The CPU renderer, once for each worker.
    Cpu(&'a cpu::Renderer),
    /// A renderer that there is only one of.
    Single(&'a mut dyn Render),
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
    /// Write over files that exist.
    pub overwrite: bool,
    /// How many pictures are worked on at once.
    pub jobs: usize,
    /// Set from elsewhere to stop early.
    pub cancelled: &'a AtomicBool,
}

impl Sequence<'_> {
    /// Renders and writes every shot. `written` is told of each file, from any thread.
    ///
    /// After an error nothing new is begun and the first error is returned; files that are
    /// written by then stay, whole. Returns false when it was cancelled.
    pub fn write(&self, engine: Engine<'_>, shots: &[Shot], written: &(dyn Fn() + Sync)) -> Result<bool> {
        let jobs = self.jobs.clamp(1, shots.len().max(1));
        match engine {
            Engine::Cpu(renderer) if jobs == 1 => self.write_in_turn(&mut renderer.clone(), shots, written)?,
            Engine::Cpu(renderer) => self.write_side_by_side(renderer, jobs, shots, written)?,
            Engine::Single(renderer) => self.write_behind(renderer, jobs, shots, written)?,
        }
        Ok(!self.is_cancelled())
    }

    /// Renders one cue and finishes it, without writing it anywhere.
    pub fn picture(&self, engine: Engine<'_>, cue: Cue) -> Result<Picture> {
        let mut frame = Frame::new(self.character);
        match engine {
            Engine::Cpu(renderer) => frame.render(self, &mut renderer.clone(), cue)?,
            Engine::Single(renderer) => frame.render(self, renderer, cue)?,
        }
        self.surface.finish(&mut frame.picture);
        Ok(frame.picture)
    }

    fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    fn write_in_turn(
        &self,
        renderer: &mut cpu::Renderer,
        shots: &[Shot],
        written: &(dyn Fn() + Sync),
    ) -> Result<()> {
        let mut frame = Frame::new(self.character);
        for shot in shots.iter().take_while(|_| !self.is_cancelled()) {
            frame.render(self, renderer, shot.cue)?;
            self.save(&mut frame.picture, shot)?;
            written();
        }
        Ok(())
    }

    fn write_side_by_side(
        &self,
        renderer: &cpu::Renderer,
        jobs: usize,
        shots: &[Shot],
        written: &(dyn Fn() + Sync),
    ) -> Result<()> {
        let next = AtomicUsize::new(0);
        let failed = FirstError::default();
        thread::scope(|scope| {
            for _ in 0..jobs {
                scope.spawn(|| {
                    let mut renderer = renderer.clone().with_threads(cpu::Threads::One);
                    let mut frame = Frame::new(self.character);
                    while !self.is_cancelled() && !failed.is_set() {
                        let Some(shot) = shots.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
                        let saved = frame
                            .render(self, &mut renderer, shot.cue)
                            .and_then(|()| self.save(&mut frame.picture, shot));
                        match saved {
                            Ok(()) => written(),
                            Err(error) => failed.set(error),
                        }
                    }
                });
            }
        });
        failed.into_result()
    }

    fn write_behind(
        &self,
        renderer: &mut dyn Render,
        jobs: usize,
        shots: &[Shot],
        written: &(dyn Fn() + Sync),
    ) -> Result<()> {
        let failed = FirstError::default();
        // Pictures go round: rendered, encoded, and back to be rendered into again.
        let (to_encode, rendered) = mpsc::sync_channel::<(Picture, &Shot)>(jobs);
        let (give_back, free) = mpsc::channel::<Picture>();
        let rendered = Mutex::new(rendered);
        thread::scope(|scope| {
            for _ in 0..jobs {
                let give_back = give_back.clone();
                scope.spawn(|| {
                    let give_back = give_back;
                    loop {
                        let received = rendered.lock().unwrap_or_else(PoisonError::into_inner).recv();
                        let Ok((mut picture, shot)) = received else { break };
                        match self.save(&mut picture, shot) {
                            Ok(()) => written(),
                            Err(error) => failed.set(error),
                        }
                        // Nobody takes it back once rendering is over.
                        let _ = give_back.send(picture);
                    }
                });
            }
            let mut frame = Frame::new(self.character);
            for shot in shots {
                if self.is_cancelled() || failed.is_set() {
                    break;
                }
                frame.picture = free.try_recv().unwrap_or_default();
                match frame.render(self, renderer, shot.cue) {
                    Ok(()) => {
                        // The workers end only after this sender does.
                        let _ = to_encode.send((std::mem::take(&mut frame.picture), shot));
                    }
                    Err(error) => failed.set(error),
                }
            }
            drop(to_encode);
        });
        failed.into_result()
    }

    fn save(&self, picture: &mut Picture, shot: &Shot) -> Result<()> {
        self.surface.finish(picture);
        let mut file = OutputFile::create(&shot.path, self.overwrite)?;
        write_png(picture, &mut file).map_err(|error| Error::io(shot.path.display(), error))?;
        file.finish()
    }
}

/// Everything one worker reuses from picture to picture.
struct Frame {
    pose: Pose,
    list: DrawList,
    picture: Picture,
}

impl Frame {
    fn new(character: &Character) -> Self {
        Self { pose: Pose::for_model(character.model()), list: DrawList::default(), picture: Picture::default() }
    }

    fn render(&mut self, sequence: &Sequence<'_>, renderer: &mut (impl Render + ?Sized), cue: Cue) -> Result<()> {
        let model = sequence.character.model();
        evaluate(sequence.character, &cue, &mut self.pose);
        self.list.build(model, &self.pose, &sequence.view);
        renderer.render(model, &self.list, &sequence.view, sequence.settings, &mut self.picture)
    }
}

impl Render for cpu::Renderer {
    fn render(
        &mut self,
        model: &Model,
        list: &DrawList,
        view: &View,
        settings: Settings,
        picture: &mut Picture,
    ) -> Result<()> {
        Self::render(self, model, list, view, settings, picture);
        Ok(())
    }
}

/// The first error of several threads.
#[derive(Default)]
struct FirstError(Mutex<Option<Error>>);

impl FirstError {
    fn set(&self, error: Error) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
    }

    fn is_set(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    fn into_result(self) -> Result<()> {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
    }
}
