//! Round trips of render options through their command line.

use std::collections::BTreeSet;

use clap::parser::ValueSource;
use clap::{Args, Command, CommandFactory, Parser};

use super::ViewArgs;
use crate::shared::read_args::ReadArgs;
use crate::view::usage::check_effects;
use pchr::draw::{Antialias, Filter, Overlay};
use pchr::export::{
    Additive, Alpha, Backend, Background, BackgroundFit, BackgroundPicture, Fit, Format, FrameSpec, LIMITED,
    Limited, Look, NamePattern, NoEffect, Output, OverlayChoice, Padding, PsdGroups, RenderOptions,
    SheetDurations, SheetLayout, SheetName, SheetOptions, SheetProfile, SheetTrim, Size, Subject,
};
use pchr::formats::{BindPose, Grid, Missing, MovieClips, PageAlpha};
use pchr::limits::Limits;
use pchr::math::{Rect, Vec2, vec2};

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn flip(&mut self) -> bool {
        self.next().is_multiple_of(2)
    }

    fn of<T: Clone>(&mut self, choices: &[T]) -> T {
        choices[(self.next() % choices.len() as u64) as usize].clone()
    }

    fn positive(&mut self) -> f32 {
        1e-3 + (self.next() >> 40) as f32 / 1e5
    }

    fn color(&mut self) -> [u8; 4] {
        self.next().to_le_bytes()[..4].try_into().unwrap()
    }

    fn name(&mut self) -> String {
        self.of(&["walk", "all", "#1", "", "-x", "--force", "it's", "a b", "gehen 歩く", "$(x)`\"\\", "a:3", "!"])
            .to_owned()
    }

    fn side(&mut self) -> u32 {
        self.next() as u32 % 5000 + 1
    }
}

/// Returns options that all have an effect.
fn any(random: &mut Random) -> RenderOptions {
    any_with_effect_or_not(random).relevant()
}

fn any_with_effect_or_not(random: &mut Random) -> RenderOptions {
    let mut options = RenderOptions::default();
    let files = ["knight.pchr", "-", "-x.pchr", "my knight.json", "./a'b.pchr", "--", "歩く.pchr"];
    // Not standard input, which can only be read once.
    options.subject.files = (0..=random.next() % 3).map(|_| random.of(&files).into()).collect();
    options.subject.animations = (0..random.next() % 3).map(|_| random.name()).collect();
    options.subject.skins = (0..random.next() % 3).map(|_| random.name()).collect();
    let frames = ["all", "0", "-1", "3..=9:2", "-3..=-1,4,0..2"].map(|text| text.parse::<FrameSpec>().unwrap());
    match random.next() % 3 {
        0 => {}
        1 => options.subject.frames = Some(random.of(&frames)),
        _ => options.subject.time = Some(f64::from(random.positive()) * random.of(&[1.0, -1.0, 0.1])),
    }
    options.subject.interpolate = random.flip();
    let factor = random.positive();
    options.subject.speed = random.of(&[1.0, 0.5, factor]);
    options.subject.loops = random.of(&[None, Some(0), Some(1), Some(u16::MAX)]);
    let format = random.of(&Format::ALL);
    options.output.format = Some(format);
    options.output.sheet = sheet(random);
    let ends = format.extensions();
    options.output.path = match random.next() % 6 {
        0 => Some("-".to_owned()),
        1 => Some("/dev/null".to_owned()),
        2 => Some(format!("-{{frame:04}}.{}", ends[ends.len() - 1])),
        _ => Some(format!("out/{{name}} it's-{{{{x}}}}.{}", ends[0].to_uppercase())),
    };
    options.look.size = match random.next() % 5 {
        0 => Size::Exact(random.side(), random.side()),
        1 => Size::Exact(512, 512),
        2 => Size::Width(random.side()),
        3 => Size::Height(random.side()),
        _ => Size::Native,
    };
    options.look.scale = random.of(&[1.0, 2.0, factor]);
    let percent = random.positive() % 1000.0;
    options.look.padding = random.of(&[Padding::Pixels(0), Padding::Pixels(7), Padding::Percent(percent)]);
    let corner = vec2(random.positive() - 80.0, random.positive() - 80.0);
    let rect = Rect::from_min_size(corner, vec2(random.positive(), random.positive()));
    options.look.fit = random.of(&[Fit::Animation, Fit::Frame, Fit::All, Fit::Rect(rect)]);
    let [r, g, b, a] = random.color();
    let color = Background::Color([r, g, b, random.of(&[255, a])]);
    let pictures = ["a room.png", "./white", "-x/y", "R.WEBP"].map(BackgroundPicture::new);
    let picture = Background::Picture(random.of(&pictures));
    options.look.background =
        random.of(&[Background::Transparent, Background::Checker(8), Background::Checker(3), color, picture]);
    // Mostly, they would have no effect.
    if random.next().is_multiple_of(4) {
        let fits = [BackgroundFit::Cover, BackgroundFit::Contain, BackgroundFit::Tile, BackgroundFit::Rect(rect)];
        options.look.background_fit = random.of(&fits);
        options.look.background_opacity = random.of(&[1.0, 0.25]);
    }
    options.look.alpha = random.of(&[Alpha::Straight, Alpha::Premultiplied]);
    options.look.fit_whole = random.of(&[false, true]);
    options.look.additive = random.of(&[Additive::Keep, Additive::Pure]);
    options.look.matte = random.of(&[None, Some([r, g, b])]);
    options.look.dither = random.of(&[false, true]);
    options.subject.physics = random.of(&[None, Some(true), Some(false)]);
    options.subject.wind = random.of(&[Vec2::X, vec2(-0.5, 1e9)]);
    options.subject.gravity = random.of(&[-1.0, 0.0, 2.5]);
    options.subject.physics_mix = random.of(&[1.0, 0.0, 0.25]);
    options.look.show = random.of(&[
        vec![],
        vec![Overlay::Bones.into()],
        ["names", "weights=-a=b", "onion=0/3"].map(|text| text.parse::<OverlayChoice>().unwrap()).to_vec(),
    ]);
    let patterns = ["arm*", "-[ab]?", "it's"].map(|text| text.parse::<NamePattern>().unwrap());
    options.subject.meshes = random.of(&[vec![], patterns.to_vec()]);
    options.subject.hidden_meshes = random.of(&[vec![], patterns[1..].to_vec()]);
    let tracks = ["1=aim@0", "0=-x, y@2.5,from=1,fade=0.2,add", "9999=#1@-3,speed=-0.5,loop=once"];
    options.subject.tracks = random.of(&[vec![], tracks.map(|text| text.parse().unwrap()).to_vec()]);
    let bones = ["-hand=120,-80.5", "it's=30deg"].map(|text| text.parse().unwrap());
    options.subject.bones = random.of(&[vec![], bones.to_vec()]);
    let attachments = ["-weapon=sword", "hat="].map(|text| text.parse().unwrap());
    options.subject.attachments = random.of(&[vec![], attachments.to_vec()]);
    options.output.optimize = random.flip();
    options.output.jobs = random.of(&[0, 1, 64]);
    options.output.force = random.flip();
    let grids = ["4x3", "4x", "x3"].map(|grid| Some(grid.parse().unwrap()));
    options.output.contact_sheet = random.flip().then(|| random.of(&grids)).flatten();
    options.output.psd_groups = random.of(&PsdGroups::ALL);
    options.look.filter = random.of(&[Filter::Auto, Filter::Nearest, Filter::Linear]);
    let modes = [Antialias::None, Antialias::Msaa4, Antialias::Ssaa2, Antialias::Ssaa4].map(Some);
    options.look.antialias = random.flip().then(|| random.of(&modes)).flatten();
    options.look.backend =
        random.of(&[Backend::Auto, Backend::Cpu, Backend::Vulkan, Backend::Metal, Backend::Dx12, Backend::Gl]);
    options.look.adapter = random.of(&[None, Some("#1".to_owned()), Some("-llvm pipe".to_owned())]);
    let animation = random.name();
    let frame = random.next() as u32;
    options.read.bind_pose = random.of(&[BindPose::Auto, BindPose::Frame { animation, frame }]);
    options.read.flip_v = random.flip();
    options.read.y_down = random.flip();
    options.read.page_alpha = random.of(&[PageAlpha::Auto, PageAlpha::Straight, PageAlpha::Premultiplied]);
    options.read.missing = random.of(&[None, Some(Missing::Hide), Some(Missing::Box)]);
    options.read.fps = random.of(&[None, Some(24.0), Some(0.1)]);
    options.read.atlases =
        random.of(&[vec![], vec!["-a b.atlas".into()], vec!["c.atlas".into(), "d.atlas".into()]]);
    let grid = |count| Grid { width: 64, height: 48, count, margin: count.unwrap_or(0), spacing: 2 };
    options.read.grid = random.of(&[None, Some(grid(None)), Some(grid(Some(14)))]);
    options.read.movie_clips = random.of(&MovieClips::ALL);
    options.read.layers = random.of(&[vec![], vec!["-a (b)".into()], vec!["c".into(), "d".into()]]);
    options.read = options.read.playing(&options.subject.animations);
    for name in Limits::NAMES {
        if random.flip() {
            options.read.limits.set(name, random.next());
        }
    }
    options
}

fn sheet(random: &mut Random) -> SheetOptions {
    let mut few = || random.next() as u32 % 3 * (random.next() as u32 % SheetOptions::FEW_PIXELS / 2);
    let (border, padding, extrude, bleed) = (few(), few(), few(), few());
    let names = ["{title} {frame001}", "-{tag}", "it's", ""].map(|name| name.parse::<SheetName>().unwrap());
    let mut name = || {
        let name = random.of(&names);
        random.flip().then_some(name)
    };
    let (filename, tagname) = (name(), name());
    SheetOptions {
        profile: random.of(&SheetProfile::ALL),
        layout: random.of(&SheetLayout::ALL),
        columns: random.of(&[None, Some(1), Some(77)]),
        border,
        padding,
        extrude,
        bleed,
        trim: random.of(&SheetTrim::ALL),
        merge: random.flip(),
        max_size: random.of(&[4096, 1, 2048, SheetOptions::LARGEST]),
        pot: random.flip(),
        durations: random.of(&SheetDurations::ALL),
        filename,
        tagname,
    }
}

fn parsed(args: impl IntoIterator<Item = std::ffi::OsString>) -> RenderOptions {
    ViewArgs::try_parse_from(std::iter::once("pchr-view".into()).chain(args)).unwrap().render_options()
}

#[test]
fn options_survive_a_round_trip_through_arguments() {
    let mut random = Random(7);
    let mut longest = 0;
    for _ in 0..5000 {
        let options = any(&mut random);
        let args = options.to_args();
        longest = longest.max(args.len());
        assert_eq!(parsed(args.clone()), options, "{args:?}");
        // Also through a shell.
        let words = shlex::split(&options.command_line()).unwrap();
        assert_eq!(words[0], "pchr-view");
        assert_eq!(words[1..], args.iter().map(|arg| arg.to_str().unwrap()).collect::<Vec<_>>());
    }
    assert!(longest > 40, "{longest} arguments at most");
}

#[test]
fn every_option_is_among_the_random_ones() {
    let scene = Look::augment_args(Subject::augment_args(Command::new("")));
    let options = Output::augment_args(ReadArgs::augment_args(scene));
    let mut missing: BTreeSet<&str> = options.get_arguments().map(|arg| arg.get_id().as_str()).collect();
    let mut random = Random(7);
    for _ in 0..500 {
        let words = std::iter::once("pchr-view".into()).chain(any(&mut random).to_args());
        let given = ViewArgs::command().try_get_matches_from(words).unwrap();
        missing.retain(|id| given.value_source(id) != Some(ValueSource::CommandLine));
    }
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn options_are_written_in_one_order() {
    let words = "a.pchr -a walk --skin red --mesh a --hide-mesh b --track 1=aim@0 --bone a=1,2 --attach a=b -t 2 --interpolate \
                 --physics --speed 2 --wind=-1,2 --gravity 0 --physics-mix 0.5 --loops 3 -o a.json --format apng --optimize \
                 --jobs 2 --force --contact-sheet 4x3 --psd-groups bone -s 12x34 --scale 2 --padding 5% --fit=-1,2,3,4 --fit-whole -b checker:3 --alpha premultiplied --additive pure \
                 --matte #010203 --dither --filter nearest --antialias ssaa2 --show bones,names --backend gl --adapter #1 \
                 --sheet-profile doc --sheet-layout packed --sheet-trim all --sheet-durations exact --sheet-columns 3 \
                 --sheet-border 1 --sheet-padding 2 --sheet-extrude 3 --sheet-bleed 4 --sheet-max-size 5 --sheet-merge \
                 --sheet-pot --sheet-filename {frame} --sheet-tagname {tag} --bind-pose walk:1 --flip-v --y-down --fps 25 \
                 --atlas a.atlas --page-alpha straight --missing box --grid 8x9 --movie-clips play --layer body \
                 --limit records=7";
    let words: Vec<&str> = words.split_whitespace().collect();
    let options = parsed(words.iter().map(Into::into));
    assert_eq!(options.to_args(), words);
    let of_scene: Vec<_> =
        options.scene_values().into_iter().map(|(key, values)| format!("{key} {values:?}")).collect();
    assert_eq!(
        of_scene[..15].join(" "),
        r#"animation ["walk"] skin ["red"] mesh ["a"] hide-mesh ["b"] track ["1=aim@0"] bone ["a=1,2"] attach ["a=b"] "#
            .to_owned()
            + r#"time ["2"] interpolate [] physics [] speed ["2"] wind ["-1,2"] gravity ["0"] physics-mix ["0.5"] loops ["3"]"#
    );
    let with_scene = options.command_line_with_scene("-s.toml".as_ref());
    assert!(with_scene.starts_with("pchr-view a.pchr '--scene=-s.toml' -o a.json --format apng"), "{with_scene}");
}

#[test]
fn default_values_are_omitted() {
    assert_eq!(parsed([]), RenderOptions::default(), "both have the same default values");
    let subject = Subject { files: vec!["a.pchr".into()], ..Subject::default() };
    let options = RenderOptions { subject, ..RenderOptions::default() };
    assert_eq!(options.to_args(), ["a.pchr"]);
    let output = Output { path: Some("a.gif".to_owned()), format: Some(Format::Gif), ..Output::default() };
    let options = RenderOptions { output, ..options };
    assert_eq!(options.to_args(), ["a.pchr", "-o", "a.gif"]);
    assert_eq!(parsed(options.to_args()), options.relevant());
}

#[test]
fn window_options_survive_a_round_trip() {
    let look = Look { show: vec![Overlay::Names.into(), Overlay::Bones.into()], ..Look::default() };
    let options = RenderOptions { look, ..RenderOptions::default() };
    assert_eq!(options.to_args(), ["--show", "names,bones"]);
    assert_eq!(parsed(options.to_args()), options);
}

#[test]
fn options_without_effect_are_rejected_unless_they_are_ignored() {
    let command = ViewArgs::command();
    for option in LIMITED {
        let mut names = command.get_arguments().filter_map(|argument| argument.get_long());
        assert!(names.any(|name| option.is(name)), "--{}", option.name);
    }
    let check = |options: &RenderOptions| {
        let words = std::iter::once("pchr-view".into()).chain(options.to_args());
        check_effects(options, &ViewArgs::command().try_get_matches_from(words).unwrap())
    };
    let mut random = Random(11);
    let mut count = 0;
    for _ in 0..4000 {
        let options = any_with_effect_or_not(&mut random);
        let why = |limited: &Limited| (limited.no_effect)(&options).filter(|_| limited.is_set(&options));
        let is_rejected = LIMITED.iter().any(|limited| !matches!(why(limited), None | Some(NoEffect::Ignored)));
        assert_eq!(check(&options).is_err(), is_rejected, "{options:?}");
        count += usize::from(is_rejected);
        assert!(check(&options.relevant()).is_ok());
    }
    assert!((100..4000).contains(&count), "{count}");
}
