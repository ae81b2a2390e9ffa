//! `-o walk.mp4`: compressed videos are left to ffmpeg. The error suggests the command.

use super::args::ViewArgs;
use crate::cli::shared::failure::Failure;
use crate::cli::shared::files;
use crate::export::{Format, Template, quoted};

/// Returns the error for a compressed video at `path`, with a command that writes it as hint.
pub fn refused(args: &ViewArgs, path: &str) -> Failure {
    let message =
        format!("`{path}` is a compressed video; this program only writes y4m, which ffmpeg can compress");
    let has_places = path.parse().is_ok_and(|template: Template| template.has_places());
    let help = if is_one(args) && !has_places {
        let video = render(args, "-");
        format!("{video} | {}", ffmpeg(args, "-", &quoted(&plain(path))))
    } else {
        several(args, path, has_places)
    };
    Failure::usage_with_help(message, help)
}

/// Returns true if the arguments ask for a single video, as far as the arguments show without reading files.
fn is_one(args: &ViewArgs) -> bool {
    let animations = &args.subject.animations;
    let is_one_file = args.subject.files.len() == 1 && args.subject.files.iter().all(|file| files::is_one(file));
    is_one_file && animations.len() <= 1 && animations.iter().all(|name| name != "all")
}

/// Returns a command that writes a y4m video for each animation or character and compresses each with ffmpeg.
fn several(args: &ViewArgs, path: &str, has_places: bool) -> String {
    let (stem, extension) = path.rsplit_once('.').unwrap_or((path, "mp4"));
    let is_one_file = args.subject.files.len() <= 1 && args.subject.files.iter().all(|file| files::is_one(file));
    let place = match (has_places, is_one_file) {
        (true, _) => "",
        (false, true) => "-{animation}",
        (false, false) => "-{name}-{animation}",
    };
    let video = plain(&format!("{stem}{place}.y4m"));
    let pattern = video.parse::<Template>().map_or_else(|_| quoted(&video), |template| template.shell_pattern());
    let target = format!("\"${{video%.y4m}}.{extension}\"");
    format!("{} && for video in {pattern}; do {}; done", render(args, &video), ffmpeg(args, "\"$video\"", &target))
}

/// Protects a path from being parsed as an option.
fn plain(path: &str) -> String {
    if path.starts_with('-') { format!("./{path}") } else { path.to_owned() }
}

/// Returns the same command with y4m output at `output`.
fn render(args: &ViewArgs, output: &str) -> String {
    let mut options = args.render_options();
    options.output.format = Some(Format::Y4m);
    options.output.path = Some(output.to_owned());
    let mut line = options.relevant().command_line();
    for (flag, is_set) in [
        (" --keep-going", args.many.keep_going),
        (" --fail-on-empty", args.many.fail_on_empty),
        (" --fail-on-missing", args.many.fail_on_missing),
        (" --verbose", args.many.warnings.verbose),
        (" --quiet", args.quiet),
    ] {
        line.push_str(if is_set { flag } else { "" });
    }
    line
}

/// Returns the ffmpeg command, with the colour matrix that players expect and even sides, which most codecs
/// require.
fn ffmpeg(args: &ViewArgs, input: &str, output: &str) -> String {
    let [r, g, b] = args.background_color().or(args.look.matte).unwrap_or([255; 3]);
    let overwrite = if args.output.force { "-y " } else { "" };
    format!(
        "ffmpeg {overwrite}-i {input} -vf \
         'scale=out_color_matrix=bt709,pad=ceil(iw/2)*2:ceil(ih/2)*2:color=0x{r:02x}{g:02x}{b:02x}' \
         -colorspace bt709 -pix_fmt yuv420p {output}"
    )
}
