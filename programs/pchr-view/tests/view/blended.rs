//! Multiplied and screened slots over a background: compares pictures with the product of background and texture, computed
//! here, pixel by pixel.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use pchr::formats::image::encode_png;
use serde_json::json;
use tempfile::TempDir;

use crate::additive::{pixels, view};

/// Side of a picture in pixels.
const SIZE: u32 = 48;

type Pixel = [u8; 4];

/// The blended layer: every hue and alpha, and nothing at its left edge.
fn paint(x: u32, y: u32) -> Pixel {
    let alpha = if x < 4 { 0 } else { (x * 5).min(255) as u8 };
    [(x * 5) as u8, (y * 5) as u8, 255 - (x * 2 + y) as u8, alpha]
}

/// The layer below it: an opaque block in the upper half, and translucent in its upper rows.
fn block(x: u32, y: u32) -> Pixel {
    if !(10..30).contains(&x) || y > 24 {
        return [0; 4];
    }
    [200, 120, 40, if y < 8 { 100 } else { 255 }]
}

/// The picture behind.
fn room(x: u32, y: u32) -> Pixel {
    [(x * 4) as u8, 255 - (y * 3) as u8, (x * y) as u8, 255]
}

fn checker(x: u32, y: u32) -> Pixel {
    if (x / 8 + y / 8).is_multiple_of(2) { [204, 204, 204, 255] } else { [153, 153, 153, 255] }
}

fn png(folder: &Path, name: &str, [width, height]: [u32; 2], pixel: impl Fn(u32, u32) -> Pixel) {
    let pixels: Vec<u8> = (0..width * height).flat_map(|at| pixel(at % width, at / width)).collect();
    fs::write(folder.join(name), encode_png(width, height, &pixels).expect("a picture")).expect("written");
}

/// Creates a folder with `room.png`, and `normal.json`, `multiply.json` and `screen.json`: the paint over the block.
fn studio() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut atlas = String::new();
    for (name, pixel) in [("paint", paint as fn(u32, u32) -> Pixel), ("block", block)] {
        png(folder.path(), &format!("{name}.png"), [SIZE; 2], pixel);
        atlas += &format!(
            "\n{name}.png\nsize: {SIZE},{SIZE}\nformat: RGBA8888\nfilter: Nearest,Nearest\nrepeat: none\n{name}\n  \
             rotate: false\n  xy: 0, 0\n  size: {SIZE}, {SIZE}\n  orig: {SIZE}, {SIZE}\n  offset: 0, 0\n  index: -1\n"
        );
    }
    png(folder.path(), "room.png", [SIZE; 2], room);
    for blend in ["normal", "multiply", "screen"] {
        let region = json!({"width": SIZE, "height": SIZE});
        let skeleton = json!({
            "skeleton": {"spine": "3.8.99"},
            "bones": [{"name": "root"}],
            "slots": [
                {"name": "block", "bone": "root", "attachment": "block"},
                {"name": "paint", "bone": "root", "attachment": "paint", "blend": blend},
            ],
            "skins": [{"name": "default", "attachments": {"block": {"block": region}, "paint": {"paint": region}}}],
        });
        fs::write(folder.path().join(format!("{blend}.json")), skeleton.to_string()).expect("written");
        fs::write(folder.path().join(format!("{blend}.atlas")), &atlas).expect("written");
    }
    folder
}

/// Renders the first frame.
#[track_caller]
fn drawn(folder: &Path, args: &str) -> Vec<Pixel> {
    view(folder, &format!("-q -o drawn.png {args}"));
    pixels(&folder.join("drawn.png"))
}

/// Runs `pchr-view`, which fails, and returns its stderr.
#[track_caller]
fn refused(folder: &Path, args: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pchr-view"));
    let output = command.current_dir(folder).args(args.split_whitespace()).stdin(Stdio::null()).output();
    let output = output.expect("the program runs");
    assert!(!output.status.success(), "{args}");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Blends a colour with straight alpha over an opaque one, in 0 to 255.
fn blended(blend: &str, top: Pixel, below: [f64; 3]) -> [f64; 3] {
    let alpha = f64::from(top[3]) / 255.0;
    std::array::from_fn(|channel| {
        let (color, below) = (f64::from(top[channel]) / 255.0 * alpha, below[channel] / 255.0);
        255.0
            * match blend {
                "normal" => color + below * (1.0 - alpha),
                "multiply" => color * below + below * (1.0 - alpha),
                "screen" => color + below * (1.0 - color),
                other => panic!("no blend mode {other}"),
            }
    })
}

/// Compares a picture with what is expected over `background`, allowing for three roundings: one of the texels, and one
/// of each layer.
#[track_caller]
fn expect(picture: &[Pixel], blend: &str, background: impl Fn(u32, u32) -> Pixel, about: &str) {
    assert_eq!(picture.len() as u32, SIZE * SIZE, "{about}");
    for (at, found) in (0..).zip(picture) {
        let (x, y) = (at % SIZE, at / SIZE);
        let [r, g, b, _] = background(x, y).map(f64::from);
        let expected = blended(blend, paint(x, y), blended("normal", block(x, y), [r, g, b]));
        let off = expected.iter().zip(found).map(|(wanted, found)| (wanted - f64::from(*found)).abs());
        assert!(off.fold(0.0, f64::max) < 2.0, "{about}, {x} {y}: {found:?}, not {expected:?}");
        assert_eq!(found[3], 255, "{about}, {x} {y}");
    }
}

#[test]
fn every_blend_mode_is_exact_over_an_opaque_background() {
    let studio = studio();
    for blend in ["normal", "multiply", "screen"] {
        type Background = fn(u32, u32) -> Pixel;
        let backgrounds: [(&str, Background); 6] = [
            ("white", |_, _| [255; 4]),
            ("#808080", |_, _| [128, 128, 128, 255]),
            ("#3366cc", |_, _| [0x33, 0x66, 0xcc, 255]),
            ("black", |_, _| [0, 0, 0, 255]),
            ("checker", checker),
            ("room.png", room),
        ];
        for (name, background) in backgrounds {
            for more in ["", "--antialias msaa4", "--alpha premultiplied"] {
                let args = format!("{blend}.json -b {name} {more}");
                expect(&drawn(studio.path(), &args), blend, background, &args);
            }
        }
    }
}

#[test]
fn a_multiplied_slot_is_exact_on_a_matte() {
    let studio = studio();
    let folder = studio.path();
    for blend in ["multiply", "screen"] {
        // Without an alpha channel, everything is on the matte.
        for (matte, background) in [("", "white"), ("--matte #3366cc", "#3366cc")] {
            view(folder, &format!("{blend}.json -q -o matte.y4m {matte}"));
            view(folder, &format!("{blend}.json -q -o background.y4m -b {background}"));
            let files = ["matte.y4m", "background.y4m"].map(|name| fs::read(folder.join(name)).expect("written"));
            assert!(files[0] == files[1], "{blend} {matte}");
        }
        view(folder, &format!("{blend}.json -q -o matte.gif --matte #3366cc"));
        let mut decoding = gif::DecodeOptions::new();
        decoding.set_color_output(gif::ColorOutput::RGBA);
        let file = fs::File::open(folder.join("matte.gif")).expect("written");
        let mut decoder = decoding.read_info(file).expect("a GIF");
        let frame = decoder.read_next_frame().expect("a frame").expect("one frame");
        for (at, found) in (0..).zip(frame.buffer.as_chunks::<4>().0) {
            let (paint, block) = (paint(at % SIZE, at / SIZE), block(at % SIZE, at / SIZE));
            let is_drawn = paint[3] > 0 || block[3] > 0;
            assert_eq!(found[3] == 255, is_drawn, "{blend}: what is not drawn stays transparent");
            let expected = blended(blend, paint, blended("normal", block, [0x33, 0x66, 0xcc].map(f64::from)));
            let off = expected.iter().zip(found).map(|(wanted, found)| (wanted - f64::from(*found)).abs());
            // The palette has 255 colours.
            assert!(!is_drawn || off.fold(0.0, f64::max) < 64.0, "{blend}: {found:?}, not {expected:?}");
        }
    }
}

#[test]
fn pictures_without_blended_slots_do_not_depend_on_when_the_background_is_added() {
    let studio = studio();
    let alone = drawn(studio.path(), "normal.json --alpha premultiplied");
    for (name, color) in [("white", [255, 255, 255, 255]), ("#3366cc80", [0x1a, 0x33, 0x66, 0x80])] {
        let on = drawn(studio.path(), &format!("normal.json --alpha premultiplied -b {name}"));
        let laid: Vec<Pixel> = alone.iter().map(|pixel| pchr::math::color::over(*pixel, color)).collect();
        assert!(on == laid, "{name}");
    }
}

#[test]
fn the_warning_is_only_printed_where_blending_is_not_exact() {
    let studio = studio();
    for blend in ["multiply", "screen"] {
        for (args, warns) in [
            ("-o a.png", true),
            ("-o a.png -b #ffffff80", true),
            ("-o a.png -b room.png --background-fit contain", true),
            ("-o a.png -b room.png --background-opacity 0.5", true),
            ("-o a.gif", true),
            ("-o a.webp --alpha premultiplied", true),
            ("-o a.png -b white", false),
            ("-o a.png -b checker", false),
            ("-o a.png -b room.png", false),
            ("-o a.json -b room.png --background-fit tile", false),
            ("-o a.gif --matte white", false),
            ("-o a.y4m", false),
        ] {
            let stderr = view(studio.path(), &format!("{blend}.json {args}"));
            assert_eq!(stderr.contains("blend-on-nothing"), warns, "{blend} {args}: {stderr}");
        }
        let stderr = view(studio.path(), &format!("{blend}.json -o a.png"));
        assert!(stderr.contains("--background COLOUR is exact"), "{stderr}");
    }
}

#[test]
fn what_is_drawn_in_the_colour_of_the_background_is_not_empty() {
    let studio = studio();
    let folder = studio.path();
    png(folder, "paint.png", [SIZE; 2], |_, _| [255; 4]);
    png(folder, "block.png", [SIZE; 2], |_, _| [0; 4]);
    let stderr = view(folder, "multiply.json -o a.png -b white --fail-on-empty");
    assert!(!stderr.contains("nothing is visible"), "{stderr}");
    png(folder, "paint.png", [SIZE; 2], |_, _| [0; 4]);
    let stderr = refused(folder, "multiply.json -o b.png -b white --fit 0,0,9,9 --fail-on-empty");
    assert!(stderr.contains("transparent"), "{stderr}");
}

// ---- A picture

#[test]
fn a_picture_fills_every_kind_of_file() {
    let studio = studio();
    let folder = studio.path();
    let still = drawn(folder, "multiply.json -b room.png");
    view(folder, "multiply.json -q -o sheet.json -b room.png");
    assert!(pixels(&folder.join("sheet.png")) == still);
    view(folder, "multiply.json -q -o raw.rgba -b room.png --format raw");
    assert!(fs::read(folder.join("raw.rgba")).expect("written") == *still.as_flattened());
    view(folder, "multiply.json -q -o contact.png -b room.png --contact-sheet 1x1");
    let contact = pixels(&folder.join("contact.png"));
    assert!(contact.windows(SIZE as usize).any(|row| *row == still[..SIZE as usize]), "a cell shows it");
}

#[test]
fn a_picture_is_fitted_tiled_or_placed_in_the_world() {
    let studio = studio();
    let folder = studio.path();
    png(folder, "halves.png", [8, 4], |x, _| if x < 4 { [200, 0, 0, 255] } else { [0, 0, 200, 255] });
    png(folder, "paint.png", [SIZE; 2], |_, _| [0; 4]);
    png(folder, "block.png", [SIZE; 2], |_, _| [0; 4]);
    let at = |picture: &[Pixel], x: u32, y: u32| picture[(y * SIZE + x) as usize];
    let of = |fit: &str| drawn(folder, &format!("normal.json -b halves.png --fit -24,-24,48,48 {fit}"));
    let (red, blue, none) = ([200, 0, 0, 255], [0, 0, 200, 255], [0; 4]);
    let covered = of("");
    assert_eq!([at(&covered, 0, 0), at(&covered, 47, 47)], [red, blue]);
    let contained = of("--background-fit contain");
    assert_eq!([at(&contained, 24, 11), at(&contained, 0, 12), at(&contained, 47, 35)], [none, red, blue]);
    let tiled = of("--background-fit tile");
    assert!((0..SIZE * SIZE).all(|at| tiled[at as usize] == if at % 8 < 4 { red } else { blue }));
    let placed = of("--background-fit 0,0,8,4");
    let corners = [(23, 21), (24, 20), (24, 23), (31, 20), (32, 20), (24, 24), (24, 19)];
    let expected = [none, red, red, blue, none, none, none];
    assert_eq!(corners.map(|(x, y)| at(&placed, x, y)), expected);
    let faded = of("--background-opacity 0.5");
    assert_eq!([at(&faded, 0, 0), at(&faded, 47, 0)], [[199, 0, 0, 128], [0, 0, 199, 128]]);
}

#[test]
fn wrong_backgrounds_name_both_possibilities_or_the_file() {
    let studio = studio();
    let folder = studio.path();
    fs::write(folder.join("broken.png"), b"no picture").expect("written");
    fs::copy(folder.join("room.png"), folder.join("white")).expect("copied");
    png(folder, "large.png", [200, 200], room);
    for (args, expected) in [
        ("-b whit", ["a colour such as", "a picture such as room.png"]),
        ("-b gone.png", ["gone.png", "error"]),
        ("-b broken.png", ["broken.png", "not a PNG, JPEG or WebP"]),
        ("-b large.png --limit pixels=5000 -s 8", ["large.png", "pixels"]),
        ("-b white --background-fit tile", ["--background-fit", "--background FILE"]),
        ("-b room.png --background-fit big", ["cover, contain, tile", "X,Y,W,H"]),
        ("-b room.png --background-opacity 2", ["--background-opacity", "from 0 to 1"]),
    ] {
        let stderr = refused(folder, &format!("normal.json -o x.png {args}"));
        assert!(expected.iter().all(|expected| stderr.contains(expected)), "{args}: {stderr}");
    }
    // The background is an input file.
    let stderr = refused(folder, "normal.json -b room.png -o room.png --force");
    assert!(stderr.contains("room.png"), "{stderr}");
    expect(&drawn(folder, "normal.json -b room.png"), "normal", room, "it is as it was");
    // A colour stays a colour.
    expect(&drawn(folder, "normal.json -b white"), "normal", |_, _| [255; 4], "white");
    expect(&drawn(folder, "normal.json -b ./white"), "normal", room, "./white");
}
