//! Uncompressed pictures for video encoders: raw RGBA and y4m.

use std::io::Write;

use super::job::ClipJob;
use crate::draw::Picture;
use crate::export::error::ExportError;
use crate::math::color::over;

/// Writes the rows of every picture as RGBA, without headers. Returns false if cancelled.
pub fn write_raw(job: &mut ClipJob<'_, '_>, out: &mut (dyn Write + Send)) -> Result<bool, ExportError> {
    let surface = job.sequence.surface;
    let pixels = |picture: &mut Picture| {
        surface.finish(picture);
        picture.pixels().to_vec()
    };
    job.stream(pixels, |pixels| out.write_all(&pixels))
}

/// Writes [YUV4MPEG2](https://wiki.multimedia.cx/index.php/YUV4MPEG2) with full chroma: eight bits, 4:4:4. Returns false
/// if cancelled.
///
/// The colours are BT.601 with limited range, the default of the format. The range is still declared; the format
/// has no field for the matrix.
pub fn write_y4m(job: &mut ClipJob<'_, '_>, out: &mut (dyn Write + Send)) -> Result<bool, ExportError> {
    let [width, height] = job.size();
    let (rate, seconds) = job.clip.rate.fraction();
    let header = format!("YUV4MPEG2 W{width} H{height} F{rate}:{seconds} Ip A1:1 C444 XCOLORRANGE=LIMITED\n");
    out.write_all(header.as_bytes()).map_err(job.failed())?;
    let [r, g, b] = job.matte();
    let planes = |picture: &mut Picture| frame_of(picture.pixels(), [r, g, b, 255]);
    job.stream(planes, |planes| out.write_all(&planes))
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
