//! Counts of what a draw list draws.

use pchr::Character;
use pchr::draw::{Batches, Command, DrawCounts, DrawList, Onion, Overlay, Overlays, View};
use pchr::math::{Vec2, vec2};
use pchr::model::{
    Attachment, Bone, ClipMask, Indices, Influence, Mesh, ModelBuilder, Polygon, SkinNVertices, Slot,
};
use pchr::motion::{Cue, Position, evaluate};
use pchr::pose::{Pose, SlotPose};

fn vertices(count: usize) -> SkinNVertices {
    let mut vertices = SkinNVertices::default();
    for _ in 0..count {
        let influence = Influence { position: Vec2::ZERO, bone: 0, weight: 1.0 };
        vertices.push(Vec2::ZERO, Vec2::ZERO, &[influence]).expect("a vertex");
    }
    vertices
}

#[test]
fn sprites_masks_and_overlays_are_counted() {
    let mut builder = ModelBuilder::default();
    let bone = builder.bone(Bone::default()).expect("a bone");
    let polygon = Polygon { name: "window".into(), vertices: vertices(5) };
    let mask = builder
        .attachment(Attachment::ClipMask(ClipMask { polygon, end: None, is_convex: false, is_inverse: false }))
        .expect("a mask");
    let mesh = Mesh {
        name: "mesh".into(),
        page: None,
        vertices: vertices(4).into(),
        indices: Indices::from_triangles(&[[0, 1, 2], [0, 2, 3]]),
        tint: [1.0; 4],
        outline: Default::default(),
    };
    let mesh = builder.attachment(Attachment::Mesh(mesh)).expect("a mesh");
    for attachment in [mask, mesh, mesh] {
        let slot = Slot { bone: Some(bone), attachment: Some(attachment), ..Slot::default() };
        builder.slot(slot).expect("a slot");
    }
    let model = builder.build();
    let slots = model.slots().iter();
    let pose = Pose {
        world_from_bone: vec![Default::default()],
        slots: slots
            .map(|slot| SlotPose { attachment: slot.attachment, tint: slot.tint, deform: Default::default() })
            .collect(),
        draw_order: model.slot_ids().collect(),
        ..Pose::default()
    };
    let (mut list, view) = (DrawList::default(), View::new(8, 8, vec2(0.0, 0.0), 1.0));
    list.build(&model, &pose, &view);
    list.add_rectangle([1, 1, 2, 2], [255; 4], &view);
    // Each mesh without a page has an outline, which is empty here.
    let expected =
        DrawCounts { sprites: 2, masks: 1, overlays: 3, vertices: 5 + 2 * 4 + 6, triangles: 3 + 2 * 2 + 2 };
    assert_eq!(list.counts(&model), expected);
    list.build(&model, &Pose::default(), &view);
    assert_eq!(list.counts(&model), DrawCounts::default());
}

#[test]
fn ghosts_and_overlays_of_whole_characters_are_counted() {
    let character =
        Character::open(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/paper-knight.pchr")).expect("the knight");
    let model = character.model();
    let view = View::new(120, 190, vec2(-130.0, 425.0), 0.45);
    let (mut pose, mut list, mut batches) = (Pose::default(), DrawList::default(), Batches::default());
    let at = |frame| Cue {
        animation: model.find_animation("walk"),
        position: Position::frame(frame),
        ..Cue::default()
    };
    evaluate(&character, &at(3), &mut pose);
    list.build(model, &pose, &view);
    let alone = list.counts(model);
    list.add_ghost(model, &pose, &view, Onion::default(), -1);
    assert_eq!(list.counts(model).sprites, 2 * alone.sprites);
    list.add_overlays(model, &pose, &view, Overlays::from_iter([Overlay::Wire, Overlay::Bones]));
    let counts = list.counts(model);
    assert_eq!((counts.sprites, counts.overlays), (2 * alone.sprites, alone.overlays + 2));
    // The knight has no masks, so batches contain the same triangles.
    assert_eq!(counts.masks, 0);
    batches.build(model, &list);
    assert_eq!(counts.vertices, batches.vertices().len() as u64);
    assert_eq!(counts.triangles, batches.indices().len() as u64 / 3);
    assert!(list.commands.iter().any(|command| matches!(command, Command::Overlay(_))));
}
