//! The C models of library functions, and the header for users, embedded in the executable.
//!
//! # Invariants
//! - A model is linked only if the program leaves a function of it undefined; a definition of the
//!   program wins over one of a model.

use super::super::compile::{Compiler, find_clang};
use super::super::{DataModel, InputKind, LoadError};
use super::LlvmFile;
use super::ir::{Ir, Value};
use super::read;
use inkwell::context::Context;
use inkwell::module::Module;
use std::path::{Path, PathBuf};

const HEADERS: &[(&str, &str)] = &[(
    "compact_se.h",
    include_str!("../../../../runtime/include/compact_se.h"),
)];

const MODELS: &[(&str, &str)] = &[
    (
        "ctype.c",
        include_str!("../../../../runtime/models/ctype.c"),
    ),
    (
        "stdlib.c",
        include_str!("../../../../runtime/models/stdlib.c"),
    ),
    (
        "string.c",
        include_str!("../../../../runtime/models/string.c"),
    ),
];

/// Writes the header into `folder` and gives the folder to search for it.
pub(in crate::frontend::llvm) fn write_headers(folder: &Path) -> Result<PathBuf, LoadError> {
    let include = folder.join("include");
    let write = || {
        std::fs::create_dir_all(&include)?;
        for (name, text) in HEADERS {
            std::fs::write(include.join(name), text)?;
        }
        Ok(())
    };
    write().map_err(|error: std::io::Error| LoadError::system("write the header", &error))?;
    Ok(include)
}

/// Links the models of what the program calls and does not define.
pub(super) fn link_models<'c>(
    context: &'c Context,
    module: &Module<'c>,
    data_model: DataModel,
    folder: &Path,
) -> Result<(), LoadError> {
    let mut linked = vec![false; MODELS.len()];
    // A model may need another one.
    loop {
        let ir = Ir::new(module);
        let wanted: Vec<String> = ir
            .functions()
            .into_iter()
            .filter(|function| function.is_declaration() && !function.users().is_empty())
            .map(Value::name)
            .collect();
        let next = (0..MODELS.len()).find(|&index| {
            !linked[index] && wanted.iter().any(|name| defines(MODELS[index].1, name))
        });
        let Some(index) = next else {
            return Ok(());
        };
        linked[index] = true;
        let model = compile(context, index, data_model, folder)?;
        for function in Ir::new(&model).definitions() {
            if !function.is_internal() {
                function.set_weak();
            }
        }
        let name = MODELS[index].0;
        module
            .link_in_module(model)
            .map_err(|error| LoadError::Link {
                path: PathBuf::from(name),
                reason: error.to_string(),
            })?;
    }
}

/// Whether a model's text defines a function: its name followed by `(` in a line that begins a
/// definition. That it is only roughly so costs time at most.
fn defines(text: &str, name: &str) -> bool {
    text.lines().any(|line| {
        line.starts_with(|c: char| c.is_ascii_alphabetic())
            && line.split_once('(').is_some_and(|(head, tail)| {
                head.ends_with(name)
                    && !head[..head.len() - name.len()]
                        .ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
                    && !tail.ends_with(';')
            })
    })
}

fn compile<'c>(
    context: &'c Context,
    index: usize,
    data_model: DataModel,
    folder: &Path,
) -> Result<Module<'c>, LoadError> {
    let (name, text) = MODELS[index];
    let source = folder.join(name);
    let bitcode = folder.join(format!("{name}.bc"));
    std::fs::write(&source, text).map_err(|error| LoadError::system("write a model", &error))?;
    let compiler = Compiler {
        clang: find_clang()?,
        data_model,
        include: write_headers(folder)?,
    };
    compiler.compile(&source, &bitcode, &["-fno-builtin".to_owned()])?;
    let file = LlvmFile {
        path: bitcode,
        shown: source,
        kind: InputKind::Bitcode,
    };
    read::read_and_link(context, &[file])
}
