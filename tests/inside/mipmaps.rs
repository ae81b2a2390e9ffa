//! Tests of mipmap levels.

use crate::common::characters::{image, list_at, moved, roots};
use crate::common::random::Random;
use crate::common::read;
use crate::common::v1::{Animation, BoneTransform, File, Mesh, Vertex};
use pchr::Character;
use pchr::cpu;
use pchr::draw::mipmaps::{Mipmaps, SampleContext, Source};
use pchr::draw::{Antialias, Command, DrawList, Filter, Picture, Sampling, Settings, View};
use pchr::math::{Affine2, Vec2, vec2};

/// The side of a page in pixels.
const PAGE: u16 = 1024;
/// The column and row at which the page is divided into four parts, neither of them a multiple of a power of two.
const CUT: [u16; 2] = [491, 557];

/// A rectangle of a page at `at` in the world, one world pixel per texel, on a bone of its own.
fn tile(bone: u16, page: u16, first: [u16; 2], end: [u16; 2], at: [f32; 2]) -> Mesh {
    let corner = |right: bool, up: bool| {
        let pixel = |axis: usize, is_end: bool| f32::from(if is_end { end[axis] } else { first[axis] });
        let side = |axis: usize, is_end: bool| if is_end { f32::from(end[axis] - first[axis]) } else { 0.0 };
        Vertex {
            x: at[0] + side(0, right),
            y: at[1] + side(1, up),
            u: pixel(0, right) / f32::from(page),
            v: pixel(1, !up) / f32::from(page),
            bone_ids: [bone, 0, 0, 0],
            bone_weights: [1.0, 0.0, 0.0, 0.0],
        }
    };
    let corners = [corner(false, false), corner(true, false), corner(true, true), corner(false, true)];
    Mesh::new(format!("tile {bone}"), 0, &corners, &[0, 1, 2, 2, 3, 0])
}

/// The colours of the parts of the page: noise in channels that differ from part to part.
fn texel(x: u16, y: u16, random: &mut Random) -> [u8; 4] {
    let noise = random.below(256) as u8;
    match (x < CUT[0], y < CUT[1]) {
        (true, true) => [255, 0, 0, 255],
        (false, true) => [0, noise, 0, 255],
        (true, false) => [0, 0, noise, noise],
        (false, false) => [noise, noise, 0, 255 - noise / 2],
    }
}

/// Four separate tiles of one page, whose bones are transformed in frame 0.
fn tiles(transforms: [BoneTransform; 4]) -> Character {
    let mut random = Random(5);
    let pixels: Vec<[u8; 4]> =
        (0..PAGE).flat_map(|y| (0..PAGE).map(move |x| (x, y))).map(|(x, y)| texel(x, y, &mut random)).collect();
    let [x, y] = CUT;
    let gap = f32::from(PAGE);
    read(&File {
        fps: 24,
        images: vec![image(PAGE, PAGE, &pixels)],
        bones: roots(4),
        meshes: vec![
            tile(0, PAGE, [0, 0], [x, y], [0.0, gap]),
            tile(1, PAGE, [x, 0], [PAGE, y], [gap, gap]),
            tile(2, PAGE, [0, y], [x, PAGE], [0.0, 0.0]),
            tile(3, PAGE, [x, y], [PAGE, PAGE], [gap, 0.0]),
        ],
        animations: vec![Animation::new("still", false, &[vec![moved(0.0, 0.0); 4], transforms.to_vec()])],
        ..File::default()
    })
}

fn still() -> Character {
    tiles([moved(0.0, 0.0); 4])
}

/// `rotation` is in degrees.
fn turned(rotation: f32, scale_x: f32, scale_y: f32) -> BoneTransform {
    BoneTransform { rotation, scale_x, scale_y, ..moved(0.0, 0.0) }
}

/// A view of all tiles in which no edge coincides with the border of a pixel.
fn view(scale: f32) -> View {
    let side = (2.0 * f32::from(PAGE) * scale) as u32 + 3;
    View::new(side, side, vec2(-1.3, 2.0 * f32::from(PAGE) + 1.7), scale)
}

fn drawn(character: &Character, view: &View, settings: Settings) -> Picture {
    let list = list_at(character, 0, view);
    let mut picture = Picture::default();
    cpu::Renderer::new(character.model()).render(character.model(), &list, view, settings, &mut picture);
    picture
}

fn with(filter: Filter) -> Settings {
    Settings { filter, antialias: Antialias::None }
}

/// The sources that the sprites of a frame are sampled from.
fn sources(character: &Character, frame: u32, filter: Filter, scale: f32) -> Vec<Source> {
    let list = list_at(character, frame, &view(scale));
    let mipmaps = Mipmaps::new(character.model());
    let sprite = |command: &Command| match command {
        Command::Sprite(sprite) => {
            let context = SampleContext { palette: &list.palette, filter, view: &view(scale), growth: 1.0 };
            Some(mipmaps.source(character.model(), sprite, context))
        }
        Command::ClipBegin(_) | Command::ClipEnd | Command::Overlay(_) => None,
    };
    list.commands.iter().filter_map(sprite).collect()
}

fn levels(character: &Character, frame: u32, scale: f32) -> Vec<u32> {
    let level = |source| match source {
        Source::Page(sampling) => {
            assert_eq!(sampling, Sampling::Linear);
            0
        }
        Source::Level { level, .. } => level,
    };
    sources(character, frame, Filter::Auto, scale).into_iter().map(level).collect()
}

#[test]
fn a_level_is_used_if_it_has_enough_pixels() {
    let character = still();
    for (scale, level) in [(3.0, 0), (1.0, 0), (0.51, 0), (0.5, 1), (0.26, 1), (0.25, 2), (0.1, 3), (0.001, 9)] {
        assert_eq!(levels(&character, 0, scale), [level; 4], "at {scale}");
    }
    // The last level has one pixel: a part larger than 512 pixels has ten levels.
    assert_eq!(levels(&character, 0, 1e-6), [10, 10, 9, 10]);
}

#[test]
fn a_turned_or_stretched_view_takes_the_level_of_its_scale() {
    let character = still();
    let mipmaps = Mipmaps::new(character.model());
    let levels_of = |view: View| -> Vec<Source> {
        let list = list_at(&character, 0, &view);
        let sprites = list.commands.iter().filter_map(|command| match command {
            Command::Sprite(sprite) => Some(sprite),
            Command::ClipBegin(_) | Command::ClipEnd | Command::Overlay(_) => None,
        });
        let context = SampleContext { palette: &list.palette, filter: Filter::Auto, view: &view, growth: 1.0 };
        sprites.map(|sprite| mipmaps.source(character.model(), sprite, context)).collect()
    };
    for scale in [1.0, 0.4, 0.2] {
        let expected = levels_of(view(scale));
        assert_eq!(levels_of(view(scale).rotated(0.7)), expected, "at {scale}");
        assert_eq!(levels_of(view(scale).mirrored()), expected, "at {scale}");
        // Half as wide and twice as high covers as many pixels.
        let stretch = Affine2::from_scale(Vec2::new(0.5, 2.0));
        assert_eq!(levels_of(view(scale).transformed(stretch)), expected, "at {scale}");
    }
    assert_ne!(levels_of(view(1.0)), levels_of(view(0.2)));
}

#[test]
fn what_bones_do_to_the_size_counts() {
    let character = tiles([
        turned(0.0, 0.25, 0.25),
        turned(37.0, 0.125, -0.125),
        // Scaled along one axis only: a level in between.
        turned(90.0, 1.0, 0.25),
        // Scaled to nothing.
        turned(0.0, 0.0, 1.0),
    ]);
    assert_eq!(levels(&character, 1, 1.01), [1, 2, 0, 10]);
    assert_eq!(levels(&character, 1, 0.99), [2, 3, 1, 10]);
    assert_eq!(levels(&character, 1, 8.08), [0, 0, 0, 10]);
}

#[test]
fn only_auto_uses_levels() {
    let character = still();
    for scale in [2.0, 0.3, 0.01] {
        for (filter, sampling) in [(Filter::Linear, Sampling::Linear), (Filter::Nearest, Sampling::Nearest)] {
            assert_eq!(sources(&character, 0, filter, scale), [Source::Page(sampling); 4], "at {scale}");
        }
    }
    let same = |scale: f32| {
        drawn(&character, &view(scale), with(Filter::Auto))
            == drawn(&character, &view(scale), with(Filter::Linear))
    };
    assert!(same(0.51));
    assert!(!same(0.5));
}

#[test]
fn minified_pixel_art_is_not_sampled_nearest() {
    let pixels: Vec<[u8; 4]> = (0..32 * 32).map(|n| [(n * 37) as u8, (n * 11) as u8, 0, 255]).collect();
    let character = read(&File {
        images: vec![image(32, 32, &pixels)],
        bones: roots(1),
        meshes: vec![tile(0, 32, [0, 0], [32, 32], [0.0, 0.0])],
        ..File::default()
    });
    let drawn = |scale: f32, filter| {
        let view = View::new(40, 40, vec2(-0.3, 32.4), scale);
        drawn(&character, &view, Settings { filter, antialias: Antialias::Ssaa2 })
    };
    // With supersampling a texel covers one pixel, which is no magnification.
    assert!(drawn(0.5, Filter::Auto) == drawn(0.5, Filter::Linear));
    assert!(drawn(1.0, Filter::Auto) == drawn(1.0, Filter::Nearest));
    assert!(drawn(1.0, Filter::Auto) != drawn(1.0, Filter::Linear));
}

#[test]
fn neighbours_do_not_bleed() {
    let character = still();
    for scale in [0.25, 0.13, 0.061, 0.017] {
        for antialias in [Antialias::None, Antialias::Msaa4, Antialias::Ssaa2] {
            let view = view(scale);
            let picture = drawn(&character, &view, Settings { filter: Filter::Auto, antialias });
            assert_separate(&picture, &view, &format!("{antialias:?} at {scale}"));
        }
    }
}

/// Checks that every tile has its own channels only, and the first one its own colour up to its edges.
fn assert_separate(picture: &Picture, view: &View, name: &str) {
    let mut covered = [0; 4];
    for (y, x) in (0..picture.height()).flat_map(|y| (0..picture.width()).map(move |x| (y, x))) {
        let world = view.world_from_pixel(vec2(x as f32 + 0.5, y as f32 + 0.5));
        let [r, g, b, a] = picture.pixel(x, y);
        // Tiles are further apart than a pixel is wide.
        let half = f32::from(PAGE) - 200.0;
        let (tile, is_own) = match (world.x < half, world.y > half) {
            (true, true) => (0, g == 0 && b == 0 && r == a),
            (false, true) => (1, r == 0 && b == 0),
            (true, false) => (2, r == 0 && g == 0),
            (false, false) => (3, b == 0),
        };
        assert!(is_own, "{name}: tile {tile} is {:?} at {x}, {y}", [r, g, b, a]);
        covered[tile] += u32::from(a > 0);
    }
    assert!(covered.iter().all(|&pixels| pixels > 0), "{name}: {covered:?}");
}

#[test]
fn a_minified_picture_matches_an_averaged_large_one() {
    let character = still();
    for scale in [0.45f32, 0.23, 0.11, 0.05] {
        let small = view(scale);
        let mut large = drawn(&character, &small.enlarged(16), with(Filter::Linear));
        large.shrink(16);
        let error = |filter: Filter| {
            let found = drawn(&character, &small, with(filter));
            let square = |(a, b): (&u8, &u8)| u64::from(a.abs_diff(*b)).pow(2);
            let sum: u64 = found.pixels().iter().zip(large.pixels()).map(square).sum();
            (sum as f64 / found.pixels().len() as f64).sqrt()
        };
        let (auto, linear) = (error(Filter::Auto), error(Filter::Linear));
        // The noise is finer than the picture, so without mipmap levels it aliases.
        assert!(auto < linear * 0.6, "at {scale}: {auto} and {linear} off");
    }
}

#[test]
fn heavily_overlapping_parts_are_merged() {
    let count = 40;
    let pixels = vec![[9; 4]; 64 * 64];
    let meshes =
        |step: u16| (0..count).map(|n| tile(n, 64, [n * step, 0], [n * step + 20, 64], [0.0, 0.0])).collect();
    let regions = |step: u16| {
        let character = read(&File {
            images: vec![image(64, 64, &pixels)],
            bones: roots(count.into()),
            meshes: meshes(step),
            ..File::default()
        });
        let regions = Mipmaps::new(character.model()).regions(0).to_vec();
        let area: u64 = regions.iter().map(|region| region.area()).sum();
        assert!(area <= 2 * 64 * 64, "{area}");
        assert_eq!(levels(&character, 0, 0.25), vec![2; count.into()]);
        regions.len()
    };
    // The same part many times, and different parts.
    assert_eq!(regions(0), 1);
    assert_eq!(regions(1), 1);
}

#[test]
fn drawing_minified_pictures_again_allocates_nothing() {
    let character = still();
    let model = character.model();
    let mut renderer = cpu::Renderer::new(model).with_threads(cpu::Threads::One);
    let (mut list, mut picture) = (DrawList::default(), Picture::default());
    let pose = {
        let mut pose = pchr::pose::Pose::default();
        pchr::motion::evaluate(&character, &pchr::motion::Cue::default(), &mut pose);
        pose
    };
    let mut draw = |scale: f32| {
        let view = view(scale);
        list.build(model, &pose, &view);
        renderer.render(model, &list, &view, Settings::default(), &mut picture);
    };
    draw(0.5);
    let counted = allocation_counter::measure(|| [0.5, 0.25, 0.1].into_iter().for_each(&mut draw));
    assert_eq!(counted.count_total, 0);
}

#[cfg(feature = "gpu")]
mod on_the_gpu {
    use super::*;
    use crate::common::compare::{Scene, difference};
    use crate::common::gpu::gpu_or_skip;
    use pchr::gpu::{Headless, Member, OffscreenTarget, Readback, Renderer};

    #[test]
    fn both_renderers_draw_from_the_same_levels() {
        let character =
            tiles([turned(0.0, 0.9, 0.8), turned(7.0, 0.5, 0.5), turned(-11.0, 0.6, -0.6), turned(3.0, 1.0, 0.3)]);
        let model = character.model();
        let Some(context) = gpu_or_skip() else { return };
        let (mut gpu, mut cpu) = (Headless::new(context, model).unwrap(), cpu::Renderer::new(model));
        let (mut found, mut expected) = (Picture::default(), Picture::default());
        for (scale, frame) in [0.6, 0.42, 0.2, 0.11].into_iter().flat_map(|scale| [(scale, 0), (scale, 1)]) {
            for antialias in [Antialias::None, Antialias::Msaa4, Antialias::Ssaa2] {
                let settings = Settings { filter: Filter::Auto, antialias };
                // The upright view comes last because its picture is checked below.
                let upright = view(scale);
                for view in [upright.rotated(0.5).mirrored(), upright.rotated(-2.0), upright] {
                    let list = list_at(&character, frame, &view);
                    cpu.render(model, &list, &view, settings, &mut expected);
                    gpu.render(model, &list, &view, settings, &mut found).unwrap();
                    let off = difference(&Scene { model, list: &list, view }, &found, &expected, 2);
                    let about = format!("{antialias:?} in {view:?}, frame {frame}: {off:?}");
                    assert!(off.excluded() < 0.25, "too little was compared: {about}");
                    assert!(off.stray.is_empty(), "{about}");
                    // Snapping may move an edge across a sample elsewhere in a pixel.
                    let most = if antialias == Antialias::None { 0 } else { 1 + off.inside / 10_000 };
                    assert!(off.off <= most, "{about}");
                }
                let about = format!("{antialias:?} at {scale}, frame {frame}");
                // With supersampling, sprites are drawn from the page unless the enlarged picture is small, too.
                if frame == 0 && scale * antialias.supersampling() as f32 <= 0.5 {
                    assert_separate(&found, &upright, &about);
                }
            }
        }
    }

    #[test]
    fn a_minified_member_of_a_crowd_is_drawn_from_levels() {
        let character = still();
        let model = character.model();
        let Some(context) = gpu_or_skip() else { return };
        let (device, queue) = (context.device(), context.queue());
        let whole = view(1.0);
        let list = list_at(&character, 0, &whole);
        let mut pictures: [Picture; 2] = Default::default();
        // The same picture: of a smaller member, and through a view of a smaller scale.
        let far = view(0.23);
        let near = View::new(
            far.width(),
            far.height(),
            far.world().min * Vec2::X * 0.23 + far.world().max * Vec2::Y * 0.23,
            1.0,
        );
        for (picture, view, size) in [(0, near, 0.23), (1, far, 1.0)] {
            let target = OffscreenTarget::for_model(device, model, view.width(), view.height(), 1).unwrap();
            let mut renderer = Renderer::new(device, queue, model, target.format()).unwrap();
            let member =
                Member { list: &list, world_from_character: Affine2::from_scale(Vec2::splat(size)), z: 0.0 };
            renderer.prepare_crowd(device, queue, model, &[member], view, Filter::Auto).unwrap();
            let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
            renderer.draw(&mut target.begin_pass(&mut encoder, wgpu::Color::TRANSPARENT));
            let mut readback = Readback::default();
            readback.record(device, &mut encoder, &target).unwrap();
            readback.wait(device, queue.submit([encoder.finish()]));
            readback.take(&mut pictures[picture]).unwrap();
        }
        let [member, alone] = &pictures;
        let differ = member.pixels().iter().zip(alone.pixels()).filter(|(a, b)| a.abs_diff(**b) > 2).count();
        // Edges may round to either side.
        assert!(differ < member.pixels().len() / 200, "{differ} channels");
        assert_separate(member, &far, "a member");
    }
}
