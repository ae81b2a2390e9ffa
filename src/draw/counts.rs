//! How much a draw list draws.

use super::{Command, DrawList};
use crate::model::Model;

/// What a [`DrawList`] draws, whatever the renderer. A renderer may combine commands into fewer draw calls, and skips
/// what is outside the picture.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct DrawCounts {
    /// Number of sprites.
    pub sprites: u64,
    /// Number of clip masks.
    pub masks: u64,
    /// Number of overlays.
    pub overlays: u64,
    /// Vertices of the sprites, masks and overlays.
    pub vertices: u64,
    /// Triangles of the sprites, masks and overlays.
    pub triangles: u64,
}

impl DrawList {
    /// Returns how much the list draws, with its ghosts. It visits every command.
    ///
    /// # Panics
    ///
    /// If the list belongs to another model, and names attachments that `model` does not have.
    #[track_caller]
    pub fn counts(&self, model: &Model) -> DrawCounts {
        self.expect_of(model);
        let mut counts = DrawCounts::default();
        let commands =
            self.with_ghosts().flat_map(|list| list.commands.iter().map(move |command| (list, command)));
        for (list, command) in commands {
            let [vertices, triangles] = match command {
                Command::Sprite(sprite) => {
                    counts.sprites += 1;
                    let mesh = model.attachment(sprite.attachment).mesh();
                    mesh.map_or([0, 0], |mesh| [mesh.vertices.len(), mesh.indices.len() / 3])
                }
                Command::ClipBegin(mask) => {
                    counts.masks += 1;
                    let corners = list.corner_count(model, mask);
                    [corners, corners.saturating_sub(2)]
                }
                Command::Overlay(range) => {
                    counts.overlays += 1;
                    [range.len(), range.len() / 3]
                }
                Command::ClipEnd => continue,
            };
            counts.vertices += vertices as u64;
            counts.triangles += triangles as u64;
        }
        counts
    }
}
