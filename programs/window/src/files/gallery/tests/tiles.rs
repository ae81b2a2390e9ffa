//! The gallery, driven as a user would.

use std::fs;
use std::path::Path;

use egui::accesskit::Role;
use egui::{Key, Modifiers, ViewportId};
use egui_kittest::kittest::{NodeT, Queryable};

use crate::app::tests::harness::TestWindow;
use crate::files::gallery::entry::Thumbnail;
use crate::files::gallery::listing::Sort;
use crate::widgets::command::Command;

const SIZE: [f32; 2] = [900.0, 700.0];
const KNIGHT: &str = "paper-knight.pchr, ";
const LAMP: &str = "paper-lamp.json, ";

/// Opens a window on a folder with our own characters. `change` may add files.
fn open(change: impl FnOnce(&Path)) -> TestWindow {
    let mut it = TestWindow::open_with(SIZE, &[], |options, folder| {
        change(folder);
        options.subject.files.push(folder.to_owned());
    });
    it.harness.run();
    it
}

/// Leaves only these of our own characters.
fn only(folder: &Path, names: &[&str]) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        if !names.contains(&entry.file_name().to_str().unwrap()) {
            fs::remove_file(entry.path()).unwrap();
        }
    }
}

impl TestWindow {
    /// Returns the names of the tiles from left to right and from top to bottom.
    fn tiles(&self) -> Vec<String> {
        let mut tiles: Vec<(i32, i32, String)> = Vec::new();
        for node in self.harness.root().children_recursive() {
            let inner = node.accesskit_node();
            // Containers have no rectangle.
            if inner.role() == Role::Button && node.rect().height() > 150.0 {
                let corner = node.rect().min;
                tiles.push((corner.y as i32, corner.x as i32, inner.label().unwrap_or_default()));
            }
        }
        tiles.sort();
        tiles.into_iter().map(|(_, _, label)| label.split(',').next().unwrap().to_owned()).collect()
    }

    fn focused_tile(&self) -> String {
        let focused = self.harness.root().children_recursive().find(|node| node.accesskit_node().is_focused());
        focused.and_then(|node| node.accesskit_node().label()).unwrap_or_default()
    }

    fn title(&self) -> String {
        self.state().title()
    }
}

#[test]
fn a_low_window_shows_the_whole_first_tile() {
    let mut it = TestWindow::open_with([640.0, 360.0], &[], |options, folder| {
        options.subject.files.push(folder.to_owned());
    });
    it.harness.run();
    let focused = it.harness.root().children_recursive().find(|node| node.accesskit_node().is_focused());
    let (tile, filter) = (focused.expect("a tile").rect(), it.harness.get_by_role(Role::TextInput).rect());
    assert!(tile.top() >= filter.bottom() && tile.bottom() <= 360.0, "{tile} below {filter}");
}

#[test]
fn a_folder_shows_its_characters_and_enter_opens_one() {
    let mut it = open(|folder| {
        only(folder, &["paper-knight.pchr", "paper-lamp.json", "paper-lamp.atlas", "paper-lamp.png"])
    });
    assert_eq!(it.tiles(), ["paper-knight.pchr", "paper-lamp.json"], "the atlas and the image belong to the lamp");
    assert!(it.says("2 characters") && it.says("PCHR") && it.says("Spine"));
    assert!(
        it.state().files.gallery.entries.iter().all(|entry| matches!(entry.thumbnail, Thumbnail::Uploaded(..)))
    );
    assert!(it.focused_tile().starts_with(KNIGHT));
    it.key(Key::ArrowRight);
    assert!(it.focused_tile().starts_with(LAMP), "{}", it.focused_tile());
    it.key(Key::Enter);
    assert_eq!(it.title(), "paper-lamp.json – pchr");
    assert!(it.state().playback.has_character && it.tiles().is_empty());
    it.key(Key::Escape);
    assert_eq!(it.tiles().len(), 2);
    assert!(it.focused_tile().starts_with(LAMP), "the focus is where it was");
    assert!(!it.state().playback.has_character && !it.app().is_moving());
    it.press(Modifiers::COMMAND, Key::G);
    assert_eq!(it.title(), "paper-lamp.json – pchr");
    it.press(Modifiers::COMMAND, Key::G);
    assert_eq!(it.tiles().len(), 2);
}

#[test]
fn the_file_under_the_pointer_plays() {
    let mut it = open(|folder| only(folder, &["paper-knight.pchr"]));
    let center = it.harness.get_by_label_contains(KNIGHT).rect().center();
    it.key(Key::Tab);
    it.state_mut().files.gallery.strips.clear();
    it.harness.hover_at(center);
    it.harness.run_steps(3);
    let strip = it.state().files.gallery.strips.last().expect("a strip");
    assert!(strip.count > 4 && strip.picture_secs > 0.0 && strip.texture.is_some(), "{strip:?}");
}

#[test]
fn pictures_are_drawn_again_for_a_dense_screen_and_fit_into_a_texture() {
    fn sides(it: &TestWindow) -> [usize; 2] {
        let gallery = &it.state().files.gallery;
        let Thumbnail::Uploaded(still, _) = &gallery.entries[0].thumbnail else { panic!("a still") };
        let strip = gallery.strips.last().expect("a strip");
        [still, strip.texture.as_ref().expect("a texture")].map(|texture| texture.0.size()[0])
    }
    let mut it = open(|folder| only(folder, &["paper-knight.pchr"]));
    it.harness.run_steps(3);
    assert_eq!(sides(&it), [160, 6 * 160], "the tile has the focus");
    let input = it.harness.input_mut();
    input.max_texture_side = Some(1024);
    input.viewports.entry(ViewportId::ROOT).or_default().native_pixels_per_point = Some(2.0);
    it.harness.run_steps(3);
    assert_eq!(sides(&it), [170, 6 * 170], "six beside each other");
    assert_eq!(it.state().files.gallery.strips.len(), 1);
}

#[test]
fn files_are_filtered_and_sorted() {
    let mut it = open(|folder| {
        only(folder, &["paper-knight.pchr", "paper-lamp.json", "paper-lamp.atlas", "paper-lamp.png"]);
        fs::write(folder.join("broken.pchr"), b"PCHR").unwrap();
    });
    assert_eq!(it.tiles(), ["broken.pchr", "paper-knight.pchr", "paper-lamp.json"]);
    let broken = it.harness.get_by_label_contains("broken.pchr, ").accesskit_node().label().unwrap();
    assert!(broken.contains("cannot be shown") && broken.contains("ends"), "{broken}");
    it.state_mut().files.gallery.filter.text = "SPINE".to_owned();
    it.harness.run();
    assert_eq!(it.tiles(), ["paper-lamp.json"]);
    assert!(it.says("1 of 3 characters"));
    it.state_mut().files.gallery.filter.text = "none of them".to_owned();
    it.harness.run();
    assert!(it.tiles().is_empty() && it.says("No file matches the filter"));
    it.state_mut().files.gallery.filter.text.clear();
    it.harness.run();
    it.harness.get_by_role_and_label(Role::ComboBox, "Sort by").click();
    it.harness.run();
    it.click("Format");
    assert_eq!(it.state().files.gallery.sort, Sort::Format);
    assert_eq!(it.tiles().last().map(String::as_str), Some("paper-lamp.json"));
    it.state_mut().files.gallery.sort = Sort::Findings;
    it.harness.run();
    assert_eq!(it.tiles()[0], "broken.pchr");
    assert_eq!(it.state().settings().gallery.sort, Sort::Findings);
}

#[test]
fn only_what_is_visible_is_read() {
    let mut it = open(|folder| {
        only(folder, &["paper-knight.pchr"]);
        for number in 0..120 {
            fs::copy(folder.join("paper-knight.pchr"), folder.join(format!("knight-{number:03}.pchr"))).unwrap();
        }
    });
    let read =
        |it: &TestWindow| it.state().files.gallery.entries.iter().filter(|entry| entry.facts.is_some()).count();
    assert!((12..40).contains(&read(&it)), "{} were read", read(&it));
    assert!(it.says("121 characters"));
    it.state_mut().files.gallery.sort = Sort::Findings;
    for _ in 0..20 {
        it.harness.run_steps(1);
    }
    assert_eq!(read(&it), 121, "all are read to sort them");
}

#[test]
fn files_are_opened_in_the_order_of_the_gallery() {
    let mut it = open(|folder| {
        only(folder, &["paper-knight.pchr", "paper-lamp.json", "paper-lamp.atlas", "paper-lamp.png"]);
        fs::copy(folder.join("paper-knight.pchr"), folder.join("a.pchr")).unwrap();
    });
    it.key(Key::Enter);
    assert_eq!(it.title(), "a.pchr – pchr");
    it.press(Modifiers::COMMAND, Key::PageDown);
    assert_eq!(it.title(), "paper-knight.pchr – pchr");
    for _ in 0..2 {
        it.press(Modifiers::COMMAND, Key::PageDown);
    }
    assert_eq!(it.title(), "a.pchr – pchr");
    assert_eq!(it.state().files.documents.len(), 3, "only opened files are in the list");
    for _ in 0..3 {
        it.press(Modifiers::COMMAND, Key::W);
    }
    assert_eq!(it.tiles().len(), 3, "the gallery stays");
    it.press(Modifiers::COMMAND, Key::W);
    assert!(it.tiles().is_empty() && it.says("Open a character"));
}

#[test]
fn a_dropped_folder_and_the_folder_of_a_file_become_galleries() {
    let mut it = TestWindow::open(SIZE, &["paper-knight.pchr"]);
    let folder = it.folder.path().to_owned();
    it.state_mut().open(vec![folder.clone()]);
    it.harness.run();
    assert!(it.tiles().contains(&"paper-lamp.json".to_owned()));
    assert_eq!(it.state().files.documents.len(), 1, "the folder is no file of the list");
    assert!(it.state().files.recent.files().iter().any(|recent| recent.path == folder));
    let mut it = TestWindow::open(SIZE, &["paper-knight.pchr"]);
    assert_eq!(it.state().unavailable(Command::Gallery), None);
    it.press(Modifiers::COMMAND, Key::G);
    assert!(it.focused_tile().starts_with(KNIGHT), "{}", it.focused_tile());
    it.key(Key::Enter);
    assert_eq!(it.title(), "paper-knight.pchr – pchr");
}

#[test]
fn new_files_are_found_again() {
    let mut it = open(|folder| only(folder, &["paper-knight.pchr"]));
    assert_eq!(it.tiles(), ["paper-knight.pchr"]);
    fs::copy(it.path("paper-knight.pchr"), it.path("new.pchr")).unwrap();
    fs::remove_file(it.path("paper-knight.pchr")).unwrap();
    it.key(Key::F5);
    assert_eq!(it.tiles(), ["new.pchr"]);
    fs::remove_file(it.path("new.pchr")).unwrap();
    it.click_button("Search again");
    assert!(it.tiles().is_empty() && it.says("There are no characters in this folder"));
}

#[test]
fn a_key_reaches_the_filter() {
    let mut it = open(|folder| {
        only(folder, &["paper-knight.pchr", "paper-lamp.json", "paper-lamp.atlas", "paper-lamp.png"])
    });
    it.press(Modifiers::COMMAND, Key::F);
    it.harness.run();
    it.type_text("lamp");
    assert_eq!(it.tiles(), ["paper-lamp.json"]);
    assert!(it.state().files.shows_gallery() && !it.state().playback.has_character);
}
