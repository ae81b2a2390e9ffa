//! The writers for the targets of the [table of formats](crate::formats::table).

pub mod dialects;
pub mod keyed;
pub mod packed;
pub mod sheets;

use super::frames::{Bakes, FrameWriter};
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
const SPINE: Writer = Writer::Baked(FrameWriter { bakes: Bakes::Everything, write: keyed::spine });

/// The names and writers of other targets, without the dialects of sheets.
const WRITERS: &[(&str, Writer)] = &[
    ("pchr", Writer::Baked(FrameWriter { bakes: Bakes::V1, write: packed::v1 })),
    ("pchr-json", Writer::Baked(FrameWriter { bakes: Bakes::V1, write: packed::description })),
    ("pachario", Writer::Baked(FrameWriter { bakes: Bakes::Everything, write: packed::pachario })),
    ("pachario-packed", Writer::Baked(FrameWriter { bakes: Bakes::Everything, write: packed::packed_pachario })),
    ("skelform", Writer::Baked(FrameWriter { bakes: Bakes::Everything, write: keyed::skelform })),
    ("sheet", Writer::Sheet(SheetWriter { form: Form::List, is_packed: false })),
    ("sheet-hash", Writer::Sheet(SheetWriter { form: Form::Hash, is_packed: false })),
    ("sheet-multiatlas", Writer::Sheet(SheetWriter { form: Form::Multiatlas, is_packed: false })),
    ("sheet-packed", Writer::Sheet(SheetWriter { form: Form::List, is_packed: true })),
];

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
