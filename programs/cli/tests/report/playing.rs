//! Both animations side by side.

use crate::golden::record::Verdict::{Different, Same};

use super::browser::{ARROW_LEFT, ARROW_RIGHT};
use super::fixture::{BLUE, RED, Run, painted};

#[test]
fn both_animations_play_in_step() {
    let mut run = Run::new();
    run.animation("hero.pchr", "walk", &[Same, Different, Same]);
    run.animation("hero.pchr", "jump", &[Different]);
    // The frames lie 0.1 s and 0.4 s apart.
    run.frames[2].0.seconds = Some(0.5);
    let report = run.write();
    let Some(page) = report.open() else { return };
    assert_eq!(page.selected(), "#frame-1");
    assert_eq!(page.0.text("#clock"), "2 of 3 · 0.100 s");
    // Records which frames are shown, and when.
    page.0.js("window.seen = []; const clock = document.getElementById('clock'); \
         new MutationObserver(() => seen.push([clock.textContent, performance.now()])).observe( \
         clock, { childList: true, characterData: true, subtree: true })");
    page.0.press(" ");
    assert_eq!(page.0.text("#play"), "Pause");
    page.0.wait_until("seen.length >= 7");
    page.0.press(" ");
    assert_eq!(page.0.text("#play"), "Play");
    let seen = page.0.js("return seen.slice(0, 7).map(([text]) => text[0]).join('')");
    assert_eq!(seen, "3123123", "plays on from the selected frame, and loops");
    // The step before the long one is the shortest.
    let shorter = page.0.js(
        "const starts = seen.map(([text, at]) => [text[0], at]); const lengths = { 1: [], 2: [], 3: [] }; \
         for (let i = 1; i < 7; i += 1) lengths[starts[i - 1][0]].push(starts[i][1] - starts[i - 1][1]); \
         return Math.min(...lengths[1]) < Math.min(...lengths[2]) && Math.min(...lengths[2]) >= 300",
    );
    assert_eq!(shorter, true);
    page.expect_quiet(&report);
}

#[test]
fn steps_and_speed() {
    let mut run = Run::new();
    run.animation("hero.pchr", "walk", &[Same, Different, Same]);
    run.animation("hero.pchr", "jump", &[Different]);
    let green = Some(painted([16, 16], |_, _| [0, 255, 0, 255]));
    run.frames[2].1.reference = green;
    let report = run.write();
    let Some(page) = report.open() else { return };
    page.0.press(ARROW_RIGHT);
    assert_eq!(page.selected(), "#frame-2");
    // A frame that is the same has one picture for both sides.
    page.expect_color("reference", [0.48, 0.48], [0, 255, 0, 255]);
    page.expect_color("now", [0.48, 0.48], [0, 255, 0, 255]);
    page.0.press(ARROW_RIGHT);
    assert_eq!(page.selected(), "#frame-0");
    page.expect_color("now", [0.48, 0.48], RED);
    page.0.press(&ARROW_LEFT.repeat(2));
    assert_eq!(page.selected(), "#frame-1");
    page.expect_color("now", [0.48, 0.48], BLUE);
    page.0.click("#step-back");
    assert_eq!(page.selected(), "#frame-0");
    page.0.slide("position", 2);
    assert_eq!(page.selected(), "#frame-2");
    // In slow motion nothing happens for a second.
    page.0.js("document.getElementById('speed').value = '0.1'");
    page.0.press(" ");
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert_eq!(page.0.text("#clock"), "3 of 3 · 0.200 s");
    // The list ends it, and so does a frame that is alone.
    page.0.press("j");
    assert_eq!(page.0.text("#play"), "Play");
    assert_eq!(page.selected(), "#frame-3");
    assert_eq!(page.0.js("return document.getElementById('play').disabled"), true);
    page.0.press(" ");
    assert_eq!(page.0.text("#play"), "Play");
    page.expect_quiet(&report);
}
