//! Draw list → pixels, without a GPU, the same bytes on every machine and thread count.
//!
//! This is the fallback where there is no driver, and the oracle of `gpu`. How it comes to the
//! same bytes: matrices use only `+ - * /`, corners are snapped to 1/256 pixel, everything after
//! that is integers, and every row is drawn by one thread from back to front.

mod blend;
mod clip;
mod raster;
mod sample;
mod setup;
mod shade;
mod texture;

use std::sync::Arc;

use crate::draw::{Antialias, DrawList, Picture, Settings, View};
use crate::error::{Error, Result};
use crate::misuse;
use crate::model::Model;

use raster::Rows;
use setup::Setup;
use texture::Texture;

/// Where a pixel is sampled for coverage, in 1/256 pixel: the middle.
const CENTER: (i64, i64) = (128, 128);
/// The four places that every GPU's standard 4× pattern has.
const MSAA4: [(i64, i64); 4] = [(96, 32), (224, 96), (32, 160), (160, 224)];

/// Renders one character. Reuse it: after the first picture nothing is allocated.
#[derive(Debug, Clone)]
pub struct Renderer {
    /// Shared between clones.
    textures: Arc<[Texture]>,
    setup: Setup,
    /// One picture per coverage sample, row by row, where there are several.
    samples: Vec<u8>,
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
            textures: model.pages().iter().map(Texture::new).collect(),
            setup: Setup::default(),
            samples: Vec::new(),
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

    /// Bytes that a picture takes while it is drawn: enlarged, or once more a sample, and one for each pixel's clip mask.
    fn bytes_of(&self, view: &View, antialias: Antialias) -> u128 {
        let enlarged = u128::from(antialias.supersampling()).pow(2);
        let planes = match antialias {
            Antialias::Msaa4 => 1 + u128::from(antialias.samples()),
            Antialias::None | Antialias::Ssaa2 | Antialias::Ssaa4 => 1,
        };
        let pixels = u128::from(view.width()) * u128::from(view.height()) * enlarged;
        pixels * (4 * planes + u128::from(self.has_masks))
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
        self.setup.fill(model, list, &enlarged, settings.filter);
        let planes = if settings.antialias == Antialias::Msaa4 { MSAA4.len() } else { 0 };
        self.samples.clear();
        self.samples.resize(picture.pixels().len() * planes, 0);
        let mut samples = std::mem::take(&mut self.samples);
        let mut mask = std::mem::take(&mut self.mask);
        mask.resize(if self.setup.has_masks() { picture.pixels().len() / 4 } else { 0 }, 0);
        let width = enlarged.width() as usize;
        if width > 0 {
            let pixels = picture.pixels_mut();
            self.draw(Band { pixels, samples: &mut samples, mask: &mut mask, width, first: 0 });
        }
        (self.samples, self.mask) = (samples, mask);
        picture.shrink(settings.antialias.supersampling());
    }

    /// Panics where the renderer was made for another model.
    #[track_caller]
    pub(crate) fn expect_of(&self, model: &Model) {
        let (textures, pages) = (self.textures.len(), model.pages().len());
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
    pixels: &'a mut [u8],
    /// The same rows once for each coverage sample, one after the other; empty where the middle is the only one.
    samples: &'a mut [u8],
    /// Of the same rows, for one coverage sample after the other; empty where nothing is clipped.
    mask: &'a mut [u8],
    width: usize,
    /// Which row of the picture is the first.
    first: usize,
}

impl Band<'_> {
    fn rows(&self) -> usize {
        self.pixels.len() / (self.width * 4)
    }

    fn halves(self) -> (Self, Self) {
        let rows = self.rows() / 2;
        let at = rows * self.width * 4;
        let planes = self.samples.len() / self.pixels.len();
        let (width, first) = (self.width, self.first);
        let (upper, lower) = self.pixels.split_at_mut(at);
        let (upper_samples, lower_samples) = self.samples.split_at_mut(at * planes);
        let (upper_mask, lower_mask) = self.mask.split_at_mut(if self.mask.is_empty() { 0 } else { at / 4 });
        (
            Self { pixels: upper, samples: upper_samples, mask: upper_mask, width, first },
            Self { pixels: lower, samples: lower_samples, mask: lower_mask, width, first: first + rows },
        )
    }

    fn fill(self, setup: &Setup, textures: &[Texture]) {
        let mut draw = |pixels: &mut [u8], sample| {
            Rows::new(pixels, self.mask, self.width, self.first).draw(setup, textures, sample);
        };
        if self.samples.is_empty() {
            return draw(self.pixels, CENTER);
        }
        for (plane, sample) in self.samples.chunks_mut(self.pixels.len()).zip(MSAA4) {
            draw(plane, sample);
        }
        blend::average(self.samples, self.pixels);
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
