//! `compact-se microc`: runs, shows and generates programs in microc.
//!
//! One module per subcommand.

mod run;

use super::companion::{self, ForwardedArguments};
use super::output;
use anyhow::{Context, Result};
use clap::{Args, Subcommand};
use frontend::LoadError;
use frontend::microc::{self, Integers, ast};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

#[derive(Args, Debug)]
#[command(after_help = "\
microc is the language of the thesis \"Nested loops and path explosion in symbolic execution\": numbers,
arrays [1, 2], records {x: 1}, pointers (alloc 1, &x, *p, null), functions, input and output.

  f(n) {                       functions take and return values of one type
    var r;                     variables come first
    if (n == 0) { r = 1; } else { r = n * f(n - 1); }
    return r;                  a function ends with its only return
  }
  main() { return f(input); }  main returns a number

Errors are division by zero, dereference of null, access out of the bounds of an array, and use of a
variable without a value. Numbers have 32 bits and wrap around. && and || are on one level of
precedence, from left to right. `analyze`, `tree`, `templates`, `explain` and `necessary` take .mc
files as they take C.")]
pub struct MicrocArguments {
    #[command(subcommand)]
    command: MicrocCommand,
}

#[derive(Subcommand, Debug)]
enum MicrocCommand {
    /// Run a program
    Run(run::RunArguments),
    /// Write the syntax tree as JSON
    Export(ExportArguments),
    /// Show the control flow graph, one statement per node
    Cfg(CfgArguments),
    /// Estimate the number of solver queries about each variable
    Costs(ForwardedArguments),
    /// Make a random program
    Generate(ForwardedArguments),
}

#[derive(Args, Debug)]
struct ExportArguments {
    /// The program (.mc)
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Write JSON (there is no other form)
    #[arg(long)]
    json: bool,

    /// Write here [default: standard output]
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Spaces for each level; 0 for one line
    #[arg(long, value_name = "NUMBER", default_value_t = 2, value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(0..=16))]
    indent: usize,
}

#[derive(Args, Debug)]
struct CfgArguments {
    /// The program (.mc)
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Split expressions before, so that every operand is a name or a constant
    #[arg(long)]
    norm: bool,

    /// Print for Graphviz
    #[arg(long)]
    dot: bool,
}

/// Does what the subcommand says.
///
/// # Errors
/// If a file cannot be read or written, or is no program.
pub(super) fn run(arguments: &MicrocArguments) -> Result<ExitCode> {
    match &arguments.command {
        MicrocCommand::Run(arguments) => run::run(arguments),
        MicrocCommand::Export(arguments) => export(arguments),
        MicrocCommand::Cfg(arguments) => show_graph(arguments),
        MicrocCommand::Costs(arguments) => companion::run(Some("costs"), arguments),
        MicrocCommand::Generate(arguments) => companion::run(Some("generate"), arguments),
    }
}

/// The program in a file.
fn read(path: &Path, integers: Integers) -> Result<ast::Program, LoadError> {
    let (program, _) = microc::read(path, integers)?;
    Ok(program)
}

fn export(arguments: &ExportArguments) -> Result<ExitCode> {
    let program = read(&arguments.file, Integers::Exact)?;
    let text = to_json(&program, arguments.indent)?;
    let inputs = std::slice::from_ref(&arguments.file);
    process::write_or_print(&text, arguments.output.as_deref(), inputs)?;
    Ok(ExitCode::SUCCESS)
}

fn show_graph(arguments: &CfgArguments) -> Result<ExitCode> {
    let mut program = read(&arguments.file, Integers::Exact)?;
    if arguments.norm {
        program = microc::normalise(&program);
    }
    let graph = microc::ControlFlow::of(&program);
    output::print(&if arguments.dot {
        graph.to_dot()
    } else {
        graph.to_text()
    });
    Ok(ExitCode::SUCCESS)
}

/// As JSON with so many spaces for each level, or on one line, with a line break behind it.
fn to_json(value: &impl Serialize, indent: usize) -> Result<String> {
    let mut bytes = Vec::new();
    if indent == 0 {
        serde_json::to_writer(&mut bytes, value).context("making JSON")?;
    } else {
        let indent = " ".repeat(indent);
        let formatter = serde_json::ser::PrettyFormatter::with_indent(indent.as_bytes());
        let mut serializer = serde_json::Serializer::with_formatter(&mut bytes, formatter);
        value.serialize(&mut serializer).context("making JSON")?;
    }
    let mut text = String::from_utf8(bytes).context("making JSON")?;
    text.push('\n');
    Ok(text)
}
