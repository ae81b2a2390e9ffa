//! Fonts for characters that the bundled fonts lack. The source of fonts is one of the test, never the system.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

use crate::widgets::fonts::FallbackFonts;
use egui::FontId;
use egui::epaint::text::{FallbackRequest, FontData, FontInsert, FontProvider, MissingGlyphPolicy};

use super::font::font_of;
use crate::app::tests::harness::TestWindow;

/// A source with one font for each of some texts, which records what it was asked for.
struct Drawer {
    fonts: Vec<(String, Vec<u8>)>,
    asked: Arc<Mutex<Vec<char>>>,
}

impl FontProvider for Drawer {
    fn font_for(&self, request: &FallbackRequest<'_>) -> Option<FontInsert> {
        let first = request.cluster.chars().next().unwrap();
        self.asked.lock().unwrap().push(first);
        let (name, bytes) = self.fonts.iter().find(|(characters, _)| characters.contains(first))?;
        Some(FontInsert::new(name, FontData::from_owned(bytes.clone()), Vec::new()))
    }
}

struct Fonts {
    it: TestWindow,
    fonts: Arc<FallbackFonts>,
    asked: Arc<Mutex<Vec<char>>>,
    opened: Arc<AtomicUsize>,
    woken: mpsc::Receiver<()>,
}

impl Fonts {
    fn open(fonts: &[&str]) -> Self {
        let fonts: Vec<_> = fonts.iter().map(|&characters| (characters.to_owned(), font_of(characters))).collect();
        Self::with(fonts)
    }

    fn with(fonts: Vec<(String, Vec<u8>)>) -> Self {
        let mut it = TestWindow::open([900.0, 600.0], &["paper-lamp.json", "paper-knight.pchr"]);
        it.harness.ctx.set_missing_glyph_policy(MissingGlyphPolicy::Tofu);
        let (asked, opened) = (Arc::default(), Arc::new(AtomicUsize::new(0)));
        let (wake, woken) = mpsc::channel();
        let source = {
            let (asked, opened) = (Arc::clone(&asked), Arc::clone(&opened));
            move || {
                opened.fetch_add(1, Ordering::SeqCst);
                Box::new(Drawer { fonts: fonts.clone(), asked: Arc::clone(&asked) }) as Box<dyn FontProvider>
            }
        };
        let fonts = FallbackFonts::install(&it.harness.ctx, source, move || wake.send(()).unwrap_or_default());
        it.harness.run();
        Self { it, fonts, asked, opened, woken }
    }

    /// Shows `text` for a while, as any part of the window could.
    fn show(&mut self, text: &str) {
        self.it.state_mut().notify_error(text);
        self.it.harness.run_steps(2);
    }

    fn has(&self, text: &str) -> bool {
        self.it.harness.ctx.fonts_mut(|fonts| fonts.has_glyphs(&FontId::proportional(13.5), text))
    }

    fn wait(&self) {
        for _ in 0..2000 {
            if !self.fonts.is_searching() {
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        panic!("the search does not end");
    }
}

const NAMES: [&str; 9] = ["漢字", "かな", "한글", "Ӝ", "ϡ", "ܐ", "א", "ไทย", "देव"];

#[test]
fn text_of_any_script_gets_its_glyphs() {
    let mut desk = Fonts::open(&NAMES);
    let missing: Vec<&str> = NAMES.into_iter().filter(|name| !desk.has(name)).collect();
    assert!(missing.len() >= 7, "{missing:?}");
    desk.wait();
    desk.show(&NAMES.concat());
    desk.wait();
    desk.it.harness.run_steps(2);
    for name in NAMES {
        assert!(desk.has(name), "{name}");
    }
    desk.it.save("fonts");
}

#[test]
fn fonts_are_searched_when_a_character_needs_them_and_wake_the_window_once() {
    let mut desk = Fonts::open(&["漢字"]);
    desk.show("Only letters that the window has: ÄÖÜ ← →");
    assert_eq!((desk.opened.load(Ordering::SeqCst), desk.fonts.is_searching()), (0, false));
    desk.show("漢字");
    desk.woken.recv_timeout(Duration::from_secs(60)).expect("the window is woken");
    desk.wait();
    desk.it.harness.run_steps(2);
    assert_eq!((desk.opened.load(Ordering::SeqCst), desk.fonts.found()), (1, 1));
    assert!(desk.has("漢字") && desk.woken.try_recv().is_err());
    // Both characters in one search, whatever the font that they are shown in.
    let asked = desk.asked.lock().unwrap().clone();
    assert!(asked.contains(&'漢') && asked.len() <= 2, "{asked:?}");
}

#[test]
fn characters_that_no_font_has_are_searched_once() {
    let mut desk = Fonts::open(&["漢"]);
    for _ in 0..5 {
        desk.show("\u{10fffd}\u{e123}");
        desk.wait();
    }
    assert_eq!(desk.asked.lock().unwrap().len(), 2);
    assert!(desk.woken.try_recv().is_err(), "nothing has changed");
    // Not even when another font arrives and egui asks for everything again.
    desk.show("漢 \u{10fffd}\u{e123}");
    desk.wait();
    for _ in 0..3 {
        desk.show("漢 \u{10fffd}\u{e123}");
        desk.wait();
    }
    let asked = desk.asked.lock().unwrap().clone();
    assert_eq!(asked.iter().filter(|&&c| c == '\u{e123}').count(), 1, "{asked:?}");
    assert!(desk.has("漢"));
}

#[test]
fn broken_fonts_leave_boxes() {
    let mut truncated = font_of("漢");
    truncated.truncate(3000);
    let fonts = vec![
        ("漢".to_owned(), truncated),
        ("字".to_owned(), b"not a font".to_vec()),
        ("א".to_owned(), font_of("א")),
    ];
    let mut desk = Fonts::with(fonts);
    for _ in 0..4 {
        desk.show("漢字א");
        desk.wait();
        desk.it.harness.run_steps(2);
    }
    assert!(desk.has("א") && !desk.has("字"));
}

#[test]
fn without_a_source_the_window_does_not_read_the_fonts_of_the_system() {
    let it = TestWindow::open([900.0, 600.0], &["paper-lamp.json"]);
    it.harness.ctx.set_missing_glyph_policy(MissingGlyphPolicy::Tofu);
    let has = it.harness.ctx.fonts_mut(|fonts| fonts.has_glyphs(&FontId::proportional(13.5), "漢字"));
    assert!(!has);
}
