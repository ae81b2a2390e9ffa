//! What the picture of the window in the README shows, by the labels of its controls and texts: fonts and the moment
//! of the picture do not matter.

use std::collections::BTreeSet;
use std::fs;

use egui::{Key, pos2};
use egui_kittest::kittest::NodeT;
use pchr::draw::Overlay;

use crate::app::tests::harness::TestWindow;

/// Returns the labels of the window that contain a word; numbers change while the knight walks.
fn labels(it: &TestWindow) -> String {
    let nodes = it.harness.root().children_recursive();
    let labels = nodes.filter_map(|node| {
        let node = node.accesskit_node();
        let text = node.label().or_else(|| node.value())?;
        text.split(|char: char| !char.is_alphabetic()).any(|word| word.len() > 2).then_some(text)
    });
    let labels: BTreeSet<String> = labels.collect();
    labels.into_iter().map(|label| label + "\n").collect()
}

/// Does what `scripts/window-picture` does.
#[test]
fn the_picture_of_the_readme_shows_these_panels() {
    let mut it =
        TestWindow::open_with([1100.0, 700.0], &["paper-knight.pchr", "paper-lamp.json"], |options, _| {
            options.subject.animations = vec!["walk".to_owned()];
            options.lineup = true;
        });
    it.key(Key::B);
    it.drag(pos2(700.0, 500.0), pos2(600.0, 500.0));
    it.click_at(pos2(600.0, 365.0));
    assert_eq!(it.selected().as_deref(), Some("shield"));
    it.harness.key_press(Key::Space);
    it.harness.run_steps(8);
    assert!(it.says("Pause"), "the knight walks");
    assert!(it.state().overlays.shown.contains(Overlay::Bones), "its bones are shown");
    it.save("readme");

    let found = labels(&it);
    let list = crate::common::root().join("tests/fixtures/window-picture.txt");
    if std::env::var_os("PCHR_UPDATE").is_some() {
        fs::write(&list, found).expect("a writable file");
    } else {
        let expected = fs::read_to_string(&list).expect("a list of labels");
        let advice = "run scripts/window-picture, look at docs/window.png, and update the list with PCHR_UPDATE=1";
        assert_eq!(found, expected, "the picture of the window is out of date: {advice}");
    }
}
