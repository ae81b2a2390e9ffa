//! One pose → a picture of each slot that is drawn, of the background and of overlays, from back to front.

use std::mem;
use std::sync::Arc;

use super::drawing::{Drawing, renderer};
use super::frame::{Frame, place_of};
use super::ground::Ground;
use super::sequence::Sequence;
use crate::cpu;
use crate::draw::{BlendClass, Command, Ghosts, Picture, SpriteColor, drawn_slots};
use crate::export::error::ExportError;
use crate::limits::Budget;
use crate::model::{Model, SlotId};
use crate::motion::Cue;
use crate::pose::{Pose, SlotPose};

/// What a layer shows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Content {
    /// The background.
    Background,
    /// The ghosts of other frames.
    Ghosts,
    /// A slot, without its opacity and blend mode.
    Slot {
        /// The slot.
        slot: SlotId,
        /// Its opacity and that of its attachment, 0 to 1.
        opacity: f32,
    },
    /// All overlays.
    Overlays,
}

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
    /// Fails for pictures too large for the renderer.
    pub fn new(sequence: &'a Sequence<'a>, drawing: &Drawing<'_>) -> Result<Self, ExportError> {
        let renderer = drawing.as_cpu().cloned().unwrap_or_else(|| renderer(sequence.character.model()));
        sequence.check(Some(&renderer), [])?;
        let renderer = match &sequence.limits.shared {
            Some(shared) => renderer.with_progress(Arc::clone(shared.progress())),
            None => renderer,
        };
        Ok(Self { sequence, frame: Frame::new(sequence), renderer, ground: Ground::new(sequence) })
    }

    /// Calls `take` with each layer of the picture of `cue`. Returns false if cancelled.
    ///
    /// # Errors
    ///
    /// Fails if a layer takes more work than a picture may, and if `take` fails.
    pub fn draw(&mut self, cue: &Cue, take: Take<'_>) -> Result<bool, ExportError> {
        let model = self.sequence.character.model();
        model.check_animations(cue.animations())?;
        self.frame.prepare(cue)?;
        let list = &mut self.frame.list;
        let ghosts = mem::take(&mut list.ghosts);
        let mut commands = mem::take(&mut list.commands);
        let overlays = commands.split_off(self.frame.drawn.min(commands.len()));
        let slots: Vec<SlotId> = drawn_slots(model, &self.frame.pose).collect();
        if self.ground.is_there() {
            let (picture, view) = (&mut self.frame.picture, self.sequence.view);
            picture.reset(view.width(), view.height());
            self.ground.lay_under(picture);
            take(Content::Background, &self.frame.pose, picture)?;
        }
        if !ghosts.lists().is_empty() {
            self.frame.list.ghosts = ghosts;
            self.layer(cue, Content::Ghosts, Vec::new(), take)?;
            self.frame.list.ghosts = Ghosts::default();
        }
        for (slot, mut commands) in slots.into_iter().zip(by_sprite(commands)) {
            if self.sequence.is_cancelled() {
                return Ok(false);
            }
            let opacity = take_opacity(model, self.frame.pose.slot(slot), &mut commands);
            self.layer(cue, Content::Slot { slot, opacity }, commands, take)?;
        }
        if !overlays.is_empty() {
            self.layer(cue, Content::Overlays, overlays, take)?;
        }
        Ok(!self.sequence.is_cancelled())
    }

    /// Charges and draws the layer of some commands.
    fn layer(
        &mut self,
        cue: &Cue,
        content: Content,
        commands: Vec<Command>,
        take: Take<'_>,
    ) -> Result<(), ExportError> {
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

/// Splits commands so that each part has one sprite, its outline and the mask that clips it.
fn by_sprite(commands: Vec<Command>) -> Vec<Vec<Command>> {
    let (mut parts, mut mask) = (Vec::<Vec<Command>>::new(), None);
    for command in commands {
        match command {
            Command::ClipBegin(_) => mask = Some(command),
            Command::ClipEnd => mask = None,
            Command::Sprite(_) => parts.push(mask.iter().cloned().chain([command]).collect()),
            Command::Overlay(_) => parts.last_mut().into_iter().for_each(|part| part.push(command.clone())),
        }
    }
    parts
}

/// Returns the opacity of a slot, and changes its commands to full opacity and normal blending.
fn take_opacity(model: &Model, slot: &SlotPose, commands: &mut [Command]) -> f32 {
    let mut opacity = 1.0;
    for command in commands {
        if let Command::Sprite(sprite) = command
            && let Some(mesh) = model.attachment(sprite.attachment).mesh()
        {
            (opacity, sprite.color) = SpriteColor::split(&slot.tint, mesh.tint);
            sprite.blend = BlendClass::Over;
        }
    }
    opacity
}
