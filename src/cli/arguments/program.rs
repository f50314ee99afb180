//! Arguments that select the program.

use super::choice;
use crate::cli::compiler::CompilerArguments;
use crate::cli::environment::EnvironmentArguments;
use ::flowgraph::Granularity;
use analysis::SignedOverflow;
use clap::Args;
use frontend::{DataModel, LoadOptions, Sanitizer, TargetSpec, microc};
use std::path::PathBuf;

/// Which program, and how it is compiled.
#[derive(Args, Debug)]
pub struct ProgramArguments {
    /// Files of one program: .c, .i, C++ (.cpp, .cc, .cxx, .C, .ii), which clang compiles, .bc, .ll; or one .mc
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// The target: a function (its calls), a C label, or FILE:LINE; may be given several times. With analyze,
    /// `all` gives a separate verdict to each default target and to each further named target [default:
    /// functions reach_error, __VERIFIER_error, compact_se_target, klee_report_error, or label ERROR]
    #[arg(long, value_name = "TARGET")]
    pub target: Vec<String>,

    /// Sizes of C types [default: that of the bitcode, LP64 for C]
    #[arg(long, value_parser = choice(DataModel::ALL, DataModel::name, DataModel::help), ignore_case = true)]
    pub data_model: Option<DataModel>,

    #[command(flatten)]
    pub compiler: CompilerArguments,

    /// The effect of signed overflow. Values other than wrap need C or C++ files: bitcode does not record
    /// which operations are signed, and numbers of microc wrap around [default: wrap; with a task or property
    /// of SV-COMP, undefined]
    #[arg(long, value_parser = choice(SignedOverflow::ALL, SignedOverflow::name, SignedOverflow::help), value_name = "MEANING")]
    pub signed_overflow: Option<SignedOverflow>,

    #[command(flatten)]
    pub environment: EnvironmentArguments,

    /// Stack size in bytes, or with the suffix K, M or G; a call or variable that exceeds it is an error of
    /// the check `memory` [default: 8M, or `unlimited` for a task of SV-COMP]
    #[arg(long, value_name = "SIZE", value_parser = stack_size, default_value = "8M", hide_default_value = true)]
    pub stack: StackSize,

    /// Granularity of the flowgraph: one basic block per edge, or one action per edge with comparisons as
    /// branchings (ATVA 2013, Appendix C)
    #[arg(long, value_parser = choice(Granularity::ALL, Granularity::name, Granularity::help), default_value = "block")]
    pub granularity: Granularity,

    /// Keep functions that are not recursive as calls instead of inlining them
    #[arg(long)]
    pub no_inline: bool,
}

/// The size of a stack in bytes; `None` for one without end.
#[derive(Clone, Copy, Debug)]
pub struct StackSize(pub Option<u64>);

fn stack_size(text: &str) -> Result<StackSize, String> {
    if text == "unlimited" {
        return Ok(StackSize(None));
    }
    let units = [("K", 10), ("M", 20), ("G", 30)];
    let unit = units.iter().find_map(|(unit, bits)| {
        let number = text.strip_suffix(unit)?;
        Some((number, *bits))
    });
    let (number, bits) = unit.unwrap_or((text, 0));
    let bytes = number
        .parse()
        .ok()
        .and_then(|number: u64| number.checked_mul(1 << bits));
    let bytes = bytes.filter(|bytes| (1 << 16..=1 << 40).contains(bytes));
    let message =
        "neither `unlimited` nor a number of bytes from 64K to 1024G, as 8388608, 8192K or 8M";
    bytes
        .map(|bytes| StackSize(Some(bytes)))
        .ok_or_else(|| message.to_owned())
}

impl ProgramArguments {
    /// The load options that these arguments mean.
    pub fn load_options(&self) -> LoadOptions {
        let mut load = LoadOptions::new(&self.files);
        load.data_model = self.data_model;
        load.standard.clone_from(&self.compiler.standard);
        load.clang_args.clone_from(&self.compiler.arguments);
        load.notes.clone_from(&self.compiler.notes);
        load.compile_commands
            .clone_from(&self.compiler.compile_commands);
        load.target = self.target();
        load.environment = self.environment.of_program(&self.files);
        load.inline = !self.no_inline;
        load.granularity = self.granularity;
        load.stack = self.stack.0;
        match self.signed_overflow {
            None | Some(SignedOverflow::Wrap) => {}
            Some(SignedOverflow::Undefined | SignedOverflow::Error) => {
                load.sanitizers.push(Sanitizer::Overflow);
            }
        }
        load
    }

    /// Whether the program is one in microc.
    pub fn is_microc(&self) -> bool {
        self.files.iter().any(|file| microc::is_microc(file))
    }

    fn target(&self) -> TargetSpec {
        let parse = |target: &String| match target.parse() {
            Ok(target) => target,
            Err(never) => match never {},
        };
        match self.target.as_slice() {
            [] => TargetSpec::Default,
            [one] => parse(one),
            several => TargetSpec::EachOf(several.iter().map(parse).collect()),
        }
    }
}
