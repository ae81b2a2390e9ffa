//! A picture and its placement → the same picture in the size of a view.

use crate::draw::{Picture, View};
use crate::export::options::BackgroundFit;

/// Returns `picture`, premultiplied, as large as `view`, placed by `fit`. What it does not cover is transparent.
pub fn fitted(picture: &Picture, fit: BackgroundFit, view: &View) -> Picture {
    let sizes = [picture.width(), picture.height(), view.width(), view.height()];
    let mut to = Picture::default();
    to.reset(view.width(), view.height());
    if sizes.contains(&0) {
        return to;
    }
    let [own_width, own_height, width, height] = sizes.map(f64::from);
    let scales = [width / own_width, height / own_height];
    let amid = |scale: f64| {
        let place = |own: f64, side: f64| [(side - own * scale) / 2.0, own * scale];
        [place(own_width, width), place(own_height, height)]
    };
    let [across, down] = match fit {
        BackgroundFit::Cover => amid(scales[0].max(scales[1])),
        BackgroundFit::Contain => amid(scales[0].min(scales[1])),
        BackgroundFit::Tile => {
            tile(picture, &mut to);
            return to;
        }
        BackgroundFit::Rect(rect) => {
            let [a, b] = [rect.min, rect.max].map(|corner| view.pixel_from_world(corner).as_dvec2());
            let side = |a: f64, b: f64| [a.min(b), (b - a).abs()];
            [side(a.x, b.x), side(a.y, b.y)]
        }
    };
    scale(picture, across, down, &mut to);
    to
}

fn tile(picture: &Picture, to: &mut Picture) {
    let (row, width) = (picture.width() as usize * 4, to.width() as usize * 4);
    let rows = picture.pixels().chunks_exact(row).cycle();
    for (to, from) in to.pixels_mut().chunks_exact_mut(width).zip(rows) {
        to.chunks_mut(row).for_each(|part| part.copy_from_slice(&from[..part.len()]));
    }
}

/// The pixels of a picture that one pixel of the result mixes, along one side: the first one, and their shares.
struct Taps {
    first: usize,
    shares: Vec<f32>,
}

/// Returns the taps of `count` pixels for a picture whose side of `own` pixels is `length` pixels long from `start`:
/// linear between pixels if it is enlarged, and a mean over all pixels if it is reduced. Pixels beside it have none.
fn taps(own: u32, [start, length]: [f64; 2], count: u32) -> Vec<Taps> {
    let step = f64::from(own) / length;
    let reach = step.max(1.0);
    let of = |index: u32| {
        let at = (f64::from(index) + 0.5 - start) * step;
        if !(0.0..f64::from(own)).contains(&at) {
            return Taps { first: 0, shares: Vec::new() };
        }
        let first = (at - reach).floor().max(0.0) as usize;
        let end = ((at + reach).ceil() as usize).min(own as usize);
        let share = |tap: usize| (1.0 - (tap as f64 + 0.5 - at).abs() / reach).max(0.0);
        let sum: f64 = (first..end).map(share).sum();
        Taps { first, shares: (first..end).map(|tap| (share(tap) / sum) as f32).collect() }
    };
    (0..count).map(of).collect()
}

/// Draws a picture at these places, each a start and a length in pixels.
fn scale(picture: &Picture, across: [f64; 2], down: [f64; 2], to: &mut Picture) {
    let (own_row, row) = (picture.width() as usize, to.width() as usize);
    let (columns, rows) = (taps(picture.width(), across, to.width()), taps(picture.height(), down, to.height()));
    let pixels = picture.pixels().as_chunks::<4>().0;
    let mut mixed = vec![[0f32; 4]; own_row];
    for (to, Taps { first, shares }) in to.pixels_mut().as_chunks_mut::<4>().0.chunks_exact_mut(row).zip(rows) {
        if shares.is_empty() {
            continue;
        }
        mixed.fill([0.0; 4]);
        for (from, share) in pixels[first * own_row..].chunks_exact(own_row).zip(shares) {
            mixed.iter_mut().zip(from).for_each(|(sum, pixel)| add(sum, pixel.map(f32::from), share));
        }
        for (to, Taps { first, shares }) in to.iter_mut().zip(&columns) {
            let mut sum = [0.0; 4];
            mixed[*first..].iter().zip(shares).for_each(|(pixel, share)| add(&mut sum, *pixel, *share));
            *to = sum.map(|channel| (channel + 0.5) as u8);
        }
    }
}

fn add(sum: &mut [f32; 4], pixel: [f32; 4], share: f32) {
    sum.iter_mut().zip(pixel).for_each(|(sum, channel)| *sum += channel * share);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Rect, vec2};

    fn picture(width: u32, height: u32, pixel: impl Fn(u32, u32) -> [u8; 4]) -> Picture {
        let mut picture = Picture::default();
        picture.reset(width, height);
        picture.lay_over(pixel);
        picture
    }

    fn view(width: u32, height: u32) -> View {
        View::new(width, height, vec2(0.0, f32::from(height as u16)), 1.0)
    }

    #[test]
    fn a_picture_of_the_right_size_is_the_same_in_every_fit() {
        let own = picture(5, 3, |x, y| [x as u8 * 50, y as u8 * 100, 7, 255]);
        let rect = Rect::from_min_size(vec2(0.0, 0.0), vec2(5.0, 3.0));
        for fit in [BackgroundFit::Cover, BackgroundFit::Contain, BackgroundFit::Tile, BackgroundFit::Rect(rect)] {
            assert!(fitted(&own, fit, &view(5, 3)) == own, "{fit:?}");
        }
    }

    #[test]
    fn cover_cuts_off_and_contain_leaves_free() {
        let halves = picture(4, 2, |x, _| if x < 2 { [200, 0, 0, 255] } else { [0, 0, 200, 255] });
        let covered = fitted(&halves, BackgroundFit::Cover, &view(4, 4));
        assert_eq!((covered.pixel(0, 0), covered.pixel(3, 3)), ([200, 0, 0, 255], [0, 0, 200, 255]));
        assert!(covered.pixels().chunks(4).all(|pixel| pixel[3] == 255));
        let contained = fitted(&halves, BackgroundFit::Contain, &view(4, 4));
        assert_eq!((contained.pixel(0, 0), contained.pixel(0, 3)), ([0; 4], [0; 4]));
        assert_eq!((contained.pixel(0, 1), contained.pixel(3, 2)), ([200, 0, 0, 255], [0, 0, 200, 255]));
    }

    #[test]
    fn a_reduced_picture_is_a_mean_and_keeps_its_edges() {
        let stripes = picture(64, 64, |x, _| if x % 2 == 0 { [255; 4] } else { [0, 0, 0, 255] });
        let small = fitted(&stripes, BackgroundFit::Cover, &view(8, 8));
        assert!(small.pixels().chunks(4).all(|pixel| pixel[0].abs_diff(128) <= 6 && pixel[3] == 255));
        let plain = picture(3, 7, |_, _| [10, 20, 30, 255]);
        for fit in [BackgroundFit::Cover, BackgroundFit::Tile] {
            let large = fitted(&plain, fit, &view(50, 40));
            assert!(large.pixels().chunks(4).all(|pixel| pixel == [10, 20, 30, 255]), "{fit:?}");
        }
    }

    #[test]
    fn a_rectangle_of_the_world_moves_with_the_view() {
        let red = picture(2, 2, |_, _| [255, 0, 0, 255]);
        let rect = Rect::from_min_size(vec2(1.0, 1.0), vec2(2.0, 1.0));
        let placed = fitted(&red, BackgroundFit::Rect(rect), &View::new(8, 8, vec2(0.0, 4.0), 2.0));
        let is_red = |x, y| placed.pixel(x, y) == [255, 0, 0, 255];
        assert!((0..8).all(|y| (0..8).all(|x| is_red(x, y) == ((2..6).contains(&x) && (4..6).contains(&y)))));
        let outside = Rect::from_min_size(vec2(90.0, 1.0), vec2(2.0, 1.0));
        assert!(fitted(&red, BackgroundFit::Rect(outside), &view(3, 3)).pixels().iter().all(|byte| *byte == 0));
    }

    #[test]
    fn tiles_repeat_from_the_upper_left_corner() {
        let own = picture(3, 2, |x, y| [x as u8, y as u8, 0, 255]);
        let tiled = fitted(&own, BackgroundFit::Tile, &view(8, 5));
        assert!((0..5).all(|y| (0..8).all(|x| tiled.pixel(x, y) == [(x % 3) as u8, (y % 2) as u8, 0, 255])));
    }
}
