//! Frames of a sheet, drawn by the CPU renderer.

use pchr::Character;
use pchr::cpu::Renderer;
use pchr::draw::{DrawList, Filter, Picture, Settings, View};
use pchr::math::vec2;
use pchr::model::AnimationId;
use pchr::motion::{Cue, Position, evaluate};
use pchr::pose::Pose;

/// Draws the frame at `position` as premultiplied pixels of `size` around `origin`.
pub struct Painter<'a> {
    character: &'a Character,
    renderer: Renderer,
    pose: Pose,
    list: DrawList,
    picture: Picture,
}

impl<'a> Painter<'a> {
    pub fn new(character: &'a Character) -> Self {
        let renderer = Renderer::new(character.model());
        Self { character, renderer, pose: Pose::default(), list: DrawList::default(), picture: Picture::default() }
    }

    pub fn paint(
        &mut self,
        animation: AnimationId,
        position: Position,
        size: [i64; 2],
        origin: [i64; 2],
        filter: Filter,
    ) -> &[[u8; 4]] {
        let [width, height] = size.map(|side| side as u32);
        let corner = vec2(-origin[0] as f32, origin[1] as f32);
        let view = View::new(width, height, corner, 1.0);
        let cue = Cue { animation: Some(animation), position, ..Cue::default() };
        evaluate(self.character, &cue, &mut self.pose);
        let model = self.character.model();
        self.list.build(model, &self.pose, &view);
        let settings = Settings { filter, ..Settings::default() };
        self.renderer.render(model, &self.list, &view, settings, &mut self.picture);
        self.picture.pixels().as_chunks::<4>().0
    }
}
