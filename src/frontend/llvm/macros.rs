//! The macros of a C file, from clang's preprocessor.

use super::compile::Compiler;
use super::{DataModel, LoadError, LoadOptions, find_clang, prepare};
use process::Folder;
use std::path::Path;

/// A definition of a macro: by the program, a header, an argument of clang or clang itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MacroDefinition {
    pub name: String,
    /// Whether it stands for something only where parentheses follow its name.
    pub has_parameters: bool,
    /// Its replacement text, without expansion.
    pub text: String,
}

/// Every definition that clang passes when it compiles a C file of these options, also those that are
/// undone later. What has no definition (`__LINE__`, `__COUNTER__`) is not among them.
///
/// # Errors
/// If there is no clang, or the file cannot be preprocessed.
pub fn macros(options: &LoadOptions, file: &Path) -> Result<Vec<MacroDefinition>, LoadError> {
    let folder = Folder::new("compact-se-")
        .map_err(|error| LoadError::system("create a temporary folder", &error))?;
    let compiler = Compiler {
        clang: find_clang()?,
        data_model: options.data_model.unwrap_or(DataModel::Lp64),
        include: prepare::models::write_headers(folder.path())?,
    };
    // A file that is preprocessed may define macros all the same.
    let further = ["-dD", "-x", "c"];
    let text = compiler.preprocessed(file, &options.arguments_for(file)?, &further)?;
    Ok(text.lines().filter_map(definition).collect())
}

/// `#define NAME text` or `#define NAME(parameters) text`.
fn definition(line: &str) -> Option<MacroDefinition> {
    let rest = line.strip_prefix("#define ")?;
    let end = rest.find([' ', '(']).unwrap_or(rest.len());
    let (name, rest) = rest.split_at(end);
    let parameters = rest.strip_prefix('(').map(|rest| rest.split_once(')'));
    let text = match parameters {
        Some(parameters) => parameters?.1,
        None => rest,
    };
    Some(MacroDefinition {
        name: name.to_owned(),
        has_parameters: parameters.is_some(),
        text: text.trim().to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_are_read() {
        let read = |line: &str| {
            let found = definition(line)?;
            Some((found.name, found.has_parameters, found.text))
        };
        let all = |name: &str, has: bool, text: &str| Some((name.to_owned(), has, text.to_owned()));
        assert_eq!(read("#define A (s = 1)"), all("A", false, "(s = 1)"));
        assert_eq!(read("#define A(x,y) f(x)"), all("A", true, "f(x)"));
        assert_eq!(read("#define A"), all("A", false, ""));
        assert_eq!(read("#undef A"), None);
        assert_eq!(read("int x;"), None);
    }
}
