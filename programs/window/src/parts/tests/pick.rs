//! Clicks on the canvas, and the inspector.

use crate::scene::selection::Selected;
use egui::accesskit::Role;
use egui::{Key, Modifiers, Pos2, Theme, vec2};
use egui_kittest::kittest::{NodeT, Queryable};
use pchr::draw::pick;
use pchr::math::{self, Vec2};
use pchr::pose::{bounds, palette};

use crate::app::tests::harness::TestWindow;

impl TestWindow {
    /// Returns the place on the screen of a point of the world.
    fn on_screen(&mut self, world: Vec2) -> Pos2 {
        let view = self.harness.state_mut().state.view().unwrap();
        let pixel = view.pixel_from_world(world);
        let canvas = self.harness.get_by(|node| node.role() == Role::Image && node.label().is_some());
        canvas.rect().min + vec2(pixel.x, pixel.y)
    }

    /// Returns the world position of a bone's joint.
    fn joint(&mut self, name: &str) -> Vec2 {
        let (model, pose) = self.harness.state_mut().state.posed().unwrap();
        pose.world_from_bone[model.skeleton().find(name).unwrap().index()].translation
    }

    /// Returns a point at which several regions or meshes are drawn.
    fn overlap(&mut self) -> Vec2 {
        self.find(|count| count > 1)
    }

    /// Returns a point with a wanted number of regions and meshes.
    fn find(&mut self, is_wanted: impl Fn(usize) -> bool) -> Vec2 {
        let (model, pose) = self.harness.state_mut().state.posed().unwrap();
        let (mut matrices, mut hits) = (Vec::new(), Vec::new());
        palette(model, pose, &mut matrices);
        let world = bounds(model, pose, &matrices);
        let points =
            (0..10_000).map(|i| world.min + world.size() * math::vec2((i % 100) as f32, (i / 100) as f32) / 100.0);
        let found = points.into_iter().find(|&at| {
            pick(model, pose, &matrices, at, 0.5, &mut hits);
            is_wanted(hits.len())
        });
        found.expect("a point")
    }

    /// Clicks on a point of the world.
    fn click_on(&mut self, world: Vec2) {
        let at = self.on_screen(world);
        self.harness.hover_at(at);
        for pressed in [true, false] {
            let button = egui::PointerButton::Primary;
            self.harness.event(egui::Event::PointerButton {
                pos: at,
                button,
                pressed,
                modifiers: Modifiers::NONE,
            });
        }
        self.harness.run();
    }
}

#[test]
fn a_click_selects_what_is_drawn_and_further_clicks_what_is_below() {
    let mut it = TestWindow::open([1100.0, 800.0], &["paper-lamp.json"]);
    let at = it.overlap();
    let mut seen = Vec::new();
    for _ in 0..8 {
        it.click_on(at);
        let name = it.selected().expect("something is drawn there");
        if seen.contains(&name) {
            break;
        }
        seen.push(name);
    }
    assert!(seen.len() > 1, "{seen:?}");
    assert_eq!(it.selected().as_deref(), Some(&*seen[0]), "after the last one the first follows");
    assert!(matches!(it.harness.state().state.parts.selected, Some(Selected::Attachment(..))));
    it.save("inspect-lamp");
    let empty = it.find(|count| count == 0);
    it.click_on(empty);
    assert_eq!(it.selected(), None, "nothing is drawn there");
}

#[test]
fn a_drag_selects_nothing() {
    let mut it = TestWindow::open([1100.0, 800.0], &["paper-knight.pchr"]);
    let head = it.joint("head");
    let from = it.on_screen(head);
    it.harness.drag_at(from);
    it.harness.run_steps(1);
    it.harness.hover_at(from + vec2(40.0, 0.0));
    it.harness.run_steps(1);
    it.harness.drop_at(from + vec2(40.0, 0.0));
    it.harness.run();
    assert_eq!(it.selected(), None);
}

#[test]
fn the_inspector_shows_bones_transform_and_weights_and_follows_links() {
    let mut it = TestWindow::open([1100.0, 800.0], &["paper-lamp.json"]);
    let at = it.overlap();
    it.click_on(at);
    for text in ["UV", "Alpha", "Page", "Region", "Rotation", "Local", "World", "Shear"] {
        assert!(it.says(text), "{text}");
    }
    let canvas = it.harness.state().state.canvas.size;
    // In the chain of bones, then from its children down.
    for bone in ["root", "base", "lower", "upper"] {
        it.harness.get_all_by_role_and_label(Role::Link, bone).last().expect(bone).click();
        it.harness.run();
        assert!(matches!(it.harness.state().state.parts.selected, Some(Selected::Bone(_))));
        assert_eq!(it.selected().as_deref(), Some(bone));
    }
    for text in ["Parent", "Children", "Length", "56 px", "Inherits", "everything"] {
        assert!(it.says(text), "{text}");
    }
    it.save("inspect-bone");
    assert_eq!(it.harness.state().state.canvas.size, canvas, "the canvas keeps its size");

    it.harness.get_by_label("Copy the details").click();
    it.harness.run_steps(1);
    let copied = it.harness.output().platform_output.commands.iter().find_map(|command| match command {
        egui::OutputCommand::CopyText(text) => Some(text.clone()),
        _ => None,
    });
    let copied = copied.expect("text");
    assert!(copied.starts_with("Bone\tupper\nChain\troot › base › lower › upper\n"), "{copied}");
    it.harness.run();
    it.harness.get_by_label("Hide the details").click();
    it.harness.run();
    assert!(!it.says("Inherits"));
    it.harness.get_by_label("Clear the selection").click();
    it.harness.run();
    assert_eq!(it.selected(), None);
}

#[test]
fn the_transform_follows_playback() {
    let mut it = TestWindow::open([1100.0, 800.0], &["paper-lamp.json"]);
    let state = &mut it.harness.state_mut().state;
    state.parts.selected = state.model().unwrap().skeleton().find("upper").map(Selected::Bone);
    it.harness.run();
    let numbers = |it: &TestWindow| -> Vec<String> {
        let labels = it.harness.root().children_recursive();
        let labels = labels.filter(|node| node.accesskit_node().role() == Role::Label);
        labels.filter_map(|node| node.accesskit_node().value()).filter(|text| text.ends_with('°')).collect()
    };
    let before = numbers(&it);
    assert_eq!(before.len(), 4, "rotation and shear, local and world: {before:?}");
    it.harness.state_mut().state.playback.animator.seek(7.0);
    it.harness.run();
    assert_ne!(numbers(&it), before);
}

#[test]
fn escape_clears_the_selection() {
    let mut it = TestWindow::open([1100.0, 800.0], &["paper-knight.pchr"]);
    let at = it.joint("head");
    it.click_on(at);
    assert!(it.selected().is_some());
    it.press(Modifiers::NONE, Key::Escape);
    assert_eq!(it.selected(), None);
}

#[test]
fn the_inspector_leaves_room_for_the_canvas_at_every_size() {
    for (width, height) in [(400.0, 600.0), (800.0, 600.0), (1600.0, 900.0), (240.0, 200.0)] {
        for theme in [Theme::Dark, Theme::Light] {
            let mut it = TestWindow::open([width, height], &["paper-lamp.json"]);
            it.harness.ctx.set_theme(theme);
            it.harness.run();
            let at = it.overlap();
            it.click_on(at);
            assert!(it.selected().is_some(), "{width}");
            it.save(&format!("inspect-{width}-{theme:?}"));
        }
    }
}

#[test]
fn the_inspector_changes_what_a_slot_shows() {
    let mut it = TestWindow::open([1100.0, 800.0], &["paper-lamp.json"]);
    let slot = it.state().model().unwrap().find_slot("bulb").expect("a slot");
    it.state_mut().parts.selected = Some(Selected::Slot(slot));
    it.harness.run();
    let shown = |it: &mut TestWindow| {
        let (_, pose) = it.state_mut().posed().unwrap();
        pose.slots[slot.index()].attachment
    };
    let before = shown(&mut it);
    let choose = |it: &mut TestWindow, name: &str| {
        it.click_role(Role::ComboBox, "Attachment");
        it.save("inspector-attachment");
        it.harness.get_all_by_label(name).last().expect("an entry").click();
        it.harness.run();
    };
    choose(&mut it, "nothing");
    assert_eq!(shown(&mut it), None);
    it.state_mut().open_export();
    let line = it.state().export.as_ref().expect("the dialog").wanted().command_line();
    assert!(line.contains("--attach 'bulb='"), "{line}");
    it.state_mut().close_export();
    it.harness.run();
    choose(&mut it, "as animated");
    assert!(shown(&mut it) == before && before.is_some());
}
