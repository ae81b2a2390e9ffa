//! A thousand frames: only what is displayed is loaded.

use crate::golden::record::Verdict::{Different, Same};
use crate::golden::report::MAX_EMBEDDED;
use serde_json::json;

use super::fixture::{Report, Run};

fn thousand(max_embedded: usize) -> Report {
    let mut run = Run::new();
    run.max_embedded = max_embedded;
    for character in 0..10 {
        let verdicts: Vec<_> = (0..100).map(|frame| if frame % 3 == 0 { Same } else { Different }).collect();
        run.animation(&format!("hero-{character}.pchr"), "walk", &verdicts);
    }
    run.write()
}

/// Opens the report, and scrolls to its end.
fn scroll(report: &Report) {
    let Some(page) = report.open() else { return };
    assert_eq!(page.0.text("#matches"), "660 of 1,000 frames");
    page.0.wait_until("document.readyState === 'complete'");
    let loaded = page.0.requests().iter().filter(|url| is_picture(url)).count();
    assert!((3..60).contains(&loaded), "{loaded} pictures were loaded at first");
    page.0.click("[data-verdict=same]");
    let counts = page.0.js("return [document.querySelectorAll('.row').length, document.images.length]");
    assert!(counts[0].as_u64().unwrap() < 60 && counts[1].as_u64().unwrap() < 60, "{counts}");
    page.0.js("const list = document.getElementById('list'); list.scrollTop = list.scrollHeight");
    page.0.wait_until("document.getElementById('row-999')?.querySelector('img').naturalWidth === 16");
    page.0.click("#row-999");
    assert_eq!(page.selected(), "#frame-999");
    page.0.press("kk");
    assert_eq!(page.selected(), "#frame-997");
    assert_eq!(page.0.js("return document.querySelectorAll('.row').length < 60"), json!(true));
    let loaded = page.0.requests().iter().filter(|url| is_picture(url)).count();
    assert!(loaded < 120, "{loaded} pictures were loaded by scrolling");
    page.expect_quiet(report);
}

fn is_picture(url: &str) -> bool {
    url.starts_with("data:image") || url.ends_with(".png")
}

#[test]
fn a_thousand_embedded_frames_stay_quick() {
    scroll(&thousand(MAX_EMBEDDED));
}

#[test]
fn a_thousand_frames_in_files_stay_quick() {
    let report = thousand(0);
    assert_eq!(std::fs::read_dir(report.folder().join("pictures")).unwrap().count(), 340 + 3 * 660);
    scroll(&report);
}
