//! How the parts of the bar are arranged in the room that it has.

/// Height of the first row and of the others, in points.
pub const ROW: f32 = 40.0;
const OTHER_ROW: f32 = 32.0;
/// Minimum gap between the parts of a row, in points.
pub const GAP: f32 = 14.0;

/// Widths of the parts of the bar in points, each laid out in one row.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Widths {
    /// The word before the frame, which is left out if there is too little room.
    pub word: f32,
    /// The frame and the time.
    pub readout: f32,
    /// The buttons that move the playhead.
    pub buttons: f32,
    /// How to play.
    pub playback: f32,
    /// What is shown above.
    pub views: f32,
}

/// An arrangement of the parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arrangement {
    /// One row, with the buttons in the middle of the window if there is room.
    Row { has_word: bool },
    /// The buttons and the views above, the frame and the playback below.
    TwoRows { has_word: bool },
    /// Only the buttons stay together; everything else wraps below them.
    Wrapped,
    /// The buttons, and the frame if there is room: the rest is in the menu.
    Low { has_readout: bool },
}

impl Widths {
    /// Returns how the parts fit into a bar `available` points wide and `height` points high.
    pub fn arrangement(self, available: f32, height: f32) -> Arrangement {
        let Self { word, readout, buttons, playback, views } = self;
        let row = readout + buttons + playback + views + 3.0 * GAP;
        let [upper, lower] = [buttons + GAP + views, readout + GAP + playback];
        let wrapped = 1.0 + ((readout + playback + views + word + 2.0 * GAP) / available.max(1.0)).ceil();
        let needed = |rows: f32| ROW + (rows - 1.0) * OTHER_ROW;
        match available {
            _ if available >= row + word => Arrangement::Row { has_word: true },
            _ if available >= row => Arrangement::Row { has_word: false },
            _ if upper.max(lower) <= available && height >= needed(2.0) => {
                Arrangement::TwoRows { has_word: available >= lower + word }
            }
            _ if upper.max(lower) > available && height >= needed(wrapped) => Arrangement::Wrapped,
            _ => Arrangement::Low { has_readout: available >= buttons + GAP + readout },
        }
    }
}
