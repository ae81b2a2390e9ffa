//! Draws a draw list without a GPU: the same bytes on every machine and with any number of threads.
//!
//! This is the fallback for machines without a graphics driver, and the reference for the tests of `gpu`. To make
//! the bytes reproducible, matrices use only `+ - * /`, corners are snapped to 1/256 of a pixel, everything after
//! that is integer arithmetic, and every row is drawn by one thread from back to front.

mod blend;
mod clip;
mod edges;
mod msaa;
mod raster;
mod sample;
mod setup;
mod shade;
mod span;
mod still;
mod texture;

use std::sync::Arc;

use crate::draw::{Antialias, DrawList, Picture, Settings, View};
use crate::error::{Error, Result};
use crate::misuse;
use crate::model::Model;
use crate::progress::Progress;

use msaa::SampledRows;
use raster::{PlainRows, Rows};
use setup::{Scene, Setup};
use texture::Textures;

pub use still::{Still, render_file};

/// Draws one model into [`Picture`]s.
///
/// Reuse it: after the first picture nothing is allocated, except for the mipmap levels of a page when one of its
/// sprites is first drawn small. Clones share the pages.
///
/// ```
/// use pchr::cpu::Renderer;
/// use pchr::draw::{DrawList, Picture, Settings, View};
/// use pchr::math::vec2;
/// use pchr::motion::{Cue, evaluate};
/// use pchr::pose::Pose;
///
/// # fn main() -> pchr::Result<()> {
/// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/paper-knight.pchr");
/// let character = pchr::Character::open(path)?;
/// let (mut pose, mut list, mut picture) = (Pose::default(), DrawList::default(), Picture::default());
/// evaluate(&character, &Cue::default(), &mut pose);
/// let view = View::centered(200, 300, vec2(0.0, 200.0), 0.5).rotated(0.1);
/// list.build(character.model(), &pose, &view);
/// Renderer::new(character.model()).render(character.model(), &list, &view, Settings::default(), &mut picture);
/// assert_eq!((picture.width(), picture.height()), (200, 300));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Renderer {
    /// Shared between clones.
    textures: Arc<Textures>,
    setup: Setup,
    /// The coverage samples of each pixel, with MSAA.
    samples: Vec<[u32; 4]>,
    /// Whether the samples of a pixel differ, with MSAA.
    is_split: Vec<bool>,
    /// One byte per pixel, if something is clipped.
    mask: Vec<u8>,
    threads: Threads,
    /// The model has clip masks.
    has_masks: bool,
    max_bytes: u64,
    progress: Option<Arc<Progress>>,
}

/// The threads that draw one picture. The picture does not depend on them.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum Threads {
    /// All threads of the current rayon pool; the calling thread without the feature `threads`.
    #[default]
    All,
    /// The calling thread, for programs that draw several pictures at once.
    One,
}

impl Renderer {
    /// The longest side of a picture in pixels, including the enlargement for supersampling.
    pub const MAX_SIDE: u32 = 1 << 20;
    /// The default of [`Self::with_max_bytes`]: 4 GiB.
    pub(crate) const MAX_BYTES: u64 = 4 << 30;

    /// Prepares the pages of `model`, which are premultiplied once.
    pub fn new(model: &Model) -> Self {
        Self {
            textures: Arc::new(Textures::new(model)),
            setup: Setup::default(),
            samples: Vec::new(),
            is_split: Vec::new(),
            mask: Vec::new(),
            threads: Threads::All,
            has_masks: model.has_clip_masks(),
            max_bytes: Self::MAX_BYTES,
            progress: None,
        }
    }

    /// Computes the mipmap levels of all pages of `model`, so that no picture has to. Otherwise the levels of a page
    /// are computed when one of its sprites is first drawn small.
    ///
    /// # Panics
    ///
    /// If the renderer belongs to another model.
    #[must_use]
    #[track_caller]
    pub fn with_mipmaps(self, model: &Model) -> Self {
        self.expect_of(model);
        self.textures.make_levels(model);
        self
    }

    /// Limits the bytes that drawing a picture may take, the picture included.
    #[must_use]
    pub fn with_max_bytes(mut self, max_bytes: u64) -> Self {
        self.max_bytes = max_bytes;
        self
    }

    /// Stops drawing once `progress` is cancelled. The picture is then incomplete.
    #[must_use]
    pub fn with_progress(mut self, progress: Arc<Progress>) -> Self {
        self.progress = Some(progress);
        self
    }

    /// Sets the threads that draw. The default is [`Threads::All`].
    #[must_use]
    pub fn with_threads(mut self, threads: Threads) -> Self {
        self.threads = threads;
        self
    }

    /// Checks whether a picture can be drawn.
    ///
    /// # Errors
    ///
    /// [`Error::Misuse`] (`picture-too-large`) if a side has more than [`Self::MAX_SIDE`] pixels, or drawing takes
    /// more memory than [`Self::with_max_bytes`] allows.
    pub fn check_size(&self, view: &View, antialias: Antialias) -> Result<()> {
        let (width, height) = (view.width(), view.height());
        let longest = u64::from(width.max(height)) * u64::from(antialias.supersampling());
        let bytes = bytes_to_draw(view, antialias, self.has_masks);
        let why = if longest > Self::MAX_SIDE.into() {
            format!("would be drawn {longest} pixels long, a side may have {}", Self::MAX_SIDE)
        } else if bytes > self.max_bytes.into() {
            format!("takes {bytes} bytes to draw, {} are allowed", self.max_bytes)
        } else {
            return Ok(());
        };
        Err(Error::misuse("picture-too-large", format!("a picture of {width}×{height} {why}")))
    }

    /// Draws `list` into `picture`, which is resized to the size of `view`. The pixels are premultiplied, and
    /// transparent where nothing is drawn. `model` is the one that this renderer was made for and `list` was built
    /// from.
    ///
    /// # Panics
    ///
    /// If `list` or this renderer belongs to another model, or [`Self::check_size`] refuses the picture.
    #[track_caller]
    pub fn render(
        &mut self,
        model: &Model,
        list: &DrawList,
        view: &View,
        settings: Settings,
        picture: &mut Picture,
    ) {
        self.render_onto(model, list, view, settings, None, picture);
    }

    /// Like [`Self::render`], for a picture that is then laid over `behind`, premultiplied and of the size of `view`:
    /// what is multiplied or screened blends with it. Without such sprites, the picture does not depend on `behind`.
    ///
    /// # Panics
    ///
    /// As [`Self::render`], and if `behind` has another size.
    #[track_caller]
    pub fn render_over(
        &mut self,
        model: &Model,
        list: &DrawList,
        view: &View,
        settings: Settings,
        behind: &Picture,
        picture: &mut Picture,
    ) {
        behind.expect_size(view);
        let behind = Some(behind).filter(|_| list.blends_with_background());
        self.render_onto(model, list, view, settings, behind, picture);
        behind.iter().for_each(|behind| picture.lift_off(behind));
    }

    #[track_caller]
    fn render_onto(
        &mut self,
        model: &Model,
        list: &DrawList,
        view: &View,
        settings: Settings,
        behind: Option<&Picture>,
        picture: &mut Picture,
    ) {
        self.expect_of(model);
        list.expect_of(model);
        if let Err(error) = self.check_size(view, settings.antialias) {
            misuse::fail(error);
        }
        let nothing = DrawList::default();
        let list = if view.shows_anything() { list } else { &nothing };
        let enlarged = view.enlarged(settings.antialias.supersampling());
        match behind {
            None => picture.reset(enlarged.width(), enlarged.height()),
            Some(behind) => picture.reset_to_colors_of(behind, settings.antialias.supersampling()),
        }
        let scene = Scene { model, list, view: &enlarged, filter: settings.filter };
        self.setup.fill(&scene, &self.textures);
        let pixels = picture.pixels().len() / 4;
        let sampled = if settings.antialias == Antialias::Msaa4 { pixels } else { 0 };
        // Samples are only read after their pixel was split, so they keep old values.
        self.samples.resize(sampled, [0; 4]);
        self.is_split.clear();
        self.is_split.resize(sampled, false);
        self.mask.resize(if self.setup.has_masks() { pixels } else { 0 }, 0);
        let (mut samples, mut is_split) = (std::mem::take(&mut self.samples), std::mem::take(&mut self.is_split));
        let mut mask = std::mem::take(&mut self.mask);
        let width = enlarged.width() as usize;
        if width > 0 {
            let pixels = picture.pixels_mut().as_chunks_mut().0;
            let (samples, is_split, mask) = (&mut *samples, &mut *is_split, &mut *mask);
            self.draw(Band { pixels, samples, is_split, mask, width, first: 0 });
        }
        (self.samples, self.is_split, self.mask) = (samples, is_split, mask);
        picture.shrink(settings.antialias.supersampling());
    }

    /// Checks that the renderer was made for `model`, as [`Self::render`] does. The sizes of pages and the number of
    /// attachments are compared.
    ///
    /// # Panics
    ///
    /// If the renderer was made for another model.
    #[track_caller]
    pub fn expect_of(&self, model: &Model) {
        self.textures.expect_of(model);
    }

    /// Draws a band on as many threads as allowed, halving it until the parts are too small to share.
    fn draw(&self, band: Band<'_>) {
        if band.rows() < 2 * MIN_ROWS || !self.threads.are_many() {
            return band.fill(self);
        }
        let (top, bottom) = band.halves();
        join(|| self.draw(top), || self.draw(bottom));
    }
}

/// The fewest rows worth another thread.
const MIN_ROWS: usize = 16;

/// Consecutive rows of the picture that is being drawn.
struct Band<'a> {
    pixels: &'a mut [[u8; 4]],
    /// One per pixel; empty without MSAA.
    samples: &'a mut [[u32; 4]],
    /// One per pixel; empty without MSAA.
    is_split: &'a mut [bool],
    /// One per pixel; empty if nothing is clipped.
    mask: &'a mut [u8],
    width: usize,
    /// The first row in the picture.
    first: usize,
}

impl Band<'_> {
    fn rows(&self) -> usize {
        self.pixels.len() / self.width
    }

    fn halves(self) -> (Self, Self) {
        let Self { pixels, samples, is_split, mask, width, first } = self;
        let rows = pixels.len() / width / 2;
        let at = rows * width;
        let (upper, lower) = pixels.split_at_mut(at);
        let (upper_samples, lower_samples) = samples.split_at_mut(at.min(samples.len()));
        let (upper_split, lower_split) = is_split.split_at_mut(at.min(is_split.len()));
        let (upper_mask, lower_mask) = mask.split_at_mut(at.min(mask.len()));
        let band = |pixels, samples, is_split, mask, first| Self { pixels, samples, is_split, mask, width, first };
        (
            band(upper, upper_samples, upper_split, upper_mask, first),
            band(lower, lower_samples, lower_split, lower_mask, first + rows),
        )
    }

    fn fill(self, Renderer { setup, textures, progress, .. }: &Renderer) {
        let Self { pixels, samples, is_split, mask, width, first } = self;
        let (first, progress) = (first as i32, progress.as_deref());
        if samples.is_empty() {
            return PlainRows { pixels, mask, width, first }.draw(setup, textures, progress);
        }
        let mut rows = SampledRows { pixels, samples, is_split, mask, width, first };
        rows.draw(setup, textures, progress);
        rows.resolve();
    }
}

impl Threads {
    fn are_many(self) -> bool {
        cfg!(feature = "threads") && self == Self::All
    }
}

#[cfg(feature = "threads")]
fn join(a: impl FnOnce() + Send, b: impl FnOnce() + Send) {
    rayon::join(a, b);
}

#[cfg(not(feature = "threads"))]
fn join(a: impl FnOnce(), b: impl FnOnce()) {
    a();
    b();
}

/// Returns the bytes that drawing a picture takes: its pixels when enlarged, its samples, and with clip masks one byte per
/// pixel for the mask.
pub(crate) fn bytes_to_draw(view: &View, antialias: Antialias, has_masks: bool) -> u128 {
    let enlarged = u128::from(antialias.supersampling()).pow(2);
    // Four bytes per sample, and one byte for whether they differ.
    let bytes = match antialias {
        Antialias::Msaa4 => 4 + 4 * u128::from(antialias.samples()) + 1,
        Antialias::None | Antialias::Ssaa2 | Antialias::Ssaa4 => 4,
    };
    let pixels = u128::from(view.width()) * u128::from(view.height()) * enlarged;
    pixels * (bytes + u128::from(has_masks))
}
