//! The plate with frame and time above the pointer, as it is painted.

use egui::accesskit::Role;
use egui::{Pos2, Rect, Shape, pos2};
use egui_kittest::kittest::Queryable;

use crate::app::tests::harness::TestWindow;

/// Margin of the time axis in the ruler, in points.
const MARGIN: f32 = 10.0;

fn ruler(it: &TestWindow) -> Rect {
    it.harness.get_by_role_and_label(Role::Slider, "Time").rect()
}

/// Returns where the line of a frame is on a ruler that shows the whole animation.
fn line(it: &TestWindow, frame: f32) -> f32 {
    let ruler = ruler(it).shrink2(egui::vec2(MARGIN, 0.0));
    let frames = it.state().playback.animator.playback(0).frame_count();
    ruler.left() + ruler.width() * frame / frames as f32
}

/// Moves the pointer, and returns the painted plate with its text.
fn painted_plate(it: &mut TestWindow, at: Pos2) -> Option<(Rect, String)> {
    it.harness.hover_at(at);
    it.harness.run_steps(2);
    let shapes: Vec<&Shape> = it.harness.output().shapes.iter().map(|clipped| &clipped.shape).collect();
    shapes.windows(2).find_map(|pair| match pair {
        [Shape::Rect(plate), Shape::Text(text)]
            if text.galley.text().ends_with(" s") && text.galley.text().contains(" · ") =>
        {
            let text_rect = text.galley.rect.translate(text.pos.to_vec2());
            assert!(plate.rect.contains_rect(text_rect), "{:?} {text_rect:?}", plate.rect);
            assert!((plate.rect.center() - text_rect.center()).length() < 1.0, "the text is in its middle");
            Some((plate.rect, text.galley.text().to_owned()))
        }
        _ => None,
    })
}

#[test]
fn the_plate_is_painted_centred_above_the_line_closest_to_the_pointer() {
    for (width, scale) in [(400.0, 1.0), (900.0, 1.0), (900.0, 2.0)] {
        let mut it = TestWindow::open([width, 560.0], &["paper-knight.pchr"]);
        it.harness.set_pixels_per_point(scale);
        it.harness.run();
        let frames = it.state().playback.animator.playback(0).frame_count();
        let middle = ruler(&it).center().y;
        let (mut centred, mut shifted) = (0, 0);
        for frame in 0..frames {
            let x = line(&it, frame as f32);
            for beside in [-0.4, 0.0, 0.4] {
                let at = pos2(line(&it, frame as f32 + beside).max(ruler(&it).left() + 1.0), middle);
                let (plate, text) = painted_plate(&mut it, at).expect("a plate");
                assert!(text.starts_with(&format!("{frame} · ")), "{text} instead of {frame}");
                assert!(plate.left() >= 2.0 - 0.01 && plate.right() <= width - 2.0 + 0.01, "{plate:?}");
                // It is moved only as far as it would be cut off.
                let centred_plate = Rect::from_center_size(pos2(x, 0.0), plate.size());
                let is_at_edge =
                    centred_plate.left() < ruler(&it).left() || centred_plate.right() > ruler(&it).right();
                if is_at_edge {
                    shifted += 1;
                } else {
                    centred += 1;
                    let off = plate.center().x - x;
                    assert!(off.abs() < 0.51, "frame {frame} at {width}: {off} points off its line");
                }
            }
        }
        assert!(centred > shifted, "{width}: {centred} centred, {shifted} at the edge");
        assert_eq!(painted_plate(&mut it, pos2(width * 0.5, 150.0)), None, "not above the canvas");
    }
}
