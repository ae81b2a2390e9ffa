//! Inverse and convex clip masks: both renderers draw as many pixels as the geometry says, and as many are picked. All
//! edges that count lie between pixels.

use crate::common::gpu::gpu_or_skip;
use crate::common::memory::allocations;
use crate::common::pictures::Pair;
use crate::common::say;
use pchr::draw::{Batches, Command, DrawList, Picture, Settings, UnskinnedBatches, View, pick};
use pchr::math::{Affine2, Vec2, vec2};
use pchr::model::{
    Attachment, Bone, ClipMask, Indices, Influence, Mesh, Model, ModelBuilder, Polygon, SkinNVertices, Slot, Tint,
};
use pchr::pose::{DeformSpan, Pose, SlotPose, clip_polygon, palette};

/// The side of the picture, whose middle is the world's origin.
const SIDE: u32 = 64;

fn corners(points: &[[f32; 2]]) -> SkinNVertices {
    corners_moved_by(points, |_| 0)
}

fn corners_moved_by(points: &[[f32; 2]], bone: impl Fn(usize) -> u32) -> SkinNVertices {
    let mut vertices = SkinNVertices::default();
    for (index, &[x, y]) in points.iter().enumerate() {
        let influence = Influence { position: vec2(x, y), bone: bone(index), weight: 1.0 };
        vertices.push(vec2(x, y), Vec2::ZERO, &[influence]).expect("a vertex");
    }
    vertices
}

fn square(name: &str, [left, right]: [f32; 2]) -> Attachment {
    Attachment::Mesh(Mesh {
        name: name.into(),
        page: None,
        vertices: corners(&[[left, -20.0], [right, -20.0], [right, 20.0], [left, 20.0]]).into(),
        indices: Indices::from_triangles(&[[0, 1, 2], [0, 2, 3]]),
        tint: [1.0; 4],
        outline: Default::default(),
    })
}

/// A mask, a square from -20 to 20 that it clips, and one from 22 to 30 in the slot after its end. The last corner of the
/// polygon moves with the second bone.
fn masked(polygon: &[[f32; 2]], [is_inverse, is_convex]: [bool; 2], moved: Vec2) -> (Model, Pose) {
    let mut builder = ModelBuilder::default();
    let still = Bone { bone_from_bind: Some(Affine2::IDENTITY), ..Bone::default() };
    let bone = builder.bone(still.clone()).expect("a bone");
    builder.bone(still).expect("a bone");
    let slot = Slot { bone: Some(bone), ..Slot::default() };
    let draw_order: Vec<_> = (0..3).map(|_| builder.slot(slot.clone()).expect("a slot")).collect();
    let vertices = corners_moved_by(polygon, |index| u32::from(index + 1 == polygon.len()));
    let polygon = Polygon { name: "mask".into(), vertices };
    let mask = ClipMask { polygon, is_convex, is_inverse, end: Some(draw_order[1]) };
    let attachments = [Attachment::ClipMask(mask), square("inside", [-20.0, 20.0]), square("after", [22.0, 30.0])];
    let slots = attachments.into_iter().map(|attachment| {
        let attachment = Some(builder.attachment(attachment).expect("an attachment"));
        SlotPose { attachment, tint: Tint::NONE, deform: DeformSpan::NONE }
    });
    let slots = slots.collect();
    let world_from_bone = vec![Affine2::IDENTITY, Affine2::from_translation(moved)];
    (builder.build(), Pose { world_from_bone, slots, draw_order, ..Pose::default() })
}

fn list_of(model: &Model, pose: &Pose, view: &View) -> DrawList {
    let mut list = DrawList::default();
    list.build(model, pose, view);
    // Meshes without a picture have outlines.
    list.commands.retain(|command| !matches!(command, Command::Overlay(_)));
    list
}

/// How many pixels of a picture are drawn left of the second square, and in it.
fn drawn(picture: &Picture) -> [usize; 2] {
    let pixels = picture.pixels().chunks_exact(4).enumerate().filter(|(_, pixel)| pixel[3] > 0);
    let (after, inside): (Vec<_>, Vec<_>) = pixels.partition(|(at, _)| at % SIDE as usize >= 32 + 21);
    [inside.len(), after.len()]
}

/// The same as [`drawn`] for points that are picked.
fn picked(model: &Model, pose: &Pose, view: &View) -> [usize; 2] {
    let (mut matrices, mut hits, mut counts) = (Vec::new(), Vec::new(), [0, 0]);
    palette(model, pose, &mut matrices);
    for (x, y) in (0..SIDE).flat_map(|y| (0..SIDE).map(move |x| (x, y))) {
        let at = view.world_from_pixel(vec2(x as f32 + 0.5, y as f32 + 0.5));
        pick(model, pose, &matrices, at, 0.0, &mut hits);
        counts[usize::from(x >= 32 + 21)] += usize::from(!hits.is_empty());
    }
    counts
}

/// A polygon, how far its last corner moves, and how many pixels of the square of 40 × 40 lie in it and in its hull; `usize::MAX` if
/// edges run through the middle of pixels.
struct Case {
    name: &'static str,
    polygon: &'static [[f32; 2]],
    moved: Vec2,
    inside: [usize; 2],
}

const fn case(name: &'static str, polygon: &'static [[f32; 2]], moved: [f32; 2], inside: [usize; 2]) -> Case {
    Case { name, polygon, moved: Vec2::from_array(moved), inside }
}

const CASES: [Case; 9] = [
    case("square", &[[-10.0, -10.0], [20.0, -10.0], [20.0, 10.0], [-10.0, 10.0]], [0.0; 2], [30 * 20; 2]),
    case("clockwise", &[[-10.0, 10.0], [20.0, 10.0], [20.0, -10.0], [-10.0, -10.0]], [0.0; 2], [30 * 20; 2]),
    case(
        "concave",
        &[
            [-10.0, -10.0],
            [10.0, -10.0],
            [10.0, 10.0],
            [5.0, 10.0],
            [5.0, 0.0],
            [-5.0, 0.0],
            [-5.0, 10.0],
            [-10.0, 10.0],
        ],
        [0.0; 2],
        [20 * 10 + 2 * 5 * 10, 20 * 20],
    ),
    case(
        "concave in the pose",
        &[[-10.0, -10.0], [10.0, -10.0], [10.0, 10.0], [-10.0, 10.0], [-20.0, 0.0]],
        [20.0, 0.0],
        [usize::MAX, 20 * 20],
    ),
    case(
        "convex in the pose",
        &[[-10.0, -10.0], [10.0, -10.0], [10.0, 10.0], [0.0, -5.0]],
        [-10.0, 15.0],
        [20 * 20; 2],
    ),
    case(
        "out of order",
        &[[-10.0, -10.0], [10.0, 10.0], [10.0, -10.0], [-10.0, 10.0]],
        [0.0; 2],
        [usize::MAX, 400],
    ),
    case("partly outside", &[[-50.0, -50.0], [0.0, -50.0], [0.0, 0.0], [-50.0, 0.0]], [0.0; 2], [20 * 20; 2]),
    case("everything", &[[-1e4, -1e4], [1e4, -1e4], [1e4, 1e4], [-1e4, 1e4]], [0.0; 2], [40 * 40; 2]),
    case("nothing", &[[100.0, 100.0], [120.0, 100.0], [120.0, 120.0]], [0.0; 2], [0; 2]),
];

#[test]
fn masks_of_every_shape_show_what_geometry_says() {
    let view = View::new(SIDE, SIDE, vec2(-32.0, 32.0), 1.0);
    let mut has_gpu = false;
    let (mut batches, mut unskinned) = (Batches::default(), UnskinnedBatches::default());
    for Case { name, polygon, moved, inside } in &CASES {
        for kind in [[false, false], [true, false], [false, true], [true, true]] {
            let [is_inverse, is_convex] = kind;
            let inside = inside[usize::from(is_convex)];
            if inside == usize::MAX {
                continue;
            }
            let what = format!("{name}, inverse: {is_inverse}, convex: {is_convex}");
            let (model, pose) = masked(polygon, kind, *moved);
            let list = list_of(&model, &pose, &view);
            let expected = [if is_inverse { 40 * 40 - inside } else { inside }, 8 * 40];
            let mut picture = Picture::default();
            let renderer = &mut pchr::cpu::Renderer::new(&model);
            renderer.render(&model, &list, &view, Settings::default(), &mut picture);
            assert_eq!(drawn(&picture), expected, "{what}, on the CPU");
            assert_eq!(picked(&model, &pose, &view), expected, "{what}, picked");

            let (mut matrices, mut corners) = (Vec::new(), Vec::new());
            palette(&model, &pose, &mut matrices);
            assert!(clip_polygon(&model, &pose, pose.draw_order[0], &matrices, &mut corners));
            batches.build(&model, &list);
            let points = batches.clip_points();
            let around = if is_inverse { 6 } else { 0 };
            assert_eq!(points[..points.len() - around], corners, "{what}");
            unskinned.build(&model, &list);
            let influences = unskinned.clip_points().iter().map(|span| &unskinned.influences()[span.range()][0]);
            let posed = influences.map(|it| match it.bone {
                Influence::NO_BONE => it.position,
                bone => list.palette[bone as usize].transform(it.position),
            });
            assert!(posed.eq(points.iter().copied()), "{what}");
            let corners = corners.len() as u64;
            assert_eq!(list.counts(&model).triangles, corners.saturating_sub(2) + 4, "{what}");

            let Some(context) = gpu_or_skip() else { continue };
            has_gpu = true;
            let mut pair = Pair::new(context, &model);
            pair.compare(
                &format!("mask-{}", what.replace([' ', ',', ':'], "")),
                &model,
                &list,
                view,
                Settings::default(),
            );
            for picture in pair.pictures() {
                assert_eq!(drawn(picture), expected, "{what}");
            }
        }
    }
    say(&format!("masks: {} polygons, with a GPU: {has_gpu}", CASES.len()));
}

#[test]
fn a_convex_mask_has_at_most_as_many_vertices_as_16_bits_count() {
    let build = |count: usize, is_convex| {
        let mut builder = ModelBuilder::default();
        builder.bone(Bone::default()).expect("a bone");
        let polygon = Polygon { name: "mask".into(), vertices: corners(&vec![[0.0; 2]; count]) };
        builder.attachment(Attachment::ClipMask(ClipMask { polygon, is_convex, is_inverse: false, end: None }))
    };
    build(65_535, true).expect("as many as allowed");
    build(65_536, false).expect("not convex");
    let error = build(65_536, true).expect_err("too many").to_string();
    assert_eq!(error, "a convex clip mask has at most 65,535 vertices, this one has 65536");
}

/// Hulls with other corners in each picture, in one renderer; a member that draws the same as another one but for its
/// hull; and a polygon with more triangles than its hull.
#[test]
fn hulls_change_from_picture_to_picture_without_allocating() {
    // No edge runs through the middle of a pixel.
    let polygon = [[-10.0, -10.0], [10.0, -10.0], [10.0, 10.0], [-10.0, 10.0], [-20.0, 0.3]];
    let view = View::new(SIDE, SIDE, vec2(-32.0, 32.0), 1.0);
    let (model, mut pose) = masked(&polygon, [false, true], Vec2::ZERO);
    let mut pair = gpu_or_skip().map(|context| Pair::new(context, &model));
    let mut renderer = pchr::cpu::Renderer::new(&model).with_threads(pchr::cpu::Threads::One);
    let (mut list, mut picture, mut batches) = (DrawList::default(), Picture::default(), Batches::default());
    let (mut matrices, mut corners) = (Vec::new(), Vec::new());
    // The last corner stays left of the square, moves into it, and then right of it.
    let mut show = |moved: f32, expected: Option<usize>| {
        pose.world_from_bone[1] = Affine2::from_translation(vec2(moved, 0.0));
        list.build(&model, &pose, &view);
        list.commands.retain(|command| !matches!(command, Command::Overlay(_)));
        renderer.render(&model, &list, &view, Settings::default(), &mut picture);
        batches.build(&model, &list);
        palette(&model, &pose, &mut matrices);
        clip_polygon(&model, &pose, pose.draw_order[0], &matrices, &mut corners);
        let Some(expected) = expected else { return };
        assert_eq!(corners.len(), expected);
        if let Some(pair) = &mut pair {
            pair.compare(&format!("hull-{moved}"), &model, &list, view, Settings::default());
            let [cpu, gpu] = pair.pictures();
            assert_eq!(drawn(cpu), drawn(gpu), "{moved}");
            assert_eq!(drawn(&picture), drawn(gpu), "{moved}");
        }
    };
    for (moved, expected) in [(0.0, 5), (20.0, 4), (40.0, 5), (20.0, 4)] {
        show(moved, Some(expected));
    }
    let steps = [0.0, 20.0, 40.0, 20.0];
    assert_eq!(allocations(|| steps.into_iter().for_each(|moved| show(moved, None))), 0);
}
