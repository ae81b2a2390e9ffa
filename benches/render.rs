//! Measures how fast pictures of the knight are drawn on the CPU, by the graphics adapter and by tiny-skia, and how close
//! exporting comes to `cores / (render + encode)`, for PNGs and for animated formats.
//!
//! `cargo bench --bench render`. The aims: the CPU renderer is not slower than the software Vulkan driver, and
//! exporting reaches 0.85 of what the cores could do without waiting.

#[path = "../examples/draw_with_tiny_skia/skia.rs"]
mod skia;

use std::hint::black_box;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use divan::Bencher;
use pchr::Character;
use pchr::cpu::{self, Threads};
use pchr::draw::{Antialias, Batches, DrawList, Picture, Settings, View};
use pchr::export::{Format, RenderOptions, Run, Size, Surface, write_png};
use pchr::gpu::{Context, ContextOptions, Headless, OffscreenTarget, Pipelines, Renderer, TargetFormat};
use pchr::math::{Rect, vec2};
use pchr::motion::{Cue, Evaluator, Position, evaluate};
use pchr::pose::Pose;

fn knight() -> Character {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/paper-knight.pchr");
    Character::open(path).expect("the knight opens")
}

fn view() -> View {
    View::new(512, 512, vec2(-220.0, 430.0), 1.15)
}

fn cues(character: &Character) -> Vec<Cue> {
    let animation = character.model().find_animation("walk").expect("it walks");
    let count = character.model().animation(animation).frame_count();
    let cue = |frame| Cue {
        animation: Some(animation),
        position: Position::frame(frame),
        interpolate: false,
        ..Cue::default()
    };
    (0..count).map(cue).collect()
}

fn list(character: &Character, cue: &Cue) -> DrawList {
    let (mut pose, mut list) = (Pose::default(), DrawList::default());
    evaluate(character, cue, &mut pose);
    list.build(character.model(), &pose, &view());
    list
}

fn draw_on_cpu(bencher: Bencher<'_, '_>, threads: Threads, view: View) {
    let character = knight();
    let list = list(&character, &cues(&character)[5]);
    let mut renderer = cpu::Renderer::new(character.model()).with_threads(threads);
    let mut picture = Picture::default();
    bencher.bench_local(|| {
        renderer.render(character.model(), &list, &view, Settings::default(), &mut picture);
        black_box(picture.pixels()[0])
    });
}

#[divan::bench]
fn cpu_all_threads(bencher: Bencher<'_, '_>) {
    draw_on_cpu(bencher, Threads::All, view());
}

#[divan::bench]
fn cpu_one_thread(bencher: Bencher<'_, '_>) {
    draw_on_cpu(bencher, Threads::One, view());
}

#[divan::bench]
fn cpu_one_thread_mirrored(bencher: Bencher<'_, '_>) {
    draw_on_cpu(bencher, Threads::One, view().mirrored());
}

#[divan::bench]
fn cpu_one_thread_rotated(bencher: Bencher<'_, '_>) {
    draw_on_cpu(bencher, Threads::One, view().rotated(0.5));
}

const TARGET: TargetFormat = TargetFormat { color: OffscreenTarget::FORMAT, samples: 1, depth_stencil: None };

/// Uploads a model and creates its pipelines.
#[divan::bench]
fn upload_with_own_pipelines(bencher: Bencher<'_, '_>) {
    let character = knight();
    let Ok(context) = Context::new(&ContextOptions::default()) else { return };
    bencher.bench_local(|| Renderer::new(context.device(), context.queue(), character.model(), TARGET));
}

/// Uploads a model that shares the pipelines of others.
#[divan::bench]
fn upload_with_shared_pipelines(bencher: Bencher<'_, '_>) {
    let character = knight();
    let Ok(context) = Context::new(&ContextOptions::default()) else { return };
    let (device, queue) = (context.device(), context.queue());
    let pipelines = Pipelines::new(device, TARGET).expect("the adapter is usable");
    bencher.bench_local(|| Renderer::with_pipelines(device, queue, character.model(), &pipelines));
}

/// Draws a picture and reads it back.
#[divan::bench]
fn adapter(bencher: Bencher<'_, '_>) {
    let character = knight();
    let list = list(&character, &cues(&character)[5]);
    let Ok(context) = Context::new(&ContextOptions::default()) else { return };
    let mut headless = Headless::new(context, character.model()).expect("the knight fits");
    let mut picture = Picture::default();
    bencher.bench_local(|| {
        let drawn = headless.render(character.model(), &list, &view(), Settings::default(), &mut picture);
        drawn.expect("it draws");
        black_box(picture.pixels()[0])
    });
}

/// Measures large pictures with smooth edges in turns. tiny-skia is given the same triangles; it uses one thread, and smooths
/// no edges.
fn print_sizes() {
    let character = knight();
    let model = character.model();
    let cue = &cues(&character)[5];
    let settings = Settings { antialias: Antialias::Msaa4, ..Settings::default() };
    let context = Context::new(&ContextOptions::default());
    let mut headless = context.ok().map(|context| Headless::new(context, model).expect("the knight fits"));
    let mut renderers = [Threads::All, Threads::One].map(|it| cpu::Renderer::new(model).with_threads(it));
    let skia = skia::Skia::new(model, tiny_skia::FilterQuality::Bilinear).expect("the pictures are usable");
    for (name, width, height) in [("512²", 512, 512), ("1080p", 1920, 1080), ("4K", 3840, 2160)] {
        let view = View::fit(width, height, Rect::from_min_size(vec2(-220.0, -15.0), vec2(445.0, 445.0)));
        let (mut pose, mut list, mut batches) = (Pose::default(), DrawList::default(), Batches::default());
        evaluate(&character, cue, &mut pose);
        list.build(model, &pose, &view);
        batches.build(model, &list);
        let mut picture = Picture::default();
        let mut times: [Vec<f64>; 4] = Default::default();
        for _ in 0..30 {
            for (renderer, times) in renderers.iter_mut().zip(&mut times) {
                times.push(time(|| renderer.render(model, &list, &view, settings, &mut picture)));
            }
            if let Some(headless) = &mut headless {
                let mut drawn = || headless.render(model, &list, &view, settings, &mut picture);
                times[2].push(time(|| drawn().expect("it draws")));
            }
            times[3].push(time(|| {
                picture.reset(width, height);
                skia.draw(&batches, &view, &mut picture).expect("it draws");
            }));
        }
        let [all, one, adapter, skia] = times.map(|times| times.into_iter().fold(f64::INFINITY, f64::min) * 1e3);
        println!(
            "{name}: {all:.2} ms, {one:.2} ms on one thread; adapter {adapter:.2} ms, ratio {:.2}; tiny-skia {skia:.2} ms, \
             ratio on one thread {:.2}",
            all / adapter,
            one / skia
        );
    }
}

/// Measures everything in the same run, in turns.
fn print_ratios() {
    let character = knight();
    let model = character.model();
    let cues = cues(&character);
    let list = list(&character, &cues[5]);
    let mut picture = Picture::default();
    let mut renderer = cpu::Renderer::new(model);
    let mut single = cpu::Renderer::new(model).with_threads(Threads::One);
    let context = Context::new(&ContextOptions::default());
    let adapter = context.as_ref().map_or_else(|error| error.to_string(), |context| context.adapter().to_string());
    let mut headless = context.ok().map(|context| Headless::new(context, model).expect("the knight fits"));
    let mut times: [Vec<f64>; 3] = Default::default();
    for _ in 0..100 {
        times[0].push(time(|| renderer.render(model, &list, &view(), Settings::default(), &mut picture)));
        times[1].push(time(|| single.render(model, &list, &view(), Settings::default(), &mut picture)));
        if let Some(headless) = &mut headless {
            let mut drawn = || headless.render(model, &list, &view(), Settings::default(), &mut picture);
            times[2].push(time(|| drawn().expect("it draws")));
        }
    }
    let [all, one, gpu] = times.map(|mut times| {
        times.sort_by(f64::total_cmp);
        times.get(times.len() / 2).copied().unwrap_or(f64::NAN) * 1e3
    });
    println!("one 512² frame: CPU {all:.2} ms on all threads, {one:.2} ms on one; {gpu:.2} ms on {adapter}");
    println!("adapter / CPU: {:.2} (goal: at least 1)", gpu / all);

    let mut ratios = Vec::new();
    for _ in 0..5 {
        let (render, encode) = render_and_encode(&character, &cues, &mut single);
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let possible = cores as f64 / (render + encode);
        let (pictures, seconds) = export(&character, cues.len(), Format::Png, cores);
        let reached = pictures / seconds;
        println!(
            "export: {reached:.0} frames per second of {possible:.0} ({cores} cores, {:.2} ms + {:.2} ms per frame)",
            render * 1e3,
            encode * 1e3
        );
        ratios.push(reached / possible);
    }
    ratios.sort_by(f64::total_cmp);
    println!("export: {:.2} to {:.2}, median {:.2} (goal: at least 0.85)", ratios[0], ratios[4], ratios[2]);
}

/// Returns the seconds per picture on one thread.
fn render_and_encode(character: &Character, cues: &[Cue], renderer: &mut cpu::Renderer) -> (f64, f64) {
    let (mut evaluator, mut pose) = (Evaluator::default(), Pose::default());
    let (mut list, mut picture) = (DrawList::default(), Picture::default());
    let (mut render, mut encode) = (0.0, 0.0);
    for cue in cues {
        render += time(|| {
            evaluator.evaluate(character, cue, &mut pose);
            list.build(character.model(), &pose, &view());
            renderer.render(character.model(), &list, &view(), Settings::default(), &mut picture);
        });
        encode += time(|| {
            Surface::default().finish(&mut picture);
            write_png(&picture, std::io::sink()).expect("nothing can fail");
        });
    }
    (render / cues.len() as f64, encode / cues.len() as f64)
}

/// Exports the frames of the knight's walk eight times to real files and returns the number of pictures and the elapsed
/// seconds.
fn export(character: &Character, frames: usize, format: Format, jobs: usize) -> (f64, f64) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let name = if format == Format::Png { "{index}.png" } else { "clip" };
    let mut options = RenderOptions::default();
    options.subject.interpolate = false;
    options.subject.frames = Some(vec![format!("0..{frames}"); 8].join(",").parse().expect("valid frames"));
    options.look.size = Size::Exact(512, 512);
    options.output.path = Some(folder.path().join(name).to_string_lossy().into_owned());
    options.output.format = Some(format);
    options.output.jobs = jobs;
    let animation = character.model().find_animation("walk").expect("it walks");
    let cancelled = AtomicBool::new(false);
    let run = Run {
        character,
        options: &options,
        animations: &[animation],
        skins: &[],
        sources: &[],
        cancelled: &cancelled,
    };
    let seconds = time(|| {
        run.write(|_| (), &()).expect("it is written");
    });
    (frames as f64 * 8.0, seconds)
}

/// Measures every animated format: pictures per second with one worker per core, relative to what the cores could do
/// with the processor time that a single worker needs per picture.
fn print_clips() {
    let character = knight();
    let frames = cues(&character).len();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    for format in Format::ALL.into_iter().filter(|format| format.is_animated()) {
        let mut ratios = Vec::new();
        let mut report = String::new();
        for _ in 0..5 {
            let (_, busy) = clip(&character, frames, format, 1);
            let (seconds, _) = clip(&character, frames, format, cores);
            ratios.push(busy / cores as f64 / seconds);
            report = format!("{:.1} ms of work a frame, {:.0} frames a second", 1e3 * busy, 1.0 / seconds);
        }
        ratios.sort_by(f64::total_cmp);
        let (least, middle, most) = (ratios[0], ratios[2], ratios[4]);
        println!("export {}: {report}; {least:.2} to {most:.2}, median {middle:.2} (aim: 0.85)", format.title());
    }
}

/// Returns the elapsed seconds and the processor seconds per picture.
fn clip(character: &Character, frames: usize, format: Format, jobs: usize) -> (f64, f64) {
    let before = busy_seconds();
    let (pictures, seconds) = export(character, frames, format, jobs);
    (seconds / pictures, (busy_seconds() - before) / pictures)
}

/// Returns the processor seconds of this program, in steps of a hundredth; NaN if the system does not report them.
fn busy_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let numbers = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    let ticks: Vec<f64> = numbers.skip(11).take(2).filter_map(|number| number.parse().ok()).collect();
    if ticks.len() == 2 { (ticks[0] + ticks[1]) / 100.0 } else { f64::NAN }
}

fn time(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    Duration::as_secs_f64(&start.elapsed())
}

fn main() {
    print_sizes();
    print_ratios();
    print_clips();
    divan::main();
}
