//! The nesting depth of a program, checked before any recursive traversal.
//!
//! An upper bound by characters alone: each opening bracket, operator and keyword nests the text after it,
//! until the statement or the list item ends.

use super::ast::{Diagnostic, Position};

/// Nothing is nested more deeply than this; a longer expression can be split into statements.
pub(super) const DEEPEST: usize = 400;

/// # Errors
/// If the program is nested too deeply, at the first place where it is.
pub(super) fn check(text: &str) -> Result<(), Diagnostic> {
    let mut scan = Scan {
        levels: vec![0],
        depth: 0,
        behind: Behind::Other,
    };
    let mut at = Position { line: 1, column: 1 };
    let mut rest = text.chars().peekable();
    let mut word = String::new();
    while let Some(c) = rest.next() {
        if c.is_ascii_alphanumeric() || c == '_' {
            word.push(c);
        } else {
            scan.word(&std::mem::take(&mut word));
            match (c, rest.peek()) {
                ('/', Some('/')) => while rest.next_if(|c| *c != '\n').is_some() {},
                ('/', Some('*')) => {
                    let mut last = ' ';
                    rest.next();
                    for c in rest.by_ref() {
                        at = after(at, c);
                        if last == '*' && c == '/' {
                            break;
                        }
                        last = c;
                    }
                }
                (c, _) => scan.character(c),
            }
        }
        if scan.depth > DEEPEST {
            let message = format!(
                "nested more than {DEEPEST} levels deep; split the expression or the statement"
            );
            return Err(Diagnostic::new(at, message));
        }
        at = after(at, c);
    }
    Ok(())
}

fn after(at: Position, c: char) -> Position {
    if c == '\n' {
        Position {
            line: at.line.saturating_add(1),
            column: 1,
        }
    } else {
        Position {
            column: at.column.saturating_add(1),
            ..at
        }
    }
}

/// What was just read, behind which a statement may be over unless `else` follows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Behind {
    Semicolon,
    /// That of a block or of a record.
    ClosingBrace,
    Other,
}

/// The levels within each open bracket, the outermost first.
struct Scan {
    levels: Vec<usize>,
    /// Their sum.
    depth: usize,
    behind: Behind,
}

impl Scan {
    fn deeper(&mut self) {
        if let Some(level) = self.levels.last_mut() {
            *level += 1;
            self.depth += 1;
        }
    }

    fn ends(&mut self) {
        if let Some(level) = self.levels.last_mut() {
            self.depth -= std::mem::take(level);
        }
    }

    fn character(&mut self, c: char) {
        if c.is_whitespace() {
            return;
        }
        let is_over = match self.behind {
            Behind::Semicolon => true,
            // Behind a record the expression continues with an operator.
            Behind::ClosingBrace => matches!(c, '{' | '}'),
            Behind::Other => false,
        };
        if is_over {
            self.ends();
        }
        self.behind = Behind::Other;
        match c {
            '(' | '[' | '{' => {
                self.deeper();
                self.levels.push(0);
            }
            ')' | ']' | '}' => {
                self.ends();
                if self.levels.len() > 1 {
                    self.levels.pop();
                }
                if c == '}' {
                    self.behind = Behind::ClosingBrace;
                }
            }
            ',' => self.ends(),
            ';' => self.behind = Behind::Semicolon,
            '+' | '-' | '*' | '/' | '!' | '&' | '|' | '<' | '>' | '=' | '.' => self.deeper(),
            _ => {}
        }
    }

    fn word(&mut self, word: &str) {
        if word.is_empty() {
            return;
        }
        if self.behind != Behind::Other && word != "else" {
            self.ends();
        }
        self.behind = Behind::Other;
        if matches!(word, "if" | "else" | "while" | "alloc") {
            self.deeper();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{DEEPEST, check};

    #[test]
    fn long_programs_are_not_deep_ones() {
        let many = 10 * DEEPEST;
        for statement in [
            "x = 1 + 2 * y;",
            "if (a) { x = 1; } else { x = 2; }",
            "while (a) { }",
            "x = {a: 1}; *p = -1;",
            "{ } // ((((\n",
        ] {
            let text = format!("main() {{ {} }}", statement.repeat(many));
            assert_eq!(check(&text), Ok(()), "{statement}");
        }
        let list = format!("x = [{}0];", "-1, ".repeat(many));
        assert_eq!(check(&list), Ok(()));
    }

    #[test]
    fn deep_programs_are_refused() {
        let many = 10 * DEEPEST;
        for piece in [
            "(",
            "[",
            "!",
            "*",
            "1 + ",
            "{} + ",
            "x[0]",
            "x.f",
            "f(1)(",
            "alloc ",
            "if (a) ",
            "if (a) { } else ",
            "if (a) x = 1; else ",
            "while (a) ",
            "{",
        ] {
            let text = format!("main() {{ {} }}", piece.repeat(many));
            assert!(check(&text).is_err(), "{piece}");
        }
    }
}
