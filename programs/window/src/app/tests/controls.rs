//! The window's controls: all can be reached with the mouse at every width and with Tab, errors can be copied, and
//! files can be closed.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::sync::Arc;

use crate::app::state::State;
use crate::scene::CpuSceneRenderer;
use egui::accesskit::Role;
use egui::{Event, Key, Modifiers, OutputCommand, Pos2, Rect, vec2};
use egui_kittest::kittest::Queryable;
use pchr::draw::Overlay;
use pchr::formats::image::encode_png;

use crate::app::tests::harness::TestWindow;
use crate::widgets::tooltips;

/// A sprite sheet with an invalid frame.
const ODD: &str = r#"{"frames": [{"filename": "a", "frame": {"x": 0, "y": 0, "w": 4, "h": 4}, "duration": 50}, 7],
    "meta": {"image": "odd.png"}}"#;

/// Opens a window of this size on `files`, names of the project's own characters and of broken ones.
fn open(size: [f32; 2], files: &[&str]) -> TestWindow {
    TestWindow::open_with(size, files, |_, folder| {
        fs::write(folder.join("broken.pchr"), b"PCHR\x01").unwrap();
        fs::write(folder.join("odd.json"), ODD).unwrap();
        fs::write(folder.join("odd.png"), encode_png(4, 4, &[255; 64]).unwrap()).unwrap();
    })
}

impl TestWindow {
    /// Presses Tab until the focus returns to its start, and returns what had the focus.
    fn tab_round(&mut self, modifiers: Modifiers) -> BTreeSet<u64> {
        let mut seen = BTreeSet::new();
        for _ in 0..400 {
            self.press(modifiers, Key::Tab);
            let focused = self.harness.ctx.memory(|memory| memory.focused()).expect("Tab always moves the focus");
            if !seen.insert(focused.value()) {
                break;
            }
            let widget = self.harness.ctx.read_response(focused).expect("a widget has the focus");
            let is_visible = widget.interact_rect.contains_rect(widget.rect);
            assert!(is_visible, "{:?} has the focus but is hidden: {:?}", focused, widget.rect);
        }
        seen
    }

    #[track_caller]
    pub fn assert_tab_reaches(&mut self, expected: &BTreeMap<u64, (String, Rect)>, what: &str) {
        for modifiers in [Modifiers::NONE, Modifiers::SHIFT] {
            let seen = self.tab_round(modifiers);
            let missed: Vec<_> = expected.iter().filter(|(id, _)| !seen.contains(id)).map(|(_, it)| it).collect();
            assert!(missed.is_empty(), "{what}: {modifiers:?} Tab never reaches {missed:#?}");
            let others: Vec<_> = seen.iter().filter(|id| !expected.contains_key(id)).collect();
            assert!(others.is_empty(), "{what}: {modifiers:?} Tab goes to invisible controls {others:?}");
        }
    }

    /// Selects the text that contains `part` with the mouse, and returns what Ctrl+C copies.
    fn copy(&mut self, part: &str) -> String {
        let rect = self.harness.get_by(|node| {
            let text = [node.label(), node.value()].into_iter().flatten().any(|text| text.contains(part));
            text && node.role() == Role::Label
        });
        let rect = rect.rect().shrink(1.0);
        self.drag(rect.left_top(), rect.right_bottom());
        self.harness.event(Event::Copy);
        self.harness.run_steps(1);
        let copied = self.harness.output().platform_output.commands.iter().find_map(|command| match command {
            OutputCommand::CopyText(text) => Some(text.clone()),
            _ => None,
        });
        copied.unwrap_or_default()
    }
}

// ---- Every width

#[test]
fn no_control_covers_another_at_any_width() {
    let mut checked = 0;
    for file in ["paper-knight.pchr", "paper-lamp.json"] {
        for width in (240..=1200).step_by(10) {
            let mut it = open([width as f32, 700.0], &[file]);
            it.harness.state_mut().state.playback.animator.seek(3.0);
            it.harness.run();
            let window = Rect::from_min_size(Pos2::ZERO, vec2(width as f32, 700.0));
            let timeline = it.harness.get_by_role_and_label(Role::Slider, "Time").rect();
            let controls: Vec<_> = it.controls().into_values().collect();
            let bars =
                controls.iter().filter(|(_, rect)| rect.top() >= timeline.bottom() || rect.bottom() <= 44.0);
            let bars: Vec<_> = bars.collect();
            for (index, (name, rect)) in bars.iter().enumerate() {
                assert!(window.contains_rect(*rect), "{file}, {width} points: {name} leaves the window: {rect}");
                for (other, covers) in &bars[index + 1..] {
                    let both = rect.intersect(*covers);
                    assert!(!both.is_positive(), "{file}, {width} points: {name} covers {other} by {both}");
                }
            }
            assert!(bars.len() >= 9, "{width}: {bars:#?}");
            checked += bars.len();
            if width % 40 == 0 {
                it.save(&format!("{file}-{width}"));
            }
        }
    }
    assert!(checked > 2 * 97 * 9);
}

#[test]
fn every_button_of_the_bar_can_be_clicked_at_every_width() {
    for width in (240..=1200).step_by(10) {
        let mut it = open([width as f32, 700.0], &["paper-knight.pchr"]);
        let at =
            |it: &TestWindow, name: &str| it.harness.get_by_role_and_label(Role::Button, name).rect().center();
        let last = it.harness.state().state.playback.animator.playback(0).frame_count() - 1;
        for (name, frame) in
            [("One frame forward", 1), ("Last frame", last), ("One frame back", last - 1), ("First frame", 0)]
        {
            let place = at(&it, name);
            it.click_at(place);
            assert_eq!(
                it.harness.state().state.playback.animator.playback(0).frame(),
                frame,
                "{name} at {width} points"
            );
        }
        assert!(!egui::Popup::is_any_open(&it.harness.ctx), "{width}");
    }
}

#[test]
fn the_buttons_are_centred_if_there_is_room() {
    let it = open([1180.0, 700.0], &["paper-knight.pchr"]);
    let play = it.harness.get_by_role_and_label(Role::Button, "Play").rect();
    assert!((play.center().x - 590.0).abs() < 1.0, "{play}");
}

// ---- Tab

#[test]
fn tab_reaches_every_control_of_the_window() {
    for (size, files) in [
        ([1100.0, 800.0], &["paper-lamp.json", "paper-knight.pchr", "broken.pchr"][..]),
        ([1100.0, 360.0], &["paper-lamp.json", "paper-knight.pchr"]),
        ([500.0, 500.0], &["paper-knight.pchr"]),
        ([1100.0, 800.0], &["broken.pchr"]),
        ([1100.0, 800.0], &[]),
    ] {
        let mut it = open(size, files);
        let expected = it.controls();
        assert!(expected.len() >= 4, "{expected:#?}");
        it.assert_tab_reaches(&expected, &format!("{files:?} in {size:?}"));
        it.save(&format!("tab-{}-{}", files.len(), size[1]));
        it.press(Modifiers::NONE, Key::Escape);
        assert!(it.harness.ctx.memory(|memory| memory.focused().is_none()), "Escape releases the focus");
    }
}

#[test]
fn tab_reaches_every_control_of_the_export_dialog_and_nothing_behind_it() {
    for (size, format) in
        [([1100.0, 800.0], "Animated GIF"), ([1100.0, 800.0], "Sprite sheet"), ([460.0, 500.0], "")]
    {
        let mut it = open(size, &["paper-knight.pchr"]);
        let behind: BTreeSet<u64> = it.controls().into_keys().collect();
        it.press(Modifiers::COMMAND, Key::E);
        if !format.is_empty() {
            it.harness.get_by_role_and_label(Role::ComboBox, "Format").click();
            it.harness.run();
            it.harness.get_by_role_and_label(Role::Button, format).click();
            it.harness.run();
        }
        // The preview may add another control.
        it.wait_for_preview();
        it.harness.run_steps(2);
        let mut expected = it.controls();
        expected.retain(|id, _| !behind.contains(id));
        assert!(expected.len() > 12, "{expected:#?}");
        it.assert_tab_reaches(&expected, format);
        it.save(&format!("tab-dialog-{}", size[0]));
    }
}

#[test]
fn keys_press_the_focused_widget_and_letters_remain_commands() {
    let mut it = open([1100.0, 800.0], &["paper-knight.pchr"]);
    it.harness.get_by_role_and_label(Role::Button, "One frame forward").focus();
    it.harness.run();
    it.press(Modifiers::NONE, Key::Space);
    assert_eq!(it.harness.state().state.playback.animator.playback(0).frame(), 1, "Space presses the button");
    assert!(!it.harness.state().state.playback.animator.is_playing());
    it.press(Modifiers::NONE, Key::B);
    assert!(it.harness.state().state.overlays.shown.contains(Overlay::Bones), "buttons do not use this key");
    it.harness.get_by_role_and_label(Role::Slider, "Time").focus();
    it.harness.run();
    for (key, frame) in [(Key::ArrowRight, 2), (Key::ArrowRight, 3), (Key::ArrowLeft, 2)] {
        it.press(Modifiers::NONE, key);
        assert_eq!(it.harness.state().state.playback.animator.playback(0).frame(), frame, "{key:?}");
    }
    let timeline = it.harness.get_by_role_and_label(Role::Slider, "Time");
    assert!(timeline.is_focused(), "the timeline keeps the focus");
    it.press(Modifiers::NONE, Key::Space);
    assert!(it.harness.state().state.playback.animator.is_playing());
}

#[test]
fn the_focused_widget_has_a_ring() {
    let mut it = open([1100.0, 800.0], &["paper-lamp.json"]);
    let shapes = |it: &TestWindow| it.harness.output().shapes.iter().map(|shape| format!("{shape:?}")).collect();
    let rings = |before: &BTreeSet<String>, it: &TestWindow| {
        let now: BTreeSet<String> = shapes(it);
        now.difference(before).any(|shape| shape.contains("width: 2.0"))
    };
    let before = shapes(&it);
    for _ in 0..12 {
        it.press(Modifiers::NONE, Key::Tab);
        assert!(rings(&before, &it), "no ring is drawn");
    }
    it.press(Modifiers::NONE, Key::Escape);
    assert!(!rings(&before, &it));
}

// ---- Text

#[test]
fn errors_can_be_selected_and_copied() {
    let mut it = open([1100.0, 800.0], &["broken.pchr"]);
    let error = it.harness.state().state.current().and_then(|document| document.error()).expect("an error");
    assert_eq!(it.copy("broken.pchr: "), error, "the error of a file that cannot be opened");

    let mut it = open([1100.0, 800.0], &["paper-knight.pchr"]);
    fs::write(it.folder.path().join("paper-knight.pchr"), b"PCHR\x01").unwrap();
    it.press(Modifiers::NONE, Key::F5);
    let error = it.harness.state().state.current().and_then(|document| document.error()).expect("an error");
    assert_eq!(it.copy("paper-knight.pchr: "), error, "the banner");

    it.harness.state_mut().state.notify_error("The file “a” cannot be written: no such folder");
    it.harness.run_steps(2);
    assert_eq!(it.copy("cannot be written"), "The file “a” cannot be written: no such folder", "a notice");
}

#[test]
fn warnings_can_be_selected_and_copied() {
    let mut it = open([1100.0, 800.0], &["odd.json"]);
    let loaded = it.harness.state().state.loaded().expect("a character");
    let message = loaded.diagnostics.warnings().next().expect("a warning").message.to_string();
    assert_eq!(it.copy(&message), message);
}

#[test]
fn a_notice_stays_while_the_pointer_is_on_it() {
    let mut it = open([1100.0, 800.0], &["paper-knight.pchr"]);
    it.harness.state_mut().state.notify_error("It is not there");
    it.harness.run_steps(2);
    let place = it.harness.get_by_role_and_label(Role::Label, "It is not there").rect();
    it.harness.hover_at(place.center());
    it.harness.run_steps(2);
    // The pointer rests, so the next frame is the requested one, which comes no earlier than the notice expires.
    it.harness.input_mut().time = Some(it.harness.ctx.input(|input| input.time) + 12.0);
    it.harness.run_steps(2);
    assert!(it.says("It is not there"));
    it.harness.input_mut().time = None;
    // A quarter of a second per frame.
    it.harness.run_steps(100);
    assert!(it.says("It is not there"));
    it.harness.hover_at(Pos2::new(1.0, 1.0));
    it.harness.run_steps(100);
    assert!(!it.says("It is not there"));
}

#[test]
fn an_empty_window_names_every_format() {
    let mut it = open([1100.0, 800.0], &[]);
    let brands: Vec<String> = pchr::formats::brands().map(|brand| brand.replace(' ', "\u{a0}")).collect();
    assert!(brands.len() >= 5, "{brands:?}");
    let place = it.harness.get_by_label_contains(&brands.join(" · ")).rect();
    it.harness.hover_at(place.center());
    it.harness.run_steps(10);
    for name in pchr::formats::names() {
        assert!(it.says(name), "{name}");
    }
}

// ---- Closing

fn state_of(it: &TestWindow) -> &State {
    &it.harness.state().state
}

#[test]
fn closing_the_file_empties_the_window() {
    let mut it = open([1100.0, 800.0], &["paper-lamp.json"]);
    let state = &mut it.harness.state_mut().state;
    let character = Arc::downgrade(&state.loaded().expect("a character").character);
    state.playback.animator.set_playing(true);
    state.playback.animator.seek(3.0);
    let mut renderer = CpuSceneRenderer::default();
    renderer.render(&state.scene().expect("a scene"));
    it.harness.state_mut().state.files.has_read = false;

    it.press(Modifiers::COMMAND, Key::W);
    let state = &mut it.harness.state_mut().state;
    assert!(state.documents().is_empty() && state.current().is_none() && state.scene().is_none());
    assert!(state.files.has_read, "the window stops watching files");
    assert_eq!(
        (state.title(), state.playback.marks.len(), state.playback.animator.skins().len()),
        ("pchr".to_owned(), 0, 0)
    );
    assert!(it.says("Open a character") && it.says("Closed paper-lamp.json") && !it.harness.state().is_moving());
    assert!(it.harness.query_by_role_and_label(Role::Slider, "Time").is_none());
    assert_eq!(
        (
            state_of(&it).playback.animator.playback(0).animation(),
            state_of(&it).playback.animator.playback(0).frame_count()
        ),
        (None, 0)
    );
    assert!(it.harness.state_mut().state.posed().is_none());
    renderer.forget();
    assert!(character.upgrade().is_none(), "the character was released");

    it.press(Modifiers::COMMAND, Key::W);
    assert!(it.says("No file is open"));
    for key in [Key::Space, Key::ArrowRight, Key::End, Key::PageDown, Key::F5, Key::B, Key::S, Key::L] {
        it.press(Modifiers::NONE, key);
    }
    let path = it.folder.path().join("paper-knight.pchr");
    it.harness.state_mut().state.open(vec![path]);
    it.harness.run();
    assert!(it.harness.query_by_role_and_label(Role::Slider, "Time").is_some(), "another file can be opened");
}

#[test]
fn closing_a_file_shows_the_next_one() {
    let mut it = open([1100.0, 800.0], &["paper-lamp.json", "paper-knight.pchr", "broken.pchr"]);
    it.press(Modifiers::COMMAND, Key::PageDown);
    it.press(Modifiers::NONE, Key::ArrowRight);
    it.press(Modifiers::COMMAND, Key::PageUp);
    let shown = |it: &TestWindow| it.harness.state().state.current().map(|document| document.name());
    it.press(Modifiers::COMMAND, Key::W);
    assert_eq!(shown(&it).as_deref(), Some("paper-knight.pchr"));
    assert_eq!(it.harness.state().state.playback.animator.playback(0).frame(), 1, "where the user left it");
    it.press(Modifiers::COMMAND, Key::PageDown);
    it.press(Modifiers::COMMAND, Key::W);
    assert_eq!(shown(&it).as_deref(), Some("paper-knight.pchr"), "after the last file, the one before it");
    it.press(Modifiers::COMMAND, Key::W);
    assert_eq!(shown(&it), None);
}

#[test]
fn a_file_is_not_closed_during_its_export() {
    let mut it = open([1100.0, 800.0], &["paper-knight.pchr"]);
    it.press(Modifiers::COMMAND, Key::E);
    let export = it.harness.state_mut().state.export.as_mut().expect("the dialog is open");
    export.options.look.size = pchr::export::Size::Exact(2500, 2500);
    export.start();
    it.press(Modifiers::COMMAND, Key::W);
    let state = &mut it.harness.state_mut().state;
    assert!(state.current().is_some() && state.export.is_some());
    state.export = None;
    it.press(Modifiers::COMMAND, Key::E);
    it.press(Modifiers::COMMAND, Key::W);
    assert!(it.harness.state().state.export.is_none(), "the dialog closes with its file");
}

// ---- Tooltips

const TOOLTIP: &str = "All commands";

/// Rests with the pointer at `place` for longer than tooltips wait.
fn rest_at(it: &mut TestWindow, place: Pos2) {
    it.harness.hover_at(place);
    it.harness.run_steps(8);
}

#[test]
fn a_dialog_hides_tooltips_until_the_mouse_moves() {
    let mut it = open([1000.0, 700.0], &["paper-knight.pchr"]);
    let menu = it.harness.get_by_label("Menu").rect().center();
    rest_at(&mut it, menu);
    assert!(it.says(TOOLTIP));
    it.press(Modifiers::COMMAND, Key::E);
    assert!(!it.says(TOOLTIP), "it would cover the dialog");
    // The pointer rests where a control of the dialog appears.
    it.key(Key::Escape);
    it.press(Modifiers::COMMAND, Key::E);
    let close = it.harness.get_by_label("Close export").rect().center();
    it.key(Key::Escape);
    rest_at(&mut it, close);
    it.press(Modifiers::COMMAND, Key::E);
    it.harness.run_steps(8);
    assert!(!it.says("Close  (Escape)"));
    rest_at(&mut it, close + vec2(1.0, 0.0));
    assert!(it.says("Close  (Escape)"), "tooltips of the dialog itself appear as usual");
}

#[test]
fn a_window_that_opens_below_the_mouse_shows_no_tooltip() {
    let mut it = open([1000.0, 700.0], &["paper-knight.pchr"]);
    let menu = it.harness.get_by_label("Menu").rect().center();
    tooltips::wait_for_move(&it.harness.ctx);
    rest_at(&mut it, menu);
    rest_at(&mut it, menu);
    assert!(!it.says(TOOLTIP));
    rest_at(&mut it, menu + vec2(1.0, 0.0));
    assert!(it.says(TOOLTIP));
}
