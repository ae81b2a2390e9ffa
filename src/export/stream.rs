//! Many pictures to one place: rendered and encoded side by side, handed over in their order, memory flat.
//!
//! Whoever finishes the picture that is next hands it over, and those after it that wait already. Nobody
//! begins a picture that is too far ahead, so that only a few ever wait.

use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;

use super::sequence::Frame;
use super::{Engine, ExportError, Pipeline, Sequence};
use crate::cpu;
use crate::draw::Picture;
use crate::error::Error;
use crate::motion::Cue;

/// Told why a renderer gave up, gives the one that draws what is left.
pub type FallBack<'a> = &'a mut dyn FnMut(&ExportError) -> cpu::Renderer;

/// What draws a stream, also when it is drawn more than once.
pub struct Drawing<'a> {
    engine: Engine<'a>,
    fall_back: Option<FallBack<'a>>,
    /// What draws since the engine gave up.
    fallen_back: Option<cpu::Renderer>,
}

impl<'a> Drawing<'a> {
    /// Draws with `engine`. With `fall_back` an engine that gives up, as when its device is lost, is no reason
    /// to stop.
    pub fn new(engine: Engine<'a>, fall_back: Option<FallBack<'a>>) -> Self {
        Self { engine, fall_back, fallen_back: None }
    }

    /// The CPU renderer that draws now, if one does.
    pub(super) fn cpu(&self) -> Option<&cpu::Renderer> {
        self.fallen_back.as_ref().or(self.engine.cpu())
    }

    /// What draws now, where the engine gave up.
    pub fn into_fallen_back(self) -> Option<cpu::Renderer> {
        self.fallen_back
    }
}

impl Sequence<'_> {
    /// Renders every cue, lets `work` make something of each picture on any thread, and hands what it made to
    /// `sink` in the order of the cues. `work` gets the picture as it was rendered, premultiplied.
    ///
    /// The first error ends it; errors of `work` and `sink` are told of `place`. Returns false when it was
    /// cancelled.
    pub fn stream<T: Send>(
        &self,
        drawing: &mut Drawing<'_>,
        cues: &[Cue],
        place: &str,
        work: &(dyn Fn(usize, &mut Picture) -> io::Result<T> + Sync),
        sink: &mut (dyn FnMut(T) -> io::Result<()> + Send),
    ) -> Result<bool, ExportError> {
        self.check(drawing.cpu(), cues)?;
        let jobs = self.jobs_of(cues.len());
        let work = &|index: usize, picture: &mut Picture| {
            self.look(&cues[index], picture);
            work(index, picture)
        };
        let mut turnstile = Turnstile::new(place, jobs, sink);
        let engine = match (&drawing.fallen_back, &mut drawing.engine) {
            (Some(renderer), _) => Engine::Cpu(renderer),
            (None, Engine::Cpu(renderer)) => Engine::Cpu(renderer),
            (None, Engine::Pipeline(renderer)) => Engine::Pipeline(&mut **renderer),
        };
        match engine {
            Engine::Cpu(renderer) => self.stream_side_by_side(renderer, jobs, cues, work, &turnstile),
            Engine::Pipeline(renderer) => self.stream_behind(renderer, jobs, cues, work, &turnstile),
        }
        if let Some(fall_back) = &mut drawing.fall_back
            && let Some(error) = turnstile.render_error()
        {
            let renderer = drawing.fallen_back.insert(fall_back(&error));
            self.check(Some(renderer), [])?;
            turnstile.reopen();
            self.stream_side_by_side(renderer, jobs, cues, work, &turnstile);
        }
        turnstile.into_result()?;
        Ok(!self.is_cancelled())
    }

    fn stream_side_by_side<T: Send>(
        &self,
        renderer: &cpu::Renderer,
        jobs: usize,
        cues: &[Cue],
        work: &(dyn Fn(usize, &mut Picture) -> io::Result<T> + Sync),
        turnstile: &Turnstile<'_, T>,
    ) {
        // Alone, a worker may have every core for its picture.
        let threads = if jobs == 1 { cpu::Threads::All } else { cpu::Threads::One };
        let next = AtomicUsize::new(turnstile.next());
        let draw = || {
            let _guard = StopInPanic(turnstile);
            let mut renderer = renderer.clone().with_threads(threads);
            let mut frame = Frame::new(self);
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(cue) = cues.get(index) else { break };
                if self.is_cancelled() {
                    turnstile.stop();
                }
                if !turnstile.admit(index) {
                    break;
                }
                if let Err(error) = frame.prepare(cue) {
                    turnstile.fail(error);
                    break;
                }
                frame.render(&mut renderer);
                turnstile.pass(index, work(index, &mut frame.picture));
            }
        };
        thread::scope(|scope| (0..jobs).for_each(|_| drop(scope.spawn(draw))));
    }

    fn stream_behind<T: Send>(
        &self,
        renderer: &mut dyn Pipeline,
        jobs: usize,
        cues: &[Cue],
        work: &(dyn Fn(usize, &mut Picture) -> io::Result<T> + Sync),
        turnstile: &Turnstile<'_, T>,
    ) {
        // Pictures go round: rendered, encoded, and back to be rendered into again.
        let (to_encode, rendered) = mpsc::sync_channel::<(Picture, usize)>(jobs);
        let (give_back, free) = mpsc::channel::<Picture>();
        let rendered = Mutex::new(rendered);
        let encode = |give_back: mpsc::Sender<Picture>| {
            let _guard = StopInPanic(turnstile);
            loop {
                let received = rendered.lock().unwrap_or_else(PoisonError::into_inner).recv();
                let Ok((mut picture, index)) = received else { break };
                turnstile.pass(index, work(index, &mut picture));
                // Nobody takes it back once rendering is over.
                let _ = give_back.send(picture);
            }
        };
        let encode = &encode;
        thread::scope(|scope| {
            // Owned in here, so that the workers end whatever happens.
            let to_encode = to_encode;
            for _ in 0..jobs {
                let give_back = give_back.clone();
                scope.spawn(move || encode(give_back));
            }
            let items = cues.iter().cloned().enumerate().skip(turnstile.next());
            let drawn = self.draw_ahead(
                renderer,
                items,
                |&index| !self.is_cancelled() && turnstile.admit(index),
                |renderer, index| {
                    let mut picture = free.try_recv().unwrap_or_default();
                    renderer.receive(&mut picture)?;
                    // The workers end only after this sender does.
                    let _ = to_encode.send((picture, index));
                    Ok(())
                },
            );
            if let Err(error) = drawn {
                turnstile.fail(error);
            }
        });
    }
}

/// Brings what workers made into its order.
struct Turnstile<'a, T> {
    place: &'a str,
    /// How far ahead of the next one a picture may be begun.
    window: usize,
    state: Mutex<State<'a, T>>,
    moved: Condvar,
}

struct State<'a, T> {
    /// What is handed over next.
    next: usize,
    /// What was made too early.
    waiting: BTreeMap<usize, T>,
    sink: &'a mut (dyn FnMut(T) -> io::Result<()> + Send),
    failed: Option<ExportError>,
    stopped: bool,
}

impl<'a, T> Turnstile<'a, T> {
    fn new(place: &'a str, jobs: usize, sink: &'a mut (dyn FnMut(T) -> io::Result<()> + Send)) -> Self {
        let state = State { next: 0, waiting: BTreeMap::new(), sink, failed: None, stopped: false };
        // Room for one being drawn and one waiting for each worker, and for the two that a pipeline holds.
        Self { place, window: 2 * jobs + 2, state: Mutex::new(state), moved: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, State<'a, T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn next(&self) -> usize {
        self.state().next
    }

    /// Waits until `index` may be begun. False when nothing more is to be begun.
    fn admit(&self, index: usize) -> bool {
        let mut state = self.state();
        while !state.stopped && index >= state.next + self.window {
            state = self.moved.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        !state.stopped
    }

    /// Hands over what became of `index`, or keeps it until its turn comes.
    fn pass(&self, index: usize, made: io::Result<T>) {
        let mut guard = self.state();
        let state = &mut *guard;
        let handed_over = made.and_then(|made| {
            state.waiting.insert(index, made);
            while let Some(made) = state.waiting.remove(&state.next) {
                // Nothing follows what could not be written; what a lost device has drawn is good.
                if !matches!(state.failed, Some(ExportError::File(_))) {
                    (state.sink)(made)?;
                    state.next += 1;
                }
            }
            Ok(())
        });
        drop(guard);
        match handed_over {
            Ok(()) => self.moved.notify_all(),
            Err(error) => self.fail(ExportError::File(Error::io(self.place, error))),
        }
    }

    fn fail(&self, error: ExportError) {
        self.state().failed.get_or_insert(error);
        self.stop();
    }

    fn stop(&self) {
        self.state().stopped = true;
        self.moved.notify_all();
    }

    /// Takes the error of a renderer that gave up.
    fn render_error(&mut self) -> Option<ExportError> {
        self.state().failed.take_if(|error| matches!(error, ExportError::Render(_)))
    }

    /// Goes on from what was handed over last.
    fn reopen(&mut self) {
        let mut state = self.state();
        state.waiting.clear();
        state.stopped = false;
    }

    fn into_result(self) -> Result<(), ExportError> {
        self.state.into_inner().unwrap_or_else(PoisonError::into_inner).failed.map_or(Ok(()), Err)
    }
}

/// Ends the waiting of all others when a worker panics: what it had begun would never come.
struct StopInPanic<'a, 'b, T>(&'a Turnstile<'b, T>);

impl<T> Drop for StopInPanic<'_, '_, T> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.stop();
        }
    }
}
