//! The gallery while its folders change, and the files that are selected in it.

use std::fs;
use std::path::Path;

use egui::accesskit::Role;
use egui::{Key, Modifiers, PointerButton, Pos2};
use egui_kittest::kittest::Queryable;

use crate::app::tests::harness::TestWindow;
use crate::app::tests::rigs::square;
use crate::files::gallery::entry::Thumbnail;

/// Opens a window on a folder with these files.
fn open(files: &[(&str, &[u8])]) -> TestWindow {
    let folder = crate::app::tests::harness::folder_of(files);
    let mut options = crate::app::tests::harness::paused();
    options.subject.files.push(folder.path().to_owned());
    let mut it = TestWindow::new([900.0, 700.0], folder, &options);
    it.harness.run();
    it
}

impl TestWindow {
    /// Tells the gallery what the system would.
    fn changed(&mut self, names: &[&str]) {
        let folder = self.folder.path().canonicalize().unwrap();
        let paths: Vec<_> = names.iter().map(|name| folder.join(name)).collect();
        self.state_mut().files.gallery.note_changes(paths.iter().map(|path| path.as_path()));
        self.harness.run_steps(4);
    }

    fn listed(&mut self) -> Vec<String> {
        let files = self.state_mut().files.gallery.listed_files();
        files.iter().map(|path| path.file_name().unwrap().to_string_lossy().into_owned()).collect()
    }

    fn click_tile(&mut self, name: &str, modifiers: Modifiers) {
        let pos = self.harness.get_by(|node| is_tile(node, name)).rect().center();
        self.harness.hover_at(pos);
        self.harness.run_steps(1);
        for pressed in [true, false] {
            let button = PointerButton::Primary;
            self.harness
                .event_modifiers(egui::Event::PointerButton { pos, button, pressed, modifiers }, modifiers);
            self.harness.run_steps(1);
        }
        self.harness.run();
    }
}

fn is_tile(node: &egui_kittest::kittest::AccessKitNode<'_>, name: &str) -> bool {
    node.role() == Role::Button && node.label().is_some_and(|label| label.starts_with(&format!("{name},")))
}

#[test]
fn new_and_changed_files_appear_and_removed_ones_disappear() {
    let (red, blue) = (square([200, 40, 40]), square([40, 40, 200]));
    let mut it = open(&[("a.pchr", &red), ("b.pchr", &red)]);
    assert!(it.state_mut().files.gallery.take_watched().is_some_and(|folders| folders.len() == 1));
    assert!(it.state_mut().files.gallery.take_watched().is_none());
    fs::write(it.path("c.pchr"), &red).unwrap();
    fs::remove_file(it.path("a.pchr")).unwrap();
    it.changed(&["c.pchr", "a.pchr"]);
    assert_eq!(it.listed(), ["b.pchr", "c.pchr"]);
    let texture = |it: &TestWindow, place: usize| match &it.state().files.gallery.entries[place].thumbnail {
        Thumbnail::Uploaded(texture, _) => texture.0.id(),
        other => panic!("{other:?}"),
    };
    let before = [texture(&it, 0), texture(&it, 1)];
    fs::write(it.path("b.pchr"), &blue).unwrap();
    it.changed(&["b.pchr"]);
    assert_ne!(texture(&it, 0), before[0], "it is drawn again");
    assert_eq!(texture(&it, 1), before[1], "it has not changed");
    it.changed(&["../elsewhere.pchr"]);
    assert_eq!(it.listed().len(), 2);
}

#[test]
fn several_files_are_selected_and_a_menu_concerns_them() {
    let red = square([200, 40, 40]);
    let mut it = open(&[("a.pchr", &red), ("b.pchr", &red), ("c.pchr", &red), ("d.pchr", &red)]);
    it.click_tile("b.pchr", Modifiers::COMMAND);
    it.click_tile("d.pchr", Modifiers::SHIFT);
    it.click_tile("c.pchr", Modifiers::COMMAND);
    assert!(it.says("2 selected of 4 characters"));
    it.state_mut().files.gallery.filter.text = "b.p".to_owned();
    it.harness.run();
    assert!(it.says("1 selected of 1 of 4 characters"), "the other one is not listed");
    it.state_mut().files.gallery.filter.text.clear();
    it.harness.run();
    let chosen = |it: &mut TestWindow| -> Vec<_> {
        let files = it.state_mut().files.gallery.chosen_files();
        files.iter().map(|path| path.file_name().unwrap().to_string_lossy().into_owned()).collect()
    };
    assert_eq!(chosen(&mut it), ["b.pchr", "d.pchr"]);
    it.save("gallery-selection");
    let place: Pos2 = it.harness.get_by(|node| is_tile(node, "d.pchr")).rect().center();
    it.click_with(place, PointerButton::Secondary);
    it.save("gallery-menu");
    assert!(it.says("Copy paths") && it.says("Contact sheet…"));
    it.click("Put 2 on the stage");
    it.harness.run();
    assert!(it.state().has_companions() && it.state().title().starts_with("b.pchr"), "{}", it.state().title());
    it.state_mut().show_gallery();
    it.harness.run();
    // The first takes the focus from the tile.
    it.key(Key::Escape);
    it.key(Key::Escape);
    assert!(it.says("4 characters") && !it.says("selected") && chosen(&mut it).len() == 4);
}

#[test]
fn tiles_can_be_large_and_what_cannot_be_read_says_why_first() {
    let bones = r#"{"skeleton": {"spine": "4.2.0"}, "bones": [{"name": "root"}, {"name": "arm", "parent": "root", "x": 90,
        "length": 60}], "animations": {"idle": {}}}"#;
    let broken = r#"{"skeleton": {"spine": "4.2.0"}, "bones": [{"name": "root", "parent": "nobody"}]}"#;
    let mut it = open(&[("bones.json", bones.as_bytes()), ("broken.json", broken.as_bytes())]);
    let width = |it: &TestWindow| it.harness.get_by(|node| is_tile(node, "bones.json")).rect().width();
    let before = width(&it);
    it.click("Large");
    assert!(width(&it) > before + 80.0);
    it.save("gallery-large");
    let gallery = &it.state().files.gallery;
    let of = |name: &str| gallery.entries.iter().find(|entry| entry.path.ends_with(Path::new(name))).unwrap();
    let error = of("broken.json").facts.as_ref().and_then(|facts| facts.error.clone()).expect("an error");
    let folder = it.folder.path().to_string_lossy().into_owned();
    assert!(
        !error.contains(&folder) && error.lines().next().is_some_and(|line| line.contains("nobody")),
        "{error}"
    );
    assert!(matches!(of("bones.json").thumbnail, Thumbnail::Uploaded(..)), "its bones are drawn");
    it.click("Large");
}
