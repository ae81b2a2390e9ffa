//! Characters and what opening them says.

use std::sync::Arc;

use pchr::diagnostics::Diagnostics;
use pchr::formats::{Input, ReadOptions};
#[cfg(feature = "all")]
use pchr::formats::{format_name, from_input};
use pchr::math::color::premultiply;
use pchr::model::{AttachmentId, BoneId, SlotId};
use pchr::progress::Progress;

use super::answers::Opened;
#[cfg(not(feature = "all"))]
use super::spine_alone::{format_name, from_input};
use crate::failure::Failure;
use crate::files::Files;

/// Units of work that reading may take: the page does not answer meanwhile.
const MAX_WORK: u64 = 1 << 30;

/// A character that players share.
pub struct Character {
    pub shared: Arc<pchr::Character>,
    pub ids: Arc<Ids>,
}

/// The ids of a model by index, which poses of another module name.
pub struct Ids {
    pub slots: Vec<SlotId>,
    pub attachments: Vec<AttachmentId>,
    pub bones: Vec<BoneId>,
}

impl Character {
    /// Opens `name`, one of `files`.
    pub fn open(files: &Files, name: &str, progress: Arc<Progress>) -> Result<(Self, Opened), Box<Failure>> {
        let bytes = files.main(name);
        let mut options =
            ReadOptions { keep_going: true, progress: Some(Arc::clone(&progress)), ..ReadOptions::default() };
        options.limits.work = MAX_WORK;
        let mut diagnostics = Diagnostics::default();
        let sidecars = files.beside(name);
        let input = Input { bytes: bytes.clone(), sidecars: &sidecars };
        // A reader may go on without what was not decoded.
        let read = from_input(&input, &options, &mut diagnostics)
            .and_then(|character| progress.check().map(|()| character));
        let wanted = files.wanted(name);
        match read {
            Ok(character) => {
                let format = format_name(&bytes).unwrap_or_default();
                let opened = Opened::of(&character, format, &diagnostics, wanted);
                let model = character.model();
                let ids = Ids {
                    slots: model.slot_ids().collect(),
                    attachments: model.attachment_ids().collect(),
                    bones: model.skeleton().bone_ids().collect(),
                };
                Ok((Self { shared: Arc::new(character), ids: Arc::new(ids) }, opened))
            }
            Err(error) => Err(Box::new(Failure { wanted, ..Failure::of(&error) })),
        }
    }

    /// The premultiplied pixels of the `rows` of a page from `row` on, or nothing if there is no such page.
    pub fn page(&self, page: usize, row: usize, rows: usize) -> Vec<u8> {
        let Some(page) = self.shared.model().pages().get(page) else { return Vec::new() };
        let at = |row: usize| row.saturating_mul(page.width as usize * 4).min(page.pixels.len());
        let mut pixels = page.pixels[at(row)..at(row.saturating_add(rows))].to_vec();
        if !page.is_premultiplied {
            pixels.as_chunks_mut().0.iter_mut().for_each(|texel| *texel = premultiply(*texel));
        }
        pixels
    }
}
