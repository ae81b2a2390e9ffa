//! One character in one pose, with what the comparison needs of it. Memory is reused from frame to frame.

use super::meshes::Meshes;
use crate::character::Character;
use crate::math::Vec2;
use crate::model::Model;
use crate::motion::{Cue, evaluate};
use crate::pose::{DeformSpan, Pose, SkinMatrix, palette};

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
    /// Where the pose says how it is deformed, for the mesh at each place.
    deform: Vec<DeformSpan>,
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
            deform: Vec::new(),
        }
    }

    pub fn model(&self) -> &'a Model {
        self.character.model()
    }

    pub fn set(&mut self, cue: &Cue) {
        evaluate(self.character, cue, &mut self.pose);
        palette(self.character.model(), &self.pose, &mut self.palette);
        self.drawn.clear();
        // What is no mesh has no place.
        let places = self.pose.visible_attachments(self.character.model()).map(|id| self.meshes.place[id.index()]);
        self.drawn.extend(places.filter(|&place| place < self.meshes.list.len()));
        self.is_drawn.clear();
        self.is_drawn.resize(self.meshes.list.len(), false);
        self.drawn.iter().for_each(|&place| self.is_drawn[place] = true);
        self.deform.clear();
        self.deform.resize(self.meshes.list.len(), DeformSpan::NONE);
        for slot in &self.pose.slots {
            let place = slot.attachment.map(|id| self.meshes.place[id.index()]);
            if let Some(deform) = place.and_then(|place| self.deform.get_mut(place)) {
                *deform = slot.deform;
            }
        }
    }

    /// By how much the influences of the mesh at `place` have moved; empty where it keeps its shape.
    pub fn deform_of(&self, place: usize) -> &[Vec2] {
        self.pose.deform.get(self.deform[place].range()).unwrap_or_default()
    }
}
