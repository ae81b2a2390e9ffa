//! Where encoders write.

use std::io::Write;

/// Where pictures are written.
pub struct Destination<'a> {
    /// Name of the file in errors.
    pub place: &'a str,
    /// Receives the bytes.
    pub out: &'a mut (dyn Write + Send),
    /// Called after every processed picture, [`RenderOptions::passes`](crate::export::RenderOptions::passes) times per picture.
    pub picture_done: &'a (dyn Fn() + Sync),
}
