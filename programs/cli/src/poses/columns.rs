//! The columns of each kind of rows, in tables.

use super::What;
use super::rows::{BoneRow, BoxRow, EventRow, SlotRow};

/// One value of a row.
pub enum Cell<'a> {
    Text(&'a str),
    Number(f64),
    /// A single-precision number, which is printed with fewer digits.
    Single(f32),
    Empty,
}

/// Name of a column, and whether only CSV has it.
pub type Column = (&'static str, bool);

/// The columns after the animation and, except for events, the time.
pub fn of(what: What) -> &'static [Column] {
    const BOTH: bool = false;
    const CSV: bool = true;
    match what {
        What::Bones => &[
            ("bone", BOTH),
            ("x", BOTH),
            ("y", BOTH),
            ("rotation", BOTH),
            ("scale_x", BOTH),
            ("scale_y", BOTH),
            ("shear", BOTH),
            ("a", CSV),
            ("b", CSV),
            ("c", CSV),
            ("d", CSV),
        ],
        What::Slots => &[
            ("slot", BOTH),
            ("attachment", BOTH),
            ("bone", CSV),
            ("red", BOTH),
            ("green", BOTH),
            ("blue", BOTH),
            ("alpha", BOTH),
            ("dark_red", CSV),
            ("dark_green", CSV),
            ("dark_blue", CSV),
        ],
        What::Boxes => &[("slot", BOTH), ("attachment", BOTH), ("corner", BOTH), ("x", BOTH), ("y", BOTH)],
        What::Events => &[
            ("event", BOTH),
            ("int", BOTH),
            ("float", BOTH),
            ("string", BOTH),
            ("audio", CSV),
            ("volume", CSV),
            ("balance", CSV),
        ],
    }
}

impl<'a> BoneRow<'a> {
    pub fn cells(&self) -> Vec<Cell<'a>> {
        let ([x, y], [scale_x, scale_y], [a, b, c, d, ..]) = (self.position, self.scale, self.matrix);
        let numbers = [x, y, self.rotation, scale_x, scale_y, self.shear, a, b, c, d];
        [Cell::Text(self.bone)].into_iter().chain(numbers.map(Cell::Single)).collect()
    }
}

impl<'a> SlotRow<'a> {
    pub fn cells(&self) -> Vec<Cell<'a>> {
        let text = |text: Option<&'a str>| text.map_or(Cell::Empty, Cell::Text);
        let dark = (0..3).map(|channel| self.dark.map_or(Cell::Empty, |dark| Cell::Single(dark[channel])));
        let names = [Cell::Text(self.slot), text(self.attachment), text(self.bone)];
        names.into_iter().chain(self.color.map(Cell::Single)).chain(dark).collect()
    }
}

impl<'a> BoxRow<'a> {
    /// The cells of one corner.
    pub fn cells(&self, index: usize, [x, y]: [f32; 2]) -> Vec<Cell<'a>> {
        let corner = Cell::Number(index as f64);
        vec![Cell::Text(self.slot), Cell::Text(self.attachment), corner, Cell::Single(x), Cell::Single(y)]
    }
}

impl<'a> EventRow<'a> {
    pub fn cells(&self) -> Vec<Cell<'a>> {
        vec![
            Cell::Text(self.event),
            Cell::Number(self.int.into()),
            Cell::Single(self.float),
            Cell::Text(self.string),
            self.audio.map_or(Cell::Empty, Cell::Text),
            Cell::Single(self.volume),
            Cell::Single(self.balance),
        ]
    }
}
