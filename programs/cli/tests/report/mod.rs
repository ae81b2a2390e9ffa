//! HTML reports in a real browser, opened from disk. Unit tests of `golden::report`, which includes them: they paint
//! their own pictures and results.

mod browser;
mod fixture;
mod hostile;
mod many;
mod pictures;
mod playing;

use crate::golden::record::Verdict;
use crate::golden::record::Verdict::{Different, Missing, Resized, Same, Unreadable, Updated};
use serde_json::json;

use browser::{ARROW_DOWN, ESCAPE, TAB};
use fixture::{Run, failure};

/// Two characters with frames of every verdict.
fn mixed() -> Run {
    let mut run = Run::new();
    run.animation("hero.pchr", "walk", &[Same, Different, Same, Missing]);
    run.animation("hero.pchr", "jump", &[Same, Resized]);
    run.animation("villain.json", "walk", &[Unreadable, Updated, Same]);
    run
}

#[test]
fn a_report_opens_from_disk_and_requests_nothing() {
    let mut run = mixed();
    run.failures.push(failure(3, "broken.skel", "truncated", "broken.skel: the file ends too early"));
    let report = run.write();
    let Some(page) = report.open() else { return };
    assert_eq!(page.0.js("return document.title"), "a run");
    assert_eq!(page.0.text("#title"), "a run");
    let outcome = page.0.text("#outcome");
    assert_eq!(
        outcome,
        "4 of 9 frames not as expected, 1 character failed, 1 reference updated · worst difference 255 of 255"
    );
    assert!(page.0.text("#failures").contains("broken.skel: the file ends too early [truncated]"));
    assert_eq!(page.0.text("#matches"), "5 of 9 frames");
    assert_eq!(page.selected(), "#frame-1", "the first frame that differs is selected");
    assert!(page.0.text("#facts").contains("128 (50.00 %)"), "{}", page.0.text("#facts"));
    page.expect_quiet(&report);
    // The policy forbids requests and other scripts.
    page.0.js("const image = new Image(); image.src = 'https://example.invalid/a.png'; \
         const script = document.createElement('script'); script.textContent = 'window.hacked = 1'; \
         document.body.append(image, script);");
    page.0.wait_until("performance.now() > 0");
    assert_eq!(page.0.js("return window.hacked ?? null"), json!(null));
    let console = page.0.console().join("\n");
    assert!(console.contains("img-src") && console.contains("script-src"), "{console}");
    assert!(page.0.requests().iter().all(|url| !url.starts_with("http")));
}

#[test]
fn filters_choose_the_frames_of_the_list() {
    let report = mixed().write();
    let Some(page) = report.open() else { return };
    let rows = || {
        let rows =
            page.0.js("return [...document.querySelectorAll('.row')].sort((a, b) => a.offsetTop - b.offsetTop) \
             .map((row) => row.querySelector('.names, .lines span').textContent)");
        rows.as_array().unwrap().iter().map(|row| row.as_str().unwrap().to_owned()).collect::<Vec<_>>().join(" | ")
    };
    assert_eq!(
        rows(),
        "hero.pchr · walk | Frame 1 · 0.100 s | Frame 3 · 0.300 s | hero.pchr · jump | Frame 1 · 0.100 s | \
         villain.json · walk | Frame 0 · 0.000 s | Frame 1 · 0.100 s"
    );
    page.0.click("[data-verdict=missing]");
    page.0.click("[data-verdict=same]");
    assert_eq!(page.0.text("#matches"), "8 of 9 frames");
    assert_eq!(page.0.js("return document.querySelector('[data-verdict=missing]').ariaPressed"), "false");
    // Typed into the search.
    page.0.press("fHERO jum");
    assert_eq!(rows(), "hero.pchr · jump | Frame 0 · 0.000 s | Frame 1 · 0.100 s");
    page.0.press("x");
    assert_eq!(page.0.text("#matches"), "0 of 9 frames");
    page.0.click("#reset");
    assert_eq!(page.0.text("#matches"), "9 of 9 frames");
    page.expect_quiet(&report);
}

#[test]
fn the_keyboard_reaches_everything() {
    let report = mixed().write();
    let Some(page) = report.open() else { return };
    page.0.press("j");
    assert_eq!(page.selected(), "#frame-3");
    page.0.press(ARROW_DOWN);
    assert_eq!(page.selected(), "#frame-5");
    page.0.press("kkkkk");
    assert_eq!(page.selected(), "#frame-1");
    for (key, mode) in [("2", "swipe"), ("3", "onion"), ("4", "blink"), ("1", "side")] {
        page.0.press(key);
        assert_eq!(page.0.js("return document.getElementById('panes').dataset.mode"), mode);
        let pressed = page.0.js("return document.querySelector('#modes [aria-pressed=true]').dataset.mode");
        assert_eq!(pressed, mode);
    }
    page.0.press("?");
    assert_eq!(page.0.js("return document.getElementById('help').open"), true);
    // Keys act on the help alone.
    page.0.press("j");
    assert_eq!(page.selected(), "#frame-1");
    page.0.press(ESCAPE);
    assert_eq!(page.0.js("return document.getElementById('help').open"), false);
    // Letters in the search field are not commands; Escape clears the field, and then leaves it.
    page.0.press("fjump");
    assert_eq!(page.0.text("#matches"), "1 of 9 frames");
    page.0.press(&ESCAPE.repeat(2));
    assert_eq!(page.0.text("#matches"), "5 of 9 frames");
    assert_eq!(page.0.js("return document.activeElement.id"), "list");
    page.0.press("j");
    assert_eq!(page.0.js("return document.getElementById('list').ariaActiveDescendantElement.id"), "row-3");
    // Focus is visible on every control.
    let mut seen = Vec::new();
    for _ in 0..40 {
        page.0.press(TAB);
        let focus = page.0.js("const element = document.activeElement; \
             return [element.id || element.dataset.mode || element.dataset.verdict || element.tagName, \
             getComputedStyle(element).outlineStyle !== 'none' || element === document.body]");
        assert_eq!(focus[1], true, "{focus}");
        seen.push(focus[0].as_str().unwrap().to_owned());
    }
    for name in ["theme", "search", "list", "blink", "fit", "background", "play", "position", "speed"] {
        assert!(seen.iter().any(|seen| seen == name), "{name}: {seen:?}");
    }
    let unnamed = page.0.js(
        "return [...document.querySelectorAll('button, input, select, canvas[role], [role=listbox]')].filter( \
         (element) => element.offsetParent !== null && !(element.ariaLabel || element.labels?.length \
         || element.textContent.trim())).map((element) => element.outerHTML)",
    );
    assert_eq!(unnamed, json!([]));
}

#[test]
fn every_verdict_shows_what_exists() {
    let report = mixed().write();
    let Some(page) = report.open() else { return };
    let notes = |fragment: &str, verdict: Verdict| {
        page.0.js(&format!("location.hash = '{fragment}'"));
        page.0.wait_until(&format!(
            "document.getElementById('facts').textContent.includes('{verdict:?}'.toLowerCase())"
        ));
        let message = page.0.text("#message");
        assert_eq!(message, if verdict == Same { String::new() } else { format!("{verdict:?} for a reason") });
        // Drawn with the next frame of the screen.
        page.0.js("return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
        ["reference", "now", "difference"].map(|pane| {
            let note = page.0.js(&format!(
                "const note = document.querySelector('[data-pane={pane}] p'); \
                 return note.hidden ? '' : note.textContent"
            ));
            note.as_str().unwrap().to_owned()
        })
    };
    assert_eq!(notes("#frame-1", Different), ["", "", ""]);
    assert_eq!(notes("#frame-0", Same), ["", "", "No difference"]);
    assert_eq!(notes("#frame-3", Missing), ["No reference", "", "Nothing to compare"]);
    assert_eq!(notes("#frame-5", Resized), ["", "", "Nothing to compare"]);
    assert!(page.0.text("#facts").contains("8 × 8 → 16 × 16"));
    assert_eq!(notes("#frame-6", Unreadable), ["The reference cannot be read", "", "Nothing to compare"]);
    assert_eq!(notes("#frame-7", Updated), ["", "", "Nothing to compare"]);
    page.expect_quiet(&report);
}

#[test]
fn the_page_fits_narrow_windows_and_both_themes() {
    let report = mixed().write();
    let Some(page) = report.open() else { return };
    page.0.prefer_dark(false);
    let lightness = || {
        let color = page.0.js("return getComputedStyle(document.body).backgroundColor");
        color.as_str().unwrap().trim_start_matches("rgb(").split(',').next().unwrap().parse::<u32>().unwrap()
    };
    assert!(lightness() > 200);
    page.0.prefer_dark(true);
    assert!(lightness() < 60);
    // Automatic, light, dark.
    page.0.click("#theme");
    assert!(lightness() > 200, "the choice overrides the system");
    page.0.press("t");
    assert!(lightness() < 60);
    for width in [400, 620, 860, 1280] {
        page.0.resize(width, 800);
        assert_eq!(page.0.js("return document.documentElement.scrollWidth <= innerWidth"), true, "{width}");
    }
    // Nothing moves from frame to frame.
    for width in [400, 1280] {
        page.0.resize(width, 800);
        let mut tops = Vec::new();
        for frame in 0..9 {
            page.0.js(&format!("location.hash = '#frame-{frame}'"));
            page.0.wait_until(&format!("document.getElementById('facts').textContent.length > {}", 0));
            tops.push(page.0.js("return document.getElementById('panes').getBoundingClientRect().top + scrollY"));
        }
        assert!(tops.iter().all(|top| *top == tops[0]), "{tops:?}");
    }
    page.expect_quiet(&report);
}

#[test]
fn an_empty_run_and_a_run_without_differences_say_so() {
    let report = Run::new().write();
    let Some(page) = report.open() else { return };
    assert_eq!(page.0.text("#outcome"), "No frames were compared");
    page.0.press("j 12340d");
    page.expect_quiet(&report);
    drop(page);

    let mut run = Run::new();
    run.animation("hero.pchr", "walk", &[Same, Same]);
    let report = run.write();
    let Some(page) = report.open() else { return };
    assert_eq!(page.0.text("#outcome"), "All 2 frames as expected");
    assert_eq!(page.0.text("#matches"), "2 of 2 frames");
    assert_eq!(page.selected(), "#frame-0");
    page.expect_quiet(&report);
}
