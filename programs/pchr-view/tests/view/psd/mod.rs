//! PSDs: their layers, groups and merged picture, as a reader of its own and other programs see them.

mod reader;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use pchr::formats::image::encode_png;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::additive::{pixels, view};
use crate::common::program;
use crate::common::{names_in, say};
use reader::{Pixel, Psd};

/// Side of a texture in pixels.
const SIDE: u32 = 40;

/// Every alpha. No sum of two such colours is above white.
fn paint(x: u32, y: u32) -> Pixel {
    [(x * 3) as u8, (y * 3) as u8, 100 - (x + y) as u8, (x * 7).min(255) as u8]
}

fn disc(x: u32, y: u32) -> Pixel {
    let [x, y] = [x, y].map(|at| at.abs_diff(SIDE / 2));
    if x * x + y * y < 300 { [90, 60, 30, 255] } else { [0; 4] }
}

/// A folder with `rig.json`: all blend modes, opacities, a mask, a name beyond ASCII, two bones and two skins.
fn studio() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut atlas = String::new();
    for (name, pixel) in [("paint", paint as fn(u32, u32) -> Pixel), ("disc", disc)] {
        let texture: Vec<u8> = (0..SIDE * SIDE).flat_map(|at| pixel(at % SIDE, at / SIDE)).collect();
        let texture = encode_png(SIDE, SIDE, &texture).expect("a picture");
        fs::write(folder.path().join(format!("{name}.png")), texture).expect("written");
        atlas += &format!(
            "\n{name}.png\nsize: {SIDE},{SIDE}\nformat: RGBA8888\nfilter: Nearest,Nearest\nrepeat: none\n{name}\n  \
             rotate: false\n  xy: 0, 0\n  size: {SIDE}, {SIDE}\n  orig: {SIDE}, {SIDE}\n  offset: 0, 0\n  index: -1\n"
        );
    }
    fs::write(folder.path().join("rig.atlas"), atlas).expect("written");
    fs::write(folder.path().join("rig.json"), rig().to_string()).expect("written");
    folder
}

fn rig() -> Value {
    let region = |path: &str| json!({"path": path, "width": SIDE, "height": SIDE});
    let clip =
        json!({"type": "clipping", "end": "glow", "vertexCount": 3, "vertices": [-30, -30, 30, -30, -30, 30]});
    let slot = |name: &str, bone: &str, shown: &str| json!({"name": name, "bone": bone, "attachment": shown});
    let mut slots = [
        slot("body", "root", "body"),
        slot("mask", "root", "mask"),
        slot("glow", "arm", "glow"),
        slot("shade", "arm", "look"),
        slot("Ärmel 手", "arm", "Ärmel 手"),
        slot("shine", "root", "shine"),
    ];
    slots[2]["blend"] = "additive".into();
    slots[2]["color"] = "ffffff80".into();
    slots[3]["blend"] = "multiply".into();
    slots[3]["color"] = "c0ff80c0".into();
    slots[5]["blend"] = "screen".into();
    json!({
        "skeleton": {"spine": "3.8.99"},
        "bones": [{"name": "root"}, {"name": "arm", "parent": "root", "x": 9, "y": -6}],
        "slots": slots,
        "skins": [
            {"name": "default", "attachments": {
                "body": {"body": region("disc")}, "mask": {"mask": clip}, "glow": {"glow": region("paint")},
                "Ärmel 手": {"Ärmel 手": region("paint")}, "shine": {"shine": region("paint")},
            }},
            {"name": "dark", "attachments": {"shade": {"look": region("paint")}}},
        ],
        "animations": {"move": {"bones": {"arm": {"translate": [{"x": 0}, {"time": 1, "x": 20}]}}}},
    })
}

fn draw(folder: &Path, args: &str) -> Psd {
    view(folder, &format!("rig.json --skin dark --antialias none -o it.psd {args}"));
    Psd::read(&fs::read(folder.join("it.psd")).expect("a PSD"))
}

fn drawn(folder: &Path, args: &str) -> Vec<Pixel> {
    view(folder, &format!("rig.json --skin dark --antialias none -o it.png {args}"));
    pixels(&folder.join("it.png"))
}

const LAYERS: [&str; 5] =
    ["shine scrn 255", "Ärmel 手 norm 255", "shade/look mul  192", "glow lddg 128", "body norm 255"];

#[test]
fn layers_have_the_names_order_blend_modes_and_opacity_of_slots() {
    let folder = studio();
    let psd = draw(folder.path(), "");
    assert_eq!(psd.outline(), LAYERS);
    let short: Vec<_> = psd.layers.iter().map(|layer| &*layer.short_name).collect();
    assert_eq!(short, ["body", "glow", "shade/look", "?rmel ?", "shine"]);
    for layer in &psd.layers {
        assert!(layer.pixels.iter().any(|pixel| pixel[3] > 0), "{}", layer.name);
        let [_, _, width, height] = layer.area;
        assert!(width < psd.width || height < psd.height || layer.name == "shine", "{} is cropped", layer.name);
    }
    // Half of its square is outside of the mask.
    let glow = &psd.layers[1];
    let is_shown = |pixel: &&Pixel| pixel[3] > 0;
    let count = glow.pixels.iter().filter(is_shown).count();
    assert!((400..1000).contains(&count), "{count} pixels of the clipped layer");
    // The colours of the texture, not darkened by its alpha or opacity.
    let sleeve = &psd.layers[3].pixels;
    assert!(sleeve.iter().any(|pixel| *pixel == paint(30, 10)), "straight alpha");
}

#[test]
fn the_merged_picture_is_the_png() {
    let folder = studio();
    for args in
        ["", "-b #305070", "-b #30507080", "--additive pure", "-s 333", "-s 1x1", "-f 12", "--show bones,names"]
    {
        assert!(draw(folder.path(), args).merged == drawn(folder.path(), args), "{args}");
    }
}

#[test]
fn layers_composite_to_the_png_over_any_background() {
    let folder = studio();
    for args in [
        "-b #305070",
        "-b checker:5 --mesh body --mesh shade",
        "-s 200 -b #102030",
        "-b #443322 --show bones,bounds",
        "-b #305070 -f 20",
    ] {
        let psd = draw(folder.path(), args);
        assert_eq!(psd.layers[0].name, "background");
        let (composite, png) = (psd.composite(), drawn(folder.path(), args));
        assert_eq!(composite.len(), png.len());
        for (at, (found, wanted)) in composite.iter().zip(png).enumerate() {
            let off = (0..3).map(|channel| (found[channel] * 255.0 - f64::from(wanted[channel])).abs());
            // Each of five layers is rounded in both pictures.
            let off = off.fold(0.0, f64::max);
            assert!(off < 3.0, "{args}, pixel {at}: {:?}, not {wanted:?}", found.map(|value| value * 255.0));
        }
    }
}

#[test]
fn frames_are_groups_and_the_first_is_visible() {
    let folder = studio();
    let psd = draw(folder.path(), "-f 0,10,20 -b #305070");
    let mut expected = Vec::new();
    for group in ["frame 20 pass 255 hidden", "frame 10 pass 255 hidden", "frame 0 pass 255"] {
        expected.push(group.to_owned());
        expected.extend(LAYERS.iter().chain(&["background norm 255"]).map(|layer| format!("  {layer}")));
    }
    assert_eq!(psd.outline(), expected);
    assert!(psd.merged == drawn(folder.path(), "-f 0 -b #305070 --fit animation"));
    let arm = |frame: usize| psd.layers[frame * 8 + 5].area[0];
    assert!(arm(0) < arm(1) && arm(1) < arm(2), "each group shows its frame");
    assert_eq!(draw(folder.path(), "-f 0..4:2").layers.len(), 2 * 7);
    // Without a choice, one pose.
    assert_eq!(draw(folder.path(), "").layers.len(), 5);
}

#[test]
fn neighbours_are_grouped_by_bone_or_skin() {
    let folder = studio();
    let outline = |args: &str| draw(folder.path(), args).outline().join("|");
    assert_eq!(
        outline("--psd-groups bone"),
        "root pass 255|  shine scrn 255|arm pass 255|  Ärmel 手 norm 255|  shade/look mul  192|  glow lddg 128|\
         root pass 255|  body norm 255"
    );
    assert_eq!(
        outline("--psd-groups skin"),
        "default pass 255|  shine scrn 255|  Ärmel 手 norm 255|dark pass 255|  shade/look mul  192|default pass 255|\
         glow lddg 128|  body norm 255"
            .replace("|glow", "|  glow")
    );
    assert_eq!(outline("--psd-groups none"), LAYERS.join("|"));
    assert!(outline("--psd-groups skin -f 0,1").contains("frame 1 pass 255 hidden|  default pass 255|    shine"));
    let (grouped, flat) = (draw(folder.path(), "--psd-groups bone -b #305070"), draw(folder.path(), "-b #305070"));
    assert!(grouped.composite() == flat.composite(), "groups change nothing");
}

#[test]
fn an_empty_pose_has_an_empty_layer_and_a_transparent_picture() {
    let folder = studio();
    view(folder.path(), "rig.json --mesh mask --fit 0,0,9,9 -o it.psd");
    let psd = Psd::read(&fs::read(folder.path().join("it.psd")).expect("a PSD"));
    assert_eq!(psd.outline(), ["empty norm 255"]);
    assert!(psd.merged.iter().all(|pixel| *pixel == [0; 4]));
}

#[test]
fn what_a_psd_cannot_hold_is_refused_before_anything_is_written() {
    let folder = studio();
    let refused = |args: &str| {
        let output = program::view(folder.path(), &args.split_whitespace().collect::<Vec<_>>());
        assert!(!output.status.success(), "{args}");
        assert!(!names_in(folder.path()).iter().any(|name| name.contains("psd")), "{args}");
        assert!(output.stdout.is_empty(), "{args}");
        program::stderr(&output)
    };
    for path in ["it.psd", "-"] {
        let message = refused(&format!("rig.json --format psd --fit 0,0,30001,1 --scale 1 -o {path}"));
        assert!(
            message.contains("a PSD of 30001×1 is too large; each side is limited to 30000 pixels"),
            "{message}"
        );
    }
    let message = refused("rig.json -f 0,1 -o it-{frame}.psd");
    assert!(message.contains("a PSD contains all frames"), "{message}");
    for args in ["rig.json -o it.psd --alpha premultiplied", "rig.json -o it.png --psd-groups bone"] {
        let message = refused(args);
        assert!(message.contains("has no effect on"), "{message}");
    }
    let message = refused("rig.json -o it.psd --limit work=20000");
    assert!(message.contains("limit `work` exceeded"), "{message}");
    view(folder.path(), "rig.json --fit 0,0,30000,1 --scale 1 -o it.psd");
    assert_eq!(Psd::read(&fs::read(folder.path().join("it.psd")).expect("a PSD")).width, 30_000);
}

#[test]
fn layers_of_a_stage_name_the_character() {
    let folder = studio();
    view(folder.path(), "rig.json rig.json --lineup -o it.psd");
    let names = Psd::read(&fs::read(folder.path().join("it.psd")).expect("a PSD")).outline();
    assert!(names.contains(&"rig/body norm 255".to_owned()), "{names:?}");
    assert!(names.contains(&"rig-2/glow lddg 128".to_owned()), "{names:?}");
}

/// Runs another program on `it.psd`; says that it is skipped if it is missing.
fn judged(folder: &Path, program: &str, args: &[&str], check: &[&str]) -> Option<Vec<u8>> {
    let run = |args: &[&str]| Command::new(program).current_dir(folder).args(args).stdin(Stdio::null()).output();
    if !run(check).is_ok_and(|output| output.status.success()) {
        assert_ne!(std::env::var("PCHR_TEST_PSD").as_deref(), Ok("require"), "{program} {check:?}");
        say(&format!("SKIPPED: {program} {check:?} fails"));
        return None;
    }
    let output = run(args).expect("the program runs");
    assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
    Some(output.stdout)
}

/// Compares pixels with straight alpha, premultiplied.
#[track_caller]
fn expect_close(found: &[u8], wanted: &[Pixel], most: f64, about: &str) {
    assert_eq!(found.len(), wanted.len() * 4, "{about}");
    for (at, (found, wanted)) in found.as_chunks::<4>().0.iter().zip(wanted).enumerate() {
        let value = |pixel: &Pixel, channel: usize| match channel {
            3 => f64::from(pixel[3]),
            _ => f64::from(pixel[channel]) * f64::from(pixel[3]) / 255.0,
        };
        let off = (0..4).map(|channel| (value(found, channel) - value(wanted, channel)).abs());
        assert!(off.fold(0.0, f64::max) <= most, "{about}, pixel {at}: {found:?}, not {wanted:?}");
    }
}

#[test]
fn image_magick_sees_the_same_pictures() {
    let folder = studio();
    for (args, groups) in [("", "none"), ("-b #305070", "none"), ("-f 0,10 -b #305070", "bone")] {
        draw(folder.path(), &format!("{args} --psd-groups {groups}"));
        let png = drawn(folder.path(), &args.replace("0,10", "0 --fit animation"));
        let merged = judged(folder.path(), "convert", &["it.psd[0]", "-depth", "8", "rgba:-"], &["-version"]);
        let Some(merged) = merged else { return };
        expect_close(&merged, &png, 1.5, args);
    }
}

/// Prints the layers from front to back, and writes the merged picture and the composite of the layers.
const PSD_TOOLS: &str = r"
import sys
from psd_tools import PSDImage
psd = PSDImage.open('it.psd')
def lines(layers, depth):
    for layer in reversed(list(layers)):
        hidden = '' if layer.visible else ' hidden'
        yield f'{depth}{layer.name} {layer.blend_mode.value.decode()} {layer.opacity}{hidden}'
        if layer.is_group():
            yield from lines(layer, depth + '  ')
open('outline', 'w').write('\n'.join(lines(psd, '')))
open('merged', 'wb').write(psd.topil().convert('RGBA').tobytes())
open('composite', 'wb').write(psd.composite(force=True).convert('RGBA').tobytes())
";

#[test]
fn psd_tools_sees_the_same_layers_and_pictures() {
    let folder = studio();
    let python = std::env::var("PCHR_PSD_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    for (args, groups) in [("", "none"), ("-b #305070", "skin"), ("-f 0,10 -b #305070", "none")] {
        let psd = draw(folder.path(), &format!("{args} --psd-groups {groups}"));
        let png = drawn(folder.path(), &args.replace("0,10", "0 --fit animation"));
        let check = ["-c", "import psd_tools.composite, numpy"];
        if judged(folder.path(), &python, &["-c", PSD_TOOLS], &check).is_none() {
            return;
        }
        let read = |name: &str| fs::read(folder.path().join(name)).expect("written");
        assert_eq!(String::from_utf8(read("outline")).expect("UTF-8"), psd.outline().join("\n"), "{args}");
        expect_close(&read("merged"), &png, 1.5, args);
        if args.contains("-b") {
            expect_close(&read("composite"), &png, 3.0, args);
        }
    }
}
