//! State of the list of keys.

/// The list of keys and mouse actions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Help {
    /// It is shown.
    pub is_open: bool,
    /// It was opened since it was last laid out.
    pub is_new: bool,
    /// Only lines that contain these words are shown.
    pub filter: String,
}

impl Help {
    /// Opens the list without a filter, or closes it.
    pub fn toggle(&mut self) {
        *self = Self { is_open: !self.is_open, is_new: !self.is_open, filter: String::new() };
    }
}
