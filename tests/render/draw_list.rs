//! Draw lists: the slots that clip masks apply to, and what is not drawn at all.

use crate::common::characters::{image, quad, roots};
use crate::common::influences::same_influences;
use crate::common::read;
use crate::common::v1::File;
use pchr::draw::{Command, DrawList, View, blended_slots};
use pchr::math::{Affine2, Vec2, vec2};
use pchr::model::{
    Attachment, AttachmentId, Blend, Bone, BoneId, ClipMask, Influence, Model, ModelBuilder, Polygon,
    SkinNVertices, Slot, SlotId, Tint, Vertices,
};
use pchr::pose::{DeformSpan, Pose, SlotPose, bounds};

/// Builds slots from 0 on, each on its own bone: `-` is a quad, `.` is empty, and a digit is a clip mask with that
/// end slot, `*` one without end slot.
fn stage(slots: &str) -> (Model, Pose) {
    let file = read(&File {
        images: vec![image(1, 1, &[[255; 4]])],
        bones: roots(1),
        meshes: vec![quad(0, 0, [0.0, 0.0], [4.0, 4.0])],
        ..File::default()
    });
    let mut mesh = file.model().attachments()[0].mesh().expect("a mesh").clone();
    let Vertices::Skin4(corners) = &mesh.vertices else { panic!("four influences") };
    let mut vertices = SkinNVertices::default();
    for corner in corners.iter() {
        vertices.push(corner.uv, corner.position, &same_influences(&corner)).expect("finite");
    }
    mesh.vertices = vertices.into();
    let mut builder = ModelBuilder::default();
    let mut pose = Pose::default();
    let page = builder.page(file.model().pages()[0].clone()).expect("a page");
    let mut bones: Vec<BoneId> = Vec::new();
    let mut order: Vec<SlotId> = Vec::new();
    for number in 0..slots.len() {
        let bone = Bone { name: "bone".into(), bone_from_bind: Some(Affine2::IDENTITY), ..Bone::default() };
        bones.push(builder.bone(bone).expect("a bone"));
        let slot = Slot { name: format!("{number}").into(), bone: Some(bones[number]), ..Slot::default() };
        order.push(builder.slot(slot).expect("a slot"));
        pose.world_from_bone.push(Affine2::IDENTITY);
    }
    for letter in slots.chars() {
        let attachment: Option<AttachmentId> = match letter {
            '.' => None,
            '-' => {
                let mesh = pchr::model::Mesh { page: Some(page), ..mesh.clone() };
                Some(builder.attachment(Attachment::Mesh(mesh)).expect("a mesh"))
            }
            end => {
                let mut vertices = SkinNVertices::default();
                for position in [vec2(0.0, 0.0), vec2(4.0, 0.0), vec2(0.0, 4.0)] {
                    let influence = Influence { position, bone: 0, weight: 1.0 };
                    vertices.push(Vec2::ZERO, Vec2::ZERO, &[influence]).expect("finite");
                }
                let polygon = Polygon { name: "mask".into(), vertices };
                let end = end.to_digit(10).map(|end| order[end as usize]);
                let mask = Attachment::ClipMask(ClipMask { polygon, end, is_convex: false, is_inverse: false });
                Some(builder.attachment(mask).expect("a mask"))
            }
        };
        pose.slots.push(SlotPose { attachment, tint: Tint::NONE, deform: DeformSpan::NONE });
    }
    pose.draw_order = order;
    (builder.build(), pose)
}

/// Returns the commands: `-` for a sprite, and brackets for the start and end of clipping.
fn commands(model: &Model, pose: &Pose) -> String {
    let mut list = DrawList::default();
    list.build(model, pose, &View::new(4, 4, vec2(0.0, 4.0), 1.0));
    let letter = |command: &Command| match command {
        Command::Sprite(_) => '-',
        Command::ClipBegin(_) => '(',
        Command::ClipEnd => ')',
        Command::Overlay(_) => '~',
    };
    list.commands.iter().map(letter).collect()
}

#[test]
fn a_clip_mask_applies_up_to_its_end_slot() {
    for (slots, expected) in [
        ("-3---", "-(--)-"),
        // Even if the end slot is empty.
        ("-3-.-", "-(-)-"),
        // Nothing is clipped, so there is no mask.
        ("-2.--", "---"),
        ("-*..", "-"),
        // All following slots.
        ("-*--", "-(--)"),
        // If its own slot is the end slot, it never ends.
        ("-1--", "-(--)"),
        // An end slot drawn before it does not end it.
        ("-0--", "-(--)"),
        // A nested mask is ignored, even in the end slot of the outer one.
        ("3-*--", "(--)-"),
        ("2-*--", "(-)--"),
        // One after the other.
        ("1-3--", "(-)(-)-"),
        ("....", ""),
    ] {
        let (model, pose) = stage(slots);
        assert_eq!(commands(&model, &pose), expected, "{slots}");
        assert_eq!(
            model.has_clip_masks(),
            slots.contains(|letter: char| letter.is_ascii_digit() || letter == '*')
        );
    }
}

#[test]
fn a_clip_mask_follows_the_draw_order() {
    let (model, mut pose) = stage("-3---");
    pose.draw_order.swap(0, 2);
    pose.draw_order.swap(3, 4);
    assert_eq!(commands(&model, &pose), "-(---)");
    pose.draw_order.swap(1, 3);
    assert_eq!(commands(&model, &pose), "---(-)");
}

#[test]
fn slots_of_inactive_bones_neither_draw_nor_clip() {
    let (model, mut pose) = stage("-3---");
    let bone = |slot: usize| model.slots()[slot].bone.expect("a bone");
    pose.inactive_bones = vec![bone(2)];
    assert_eq!(commands(&model, &pose), "-(-)-");
    // The mask ends at its end slot even if that is inactive.
    pose.inactive_bones = vec![bone(3)];
    assert_eq!(commands(&model, &pose), "-(-)-");
    pose.inactive_bones = vec![bone(1)];
    assert_eq!(commands(&model, &pose), "----");
    // Inactive slots are not part of the bounds either.
    pose.inactive_bones = (0..5).map(bone).collect();
    assert!(bounds(&model, &pose, &[pchr::pose::SkinMatrix::IDENTITY; 5]).is_empty());
}

#[test]
fn fully_transparent_slots_are_not_drawn() {
    let (model, mut pose) = stage("--3--");
    pose.slots[1].tint.light[3] = 0.0;
    pose.slots[3].tint.light[3] = -1.0;
    assert_eq!(commands(&model, &pose), "--");
    pose.slots[3].tint.light[3] = f32::NAN;
    assert_eq!(commands(&model, &pose), "--");
    pose.slots[3].tint.light = [0.0, 0.0, 0.0, 0.01];
    assert_eq!(commands(&model, &pose), "-(-)-");
}

#[test]
fn deforms_are_copied_for_deformed_slots_only() {
    let (model, mut pose) = stage("*--");
    pose.deform = (0..20).map(|number| vec2(number as f32, 0.0)).collect();
    pose.slots[0].deform = DeformSpan { first: 2, count: 3 };
    pose.slots[2].deform = DeformSpan { first: 0, count: 16 };
    let mut list = DrawList::default();
    list.build(&model, &pose, &View::new(4, 4, vec2(0.0, 4.0), 1.0));
    let spans = list.commands.iter().filter_map(|command| match command {
        Command::Sprite(sprite) => Some(sprite.deform),
        Command::ClipBegin(mask) => Some(mask.deform),
        Command::ClipEnd | Command::Overlay(_) => None,
    });
    let found: Vec<Vec<f32>> = spans.map(|span| list.deform_of(span).iter().map(|at| at.x).collect()).collect();
    let counted: Vec<f32> = (0..16).map(|number| number as f32).collect();
    assert_eq!(found, [vec![2.0, 3.0, 4.0], vec![], counted]);
}

#[test]
fn blended_slots_are_found_if_they_are_visible() {
    let (model, pose) = stage("---");
    assert_eq!(blended_slots(&model, &pose).count(), 0);
    let mut builder = ModelBuilder::default();
    model.skeleton().bones().iter().for_each(|bone| _ = builder.bone(bone.clone()).expect("a bone"));
    model.pages().iter().for_each(|page| _ = builder.page(page.clone()).expect("a page"));
    for (slot, blend) in model.slots().iter().zip([Blend::Normal, Blend::Additive, Blend::Screen]) {
        builder.slot(Slot { blend, ..slot.clone() }).expect("a slot");
    }
    model.attachments().iter().for_each(|mesh| _ = builder.attachment(mesh.clone()).expect("a mesh"));
    let blended = builder.build();
    let names = |pose: &Pose| -> Vec<String> {
        blended_slots(&blended, pose).map(|id| blended.slot(id).name.to_string()).collect()
    };
    assert_eq!(names(&pose), ["1", "2"]);
    let mut pose = pose;
    pose.slots[1].attachment = None;
    assert_eq!(names(&pose), ["2"]);
    pose.slots[2].tint.light[3] = 0.0;
    assert!(names(&pose).is_empty());
}
