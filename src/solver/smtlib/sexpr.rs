//! S-expressions of SMT-LIB 2, read without recursion.

use super::SmtError;

/// A token or a list, with the line on which it begins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Sexpr {
    Atom(String, u32),
    /// Text between double quotes.
    Text(String, u32),
    List(Vec<Sexpr>, u32),
}

impl Sexpr {
    pub(super) fn line(&self) -> u32 {
        match self {
            Sexpr::Atom(_, line) | Sexpr::Text(_, line) | Sexpr::List(_, line) => *line,
        }
    }

    pub(crate) fn atom(&self) -> Option<&str> {
        match self {
            Sexpr::Atom(name, _) => Some(name),
            Sexpr::Text(..) | Sexpr::List(..) => None,
        }
    }

    pub(crate) fn list(&self) -> Option<&[Sexpr]> {
        match self {
            Sexpr::List(items, _) => Some(items),
            Sexpr::Atom(..) | Sexpr::Text(..) => None,
        }
    }
}

// A deep list must not overflow the stack when it is dropped.
impl Drop for Sexpr {
    fn drop(&mut self) {
        let Sexpr::List(items, _) = self else { return };
        let mut pending = std::mem::take(items);
        while let Some(mut item) = pending.pop() {
            if let Sexpr::List(items, _) = &mut item {
                pending.append(items);
            }
        }
    }
}

/// All expressions of a text.
pub(crate) fn parse(text: &str) -> Result<Vec<Sexpr>, SmtError> {
    let mut open: Vec<(Vec<Sexpr>, u32)> = Vec::new();
    let mut top = Vec::new();
    let mut line = 1;
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let item = match c {
            '\n' => {
                line += 1;
                continue;
            }
            c if c.is_whitespace() => continue,
            ';' => {
                while rest.peek().is_some_and(|c| *c != '\n') {
                    rest.next();
                }
                continue;
            }
            '(' => {
                open.push((Vec::new(), line));
                continue;
            }
            ')' => {
                let (items, start) = open.pop().ok_or(SmtError::Syntax {
                    line,
                    what: "unexpected )",
                })?;
                Sexpr::List(items, start)
            }
            '|' => {
                let start = line;
                let mut name = String::new();
                loop {
                    match rest.next() {
                        Some('|') => break,
                        Some(c) => {
                            line += u32::from(c == '\n');
                            name.push(c);
                        }
                        None => {
                            return Err(SmtError::Syntax {
                                line: start,
                                what: "| is not closed",
                            });
                        }
                    }
                }
                Sexpr::Atom(name, start)
            }
            '"' => {
                let start = line;
                let mut text = String::new();
                loop {
                    match rest.next() {
                        Some('"') if rest.peek() == Some(&'"') => {
                            rest.next();
                            text.push('"');
                        }
                        Some('"') => break,
                        Some(c) => {
                            line += u32::from(c == '\n');
                            text.push(c);
                        }
                        None => {
                            return Err(SmtError::Syntax {
                                line: start,
                                what: "\" is not closed",
                            });
                        }
                    }
                }
                Sexpr::Text(text, start)
            }
            c => {
                let mut name = String::from(c);
                while let Some(c) = rest.peek() {
                    if c.is_whitespace() || matches!(c, '(' | ')' | ';' | '"' | '|') {
                        break;
                    }
                    name.push(*c);
                    rest.next();
                }
                Sexpr::Atom(name, line)
            }
        };
        match open.last_mut() {
            Some((items, _)) => items.push(item),
            None => top.push(item),
        }
    }
    match open.pop() {
        Some((_, line)) => Err(SmtError::Syntax {
            line,
            what: "( is not closed",
        }),
        None => Ok(top),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_nested_lists_comments_and_quoted_names() {
        let found = parse("; c\n(a (b |x y|)\n \"t\"\"u\")z").unwrap();
        let atom = |name: &str, line| Sexpr::Atom(name.to_owned(), line);
        let inner = Sexpr::List(vec![atom("b", 2), atom("x y", 2)], 2);
        let text = Sexpr::Text("t\"u".to_owned(), 3);
        assert_eq!(
            found,
            [
                Sexpr::List(vec![atom("a", 2), inner, text], 2),
                atom("z", 3)
            ]
        );
    }

    #[test]
    fn says_where_brackets_do_not_match() {
        assert_eq!(
            parse("(a\n(b)").unwrap_err(),
            SmtError::Syntax {
                line: 1,
                what: "( is not closed"
            }
        );
        assert_eq!(
            parse("a\n)").unwrap_err(),
            SmtError::Syntax {
                line: 2,
                what: "unexpected )"
            }
        );
    }

    #[test]
    fn depth_does_not_matter() {
        let deep = "(".repeat(200_000) + &")".repeat(200_000);
        assert_eq!(parse(&deep).unwrap().len(), 1);
    }
}
