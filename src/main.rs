//! The command line.

fn main() -> std::process::ExitCode {
    compact_se::cli::main()
}
