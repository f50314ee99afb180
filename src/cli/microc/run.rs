//! `compact-se microc run`: the interpreter.

use super::super::{exit, output};
use super::read;
use crate::cli::arguments::choice;
use anyhow::{Context, Result, bail};
use clap::Args;
use frontend::microc::{End, Integer, Integers, RunOptions, World, ast, run as interpret};
use num_bigint::BigInt;
use std::io::{BufRead, Read, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

#[derive(Args, Debug)]
#[command(after_help = "\
What the program outputs goes to standard output, a number a line; what main returns, and an error,
goes to standard error.

  compact-se microc run program.mc --args 3,4 --input '10 -2'

Exit codes: 0 main returned, 1 the program ended with an error, 2 it cannot be run, 3 a limit stopped
it or there was no further input.")]
pub(super) struct RunArguments {
    /// The program (.mc)
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Numbers for `input`, separated by blanks [default: from standard input]
    #[arg(
        long,
        value_name = "NUMBERS",
        allow_hyphen_values = true,
        conflicts_with = "input_file"
    )]
    input: Option<String>,

    /// A file with the numbers for `input`, separated by blanks
    #[arg(long, value_name = "FILE")]
    input_file: Option<PathBuf>,

    /// Arguments of main, separated by commas
    #[arg(
        long,
        value_name = "NUMBERS",
        value_delimiter = ',',
        allow_hyphen_values = true
    )]
    args: Vec<String>,

    /// Output each number as the character of this number
    #[arg(long)]
    ascii: bool,

    /// Print the running time of the program
    #[arg(long)]
    time: bool,

    /// Arithmetic of numbers
    #[arg(long, value_parser = choice(Integers::ALL, Integers::name, Integers::help), default_value = "wrapping")]
    integers: Integers,
}

/// Runs the program and reports how it ended.
///
/// # Errors
/// If the program or its input cannot be read.
pub(super) fn run(arguments: &RunArguments) -> Result<ExitCode> {
    let program = read(&arguments.file, arguments.integers)?;
    match arguments.integers {
        Integers::Wrapping => run_with::<i32>(&program, arguments),
        Integers::Exact => run_with::<BigInt>(&program, arguments),
    }
}

fn run_with<N: Integer>(program: &ast::Program, arguments: &RunArguments) -> Result<ExitCode> {
    let main = program.function("main").context("the program has a main")?;
    let numbers = arguments.args.iter().map(|text| number::<N>(text));
    let numbers: Vec<N> = numbers.collect::<Result<_>>().context("in --args")?;
    if numbers.len() != main.parameters.len() {
        bail!(
            "main takes {} arguments, and --args gives {}",
            main.parameters.len(),
            numbers.len()
        );
    }
    let text = match (&arguments.input, &arguments.input_file) {
        (Some(text), _) => Some(text.clone()),
        (None, Some(path)) => {
            let text = std::fs::read_to_string(path);
            Some(text.with_context(|| format!("reading {}", path.display()))?)
        }
        (None, None) => None,
    };
    let reader: Box<dyn BufRead + Send> = match text {
        Some(text) => Box::new(std::io::Cursor::new(text)),
        None => Box::new(std::io::BufReader::new(std::io::stdin())),
    };
    let mut world = Terminal {
        reader,
        ascii: arguments.ascii,
        failure: None,
    };
    let started = Instant::now();
    let end = interpret(program, &numbers, &mut world, &RunOptions::default())
        .context("starting a thread for the interpreter")?;
    let time = started.elapsed();
    std::io::stdout().flush().context("writing the output")?;
    if let Some(failure) = world.failure {
        return Err(failure);
    }
    let file = arguments.file.display();
    let (told, code) = match end {
        End::Returned(value) => (format!("main returned {value}"), 0),
        End::Error(error, at) => (format!("{file}:{at}: {error}"), 1),
        End::EndOfInput(at) => (
            format!("{file}:{at}: there is no further input"),
            exit::UNKNOWN,
        ),
        End::Limit(which) => (
            format!("{file}: stopped by the limit of {which}"),
            exit::UNKNOWN,
        ),
        End::Endless(at) => (format!("{file}:{at}: the loop never ends"), exit::UNKNOWN),
        End::Target(at) => (
            format!("{file}:{at}: the target is reached"),
            exit::REACHABLE,
        ),
    };
    output::complain(&told);
    if arguments.time {
        output::complain(&format!("time: {:.6} s", time.as_secs_f64()));
    }
    Ok(ExitCode::from(code))
}

fn number<N: Integer>(text: &str) -> Result<N> {
    let value: BigInt = text.trim().parse().ok().with_context(|| {
        format!("`{text}` is not a number; separate numbers by blanks or new lines")
    })?;
    N::literal(&value).with_context(|| {
        format!("{value} does not fit 32 bits; --integers exact accepts any number")
    })
}

/// Numbers from a text, and to standard output.
struct Terminal {
    reader: Box<dyn BufRead + Send>,
    ascii: bool,
    failure: Option<anyhow::Error>,
}

impl Terminal {
    /// The next word.
    fn word(&mut self) -> std::io::Result<String> {
        let mut word = Vec::new();
        for byte in self.reader.by_ref().bytes() {
            let byte = byte?;
            if !byte.is_ascii_whitespace() {
                word.push(byte);
            } else if !word.is_empty() {
                break;
            }
        }
        Ok(String::from_utf8_lossy(&word).into_owned())
    }
}

impl<N: Integer> World<N> for Terminal {
    fn input(&mut self) -> Option<N> {
        let number = match self.word() {
            Ok(word) if word.is_empty() => return None,
            Ok(word) => number(&word).context("in the input"),
            Err(error) => Err(error).context("reading the input"),
        };
        match number {
            Ok(number) => Some(number),
            Err(failure) => {
                self.failure.get_or_insert(failure);
                None
            }
        }
    }

    fn output(&mut self, value: &N) {
        if self.failure.is_some() {
            return;
        }
        let character = value.to_u64().and_then(|code| u32::try_from(code).ok());
        let character = character.and_then(char::from_u32);
        let mut out = std::io::stdout().lock();
        let written = match character.filter(|_| self.ascii) {
            Some(character) => write!(out, "{character}"),
            None => writeln!(out, "{value}"),
        };
        if let Err(error) = written
            && error.kind() != std::io::ErrorKind::BrokenPipe
        {
            self.failure = Some(anyhow::Error::new(error).context("writing the output"));
        }
    }
}
