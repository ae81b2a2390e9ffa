//! Lints of a [`Document`]: valid, but probably unintended.
//!
//! Only meshes and animations without errors are checked. The time is bounded for any file: checks that need more
//! than one pass over the data sample frames, pairs or triangles evenly, and each one defines its limits.

mod alpha;
mod animations;
mod bind_fit;
mod flip_v;
mod geometry;
mod names;
mod overlap;
mod seams;
mod subject;
mod unused;
mod visibility;
mod weights;

use super::build::Checked;
use super::document::{At, Document};
use crate::diagnostics::{Diagnostics, Severity};
use crate::formats::ReadOptions;
use crate::model::AtlasPage;
use subject::Subject;

/// Runs all checks. `pages` are the decoded images, `None` for those without a picture.
pub fn lint(
    document: &Document,
    checked: &Checked,
    pages: &[Option<AtlasPage>],
    options: &ReadOptions,
    diagnostics: &mut Diagnostics,
) {
    let subject = Subject::new(document, checked, pages, options);
    let mut report = Report { document, diagnostics };
    // Warnings before notes: once the limit is reached, findings are only counted.
    weights::check(&subject, &mut report);
    geometry::check(&subject, &mut report);
    visibility::check(&subject, &mut report);
    animations::check(&subject, &mut report);
    seams::check(&subject, &mut report);
    bind_fit::check(&subject, &mut report);
    flip_v::check(&subject, &mut report);
    alpha::check(pages, options, &mut report);
    names::check(&subject, &mut report);
    unused::check(&subject, &mut report);
    overlap::check(&subject, &mut report);
}

/// Place and message of a finding.
type Remark = (At, String);

/// Collects findings, grouped by code.
struct Report<'a> {
    document: &'a Document,
    diagnostics: &'a mut Diagnostics,
}

impl Report<'_> {
    /// Adds all warnings with this code.
    fn warn_all(&mut self, code: &'static str, found: impl IntoIterator<Item = Remark>) {
        self.add_all(Severity::Warning, code, found);
    }

    /// Adds all notes with this code.
    fn note_all(&mut self, code: &'static str, found: impl IntoIterator<Item = Remark>) {
        self.add_all(Severity::Note, code, found);
    }

    fn add_all(&mut self, severity: Severity, code: &'static str, found: impl IntoIterator<Item = Remark>) {
        let document = self.document;
        let placed = found.into_iter().map(|(at, message)| (document.place(at), message));
        self.diagnostics.add_all(severity, code, placed);
    }
}
