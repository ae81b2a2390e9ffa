//! The bytes of a file → its thumbnail, as the Linux desktop's thumbnailer makes it. Refuses files over the limits, and
//! pictures that would be empty or lack images: Explorer then shows the icon.

use std::io::Read;
use std::sync::atomic::AtomicBool;

use pchr::Error;
use pchr::cpu::{Renderer, Threads};
use pchr::diagnostics::Diagnostics;
use pchr::draw::Picture;
use pchr::error::Place;
use pchr::export::{Alpha, Drawing, ExportError, Look, Output, RenderOptions, Size, VisibleAnimations, choose};
use pchr::formats::{ReadOptions, from_bytes, load_from};
use pchr::limits::Limits;

/// Draws the first picture of a character on a transparent square of `side` pixels. Premultiplied; no channel is brighter
/// than alpha.
pub fn draw(file: impl Read, side: u32) -> Result<Picture, ExportError> {
    let read = ReadOptions { keep_going: true, limits: Limits::for_thumbnails(), ..ReadOptions::default() };
    let mut diagnostics = Diagnostics::default();
    let character = from_bytes(load_from(file, 0, &read.limits)?, &read, &mut diagnostics)?;
    if let Some(missing) = diagnostics.missing_image() {
        return Err(Error::Malformed(Box::new(missing.clone())).into());
    }
    let animations = choose::animations_or_first(&character, &[], &read.limits).map_err(Error::from)?;
    let skins = choose::skins(&character, &[]).map_err(Error::from)?;
    let options = RenderOptions {
        look: Look { size: Size::Exact(side, side), alpha: Alpha::Premultiplied, ..Look::default() },
        output: Output { jobs: 1, ..Output::default() },
        read,
        ..RenderOptions::default()
    };
    let plan = options.plan(&character, &animations, &skins)?;
    let (visible, never) = (VisibleAnimations::default(), AtomicBool::new(false));
    let sequence = options.sequence(&character, &plan, &never).recording(&visible);
    let mut drawing = Drawing::cpu(Renderer::new(character.model()).with_threads(Threads::One));
    let empty = || Error::unsupported("nothing-visible", Place::default(), "nothing is visible");
    let planned = plan.pictures.first().ok_or_else(empty)?;
    let picture = sequence.picture(&mut drawing, &planned.cue)?;
    let mut picture = picture.filter(|_| visible.has(planned.animation)).ok_or_else(empty)?;
    // Explorer stores straight alpha, which cannot hold the light of additive slots.
    picture.keep_light();
    Ok(picture)
}
