//! The frames of a sprite sheet, rendered like those of any character.

use std::path::Path;

use super::frames::GoldenFrame;
use crate::character::Character;
use crate::cpu::Renderer;
use crate::diagnostics::Diagnostics;
use crate::draw::{Antialias, DrawList, Filter, Picture, Settings, View};
use crate::error::Result;
use crate::formats::{self, ReadOptions};
use crate::limits::Limits;
use crate::math::Vec2;
use crate::model::AnimationId;
use crate::motion::{Cue, Evaluator, Position};
use crate::pose::Pose;

/// Opens a sheet. Its frames are aligned at the world origin, so they are comparable with other frames of `view`
/// however the sheet is trimmed and packed.
pub fn frames(path: &Path, view: &View, limits: &Limits) -> Result<Box<dyn Iterator<Item = Result<GoldenFrame>>>> {
    let options = ReadOptions { limits: limits.clone(), ..ReadOptions::default() };
    let character = formats::open(path, &options, &mut Diagnostics::default())?;
    Ok(Box::new(SheetFrames::new(character, view).map(Ok)))
}

struct SheetFrames {
    character: Character,
    renderer: Renderer,
    view: View,
    evaluator: Evaluator,
    pose: Pose,
    list: DrawList,
    shots: std::vec::IntoIter<(AnimationId, u32)>,
}

impl SheetFrames {
    fn new(character: Character, view: &View) -> Self {
        let model = character.model();
        let frames_of = |id| (0..model.animation(id).frame_count()).map(move |frame| (id, frame));
        let shots: Vec<(AnimationId, u32)> = model.animation_ids().flat_map(frames_of).collect();
        // One pixel of a sheet is one world pixel, whatever the scale of the frames was.
        let origin = view.pixel_from_world(Vec2::ZERO).round();
        let view = View::new(view.width(), view.height(), Vec2::new(-origin.x, origin.y), 1.0);
        Self {
            renderer: Renderer::new(model),
            view,
            evaluator: Evaluator::default(),
            pose: Pose::for_model(model),
            list: DrawList::default(),
            shots: shots.into_iter(),
            character,
        }
    }
}

impl Iterator for SheetFrames {
    type Item = GoldenFrame;

    fn next(&mut self) -> Option<GoldenFrame> {
        let (id, frame) = self.shots.next()?;
        let model = self.character.model();
        let cue = Cue { animation: Some(id), position: Position::frame(frame), ..Cue::default() };
        self.evaluator.evaluate(&self.character, &cue, &mut self.pose);
        self.list.build(model, &self.pose, &self.view);
        let settings = Settings { filter: Filter::Nearest, antialias: Antialias::None };
        let mut picture = Picture::default();
        self.renderer.render(model, &self.list, &self.view, settings, &mut picture);
        picture.unpremultiply();
        let animation = model.animation(id);
        let shown_ms = match animation.times() {
            Some(times) => times.frame_ms(frame.into()),
            None if animation.fps() > 0.0 => 1000.0 / animation.fps(),
            None => 0.0,
        };
        Some(GoldenFrame { picture, shown_ms })
    }
}
