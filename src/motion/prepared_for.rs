//! Records for which motion and skins cached working memory was computed.

use crate::model::SkinId;

/// The motion and the skins for which working memory was prepared.
#[derive(Debug, Clone, Default)]
pub(crate) struct PreparedFor {
    /// Id of the motion; 0 is none.
    motion: u64,
    skins: Vec<SkinId>,
}

impl PreparedFor {
    /// Returns true if the memory was prepared for these.
    pub fn is(&self, motion: u64, skins: &[SkinId]) -> bool {
        self.motion == motion && self.skins == skins
    }

    /// Marks the memory as prepared for these.
    pub fn set(&mut self, motion: u64, skins: &[SkinId]) {
        self.motion = motion;
        self.skins.clear();
        self.skins.extend_from_slice(skins);
    }
}
