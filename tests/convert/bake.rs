//! Characters converted to stored frames: the output is read back and compared with the source, and the report
//! with the measured errors.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common;
use crate::common::baking::{Compared, is_exact, options, round};
use crate::common::v1::{Animation, BoneTransform};
use crate::common::{conformance_files, say};
use pchr::Character;
use pchr::bake::{BakeOptions, bake};
use pchr::cpu::Renderer;
use pchr::draw::{DrawList, Filter, Picture, Settings, View};
use pchr::formats::image::encode_png;
use pchr::math::{Rect, vec2};
use pchr::model::SkinId;
use pchr::motion::{Cue, Position, evaluate};
use pchr::pose::Pose;
use serde_json::Value;

/// Tolerance in world pixels of vertices that can be stored exactly: the rounding error of matrix chains in 32
/// bits.
const EXACT: f32 = 0.05;

/// Returns the skeletons in `part` of the conformance files.
fn skeletons(part: &str) -> Vec<PathBuf> {
    let mut found = conformance_files(part, ".json");
    found.retain(|path| !path.to_string_lossy().ends_with(".golden.json"));
    found
}

/// Returns the skin sets to test: only the default skin, and each other one.
fn outfits(character: &Character) -> Vec<Vec<SkinId>> {
    let skins = character.model().skins().iter().filter(|skin| &*skin.name != "default");
    let worn = skins.filter_map(|skin| character.model().find_skin(&skin.name)).map(|skin| vec![skin]);
    std::iter::once(Vec::new()).chain(worn.take(3)).collect()
}

/// Bakes a character and checks the reported errors against the measured ones.
fn honest(character: &Character, options: &BakeOptions, name: &str) -> Compared {
    let (baked, _, compared) = round(character, options, name);
    assert!(
        (compared.worst - baked.worst_error_px).abs() <= 1e-4,
        "{name}: {} px are message, {} found",
        baked.worst_error_px,
        compared.worst
    );
    let message = baked.losses.iter().filter_map(|loss| loss.error_px).fold(0.0, f32::max);
    assert!(
        compared.worst <= 0.01 || message == baked.worst_error_px,
        "{name}: {message} px reported for one mesh"
    );
    compared
}

/// Bakes every skeleton. Returns their number, the number of exact ones, and the largest error of these.
fn bake_all(part: &str) -> (usize, usize, Compared) {
    let (mut count, mut exact, mut all) = (0, 0, Compared::default());
    for path in skeletons(part) {
        let character = Character::open(&path).unwrap_or_else(|error| panic!("{error}"));
        for skins in outfits(&character) {
            let name = format!("{} {:?}", path.file_stem().expect("a name").to_string_lossy(), skins);
            let options = options(&character, skins);
            let compared = honest(&character, &options, &name);
            count += 1;
            if is_exact(&character, &options) {
                assert!(compared.worst < EXACT, "{name}: {} px off", compared.worst);
                exact += 1;
                all.worst = all.worst.max(compared.worst);
            }
            all.frames += compared.frames;
            all.meshes += compared.meshes;
        }
    }
    (count, exact, all)
}

/// Makes one weight of every weighted vertex of a mesh negative, preserving the sum. Returns the number of
/// vertices.
fn turn_weights(mesh: &mut Value) -> usize {
    let count = mesh["uvs"].as_array().map_or(0, |uvs| uvs.len() / 2);
    let Some(numbers) = mesh["vertices"].as_array_mut().filter(|numbers| numbers.len() > 2 * count) else {
        return 0;
    };
    let (mut at, mut turned) = (0, 0);
    for _ in 0..count {
        let bones = numbers[at].as_u64().expect("a count") as usize;
        if bones >= 2 {
            let [first, second] = [at + 4, at + 8].map(|at| numbers[at].as_f64().expect("a weight"));
            numbers[at + 4] = (first + second + 0.25).into();
            numbers[at + 8] = (-0.25).into();
            turned += 1;
        }
        at += 1 + 4 * bones;
    }
    turned
}

#[test]
fn negative_weights_come_back_exactly() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (mut turned, mut exact) = (0, 0);
    for path in skeletons("spine/own") {
        let mut json: Value = serde_json::from_slice(&fs::read(&path).expect("a file")).expect("JSON");
        let skins = json["skins"].as_array_mut().into_iter().flatten();
        let slots =
            skins.filter_map(|skin| skin["attachments"].as_object_mut()).flat_map(|slots| slots.values_mut());
        let meshes = slots.filter_map(Value::as_object_mut).flat_map(|slot| slot.values_mut());
        let of_file: usize = meshes.filter(|mesh| mesh["type"] == "mesh").map(turn_weights).sum();
        if of_file == 0 {
            continue;
        }
        turned += of_file;
        let written = folder.path().join(path.file_name().expect("a name"));
        fs::write(&written, json.to_string()).expect("the written file");
        let character = Character::open(&written).unwrap_or_else(|error| panic!("{error}"));
        for skins in outfits(&character) {
            let name = format!("{} {skins:?}", written.display());
            let options = options(&character, skins);
            let compared = honest(&character, &options, &name);
            if is_exact(&character, &options) {
                assert!(compared.worst < EXACT, "{name}: {} px off", compared.worst);
                exact += 1;
            }
            // Without a limit on influences, nothing is cut.
            let options = BakeOptions { keep_all_influences: true, ..options };
            honest(&character, &options, &name);
        }
    }
    say(&format!("{turned} vertices with a negative weight, {exact} looks are exact"));
    assert!(turned > 50 && exact > 3, "{turned}, {exact}");
}

#[test]
fn conformance_rigs_come_back_exactly() {
    for part in ["spine/own", "spine/examples"] {
        let (count, exact, all) = bake_all(part);
        let Compared { frames, meshes, worst } = all;
        say(&format!(
            "baked {part}: {count} characters, {exact} exactly (worst {worst:.5} px), {frames} frames, {meshes} meshes"
        ));
        // The other folders may be empty.
        assert!(part != "spine/own" || count >= 28 && exact >= 20, "{count} {exact}");
        assert!((exact > 0 && frames > 1000 && meshes > 5000) || count == 0, "{count} {exact} {all:?}");
    }
}

/// SkelForm bones have no bind pose and deform vertices one after the other. Meshes are exact nevertheless.
#[test]
fn conformance_skelform_samples_come_back_exactly() {
    let files = conformance_files("skelform/samples", ".skf");
    assert!(files.len() >= 13, "{files:?}");
    for path in files {
        let character = Character::open(&path).unwrap_or_else(|error| panic!("{error}"));
        for skins in outfits(&character) {
            let name = format!("{} {:?}", path.file_stem().expect("a name").to_string_lossy(), skins);
            let Compared { worst, frames, meshes } = honest(&character, &options(&character, skins), &name);
            say(&format!("{name}: {worst:.5} px off in {frames} frames, {meshes} meshes"));
            assert!(worst < EXACT, "{name}: {worst} px off");
        }
    }
}

/// A red and a half transparent region on a premultiplied page; the second is rotated and trimmed. A bone that
/// shears, and one that shows another attachment after half a second.
const SWAP: &str = r#"{"skeleton":{"spine":"3.8.99","fps":8},
    "bones":[{"name":"root"},{"name":"arm","parent":"root","x":4,"y":2,"rotation":30,"shearY":20}],
    "slots":[{"name":"back","bone":"root","attachment":"red"},{"name":"front","bone":"arm","attachment":"half"}],
    "events":{"click":{}},
    "skins":[{"name":"default","attachments":{"back":{"red":{"width":8,"height":8}},
        "front":{"half":{"width":12,"height":8},"red":{"width":8,"height":8,"color":"ff8000ff"}}}},
        {"name":"other","attachments":{"back":{"red":{"name":"half","width":12,"height":8}}}}],
    "animations":{"swap":{
        "slots":{"front":{"attachment":[{"time":0,"name":"half"},{"time":0.5,"name":"red"},{"time":0.75,"name":null}]}},
        "bones":{"arm":{"rotate":[{"time":0},{"time":1,"angle":90}]}},
        "drawOrder":[{"time":0.25,"offsets":[{"slot":"back","offset":1}]},{"time":0.5}],
        "events":[{"time":0.5,"name":"click"}]},
        "still":{}}}"#;

/// Writes the character and its page.
fn swap(folder: &Path) -> Character {
    let mut pixels = vec![0; 16 * 16 * 4];
    let mut fill =
        |left: usize, top: usize, width: usize, height: usize, color: &dyn Fn(usize, usize) -> [u8; 4]| {
            for (y, x) in (0..height).flat_map(|y| (0..width).map(move |x| (y, x))) {
                pixels[((top + y) * 16 + left + x) * 4..][..4].copy_from_slice(&color(x, y));
            }
        };
    fill(0, 0, 8, 8, &|_, _| [255, 0, 0, 255]);
    // 12 × 8 without two columns on the left and one row at the bottom: 10 × 7, rotated.
    fill(8, 0, 7, 10, &|x, y| if y < 5 { [0, 128, 0, 128] } else { [10 * x as u8, 0, 64, 128] });
    fs::write(folder.join("page.png"), encode_png(16, 16, &pixels).unwrap()).unwrap();
    let atlas = "page.png\nsize: 16,16\npma: true\nred\nbounds: 0,0,8,8\nhalf\nbounds: 8,0,10,7\noffsets: 2,1,12,8\nrotate: 90\n";
    fs::write(folder.join("swap.atlas"), atlas).unwrap();
    fs::write(folder.join("swap.json"), SWAP).unwrap();
    Character::open(folder.join("swap.json")).unwrap()
}

fn picture(character: &Character, animation: &str, position: Position) -> Picture {
    let animation = character.model().find_animation(animation);
    let (mut pose, mut list, mut picture) = (Pose::default(), DrawList::default(), Picture::default());
    evaluate(character, &Cue { animation, position, hold: true, ..Cue::default() }, &mut pose);
    let view = View::fit(96, 96, Rect { min: vec2(-12.0, -12.0), max: vec2(12.0, 12.0) });
    list.build(character.model(), &pose, &view);
    let settings = Settings { filter: Filter::Nearest, ..Settings::default() };
    Renderer::new(character.model()).render(character.model(), &list, &view, settings, &mut picture);
    picture
}

#[test]
fn pictures_look_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let character = swap(folder.path());
    let (baked, written, compared) = round(&character, &options(&character, vec![]), "swap");
    assert!(compared.worst < 1e-4 && baked.worst_error_px < 1e-4, "{compared:?}");
    assert_eq!(written.model().animations().iter().map(|it| it.frame_count()).collect::<Vec<_>>(), [1, 8, 1]);
    let page = &written.model().pages()[0];
    let pixel = |x: usize, y: usize| page.pixels[(y * 16 + x) * 4..][..4].to_vec();
    assert_eq!(
        (pixel(0, 0), pixel(9, 2), pixel(10, 7)),
        (vec![255, 0, 0, 255], vec![0, 255, 0, 128], vec![40, 0, 128, 128])
    );
    // The tinted red region is not visible before frame 4; its tint is reported as lost.
    let mut inked = 0;
    for frame in 0..4 {
        let meant = picture(&character, "swap", Position::Seconds(f64::from(frame) / 8.0));
        let found = picture(&written, "swap", Position::frame(frame));
        let off = meant.pixels().iter().zip(found.pixels()).map(|(a, b)| a.abs_diff(*b)).max();
        // A premultiplied colour is restored up to rounding.
        assert!(off <= Some(1), "frame {frame}: {off:?}");
        inked += meant.pixels().iter().filter(|byte| **byte != 0).count();
    }
    assert!(inked > 10_000, "{inked}");
}

#[test]
fn losses_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let character = swap(folder.path());
    let baked = bake(&character, &options(&character, vec![])).unwrap();
    let message: Vec<(&str, &str, Option<&str>, Option<&str>)> = baked
        .losses
        .iter()
        .map(|loss| (loss.code, &*loss.path, loss.mesh.as_deref(), loss.animation.as_deref()))
        .collect();
    assert_eq!(
        message,
        [
            ("skins-dropped", "skins", None, None),
            ("events-dropped", "animations/swap", None, Some("swap")),
            ("duration-rounded", "animations/still", None, Some("still")),
            ("tint-dropped", "slots/front", Some("front/red"), Some("swap")),
        ]
    );
    // With the skin applied, its attachment is stored.
    let skin = character.model().find_skin("other").unwrap();
    let worn = bake(&character, &options(&character, vec![skin])).unwrap();
    assert!(worn.losses.iter().all(|loss| loss.code != "skins-dropped"), "{:?}", worn.losses);
    assert_eq!(crate::common::v1_read::read(&worn.to_pchr().unwrap()).meshes[0].name, "half");
}

/// Returns the stored frames per second.
fn rate(baked: &pchr::bake::Baked) -> u16 {
    crate::common::v1_read::read(&baked.to_pchr().unwrap()).fps
}

#[test]
fn stored_frames_are_sampled_at_another_rate() {
    let mut file = common::tiny();
    let at = |x: f32| BoneTransform { x, ..BoneTransform::default() };
    let frames: Vec<Vec<_>> = (0..4).map(|frame| vec![at(frame as f32 * 4.0), at(1.0)]).collect();
    file.animations.push(Animation::new("slide", false, &frames));
    let character = common::read(&file);
    let slide = character.model().find_animation("slide").unwrap();
    // Three steps at 24 fps: an eighth of a second.
    let options = BakeOptions { fps: Some(48), animations: vec![slide], ..BakeOptions::default() };
    let (baked, written, compared) = round(&character, &options, "slide");
    assert_eq!(
        (written.model().animation(written.model().find_animation("slide").unwrap()).frame_count(), rate(&baked)),
        (7, 48)
    );
    assert!(compared.worst < 1e-4);
    let mut pose = Pose::default();
    let animation = written.model().find_animation("slide");
    evaluate(&written, &Cue { animation, position: Position::frame(3), ..Cue::default() }, &mut pose);
    assert_eq!(pose.world_from_bone[0].translation, vec2(6.0, 0.0));
    let options = BakeOptions { fps: None, ..options };
    assert_eq!(rate(&bake(&character, &options).unwrap()), 24);
}

#[test]
fn exceeding_the_format_is_an_error() {
    let text = SWAP.replace("\"time\":1,\"angle\"", "\"time\":100000,\"angle\"");
    let character = Character::from_bytes(text.into_bytes()).unwrap();
    let error = bake(&character, &options(&character, vec![])).unwrap_err();
    assert_eq!(error.code(), "too-many", "{error}");
    let mut small = options(&character, vec![]);
    (small.fps, small.limits.memory_bytes) = (Some(1), 2000);
    small.animations.truncate(1);
    let text = SWAP.replace("\"time\":1,\"angle\"", "\"time\":100,\"angle\"");
    let character = Character::from_bytes(text.into_bytes()).unwrap();
    assert_eq!(bake(&character, &small).unwrap_err().code(), "limit-exceeded");
}
