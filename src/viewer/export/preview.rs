//! The preview of an export, planned and drawn on its own thread. Only the latest request is served.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use super::cast::SmallSheet;
use super::reduced::smaller;
use super::sheet::{self, SheetEstimate};
use super::{cast, contact};

use crate::Character;
use crate::cpu;
use crate::draw::Picture;
use crate::error::escaped;
use crate::export::{
    Alpha, Drawing, Format, Plan, RenderOptions, SheetPlan, Surface, animation_ranges, preview_on_matte,
    sheet_ranges,
};
use crate::model::{AnimationId, SkinId};

/// A request for a preview.
#[derive(Debug, Clone)]
pub struct PreviewRequest {
    /// The character.
    pub character: Arc<Character>,
    /// The chosen options.
    pub options: RenderOptions,
    /// The animations.
    pub animations: Vec<AnimationId>,
    /// The skins.
    pub skins: Vec<SkinId>,
    /// True if a sheet is written for each animation.
    pub by_animation: bool,
    /// True for one sheet of the characters in the files of the options.
    pub is_cast: bool,
    /// The picture to show.
    pub at: At,
}

/// A picture of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum At {
    /// The picture of this stored frame, or the first picture if the frame is not exported.
    Frame(u32),
    /// The picture at this index, modulo the number of pictures.
    Index(usize),
    /// This page of a sheet, or its last page.
    Page(usize),
}

impl PreviewRequest {
    /// Returns true if both requests lead to the same plan.
    fn has_same_plan(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.character, &other.character)
            && (&self.options, &self.animations, &self.skins) == (&other.options, &other.animations, &other.skins)
            && (self.by_animation, self.is_cast) == (other.by_animation, other.is_cast)
    }
}

impl PartialEq for PreviewRequest {
    fn eq(&self, other: &Self) -> bool {
        self.has_same_plan(other) && self.at == other.at
    }
}

/// The extent of an export.
#[derive(Debug, Clone, PartialEq)]
pub struct Estimate {
    /// Number of pictures in all files.
    pub pictures: usize,
    /// Number of files.
    pub files: usize,
    /// Width and height of every picture in pixels.
    pub size: [u32; 2],
    /// Pictures per second; 0 if they do not follow each other.
    pub rate: f64,
    /// Layout of the sheet, if a sheet is written.
    pub sheet: Option<SheetEstimate>,
}

/// A finished preview.
#[derive(Debug, Clone)]
pub struct Preview {
    /// The extent of the export, or an error message.
    pub estimate: Result<Estimate, String>,
    /// The picture, premultiplied, at most as large as in the file.
    pub picture: Arc<Picture>,
    /// A number that differs for every preview.
    pub number: u64,
}

/// Renders previews in the background.
#[derive(Debug)]
pub struct Previewer {
    shared: Arc<Shared>,
    request: Option<PreviewRequest>,
}

#[derive(Debug, Default)]
struct Shared {
    mailbox: Mutex<Mailbox>,
    changed: Condvar,
    /// Set when the request being drawn is superseded.
    stale: AtomicBool,
}

#[derive(Debug, Default)]
struct Mailbox {
    request: Option<PreviewRequest>,
    is_busy: bool,
    is_closed: bool,
    answer: Option<Preview>,
}

impl Previewer {
    /// Starts the background thread.
    pub fn start() -> Self {
        let shared = Arc::new(Shared::default());
        let mine = Arc::clone(&shared);
        // If the thread cannot be started, there is no preview, but everything else works.
        let _ = thread::Builder::new().name("preview".to_owned()).spawn(move || mine.work());
        Self { shared, request: None }
    }

    /// Requests a preview. Does not block.
    pub fn show(&mut self, request: PreviewRequest) {
        if self.request.as_ref() != Some(&request) {
            let mut mailbox = self.shared.mailbox();
            mailbox.request = Some(request.clone());
            // Cancel drawing a sheet, which may be many pictures.
            self.shared.stale.store(true, Ordering::Relaxed);
            drop(mailbox);
            self.shared.changed.notify_one();
            self.request = Some(request);
        }
    }

    /// Returns the latest preview.
    pub fn answer(&self) -> Option<Preview> {
        self.shared.mailbox().answer.clone()
    }

    /// Returns true while a newer preview is pending.
    pub fn is_busy(&self) -> bool {
        let mailbox = self.shared.mailbox();
        mailbox.is_busy || mailbox.request.is_some()
    }
}

impl Drop for Previewer {
    fn drop(&mut self) {
        // The thread ends by itself; there is no need to wait for it.
        self.shared.mailbox().is_closed = true;
        self.shared.stale.store(true, Ordering::Relaxed);
        self.shared.changed.notify_one();
    }
}

impl Shared {
    fn mailbox(&self) -> MutexGuard<'_, Mailbox> {
        self.mailbox.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the next request. Returns `None` once the previewer was dropped.
    fn next(&self) -> Option<PreviewRequest> {
        let mut mailbox = self.mailbox();
        loop {
            if mailbox.is_closed {
                return None;
            }
            if let Some(request) = mailbox.request.take() {
                mailbox.is_busy = true;
                self.stale.store(false, Ordering::Relaxed);
                return Some(request);
            }
            mailbox = self.changed.wait(mailbox).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Puts an answer into the mailbox, with the last picture if this one could not be drawn.
    fn answer(&self, estimate: Result<Estimate, String>, picture: Option<Picture>, number: u64) {
        let mut mailbox = self.mailbox();
        let before = mailbox.answer.take().map(|answer| answer.picture);
        let picture = picture.map(Arc::new).or(before).unwrap_or_default();
        mailbox.answer = Some(Preview { estimate, picture, number });
        mailbox.is_busy = false;
    }

    fn work(&self) {
        let mut planned: Option<(PreviewRequest, Result<Planned, String>)> = None;
        let mut drawn: Option<(Arc<Character>, cpu::Renderer)> = None;
        let mut number = 0;
        while let Some(request) = self.next() {
            if request.is_cast {
                let (estimate, picture) = match cast::preview(&request.options, &self.stale) {
                    // The next request is already there.
                    Ok(None) => {
                        self.mailbox().is_busy = false;
                        continue;
                    }
                    Ok(Some(SmallSheet { picture, pictures, cell: size })) => {
                        (Ok(Estimate { pictures, files: 1, size, rate: 0.0, sheet: None }), picture)
                    }
                    Err(error) => (Err(error), None),
                };
                number += 1;
                self.answer(estimate, picture, number);
                continue;
            }
            let plan = match planned.take() {
                Some((before, plan)) if before.has_same_plan(&request) => plan,
                _ => {
                    let plan = request.options.plan(&request.character, &request.animations, &request.skins);
                    let plan = plan.map(|plan| Planned { plan, sheet: None });
                    plan.map_err(|error| escaped(&error.to_string()))
                }
            };
            let renderer = match drawn.take() {
                Some((of, renderer)) if Arc::ptr_eq(&of, &request.character) => renderer,
                _ => cpu::Renderer::new(request.character.model()),
            };
            number += 1;
            let (picture, plan) = match plan {
                Ok(plan) if request.options.format() == Format::Sheet => {
                    match sheet::draw(&request, plan, &renderer, &self.stale) {
                        Ok((picture, plan)) => (picture, Ok(plan)),
                        Err(error) => (None, Err(error)),
                    }
                }
                Ok(plan) if request.options.contact_sheet().is_some() => {
                    match contact::draw(&request, &plan.plan, &renderer, &self.stale) {
                        Ok(picture) => (picture, Ok(plan)),
                        Err(error) => (None, Err(error)),
                    }
                }
                plan => (plan.as_ref().ok().and_then(|planned| draw(&request, &planned.plan, &renderer)), plan),
            };
            let estimate = match &plan {
                Ok(planned) => Ok(estimate(&request, planned)),
                Err(error) => Err(error.clone()),
            };
            let is_sheet = request.options.format() == Format::Sheet || request.options.contact_sheet().is_some();
            if is_sheet && self.stale.load(Ordering::Relaxed) {
                // The sheet is incomplete, and the next request is already there.
                self.mailbox().is_busy = false;
                drawn = Some((Arc::clone(&request.character), renderer));
                continue;
            }
            self.answer(estimate, picture, number);
            drawn = Some((Arc::clone(&request.character), renderer));
            planned = Some((request, plan));
        }
    }
}

/// The part of a preview that does not depend on which picture is shown.
pub struct Planned {
    pub plan: Plan,
    /// Layout of the first sheet, once drawn.
    pub sheet: Option<Arc<SheetPlan>>,
}

fn estimate(request: &PreviewRequest, Planned { plan, sheet }: &Planned) -> Estimate {
    let (options, model) = (&request.options, request.character.model());
    let pictures = plan.pictures.len();
    let files = match options.format() {
        format if format.is_animated() => animation_ranges(&plan.pictures).len(),
        _ if options.contact_sheet().is_some() => sheet_ranges(&plan.pictures, request.by_animation).len(),
        _ => pictures,
    };
    let animation = plan.pictures.first().and_then(|picture| picture.animation).map(|id| model.animation(id));
    let fps = animation.map_or(0.0, |animation| animation.fps()) * f64::from(options.subject.speed);
    // The rate used for stills.
    let rate = if fps > 0.0 { fps } else { 10.0 };
    let sheet = sheet.as_deref().map(|sheet| SheetEstimate::new(request, plan, sheet));
    Estimate { pictures, files, size: [plan.view.width(), plan.view.height()], rate, sheet }
}

fn draw(request: &PreviewRequest, plan: &Plan, renderer: &cpu::Renderer) -> Option<Picture> {
    let options = &request.options;
    let index = match request.at {
        At::Frame(frame) => plan.pictures.iter().position(|picture| picture.frame == frame).unwrap_or(0),
        At::Index(index) => index % plan.pictures.len().max(1),
        At::Page(_) => 0,
    };
    let cue = &plan.pictures.get(index)?.cue;
    let view = smaller(plan.view, [plan.view.width(), plan.view.height()], 1, 1);
    let never = false.into();
    let surface = Surface { alpha: Alpha::Premultiplied, ..options.surface() };
    let sequence = options.sequence(&request.character, plan, &never);
    let sequence = sequence.previewed(view, options.settings(&view), surface);
    let mut picture = sequence.picture(&mut Drawing::cpu(renderer.clone()), cue).ok()??;
    preview_on_matte(&mut picture, options.format(), options.surface(), options.look.matte);
    Some(picture)
}
