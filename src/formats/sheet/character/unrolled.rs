//! A character → a sheet that JSON can store: the frames of all animations one after the other, with a tag for each
//! animation, at the places to which the animations move them.

use super::Played;
use crate::error::{Error, Place, Result};
use crate::formats::sheet::parts::{Gathered, Part};
use crate::formats::sheet::quad::canvas_size;
use crate::formats::sheet::schema::{Frame, Milliseconds, Name, Number, Rect, Repeat, Size, Tag};
use crate::limits::Budget;
use crate::math::Vec2;

/// Unrolls the animations of a character; other sheets stay as they are.
pub fn unrolled(mut gathered: Gathered, budget: &mut Budget<'_>) -> Result<Gathered> {
    let Some(play) = gathered.play.take() else { return Ok(gathered) };
    gathered.parts.retain(|part| !part.frames.is_empty());
    let [part] = &mut gathered.parts[..] else { return Err(cannot_store("several sheets")) };
    if play.scale != 1.0 {
        return Err(cannot_store("a scale"));
    }
    let (mut frames, mut tags) = (Vec::new(), Vec::new());
    for animation in play.animations {
        let bytes = 2 * size_of::<Frame>() + animation.name.len();
        budget.charge_memory(animation.frames.len() as u64, bytes, || part.place(""))?;
        let from = Number(frames.len() as f32);
        frames.extend(placed(part, &animation));
        let (to, name) = (Number(frames.len() as f32 - 1.0), Some(Name(animation.name)));
        let repeat = (!animation.looping).then_some(Repeat(Some(1)));
        tags.push(Tag { name, from, to, direction: None, repeat });
    }
    part.frames = frames;
    gathered.meta.frame_tags = Some(tags);
    Ok(gathered)
}

fn cannot_store(what: &str) -> Error {
    let message = format!(
        "the character has {what}, which sheets cannot store; `pchr-view IN -o OUT.json` draws a new sheet"
    );
    Error::unsupported("unread-dialect", Place::default(), message)
}

/// Returns the frames of an animation at its place.
fn placed<'a>(part: &'a Part, animation: &'a Played) -> impl Iterator<Item = Frame> + 'a {
    let frames = animation.frames.iter().filter_map(|&frame| part.frames.get(frame as usize));
    let Vec2 { x: right, y: up } = animation.corner;
    frames.enumerate().map(move |(index, frame)| {
        let (Rect { w, h, .. }, [width, height]) = (frame.frame, canvas_size(frame));
        let inner = frame.sprite_source_size.unwrap_or(Rect { w, h, ..Rect::default() });
        // A place before the frame is mirrored is moved the other way.
        let moved = |at: Number, by: f32, is_flipped: bool| Number(if is_flipped { at.0 - by } else { at.0 + by });
        let (x, y) = (moved(inner.x, right, frame.flip[0]), moved(inner.y, -up, frame.flip[1]));
        Frame {
            filename: Some(Name(format!("{} {index}", animation.name))),
            duration: Some(Milliseconds(1000.0 / animation.fps)),
            sprite_source_size: Some(Rect { x, y, ..inner }),
            source_size: Some(Size { w: Number(width), h: Number(height) }),
            ..frame.clone()
        }
    })
}
