//! The preview of an export, planned and drawn on its own thread. Only the latest request is served.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::cast::SmallSheet;
use super::reduced::smaller;
use super::sheet::{self, SheetEstimate};
use super::{cast, contact};

use crate::base::memo::Shared;
use crate::base::name;
use crate::base::pool::Pool;
use crate::base::waker::Waker;
use pchr::Character;
use pchr::cpu;
use pchr::draw::Picture;
use pchr::export::{
    Alpha, Drawing, Format, Plan, RenderOptions, SheetPlan, Surface, animation_ranges, preview_on_matte,
    sheet_ranges,
};
use pchr::model::{AnimationId, SkinId};

/// A request for a preview.
#[derive(Debug, Clone, PartialEq)]
pub struct PreviewRequest {
    /// The character.
    pub character: Shared<Character>,
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
        let Self { character, options, animations, skins, by_animation, is_cast, at: _ } = self;
        *character == other.character
            && *options == other.options
            && *animations == other.animations
            && *skins == other.skins
            && *by_animation == other.by_animation
            && *is_cast == other.is_cast
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
    pool: Pool<Asked, Option<Preview>>,
    asked: Option<Asked>,
    latest: Option<Preview>,
    is_busy: bool,
}

/// A request, and whether a newer one has superseded it.
#[derive(Debug, Clone, PartialEq)]
struct Asked {
    request: PreviewRequest,
    is_stale: Shared<AtomicBool>,
}

impl Asked {
    fn supersede(&self) {
        self.is_stale.store(true, Ordering::Relaxed);
    }
}

impl Default for Previewer {
    /// Starts the background thread.
    fn default() -> Self {
        let artist = Mutex::new(Artist::default());
        let draw = move |Asked { request, is_stale }: &Asked| {
            artist.lock().unwrap_or_else(PoisonError::into_inner).draw(request, is_stale)
        };
        let pool = Pool::start("preview", 1, Some(&Waker::of_nobody()), draw);
        Self { pool, asked: None, latest: None, is_busy: false }
    }
}

impl Previewer {
    /// Takes over the latest preview, and requests another one unless it was requested last. Does not block.
    pub fn show(&mut self, request: PreviewRequest) {
        for (of, preview) in self.pool.take() {
            self.is_busy &= self.asked.as_ref() != Some(&of);
            self.latest = preview.or(self.latest.take());
        }
        if self.asked.as_ref().is_none_or(|asked| asked.request != request) {
            // Cancel drawing a sheet, which may be many pictures.
            self.asked.iter().for_each(Asked::supersede);
            let asked = Asked { request, is_stale: Shared::of(&Arc::default()) };
            self.pool.ask(vec![asked.clone()]);
            (self.asked, self.is_busy) = (Some(asked), true);
        }
    }

    /// Returns the latest preview.
    pub fn answer(&self) -> Option<Preview> {
        self.latest.clone()
    }

    /// Returns true while a newer preview is pending.
    pub fn is_busy(&self) -> bool {
        self.is_busy
    }
}

impl Drop for Previewer {
    fn drop(&mut self) {
        self.asked.iter().for_each(Asked::supersede);
    }
}

/// Draws previews, and keeps what the next one may have in common with the last.
#[derive(Default)]
struct Artist {
    planned: Option<(PreviewRequest, Result<Planned, String>)>,
    renderer: Option<(Arc<Character>, cpu::Renderer)>,
    picture: Arc<Picture>,
    number: u64,
}

impl Artist {
    /// Returns `None` if a sheet is incomplete because the request became stale.
    fn draw(&mut self, request: &PreviewRequest, is_stale: &AtomicBool) -> Option<Preview> {
        let (estimate, picture) = match request.is_cast {
            true => match cast::preview(&request.options, is_stale) {
                Ok(sheet) => {
                    let SmallSheet { picture, pictures, cell: size } = sheet?;
                    (Ok(Estimate { pictures, files: 1, size, rate: 0.0, sheet: None }), picture)
                }
                Err(error) => (Err(error), None),
            },
            false => self.draw_one(request, is_stale)?,
        };
        // If it cannot be drawn, the last picture stays.
        if let Some(picture) = picture {
            self.picture = Arc::new(picture);
        }
        self.number += 1;
        Some(Preview { estimate, picture: Arc::clone(&self.picture), number: self.number })
    }

    fn draw_one(
        &mut self,
        request: &PreviewRequest,
        is_stale: &AtomicBool,
    ) -> Option<(Result<Estimate, String>, Option<Picture>)> {
        let PreviewRequest { character, options, .. } = request;
        let plan = match self.planned.take() {
            Some((before, plan)) if before.has_same_plan(request) => plan,
            _ => {
                let plan = options.plan(character, &request.animations, &request.skins);
                let plan = plan.map(|plan| Planned { plan, sheet: None });
                plan.map_err(name::message)
            }
        };
        let (_, renderer) = match self.renderer.take() {
            Some(known) if Arc::ptr_eq(&known.0, character) => self.renderer.insert(known),
            _ => self.renderer.insert((Arc::clone(character), cpu::Renderer::new(character.model()))),
        };
        let drawn = plan.and_then(|plan| match options.format() {
            Format::Sheet => sheet::draw(request, plan, renderer, is_stale),
            _ if options.contact_sheet().is_some() => {
                Ok((contact::draw(request, &plan.plan, renderer, is_stale)?, plan))
            }
            _ => Ok((draw(request, &plan.plan, renderer), plan)),
        });
        let is_sheet = options.format() == Format::Sheet || options.contact_sheet().is_some();
        if is_sheet && is_stale.load(Ordering::Relaxed) {
            return None;
        }
        let (picture, plan) = match drawn {
            Ok((picture, plan)) => (picture, Ok(plan)),
            Err(error) => (None, Err(error)),
        };
        let (_, plan) = self.planned.insert((request.clone(), plan));
        let estimate = plan.as_ref().map(|planned| estimate(request, planned)).map_err(String::clone);
        Some((estimate, picture))
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
        format if format.has_file_per_animation() => animation_ranges(&plan.pictures).len(),
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
