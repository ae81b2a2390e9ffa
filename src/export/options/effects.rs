//! What render options have an effect on: one row per option that does not always have one. The command line rejects
//! options without effect, the settings of `pchr test` refuse them, the export dialog hides them, and
//! [`RenderOptions::relevant`] removes them.

use super::area::Size;
use super::format::Format;
use super::look::Backend;
use super::render::RenderOptions;
use super::surface::Alpha;

/// An option that does not always have an effect.
#[derive(Debug)]
pub struct Limited {
    /// Name on the command line without dashes; if it ends in a dash, all options whose names begin with it.
    pub name: &'static str,
    /// Whether it has an effect on a window.
    pub on_window: bool,
    /// Returns why it has no effect with these options; `None` if it has one.
    pub no_effect: fn(&RenderOptions) -> Option<NoEffect>,
    /// Sets it to its value in the second options.
    reset: fn(&mut RenderOptions, &RenderOptions),
}

/// Why an option has no effect.
#[derive(Debug)]
pub enum NoEffect {
    /// Another option replaces it, or it has an effect elsewhere: it is ignored.
    Ignored,
    /// The output format cannot represent it.
    Format,
    /// For this reason, with advice.
    Because(String, Option<&'static str>),
}

/// An option without effect on a window: its name, its field, and why it has no effect on files.
macro_rules! in_files {
    ($name:literal, $($field:ident).+, $no_effect:expr) => {
        Limited {
            name: $name,
            on_window: false,
            no_effect: $no_effect,
            reset: |to, from| to.$($field).+.clone_from(&from.$($field).+),
        }
    };
}

/// All limited options. An option comes after those that its limits depend on.
#[rustfmt::skip]
pub static LIMITED: &[Limited] = &[
    in_files!("contact-sheet", output.contact_sheet, contact_sheet),
    in_files!("loops", subject.loops, loops),
    in_files!("background-fit", look.background_fit, of_picture),
    in_files!("background-opacity", look.background_opacity, of_picture),
    in_files!("matte", look.matte, |it| unless(!it.format().has_alpha())),
    in_files!("dither", look.dither, |it| unless(it.format() == Format::Gif)),
    in_files!("optimize", output.optimize, |it| unless(it.format().can_be_optimized())),
    in_files!("alpha", look.alpha, |it| unless(it.format().has_alpha() && it.format() != Format::Psd)),
    in_files!("additive", look.additive, additive),
    in_files!("psd-groups", output.psd_groups, |it| unless(it.format() == Format::Psd)),
    in_files!("sheet-", output.sheet, |it| unless(it.format() == Format::Sheet)),
    in_files!("sheet-bleed", output.sheet.bleed, bleed),
    in_files!("sheet-columns", output.sheet.columns, columns),
    in_files!("format", output.format, |it| ignored_if(it.repeats_format())),
    in_files!("size", look.size, |_| None),
    in_files!("scale", look.scale, |it| ignored_if(it.look.size != Size::Native)),
    in_files!("padding", look.padding, |_| None),
    in_files!("fit", look.fit, |_| None),
    in_files!("fit-whole", look.fit_whole, |_| None),
    in_files!("jobs", output.jobs, |_| None),
    in_files!("force", output.force, |_| None),
    in_files!("adapter", look.adapter, |it| ignored_if(it.look.backend == Backend::Cpu)),
    Limited { on_window: true, ..in_files!("wind", subject.wind, of_physics) },
    Limited { on_window: true, ..in_files!("gravity", subject.gravity, of_physics) },
    Limited { on_window: true, ..in_files!("physics-mix", subject.physics_mix, of_physics) },
    Limited { on_window: true, ..in_files!("speed", subject.speed, |it| ignored_if(!it.format().has_rate())) },
];

fn unless(fits: bool) -> Option<NoEffect> {
    (!fits).then_some(NoEffect::Format)
}

fn ignored_if(is_ignored: bool) -> Option<NoEffect> {
    is_ignored.then_some(NoEffect::Ignored)
}

fn contact_sheet(options: &RenderOptions) -> Option<NoEffect> {
    let message = || format!("--contact-sheet writes a PNG, not {}", options.format().noun());
    let help = "use an output path that ends in .png, without --format";
    (options.format() != Format::Png).then(|| NoEffect::Because(message(), Some(help)))
}

fn loops(options: &RenderOptions) -> Option<NoEffect> {
    if options.format().is_compressed_video() && options.subject.loops == Some(0) {
        let message = format!("{} ends, it cannot play forever", options.format().noun());
        return Some(NoEffect::Because(message, Some("--loops N plays the animation N times")));
    }
    unless(options.format().has_loops())
}

fn additive(options: &RenderOptions) -> Option<NoEffect> {
    let (format, alpha) = (options.format(), options.look.alpha);
    if format.can_lose_light(alpha) {
        return None;
    }
    let message = "--additive has no effect on premultiplied pixels, which preserve all light";
    Some(if format.has_alpha() { NoEffect::Because(message.to_owned(), None) } else { NoEffect::Format })
}

fn of_picture(options: &RenderOptions) -> Option<NoEffect> {
    let message = "--background-fit and --background-opacity need a picture as --background";
    let help = "--background FILE names a PNG, JPEG or WebP file";
    options.look.background.file().is_none().then(|| NoEffect::Because(message.to_owned(), Some(help)))
}

fn of_physics(options: &RenderOptions) -> Option<NoEffect> {
    let message = "--wind, --gravity and --physics-mix have no effect with --physics=off";
    (options.subject.physics == Some(false)).then(|| NoEffect::Because(message.to_owned(), None))
}

fn bleed(options: &RenderOptions) -> Option<NoEffect> {
    let message = "--sheet-bleed colours transparent pixels, which is impossible with --alpha premultiplied";
    (options.look.alpha == Alpha::Premultiplied).then(|| NoEffect::Because(message.to_owned(), None))
}

fn columns(options: &RenderOptions) -> Option<NoEffect> {
    let message = "--sheet-columns has no effect on a layout without a grid";
    (!options.output.sheet.layout.has_columns()).then(|| NoEffect::Because(message.to_owned(), None))
}

impl Limited {
    /// Returns true if an option on the command line, without dashes, is this one.
    pub fn is(&self, name: &str) -> bool {
        name == self.name || self.is_group() && name.starts_with(self.name)
    }

    /// Returns true for several options.
    pub fn is_group(&self) -> bool {
        self.name.ends_with('-')
    }

    /// Returns true if the option differs from its default.
    pub fn is_set(&self, options: &RenderOptions) -> bool {
        let mut without = options.clone();
        (self.reset)(&mut without, &RenderOptions::default());
        without != *options
    }
}

impl RenderOptions {
    /// Returns true if an option of the command line, without dashes, has an effect on the files that are written.
    pub fn applies(&self, name: &str) -> bool {
        LIMITED.iter().filter(|option| option.is(name)).all(|option| (option.no_effect)(self).is_none())
    }

    /// Returns the options without those that have no effect, and without redundant ones.
    #[must_use]
    pub fn relevant(mut self) -> Self {
        let defaults = Self::default();
        for option in LIMITED.iter() {
            if (option.no_effect)(&self).is_some() {
                (option.reset)(&mut self, &defaults);
            }
        }
        self
    }

    /// Returns true if `--format` requests what the path implies.
    fn repeats_format(&self) -> bool {
        self.output.format.is_some() && self.output.format == self.output.implied_format()
    }
}
