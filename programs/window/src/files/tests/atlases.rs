//! A character whose atlas is not certain, driven as a user would.

use std::fs;

use crate::app::tests::harness::TestWindow;
use crate::widgets::actions::{Dialog, Request};

/// Opens the lamp beside atlases that all lack the same region, so that none is certain.
fn open(atlases: &[&str]) -> TestWindow {
    TestWindow::open_with([900.0, 600.0], &["paper-lamp.json"], |_, folder| {
        let own = folder.join("paper-lamp.atlas");
        let text = fs::read_to_string(&own).unwrap().replace("\nbase\n", "\nother\n");
        fs::remove_file(own).unwrap();
        for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if entry.extension().is_some_and(|extension| extension == "atlas") {
                fs::remove_file(entry).unwrap();
            }
        }
        atlases.iter().for_each(|name| fs::write(folder.join(name), &text).unwrap());
    })
}

fn pages(it: &TestWindow) -> usize {
    it.state().model().map_or(0, |model| model.pages().len())
}

#[test]
fn the_candidates_are_buttons() {
    let mut it = open(&["a.atlas", "b.atlas"]);
    assert!(it.says("The atlas of this character was not found.") && pages(&it) == 0);
    it.click_button("b.atlas");
    assert!(!it.says("The atlas of this character was not found.") && pages(&it) == 1);
    assert!(!it.says("a.atlas"), "the buttons are gone");
    // It stays chosen.
    it.key(egui::Key::F5);
    assert_eq!(pages(&it), 1);
}

#[test]
fn an_atlas_that_cannot_be_read_leaves_the_choice() {
    let mut it = open(&["a.atlas", "b.atlas"]);
    let path = it.path("missing.atlas");
    it.state_mut().use_atlas(path);
    it.harness.run();
    assert!(it.says("cannot be read") && it.says("a.atlas"));
    it.click_button("a.atlas");
    assert_eq!(pages(&it), 1);
    assert!(!it.says("cannot be read"));
}

#[test]
fn without_any_atlas_a_dialog_chooses_one() {
    let mut it = open(&[]);
    assert!(it.says("Its pictures are missing."));
    it.click_button("Another atlas…");
    assert_eq!(it.state().requests, [Request::Dialog(Dialog::Atlas)]);
}
