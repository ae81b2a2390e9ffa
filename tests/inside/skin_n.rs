//! Vertices with influence lists: bit-identical to four influences where there are no more, otherwise compared
//! with sums computed in f64.

use crate::common::characters::{BONE_LENGTH, limbs, limbs_of};
use crate::common::influences::{same_influences, spread_influences, with_lists};
use crate::common::random::Random;
use crate::common::{read, tiny, vertex};
use pchr::Character;
use pchr::cpu::Renderer;
use pchr::draw::{DrawList, Picture, Settings, View};
use crate::common::v1::{File, Mesh, Vertex};
use pchr::math::{Affine2, Vec2, vec2};
use pchr::model::{
    Attachment, Bone, Indices, Influence, Model, ModelBuilder, SkinNVertex, SkinNVertices, Vertices,
};
use pchr::motion::{Cue, Position, evaluate};
use pchr::pose::{Pose, SkinMatrix, bounds, deformed_world_position, for_each_deformed_vertex, palette, skin_n};

/// Returns the poses of every fourth frame of every animation.
fn poses(character: &Character) -> Vec<Pose> {
    let model = character.model();
    let frames = model.animation_ids().flat_map(|id| {
        let frames = (0..model.animation(id).frame_count()).step_by(4);
        frames.map(move |frame| Cue {
            animation: Some(id),
            position: Position::frame(frame),
            interpolate: false,
            ..Cue::default()
        })
    });
    let pose_of = |cue| {
        let mut pose = Pose::default();
        evaluate(character, &cue, &mut pose);
        pose
    };
    frames.map(pose_of).collect()
}

/// Returns the world position of every vertex of every mesh.
fn skinned(model: &Model, pose: &Pose) -> Vec<Vec2> {
    let (mut matrices, mut points) = (Vec::new(), Vec::new());
    palette(model, pose, &mut matrices);
    for mesh in model.attachments().iter().filter_map(Attachment::mesh) {
        let from = points.len();
        for_each_deformed_vertex(&mesh.vertices, &[], &matrices, |point, _uv| points.push(point));
        let one_by_one = (0..).map_while(|index| deformed_world_position(&mesh.vertices, index, &[], &matrices));
        assert_eq!(one_by_one.collect::<Vec<_>>(), points[from..]);
    }
    points
}

fn bits(points: &[Vec2]) -> Vec<[u32; 2]> {
    points.iter().map(|point| point.to_array().map(f32::to_bits)).collect()
}

fn bounds_of(model: &Model, pose: &Pose) -> pchr::math::Rect {
    let mut matrices = Vec::new();
    palette(model, pose, &mut matrices);
    bounds(model, pose, &matrices)
}

fn picture(model: &Model, pose: &Pose) -> Picture {
    let view = View::fit(160, 160, bounds_of(model, pose));
    let (mut list, mut picture) = (DrawList::default(), Picture::default());
    list.build(model, pose, &view);
    Renderer::new(model).render(model, &list, &view, Settings::default(), &mut picture);
    picture
}

/// Weights of every kind: four, one, the same bone twice, negative, above 1, and none with ids of missing bones.
fn odd_weights() -> File {
    let mut file = tiny();
    let weights = [
        ([0, 1, 0, 1], [0.3, 0.7, 0.1, 0.2]),
        ([1, 0, 0, 0], [1.0, 0.0, 0.0, 0.0]),
        ([1, 0, 0, 0], [1.5, -2.0, 0.0, 0.25]),
        ([9, 99, 999, 9999], [0.0, -1.0, 0.0, 0.0]),
    ];
    let corners = [(0.3, 10.1), (0.7, 20.3), (10.9, 20.7), (11.3, 9.1)];
    let vertices: Vec<Vertex> = weights
        .into_iter()
        .zip(corners)
        .map(|((bone_ids, bone_weights), (x, y))| Vertex { bone_ids, bone_weights, ..vertex(x, y, 0) })
        .collect();
    file.meshes = vec![Mesh::new("odd", 0, &vertices, &[0, 1, 2, 2, 3, 0])];
    file
}

#[test]
fn lists_of_four_influences_equal_four_influences_bit_for_bit() {
    let knight = Character::open(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/paper-knight.pchr"));
    // Without a picture, outlines are drawn.
    let bare = File { images: Vec::new(), ..odd_weights() };
    let mut count = 0;
    for character in [knight.expect("the knight opens"), limbs(8), read(&odd_weights()), read(&bare)] {
        let lists = with_lists(character.model(), same_influences);
        for pose in poses(&character) {
            let [expected, found] = [character.model(), &lists].map(|model| skinned(model, &pose));
            assert_eq!(bits(&found), bits(&expected));
            assert_eq!(bounds_of(&lists, &pose), bounds_of(character.model(), &pose));
            let [expected, found] = [character.model(), &lists].map(|model| picture(model, &pose));
            assert!(found.pixels().iter().any(|&byte| byte != 0), "nothing is drawn");
            assert!(found == expected, "the pictures differ");
            count += 1;
        }
    }
    assert!(count > 20, "only {count} poses");
}

#[test]
fn eleven_influences_are_the_sum_of_all() {
    let mut random = Random(11);
    let mut number = |size: f32| random.between(-size, size);
    for _ in 0..100 {
        let matrices: [SkinMatrix; 16] = std::array::from_fn(|_| SkinMatrix {
            x_axis: vec2(number(2.0), number(2.0)),
            y_axis: vec2(number(2.0), number(2.0)),
            translation: vec2(number(100.0), number(100.0)),
        });
        // Each influence has its own position; some bones appear twice.
        let influences: [Influence; 11] = std::array::from_fn(|index| Influence {
            position: vec2(number(100.0), number(100.0)),
            bone: index as u32 * 7 % 16 / (1 + index as u32 % 2),
            // Some weights are negative.
            weight: number(1.0),
        });
        let mut expected = [0.0_f64; 2];
        for Influence { position, bone, weight } in influences {
            let matrix = matrices[bone as usize];
            for (axis, sum) in expected.iter_mut().enumerate() {
                let columns =
                    [matrix.x_axis, matrix.y_axis, matrix.translation].map(|column| f64::from(column[axis]));
                let moved = columns[0] * f64::from(position.x) + columns[1] * f64::from(position.y) + columns[2];
                *sum += f64::from(weight) * moved;
            }
        }
        let mut vertices = SkinNVertices::default();
        vertices.push(Vec2::ZERO, Vec2::ZERO, &influences).expect("finite");
        let found = skin_n(&vertices.get(0).expect("a vertex"), &matrices);
        // Allows sixty rounding errors of numbers below 11 · 500.
        let off = [f64::from(found.x) - expected[0], f64::from(found.y) - expected[1]];
        assert!(off.iter().all(|off| off.abs() < 5e-3), "{found} is not {expected:?}");
    }
}

#[test]
fn vertices_without_a_bone_stay() {
    let away = SkinMatrix { translation: vec2(100.0, 0.0), ..SkinMatrix::IDENTITY };
    let idle = |weight| Influence { position: vec2(50.0, 50.0), bone: 0, weight };
    let mut vertices = SkinNVertices::default();
    for influences in [vec![], vec![idle(0.0)], vec![idle(-0.0); 5], vec![idle(1.0)]] {
        vertices.push(Vec2::ZERO, vec2(3.0, 4.0), &influences).expect("finite");
    }
    // Half of the vertex follows the bone, half stays.
    let half = |bone| Influence { position: vec2(1.0, 2.0), bone, weight: 0.5 };
    vertices.push(Vec2::ZERO, Vec2::ZERO, &[half(0), half(Influence::NO_BONE)]).expect("finite");
    let found: Vec<Vec2> = vertices.iter().map(|vertex| skin_n(&vertex, &[away])).collect();
    let still = vec2(3.0, 4.0);
    assert_eq!(found, [still, still, still, vec2(150.0, 50.0), vec2(51.0, 2.0)]);
    // A negative weight moves away from its bone: 1.5 · 150 - 0.5 · 50.
    let stays = Influence { bone: Influence::NO_BONE, ..idle(-0.5) };
    let influences = [stays, idle(1.5)];
    assert_eq!(skin_n(&SkinNVertex { uv: Vec2::ZERO, influences: &influences }, &[away]), vec2(200.0, 50.0));
}

/// Returns `model` with every position in the space of its bone, as some formats store them.
fn in_bone_space(model: &Model) -> Model {
    let bones = model.skeleton().bones();
    let local = with_lists(model, |vertex| {
        let mut influences = same_influences(vertex);
        for influence in influences.iter_mut().filter(|influence| influence.weight > 0.0) {
            let bone_from_bind = bones[influence.bone as usize].bone_from_bind.expect("an inverse");
            influence.position = bone_from_bind.transform_point2(influence.position);
        }
        influences
    });
    let mut builder = ModelBuilder::default();
    for bone in bones {
        builder.bone(Bone { bone_from_bind: Some(Affine2::IDENTITY), ..bone.clone() }).expect("a bone");
    }
    local.pages().iter().for_each(|page| _ = builder.page(page.clone()).expect("a page"));
    local.attachments().iter().for_each(|mesh| _ = builder.attachment(mesh.clone()).expect("a mesh"));
    builder.build()
}

#[test]
fn positions_may_be_in_the_space_of_their_bones() {
    let character = limbs(8);
    let local = in_bone_space(character.model());
    for pose in poses(&character) {
        for (found, expected) in skinned(&local, &pose).into_iter().zip(skinned(character.model(), &pose)) {
            // One more rounding per influence, of numbers below 1000.
            assert!(found.distance(expected) < 1e-3, "{found} is not {expected}");
        }
    }
}

#[test]
fn a_model_rejects_dangling_indices() {
    let character = limbs_of(11, 0);
    let lists = with_lists(character.model(), |vertex| spread_influences(vertex, 11, BONE_LENGTH));
    let mesh = lists.attachments()[0].mesh().expect("a mesh");
    let Vertices::SkinN(vertices) = &mesh.vertices else { panic!("lists") };
    let longest = vertices.iter().map(|vertex| vertex.influences.len()).max();
    assert_eq!((vertices.bone_count(), longest), (11, Some(11)));

    let mesh = pchr::model::Mesh { page: None, ..mesh.clone() };
    let add = |bones: usize, mesh: &pchr::model::Mesh| {
        let mut builder = ModelBuilder::default();
        for bone in &lists.skeleton().bones()[..bones] {
            builder.bone(bone.clone()).expect("a bone");
        }
        builder.attachment(Attachment::Mesh(mesh.clone())).map(|_| ()).map_err(|error| error.to_string())
    };
    assert_eq!(add(11, &mesh), Ok(()));
    assert_eq!(add(10, &mesh), Err("bone 10 does not exist, there are 10".to_owned()));
    let beyond = vertices.len() as u16;
    let indices = Indices::from_triangles(&[[0, 1, 2], [0, beyond, 1]]);
    let expected = format!("vertex {beyond} does not exist, there are {beyond}");
    assert_eq!(add(11, &pchr::model::Mesh { indices, ..mesh.clone() }), Err(expected));
    let last = Indices::from_triangles(&[[0, 1, beyond - 1]]);
    assert_eq!(last.triangles().collect::<Vec<_>>(), [[0, 1, beyond - 1]]);
    assert_eq!(add(11, &pchr::model::Mesh { indices: last, ..mesh }), Ok(()));
}
