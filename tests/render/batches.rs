//! Batches for other renderers: vertices, indices, colours, which sprites are merged, and clip spans.

use std::path::Path;

use pchr::Character;
use pchr::cpu::Renderer;
use pchr::draw::{
    Batches, BlendClass, Command, DrawList, NEUTRAL_COLOR, Overlay, OverlayVertex, Picture, Settings, Sprite,
    SpriteColor, UnskinnedBatches, View,
};
use pchr::math::{Vec2, vec2};
use pchr::model::{Attachment, Blend, Mesh, Model, ModelBuilder, PageId, SkinNVertices, Slot};
use pchr::motion::{Cue, evaluate};
use pchr::pose::{Pose, bounds, for_each_deformed_vertex, for_each_listed_vertex, palette};

use crate::common::memory::allocations;
use crate::common::{read, tiny};
use crate::scenes::scenes;

/// A character and what it shows.
pub struct Subject {
    pub name: String,
    pub character: Character,
    pub cues: Vec<Cue>,
}

/// The paper knight and, with their readers, the paper lamp and small SkelForm characters, in each of their skins.
pub fn subjects() -> Vec<Subject> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = vec![root.join("assets/paper-knight.pchr")];
    if cfg!(feature = "formats-all") {
        paths.push(root.join("assets/paper-lamp.json"));
        let samples = root.join("tests/fixtures/conformance/skelform/samples");
        let names = ["blend", "curves", "hierarchy", "ik", "mesh", "physics"];
        paths.extend(names.map(|name| samples.join(format!("synth-{name}.skf"))));
    }
    let subject = |path: &std::path::PathBuf| {
        let character = Character::open(path).unwrap_or_else(|error| panic!("{error}"));
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let cues = cues(character.model());
        Subject { name, character, cues }
    };
    paths.iter().map(subject).collect()
}

/// The rest pose and four instants of every animation, in the default skin and in each other one.
fn cues(model: &Model) -> Vec<Cue> {
    let skins = std::iter::once(vec![]).chain(model.skin_ids().map(|skin| vec![skin]));
    let animations: Vec<_> = model.motions().map(Some).collect();
    let of_skin = |skin: Vec<_>| {
        animations.iter().flat_map(move |id| Cue::samples(model, *id, &skin, 4).collect::<Vec<_>>())
    };
    skins.flat_map(of_skin).collect()
}

/// Calls `visit` with the draw lists of every subject, with bones marked, and with those of the scenes.
fn for_each_list(mut visit: impl FnMut(&str, &Model, &DrawList)) {
    let view = View::new(64, 64, vec2(0.0, 64.0), 1.0);
    let (mut pose, mut list) = (Pose::default(), DrawList::default());
    for Subject { name, character, cues } in subjects() {
        for cue in &cues {
            evaluate(&character, cue, &mut pose);
            list.build(character.model(), &pose, &view);
            list.add_overlays(character.model(), &pose, &view, Overlay::Bones.into());
            visit(&name, character.model(), &list);
        }
    }
    for scene in scenes() {
        scene.with_list(1.0, |model, list, _, _| visit(scene.name, model, list));
    }
}

fn bytes(points: &[Vec2]) -> &[u8] {
    bytemuck::cast_slice(points)
}

/// The mesh of a command, if it is a sprite with triangles.
fn mesh_of<'a>(model: &'a Model, command: &Command) -> Option<&'a Mesh> {
    let Command::Sprite(sprite) = command else { return None };
    model.attachment(sprite.attachment).mesh().filter(|mesh| !mesh.indices.is_empty())
}

#[test]
fn positions_are_those_of_the_cpu_renderer() {
    let (mut batches, mut unskinned) = (Batches::default(), UnskinnedBatches::default());
    let (mut corners, mut polygons, mut bound) = (0, 0, 0);
    for_each_list(|name, model, list| {
        let (mut vertices, mut uvs, mut points) = (Vec::new(), Vec::new(), Vec::new());
        for command in &list.commands {
            match command {
                Command::Sprite(sprite) => {
                    let Some(mesh) = mesh_of(model, command) else { continue };
                    let deform = list.deform_of(sprite.deform);
                    for_each_deformed_vertex(&mesh.vertices, deform, &list.palette, |position, uv| {
                        vertices.push(position);
                        uvs.push(uv);
                    });
                }
                Command::ClipBegin(mask) => {
                    list.for_each_corner(model, mask, |position| points.push(position));
                    polygons += 1;
                }
                Command::ClipEnd => {}
                Command::Overlay(range) => {
                    let marks = &list.overlay[range.start as usize..range.end as usize];
                    vertices.extend(marks.iter().map(|vertex| vertex.position));
                    uvs.extend(marks.iter().map(|_| Vec2::ZERO));
                }
            }
        }
        corners += vertices.len();
        batches.build(model, list);
        let found: Vec<Vec2> = batches.vertices().iter().map(|vertex| vertex.position).collect();
        assert_eq!(bytes(&found), bytes(&vertices), "{name}");
        assert_eq!(batches.vertices().iter().map(|vertex| vertex.uv).collect::<Vec<_>>(), uvs, "{name}");
        assert_eq!(bytes(batches.clip_points()), bytes(&points), "{name}");

        unskinned.build(model, list);
        bound += unskinned.vertices().iter().filter(|vertex| vertex.influences.count > 1).count();
        let skinned = |span: pchr::draw::InfluenceSpan| {
            let influences = &unskinned.influences()[span.range()];
            let mut vertex = SkinNVertices::default();
            vertex.push(Vec2::ZERO, Vec2::ZERO, influences).expect("finite influences");
            let mut skinned = Vec2::ZERO;
            for_each_listed_vertex(&vertex, &[], &list.palette, |position, _| skinned = position);
            skinned
        };
        let found: Vec<Vec2> = unskinned.vertices().iter().map(|vertex| skinned(vertex.influences)).collect();
        assert_eq!(bytes(&found), bytes(&vertices), "{name}");
        let found: Vec<Vec2> = unskinned.clip_points().iter().map(|corner| skinned(*corner)).collect();
        assert_eq!(bytes(&found), bytes(&points), "{name}");
        let looks = |vertex: &pchr::draw::UnskinnedVertex| (vertex.uv, vertex.light, vertex.dark);
        let expected = batches.vertices().iter().map(|vertex| (vertex.uv, vertex.light, vertex.dark));
        assert!(unskinned.vertices().iter().map(looks).eq(expected), "{name}");
        assert_eq!(unskinned.indices(), batches.indices(), "{name}");
        assert_eq!(unskinned.batches(), batches.batches(), "{name}");
        assert_eq!(unskinned.clips(), batches.clips(), "{name}");
    });
    assert!(corners > 10_000 && polygons >= 3 && bound > 1000, "{corners} {polygons} {bound}");
}

/// What one draw call cannot change, and a triangle that needs it.
type State = (Option<PageId>, Blend, Option<u32>);

/// The state and the indices of every triangle of `list`, in its order.
fn triangles_of(model: &Model, list: &DrawList, blend: Blend) -> Vec<(State, [u32; 3])> {
    let (mut triangles, mut first, mut clips, mut clip) = (Vec::new(), 0, 0, None);
    for command in &list.commands {
        match command {
            Command::Sprite(sprite) => {
                let Some(mesh) = mesh_of(model, command) else { continue };
                let is_blended = Some(sprite.attachment) != model.attachment_ids().next();
                let state = (mesh.page, if is_blended { blend } else { Blend::Normal }, clip);
                let of_mesh = mesh.indices.triangles();
                triangles.extend(of_mesh.map(|corners| (state, corners.map(|index| first + u32::from(index)))));
                first += mesh.vertices.len() as u32;
            }
            Command::ClipBegin(_) => (clip, clips) = (Some(clips), clips + 1),
            Command::ClipEnd => clip = None,
            Command::Overlay(range) => {
                let state = (None, Blend::Normal, clip);
                triangles.extend((0..range.len() as u32 / 3).map(|number| {
                    let at = first + 3 * number;
                    (state, [at, at + 1, at + 2])
                }));
                first += range.len() as u32;
            }
        }
    }
    triangles
}

#[test]
fn batches_are_the_longest_runs_of_triangles_with_one_state() {
    let mut batches = Batches::default();
    let (mut drawn, mut merged) = (0, 0);
    for_each_list(|name, model, list| {
        // Scenes that blend do so in every slot but that of the first attachment.
        let blend = match name {
            "blend-additive" => Blend::Additive,
            "blend-multiply" => Blend::Multiply,
            "blend-screen" => Blend::Screen,
            _ => Blend::Normal,
        };
        let triangles = triangles_of(model, list, blend);
        let runs: Vec<_> = triangles.chunk_by(|(a, _), (b, _)| a == b).collect();
        batches.build(model, list);
        assert_eq!(batches.batches().len(), runs.len(), "{name}");
        let (mut next_index, mut next_vertex) = (0, 0);
        for (number, (batch, run)) in batches.batches().iter().zip(runs).enumerate() {
            assert_eq!((batch.page, batch.blend, batch.clip), run[0].0, "{name}");
            let indices: Vec<u32> = run.iter().flat_map(|(_, corners)| *corners).collect();
            assert_eq!(batches.indices_of(batch), indices, "{name}");
            assert_eq!((batch.indices.start, batch.vertices.start), (next_index, next_vertex), "{name}");
            (next_index, next_vertex) = (batch.indices.end, batch.vertices.end);
            assert!(indices.iter().all(|index| batch.vertices.contains(index)), "{name}");
            assert_eq!(batches.vertices_of(batch).len(), batch.vertices.len());
            let clipping = batches.clips().iter().position(|clip| clip.batches.contains(&(number as u32)));
            assert_eq!(clipping, batch.clip.map(|clip| clip as usize), "{name}");
        }
        assert_eq!(
            (next_index as usize, next_vertex as usize),
            (batches.indices().len(), batches.vertices().len())
        );
        let points: usize = batches.clips().iter().map(|clip| batches.points_of(clip).len()).sum();
        assert_eq!(points, batches.clip_points().len());
        drawn += batches.batches().len();
        merged += list.commands.len();
    });
    assert!(drawn > 100 && merged > 3 * drawn, "{drawn} of {merged}");
}

#[test]
fn colours_are_those_of_the_sprites() {
    let byte = |share: f32| (share * 255.0).round() as u8;
    let mut batches = Batches::default();
    let (mut additive, mut dark) = (0, 0);
    for_each_list(|name, model, list| {
        batches.build(model, list);
        let mut vertices = batches.vertices().iter();
        for command in &list.commands {
            match command {
                Command::Sprite(sprite) => {
                    let Some(mesh) = mesh_of(model, command) else { continue };
                    let SpriteColor { light, dark: [r, g, b] } = sprite.color;
                    let expected = match mesh.page {
                        Some(_) => (light.map(byte), [byte(r), byte(g), byte(b), 0]),
                        None => (NEUTRAL_COLOR, [0; 4]),
                    };
                    additive += usize::from(light[3] == 0.0);
                    dark += usize::from([r, g, b] != [0.0; 3]);
                    for vertex in vertices.by_ref().take(mesh.vertices.len()) {
                        assert_eq!((vertex.light, vertex.dark), expected, "{name}");
                    }
                }
                Command::Overlay(range) => {
                    let marks = &list.overlay[range.start as usize..range.end as usize];
                    for (mark, vertex) in marks.iter().zip(vertices.by_ref()) {
                        assert_eq!((vertex.light, vertex.dark), (mark.color, [0; 4]), "{name}");
                    }
                }
                Command::ClipBegin(_) | Command::ClipEnd => {}
            }
        }
    });
    assert!(additive >= 2 && dark >= 2, "{additive} {dark}");
}

/// `model` without its pictures and tints: everything is drawn in one colour.
fn without_pictures(model: &Model) -> Model {
    let mut builder = ModelBuilder::default();
    model.skeleton().bones().iter().for_each(|bone| _ = builder.bone(bone.clone()).expect("a bone"));
    for slot in model.slots() {
        builder.slot(Slot { attachment: None, ..slot.clone() }).expect("a slot");
    }
    for attachment in model.attachments() {
        let bare = |mesh: &Mesh| Mesh { page: None, tint: [1.0; 4], ..mesh.clone() };
        let attachment = match attachment {
            Attachment::Region(mesh) => Attachment::Region(bare(mesh)),
            Attachment::Mesh(mesh) => Attachment::Mesh(bare(mesh)),
            other => other.clone(),
        };
        builder.attachment(attachment).expect("an attachment");
    }
    builder.build()
}

/// The triangles of the batches, drawn by the CPU renderer as an overlay, are the picture of the list to the last bit.
#[test]
fn triangles_cover_what_the_cpu_renderer_covers() {
    let mut batches = Batches::default();
    let [mut expected, mut found] = [Picture::default(), Picture::default()];
    for Subject { name, character, cues } in subjects() {
        let model = without_pictures(character.model());
        let mut renderer = Renderer::new(&model);
        for cue in &cues {
            let (mut pose, mut list) = (Pose::default(), DrawList::default());
            evaluate(&character, cue, &mut pose);
            palette(&model, &pose, &mut list.palette);
            let view = View::fit(200, 200, bounds(&model, &pose, &list.palette));
            list.build(&model, &pose, &view);
            renderer.render(&model, &list, &view, Settings::default(), &mut expected);
            batches.build(&model, &list);
            let corner = |index: &u32| {
                let vertex = batches.vertices()[*index as usize];
                OverlayVertex { position: vertex.position, color: vertex.light }
            };
            let overlay: Vec<_> = batches.indices().iter().map(corner).collect();
            let commands = vec![Command::Overlay(0..overlay.len() as u32)];
            let mut plain = DrawList::default();
            (plain.commands, plain.overlay) = (commands, overlay);
            renderer.render(&model, &plain, &view, Settings::default(), &mut found);
            assert!(expected.pixels().iter().any(|byte| *byte > 0), "{name}");
            assert_eq!(found, expected, "{name}");
        }
    }
}

#[test]
fn nothing_is_allocated_after_the_first_build() {
    let (mut batches, mut unskinned) = (Batches::default(), UnskinnedBatches::default());
    let view = View::new(64, 64, vec2(0.0, 64.0), 1.0);
    for Subject { name, character, cues } in subjects() {
        let list_of = |cue: &Cue| {
            let (mut pose, mut list) = (Pose::default(), DrawList::default());
            evaluate(&character, cue, &mut pose);
            list.build(character.model(), &pose, &view);
            list
        };
        let lists: Vec<DrawList> = cues.iter().map(list_of).collect();
        let mut build = || {
            for list in &lists {
                batches.build(character.model(), list);
                unskinned.build(character.model(), list);
            }
        };
        build();
        assert_eq!(allocations(build), 0, "{name}");
    }
}

#[test]
fn unskinned_vertices_do_not_depend_on_the_palette() {
    let [mut before, mut after] = [UnskinnedBatches::default(), UnskinnedBatches::default()];
    for_each_list(|name, model, list| {
        before.build(model, list);
        let mut moved = list.clone();
        moved.palette.iter_mut().for_each(|matrix| matrix.translation += vec2(5.0, 3.0));
        after.build(model, &moved);
        assert_eq!(after.vertices(), before.vertices(), "{name}");
        assert_eq!(after.influences(), before.influences(), "{name}");
    });
}

#[test]
fn sprites_of_another_blend_mode_are_not_merged() {
    let knight = subjects().swap_remove(0);
    let (model, mut pose, mut list) = (knight.character.model(), Pose::default(), DrawList::default());
    evaluate(&knight.character, &Cue::default(), &mut pose);
    list.build(model, &pose, &View::new(64, 64, vec2(0.0, 64.0), 1.0));
    let sprite = list.commands.iter().find_map(|command| match command {
        Command::Sprite(sprite) => Some(*sprite),
        _ => None,
    });
    let normal = sprite.expect("a sprite");
    let [r, g, b, _] = normal.color.light;
    let color = SpriteColor { light: [r, g, b, 0.0], ..normal.color };
    let blended = |blend| Command::Sprite(Sprite { blend, ..normal });
    list.commands = vec![
        Command::Sprite(normal),
        Command::Sprite(Sprite { color, ..normal }),
        blended(BlendClass::Multiply),
        blended(BlendClass::Screen),
        blended(BlendClass::Screen),
    ];
    let mut batches = Batches::default();
    batches.build(model, &list);
    let found: Vec<_> = batches.batches().iter().map(|batch| (batch.blend, batch.indices.len())).collect();
    let one = found[0].1;
    let expected =
        [(Blend::Normal, one), (Blend::Additive, one), (Blend::Multiply, one), (Blend::Screen, 2 * one)];
    assert_eq!(found, expected);
}

#[test]
fn an_empty_clip_span_is_left_out_and_an_unfinished_one_ends_with_the_list() {
    let scene = scenes().into_iter().find(|scene| scene.name == "clip-concave").expect("a scene");
    scene.with_list(1.0, |model, list, _, _| {
        let begin = list.commands.iter().find(|command| matches!(command, Command::ClipBegin(_)));
        let sprite = list.commands.iter().find(|command| matches!(command, Command::Sprite(_)));
        let (begin, sprite) = (begin.expect("a mask").clone(), sprite.expect("a sprite").clone());
        let end = Command::ClipEnd;
        let mut batches = Batches::default();
        let mut clips_of = |commands: &[&Command]| {
            let mut list = list.clone();
            list.commands = commands.iter().map(|&command| command.clone()).collect();
            batches.build(model, &list);
            let of_batches: Vec<_> = batches.batches().iter().map(|batch| batch.clip).collect();
            (
                of_batches,
                batches.clips().iter().map(|clip| (clip.batches.start, clip.batches.end)).collect::<Vec<_>>(),
            )
        };
        assert_eq!(clips_of(&[&sprite, &begin, &end, &sprite]), (vec![None], vec![]));
        assert_eq!(clips_of(&[&sprite, &begin, &sprite]), (vec![None, Some(0)], vec![(1, 2)]));
        // A second mask inside the first one has no effect.
        let nested = [&begin, &sprite, &begin, &sprite, &end, &sprite];
        assert_eq!(clips_of(&nested), (vec![Some(0), None], vec![(0, 1)]));
        assert_eq!(clips_of(&[&begin, &sprite, &end, &begin, &sprite, &end]).1, [(0, 1), (1, 2)]);
    });
}

#[test]
#[should_panic(expected = "the draw list belongs to another model: it has 2 matrices")]
fn a_list_of_another_model_is_refused() {
    let (small, mut pose, mut list) = (read(&tiny()), Pose::default(), DrawList::default());
    evaluate(&small, &Cue::default(), &mut pose);
    list.build(small.model(), &pose, &View::new(8, 8, vec2(0.0, 8.0), 1.0));
    let knight = subjects().swap_remove(0).character;
    Batches::default().build(knight.model(), &list);
}
