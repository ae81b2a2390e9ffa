//! [`RenderOptions`] → the arguments of `pchr-view` that ask for the same, and those as one line for a shell.

use std::ffi::OsString;
use std::path::Path;

#[cfg(feature = "formats-all")]
use super::SheetOptions;
use super::{Additive, Alpha, Background, Fit, Format, Moments, Padding, RenderOptions, Size};
use crate::draw::{Antialias, Filter};
#[cfg(feature = "formats-all")]
use crate::formats::sheet::Grid;
use crate::formats::{BindPose, PageAlpha};
use crate::limits::Limits;
use crate::math::{Rect, Vec2, vec2};

impl RenderOptions {
    /// The arguments of `pchr-view`, the program's name not among them. What is usual is left out.
    pub fn to_args(&self) -> Vec<OsString> {
        let mut args = Args(Vec::new());
        // A name that begins like an option is none behind `--`.
        let is_plain =
            |file: &Path| file == Path::new("-") || !file.as_os_str().as_encoded_bytes().starts_with(b"-");
        let files_first = self.files.iter().all(|file| is_plain(file));
        if files_first {
            args.0.extend(self.files.iter().map(OsString::from));
        }
        self.what(&mut args);
        self.output(&mut args);
        #[cfg(feature = "formats-all")]
        self.sheet(&mut args);
        self.rendering(&mut args);
        self.reading(&mut args);
        if !files_first {
            args.0.push("--".into());
            args.0.extend(self.files.iter().map(OsString::from));
        }
        args.0
    }

    /// The whole command, quoted as POSIX shells read it.
    pub fn command_line(&self) -> String {
        let args = self.to_args();
        let words = args.iter().map(|arg| quoted(&arg.to_string_lossy()));
        std::iter::once("pchr-view".to_owned()).chain(words).collect::<Vec<_>>().join(" ")
    }

    fn what(&self, args: &mut Args) {
        self.animations.iter().for_each(|name| args.option("-a", "--animation", name));
        self.skins.iter().for_each(|name| args.long("--skin", name));
        match &self.moments {
            Moments::Usual => {}
            Moments::Frames(frames) => args.option("-f", "--frames", &frames.to_string()),
            Moments::Seconds(seconds) => args.option("-t", "--time", &seconds.to_string()),
        }
        args.flag("--interpolate", self.interpolate);
        args.flag("--physics", self.physics);
        if self.speed != 1.0 {
            args.long("--speed", &self.speed.to_string());
        }
        if let Some(loops) = self.loops {
            args.long("--loops", &loops.to_string());
        }
    }

    fn output(&self, args: &mut Args) {
        if let Some(output) = &self.output {
            args.option("-o", "--output", output);
        }
        if Some(self.format) != self.told_format() {
            args.long("--format", self.format.name());
        }
        match self.size {
            Size::Native => {}
            Size::Exact(width, height) if width == height => args.option("-s", "--size", &width.to_string()),
            Size::Exact(width, height) => args.option("-s", "--size", &format!("{width}x{height}")),
            Size::Width(width) => args.option("-s", "--size", &format!("{width}x")),
            Size::Height(height) => args.option("-s", "--size", &format!("x{height}")),
        }
        if self.scale != 1.0 {
            args.long("--scale", &self.scale.to_string());
        }
        match self.padding {
            Padding::Pixels(0) => {}
            Padding::Pixels(pixels) => args.long("--padding", &pixels.to_string()),
            Padding::Percent(percent) => args.long("--padding", &format!("{percent}%")),
        }
        match self.fit {
            Fit::Animation => {}
            Fit::Frame => args.long("--fit", "frame"),
            Fit::All => args.long("--fit", "all"),
            Fit::Rect(rect) => args.long("--fit", &rectangle(rect)),
        }
        match self.background {
            Background::Transparent => {}
            Background::Checker(8) => args.option("-b", "--background", "checker"),
            Background::Checker(size) => args.option("-b", "--background", &format!("checker:{size}")),
            Background::Color([r, g, b, 255]) => args.option("-b", "--background", &hex([r, g, b])),
            Background::Color([r, g, b, a]) => {
                args.option("-b", "--background", &format!("{}{a:02x}", hex([r, g, b])));
            }
        }
        match self.alpha {
            Alpha::Straight => {}
            Alpha::Premultiplied => args.long("--alpha", "premultiplied"),
        }
        match self.additive {
            Additive::Keep => {}
            Additive::Pure => args.long("--additive", "pure"),
        }
        if let Some(matte) = self.matte {
            args.long("--matte", &hex(matte));
        }
        if self.jobs != 0 {
            args.long("--jobs", &self.jobs.to_string());
        }
        args.flag("--force", self.force);
    }

    #[cfg(feature = "formats-all")]
    fn sheet(&self, args: &mut Args) {
        let (sheet, usual) = (&self.sheet, SheetOptions::default());
        if sheet.profile != usual.profile {
            args.long("--sheet-profile", sheet.profile.name());
        }
        if sheet.layout != usual.layout {
            args.long("--sheet-layout", sheet.layout.name());
        }
        if sheet.trim != usual.trim {
            args.long("--sheet-trim", sheet.trim.name());
        }
        if sheet.durations != usual.durations {
            args.long("--sheet-durations", sheet.durations.name());
        }
        if let Some(columns) = sheet.columns {
            args.long("--sheet-columns", &columns.to_string());
        }
        for (name, value, usual) in [
            ("--sheet-border", sheet.border, usual.border),
            ("--sheet-padding", sheet.padding, usual.padding),
            ("--sheet-extrude", sheet.extrude, usual.extrude),
            ("--sheet-bleed", sheet.bleed, usual.bleed),
            ("--sheet-max-size", sheet.max_size, usual.max_size),
        ] {
            if value != usual {
                args.long(name, &value.to_string());
            }
        }
        args.flag("--sheet-merge", sheet.merge);
        args.flag("--sheet-pot", sheet.pot);
        for (name, template) in [("--sheet-filename", &sheet.filename), ("--sheet-tagname", &sheet.tagname)] {
            if let Some(template) = template {
                args.long(name, &template.to_string());
            }
        }
    }

    /// What is written where nobody names a format.
    fn told_format(&self) -> Option<Format> {
        match self.output.as_deref() {
            None | Some("-") => Some(Format::Png),
            Some(path) => Format::of_path(path, None).ok(),
        }
    }

    fn rendering(&self, args: &mut Args) {
        match self.filter {
            Filter::Auto => {}
            Filter::Nearest => args.long("--filter", "nearest"),
            Filter::Linear => args.long("--filter", "linear"),
        }
        match self.antialias {
            None => {}
            Some(Antialias::None) => args.long("--antialias", "none"),
            Some(Antialias::Msaa4) => args.long("--antialias", "msaa4"),
            Some(Antialias::Ssaa2) => args.long("--antialias", "ssaa2"),
            Some(Antialias::Ssaa4) => args.long("--antialias", "ssaa4"),
        }
        if self.bones {
            args.long("--show", "bones");
        }
        if self.backend != Default::default() {
            args.long("--backend", self.backend.name());
        }
        if let Some(adapter) = &self.adapter {
            args.long("--adapter", adapter);
        }
    }

    fn reading(&self, args: &mut Args) {
        let read = &self.read;
        match &read.bind_pose {
            BindPose::Auto => {}
            BindPose::Frame { animation, frame } => args.long("--bind-pose", &format!("{animation}:{frame}")),
        }
        args.flag("--flip-v", read.flip_v);
        args.flag("--y-down", read.y_down);
        if let Some(fps) = read.fps {
            args.long("--fps", &fps.to_string());
        }
        if let Some(atlas) = &read.atlas {
            args.path("--atlas", atlas);
        }
        match read.page_alpha {
            PageAlpha::Auto => {}
            PageAlpha::Straight => args.long("--page-alpha", "straight"),
            PageAlpha::Premultiplied => args.long("--page-alpha", "premultiplied"),
        }
        #[cfg(feature = "formats-all")]
        if let Some(Grid { width, height, count }) = read.grid {
            let count = count.map(|count| format!(":{count}")).unwrap_or_default();
            args.long("--grid", &format!("{width}x{height}{count}"));
        }
        let usual = Limits::default();
        for name in Limits::NAMES {
            if let Some(value) = read.limits.get(name).filter(|value| usual.get(name) != Some(*value)) {
                args.long("--limit", &format!("{name}={value}"));
            }
        }
    }
}

/// Arguments as they come together.
struct Args(Vec<OsString>);

impl Args {
    fn flag(&mut self, name: &str, is_set: bool) {
        if is_set {
            self.0.push(name.into());
        }
    }

    fn long(&mut self, name: &str, value: &str) {
        self.option(name, name, value);
    }

    /// A path, which may be no text.
    fn path(&mut self, name: &str, path: &Path) {
        if path.as_os_str().as_encoded_bytes().starts_with(b"-") {
            let mut arg = OsString::from(format!("{name}="));
            arg.push(path);
            self.0.push(arg);
        } else {
            self.0.extend([name.into(), path.into()]);
        }
    }

    /// A value that begins like an option is only one behind a `=`.
    fn option(&mut self, short: &str, long: &str, value: &str) {
        if value.starts_with('-') && value != "-" {
            self.0.push(format!("{long}={value}").into());
        } else {
            self.0.extend([short.into(), value.into()]);
        }
    }
}

fn hex([r, g, b]: [u8; 3]) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// A corner and a size whose sum is the other corner again, to the last bit where there is such a size.
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

/// One word for a POSIX shell. It cannot hold a NUL, and neither can an argument.
pub fn quoted(word: &str) -> String {
    shlex::Quoter::new().allow_nul(true).quote(word).map_or_else(|_| word.to_owned(), |quoted| quoted.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_short_and_quoted() {
        let mut options = RenderOptions { files: vec!["my knight.pchr".into()], ..RenderOptions::default() };
        options.output = Some("it's {animation}.gif".to_owned());
        options.format = Format::Gif;
        options.animations = vec!["-x".to_owned(), "walk".to_owned()];
        options.background = Background::Color([1, 2, 3, 255]);
        let line = options.command_line();
        assert_eq!(
            line,
            "pchr-view 'my knight.pchr' '--animation=-x' -a walk -o \"it's {animation}.gif\" -b '#010203'"
        );
        let args: Vec<String> = options.to_args().into_iter().map(|arg| arg.into_string().unwrap()).collect();
        assert_eq!(shlex::split(&line).unwrap()[1..], args);
    }
}
