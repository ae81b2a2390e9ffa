//! Characters opened from memory, and what they contain.

use bytes::Bytes;
use pchr::Animator;
use pchr::draw::{Batches, DrawList};
use pchr::formats::Files;

use crate::border::{Failure, Out, PchrStatus, PchrText, guarded, list, owned};
use crate::draw::{PchrBatch, PchrClip};
use crate::event::PchrEvent;

/// A character that plays animations. Copies share its pictures and its data.
pub struct PchrAnimator {
    pub(crate) animator: Animator,
    pub(crate) list: DrawList,
    pub(crate) batches: Batches,
    /// Results of the last calls, which C may still read.
    pub(crate) drawn: Vec<PchrBatch>,
    pub(crate) clips: Vec<PchrClip>,
    pub(crate) events: Vec<PchrEvent>,
}

/// A file in memory.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PchrFile {
    /// Its path or name, by which other files refer to it, with `/`.
    pub path: PchrText,
    /// Its contents.
    pub bytes: *const u8,
    /// Number of bytes.
    pub len: usize,
}

impl PchrAnimator {
    fn boxed(animator: Animator) -> *mut Self {
        let (list, batches) = (DrawList::default(), Batches::default());
        let (drawn, clips, events) = (Vec::new(), Vec::new(), Vec::new());
        Box::into_raw(Box::new(Self { animator, list, batches, drawn, clips, events }))
    }
}

/// Opens the character in the file `path`, one of `files`, of any format. Its atlas and pictures are found among the others
/// as on disk. The files are copied.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pchr_open(
    files: *const PchrFile,
    count: usize,
    path: PchrText,
    animator: *mut *mut PchrAnimator,
) -> PchrStatus {
    guarded(|| {
        let out = Out::new(animator)?;
        // SAFETY: the files are a list, by the contract of the header.
        let files = unsafe { list(files, count)? };
        let file = |file: &PchrFile| {
            // SAFETY: so are the path and the contents of each.
            let (path, bytes) = unsafe { (file.path.read()?, list(file.bytes, file.len)?) };
            Ok((path.to_owned(), Bytes::copy_from_slice(bytes)))
        };
        let files = Files::new(files.iter().map(file).collect::<Result<Vec<_>, Failure>>()?);
        // SAFETY: so is the text.
        let character = files.open(unsafe { path.read()? })?;
        // SAFETY: C has room for a pointer.
        unsafe { out.put(PchrAnimator::boxed(Animator::new(character))) };
        Ok(())
    })
}

/// Copies an animator and what it plays. Both share the character.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pchr_copy(animator: *mut PchrAnimator, copy: *mut *mut PchrAnimator) -> PchrStatus {
    guarded(|| {
        let out = Out::new(copy)?;
        // SAFETY: the animator is valid, by the contract of the header, and C has room for a pointer.
        unsafe { out.put(PchrAnimator::boxed(owned(animator)?.animator.clone())) };
        Ok(())
    })
}

/// Frees an animator. Null is ignored.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pchr_free(animator: *mut PchrAnimator) -> PchrStatus {
    guarded(|| {
        if !animator.is_null() {
            // SAFETY: it comes from `boxed` and has not been freed, by the contract of the header.
            drop(unsafe { Box::from_raw(animator) });
        }
        Ok(())
    })
}

/// The list of animations, for `pchr_count` and `pchr_name`.
pub const PCHR_ANIMATIONS: u32 = 0;
/// The list of skins.
pub const PCHR_SKINS: u32 = 1;
/// The list of slots.
pub const PCHR_SLOTS: u32 = 2;
/// The list of bones.
pub const PCHR_BONES: u32 = 3;
/// The list of constraints.
pub const PCHR_CONSTRAINTS: u32 = 4;

/// Returns the length of a list, and the name of its item at `index`.
fn item(animator: &Animator, of: u32, index: usize) -> Result<(usize, Option<&str>), Failure> {
    let (model, bones) = (animator.model(), animator.model().skeleton().authored_bones());
    Ok(match of {
        PCHR_ANIMATIONS => (model.animations().len(), model.animations().get(index).map(|it| &*it.name)),
        PCHR_SKINS => (model.skins().len(), model.skins().get(index).map(|it| &*it.name)),
        PCHR_SLOTS => (model.slots().len(), model.slots().get(index).map(|it| &*it.name)),
        PCHR_BONES => (bones.len(), bones.get(index).map(|it| &*it.name)),
        PCHR_CONSTRAINTS => (model.constraints().len(), model.constraints().get(index).map(|it| &*it.name)),
        _ => return Err(Failure::misuse("no-such-list", "there is no such list")),
    })
}

/// Returns the error for an index that is too large.
pub(crate) fn out_of_range() -> Failure {
    Failure::misuse("no-such-item", "the index is out of range")
}

/// Counts the items of a list, such as `PCHR_ANIMATIONS`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pchr_count(animator: *mut PchrAnimator, of: u32, count: *mut usize) -> PchrStatus {
    guarded(|| {
        let out = Out::new(count)?;
        // SAFETY: the animator is valid, by the contract of the header.
        let (count, _) = item(&unsafe { owned(animator)? }.animator, of, 0)?;
        // SAFETY: C has room for a number.
        unsafe { out.put(count) };
        Ok(())
    })
}

/// Returns the name of an item of a list. It is valid until the animator and its copies are freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pchr_name(
    animator: *mut PchrAnimator,
    of: u32,
    index: usize,
    name: *mut PchrText,
) -> PchrStatus {
    guarded(|| {
        let out = Out::new(name)?;
        // SAFETY: the animator is valid, by the contract of the header.
        let (_, found) = item(&unsafe { owned(animator)? }.animator, of, index)?;
        let name = PchrText::from(found.ok_or_else(out_of_range)?);
        // SAFETY: C has room for text.
        unsafe { out.put(name) };
        Ok(())
    })
}

/// Returns how long an animation lasts, in seconds.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pchr_duration(
    animator: *mut PchrAnimator,
    animation: usize,
    secs: *mut f64,
) -> PchrStatus {
    guarded(|| {
        let out = Out::new(secs)?;
        // SAFETY: the animator is valid, by the contract of the header.
        let animations = unsafe { owned(animator)? }.animator.model().animations();
        let secs = animations.get(animation).ok_or_else(out_of_range)?.duration_secs();
        // SAFETY: C has room for a number.
        unsafe { out.put(secs) };
        Ok(())
    })
}
