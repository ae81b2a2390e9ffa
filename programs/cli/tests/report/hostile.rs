//! Names and messages from files are text, whatever they contain.

use crate::golden::record::Verdict::{Different, Same};

use super::fixture::{Run, failure};

const NAMES: [&str; 8] = [
    "</script><script>window.hacked = 1</script>",
    "<img src=x onerror=\"window.hacked = 1\">",
    "'\"><svg onload=window.hacked=1>",
    "a\u{2028}b\u{2029}c",
    "gepeek\u{202e}gpj.exe\u{2066}\u{200f}",
    "{{script}} ${window.hacked = 1} `\\`",
    "javascript:window.hacked=1",
    "",
];

#[test]
fn hostile_names_stay_text() {
    let mut run = Run::new();
    for name in NAMES {
        let frame = run.add(name, name, 0, Different);
        (frame.reference, frame.message) = (name.to_owned(), Some(name.to_owned()));
        run.add(name, name, 1, Same);
        run.failures.push(failure(0, name, "io", name));
    }
    run.add("__proto__", "constructor", 0, Different);
    run.title = NAMES[..6].join(" ");
    let report = run.write();
    let Some(page) = report.open() else { return };
    page.0.js("document.getElementById('failures').open = true");
    for name in NAMES {
        let text = page.0.text("#name");
        let shown = match name {
            "" => "(empty name)".to_owned(),
            name => name.chars().map(visible).collect(),
        };
        assert!(text.contains(&shown), "{text:?} lacks {shown:?}");
        page.0.press("j");
    }
    assert!(page.0.text("#name").contains("__proto__ · constructor"));
    assert!(page.0.text("#failures").contains(NAMES[0]));
    assert!(page.0.js("return document.title").as_str().unwrap().contains(NAMES[0]));
    // Words of names are found.
    page.0.press("fonerror");
    assert_eq!(page.0.text("#matches"), "1 of 17 frames");
    assert_eq!(page.0.js("return window.hacked ?? null"), serde_json::Value::Null);
    assert_eq!(page.0.js("return document.querySelectorAll('script, svg, [onerror], [onload]').length"), 4);
    let controls = "/[\\u061c\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f]/.test(document.body.innerText)";
    assert_eq!(page.0.js(&format!("return {controls}")), false);
    page.expect_quiet(&report);
}

/// A character as the page shows it.
fn visible(c: char) -> String {
    match c {
        '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' => format!("\\u{{{:x}}}", u32::from(c)),
        c => c.to_string(),
    }
}

#[test]
fn long_names_do_not_stretch_the_page() {
    let mut run = Run::new();
    for letters in ["x".repeat(10_000), "word ".repeat(2_000), "𝒳".repeat(5_000), "\u{202e}".repeat(5_000)] {
        run.add(&letters, &letters, 0, Different).message = Some(letters.clone());
    }
    run.title = "t".repeat(10_000);
    let report = run.write();
    let Some(page) = report.open() else { return };
    for width in [400, 1280] {
        page.0.resize(width, 800);
        for _ in 0..4 {
            assert_eq!(page.0.js("return document.documentElement.scrollWidth <= innerWidth"), true, "{width}");
            assert_eq!(page.0.js("return document.getElementById('panes').clientHeight >= 200"), true, "{width}");
            page.0.press("j");
        }
        page.0.press("kkkk");
    }
    assert!(page.0.text("#name").chars().count() < 2_000);
    page.expect_quiet(&report);
}
