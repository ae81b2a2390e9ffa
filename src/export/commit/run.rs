//! A complete run of one character with the CPU renderer on the caller's thread: planned, checked, and written so
//! that either all of its files appear or none.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use super::batch::{Batch, BatchError, Commit, Observer, Written};
use crate::export::frames::Drawing;
use crate::export::frames::renderer;
use crate::export::options::RenderOptions;
use crate::export::plan::{Naming, check_outputs, input_name};
use crate::model::{AnimationId, SkinId};
use crate::{Character, Error};

/// One character and its outputs.
#[derive(Debug, Clone, Copy)]
pub struct Run<'a> {
    /// The character.
    pub character: &'a Character,
    /// The options. The output must be a path.
    pub options: &'a RenderOptions,
    /// The animations.
    pub animations: &'a [AnimationId],
    /// The skins.
    pub skins: &'a [SkinId],
    /// The files the character was read from; they are never overwritten.
    pub sources: &'a [PathBuf],
    /// Set from another thread to stop within one picture.
    pub cancelled: &'a AtomicBool,
}

impl Run<'_> {
    /// Plans, renders and writes. `total` is called once with the number of calls to [`Observer::picture_done`] to
    /// expect.
    pub fn write(&self, total: impl FnOnce(usize), observer: &dyn Observer) -> Result<Written, BatchError> {
        let Self { character, options, .. } = *self;
        let background = options.look.background.file();
        let sources = &[self.sources, background.map(Path::to_owned).as_slice()].concat();
        let mut plan = options.plan(character, self.animations, self.skins)?;
        let template = options.template()?.ok_or_else(|| Error::misuse("no-path", "the output must be a path"))?;
        if plan.pictures.is_empty() {
            let message = "no frame is selected, so there is nothing to write";
            return Err(Error::misuse("nothing-to-write", message).into());
        }
        let name = options.subject.files.first().map(|file| input_name(file)).unwrap_or_default();
        let naming = Naming { name: &name, path: &name, first_index: 0 };
        let files = plan.name_files(options, character.model(), Some(&template), naming);
        let may_replace = &|_: &Path| options.output.force;
        check_outputs(&files, options.format(), sources, may_replace)?;
        total(plan.pictures.len() * options.passes());
        let batch = Batch {
            sequence: options.sequence(character, &plan, self.cancelled),
            options,
            plan: &plan,
            files: &files,
            sources,
            commit: Commit::Together,
            may_replace,
            observer,
        };
        batch.write(&mut Drawing::cpu(renderer(character.model())), &mut std::io::sink())
    }
}
