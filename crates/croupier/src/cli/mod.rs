//! The command line.

mod books;
mod serve;
mod staff;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue};
use clap::{CommandFactory, Parser, Subcommand};

use crate::settings::{Arguments, TABLE_KEYS_HELP};

/// Everything is as it should be.
const RIGHT: u8 = 0;
/// Something is wrong in what was looked at.
const FOUND: u8 = 1;
/// What was asked could not be done.
const FAILED: u8 = 2;

/// A house for table games: deals, keeps the books, proves both.
#[derive(Debug, Parser)]
#[command(name = "croupier", version, disable_help_subcommand = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Open the house and serve players, dealers and the pit
    #[command(after_long_help = TABLE_KEYS_HELP)]
    Serve(Box<Arguments>),
    /// Run test vectors through the engines
    Check {
        /// Files of vectors, one JSON object per line
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
        /// Report as JSON
        #[arg(long)]
        json: bool,
    },
    /// Replay a whole database and compare every posting, balance and state; also while in use
    Audit {
        /// The house file, or the data folder
        #[arg(value_name = "DB")]
        db: PathBuf,
        /// Report as JSON
        #[arg(long)]
        json: bool,
    },
    /// Tell a round step by step
    Replay {
        /// The house file, or the data folder
        #[arg(value_name = "DB")]
        db: PathBuf,
        /// Table and number, such as 3-17
        #[arg(long, value_name = "ID")]
        round: String,
        /// Tell it as JSON
        #[arg(long)]
        json: bool,
    },
    /// Print the record of a shoe, which proves it fair once it is over
    Proof {
        /// The house file, or the data folder
        #[arg(value_name = "DB")]
        db: PathBuf,
        /// Table and number, such as 3-17
        #[arg(long, value_name = "ID")]
        shoe: String,
    },
    /// Check the record of a shoe, or of several that follow each other, without the house
    Verify {
        /// Records, oldest first; a file may also hold a list of them
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
        /// Report as JSON
        #[arg(long)]
        json: bool,
    },
    /// Add, list and remove dealers and pit bosses; also while the house is open
    #[command(subcommand)]
    Staff(staff::StaffCommand),
    /// Print the OpenAPI document of the API
    Openapi,
}

/// Runs the command of the process's arguments.
pub fn run() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return refused(&error),
    };
    let done = match cli.command {
        Command::Serve(arguments) => serve::serve(&arguments),
        Command::Check { files, json } => books::check(&files, json),
        Command::Audit { db, json } => books::audit(&db, json),
        Command::Replay { db, round, json } => books::replay(&db, &round, json),
        Command::Proof { db, shoe } => books::proof(&db, &shoe),
        Command::Verify { files, json } => books::verify(&files, json),
        Command::Staff(command) => staff::run(&command),
        Command::Openapi => print(&crate::http::api::text()).map(|()| RIGHT),
    };
    match done {
        Ok(code) => ExitCode::from(code),
        Err(why) => {
            eprintln!("error: {why:#}");
            ExitCode::from(FAILED)
        }
    }
}

/// Writes to the standard output; a reader that has gone away is no error.
fn print(text: &str) -> anyhow::Result<()> {
    use std::io::Write;
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(why) if why.kind() != std::io::ErrorKind::BrokenPipe => Err(why.into()),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Tells what is wrong with the arguments; a value that comes from the environment is told so.
fn refused(error: &clap::Error) -> ExitCode {
    drop(error.print());
    if let Some(variable) = variable_behind(error) {
        eprintln!("note: the value comes from the environment variable {variable}");
    }
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(FAILED))
}

/// The environment variable whose value was refused, unless the flag was given.
fn variable_behind(error: &clap::Error) -> Option<String> {
    let Some(ContextValue::String(argument)) = error.get(ContextKind::InvalidArg) else {
        return None;
    };
    let flag = argument.split_whitespace().next()?;
    let given = std::env::args().any(|word| word == flag || word.starts_with(&format!("{flag}=")));
    let long = flag.strip_prefix("--").filter(|_| !given)?;
    let command = Cli::command();
    let mut arguments = command.get_subcommands().flat_map(clap::Command::get_arguments);
    let argument = arguments.find(|argument| argument.get_long() == Some(long))?;
    let variable = argument.get_env()?;
    std::env::var_os(variable)?;
    Some(variable.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        Cli::command().debug_assert();
    }
}
