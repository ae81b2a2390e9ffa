//! Characters at the limits of the format: they open, move and are drawn.

use std::fs;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::Instant;

use crate::common::memory::peak;
use crate::common::show::{is_blank, show};
use crate::common::v1::write;
use crate::common::v1::{Animation, BoneTransform, File, Mesh, Vertex};
use crate::common::{bone, read, say, tiny, triangle, vertex};
use pchr::Character;
use pchr::draw::{DrawList, PictureWork, View};
use pchr::math::vec2;
use pchr::motion::{Cue, PoseWork, Position, evaluate};
use pchr::pose::Pose;

fn opens_and_is_drawn(file: &File) {
    let character = Character::from_bytes(write(file).expect("it fits")).expect("it is valid");
    assert!(!is_blank(&show(&character)));
}

#[test]
fn a_mesh_of_65535_vertices() {
    // A triangle strip of 255 columns with 257 vertices each.
    let at = |index: u16| ((index / 257) as f32, (index % 257) as f32);
    let vertices: Vec<Vertex> = (0..65_535).map(|index| vertex(at(index).0, at(index).1, index % 2)).collect();
    let quad = |index: u16| [index, index + 1, index + 257, index + 1, index + 258, index + 257];
    let indices: Vec<u16> = (0..65_535 - 258).filter(|index| index % 257 != 256).flat_map(quad).collect();
    opens_and_is_drawn(&File { meshes: vec![Mesh::new("sheet", 0, &vertices, &indices)], ..tiny() });
}

#[test]
fn many_triangles_on_few_vertices() {
    let indices: Vec<u16> = [0, 1, 2].repeat(20_000);
    opens_and_is_drawn(&File { meshes: vec![Mesh::new("pile", 0, &triangle(1), &indices)], ..tiny() });
}

#[test]
fn a_skeleton_of_32768_bones() {
    let bones: Vec<_> = (0..32_768).map(|index| bone("bone", ((index + 1) / 2 - 1) as i16)).collect();
    let frame = vec![BoneTransform::default(); bones.len()];
    let meshes = vec![Mesh::new("last", 0, &triangle(32_767), &[0, 1, 2])];
    opens_and_is_drawn(&File {
        bones,
        meshes,
        animations: vec![Animation::new("one", false, &[frame])],
        ..tiny()
    });
}

/// The work of drawing the bind pose of `file` in 300 × 300 pixels; counting stops just above `enough`.
fn work(file: &File, scale: f32, enough: u64) -> u64 {
    let character = read(file);
    let (model, mut pose, mut list) = (character.model(), Pose::default(), DrawList::default());
    evaluate(&character, &Cue::default(), &mut pose);
    let view = View::new(300, 300, vec2(-10.0, 30.0), scale);
    list.build(model, &pose, &view);
    let mut counted = PictureWork::default();
    let first = counted.of(&list, model, &view, enough);
    let (again, taken) = peak(|| counted.of(&list, model, &view, enough));
    assert_eq!((again, taken), (first, 0), "counting again allocates nothing");
    first
}

#[test]
fn a_picture_takes_the_pixels_that_its_triangles_cover() {
    // Half of 100 × 100 pixels, 100 rows, three vertices.
    let exact = 5000 * 8 + 100 * 20 + 100 + 3 * 40;
    assert_eq!(work(&tiny(), 10.0, exact - 1), exact);
    assert!(work(&tiny(), 10.0, exact) == exact, "counting stops at the limit");
    // Only the visible part of a large triangle counts.
    let whole = 300 * 300 * 8 + 300 * 20 + 100 + 3 * 40;
    assert!((1..=whole).contains(&work(&tiny(), 10_000.0, 0)));
    let pile = File { meshes: vec![Mesh::new("pile", 0, &triangle(1), &[0, 1, 2].repeat(20_000))], ..tiny() };
    assert!(work(&pile, 10.0, 1 << 32) <= 20_000 * exact, "many triangles in few pixels are little work");
    assert_eq!(work(&pile, 10.0, 20_000 * (exact - 120)), 20_000 * (exact - 120) + 120);
}

#[test]
fn the_largest_view_is_counted() {
    let character = read(&tiny());
    let (model, mut pose, mut list) = (character.model(), Pose::default(), DrawList::default());
    evaluate(&character, &Cue::default(), &mut pose);
    let view = View::new(u32::MAX, u32::MAX, vec2(-1.0, 22.0), 1e9);
    list.build(model, &pose, &view);
    assert!(PictureWork::default().of(&list, model, &view, 1000) > 1000, "it covers part of the view");
    assert_eq!(PictureWork::default().of(&list, model, &view, u64::MAX), u64::MAX);
}

#[test]
fn a_pose_takes_its_bones() {
    let of = |bones: usize| {
        let frame = vec![BoneTransform::default(); bones];
        let bones = (0..bones).map(|_| bone("bone", -1)).collect();
        let character = read(&File { bones, animations: vec![Animation::new("one", false, &[frame])], ..tiny() });
        let animation = character.model().default_animation();
        PoseWork::new(&character, &[]).of(&character, animation)
    };
    assert_eq!(of(1002) - of(2), 16_000);
}

/// Writes 1.5 GB, so run it manually with `cargo test --release --test hardening huge -- --ignored --nocapture`.
#[test]
#[ignore = "writes a file of 1.5 GB"]
fn a_thousand_bones_for_three_quarters_of_an_hour() {
    const BONES: usize = 1000;
    const FRAMES: u16 = 65_535;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("long.pchr");
    write_long(&path, BONES, FRAMES);
    let size = fs::metadata(&path).expect("the file").len();
    say(&format!("{size} bytes written, peak memory {}", peak_memory()));

    let start = Instant::now();
    let character = Character::open(&path).expect("it is valid");
    say(&format!("opened in {:?}, peak memory {}", start.elapsed(), peak_memory()));
    let animation = character.model().default_animation();
    let mut pose = Pose::for_model(character.model());
    let start = Instant::now();
    for frame in [0, 1, 30_000, u32::from(FRAMES) - 1, 12_345] {
        let position = Position::Frame { frame, fraction: 0.5 };
        evaluate(&character, &Cue { animation, position, interpolate: true, ..Cue::default() }, &mut pose);
        // The root's position is the number of the frame.
        let (from, to) = (frame, (frame + 1) % u32::from(FRAMES));
        assert_eq!(pose.world_from_bone[0].translation.x, from as f32 + (to as f32 - from as f32) * 0.5);
    }
    say(&format!("5 poses in {:?}, peak memory {}", start.elapsed(), peak_memory()));
}

/// A chain of bones whose root's x is the frame number, written frame by frame.
fn write_long(path: &Path, bones: usize, frames: u16) {
    let bones: Vec<_> = (0..bones as i16).map(|index| bone("bone", index - 1)).collect();
    let file = File { bones, meshes: Vec::new(), animations: Vec::new(), ..tiny() };
    let head = write(&file).expect("it fits");
    let mut out = BufWriter::new(fs::File::create(path).expect("a new file"));
    // One animation instead of none.
    out.write_all(&head[..head.len() - 2]).expect("space");
    out.write_all(b"\x01\0\x04\0long\x01").expect("space");
    out.write_all(&frames.to_le_bytes()).expect("space");
    let mut frame =
        Animation::new("", true, &[vec![BoneTransform::default(); file.bones.len()]]).frames.bytes.to_vec();
    for number in 0..frames {
        frame[..4].copy_from_slice(&f32::from(number).to_le_bytes());
        out.write_all(&frame).expect("space");
    }
    out.flush().expect("space");
}

/// Peak memory of this process, if the system reports it.
fn peak_memory() -> String {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.map_or("unknown".to_owned(), |peak| peak.trim().to_owned())
}
