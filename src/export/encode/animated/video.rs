//! Uncompressed pictures for video encoders: raw RGBA and y4m.

use super::clip::{Clip, Outcome};
use crate::Error;
use crate::draw::Picture;
use crate::export::encode::destination::Destination;
use crate::export::error::ExportError;
use crate::export::frames::{Drawing, Sequence};
use crate::export::options::{Alpha, Surface, WHITE};
use crate::math::color::over;

/// Writes the rows of every picture as RGBA, without headers.
pub fn write_raw(
    sequence: &Sequence<'_>,
    drawing: &mut Drawing<'_>,
    clip: &Clip<'_>,
    destination: Destination<'_>,
) -> Result<Outcome, ExportError> {
    let pixels = |picture: &mut Picture| {
        sequence.surface.finish(picture);
        picture.pixels().to_vec()
    };
    write(sequence, drawing, clip, destination, &pixels)
}

/// Writes [YUV4MPEG2](https://wiki.multimedia.cx/index.php/YUV4MPEG2) with full chroma: eight bits, 4:4:4.
///
/// The colours are BT.601 with limited range, the default of the format. The range is still declared; the format
/// has no field for the matrix.
pub fn write_y4m(
    sequence: &Sequence<'_>,
    drawing: &mut Drawing<'_>,
    clip: &Clip<'_>,
    destination: Destination<'_>,
) -> Result<Outcome, ExportError> {
    let (width, height) = (sequence.view.width(), sequence.view.height());
    let (rate, seconds) = clip.rate.fraction();
    let header = format!("YUV4MPEG2 W{width} H{height} F{rate}:{seconds} Ip A1:1 C444 XCOLORRANGE=LIMITED\n");
    let failed = |error| ExportError::File(Error::io(destination.place, error));
    destination.out.write_all(header.as_bytes()).map_err(failed)?;
    let [r, g, b] = clip.matte.unwrap_or(WHITE);
    let planes = |picture: &mut Picture| {
        Surface { alpha: Alpha::Premultiplied, ..sequence.surface }.finish(picture);
        frame_of(picture.pixels(), [r, g, b, 255])
    };
    write(sequence, drawing, clip, destination, &planes)
}

fn write(
    sequence: &Sequence<'_>,
    drawing: &mut Drawing<'_>,
    clip: &Clip<'_>,
    Destination { place, out, picture_done }: Destination<'_>,
    bytes: &(dyn Fn(&mut Picture) -> Vec<u8> + Sync),
) -> Result<Outcome, ExportError> {
    let encode = |_: usize, picture: &mut Picture| Ok(bytes(picture));
    let mut write = |bytes: Vec<u8>| {
        picture_done();
        out.write_all(&bytes).map_err(|error| ExportError::File(Error::io(place, error)))
    };
    let is_finished = sequence.stream(drawing, clip.cues, &encode, &mut write)?;
    Ok(Outcome { is_finished, ..Outcome::default() })
}

/// Returns premultiplied pixels over an opaque colour as one frame: the `FRAME` line, then the planes.
fn frame_of(pixels: &[u8], matte: [u8; 4]) -> Vec<u8> {
    const LINE: &[u8] = b"FRAME\n";
    let pixels = pixels.as_chunks::<4>().0;
    let mut frame = vec![0; LINE.len() + 3 * pixels.len()];
    let (line, planes) = frame.split_at_mut(LINE.len());
    line.copy_from_slice(LINE);
    let (luma, chroma) = planes.split_at_mut(pixels.len());
    let (blue, red) = chroma.split_at_mut(pixels.len());
    let converted = |pixel: [u8; 4]| (pixel, ycbcr(over(pixel, matte)));
    // Most of a picture is one colour.
    let mut last = converted([0; 4]);
    for (((pixel, y), cb), cr) in pixels.iter().zip(luma).zip(blue).zip(red) {
        if *pixel != last.0 {
            last = converted(*pixel);
        }
        [*y, *cb, *cr] = last.1;
    }
    frame
}

/// Converts to BT.601 with luma from 16 to 235 and chroma from 16 to 240, rounded to nearest.
#[inline]
fn ycbcr([r, g, b, _]: [u8; 4]) -> [u8; 3] {
    // In 65536ths: 0.299, 0.587 and 0.114 scaled by 219/255, and their differences from blue and red scaled by
    // 224/255. The last two rows each add up to 0, so that grey has no chroma.
    const ROWS: [([i32; 3], i32); 3] =
        [([16829, 33039, 6416], 16), ([-9714, -19070, 28784], 128), ([28784, -24103, -4681], 128)];
    let rgb = [r, g, b].map(i32::from);
    ROWS.map(|(row, zero)| {
        let sum: i32 = (0..3).map(|i| row[i] * rgb[i]).sum();
        (((sum + (1 << 15)) >> 16) + zero) as u8
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_those_of_bt_601() {
        for (rgb, expected) in [
            ([0, 0, 0], [16, 128, 128]),
            ([255, 255, 255], [235, 128, 128]),
            ([255, 0, 0], [81, 90, 240]),
            ([0, 255, 0], [145, 54, 34]),
            ([0, 0, 255], [41, 240, 110]),
        ] {
            let [r, g, b] = rgb;
            assert_eq!(ycbcr([r, g, b, 255]), expected, "{rgb:?}");
        }
        for grey in 0..=255 {
            assert_eq!(ycbcr([grey, grey, grey, 255])[1..], [128, 128]);
        }
    }
}
