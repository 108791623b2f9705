//! `croupier staff`: dealers and pit bosses, in the desk's file (docs/decisions/0004).

use std::fs::DirBuilder;
use std::io::{BufRead, IsTerminal, Read};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use clap::{Args, Subcommand};

use super::{RIGHT, print};
use crate::clock::Clock;
use crate::desk::{Desk, DeskFailure, Password, StaffAccount};
use crate::house::Role;
use crate::settings::{Arguments, Settings};

/// Bytes of the longest password file that is read.
const PASSWORD_FILE_MAX: u64 = 4 * 1024;

/// Which house.
#[derive(Debug, Args)]
pub struct Which {
    /// The settings file [default: croupier.toml, if there is one]
    #[arg(long, env = "CROUPIER_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,
    /// The data folder [default: that of the settings]
    #[arg(long, env = "CROUPIER_DATA", value_name = "FOLDER")]
    data: Option<PathBuf>,
    /// Answer as JSON
    #[arg(long)]
    json: bool,
}

/// What is to be done with whom.
#[derive(Debug, Subcommand)]
pub enum StaffCommand {
    /// Add a member of staff
    Add {
        /// His login: 1 to 40 of a-z, 0-9, `.`, `-` and `_`
        login: String,
        /// What he may do: dealer or pit_boss
        #[arg(long)]
        role: Role,
        /// A file that holds his password; without it the password is asked for
        #[arg(long, value_name = "FILE")]
        password_file: Option<PathBuf>,
        #[command(flatten)]
        which: Which,
    },
    /// Give a member of staff another password; puts him back on the list
    Password {
        /// His login
        login: String,
        /// A file that holds his password; without it the password is asked for
        #[arg(long, value_name = "FILE")]
        password_file: Option<PathBuf>,
        #[command(flatten)]
        which: Which,
    },
    /// Take a member of staff off the list
    Remove {
        /// His login
        login: String,
        #[command(flatten)]
        which: Which,
    },
    /// List all members of staff
    List {
        #[command(flatten)]
        which: Which,
    },
}

fn desk(which: &Which) -> anyhow::Result<Desk> {
    let (config, data) = (which.config.clone(), which.data.clone());
    let settings = Settings::load(&Arguments { config, data, ..Arguments::default() })?;
    let folder = &settings.data;
    let made = DirBuilder::new().recursive(true).mode(0o700).create(folder);
    made.with_context(|| format!("the data folder {} cannot be made", folder.display()))?;
    Desk::open(&settings.desk_file()).map_err(coded)
}

fn coded(why: DeskFailure) -> anyhow::Error {
    let code = why.code();
    anyhow::Error::new(why).context(code)
}

/// The password of the file, or of the standard input.
fn password(file: Option<&Path>) -> anyhow::Result<Password> {
    let text = match file {
        Some(path) => {
            let mut text = String::new();
            let opened = std::fs::File::open(path).with_context(|| path.display().to_string())?;
            opened.take(PASSWORD_FILE_MAX).read_to_string(&mut text)?;
            text
        }
        None => {
            if std::io::stdin().is_terminal() {
                eprintln!("password (it is shown as you type), at least 8 letters:");
            }
            let mut line = String::new();
            std::io::stdin().lock().take(PASSWORD_FILE_MAX).read_line(&mut line)?;
            line
        }
    };
    let text = text.trim_end_matches(['\r', '\n']);
    text.parse().map_err(|why| anyhow!("password: {why}"))
}

fn told(accounts: &[StaffAccount], json: bool) -> anyhow::Result<()> {
    if json {
        return print(&format!("{}\n", serde_json::to_string_pretty(accounts)?));
    }
    let line = |a: &StaffAccount| {
        let off = if a.active { "" } else { "  (off the list)" };
        format!("{:>4}  {:<9} {}{off}\n", a.staff, a.role, a.login)
    };
    print(&accounts.iter().map(line).collect::<String>())
}

/// Does it.
pub fn run(command: &StaffCommand) -> anyhow::Result<u8> {
    let now = Clock::default().now();
    let (accounts, json) = match command {
        StaffCommand::Add { login, role, password_file, which } => {
            let password = password(password_file.as_deref())?;
            let added = desk(which)?.add_staff(login, *role, &password, now).map_err(coded)?;
            (vec![added], which.json)
        }
        StaffCommand::Password { login, password_file, which } => {
            let password = password(password_file.as_deref())?;
            let changed = desk(which)?.set_password(login, &password, now).map_err(coded)?;
            (vec![changed], which.json)
        }
        StaffCommand::Remove { login, which } => {
            (vec![desk(which)?.remove_staff(login, now).map_err(coded)?], which.json)
        }
        StaffCommand::List { which } => (desk(which)?.staff().map_err(coded)?, which.json),
    };
    told(&accounts, json)?;
    Ok(RIGHT)
}
