//! Renders pictures without a window: a device, a renderer and a target in one.

use std::collections::VecDeque;
use std::sync::Arc;

use super::backdrop::Backdrop;
use super::readback::Readback;
use super::target::OffscreenTarget;
use crate::draw::{Antialias, DrawList, Picture, Settings, View};
use crate::gpu::device::Context;
use crate::gpu::error::{Cause, GpuError};
use crate::gpu::pass::Renderer;
use crate::gpu::pipeline::TargetFormat;
use crate::model::Model;

/// Draws one model into [`Picture`]s.
///
/// [`Self::render`] draws one picture. For a sequence, [`Self::submit`] the next picture before you
/// [`Self::receive`] the last one: the GPU draws while the CPU compresses.
#[derive(Debug)]
pub struct Headless {
    context: Context,
    renderer: Renderer,
    target: Option<OffscreenTarget>,
    /// The last picture behind the character.
    backdrop: Option<Backdrop>,
    in_flight: VecDeque<Flight>,
    /// Kept so that their buffers are reused.
    spare: Vec<Readback>,
}

/// A picture that was submitted.
#[derive(Debug)]
enum Flight {
    /// A picture that is averaged over blocks of `shrink` × `shrink` pixels once it is read back.
    Drawn { readback: Readback, submission: wgpu::SubmissionIndex, shrink: u32 },
    /// A picture without pixels.
    Empty { width: u32, height: u32 },
}

impl Headless {
    /// Uploads `model` to the device of `context`.
    ///
    /// # Errors
    ///
    /// As [`Renderer::new`].
    pub fn new(context: Context, model: &Model) -> Result<Self, GpuError> {
        let depth_stencil = model.has_clip_masks().then_some(OffscreenTarget::STENCIL_FORMAT);
        let target = TargetFormat { color: OffscreenTarget::FORMAT, samples: 1, depth_stencil };
        let renderer = Renderer::new(context.device(), context.queue(), model, target)?;
        context.check()?;
        Ok(Self { context, renderer, target: None, backdrop: None, in_flight: VecDeque::new(), spare: Vec::new() })
    }

    /// The device.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// Draws `list`, which was built from the uploaded model, and waits for the picture. Pictures in flight are
    /// dropped.
    ///
    /// # Errors
    ///
    /// As [`Self::submit`] and [`Self::receive`].
    pub fn render(
        &mut self,
        model: &Model,
        list: &DrawList,
        view: &View,
        settings: Settings,
        picture: &mut Picture,
    ) -> Result<(), GpuError> {
        self.in_flight.clear();
        self.submit(model, list, view, settings)?;
        self.receive(picture)
    }

    /// Starts drawing a picture. Until it is received it occupies a buffer of its size on the device.
    ///
    /// # Errors
    ///
    /// `picture-too-large` if the picture, including the enlargement for supersampling, is larger than
    /// the device's textures; otherwise as [`Renderer::prepare`] and [`Context::check`].
    pub fn submit(
        &mut self,
        model: &Model,
        list: &DrawList,
        view: &View,
        settings: Settings,
    ) -> Result<(), GpuError> {
        self.submit_onto(model, list, view, settings, None)
    }

    /// Like [`Self::submit`], for a picture that is then laid over `behind`, premultiplied and of the size of `view`: what
    /// is multiplied or screened blends with it. Without such sprites, the picture does not depend on `behind`. It is
    /// uploaded only once if it is the same [`Arc`] each time.
    ///
    /// # Errors
    ///
    /// As [`Self::submit`].
    ///
    /// # Panics
    ///
    /// If `behind` has another size.
    #[track_caller]
    pub fn submit_over(
        &mut self,
        model: &Model,
        list: &DrawList,
        view: &View,
        settings: Settings,
        behind: &Arc<Picture>,
    ) -> Result<(), GpuError> {
        behind.expect_size(view);
        let behind = Some(behind).filter(|_| list.blends_with_background());
        self.submit_onto(model, list, view, settings, behind)
    }

    fn submit_onto(
        &mut self,
        model: &Model,
        list: &DrawList,
        view: &View,
        settings: Settings,
        behind: Option<&Arc<Picture>>,
    ) -> Result<(), GpuError> {
        let (width, height) = (view.width(), view.height());
        if width == 0 || height == 0 {
            self.in_flight.push_back(Flight::Empty { width, height });
            return Ok(());
        }
        let shrink = settings.antialias.supersampling();
        self.check_size(view, settings.antialias)?;
        let view = view.enlarged(shrink);
        let target = Self::target(&mut self.target, &self.context, model, &view, settings.antialias.samples())?;

        let (device, queue) = (self.context.device(), self.context.queue());
        self.renderer.set_target(device, target.format())?;
        self.renderer.prepare(device, queue, model, list, view, settings.filter)?;
        let backdrop = match behind {
            None => None,
            Some(behind) => Some(match self.backdrop.take() {
                Some(known) if known.is_of(behind, target.format(), shrink) => self.backdrop.insert(known),
                _ => self.backdrop.insert(Backdrop::new(device, queue, behind, target.format(), shrink)?),
            }),
        };
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let mut pass = target.begin_pass(&mut encoder, wgpu::Color::TRANSPARENT);
        backdrop.iter().for_each(|backdrop| backdrop.fill(&mut pass));
        self.renderer.draw(&mut pass);
        backdrop.iter().for_each(|backdrop| backdrop.lift(&mut pass));
        drop(pass);
        let mut readback = self.spare.pop().unwrap_or_default();
        readback.record(device, &mut encoder, target)?;
        let submission = queue.submit([encoder.finish()]);
        self.context.check()?;
        self.in_flight.push_back(Flight::Drawn { readback, submission, shrink });
        Ok(())
    }

    /// The number of pictures that were submitted and not received.
    pub fn in_flight(&self) -> usize {
        self.in_flight.len()
    }

    /// Waits for the oldest picture in flight.
    ///
    /// # Errors
    ///
    /// `nothing-to-receive` if no picture is in flight; otherwise as [`Context::check`].
    pub fn receive(&mut self, picture: &mut Picture) -> Result<(), GpuError> {
        match self.in_flight.pop_front() {
            None => Err(Cause::NothingToReceive.into()),
            Some(Flight::Empty { width, height }) => {
                picture.reset(width, height);
                Ok(())
            }
            Some(Flight::Drawn { mut readback, submission, shrink }) => {
                readback.wait(self.context.device(), submission);
                let taken = readback.take(picture);
                // The error of the device is closer to the cause than a missing picture.
                self.context.check()?;
                taken?;
                picture.shrink(shrink);
                self.spare.push(readback);
                Ok(())
            }
        }
    }

    /// Checks that a picture fits in this device's textures, including the enlargement for supersampling.
    ///
    /// # Errors
    ///
    /// `picture-too-large` if it does not.
    pub fn check_size(&self, view: &View, antialias: Antialias) -> Result<(), GpuError> {
        let shrink = antialias.supersampling();
        let limit = self.context.device().limits().max_texture_dimension_2d;
        let enlarged = |side: u32| u64::from(side) * u64::from(shrink);
        let (width, height) = (enlarged(view.width()), enlarged(view.height()));
        if width.max(height) > u64::from(limit) {
            return Err(Cause::PictureTooLarge { width, height, limit }.into());
        }
        Ok(())
    }

    /// Returns the target, which is replaced if its size or sample count differ.
    fn target<'a>(
        slot: &'a mut Option<OffscreenTarget>,
        context: &Context,
        model: &Model,
        view: &View,
        samples: u32,
    ) -> Result<&'a OffscreenTarget, GpuError> {
        let fits = |target: &OffscreenTarget| {
            (target.width(), target.height(), target.format().samples) == (view.width(), view.height(), samples)
        };
        let target = match slot.take() {
            Some(target) if fits(&target) => target,
            _ => OffscreenTarget::for_model(context.device(), model, view.width(), view.height(), samples)?,
        };
        Ok(slot.insert(target))
    }
}
