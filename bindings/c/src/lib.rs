//! The C interface of pchr: `include/pchr.h` is generated from these sources, and states the contract of all functions.
//!
//! Every function checks pointers for null, catches panics and reports errors in [`border`]. C owns each
//! [`PchrAnimator`] from [`pchr_open`] or [`pchr_copy`] to [`pchr_free`].

mod animator;
mod border;
mod change;
mod draw;
mod event;

pub use animator::{
    PCHR_ANIMATIONS, PCHR_BONES, PCHR_CONSTRAINTS, PCHR_SKINS, PCHR_SLOTS, PchrAnimator, PchrFile, pchr_copy,
    pchr_count, pchr_duration, pchr_free, pchr_name, pchr_open,
};
pub use border::{PchrStatus, PchrText, pchr_last_error};
pub use change::{
    PchrTransform, pchr_bone, pchr_fade_out, pchr_move_bone, pchr_place, pchr_play, pchr_queue, pchr_release_bone,
    pchr_set_attachment, pchr_set_constraint, pchr_set_fade, pchr_set_skins, pchr_stop,
};
pub use draw::{
    PchrBatch, PchrBatches, PchrBlend, PchrClip, PchrPage, PchrPoint, PchrVertex, pchr_draw, pchr_page,
    pchr_page_count, pchr_read_page,
};
pub use event::{PchrEvent, PchrEventKind, PchrEvents, pchr_update};
