//! Prints a report as text with a line per item, in the style of `readelf`.

use std::fmt::{self, Write};

use super::report::{AlphaEvidence, Bone, FileReport, Image, Memory, Mesh};
use crate::error::escaped;

/// Widest name column; longer names do not widen it.
const MAX_COLUMN: usize = 32;

impl fmt::Display for FileReport {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_all(self, out)
    }
}

fn write_all(report: &FileReport, out: &mut impl Write) -> fmt::Result {
    let FileReport { animations, bones, bounds, bytes, file, format, header, images, memory, meshes, .. } = report;
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
    if let Some(images) = images {
        let names = section(out, "images", images.iter().map(|image| &*image.name))?;
        for (name, image) in names.iter().zip(images) {
            write!(out, "{name}  {}×{} {}, {}", image.width, image.height, image.format, size(image.bytes))?;
            write!(out, "{}", alpha_of(image))?;
            match (&image.path, &image.missing) {
                (_, Some(why)) => writeln!(out, ", missing: {}", escaped(why))?,
                (Some(path), None) => writeln!(out, ", {}", escaped(path))?,
                (None, None) => writeln!(out)?,
            }
        }
    }
    if let Some(bones) = bones {
        let names = section(out, "bones", bones.iter().map(|bone| &*bone.name))?;
        for (name, bone) in names.iter().zip(bones) {
            let mut line = match bone.parent.and_then(|parent| Some((parent, bones.get(parent as usize)?))) {
                Some((parent, of)) => format!("{name}  on {parent} {}", escaped(&of.name)),
                None => name.trim_end().to_owned(),
            };
            line += &bone.color.as_deref().map_or(String::new(), |color| format!(", colour {color}"));
            line += &bone.icon.as_deref().map_or(String::new(), |icon| format!(", icon {}", escaped(icon)));
            line += hidden(bone.hidden);
            writeln!(out, "{line}")?;
        }
    }
    write_slots(report, out)?;
    if let Some(meshes) = meshes {
        let names = section(out, "meshes", meshes.iter().map(|mesh| &*mesh.name))?;
        for (name, mesh) in names.iter().zip(meshes) {
            writeln!(out, "{name}  {}", mesh_line(mesh, bones.as_deref()))?;
        }
    }
    if let Some(animations) = animations {
        let names = section(out, "animations", animations.iter().map(|animation| &*animation.name))?;
        for (name, animation) in names.iter().zip(animations) {
            let looping = if animation.is_looping { ", loops" } else { "" };
            let bind = if animation.bind_pose { ", bind pose" } else { "" };
            let (frames, seconds) =
                (plural(animation.frames as usize, "frame", "frames"), animation.duration_secs);
            let events = match animation.events {
                None | Some(0) => String::new(),
                Some(events) => format!(", {}", plural(events, "event", "events")),
            };
            writeln!(out, "{name}  {frames}, {seconds:.3} s{looping}{bind}{events}")?;
            for slots in &animation.draw_order_folders {
                let slots: Vec<String> = slots.iter().map(|slot| escaped(slot)).collect();
                writeln!(out, "  draw order folder: {}", slots.join(", "))?;
            }
        }
    }
    if let Some(memory) = memory {
        write_memory(memory, out)?;
    }
    if report.not_read_bytes > 0 {
        let bytes = size(report.not_read_bytes);
        writeln!(out, "  {bytes} of pixels and frames not read or validated; `pchr validate` checks everything")?;
    }
    Ok(())
}

/// Says that something is hidden in the editor, which does not affect the picture.
fn hidden(is_hidden: bool) -> &'static str {
    if is_hidden { ", hidden in the editor" } else { "" }
}

/// Writes the sections of formats with slots: slots, attachments, skins, constraints and events.
fn write_slots(report: &FileReport, out: &mut impl Write) -> fmt::Result {
    if let Some(slots) = &report.slots {
        let names = section(out, "slots", slots.iter().map(|slot| &*slot.name))?;
        for (name, slot) in names.iter().zip(slots) {
            let bone = slot.bone.as_deref().map_or("no bone".to_owned(), escaped);
            let shows = slot.attachment.as_deref().map_or("nothing".to_owned(), escaped);
            let blend = if slot.blend == "normal" { String::new() } else { format!(", {}", slot.blend) };
            writeln!(out, "{name}  on {bone}, shows {shows}{blend}{}", hidden(slot.hidden))?;
        }
    }
    if let Some(attachments) = &report.attachments {
        let names = section(out, "attachments", attachments.iter().map(|attachment| &*attachment.name))?;
        for (name, attachment) in names.iter().zip(attachments) {
            let in_slot =
                attachment.slot.as_deref().map_or(String::new(), |slot| format!(", slot {}", escaped(slot)));
            let skin = attachment.skin.as_deref().filter(|skin| *skin != "default");
            let skin = skin.map_or(String::new(), |skin| format!(", skin {}", escaped(skin)));
            let mut size = String::new();
            if attachment.vertices > 0 {
                size += &format!(", {}", plural(attachment.vertices, "vertex", "vertices"));
                size += &format!(", {}", plural(attachment.influences, "influence", "influences"));
            }
            if attachment.triangles > 0 {
                size += &format!(", {}", plural(attachment.triangles, "triangle", "triangles"));
                size += &attachment.image.map_or(", no image".to_owned(), |image| format!(", image {image}"));
            }
            size += if attachment.inverse { ", inverse" } else { "" };
            size += if attachment.convex { ", convex hull" } else { "" };
            size += &attachment.pictures.map_or(String::new(), |count| format!(", {count} pictures"));
            writeln!(out, "{name}  {}{size}{in_slot}{skin}", attachment.kind)?;
        }
    }
    if let Some(skins) = &report.skins {
        let names = section(out, "skins", skins.iter().map(|skin| &*skin.name))?;
        for (name, skin) in names.iter().zip(skins) {
            let count = plural(skin.attachments, "attachment", "attachments");
            let bones: Vec<String> = skin.bones.iter().map(|bone| escaped(bone)).collect();
            let bones = if bones.is_empty() { String::new() } else { format!(", bones {}", bones.join(", ")) };
            // The default skin is always active.
            let worn = if skin.worn && skin.name != "default" { ", worn" } else { "" };
            let color = skin.color.as_deref().map_or(String::new(), |color| format!(", colour {color}"));
            writeln!(out, "{name}  {count}{bones}{color}{worn}")?;
        }
    }
    if let Some(constraints) = &report.constraints {
        let names = section(out, "constraints", constraints.iter().map(|constraint| &*constraint.name))?;
        for (name, constraint) in names.iter().zip(constraints) {
            let bones: Vec<String> = constraint.bones.iter().map(|bone| escaped(bone)).collect();
            write!(
                out,
                "{name}  {}:{}{}",
                constraint.kind,
                if bones.is_empty() { "" } else { " " },
                bones.join(", ")
            )?;
            if let Some(target) = &constraint.target {
                write!(out, " to {}", escaped(target))?;
            }
            let notes = constraint.notes.iter().map(|(name, note)| format!("; {name}: {note}"));
            writeln!(out, "{}", notes.collect::<String>())?;
        }
    }
    if let Some(events) = &report.events {
        let names = section(out, "events", events.iter().map(|event| &*event.name))?;
        for (name, event) in names.iter().zip(events) {
            let string = if event.string.is_empty() {
                String::new()
            } else {
                format!(", “{}”", escaped(&event.string))
            };
            let audio =
                event.audio.as_deref().map_or(String::new(), |audio| format!(", sound {}", escaped(audio)));
            writeln!(out, "{name}  {}, {}{string}{audio}", event.int, event.float)?;
        }
    }
    Ok(())
}

/// Writes the heading of a section, and returns the index and name columns of its items.
fn section<'a>(
    out: &mut impl Write,
    what: &str,
    names: impl Iterator<Item = &'a str>,
) -> Result<Vec<String>, fmt::Error> {
    let names: Vec<String> = names.map(escaped).collect();
    writeln!(out, "  {what} ({})", names.len())?;
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).min(MAX_COLUMN);
    Ok(names.iter().enumerate().map(|(index, name)| format!("    {index:>4}  {name:<width$}")).collect())
}

/// Describes how the colours of an image are interpreted, with the reason if that is unusual or uncertain.
fn alpha_of(image: &Image) -> String {
    let why = match image.alpha_source {
        "forced" => "as requested",
        "pixels" => "detected from the pixels",
        "assumed" => "assumed",
        _ => "as stated",
    };
    let doubts = match image.alpha_evidence {
        Some(AlphaEvidence { brighter, follows, is_sure: false }) => {
            let percent = |share: f64| format!("{:.0} %", share * 100.0);
            let follows = follows.map_or("too few soft edges".to_owned(), |share| {
                format!("{} of the soft edges follow alpha", percent(share))
            });
            format!(" (uncertain: {follows}, {} are brighter than it)", percent(brighter))
        }
        _ => String::new(),
    };
    let is_usual = image.alpha == "straight" && image.alpha_source != "forced";
    if is_usual && doubts.is_empty() {
        ", straight".to_owned()
    } else {
        format!(", {}, {why}{doubts}", image.alpha)
    }
}

fn mesh_line(mesh: &Mesh, bones: Option<&[Bone]>) -> String {
    let owner = match mesh.owner {
        Some(owner) => match bones.and_then(|bones| bones.get(owner)) {
            Some(bone) => format!("on {}", escaped(&bone.name)),
            None => format!("on bone {owner}"),
        },
        None => "on no bone".to_owned(),
    };
    let vertices = plural(mesh.vertices, "vertex", "vertices");
    let (triangles, influences) =
        (plural(mesh.triangles, "triangle", "triangles"), plural(mesh.influences, "influence", "influences"));
    let image = mesh.image.map_or_else(|| "no image".to_owned(), |image| format!("image {image}"));
    format!("{vertices}, {triangles}, {influences}, {image}, {owner}")
}

fn plural(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
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
