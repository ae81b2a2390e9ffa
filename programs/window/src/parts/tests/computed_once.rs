//! What the panels list is computed when it changes, not in every frame; what takes long is done on other threads.

use std::collections::BTreeSet;
use std::fs;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use crate::WindowOptions;
use crate::app::App;
use crate::app::state::State;
use crate::base::waker::Waker;
use crate::parts::side::Section;
use crate::scene::selection::Selected;
use crate::timeline::Lower;
use egui::{Event, Modifiers, MouseWheelSource, MouseWheelUnit, TouchPhase, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use pchr::draw::Hideable;
use pchr::formats::image::encode_png;

use crate::app::tests::harness::TestWindow;

/// Longest time to wait for another thread.
const PATIENCE: Duration = Duration::from_secs(60);

/// A Spine character with this many bones, slots, skins and animations, and with 5 keys for each bone.
fn crowd(count: usize) -> String {
    let list = |item: &dyn Fn(usize) -> String| (0..count).map(item).collect::<Vec<_>>().join(",");
    let bones = list(&|index| format!(r#"{{"name": "bone {index}", "parent": "root"}}"#));
    let slots = list(&|index| format!(r#"{{"name": "slot {index}", "bone": "bone {index}"}}"#));
    let skins = list(&|index| {
        let attachment = format!(r#""slot {index}": {{"tip": {{"type": "point"}}}}"#);
        format!(r#"{{"name": "group {}/skin {index}", "attachments": {{{attachment}}}}}"#, index / 10)
    });
    let keys = |index: usize| {
        let key = |key: usize| format!(r#"{{"time": {}.{index:05}, "value": {key}}}"#, key);
        (0..5).map(key).collect::<Vec<_>>().join(",")
    };
    let keyed = list(&|index| format!(r#""bone {index}": {{"rotate": [{}]}}"#, keys(index)));
    let others = list(&|index| format!(r#""still {index}": {{}}"#));
    let order = r#"[{"time": 0}, {"time": 2, "offsets": [{"slot": "slot 0", "offset": 1}]}]"#;
    format!(
        r#"{{"skeleton": {{"spine": "4.2.00"}}, "bones": [{{"name": "root"}}, {bones}], "slots": [{slots}],
            "skins": [{{"name": "default"}}, {skins}],
            "animations": {{"a walk": {{"bones": {{{keyed}}}, "drawOrder": {order}}}, {others}}}}}"#
    )
}

/// Opens a window on a crowd with everything unfolded, playing.
fn open(count: usize) -> TestWindow {
    let mut it = TestWindow::open_with([1400.0, 900.0], &["crowd.json", "paper-lamp.json"], |_, folder| {
        fs::write(folder.join("crowd.json"), crowd(count)).unwrap();
    });
    let state = &mut it.harness.state_mut().state;
    Section::ALL.into_iter().for_each(|section| _ = state.parts.side.sections.insert(section, true));
    state.timeline.lower = Some(Lower::Dopesheet);
    state.playback.animator.set_playing(true);
    play(&mut it, 5);
    it
}

fn play(it: &mut TestWindow, frames: usize) {
    for _ in 0..frames {
        it.harness.state_mut().advance(1.0 / 60.0);
        it.harness.run_steps(1);
    }
}

/// Returns how often lists were computed.
fn computed(it: &TestWindow) -> u64 {
    it.state().parts.side.lists.computed() + it.state().files.computed() + it.state().timeline.computed()
}

#[test]
fn playing_computes_no_list() {
    let mut it = open(40);
    let before = computed(&it);
    assert!(before > 0);
    play(&mut it, 30);
    assert!(it.state().playback.animator.is_moving());
    assert_eq!(computed(&it), before);
}

#[test]
fn each_list_is_computed_once_when_the_filter_changes() {
    let mut it = open(40);
    let before = computed(&it);
    it.harness.state_mut().state.parts.side.filter.text = "7".to_owned();
    play(&mut it, 10);
    // Files, animations, skins, slots, and the order of the slots.
    assert_eq!(computed(&it) - before, 5);
    assert!(it.says("skin 17") && !it.says("skin 16"));
    it.harness.state_mut().state.timeline.filter.text = "BONE 1".to_owned();
    play(&mut it, 10);
    assert_eq!(computed(&it) - before, 6);
    assert_eq!(it.harness.state_mut().state.timeline.lines().len(), 11, "1 and 10 to 19");
}

#[test]
fn folding_and_hiding_compute_only_what_they_change() {
    let mut it = open(40);
    let before = computed(&it);
    let rows = it.harness.state_mut().state.listed_skins().lines.len();
    it.click("group 0");
    assert_eq!(it.harness.state_mut().state.listed_skins().lines.len(), rows - 10);
    assert_eq!(computed(&it) - before, 1);
    let state = &mut it.harness.state_mut().state;
    let slot = state.model().unwrap().slot_ids().next().unwrap();
    state.toggle_shown(Selected::Slot(slot));
    assert!(state.parts.hidden.is_hidden(Hideable::Slot(slot)));
    play(&mut it, 10);
    assert!(it.says("1 part is hidden"));
    assert_eq!(computed(&it) - before, 2);
    let target = it.state().timeline.keys.shown().unwrap().targets[0].target;
    it.harness.state_mut().state.timeline.toggle_expanded(target);
    play(&mut it, 10);
    assert_eq!(computed(&it) - before, 3);
}

#[test]
fn the_list_of_slots_follows_the_draw_order() {
    let mut it = open(40);
    it.harness.state_mut().state.parts.side.filter.text = "slot 1".to_owned();
    for secs in [0.0, 3.0] {
        let state = &mut it.harness.state_mut().state;
        state.playback.animator.playback_mut(0).unwrap().seek_secs(secs);
        let listed = state.listed_slots();
        let (model, pose) = state.posed().unwrap();
        let matches = pose.draw_order.iter().rev().filter(|slot| model.slot(**slot).name.contains("slot 1"));
        assert!(listed.iter().eq(matches), "{secs}");
    }
    it.harness.state_mut().state.parts.side.filter.text.clear();
    let orders = [0.0, 3.0].map(|secs| {
        let state = &mut it.harness.state_mut().state;
        state.playback.animator.playback_mut(0).unwrap().seek_secs(secs);
        state.listed_slots()
    });
    assert_ne!(orders[0], orders[1]);
}

#[test]
fn a_frame_allocates_as_much_for_a_large_character_as_for_a_small_one() {
    let [small, large] = [200, 4000].map(|count| {
        let mut it = open(count);
        let state = &mut it.harness.state_mut().state;
        state.parts.selected =
            state.model().and_then(|model| model.skeleton().bone_ids().nth(3)).map(Selected::Bone);
        play(&mut it, 20);
        // The least of several frames: buffers of egui grow now and then.
        let frames = (0..20).map(|_| allocation_counter::measure(|| play(&mut it, 1)).bytes_total);
        frames.min().unwrap()
    });
    assert!(large < small + small / 10, "{small} and {large} bytes");
}

#[test]
fn differences_are_followed_while_the_panels_are_hidden() {
    let mut it = TestWindow::open([1000.0, 700.0], &["paper-knight.pchr", "paper-lamp.json"]);
    let state = &mut it.harness.state_mut().state;
    state.compare_with(1);
    state.compare.findings.is_shown = true;
    state.panels = false;
    let has_answer = |it: &TestWindow| it.state().compare.findings.answer().is_some();
    for _ in 0..2000 {
        it.harness.run_steps(1);
        if has_answer(&it) {
            break;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(has_answer(&it));
    it.harness.state_mut().state.panels = true;
    it.harness.run();
    let before = it.state().compare.findings.computed();
    play(&mut it, 10);
    assert_eq!(it.state().compare.findings.computed(), before);
    let state = &mut it.harness.state_mut().state;
    (state.panels, state.compare.findings.chosen) = (false, Some(0));
    state.swap_sides();
    it.harness.run_steps(1);
    assert_eq!(it.state().compare.findings.chosen, None, "this was a difference in the other order");
    it.harness.state_mut().state.compare.second = None;
    it.harness.run_steps(1);
    assert!(!has_answer(&it), "nothing is compared");
}

#[test]
fn only_visible_warnings_are_laid_out() {
    const COUNT: usize = 90;
    let mut it = TestWindow::open_with([900.0, 700.0], &["odd.json"], |_, folder| {
        let good = r#"{"filename": "a", "frame": {"x": 0, "y": 0, "w": 4, "h": 4}, "duration": 50}"#;
        let frames: Vec<String> = (0..COUNT).map(|number| number.to_string()).collect();
        let sheet = format!(r#"{{"frames": [{good}, {}], "meta": {{"image": "odd.png"}}}}"#, frames.join(","));
        fs::write(folder.join("odd.json"), sheet).unwrap();
        fs::write(folder.join("odd.png"), encode_png(4, 4, &[255; 64]).unwrap()).unwrap();
    });
    let header = it.harness.get_by_label(&format!("Warnings ({COUNT})")).rect().center();
    it.click_at(header);
    // Each place is `/frames/` with an index.
    let shown = |it: &TestWindow| {
        let labels = it.harness.root().children_recursive();
        let texts = labels.filter_map(|node| node.accesskit_node().value());
        let numbers = texts.filter_map(|text| text.strip_prefix("/frames/")?.parse::<usize>().ok());
        numbers.collect::<BTreeSet<_>>()
    };
    let before = shown(&it);
    assert!(before.contains(&1) && before.len() < COUNT / 2, "{before:?}");
    for _ in 0..100 {
        it.harness.event(Event::MouseWheel {
            unit: MouseWheelUnit::Point,
            delta: vec2(0.0, -500.0),
            phase: TouchPhase::Move,
            modifiers: Modifiers::NONE,
            source: MouseWheelSource::Wheel,
        });
        it.harness.run_steps(1);
    }
    it.harness.run();
    it.save("warnings");
    let after = shown(&it);
    assert!(after.contains(&COUNT) && !after.contains(&1) && after.len() < COUNT / 2, "{after:?}");
}

/// Returns a waker, and what receives its calls.
fn waker() -> (Waker, Receiver<()>) {
    let (wakes, woken) = channel();
    (Waker::new(move || wakes.send(()).unwrap_or_default()), woken)
}

#[test]
fn pasted_and_recent_files_are_looked_up_on_another_thread() {
    let (waker, woken) = waker();
    let mut state = State::empty(&WindowOptions::default(), Some(waker));
    let lamp = crate::common::root().join("assets/paper-lamp.json");
    state.open_pasted(&format!("{}\n/no/such/file", lamp.display()));
    for _ in 0..1000 {
        // The file is loaded and added to the recent ones, each on a thread of its own.
        if state.model().is_some() && !state.files.recent.files().is_empty() {
            break;
        }
        woken.recv_timeout(PATIENCE).unwrap();
        state.take_looked_up();
        state.take_loaded();
    }
    assert!(state.model().is_some());
    assert_eq!(state.files.recent.files().iter().map(|file| &*file.path).collect::<Vec<_>>(), [&*lamp]);
    assert_eq!(state.notice.as_ref().unwrap().text, "1 pasted line is not the path of a file");
    state.notice = None;
    state.open_recent("/no/such/file".into());
    while state.notice.is_none() {
        // Other threads may have woken the window as well.
        woken.recv_timeout(PATIENCE).unwrap();
        state.take_looked_up();
    }
    assert_eq!(state.notice.as_ref().unwrap().text, "/no/such/file does not exist");
}

#[test]
fn missing_recent_files_are_found_on_another_thread() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("gone.json");
    let (waker, woken) = waker();
    let mut state = State::empty(&WindowOptions::default(), Some(waker.clone()));
    state.files.recent.restore([path.clone()]);
    assert!(!state.files.recent.files()[0].is_missing);
    for is_missing in [true, false] {
        state.files.recent.expire();
        state.files.recent.check(0.0, Some(&waker));
        woken.recv_timeout(PATIENCE).unwrap();
        state.take_looked_up();
        assert_eq!(state.files.recent.files()[0].is_missing, is_missing);
        fs::write(&path, "").unwrap();
    }
}

#[test]
fn curves_and_the_loop_gap_are_computed_on_another_thread() {
    let (waker, woken) = waker();
    let mut options = WindowOptions::default();
    options.paused = true;
    options.no_watch = true;
    options.subject.files.push(crate::common::root().join("assets/paper-knight.pchr"));
    let app = App::in_background(&options, None, waker);
    app.state.files.loading.waker.as_ref().expect("the window has a waker");
    let mut harness = Harness::builder()
        .with_size([1200.0, 800.0])
        .with_context_setup(move |ctx| App::new(&WindowOptions::default()).set_up(ctx))
        .build_ui_state(|ui, app: &mut App| app.ui(ui), app);
    let mut until = |is_done: &mut dyn FnMut(&mut State) -> bool| {
        for _ in 0..1000 {
            harness.run_steps(2);
            if is_done(&mut harness.state_mut().state) {
                return;
            }
            woken.recv_timeout(PATIENCE).expect("a thread wakes the window");
        }
        panic!("this is never done");
    };
    until(&mut |state| state.model().is_some());
    let mut bones = BTreeSet::new();
    for place in [1, 2] {
        until(&mut |state| {
            let bone = state.model().and_then(|model| model.skeleton().bone_ids().nth(place)).unwrap();
            bones.insert(bone);
            (state.timeline.lower, state.parts.selected) = (Some(Lower::Curves), Some(Selected::Bone(bone)));
            true
        });
        until(&mut |state| state.timeline.curve.points().is_some_and(|points| points.len() > 1));
    }
    assert_eq!(bones.len(), 2);
    until(&mut |state| {
        let State { timeline, playback, files, .. } = state;
        timeline
            .gap
            .text(&playback.animator, files.loading.waker.as_ref())
            .is_some_and(|gap| gap.text.contains(" px"))
    });
}
