//! What all encoders of clips share: pictures are drawn and encoded on any thread, and their bytes written in order.

use std::io;

use super::clip::Clip;
use super::steps::Step;
use crate::Error;
use crate::draw::Picture;
use crate::export::error::ExportError;
use crate::export::frames::{Drawing, Sequence};
use crate::export::options::WHITE;

/// A clip that is being written.
pub struct ClipJob<'a, 'd> {
    pub sequence: &'a Sequence<'a>,
    pub drawing: &'a mut Drawing<'d>,
    pub clip: &'a Clip<'a>,
    /// Name of the file in errors.
    pub place: &'a str,
    /// Called after every processed picture.
    pub picture_done: &'a (dyn Fn() + Sync),
}

impl<'a> ClipJob<'a, '_> {
    /// Returns the width and height of the pictures.
    pub fn size(&self) -> [u32; 2] {
        [self.sequence.view.width(), self.sequence.view.height()]
    }

    /// Returns the colour under partly transparent pixels of a format without alpha.
    pub fn matte(&self) -> [u8; 3] {
        self.sequence.matte.unwrap_or(WHITE)
    }

    /// Returns a function that names the file in an error.
    pub fn failed(&self) -> impl Fn(io::Error) -> ExportError + Copy + use<'a> {
        let place = self.place;
        move |error| ExportError::File(Error::io(place, error))
    }

    /// Draws every picture, encodes it, and writes the results in order. Returns false if cancelled.
    pub fn stream<T: Send>(
        &mut self,
        encode: impl Fn(&mut Picture) -> T + Sync,
        mut write: impl FnMut(T) -> io::Result<()> + Send,
    ) -> Result<bool, ExportError> {
        let (failed, picture_done) = (self.failed(), self.picture_done);
        let encode = |_: usize, picture: &mut Picture| Ok(encode(picture));
        let mut write = |encoded| {
            picture_done();
            write(encoded).map_err(failed)
        };
        self.sequence.stream(self.drawing, self.clip.cues, &encode, &mut write)
    }

    /// Like [`Self::stream`], for pictures that `finish` has processed, together with their neighbours.
    pub fn stream_steps<T: Send>(
        &mut self,
        finish: impl Fn(&mut Picture) + Sync,
        encode: impl Fn(Step<'_>) -> io::Result<T> + Sync,
        mut write: impl FnMut(T) -> io::Result<()> + Send,
    ) -> Result<bool, ExportError> {
        let (failed, picture_done) = (self.failed(), self.picture_done);
        let encode = |step: Step<'_>| encode(step).map_err(failed);
        let mut write = |encoded| {
            picture_done();
            write(encoded).map_err(failed)
        };
        self.sequence.stream_steps(self.drawing, self.clip.cues, &finish, &encode, &mut write)
    }
}
