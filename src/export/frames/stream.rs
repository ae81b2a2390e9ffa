//! Many pictures → one consumer: rendered and encoded in parallel, handed over in order, with constant memory.
//!
//! The worker that finishes the next picture in order hands it over, together with the following ones that are
//! already waiting. A window limits how far ahead pictures are started, so only a few ever wait.

use std::borrow::Borrow;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;

use super::drawing::{Drawing, Engine, Pipeline};
use super::frame::Frame;
use super::ground::Ground;
use super::sequence::Sequence;
use crate::cpu;
use crate::draw::Picture;
use crate::export::error::ExportError;
use crate::motion::Cue;

impl Sequence<'_> {
    /// Renders every cue, calls `work` with each picture on any thread, and passes the results to `sink` in the
    /// order of the cues. `work` receives the premultiplied picture on its background.
    ///
    /// Stops at the first error. Returns false if cancelled.
    pub fn stream<T: Send>(
        &self,
        drawing: &mut Drawing<'_>,
        cues: &[impl Borrow<Cue> + Sync],
        work: Work<'_, T>,
        sink: Sink<'_, T>,
    ) -> Result<bool, ExportError> {
        self.check(drawing.as_cpu(), cues.iter().map(Borrow::borrow))?;
        let pixels = u64::from(self.view.width()) * u64::from(self.view.height());
        self.limits.charge_shared(0, pixels.saturating_mul(cues.len() as u64))?;
        let jobs = self.jobs_of(cues.len());
        let ground = &Ground::new(self);
        let work = &|index: usize, picture: &mut Picture| {
            self.inspect(cues[index].borrow(), picture);
            ground.lay_under(picture);
            work(index, picture)
        };
        let mut turnstile = Turnstile::new(jobs, sink);
        loop {
            match &mut drawing.engine {
                Engine::Cpu(renderer) => self.stream_side_by_side(renderer, ground, jobs, cues, work, &turnstile),
                Engine::Pipeline(pipeline) => {
                    self.stream_behind(&mut **pipeline, ground, jobs, cues, work, &turnstile)
                }
            }
            let Some(error) = turnstile.take_render_error() else { break };
            drawing.fall_back(self.character.model(), error)?;
            self.check(drawing.as_cpu(), [])?;
            turnstile.reopen();
        }
        turnstile.into_result()?;
        Ok(!self.is_cancelled())
    }

    fn stream_side_by_side<T: Send>(
        &self,
        renderer: &cpu::Renderer,
        ground: &Ground,
        jobs: usize,
        cues: &[impl Borrow<Cue> + Sync],
        work: Work<'_, T>,
        turnstile: &Turnstile<'_, T>,
    ) {
        // A single worker may use every core for its picture.
        let threads = if jobs == 1 { cpu::Threads::All } else { cpu::Threads::One };
        let next = AtomicUsize::new(turnstile.next());
        let draw = || {
            let _guard = StopInPanic(turnstile);
            let mut renderer = renderer.clone().with_threads(threads);
            if let Some(shared) = &self.limits.shared {
                renderer = renderer.with_progress(Arc::clone(shared.progress()));
            }
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
                if let Err(error) = frame.prepare(cue.borrow()) {
                    turnstile.fail(error);
                    break;
                }
                frame.render(&mut renderer, ground.behind());
                // The picture is incomplete.
                if self.limits.check_cancelled().is_err() {
                    turnstile.stop();
                    break;
                }
                turnstile.pass(index, work(index, &mut frame.picture));
            }
        };
        thread::scope(|scope| {
            // Fewer threads than wanted are slower, but draw the same.
            (1..jobs).for_each(|_| drop(thread::Builder::new().spawn_scoped(scope, draw)));
            draw();
        });
    }

    fn stream_behind<T: Send>(
        &self,
        renderer: &mut dyn Pipeline,
        ground: &Ground,
        jobs: usize,
        cues: &[impl Borrow<Cue> + Sync],
        work: Work<'_, T>,
        turnstile: &Turnstile<'_, T>,
    ) {
        // Pictures are recycled: rendered, encoded, and rendered into again.
        let (to_encode, rendered) = mpsc::sync_channel::<(Picture, usize)>(jobs);
        let (give_back, free) = mpsc::channel::<Picture>();
        let rendered = Mutex::new(rendered);
        let encode = |give_back: mpsc::Sender<Picture>| {
            let _guard = StopInPanic(turnstile);
            loop {
                let received = rendered.lock().unwrap_or_else(PoisonError::into_inner).recv();
                let Ok((mut picture, index)) = received else { break };
                turnstile.pass(index, work(index, &mut picture));
                // The receiver is gone once rendering is over.
                let _ = give_back.send(picture);
            }
        };
        let encode = &encode;
        thread::scope(|scope| {
            // Moved in here so that the workers end in any case.
            let to_encode = to_encode;
            for _ in 0..jobs {
                let give_back = give_back.clone();
                scope.spawn(move || encode(give_back));
            }
            let drawn = self.draw_ahead(renderer, ground, cues, turnstile, |renderer, index| {
                let mut picture = free.try_recv().unwrap_or_default();
                renderer.receive(&mut picture)?;
                // The workers end only after this sender does.
                let _ = to_encode.send((picture, index));
                Ok(())
            });
            if let Err(error) = drawn {
                turnstile.fail(error);
            }
        });
    }

    /// Submits all pictures not handed over yet; each is received once the next one is submitted.
    fn draw_ahead<T>(
        &self,
        renderer: &mut dyn Pipeline,
        ground: &Ground,
        cues: &[impl Borrow<Cue>],
        turnstile: &Turnstile<'_, T>,
        mut receive: impl FnMut(&mut dyn Pipeline, usize) -> Result<(), ExportError>,
    ) -> Result<(), ExportError> {
        let mut frame = Frame::new(self);
        let mut submitted = None;
        for (index, cue) in cues.iter().enumerate().skip(turnstile.next()) {
            if self.is_cancelled() || !turnstile.admit(index) {
                break;
            }
            frame.prepare(cue.borrow())?;
            frame.submit(renderer, ground.behind())?;
            if let Some(before) = submitted.replace(index) {
                receive(renderer, before)?;
            }
        }
        submitted.map_or(Ok(()), |last| receive(renderer, last))
    }
}

/// Processes a picture and its index, on any thread.
pub type Work<'a, T> = &'a (dyn Fn(usize, &mut Picture) -> Result<T, ExportError> + Sync);

/// Receives the results, in the order of the pictures.
pub type Sink<'a, T> = &'a mut (dyn FnMut(T) -> Result<(), ExportError> + Send);

/// Restores the order of the workers' results.
struct Turnstile<'a, T> {
    /// How far ahead of the next result a picture may be started.
    window: usize,
    state: Mutex<State<'a, T>>,
    moved: Condvar,
}

struct State<'a, T> {
    /// Index of the next result to hand over.
    next: usize,
    /// Results that arrived early.
    waiting: BTreeMap<usize, T>,
    sink: Sink<'a, T>,
    failed: Option<ExportError>,
    stopped: bool,
}

impl<'a, T> Turnstile<'a, T> {
    fn new(jobs: usize, sink: Sink<'a, T>) -> Self {
        let state = State { next: 0, waiting: BTreeMap::new(), sink, failed: None, stopped: false };
        // Per worker one being drawn and one waiting, plus two held by a pipeline.
        Self { window: 2 * jobs + 2, state: Mutex::new(state), moved: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, State<'a, T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn next(&self) -> usize {
        self.state().next
    }

    /// Waits until `index` may be started. Returns false if no more pictures are to be started.
    fn admit(&self, index: usize) -> bool {
        let mut state = self.state();
        while !state.stopped && index >= state.next + self.window {
            state = self.moved.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        !state.stopped
    }

    /// Hands over the result of `index`, or stores it until its turn.
    fn pass(&self, index: usize, made: Result<T, ExportError>) {
        let mut guard = self.state();
        let state = &mut *guard;
        let handed_over = made.and_then(|made| {
            state.waiting.insert(index, made);
            while let Some(made) = state.waiting.remove(&state.next) {
                // Nothing follows a failed write; pictures finished before a lost device remain valid.
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
            Err(error) => self.fail(error),
        }
    }

    fn fail(&self, error: ExportError) {
        let mut state = self.state();
        // A write error takes precedence over a renderer error, since falling back cannot fix it.
        let counts_more =
            matches!(error, ExportError::File(_)) && matches!(state.failed, Some(ExportError::Render(_)));
        if state.failed.is_none() || counts_more {
            state.failed = Some(error);
        }
        drop(state);
        self.stop();
    }

    fn stop(&self) {
        self.state().stopped = true;
        self.moved.notify_all();
    }

    /// Takes the error of a failed renderer.
    fn take_render_error(&mut self) -> Option<ExportError> {
        self.state().failed.take_if(|error| matches!(error, ExportError::Render(_)))
    }

    /// Continues after the last result handed over.
    fn reopen(&mut self) {
        let mut state = self.state();
        state.waiting.clear();
        state.stopped = false;
    }

    fn into_result(self) -> Result<(), ExportError> {
        self.state.into_inner().unwrap_or_else(PoisonError::into_inner).failed.map_or(Ok(()), Err)
    }
}

/// Stops all waiting workers when one panics, since its result would never arrive.
struct StopInPanic<'a, 'b, T>(&'a Turnstile<'b, T>);

impl<T> Drop for StopInPanic<'_, '_, T> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.stop();
        }
    }
}
