//! `-o walk.mp4`: compressed videos are ffmpeg's work. The command with which it does that is told.

use super::args::ViewArgs;
use crate::cli::shared::failure::Failure;
use crate::cli::shared::files;
use crate::export::{Format, Template, quoted};

/// Refuses to write a compressed video at `path`, with the command that does.
pub fn refused(args: &ViewArgs, path: &str) -> Failure {
    let message = format!("`{path}` is a compressed video: this program writes y4m, and ffmpeg compresses that");
    let has_places = path.parse().is_ok_and(|template: Template| template.has_places());
    let help = if is_one(args) && !has_places {
        let video = render(args, "-");
        format!("{video} | {}", ffmpeg(args, "-", &quoted(&plain(path))))
    } else {
        several(args, path, has_places)
    };
    Failure::usage_with_help(message, help)
}

/// Whether one video is asked for, as far as the arguments say.
fn is_one(args: &ViewArgs) -> bool {
    let animations = &args.subject.animations;
    let is_one_file = args.subject.files.len() == 1 && args.subject.files.iter().all(|file| files::is_one(file));
    is_one_file && animations.len() <= 1 && animations.iter().all(|name| name != "all")
}

/// Writes a y4m video for each animation or character, then has ffmpeg compress each.
fn several(args: &ViewArgs, path: &str, has_places: bool) -> String {
    let (stem, extension) = path.rsplit_once('.').unwrap_or((path, "mp4"));
    let place = match () {
        () if has_places => "",
        () if args.subject.files.len() > 1 || !args.subject.files.iter().all(|file| files::is_one(file)) => {
            "-{name}-{animation}"
        }
        () => "-{animation}",
    };
    let video = plain(&format!("{stem}{place}.y4m"));
    let pattern = video.parse::<Template>().map_or_else(|_| quoted(&video), |template| template.shell_pattern());
    let target = format!("\"${{video%.y4m}}.{extension}\"");
    format!("{} && for video in {pattern}; do {}; done", render(args, &video), ffmpeg(args, "\"$video\"", &target))
}

/// A path that no program takes for an option.
fn plain(path: &str) -> String {
    if path.starts_with('-') { format!("./{path}") } else { path.to_owned() }
}

/// The same command, for y4m at `output`.
fn render(args: &ViewArgs, output: &str) -> String {
    let mut options = args.render_options();
    options.output.format = Some(Format::Y4m);
    options.output.path = Some(output.to_owned());
    let mut line = options.relevant().command_line();
    for (flag, is_set) in [
        (" --keep-going", args.many.keep_going),
        (" --fail-on-empty", args.many.fail_on_empty),
        (" --quiet", args.quiet),
    ] {
        line.push_str(if is_set { flag } else { "" });
    }
    line
}

/// Colours as players expect them, and sides that are even, as most codecs want them.
fn ffmpeg(args: &ViewArgs, input: &str, output: &str) -> String {
    let [r, g, b] = args.background_color().or(args.look.matte).unwrap_or([255; 3]);
    let overwrite = if args.output.force { "-y " } else { "" };
    format!(
        "ffmpeg {overwrite}-i {input} -vf \
         'scale=out_color_matrix=bt709,pad=ceil(iw/2)*2:ceil(ih/2)*2:color=0x{r:02x}{g:02x}{b:02x}' \
         -colorspace bt709 -pix_fmt yuv420p {output}"
    )
}
