//! Source locations for people: those of the program, and those in models of the C library.
//!
//! Events within a model are reported at the program's call: `strcmp, called at file.c:12:7`. Such a place
//! has the line and column of the call, and a file name made by [`called_at`]. If a function of a model is
//! not inlined, its lines belong to a file whose name begins with [`MODEL_FILES`], and the call stack gives
//! the call.

use super::{Program, Span};

/// Begins the names of files that are models of the C library.
pub const MODEL_FILES: &str = "<models>/";

/// Folder of the headers of the C++ library, whose templates are part of the program.
const HEADERS_OF_CPLUSPLUS: &str = "/include/c++/";

/// Whether a file is the library's: a model, or a header of the C++ library.
#[must_use]
pub fn is_of_library(file: &str) -> bool {
    file.starts_with(MODEL_FILES) || (file.starts_with('/') && file.contains(HEADERS_OF_CPLUSPLUS))
}

/// Stands between a function of the C library and the file that calls it.
const CALLED_AT: &str = ", called at ";

/// The name of a file, where a function of the C library is executed that is called there.
#[must_use]
pub fn called_at(function: &str, file: &str) -> String {
    format!("{function}{CALLED_AT}{file}")
}

/// The file that a name of [`called_at`] is about; another name as it is.
#[must_use]
pub fn file_of_call(name: &str) -> &str {
    name.split_once(CALLED_AT).map_or(name, |(_, file)| file)
}

impl Program {
    /// The file of a place, as it is opened; `None` where the place is not known.
    #[must_use]
    pub fn file(&self, span: Span) -> Option<&str> {
        let name = self.name_of_file(span)?;
        Some(file_of_call(name))
    }

    /// Whether a place is a line of a model, or of a header of the C++ library.
    #[must_use]
    pub fn is_in_library(&self, span: Span) -> bool {
        self.name_of_file(span).is_some_and(is_of_library)
    }

    /// A place in the source for people: `file.c:12:3`, without the column where that is
    /// unknown (`file.c:12`), and `<unknown>` where the line is; `strcmp, called at file.c:12:3`
    /// within a function of the C library.
    #[must_use]
    pub fn describe(&self, span: Span) -> String {
        if span.line == 0 {
            return "<unknown>".to_owned();
        }
        let file = self.name_of_file(span).unwrap_or("<unknown file>");
        if span.column == 0 {
            format!("{file}:{}", span.line)
        } else {
            format!("{file}:{}:{}", span.line, span.column)
        }
    }

    fn name_of_file(&self, span: Span) -> Option<&str> {
        let index = usize::try_from(span.file).ok()?;
        let name = self.files.get(index).filter(|_| span.line != 0)?;
        Some(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_in_the_file_of_the_program() {
        assert_eq!(called_at("strcmp", "a.c"), "strcmp, called at a.c");
        assert_eq!(file_of_call("strcmp, called at a.c"), "a.c");
        assert_eq!(file_of_call("a.c"), "a.c");
    }
}
