//! Exports with invalid options, plans and cues.

use std::sync::LazyLock;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use pchr::Character;
use pchr::Error;
use pchr::bake::{BakeOptions, bake, deviations};
use pchr::cpu::Renderer;
use pchr::draw::{Antialias, Hidden, Overlay, Overlays, Settings, View};
use pchr::export::{
    AnimatedFormat, Background, BackgroundFit, Clip, Destination, Drawing, ExportError, Fit, Format, FrameSpec,
    Look, Output, OutputPath, Padding, Plan, Rate, RenderOptions, Sequence, Shot, Size, Subject, Surface,
};
use pchr::limits::Limits;
use pchr::math::{Rect, Vec2, vec2};
use pchr::motion::{Cue, Overview};

use super::{foreign, large, panics, small};
use crate::common::memory::peak;

static LIMITS: LazyLock<Limits> = LazyLock::new(Limits::default);
static NOT_CANCELLED: AtomicBool = AtomicBool::new(false);

fn sequence(character: &Character, view: View) -> Sequence<'_> {
    Sequence {
        character,
        view,
        settings: Settings::default(),
        background: &Background::Transparent,
        background_fit: BackgroundFit::default(),
        background_opacity: 1.0,
        matte: None,
        surface: Surface::default(),
        physics: false,
        hidden: None,
        overlays: Overlay::Bones.into(),
        is_optimized: false,
        jobs: usize::MAX,
        limits: &LIMITS,
        visible: None,
        cancelled: &NOT_CANCELLED,
    }
}

fn view(width: u32, height: u32) -> View {
    View::new(width, height, vec2(0.0, 24.0), 1.0)
}

#[track_caller]
fn code<T>(result: Result<T, ExportError>) -> &'static str {
    match result.err().expect("it is refused") {
        ExportError::File(error) => error.code(),
        ExportError::Render(error) => panic!("{error}"),
    }
}

fn clip<'a>(format: AnimatedFormat, cues: &'a [Cue], starts_secs: Option<&'a [f64]>) -> Clip<'a> {
    Clip { format, cues, rate: Rate::new(24.0), starts_secs, plays: 0, dither: false }
}

fn formats() -> impl Iterator<Item = AnimatedFormat> {
    // ffmpeg is not needed for tests of what precedes it.
    Format::ALL.into_iter().filter(|format| !format.is_compressed_video()).filter_map(Format::animated)
}

fn write_clip(sequence: &Sequence<'_>, clip: &Clip<'_>) -> Result<Vec<u8>, ExportError> {
    let renderer = Renderer::new(sequence.character.model());
    let mut out = Vec::new();
    let destination = Destination { place: "test", out: &mut out, picture_done: &|| () };
    sequence.write_clip(&mut Drawing::cpu(renderer.clone()), clip, destination)?;
    Ok(out)
}

#[test]
fn sequences_refuse_invalid_cues_sizes_and_clips() {
    let character = small();
    let renderer = Renderer::new(character.model());
    let folder = tempfile::tempdir().expect("a folder");
    let cue = Cue { animation: Some(foreign().animation), ..Cue::default() };
    let shots = [Shot { cue: cue.clone(), path: OutputPath::below(folder.path(), "a.png"), overwrite: true }];
    let fine = sequence(&character, view(24, 24));
    assert_eq!(code(fine.write(&mut Drawing::cpu(renderer.clone()), &shots, &|_| ())), "no-such-animation");
    assert_eq!(code(fine.picture(&mut Drawing::cpu(renderer.clone()), &cue)), "no-such-animation");
    for format in formats() {
        assert_eq!(code(write_clip(&fine, &clip(format, std::slice::from_ref(&cue), None))), "no-such-animation");
        assert_eq!(code(write_clip(&fine, &clip(format, &[], None))), "nothing-to-write");
        for (width, height) in [(0, 0), (0, 9), (9, 0)] {
            let empty = sequence(&character, view(width, height));
            assert_eq!(code(write_clip(&empty, &clip(format, &[Cue::default()], None))), "empty-picture");
        }
        let (refused, taken) = peak(|| {
            let huge = sequence(&character, view(u32::MAX, u32::MAX));
            code(write_clip(&huge, &clip(format, &[Cue::default()], None)))
        });
        assert_eq!(refused, "picture-too-large");
        assert!(taken < 1 << 22, "{taken} bytes");
        // Arbitrary times, and too few of them.
        for starts in [&[f64::NAN, f64::INFINITY, -1.0][..], &[f64::MAX, f64::MIN], &[], &[1e300, 0.0, 1e300]] {
            let cues = [Cue::default(), Cue::default()];
            assert!(!write_clip(&fine, &clip(format, &cues, Some(starts))).expect("it is written").is_empty());
        }
    }
    let wide = sequence(&character, view(u32::from(u16::MAX) + 1, 1));
    assert_eq!(code(write_clip(&wide, &clip(AnimatedFormat::Gif, &[Cue::default()], None))), "picture-too-large");
    for (width, height) in [(u32::MAX, u32::MAX), (1 << 20, 1 << 20)] {
        let huge = sequence(&character, view(width, height));
        let shots =
            [Shot { cue: Cue::default(), path: OutputPath::below(folder.path(), "b.png"), overwrite: true }];
        assert_eq!(code(huge.write(&mut Drawing::cpu(renderer.clone()), &shots, &|_| ())), "picture-too-large");
        assert_eq!(code(huge.picture(&mut Drawing::cpu(renderer.clone()), &Cue::default())), "picture-too-large");
    }
    assert!(fine.write(&mut Drawing::cpu(renderer.clone()), &[], &|_| ()).expect("nothing is written"));
    assert_eq!(std::fs::read_dir(folder.path()).expect("the folder").count(), 0);
    // On the caller's thread.
    let other = Renderer::new(super::bones(2).model());
    panics("the renderer belongs to another model", || {
        fine.picture(&mut Drawing::cpu(other.clone()), &Cue::default())
    });
    panics("the renderer belongs to another model", || {
        fine.write(&mut Drawing::cpu(other.clone()), &shots[..0], &|_| ())
    });
}

/// The code of the error that refuses a plan, if any.
fn planned(character: &Character, options: &RenderOptions) -> Option<&'static str> {
    let animations: Vec<_> = character.model().default_animation().into_iter().collect();
    options.plan(character, &animations, &[]).err().map(|error: Error| {
        assert!(matches!(error, Error::Misuse(_) | Error::LimitExceeded(_)), "{error:?}");
        error.code()
    })
}

fn looking(look: Look) -> RenderOptions {
    RenderOptions { look, ..RenderOptions::default() }
}

#[test]
fn plans_refuse_invalid_numbers() {
    let character = small();
    let usual = RenderOptions::default;
    assert_eq!(planned(&character, &usual()), None);
    for odd in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 0.0, -0.0, -1.0, 1e-45] {
        assert_eq!(
            planned(
                &character,
                &RenderOptions { subject: Subject { speed: odd, ..Subject::default() }, ..usual() }
            ),
            Some("speed"),
            "{odd}"
        );
        let refused = planned(&character, &looking(Look { scale: odd, ..Look::default() }));
        assert!(matches!(refused, Some("no-scale" | "picture-too-large")), "a scale of {odd}: {refused:?}");
    }
    for size in [Size::Native, Size::Exact(9, 9), Size::Width(9), Size::Height(9)] {
        for odd in [f32::NAN, f32::INFINITY, f32::MAX, -1.0, -1e30] {
            let options = looking(Look { padding: Padding::Percent(odd), size, ..Look::default() });
            assert!(planned(&character, &options).is_some(), "{odd} % around {size:?}");
            let rect = Rect { min: vec2(0.0, 0.0), max: vec2(odd, 1.0) };
            let options = looking(Look { fit: Fit::Rect(rect), size, ..Look::default() });
            _ = planned(&character, &options);
        }
        let options = looking(Look { padding: Padding::Pixels(u32::MAX), size, ..Look::default() });
        assert!(planned(&character, &options).is_some(), "{size:?}");
        let rect = Rect { min: Vec2::NEG_INFINITY, max: Vec2::INFINITY };
        let options = looking(Look { fit: Fit::Rect(rect), size, ..Look::default() });
        assert!(planned(&character, &options).is_some(), "{size:?}");
    }
    for size in [
        Size::Exact(0, 0),
        Size::Exact(u32::MAX, u32::MAX),
        Size::Width(0),
        Size::Height(0),
        Size::Width(u32::MAX),
    ] {
        assert!(planned(&character, &looking(Look { size, ..Look::default() })).is_some(), "{size:?}");
    }
    let antialias = Some(Antialias::Ssaa4);
    let options = looking(Look { size: Size::Exact(32_768, 32_768), antialias, ..Look::default() });
    assert_eq!(planned(&character, &options), Some("too-large-to-draw"));
    let huge = View::new(u32::MAX, u32::MAX, Vec2::ZERO, 1.0);
    let mut options = looking(Look { antialias, ..Look::default() });
    options.output.jobs = usize::MAX;
    let plan = Plan {
        area: Rect::NOTHING,
        view: huge,
        leaves_out: false,
        hidden: Hidden::default(),
        overlays: Overlays::default(),
        pictures: Vec::new(),
    };
    let jobs = options.sequence(&character, &plan, &NOT_CANCELLED).jobs;
    assert_eq!(jobs, 1, "only as many as fit into memory");
    let animations = [foreign().animation];
    let refused = usual().plan(&character, &animations, &[foreign().skin]).expect_err("it does not exist");
    assert_eq!(refused.to_string(), "animation 39 does not exist, the character has 2");
    let options = BakeOptions { animations: animations.to_vec(), ..BakeOptions::default() };
    assert_eq!(bake(&character, &options).expect_err("it does not exist").code(), "no-such-animation");
    let of = |animation| Overview::of(&character, &[Some(animation)], &[], false, 1);
    panics("animation 39 does not exist, the model has 2", || of(animations[0]));
}

#[test]
fn arbitrary_frame_rates_are_baked_or_refused() {
    let character = small();
    let animations: Vec<_> = character.model().animation_ids().collect();
    for fps in [0, 1, u16::MAX] {
        _ = bake(
            &character,
            &BakeOptions { fps: Some(fps), animations: animations.clone(), ..Default::default() },
        );
    }
    for fps in [f64::NAN, f64::INFINITY, -1.0, 0.0, f64::MAX, 1e-300] {
        let rate = Rate::new(fps);
        for units in [f64::NAN, f64::INFINITY, -1.0, 0.0, 1000.0, f64::MAX] {
            _ = (rate.duration(0, units), rate.duration(usize::MAX, units), rate.is_above(units));
        }
        let (count, seconds) = rate.fraction();
        assert!(count > 0 && seconds > 0, "{fps}");
    }
}

#[test]
fn comparing_reports_what_the_source_lacks() {
    let (source, other) = (small(), large());
    let own: Vec<_> = source.model().animation_ids().collect();
    let slots: Vec<_> = source.model().slot_ids().collect();
    let (ids, limits) = (foreign(), Limits::default());
    panics("slot 39 does not exist, the model has 1", || {
        deviations(&source, &other, &own, &[ids.slot], [&[], &[]], None, &limits)
    });
    panics("animation 39 does not exist", || {
        deviations(&source, &other, &[ids.animation], &slots, [&[], &[]], None, &limits)
    });
    // Regardless of the other character.
    deviations(&source, &other, &own, &slots, [&[ids.skin], &[ids.skin]], None, &limits).unwrap();
    deviations(&source, &super::bones(0), &own, &slots, [&[], &[]], None, &limits).unwrap();
    deviations(&super::bones(1), &source, &[], &[], [&[], &[]], None, &limits).unwrap();
}

#[cfg(feature = "formats-all")]
#[test]
fn an_animation_of_years_takes_neither_memory_nor_time() {
    let json = br#"{"skeleton":{"spine":"3.8.99"},"bones":[{"name":"root"}],
        "animations":{"long":{"bones":{"root":{"rotate":[{"angle":1},{"time":1e9,"angle":2}]}}}}}"#;
    let character = Character::from_bytes(&json[..]).expect("it is valid");
    let animations: Vec<_> = character.model().animation_ids().collect();
    assert_eq!(character.model().animation(animations[0]).frame_count(), u32::MAX);
    let start = Instant::now();
    for format in [pchr::export::Format::Gif, pchr::export::Format::Sheet] {
        let output = Output { format: Some(format), ..Output::default() };
        let options = RenderOptions { output, ..RenderOptions::default() };
        let (refused, taken) = peak(|| options.plan(&character, &animations, &[]).map(|_| ()));
        assert_eq!(refused.expect_err("it is too long").code(), pchr::export::TOO_MANY_PICTURES);
        assert!(taken < 1 << 20, "{taken} bytes");
    }
    for text in ["all", "0..=-1", "0..-1:2", "5..=5,0..4294967294,1"] {
        let frames: FrameSpec = text.parse().expect("a choice");
        assert!(frames.len(u32::MAX).expect("they exist") > 1 << 30, "{text}");
    }
    deviations(&character, &character, &animations, &[], [&[], &[]], None, &Limits::default()).unwrap();
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

#[cfg(feature = "formats-all")]
mod sheets {
    use pchr::export::{
        SheetClip, SheetDurations, SheetFiles, SheetOptions, SheetPlan, SheetTrim, SheetValues, describe_sheet,
    };
    use pchr::formats::sheet::{Duration, Frame, Page, Sheet, Tag};
    use pchr::model::Order;

    use super::*;

    fn plan(sequence: &Sequence<'_>, cues: &[Cue], options: &SheetOptions) -> Result<SheetPlan, ExportError> {
        let renderer = Renderer::new(sequence.character.model());
        let mut drawing = Drawing::cpu(renderer.clone());
        sequence.plan_sheet(&mut drawing, cues, options, &|| ()).map(|plan| plan.expect("it is not cancelled"))
    }

    fn write(
        sequence: &Sequence<'_>,
        cues: &[Cue],
        plan: &SheetPlan,
        page: usize,
    ) -> Result<Vec<u8>, ExportError> {
        let renderer = Renderer::new(sequence.character.model());
        let mut drawing = Drawing::cpu(renderer.clone());
        let mut out = Vec::new();
        let destination = Destination { place: "test", out: &mut out, picture_done: &|| () };
        sequence.write_sheet_page(&mut drawing, cues, plan, page, None, destination)?;
        sequence.sheet_page_picture(&mut drawing, cues, plan, page, 7)?;
        sequence.sheet_page_picture(&mut drawing, cues, plan, page, 0)?;
        sequence.sheet_page_picture(&mut drawing, cues, plan, page, u32::MAX)?;
        Ok(out)
    }

    #[test]
    fn sheets_without_frames_pixels_or_room_are_refused() {
        let character = small();
        let fine = sequence(&character, view(8, 8));
        let cues = [Cue::default(), Cue::default()];
        for trim in SheetTrim::ALL {
            let options = SheetOptions { trim, ..SheetOptions::default() };
            assert_eq!(code(plan(&fine, &[], &options)), "nothing-to-write");
            for (width, height) in [(0, 0), (0, 8), (8, 0)] {
                assert_eq!(
                    code(plan(&sequence(&character, view(width, height)), &cues, &options)),
                    "empty-picture"
                );
            }
            let huge = sequence(&character, view(u32::MAX, u32::MAX));
            assert_eq!(code(plan(&huge, &cues, &options)), "picture-too-large");
            let odd = [Cue { animation: Some(foreign().animation), ..Cue::default() }];
            assert_eq!(code(plan(&fine, &odd, &options)), "no-such-animation");
        }
        for change in [
            (|options| options.columns = Some(0)) as fn(&mut SheetOptions),
            |options| options.columns = Some(u32::MAX),
            |options| options.border = u32::MAX,
            |options| options.padding = u32::MAX,
            |options| options.extrude = u32::MAX,
            |options| options.bleed = u32::MAX,
            |options| options.max_size = 0,
            |options| options.max_size = u32::MAX,
            |options| (options.max_size, options.border) = (1, 256),
        ] {
            let mut options = SheetOptions::default();
            change(&mut options);
            assert!(plan(&fine, &cues, &options).is_err(), "{options:?}");
            assert!(!code(plan(&fine, &[], &options)).is_empty());
        }
    }

    #[test]
    fn plans_of_other_frames_and_pages_of_another_size_are_refused() {
        let character = small();
        let fine = sequence(&character, view(8, 8));
        let cues = [Cue::default(), Cue::default()];
        let whole = plan(&fine, &cues, &SheetOptions::default()).expect("it fits");
        write(&fine, &cues, &whole, 0).expect("the plan matches");
        for page in [1, usize::MAX] {
            assert_eq!(code(write(&fine, &cues, &whole, page)), "no-such-page");
        }
        assert_eq!(code(write(&fine, &cues[..1], &whole, 0)), "no-such-page");
        assert_eq!(code(write(&fine, &[], &whole, 0)), "no-such-page");
        for pages in [vec![], vec![[0, 0]], vec![[8, 7]], vec![[u32::MAX, u32::MAX]], vec![[1 << 16, 8]]] {
            let mut changed = whole.clone();
            changed.pages = pages;
            assert_eq!(code(write(&fine, &cues, &changed, 0)), "no-such-page", "{:?}", changed.pages);
        }
        // Larger pages and unused pages are fine.
        let mut changed = whole.clone();
        changed.pages = vec![[64, 64], [3, 3]];
        write(&fine, &cues, &changed, 0).expect("it has room");
        let clip =
            |frames| SheetClip { name: "x", frames, shown_ms: vec![f64::NAN, -1.0, 1e300], plays: u32::MAX };
        let files = SheetFiles { title: "x", pages: &[] };
        for how in SheetDurations::ALL {
            let options = SheetOptions { durations: how, ..SheetOptions::default() };
            let say = |clip: SheetClip<'_>| describe_sheet(&whole, &options, &[clip], [8, 8], [0, 0], files);
            say(clip(0..2)).expect("they exist");
            say(clip(0..0)).expect("there is nothing to describe");
            assert_eq!(say(clip(1..usize::MAX)).expect_err("they do not exist").code(), "no-such-frame");
        }
    }

    #[test]
    fn hand_made_sheets_are_written_or_report_the_page() {
        let frame = Frame {
            name: "f".to_owned(),
            page: 7,
            rect: [u32::MAX; 4],
            offset: [u32::MAX; 2],
            duration: Duration::Exact(f64::NAN),
        };
        let tag = |from, to, order| Tag { name: "t".to_owned(), from, to, order, plays: u32::MAX };
        let orders = [Order::Forward, Order::Reverse, Order::PingPong, Order::PingPongReverse];
        let tags = orders.into_iter().flat_map(|order| {
            [(0, usize::MAX), (usize::MAX, 0), (usize::MAX, usize::MAX), (0, u32::MAX as usize), (1, 0)]
                .map(|(from, to)| tag(from, to, order))
        });
        let page = Page { image: String::new(), file: String::new(), size: [u32::MAX; 2] };
        let mut sheet = Sheet { frames: vec![frame; 3], tags: tags.collect(), ..Sheet::default() };
        panics("page 0 does not exist, the sheet has 0", || sheet.json(0));
        sheet.pages.push(page);
        panics("page 7 does not exist, the sheet has 1", || sheet.json(7));
        let start = Instant::now();
        sheet.frames[0].page = 0;
        let json: serde_json::Value = serde_json::from_str(&sheet.json(0)).expect("it is JSON");
        assert_eq!(json["frames"].as_array().map(Vec::len), Some(1));
        assert!(start.elapsed().as_secs() < 5, "{:?}", start.elapsed());
        let name: pchr::export::SheetName = "{frame1}{tagframe999999999}".parse().expect("a name");
        let values = SheetValues { title: "", tag: "", frame: usize::MAX, tag_frame: usize::MAX };
        assert_eq!(name.fill(values), format!("{0}{0}", usize::MAX));
    }
}
