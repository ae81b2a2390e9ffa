//! Pictures together with their neighbours, for formats that store what changes from one to the next.
//!
//! A picture has its neighbours only when these are finished, so finished ones are collected in order, and encoded
//! side by side as soon as there is one for each worker.

use std::collections::VecDeque;
use std::mem;
use std::ops::Range;
use std::panic::resume_unwind;
use std::sync::{Mutex, PoisonError};
use std::thread;

use crate::draw::Picture;
use crate::export::encode::area;
use crate::export::encode::area::Area;
use crate::export::error::ExportError;
use crate::export::frames::{Drawing, Sequence, Sink};
use crate::motion::Cue;

/// A finished picture and its neighbours.
#[derive(Clone, Copy)]
pub struct Step<'a> {
    pub index: usize,
    /// `None` for the first picture.
    pub before: Option<&'a Picture>,
    pub picture: &'a Picture,
    /// `None` for the last picture.
    pub after: Option<&'a Picture>,
}

impl Step<'_> {
    /// Returns the area that differs from the picture before: all of the first, one pixel if nothing changes.
    pub fn changed(&self) -> Area {
        let Some(before) = self.before else { return area::whole(self.picture) };
        area::changed(before, self.picture).unwrap_or([0, 0, 1, 1])
    }

    /// Returns the pixels of an area that give this picture if they are drawn over the one before: those that change,
    /// with transparent ones between them. Returns `None` if pixels change that are not opaque.
    pub fn overlay(&self, area: Area) -> Option<Vec<u8>> {
        let rows = area::rows(self.before?, area).zip(area::rows(self.picture, area));
        let pixels = rows.flat_map(|(before, after)| before.iter().zip(after));
        let pixels = pixels.map(|(before, after)| match (before == after, after[3]) {
            (true, _) => Some([0; 4]),
            (false, 255) => Some(*after),
            (false, _) => None,
        });
        Some(pixels.collect::<Option<Vec<_>>>()?.into_flattened())
    }

    /// Encodes an area so that it replaces the one in the picture before or is drawn over it, whichever takes fewer
    /// bytes.
    pub fn encode<T: AsRef<[u8]>, E>(
        &self,
        area: Area,
        encode: impl Fn(&[u8]) -> Result<T, E>,
    ) -> Result<(T, Blending), E> {
        let replacement = encode(&area::pixels(self.picture, area))?;
        let overlay = self.overlay(area).map(|pixels| encode(&pixels)).transpose()?;
        Ok(match overlay {
            Some(overlay) if overlay.as_ref().len() < replacement.as_ref().len() => (overlay, Blending::Over),
            _ => (replacement, Blending::Replace),
        })
    }
}

/// How the pixels of a frame are combined with those of the picture before.
#[derive(Clone, Copy, PartialEq)]
pub enum Blending {
    Replace,
    Over,
}

/// Encodes a picture, on any thread.
type Encode<'a, T> = &'a (dyn Fn(Step<'_>) -> Result<T, ExportError> + Sync);

impl Sequence<'_> {
    /// Renders every cue, finishes the picture, encodes it, and passes the results to `sink` in the order of the
    /// cues. Stops at the first error. Returns false if cancelled.
    pub(super) fn stream_steps<T: Send>(
        &self,
        drawing: &mut Drawing<'_>,
        cues: &[Cue],
        finish: &(dyn Fn(&mut Picture) + Sync),
        encode: Encode<'_, T>,
        sink: Sink<'_, T>,
    ) -> Result<bool, ExportError> {
        let jobs = self.jobs_of(cues.len());
        // Memory of pictures that are encoded.
        let spare = Mutex::new(Vec::new());
        let take = |_: usize, picture: &mut Picture| {
            finish(picture);
            let next = spare.lock().unwrap_or_else(PoisonError::into_inner).pop();
            Ok(mem::replace(picture, next.unwrap_or_default()))
        };
        let mut window = Window::default();
        let mut add = |picture: Picture| {
            window.pictures.push_back(picture);
            if window.end() <= window.next + jobs {
                return Ok(());
            }
            encode_all(window.next..window.next + jobs, &|index| encode(window.step(index)), sink)?;
            let used = window.advance(jobs);
            spare.lock().unwrap_or_else(PoisonError::into_inner).extend(used);
            Ok(())
        };
        if !self.stream(drawing, cues, &take, &mut add)? {
            return Ok(false);
        }
        encode_all(window.next..window.end(), &|index| encode(window.step(index)), sink)?;
        Ok(true)
    }
}

/// The finished pictures that are still needed.
#[derive(Default)]
struct Window {
    /// Index of the first of them.
    first: usize,
    pictures: VecDeque<Picture>,
    /// Index of the next one to encode.
    next: usize,
}

impl Window {
    fn end(&self) -> usize {
        self.first + self.pictures.len()
    }

    fn step(&self, index: usize) -> Step<'_> {
        let at = index - self.first;
        let before = at.checked_sub(1).and_then(|before| self.pictures.get(before));
        Step { index, before, picture: &self.pictures[at], after: self.pictures.get(at + 1) }
    }

    /// Returns the pictures that nobody needs once `count` more are encoded.
    fn advance(&mut self, count: usize) -> impl Iterator<Item = Picture> {
        self.next += count;
        // The next one is compared with the one before it.
        let unused = self.next - 1 - self.first;
        self.first += unused;
        self.pictures.drain(..unused)
    }
}

/// Encodes pictures side by side.
fn encode_all<T: Send>(
    indices: Range<usize>,
    encode: &(dyn Fn(usize) -> Result<T, ExportError> + Sync),
    sink: Sink<'_, T>,
) -> Result<(), ExportError> {
    let Some(last) = indices.clone().next_back() else { return Ok(()) };
    thread::scope(|scope| {
        // The first ones in threads of their own, unless the system has none; the last one in this thread.
        let others = (indices.start..last).map(|index| {
            let thread = thread::Builder::new().spawn_scoped(scope, move || encode(index));
            (index, thread.ok())
        });
        let others = others.collect::<Vec<_>>();
        let last = encode(last);
        for (index, thread) in others {
            let encoded = match thread {
                Some(thread) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
                None => encode(index),
            };
            sink(encoded?)?;
        }
        sink(last?)
    })
}
