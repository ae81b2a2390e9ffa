//! Several characters on a stage: each looks as it does alone, and they cover each other by their order.

use std::sync::Arc;

use pchr::Character;
use pchr::cpu;
use pchr::draw::Picture;
use pchr::export::{Drawing, Fit, RenderOptions, Size, StagedCharacter};
use pchr::limits::Limits;
use pchr::math::{Rect, Vec2, vec2};

const KNIGHT: &str = "assets/paper-knight.pchr";
const LAMP: &str = "assets/paper-lamp.json";
const AREA: Rect = Rect { min: vec2(-300.0, -50.0), max: vec2(900.0, 550.0) };

fn at(file: &str, position: Vec2) -> StagedCharacter {
    StagedCharacter { position: Some(position), ..StagedCharacter::new(file.to_owned()) }
}

fn options(secs: f64) -> RenderOptions {
    let mut options = RenderOptions::default();
    options.subject.time = Some(secs);
    options.look.fit = Fit::Rect(AREA);
    options.look.size = Size::Native;
    options.look.scale = 0.25;
    options
}

fn draw(options: &RenderOptions, character: &Character, animation: &str) -> Picture {
    let skins = pchr::motion::initial_skins(character);
    let id = character.model().find_animation(animation).expect("an animation");
    let plan = options.plan(character, &[id], &skins).expect("a plan");
    let cancelled = Default::default();
    let sequence = options.sequence(character, &plan, &cancelled);
    let mut drawing = Drawing::cpu(cpu::Renderer::new(character.model()));
    sequence.picture(&mut drawing, &plan.pictures[0].cue).expect("it draws").expect("a picture")
}

fn staged(cast: &[StagedCharacter], secs: f64) -> (RenderOptions, Character) {
    let mut options = options(secs);
    options.subject.stage = cast.to_vec();
    let open = |spec: &StagedCharacter| Arc::new(Character::open(&spec.file).expect("a character"));
    let characters: Vec<_> = cast.iter().map(open).collect();
    let stage = options.subject.staged(&characters, None, &Limits::default()).expect("a stage");
    (options, stage)
}

fn on_stage(cast: &[StagedCharacter], secs: f64) -> Picture {
    let (options, stage) = staged(cast, secs);
    draw(&options, &stage, "stage")
}

/// Lays `front` over `back`.
fn over(front: &Picture, back: &Picture) -> Vec<u8> {
    let pixels = front.pixels().chunks(4).zip(back.pixels().chunks(4));
    let mixed = |(front, back): (&[u8], &[u8])| {
        let rest = 255 - u32::from(front[3]);
        let mix = |channel: usize| front[channel] as u32 + (u32::from(back[channel]) * rest + 127) / 255;
        [0, 1, 2, 3].map(|channel| mix(channel) as u8)
    };
    pixels.flat_map(mixed).collect()
}

/// Asserts that pictures are equal where only one of the characters is, or the front one is opaque. Where an edge of it
/// crosses the other one, each sample of a pixel shows one of them, so that coverage is not opacity.
#[track_caller]
fn assert_composed(stage: &Picture, back: &Picture, front: &Picture) {
    let expected = over(front, back);
    let (mut shown, mut edges, mut strays) = (0, 0, 0);
    for (at, (found, expected)) in stage.pixels().chunks(4).zip(expected.chunks(4)).enumerate() {
        let alpha = |picture: &Picture| picture.pixels()[at * 4 + 3];
        shown += usize::from(alpha(front) > 0 || alpha(back) > 0);
        if alpha(back) > 0 && alpha(front) > 0 && alpha(front) < 255 {
            edges += 1;
        } else {
            // Rounded once more where both are. A sample may have so little alpha that its pixel has none.
            let is_both = alpha(back) > 0 && alpha(front) > 0;
            strays += usize::from(!is_both && found != expected);
            let is_same = found.iter().zip(expected).all(|(a, b)| a.abs_diff(*b) <= 1);
            assert!(is_same, "pixel {at}: {found:?}, not {expected:?}");
        }
    }
    println!("{edges} of {shown} pixels are edges of one over the other");
    assert!(strays <= 2, "{strays} pixels of one character differ");
    assert!(shown > 1000 && edges * 10 < shown, "{shown} pixels, {edges} edges");
}

fn playing(file: &str, animation: &str, position: Vec2) -> StagedCharacter {
    StagedCharacter { animation: Some(animation.to_owned()), ..at(file, position) }
}

#[test]
fn a_character_by_itself_is_the_same_picture() {
    for (file, animation) in
        [(KNIGHT, "walk"), (LAMP, "hop"), (LAMP, "idle"), ("assets/paper-lamp-4.2.json", "hop")]
    {
        for (secs, start) in [(0.0, 0.0), (0.31, 0.0), (0.3, 0.125)] {
            let character = Character::open(file).expect("a character");
            // With physics.
            let alone = draw(&options(secs + start), &character, animation);
            let spec = StagedCharacter { start, ..playing(file, animation, Vec2::ZERO) };
            assert!(on_stage(&[spec], secs) == alone, "{file} {animation} {secs}");
        }
    }
}

#[test]
fn characters_look_as_they_do_alone() {
    let [walk, hop] = [playing(KNIGHT, "walk", Vec2::ZERO), playing(LAMP, "hop", vec2(512.5, 32.25))];
    for secs in [0.0, 0.3, 0.7] {
        let [back, front] = [&walk, &hop].map(|spec| on_stage(&[spec.clone(), gone(LAMP)], secs));
        assert_composed(&on_stage(&[walk.clone(), hop.clone()], secs), &back, &front);
    }
}

/// A character that is not seen, but makes the stage as long as with one that is.
fn gone(file: &str) -> StagedCharacter {
    StagedCharacter { tint: [0; 4], ..playing(file, "hop", Vec2::ZERO) }
}

#[test]
fn order_decides_who_is_in_front() {
    let cast = |order| {
        let knight = StagedCharacter { order, ..playing(KNIGHT, "walk", Vec2::ZERO) };
        [knight, playing(LAMP, "hop", vec2(64.0, 0.0))]
    };
    let [knight, lamp] = cast(0).map(|spec| on_stage(&[spec], 0.0));
    assert_composed(&on_stage(&cast(0), 0.0), &knight, &lamp);
    assert_composed(&on_stage(&cast(1), 0.0), &lamp, &knight);
}

#[test]
fn scale_flip_and_tint_apply_to_all_of_a_character() {
    let plain = at(KNIGHT, Vec2::ZERO);
    let one = |spec: StagedCharacter| on_stage(&[spec, at(LAMP, vec2(600.0, 0.0))], 0.0);
    let (same, flipped) = (one(plain.clone()), one(StagedCharacter { flip_x: true, ..plain.clone() }));
    // The left half of the picture is mirrored about the origin.
    let mirrored = (0..150).all(|y| {
        (0..150).all(|x| {
            let (a, b) = (same.pixel(x, y), flipped.pixel(149 - x, y));
            a.iter().zip(b).all(|(a, b)| a.abs_diff(b) <= 48)
        })
    });
    assert!(mirrored && same != flipped);
    let tinted = one(StagedCharacter { tint: [255, 0, 0, 255], ..plain.clone() });
    assert!(
        tinted.pixels().chunks(4).enumerate().all(|(at, pixel)| at % 300 > 150 || pixel[1] == 0 && pixel[2] == 0)
    );
    assert!(tinted.pixels().chunks(4).any(|pixel| pixel[0] > 100));
    let gone = one(StagedCharacter { tint: [255, 255, 255, 0], ..plain.clone() });
    assert!((0..150).all(|y| (0..125).all(|x| gone.pixel(x, y) == [0; 4])));
    let rows = |picture: &Picture| (0..150).filter(|&y| (0..125).any(|x| picture.pixel(x, y)[3] > 0)).count();
    let half = one(StagedCharacter { scale: 0.5, ..plain });
    assert!((rows(&same) as i64 - 2 * rows(&half) as i64).abs() <= 4);
}

#[test]
fn the_wind_pushes_each_character_as_it_pushes_one_alone_and_in_the_same_direction_if_it_is_mirrored() {
    let file = "assets/paper-lamp-4.2.json";
    let blown = |flip_x: bool, wind: Vec2| {
        let spec = StagedCharacter { flip_x, ..playing(file, "idle", Vec2::ZERO) };
        let (mut options, stage) = staged(&[spec], 1.0);
        options.subject.wind = wind;
        // The lamp and its mirror image.
        options.look.fit = Fit::Rect(Rect { min: vec2(-300.0, -50.0), max: vec2(300.0, 550.0) });
        draw(&options, &stage, "stage")
    };
    let (left, right) = (vec2(-20.0, 0.0), vec2(20.0, 0.0));
    let mut options = options(1.0);
    options.subject.wind = right;
    options.look.fit = Fit::Rect(Rect { min: vec2(-300.0, -50.0), max: vec2(300.0, 550.0) });
    let alone = draw(&options, &Character::open(file).expect("a lamp"), "idle");
    assert!(alone == blown(false, right) && alone != blown(false, left));
    let differing = |a: &Picture, b: &Picture| {
        let is_far = |(x, y)| {
            let (a, b) = (a.pixel(x, y), b.pixel(a.width() - 1 - x, y));
            a.iter().zip(b).any(|(a, b)| a.abs_diff(b) > 48)
        };
        (0..a.height()).flat_map(|y| (0..a.width()).map(move |x| (x, y))).filter(|at| is_far(*at)).count()
    };
    let mirrored = blown(true, right);
    // Edges fall on other samples.
    let [same, other] = [left, right].map(|wind| differing(&mirrored, &blown(false, wind)));
    assert!(same * 4 < other && other > 20, "{same} {other}");
}

#[test]
fn characters_without_a_position_stand_in_a_row() {
    let cast = [StagedCharacter::new(KNIGHT.to_owned()), StagedCharacter::new(LAMP.to_owned())];
    let (mut options, stage) = staged(&cast, 0.0);
    options.look.fit = Fit::Animation;
    let picture = draw(&options, &stage, "stage");
    let free = |x: u32| (0..picture.height()).all(|y| picture.pixel(x, y)[3] == 0);
    let columns: Vec<bool> = (0..picture.width()).map(free).collect();
    assert!(columns.chunk_by(|a, b| a == b).filter(|same| !same[0]).count() >= 2, "a gap between them");
    assert_eq!(stage.model().slots().iter().filter(|slot| slot.name.starts_with("paper-lamp/")).count(), {
        Character::open(LAMP).expect("a lamp").model().slots().len()
    });
}

#[test]
fn a_clip_mask_ends_with_its_character() {
    use pchr::model::{Attachment, Bone, ClipMask, Influence, ModelBuilder, Polygon, SkinNVertices, Slot};
    use pchr::motion::{Actor, Motion, Sampled, Stage};
    let mut builder = ModelBuilder::default();
    let bone = builder.bone(Bone { name: "root".into(), ..Bone::default() }).expect("a bone");
    let mut vertices = SkinNVertices::default();
    for corner in [vec2(0.0, 0.0), vec2(1.0, 0.0), vec2(0.0, 1.0)] {
        let influence = Influence { position: corner, bone: bone.index() as u32, weight: 1.0 };
        vertices.push(Vec2::ZERO, corner, &[influence]).expect("a vertex");
    }
    let polygon = Polygon { name: "mask".into(), vertices };
    let mask = ClipMask { polygon, is_convex: false, is_inverse: false, end: None };
    let mask = builder.attachment(Attachment::ClipMask(mask)).expect("a mask");
    builder
        .slot(Slot { name: "mask".into(), bone: Some(bone), attachment: Some(mask), ..Slot::default() })
        .expect("a slot");
    let model = builder.build();
    let motion = Motion::Sampled(Sampled::from_frames(&model, &[pchr::math::Affine2::IDENTITY], &[]));
    let clipped = Arc::new(Character::new(model, motion).expect("a character"));
    let knight = Arc::new(Character::open(KNIGHT).expect("a knight"));
    let timing = pchr::model::Timing::Keys { secs: 1.0, fps: 30.0 };
    let cast = vec![Actor::new("mask", clipped), Actor::new("knight", Arc::clone(&knight))];
    let stage = Stage::character(cast, "stage", timing, true).expect("a stage");
    let (mut pose, mut list) = (Default::default(), pchr::draw::DrawList::default());
    pchr::motion::evaluate(&stage, &Default::default(), &mut pose);
    let view = pchr::draw::View::new(64, 64, vec2(0.0, 64.0), 1.0);
    list.build(stage.model(), &pose, &view);
    assert!(!list.commands.is_empty());
    assert!(list.commands.iter().all(|command| !matches!(command, pchr::draw::Command::ClipBegin(_))));
}
