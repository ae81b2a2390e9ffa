//! The animations and skins of a character by name, for a comparison that asks for them in every frame.

use std::collections::HashMap;

use pchr::model::{AnimationId, Model, SkinId};

/// The animations and skins of a character by name. Of several with the same name, the first one counts.
#[derive(Debug, Default)]
pub struct Names {
    animations: HashMap<String, AnimationId>,
    skins: HashMap<String, SkinId>,
}

impl Names {
    /// Collects the names of `model`.
    pub fn of(model: &Model) -> Self {
        let mut names = Self::default();
        for (id, animation) in model.animation_ids().zip(model.animations()) {
            names.animations.entry(animation.name.clone()).or_insert(id);
        }
        for (id, skin) in model.skin_ids().zip(model.skins()) {
            names.skins.entry(skin.name.to_string()).or_insert(id);
        }
        names
    }

    /// Returns the animation with the given name.
    pub fn animation(&self, name: &str) -> Option<AnimationId> {
        self.animations.get(name).copied()
    }

    /// Returns the skin with the given name.
    pub fn skin(&self, name: &str) -> Option<SkinId> {
        self.skins.get(name).copied()
    }
}
