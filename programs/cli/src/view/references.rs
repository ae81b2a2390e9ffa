//! The options of a run that is compared with references.

use std::path::Path;

use super::args::ViewArgs;
use crate::golden::args::check_update;
use crate::shared::failure::Failure;
use pchr::export::{Backend, Format, RenderOptions};

/// File names in a folder of references.
const IN_FOLDER: &str = "{animation}-{frame:04}.png";

/// Turns the options of a run into those that render its references.
pub fn prepare(args: &ViewArgs, options: &mut RenderOptions) -> Result<(), Failure> {
    if args.window.is_watched() {
        return Err(Failure::usage("--reference compares once; it cannot be combined with --watch"));
    }
    if args.golden.reference.as_deref() == Some("-") {
        return Err(Failure::usage("a reference cannot be read from standard input; give a path to --reference"));
    }
    if args.output.is_stdout() {
        return Err(Failure::usage("--reference cannot be combined with -o -; give a path, or omit -o"));
    }
    if args.golden.update && args.output.path.is_some() {
        return Err(Failure::usage("--update writes the references themselves; omit -o"));
    }
    if args.output.contact_sheet.is_some() {
        return Err(Failure::usage("--contact-sheet cannot be combined with --reference"));
    }
    check_update(args.golden.update, args.output.force)?;
    let path = reference_path(args);
    options.output.path = Some(path.clone());
    let format = options.format();
    if matches!(format, Format::Raw | Format::Y4m) || format.is_compressed_video() {
        let message = format!("{} cannot be a reference", format.noun());
        return Err(Failure::usage_with_help(message, "use a PNG per frame, an APNG, a WebP or a sprite sheet"));
    }
    if let Some(output) =
        args.output.files().filter(|output| Format::of_path(output, args.output.format) != Ok(format))
    {
        let message = format!("-o `{output}` and --reference `{path}` have different formats");
        return Err(Failure::usage_with_help(message, "new pictures are written in the format of the reference"));
    }
    if options.look.may_fall_back() {
        options.look.backend = Backend::Cpu;
    }
    Ok(())
}

/// Returns the path of the references as a template.
fn reference_path(args: &ViewArgs) -> String {
    let given = args.golden.reference.as_deref().unwrap_or_default();
    // A folder may be missing, but a file has an extension, unless its format is given.
    let is_file = Path::new(given).extension().is_some() || args.output.format.is_some();
    if is_file && !given.ends_with(std::path::is_separator) && !Path::new(given).is_dir() {
        return given.to_owned();
    }
    let output = args.output.files().and_then(|path| Path::new(path).file_name()?.to_str());
    Path::new(given).join(output.unwrap_or(IN_FOLDER)).to_string_lossy().into_owned()
}
