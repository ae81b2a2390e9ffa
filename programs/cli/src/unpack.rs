//! `pchr unpack`: PCHR v1 files → their JSON descriptions, and their images as PNG files.

use std::path::PathBuf;

use super::shared::failure::Failure;
use super::shared::load::reject_changes;
use super::shared::read_args::ReadArgs;
use super::shared::stdio::is_stdio;
use super::shared::writing::{self, Done, Job, Loaded, Outputs, Session, WriteArgs, WrittenFile, load};
use pchr::export::safe_name;
use pchr::formats::ReadOptions;

/// Arguments of `pchr unpack`.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub struct UnpackArgs {
    /// PCHR v1 or packed Pachario files, folders of them, or patterns such as 'art/**/*.pchr'; `-` is stdin
    #[arg(value_name = "FILE.pchr", required = true)]
    files: Vec<PathBuf>,
    /// Output folder; created if it does not exist. With several inputs, {name} is the name of the input without extension,
    /// and {path} also has the folders below the given folder or pattern
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    #[command(flatten)]
    pub write: WriteArgs,
    #[command(flatten)]
    read: ReadArgs,
}

const HELP: &str = "\
Examples:
  pchr unpack knight.pchr -o unpacked
  pchr unpack art -o 'unpacked/{path}'

Exit codes: 0 success, 2 usage, 3 input, 5 output. With several files, the highest code is
returned";

/// Unpacks all files.
pub fn run(args: &UnpackArgs, quiet: bool) -> Result<(), Failure> {
    if is_stdio(&args.output) {
        return Err(Failure::usage_with_help("cannot write several files to stdout", "use -o DIR"));
    }
    reject_changes(&args.read, "unpack")?;
    let outputs = Outputs::folders(&args.output)?;
    let read = args.read.options();
    let jobs = outputs.jobs(None, &args.files, &read.limits, quiet)?;
    writing::check(&jobs, &outputs, args.write.force)?;
    writing::run(&jobs, &args.write, quiet, |job, session| unpack(&read, job, session))
}

/// Unpacks one file.
fn unpack(read: &ReadOptions, job: &Job, session: &mut Session<'_>) -> Done {
    let input = &job.input.path;
    let taken = (["pchr", "pachario-packed"], "a packed file");
    let Loaded { document, from, sources, diagnostics } = load(job, read, session, taken)?;
    let stem = match input.file_stem() {
        Some(stem) if !is_stdio(input) => safe_name(&stem.to_string_lossy()),
        _ => "character".to_owned(),
    };
    let mut losses = Vec::new();
    let files = document.unpack(&format!("{stem}.json"), read, &mut losses);
    session.warn_of_losses(job, losses.iter(), &losses);
    let files = files.map_err(Failure::converting)?;
    let outputs = session.write_files(job, &job.output, &sources, &files)?;
    Ok(WrittenFile::new(job, [from, "pchr-json"], losses, outputs, &diagnostics))
}
