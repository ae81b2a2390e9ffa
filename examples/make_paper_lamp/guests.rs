//! The second page: a moth that flaps its wings in four pictures, trimmed at the sides, and a rotated pull cord.

use tiny_skia::Transform;

use super::INK;

/// Width and height of the page in pixels.
pub const SIZE: [u32; 2] = [80, 34];

/// Size of each picture of the moth.
pub const MOTH: [f32; 2] = [24.0, 20.0];

/// Size of the cord.
pub const CORD: [f32; 2] = [10.0, 34.0];

/// How far the wings of each picture are spread.
pub const SPREADS: [f32; 4] = [1.0, 0.7, 0.35, 0.7];

/// A picture on the page.
pub struct Guest {
    pub name: String,
    pub at: [f32; 2],
    /// Size after trimming, before rotation.
    size: [f32; 2],
    /// Size before trimming.
    whole: [f32; 2],
    is_rotated: bool,
    /// Polygons in pixels from the upper-left corner of the untrimmed picture, and their colours.
    pub shapes: Vec<(Vec<[f32; 2]>, [u8; 3])>,
}

impl Guest {
    /// Maps the untrimmed picture to the page.
    pub fn transform(&self) -> Transform {
        let [left, top] = self.at;
        if self.is_rotated {
            // Counter-clockwise, so its top is on the left.
            return Transform::from_row(0.0, -1.0, 1.0, 0.0, left, top + self.size[0]);
        }
        Transform::from_translate(left - (self.whole[0] - self.size[0]) / 2.0, top)
    }

    /// Its entry in the atlas.
    pub fn entry(&self) -> String {
        let Self { name, at: [x, y], size: [width, height], whole, is_rotated, .. } = self;
        let mut entry = format!("{name}\n\tbounds: {x}, {y}, {width}, {height}\n");
        if whole != &self.size {
            let trimmed = (whole[0] - width) / 2.0;
            entry += &format!("\toffsets: {trimmed}, 0, {}, {}\n", whole[0], whole[1]);
        }
        if *is_rotated {
            entry += "\trotate: 90\n";
        }
        entry
    }
}

/// All pictures of the page.
pub fn guests() -> Vec<Guest> {
    let mut guests = Vec::new();
    let mut left = 1.0;
    for (number, spread) in (1..).zip(SPREADS) {
        // One more than the tip of a wing.
        let width = 2.0 * ((11.0 * spread).ceil() + 1.0);
        let size = [width, MOTH[1]];
        let name = format!("moth{number:02}");
        guests.push(Guest { name, at: [left, 1.0], size, whole: MOTH, is_rotated: false, shapes: moth(spread) });
        left += width + 2.0;
    }
    let name = "cord".to_owned();
    guests.push(Guest { name, at: [1.0, 23.0], size: CORD, whole: CORD, is_rotated: true, shapes: cord() });
    guests
}

fn moth(spread: f32) -> Vec<(Vec<[f32; 2]>, [u8; 3])> {
    const WINGS: [(&[[f32; 2]], [u8; 3]); 2] = [
        (
            &[
                [0.0, 7.0],
                [8.0, 1.0],
                [11.0, 3.0],
                [10.0, 10.0],
                [6.5, 11.0],
                [8.0, 16.0],
                [4.0, 18.0],
                [0.0, 13.0],
            ],
            INK,
        ),
        (
            &[[0.0, 9.0], [8.0, 3.0], [9.5, 4.0], [8.5, 9.0], [4.5, 10.5], [6.0, 15.0], [4.0, 16.0], [0.0, 12.0]],
            [232, 222, 200],
        ),
    ];
    const BODY: [[f32; 2]; 6] = [[10.5, 4.0], [13.5, 4.0], [14.0, 8.0], [13.0, 17.0], [11.0, 17.0], [10.0, 8.0]];
    let wing = |side: f32| {
        let point = move |[x, y]: &[f32; 2]| [12.0 + side * spread * x, *y];
        WINGS.map(|(corners, color)| (corners.iter().map(point).collect(), color))
    };
    wing(-1.0).into_iter().chain(wing(1.0)).chain([(BODY.to_vec(), [116, 92, 84])]).collect()
}

fn cord() -> Vec<(Vec<[f32; 2]>, [u8; 3])> {
    let knob = |inset: f32| {
        let [left, right, top, bottom] = [1.0 + inset, 9.0 - inset, 24.0 + inset, 33.0 - inset];
        vec![[left + 2.0, top], [right - 2.0, top], [right, bottom], [left, bottom]]
    };
    let line = vec![[4.0, 0.0], [6.0, 0.0], [6.0, 25.0], [4.0, 25.0]];
    vec![(line, INK), (knob(0.0), INK), (knob(1.75), [206, 72, 60])]
}
