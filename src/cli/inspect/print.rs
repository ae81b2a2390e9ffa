//! Report → text for people, a line for each thing, in the manner of `readelf`.

use std::fmt::{self, Write};

use super::report::{FileReport, Memory, Mesh};
use crate::error::shown;

/// The whole text.
pub fn describe(report: &FileReport) -> String {
    let mut out = String::new();
    // Writing to a String cannot fail.
    let _ = write_all(report, &mut out);
    out
}

fn write_all(report: &FileReport, out: &mut String) -> fmt::Result {
    let FileReport { animations, bones, bounds, bytes, file, format, header, images, memory, meshes, .. } = report;
    writeln!(out, "{}: {format}, {}", shown(file), size(*bytes))?;
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
            None => writeln!(out, "  nothing is drawn")?,
        }
    }
    if let Some(images) = images {
        section(out, "images", images.len())?;
        for (index, image) in images.iter().enumerate() {
            let (name, format) = (shown(&image.name), image.format);
            write!(
                out,
                "    {index:>3}  {name}  {}×{} {format}, {}",
                image.width,
                image.height,
                size(image.bytes)
            )?;
            match (&image.path, &image.missing) {
                (_, Some(why)) => writeln!(out, ", missing: {}", shown(why))?,
                (Some(path), None) => writeln!(out, ", {}", shown(path))?,
                (None, None) => writeln!(out)?,
            }
        }
    }
    if let Some(bones) = bones {
        section(out, "bones", bones.len())?;
        for (index, bone) in bones.iter().enumerate() {
            let name = shown(&bone.name);
            match bone.parent.and_then(|parent| Some((parent, bones.get(usize::from(parent))?))) {
                Some((parent, of)) => writeln!(out, "    {index:>3}  {name}  on {parent} {}", shown(&of.name))?,
                None => writeln!(out, "    {index:>3}  {name}")?,
            }
        }
    }
    if let Some(meshes) = meshes {
        section(out, "meshes", meshes.len())?;
        for (index, mesh) in meshes.iter().enumerate() {
            writeln!(out, "    {index:>3}  {}", mesh_line(mesh, bones.as_deref()))?;
        }
    }
    if let Some(animations) = animations {
        section(out, "animations", animations.len())?;
        for (index, animation) in animations.iter().enumerate() {
            let looping = if animation.is_looping { ", loops" } else { "" };
            let bind = if animation.bind_pose { ", bind pose" } else { "" };
            let (name, frames, seconds) = (shown(&animation.name), animation.frames, animation.duration_secs);
            writeln!(out, "    {index:>3}  {name}  {frames} frames, {seconds:.3} s{looping}{bind}")?;
        }
    }
    if let Some(memory) = memory {
        write_memory(memory, out)?;
    }
    if report.not_read_bytes > 0 {
        let bytes = size(report.not_read_bytes);
        writeln!(
            out,
            "  not read and not validated: pixels and frames, {bytes}; `pchr validate` looks at everything"
        )?;
    }
    Ok(())
}

fn section(out: &mut String, name: &str, count: usize) -> fmt::Result {
    writeln!(out, "  {name} ({count})")
}

fn mesh_line(mesh: &Mesh, bones: Option<&[super::report::Bone]>) -> String {
    let owner = match mesh.owner {
        Some(owner) => match bones.and_then(|bones| bones.get(owner)) {
            Some(bone) => format!("on {}", shown(&bone.name)),
            None => format!("on bone {owner}"),
        },
        None => "on no bone".to_owned(),
    };
    let (name, vertices, triangles) = (shown(&mesh.name), mesh.vertices, mesh.triangles);
    let influences = mesh.influences;
    format!(
        "{name}  {vertices} vertices, {triangles} triangles, {influences} influences, image {}, {owner}",
        mesh.image
    )
}

fn write_memory(memory: &Memory, out: &mut String) -> fmt::Result {
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

/// Bytes as people read them.
fn size(bytes: u64) -> String {
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
