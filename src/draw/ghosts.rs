//! Draw lists that are drawn below another one: the ghosts of an onion skin.

use super::{Command, DrawList, Onion, View};
use crate::draw::overlay::ghost_color;
use crate::model::Model;
use crate::pose::Pose;

/// The ghosts of an onion skin: draw lists of other poses, below the one that they belong to. Its memory is reused.
#[derive(Debug, Clone, Default)]
pub struct Ghosts {
    /// The first [`Self::count`] are in use.
    lists: Vec<DrawList>,
    count: usize,
}

impl Ghosts {
    /// Returns the lists, back to front. Each has matrices of its own.
    pub fn lists(&self) -> &[DrawList] {
        self.lists.get(..self.count).unwrap_or_default()
    }

    /// Removes all ghosts.
    pub(super) fn clear(&mut self) {
        self.count = 0;
    }

    /// Adds the ghost of `pose`, `steps` frames away, in front of those before.
    #[track_caller]
    pub(super) fn add(&mut self, model: &Model, pose: &Pose, view: &View, onion: Onion, steps: i32) {
        if self.lists.len() == self.count {
            self.lists.push(DrawList::default());
        }
        let list = &mut self.lists[self.count];
        list.build(model, pose, view);
        list.overlay.clear();
        list.commands.retain(|command| !matches!(command, Command::Overlay(_)));
        for command in &mut list.commands {
            if let Command::Sprite(sprite) = command {
                let [r, g, b, alpha] = sprite.color.light;
                // An additive sprite has no alpha.
                let alpha = if alpha > 0.0 { alpha } else { r.max(g).max(b) };
                sprite.color = ghost_color(onion, steps, alpha);
                sprite.blend = Default::default();
            }
        }
        self.count += 1;
    }
}
