//! `pchr inspect`: what is in a character.

use std::fmt::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;

use super::failure::Failure;
use super::headless::{print_stdout, read, report};
use super::view::ReadArgs;
use crate::diagnostics::Diagnostics;
use crate::error::shown;
use crate::model::{Attachment, Model};

/// What `pchr inspect` takes.
#[derive(Debug, Args)]
pub struct InspectArgs {
    /// Characters; `-` is standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    read: ReadArgs,
}

/// Prints a summary of each file.
pub fn run(args: &InspectArgs, quiet: bool) -> Result<(), Failure> {
    let options = args.read.options();
    for file in &args.files {
        let mut diagnostics = Diagnostics::default();
        let character = read(file, &options, &mut diagnostics).map_err(Failure::reading)?;
        if !quiet {
            report(&diagnostics, file);
        }
        let mut text = String::new();
        // Writing to a String cannot fail.
        let _ = describe(file, character.model(), &mut text);
        print_stdout(&text)?;
    }
    Ok(())
}

fn describe(file: &Path, model: &Model, out: &mut String) -> fmt::Result {
    writeln!(out, "{}", shown(&file.display().to_string()))?;
    writeln!(out, "  images      {}", model.pages().len())?;
    for page in model.pages() {
        writeln!(out, "    {}  {}×{}", shown(&page.name), page.width, page.height)?;
    }
    writeln!(out, "  bones       {}", model.skeleton().bones().len())?;
    writeln!(out, "  meshes      {}", model.attachments().len())?;
    for slot in model.slots() {
        let Some(Attachment::Mesh(mesh)) = slot.attachment.map(|id| model.attachment(id)) else { continue };
        let (vertices, triangles) = (mesh.vertices.len(), mesh.indices.len() / 3);
        let owner = match slot.bone {
            Some(bone) => shown(&model.skeleton().bones()[bone.index()].name),
            None => "no bone".to_owned(),
        };
        writeln!(out, "    {}  {vertices} vertices, {triangles} triangles, on {owner}", shown(&mesh.name))?;
    }
    writeln!(out, "  animations  {}", model.animations().len())?;
    for animation in model.animations() {
        let looping = if animation.looping { ", looping" } else { "" };
        let bind = if animation.is_bind_pose { ", bind pose" } else { "" };
        writeln!(
            out,
            "    {}  {} frames, {:.3} s at {} fps{looping}{bind}",
            shown(&animation.name),
            animation.frame_count,
            animation.duration_secs(),
            animation.fps,
        )?;
    }
    Ok(())
}
