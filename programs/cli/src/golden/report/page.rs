//! The page of a report: one HTML file with its style, script and data.
//!
//! Names and messages come from files and are hostile until proven otherwise. They only occur as JSON in a script
//! element that is not executed, without any character that could end it, and the script only shows them as text. The
//! content security policy forbids all requests, and all scripts and styles except the two in this page.

use std::io::{self, Write};

use super::pictures::Pictures;
use crate::golden::record::Comparison;
use crate::shared::json_output::escape_controls;

/// The start of every page; identifies the folder of an earlier report.
pub(super) const SIGNATURE: &str = "<!doctype html>\n<!-- comparison report of pchr -->\n";

const TEMPLATE: &str = include_str!("page/index.html");
pub(super) const STYLE: &str = include_str!("page/style.css");
/// The parts of the script share one scope.
pub(super) const SCRIPT: &str = concat!(
    "(() => {\n\"use strict\";\n",
    include_str!("page/data.js"),
    include_str!("page/dom.js"),
    include_str!("page/images.js"),
    include_str!("page/state.js"),
    include_str!("page/summary.js"),
    include_str!("page/list.js"),
    include_str!("page/panes.js"),
    include_str!("page/gestures.js"),
    include_str!("page/modes.js"),
    include_str!("page/details.js"),
    include_str!("page/playback.js"),
    include_str!("page/keys.js"),
    include_str!("page/start.js"),
    "})();\n",
);

/// SHA-256 of [`STYLE`] and [`SCRIPT`] in base64, for the content security policy. A test compares them.
pub(super) const STYLE_HASH: &str = "WT5LrsDZFjAalVHFkwrFXefgj9x3D6/znjDtJhrw7/0=";
pub(super) const SCRIPT_HASH: &str = "DBmITMwtV1qTDE2IIFASDny0O1GBGeOQG3yRgdtJKVY=";

/// Writes the page.
pub(super) fn write(
    out: &mut impl Write,
    comparison: &Comparison,
    title: &str,
    pictures: &Pictures,
) -> io::Result<()> {
    out.write_all(SIGNATURE.as_bytes())?;
    let mut rest = TEMPLATE;
    while let Some((text, (name, after))) = next_placeholder(rest) {
        out.write_all(text.as_bytes())?;
        match name {
            "policy" => out.write_all(policy(pictures).as_bytes())?,
            "style" => out.write_all(STYLE.as_bytes())?,
            "script" => out.write_all(SCRIPT.as_bytes())?,
            "title" => out.write_all(json(title)?.as_bytes())?,
            "comparison" => out.write_all(json(comparison)?.as_bytes())?,
            "pictures" => write_urls(out, comparison, pictures)?,
            other => return Err(io::Error::other(format!("the template has an unknown placeholder `{other}`"))),
        }
        rest = after;
    }
    out.write_all(rest.as_bytes())
}

/// Returns the text before the next `{{name}}`, the name, and the text after it.
fn next_placeholder(text: &str) -> Option<(&str, (&str, &str))> {
    let (before, rest) = text.split_once("{{")?;
    Some((before, rest.split_once("}}")?))
}

/// The content security policy. Pictures in files can be read from disk, or from a server of build results.
fn policy(pictures: &Pictures) -> String {
    let images = if pictures.are_embedded() { "data:" } else { "data: 'self' file:" };
    format!(
        "default-src 'none'; img-src {images}; style-src 'sha256-{STYLE_HASH}'; script-src 'sha256-{SCRIPT_HASH}'; \
         base-uri 'none'; form-action 'none'"
    )
}

/// Writes the URLs of all pictures, one array per frame.
fn write_urls(out: &mut impl Write, comparison: &Comparison, pictures: &Pictures) -> io::Result<()> {
    out.write_all(b"[")?;
    for (position, frame) in comparison.frames.iter().enumerate() {
        if position > 0 {
            out.write_all(b",\n")?;
        }
        pictures.write_urls(frame.index, out)?;
    }
    out.write_all(b"]")
}

/// Returns JSON that an HTML parser reads as plain text: `<`, `>`, `&` and everything that controls the display are
/// escaped. All of them only occur in strings.
pub(super) fn json<T: serde::Serialize + ?Sized>(value: &T) -> io::Result<String> {
    let text = escape_controls(serde_json::to_string(value)?);
    Ok(text.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026"))
}
