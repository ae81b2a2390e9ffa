//! The side panel, the inspector, and the selection on the canvas.

pub mod animations;
pub mod info;
pub mod inspector;
pub mod invisible_hint;
pub mod lists;
pub mod selection;
pub mod skins;
pub mod slots;
pub mod tree;

use super::Parts;
use crate::files::Files;
use crate::playback::Playback;
use crate::scene::canvas::Canvas;
use crate::widgets::actions::Actions;
use pchr::draw::View;
use pchr::math::Rect;

/// What the panels of parts show and change.
#[derive(Debug)]
pub struct PartsPanel<'a> {
    /// The shown character.
    pub playback: &'a mut Playback,
    /// Its parts.
    pub parts: &'a mut Parts,
    /// The files.
    pub files: &'a mut Files,
    /// The canvas, and its view if there is a character.
    pub canvas: &'a mut Canvas,
    pub view: Option<View>,
    /// The bounding rectangle of the picture, in world pixels.
    pub content: Option<Rect>,
    /// Animations can be dragged onto tracks.
    pub has_tracks: bool,
    /// What the user asks for.
    pub actions: &'a mut Actions,
}
