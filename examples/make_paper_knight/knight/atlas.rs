//! Sheets → one picture, packed in shelves from the tallest sheet to the lowest, with a transparent gap around
//! each.

use super::colors::{self, Indexed};
use super::paper::Sheet;

/// Width and height in texels.
pub const SIZE: usize = 1024;
/// Transparent texels between sheets and at the border.
const GAP: usize = 3;

/// Position of each sheet, and the picture in straight RGBA.
pub struct Atlas {
    /// Left and top texel of each sheet, in input order.
    pub places: Vec<[usize; 2]>,
    pub rgba: Vec<u8>,
}

/// Packs all sheets. Panics if they do not fit.
pub fn pack(sheets: &[Sheet]) -> Atlas {
    let mut order: Vec<usize> = (0..sheets.len()).collect();
    order.sort_by_key(|&index| (std::cmp::Reverse(sheets[index].height), index));
    let mut places = vec![[0, 0]; sheets.len()];
    let mut rgba = vec![0; SIZE * SIZE * 4];
    // Shelves as top, height and used width; a sheet takes the first where it fits.
    let mut shelves: Vec<[usize; 3]> = Vec::new();
    for index in order {
        let sheet = &sheets[index];
        let fits = |shelf: &&mut [usize; 3]| shelf[1] >= sheet.height && shelf[2] + sheet.width + GAP <= SIZE;
        let place = match shelves.iter_mut().find(fits) {
            Some(shelf) => {
                let place = [shelf[2], shelf[0]];
                shelf[2] += sheet.width + GAP;
                place
            }
            None => {
                let top = shelves.last().map_or(GAP, |shelf| shelf[0] + shelf[1] + GAP);
                assert!(top + sheet.height + GAP <= SIZE, "the atlas is full");
                shelves.push([top, sheet.height, GAP + sheet.width + GAP]);
                [GAP, top]
            }
        };
        for row in 0..sheet.height {
            let to = ((place[1] + row) * SIZE + place[0]) * 4;
            let from = row * sheet.width * 4;
            rgba[to..to + sheet.width * 4].copy_from_slice(&sheet.rgba[from..from + sheet.width * 4]);
        }
        places[index] = place;
    }
    Atlas { places, rgba }
}

/// Encodes the picture as a PNG with a palette.
pub fn png(rgba: &[u8]) -> Vec<u8> {
    let Indexed { palette, pixels } = colors::reduce(rgba);
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, SIZE as u32, SIZE as u32);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_palette(palette.iter().flat_map(|color| [color[0], color[1], color[2]]).collect::<Vec<u8>>());
    encoder.set_trns(palette.iter().map(|color| color[3]).collect::<Vec<u8>>());
    // Filters are useless for palette indices.
    encoder.set_compression(png::Compression::High);
    encoder.set_filter(png::Filter::NoFilter);
    encoder
        .write_header()
        .and_then(|mut writer| writer.write_image_data(&pixels))
        .expect("writing to memory does not fail");
    bytes
}
