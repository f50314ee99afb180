//! Reading and linking LLVM files.

use super::super::{DataModel, InputKind, LoadError};
use super::LlvmFile;
use super::ir::{Ir, Value};
use super::library::{Owner, of_library, owner};
use super::partial;
use inkwell::context::Context;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::Module;
use inkwell::targets::TargetTriple;
use std::collections::BTreeSet;
use std::path::Path;

pub(super) fn read_and_link<'c>(
    context: &'c Context,
    files: &[LlvmFile],
) -> Result<Module<'c>, LoadError> {
    let mut modules = files.iter().map(|file| read(context, file));
    let first = modules.next().ok_or(LoadError::NoInput)??;
    for (module, file) in modules.zip(&files[1..]) {
        let module = module?;
        let (here, there) = (
            Ir::new(&first).pointer_bits(),
            Ir::new(&module).pointer_bits(),
        );
        let link = |reason: String| LoadError::Link {
            path: file.shown.clone(),
            reason,
        };
        if here != there {
            return Err(link(format!(
                "its pointers have {there} bits instead of {here}"
            )));
        }
        first
            .link_in_module(module)
            .map_err(|error| link(in_words(&one_line(&error.to_string()))))?;
    }
    Ok(first)
}

/// LLVM's message, in the words of C where it is about two definitions of one name.
pub(super) fn in_words(message: &str) -> String {
    match message.split('\'').nth(1) {
        Some(name) if message.ends_with("symbol multiply defined!") => format!(
            "{name} is defined here and in another file; name the files of one program only"
        ),
        Some("wchar_size") => {
            "wide characters of two bytes (-fshort-wchar) conflict with the C library and other files, \
             which use four"
                .to_owned()
        }
        _ => message.to_owned(),
    }
}

fn read<'c>(context: &'c Context, file: &LlvmFile) -> Result<Module<'c>, LoadError> {
    let module = parse(context, file)?;
    if file.kind.is_source() {
        let ir = Ir::new(&module);
        partial::mark_undefined_constants(&ir);
        for function in ir.definitions() {
            // The definition of another file counts, if there is one.
            if function.is_inline_definition() || file.inline.contains(&function.name()) {
                function.set_weak();
            }
        }
        for kept in ir.globals() {
            if kept.name().starts_with(KEPT_PREFIX) {
                kept.set_initializer(ir.zero(ir.pointer()));
            }
        }
    }
    Ok(module)
}

fn parse<'c>(context: &'c Context, file: &LlvmFile) -> Result<Module<'c>, LoadError> {
    let buffer = |path: &Path| {
        MemoryBuffer::create_from_file(path).map_err(|error| LoadError::Unreadable {
            path: file.shown.clone(),
            reason: one_line(&error.to_string()),
        })
    };
    let invalid = |reason: String| match file.kind {
        InputKind::Assembly => LoadError::Assembly {
            path: file.shown.clone(),
            reason: one_line(&reason),
        },
        InputKind::C | InputKind::Cplusplus | InputKind::Bitcode => LoadError::Bitcode {
            path: file.shown.clone(),
            reason: one_line(&reason),
        },
    };
    let module = if file.kind == InputKind::Assembly {
        context
            .create_module_from_ir(buffer(&file.path)?)
            .map_err(|error| invalid(error.to_string()))?
    } else {
        check_magic(&file.path).map_err(&invalid)?;
        Module::parse_bitcode_from_buffer(&buffer(&file.path)?, context)
            .map_err(|error| invalid(error.to_string()))?
    };
    module
        .verify()
        .map_err(|error| invalid(error.to_string()))?;
    Ok(module)
}

/// Tells what is obviously no bitcode in better words than LLVM.
fn check_magic(path: &Path) -> Result<(), String> {
    let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
    let wrapped = bytes.starts_with(&[0xde, 0xc0, 0x17, 0x0b]);
    if bytes.is_empty() {
        Err("the file is empty".to_owned())
    } else if bytes.starts_with(b"BC\xc0\xde") || wrapped {
        Ok(())
    } else if bytes.starts_with(b"; ModuleID") || bytes.starts_with(b"source_filename") {
        Err("it is LLVM assembly; name it .ll".to_owned())
    } else if bytes.starts_with(b"\x7fELF") {
        Err("it is machine code, not bitcode".to_owned())
    } else {
        Err("it does not begin like bitcode".to_owned())
    }
}

fn one_line(text: &str) -> String {
    let parts: Vec<&str> = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    parts.join("; ")
}

/// Checks that machine and data model are supported and fit; a module without a triple is for
/// x86-64.
pub(super) fn check_machine(
    module: &Module<'_>,
    shown: &Path,
    wanted: Option<DataModel>,
) -> Result<DataModel, LoadError> {
    if module.get_triple().as_str().to_bytes().is_empty() {
        module.set_triple(&TargetTriple::create("x86_64-pc-linux-gnu"));
    }
    let ir = Ir::new(module);
    let triple = module.get_triple().as_str().to_string_lossy().into_owned();
    let machine = triple.split('-').next().unwrap_or_default();
    let data_model = match machine {
        "x86_64" | "amd64" => DataModel::Lp64,
        "i386" | "i486" | "i586" | "i686" => DataModel::Ilp32,
        _ => {
            return Err(LoadError::Machine {
                path: shown.to_owned(),
                machine: triple,
            });
        }
    };
    if ir.pointer_bits() != data_model.pointer_bits() || !ir.little_endian() {
        return Err(LoadError::Machine {
            path: shown.to_owned(),
            machine: format!("{triple} with {}-bit pointers", ir.pointer_bits()),
        });
    }
    match wanted {
        Some(wanted) if wanted != data_model => Err(LoadError::DataModel {
            path: shown.to_owned(),
            wanted: wanted.to_string(),
            found: data_model.pointer_bits(),
        }),
        _ => Ok(data_model),
    }
}

/// Names of variables that only keep functions begin so.
pub(in crate::llvm) const KEPT_PREFIX: &str = "__compact_se_keep_";

/// Functions of a file that clang may treat in a separate way.
#[derive(Default)]
pub(in crate::llvm) struct Functions {
    /// Definitions for optimisers only, of which a program without optimisation has no code.
    pub inline: Vec<String>,
    /// Static functions of the program's own text.
    pub internal: Vec<String>,
    /// Definitions that other files see, with names of the C library.
    pub of_library: BTreeSet<String>,
}

/// Looks for such functions in what clang made of a file.
pub(in crate::llvm) fn functions_of(file: &LlvmFile) -> Result<Functions, LoadError> {
    let context = Context::create();
    let module = parse(&context, file)?;
    let ir = Ir::new(&module);
    let defined = ir.definitions().into_iter();
    let (inline, others): (Vec<Value>, Vec<Value>) =
        defined.partition(|function| function.is_inline_definition());
    let (internal, visible): (Vec<Value>, Vec<Value>) = others
        .into_iter()
        .partition(|function| function.is_internal());
    let is_of_headers = |function: &Value| {
        let mut places = function.instructions().into_iter().map(Value::source_place);
        places.any(|(file, ..)| file.starts_with("/usr/"))
    };
    // The C library has functions for which its headers have definitions for optimisers.
    let is_of_library =
        |function: &Value| is_of_headers(function) && owner(&function.name()) == Owner::Library;
    let inline = inline.into_iter().filter(|function| {
        // Its calls are inlined in any case.
        !ir.has_attribute(*function, "alwaysinline") && !is_of_library(function)
    });
    Ok(Functions {
        inline: inline.map(Value::name).collect(),
        internal: (internal.into_iter())
            .filter(|function| !is_of_headers(function))
            .map(Value::name)
            .collect(),
        of_library: of_library(visible.into_iter().map(Value::name)),
    })
}

/// The data model that a bitcode or assembly file was compiled for.
pub(in crate::llvm) fn data_model_of(file: &LlvmFile) -> Result<DataModel, LoadError> {
    let context = Context::create();
    let module = read(&context, file)?;
    check_machine(&module, &file.shown, None)
}
