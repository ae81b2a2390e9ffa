//! The writers for the targets of the [table of formats](crate::formats::table).

pub mod dialects;
pub mod keyed;
pub mod packed;
pub mod sheets;

use super::JsonForm;
use super::frames::{Bakes, FrameWriter, WriteFrames};
use crate::formats::sheet::dialects::{DIALECTS, Dialect};
use crate::formats::sheet::rewrite::Form;
use crate::formats::spine;
use crate::formats::table::Target;

use sheets::SheetWriter;

/// A writer of one or more targets.
#[derive(Clone, Copy)]
pub enum Writer {
    /// Writes the stored frames of any character.
    Baked(FrameWriter),
    /// Rewrites a sprite sheet as JSON.
    Sheet(SheetWriter),
    /// Writes a sprite sheet as other programs describe it.
    Dialect(&'static Dialect),
}

/// The writer of all versions and forms of Spine.
const SPINE: Writer = baked(Bakes::Everything, keyed::spine);

/// The names and writers of other targets, without the dialects of sheets.
const WRITERS: &[(&str, Writer)] = &[
    ("pchr", baked(Bakes::V1, packed::v1)),
    ("pchr-json", baked(Bakes::V1, |it, to, budget| packed::json_form(it, to, budget, JsonForm::Description))),
    ("pachario", baked(Bakes::Everything, |it, to, budget| packed::json_form(it, to, budget, JsonForm::Pachario))),
    ("pachario-packed", baked(Bakes::Everything, packed::packed_pachario)),
    ("skelform", baked(Bakes::Everything, keyed::skelform)),
    ("sheet", sheet(Form::List, false)),
    ("sheet-hash", sheet(Form::Hash, false)),
    ("sheet-multiatlas", sheet(Form::Multiatlas, false)),
    ("sheet-packed", sheet(Form::List, true)),
];

const fn baked(bakes: Bakes, write: WriteFrames) -> Writer {
    Writer::Baked(FrameWriter { bakes, write })
}

const fn sheet(form: Form, is_packed: bool) -> Writer {
    Writer::Sheet(SheetWriter { form, is_packed })
}

/// Returns the writer of `target`. Every target of the table has one.
pub fn writer(target: &Target) -> Option<Writer> {
    if spine::rewrite::Form::of_target(target.name).is_some() {
        return Some(SPINE);
    }
    let dialect = DIALECTS.iter().find(|dialect| dialect.name == target.name).map(Writer::Dialect);
    dialect.or_else(|| WRITERS.iter().find(|(name, _)| *name == target.name).map(|(_, writer)| *writer))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::table::targets;

    #[test]
    fn every_target_has_one_writer() {
        for target in targets() {
            let is_sheet = match writer(target).expect(target.name) {
                Writer::Sheet(_) | Writer::Dialect(_) => true,
                Writer::Baked(_) => false,
            };
            assert_eq!(is_sheet, target.is_sheet, "{}", target.name);
        }
        for (name, _) in WRITERS {
            assert!(targets().any(|target| target.name == *name), "{name}");
        }
    }
}
