//! The columns of each kind of rows, in tables.

use super::What;
use pchr::outline::{BoneRow, BoxRow, EventRow, SlotRow};

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

pub fn of_bone<'a>(row: &BoneRow<'a>) -> Vec<Cell<'a>> {
    let ([x, y], [scale_x, scale_y], [a, b, c, d, ..]) = (row.position, row.scale, row.matrix);
    let numbers = [x, y, row.rotation, scale_x, scale_y, row.shear, a, b, c, d];
    [Cell::Text(row.bone)].into_iter().chain(numbers.map(Cell::Single)).collect()
}

pub fn of_slot<'a>(row: &SlotRow<'a>) -> Vec<Cell<'a>> {
    let text = |text: Option<&'a str>| text.map_or(Cell::Empty, Cell::Text);
    let dark = (0..3).map(|channel| row.dark.map_or(Cell::Empty, |dark| Cell::Single(dark[channel])));
    let names = [Cell::Text(row.slot), text(row.attachment), text(row.bone)];
    names.into_iter().chain(row.color.map(Cell::Single)).chain(dark).collect()
}

/// The cells of one corner of a hit box.
pub fn of_corner<'a>(row: &BoxRow<'a>, index: usize, [x, y]: [f32; 2]) -> Vec<Cell<'a>> {
    let corner = Cell::Number(index as f64);
    vec![Cell::Text(row.slot), Cell::Text(row.attachment), corner, Cell::Single(x), Cell::Single(y)]
}

pub fn of_event<'a>(row: &EventRow<'a>) -> Vec<Cell<'a>> {
    vec![
        Cell::Text(row.event),
        Cell::Number(row.int.into()),
        Cell::Single(row.float),
        Cell::Text(row.string),
        row.audio.map_or(Cell::Empty, Cell::Text),
        Cell::Single(row.volume),
        Cell::Single(row.balance),
    ]
}
