//! Light of additive slots over a transparent background: compares the output of `--additive keep` and `pure` with
//! the true blend drawn by the renderer on a background. `docs/blending.md` shows the numbers of this test.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use pchr::formats::image::{decode_png, encode_png};
use serde_json::json;
use tempfile::TempDir;

/// Side of a picture in pixels.
const SIZE: usize = 96;
/// Backgrounds, as passed to `--background` and as numbers.
const BACKGROUNDS: [(&str, f64); 3] = [("black", 0.0), ("#808080", 128.0), ("white", 255.0)];

type Pixel = [u8; 4];

// ---- The art

/// Light that fades out at the edge of a circle, 0 to 1 for a distance from the centre in radii.
fn soft(distance: f64) -> f64 {
    let left = (1.0 - distance).max(0.0);
    left * left * (3.0 - 2.0 * left)
}

/// A colour that is as opaque as it is bright.
fn lit(light: [f64; 3]) -> Pixel {
    let brightest = light.iter().fold(0.0, |most: f64, &channel| most.max(channel)).min(1.0);
    let byte = |share: f64| (share.clamp(0.0, 1.0) * 255.0 + 0.5) as u8;
    let straight = light.map(|channel| if brightest > 0.0 { byte(channel.min(1.0) / brightest) } else { 0 });
    [straight[0], straight[1], straight[2], byte(brightest)]
}

/// A warm star: a soft glow and four rays.
fn star(x: f64, y: f64) -> Pixel {
    let ray = |along: f64, across: f64| soft(along.abs()) * soft((across * 12.0).abs());
    let glow = soft((x * x + y * y).sqrt() * 1.6) * 1.2 + ray(x, y) + ray(y, x);
    lit([glow, glow * 0.85, glow * 0.5])
}

/// A muzzle flash to the right: an orange cone with an almost white core.
fn flash(x: f64, y: f64) -> Pixel {
    let along = x + 0.9;
    let width = 0.08 + 0.5 * along;
    let cone = if along > 0.0 { soft(along / 1.9) * soft((y / width).abs()) } else { 0.0 };
    let core = soft((along * along + 4.0 * y * y).sqrt() * 1.3);
    lit([cone * 1.3 + core, cone * 0.65 + core * 0.95, cone * 0.15 + core * 0.7])
}

/// Deep blue light, as far from grey as possible.
fn orb(x: f64, y: f64) -> Pixel {
    let glow = soft((x * x + y * y).sqrt());
    lit([glow * 0.1, glow * 0.35, glow])
}

/// An opaque disc.
fn disc(x: f64, y: f64) -> Pixel {
    if x * x + y * y < 0.2 { [70, 90, 60, 255] } else { [0; 4] }
}

/// The pictures: layers back to front, all additive except the disc.
const ART: [(&str, &[&str]); 4] =
    [("star", &["star"]), ("flash", &["flash"]), ("orb", &["orb"]), ("body", &["disc", "star"])];

/// Creates a folder with `star.json`, `flash.json`, `orb.json` and `body.json`.
fn studio() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    type Layer = (&'static str, fn(f64, f64) -> Pixel);
    let layers: [Layer; 4] = [("star", star), ("flash", flash), ("orb", orb), ("disc", disc)];
    let mut atlas = String::new();
    for (name, pixel) in layers {
        let at = |step: usize| (step as f64 + 0.5) / SIZE as f64 * 2.0 - 1.0;
        let pixels: Vec<u8> =
            (0..SIZE * SIZE).flat_map(|index| pixel(at(index % SIZE), -at(index / SIZE))).collect();
        let page = encode_png(SIZE as u32, SIZE as u32, &pixels).expect("a picture");
        fs::write(folder.path().join(format!("{name}.png")), page).expect("it can be written");
        atlas += &format!(
            "\n{name}.png\nsize: {SIZE},{SIZE}\nformat: RGBA8888\nfilter: Linear,Linear\nrepeat: none\n\
             {name}\n  rotate: false\n  xy: 0, 0\n  size: {SIZE}, {SIZE}\n  orig: {SIZE}, {SIZE}\n  offset: 0, 0\n  \
             index: -1\n"
        );
    }
    for (name, layers) in ART {
        let blend = |layer: &str| if layer == "disc" { "normal" } else { "additive" };
        let slots = layers
            .iter()
            .map(|&layer| json!({"name": layer, "bone": "root", "attachment": layer, "blend": blend(layer)}));
        let region = json!({"width": SIZE, "height": SIZE});
        let attachments: serde_json::Map<_, _> =
            layers.iter().map(|&layer| (layer.to_owned(), json!({layer: region}))).collect();
        let skeleton = json!({
            "skeleton": {"spine": "3.8.99"},
            "bones": [{"name": "root"}],
            "slots": slots.collect::<Vec<_>>(),
            "skins": [{"name": "default", "attachments": attachments}],
        });
        fs::write(folder.path().join(format!("{name}.json")), skeleton.to_string()).expect("it can be written");
        fs::write(folder.path().join(format!("{name}.atlas")), &atlas).expect("it can be written");
    }
    folder
}

/// Runs `pchr-view` and returns its stderr.
#[track_caller]
pub fn view(folder: &Path, args: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pchr-view"));
    command.current_dir(folder).args(args.split_whitespace()).args(["--backend", "cpu", "--force"]);
    let output = command.stdin(Stdio::null()).output().expect("the program runs");
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{args}: {stderr}");
    stderr
}

/// Reads the pixels of a PNG.
#[track_caller]
pub fn pixels(path: &Path) -> Vec<Pixel> {
    let bytes = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    decode_png(&bytes, Default::default).expect("a PNG").as_chunks::<4>().0.to_vec()
}

/// Renders the first frame of `art` with `options`.
#[track_caller]
fn drawn(folder: &Path, art: &str, options: &str) -> Vec<Pixel> {
    view(folder, &format!("{art}.json -q -o drawn.png {options}"));
    pixels(&folder.join("drawn.png"))
}

// ---- The measure

/// Error of pictures compared with the true blend: the mean and largest difference of a channel, over all drawn
/// pixels, for each of [`BACKGROUNDS`].
struct Measure([(f64, u8); 3]);

impl Measure {
    /// Measures a picture `seen` over a grey.
    fn of(folder: &Path, art: &str, seen: impl Fn(usize, f64) -> [f64; 3]) -> Self {
        let exact = drawn(folder, art, "--alpha premultiplied");
        Self(BACKGROUNDS.map(|(name, grey)| {
            let truth = drawn(folder, art, &format!("--background {name}"));
            let (mut sum, mut count, mut most) = (0, 0, 0);
            for index in (0..truth.len()).filter(|&index| exact[index] != [0; 4]) {
                let color = seen(index, grey).map(|channel| (channel + 0.5) as u8);
                for (found, wanted) in color.iter().zip(truth[index]) {
                    let off = found.abs_diff(wanted);
                    sum += u64::from(off);
                    count += 1;
                    most = most.max(off);
                }
            }
            assert!(count > 5000, "{art}: only {count} channels are drawn");
            (sum as f64 / count as f64, most)
        }))
    }

    /// Measures a file with straight alpha, displayed as usual.
    fn of_file(folder: &Path, art: &str, options: &str) -> Self {
        let file = drawn(folder, art, options);
        Self::of(folder, art, |index, grey| {
            let [r, g, b, a] = file[index].map(f64::from);
            [r, g, b].map(|channel| (channel * a + grey * (255.0 - a)) / 255.0)
        })
    }

    /// Measures the straight alpha with the least squared error over the three backgrounds together.
    fn of_least_squares(folder: &Path, art: &str) -> Self {
        let exact = drawn(folder, art, "--alpha premultiplied");
        let fitted: Vec<[f64; 4]> = exact.iter().map(|&pixel| least_squares(pixel)).collect();
        Self::of(folder, art, |index, grey| {
            let [r, g, b, a] = fitted[index];
            [r, g, b].map(|channel| channel + grey * (255.0 - a) / 255.0)
        })
    }

    fn mean(&self) -> f64 {
        self.0.iter().map(|(mean, _)| mean).sum::<f64>() / 3.0
    }

    fn row(&self, art: &str, mode: &str) -> String {
        let cells = self.0.map(|(mean, most)| format!("{mean:.1} / {most}"));
        format!("| {art} | {mode} | {} | {:.1} |", cells.join(" | "), self.mean())
    }
}

/// Returns the premultiplied pixel that straight alpha can represent and that is nearest to `pixel` over all three
/// backgrounds.
fn least_squares(pixel: Pixel) -> [f64; 4] {
    let [r, g, b, a] = pixel.map(f64::from);
    let fit = |alpha: f64| {
        let below = |grey: f64, alpha: f64| grey * (255.0 - alpha) / 255.0;
        let (mut error, mut fitted) = (0.0, [0.0, 0.0, 0.0, alpha]);
        for (channel, fitted) in [r, g, b].into_iter().zip(&mut fitted) {
            let wanted = BACKGROUNDS.map(|(_, grey)| (channel + below(grey, a)).min(255.0) - below(grey, alpha));
            *fitted = (wanted.iter().sum::<f64>() / 3.0).clamp(0.0, alpha);
            error += wanted.iter().map(|wanted| (wanted - *fitted) * (wanted - *fitted)).sum::<f64>();
        }
        (error, fitted)
    };
    let fits = (pixel[3]..=255).map(|alpha| fit(f64::from(alpha)));
    fits.min_by(|a, b| a.0.total_cmp(&b.0)).expect("an alpha").1
}

#[test]
fn kept_light_is_exact_over_black_and_its_other_errors_are_documented() {
    let studio = studio();
    let folder = studio.path();
    let mut table = vec![
        "| picture | written | over black | over grey 128 | over white | mean of all |".to_owned(),
        "|---|---|---|---|---|---|".to_owned(),
    ];
    for (art, _) in ART {
        let keep = Measure::of_file(folder, art, "");
        let pure = Measure::of_file(folder, art, "--additive pure");
        let fitted = Measure::of_least_squares(folder, art);
        table.extend([keep.row(art, "`keep`"), pure.row(art, "`pure`"), fitted.row(art, "least squares")]);
        if art == "body" {
            // Light on the disc is exact in every mode, and the glow extends beyond it.
            assert!(keep.0[0] == (0.0, 0) && keep.mean() < pure.mean() * 0.8, "{table:#?}");
            continue;
        }
        assert_eq!(keep.0[0], (0.0, 0), "{art} over black");
        assert!(pure.0[0].0 > 30.0 && pure.0[0].1 > 200, "{art} is gone over black");
        assert_eq!(pure.0[2], (0.0, 0), "light is invisible over white");
        // Deep blue light covers as much of the other channels as it adds to its own: the gain over black is lost
        // over white.
        if art != "orb" {
            assert!(keep.0[1].0 < pure.0[1].0 * 0.9, "{art} over grey");
            assert!(keep.mean() < pure.mean() * 0.8, "{art}: {} and {}", keep.mean(), pure.mean());
        }
        assert!(fitted.mean() < keep.mean(), "{art}: least squares no longer has the smallest error");
        assert!(fitted.0[0].0 > 8.0, "{art}: the fit over black is no longer bad");
    }
    let docs = crate::common::root().join("docs/blending.md");
    let docs = fs::read_to_string(docs).expect("docs/blending.md is there").replace("\r\n", "\n");
    let table = table.join("\n");
    assert!(docs.contains(&table), "docs/blending.md should have this table:\n{table}");
}

#[test]
fn light_on_an_opaque_body_is_exact_in_every_mode() {
    let studio = studio();
    let exact = drawn(studio.path(), "body", "--alpha premultiplied");
    let lit: Vec<usize> = (0..exact.len()).filter(|&index| exact[index][3] == 255).collect();
    assert!(lit.len() > 1000 && lit.iter().any(|&index| exact[index][0] == 255));
    for options in ["", "--additive pure"] {
        let file = drawn(studio.path(), "body", options);
        assert!(lit.iter().all(|&index| file[index] == exact[index]), "{options}");
    }
}

#[test]
fn premultiplied_files_store_light_unchanged() {
    let studio = studio();
    let exact = drawn(studio.path(), "flash", "--alpha premultiplied");
    assert!(exact.iter().any(|pixel| pixel[3] == 0 && pixel[0] > 200), "light without alpha");
    for (name, grey) in BACKGROUNDS {
        let truth = drawn(studio.path(), "flash", &format!("-b {name}"));
        for (light, truth) in exact.iter().zip(truth) {
            let shown = [0, 1, 2].map(|channel| u16::from(light[channel]) + grey as u16).map(|sum| sum.min(255));
            assert_eq!(shown, [truth[0], truth[1], truth[2]].map(u16::from), "over {name}");
        }
    }
}

#[test]
fn additive_has_no_effect_on_an_opaque_background() {
    let studio = studio();
    for background in BACKGROUNDS.map(|(name, _)| name).iter().chain(&["checker"]) {
        let keep = drawn(studio.path(), "star", &format!("-b {background}"));
        assert_eq!(keep, drawn(studio.path(), "star", &format!("-b {background} --additive pure")));
        assert!(keep.iter().all(|pixel| pixel[3] == 255));
    }
}

#[test]
fn pictures_without_additive_slots_are_unchanged() {
    let studio = studio();
    let knight = crate::common::root().join("assets/paper-knight.pchr");
    for options in
        ["-a walk -f 3", "-a walk -f 3 --antialias ssaa2 -b #20406080", "-a jump -t 0.21 --antialias msaa4"]
    {
        for mode in ["keep", "pure"] {
            view(studio.path(), &format!("{} -o {mode}.png {options} --additive {mode}", knight.display()));
        }
        let read = |name: &str| fs::read(studio.path().join(name)).expect("it was written");
        assert!(read("keep.png") == read("pure.png"), "{options}");
    }
}

// ---- Every kind of file

#[test]
fn every_format_with_alpha_keeps_light() {
    let studio = studio();
    let folder = studio.path();
    let kept = drawn(folder, "flash", "");
    assert_eq!(drawn(folder, "flash", "--additive keep"), kept);
    let pure = drawn(folder, "flash", "--additive pure");
    assert!(pure.iter().all(|pixel| *pixel == [0; 4]), "nothing covers anything here");

    view(folder, "flash.json -q -o flash.raw");
    let raw = fs::read(folder.join("flash.raw")).expect("it was written");
    assert!(raw.as_chunks::<4>().0 == kept);
    for name in ["flash.apng", "flash.webp"] {
        view(folder, &format!("flash.json -q -o {name}"));
        view(folder, &format!("flash.json -q -o pure-{name} --additive pure"));
        let size = |name: &str| fs::metadata(folder.join(name)).expect("it was written").len();
        assert!(size(name) > 2 * size(&format!("pure-{name}")), "{name} keeps light");
    }
}

#[test]
fn a_reimported_sheet_shows_the_kept_light() {
    let studio = studio();
    let folder = studio.path();
    for trim in ["none", "all"] {
        view(folder, &format!("flash.json -q -o sheet.json --sheet-trim {trim}"));
        // Its origin is that of the skeleton, in the middle.
        view(folder, "sheet.json -q -o again.png --fit=-48,-48,96,96 --alpha premultiplied");
        let again = pixels(&folder.join("again.png"));
        let lit = drawn(folder, "flash", "--fit=-48,-48,96,96 --alpha premultiplied");
        for (found, light) in again.iter().zip(&lit) {
            let [r, g, b, _] = *light;
            // Straight colours of low alpha are rounded.
            let off = [r, g, b, r.max(g).max(b)].iter().zip(found).map(|(a, b)| a.abs_diff(*b)).max();
            assert!(off.is_some_and(|off| off <= 1), "trimmed: {trim}, {light:?} is {found:?}");
        }
        assert!(lit.iter().filter(|light| light[0] > 200).count() > 100, "there is light");
    }
    // Pure light must not be trimmed if premultiplied pixels store it without alpha.
    view(folder, "flash.json -q -o straight.json --sheet-trim all");
    view(folder, "flash.json -q -o exact.json --sheet-trim all --alpha premultiplied");
    let size = |name: &str| {
        let bytes = fs::read(folder.join(name)).expect("it was written");
        pchr::formats::image::png_size(&bytes).expect("a PNG")
    };
    assert_eq!(size("exact.png"), size("straight.png"));
}

#[test]
fn a_gif_shows_bright_light_or_light_on_a_matte() {
    let studio = studio();
    let folder = studio.path();
    let shown = |options: &str| {
        view(folder, &format!("flash.json -q -o flash.gif {options}"));
        let mut decoding = gif::DecodeOptions::new();
        decoding.set_color_output(gif::ColorOutput::RGBA);
        let file = fs::File::open(folder.join("flash.gif")).expect("it was written");
        let mut decoder = decoding.read_info(file).expect("a GIF");
        decoder.read_next_frame().expect("a frame").expect("one frame").buffer.as_chunks::<4>().0.to_vec()
    };
    let exact = drawn(folder, "flash", "--alpha premultiplied");
    let count = |picture: &[Pixel]| picture.iter().filter(|pixel| pixel[3] == 255).count();
    let bright = exact.iter().filter(|light| light[..3].iter().any(|&channel| channel >= 128)).count();
    assert!(bright > 300);
    assert_eq!(count(&shown("")), bright);
    assert_eq!(count(&shown("--additive pure")), 0);
    let on_blue = shown("--matte #204080");
    assert_eq!(count(&on_blue), exact.iter().filter(|light| **light != [0; 4]).count());
    let truth = drawn(folder, "flash", "-b #204080");
    let off = |(a, b): (&Pixel, &Pixel)| (0..3).map(|i| a[i].abs_diff(b[i])).max().unwrap_or(0);
    let worst = on_blue.iter().zip(&truth).filter(|(seen, _)| seen[3] == 255).map(off).max();
    // The palette has 255 colours.
    assert!(worst.is_some_and(|worst| worst < 24), "{worst:?} off the true blend on the matte");
}

// ---- Messages

#[test]
fn the_warning_describes_how_light_is_stored() {
    let studio = studio();
    for (options, expected) in [
        ("-o a.png", "exact over black"),
        ("-o a.webp -b #00000080", "exact over black"),
        ("-o a.json --additive pure", "--additive keep preserves it"),
        ("-o a.gif", "at least half brightness"),
        ("-o a.gif --additive pure --matte white", "a GIF shows none"),
    ] {
        let stderr = view(studio.path(), &format!("star.json {options}"));
        let lines: Vec<&str> = stderr.lines().filter(|line| line.contains("blend-on-nothing")).collect();
        assert!(lines.len() == 1 && lines[0].contains(expected), "{options}: {stderr}");
        assert!(lines[0].contains("slot `star` is additive"), "{stderr}");
    }
    for options in ["-o a.png -b white", "-o a.png --alpha premultiplied", "-o a.gif --matte white", "-o a.y4m"] {
        let stderr = view(studio.path(), &format!("star.json {options}"));
        assert!(!stderr.contains("blend-on-nothing"), "{options} is exact: {stderr}");
    }
}

#[test]
fn additive_is_refused_if_it_has_no_effect() {
    let studio = studio();
    for (options, expected) in [
        ("-o a.y4m --additive pure", "--additive"),
        ("-o a.png --alpha premultiplied --additive pure", "premultiplied"),
        ("--additive pure", "--additive"),
        ("-o a.png --additive none", "possible values: keep, pure"),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pchr-view"));
        let output = command.current_dir(studio.path()).arg("star.json").args(options.split(' ')).output();
        let output = output.expect("the program runs");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && stderr.contains(expected), "{options}: {stderr}");
    }
}
