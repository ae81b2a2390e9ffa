//! [`Document`] → findings: what no reader refuses, but somebody may not have meant.
//!
//! Only meshes and animations without errors are looked at. The time is bounded whatever the file holds: what
//! would take more than a pass over its bytes looks at evenly chosen frames, pairs or triangles, and each check
//! says at how many.

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

/// Looks at everything that has no errors. `pages` are the decoded images, `None` where one has no picture.
pub fn lint(
    document: &Document,
    checked: &Checked,
    pages: &[Option<AtlasPage>],
    options: &ReadOptions,
    diagnostics: &mut Diagnostics,
) {
    let subject = Subject::new(document, checked, pages, options);
    let mut report = Report { document, diagnostics };
    // Warnings before notes: what comes late may not be kept.
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

/// Where a finding is, and what it says.
type Told = (At, String);

/// Takes the findings of one code after the other.
struct Report<'a> {
    document: &'a Document,
    diagnostics: &'a mut Diagnostics,
}

impl Report<'_> {
    /// Every warning of this code.
    fn warn_all(&mut self, code: &'static str, found: impl IntoIterator<Item = Told>) {
        self.tell(Severity::Warning, code, found);
    }

    /// Every note of this code.
    fn note_all(&mut self, code: &'static str, found: impl IntoIterator<Item = Told>) {
        self.tell(Severity::Note, code, found);
    }

    fn tell(&mut self, severity: Severity, code: &'static str, found: impl IntoIterator<Item = Told>) {
        let document = self.document;
        let placed = found.into_iter().map(|(at, message)| (document.place(at), message));
        self.diagnostics.add_all(severity, code, placed);
    }
}
