//! `pchr completions` and `pchr-view --completions`: shell completion scripts.

use clap::{Args, Command};
use clap_complete::{Shell, generate};

use super::shared::failure::Failure;
use super::shared::stdio::print_with;

/// Arguments of `pchr completions`.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub struct CompletionsArgs {
    /// Shell to generate completions for
    #[arg(value_name = "SHELL")]
    pub shell: Shell,
}

const HELP: &str = "\
Examples:
  pchr completions bash > ~/.local/share/bash-completion/completions/pchr
  pchr completions fish > ~/.config/fish/completions/pchr.fish
  pchr completions zsh > ~/.zfunc/_pchr

For the viewer: pchr-view --completions SHELL";

/// Prints the completion script of a program.
pub fn print(shell: Shell, mut program: Command) -> Result<(), Failure> {
    let name = program.get_name().to_owned();
    let mut text = Vec::new();
    generate(shell, &mut program, name, &mut text);
    print_with(|stdout| stdout.write_all(&text))
}
