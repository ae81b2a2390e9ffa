//! Inverse clip masks: both renderers draw as many pixels as the geometry says. All edges lie between pixels.

use crate::common::gpu::gpu_or_skip;
use crate::common::pictures::Pair;
use crate::common::say;
use pchr::draw::{Command, DrawList, Picture, Settings, View};
use pchr::math::{Affine2, Vec2, vec2};
use pchr::model::{
    Attachment, Bone, ClipMask, Indices, Influence, Mesh, Model, ModelBuilder, Polygon, SkinNVertices, Slot, Tint,
};
use pchr::pose::{DeformSpan, Pose, SlotPose};

/// The side of the picture, whose middle is the world's origin.
const SIDE: u32 = 64;

fn corners(points: &[[f32; 2]]) -> SkinNVertices {
    let mut vertices = SkinNVertices::default();
    for &[x, y] in points {
        let influence = Influence { position: vec2(x, y), bone: 0, weight: 1.0 };
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

/// A mask, a square from -20 to 20 that it clips, and one from 22 to 30 in the slot after its end.
fn masked(polygon: &[[f32; 2]], is_inverse: bool) -> (Model, Pose) {
    let mut builder = ModelBuilder::default();
    let bone = builder.bone(Bone::default()).expect("a bone");
    let slot = Slot { bone: Some(bone), ..Slot::default() };
    let draw_order: Vec<_> = (0..3).map(|_| builder.slot(slot.clone()).expect("a slot")).collect();
    let polygon = Polygon { name: "mask".into(), vertices: corners(polygon) };
    let mask = ClipMask { polygon, end: Some(draw_order[1]), is_inverse };
    let attachments = [Attachment::ClipMask(mask), square("inside", [-20.0, 20.0]), square("after", [22.0, 30.0])];
    let slots = attachments.into_iter().map(|attachment| {
        let attachment = Some(builder.attachment(attachment).expect("an attachment"));
        SlotPose { attachment, tint: Tint::NONE, deform: DeformSpan::NONE }
    });
    let slots = slots.collect();
    let pose = Pose { world_from_bone: vec![Affine2::IDENTITY], slots, draw_order, ..Pose::default() };
    (builder.build(), pose)
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

/// Polygons, and how many pixels of the square of 40 × 40 lie in them.
const MASKS: [(&str, &[[f32; 2]], usize); 6] = [
    ("square", &[[-10.0, -10.0], [20.0, -10.0], [20.0, 10.0], [-10.0, 10.0]], 30 * 20),
    ("clockwise", &[[-10.0, 10.0], [20.0, 10.0], [20.0, -10.0], [-10.0, -10.0]], 30 * 20),
    (
        "concave",
        &[[-10.0, -10.0], [10.0, -10.0], [10.0, 0.0], [0.0, 0.0], [0.0, 10.0], [-10.0, 10.0]],
        20 * 10 + 10 * 10,
    ),
    ("partly outside", &[[-50.0, -50.0], [0.0, -50.0], [0.0, 0.0], [-50.0, 0.0]], 20 * 20),
    ("everything", &[[-1e4, -1e4], [1e4, -1e4], [1e4, 1e4], [-1e4, 1e4]], 40 * 40),
    ("nothing", &[[100.0, 100.0], [120.0, 100.0], [120.0, 120.0]], 0),
];

#[test]
fn inverse_masks_show_what_others_hide() {
    let view = View::new(SIDE, SIDE, vec2(-32.0, 32.0), 1.0);
    let mut has_gpu = false;
    for (name, polygon, inside) in MASKS {
        for is_inverse in [false, true] {
            // Spine 4.3 hides the convex hull of such a mask, see docs/unsupported.md.
            if is_inverse && name == "concave" {
                continue;
            }
            let (model, pose) = masked(polygon, is_inverse);
            let list = list_of(&model, &pose, &view);
            let expected = [if is_inverse { 40 * 40 - inside } else { inside }, 8 * 40];
            let mut picture = Picture::default();
            let renderer = &mut pchr::cpu::Renderer::new(&model);
            renderer.render(&model, &list, &view, Settings::default(), &mut picture);
            assert_eq!(drawn(&picture), expected, "{name}, inverse: {is_inverse}, on the CPU");
            let Some(context) = gpu_or_skip() else { continue };
            has_gpu = true;
            let mut pair = Pair::new(context, &model);
            pair.compare(&format!("inverse-{name}"), &model, &list, view, Settings::default());
            for picture in pair.pictures() {
                assert_eq!(drawn(picture), expected, "{name}, inverse: {is_inverse}");
            }
        }
    }
    say(&format!("inverse masks: {} polygons, with a GPU: {has_gpu}", MASKS.len()));
}
