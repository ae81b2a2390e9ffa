//! Names that break out of where they are written: replaces the strings of JSON and TOML.

use std::ops::Range;

use crate::common::random::Random;

/// Ends of elements, comments, attributes, strings, lines and commands; control characters; paths.
pub const HOSTILE: [&str; 42] = [
    "</script><script>x()</script>",
    "<!--<script>",
    "-->",
    "]]>",
    "<![CDATA[",
    "<?xml version='1.1'?>",
    "&amp;&#x1b;&lt;&quot;",
    "\"'><img src=x onerror=x()>",
    "\u{1b}[31m",
    "\u{1b}]0;title\u{7}",
    "\u{9b}31m",
    "a\nb\r\nc\r",
    "\n::error file=x::y",
    "::stop-commands::x",
    "a,title=b:c::d",
    "%0A::warning::%25,%3A%",
    "##[error]x",
    "\u{202e}gpj\u{2066}\u{200f}",
    "\u{2028}\u{2029}\u{85}",
    "\u{feff}\u{200b}\u{61c}",
    "\u{0}\u{8}\u{7f}",
    "\u{ffff}\u{fffe}\u{fdd0}",
    "\u{10ffff}\u{1fffe}",
    "{{script}}{{policy}}",
    "${x} `x` $(x)",
    "javascript:x()",
    "../../../etc/passwd",
    "/etc/passwd",
    "/dev/zero",
    "secret.txt",
    "folder",
    "picture.png",
    "picture.webp",
    "a/../picture.png",
    "C:\\x\\..\\y",
    "con",
    "./-x",
    "",
    " ",
    "__proto__",
    "\\u003c/script\\x3e",
    "é𝒳ﷺ",
];

/// Replaces a random string in quotes by a hostile name, or inserts one there. Returns false without a string.
pub fn rename(text: &mut Vec<u8>, random: &mut Random) -> bool {
    let strings = strings(text);
    if strings.is_empty() {
        return false;
    }
    let inside = strings[random.below(strings.len())].clone();
    let mut name = HOSTILE[random.below(HOSTILE.len())].to_owned();
    match random.below(16) {
        0 => name = name.repeat(1 + random.below(400)),
        1..=3 => name += HOSTILE[random.below(HOSTILE.len())],
        _ => {}
    }
    let quoted = serde_json::to_string(&name).expect("text");
    let escaped = quoted[1..quoted.len() - 1].bytes();
    let at = if random.below(4) == 0 { inside.end..inside.end } else { inside };
    drop(text.splice(at, escaped));
    true
}

/// Returns the content of each string that is not a key of JSON.
fn strings(text: &[u8]) -> Vec<Range<usize>> {
    let (mut strings, mut start, mut at) = (Vec::new(), None, 0);
    while at < text.len() {
        match (text[at], start) {
            (b'\\', Some(_)) => at += 1,
            (b'"', None) => start = Some(at + 1),
            (b'"', Some(from)) => {
                let next = text[at + 1..].iter().find(|byte| !byte.is_ascii_whitespace());
                if next != Some(&b':') {
                    strings.push(from..at);
                }
                start = None;
            }
            _ => {}
        }
        at += 1;
    }
    strings
}
