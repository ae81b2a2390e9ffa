//! What working memory was made for.

use crate::model::SkinId;

/// Which motion and which skins something in the working memory was made for.
#[derive(Debug, Clone, Default)]
pub(crate) struct MadeFor {
    /// 0 is none.
    motion: u64,
    skins: Vec<SkinId>,
}

impl MadeFor {
    /// Whether it was made for these.
    pub fn is(&self, motion: u64, skins: &[SkinId]) -> bool {
        self.motion == motion && self.skins == skins
    }

    /// It is made for these now.
    pub fn set(&mut self, motion: u64, skins: &[SkinId]) {
        self.motion = motion;
        self.skins.clear();
        self.skins.extend_from_slice(skins);
    }
}
