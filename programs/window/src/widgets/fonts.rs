//! Fonts of the system, for characters that the bundled fonts lack.
//!
//! Nothing is read until such a character is shown. Then the fonts are searched on a thread, and the window is
//! painted again once the missing fonts are there. Until then, and if no font has the character, it is shown as a
//! box. Each character is searched only once.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;

use egui::Context;
use egui::epaint::text::{FallbackRequest, FontData, FontFamily, FontInsert, FontProvider};
use egui_system_font_provider::SystemFontProvider;
use skrifa::{FontRef, MetadataProvider};

/// Creates the source of fonts, which may be slow. It is called at most once, on a thread of its own.
type Source = dyn Fn() -> Box<dyn FontProvider> + Send + Sync;

/// Fonts that are searched when they are needed.
pub struct FallbackFonts {
    ctx: Context,
    source: Box<Source>,
    opened: OnceLock<Box<dyn FontProvider>>,
    /// Makes the window lay out another frame.
    wake: Box<dyn Fn() + Send + Sync>,
    known: Mutex<Known>,
}

impl fmt::Debug for FallbackFonts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FallbackFonts").field("known", &*self.known()).finish_non_exhaustive()
    }
}

#[derive(Debug, Default)]
struct Known {
    /// The font of each character that was asked for; `None`: none, or it is still being searched.
    found: HashMap<(FontFamily, char), Option<FontInsert>>,
    /// The distinct fonts.
    fonts: Vec<FontInsert>,
    /// The characters still to be searched.
    wanted: VecDeque<(FontFamily, String)>,
    is_searching: bool,
}

impl FallbackFonts {
    /// Adds the fonts of the system to `ctx`. `wake` makes the window lay out another frame; it is called from
    /// another thread.
    pub fn of_system(ctx: &Context, wake: impl Fn() + Send + Sync + 'static) -> Arc<Self> {
        Self::install(ctx, || Box::new(SystemFontProvider::new()), wake)
    }

    /// Adds the fonts of any source to `ctx`, in the same way.
    pub fn install(
        ctx: &Context,
        source: impl Fn() -> Box<dyn FontProvider> + Send + Sync + 'static,
        wake: impl Fn() + Send + Sync + 'static,
    ) -> Arc<Self> {
        let fonts = Arc::new(Self {
            ctx: ctx.clone(),
            source: Box::new(source),
            opened: OnceLock::new(),
            wake: Box::new(wake),
            known: Mutex::default(),
        });
        ctx.add_font_provider(Arc::new(Lookup(Arc::clone(&fonts))));
        fonts
    }

    /// Returns true while characters are being searched.
    #[cfg(test)]
    pub fn is_searching(&self) -> bool {
        self.known().is_searching
    }

    /// Returns the number of fonts found so far.
    #[cfg(test)]
    pub fn found(&self) -> usize {
        self.known().fonts.len()
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Searches all wanted characters, those too that are asked for meanwhile.
    fn search(self: &Arc<Self>) {
        let source = self.opened.get_or_init(|| (self.source)());
        loop {
            if self.search_wanted(source.as_ref()) {
                // egui asks each provider only once for each character, unless the providers are set again.
                self.ctx.set_font_providers(vec![Arc::new(Lookup(Arc::clone(self)))]);
                (self.wake)();
            }
            let mut known = self.known();
            if known.wanted.is_empty() {
                known.is_searching = false;
                return;
            }
        }
    }

    /// Returns true if a font was found.
    fn search_wanted(&self, source: &dyn FontProvider) -> bool {
        let mut is_new = false;
        while let Some((family, cluster)) = self.next() {
            let found = source.font_for(&FallbackRequest { cluster: &cluster, family: &family });
            let (Some(font), Some(first)) = (found, cluster.chars().next()) else { continue };
            let mut known = self.known();
            if known.fonts.iter().all(|other| other.name != font.name) {
                known.fonts.push(font.clone());
            }
            known.found.insert((family, first), Some(font));
            is_new = true;
        }
        is_new
    }

    fn next(&self) -> Option<(FontFamily, String)> {
        self.known().wanted.pop_front()
    }
}

/// What egui asks. It answers at once.
struct Lookup(Arc<FallbackFonts>);

impl FontProvider for Lookup {
    fn font_for(&self, request: &FallbackRequest<'_>) -> Option<FontInsert> {
        let first = request.cluster.chars().next()?;
        let mut known = self.0.known();
        let key = (request.family.clone(), first);
        if let Some(found) = known.found.get(&key) {
            return found.clone();
        }
        // Most likely another character of a script that has its font already.
        let fitting = known.fonts.iter().find(|font| has_glyph(&font.data, first)).cloned();
        if fitting.is_some() {
            known.found.insert(key, fitting.clone());
            return fitting;
        }
        known.found.insert(key, None);
        known.wanted.push_back((request.family.clone(), request.cluster.to_owned()));
        if !std::mem::replace(&mut known.is_searching, true) {
            let fonts = Arc::clone(&self.0);
            let thread = thread::Builder::new().name("fonts".to_owned());
            if thread.spawn(move || fonts.search()).is_err() {
                // Without a thread the window keeps its own fonts.
                known.is_searching = false;
            }
        }
        None
    }
}

fn has_glyph(font: &FontData, c: char) -> bool {
    let font = FontRef::from_index(font.bytes(), font.index);
    font.is_ok_and(|font| font.charmap().map(c).is_some_and(|glyph| glyph != skrifa::GlyphId::NOTDEF))
}
