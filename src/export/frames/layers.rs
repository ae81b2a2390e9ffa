//! One pose → a picture of each slot that is drawn, of the background and of overlays, from back to front.

use std::mem;
use std::sync::Arc;

use super::drawing::{Drawing, renderer};
use super::frame::{Frame, place_of};
use super::ground::Ground;
use super::sequence::Sequence;
use crate::cpu;
use crate::draw::{BlendClass, Command, Ghosts, Picture, Sprite, SpriteColor, drawn_slots};
use crate::export::error::ExportError;
use crate::export::plan::Planned;
use crate::limits::Budget;
use crate::model::{Model, SlotId};
use crate::motion::Cue;
use crate::pose::Pose;

/// What a layer shows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Content {
    /// The background, the ghosts of other frames, an outline, or the overlays.
    Whole(&'static str),
    /// A slot, without its opacity and blend mode.
    Slot {
        /// The slot.
        slot: SlotId,
        /// Its opacity and that of its attachment, 0 to 1.
        opacity: f32,
    },
}

/// A layer and the commands that draw it.
type Part = (Content, Vec<Command>);

/// Draws layers with the CPU renderer.
pub struct Layers<'a> {
    sequence: &'a Sequence<'a>,
    frame: Frame<'a>,
    renderer: cpu::Renderer,
    ground: Ground,
}

/// Receives a layer, premultiplied and as large as the whole picture.
pub type Take<'a> = &'a mut dyn FnMut(Content, &Pose, &mut Picture) -> Result<(), ExportError>;

impl<'a> Layers<'a> {
    /// Fails for pictures too large for the renderer, and for cues of another character.
    pub fn new(sequence: &'a Sequence<'a>, drawing: &Drawing<'_>, shown: &[Planned]) -> Result<Self, ExportError> {
        let mut renderer = drawing.as_cpu().cloned().unwrap_or_else(|| renderer(sequence.character.model()));
        sequence.check(Some(&renderer), shown.iter().map(|picture| &picture.cue))?;
        if let Some(shared) = &sequence.limits.shared {
            renderer = renderer.with_progress(Arc::clone(shared.progress()));
        }
        Ok(Self { sequence, frame: Frame::new(sequence), renderer, ground: Ground::new(sequence) })
    }

    /// Calls `take` with each layer of the picture of `cue`. Returns false if cancelled.
    ///
    /// # Errors
    ///
    /// Fails if a layer takes more work than a picture may, and if `take` fails.
    pub fn draw(&mut self, cue: &Cue, take: Take<'_>) -> Result<bool, ExportError> {
        self.frame.prepare(cue)?;
        let list = &mut self.frame.list;
        let ghosts = mem::take(&mut list.ghosts);
        let mut commands = mem::take(&mut list.commands);
        let overlays = commands.split_off(self.frame.drawn.min(commands.len()));
        if self.ground.is_there() {
            let (picture, view) = (&mut self.frame.picture, self.sequence.view);
            picture.reset(view.width(), view.height());
            self.ground.lay_under(picture);
            take(Content::Whole("background"), &self.frame.pose, picture)?;
        }
        if !ghosts.lists().is_empty() {
            self.frame.list.ghosts = ghosts;
            self.layer(cue, (Content::Whole("onion skin"), Vec::new()), take)?;
            self.frame.list.ghosts = Ghosts::default();
        }
        let mut parts = parts(self.sequence.character.model(), &self.frame.pose, commands);
        if !overlays.is_empty() {
            parts.push((Content::Whole("overlays"), overlays));
        }
        for part in parts {
            if self.sequence.is_cancelled() {
                break;
            }
            self.layer(cue, part, take)?;
        }
        Ok(!self.sequence.is_cancelled())
    }

    /// Charges and draws a layer.
    fn layer(&mut self, cue: &Cue, (content, commands): Part, take: Take<'_>) -> Result<(), ExportError> {
        let Sequence { character, view, limits, .. } = self.sequence;
        let (model, frame) = (character.model(), &mut self.frame);
        frame.list.commands = commands;
        let (place, mut budget) = (|| place_of(model, cue), Budget::new(limits));
        budget.charge_work(1, frame.work.of(&frame.list, model, view, limits.work), place)?;
        budget.charge_encoding(view.width(), view.height(), place)?;
        limits.charge_shared(0, u64::from(view.width()) * u64::from(view.height()))?;
        frame.render(&mut self.renderer, None);
        self.sequence.inspect(cue, &frame.picture);
        take(content, &frame.pose, &mut frame.picture)
    }
}

/// Splits commands so that each part has one sprite, in full opacity and normally blended, or an outline, with its mask.
fn parts(model: &Model, pose: &Pose, commands: Vec<Command>) -> Vec<Part> {
    let (mut parts, mut mask) = (Vec::<Part>::new(), None);
    let mut slots = drawn_slots(model, pose);
    for command in commands {
        match command {
            Command::ClipBegin(_) => mask = Some(command),
            Command::ClipEnd => mask = None,
            Command::Sprite(sprite) => {
                let mesh = model.attachment(sprite.attachment).mesh();
                let (Some(slot), Some(mesh)) = (slots.next(), mesh) else { continue };
                let (opacity, color) = SpriteColor::split(&pose.slot(slot).tint, mesh.tint);
                let sprite = Command::Sprite(Sprite { color, blend: BlendClass::Over, ..sprite });
                parts.push((Content::Slot { slot, opacity }, mask.iter().cloned().chain([sprite]).collect()));
            }
            // Of a missing picture. The opacity and the blend mode of its slot do not apply.
            Command::Overlay(_) => {
                parts.push((Content::Whole("outline"), mask.iter().cloned().chain([command]).collect()));
            }
        }
    }
    parts
}
