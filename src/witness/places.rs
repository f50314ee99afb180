//! From the places of debug information to places in the files of the task.
//!
//! A preprocessed file has line markers (`# 12 "original.c"`), and debug information follows them;
//! witnesses count the lines of the file itself.

use super::WitnessError;
use super::task::shown;
use super::yaml::Place;
use flowgraph::{Program, Span};
use frontend::is_cplusplus;
use frontend::source_text::{Position, SourceText};
use std::path::{Path, PathBuf};

/// The C and C++ files of a task, and which of their lines debug information calls how.
pub(super) struct Sources {
    files: Vec<SourceFile>,
}

/// A file of the task.
pub(super) struct SourceFile {
    pub path: PathBuf,
    pub source: SourceText,
    /// Runs of lines, in order.
    runs: Vec<Run>,
}

/// Lines from `first` on that are called `called` and following of the file `name`.
struct Run {
    first: u32,
    name: String,
    called: u32,
}

/// A token of a file of the task.
#[derive(Clone, Copy)]
pub(super) struct Spot<'s> {
    pub file: &'s SourceFile,
    pub token: usize,
}

impl Sources {
    /// Reads the files.
    pub fn read(files: &[PathBuf]) -> Result<Sources, WitnessError> {
        let files = files.iter().map(|path| SourceFile::read(path));
        Ok(Sources {
            files: files.collect::<Result<_, _>>()?,
        })
    }

    /// The token that begins at a place of debug information.
    pub fn spot(&self, program: &Program, span: Span) -> Option<Spot<'_>> {
        if span.line == 0 {
            return None;
        }
        let name = program.files.get(usize::try_from(span.file).ok()?)?;
        self.files.iter().find_map(|file| {
            let line = file.own_line(name, span.line)?;
            let token = file.source.token_at(Position {
                line,
                column: span.column,
            })?;
            Some(Spot { file, token })
        })
    }

    /// What debug information calls the place of a byte of the file, if it is only one.
    pub fn span(&self, program: &Program, offset: usize) -> Option<Span> {
        let [file] = self.files.as_slice() else {
            return None;
        };
        let position = file.source.position(offset);
        let runs = file.runs.iter().rev();
        let run = runs.clone().find(|run| run.first <= position.line)?;
        // Two names of one file would be two files to debug information.
        let mut named = (0..).zip(&program.files);
        let mut named = named
            .by_ref()
            .filter(|(_, name)| same_file(&run.name, name));
        let (number, _) = named.next()?;
        named.next().is_none().then_some(Span {
            file: number,
            line: run.called + (position.line - run.first),
            column: position.column,
        })
    }

    /// The text of the file, if it is only one.
    pub fn only(&self) -> Option<&SourceText> {
        match self.files.as_slice() {
            [file] => Some(&file.source),
            _ => None,
        }
    }

    /// The first file whose text satisfies a question.
    pub fn any(&self, question: impl Fn(&SourceText) -> bool) -> bool {
        self.files.iter().any(|file| question(&file.source))
    }
}

impl Spot<'_> {
    /// The place of another token of the same file.
    pub fn place(&self, token: usize) -> Place {
        place(&self.file.source, token, shown(&self.file.path))
    }
}

/// The place of a token of a file.
pub(super) fn place(source: &SourceText, token: usize, file_name: String) -> Place {
    let position = source.position(source.tokens[token].start);
    let function = source.function_around(token);
    Place {
        file_name,
        line: position.line,
        column: Some(position.column),
        function: function.map(|function| function.name.clone()),
    }
}

/// The text of a file.
pub(super) fn read(path: &Path) -> Result<SourceText, WitnessError> {
    SourceText::read(path).map_err(WitnessError::cannot_read(path))
}

impl SourceFile {
    fn read(path: &Path) -> Result<SourceFile, WitnessError> {
        let is_c = path
            .extension()
            .is_some_and(|extension| extension == "c" || extension == "i");
        if !is_c && !is_cplusplus(path) {
            return Err(WitnessError::NotC {
                path: path.to_owned(),
            });
        }
        let source = read(path)?;
        Ok(SourceFile {
            path: path.to_owned(),
            runs: runs(&shown(path), &source.text),
            source,
        })
    }

    /// The line of this file that debug information calls `line` of `name`.
    fn own_line(&self, name: &str, line: u32) -> Option<u32> {
        let ends = self
            .runs
            .iter()
            .skip(1)
            .map(|run| run.first - 1)
            .chain([u32::MAX]);
        self.runs.iter().zip(ends).find_map(|(run, end)| {
            let own = run.first + line.checked_sub(run.called)?;
            (own < end && same_file(&run.name, name)).then_some(own)
        })
    }
}

fn same_file(lhs: &str, rhs: &str) -> bool {
    let plain = |name: &str| name.trim_start_matches("./").to_owned();
    if plain(lhs) == plain(rhs) {
        return true;
    }
    match (std::fs::canonicalize(lhs), std::fs::canonicalize(rhs)) {
        (Ok(lhs), Ok(rhs)) => lhs == rhs,
        _ => false,
    }
}

fn runs(path: &str, text: &str) -> Vec<Run> {
    let mut runs = vec![Run {
        first: 1,
        name: path.to_owned(),
        called: 1,
    }];
    for (number, line) in (1..).zip(text.lines()) {
        if let Some((called, name)) = line_marker(line) {
            let name = name.map_or_else(
                || runs.last().map(|run| run.name.clone()).unwrap_or_default(),
                str::to_owned,
            );
            runs.push(Run {
                first: number + 1,
                name,
                called,
            });
        }
    }
    runs
}

/// `# 12 "file.c" 1` or `#line 12 "file.c"`: the line and the file if it is named.
fn line_marker(line: &str) -> Option<(u32, Option<&str>)> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix("line").unwrap_or(rest).trim_start();
    let digits = rest.find(|c: char| !c.is_ascii_digit());
    let (number, rest) = rest.split_at(digits.unwrap_or(rest.len()));
    let name = rest
        .trim_start()
        .strip_prefix('"')
        .and_then(|rest| rest.split('"').next());
    Some((number.parse().ok()?, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_markers_are_undone() {
        let text = "# 1 \"a.c\"\n# 7 \"b.h\" 1\nint f();\n\n# 2 \"a.c\" 2\nint x;\nint y;\n";
        let file = SourceFile {
            path: "p.i".into(),
            source: SourceText::new(text.to_owned()),
            runs: runs("p.i", text),
        };
        assert_eq!(file.own_line("b.h", 7), Some(3));
        assert_eq!(file.own_line("a.c", 3), Some(7));
        assert_eq!(file.own_line("a.c", 1), None);
        assert_eq!(file.own_line("c.c", 1), None);
        assert_eq!(line_marker("#line 4"), Some((4, None)));
        assert_eq!(line_marker("#pragma once"), None);
    }
}
