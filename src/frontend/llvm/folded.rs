//! Targets of the source for which clang generates no code, since they are unreachable: after `if (0)`, or in
//! a static function that is never called.
//!
//! They are found in the tokens of the preprocessed source: a call of the function, or the label, within the
//! body of a function. Lines are not found in this way: clang may also generate no code for a line that is
//! passed.

use super::compile::Compiler;
use super::{LoadError, TargetSpec};
use crate::source_text::SourceText;
use std::path::Path;

/// Whether a C file has one of the places that the target stands for.
pub(super) fn has_target(
    compiler: &Compiler,
    source: &Path,
    extra: &[String],
    target: &TargetSpec,
) -> Result<bool, LoadError> {
    let text = SourceText::new(compiler.preprocessed(source, extra, &[])?);
    Ok(target.names().iter().any(|name| has_name(&text, name)))
}

/// A name that a target may have in C.
pub(super) enum TargetName {
    /// A function that is called.
    Call(String),
    /// A function that is called or defined.
    Function(String),
    Label(String),
}

/// Whether the body of a function has the name, or a definition gives it to a function that need
/// not be called.
fn has_name(source: &SourceText, target: &TargetName) -> bool {
    let (name, behind) = match target {
        TargetName::Call(name) | TargetName::Function(name) => (name, b'('),
        TargetName::Label(name) => (name, b':'),
    };
    let may_be_definition = matches!(target, TargetName::Function(_));
    source.functions.iter().any(|function| {
        let mut body = function.body.clone();
        may_be_definition && function.name == *name
            // `goal::member` of C++ is no label.
            || body.any(|token| {
                source.is_name_before(token, name, behind) && !source.is_mark(token + 2, b':')
            })
    })
}

#[cfg(test)]
mod tests {
    use super::{SourceText, TargetName, has_name};

    fn has(text: &str, target: fn(String) -> TargetName) -> bool {
        has_name(
            &SourceText::new(text.to_owned()),
            &target("goal".to_owned()),
        )
    }

    #[test]
    fn calls_and_definitions_count_declarations_do_not() {
        let has_function = |text: &str| has(text, TargetName::Function);
        assert!(has_function("int main() { if (no) goal(); }"));
        assert!(has_function("static void goal(int x) { }"));
        assert!(has_function(
            "typedef __typeof__(1) t; static void goal(int x) { }"
        ));
        assert!(!has_function("void goal(int x); int main() { }"));
        assert!(!has_function(
            "struct s { int goal; }; int main() { goal; }"
        ));
    }

    #[test]
    fn a_call_is_no_definition() {
        assert!(has("int main() { goal(); }", TargetName::Call));
        assert!(!has("static void goal() { }", TargetName::Call));
    }

    #[test]
    fn labels_stand_before_colons() {
        assert!(has("int main() { goal: ; }", TargetName::Label));
        assert!(!has(
            "int main() { goal(); goal::next(); }",
            TargetName::Label
        ));
    }
}
