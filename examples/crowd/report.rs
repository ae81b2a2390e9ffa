//! What a crowd costs, as text.

use std::time::{Duration, Instant};

use pchr::draw::text::{HEIGHT, Label};
use pchr::draw::{DrawList, View};
use pchr::gpu::GpuError;

use super::scene::Scene;

/// Times are averages, so that they can be read.
const EVERY: Duration = Duration::from_millis(500);
const HELP: &str = "1-6: count   Up, Down: more, fewer   Space: pause   wheel, drag: camera   Esc: quit";

/// The lines in the corner of the window.
pub struct Report {
    since: Instant,
    frames: u32,
    preparing: Duration,
    lines: Vec<String>,
}

impl Report {
    pub fn new() -> Self {
        Self { since: Instant::now(), frames: 0, preparing: Duration::ZERO, lines: Vec::new() }
    }

    /// Counts a frame, and updates the lines now and then.
    pub fn count(&mut self, scene: &Scene) {
        self.frames += 1;
        self.preparing += scene.prepare_time();
        let passed = self.since.elapsed();
        if passed < EVERY && !self.lines.is_empty() {
            return;
        }
        let per_frame = |time: Duration| time.as_secs_f64() * 1000.0 / f64::from(self.frames);
        self.lines = vec![
            crowd(scene),
            format!("{:.1} ms a frame", per_frame(passed)),
            format!("{:.3} ms of the CPU to prepare the crowd", per_frame(self.preparing)),
            costs(scene),
            HELP.to_owned(),
        ];
        (self.since, self.frames, self.preparing) = (Instant::now(), 0, Duration::ZERO);
    }

    /// Shows why the crowd cannot be drawn.
    pub fn fail(&mut self, scene: &Scene, error: &GpuError) {
        self.lines = vec![crowd(scene), error.to_string(), HELP.to_owned()];
    }

    /// Draws the lines into the upper-left corner, `dot` pixels per dot of the font.
    pub fn draw(&self, list: &mut DrawList, view: &View, dot: u32) {
        let line_height = (dot * (HEIGHT + 4)) as i32;
        let mut corner = [line_height / 2; 2];
        for text in &self.lines {
            let outline = Some([30, 36, 28, 255]);
            list.add_label(&Label { text, corner, dot, color: [255; 4], outline }, view);
            corner[1] += line_height;
        }
    }
}

fn crowd(scene: &Scene) -> String {
    format!("{} × {}", scene.figure().name, thousands(scene.crowd().len() as u64))
}

/// Draw calls, uploads and memory of the last frame.
pub fn costs(scene: &Scene) -> String {
    let crowd = scene.crowd();
    let calls = match crowd.draw_calls() {
        1 => "1 draw call".to_owned(),
        count => format!("{count} draw calls"),
    };
    let uploaded = thousands(crowd.uploaded_bytes());
    let held = thousands((crowd.bytes() + crowd.model().bytes()) >> 10);
    format!("{calls}, {uploaded} bytes uploaded, {held} KiB on the GPU")
}

/// Groups digits: 10,000.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}
