//! `manual` and `completions`: what packages install beside the program.

use std::fs;
use std::path::Path;

use anyhow::Context;
use clap::{Command, CommandFactory as _};
use clap_complete::{Shell, generate};
use clap_mangen::Man;

use super::Cli;

/// The name of the program.
const PROGRAM: &str = env!("CARGO_PKG_NAME");

/// Writes the manual pages into `folder`, one for the program and one for each command.
///
/// # Errors
/// When the folder cannot be made or written.
pub fn write_manual(folder: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    write_page(Cli::command().disable_help_subcommand(true), PROGRAM.into(), folder)
}

/// The options of the service, which every command takes, are on the page of the program alone: a command by itself
/// does not know them.
fn write_page(command: Command, name: String, folder: &Path) -> anyhow::Result<()> {
    for part in command.get_subcommands().filter(|part| !part.is_hide_set()) {
        write_page(part.clone(), format!("{name}-{}", part.get_name()), folder)?;
    }
    let path = folder.join(format!("{name}.1"));
    let shown = name.replacen(&format!("{PROGRAM}-"), &format!("{PROGRAM} "), 1);
    let command = command.display_name(&name).bin_name(shown).version(env!("CARGO_PKG_VERSION"));
    let mut page = Vec::new();
    Man::new(command).title(name).render(&mut page)?;
    fs::write(&path, page).with_context(|| path.display().to_string())
}

/// Prints the script that completes our command line in `shell`.
///
/// # Errors
/// When standard output is closed.
pub fn print_completions(shell: Shell) -> anyhow::Result<()> {
    let mut script = Vec::new();
    generate(shell, &mut Cli::command(), PROGRAM, &mut script);
    crate::print::write_line(format_args!("{}", String::from_utf8(script)?.trim_end()));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_a_page_and_the_options_are_on_the_first() {
        let folder = tempfile::tempdir().unwrap();
        write_manual(folder.path()).unwrap();
        let page = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
        assert!(page("chat-group-members.1").contains("viewer\\-secret"));
        assert!(page("chat-group-members-import.1").contains("group\\-name"));
        assert!(!page("chat-group-members-import.1").contains("viewer\\-secret"));
        assert!(page("chat-group-members-webhooks-replay.1").contains("from"));
    }
}
