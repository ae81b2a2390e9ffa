//! Converts [`RenderOptions`] to equivalent arguments of `pchr-view` and to a shell command line.
//!
//! Every struct is destructured completely, so a new field that is not handled here is a compile error.

use std::ffi::OsString;
use std::path::Path;

use super::words::word;
use super::{Look, Output, RenderOptions, Subject};
use crate::export::{Background, Fit, Padding, SheetOptions, Size, quoted};
use crate::formats::{BindPose, PageAlpha, ReadOptions};
use crate::limits::Limits;
use crate::math::{Rect, Vec2, vec2};

impl RenderOptions {
    /// Returns the arguments of `pchr-view` without the program's name. Default values are omitted.
    pub fn to_args(&self) -> Vec<OsString> {
        self.args_with(None)
    }

    /// Returns the arguments; what [`Self::scene_values`] states is in the file `scene`, if one is given.
    fn args_with(&self, scene: Option<&Path>) -> Vec<OsString> {
        let Self { subject, read, look, output } = self;
        let mut args = Args::default();
        match scene {
            Some(scene) => args.path("--scene", scene),
            None => subject.append_to(&mut args),
        }
        output.append_to(&mut args);
        if scene.is_none() {
            look.append_to(&mut args);
        }
        append_sheet(&output.sheet, &mut args);
        append_reading(read, &mut args);
        let options = args.words();
        // File names that look like options have to follow `--`.
        let is_plain =
            |file: &Path| file == Path::new("-") || !file.as_os_str().as_encoded_bytes().starts_with(b"-");
        let files = subject.files.iter().map(OsString::from);
        if subject.files.iter().all(|file| is_plain(file)) {
            files.chain(options).collect()
        } else {
            options.into_iter().chain(["--".into()]).chain(files).collect()
        }
    }

    /// Returns the complete command, quoted for POSIX shells.
    pub fn command_line(&self) -> String {
        line(self.to_args())
    }

    /// Returns the command with the scene in a file: see [`Self::scene_values`].
    pub fn command_line_with_scene(&self, scene: &Path) -> String {
        line(self.args_with(Some(scene)))
    }

    /// Returns the keys and values of a file for `--scene`: long option names and their values, none for a flag.
    /// Default values are omitted, and so are options that only concern the input or the output.
    pub fn scene_values(&self) -> Vec<(&'static str, Vec<String>)> {
        let mut args = Args::default();
        self.subject.append_to(&mut args);
        self.look.append_to(&mut args);
        let mut values: Vec<(&'static str, Vec<String>)> = Vec::new();
        for Arg { long, value, .. } in args.0 {
            let key = long.trim_start_matches('-');
            let value = value.map(|value| value.to_string_lossy().into_owned());
            match values.iter_mut().find(|(known, _)| *known == key) {
                Some((_, found)) => found.extend(value),
                None => values.push((key, value.into_iter().collect())),
            }
        }
        values
    }
}

fn line(args: Vec<OsString>) -> String {
    let words = args.iter().map(|arg| quoted(&arg.to_string_lossy()));
    std::iter::once("pchr-view".to_owned()).chain(words).collect::<Vec<_>>().join(" ")
}

impl Subject {
    fn append_to(&self, args: &mut Args) {
        let Self {
            files: _,
            animations,
            frames,
            time,
            interpolate,
            physics,
            skins,
            meshes,
            hidden_meshes,
            tracks,
            bones,
            attachments,
            loops,
            speed,
        } = self;
        animations.iter().for_each(|name| args.option("-a", "--animation", name));
        skins.iter().for_each(|name| args.long("--skin", name));
        meshes.iter().for_each(|pattern| args.long("--mesh", pattern.to_string()));
        hidden_meshes.iter().for_each(|pattern| args.long("--hide-mesh", pattern.to_string()));
        tracks.iter().for_each(|track| args.long("--track", track.to_string()));
        bones.iter().for_each(|bone| args.long("--bone", bone.to_string()));
        attachments.iter().for_each(|attachment| args.long("--attach", attachment.to_string()));
        match (time, frames) {
            (Some(seconds), _) => args.option("-t", "--time", &seconds.to_string()),
            (None, Some(frames)) => args.option("-f", "--frames", &frames.to_string()),
            (None, None) => {}
        }
        args.flag("--interpolate", *interpolate);
        match physics {
            Some(true) => args.flag("--physics", true),
            Some(false) => args.0.push(Arg {
                short: "--physics",
                long: "--physics",
                value: Some("off".into()),
                is_attached: true,
            }),
            None => {}
        }
        if *speed != 1.0 {
            args.long("--speed", speed.to_string());
        }
        if let Some(loops) = loops {
            args.long("--loops", loops.to_string());
        }
    }
}

impl Output {
    fn append_to(&self, args: &mut Args) {
        let Self { path, format, optimize, jobs, force, contact_sheet, sheet: _ } = self;
        if let Some(path) = path {
            args.option("-o", "--output", path);
        }
        if let Some(format) = format.filter(|format| Some(*format) != self.implied_format()) {
            args.long("--format", word(&format));
        }
        args.flag("--optimize", *optimize);
        if *jobs != 0 {
            args.long("--jobs", jobs.to_string());
        }
        args.flag("--force", *force);
        if let Some(grid) = contact_sheet {
            args.long("--contact-sheet", grid.to_string());
        }
    }
}

impl Look {
    fn append_to(&self, args: &mut Args) {
        #[rustfmt::skip]
        let Self {
            size, scale, padding, fit, fit_whole, background, alpha, additive, matte, dither, filter, antialias, show, backend,
            adapter,
        } = self;
        let defaults = Self::default();
        args.written("-s", "--size", size_text(*size));
        if *scale != 1.0 {
            args.long("--scale", scale.to_string());
        }
        args.written("--padding", "--padding", padding_text(*padding));
        args.written("--fit", "--fit", fit_text(*fit));
        args.flag("--fit-whole", *fit_whole);
        args.written("-b", "--background", background_text(*background));
        if *alpha != defaults.alpha {
            args.long("--alpha", word(alpha));
        }
        if *additive != defaults.additive {
            args.long("--additive", word(additive));
        }
        if let Some(matte) = *matte {
            args.long("--matte", hex(matte));
        }
        args.flag("--dither", *dither);
        if *filter != defaults.filter {
            args.long("--filter", word(filter));
        }
        if let Some(antialias) = antialias {
            args.long("--antialias", word(antialias));
        }
        if !show.is_empty() {
            args.long("--show", show.iter().map(ToString::to_string).collect::<Vec<_>>().join(","));
        }
        if *backend != defaults.backend {
            args.long("--backend", word(backend));
        }
        if let Some(adapter) = adapter {
            args.long("--adapter", adapter);
        }
    }
}

fn append_sheet(options: &SheetOptions, args: &mut Args) {
    let defaults = SheetOptions::default();
    #[rustfmt::skip]
    let SheetOptions {
        profile, layout, columns, border, padding, extrude, bleed, trim, merge, max_size, pot, durations, filename,
        tagname,
    } = options;
    if *profile != defaults.profile {
        args.long("--sheet-profile", word(profile));
    }
    if *layout != defaults.layout {
        args.long("--sheet-layout", word(layout));
    }
    if *trim != defaults.trim {
        args.long("--sheet-trim", word(trim));
    }
    if *durations != defaults.durations {
        args.long("--sheet-durations", word(durations));
    }
    if let Some(columns) = columns {
        args.long("--sheet-columns", columns.to_string());
    }
    for (name, value, default) in [
        ("--sheet-border", border, defaults.border),
        ("--sheet-padding", padding, defaults.padding),
        ("--sheet-extrude", extrude, defaults.extrude),
        ("--sheet-bleed", bleed, defaults.bleed),
        ("--sheet-max-size", max_size, defaults.max_size),
    ] {
        if *value != default {
            args.long(name, value.to_string());
        }
    }
    args.flag("--sheet-merge", *merge);
    args.flag("--sheet-pot", *pot);
    for (name, template) in [("--sheet-filename", filename), ("--sheet-tagname", tagname)] {
        if let Some(template) = template {
            args.long(name, template.to_string());
        }
    }
}

/// Returns the options that state how a file is read.
pub fn reading_args(options: &ReadOptions) -> Vec<OsString> {
    let mut args = Args::default();
    append_reading(options, &mut args);
    args.words()
}

fn append_reading(options: &ReadOptions, args: &mut Args) {
    let ReadOptions {
        bind_pose,
        flip_v,
        y_down,
        atlases,
        fps,
        page_alpha,
        grid,
        limits,
        listings: _,
        progress: _,
    } = options;
    match bind_pose {
        BindPose::Auto => {}
        BindPose::Frame { animation, frame } => args.long("--bind-pose", format!("{animation}:{frame}")),
    }
    args.flag("--flip-v", *flip_v);
    args.flag("--y-down", *y_down);
    if let Some(fps) = fps {
        args.long("--fps", fps.to_string());
    }
    for atlas in atlases {
        args.path("--atlas", atlas);
    }
    match page_alpha {
        PageAlpha::Auto => {}
        PageAlpha::Straight => args.long("--page-alpha", "straight"),
        PageAlpha::Premultiplied => args.long("--page-alpha", "premultiplied"),
    }
    if let Some(grid) = grid {
        args.long("--grid", grid.to_string());
    }
    let defaults = Limits::default();
    for name in Limits::NAMES {
        if let Some(value) = limits.get(name).filter(|value| defaults.get(name) != Some(*value)) {
            args.long("--limit", format!("{name}={value}"));
        }
    }
}

/// Collects arguments.
#[derive(Default)]
struct Args(Vec<Arg>);

/// An option; a flag has no value.
struct Arg {
    short: &'static str,
    long: &'static str,
    value: Option<OsString>,
    /// The value follows `=`, because it would be read as an option otherwise.
    is_attached: bool,
}

impl Args {
    fn flag(&mut self, name: &'static str, is_set: bool) {
        if is_set {
            self.0.push(Arg { short: name, long: name, value: None, is_attached: false });
        }
    }

    fn long(&mut self, name: &'static str, value: impl AsRef<str>) {
        self.option(name, name, value.as_ref());
    }

    /// Adds an option unless `value` is `None`, which stands for the default.
    fn written(&mut self, short: &'static str, long: &'static str, value: Option<String>) {
        if let Some(value) = value {
            self.option(short, long, &value);
        }
    }

    /// Adds a path, which need not be valid UTF-8.
    fn path(&mut self, name: &'static str, path: &Path) {
        let is_attached = path.as_os_str().as_encoded_bytes().starts_with(b"-");
        self.0.push(Arg { short: name, long: name, value: Some(path.into()), is_attached });
    }

    /// Adds an option; a value that looks like an option is attached with `=`.
    fn option(&mut self, short: &'static str, long: &'static str, value: &str) {
        let is_attached = value.starts_with('-') && value != "-";
        self.0.push(Arg { short, long, value: Some(value.into()), is_attached });
    }

    fn words(self) -> Vec<OsString> {
        let mut words = Vec::new();
        for Arg { short, long, value, is_attached } in self.0 {
            match value {
                None => words.push(long.into()),
                Some(value) if is_attached => {
                    let mut word = OsString::from(format!("{long}="));
                    word.push(value);
                    words.push(word);
                }
                Some(value) => words.extend([short.into(), value]),
            }
        }
        words
    }
}

fn size_text(size: Size) -> Option<String> {
    match size {
        Size::Native => None,
        Size::Exact(width, height) if width == height => Some(width.to_string()),
        Size::Exact(width, height) => Some(format!("{width}x{height}")),
        Size::Width(width) => Some(format!("{width}x")),
        Size::Height(height) => Some(format!("x{height}")),
    }
}

fn padding_text(padding: Padding) -> Option<String> {
    match padding {
        Padding::Pixels(0) => None,
        Padding::Pixels(pixels) => Some(pixels.to_string()),
        Padding::Percent(percent) => Some(format!("{percent}%")),
    }
}

fn fit_text(fit: Fit) -> Option<String> {
    match fit {
        Fit::Animation => None,
        Fit::Frame => Some("frame".to_owned()),
        Fit::All => Some("all".to_owned()),
        Fit::Rect(rect) => Some(rectangle(rect)),
    }
}

fn background_text(background: Background) -> Option<String> {
    match background {
        Background::Transparent => None,
        Background::Checker(8) => Some("checker".to_owned()),
        Background::Checker(size) => Some(format!("checker:{size}")),
        Background::Color([r, g, b, 255]) => Some(hex([r, g, b])),
        Background::Color([r, g, b, a]) => Some(format!("{}{a:02x}", hex([r, g, b]))),
    }
}

fn hex([r, g, b]: [u8; 3]) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// Formats a rectangle as corner and size. If possible, the size is chosen so that the sum of the two is exactly
/// the other corner.
fn rectangle(rect: Rect) -> String {
    let side = |min: f32, max: f32| {
        let side = max - min;
        let near =
            [side, side.next_up(), side.next_down(), side.next_up().next_up(), side.next_down().next_down()];
        near.into_iter().find(|side| min + side == max).unwrap_or(side)
    };
    let Vec2 { x: width, y: height } = vec2(side(rect.min.x, rect.max.x), side(rect.min.y, rect.max.y));
    format!("{},{},{width},{height}", rect.min.x, rect.min.y)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_short_and_quoted() {
        let mut options = RenderOptions::default();
        options.subject.files = vec!["my knight.pchr".into()];
        options.output.path = Some("it's {animation}.gif".to_owned());
        options.subject.animations = vec!["-x".to_owned(), "walk".to_owned()];
        options.look.background = Background::Color([1, 2, 3, 255]);
        let line = options.command_line();
        assert_eq!(
            line,
            "pchr-view 'my knight.pchr' '--animation=-x' -a walk -o \"it's {animation}.gif\" -b '#010203'"
        );
        let args: Vec<String> = options.to_args().into_iter().map(|arg| arg.into_string().unwrap()).collect();
        assert_eq!(shlex::split(&line).unwrap()[1..], args);
    }
}
