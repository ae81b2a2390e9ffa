//! The frames of a sprite sheet, rendered like the frames of any character.

use std::path::Path;

use super::frames::{Decoded, GoldenFrame};
use crate::character::Character;
use crate::cpu::Renderer;
use crate::diagnostics::Diagnostics;
use crate::draw::{Antialias, DrawList, Filter, Picture, Settings, View};
use crate::error::{Error, Place, Result};
use crate::formats::sheet::canvas;
use crate::formats::{self, Folder, Input, ReadOptions, read_file};
use crate::limits::{Budget, Limits};
use crate::math::Vec2;
use crate::model::AnimationId;
use crate::motion::{Cue, Evaluator, Position};
use crate::pose::Pose;

/// Opens a sheet. Its frames are aligned at the world origin, so they are comparable with other frames of `view`
/// however the sheet is trimmed and packed.
pub fn frames(path: &Path, view: &View, limits: &Limits) -> Result<Decoded> {
    let read = || {
        let (bytes, sidecars) = (read_file(path, limits)?, Folder::of(path));
        if !formats::format_of(&bytes).is_some_and(|format| format.is_sheet) {
            return Err(Error::unsupported("not-a-sheet", Place::default(), "this is not a sprite sheet"));
        }
        let options = ReadOptions { limits: limits.clone(), ..ReadOptions::default() };
        let (input, mut diagnostics) = (Input { bytes, sidecars: &sidecars }, Diagnostics::default());
        let canvas = canvas(&input, &options)?;
        let character = formats::from_input(&input, &options, &mut diagnostics)?;
        // A placeholder is not what was stored.
        match diagnostics.warnings().find(|fault| fault.code == "missing-image") {
            Some(fault) => Err(Error::malformed("missing-image", fault.place.clone(), fault.message.clone())),
            None => Ok((character, canvas)),
        }
    };
    let (character, canvas) = read().map_err(|error| error.in_file(path.display()))?;
    let [width, height] = canvas.unwrap_or([view.width(), view.height()]);
    Budget::new(limits).charge_pixels(width, height, || Place::file(path.display()))?;
    // One pixel of a sheet is one world pixel, whatever the scale of the frames was.
    let origin = view.pixel_from_world(Vec2::ZERO).round();
    let view = View::new(width, height, Vec2::new(-origin.x, origin.y), 1.0);
    let model = character.model();
    let counts: Vec<_> = model.animation_ids().map(|id| (id, model.animation(id).frame_count())).collect();
    let shots = counts.into_iter().flat_map(|(id, count)| (0..count).map(move |frame| (id, frame)));
    let mut sheet = Sheet {
        renderer: Renderer::new(model),
        view,
        evaluator: Evaluator::default(),
        pose: Pose::for_model(model),
        list: DrawList::default(),
        character,
    };
    Ok(Box::new(shots.map(move |(id, frame)| Ok(sheet.frame(id, frame)))))
}

/// A sheet, and what drawing its frames needs.
struct Sheet {
    character: Character,
    renderer: Renderer,
    view: View,
    evaluator: Evaluator,
    pose: Pose,
    list: DrawList,
}

impl Sheet {
    fn frame(&mut self, id: AnimationId, frame: u32) -> GoldenFrame {
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
        GoldenFrame { picture, shown_ms }
    }
}
