//! Text in pictures: exact pixels, the same with every setting and every renderer.

use pchr::Character;
use pchr::cpu;
use pchr::draw::text::{ADVANCE, HEIGHT, Label, columns};
use pchr::draw::{Antialias, DrawList, Filter, Overlay, Picture, Settings, View};
use pchr::math::{Vec2, vec2};
use pchr::motion::{Cue, evaluate};
use pchr::pose::Pose;

const INK: [u8; 4] = [201, 103, 7, 255];
const RIM: [u8; 4] = [3, 1, 99, 255];

fn knight() -> Character {
    Character::open(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/paper-knight.pchr")).expect("the knight opens")
}

fn every_setting() -> impl Iterator<Item = Settings> {
    [Filter::Auto, Filter::Linear, Filter::Nearest].into_iter().flat_map(|filter| {
        [Antialias::None, Antialias::Msaa4, Antialias::Ssaa2, Antialias::Ssaa4]
            .map(|antialias| Settings { filter, antialias })
    })
}

/// Views of the same size of very different parts of the world.
fn views() -> [View; 5] {
    let view = |corner, scale| View::new(150, 60, corner, scale);
    [
        view(Vec2::ZERO, 1.0),
        view(vec2(-123.456, 789.01), 0.37),
        view(vec2(99_999.9, -54_321.7), 1.0),
        view(vec2(0.013, 0.007), 333.3),
        view(vec2(-5.0, 20.0), 2.5).mirrored(),
    ]
}

fn lines(view: &View) -> DrawList {
    let mut list = DrawList::default();
    list.add_rectangle([3, 30, 70, 25], [50, 60, 70, 255], view);
    let label = |text, corner, dot, outline| Label { text, corner, dot, color: INK, outline };
    list.add_label(&label("Grün 0.5 s <中>", [2, 1], 1, None), view);
    list.add_label(&label("gjpqy{}", [-3, 14], 2, Some(RIM)), view);
    list.add_label(&label("Ångström", [100, 50], 3, Some(RIM)), view);
    list
}

fn dots(text: &str) -> Vec<String> {
    let (width, height) = (columns(text) as u32 * ADVANCE, HEIGHT);
    let view = View::new(width, height, Vec2::ZERO, 1.0);
    let (character, mut list, mut picture) = (knight(), DrawList::default(), Picture::default());
    list.add_label(&Label { text, corner: [0, 0], dot: 1, color: INK, outline: None }, &view);
    cpu::Renderer::new(character.model()).render(
        character.model(),
        &list,
        &view,
        Settings::default(),
        &mut picture,
    );
    let dot = |x, y| match picture.pixel(x, y) {
        INK => '#',
        [0, 0, 0, 0] => '.',
        other => panic!("{other:?} at {x}, {y}"),
    };
    (0..height).map(|y| (0..width).map(|x| dot(x, y)).collect()).collect()
}

#[test]
fn glyphs_are_drawn_dot_by_dot() {
    let expected = [
        "...#........",
        "..#.........",
        "............",
        "#####.......",
        "#...........",
        "#......####.",
        "####..#...#.",
        "#.....#...#.",
        "#.....#...#.",
        "#####..####.",
        "..........#.",
        ".......###..",
    ];
    assert_eq!(dots("Ég"), expected);
}

#[test]
fn text_is_the_same_in_every_view_and_with_every_setting() {
    let character = knight();
    let mut renderer = cpu::Renderer::new(character.model());
    let mut draw = |view: &View, settings| {
        let mut picture = Picture::default();
        renderer.render(character.model(), &lines(view), view, settings, &mut picture);
        picture
    };
    let expected = draw(&views()[0], Settings::default());
    let colors = [[0; 4], [50, 60, 70, 255], INK, RIM];
    let is_known = |pixel: &[u8]| colors.iter().any(|color| pixel == color);
    assert!(expected.pixels().chunks(4).all(is_known), "a pixel is neither on nor off");
    for color in colors {
        assert!(expected.pixels().chunks(4).filter(|pixel| *pixel == color).count() > 100, "{color:?}");
    }
    for view in views() {
        for settings in every_setting() {
            assert!(draw(&view, settings) == expected, "{view:?} {settings:?}");
        }
    }
}

#[test]
fn bone_names_are_drawn_at_their_joints() {
    let character = knight();
    let model = character.model();
    let (mut pose, mut list) = (Pose::default(), DrawList::default());
    evaluate(&character, &Cue::default(), &mut pose);
    let view = View::new(300, 450, vec2(-150.0, 440.0), 1.0);
    list.add_overlays(model, &pose, &view, Overlay::Names.into());
    let hips = model.skeleton().authored_bones().iter().position(|bone| &*bone.name == "hips").expect("hips");
    let joint = view.pixel_from_world(pose.world_from_bone[hips].translation);
    let mut expected = DrawList::default();
    let corner = [joint.x as i32 + 6, joint.y as i32 - 6];
    let (color, outline) = ([255; 4], Some([12, 14, 20, 255]));
    expected.add_label(&Label { text: "hips", corner, dot: 1, color, outline }, &view);
    assert!(!expected.overlay.is_empty());
    let found = list.overlay.windows(expected.overlay.len()).any(|window| window == expected.overlay);
    assert!(found, "`hips` is not at {corner:?}");
    // Names do not cover each other, so a small picture has fewer.
    let small = View::new(75, 112, vec2(-150.0, 440.0), 0.25);
    let mut fewer = DrawList::default();
    fewer.add_overlays(model, &pose, &small, Overlay::Names.into());
    assert!(!fewer.overlay.is_empty() && 2 * fewer.overlay.len() < list.overlay.len());
    // Bones outside of the picture have no name in it.
    let elsewhere = View::new(300, 450, vec2(5000.0, 440.0), 1.0);
    list.overlay.clear();
    list.add_overlays(model, &pose, &elsewhere, Overlay::Names.into());
    assert!(list.overlay.is_empty());
}

#[cfg(feature = "gpu")]
#[test]
fn the_gpu_draws_the_same_bytes() {
    use crate::common::gpu::gpu_or_skip;
    use pchr::gpu::Headless;

    let character = knight();
    let model = character.model();
    let Some(context) = gpu_or_skip() else { return };
    let mut gpu = Headless::new(context, model).expect("the knight fits");
    let mut cpu = cpu::Renderer::new(model);
    let mut pose = Pose::default();
    evaluate(&character, &Cue::default(), &mut pose);
    for settings in every_setting() {
        for view in views() {
            let [mut expected, mut found] = [Picture::default(), Picture::default()];
            let list = lines(&view);
            cpu.render(model, &list, &view, settings, &mut expected);
            gpu.render(model, &list, &view, settings, &mut found).expect("it renders");
            assert!(found == expected, "{view:?} {settings:?}");
        }
        let view = View::new(300, 450, vec2(-150.0, 440.0), 1.0);
        let [mut expected, mut found] = [Picture::default(), Picture::default()];
        let mut list = DrawList::default();
        list.add_overlays(model, &pose, &view, Overlay::Names.into());
        cpu.render(model, &list, &view, settings, &mut expected);
        gpu.render(model, &list, &view, settings, &mut found).expect("it renders");
        assert!(expected.pixels().iter().filter(|byte| **byte == 255).count() > 1000);
        assert!(found == expected, "bone names with {settings:?}");
    }
}
