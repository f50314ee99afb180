//! Compilation databases: `compile_commands.json`, as CMake, Meson and Bear write them.
//!
//! Of the command of a file those arguments are taken that say what its text means: macros, folders
//! of headers, files to include, the standard, and options of the language. What concerns warnings,
//! optimisation, code generation and output is left out.
//!
//! # Source
//! *JSON Compilation Database Format Specification*, Clang's documentation.

use super::LoadError;
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
/// Beginnings of options of one word.
const WORDS: [&str; 13] = [
    "-std=",
    "-ansi",
    "-nostdinc",
    "-pthread",
    "-funsigned-char",
    "-fsigned-char",
    "-fshort-enums",
    "-fms-extensions",
    "-fexceptions",
    "-fno-exceptions",
    "-frtti",
    "-fno-rtti",
    "-stdlib=",
];

/// Whether an option of one word says what the text of a C file means.
#[must_use]
pub fn says_what_text_means(option: &str) -> bool {
    WORDS.iter().any(|word| option.starts_with(word))
}

/// The arguments that a database has for a C file.
///
/// # Errors
/// [`LoadError::CompileCommands`] if it cannot be read or has no such file.
pub(super) fn arguments_for(database: &Path, file: &Path) -> Result<Vec<String>, LoadError> {
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
    Ok(of_meaning(&words, &absolute(&folder)))
}

/// From the root and without links, as far as it exists.
fn absolute(path: &Path) -> PathBuf {
    path.canonicalize()
        .or_else(|_| std::path::absolute(path))
        .unwrap_or_else(|_| path.to_owned())
}

/// The arguments that say what the text of a file means, with paths from the root.
fn of_meaning(words: &[String], folder: &Path) -> Vec<String> {
    let mut arguments = Vec::new();
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
                // A header that is not there is looked for as clang does.
                Some(_) if folder.join(value).exists() => folder.join(value).display().to_string(),
                Some(_) | None => value.to_owned(),
            });
        } else if says_what_text_means(word) {
            arguments.push(word.clone());
        } else if word == "-o" || word == "-MF" || word == "-MT" || word == "-MQ" {
            rest.next();
        }
    }
    arguments
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
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        let (source, toml) = (folder.join("src"), folder.join("Cargo.toml"));
        let expected = format!(
            "-D N=5 -D M -U unix -I {} -I /no/such -std=c99 -include {} -fsigned-char",
            source.display(),
            toml.display()
        );
        assert_eq!(of_meaning(&words(command), folder), words(&expected));
    }

    #[test]
    fn files_are_found_from_the_folder_of_their_command() {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("compile_commands.json");
        let source = folder.path().join("a.c");
        std::fs::write(&source, "").unwrap();
        let text = r#"[{"directory": ".", "file": "a.c", "command": "cc '-DTEXT=a b' -c a.c"}]"#;
        std::fs::write(&database, text).unwrap();
        let arguments = arguments_for(&database, &source).unwrap();
        assert_eq!(arguments, ["-D", "TEXT=a b"]);
        let other = arguments_for(&database, &folder.path().join("b.c"));
        let message = other.unwrap_err().to_string();
        assert!(message.contains("b.c; it has a.c"), "{message}");
        std::fs::write(&database, "{}").unwrap();
        assert!(arguments_for(&database, &source).is_err());
    }
}
