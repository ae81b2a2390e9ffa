//! [`Document`] → findings: what no reader refuses, but somebody may not have meant.

use super::build::Checked;
use super::document::Document;
use crate::diagnostics::Diagnostics;
use crate::formats::ReadOptions;
use crate::model::AtlasPage;

/// Looks at everything that has no errors. `pages` are the decoded images, `None` where one has no picture.
pub fn lint(
    document: &Document,
    checked: &Checked,
    pages: &[Option<AtlasPage>],
    options: &ReadOptions,
    diagnostics: &mut Diagnostics,
) {
    let _ = (document, checked, pages, options, diagnostics);
}
