//! The arguments of `pchr-view` → what is rendered and how, as the export dialog has it too.

use super::failure::Failure;
use super::format;
use super::output::Output;
use super::view::{MarkArg, ViewArgs};
use crate::export::{Format, Moments, RenderOptions};

/// What `args` ask for, where their format makes sense.
pub fn render_options(args: &ViewArgs) -> Result<RenderOptions, Failure> {
    if args.rendering.show.contains(&MarkArg::Names) {
        let message = "names of bones are shown in the window only";
        return Err(Failure::usage_with_help(message, "--show bones marks where they are"));
    }
    Ok(options_of(args, format::chosen(args)?))
}

/// The same for this format, whatever `args` say of it.
pub fn options_of(args: &ViewArgs, format: Format) -> RenderOptions {
    let ViewArgs { files, show, output, rendering, window, .. } = args;
    let moments = match (&show.frames, show.time) {
        (_, Some(seconds)) => Moments::Seconds(seconds),
        (Some(frames), None) => Moments::Frames(frames.clone()),
        (None, None) => Moments::Usual,
    };
    RenderOptions {
        files: files.clone(),
        read: args.read_options(),
        animations: show.animations.clone(),
        skins: show.skins.clone(),
        moments,
        interpolate: show.interpolate,
        physics: show.physics,
        speed: window.speed,
        loops: show.loops,
        output: output.output.as_ref().map(|output| match output {
            Output::Stdout => "-".to_owned(),
            Output::Files { text, .. } => text.clone(),
        }),
        format,
        sheet: args.sheet.options(),
        size: output.size,
        scale: output.scale,
        padding: output.padding,
        fit: output.fit,
        background: output.background.unwrap_or_default(),
        alpha: output.alpha.into(),
        additive: output.additive.into(),
        matte: output.matte,
        jobs: output.jobs,
        force: output.force,
        bones: rendering.show.contains(&MarkArg::Bones),
        filter: rendering.filter.into(),
        antialias: rendering.antialias.into(),
        backend: rendering.backend,
        adapter: rendering.adapter.clone(),
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::draw::{Antialias, Filter};
    use crate::export::{
        Additive, Alpha, Backend, Background, Fit, FrameSpec, Padding, SheetDurations, SheetLayout, SheetName,
        SheetOptions, SheetProfile, SheetTrim, Size,
    };
    use crate::formats::sheet::Grid;
    use crate::formats::{BindPose, PageAlpha};
    use crate::limits::Limits;
    use crate::math::{Rect, vec2};

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
            self.of(&[
                "walk",
                "all",
                "#1",
                "",
                "-x",
                "--force",
                "it's",
                "a b",
                "gehen 歩く",
                "$(x)`\"\\",
                "a:3",
                "!",
            ])
            .to_owned()
        }

        fn side(&mut self) -> u32 {
            self.next() as u32 % 5000 + 1
        }
    }

    fn any(random: &mut Random) -> RenderOptions {
        let mut options = RenderOptions::default();
        let files = ["knight.pchr", "-", "-x.pchr", "my knight.json", "./a'b.pchr", "--", "歩く.pchr"];
        // Standard input is read once, which is not asked here.
        options.files = (0..=random.next() % 3).map(|_| random.of(&files).into()).collect();
        options.animations = (0..random.next() % 3).map(|_| random.name()).collect();
        options.skins = (0..random.next() % 3).map(|_| random.name()).collect();
        let frames =
            ["all", "0", "-1", "3..=9:2", "-3..=-1,4,0..2"].map(|text| text.parse::<FrameSpec>().unwrap());
        options.moments = match random.next() % 3 {
            0 => Moments::Usual,
            1 => Moments::Frames(random.of(&frames)),
            _ => Moments::Seconds(f64::from(random.positive()) * random.of(&[1.0, -1.0, 0.1])),
        };
        options.interpolate = random.flip();
        let factor = random.positive();
        options.speed = random.of(&[1.0, 0.5, factor]);
        options.loops = random.of(&[None, Some(0), Some(1), Some(u16::MAX)]);
        options.format = random.of(&Format::ALL);
        options.sheet = sheet(random);
        let ends = options.format.extensions();
        options.output = match random.next() % 6 {
            0 => Some("-".to_owned()),
            1 => Some("/dev/null".to_owned()),
            2 => Some(format!("-{{frame:04}}.{}", ends[ends.len() - 1])),
            _ => Some(format!("out/{{name}} it's-{{{{x}}}}.{}", ends[0].to_uppercase())),
        };
        options.size = match random.next() % 5 {
            0 => Size::Exact(random.side(), random.side()),
            1 => Size::Exact(512, 512),
            2 => Size::Width(random.side()),
            3 => Size::Height(random.side()),
            _ => Size::Native,
        };
        options.scale = random.of(&[1.0, 2.0, factor]);
        let percent = random.positive() % 1000.0;
        options.padding = random.of(&[Padding::Pixels(0), Padding::Pixels(7), Padding::Percent(percent)]);
        let corner = vec2(random.positive() - 80.0, random.positive() - 80.0);
        let rect = Rect::from_min_size(corner, vec2(random.positive(), random.positive()));
        options.fit = random.of(&[Fit::Animation, Fit::Frame, Fit::All, Fit::Rect(rect)]);
        let [r, g, b, a] = random.color();
        let color = Background::Color([r, g, b, random.of(&[255, a])]);
        options.background =
            random.of(&[Background::Transparent, Background::Checker(8), Background::Checker(3), color]);
        options.alpha = random.of(&[Alpha::Straight, Alpha::Premultiplied]);
        options.additive = random.of(&[Additive::Keep, Additive::Pure]);
        options.matte = random.of(&[None, Some([r, g, b])]);
        options.physics = random.flip();
        options.bones = random.flip();
        options.jobs = random.of(&[0, 1, 64]);
        options.force = random.flip();
        options.filter = random.of(&[Filter::Auto, Filter::Nearest, Filter::Linear]);
        let modes = [Antialias::None, Antialias::Msaa4, Antialias::Ssaa2, Antialias::Ssaa4].map(Some);
        options.antialias = random.flip().then(|| random.of(&modes)).flatten();
        options.backend = random.of(&Backend::ALL);
        options.adapter = random.of(&[None, Some("#1".to_owned()), Some("-llvm pipe".to_owned())]);
        let animation = random.name();
        let frame = random.next() as u32;
        options.read.bind_pose = random.of(&[BindPose::Auto, BindPose::Frame { animation, frame }]);
        options.read.flip_v = random.flip();
        options.read.y_down = random.flip();
        options.read.page_alpha = random.of(&[PageAlpha::Auto, PageAlpha::Straight, PageAlpha::Premultiplied]);
        options.read.fps = random.of(&[None, Some(24.0), Some(0.1)]);
        options.read.atlas = random.of(&[None, Some("-a b.atlas".into()), Some("c.atlas".into())]);
        let grid = |count| Grid { width: 64, height: 48, count };
        options.read.grid = random.of(&[None, Some(grid(None)), Some(grid(Some(14)))]);
        for name in Limits::NAMES {
            if random.flip() {
                options.read.limits.set(name, random.next());
            }
        }
        options.relevant()
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
        let args = ViewArgs::try_parse_from(std::iter::once("pchr-view".into()).chain(args)).unwrap();
        render_options(&args).unwrap()
    }

    #[test]
    fn options_come_back_from_their_own_arguments() {
        let mut random = Random(7);
        let mut longest = 0;
        for _ in 0..5000 {
            let options = any(&mut random);
            let args = options.to_args();
            longest = longest.max(args.len());
            assert_eq!(parsed(args.clone()), options, "{args:?}");
            // And through a shell.
            let words = shlex::split(&options.command_line()).unwrap();
            assert_eq!(words[0], "pchr-view");
            assert_eq!(words[1..], args.iter().map(|arg| arg.to_str().unwrap()).collect::<Vec<_>>());
        }
        assert!(longest > 40, "{longest} arguments at most");
    }

    #[test]
    fn what_is_usual_is_left_out() {
        let options = RenderOptions { files: vec!["a.pchr".into()], ..RenderOptions::default() };
        assert_eq!(options.to_args(), ["a.pchr"]);
        let options = RenderOptions { output: Some("a.gif".to_owned()), format: Format::Gif, ..options };
        assert_eq!(options.to_args(), ["a.pchr", "-o", "a.gif"]);
        assert_eq!(parsed(options.to_args()), options);
    }
}
