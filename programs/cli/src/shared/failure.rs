//! Reasons why a command fails, how they are reported, and their exit codes.

use std::io::{self, Write as _};
use std::process::ExitCode;

use annotate_snippets::{Level, Renderer};

use super::progress;
use super::stdio::{shown_name, without_commands};
use pchr::Error;
use pchr::convert::ConvertError;
use pchr::error::{Fault, Place, escaped, with_sources};
use pchr::export::ExportError;

/// The reason why a command fails.
#[derive(Debug)]
pub enum Failure {
    /// The command line is invalid, perhaps only for this file.
    Usage { message: String, help: Option<String>, place: Place },
    /// Nothing is visible in pictures that must not be empty.
    Empty { error: Error, help: Option<String> },
    /// The input is missing, unreadable, of unknown format or over a limit.
    Input(Error),
    /// The input has this error and others, all in parts of animations, which can be left out.
    Avoidable { error: Error, others: usize },
    /// The input was read, but lacks something that the command needs.
    Incomplete(Error),
    /// No usable graphics adapter.
    Adapter(Box<dyn std::error::Error + Send + Sync>),
    /// The window cannot be opened.
    Window(Box<dyn std::error::Error + Send + Sync>),
    /// The output cannot be written.
    Output(Error),
    /// Already reported; only the exit code is left.
    Reported(u8),
    /// The user pressed Ctrl+C, or the system asked the program to terminate.
    Interrupted,
    /// The program panicked.
    Bug,
}

impl Failure {
    pub fn usage(message: impl Into<String>) -> Self {
        Self::Usage { message: message.into(), help: None, place: Place::default() }
    }

    pub fn usage_with_help(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self::Usage { message: message.into(), help: Some(help.into()), place: Place::default() }
    }

    /// Adds the file that the failure is about.
    #[must_use]
    pub fn in_file(self, file: &std::path::Path) -> Self {
        match self {
            Self::Usage { message, help, .. } => {
                let message = format!("{}: {message}", file.display());
                Self::Usage { message, help, place: Place::file(shown_name(file)) }
            }
            other => other.of_input(file),
        }
    }

    /// Adds the file if the input is at fault.
    #[must_use]
    pub fn of_input(self, file: &std::path::Path) -> Self {
        match self {
            Self::Input(error) => Self::Input(error.in_file(file.display())),
            other => other,
        }
    }

    /// An error while reading; misuse of the library is a usage error.
    pub fn reading(error: Error) -> Self {
        match error {
            Error::Misuse(fault) => Self::usage(fault.message),
            error => Self::Input(error),
        }
    }

    /// An error while packing or unpacking a whole file.
    pub fn converting(error: ConvertError) -> Self {
        match error {
            ConvertError::Unknown(unknown) => Self::usage(unknown.to_string()),
            ConvertError::Input(error) | ConvertError::Incomplete(error) => Self::Input(error),
            ConvertError::Output(error) => Self::Output(error),
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

    /// The exit code of a command that was interrupted.
    pub const INTERRUPTED: u8 = 130;

    /// The exit code and the stable name of the reason.
    fn class(&self) -> (u8, &'static str) {
        match self {
            Self::Empty { error, .. } => (1, error.code()),
            Self::Usage { .. } => (2, "usage"),
            Self::Input(error) | Self::Avoidable { error, .. } | Self::Incomplete(error) => (3, error.code()),
            Self::Adapter(_) => (4, "no-adapter"),
            Self::Window(_) => (4, "no-window"),
            Self::Output(error) => (5, error.code()),
            Self::Reported(code) => (*code, "reported"),
            Self::Interrupted => (Self::INTERRUPTED, "interrupted"),
            Self::Bug => (70, "bug"),
        }
    }

    /// The exit code. Of several failures, the highest one is used.
    pub fn exit_code(&self) -> u8 {
        self.class().0
    }

    /// Stable name of the reason.
    pub fn code(&self) -> &'static str {
        self.class().1
    }

    /// The error of the library, which has a code and a place.
    fn error(&self) -> Option<&Error> {
        match self {
            Self::Input(error) | Self::Incomplete(error) | Self::Output(error) => Some(error),
            Self::Avoidable { error, .. } | Self::Empty { error, .. } => Some(error),
            Self::Usage { .. } | Self::Adapter(_) | Self::Window(_) => None,
            Self::Reported(_) | Self::Interrupted | Self::Bug => None,
        }
    }

    /// The place in a file that is at fault, if any.
    pub fn place(&self) -> Option<&Place> {
        if let Self::Usage { place, .. } = self { Some(place) } else { self.error()?.place() }
    }

    /// Returns true if nothing is left to report.
    pub fn is_reported(&self) -> bool {
        matches!(self, Self::Reported(_) | Self::Interrupted)
    }

    /// The message; empty if nothing is left to report.
    pub fn message(&self) -> String {
        match self {
            Self::Usage { message, .. } => message.clone(),
            Self::Input(error) | Self::Incomplete(error) | Self::Output(error) => with_sources(error),
            Self::Avoidable { error, .. } | Self::Empty { error, .. } => with_sources(error),
            Self::Adapter(error) | Self::Window(error) => with_sources(&**error),
            Self::Reported(_) | Self::Interrupted => String::new(),
            Self::Bug => "this is a bug in the program, not an error in your file".to_owned(),
        }
    }

    /// A hint how to fix it.
    pub fn help(&self) -> Option<String> {
        let exists = |error: &io::Error| error.kind() == io::ErrorKind::AlreadyExists;
        match self {
            Self::Usage { help, .. } | Self::Empty { help, .. } => help.clone(),
            Self::Input(Error::LimitExceeded(excess)) => {
                Some(format!("--limit {}=VALUE raises the limit", excess.limit))
            }
            Self::Avoidable { others: 0, .. } => {
                Some("--keep-going leaves this part of the animation out".to_owned())
            }
            Self::Avoidable { others, .. } => {
                let errors = if *others == 1 { "another error" } else { &format!("{others} other errors") };
                Some(format!("--keep-going leaves out this part of the animation and those with {errors}"))
            }
            Self::Incomplete(_) => Some("--no-image continues without any images".to_owned()),
            Self::Adapter(_) => Some("--backend cpu renders without a graphics driver".to_owned()),
            Self::Output(Error::Io { source, .. }) if exists(source) => Some("--force overwrites it".to_owned()),
            Self::Bug => Some(format!("please report it: {}", env!("CARGO_PKG_REPOSITORY"))),
            Self::Input(_) | Self::Output(_) | Self::Window(_) | Self::Reported(_) | Self::Interrupted => None,
        }
    }

    /// Prints it to stderr and returns the exit code.
    pub fn report(&self) -> ExitCode {
        if !self.is_reported() {
            // Other codes only repeat the message.
            print(Level::ERROR, self.error().map(Error::code), &self.message(), self.help().as_deref());
        }
        ExitCode::from(self.exit_code())
    }
}

/// Prints an error in a file that is read all the same.
pub fn error(fault: &Fault) {
    print(Level::ERROR, Some(fault.code), &fault.to_string(), None);
}

/// Prints a warning about a file.
pub fn warn(fault: &Fault) {
    print(Level::WARNING, Some(fault.code), &fault.to_string(), None);
}

/// Prints a note.
pub fn note(message: &str) {
    print(Level::NOTE, None, message, None);
}

fn print(level: Level<'_>, code: Option<&str>, message: &str, help: Option<&str>) {
    let (message, help) = (escaped(message), help.map(escaped));
    let mut title = level.primary_title(message);
    if let Some(code) = code {
        title = title.id(code);
    }
    let report = [title.elements(help.map(|help| Level::HELP.message(help)))];
    // The stream removes the colours if it is not a terminal. A failing stderr cannot be reported.
    let text = Renderer::styled().render(&report);
    progress::above(|| {
        let _ = writeln!(anstream::stderr(), "{}", without_commands(&text));
    });
}
