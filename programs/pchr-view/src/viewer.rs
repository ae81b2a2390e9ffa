//! `pchr-viewer.exe`, for shortcuts and double clicks: starts the `pchr-view.exe` beside it without a console, which Windows
//! before 11 24H2 would open, and shows the error in a dialog if that fails. Exits with its code, or 1
//! if that is above 255.
#![forbid(unsafe_code)]
#![windows_subsystem = "windows"]

use std::process::ExitCode;

#[cfg(windows)]
fn main() -> ExitCode {
    use std::os::windows::process::CommandExt;
    use std::process::{Command, Stdio};

    /// `CREATE_NO_WINDOW`: the console of the program is not shown.
    const NO_CONSOLE: u32 = 0x0800_0000;

    let started = std::env::current_exe().and_then(|path| {
        let mut command = Command::new(path.with_file_name("pchr-view.exe"));
        command.args(std::env::args_os().skip(1)).stdout(Stdio::null()).creation_flags(NO_CONSOLE).output()
    });
    let (code, message) = match started {
        Ok(output) if output.status.success() => return ExitCode::SUCCESS,
        Ok(output) if output.stderr.is_empty() => {
            (output.status.code(), format!("pchr-view.exe failed: {}", output.status))
        }
        Ok(output) => (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned()),
        Err(error) => (None, format!("pchr-view.exe cannot be started: {error}")),
    };
    rfd::MessageDialog::new()
        .set_level(rfd::MessageLevel::Error)
        .set_title("pchr")
        .set_description(message)
        .show();
    ExitCode::from(code.and_then(|code| u8::try_from(code).ok()).unwrap_or(1))
}

#[cfg(not(windows))]
fn main() -> ExitCode {
    eprintln!("pchr-viewer is for Windows: use pchr-view");
    ExitCode::FAILURE
}
