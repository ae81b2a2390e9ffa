//! Animated output of `pchr-view`: other decoders see the same frames as the PNG sequence.

use std::fs;
use std::io::{Cursor, Read};
use std::path::Path;
use std::process::Stdio;

#[cfg(target_os = "linux")]
use crate::common::memory::peak_kib;
use crate::common::viewer_bench::Bench;
use serde_json::Value;

/// Renders a PNG sequence with the same options and returns its pixels with straight alpha.
fn pngs(bench: &Bench, args: &str) -> Vec<Vec<u8>> {
    bench.pngs(args).iter().map(|png| apng(png).frames.remove(0)).collect()
}

/// The contents of an animated picture, as another decoder sees them.
#[derive(Debug, Default)]
struct Found {
    size: (u32, u32),
    /// What is shown, as straight RGBA.
    frames: Vec<Vec<u8>>,
    /// Left, top, width and height of the stored part of each frame.
    areas: Vec<[u32; 4]>,
    /// Frames that are drawn over the one before.
    overlays: Vec<usize>,
    /// Frame durations in milliseconds, rounded as stored.
    durations: Vec<f64>,
    /// Number of plays; 0 for infinitely many.
    plays: u32,
}

impl Found {
    /// Shows the last picture with the pixels of an area replaced, except by transparent ones if `is_over`.
    fn show(&mut self, area: [u32; 4], pixels: &[u8], is_over: bool) {
        let [width, height] = [self.size.0, self.size.1].map(|side| side as usize);
        let mut canvas = self.frames.last().cloned().unwrap_or_else(|| vec![0; width * height * 4]);
        let [left, top, w, h] = area.map(|side| side as usize);
        assert!(left + w <= width && top + h <= height, "{area:?} is in the picture");
        for (index, pixel) in pixels.as_chunks::<4>().0.iter().enumerate() {
            assert!(!is_over || matches!(pixel[3], 0 | 255), "overlays are exact");
            if !is_over || pixel[3] == 255 {
                canvas[4 * ((top + index / w) * width + left + index % w)..][..4].copy_from_slice(pixel);
            }
        }
        if is_over {
            self.overlays.push(self.frames.len());
        }
        self.frames.push(canvas);
        self.areas.push(area);
    }
}

fn apng(bytes: &[u8]) -> Found {
    let mut reader = png::Decoder::new(Cursor::new(bytes)).read_info().expect("a PNG");
    let (count, plays) = match reader.info().animation_control() {
        Some(control) => (control.num_frames, control.num_plays),
        None => (1, 1),
    };
    let size = (reader.info().width, reader.info().height);
    let mut found = Found { size, plays, ..Found::default() };
    for _ in 0..count {
        let mut pixels = vec![0; reader.output_buffer_size().expect("a small picture")];
        let info = reader.next_frame(&mut pixels).expect("a whole frame");
        pixels.truncate(info.buffer_size());
        let control = reader.info().frame_control().copied();
        let area = control.map_or([0, 0, size.0, size.1], |control| {
            assert_eq!(control.dispose_op, png::DisposeOp::None);
            [control.x_offset, control.y_offset, control.width, control.height]
        });
        let is_over = control.is_some_and(|control| control.blend_op == png::BlendOp::Over);
        found.show(area, &pixels, is_over);
        found
            .durations
            .extend(control.map(|control| f64::from(control.delay_num) * 1000.0 / f64::from(control.delay_den)));
    }
    found
}

fn webp(bytes: &[u8]) -> Found {
    let mut decoder = image_webp::WebPDecoder::new(Cursor::new(bytes)).expect("a WebP");
    assert!(decoder.is_animated() && decoder.has_alpha());
    let plays = match decoder.loop_count() {
        image_webp::LoopCount::Forever => 0,
        image_webp::LoopCount::Times(times) => u32::from(times.get()),
    };
    let mut found = Found { size: decoder.dimensions(), plays, ..Found::default() };
    for _ in 0..decoder.num_frames() {
        let mut pixels = vec![0; decoder.output_buffer_size().expect("a small picture")];
        found.durations.push(decoder.read_frame(&mut pixels).expect("a whole frame").into());
        found.frames.push(pixels);
    }
    found
}

fn gif(bytes: &[u8]) -> Found {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(Cursor::new(bytes)).expect("a GIF");
    let size = (u32::from(decoder.width()), u32::from(decoder.height()));
    let mut found = Found { size, ..Found::default() };
    let mut is_removed = false;
    while let Some(frame) = decoder.read_next_frame().expect("a whole frame") {
        assert!(frame.palette.is_none(), "all frames share one palette");
        let area = [frame.left, frame.top, frame.width, frame.height].map(u32::from);
        if is_removed {
            // Only whole frames are removed.
            found.frames.push(vec![0; found.frames[0].len()]);
        }
        found.show(area, &frame.buffer, true);
        if is_removed {
            found.frames.remove(found.frames.len() - 2);
        }
        is_removed = frame.dispose == gif::DisposalMethod::Background;
        assert!(!is_removed || area == [0, 0, size.0, size.1]);
        assert!(is_removed || frame.dispose == gif::DisposalMethod::Keep);
        found.durations.push(f64::from(frame.delay) * 10.0);
    }
    // The decoder returns 0 repetitions if the file does not specify any, which means one play.
    found.plays = match decoder.repeat() {
        gif::Repeat::Infinite => 0,
        gif::Repeat::Finite(again) => u32::from(again) + 1,
    };
    found
}

/// Value of `--format` and the decoder.
type Format = (&'static str, fn(&[u8]) -> Found);

/// The lossless formats and their decoders.
const LOSSLESS: [Format; 2] = [("apng", apng), ("webp", webp)];
/// All animated formats.
const FILES: [Format; 3] = [("apng", apng), ("gif", gif), ("webp", webp)];
/// Formats without a container.
const STREAMS: [&str; 2] = ["raw", "y4m"];

#[track_caller]
fn assert_same(found: &[Vec<u8>], expected: &[Vec<u8>], what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (index, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert!(found == expected, "{what}: frame {index} differs");
    }
}

#[test]
fn lossless_pictures_have_the_pixels_of_the_pngs() {
    let bench = Bench::new();
    for options in ["-a walk", "-a walk -s 61x40 -b #20406080", "-a jump -s 50 --alpha premultiplied --fit all"] {
        let expected = pngs(&bench, &format!("knight.pchr -f all {options}"));
        assert!(expected.len() > 20);
        for (format, decode) in LOSSLESS {
            bench.run(&format!("knight.pchr {options} -o a.{format} --force"), 0);
            assert_same(
                &decode(&bench.read(&format!("a.{format}"))).frames,
                &expected,
                &format!("{options} {format}"),
            );
        }
    }
}

#[test]
fn gif_colours_are_close_to_the_pngs() {
    let bench = Bench::new();
    let expected = pngs(&bench, "knight.pchr -a walk -f all");
    let message = bench.stderr("knight.pchr -a walk -o a.gif", 0);
    assert!(message.contains("partial-alpha") && message.contains("--matte"), "{message}");
    let found = gif(&bench.read("a.gif"));
    assert_eq!(found.frames.len(), expected.len());
    let (mut sum, mut count, mut worst) = (0u64, 0u64, 0);
    for (found, expected) in found.frames.iter().zip(&expected) {
        for (found, expected) in found.as_chunks::<4>().0.iter().zip(expected.as_chunks::<4>().0) {
            assert_eq!(found[3], if expected[3] >= 128 { 255 } else { 0 }, "{expected:?}");
            if found[3] == 255 {
                let off = (0..3).map(|i| found[i].abs_diff(expected[i])).max().unwrap_or(0);
                (sum, count, worst) = (sum + u64::from(off), count + 1, worst.max(off));
            }
        }
    }
    // 255 colours for the shading of the paper: two steps on average are invisible, and no pixel changes its hue.
    assert!(sum <= 3 * count && worst <= 40, "{} on average, {worst} at worst", sum as f64 / count as f64);
    assert!(count > 100_000);

    // With few colours the result is exact.
    let expected = pngs(&bench, "knight.pchr -a walk -f 0..3 -s 20 --fit 0,100,10,10 -b #336699");
    assert_same(
        &{
            bench.run("knight.pchr -a walk -f 0..3 -s 20 --fit 0,100,10,10 -b #336699 -o few.gif -q", 0);
            gif(&bench.read("few.gif")).frames
        },
        &expected,
        "few colours",
    );
}

#[test]
fn partly_transparent_pixels_are_blended_with_the_matte() {
    let bench = Bench::new();
    let pngs = pngs(&bench, "knight.pchr -a walk -f 0..2 -s 60 --antialias ssaa4");
    let message = bench.stderr("knight.pchr -a walk -f 0..2 -s 60 --antialias ssaa4 --matte #ff00ff -o a.gif", 0);
    assert!(!message.contains("warning"), "{message}");
    let found = gif(&bench.read("a.gif"));
    let mut mixed = 0;
    for (found, png) in found
        .frames
        .iter()
        .flatten()
        .zip(pngs.iter().flatten())
        .collect::<Vec<_>>()
        .chunks(4)
        .map(|p| (std::array::from_fn::<u8, 4, _>(|i| *p[i].0), std::array::from_fn::<u8, 4, _>(|i| *p[i].1)))
    {
        assert_eq!(found[3], if png[3] == 0 { 0 } else { 255 });
        if (1..255).contains(&png[3]) {
            let a = i32::from(png[3]);
            let on_matte = [255, 0, 255].iter().zip(png).map(|(m, c)| (m * (255 - a) + i32::from(c) * a) / 255);
            let off = on_matte.zip(found).map(|(c, found)| (c - i32::from(found)).abs()).max().unwrap_or(0);
            assert!(off <= 60, "{png:?} became {found:?}");
            mixed += 1;
        }
    }
    assert!(mixed > 100, "only {mixed} pixels were mixed");
    // One warning a run, however many files there are.
    let message = bench.stderr("knight.pchr -a walk -a wave -s 60 -o {animation}.gif", 0);
    assert_eq!(message.matches("partial-alpha").count(), 1, "{message}");
    assert!(message.contains("(files affected: 2)"), "{message}");
    // No warning with an opaque background.
    let message = bench.stderr("knight.pchr -a walk -b white -s 60 --antialias ssaa4 -o b.gif", 0);
    assert!(!message.contains("warning"), "{message}");
    assert!(bench.stderr("knight.pchr -a walk -s 9 --speed 3 -b white -o c.gif", 0).contains("gif-too-fast"));
}

/// Returns the average difference of means of eight by eight opaque pixels.
fn mean_difference(found: &[u8], expected: &[u8], width: usize) -> f64 {
    let mean = |pixels: &[u8], [left, top]: [usize; 2]| {
        let mut sums = [0_u32; 4];
        for (y, x) in (top..top + 8).flat_map(|y| (left..left + 8).map(move |x| (y, x))) {
            let pixel = &pixels[4 * (y * width + x)..][..4];
            sums.iter_mut().zip(pixel).for_each(|(sum, channel)| *sum += u32::from(*channel));
        }
        sums.map(|sum| f64::from(sum) / 64.0)
    };
    let height = found.len() / 4 / width;
    let corners = (0..height / 8).flat_map(|y| (0..width / 8).map(move |x| [8 * x, 8 * y]));
    let opaque = corners.filter(|corner| mean(expected, *corner)[3] == 255.0);
    let off = opaque.map(|corner| {
        let (found, expected) = (mean(found, corner), mean(expected, corner));
        found.iter().zip(expected).map(|(found, expected)| (found - expected).abs()).fold(0.0, f64::max)
    });
    let off: Vec<f64> = off.collect();
    assert!(off.len() > 100);
    off.iter().sum::<f64>() / off.len() as f64
}

#[test]
fn dithered_gradients_have_the_right_mean() {
    let bench = Bench::new();
    // Two ramps of more than 255 colours together.
    let pixel = |x: u32, y: u32| image::Rgba([x as u8, y as u8 * 2, 255 - x as u8, 255]);
    image::RgbaImage::from_fn(256, 128, pixel).save(bench.path("ramp.png")).expect("written");
    let options = "ramp.png --grid 256x128 --fps 1 --size 256x128 --padding 0 --filter nearest --antialias none";
    let expected = pngs(&bench, &format!("{options} -f all")).concat();
    let shown = |more: &str, name: &str| {
        bench.run(&format!("{options} {more} -o {name}"), 0);
        let gif = gif(&bench.read(name));
        assert_eq!(gif.frames.len(), 1);
        mean_difference(&gif.frames.concat(), &expected, 256)
    };
    let (plain, dithered) = (shown("", "plain.gif"), shown("--dither", "dithered.gif"));
    // What remains is at the edges of the ramps: no mixture is brighter than the brightest colour of the palette.
    assert!(dithered < 0.5 * plain, "dithered it is off by {dithered}, plain by {plain}");
    // Few colours stay as they are.
    bench.run("knight.pchr -a walk -f 0..3 -s 20 --fit 0,100,10,10 -b #336699 -o a.gif", 0);
    bench.run("knight.pchr -a walk -f 0..3 -s 20 --fit 0,100,10,10 -b #336699 --dither -o b.gif", 0);
    assert!(bench.read("a.gif") == bench.read("b.gif"));
}

#[test]
fn only_what_changes_is_stored() {
    let bench = Bench::new();
    // Five pictures: patterned, two small changes, no change, a hole instead, and the pattern again.
    let pixel = |x: u32, y: u32| {
        let (frame, x) = (x / 32, x % 32);
        let is_in = |[left, top]: [u32; 2]| (left..left + 3).contains(&x) && (top..top + 2).contains(&y);
        match frame {
            1 | 2 if is_in([5, 7]) || is_in([25, 28]) => image::Rgba([255, 0, 0, 255]),
            3 if is_in([20, 11]) => image::Rgba([0; 4]),
            _ => image::Rgba([(x * y % 11 * 20) as u8, (x % 2 * 90) as u8, (y % 3 * 70) as u8, 255]),
        }
    };
    image::RgbaImage::from_fn(160, 32, pixel).save(bench.path("five.png")).expect("written");
    let options = "five.png --grid 32x32 --fps 10 -s 32x32 --padding 0 --filter nearest --antialias none";
    let expected = pngs(&bench, &format!("{options} -f all"));
    assert_eq!(expected.len(), 5);
    let whole = [0, 0, 32, 32];
    for (format, decode, areas) in [
        (
            "apng",
            apng as fn(&[u8]) -> Found,
            [whole, [5, 7, 23, 23], [0, 0, 1, 1], [5, 7, 23, 23], [20, 11, 3, 2]],
        ),
        // A hole cannot be drawn over the frame before, which is removed as a whole.
        ("gif", gif, [whole, [5, 7, 23, 23], whole, whole, [20, 11, 3, 2]]),
    ] {
        bench.run(&format!("{options} -o a.{format}"), 0);
        let found = decode(&bench.read(&format!("a.{format}")));
        assert_same(&found.frames, &expected, format);
        assert_eq!(found.areas, areas, "{format}");
        assert!(found.overlays.contains(&1) && (format == "gif" || !found.overlays.contains(&3)), "{format}");
    }
    bench.run(&format!("{options} -o a.webp"), 0);
    let bytes = bench.read("a.webp");
    assert_same(&webp(&bytes).frames, &expected, "webp");
    let frames = bytes.windows(4).enumerate().filter(|(_, name)| name == b"ANMF");
    // Halves of the corner, and the size less one, in three bytes each.
    let stored = frames.map(|(at, _)| [8, 11, 14, 17].map(|field| bytes[at + field])).collect::<Vec<_>>();
    assert_eq!(stored, [[0, 0, 31, 31], [2, 3, 23, 23], [0, 0, 0, 0], [2, 3, 23, 23], [10, 5, 2, 2]]);
}

#[test]
fn raw_output_has_the_pixels_of_the_pngs() {
    let bench = Bench::new();
    for options in ["-a walk -s 31x17", "-a walk -s 12 -b checker:2 --alpha premultiplied"] {
        let expected = pngs(&bench, &format!("knight.pchr -f all {options}"));
        let output = bench.run(&format!("knight.pchr {options} -o - --format raw"), 0);
        assert!(output.stdout == expected.concat(), "{options}");
        bench.run(&format!("knight.pchr {options} -o a.rgba --force"), 0);
        assert!(bench.read("a.rgba") == output.stdout);
    }
}

#[test]
fn y4m_of_an_odd_size_has_full_planes_on_the_matte() {
    let bench = Bench::new();
    let (width, height) = (31, 17);
    let pngs = pngs(&bench, "knight.pchr -a walk -f all -s 31x17");
    for (matte, option) in [([255.0; 3], ""), ([51.0, 102.0, 153.0], "--matte #336699")] {
        let bytes = bench.run(&format!("knight.pchr -a walk -s 31x17 {option} -o - --format y4m"), 0).stdout;
        let line = b"YUV4MPEG2 W31 H17 F24:1 Ip A1:1 C444 XCOLORRANGE=LIMITED\n";
        let frames = bytes.strip_prefix(&line[..]).expect("the header");
        let pixels = width * height;
        assert_eq!(frames.len(), 24 * (6 + 3 * pixels));
        for (frame, png) in frames.chunks(6 + 3 * pixels).zip(&pngs) {
            assert_eq!(&frame[..6], b"FRAME\n");
            let plane = |index: usize| &frame[6 + index * pixels..][..pixels];
            for (i, pixel) in png.as_chunks::<4>().0.iter().enumerate() {
                let a = f64::from(pixel[3]) / 255.0;
                let [r, g, b] = [0, 1, 2].map(|c| f64::from(pixel[c]) * a + matte[c] * (1.0 - a));
                // BT.601 limited range: luma has 219 steps, chroma 224.
                let luma = 0.299 * r + 0.587 * g + 0.114 * b;
                let expected = [
                    16.0 + luma * 219.0 / 255.0,
                    128.0 + (b - luma) / 1.772 * 224.0 / 255.0,
                    128.0 + (r - luma) / 1.402 * 224.0 / 255.0,
                ];
                for (index, expected) in expected.into_iter().enumerate() {
                    let found = f64::from(plane(index)[i]);
                    // Premultiplied colours with low alpha have already been rounded.
                    assert!(
                        (found - expected).abs() <= 1.6,
                        "{pixel:?}: plane {index} is {found}, not {expected}"
                    );
                }
            }
        }
    }
}

#[test]
fn durations_and_loops_match_the_animation() {
    let bench = Bench::new();
    for (format, decode) in FILES {
        let found = |options: &str| {
            bench.run(&format!("{options} -o a.{format} --force"), 0);
            decode(&bench.read(&format!("a.{format}")))
        };
        // 24 frames at 24 fps.
        let walk = found("knight.pchr -a walk -s 40");
        assert_eq!(walk.durations.len(), 24);
        assert_eq!(walk.durations.iter().sum::<f64>(), 1000.0, "{format}");
        assert!(walk.durations.iter().all(|ms| (ms - 1000.0 / 24.0).abs() < 10.0), "{format}");
        let fast = found("knight.pchr -a walk -s 40 --speed 2 -f 0..12");
        assert_eq!(fast.durations.iter().sum::<f64>(), 250.0, "{format}");
        assert_eq!((walk.plays, found("knight.pchr -a bind").plays), (0, 1), "{format}");
        for plays in [0, 1, 2, 7] {
            assert_eq!(found(&format!("knight.pchr -s 9 -a walk --loops {plays}")).plays, plays, "{format}");
        }
    }
}

#[test]
fn a_single_picture_is_an_animation_of_one() {
    let bench = Bench::new();
    for (format, decode) in FILES {
        bench.run(&format!("knight.pchr -a walk -t 0.1 -s 7x9 -o one.{format}"), 0);
        let found = decode(&bench.read(&format!("one.{format}")));
        assert_eq!((found.size, found.frames.len()), ((7, 9), 1), "{format}");
    }
}

#[test]
fn several_animations_are_several_files() {
    let bench = Bench::new();
    for (format, decode) in FILES {
        let message = bench.stderr(&format!("knight.pchr -a all -s 32 -o all.{format}"), 2);
        assert!(message.contains(&format!("-o 'all-{{animation}}.{format}'")), "{message}");
        assert!(!bench.is_there(&format!("all.{format}")));
        let message = bench.stderr(&format!("knight.pchr -o {{frame}}.{format}"), 2);
        assert!(message.contains("{animation}"), "{message}");
        bench.stderr(&format!("knight.pchr -a all -o - --format {format}"), 2);

        let output = bench.run(&format!("knight.pchr -a all -s 32 -o out/{{animation}}.{format} --json"), 0);
        let json: Value = serde_json::from_slice(&output.stdout).expect("JSON on stdout");
        let frames = json["renders"][0]["frames"].as_array().expect("a list");
        for name in ["walk", "jump"] {
            let file = format!("out/{name}.{format}");
            let found = decode(&bench.read(&file));
            assert_eq!(found.size, (32, 32));
            let of_it = frames.iter().filter(|frame| frame["animation"] == name);
            assert_eq!(of_it.clone().count(), found.frames.len(), "{file}");
            assert!(of_it.clone().all(|frame| frame["file"] == file), "{file}");
        }
    }
}

#[test]
fn many_jobs_and_one_job_write_the_same_bytes() {
    let bench = Bench::new();
    for (format, _) in FILES {
        let run =
            |jobs: u32| bench.run(&format!("knight.pchr -a jump -s 64 --format {format} -o - --jobs {jobs}"), 0);
        assert!(run(1).stdout == run(5).stdout, "{format}");
        bench.run(&format!("knight.pchr -a jump -s 64 -o a.{format}"), 0);
        assert!(bench.read(&format!("a.{format}")) == run(1).stdout, "{format}: file and stdout");
    }
}

#[test]
fn usage_errors_are_reported_before_anything_is_written() {
    let bench = Bench::new();
    for (args, part) in [
        ("knight.pchr -o a.png --format png --loops 2", "--loops has no effect on a PNG"),
        ("knight.pchr -o a.gif --format apng", "does not have the extension of an APNG"),
        ("knight.pchr -o a.apng --format png", "does not have the extension of a PNG"),
        ("knight.pchr -o a.y4m --loops 2", "--loops has no effect on a y4m video"),
        ("knight.pchr -o a.webp --matte red", "--matte has no effect on a WebP"),
        ("knight.pchr -o a.webp --dither", "--dither has no effect on a WebP"),
        ("knight.pchr -o a.apng --optimize", "--optimize has no effect on an APNG"),
        ("knight.pchr --optimize", "has no effect without -o"),
        ("knight.pchr -o a.png --matte red", "--matte has no effect on a PNG"),
        ("knight.pchr -o a.gif --matte #ff000080", "expected an opaque colour"),
        ("knight.pchr -o a.gif --alpha premultiplied", "--alpha has no effect on a GIF"),
        ("knight.pchr -o a.webp -s 16385x8", "each side is limited to 16384 pixels"),
        ("knight.pchr -o a.gif --format raw", "does not have the extension of raw RGBA"),
        ("knight.pchr --matte red", "has no effect without -o"),
        ("knight.pchr -o a", "does not have a known extension"),
        ("knight.pchr -o a.bmp", "does not have a known extension"),
        ("knight.pchr -o a.apng --loops -1", "or 0 to loop forever"),
        ("knight.pchr -o a.apng --loops 70000", "or 0 to loop forever"),
        ("knight.pchr --loops 2", "has no effect without -o"),
        ("knight.pchr --format apng", "has no effect without -o"),
        ("knight.pchr -o - --format apng --json", "both write to stdout"),
        ("knight.pchr -o a.apng -a walk -f 3..3", "no frame is selected"),
    ] {
        let message = bench.stderr(args, 2);
        assert!(message.contains(part), "{args}\n{message}");
    }
    assert_eq!(fs::read_dir(bench.path("")).expect("a folder").count(), 1, "nothing was written");
}

#[test]
fn files_are_written_completely_or_not_at_all() {
    let bench = Bench::new();
    for (format, _) in FILES {
        let name = format!("a.{format}");
        fs::write(bench.path(&name), "before").expect("can be written");
        assert!(bench.stderr(&format!("knight.pchr -o {name}"), 5).contains("--force"));
        assert_eq!(bench.read(&name), b"before");
        if Path::new("/dev/full").exists() {
            bench.stderr(&format!("knight.pchr -a walk -o /dev/full --format {format}"), 5);
        }
    }
    assert_eq!(fs::read_dir(bench.path("")).expect("a folder").count(), 1 + FILES.len());
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let bench = Bench::new();
    for (format, _) in FILES {
        let mut command = bench.command(&format!("knight.pchr -a walk -s 300 --format {format} -o -"));
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program runs");
        let mut first = [0; 4];
        child.stdout.take().expect("a pipe").read_exact(&mut first).expect("the first bytes");
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(0), "{format}");
        assert!(output.stderr.is_empty(), "{format}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
#[cfg(target_os = "linux")]
fn memory_does_not_depend_on_the_number_of_frames() {
    let bench = Bench::new();
    let format_names = FILES.iter().map(|(format, _)| *format).chain(STREAMS).chain(["png"]);
    for format in format_names {
        let peak = |times: usize| {
            let frames = vec!["0..24"; times].join(",");
            let output = if format == "png" { format!("{times}/{{index}}.png") } else { "-".to_owned() };
            let args = format!("knight.pchr -a walk -s 200 --jobs 2 -f {frames} --format {format} -o {output}");
            peak_kib(bench.command(&args))
        };
        let (few, many) = (peak(2), peak(22));
        // 480 more frames have 18 kB each in the smallest format, and take 100 bytes each in the plan.
        assert!(
            few > 1000 && many < few + 4096,
            "{format}: {few} kB, and {many} kB for eleven times as many frames"
        );
    }
}
