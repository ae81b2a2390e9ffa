//! Frames painted on the CPU: only what changes is painted, and unprocessed events do not pile up.

use std::fs;

use crate::WindowOptions;
use crate::app::App;
use crate::app::paint::Frame;
use crate::app::paint::painter::Painter;
use crate::app::paint::textures::Textures;
use crate::common::random::Random;
use crate::scene::camera::Camera;
use crate::scene::{CpuSceneRenderer, Scene};
use egui::{
    Color32, Context, Event, FullOutput, Key, Modifiers, MouseWheelUnit, PointerButton, Pos2, RawInput, Rect,
    TouchPhase, pos2, vec2,
};
use pchr::draw::Overlay;
use tempfile::TempDir;

use crate::app::tests::rigs::{square, wardrobe_of_many};

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
        app.state.canvas.is_slow = true;
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
        let scenes = [self.app.scene()];
        let mut changes = output.textures_delta;
        let frame = |shapes| Frame {
            ctx: &self.ctx,
            size: [WIDTH as u32, HEIGHT as u32],
            pixels_per_point: 1.0,
            shapes,
            textures: &self.textures,
            changes: &changes,
            scenes: &scenes,
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
        self.painter.renderers()[0].drawn_pictures()
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
    it.app.state.playback.animator.seek(3.0);
    for (zoom, dx) in [(0.5, 0.0), (1.0, 0.0), (3.0, 250.0), (3.0, -4000.0), (40.0, 100.0)] {
        it.app.state.canvas.camera = Camera::Free { center: pchr::math::vec2(dx / zoom, 3.0), scale: zoom };
        let scene = it.app.scene().unwrap();
        let (mut renderer, brief) = (CpuSceneRenderer::default(), Scene { is_brief: true, ..scene.clone() });
        let whole = renderer.render(&scene).0.clone();
        let part = renderer.render_part(&brief).0.clone();
        let [x, y] = renderer.corner();
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
fn moves_that_stay_on_a_control_of_a_panel_are_idle() {
    let mut it = Screen::open(wardrobe_of_many().as_bytes(), "girl.json", |_| {});
    let mut random = Random(5);
    let mut at = pos2(100.0, 300.0);
    it.frame(vec![Event::PointerMoved(at)]);
    let (mut idle, mut of) = (0, 0);
    for step in 0..600 {
        // Mostly over the lists, sometimes over the bars.
        let to = match step % 40 {
            39 => pos2(random.between(0.0, WIDTH as f32), random.between(0.0, HEIGHT as f32)),
            _ => {
                let (x, y) = (at.x + random.between(-6.0, 6.0), at.y + random.between(-3.0, 3.0));
                pos2(x.clamp(10.0, 215.0), y.clamp(60.0, 420.0))
            }
        };
        // Fading highlights need frames of their own.
        (0..12).take_while(|_| it.frame(vec![]) > 0).for_each(drop);
        let is_idle = it.app.is_idle_move(&it.ctx, to);
        let painted = it.frame(vec![Event::PointerMoved(to)]);
        assert!(!is_idle || painted == 0, "{painted} pixels change between {at} and {to}");
        (idle, of, at) = (idle + u32::from(is_idle), of + 1, to);
    }
    assert!(idle * 2 > of, "{idle} of {of}");
    // The next row, and the timeline, which shows the frame below the pointer.
    it.frame(vec![Event::PointerMoved(pos2(100.0, 200.0))]);
    assert!(!it.app.is_idle_move(&it.ctx, pos2(100.0, 225.0)));
    it.frame(vec![Event::PointerMoved(pos2(450.0, 570.0))]);
    assert!(!it.app.is_idle_move(&it.ctx, pos2(470.0, 570.0)));
}

#[test]
fn unprocessed_moves_do_not_pile_up() {
    let to = |x: f32| Event::PointerMoved(pos2(x, 0.0));
    let mut input = RawInput {
        events: vec![Event::Copy, to(1.0), to(2.0), to(3.0), Event::Cut, to(4.0)],
        ..RawInput::default()
    };
    crate::app::pointer::join_moves(&mut input);
    assert_eq!(input.events, [Event::Copy, to(3.0), Event::Cut, to(4.0)]);
    assert_eq!(crate::app::pointer::pending(&input), Some(pos2(4.0, 0.0)));
}
