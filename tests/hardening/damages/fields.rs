//! Damages to the fields, which are found in every form that can represent them.

use crate::common::v1::Block;
use crate::common::v1::{Animation, Bone, BoneTransform, Image, Vertex};
use pchr::formats::BindPose;

use super::{Damage, EVERY, Form, How, Subject, V1, vertex_of};

const fn damage(
    code: &'static str,
    name: &'static str,
    forms: &'static [Form],
    change: fn(&mut Subject),
) -> Damage {
    Damage { code, name, forms, how: How::Fields(change) }
}

const TRANSFORM: usize = BoneTransform::SIZE;
const V1_AND_DESCRIPTION: &[Form] = &[Form::V1, Form::Description];
const OLDER: &[Form] = &[Form::Pachario, Form::Packed];

/// Overlapping meshes whose bones move little relative to each other.
const NEIGHBOURS: [(usize, usize); 9] =
    [(1, 2), (2, 3), (4, 5), (5, 6), (7, 8), (10, 11), (11, 12), (13, 14), (22, 23)];

/// Frames that do not resemble the bind pose: animation and frame.
const UNLIKE_BIND: [(usize, usize); 5] = [(2, 3), (2, 15), (3, 20), (4, 20), (4, 30)];

pub const DAMAGES: &[Damage] = &[
    damage("bad-parent", "a parent that comes later", EVERY, |s| {
        let bone = s.bone();
        let parent = bone + s.below(37);
        parent_is(s, bone, parent as i16);
    }),
    damage("bad-parent", "a parent below -1", EVERY, |s| {
        let (bone, parent) = (s.bone(), -2 - s.below(30_000) as i16);
        parent_is(s, bone, parent);
    }),
    damage("bad-png", "a byte of the header", EVERY, |s| {
        let at = s.one_of(&[0, 1, 2, 3, 4, 5, 6, 7, 12, 13, 14, 15]);
        change_picture(s, |data| data[at] ^= 0x20);
        expect_picture(s, "is not a PNG file");
    }),
    damage("bad-png", "a byte of the pixels", EVERY, |s| {
        let len = s.file.images[0].data.bytes.len();
        let (at, bit) = (100 + s.below(len - 200), s.below(8));
        change_picture(s, |data| data[at] ^= 1 << bit);
        expect_picture(s, "cannot be decoded");
    }),
    damage("bad-png", "cut", EVERY, |s| {
        let len = s.file.images[0].data.bytes.len();
        let to = 24 + s.below(len - 200);
        change_picture(s, |data| data.truncate(to));
        expect_picture(s, "cannot be decoded");
    }),
    damage("bone-out-of-range", "a bone of a vertex", EVERY, |s| {
        let (mesh, vertex, used) = used_influences(s);
        let influence = s.below(used);
        let bone = 37 + s.below(65_536 - 37);
        set(
            &mut s.file.meshes[mesh].vertices,
            vertex * Vertex::SIZE + 16 + 2 * influence,
            &(bone as u16).to_le_bytes(),
        );
        let says = format!("bone {bone} does not exist, the skeleton has 37");
        s.expect(format!("meshes[{mesh}].vertices[{vertex}].boneIds[{influence}]"), says);
    }),
    damage("empty-image", "no width", EVERY, |s| {
        s.file.images[0].width = 0;
        s.expect("images[0].width", "0×1024");
    }),
    damage("empty-image", "no height", EVERY, |s| {
        s.file.images[0].height = 0;
        s.expect("images[0].height", "1024×0");
    }),
    damage("image-format", "an unknown format", V1, |s| {
        let format = 2 + s.below(254) as u8;
        s.file.images[0].format = format;
        s.expect("images[0].format", format!("unknown image format {format}"));
    }),
    damage("image-length", "a PNG marked as raw", V1, |s| {
        s.file.images[0].format = Image::RGBA8888;
        let len = s.file.images[0].data.bytes.len();
        s.expect(
            "images[0].dataLength",
            format!("{len} bytes of data, but 1024×1024 pixels of rgba8888 need 4194304"),
        );
    }),
    damage("image-length", "too many or too few raw pixels", V1, |s| {
        let len = if s.below(2) == 0 { 1 + s.below(4_194_303) } else { 4_194_305 + s.below(100) };
        let image = &mut s.file.images[0];
        (image.format, image.data) = (Image::RGBA8888, vec![255; len].into());
        s.expect("images[0].dataLength", format!("{len} bytes of data"));
    }),
    damage("image-out-of-range", "an image of a mesh", V1_AND_DESCRIPTION, |s| {
        let (mesh, image) = (s.mesh(), 1 + s.below(65_534));
        s.file.meshes[mesh].image = image as u16;
        s.expect(format!("meshes[{mesh}].image"), format!("image {image} does not exist, the file has 1"));
    }),
    damage("image-size", "another width", EVERY, |s| {
        let width = s.one_of(&[1, 512, 1023, 1025, 2048, 65_535]);
        s.file.images[0].width = width;
        s.expect("images[0].width", format!("width and height are {width}×1024, but the PNG is 1024×1024"));
    }),
    damage("image-size", "another height", EVERY, |s| {
        let height = s.one_of(&[1, 512, 1023, 1025, 2048, 65_535]);
        s.file.images[0].height = height;
        s.expect("images[0].height", format!("width and height are 1024×{height}, but the PNG is 1024×1024"));
    }),
    damage("index-out-of-range", "a corner of a triangle", EVERY, |s| {
        let mesh = s.mesh();
        let (count, indices) = (s.file.meshes[mesh].vertex_count(), s.file.meshes[mesh].index_count());
        let (at, vertex) = (s.below(indices), count + s.below(65_536 - count));
        set(&mut s.file.meshes[mesh].indices, 2 * at, &(vertex as u16).to_le_bytes());
        s.expect(
            format!("meshes[{mesh}].indices[{at}]"),
            format!("vertex {vertex} does not exist, the mesh has {count}"),
        );
    }),
    damage("missing-image", "without its pictures", &[Form::Description, Form::Pachario, Form::Packed], |s| {
        s.lacks_pictures = true;
        let says =
            if s.form.is_json() { "`picture-0.png` does not exist" } else { "the file contains no picture" };
        s.expect("images[0].data", says);
    }),
    damage("no-atlas", "no image at all", EVERY, |s| {
        s.file.images.clear();
        s.expect("imageCount", "no image");
    }),
    damage("no-image", "a mesh without an image", OLDER, |s| {
        let mesh = s.mesh();
        s.file.meshes[mesh].image = 7;
        s.expect(format!("meshes[{mesh}].image"), "this image does not exist, the file has 1");
    }),
    damage("not-finite", "a number of a vertex", V1, |s| {
        let (mesh, vertex) = s.vertex();
        let value = s.one_of(&[f32::NAN, f32::INFINITY, f32::NEG_INFINITY]);
        let (field, at) = s.one_of(&[
            ("x", 0),
            ("y", 4),
            ("u", 8),
            ("v", 12),
            ("boneWeights[0]", 24),
            ("boneWeights[1]", 28),
            ("boneWeights[2]", 32),
            ("boneWeights[3]", 36),
        ]);
        set(&mut s.file.meshes[mesh].vertices, vertex * Vertex::SIZE + at, &value.to_le_bytes());
        s.expect(format!("meshes[{mesh}].vertices[{vertex}].{field}"), format!("{value} is not a finite number"));
    }),
    damage("not-finite", "a number of a frame", V1, |s| {
        let animation = s.below(5);
        let (frame, bone) = (s.frame(animation), s.bone());
        let value = s.one_of(&[f32::NAN, f32::INFINITY, f32::NEG_INFINITY]);
        let (field, at) = s.one_of(&[("x", 0), ("y", 4), ("rotation", 8), ("scaleX", 12), ("scaleY", 16)]);
        let record = (frame * 37 + bone) * TRANSFORM;
        set(&mut s.file.animations[animation].frames, record + at, &value.to_le_bytes());
        s.expect(
            format!("animations[{animation}].frames[{frame}][{bone}].{field}"),
            format!("{value} is not a finite number"),
        );
    }),
    damage("partial-triangle", "one or two indices too few or too many", EVERY, |s| {
        let mesh = s.mesh();
        let mut indices = s.file.meshes[mesh].indices.bytes.to_vec();
        match s.below(4) {
            less @ 1..3 => indices.truncate(indices.len() - 2 * less),
            more => indices.extend(vec![0; if more == 0 { 2 } else { 4 }]),
        }
        let count = indices.len() / 2;
        s.file.meshes[mesh].indices = indices.into();
        s.expect(format!("meshes[{mesh}].indexCount"), format!("{count} is not a multiple of 3"));
    }),
    // Warnings.
    damage("bad-file-name", "the name of an animation or of the image", EVERY, |s| {
        let long = "x".repeat(300);
        let name = [".", "..", "a/b", "..\\a", "C:a", "nul", "COM1.png", "end ", "end.", "a\0b", "*", &long];
        let name = name[s.below(name.len())].to_owned();
        let says = format!("`{name}` is not a valid file name");
        let path = match s.below(6) {
            5 => {
                s.file.images[0].name = name;
                "images[0].name".to_owned()
            }
            animation => {
                s.file.animations[animation].name = name;
                format!("animations[{animation}].name")
            }
        };
        s.expect(path, says);
    }),
    damage("degenerate-triangle", "a repeated corner", EVERY, |s| {
        let (mesh, triangle, corners) = triangle(s);
        let (from, to) = s.one_of(&[(0, 1), (1, 2), (2, 0)]);
        set(&mut s.file.meshes[mesh].indices, 6 * triangle + 2 * to, &corners[from].to_le_bytes());
        expect_flat(s, mesh, triangle, "uses a vertex twice");
    }),
    damage("degenerate-triangle", "three corners on a line", EVERY, |s| {
        let (mesh, triangle, [a, b, _]) = triangle(s);
        let before = owner(s, mesh);
        // The third corner is a new vertex, so that no other triangle changes.
        let [from, to] = [a, b].map(|index| vertex_of(&s.file, mesh, index.into()));
        let new = s.file.meshes[mesh].vertex_count() as u16;
        let mut vertices = s.file.meshes[mesh].vertices.bytes.to_vec();
        vertices.extend_from_within(usize::from(a) * Vertex::SIZE..(usize::from(a) + 1) * Vertex::SIZE);
        let at = usize::from(new) * Vertex::SIZE;
        vertices[at..at + 4].copy_from_slice(&((from.x + to.x) / 2.0).to_le_bytes());
        vertices[at + 4..at + 8].copy_from_slice(&((from.y + to.y) / 2.0).to_le_bytes());
        s.file.meshes[mesh].vertices = vertices.into();
        set(&mut s.file.meshes[mesh].indices, 6 * triangle + 4, &new.to_le_bytes());
        expect_flat(s, mesh, triangle, "has no area in the bind pose");
        expect_new_owner(s, mesh, before);
    }),
    damage("doubtful-bind-pose", "another frame instead of the bind pose", EVERY, |s| {
        let (animation, frame) = s.one_of(&UNLIKE_BIND);
        let at = frame * 37 * TRANSFORM;
        let bytes = s.file.animations[animation].frames.bytes[at..at + 37 * TRANSFORM].to_vec();
        s.file.animations[0].frames = bytes.into();
        s.expect("animations[0].frames[0]", "do not fit the bind pose (frame 0 of `bind`)");
    }),
    damage("doubtful-bind-pose", "read with another frame", EVERY, |s| {
        let (animation, frame) = s.one_of(&UNLIKE_BIND);
        let name = s.file.animations[animation].name.clone();
        s.expect(format!("animations[{animation}].frames[{frame}]"), format!("(frame {frame} of `{name}`)"));
        s.expected[0].says += ": joints";
        s.options.bind_pose = BindPose::Frame { animation: name, frame: frame as u32 };
    }),
    damage("duplicate-name", "two items with one name", EVERY, |s| {
        let (list, from, to) = match s.below(3) {
            0 => ("bones", s.below(36), s.below(36)),
            1 => ("meshes", s.below(26), s.below(26)),
            _ => ("animations", 1 + s.below(3), 1 + s.below(3)),
        };
        // Never the same item.
        let to = if to >= from { to + 1 } else { to };
        let file = &mut s.file;
        let name = match list {
            "bones" => {
                file.bones[to].name = file.bones[from].name.clone();
                &file.bones[to].name
            }
            "meshes" => {
                file.meshes[to].name = file.meshes[from].name.clone();
                &file.meshes[to].name
            }
            _ => {
                file.animations[to].name = file.animations[from].name.clone();
                &file.animations[to].name
            }
        };
        let says = format!("2 {list} are called `{name}`");
        s.expect(format!("{list}[{}].name", from.max(to)), says);
    }),
    damage("empty-animation", "an animation without frames", EVERY, |s| {
        let animation = s.motion();
        let stored = &mut s.file.animations[animation];
        (stored.frame_count, stored.frames) = (0, Block::default());
        let says = format!("animation `{}` has no frames", stored.name);
        s.expect(format!("animations[{animation}].frameCount"), says);
    }),
    damage("empty-mesh", "a mesh without triangles", EVERY, |s| {
        let mesh = s.mesh();
        s.file.meshes[mesh].indices = Block::default();
        s.expect(format!("meshes[{mesh}].indices"), format!("`{}` has no triangles", s.file.meshes[mesh].name));
    }),
    damage("empty-name", "an empty name", EVERY, |s| {
        let (list, at) = match s.below(4) {
            0 => ("images", 0),
            1 => ("bones", s.bone()),
            2 => ("meshes", s.mesh()),
            _ => ("animations", s.motion()),
        };
        match list {
            "images" => s.file.images[at].name.clear(),
            "bones" => s.file.bones[at].name.clear(),
            "meshes" => s.file.meshes[at].name.clear(),
            _ => s.file.animations[at].name.clear(),
        }
        s.expect(format!("{list}[{at}].name"), "no name");
    }),
    damage("flipped-v", "texture coordinates from the bottom", EVERY, |s| {
        // One small mesh stays as it is.
        let fine = 16 + s.below(11);
        let flipped: Vec<usize> = (0..27).filter(|mesh| *mesh != fine).collect();
        for &mesh in &flipped {
            for vertex in 0..s.file.meshes[mesh].vertex_count() {
                let v = 1.0 - vertex_of(&s.file, mesh, vertex).v;
                set(&mut s.file.meshes[mesh].vertices, vertex * Vertex::SIZE + 12, &v.to_le_bytes());
            }
        }
        s.expect("meshes[0].vertices", "with `--flip-v`");
    }),
    damage("flipped-v", "read as if from the bottom", EVERY, |s| {
        s.options.flip_v = true;
        s.expect("meshes[0].vertices", "without `--flip-v`");
    }),
    damage("loop-jump", "a bone that keeps turning", EVERY, |s| {
        let (animation, bone, step) = (1 + s.below(2), 1 + s.below(36), 3.0 + s.below(3) as f32 / 4.0);
        let count = usize::from(s.file.animations[animation].frame_count);
        for frame in 0..count {
            let at = (frame * 37 + bone) * TRANSFORM + 8;
            let rotation = BoneTransform::read(&s.file.animations[animation].frames.bytes[at - 8..][..TRANSFORM]);
            let turned = rotation.rotation + step * frame as f32;
            set(&mut s.file.animations[animation].frames, at, &turned.to_le_bytes());
        }
        let says = format!("`{}` loops, but jumps", s.file.animations[animation].name);
        s.expect(format!("animations[{animation}].frames[{}]", count - 1), says);
    }),
    damage("negative-weight", "a weight below 0", EVERY, |s| {
        let (mesh, vertex, used) = loop {
            let (mesh, vertex, used) = used_influences(s);
            if used < 4 {
                break (mesh, vertex, used);
            }
        };
        let weight = s.random.between(-2.0, -0.01);
        set(&mut s.file.meshes[mesh].vertices, vertex * Vertex::SIZE + 24 + 4 * used, &weight.to_le_bytes());
        s.expect(
            format!("meshes[{mesh}].vertices[{vertex}].boneWeights[{used}]"),
            "affected vertices of this mesh: 1",
        );
    }),
    damage("never-visible", "a bone that is always hidden", EVERY, |s| {
        let mesh = s.mesh();
        let bone = owner(s, mesh);
        for animation in &mut s.file.animations {
            let mut frames = animation.frames.bytes.to_vec();
            frames.chunks_exact_mut(37 * TRANSFORM).for_each(|frame| frame[bone * TRANSFORM + 20] = 0);
            animation.frames = frames.into();
        }
        let says = format!("`{}` is never visible: bone `{}`", s.file.meshes[mesh].name, s.file.bones[bone].name);
        s.expect(format!("meshes[{mesh}]"), says);
    }),
    damage("no-inverse-bind", "a flat bone in the bind pose", EVERY, |s| {
        // A bone without children.
        let bone = s.one_of(&[7, 8, 9, 13, 17, 20, 21, 22, 26, 30, 32, 35, 36]);
        let at = s.one_of(&[12, 16]);
        set(&mut s.file.animations[0].frames, bone * TRANSFORM + at, &0f32.to_le_bytes());
        let says = format!("bone `{}` has no inverse", s.file.bones[bone].name);
        s.expect(format!("bones[{bone}]"), says);
    }),
    damage("no-weight", "a vertex without weights", EVERY, |s| {
        let (mesh, vertex) = s.vertex();
        let before = owner(s, mesh);
        set(&mut s.file.meshes[mesh].vertices, vertex * Vertex::SIZE + 24, &[0; 16]);
        let mesh_of = &s.file.meshes[mesh];
        let says = format!("affected vertices of `{}`: 1 of {}", mesh_of.name, mesh_of.vertex_count());
        s.expect(format!("meshes[{mesh}].vertices[{vertex}]"), says);
        expect_new_owner(s, mesh, before);
    }),
    damage("reserved-bits", "of the file", V1_AND_DESCRIPTION, |s| {
        s.file.flags = 1 + s.below(65_535) as u16;
        s.expect("flags", format!("{:#06x}", s.file.flags));
    }),
    damage("reserved-bits", "of an animation", EVERY, |s| {
        let animation = s.below(5);
        let flags = s.file.animations[animation].flags | 2 << s.below(7);
        s.file.animations[animation].flags = flags;
        s.expect(format!("animations[{animation}].flags"), format!("{flags:#04x}"));
    }),
    damage("reserved-bits", "of a bone in a frame", EVERY, |s| {
        let animation = s.below(5);
        let (frame, bone) = (s.frame(animation), s.bone());
        let at = (frame * 37 + bone) * TRANSFORM + 20;
        let flags = s.file.animations[animation].frames.bytes[at] | 2 << s.below(7);
        set(&mut s.file.animations[animation].frames, at, &[flags]);
        s.expect(format!("animations[{animation}].frames[{frame}][{bone}].flags"), format!("{flags:#04x}"));
    }),
    damage("uv-out-of-range", "a texture coordinate outside", EVERY, |s| {
        let (mesh, vertex) = s.vertex();
        let (field, at) = s.one_of(&[("u", 8), ("v", 12)]);
        let value = if s.below(2) == 0 { s.random.between(1.01, 3.0) } else { s.random.between(-3.0, -0.01) };
        set(&mut s.file.meshes[mesh].vertices, vertex * Vertex::SIZE + at, &value.to_le_bytes());
        let says = format!("{field} is {value}, outside 0 to 1");
        s.expect(format!("meshes[{mesh}].vertices[{vertex}].{field}"), says);
    }),
    damage("weight-sum", "weights that are too small or too large", EVERY, |s| {
        let (mesh, vertex, used) = used_influences(s);
        let before = owner(s, mesh);
        let factor = s.one_of(&[0.25, 0.5, 0.99, 1.01, 2.0]);
        for influence in 0..used {
            let weight = factor * vertex_of(&s.file, mesh, vertex).bone_weights[influence];
            set(
                &mut s.file.meshes[mesh].vertices,
                vertex * Vertex::SIZE + 24 + 4 * influence,
                &weight.to_le_bytes(),
            );
        }
        s.expect(format!("meshes[{mesh}].vertices[{vertex}]"), format!("add up to {factor:.4}, not to 1"));
        expect_new_owner(s, mesh, before);
    }),
    damage("zero-fps", "a frame rate of 0", EVERY, |s| {
        s.file.fps = 0;
        s.expect("fps", "the frame rate is 0");
    }),
    // Notes.
    damage("bind-is-motion", "a bind pose that loops", EVERY, |s| {
        s.file.animations[0].flags |= Animation::LOOP;
        s.expect("animations[0]", "`bind` loops");
    }),
    damage("bind-is-motion", "a motion with the name of one", EVERY, |s| {
        let animation = s.motion();
        let name = s.one_of(&["Bind_Pose", "bindpose", "REST_POSE", "t-pose", "TPose"]);
        s.file.animations[animation].name = name.to_owned();
        s.expect(format!("animations[{animation}]"), format!("`{name}` has"));
    }),
    damage("equal-z-order", "neighbours with the same order", EVERY, |s| {
        let (one, other) = s.one_of(&NEIGHBOURS);
        let (from, to) = (owner(s, one), owner(s, other));
        for animation in &mut s.file.animations {
            let mut frames = animation.frames.bytes.to_vec();
            for frame in frames.chunks_exact_mut(37 * TRANSFORM) {
                frame.copy_within(from * TRANSFORM + 21..(from + 1) * TRANSFORM, to * TRANSFORM + 21);
            }
            animation.frames = frames.into();
        }
        let says = format!("`{}` and `{}` overlap", s.file.meshes[one].name, s.file.meshes[other].name);
        s.expect(format!("meshes[{other}]"), says);
    }),
    damage("odd-fps", "an implausible frame rate", EVERY, |s| {
        s.file.fps = 241 + s.below(65_535 - 241) as u16;
        s.expect("fps", format!("{} fps", s.file.fps));
    }),
    damage("unused-bone", "an additional bone", EVERY, |s| {
        let parent = s.below(38) as i16 - 1;
        s.file.bones.push(Bone { name: "handle".to_owned(), parent, offset: 0 });
        for animation in &mut s.file.animations {
            let frames = animation.frames.bytes.chunks_exact(37 * TRANSFORM);
            // A copy of the root, which hardly moves.
            animation.frames =
                frames.flat_map(|frame| [frame, &frame[..TRANSFORM]].concat()).collect::<Vec<_>>().into();
        }
        s.expect("bones[37]", "bone `handle` moves nothing");
    }),
    damage("unused-bone", "weights moved to another bone", EVERY, |s| {
        let bone = s.one_of(&[26, 30]);
        for mesh in 0..27 {
            for vertex in 0..s.file.meshes[mesh].vertex_count() {
                let ids = vertex_of(&s.file, mesh, vertex).bone_ids;
                for influence in (0..4).filter(|influence| ids[*influence] == bone) {
                    let at = vertex * Vertex::SIZE + 16 + 2 * influence;
                    set(&mut s.file.meshes[mesh].vertices, at, &(bone - 1).to_le_bytes());
                }
            }
        }
        let says = format!("bone `{}` moves nothing", s.file.bones[usize::from(bone)].name);
        s.expect(format!("bones[{bone}]"), says);
    }),
    damage("unused-image", "an additional image", V1_AND_DESCRIPTION, |s| {
        let at = s.below(2);
        let spare = Image { name: "spare".to_owned(), ..s.file.images[0].clone() };
        s.file.images.insert(at, spare);
        s.file.meshes.iter_mut().for_each(|mesh| mesh.image = 1 - at as u16);
        s.expect(format!("images[{at}]"), "no mesh uses image `spare`");
    }),
];

/// Overwrites bytes.
fn set(block: &mut Block, at: usize, by: &[u8]) {
    let mut bytes = block.bytes.to_vec();
    bytes[at..at + by.len()].copy_from_slice(by);
    *block = bytes.into();
}

fn parent_is(s: &mut Subject, bone: usize, parent: i16) {
    s.file.bones[bone].parent = parent;
    s.expect(format!("bones[{bone}].parent"), format!("bone {parent} cannot be"));
}

fn change_picture(s: &mut Subject, change: impl FnOnce(&mut Vec<u8>)) {
    let mut data = s.file.images[0].data.bytes.to_vec();
    change(&mut data);
    s.file.images[0].data = data.into();
}

/// Expects the error of a broken picture; JSON forms also name its file.
fn expect_picture(s: &mut Subject, says: &str) {
    match s.form {
        Form::V1 => s.expect("images[0].data", says),
        _ => s.expect_at(format!("/images/0/path (`{}`)", super::picture(0)), None, says),
    }
}

/// A mesh, one of its vertices, and the number of its influences with a weight, which come first.
fn used_influences(s: &mut Subject) -> (usize, usize, usize) {
    let (mesh, vertex) = s.vertex();
    let weights = vertex_of(&s.file, mesh, vertex).bone_weights;
    let used = weights.iter().take_while(|weight| **weight > 0.0).count();
    assert!(used > 0 && weights[used..].iter().all(|weight| *weight == 0.0), "{mesh}, {vertex}: {weights:?}");
    (mesh, vertex, used)
}

/// A mesh, one of its triangles, and the corners of that triangle.
fn triangle(s: &mut Subject) -> (usize, usize, [u16; 3]) {
    let mesh = s.mesh();
    let triangle = s.below(s.file.meshes[mesh].index_count() / 3);
    let bytes = s.file.meshes[mesh].indices.bytes.clone();
    let index = |corner: usize| {
        let at = 6 * triangle + 2 * corner;
        u16::from_le_bytes([bytes[at], bytes[at + 1]])
    };
    (mesh, triangle, std::array::from_fn(index))
}

fn expect_flat(s: &mut Subject, mesh: usize, triangle: usize, says: &str) {
    let says = format!("{says} and is not drawn; affected triangles of `{}`: 1", s.file.meshes[mesh].name);
    s.expect(format!("meshes[{mesh}].indices[{}]", 3 * triangle), says);
}

/// The bone with the largest total weight in a mesh; the knight has no ties.
fn owner(s: &Subject, mesh: usize) -> usize {
    let mut totals = vec![0.0; s.file.bones.len()];
    for vertex in 0..s.file.meshes[mesh].vertex_count() {
        let vertex = vertex_of(&s.file, mesh, vertex);
        for (bone, weight) in vertex.bone_ids.into_iter().zip(vertex.bone_weights) {
            totals[usize::from(bone)] += f64::from(weight);
        }
    }
    (0..totals.len()).max_by(|a, b| totals[*a].total_cmp(&totals[*b])).expect("bones")
}

/// A boot hangs equally on two bones. Slightly different weights give it the z-order of the other bone, and so
/// that of the knee.
fn expect_new_owner(s: &mut Subject, mesh: usize, before: usize) {
    if owner(s, mesh) != before {
        s.also("equal-z-order", format!("meshes[{mesh}]"), "another bone has most of the mesh's weight now");
    }
}
