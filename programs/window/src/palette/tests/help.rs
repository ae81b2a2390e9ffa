//! The list of keys and mouse actions.

use egui::ThemePreference;
use egui::accesskit::Role;
use egui::{Key, Modifiers};
use egui_kittest::kittest::{NodeT, Queryable};

use crate::app::tests::harness::TestWindow;

/// Returns the lines in view, as `keys: action`.
fn lines(it: &TestWindow) -> Vec<String> {
    let nodes = it.harness.root().children_recursive().filter_map(|node| {
        let node = node.accesskit_node();
        (node.role() == Role::Label).then(|| node.value().or_else(|| node.label()).unwrap_or_default())
    });
    nodes.filter(|text| text.contains(": ")).collect()
}

#[test]
fn typing_filters_keys_and_mouse_actions() {
    let mut it = TestWindow::open([1100.0, 1000.0], &["paper-knight.pchr"]);
    it.press(Modifiers::NONE, Key::F1);
    let all = lines(&it).len();
    it.type_text("zoom");
    let found = lines(&it);
    assert!(found.contains(&"Wheel or pinch: Zoom at the pointer".to_owned()), "{found:?}");
    assert!(found.iter().any(|line| line.ends_with(": Zoom in")) && found.len() < all, "{found:?}");
    assert!(found.iter().all(|line| line.to_lowercase().contains("zoom")), "{found:?}");
    it.type_text(" IN");
    assert!(!lines(&it).iter().any(|line| line.ends_with("Zoom out")));
    it.type_text(" nothing of that kind");
    assert!(lines(&it).is_empty() && it.says("Nothing found"));
}

#[test]
fn keys_are_found_too() {
    let mut it = TestWindow::open([1100.0, 1000.0], &[]);
    it.press(Modifiers::NONE, Key::F1);
    it.type_text("ctrl+k");
    assert_eq!(lines(&it), ["Ctrl+K: Command palette"]);
}

#[test]
fn letters_filter_instead_of_running_commands() {
    let mut it = TestWindow::open([1100.0, 800.0], &["paper-knight.pchr"]);
    it.press(Modifiers::NONE, Key::F1);
    let before = it.state().overlays.shown;
    it.press(Modifiers::NONE, Key::B);
    it.press(Modifiers::NONE, Key::Space);
    assert!(it.state().overlays.shown == before && !it.state().playback.animator.is_playing());
}

#[test]
fn escape_and_f1_close_the_list_and_the_next_search_starts_empty() {
    let mut it = TestWindow::open([1100.0, 800.0], &[]);
    for key in [Key::Escape, Key::F1] {
        it.press(Modifiers::SHIFT, Key::Questionmark);
        assert!(it.state().help.is_open && it.state().help.filter.is_empty());
        it.type_text("zoom");
        it.press(Modifiers::NONE, key);
        assert!(!it.state().help.is_open, "{key:?}");
    }
}

#[test]
fn the_list_fits_and_scrolls_in_every_window() {
    for theme in [ThemePreference::Light, ThemePreference::Dark] {
        for size in [[240.0, 160.0], [400.0, 360.0], [800.0, 500.0], [1600.0, 900.0]] {
            let mut it = TestWindow::open(size, &[]);
            it.harness.state_mut().state.interface.theme = theme;
            it.press(Modifiers::NONE, Key::F1);
            let field = it.harness.get_by_role(Role::TextInput).rect();
            assert!(field.left() >= 0.0 && field.right() <= size[0], "{size:?}: {field}");
            let close = it.harness.get_by_label("Close help").rect();
            assert!(close.right() <= size[0] && close.top() >= 0.0, "{size:?}: {close}");
            it.save(&format!("help-{theme:?}-{}", size[0]));
        }
    }
}
