//! The one binary.

fn main() -> std::process::ExitCode {
    croupier::cli::run()
}
