//! Poses, lists and renderers of other characters, and pictures of any size.

use pchr::Character;
use pchr::cpu::{Renderer, Threads};
use pchr::draw::{
    Antialias, BlendClass, Command, DrawList, Filter, Mask, Overlay, OverlayVertex, Picture, Settings, Sprite,
    SpriteColor, View, blended_slots,
};
use pchr::math::{Affine2, Rect, Vec2, vec2};
use pchr::motion::{Cue, evaluate};
use pchr::pose::{
    DeformSpan, Pose, SkinMatrix, bounding_box, bounding_box_at, bounds, deformed_world_position, mesh_at,
    palette, point, slot_bounds,
};

use super::{bones, foreign, large, panic_of, panics, small};
use crate::common::memory::peak;
use crate::common::show::is_blank;

const VIEW: (u32, u32) = (24, 24);

fn view() -> View {
    View::new(VIEW.0, VIEW.1, vec2(0.0, 24.0), 1.0)
}

fn pose_of(character: &Character) -> Pose {
    let mut pose = Pose::default();
    evaluate(character, &Cue::default(), &mut pose);
    pose
}

fn list_of(character: &Character) -> DrawList {
    let mut list = DrawList::default();
    list.build(character.model(), &pose_of(character), &view());
    list
}

fn matrices(character: &Character) -> Vec<SkinMatrix> {
    let mut out = Vec::new();
    palette(character.model(), &pose_of(character), &mut out);
    out
}

/// Draws `list` with a renderer for `character`.
fn picture(character: &Character, list: &DrawList, view: &View, settings: Settings) -> Picture {
    let mut picture = Picture::default();
    let mut renderer = Renderer::new(character.model()).with_threads(Threads::One);
    renderer.render(character.model(), list, view, settings, &mut picture);
    picture
}

/// Calls everything that takes a pose and its palette.
fn for_each_query(character: &Character, pose: &Pose, palette: &[SkinMatrix], check: impl Fn(&dyn Fn())) {
    let (model, slot) = (character.model(), foreign().slot);
    let own = model.slot_ids().next();
    check(&|| _ = bounds(model, pose, palette));
    check(&|| _ = mesh_at(model, pose, palette, vec2(1.0, 1.0)));
    check(&|| _ = bounding_box_at(model, pose, palette, vec2(1.0, 1.0)));
    for slot in own.into_iter().chain([slot]) {
        check(&|| _ = point(model, pose, slot, palette));
        check(&|| _ = slot_bounds(model, pose, slot, palette));
        check(&|| _ = bounding_box(model, pose, slot, palette, &mut Vec::new()));
    }
}

#[test]
fn a_pose_of_another_model_is_reported() {
    const MESSAGE: &str = "the pose belongs to another model: it has 40 bones and 40 slots, the model has 2 and 1";
    let (character, other) = (small(), pose_of(&large()));
    let model = character.model();
    panics(MESSAGE, || DrawList::default().build(model, &other, &view()));
    panics("it has 40 bones, the model has 2", || palette(model, &other, &mut Vec::new()));
    panics(MESSAGE, || other.visible_attachments(model).count());
    panics(MESSAGE, || blended_slots(model, &other).count());
    let palette = matrices(&large());
    for_each_query(&character, &other, &palette, |query| panics(MESSAGE, query));
    // The other way round, where every index exists.
    panics("it has 2 bones and 1 slots", || {
        DrawList::default().build(large().model(), &pose_of(&character), &view())
    });
    // The same number of bones, but no slots.
    panics("it has 2 bones and 0 slots", || DrawList::default().build(model, &pose_of(&bones(2)), &view()));
}

#[test]
fn an_unevaluated_pose_shows_nothing() {
    let character = small();
    let (model, pose) = (character.model(), Pose::default());
    let mut list = DrawList::default();
    list.build(model, &pose, &view());
    list.add_overlays(model, &pose, &view(), Overlay::Bones.into());
    assert!(is_blank(&picture(&character, &list, &view(), Settings::default())));
    assert_eq!(pose.visible_attachments(model).count(), 0);
    assert_eq!(bounds(model, &pose, &[]), Rect::NOTHING);
    for_each_query(&character, &pose, &[], |query| query());
}

#[test]
fn hand_edited_poses_report_what_they_lack() {
    let character = small();
    let (model, ids, full) = (character.model(), foreign(), pose_of(&character));
    let build = |pose: &Pose| DrawList::default().build(model, pose, &view());
    let changed = |change: fn(&mut Pose)| {
        let mut pose = full.clone();
        change(&mut pose);
        panic_of(|| build(&pose))
    };
    assert!(changed(|pose| pose.slots.clear()).contains("it has 2 bones and 0 slots, the model has 2 and 1"));
    assert!(changed(|pose| pose.world_from_bone.clear()).contains("it has 0 bones and 1 slots"));
    assert!(changed(|pose| pose.draw_order.push(foreign().slot)).contains("slot 39 does not exist"));
    assert!(
        changed(|pose| pose.slots[0].attachment = Some(foreign().attachment))
            .contains("attachment 39 does not exist, the model has 1")
    );
    for change in [
        (|pose| pose.draw_order.clear()) as fn(&mut Pose),
        |pose| pose.slots[0].attachment = None,
        |pose| pose.slots[0].deform = DeformSpan { first: u32::MAX, count: u32::MAX },
        |pose| pose.slots[0].tint.light = [f32::NAN, f32::INFINITY, -1.0, 1e30],
        |pose| pose.slots[0].tint.dark = Some([f32::NAN; 3]),
        |pose| pose.inactive_bones = vec![foreign().bone; 3],
        |pose| pose.world_from_bone[1].translation = Vec2::NAN,
        |pose| pose.world_from_bone[1].matrix2.x_axis *= f32::INFINITY,
        |pose| pose.deform = vec![Vec2::NAN; 5],
        |pose| pose.draw_order = vec![pose.draw_order[0]; 1000],
    ] {
        let mut pose = full.clone();
        change(&mut pose);
        let mut list = DrawList::default();
        list.build(model, &pose, &view());
        list.add_overlays(model, &pose, &view(), Overlay::Bones.into());
        picture(&character, &list, &view(), Settings { antialias: Antialias::Msaa4, ..Settings::default() });
        let mut matrices = Vec::new();
        palette(model, &pose, &mut matrices);
        for_each_query(&character, &pose, &matrices, |query| query());
        // Evaluation restores it completely.
        evaluate(&character, &Cue::default(), &mut pose);
        assert_eq!(pose, full);
    }
    assert!(!full.is_slot_active(model, ids.slot) || full.inactive_bones.is_empty());
}

#[test]
fn a_palette_of_another_pose_is_reported() {
    let character = small();
    let pose = pose_of(&character);
    for short in [0, 1] {
        let palette = vec![SkinMatrix::IDENTITY; short];
        let message = format!("the palette belongs to another pose: it has {short} matrices for 2 bones");
        for_each_query(&character, &pose, &palette, |query| panics(&message, query));
    }
    let mesh = character.model().attachments()[0].mesh().expect("a mesh");
    assert_eq!(deformed_world_position(&mesh.vertices, 3, &[], &matrices(&character)), None);
}

#[test]
fn a_list_of_another_model_is_reported() {
    let character = small();
    let draw = |list: &DrawList| picture(&character, list, &view(), Settings::default());
    let mut list = list_of(&character);
    list.palette.clear();
    panics("the draw list belongs to another model: it has 0 matrices, the model has 2 bones", || draw(&list));
    panics("attachment 39 does not exist, the model has 1", || draw(&list_of(&large())));
    let small_list = list_of(&character);
    let message = "the draw list belongs to another model: it has 2 matrices, the model has 40 bones";
    panics(message, || picture(&large(), &small_list, &view(), Settings::default()));
    // Without skinned commands, no matrices are needed.
    list.commands.clear();
    assert!(is_blank(&draw(&list)));
}

#[test]
fn a_renderer_of_another_model_is_reported() {
    let (character, without_pages) = (small(), bones(2));
    let mut renderer = Renderer::new(without_pages.model());
    let list = list_of(&character);
    let message = "the renderer belongs to another model: it has 0 pages and 0 attachments, the model has 1 and 1";
    let settings = Settings::default();
    panics(message, || renderer.render(character.model(), &list, &view(), settings, &mut Picture::default()));
}

/// Lists that no pose produces.
pub fn hand_made_lists(character: &Character) -> Vec<DrawList> {
    let list = list_of(character);
    let Some(Command::Sprite(sprite)) = list.commands.first().cloned() else { panic!("a sprite") };
    let with = |commands: Vec<Command>| DrawList { commands, ..list.clone() };
    let colored = |light: f32, dark: f32| {
        Command::Sprite(Sprite { color: SpriteColor { light: [light; 4], dark: [dark; 3] }, ..sprite })
    };
    let corner = |x: f32| OverlayVertex { position: vec2(x, x * x), color: [255; 4] };
    let overlay = [0.0, 5.0, f32::NAN, 1e30, f32::INFINITY, 3.0, 9.0].map(corner).to_vec();
    let mask = Mask {
        attachment: sprite.attachment,
        deform: DeformSpan { first: 7, count: u32::MAX },
        hull: Default::default(),
    };
    let ranges = [(0, 7), (3, 6), (2, 1), (0, u32::MAX), (u32::MAX, u32::MAX), (7, 9), (5, 5)];
    let overlays = ranges.map(|(start, end)| Command::Overlay(start..end)).to_vec();
    let mut lists = vec![
        DrawList { overlay, ..with(overlays.clone()) },
        with(overlays),
        // Masks that never begin, never end, end twice, or are nested.
        with(vec![Command::ClipBegin(mask), Command::Sprite(sprite)]),
        with(vec![Command::ClipEnd, Command::ClipEnd, Command::ClipBegin(mask), Command::ClipBegin(mask)]),
        with(vec![Command::Sprite(Sprite { deform: mask.deform, ..sprite }); 300]),
    ];
    for odd in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, -1e30, 1e9] {
        for blend in BlendClass::ALL {
            let Command::Sprite(odd_light) = colored(odd, odd) else { continue };
            lists.push(with(vec![Command::Sprite(Sprite { blend, ..odd_light }), colored(1.0, odd)]));
        }
        let mut bent = list.clone();
        bent.palette.iter_mut().for_each(|matrix| matrix.x_axis = vec2(odd, 1.0));
        bent.deform = vec![Vec2::splat(odd); 3];
        lists.push(bent);
    }
    lists
}

#[test]
fn hand_made_lists_are_drawn_without_nonsensical_parts() {
    let character = small();
    for list in hand_made_lists(&character) {
        for antialias in [Antialias::None, Antialias::Msaa4, Antialias::Ssaa2] {
            for filter in [Filter::Nearest, Filter::Linear] {
                picture(&character, &list, &view(), Settings { filter, antialias });
            }
        }
    }
}

/// Views that show nothing.
pub fn blind_views() -> Vec<View> {
    let scales = [0.0, -0.0, -1.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY];
    let mut views: Vec<View> = scales.iter().map(|scale| View::new(24, 24, vec2(0.0, 24.0), *scale)).collect();
    for odd in [f32::NAN, f32::INFINITY] {
        views.push(View::new(24, 24, vec2(odd, 0.0), 1.0));
        views.push(View::new(24, 24, vec2(0.0, odd), 1.0));
    }
    let rects = [
        Rect::NOTHING,
        Rect { min: Vec2::ZERO, max: Vec2::ZERO },
        Rect { min: Vec2::NAN, max: Vec2::NAN },
        Rect { min: Vec2::NEG_INFINITY, max: Vec2::INFINITY },
        Rect { min: vec2(5.0, 5.0), max: vec2(1.0, 1.0) },
    ];
    views.extend(rects.map(|rect| View::fit(24, 24, rect)));
    // Without an inverse, or not finite.
    for columns in [
        [0.0; 6],
        [1.0, 2.0, 2.0, 4.0, 0.0, 0.0],
        [1.0, 0.0, 0.0, 0.0, 0.0, 24.0],
        [f32::NAN, 0.0, 0.0, 1.0, 0.0, 0.0],
        [1.0, 0.0, f32::INFINITY, -1.0, 0.0, 24.0],
        [1.0, 0.0, 0.0, -1.0, f32::NEG_INFINITY, 24.0],
    ] {
        views.push(View::from_affine(24, 24, Affine2::from_cols_array(&columns)));
    }
    views.push(view().rotated(f32::NAN));
    views
}

#[test]
fn views_that_show_nothing_give_an_empty_picture() {
    let character = small();
    let mut list = list_of(&character);
    list.add_overlays(character.model(), &pose_of(&character), &view(), Overlay::Bones.into());
    assert!(!is_blank(&picture(&character, &list, &view(), Settings::default())));
    for view in blind_views() {
        let mut list = DrawList::default();
        list.build(character.model(), &pose_of(&character), &view);
        list.add_overlays(character.model(), &pose_of(&character), &view, Overlay::Bones.into());
        let picture = picture(&character, &list, &view, Settings::default());
        assert_eq!((picture.width(), picture.height()), VIEW, "{view:?}");
        assert!(is_blank(&picture), "{view:?}");
        _ = (view.world(), view.world_from_pixel(vec2(1.0, 1.0)), view.enlarged(u32::MAX));
    }
    // Extreme positions and scales, but valid.
    for view in [
        View::new(24, 24, vec2(f32::MAX, f32::MIN), f32::MIN_POSITIVE),
        View::new(24, 24, vec2(0.0, 24.0), f32::MAX),
        View::new(24, 24, vec2(1e30, 1e30), 1e30),
        View::new(24, 24, vec2(0.0, 24.0), 1e-40),
    ] {
        for antialias in [Antialias::None, Antialias::Msaa4, Antialias::Ssaa4] {
            picture(&character, &list, &view, Settings { antialias, ..Settings::default() });
        }
    }
    for (width, height) in [(0, 0), (0, 24), (24, 0), (0, u32::MAX), (u32::MAX >> 12, 0)] {
        let view = View::new(width, height, vec2(0.0, 24.0), 1.0);
        for antialias in [Antialias::None, Antialias::Msaa4, Antialias::Ssaa4] {
            let renderer = Renderer::new(character.model());
            if renderer.check_size(&view, antialias).is_ok() {
                let picture = picture(&character, &list, &view, Settings { antialias, ..Settings::default() });
                assert_eq!((picture.width(), picture.height()), (width, height));
            }
        }
        View::fit(width, height, Rect { min: Vec2::ZERO, max: Vec2::ONE });
    }
}

#[test]
fn oversized_pictures_are_refused_before_allocating() {
    let character = small();
    let (list, renderer) = (list_of(&character), Renderer::new(character.model()));
    for (width, height, antialias, why) in [
        (u32::MAX, u32::MAX, Antialias::None, "would be drawn 4294967295 pixels long, a side may have 1048576"),
        (u32::MAX, 1, Antialias::Ssaa4, "would be drawn 17179869180 pixels long"),
        (1, (1 << 18) + 1, Antialias::Ssaa4, "would be drawn 1048580 pixels long"),
        (1 << 20, 1 << 20, Antialias::None, "takes 4398046511104 bytes to draw, 4294967296 are allowed"),
        (32_768, 32_769, Antialias::None, "takes 4295098368 bytes to draw"),
        (32_768, 32_768, Antialias::Msaa4, "takes 22548578304 bytes to draw"),
        (32_768, 32_768, Antialias::Ssaa2, "takes 17179869184 bytes to draw"),
    ] {
        let view = View::new(width, height, vec2(0.0, 24.0), 1.0);
        let refused = renderer.check_size(&view, antialias).expect_err(why);
        assert_eq!(refused.code(), "picture-too-large");
        let message = refused.to_string();
        assert!(message.starts_with(&format!("a picture of {width}×{height} {why}")), "{message}");
        let settings = Settings { antialias, ..Settings::default() };
        let (found, taken) = peak(|| panic_of(|| picture(&character, &list, &view, settings)));
        assert_eq!(found, message);
        assert!(taken < 1 << 20, "{taken} bytes");
    }
    assert!(renderer.check_size(&View::new(32_768, 32_768, Vec2::ZERO, 1.0), Antialias::None).is_ok());
    assert!(renderer.check_size(&View::new(1 << 18, 1, Vec2::ZERO, 1.0), Antialias::Ssaa4).is_ok());
    let strict = renderer.clone().with_max_bytes(24 * 24 * 4);
    assert!(strict.check_size(&view(), Antialias::None).is_ok());
    assert!(strict.check_size(&view(), Antialias::Msaa4).is_err());
    let generous = renderer.with_max_bytes(u64::MAX);
    assert!(generous.check_size(&View::new(1 << 20, 1 << 20, Vec2::ZERO, 1.0), Antialias::None).is_ok());
}

#[test]
fn pictures_report_invalid_sizes_factors_and_pixels() {
    let mut picture = Picture::default();
    picture.reset(5, 3);
    for factor in [0, Picture::MAX_SHRINK + 1, u32::MAX] {
        let message = format!("a picture shrinks by a factor of 1 to 4096, not {factor}");
        panics(&message, || picture.clone().shrink(factor));
    }
    for (x, y) in [(5, 0), (0, 3), (4, 3), (u32::MAX, u32::MAX), (6, 1)] {
        panics(&format!("pixel {x}, {y} lies outside of a picture of 5×3"), || picture.pixel(x, y));
    }
    panics("pixel 0, 0 lies outside of a picture of 0×0", || Picture::default().pixel(0, 0));
    for (width, height) in [(u32::MAX, u32::MAX), (1 << 31, 1 << 31), (1 << 24, 1 << 30)] {
        let mut picture = picture.clone();
        panics(&format!("a picture of {width}×{height} takes"), || picture.reset(width, height));
        assert_eq!(
            (picture.width(), picture.height(), picture.pixels().len()),
            (0, 0, 0),
            "and the picture is empty afterwards"
        );
    }
    // Incomplete blocks are cut off.
    picture.pixels_mut().fill(7);
    picture.shrink(2);
    assert_eq!((picture.width(), picture.height(), picture.pixels()), (2, 1, &[7; 8][..]));
    picture.shrink(Picture::MAX_SHRINK);
    assert_eq!((picture.width(), picture.height(), picture.pixels().len()), (0, 0, 0));
    picture.lay_over(|_, _| [255; 4]);
    let mut bright = Picture::default();
    bright.reset(4096, 4096);
    bright.pixels_mut().fill(255);
    bright.shrink(4096);
    assert_eq!(bright.pixels(), [255; 4]);
}
