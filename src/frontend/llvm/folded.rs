//! Targets of the source for which clang generates no code, since they are unreachable: after `if (0)`, or in
//! a static function that is never called.
//!
//! They are found in the tokens of the preprocessed source: a call of the function, or the label, within the
//! body of a function. Lines are not found in this way: clang may also generate no code for a line that is
//! passed.

use super::compile::Compiler;
use super::{LoadError, TargetSpec};
use std::path::Path;

/// Whether a C file has one of the places that the target stands for.
pub(super) fn has_target(
    compiler: &Compiler,
    source: &Path,
    extra: &[String],
    target: &TargetSpec,
) -> Result<bool, LoadError> {
    let tokens = compiler.tokens(source, extra)?;
    let tokens: Vec<Token<'_>> = tokens.lines().filter_map(Token::read).collect();
    Ok(target
        .names()
        .into_iter()
        .any(|name| has_name(&tokens, &name)))
}

/// A name that a target may have in C.
pub(super) enum TargetName {
    /// A function that is called.
    Call(String),
    /// A function that is called or defined.
    Function(String),
    Label(String),
}

/// A token as `clang -dump-tokens` shows it.
struct Token<'t> {
    kind: &'t str,
    text: &'t str,
}

impl<'t> Token<'t> {
    /// ``identifier 'main'\t [LeadingSpace]\tLoc=<file.c:4:5>``
    fn read(line: &'t str) -> Option<Token<'t>> {
        let (kind, rest) = line.split_once(" '")?;
        let (text, _) = rest.split_once("'\t")?;
        Some(Token { kind, text })
    }
}

/// Whether the body of a function has the name, or a definition gives it to a function that need
/// not be called.
fn has_name(tokens: &[Token<'_>], target: &TargetName) -> bool {
    let (name, behind) = match target {
        TargetName::Call(name) | TargetName::Function(name) => (name, "l_paren"),
        TargetName::Label(name) => (name, "colon"),
    };
    let may_be_definition = matches!(target, TargetName::Function(_));
    let mut depth = 0u32;
    let mut in_body = false;
    let mut before = "";
    // The name in front of the first parenthesis since the last declaration: a function's, if a
    // body follows.
    let mut declared = None;
    for (position, token) in tokens.iter().enumerate() {
        let next = tokens.get(position + 1).map_or("", |next| next.kind);
        match token.kind {
            "l_brace" => {
                if depth == 0 {
                    in_body = before == "r_paren";
                    if in_body && may_be_definition && declared == Some(name.as_str()) {
                        return true;
                    }
                }
                depth += 1;
            }
            "r_brace" => depth = depth.saturating_sub(1),
            "semi" if depth == 0 => declared = None,
            "identifier" if depth == 0 && next == "l_paren" && declared.is_none() => {
                declared = Some(token.text);
            }
            "identifier" if depth > 0 && in_body && token.text == name && next == behind => {
                return true;
            }
            _ => {}
        }
        if depth == 0 && token.kind == "r_brace" {
            declared = None;
        }
        before = token.kind;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::{TargetName, Token, has_name};

    /// Tokens in clang's words, of words that stand apart.
    fn tokens(text: &str) -> Vec<Token<'_>> {
        let kind = |word: &str| match word {
            "(" => "l_paren",
            ")" => "r_paren",
            "{" => "l_brace",
            "}" => "r_brace",
            ";" => "semi",
            ":" => "colon",
            _ => "identifier",
        };
        (text.split(' '))
            .map(|text| Token {
                kind: kind(text),
                text,
            })
            .collect()
    }

    fn has_function(text: &str) -> bool {
        has_name(&tokens(text), &TargetName::Function("goal".to_owned()))
    }

    #[test]
    fn calls_and_definitions_count_declarations_do_not() {
        assert!(has_function("int main ( ) { if ( no ) goal ( ) ; }"));
        assert!(has_function("static void goal ( int x ) { }"));
        assert!(!has_function("void goal ( int x ) ; int main ( ) { }"));
        assert!(!has_function(
            "struct s { int goal ; } ; int main ( ) { goal ; }"
        ));
    }

    #[test]
    fn a_call_is_no_definition() {
        let call = TargetName::Call("goal".to_owned());
        assert!(has_name(&tokens("int main ( ) { goal ( ) ; }"), &call));
        assert!(!has_name(&tokens("static void goal ( ) { }"), &call));
    }

    #[test]
    fn labels_stand_before_colons() {
        let label = TargetName::Label("goal".to_owned());
        assert!(has_name(&tokens("int main ( ) { goal : ; }"), &label));
        assert!(!has_name(&tokens("int main ( ) { goal ( ) ; }"), &label));
    }

    #[test]
    fn clang_shows_tokens_so() {
        let token =
            Token::read("identifier 'main'\t [LeadingSpace]\tLoc=<t.c:4:5>").expect("a token");
        assert_eq!((token.kind, token.text), ("identifier", "main"));
    }
}
