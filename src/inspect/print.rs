//! Prints a report as text with a line per item, in the style of `readelf`.

use std::fmt::{self, Write};

use super::report::{AlphaEvidence, FileReport, Image, Memory};
use crate::error::escaped;

/// Widest name column; longer names do not widen it.
const MAX_COLUMN: usize = 32;

impl fmt::Display for FileReport {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_all(self, out)
    }
}

fn write_all(report: &FileReport, out: &mut impl Write) -> fmt::Result {
    let FileReport { animations, attachments, bones, bounds, bytes, constraints, events, file, format, .. } =
        report;
    let FileReport { header, images, memory, meshes, skins, slots, .. } = report;
    writeln!(out, "{}: {format}, {}", escaped(file), size(*bytes))?;
    if let Some(spine) = &report.spine {
        let version = spine
            .version
            .as_deref()
            .map_or("no version".to_owned(), |version| format!("version {}", escaped(version)));
        let fps = spine.fps.map_or(String::new(), |fps| format!(", frames counted at {fps} fps"));
        writeln!(out, "  {version}{fps}")?;
        match bounds {
            Some([x, y, width, height]) => {
                writeln!(out, "  bounds {width}×{height} px, lower-left corner ({x}, {y}), in the rest pose")?;
            }
            None => writeln!(out, "  nothing is visible in the rest pose without a skin")?,
        }
    }
    if let Some(atlas) = &report.animate {
        writeln!(out, "  {atlas}")?;
    }
    if let Some(header) = header {
        write!(out, "  version {}, {} fps", header.version, header.fps)?;
        if header.flags != 0 {
            write!(out, ", flags {:#06x}", header.flags)?;
        }
        writeln!(out)?;
        match bounds {
            Some([x, y, width, height]) => {
                writeln!(out, "  bounds {width}×{height} px, lower-left corner ({x}, {y}), as authored")?;
            }
            None => writeln!(out, "  nothing is visible")?,
        }
    }
    section(out, "images", images, |it| &it.name)?;
    section(out, "bones", bones, |it| &it.name)?;
    section(out, "slots", slots, |it| &it.name)?;
    section(out, "attachments", attachments, |it| &it.name)?;
    section(out, "skins", skins, |it| &it.name)?;
    section(out, "constraints", constraints, |it| &it.name)?;
    section(out, "events", events, |it| &it.name)?;
    section(out, "meshes", meshes, |it| &it.name)?;
    section(out, "animations", animations, |it| &it.name)?;
    if let Some(memory) = memory {
        write_memory(memory, out)?;
    }
    if report.not_read_bytes > 0 {
        let bytes = size(report.not_read_bytes);
        writeln!(out, "  {bytes} of pixels and frames not read or validated; `pchr validate` checks everything")?;
    }
    Ok(())
}

/// Writes the heading of a section, and a line for each item with its index and name; nothing without items.
fn section<T: fmt::Display>(
    out: &mut impl Write,
    what: &str,
    items: &Option<Vec<T>>,
    name: impl Fn(&T) -> &str,
) -> fmt::Result {
    let Some(items) = items else { return Ok(()) };
    let names: Vec<String> = items.iter().map(|item| escaped(name(item))).collect();
    writeln!(out, "  {what} ({})", names.len())?;
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).min(MAX_COLUMN);
    for (index, (name, item)) in names.iter().zip(items).enumerate() {
        writeln!(out, "{}", format!("    {index:>4}  {name:<width$}  {item}").trim_end())?;
    }
    Ok(())
}

impl Image {
    /// Describes how the colours are interpreted, with the reason if that is unusual or uncertain.
    pub(super) fn alpha_text(&self) -> String {
        let why = match self.alpha_source {
            "forced" => "as requested",
            "pixels" => "detected from the pixels",
            "assumed" => "assumed",
            _ => "as stated",
        };
        let doubts = match self.alpha_evidence {
            Some(AlphaEvidence { brighter, follows, is_sure: false }) => {
                let percent = |share: f64| format!("{:.0} %", share * 100.0);
                let follows = follows.map_or("too few soft edges".to_owned(), |share| {
                    format!("{} of the soft edges follow alpha", percent(share))
                });
                format!(" (uncertain: {follows}, {} are brighter than it)", percent(brighter))
            }
            _ => String::new(),
        };
        let is_usual = self.alpha == "straight" && self.alpha_source != "forced";
        if is_usual && doubts.is_empty() {
            ", straight".to_owned()
        } else {
            format!(", {}, {why}{doubts}", self.alpha)
        }
    }
}

fn write_memory(memory: &Memory, out: &mut impl Write) -> fmt::Result {
    if let Some(sections) = &memory.sections {
        writeln!(out, "  bytes in the file")?;
        for (name, bytes) in [
            ("header", sections.header),
            ("images", sections.images),
            ("bones", sections.bones),
            ("meshes", sections.meshes),
            ("animations", sections.animations),
            ("trailing", sections.trailing),
        ] {
            if name != "trailing" || bytes > 0 {
                writeln!(out, "    {name:<12}{bytes:>14}")?;
            }
        }
    }
    let gpu = &memory.gpu;
    writeln!(out, "  bytes on the GPU")?;
    for (name, bytes) in [
        ("textures", gpu.textures),
        ("vertices", gpu.vertices),
        ("indices", gpu.indices),
        ("palette", gpu.palette),
        ("total", gpu.total),
    ] {
        writeln!(out, "    {name:<12}{bytes:>14}")?;
    }
    Ok(())
}

/// Formats a size in bytes with a binary unit, as reports do.
pub fn size(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
    if bytes < 1024 {
        return format!("{bytes} bytes");
    }
    let mut value = bytes as f64 / 1024.0;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    format!("{value:.1} {}", UNITS[unit])
}
