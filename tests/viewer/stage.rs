//! The contents of the window and their painting: lists that share the sidebar, automatically chosen skins, the
//! checkerboard behind dark art, and frames with few changes. Driven as a user would, without a window.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use crate::common::conformance_files;
use egui::accesskit::Role;
use egui::{
    Color32, Context, Event, FullOutput, Key, Modifiers, MouseWheelUnit, PointerButton, Pos2, RawInput, Rect,
    TouchPhase, pos2, vec2,
};
use egui_kittest::kittest::{NodeT, Queryable};
use pchr::draw::Overlay;
use pchr::formats::pchr::{schema, write};
use pchr::viewer::app::App;
use pchr::viewer::backdrop::Squares;
use pchr::viewer::paint::Frame;
use pchr::viewer::paint::painter::Painter;
use pchr::viewer::paint::textures::Textures;
use pchr::viewer::scene::{CpuStage, Scene};
use pchr::viewer::view::Camera;
use pchr::viewer::{Background, WindowOptions};
use tempfile::TempDir;

use crate::desk::Desk;

/// Returns a large Spine character with an empty default skin: 8 animations, 40 slots, and the given skins, each
/// of which fills that many of the first slots.
fn wardrobe(skins: &[(&str, usize)]) -> String {
    let mut slots = String::new();
    for slot in 0..40 {
        let comma = if slot > 0 { "," } else { "" };
        write!(slots, r#"{comma}{{"name": "slot{slot:02}", "bone": "root", "attachment": "part"}}"#).unwrap();
    }
    let mut dressed = String::from(r#"{"name": "default"}"#);
    for (name, count) in skins {
        let mut attachments = String::new();
        for slot in 0..*count {
            let comma = if slot > 0 { "," } else { "" };
            write!(
                attachments,
                r#"{comma}"slot{slot:02}": {{"part": {{"x": {slot}, "width": 40, "height": 40}}}}"#
            )
            .unwrap();
        }
        write!(dressed, r#",{{"name": "{name}", "attachments": {{{attachments}}}}}"#).unwrap();
    }
    let names = ["walk", "run", "idle", "jump", "fall", "wave", "sit", "blink"];
    let turns = names.map(|name| {
        format!(r#""{name}": {{"bones": {{"root": {{"rotate": [{{}}, {{"time": 1, "angle": 9}}]}}}}}}"#)
    });
    format!(
        r#"{{"skeleton": {{"spine": "3.8.99"}}, "bones": [{{"name": "root"}}], "slots": [{slots}],
            "skins": [{dressed}], "animations": {{{}}}}}"#,
        turns.join(",")
    )
}

/// Returns thirty skins with single parts, and two complete skins among them.
fn many_skins() -> Vec<(String, usize)> {
    let mut skins: Vec<_> = (0..30).map(|number| (format!("parts/part{number:02}"), 1)).collect();
    skins.insert(20, ("full-skins/girl".to_owned(), 9));
    skins.insert(25, ("full-skins/boy".to_owned(), 12));
    skins
}

fn wardrobe_of_many() -> String {
    let skins = many_skins();
    wardrobe(&skins.iter().map(|(name, count)| (name.as_str(), *count)).collect::<Vec<_>>())
}

/// Returns a square of one colour with an animation of ten frames that rotates it by 9 degrees per frame.
fn square(color: [u8; 3]) -> Vec<u8> {
    let corner =
        |x: f32, y: f32| schema::Vertex { x, y, bone_weights: [1.0, 0.0, 0.0, 0.0], ..schema::Vertex::default() };
    let corners = [corner(-50.0, -50.0), corner(50.0, -50.0), corner(50.0, 50.0), corner(-50.0, 50.0)];
    let frame = |rotation| vec![schema::BoneTransform { rotation, ..Default::default() }];
    let frames: Vec<_> = (0..10u8).map(|number| frame(f32::from(number) * 9.0)).collect();
    let [r, g, b] = color;
    let file = schema::File {
        fps: 10,
        images: vec![schema::Image {
            name: "page".to_owned(),
            width: 1,
            height: 1,
            format: schema::Image::RGBA8888,
            data: vec![r, g, b, 255].into(),
            offset: 0,
        }],
        bones: vec![schema::Bone { name: "root".to_owned(), parent: -1, offset: 0 }],
        meshes: vec![schema::Mesh::new("square", 0, &corners, &[0, 1, 2, 0, 2, 3])],
        animations: vec![schema::Animation::new("turn", true, &frames)],
        ..schema::File::default()
    };
    write(&file).unwrap()
}

fn open(size: [f32; 2], name: &str, bytes: &[u8], change: impl FnOnce(&mut WindowOptions)) -> Desk {
    Desk::of(size, &[(name, bytes)], change)
}

/// Opens a window on a file that is not in a folder of its own.
fn on(size: [f32; 2], path: PathBuf) -> Desk {
    Desk::of(size, &[], |options| options.subject.files.push(path))
}

fn crowded(size: [f32; 2]) -> Desk {
    open(size, "girl.json", wardrobe_of_many().as_bytes(), |_| {})
}

impl Desk {
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

    /// Returns the names of the worn skins.
    fn worn(&mut self) -> Vec<String> {
        let state = &self.app().state;
        state.animator.skins().iter().map(|&id| state.model().unwrap().skin(id).name.to_string()).collect()
    }

    /// Returns the part of the window between the bar at the top and the controls at the bottom, where the lists
    /// are.
    fn side(&self) -> Rect {
        let size = self.harness.ctx.content_rect();
        let bottom = self.place("Time").map_or(size.bottom(), |timeline| timeline.top() - 8.0);
        Rect::from_min_max(pos2(0.0, 44.0), pos2(size.right(), bottom))
    }

    /// Returns how many of `labels` are fully visible in the sidebar, not cut off by a list or panel.
    fn visible(&self, labels: &[String]) -> usize {
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

    /// Turns the wheel over the sidebar until at least `count` of `labels` are fully visible.
    fn scroll_to(&mut self, labels: &[String], count: usize) -> bool {
        let at = pos2(60.0, self.side().center().y);
        // Down, then up: a list starts at what is worn.
        for turn in [-60.0, 60.0].into_iter().flat_map(|turn| [turn; 60]) {
            if self.visible(labels) >= count {
                return true;
            }
            self.wheel(at, vec2(0.0, turn), Modifiers::NONE);
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
        it.scroll_to(&["SLOTS (40)".to_owned()], 1);
        it.click("SLOTS (40)");
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
        it.scroll_to(&["SLOTS (40)".to_owned()], 1);
        it.click("SLOTS (40)");
        // Slots are listed front to back.
        assert!(it.scroll_to(&["slot00".to_owned()], 1), "{size:?}");
    }
}

#[test]
fn changing_skins_does_not_move_the_lists() {
    for size in SIZES {
        let mut it = open(size, "girl.json", wardrobe_of_many().as_bytes(), |options| {
            options.subject.skins = vec!["none".to_owned()];
        });
        assert!(it.worn().is_empty());
        assert!(it.scroll_to(&["parts/part02".to_owned()], 1), "{size:?}");
        let labels = ["walk", "parts/part01", "parts/part02", "SLOTS (40)", "CHARACTER"];
        let places = |it: &Desk| labels.map(|label| it.place(label));
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

#[test]
fn a_character_with_an_empty_default_skin_is_opened_in_its_first_full_skin() {
    let mut it = crowded([1180.0, 780.0]);
    assert_eq!(it.worn(), ["full-skins/girl"]);
    assert!(it.says("The default skin shows nothing, so “full-skins/girl” was put on."));
    let notice = it.app().state.notice.clone();
    assert_eq!(notice, None, "it is not an error");
    assert_eq!(it.visible(&["full-skins/girl".to_owned()]), 1, "the worn skin is visible in the list");
    // One click restores the default skin, and it stays after a reload.
    it.click("Default skin");
    assert!(it.worn().is_empty() && !it.says("The default skin shows nothing"));
    assert!(it.says("Nothing is visible without a skin"));
    it.app().state.reload();
    it.harness.run();
    assert!(it.worn().is_empty(), "the user has chosen");
}

#[test]
fn without_a_full_skin_the_one_with_the_most_attachments_is_worn() {
    let skins = [("hat", 2), ("shop/keeper", 6), ("guard", 6), ("shoes", 1)];
    let mut it = open([1180.0, 780.0], "crowd.json", wardrobe(&skins).as_bytes(), |_| {});
    assert_eq!(it.worn(), ["shop/keeper"]);
    // The notice can be closed; selecting another skin closes it as well.
    it.click("Close this notice");
    assert_eq!(it.worn(), ["shop/keeper"]);
    assert!(!it.says("The default skin shows nothing"));
    it.app().state.reload();
    it.harness.run();
    assert_eq!(it.worn(), ["shop/keeper"]);
    let mut it = open([1180.0, 780.0], "crowd.json", wardrobe(&skins).as_bytes(), |_| {});
    it.click("hat");
    assert!(!it.says("The default skin shows nothing"));
    // A skin that shows nothing does not help, whatever its name.
    let skins = [("full", 0), ("hat", 1), ("cape", 2)];
    let mut it = open([1180.0, 780.0], "crowd.json", wardrobe(&skins).as_bytes(), |_| {});
    assert_eq!(it.worn(), ["cape"]);
}

#[test]
fn skins_of_the_command_line_win() {
    for (asked, worn) in
        [("parts/part03", vec!["parts/part03"]), ("none", vec![]), ("#21", vec!["full-skins/girl"])]
    {
        let mut it = open([1180.0, 780.0], "girl.json", wardrobe_of_many().as_bytes(), |options| {
            options.subject.skins = vec![asked.to_owned()];
        });
        assert_eq!(it.worn(), worn, "{asked}");
        assert!(!it.says("The default skin shows nothing"), "{asked}");
    }
}

#[test]
fn a_visible_character_keeps_its_default_skin() {
    let shown = wardrobe(&[("full", 3), ("hat", 1)]).replace(
        r#"{"name": "default"}"#,
        r#"{"name": "default", "attachments": {"slot39": {"part": {"width": 9, "height": 9}}}}"#,
    );
    let mut it = open([1180.0, 780.0], "shown.json", shown.as_bytes(), |_| {});
    assert!(it.worn().is_empty() && !it.says("The default skin shows nothing"));
    // The character may only become visible at the end of the animation.
    let late = shown.replace(
        r#""name": "slot39", "bone": "root", "attachment": "part""#,
        r#""name": "slot39", "bone": "root""#,
    );
    assert_ne!(late, shown);
    let late = late.replace(
        r#""walk": {"#,
        r#""walk": {"slots": {"slot39": {"attachment": [{"time": 0.8, "name": "part"}]}},"#,
    );
    let mut it = open([1180.0, 780.0], "late.json", late.as_bytes(), |_| {});
    assert!(it.worn().is_empty(), "{:?}", it.worn());
}

#[test]
fn a_file_that_loses_its_skins_gets_another_one() {
    let mut it = crowded([1180.0, 780.0]);
    let path = it.folder.path().join("girl.json");
    fs::write(&path, wardrobe(&[("whole", 5), ("hat", 1)])).unwrap();
    it.app().state.reload();
    it.harness.run();
    assert_eq!(it.worn(), ["whole"]);
}

/// Returns the two colours of the checkerboard on the canvas.
fn squares(it: &mut Desk, is_dark: bool) -> [[u8; 3]; 2] {
    it.app().state.squares(is_dark).colors(is_dark)
}

#[expect(clippy::disallowed_methods, reason = "a contrast needs few digits")]
fn luminance(color: [u8; 3]) -> f64 {
    let [r, g, b] = color.map(|channel| {
        let c = f64::from(channel) / 255.0;
        if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
    });
    0.2126 * r + 0.7152 * g + 0.0722 * b
}

#[test]
fn the_checkerboard_contrasts_with_dark_and_light_art() {
    for is_dark in [false, true] {
        for color in [[38, 40, 48], [20, 20, 24], [60, 62, 70], [128, 128, 128], [245, 245, 245], [200, 80, 40]] {
            let mut it = open([1000.0, 700.0], "square.pchr", &square(color), |_| {});
            let squares = squares(&mut it, is_dark);
            for behind in squares {
                let (a, b) = (luminance(color) + 0.05, luminance(behind) + 0.05);
                let contrast = a.max(b) / a.min(b);
                assert!(contrast > 1.45, "{color:?} over {behind:?}: {contrast:.2}");
            }
        }
    }
    // Art with enough contrast keeps the default checkerboard.
    let mut it = open([1000.0, 700.0], "square.pchr", &square([200, 80, 40]), |_| {});
    assert_eq!(squares(&mut it, true), [[0x2a, 0x2d, 0x34], [0x30, 0x34, 0x3c]]);
}

#[test]
fn our_own_characters_contrast_with_the_checkerboard() {
    for name in ["paper-knight.pchr", "paper-lamp.json"] {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("assets").join(name);
        let mut it = on([1000.0, 700.0], path);
        for is_dark in [true, false] {
            let (usual, chosen) = (Squares::default_for(is_dark), it.app().state.squares(is_dark));
            let tones = it.app().state.loaded().unwrap().tones().cloned().unwrap();
            let [before, after] = [usual, chosen].map(|squares| tones.contrast(squares.colors(is_dark)));
            println!("{name}, dark {is_dark}: {before:.2} over {usual:?}, {after:.2} over {chosen:?}");
            assert!(after >= 1.5 && after >= before, "{name}: {after}");
        }
    }
}

#[test]
fn conformance_characters_have_the_best_contrast() {
    let characters = conformance_files("spine/examples", "-pro.json");
    if characters.is_empty() {
        return;
    }
    let mut count = 0;
    for path in characters {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let mut it = on([1000.0, 700.0], path);
        for is_dark in [true, false] {
            let (usual, chosen) = (Squares::default_for(is_dark), it.app().state.squares(is_dark));
            let tones = it.app().state.loaded().unwrap().tones().cloned().unwrap();
            let [before, after] = [usual, chosen].map(|squares| tones.contrast(squares.colors(is_dark)));
            println!("{name}, dark {is_dark}: {before:.2} over {usual:?}, {after:.2} over {chosen:?}");
            assert!(after >= before.min(1.5), "{name}: {after}");
        }
        if name.starts_with("mix-and-match") {
            assert_eq!(it.worn(), ["full-skins/boy"]);
        }
        count += 1;
    }
    assert!(count >= 7, "{count}");
}

#[test]
fn the_checkerboard_does_not_follow_the_animation() {
    let mut it = open([1000.0, 700.0], "square.pchr", &square([38, 40, 48]), |_| {});
    let before = squares(&mut it, true);
    assert_ne!(before, [[0x2a, 0x2d, 0x34], [0x30, 0x34, 0x3c]]);
    for _ in 0..12 {
        it.harness.key_press(Key::ArrowRight);
        it.harness.run();
        assert_eq!(squares(&mut it, true), before);
    }
}

#[test]
fn a_custom_colour_is_picked_and_kept() {
    let mut it = open([1000.0, 700.0], "square.pchr", &square([200, 80, 40]), |_| {});
    let custom = it.app().state.custom_color;
    it.click("Background");
    it.click("Custom colour");
    assert_eq!(it.app().state.background, Background::Color(custom));
    let before = it.harness.get_by_role_and_label(Role::Slider, "Red").rect();
    it.harness.drag_at(before.left_center() + vec2(2.0, 0.0));
    it.harness.run_steps(1);
    it.harness.drop_at(before.left_center() + vec2(2.0, 0.0));
    it.harness.run();
    let picked = it.app().state.custom_color;
    assert!(picked[0] < custom[0] && picked[1..] == custom[1..], "{picked:?}");
    assert_eq!(it.app().state.background, Background::Color(picked));
    // It remains available after another background was selected.
    for (choice, background) in
        [("Transparent", Background::Checker), ("Custom colour", Background::Color(picked))]
    {
        it.click(choice);
        assert_eq!(it.app().state.background, background);
    }
    it.harness.key_press(Key::Escape);
    it.harness.run();
    assert!(it.harness.query_by_role_and_label(Role::Slider, "Red").is_none());
    let mut it = open([1000.0, 700.0], "square.pchr", &square([200, 80, 40]), |options| {
        options.look.background = pchr::export::Background::Color([1, 2, 3, 255]);
    });
    assert_eq!(it.app().state.custom_color, [1, 2, 3], "the colour of the command line is offered");
}

/// The contents of the window and their CPU painting, frame by frame.
struct Screen {
    ctx: Context,
    app: App,
    textures: Textures,
    painter: Painter,
    /// Two alternating buffers, as on some systems.
    buffers: [Vec<u32>; 2],
    seconds: f64,
    frames: u32,
    _folder: TempDir,
}

const WIDTH: usize = 900;
const HEIGHT: usize = 640;

impl Screen {
    fn open(bytes: &[u8], name: &str, change: impl FnOnce(&mut WindowOptions)) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        let mut options = WindowOptions::default();
        options.paused = true;
        options.subject.files.push(path);
        change(&mut options);
        let (ctx, mut app) = (Context::default(), App::new(&options));
        app.set_up(&ctx);
        // Like a window painted by the CPU.
        app.state.is_slow = true;
        let (textures, painter) = (Textures::default(), Painter::default());
        let buffers = [vec![0; WIDTH * HEIGHT], vec![0; WIDTH * HEIGHT]];
        let mut it = Self { ctx, app, textures, painter, buffers, seconds: 0.0, frames: 0, _folder: folder };
        // Until everything has settled.
        (0..8).for_each(|_| _ = it.frame(vec![]));
        it
    }

    /// Lays out a frame after `events` and paints the differences. Returns the number of painted pixels.
    fn frame(&mut self, events: Vec<Event>) -> u64 {
        self.seconds += 1.0 / 60.0;
        self.app.advance(1.0 / 60.0);
        let screen_rect = Some(Rect::from_min_size(Pos2::ZERO, vec2(WIDTH as f32, HEIGHT as f32)));
        let input = RawInput { screen_rect, time: Some(self.seconds), events, ..RawInput::default() };
        let output = self.ctx.run_ui(input, |ui| self.app.ui(ui));
        self.paint(output)
    }

    fn paint(&mut self, output: FullOutput) -> u64 {
        self.textures.apply(&output.textures_delta);
        let scene = self.app.scene();
        let mut changes = output.textures_delta;
        let frame = |shapes| Frame {
            ctx: &self.ctx,
            size: [WIDTH as u32, HEIGHT as u32],
            pixels_per_point: 1.0,
            shapes,
            textures: &self.textures,
            changes: &changes,
            scenes: [scene.as_ref(), None],
            clear: Color32::from_gray(40),
        };
        let before = self.painter.painted_pixels();
        let mut incremental = frame(output.shapes.clone());
        if !self.painter.take(&mut incremental).areas().is_empty() {
            self.frames += 1;
            // The contents of a buffer are unknown until it has been painted.
            let age = if self.frames > 2 { 2 } else { 0 };
            let damage = self.painter.since(age);
            let buffer = (self.frames % 2) as usize;
            self.painter.paint(&incremental, &damage, &mut self.buffers[buffer]);
            let mut whole = frame(output.shapes);
            let (mut painter, mut expected) = (Painter::default(), vec![0; WIDTH * HEIGHT]);
            painter.take(&mut whole);
            painter.paint(&whole, &painter.since(0), &mut expected);
            let differs = self.buffers[buffer].iter().zip(&expected).filter(|(found, expected)| found != expected);
            assert_eq!(differs.count(), 0, "number of pixels that differ from a fully painted frame");
        }
        self.textures.free(&changes);
        changes.clear();
        self.painter.painted_pixels() - before
    }

    fn pictures(&self) -> u64 {
        self.painter.stages()[0].drawn_pictures()
    }
}

fn press(key: Key) -> Vec<Event> {
    let event =
        |pressed| Event::Key { key, physical_key: None, pressed, repeat: false, modifiers: Modifiers::NONE };
    vec![event(true), event(false)]
}

fn click(at: Pos2) -> Vec<Event> {
    let button = |pressed| Event::PointerButton {
        pos: at,
        button: PointerButton::Primary,
        pressed,
        modifiers: Modifiers::NONE,
    };
    vec![Event::PointerMoved(at), button(true), button(false)]
}

#[test]
fn incremental_painting_equals_full_painting() {
    let mut it = Screen::open(wardrobe_of_many().as_bytes(), "girl.json", |_| {});
    let mut random = 12345u32;
    let mut next = |below: u32| {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (random >> 8) % below
    };
    let keys = [
        Key::Space,
        Key::ArrowRight,
        Key::B,
        Key::N,
        Key::F1,
        Key::Escape,
        Key::Tab,
        Key::Tab,
        Key::L,
        Key::PageDown,
    ];
    for _ in 0..160 {
        let at = pos2(next(WIDTH as u32) as f32, next(HEIGHT as u32) as f32);
        let events = match next(10) {
            0 => press(keys[next(keys.len() as u32) as usize]),
            1 | 2 => click(at),
            3 => vec![Event::PointerGone],
            4 => vec![Event::MouseWheel {
                unit: MouseWheelUnit::Point,
                delta: vec2(0.0, next(200) as f32 - 100.0),
                phase: TouchPhase::Move,
                source: egui::MouseWheelSource::Wheel,
                modifiers: Modifiers::NONE,
            }],
            _ => vec![Event::PointerMoved(at)],
        };
        it.frame(events);
        (0..next(4)).for_each(|_| _ = it.frame(vec![]));
    }
    assert!(it.frames > 100, "{}", it.frames);
}

#[test]
fn an_unchanged_frame_is_not_painted() {
    let mut it = Screen::open(&square([200, 80, 40]), "square.pchr", |_| {});
    let pictures = it.pictures();
    let moves = (0..50).map(|step| Event::PointerMoved(pos2(400.0 + step as f32 * 3.0, 200.0 + step as f32)));
    let passes = it.ctx.cumulative_pass_nr();
    let painted: u64 = moves.map(|to| it.frame(vec![to])).sum();
    assert_eq!((painted, it.pictures() - pictures), (0, 0), "the mouse moves over the canvas");
    assert_eq!(it.ctx.cumulative_pass_nr() - passes, 50, "no frame is laid out twice");
    // A hovered button is painted, and little else.
    let hovered: u64 = (0..20).map(|_| it.frame(vec![Event::PointerMoved(pos2(70.0, 22.0))])).sum();
    assert!(hovered > 0 && hovered < (WIDTH * HEIGHT / 4) as u64, "{hovered}");
    assert_eq!(it.pictures(), pictures, "the character is not redrawn");
}

#[test]
fn during_playback_only_the_character_and_the_controls_are_painted() {
    let mut it = Screen::open(&square([200, 80, 40]), "square.pchr", |options| options.paused = false);
    let (pictures, mut painted) = (it.pictures(), 0);
    for _ in 0..60 {
        painted += it.frame(vec![]);
    }
    // Ten frames per second, held.
    assert_eq!(it.pictures() - pictures, 10);
    let whole = (WIDTH * HEIGHT) as u64;
    assert!(painted < 60 * whole / 4, "{} of a frame", painted as f64 / (60 * whole) as f64);
}

#[test]
fn a_brief_picture_is_cropped_to_what_is_drawn() {
    let mut it = Screen::open(&square([200, 80, 40]), "square.pchr", |options| {
        options.look.show.push(Overlay::Bones.into())
    });
    it.app.state.animator.seek(3.0);
    for (zoom, dx) in [(0.5, 0.0), (1.0, 0.0), (3.0, 250.0), (3.0, -4000.0), (40.0, 100.0)] {
        it.app.state.camera = Camera::Free { center: pchr::math::vec2(dx / zoom, 3.0), scale: zoom };
        let scene = it.app.scene().unwrap();
        let (mut stage, brief) = (CpuStage::default(), Scene { is_brief: true, ..scene.clone() });
        let whole = stage.render(&scene).0.clone();
        let part = stage.render_part(&brief).0.clone();
        let [x, y] = stage.corner();
        let inside = |column: u32, row: u32| {
            (x..x + part.width()).contains(&column) && (y..y + part.height()).contains(&row)
        };
        let (mut off, mut seen) = (0, 0);
        for (row, column) in
            (0..whole.height()).flat_map(|row| (0..whole.width()).map(move |column| (row, column)))
        {
            let expected = whole.pixel(column, row);
            let found = if inside(column, row) { part.pixel(column - x, row - y) } else { [0; 4] };
            seen += u32::from(expected != [0; 4]);
            off += u32::from(found.iter().zip(expected).any(|(found, expected)| found.abs_diff(expected) > 2));
        }
        // Edges may deviate by 1/256 pixel, which occasionally affects a sample.
        assert!(off * 500 <= seen, "{off} of {seen} pixels at {zoom}");
        assert!(part.width() <= whole.width() && part.height() <= whole.height());
        if zoom < 1.5 {
            assert!(
                part.pixels().len() < whole.pixels().len() / 4,
                "{zoom}: {} × {}",
                part.width(),
                part.height()
            );
        }
    }
}

#[test]
fn only_moves_over_the_bare_canvas_are_idle() {
    let mut it = Screen::open(&square([200, 80, 40]), "square.pchr", |_| {});
    let over_canvas = [pos2(500.0, 200.0), pos2(600.0, 300.0), pos2(820.0, 90.0)];
    for from in over_canvas {
        it.frame(vec![Event::PointerMoved(from)]);
        for to in over_canvas {
            assert!(it.app.is_idle_move(&it.ctx, to), "from {from} to {to}");
        }
        // The menu, a list, the timeline, outside of the window, and the edge that resizes the lists.
        for to in [pos2(20.0, 20.0), pos2(60.0, 120.0), pos2(450.0, 570.0), pos2(-5.0, 200.0), pos2(231.0, 300.0)]
        {
            assert!(!it.app.is_idle_move(&it.ctx, to), "from {from} to {to}");
        }
    }
    // Leaving a button ends its highlight.
    it.frame(vec![Event::PointerMoved(pos2(20.0, 20.0))]);
    assert!(!it.app.is_idle_move(&it.ctx, over_canvas[0]));
    // A pressed mouse button drags the canvas.
    it.frame(vec![Event::PointerMoved(over_canvas[0])]);
    let held = Event::PointerButton {
        pos: over_canvas[0],
        button: PointerButton::Primary,
        pressed: true,
        modifiers: Modifiers::NONE,
    };
    it.frame(vec![held]);
    assert!(!it.app.is_idle_move(&it.ctx, over_canvas[1]));
    // A dialog covers the canvas.
    let mut it = Screen::open(&square([200, 80, 40]), "square.pchr", |_| {});
    it.frame(vec![Event::PointerMoved(over_canvas[0])]);
    it.frame(press(Key::F1));
    it.frame(vec![]);
    assert!(!it.app.is_idle_move(&it.ctx, over_canvas[1]));
}

#[test]
fn unprocessed_moves_do_not_pile_up() {
    let to = |x: f32| Event::PointerMoved(pos2(x, 0.0));
    let mut input = RawInput {
        events: vec![Event::Copy, to(1.0), to(2.0), to(3.0), Event::Cut, to(4.0)],
        ..RawInput::default()
    };
    pchr::viewer::pointer::join_moves(&mut input);
    assert_eq!(input.events, [Event::Copy, to(3.0), Event::Cut, to(4.0)]);
    assert_eq!(pchr::viewer::pointer::pending(&input), Some(pos2(4.0, 0.0)));
}
