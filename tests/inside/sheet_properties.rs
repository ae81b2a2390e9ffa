//! Properties of every sheet with any frames and options: each frame exists once, is inside its page, keeps the
//! requested distances from the edges and other frames, and looks like the PNG of the same frame.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use crate::common::random::Random;
use crate::common::sheet_reference;
use crate::common::sheet_reference::Pixels;
use pchr::Character;
use pchr::cpu::Renderer;
use pchr::export::{Drawing, Output, RenderOptions};
use pchr::export::{Format, Run, SheetDurations, SheetLayout, SheetOptions, SheetProfile, SheetTrim};
use pchr::formats::image::encode_png;
use serde_json::{Value, json};

/// Maximum side of a frame.
const LARGEST: usize = 24;

/// Creates a sheet with frames of random size and position on their canvas, and binary transparency. Some frames
/// are equal, some are empty.
fn book(random: &mut Random, folder: &Path) -> Character {
    let count = 1 + random.below(30);
    let canvas = [LARGEST + random.below(9), LARGEST + random.below(9)];
    // One column: each frame in its own row, as high as the highest.
    let (width, height) = (LARGEST, LARGEST * count);
    let mut pixels = vec![0; width * height * 4];
    let mut frames: Vec<Value> = Vec::new();
    for index in 0..count {
        let again = (index > 0 && random.below(5) == 0).then(|| frames[random.below(index)].clone());
        let [w, h] = [1 + random.below(LARGEST), 1 + random.below(LARGEST)];
        let [x, y] = [random.below(canvas[0] - w + 1), random.below(canvas[1] - h + 1)];
        let is_empty = random.below(12) == 0;
        for at in (0..w * h).filter(|_| !is_empty) {
            let place = ((index * LARGEST + at / w) * width + at % w) * 4;
            let alpha = [0, 0, 255, 255, random.below(256) as u8][random.below(5)];
            pixels[place..place + 3].copy_from_slice(&random.next().to_le_bytes()[..3]);
            pixels[place + 3] = alpha;
        }
        frames.push(again.unwrap_or_else(|| {
            json!({"filename": index.to_string(), "duration": 20 + random.below(100),
                "frame": {"x": 0, "y": index * LARGEST, "w": w, "h": h},
                "spriteSourceSize": {"x": x, "y": y, "w": w, "h": h}, "sourceSize": {"w": canvas[0], "h": canvas[1]}})
        }));
    }
    let sheet = json!({"frames": frames, "meta": {"image": "book.png"}});
    let png = encode_png(width as u32, height as u32, &pixels).expect("a picture");
    fs::write(folder.join("book.png"), png).expect("a file");
    fs::write(folder.join("book.json"), sheet.to_string()).expect("a file");
    Character::open(folder.join("book.json")).expect("a sheet")
}

fn options(random: &mut Random) -> SheetOptions {
    fn any<T: Copy>(random: &mut Random, choices: &[T]) -> T {
        choices[random.below(choices.len())]
    }
    let layout = any(random, &SheetLayout::ALL);
    SheetOptions {
        profile: any(random, &SheetProfile::ALL),
        layout,
        columns: (layout.has_columns() && random.below(3) == 0).then(|| 1 + random.below(2) as u32),
        border: random.below(4) as u32,
        padding: random.below(4) as u32,
        extrude: random.below(3) as u32,
        bleed: random.below(3) as u32,
        trim: any(random, &SheetTrim::ALL),
        merge: random.below(2) == 0,
        max_size: any(random, &[128, 200, 256, 4096]),
        pot: random.below(3) == 0,
        durations: any(random, &SheetDurations::ALL),
        ..SheetOptions::default()
    }
}

/// One frame as described by the JSON.
struct Described {
    page: usize,
    rect: [i64; 4],
    offset: [i64; 2],
    canvas: [i64; 2],
}

/// Returns the frames of all pages by number, and the pages.
fn described(folder: &Path, profile: SheetProfile) -> (BTreeMap<usize, Described>, Vec<Pixels>) {
    let (mut frames, mut pages) = (BTreeMap::new(), Vec::new());
    for page in 0.. {
        let name = if page == 0 { "out.json".to_owned() } else { format!("out-{page}.json") };
        let Ok(text) = fs::read(folder.join(name)) else { break };
        let json = sheet_reference::parse(&text);
        let image = json.meta["image"].as_str().expect("a picture").to_owned();
        pages.push(Pixels::decode(&fs::read(folder.join(image)).expect("a page")));
        for (name, frame) in json.frames.expect("frames").0 {
            let name = name.expect("a name");
            let number = match profile {
                SheetProfile::Index => name.parse(),
                SheetProfile::Doc => name.trim_start_matches("book ").parse(),
                SheetProfile::Hash => name.trim_start_matches("out ").trim_end_matches(".aseprite").parse(),
            };
            let number: usize = number.unwrap_or_else(|_| panic!("{name} has no number"));
            let of = |what: &str, key: &str| frame[what][key].as_i64().expect("a number");
            assert_eq!(frame["rotated"], false);
            let found = Described {
                page,
                rect: ["x", "y", "w", "h"].map(|key| of("frame", key)),
                offset: ["x", "y"].map(|key| of("spriteSourceSize", key)),
                canvas: ["w", "h"].map(|key| of("sourceSize", key)),
            };
            assert!(frames.insert(number, found).is_none(), "frame {number} exists twice");
        }
    }
    (frames, pages)
}

/// Returns the distance of two rectangles; negative if they overlap.
fn gap(a: [i64; 4], b: [i64; 4]) -> i64 {
    let along = |from: usize| (b[from] - a[from] - a[from + 2]).max(a[from] - b[from] - b[from + 2]);
    along(0).max(along(1))
}

/// Visible value of a pixel: a transparent one has no colour.
fn seen(pixel: [u8; 4]) -> [u8; 4] {
    if pixel[3] == 0 { [0; 4] } else { pixel }
}

#[test]
fn frames_are_complete_separate_and_unique() {
    let mut random = Random(3);
    let (mut frames, mut pages, mut merged, mut refused) = (0, 0, 0, 0);
    for round in 0..160 {
        let folder = tempfile::tempdir().expect("a folder");
        let character = book(&mut random, folder.path());
        let sheet = options(&mut random);
        let output = folder.path().join("out.json").to_string_lossy().into_owned();
        let options = RenderOptions {
            output: Output {
                path: Some(output),
                format: Some(Format::Sheet),
                sheet: sheet.clone(),
                ..Output::default()
            },
            ..RenderOptions::default()
        };
        let what = format!("round {round}: {sheet:?}");
        let animations: Vec<_> = character.model().motions().collect();
        let cancelled = AtomicBool::new(false);
        let run = Run {
            character: &character,
            options: &options,
            animations: &animations,
            skins: &[],
            sources: &[],
            cancelled: &cancelled,
        };
        if let Err(error) = run.write(|_| (), &()) {
            // Pages may be too small for two columns.
            let error = error.to_string();
            assert!(error.contains("columns of"), "{what}: {error}");
            refused += 1;
            continue;
        }
        let (described, found) = described(folder.path(), sheet.profile);
        let plan = options.plan(&character, &animations, &[]).expect("a plan");
        assert_eq!(described.len(), plan.pictures.len(), "{what}: every frame once");
        assert!(described.keys().copied().eq(0..plan.pictures.len()), "{what}: every frame once");
        let sequence = options.sequence(&character, &plan, &cancelled);
        let renderer = Renderer::new(character.model());
        let around = i64::from(sheet.border + sheet.extrude);
        for (number, Described { page, rect, offset, canvas }) in &described {
            let picture = &found[*page];
            let [x, y, w, h] = *rect;
            let (width, height) = (i64::from(picture.width), i64::from(picture.height));
            let is_inside = x >= around && y >= around && x + w + around <= width && y + h + around <= height;
            assert!(is_inside, "{what}: frame {number} at {rect:?} of {width}×{height}");
            assert!(picture.width.max(picture.height) <= sheet.max_size, "{what}");
            let is_pot = picture.width.is_power_of_two() && picture.height.is_power_of_two();
            assert!(!sheet.pot || is_pot, "{what}: {width}×{height}");
            // The PNG of the same frame.
            let cue = &plan.pictures[*number].cue;
            let expected = sequence.picture(&mut Drawing::cpu(renderer.clone()), cue).expect("it is drawn");
            let expected = expected.expect("nobody cancels");
            assert_eq!(canvas.map(|side| side as u32), [expected.width(), expected.height()], "{what}");
            for at in 0..canvas[0] * canvas[1] {
                let (column, row) = (at % canvas[0], at / canvas[0]);
                let (inner_x, inner_y) = (column - offset[0], row - offset[1]);
                let is_kept = (0..w).contains(&inner_x) && (0..h).contains(&inner_y);
                let found = if is_kept { picture.at(x + inner_x, y + inner_y) } else { [0; 4] };
                let expected = expected.pixel(column as u32, row as u32);
                assert_eq!(seen(found), seen(expected), "{what}: frame {number} at {column},{row}");
            }
            // Extrusion repeats the nearest pixel of the frame.
            let edge = i64::from(sheet.extrude);
            for (out_x, out_y) in [(x - edge, y - edge), (x + w - 1 + edge, y + h / 2), (x, y + h - 1 + edge)] {
                let inner = picture.at(out_x.clamp(x, x + w - 1), out_y.clamp(y, y + h - 1));
                assert_eq!(picture.at(out_x, out_y), inner, "{what}: around frame {number}");
            }
            frames += 1;
        }
        let list: Vec<(&usize, &Described)> = described.iter().collect();
        for (at, (number, a)) in list.iter().enumerate() {
            for (other, b) in list[at + 1..].iter().filter(|(_, b)| b.page == a.page) {
                if sheet.merge && a.rect == b.rect {
                    // Their equality is checked above.
                    merged += 1;
                    continue;
                }
                let least = i64::from(sheet.padding + 2 * sheet.extrude);
                let apart = gap(a.rect, b.rect);
                assert!(apart >= least, "{what}: frames {number} and {other} are {apart} pixels apart");
            }
        }
        let used: std::collections::BTreeSet<usize> = described.values().map(|described| described.page).collect();
        assert_eq!(used.len(), found.len(), "{what}: some pages are empty");
        pages += found.len();
    }
    assert!(frames > 1500 && pages > 200 && merged > 50 && refused < 40, "{frames} {pages} {merged} {refused}");
}
