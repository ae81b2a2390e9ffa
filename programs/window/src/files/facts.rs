//! Facts about the character, and the warnings about its file, as text.

use crate::scene::loaded::Loaded;
use pchr::Character;
use pchr::diagnostics::Severity;
use pchr::error::{Fault, escaped};
use pchr::model::Attachment;
use pchr::outline::Atlas;

/// The facts about one character.
#[derive(Debug, Default)]
pub struct Facts {
    /// The counts of its parts, each with a name.
    pub counts: Vec<(&'static str, String)>,
    /// The pages: a name and their size or number.
    pub pages: (&'static str, String),
    /// How the alpha of its pages is stored.
    pub alpha: &'static str,
    /// What was chosen while reading the file.
    pub choices: Vec<Warning>,
    /// The errors in parts of animations, which are left out.
    pub errors: Vec<Warning>,
    /// Their number, including those that were not stored.
    pub error_count: usize,
    /// The warnings about the file.
    pub warnings: Vec<Warning>,
    /// Number of further warnings.
    pub suppressed: usize,
}

/// A warning about the file, an error in it, or a choice.
#[derive(Debug)]
pub struct Warning {
    /// The place in the file; empty if unknown.
    pub place: String,
    /// The message.
    pub message: String,
    /// The code of the finding.
    pub code: &'static str,
}

impl Facts {
    /// Returns the facts about a character that was read.
    pub fn of(loaded: &Loaded) -> Self {
        let model = loaded.character.model();
        let pages = match model.pages() {
            [] => ("Atlas page", "none".to_owned()),
            [page] => ("Atlas page", format!("{} × {}", page.width, page.height)),
            pages => ("Atlas pages", pages.len().to_string()),
        };
        let alpha = match model.pages().iter().filter(|page| page.is_premultiplied).count() {
            0 => "Straight",
            all if all == model.pages().len() => "Premultiplied",
            _ => "Mixed",
        };
        let diagnostics = &loaded.diagnostics;
        let of = |severity| diagnostics.with_severity(severity).map(Warning::of).collect();
        Self {
            counts: counts(&loaded.character),
            pages,
            alpha,
            choices: diagnostics.choices().map(Warning::of).collect(),
            errors: of(Severity::Error),
            error_count: diagnostics.errors(),
            warnings: of(Severity::Warning),
            suppressed: diagnostics.suppressed(),
        }
    }
}

impl Warning {
    fn of(fault: &Fault) -> Self {
        let mut place = fault.place.clone();
        // All warnings refer to the current file.
        place.file = None;
        let place = escaped(place.to_string().trim_end_matches(": "));
        Self { place, message: escaped(&fault.message), code: fault.code }
    }
}

fn counts(character: &Character) -> Vec<(&'static str, String)> {
    let model = character.model();
    let (mut vertices, mut triangles) = (0, 0);
    for mesh in model.authored_attachments().iter().filter_map(Attachment::mesh) {
        vertices += mesh.vertices.len();
        triangles += mesh.indices.len() / 3;
    }
    let attachments = if model.skins().is_empty() { "Meshes" } else { "Attachments" };
    let of_atlas = Atlas::of(character).map(|atlas| {
        let counts = [("Symbols", atlas.symbols), ("Labels", atlas.labels), ("Masks", atlas.masks)];
        counts.map(|(name, count)| (name, count.to_string()))
    });
    let of_model = [
        ("Bones", model.skeleton().authored_bones().len().to_string()),
        (attachments, model.authored_attachments().len().to_string()),
        ("Vertices", vertices.to_string()),
        ("Triangles", triangles.to_string()),
    ];
    of_atlas.into_iter().flatten().chain(of_model).collect()
}
