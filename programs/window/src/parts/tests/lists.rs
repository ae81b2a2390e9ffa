//! The lists that share the side panel: visible rows, scrolling and the keyboard.

use egui::{Key, Modifiers, Rect, lerp, pos2, vec2};
use egui_kittest::kittest::{NodeT, Queryable};

use crate::app::tests::harness::TestWindow;
use crate::app::tests::rigs::{crowded, many_skins, wardrobe_of_many};
use crate::parts::side::Section;
use crate::scene::selection::Selected;

impl TestWindow {
    /// Returns the rectangle of the first widget whose label begins with `label`.
    fn place(&self, label: &str) -> Option<Rect> {
        let nodes = self.harness.root().children_recursive();
        let begins = |text: Option<String>| text.is_some_and(|found| found.starts_with(label));
        let mut found = nodes.filter(|node| {
            let node = node.accesskit_node();
            begins(node.label()) || begins(node.value())
        });
        found.next().map(|node| node.rect())
    }

    /// Returns the part of the window between the bar at the top and the buttons of playback, or in a narrow window the
    /// timeline.
    fn side(&self) -> Rect {
        let size = self.harness.ctx.content_rect();
        let below = if size.width() < 620.0 { "Time" } else { "Play" };
        let bottom = self.place(below).map_or(size.bottom(), |controls| controls.top() - 8.0);
        Rect::from_min_max(pos2(0.0, 44.0), pos2(size.right(), bottom))
    }

    /// Returns how many of `labels` are fully visible in the sidebar, not cut off by a list or panel.
    pub fn visible(&self, labels: &[String]) -> usize {
        let side = self.side();
        let is_complete = |place: Rect| {
            self.harness.ctx.viewport(|viewport| {
                let widgets = viewport.prev_pass.widgets.layers().flat_map(|(_, widgets)| widgets);
                let mut there = widgets.filter(|widget| widget.rect == place);
                there.any(|widget| widget.interact_rect.contains_rect(place.shrink(0.5)))
            })
        };
        let is_visible = |label: &&String| {
            self.place(label).is_some_and(|place| side.contains_rect(place) && is_complete(place))
        };
        labels.iter().filter(is_visible).count()
    }

    /// Unfolds the slots, which are open where there is room.
    fn open_slots(&mut self) {
        if self.visible(&slot_labels()) == 0 {
            self.scroll_to(&["SLOTS (40)".to_owned()], 1);
            self.click("SLOTS (40)");
        }
    }

    /// Turns the wheel over the sidebar until at least `count` of `labels` are fully visible.
    fn scroll_to(&mut self, labels: &[String], count: usize) -> bool {
        let side = self.side();
        // Over each list, down, then up: a list starts at what is worn.
        for (x, share, turn) in
            [(60.0, 0.5), (60.0, 0.75), (320.0, 0.5)].into_iter().flat_map(|(x, y)| [(x, y, -60.0), (x, y, 60.0)])
        {
            for _ in 0..60 {
                if self.visible(labels) >= count {
                    return true;
                }
                self.wheel(
                    pos2(x, lerp(side.y_range().min..=side.y_range().max, share)),
                    vec2(0.0, turn),
                    Modifiers::NONE,
                );
            }
        }
        false
    }
}

fn skin_labels() -> Vec<String> {
    many_skins().into_iter().map(|(name, _)| name).collect()
}

fn slot_labels() -> Vec<String> {
    (0..40).map(|slot| format!("slot{slot:02}")).collect()
}

/// From the smallest window with lists beside the canvas to a large one.
const SIZES: [[f32; 2]; 5] = [[640.0, 420.0], [700.0, 480.0], [900.0, 620.0], [1180.0, 780.0], [1600.0, 1000.0]];

#[test]
fn several_skins_and_slots_are_visible_at_every_size() {
    for size in SIZES {
        let mut it = crowded(size);
        assert!(it.scroll_to(&skin_labels(), 3), "{size:?}: {} skins", it.visible(&skin_labels()));
        let mut it = crowded(size);
        it.open_slots();
        assert!(it.scroll_to(&slot_labels(), 5), "{size:?}: {} slots", it.visible(&slot_labels()));
    }
}

#[test]
fn every_skin_and_slot_can_be_scrolled_to() {
    for size in [[240.0, 160.0], [640.0, 420.0], [1180.0, 780.0]] {
        let mut it = crowded(size);
        if size[0] < 620.0 {
            assert!(it.place("full-skins/girl").is_none(), "the canvas uses the whole width");
            it.click("Lists");
        }
        for skin in ["parts/part29", "full-skins/boy"] {
            let label = [skin.to_owned()];
            let mut it = crowded(size);
            if size[0] < 620.0 {
                it.click("Lists");
            }
            assert!(it.scroll_to(&label, 1), "{size:?}: {skin}");
            it.click(skin);
            assert!(it.worn().contains(&label[0]), "{size:?}: {:?}", it.worn());
        }
        it.open_slots();
        // Slots are listed front to back.
        assert!(it.scroll_to(&["slot00".to_owned()], 1), "{size:?}");
    }
}

#[test]
fn changing_skins_does_not_move_the_lists() {
    for size in SIZES {
        let mut it = TestWindow::of(size, &[("girl.json", wardrobe_of_many().as_bytes())], |options| {
            options.subject.skins = vec!["none".to_owned()];
        });
        assert!(it.worn().is_empty());
        assert!(it.scroll_to(&["parts/part02".to_owned()], 1), "{size:?}");
        let labels = ["walk", "parts/part01", "parts/part02", "SLOTS (40)", "CHARACTER"];
        let places = |it: &TestWindow| labels.map(|label| it.place(label));
        let before = places(&it);
        assert!(before[2].is_some());
        it.click("parts/part02");
        assert_eq!((it.worn().len(), places(&it)), (1, before), "{size:?}: on");
        it.click("parts/part02");
        assert_eq!((it.worn().len(), places(&it)), (0, before), "{size:?}: off");
    }
}

#[test]
fn the_keyboard_scrolls_through_a_list() {
    let mut it = crowded([900.0, 620.0]);
    // Groups are in the order of their first skin, so the list ends with `full-skins`.
    let last = ["parts/part00".to_owned()];
    it.harness.get_by_label("full-skins/girl").focus();
    it.harness.run();
    for _ in 0..40 {
        let focused = it.harness.root().children_recursive().find(|node| node.accesskit_node().is_focused());
        let label = focused.and_then(|node| node.accesskit_node().label());
        if label.as_deref() == Some("parts/part00") {
            assert_eq!(it.visible(&last), 1, "the focused row is visible");
            it.harness.key_press(Key::Enter);
            it.harness.run();
            assert!(it.worn().contains(&last[0]));
            return;
        }
        it.harness.key_press(Key::ArrowUp);
        // Scrolling a list takes several frames.
        it.harness.run_steps(20);
    }
    panic!("the keyboard has not reached the other end of the list");
}

// ---- Slots

#[test]
fn a_selection_in_the_picture_scrolls_the_list_of_slots() {
    let mut it = crowded([900.0, 640.0]);
    it.state_mut().parts.side.toggle(Section::Slots);
    it.harness.run();
    // Rows that cannot be seen are not laid out.
    let is_listed = |it: &TestWindow| {
        it.harness.root().children_recursive().any(|node| {
            let label = node.accesskit_node().label();
            label.is_some_and(|label| label.starts_with("slot00")) && node.rect().left() < 200.0
        })
    };
    assert!(!is_listed(&it), "it is drawn first, so it is the last row");
    let slot = it.state().model().unwrap().find_slot("slot00").unwrap();
    it.state_mut().parts.selected = Some(Selected::Slot(slot));
    it.harness.run();
    assert!(is_listed(&it));
}

#[test]
fn a_switch_leaves_out_slots_without_anything_to_see() {
    let mut it = crowded([900.0, 900.0]);
    it.state_mut().parts.side.toggle(Section::Slots);
    it.harness.run();
    assert!(it.says("SLOTS (40)"));
    it.click("Visible only");
    let count = it.state_mut().listed_slots().len();
    assert!((1..40).contains(&count) && it.says(&format!("SLOTS ({count})")), "{count}");
    it.state_mut().set_skins(Vec::new());
    it.harness.run();
    assert!(it.state_mut().listed_slots().is_empty() && it.says("Visible only"), "the switch stays");
    it.click("Visible only");
    assert!(it.says("SLOTS (40)"));
}
