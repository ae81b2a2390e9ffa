//! Modes, zoom and moving: checked by the pixels of the panes.

use crate::golden::record::Verdict::{Different, Missing};
use crate::golden::report::FramePictures;

use super::fixture::{BLUE, RED, Run, YELLOW, painted, plain};

/// A small distance from the centre of the pane.
const CENTER: [f64; 2] = [0.48, 0.48];

#[test]
fn modes_show_both_pictures() {
    let mut run = Run::new();
    run.animation("hero.pchr", "walk", &[Different, Missing]);
    let report = run.write();
    let Some(page) = report.open() else { return };
    page.expect_color("reference", CENTER, RED);
    page.expect_color("now", CENTER, BLUE);
    page.expect_color("difference", CENTER, YELLOW);

    page.0.press("2");
    page.expect_color("both", [0.45, 0.4], RED);
    page.expect_color("both", [0.55, 0.4], BLUE);
    // The line is dragged; elsewhere the picture is moved.
    page.0.drag(page.place_on("both", [0.5, 0.4]), page.place_on("both", [0.6, 0.4]));
    page.expect_color("both", [0.55, 0.4], RED);
    assert_eq!(page.0.text("#slider-value"), "60 %");
    page.0.slide("slider", 40);
    page.expect_color("both", [0.45, 0.4], BLUE);

    page.0.press("3");
    page.expect_color("both", CENTER, [127, 0, 128, 255]);
    page.0.slide("slider", 0);
    page.expect_color("both", CENTER, RED);

    page.0.press("4");
    page.expect_color("both", CENTER, BLUE);
    assert_eq!(page.0.text("#both-caption"), "Now");
    page.expect_color("both", CENTER, RED);
    assert_eq!(page.0.text("#both-caption"), "Reference");
    // A missing reference is named while it would be shown.
    page.0.press("j");
    page.0.wait_until("document.querySelector('[data-pane=both] p').textContent === 'No reference'");
    page.expect_color("both", CENTER, BLUE);
    page.expect_quiet(&report);
}

/// A picture in which every pixel has its own colour.
fn distinct(blue: u8) -> Vec<u8> {
    painted([32, 32], |x, y| [8 * x as u8, 8 * y as u8, blue, 255])
}

#[test]
fn all_panes_show_the_same_pixel() {
    let mut run = Run::new();
    let frame = run.add("hero.pchr", "walk", 0, Different);
    frame.size = [32, 32];
    frame.difference.as_mut().unwrap().rect = Some([20, 4, 2, 3]);
    let pictures =
        FramePictures { reference: Some(distinct(0)), now: Some(distinct(100)), difference: Some(distinct(200)) };
    run.frames[0].1 = pictures;
    let report = run.write();
    let Some(page) = report.open() else { return };
    // The centre of a pixel that is not in the centre of the pane.
    let place = page.0.js(
        "const { clientWidth: width, clientHeight: height } = document.querySelector('[data-pane=now] canvas'); \
         const scale = parseInt(document.getElementById('zoom').textContent) / 100; \
         return [0.5 + 3.5 * scale / width, 0.5 - 2.5 * scale / height]",
    );
    let place = [0, 1].map(|axis| place[axis].as_f64().unwrap());
    let at = page.place_on("now", place);
    page.0.point(at);
    page.0.wait_until("document.getElementById('pointer').textContent !== ''");
    let pixel = page.0.text("#pointer");
    assert_eq!(pixel, "x 19, y 13");
    for down in [-300, -300, 100] {
        page.0.wheel(at, down);
    }
    page.0.wait_until("parseInt(document.getElementById('zoom').textContent) > 1000");
    page.0.point([at[0] + 1.0, at[1]]);
    page.0.point(at);
    assert_eq!(page.0.text("#pointer"), pixel, "zooming keeps the pixel under the pointer");
    let color = |blue| [8 * 19, 8 * 13, blue, 255];
    for (pane, blue) in [("reference", 0), ("now", 100), ("difference", 200)] {
        page.expect_color(pane, place, color(blue));
    }
    // Moved by a drag in another pane.
    page.0.drag(page.place_on("reference", place), page.place_on("reference", [0.5, 0.4]));
    for (pane, blue) in [("reference", 0), ("now", 100), ("difference", 200)] {
        page.expect_color(pane, [0.5, 0.4], color(blue));
    }
    // The rectangle that differs is in the middle.
    page.0.press("d");
    for (pane, blue) in [("reference", 0), ("now", 100), ("difference", 200)] {
        page.expect_color(pane, [0.505, 0.5], [8 * 21, 8 * 5, blue, 255]);
    }
    page.0.press("0");
    page.0.wait_until("parseInt(document.getElementById('zoom').textContent) <= 1000");
    page.0.press("+");
    page.0.press("-");
    page.expect_quiet(&report);
}

#[test]
fn transparent_pictures_show_the_background() {
    let mut run = Run::new();
    run.add("hero.pchr", "walk", 0, Different);
    run.frames[0].1.now = Some(plain([16, 16], [0; 4]));
    let report = run.write();
    let Some(page) = report.open() else { return };
    page.0.prefer_dark(false);
    page.expect_color("reference", CENTER, RED);
    page.0.press("b");
    page.expect_color("now", CENTER, [255; 4]);
    page.0.press("b");
    page.expect_color("now", CENTER, [0x1b, 0x1d, 0x21, 255]);
    // In onion, what is transparent now shows the reference.
    page.0.press("3");
    page.expect_color("both", CENTER, RED);
    page.expect_quiet(&report);
}
