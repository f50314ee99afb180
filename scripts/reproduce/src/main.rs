//! The command line of the tables.

fn main() -> std::process::ExitCode {
    reproduce::main()
}
