//! The command palette, and what commands show about themselves: whether they are on, and why they cannot be used.

use crate::widgets::command::Command;
use egui::ThemePreference;
use egui::accesskit::{Role, Toggled};
use egui::{Key, Modifiers, Rect};
use egui_kittest::kittest::{NodeT, Queryable};
use pchr::draw::Overlay;

use crate::app::tests::harness::TestWindow;

fn open_palette(it: &mut TestWindow, query: &str) {
    it.press(Modifiers::COMMAND, Key::K);
    it.type_text(query);
}

/// Returns the rows in view: name, and whether it is on.
fn rows(it: &TestWindow) -> Vec<(String, Option<bool>)> {
    let nodes = it.harness.root().children_recursive().filter_map(|node| {
        let node = node.accesskit_node();
        let is_row = matches!(node.role(), Role::MenuItem | Role::MenuItemCheckBox);
        let is_on = node.toggled().map(|toggled| toggled == Toggled::True);
        is_row.then(|| (node.label().unwrap_or_default(), is_on))
    });
    nodes.collect()
}

fn names(it: &TestWindow) -> Vec<String> {
    rows(it).into_iter().map(|(name, _)| name).collect()
}

/// Returns the rectangle of the palette's search field, which has the focus.
fn search_field(it: &TestWindow) -> Rect {
    it.harness.get_by(|node| node.role() == Role::TextInput && node.is_focused()).rect()
}

#[test]
fn ctrl_k_opens_and_closes_the_palette() {
    let mut it = TestWindow::open([1000.0, 700.0], &["paper-knight.pchr"]);
    it.press(Modifiers::COMMAND, Key::K);
    assert!(it.state().palette.is_some());
    let field = search_field(&it);
    assert!((field.center().x - 500.0).abs() < 2.0, "centred: {field}");
    it.press(Modifiers::COMMAND, Key::K);
    assert!(it.state().palette.is_none());
    it.press(Modifiers::COMMAND, Key::K);
    it.press(Modifiers::NONE, Key::Escape);
    assert!(it.state().palette.is_none());
}

#[test]
fn commands_are_found_by_words_of_other_programs() {
    let mut it = TestWindow::open([1000.0, 700.0], &["paper-knight.pchr"]);
    for (query, name) in [("solo", Command::SoloSelected.label()), ("graph", Command::Curves.label())] {
        open_palette(&mut it, query);
        assert_eq!(names(&it).first().map(String::as_str), Some(name));
        it.press(Modifiers::COMMAND, Key::K);
    }
}

#[test]
fn parts_of_a_name_find_a_command_and_enter_runs_it() {
    let mut it = TestWindow::open([1000.0, 700.0], &["paper-knight.pchr"]);
    open_palette(&mut it, "shbon");
    assert_eq!(names(&it).first().map(String::as_str), Some("Show bones"));
    it.press(Modifiers::NONE, Key::Enter);
    assert!(it.state().palette.is_none());
    assert!(it.state().overlays.shown.contains(Overlay::Bones));
    open_palette(&mut it, "show bones");
    assert_eq!(rows(&it)[0], ("Show bones".to_owned(), Some(true)), "the palette shows that it is on");
}

#[test]
fn keys_that_are_commands_elsewhere_are_typed() {
    let mut it = TestWindow::open([1000.0, 700.0], &["paper-knight.pchr"]);
    it.press(Modifiers::COMMAND, Key::K);
    it.press(Modifiers::NONE, Key::B);
    it.press(Modifiers::NONE, Key::Space);
    assert!(!it.state().overlays.shown.contains(Overlay::Bones) && !it.state().playback.animator.is_playing());
    it.type_text("no such command");
    assert!(it.says("Nothing found"));
    it.press(Modifiers::NONE, Key::Enter);
    assert!(it.state().palette.is_some());
}

#[test]
fn arrows_select_and_wrap_around() {
    let mut it = TestWindow::open([1000.0, 700.0], &["paper-knight.pchr"]);
    open_palette(&mut it, "theme");
    let found = names(&it);
    assert_eq!(found[..3], ["Dark theme", "Light theme", "System theme"], "{found:?}");
    let last = found.len() - 1;
    let selected = |it: &TestWindow| it.state().palette.as_ref().expect("it is open").selected;
    for (key, place) in [(Key::ArrowUp, last), (Key::ArrowDown, 0), (Key::ArrowDown, 1)] {
        it.press(Modifiers::NONE, key);
        assert_eq!(selected(&it), place, "{key:?}");
    }
    assert_eq!(found[1], "Light theme");
    it.press(Modifiers::NONE, Key::Enter);
    assert_eq!(it.state().interface.theme, ThemePreference::Light);
    assert!(!it.harness.ctx.global_style().visuals.dark_mode, "the window has changed");
}

#[test]
fn the_selected_row_is_scrolled_into_view() {
    let mut it = TestWindow::open([1000.0, 360.0], &["paper-knight.pchr"]);
    it.press(Modifiers::COMMAND, Key::K);
    it.press(Modifiers::NONE, Key::ArrowUp);
    assert!(!names(&it).contains(&"Open…".to_owned()));
    let palette = it.state().palette.as_ref().expect("it is open");
    let last = palette.entry(palette.count() - 1).map(|(_, name)| name.to_owned());
    assert!(names(&it).contains(&last.expect("an entry")));
    it.press(Modifiers::NONE, Key::PageUp);
    it.press(Modifiers::NONE, Key::Home);
    it.press(Modifiers::NONE, Key::ArrowDown);
    assert!(it.state().palette.is_some());
}

#[test]
fn animations_are_found_by_name_and_shown() {
    let mut it = TestWindow::open([1000.0, 700.0], &["paper-knight.pchr"]);
    let model = it.state().model().expect("a character");
    let ids: Vec<_> = model.animation_ids().collect();
    let id = *ids.last().expect("an animation");
    let name = model.animation(id).name.clone();
    assert_ne!(it.state().playback.animator.playback(0).animation(), Some(id));
    open_palette(&mut it, &name);
    assert_eq!(rows(&it)[0], (name, Some(false)));
    it.press(Modifiers::NONE, Key::Enter);
    assert_eq!(it.state().playback.animator.playback(0).animation(), Some(id));
}

#[test]
fn skins_are_found_by_name_and_put_on() {
    let mut it = TestWindow::open([1000.0, 700.0], &["paper-lamp.json"]);
    let model = it.state().model().expect("a character");
    let worn = it.state().playback.animator.skins().to_vec();
    let id = model.skin_ids().find(|id| !worn.contains(id)).expect("another skin");
    let name = model.skin(id).name.to_string();
    open_palette(&mut it, &name);
    it.click_row(&name);
    assert!(it.state().playback.animator.skins().contains(&id) && it.state().palette.is_none());
}

#[test]
fn commands_without_effect_are_dimmed_and_not_run() {
    let mut it = TestWindow::open([1000.0, 700.0], &[]);
    open_palette(&mut it, "export");
    let row = it.harness.get_by_role_and_label(Role::MenuItemCheckBox, "Export…");
    assert!(row.accesskit_node().is_disabled());
    it.press(Modifiers::NONE, Key::Enter);
    assert!(it.state().palette.is_some() && it.state().notice.is_none());
    assert_eq!(it.state().unavailable(Command::Export), Some("No character is open"));
    let other = TestWindow::open([1000.0, 700.0], &["paper-knight.pchr"]);
    assert_eq!(other.state().unavailable(Command::Export), None);
}

#[test]
fn every_state_of_a_switch_follows_its_command() {
    let mut it = TestWindow::open([1000.0, 700.0], &["paper-knight.pchr"]);
    for command in
        [Command::Show(Overlay::Bones), Command::Show(Overlay::Names), Command::Panels, Command::Interpolate]
    {
        let before = it.state().is_on(command).expect("a switch");
        it.harness.state_mut().state.run(command);
        it.harness.run();
        assert_eq!(it.state().is_on(command), Some(!before), "{command:?}");
        it.harness.state_mut().state.run(command);
        it.harness.run();
        assert_eq!(it.state().is_on(command), Some(before), "{command:?}");
    }
    assert_eq!(it.state().is_on(Command::PlayPause), None);
}

#[test]
fn the_menu_ticks_what_is_on() {
    let mut it = TestWindow::open([1000.0, 700.0], &["paper-knight.pchr"]);
    it.press(Modifiers::NONE, Key::B);
    it.click_role(Role::Button, "Menu");
    it.click_role(Role::Button, "View");
    assert!(rows(&it).contains(&("Zoom in".to_owned(), None)), "{:?}", rows(&it));
    it.click_role(Role::Button, "Skeleton");
    let rows = rows(&it);
    assert!(rows.contains(&("Show bones".to_owned(), Some(true))), "{rows:?}");
    assert!(rows.contains(&("Show bone names".to_owned(), Some(false))), "{rows:?}");
    assert!(!rows.iter().any(|(name, _)| name == "Zoom in"), "{rows:?}");
    it.save("palette-menu");
    it.click_row("Show bone names");
    assert!(it.state().overlays.shown.contains(Overlay::Names));
}

#[test]
fn text_and_buttons_grow_and_shrink() {
    let mut it = TestWindow::open([1000.0, 700.0], &["paper-knight.pchr"]);
    open_palette(&mut it, "larger text");
    it.press(Modifiers::NONE, Key::Enter);
    assert_eq!(it.state().interface.scale, 1.1);
    assert!((it.harness.ctx.zoom_factor() - 1.1).abs() < 1e-6);
    for _ in 0..20 {
        it.harness.state_mut().state.run(Command::SmallerInterface);
    }
    assert_eq!(it.state().interface.scale, 0.5);
    it.harness.state_mut().state.run(Command::ResetInterface);
    it.harness.run();
    assert_eq!(it.harness.ctx.zoom_factor(), 1.0);
}

#[test]
fn the_palette_fits_every_window_and_both_themes() {
    for theme in [ThemePreference::Light, ThemePreference::Dark] {
        for size in [[400.0, 300.0], [800.0, 600.0], [1600.0, 900.0], [240.0, 160.0]] {
            let mut it = TestWindow::open(size, &["paper-lamp.json"]);
            it.harness.state_mut().state.interface.theme = theme;
            it.press(Modifiers::COMMAND, Key::K);
            let field = search_field(&it);
            assert!(field.left() >= 0.0 && field.right() <= size[0] && field.top() >= 0.0, "{size:?}: {field}");
            it.save(&format!("palette-{theme:?}-{}", size[0]));
            it.type_text("an");
            it.save(&format!("palette-found-{theme:?}-{}", size[0]));
        }
    }
}

#[test]
fn the_palette_follows_the_shown_character() {
    let mut it = TestWindow::open([1000.0, 700.0], &["paper-lamp.json", "paper-knight.pchr"]);
    it.press(Modifiers::COMMAND, Key::K);
    it.harness.run();
    let before = it.state().palette.as_ref().expect("it is open").count();
    it.harness.state_mut().state.select(1);
    it.harness.run();
    let state = it.state();
    let model = state.model().expect("a character");
    let after = state.palette.as_ref().expect("it is open").count();
    assert_ne!(before, after, "the entries are those of the other character");
    assert!(model.animations().len() + model.skins().len() < after);
}
