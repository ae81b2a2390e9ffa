//! Atlases of Adobe Animate: the tree of symbols, what the inspector says about them, playing one, and its keys.

use std::fs;
use std::sync::Arc;

use egui::accesskit::Role;
use egui::{Key, Modifiers};
use egui_kittest::kittest::{NodeT, Queryable};

use crate::app::tests::harness::TestWindow;
use crate::parts::panel::selection::{Known, Outlines, known_at};

/// Opens our own atlas.
fn robot(animation: &str) -> TestWindow {
    TestWindow::open_with([1100.0, 800.0], &[], |options, folder| {
        let from = crate::common::root().join("tests/fixtures/paper-robot");
        for name in ["Animation.json", "spritemap1.json", "spritemap1.png"] {
            fs::copy(from.join(name), folder.join(name)).expect("our atlas");
        }
        options.subject.files.push(folder.join("Animation.json"));
        options.subject.animations = vec![animation.to_owned()];
        options.read = options.read.clone().playing(&options.subject.animations);
    })
}

impl TestWindow {
    /// Returns the labels of the rows of the tree or of the keys that contain `part`.
    fn rows_with(&self, part: &str) -> Vec<String> {
        let nodes = self.harness.root().children_recursive();
        let labels = nodes.filter_map(|node| node.accesskit_node().label());
        labels.filter(|label| label.contains(part)).collect()
    }

    fn shown_animation(&self) -> &str {
        let animation = self.state().playback.animator.playback(0).animation().expect("an animation");
        &self.state().model().expect("a character").animation(animation).name
    }
}

#[test]
fn the_tree_nests_symbols_and_the_inspector_names_their_layers() {
    let mut it = robot("wave");
    it.click("TREE");
    assert!(it.rows_with("Bones").is_empty(), "{:?}", it.rows_with("Bones"));
    assert_eq!(it.rows_with("Symbols"), ["Symbols"]);
    it.click("body");
    assert_eq!(it.selected().as_deref(), Some("body"));
    it.save("symbols");
    assert!(it.says("Frames") && it.says("Layer"));
    // The instance; below it is its slot.
    it.harness.query_all_by_label("stripe").next().expect("a row").click();
    it.harness.run();
    assert!(it.says("Clipped by") && it.says("screen"));
}

#[test]
fn the_outlines_of_a_selected_symbol_are_found_once() {
    let mut it = robot("wave");
    it.click("TREE");
    it.click("body");
    let known = |it: &TestWindow| {
        let known = it.harness.ctx.data(|data| data.get_temp::<(Known, Outlines)>(known_at()));
        known.expect("the outlines of a selection").1
    };
    let before = known(&it);
    let count = before.lock().expect("no panic").len();
    it.key(Key::ArrowRight);
    let after = known(&it);
    assert!(Arc::ptr_eq(&before, &after) && count > 1, "{count}");
    it.click("arm left");
    assert!(!Arc::ptr_eq(&before, &known(&it)), "those of another part");
}

#[test]
fn a_symbol_is_played_by_itself_from_the_inspector() {
    let mut it = robot("wave");
    it.click("TREE");
    it.click("arm left");
    assert_eq!((it.shown_animation(), it.state().model().unwrap().animations().len()), ("wave", 2));
    it.click_button("Play the symbol");
    assert_eq!((it.shown_animation(), it.selected().as_deref()), ("symbol:arm", Some("arm left")));
    assert_eq!(it.state().model().unwrap().animations().len(), 3);
    it.click_button("Play the symbol");
    assert_eq!(it.state().model().unwrap().animations().len(), 3, "it is there already");
    // The animation stays when the file is read again, even without the symbol.
    it.key(Key::F5);
    assert_eq!(it.shown_animation(), "symbol:arm");
    let path = it.path("Animation.json");
    let text = fs::read_to_string(&path).expect("our atlas");
    fs::write(
        &path,
        text.replace("\"SN\": \"arm\"", "\"SN\": \"limb\"").replace("\"SN\":\"arm\"", "\"SN\":\"limb\""),
    )
    .expect("a file");
    it.key(Key::F5);
    assert_eq!(it.shown_animation(), "idle");
    assert!(it.says("symbol:arm"), "it says which animation has gone");
}

#[test]
fn keyframes_are_rows_and_labels_are_on_the_ruler() {
    let mut it = robot("wave");
    it.key(Key::D);
    it.save("symbol-keys");
    let rows: Vec<String> = it
        .rows_with(" key")
        .into_iter()
        .filter(|row| row.starts_with("Bone ") || row.starts_with("Slot "))
        .collect();
    assert!(rows.iter().any(|row| row.starts_with("Bone arm left › arm, 12 keys")), "{rows:?}");
    assert!(rows.iter().any(|row| row.starts_with("Slot head › eyes, 2 keys")), "{rows:?}");
    assert!(!rows.iter().any(|row| row.contains("shell")), "{rows:?}");
    let row = it.harness.root().children_recursive().find(|node| {
        let node = node.accesskit_node();
        node.role() == Role::Row && node.label().is_some_and(|label| label.starts_with("Slot head › eyes"))
    });
    row.expect("the row").click();
    it.harness.run();
    assert_eq!(it.selected().as_deref(), Some("eyes"));
    it.press(Modifiers::COMMAND, Key::ArrowRight);
    assert_eq!(it.frame(), 9, "the next key of the selected slot");

    let mut it = robot("symbol:robot");
    assert!(it.says("Label at 0.00 s: idle, to 1.00 s") && it.says("Label at 1.00 s: wave, to 2.00 s"));
    it.save("labels");
}
