//! Options of PSDs, with the names of the command line.

use crate::rows;

rows::words! {
    /// Groups of the layers of a PSD. Only neighbours in the draw order share a group.
    #[derive(Debug, Clone, Copy, Default, PartialEq)]
    pub enum PsdGroups {
        /// No groups.
        #[default]
        None => ("none", "No groups"),
        /// By the bones of the slots.
        Bone => ("bone", "Group neighbouring layers of one bone"),
        /// By the skins of the attachments.
        Skin => ("skin", "Group neighbouring layers of one skin"),
    }
}
