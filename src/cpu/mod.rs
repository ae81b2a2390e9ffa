//! Draw list → pixels, without a GPU, the same bytes on every machine and thread count.
//!
//! This is the fallback where there is no driver, and the oracle of `gpu`. How it comes to the
//! same bytes: matrices use only `+ - * /`, corners are snapped to 1/256 pixel, everything after
//! that is integers, and every row is drawn by one thread from back to front.

mod blend;
mod clip;
mod edges;
mod msaa;
mod raster;
mod sample;
mod scene;
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

use msaa::SampledRows;
use raster::{PlainRows, Rows};
use scene::Scene;
use setup::Setup;
use texture::Textures;

pub use still::{Still, render_file};

/// Renders one character. Reuse it: after the first picture nothing is allocated, but for the mipmap levels of a page when
/// something of it is first drawn small.
#[derive(Debug, Clone)]
pub struct Renderer {
    /// Shared between clones.
    textures: Arc<Textures>,
    setup: Setup,
    /// The coverage samples of each pixel, where there are several.
    samples: Vec<[u32; 4]>,
    /// Whether the samples of a pixel differ, where there are several.
    is_split: Vec<bool>,
    /// One byte per pixel, where something is clipped.
    mask: Vec<u8>,
    threads: Threads,
    /// The model has clip masks.
    has_masks: bool,
    max_bytes: u64,
}

/// How many threads one picture is drawn by. It changes nothing but the time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Threads {
    /// All of the current thread pool, where the feature `threads` is on.
    #[default]
    All,
    /// The calling one, for callers who draw several pictures at once.
    One,
}

impl Renderer {
    /// The longest side of a picture, in pixels and enlarged where it is to be averaged.
    pub const MAX_SIDE: u32 = 1 << 20;
    /// How many bytes a picture may take while it is drawn, unless [`Self::with_max_bytes`] says otherwise: 4 GiB.
    pub const MAX_BYTES: u64 = 4 << 30;

    /// Takes in the pictures of `model`, premultiplied.
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
        }
    }

    /// Sets how many bytes a picture may take while it is drawn.
    #[must_use]
    pub fn with_max_bytes(mut self, max_bytes: u64) -> Self {
        self.max_bytes = max_bytes;
        self
    }

    /// Sets how many threads draw.
    #[must_use]
    pub fn with_threads(mut self, threads: Threads) -> Self {
        self.threads = threads;
        self
    }

    /// Whether a picture can be drawn: refuses one with a side of more than [`Self::MAX_SIDE`] pixels, or that takes more
    /// memory than allowed while it is drawn.
    pub fn check_size(&self, view: &View, antialias: Antialias) -> Result<()> {
        let (width, height) = (view.width(), view.height());
        let longest = u64::from(width.max(height)) * u64::from(antialias.supersampling());
        let bytes = self.bytes_of(view, antialias);
        let why = if longest > Self::MAX_SIDE.into() {
            format!("would be drawn {longest} pixels long, a side may have {}", Self::MAX_SIDE)
        } else if bytes > self.max_bytes.into() {
            format!("takes {bytes} bytes to draw, {} are allowed", self.max_bytes)
        } else {
            return Ok(());
        };
        Err(Error::misuse("picture-too-large", format!("a picture of {width}×{height} {why}")))
    }

    /// Bytes that a picture takes while it is drawn: enlarged, or with its samples, and one for each pixel's clip mask.
    fn bytes_of(&self, view: &View, antialias: Antialias) -> u128 {
        let enlarged = u128::from(antialias.supersampling()).pow(2);
        // With samples four bytes for each of them, and one that says whether they differ.
        let bytes = match antialias {
            Antialias::Msaa4 => 4 + 4 * u128::from(antialias.samples()) + 1,
            Antialias::None | Antialias::Ssaa2 | Antialias::Ssaa4 => 4,
        };
        let pixels = u128::from(view.width()) * u128::from(view.height()) * enlarged;
        pixels * (bytes + u128::from(self.has_masks))
    }

    /// Draws `list`, which was built from the model this renderer was made for, into `picture`,
    /// which becomes as large as `view` says: premultiplied, transparent where nothing is.
    ///
    /// # Panics
    ///
    /// If `list` or this renderer is of another model, or [`Self::check_size`] refuses the picture.
    #[track_caller]
    pub fn render(
        &mut self,
        model: &Model,
        list: &DrawList,
        view: &View,
        settings: Settings,
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
        picture.reset(enlarged.width(), enlarged.height());
        let scene = Scene { model, list, view: &enlarged, filter: settings.filter };
        self.setup.fill(&scene, &self.textures);
        let pixels = picture.pixels().len() / 4;
        let sampled = if settings.antialias == Antialias::Msaa4 { pixels } else { 0 };
        // What samples are is of no meaning before a pixel is split.
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

    /// Checks that the renderer was made for `model`, as [`Self::render`] does.
    ///
    /// # Panics
    ///
    /// If the renderer was made for another model.
    #[track_caller]
    pub fn expect_of(&self, model: &Model) {
        let (textures, pages) = (self.textures.page_count(), model.pages().len());
        misuse::expect(textures == pages, || {
            format!("the renderer is of another model: it has {textures} pages, the model has {pages}")
        });
    }

    /// Draws a band on as many threads as allowed: by halves, until they are too small to share.
    fn draw(&self, band: Band<'_>) {
        if band.rows() < 2 * MIN_ROWS || !self.threads.are_many() {
            return band.fill(&self.setup, &self.textures);
        }
        let (top, bottom) = band.halves();
        join(|| self.draw(top), || self.draw(bottom));
    }
}

/// Fewer rows are not worth another thread.
const MIN_ROWS: usize = 16;

/// Some rows of the picture that is being drawn.
struct Band<'a> {
    pixels: &'a mut [[u8; 4]],
    /// One for each pixel; empty where its middle is the only sample.
    samples: &'a mut [[u32; 4]],
    /// As many.
    is_split: &'a mut [bool],
    /// One for each pixel; empty where nothing is clipped.
    mask: &'a mut [u8],
    width: usize,
    /// Which row of the picture is the first.
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

    fn fill(self, setup: &Setup, textures: &Textures) {
        let Self { pixels, samples, is_split, mask, width, first } = self;
        let first = first as i32;
        if samples.is_empty() {
            return PlainRows { pixels, mask, width, first }.draw(setup, textures);
        }
        let mut rows = SampledRows { pixels, samples, is_split, mask, width, first };
        rows.draw(setup, textures);
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
