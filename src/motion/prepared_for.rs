//! Records for which motion and skins cached working memory was computed.

use crate::model::{Identity, SkinId};

/// The motion and the skins for which working memory was prepared.
#[derive(Debug, Clone, Default)]
pub(crate) struct PreparedFor {
    /// The motion; the default is none.
    motion: Identity,
    skins: Vec<SkinId>,
}

impl PreparedFor {
    /// Returns true if the memory was prepared for these.
    pub fn is(&self, motion: Identity, skins: &[SkinId]) -> bool {
        self.motion == motion && self.skins == skins
    }

    /// Marks the memory as prepared for these.
    pub fn set(&mut self, motion: Identity, skins: &[SkinId]) {
        self.motion = motion;
        skins.clone_into(&mut self.skins);
    }
}
