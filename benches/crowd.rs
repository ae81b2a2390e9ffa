//! Measures what a picture of a crowd costs the calling thread. `cpu`: posing each member, building its draw list, and
//! preparing and recording the draw calls. `write` is the share of wgpu in preparing: copying as many bytes into a
//! buffer. `gpu`: preparing a crowd that poses itself.
//!
//! `cargo bench --bench crowd` measures the knight; `PCHR_BENCH_CHARACTER` names another character to measure, and
//! `PCHR_BENCH_MEMBERS` the largest crowd (default: 100000). Of the first kind, nothing is rasterized. The aims with optimization: on
//! the software Vulkan driver, `prepare` takes less than 500 ns for each knight and 1300 ns for each spineboy.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use pchr::Character;
use pchr::bake::{BakeOptions, bake};
use pchr::draw::{DrawList, Filter, View};
use pchr::gpu::{
    Context, ContextOptions, Crowd, CrowdBake, CrowdMember, CrowdModel, CrowdOptions, GpuError, GpuModel, Member,
    OffscreenTarget, Pipelines, Renderer,
};
use pchr::limits::Limits;
use pchr::math::{Affine2, vec2};
use pchr::motion::{Cue, Evaluator, Motion, Position};
use pchr::pose::Pose;

/// Members that one thread poses before it builds their lists.
const BLOCK: usize = 64;
/// The pause before a picture of a crowd that poses itself.
const PAUSE: Duration = Duration::from_millis(16);
/// Seconds between two pictures.
const STEP: f64 = 1.0 / 60.0;

/// How often each step is timed, and how long it took for the whole crowd, in nanoseconds.
#[derive(Default)]
struct Times {
    pose: Vec<f64>,
    list: Vec<f64>,
    prepare: Vec<f64>,
    draw: Vec<f64>,
}

/// A character that is measured.
struct Subject {
    name: String,
    character: Character,
    view: View,
}

impl Subject {
    fn open(name: &str, path: &PathBuf) -> Self {
        let character = Character::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let view = View::centered(1920, 1080, vec2(0.0, 0.0), 0.6);
        Self { name: name.to_owned(), character, view }
    }

    /// What a member shows at a time: it walks if it can, in a phase of its own.
    fn cue(&self, member: usize, seconds: f64) -> Cue {
        let model = self.character.model();
        let animation = model.find_animation("walk").or_else(|| model.animation_ids().next());
        let phase = (member * 7919 % 1000) as f64 / 100.0;
        Cue { animation, position: Position::Seconds(phase + seconds), interpolate: true, ..Cue::default() }
    }

    /// Returns the character with stored frames.
    fn with_stored_frames(&self) -> pchr::Result<Character> {
        if matches!(self.character.motion(), Motion::Sampled(_)) {
            return Ok(self.character.clone());
        }
        let animations = self.character.model().motions().collect();
        let options = BakeOptions { animations, fps: Some(30), ..BakeOptions::default() };
        bake(&self.character, &options)?.character(&Limits::default())
    }

    /// Poses some members and builds their lists. Returns the nanoseconds of both.
    fn pose(&self, first: usize, seconds: f64, worker: &mut Worker, lists: &mut [DrawList]) -> [f64; 2] {
        let poses = &mut worker.poses[..lists.len()];
        let start = Instant::now();
        for (member, pose) in (first..).zip(poses.iter_mut()) {
            worker.evaluator.evaluate(&self.character, &self.cue(member, seconds), pose);
        }
        let posed = Instant::now();
        for (pose, list) in poses.iter().zip(lists) {
            list.build(self.character.model(), pose, &self.view);
        }
        [(posed - start).as_nanos() as f64, posed.elapsed().as_nanos() as f64]
    }

    /// Poses the crowd on this thread.
    fn pose_all(&self, seconds: f64, worker: &mut Worker, lists: &mut [DrawList]) -> [f64; 2] {
        let mut sums = [0.0; 2];
        for (block, lists) in lists.chunks_mut(BLOCK).enumerate() {
            let [pose, list] = self.pose(block * BLOCK, seconds, worker, lists);
            sums = [sums[0] + pose, sums[1] + list];
        }
        sums
    }

    /// Poses the crowd on all threads. Returns the nanoseconds.
    #[cfg(feature = "threads")]
    fn pose_on_all_threads(&self, seconds: f64, lists: &mut [DrawList]) -> f64 {
        use rayon::prelude::*;
        let start = Instant::now();
        lists.par_chunks_mut(BLOCK).enumerate().for_each_init(Worker::default, |worker, (block, lists)| {
            self.pose(block * BLOCK, seconds, worker, lists);
        });
        start.elapsed().as_nanos() as f64
    }
}

/// What a thread needs to pose members.
struct Worker {
    evaluator: Evaluator,
    poses: Vec<Pose>,
}

impl Default for Worker {
    fn default() -> Self {
        Self { evaluator: Evaluator::default(), poses: vec![Pose::default(); BLOCK] }
    }
}

/// Measures a crowd that the CPU poses.
fn measure(context: &Context, subject: &Subject, count: usize) -> Result<(), GpuError> {
    let (device, queue, model) = (context.device(), context.queue(), subject.character.model());
    let target = OffscreenTarget::for_model(device, model, 64, 64, 1)?;
    let mut renderer = Renderer::new(device, queue, model, target.format())?;
    let (mut worker, mut lists) = (Worker::default(), vec![DrawList::default(); count]);
    let pictures = (200_000 / count).clamp(5, 2000);
    let mut times = Times::default();
    for picture in 0..pictures {
        let [pose, list] = subject.pose_all(picture as f64 * STEP, &mut worker, &mut lists);
        times.pose.push(pose);
        times.list.push(list);
        let members: Vec<Member<'_>> = lists.iter().enumerate().map(member).collect();
        let start = Instant::now();
        renderer.prepare_crowd(device, queue, model, &members, subject.view, Filter::Auto)?;
        times.prepare.push(start.elapsed().as_nanos() as f64);
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let mut pass = target.begin_pass(&mut encoder, wgpu::Color::TRANSPARENT);
        let start = Instant::now();
        renderer.draw(&mut pass);
        times.draw.push(start.elapsed().as_nanos() as f64);
        // Carries out the writes, and draws nothing.
        let submission = Some(queue.submit([]));
        device.poll(wgpu::PollType::Wait { submission_index: submission, timeout: None }).expect("it is done");
        context.check()?;
    }
    let [pose, list, prepare, draw] =
        [times.pose, times.list, times.prepare, times.draw].map(|times| median(times) / count as f64);
    let (uploaded, held) = (renderer.uploaded_bytes(), renderer.buffer_bytes());
    let calls = renderer.draw_calls();
    let after = format!("{calls} draw calls, {uploaded} bytes uploaded, {held} bytes on the GPU");
    let write = write_alone(context, uploaded, pictures) / count as f64;
    let about =
        format!("pose {pose:.0}, list {list:.0}, prepare {prepare:.0} with write {write:.0}, draw {draw:.0}");
    print(&subject.name, count, "", pose + list + prepare + draw, &about, &after);
    #[cfg(feature = "threads")]
    {
        let posed = (0..pictures.min(20)).map(|picture| {
            let seconds = picture as f64 * STEP;
            subject.pose_on_all_threads(seconds, &mut lists)
        });
        let posed = median(posed.collect()) / count as f64;
        let about = format!("pose and list {posed:.0}, prepare {prepare:.0}, draw {draw:.0}");
        let threads = format!(" on {} threads", rayon::current_num_threads());
        print(&subject.name, count, &threads, posed + prepare + draw, &about, &after);
    }
    Ok(())
}

/// Returns the nanoseconds in which wgpu takes `bytes` for a buffer, in one write for each 128 MiB.
fn write_alone(context: &Context, bytes: u64, times: usize) -> f64 {
    const LARGEST: usize = 1 << 27;
    let (device, queue, contents) = (context.device(), context.queue(), vec![1; bytes as usize]);
    let buffer = device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: bytes.min(LARGEST as u64),
        usage: wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    let times = (0..times).map(|_| {
        let start = Instant::now();
        contents.chunks(LARGEST).for_each(|part| queue.write_buffer(&buffer, 0, part));
        let taken = start.elapsed().as_nanos() as f64;
        let submission = Some(queue.submit([]));
        device.poll(wgpu::PollType::Wait { submission_index: submission, timeout: None }).expect("it is done");
        taken
    });
    median(times.collect())
}

/// Measures a crowd that poses itself and stands still. Keys are baked at 30 frames per second. A software driver would
/// take a minute to draw the largest crowd, so there all members are outside the view, and only their places are computed.
fn measure_gpu(
    context: &Context,
    subject: &Subject,
    count: usize,
    interpolate: bool,
) -> Result<(), Box<dyn std::error::Error>> {
    let (device, queue) = (context.device(), context.queue());
    let character = subject.with_stored_frames()?;
    let bake = CrowdBake::new(&character, CrowdOptions::interpolate(interpolate))?;
    let target = OffscreenTarget::new(device, 64, 64, 1)?;
    let pipelines = Pipelines::new(device, target.format())?;
    let pages = GpuModel::new(device, queue, &pipelines, character.model())?;
    let model = CrowdModel::new(device, &pages, &bake)?;
    let mut crowd = Crowd::new(device, &pipelines, &model)?;
    let walk = character
        .model()
        .find_animation("walk")
        .or(character.model().default_animation())
        .ok_or("no animation")?;
    for number in 0..count {
        let mut member = CrowdMember::new(walk);
        member.start_secs = (number * 7919 % 1000) as f64 / 100.0;
        member.world_from_character = place(number);
        crowd.add(member);
    }
    let is_software = context.adapter().is_software;
    let view = if is_software { View::centered(1920, 1080, vec2(-1e7, 0.0), 1.0) } else { subject.view };
    let pictures = (2_000_000 / count).clamp(20, 200);
    let [mut prepare, mut submit, mut finish] = [const { Vec::new() }; 3];
    for picture in 0..=pictures {
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        // Caches are as cold as after the picture of a large crowd.
        std::thread::sleep(PAUSE);
        let start = Instant::now();
        crowd.prepare(device, queue, &mut encoder, view, Filter::Auto, picture as f64 * STEP)?;
        let prepared = Instant::now();
        crowd.draw(&mut target.begin_pass(&mut encoder, wgpu::Color::TRANSPARENT));
        let submission = Some(queue.submit([encoder.finish()]));
        let submitted = Instant::now();
        device.poll(wgpu::PollType::Wait { submission_index: submission, timeout: None })?;
        context.check()?;
        // The first picture creates the buffers and writes every member.
        if picture > 0 {
            prepare.push((prepared - start).as_nanos() as f64);
            submit.push((submitted - prepared).as_nanos() as f64);
            finish.push(submitted.elapsed().as_nanos() as f64);
        }
    }
    let [prepare, submit, finish] = [prepare, submit, finish].map(|times| median(times) / 1e3);
    let (frame, way) = (prepare + submit, if interpolate { "gpu" } else { "gpu, stored frames" });
    println!(
        "{} {way} {count}: {:.1} ns a member, {frame:.0} µs a frame (prepare {prepare:.0}, draw and submit {submit:.0}, then \
         the adapter {finish:.0}), {} draw calls, {} bytes uploaded, {} bytes on the GPU",
        subject.name,
        1e3 * frame / count as f64,
        crowd.draw_calls(),
        crowd.uploaded_bytes(),
        crowd.bytes() + model.bytes(),
    );
    Ok(())
}

/// The members stand in rows.
fn place(number: usize) -> Affine2 {
    Affine2::from_translation(vec2((number % 100) as f32 * 10.0, (number / 100) as f32 * -5.0))
}

fn member<'a>((number, list): (usize, &'a DrawList)) -> Member<'a> {
    Member { list, world_from_character: place(number), z: 0.0 }
}

fn print(name: &str, count: usize, way: &str, each: f64, about: &str, after: &str) {
    let micros = each * count as f64 / 1e3;
    println!("{name} cpu {count}{way}: {each:.0} ns a member ({about}), {micros:.0} µs a frame, {after}");
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn main() {
    let context = match Context::new(&ContextOptions::default()) {
        Ok(context) => context,
        Err(error) => return println!("skipped: {error}"),
    };
    println!("{}", context.adapter());
    let knight = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/paper-knight.pchr"));
    let mut subjects = vec![Subject::open("knight", &knight)];
    if let Some(path) = std::env::var_os("PCHR_BENCH_CHARACTER").map(PathBuf::from) {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        subjects.push(Subject::open(&name, &path));
    }
    let most = std::env::var("PCHR_BENCH_MEMBERS").ok().and_then(|most| most.parse().ok()).unwrap_or(100_000);
    for subject in &subjects {
        for count in [1, 100, 10_000, 100_000].into_iter().filter(|&count| count <= most) {
            if let Err(error) = measure(&context, subject, count) {
                println!("{} cpu {count}: {error}", subject.name);
            }
            for interpolate in [true, false] {
                if let Err(error) = measure_gpu(&context, subject, count, interpolate) {
                    println!("{} gpu {count}: {error}", subject.name);
                }
            }
        }
    }
}
