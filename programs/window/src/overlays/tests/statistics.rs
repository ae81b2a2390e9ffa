//! The statistics in the corner of the canvas.

use std::time::Duration;

use crate::scene::cost::PictureCost;
use egui::{Key, Modifiers};

use crate::app::tests::harness::TestWindow;

const SIZE: [f32; 2] = [1000.0, 700.0];

fn cost(number: u64) -> Option<PictureCost> {
    Some(PictureCost {
        number,
        draws: 14,
        vertices: 12_345,
        triangles: 4_115,
        uploaded_bytes: 20_480,
        texture_bytes: 64 << 20,
        evaluating: Duration::from_micros(125),
        listing: Duration::from_micros(250),
    })
}

#[test]
fn f2_shows_what_drawing_costs() {
    let mut it = TestWindow::open(SIZE, &["paper-knight.pchr"]);
    assert!(!it.says("Statistics:"));
    it.press(Modifiers::NONE, Key::F2);
    assert!(it.says("Statistics: Frame –"));
    let statistics = &mut it.state_mut().overlays.statistics;
    statistics.screen = "Vulkan, llvmpipe (LLVM 15.0.6, 256 bits)".to_owned();
    for frame in 0..150u32 {
        let millis = 4.0 + f64::from(frame % 17) * 0.8 + if frame % 50 == 0 { 20.0 } else { 0.0 };
        statistics.record(Duration::from_secs_f64(millis / 1000.0), Duration::from_micros(25), cost(frame.into()));
    }
    it.harness.run();
    for text in [
        "Frame 14.40 ms",
        "Evaluation 0.150 ms",
        "Draw list 0.250 ms",
        "Draws 14",
        "Vertices 12,345",
        "Triangles 4,115",
        "Upload 20.0 KiB",
        "Textures 64.0 MiB",
        "Vulkan, llvmpipe",
    ] {
        assert!(it.says(text), "{text}: {:?}", it.state_mut().overlays.statistics.lines());
    }
    it.save("statistics");
    it.press(Modifiers::NONE, Key::F2);
    assert!(!it.says("Statistics:"));
    assert_eq!(it.state_mut().overlays.statistics.frames().len(), 0, "nothing is kept while they are off");
}

#[test]
fn statistics_do_not_repaint_a_paused_window() {
    let mut it = TestWindow::open(SIZE, &["paper-knight.pchr"]);
    it.press(Modifiers::NONE, Key::F2);
    it.state_mut().overlays.statistics.record(Duration::from_millis(4), Duration::ZERO, cost(1));
    it.harness.run();
    for _ in 0..5 {
        it.harness.step();
        let delay = it.harness.output().viewport_output[&egui::ViewportId::ROOT].repaint_delay;
        assert_eq!(delay, Duration::MAX, "another frame is requested");
    }
}

#[test]
fn statistics_fit_into_the_smallest_window() {
    for size in [[240.0, 160.0], [400.0, 300.0], [1600.0, 1000.0]] {
        let mut it = TestWindow::open(size, &["paper-lamp.json"]);
        it.press(Modifiers::NONE, Key::F2);
        it.state_mut().overlays.statistics.record(Duration::from_millis(4), Duration::ZERO, cost(1));
        it.harness.run();
        assert!(it.says("Statistics: Frame 4.00 ms"), "{size:?}");
        it.save(&format!("statistics-{}", size[0]));
    }
}
