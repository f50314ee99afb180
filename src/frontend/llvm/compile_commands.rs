//! Compilation databases: `compile_commands.json`, as CMake, Meson and Bear write them.
//!
//! Of the command of a file, only arguments that affect the meaning of its text are used: macros, folders of
//! headers, files to include, the standard, and options that [`use_of_option`] passes on. Arguments for
//! warnings, optimisation and output are dropped.
//!
//! # Source
//! *JSON Compilation Database Format Specification*, Clang's documentation.

use super::LoadError;
use super::options::{OptionUse, use_of_option};
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// How one file is compiled.
#[derive(Deserialize)]
struct Entry {
    /// Where the command is run.
    directory: PathBuf,
    file: PathBuf,
    arguments: Option<Vec<String>>,
    /// In the place of `arguments`, as a shell would read it.
    command: Option<String>,
}

/// Options whose value is a path, joined to them or behind them.
const WITH_PATH: [&str; 7] = [
    "-include",
    "-imacros",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-isysroot",
    "-I",
];
/// Options with another value, joined to them or behind them.
const WITH_TEXT: [&str; 2] = ["-D", "-U"];
/// Beginnings of options of one word, of those that begin neither with `-f` nor with `-m`.
const WORDS: [&str; 7] = [
    "-std=",
    "-ansi",
    "-nostdinc",
    "-pthread",
    "-stdlib=",
    "-trigraphs",
    "-undef",
];

/// Options with a value behind them that say nothing of meaning.
const TO_OTHERS: [&str; 7] = [
    "-o",
    "-MF",
    "-MT",
    "-MQ",
    "-Xlinker",
    "-Xassembler",
    "-mllvm",
];
/// Options behind which one for a part of clang stands.
const TO_PARTS: [&str; 2] = ["-Xclang", "-Xpreprocessor"];

/// The entry of a file in a database.
#[derive(Default)]
pub(super) struct OfFile {
    /// For clang.
    pub arguments: Vec<String>,
    /// About options that are ignored.
    pub notes: Vec<String>,
}

/// The arguments that a database has for a C file.
///
/// # Errors
/// [`LoadError::CompileCommands`] if it cannot be read, has no such file, or has an option that is not
/// supported.
pub(super) fn arguments_for(database: &Path, file: &Path) -> Result<OfFile, LoadError> {
    let error = |what: String| LoadError::CompileCommands {
        path: database.to_owned(),
        what,
    };
    let text = std::fs::read_to_string(database)
        .map_err(|reason| error(format!("cannot be read: {reason}")))?;
    let entries: Vec<Entry> = serde_json::from_str(&text)
        .map_err(|reason| error(format!("is no compilation database: {reason}")))?;
    let wanted = absolute(file);
    let found = entries.iter().find(|entry| {
        let folder = database
            .parent()
            .unwrap_or(Path::new(""))
            .join(&entry.directory);
        absolute(&folder.join(&entry.file)) == wanted
    });
    let Some(entry) = found else {
        let known: Vec<String> = (entries.iter())
            .map(|entry| entry.file.display().to_string())
            .collect();
        return Err(error(format!(
            "has no command for {}; it has {}",
            file.display(),
            known.join(", ")
        )));
    };
    let words = match (&entry.arguments, &entry.command) {
        (Some(arguments), _) => arguments.clone(),
        (None, Some(command)) => shlex::split(command)
            .ok_or_else(|| error(format!("has a command that does not end: {command}")))?,
        (None, None) => {
            let file = file.display();
            return Err(error(format!(
                "has neither arguments nor command of {file}"
            )));
        }
    };
    let folder = database
        .parent()
        .unwrap_or(Path::new(""))
        .join(&entry.directory);
    of_meaning(&words, &absolute(&folder)).map_err(error)
}

/// From the root and without links, as far as it exists.
fn absolute(path: &Path) -> PathBuf {
    path.canonicalize()
        .or_else(|_| std::path::absolute(path))
        .unwrap_or_else(|_| path.to_owned())
}

/// The arguments that say what the text of a file means, with paths from the root; or why one is not
/// supported.
fn of_meaning(words: &[String], folder: &Path) -> Result<OfFile, String> {
    let OfFile {
        mut arguments,
        mut notes,
    } = OfFile::default();
    let mut rest = words.iter().skip(1);
    while let Some(word) = rest.next() {
        // Longer options first: -include, not -I.
        let with_path = WITH_PATH.iter().find(|option| word.starts_with(**option));
        let with_text = WITH_TEXT.iter().find(|option| word.starts_with(**option));
        if let Some(option) = with_path.or(with_text) {
            let joined = &word[option.len()..];
            let value = match joined {
                "" => rest.next().map_or("", String::as_str),
                joined => joined,
            };
            arguments.push((*option).to_owned());
            arguments.push(match with_path {
                // A header that is not there is searched for as clang does.
                Some(_) if folder.join(value).exists() => folder.join(value).display().to_string(),
                Some(_) | None => value.to_owned(),
            });
        } else if WORDS.iter().any(|option| word.starts_with(option)) || is_macro(word) {
            arguments.push(word.clone());
        } else if TO_PARTS.contains(&word.as_str()) {
            arguments.push(word.clone());
            arguments.extend(rest.next().cloned());
        } else if TO_OTHERS.contains(&word.as_str()) {
            rest.next();
        } else if ["-f", "-m", "-O"].iter().any(|it| word.starts_with(it)) {
            match use_of_option(word) {
                OptionUse::Passed => arguments.push(word.clone()),
                OptionUse::Ignored => {}
                OptionUse::Noted(note) => notes.push(note),
                OptionUse::Refused(why) => return Err(why),
            }
        }
    }
    Ok(OfFile { arguments, notes })
}

/// Whether an option passes a macro on to the preprocessor.
fn is_macro(word: &str) -> bool {
    word.starts_with("-Wp,-D") || word.starts_with("-Wp,-U")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn arguments_that_say_what_the_text_means_are_kept() {
        let command = "cc -O2 -Wall -DN=5 -D M -Uunix -Isrc -I /no/such -std=c99 -g -MD -MF a.d \
                       -include Cargo.toml -o a.o -c a.c -fsigned-char";
        let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
        let (source, toml) = (folder.join("src"), folder.join("Cargo.toml"));
        let expected = format!(
            "-D N=5 -D M -U unix -I {} -I /no/such -std=c99 -include {} -fsigned-char",
            source.display(),
            toml.display()
        );
        let of_file = of_meaning(&words(command), folder).unwrap();
        assert_eq!(of_file.arguments, words(&expected));
    }

    #[test]
    fn options_are_told_apart_by_their_meaning() {
        let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
        let command =
            "cc -m32 -fPIC -fno-signed-char -Wp,-DN=5 -Wp,-MD,a.d -fsanitize=address -c a.c";
        let of_file = of_meaning(&words(command), folder).unwrap();
        assert_eq!(of_file.arguments, words("-m32 -fno-signed-char -Wp,-DN=5"));
        assert_eq!(of_file.notes.len(), 1);
        let refused = of_meaning(&words("cc -fopenmp -c a.c"), folder).err();
        assert!(refused.unwrap().starts_with("-fopenmp is not supported"));
    }

    #[test]
    fn files_are_found_from_the_folder_of_their_command() {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("compile_commands.json");
        let source = folder.path().join("a.c");
        std::fs::write(&source, "").unwrap();
        let text = r#"[{"directory": ".", "file": "a.c", "command": "cc '-DTEXT=a b' -c a.c"}]"#;
        std::fs::write(&database, text).unwrap();
        let arguments = arguments_for(&database, &source).unwrap().arguments;
        assert_eq!(arguments, ["-D", "TEXT=a b"]);
        let other = arguments_for(&database, &folder.path().join("b.c"));
        let message = other.err().unwrap().to_string();
        assert!(message.contains("b.c; it has a.c"), "{message}");
        std::fs::write(&database, "{}").unwrap();
        assert!(arguments_for(&database, &source).is_err());
    }
}
