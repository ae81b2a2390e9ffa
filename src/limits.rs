//! Limits on what a file may demand, charged before anything is allocated.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::{Error, Excess, Place, Result};
use crate::progress::Progress;

/// Limits on what a file may demand. The defaults admit any reasonable file on current hardware.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Limits {
    /// Size of one input file, in bytes.
    pub file_bytes: u64,
    /// Decoded pixels of all images of a character.
    pub pixels: u64,
    /// Total number of images, bones, meshes and animations of a character.
    pub records: u64,
    /// Nesting depth of JSON arrays and objects.
    pub json_depth: u64,
    /// Memory that reading, or converting, allocates, in bytes, not counting the file itself and the decoded pixels.
    pub memory_bytes: u64,
    /// Units of work that one step of a command may take: reading a file, finding the rectangle that the pictures
    /// show, drawing one picture, baking, converting or comparing a character. A unit is about half a nanosecond;
    /// `docs/limits.md` lists the costs. Work is counted before it is done.
    pub work: u64,
    /// What several steps may use together, in addition to the limits of each of them.
    pub shared: Option<Arc<Shared>>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            file_bytes: 4 << 30,
            pixels: 1 << 28,
            records: 1 << 20,
            json_depth: 64,
            memory_bytes: 4 << 30,
            work: 1 << 32,
            shared: None,
        }
    }
}

impl Limits {
    /// The names accepted by [`Self::set`].
    pub const NAMES: [&str; 6] = ["file-bytes", "pixels", "records", "json-depth", "memory-bytes", "work"];

    /// Returns low limits for thumbnails, which file managers make of whatever lies in a folder.
    pub fn for_thumbnails() -> Self {
        Self {
            file_bytes: 64 << 20,
            pixels: 32 << 20,
            records: 1 << 16,
            memory_bytes: 256 << 20,
            work: 256 << 20,
            ..Self::default()
        }
    }

    /// Returns a limit by name, or `None` for a name not in [`Self::NAMES`].
    pub fn get(&self, name: &str) -> Option<u64> {
        self.clone().limit(name).copied()
    }

    /// Sets a limit by name. Returns false for a name not in [`Self::NAMES`].
    pub fn set(&mut self, name: &str, value: u64) -> bool {
        self.limit(name).map(|limit| *limit = value).is_some()
    }

    fn limit(&mut self, name: &str) -> Option<&mut u64> {
        match name {
            "file-bytes" => Some(&mut self.file_bytes),
            "pixels" => Some(&mut self.pixels),
            "records" => Some(&mut self.records),
            "json-depth" => Some(&mut self.json_depth),
            "memory-bytes" => Some(&mut self.memory_bytes),
            "work" => Some(&mut self.work),
            _ => None,
        }
    }

    /// Returns these limits for steps that together may use as much work and as many pixels as `count` single steps.
    /// `name` says in errors what they belong to. If these limits are shared already, that budget is charged too.
    #[must_use]
    pub fn shared_by(&self, name: &'static str, count: u64) -> Self {
        let allowed = [self.work, self.pixels].map(|limit| limit.saturating_mul(count));
        let progress = self.shared.as_ref().map(|outer| Arc::clone(&outer.progress)).unwrap_or_default();
        let shared = Shared { name, used: Default::default(), allowed, progress, outer: self.shared.clone() };
        Self { shared: Some(Arc::new(shared)), ..self.clone() }
    }

    /// Fails once the steps that share these limits were cancelled.
    ///
    /// # Errors
    ///
    /// [`Error::Cancelled`].
    pub fn check_cancelled(&self) -> Result<()> {
        self.shared.as_ref().map_or(Ok(()), |shared| shared.progress.check())
    }

    /// Charges what a step of several uses to all of them. Does nothing if these limits are not shared.
    ///
    /// # Errors
    ///
    /// [`Error::LimitExceeded`] if not enough is left, [`Error::Cancelled`] once the steps were cancelled.
    pub fn charge_shared(&self, work: u64, pixels: u64) -> Result<()> {
        self.shared.as_ref().map_or(Ok(()), |shared| shared.charge([work, pixels]))
    }

    /// Returns the work that a frame shown on the screen may take, antialiasing included, so that the program stays
    /// responsive: a quarter of [`Self::work`].
    pub fn frame_work(&self) -> u64 {
        self.work / 4
    }

    /// Returns the work that choosing the first picture of a character may take: a sixteenth of [`Self::work`].
    pub fn first_picture_work(&self) -> u64 {
        self.work / 16
    }

    /// Checks the size of a rendered picture that is determined by the file alone: at most [`Self::pixels`].
    ///
    /// # Errors
    ///
    /// [`Error::LimitExceeded`] if the picture has more pixels.
    pub fn check_picture(&self, width: u32, height: u32) -> Result<()> {
        within("pixels", u64::from(width) * u64::from(height), self.pixels, || Place::inside("the picture"))
    }
}

/// A budget of work and pixels for several steps, and a way to stop all of them from another thread.
#[derive(Debug)]
pub struct Shared {
    /// What the steps belong to.
    name: &'static str,
    /// Work and pixels.
    used: [AtomicU64; 2],
    allowed: [u64; 2],
    progress: Arc<Progress>,
    outer: Option<Arc<Self>>,
}

impl Shared {
    /// Returns the progress of all steps. Once it is cancelled, they end with [`Error::Cancelled`], most of them within a
    /// fraction of a second.
    pub fn progress(&self) -> &Arc<Progress> {
        &self.progress
    }

    fn charge(&self, asked: [u64; 2]) -> Result<()> {
        self.progress.check()?;
        for (limit, kind) in ["work", "pixels"].into_iter().zip(0..) {
            let sum = |used: u64| used.saturating_add(asked[kind]);
            let used = self.used[kind].fetch_update(Ordering::Relaxed, Ordering::Relaxed, |used| Some(sum(used)));
            within(limit, used.map_or(u64::MAX, sum), self.allowed[kind], || Place::inside(self.name))?;
        }
        self.outer.as_ref().map_or(Ok(()), |outer| outer.charge(asked))
    }
}

impl PartialEq for Shared {
    /// Two budgets are different, however much is left of them.
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

/// Units of work for a decoded or encoded pixel, counted from the sizes in the headers of all images.
const PIXEL_WORK: u64 = 4;
/// Units of work for a row of decoded or encoded pixels, counted from the heights in these headers.
const ROW_WORK: u64 = 64;

/// The part of its [`Limits`] that a file has used.
#[derive(Debug)]
pub struct Budget<'a> {
    limits: &'a Limits,
    progress: Option<&'a Progress>,
    pixels: u64,
    records: u64,
    memory_bytes: u64,
    work: u64,
}

impl<'a> Budget<'a> {
    /// Creates an unused budget.
    pub fn new(limits: &'a Limits) -> Self {
        let progress = limits.shared.as_ref().map(|shared| &*shared.progress);
        Self { limits, progress, pixels: 0, records: 0, memory_bytes: 0, work: 0 }
    }

    /// Reports to `progress`, if any; once that is cancelled, every charge fails with [`Error::Cancelled`].
    #[must_use]
    pub(crate) fn with_progress(self, progress: Option<&'a Progress>) -> Self {
        Self { progress: progress.or(self.progress), ..self }
    }

    /// Returns the progress that is reported to, if any.
    pub(crate) fn progress(&self) -> Option<&'a Progress> {
        self.progress
    }

    /// Fails once the step, or all steps that share its limits, were cancelled.
    pub(crate) fn check_cancelled(&self) -> Result<()> {
        self.limits.check_cancelled()?;
        self.progress.map_or(Ok(()), Progress::check)
    }

    /// Sets the number of images that will be decoded.
    pub(crate) fn expect_images(&self, count: usize) {
        self.progress.inspect(|progress| progress.expect_images(count));
    }

    /// Counts an image that was decoded.
    pub(crate) fn image_done(&self) {
        self.progress.inspect(|progress| progress.image_done());
    }

    /// Returns the limits of this budget.
    #[cfg(feature = "json")]
    pub(crate) fn limits(&self) -> &'a Limits {
        self.limits
    }

    /// Rejects a file of more than the allowed number of bytes.
    pub fn check_file(&self, bytes: u64) -> Result<()> {
        within("file-bytes", bytes, self.limits.file_bytes, Place::default)
    }

    /// Charges `width` × `height` pixels and the work of decoding them, but not the memory that a decoder needs
    /// besides the pixels.
    pub(crate) fn charge_pixels(&mut self, width: u32, height: u32, place: impl Fn() -> Place) -> Result<()> {
        self.check_cancelled()?;
        let pixels = u64::from(width) * u64::from(height);
        self.pixels = self.pixels.saturating_add(pixels);
        within("pixels", self.pixels, self.limits.pixels, &place)?;
        self.limits.charge_shared(0, pixels)?;
        self.charge_work(height.into(), u64::from(width) * PIXEL_WORK + ROW_WORK, place)
    }

    /// Charges `count` images, bones, meshes or animations.
    pub(crate) fn charge_records(&mut self, count: u64, place: impl FnOnce() -> Place) -> Result<()> {
        self.check_cancelled()?;
        self.records = self.records.saturating_add(count);
        within("records", self.records, self.limits.records, place)
    }

    /// Rejects JSON that is nested too deeply at `place`.
    #[cfg(feature = "json")]
    pub(crate) fn check_json_depth(&self, depth: u64, place: impl FnOnce() -> Place) -> Result<()> {
        within("json-depth", depth, self.limits.json_depth, place)
    }

    /// Charges memory for `count` values of `size` bytes.
    pub(crate) fn charge_memory(&mut self, count: u64, size: usize, place: impl FnOnce() -> Place) -> Result<()> {
        self.check_cancelled()?;
        self.memory_bytes = self.memory_bytes.saturating_add(count.saturating_mul(size as u64));
        within("memory-bytes", self.memory_bytes, self.limits.memory_bytes, place)
    }

    /// Charges a copy of `width` × `height` pixels and the work of encoding it. An encoded image may be as large as
    /// its pixels.
    #[cfg(any(feature = "pictures", feature = "bake"))]
    pub(crate) fn charge_encoding(&mut self, width: u32, height: u32, place: impl Fn() -> Place) -> Result<()> {
        /// Bytes of a pixel in memory.
        const PIXEL_BYTES: usize = 4;
        self.charge_memory(u64::from(width) * u64::from(height), PIXEL_BYTES, &place)?;
        self.charge_work(height.into(), u64::from(width) * PIXEL_WORK + ROW_WORK, place)
    }

    /// Begins the next step of a command, which decodes its own images: its work and pixels are counted from 0. What
    /// was allocated stays charged.
    #[cfg(feature = "convert")]
    pub(crate) fn next_step(&mut self) {
        (self.work, self.pixels) = (0, 0);
    }

    /// Charges `count` × `units` of work.
    pub fn charge_work(&mut self, count: u64, units: u64, place: impl FnOnce() -> Place) -> Result<()> {
        self.check_cancelled()?;
        let asked = count.saturating_mul(units);
        self.work = self.work.saturating_add(asked);
        within("work", self.work, self.limits.work, place)?;
        self.limits.charge_shared(asked, 0)
    }
}

fn within(limit: &'static str, asked: u64, allowed: u64, place: impl FnOnce() -> Place) -> Result<()> {
    if asked <= allowed {
        return Ok(());
    }
    Err(Error::LimitExceeded(Box::new(Excess { place: place(), limit, asked, allowed })))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_share_a_budget_and_are_cancelled_together() {
        let call = Limits { work: 100, ..Limits::default() }.shared_by("the call", 2);
        let sheet = call.shared_by("the contact sheet", 1);
        let charge = |limits: &Limits, work| {
            let charged = Budget::new(limits).charge_work(1, work, || Place::inside("a step"));
            charged.map_or_else(|error| error.to_string(), |()| String::new())
        };
        let exceeded = |place: &str, asked: u64, allowed: u64| {
            format!("{place}: limit `work` exceeded: at least {asked} needed, {allowed} allowed")
        };
        assert_eq!(charge(&sheet, 60), "");
        assert_eq!(charge(&sheet, 60), exceeded("the contact sheet", 120, 100));
        assert_eq!(charge(&call, 101), exceeded("a step", 101, 100));
        assert_eq!([charge(&call, 60), charge(&call, 60)], ["", ""]);
        assert_eq!(charge(&call, 60), exceeded("the call", 240, 200));
        // It does not start over.
        for _ in 0..2 {
            assert!(matches!(call.charge_shared(u64::MAX, 0), Err(Error::LimitExceeded(_))));
        }
        sheet.shared.iter().for_each(|shared| shared.progress().cancel());
        assert!(matches!(call.check_cancelled(), Err(Error::Cancelled)));
        assert_eq!(charge(&call, 0), Error::Cancelled.to_string());
    }
}
