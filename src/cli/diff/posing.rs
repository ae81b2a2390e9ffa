//! One character in one pose, with what the comparison needs of it. Memory is reused from frame to frame.

use super::meshes::Meshes;
use crate::character::Character;
use crate::model::Model;
use crate::motion::{Cue, evaluate};
use crate::pose::{Pose, SkinMatrix, palette};

/// A character, posed.
pub struct Posed<'a> {
    character: &'a Character,
    pub meshes: &'a Meshes<'a>,
    pub pose: Pose,
    pub palette: Vec<SkinMatrix>,
    /// The places of the meshes that are drawn, back to front.
    pub drawn: Vec<usize>,
    /// Whether it is drawn, for the mesh at each place.
    pub is_drawn: Vec<bool>,
}

impl<'a> Posed<'a> {
    pub fn new(character: &'a Character, meshes: &'a Meshes<'a>) -> Self {
        Self {
            character,
            meshes,
            pose: Pose::for_model(character.model()),
            palette: Vec::new(),
            drawn: Vec::new(),
            is_drawn: Vec::new(),
        }
    }

    pub fn model(&self) -> &'a Model {
        self.character.model()
    }

    pub fn set(&mut self, cue: &Cue) {
        evaluate(self.character, cue, &mut self.pose);
        palette(self.character.model(), &self.pose, &mut self.palette);
        self.drawn.clear();
        self.drawn.extend(self.pose.visible_attachments().map(|id| self.meshes.place[id.index()]));
        self.is_drawn.clear();
        self.is_drawn.resize(self.meshes.list.len(), false);
        self.drawn.iter().for_each(|&place| self.is_drawn[place] = true);
    }
}
