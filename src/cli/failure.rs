//! Why a command ends early, how that is told, and the exit code it has.

use std::io::{self, Write as _};
use std::process::ExitCode;

use annotate_snippets::{Level, Renderer};

use crate::error::{Error, Fault, shown};
use crate::export::ExportError;

/// Why a command ends early.
#[derive(Debug)]
pub enum Failure {
    /// The command line asks for something that makes no sense.
    Usage { message: String, help: Option<String> },
    /// The input is missing, unreadable, unknown or over a limit.
    Input(Error),
    /// The input is read, and lacks what the command needs.
    Incomplete(Error),
    /// No adapter draws.
    Adapter(Box<dyn std::error::Error + Send + Sync>),
    /// The window cannot be opened.
    Window(Box<dyn std::error::Error + Send + Sync>),
    /// The output could not be written.
    Output(Error),
    /// Everything has been told; only the exit code is left.
    Told(u8),
    /// The user pressed Ctrl+C, or the system asked the program to end.
    Interrupted,
    /// The program panicked.
    Bug,
}

impl Failure {
    pub fn usage(message: impl Into<String>) -> Self {
        Self::Usage { message: message.into(), help: None }
    }

    pub fn usage_with_help(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self::Usage { message: message.into(), help: Some(help.into()) }
    }

    /// The same, told of one file among several.
    #[must_use]
    pub fn in_file(self, file: &std::path::Path) -> Self {
        match self {
            Self::Usage { message, help } => {
                Self::Usage { message: format!("{}: {message}", file.display()), help }
            }
            Self::Input(error) => Self::Input(error.in_file(file.display())),
            other => other,
        }
    }

    /// An error while reading: a mistake of the caller is one of the command line.
    pub fn reading(error: Error) -> Self {
        match error {
            Error::Misuse(fault) => Self::usage(fault.message),
            error => Self::Input(error),
        }
    }

    /// An error while rendering or writing.
    pub fn exporting(error: ExportError) -> Self {
        match error {
            ExportError::File(Error::Misuse(fault)) => Self::usage(fault.message),
            ExportError::File(error @ Error::LimitExceeded(_)) => Self::Input(error),
            ExportError::File(error) => Self::Output(error),
            ExportError::Render(error) => Self::Adapter(error),
        }
    }

    /// Tells the user, and gives the exit code.
    pub fn report(&self) -> ExitCode {
        match self {
            Self::Usage { message, help } => {
                print(Level::ERROR, None, message, help.as_deref());
                ExitCode::from(2)
            }
            Self::Input(error) => {
                let help = match error {
                    Error::LimitExceeded(excess) => Some(format!("--limit {}=VALUE allows more", excess.limit)),
                    _ => None,
                };
                print(Level::ERROR, Some(error.code()), &with_sources(error), help.as_deref());
                ExitCode::from(3)
            }
            Self::Incomplete(error) => {
                let help = "--no-image goes on without any image";
                print(Level::ERROR, Some(error.code()), &with_sources(error), Some(help));
                ExitCode::from(3)
            }
            Self::Adapter(error) => {
                let help = "--backend cpu draws without any driver";
                print(Level::ERROR, None, &with_sources(&**error), Some(help));
                ExitCode::from(4)
            }
            Self::Window(error) => {
                print(Level::ERROR, None, &with_sources(&**error), None);
                ExitCode::from(4)
            }
            Self::Output(error) => {
                let exists = |error: &io::Error| error.kind() == io::ErrorKind::AlreadyExists;
                let help = match error {
                    Error::Io { source, .. } if exists(source) => Some("--force writes over it"),
                    _ => None,
                };
                print(Level::ERROR, Some(error.code()), &with_sources(error), help);
                ExitCode::from(5)
            }
            Self::Told(code) => ExitCode::from(*code),
            Self::Interrupted => ExitCode::from(130),
            Self::Bug => {
                let help = format!("please report it: {}", env!("CARGO_PKG_REPOSITORY"));
                print(Level::ERROR, None, "this is a bug in the program, not in your file", Some(&help));
                ExitCode::from(70)
            }
        }
    }
}

/// The message and what caused it, in one line.
pub fn with_sources(error: &(dyn std::error::Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        // An I/O error is told by the error that carries it.
        let cause_text = cause.to_string();
        if !text.ends_with(&cause_text) {
            text = format!("{text}: {cause_text}");
        }
        source = cause.source();
    }
    text
}

/// Tells of something odd in a file.
pub fn warn(fault: &Fault) {
    print(Level::WARNING, Some(fault.code), &fault.to_string(), None);
}

/// Tells something worth knowing.
pub fn note(message: &str) {
    print(Level::NOTE, None, message, None);
}

fn print(level: Level<'_>, code: Option<&str>, message: &str, help: Option<&str>) {
    let (message, help) = (shown(message), help.map(shown));
    let mut title = level.primary_title(message);
    if let Some(code) = code {
        title = title.id(code);
    }
    let report = [title.elements(help.map(|help| Level::HELP.message(help)))];
    // Takes the colours out again where nobody sees them. Where nobody hears either, nothing can be said.
    let _ = writeln!(anstream::stderr(), "{}", Renderer::styled().render(&report));
}
