//! The C and C++ files of a program as bitcode, with code for all of its definitions.
//!
//! Even without optimisation, clang drops or precomputes parts of a program. A file is recompiled where that matters:
//!
//! | the program has | the file is compiled with |
//! |---|---|
//! | an inline definition of C99, which alone generates no code | a declaration after its text that requests code |
//! | a function with the name of one of the C library | `-fno-builtin-NAME`, in every file |
//! | a target with such a name | the same, from the start |
//! | attributes with arguments that clang rejects | blanks in their place |
//! | [`Code::All`]: a requested static function that is never called | a variable with its address after its text |
//!
//! # Invariants
//! - A text that replaces a file has the same lines, so that locations are preserved.

use super::compile::{Compiler, find_clang};
use super::{
    ArraySizes, DataModel, Frames, Goals, InputKind, LoadError, LoadOptions, TargetSpec, dialect,
    prepare, sanitizer,
};
use prepare::{Functions, KEPT_PREFIX};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Of which functions there is code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Code {
    /// Those that may be called.
    Called,
    /// Also static ones that are never called.
    All,
}

/// Clang's always-inliner would leave nothing of functions with that attribute, which may be targets or
/// hold them.
const NO_PASSES: [&str; 2] = ["-Xclang", "-disable-llvm-passes"];

/// With these clang makes code of inline definitions too, for optimisers only; macros are those of a
/// compilation without.
const INLINE_CODE: [&str; 3] = ["-O1", "-fno-inline", "-U__OPTIMIZE__"];

/// With this it makes code of static functions that are never called, and with
/// [`INLINE_CODE`] of such inline definitions.
const ALL_CODE: &str = "-femit-all-decls";

/// The files of a program, and how they are compiled.
pub(super) struct Sources<'o> {
    options: &'o LoadOptions,
    /// For what is written.
    folder: &'o Path,
    /// The input files in their order.
    files: Vec<prepare::LlvmFile>,
    /// `None` where nothing is to be compiled.
    compiler: Option<Compiler>,
}

impl<'o> Sources<'o> {
    pub fn new(options: &'o LoadOptions, folder: &'o Path) -> Result<Sources<'o>, LoadError> {
        let mut files = Vec::new();
        for path in &options.inputs {
            files.push(prepare::LlvmFile {
                shown: path.clone(),
                kind: InputKind::of(path)?,
                path: path.clone(),
                regions: Vec::new(),
                inline: Vec::new(),
                notes: Vec::new(),
            });
        }
        let compiler = if files.iter().any(|file| file.kind.is_source()) {
            let data_model = match options.data_model {
                Some(data_model) => data_model,
                None => files
                    .iter()
                    .find(|file| !file.kind.is_source())
                    .map_or(Ok(DataModel::Lp64), prepare::data_model_of)?,
            };
            Some(Compiler {
                clang: find_clang()?,
                data_model,
                include: prepare::models::write_headers(folder)?,
            })
        } else {
            None
        };
        Ok(Sources {
            options,
            folder,
            files,
            compiler,
        })
    }

    /// The compiler, where there is something to compile.
    pub fn compiler(&self) -> Option<&Compiler> {
        self.compiler.as_ref()
    }

    /// The input files as LLVM files, with the paths to name in messages.
    pub fn compile(&self, code: Code) -> Result<Vec<prepare::LlvmFile>, LoadError> {
        let Some(compiler) = &self.compiler else {
            return Ok(self.files.clone());
        };
        let mut own = prepare::of_library(self.options.target.functions());
        loop {
            let compilation = Compilation {
                sources: self,
                compiler,
                code,
                own: &own,
            };
            let mut files = self.files.clone();
            let sources = files.iter_mut().enumerate();
            let mut sources = sources.filter(|(_, file)| file.kind.is_source());
            side_by_side(&mut sources, &|(number, file)| {
                compilation.compile(number, file)
            })?;
            let n_known = own.len();
            for file in &files {
                own.extend(prepare::functions_of(file)?.of_library);
            }
            if own.len() == n_known {
                return Ok(files);
            }
        }
    }
}

/// One compilation of all files.
struct Compilation<'s> {
    sources: &'s Sources<'s>,
    compiler: &'s Compiler,
    code: Code,
    /// Functions with names of the C library that clang is to call as any other.
    own: &'s BTreeSet<String>,
}

impl Compilation<'_> {
    fn compile(&self, number: usize, file: &mut prepare::LlvmFile) -> Result<(), LoadError> {
        let options = self.sources.options;
        let written = |what: &str| self.sources.folder.join(format!("input{number}.{what}"));
        let mut extra = options.arguments_for(&file.shown)?;
        extra.extend(sanitizer::arguments(&options.sanitizers));
        if options.array_sizes == ArraySizes::Checked && options.frames != Frames::Merged {
            extra.extend(sanitizer::ARRAY_SIZES.map(str::to_owned));
        }
        extra.extend(self.own.iter().map(|name| format!("-fno-builtin-{name}")));
        // Coroutines of C++ need its passes.
        let is_named = !matches!(options.target, TargetSpec::Default | TargetSpec::All);
        if file.kind == InputKind::C || is_named && !options.target.is_nothing() {
            extra.extend(NO_PASSES.map(str::to_owned));
        }
        if self.code == Code::All && file.kind == InputKind::Cplusplus {
            extra.push(ALL_CODE.to_owned());
        }
        let shown_file = file.shown.clone();
        file.path = written("bc");
        let mut text = Text {
            file: &shown_file,
            copy: written("c"),
            overlay: written("json"),
            attributes: BTreeSet::new(),
        };
        let dependencies = written("d");
        let listed = ["-MD".into(), "-MF".into(), shown(&dependencies)];
        let listed = [&extra[..], &listed].concat();
        loop {
            let result = self.compile_text(
                file,
                &[&listed[..], &text.arguments(&Functions::default())?].concat(),
            );
            match result {
                Err(LoadError::Clang { message, .. }) if text.leaves_out(&message) => {}
                result => break result?,
            }
        }
        let read = self.files_of_program(&file.shown, &dependencies);
        if read.iter().any(|(_, text)| has_pragma_of_checks(text)) {
            file.notes.push(format!(
                "#pragma CPROVER check is ignored in {}: --check selects the checks",
                file.shown.display()
            ));
        }
        let has_inline = |(_, text): &(PathBuf, Vec<u8>)| has_word(text, b"inline");
        let may_lack_code = self.code == Code::All || read.iter().any(has_inline);
        if file.kind == InputKind::C && may_lack_code {
            let probe = prepare::LlvmFile {
                path: written("inline.bc"),
                ..file.clone()
            };
            let mut probing = [&extra[..], &text.arguments(&Functions::default())?].concat();
            probing.extend(INLINE_CODE.map(str::to_owned));
            if self.code == Code::All {
                probing.push(ALL_CODE.to_owned());
            }
            (self.compiler).compile(&file.shown, &probe.path, &probing)?;
            let mut lacking = prepare::functions_of(&probe)?;
            if self.code == Code::Called {
                lacking.internal.clear();
            }
            if !lacking.inline.is_empty() || !lacking.internal.is_empty() {
                let asked = text.arguments(&lacking)?;
                file.inline = lacking.inline;
                let notes = std::mem::take(&mut file.notes);
                self.compile_text(file, &[&extra[..], &asked].concat())?;
                file.notes = notes;
            }
        }
        Ok(())
    }

    /// Compiles the file to its path.
    fn compile_text(
        &self,
        file: &mut prepare::LlvmFile,
        extra: &[String],
    ) -> Result<(), LoadError> {
        let compiled = if self.sources.options.goals == Goals::Nothing {
            self.compiler.compile(&file.shown, &file.path, extra)
        } else {
            (self.compiler).compile_with_regions(&file.shown, &file.path, extra)
        }?;
        (file.regions, file.notes) = (compiled.regions, compiled.notes);
        Ok(())
    }

    /// The files that clang has read, with their texts: no headers of the system's or of ours.
    fn files_of_program(&self, source: &Path, dependencies: &Path) -> Vec<(PathBuf, Vec<u8>)> {
        let list = std::fs::read_to_string(dependencies).unwrap_or_default();
        let is_of_program =
            |file: &PathBuf| !file.starts_with("/usr") && !file.starts_with(&self.compiler.include);
        let files = read_dependencies(&list).into_iter().filter(is_of_program);
        let files = std::iter::once(source.to_owned()).chain(files);
        let with_text = |file: PathBuf| Some((std::fs::read(&file).ok()?, file));
        files
            .filter_map(with_text)
            .map(|(text, file)| (file, text))
            .collect()
    }
}

/// The text of a file as clang reads it.
struct Text<'f> {
    file: &'f Path,
    /// Where another text in its place is written, and its description for clang.
    copy: PathBuf,
    overlay: PathBuf,
    /// Attributes whose arguments clang does not take.
    attributes: BTreeSet<String>,
}

impl Text<'_> {
    /// Whether the text is another one without what clang says in this message.
    fn leaves_out(&mut self, message: &str) -> bool {
        dialect::refused_arguments(message).is_some_and(|name| self.attributes.insert(name))
    }

    /// Arguments of clang that put the text in the place of the file, with declarations behind it that ask
    /// for code of these functions. For an inline definition that is one with `extern` in C99, and one
    /// without in GNU C of old; for a static function a variable that holds its address. No arguments where
    /// the text is that of the file.
    fn arguments(&self, lacking: &Functions) -> Result<Vec<String>, LoadError> {
        let Functions {
            inline, internal, ..
        } = lacking;
        if inline.is_empty() && internal.is_empty() && self.attributes.is_empty() {
            return Ok(Vec::new());
        }
        let error =
            |error: std::io::Error| LoadError::system("write to a temporary folder", &error);
        let text = std::fs::read(self.file).map_err(error)?;
        let mut text = dialect::without_arguments(&text, &self.attributes);
        for name in inline {
            let declared = format!("__typeof__({name}) {name};");
            text.extend(format!("\nextern {declared} inline {declared}").bytes());
        }
        for name in internal {
            let variable = format!("{KEPT_PREFIX}{name}");
            let declared = format!("__typeof__({name}) *const {variable} = {name};");
            text.extend(format!("\n__attribute__((used)) static {declared}").bytes());
        }
        text.push(b'\n');
        std::fs::write(&self.copy, text).map_err(error)?;
        let place = std::path::absolute(self.file).map_err(error)?;
        let entry = serde_json::json!({
            "type": "file", "name": place, "external-contents": self.copy,
        });
        let description = serde_json::json!({
            "version": 0, "case-sensitive": "true", "use-external-names": false, "roots": [entry],
        });
        std::fs::write(&self.overlay, description.to_string()).map_err(error)?;
        // The driver would drop it where a file is preprocessed already.
        let words = ["-Xclang", "-ivfsoverlay", "-Xclang", &shown(&self.overlay)];
        Ok(words.map(str::to_owned).to_vec())
    }
}

fn has_word(text: &[u8], word: &[u8]) -> bool {
    text.windows(word.len()).any(|part| part == word)
}

/// Whether a line turns checks of CBMC on or off.
fn has_pragma_of_checks(text: &[u8]) -> bool {
    let is_pragma = |line: &[u8]| {
        let line = String::from_utf8_lossy(line);
        let words = line.trim_start().strip_prefix('#').unwrap_or_default();
        let mut words = words.split_whitespace();
        ["pragma", "CPROVER", "check"]
            .iter()
            .all(|word| words.next() == Some(word))
    };
    has_word(text, b"CPROVER") && text.split(|byte| *byte == b'\n').any(is_pragma)
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// The files that a rule of make names behind its colon.
fn read_dependencies(rule: &str) -> Vec<PathBuf> {
    let rule = rule.replace("\\\n", " ");
    let Some((_, files)) = rule.split_once(": ") else {
        return Vec::new();
    };
    // A space in a name has a backslash before it.
    let files = files
        .replace("\\ ", "\0")
        .replace("\\#", "#")
        .replace("$$", "$");
    let names = files.split_whitespace();
    names
        .map(|name| PathBuf::from(name.replace('\0', " ")))
        .collect()
}

/// Does the work on all items, on as many at a time as there are processors. An error is that of the
/// first item that has one; behind it nothing is begun.
fn side_by_side<T>(
    items: &mut (dyn Iterator<Item = T> + Send),
    work: &(dyn Fn(T) -> Result<(), LoadError> + Sync),
) -> Result<(), LoadError> {
    let items = Mutex::new(items.enumerate());
    let failed: Mutex<Option<(usize, LoadError)>> = Mutex::new(None);
    // Nobody leaves them half changed.
    let next = || {
        let mut items = items.lock().unwrap_or_else(PoisonError::into_inner);
        let failed = failed.lock().unwrap_or_else(PoisonError::into_inner);
        if failed.is_some() { None } else { items.next() }
    };
    let turn = || {
        while let Some((number, item)) = next() {
            if let Err(error) = work(item) {
                let mut failed = failed.lock().unwrap_or_else(PoisonError::into_inner);
                if failed.as_ref().is_none_or(|(first, _)| number < *first) {
                    *failed = Some((number, error));
                }
            }
        }
    };
    let n_threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 1..n_threads {
            scope.spawn(turn);
        }
        turn();
    });
    match failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some((_, error)) => Err(error),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::read_dependencies;
    use std::path::Path;

    #[test]
    fn rules_of_make_are_read() {
        let files = read_dependencies("input0.o: a.c \\\n  /usr/include/stdio.h b\\ c.h\n");
        let expected = ["a.c", "/usr/include/stdio.h", "b c.h"].map(Path::new);
        assert_eq!(files, expected);
    }
}
