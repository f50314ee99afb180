//! Reads programs in text form: the lines outside functions, and the lines of a function.
//!
//! Names of functions and globals are collected first, so that they can be used before they are
//! declared; registers and locations are declared as they come.

use super::lexer::{Line, Token, lines};
use super::names::is_word_char;
use crate::{
    EdgeId, Function, FunctionBuilder, FunctionId, Global, GlobalId, Granularity, Initializer,
    NodeId, Program, RegId, Span, Storage,
};
use indexmap::IndexMap;
use std::sync::Arc;

mod items;

use items::Cursor;

/// Why a text is not a program, and where (counted from 1).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {problem}")]
pub struct ParseError {
    pub line: u32,
    pub column: u32,
    pub problem: ParseProblem,
}

/// A problem at a position of the text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseProblem {
    #[error("unexpected character {0:?}")]
    Character(char),
    #[error("a name is missing")]
    EmptyName,
    #[error("the string does not end on its line")]
    Unterminated,
    #[error("unknown escape in a string")]
    Escape,
    #[error("expected {expected}, found {found}")]
    Expected {
        expected: &'static str,
        found: String,
    },
    #[error("there is no {kind} {name}")]
    Unknown { kind: NameKind, name: String },
    #[error("the {kind} {name} is declared twice")]
    Twice { kind: NameKind, name: String },
    #[error("{value} does not fit into {bits} bits")]
    TooLarge { value: String, bits: u32 },
}

/// The meaning of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameKind {
    FunctionOrGlobal,
    Function,
    Register,
    Location,
}

impl std::fmt::Display for NameKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            NameKind::FunctionOrGlobal => "function or global",
            NameKind::Function => "function",
            NameKind::Register => "register",
            NameKind::Location => "location",
        })
    }
}

impl std::str::FromStr for Program {
    type Err = ParseError;

    /// Reads the text form. The result is not verified.
    ///
    /// # Errors
    /// The first place where the text is not a program.
    fn from_str(text: &str) -> Result<Program, ParseError> {
        let lines = lines(text)?;
        let symbols = collect(&lines)?;
        let mut parser = Parser {
            symbols: &symbols,
            lines: lines.iter(),
        };
        parser.program()
    }
}

/// The meaning of `@name`.
#[derive(Clone, Copy)]
enum Symbol {
    Function(FunctionId),
    Global(GlobalId),
}

type Symbols = IndexMap<String, Symbol>;

/// Numbers the functions and globals in the order of their lines.
fn collect(lines: &[Line]) -> Result<Symbols, ParseError> {
    let mut symbols = Symbols::new();
    let (mut functions, mut globals) = (0, 0);
    for line in lines {
        let [(Token::Word(word), _), (Token::At(name), column), ..] = line.tokens.as_slice() else {
            continue;
        };
        let symbol = match word.as_str() {
            "fn" => {
                functions += 1;
                Symbol::Function(FunctionId(functions - 1))
            }
            "global" => {
                globals += 1;
                Symbol::Global(GlobalId(globals - 1))
            }
            _ => continue,
        };
        if symbols.insert(name.clone(), symbol).is_some() {
            return Err(ParseError {
                line: line.number,
                column: *column,
                problem: ParseProblem::Twice {
                    kind: NameKind::FunctionOrGlobal,
                    name: format!("@{name}"),
                },
            });
        }
    }
    Ok(symbols)
}

struct Parser<'a> {
    symbols: &'a Symbols,
    lines: std::slice::Iter<'a, Line>,
}

impl<'a> Parser<'a> {
    /// The next line; at the end of the text an error that says what was expected.
    fn line(&mut self, expected: &'static str) -> Result<&'a Line, ParseError> {
        self.lines.next().ok_or(ParseError {
            line: 0,
            column: 0,
            problem: ParseProblem::Expected {
                expected,
                found: "the end of the text".to_owned(),
            },
        })
    }

    fn program(&mut self) -> Result<Program, ParseError> {
        let line = self.line("a line `program …`")?;
        let scope = Scope::default();
        let mut head = Cursor::new(line, self.symbols, &scope);
        head.word("program")?;
        let granularity = head.one_of(
            &[(Granularity::Split, "split"), (Granularity::Block, "block")],
            "`split` or `block`",
        )?;
        head.word("pointers")?;
        let pointer_bits = head.number()?;
        head.word("main")?;
        let main = head.function()?;
        head.end()?;
        let mut program = Program {
            pointer_bits,
            granularity,
            functions: Vec::new(),
            globals: Vec::new(),
            main,
            files: Vec::new(),
        };
        while let Some(line) = self.lines.next() {
            let mut cursor = Cursor::new(line, self.symbols, &scope);
            if cursor.try_word("file") {
                program.files.push(cursor.text()?);
                cursor.end()?;
            } else if cursor.try_word("global") {
                program.globals.push(global(&mut cursor)?);
                cursor.end()?;
            } else if cursor.try_word("fn") {
                program.functions.push(Arc::new(self.function(line)?));
            } else {
                return Err(cursor.expected("`file`, `global` or `fn`"));
            }
        }
        Ok(program)
    }

    /// A function from its first line on, to the brace that closes it.
    fn function(&mut self, first: &Line) -> Result<Function, ParseError> {
        let mut body = Body::default();
        let no_regs = Scope::default();
        let mut head = Cursor::new(first, self.symbols, &no_regs);
        head.word("fn")?;
        let mut builder = FunctionBuilder::new(head.at()?);
        let mut params = Vec::new();
        head.symbol("(")?;
        while !head.try_symbol(")") {
            if !params.is_empty() {
                head.symbol(",")?;
            }
            let place = head.clone();
            let name = head.reg_name()?;
            if head.try_symbol(":") {
                let (pointer, bits) = head.reg_type()?;
                body.add_reg(&mut builder, &name, bits, pointer)
                    .map_err(|problem| place.error(problem))?;
            }
            params.push((name, place));
        }
        if head.try_symbol("->") {
            let (_, bits) = head.reg_type()?;
            builder.set_result_bits(Some(bits));
        }
        let mut entry = None;
        if head.try_word("entry") {
            entry = Some((head.clone(), head.name()?));
        }
        head.symbol("{")?;
        head.end()?;
        loop {
            let line = self.line("`}`")?;
            if Cursor::new(line, self.symbols, &no_regs).try_symbol("}") {
                break;
            }
            body.line(&mut builder, line, self.symbols)?;
        }
        let mut ids = Vec::with_capacity(params.len());
        for (name, place) in &params {
            ids.push(
                body.scope
                    .reg(name)
                    .map_err(|problem| place.error(problem))?,
            );
        }
        builder.set_params(ids);
        if let Some((place, name)) = entry {
            let node = body.nodes.get(&name).ok_or_else(|| {
                place.error(ParseProblem::Unknown {
                    kind: NameKind::Location,
                    name: name.clone(),
                })
            })?;
            builder.set_entry(*node);
        }
        Ok(builder.finish())
    }
}

/// Registers by name.
#[derive(Default)]
struct Scope {
    regs: IndexMap<String, RegId>,
}

impl Scope {
    fn reg(&self, name: &str) -> Result<RegId, ParseProblem> {
        self.regs
            .get(name)
            .copied()
            .ok_or_else(|| ParseProblem::Unknown {
                kind: NameKind::Register,
                name: format!("%{name}"),
            })
    }
}

/// A function that is being read.
#[derive(Default)]
struct Body {
    scope: Scope,
    nodes: IndexMap<String, NodeId>,
    /// Where lines that are steps belong.
    last_edge: Option<EdgeId>,
}

impl Body {
    fn add_reg(
        &mut self,
        builder: &mut FunctionBuilder,
        name: &str,
        bits: u32,
        pointer: bool,
    ) -> Result<(), ParseProblem> {
        if self.scope.regs.contains_key(name) {
            return Err(ParseProblem::Twice {
                kind: NameKind::Register,
                name: format!("%{name}"),
            });
        }
        let reg = builder.add_reg(name, bits, pointer);
        self.scope.regs.insert(name.to_owned(), reg);
        Ok(())
    }

    /// The location of this name, which may be new.
    fn node(&mut self, builder: &mut FunctionBuilder, name: String) -> NodeId {
        *self
            .nodes
            .entry(name)
            .or_insert_with_key(|name| builder.add_node(name, Span::UNKNOWN))
    }

    fn line(
        &mut self,
        builder: &mut FunctionBuilder,
        line: &Line,
        symbols: &Symbols,
    ) -> Result<(), ParseError> {
        let is_edge = matches!(line.tokens.get(1), Some((Token::Symbol("->"), _)));
        let first = match &line.tokens[0].0 {
            Token::Word(word) if !is_edge => word.as_str(),
            _ => "",
        };
        let empty = Scope::default();
        if first == "reg" {
            let mut cursor = Cursor::new(line, symbols, &empty);
            cursor.word("reg")?;
            let place = cursor.clone();
            let name = cursor.reg_name()?;
            cursor.symbol(":")?;
            let (pointer, bits) = cursor.reg_type()?;
            cursor.end()?;
            return self
                .add_reg(builder, &name, bits, pointer)
                .map_err(|problem| place.error(problem));
        }
        if first == "node" {
            let mut cursor = Cursor::new(line, symbols, &empty);
            cursor.word("node")?;
            let place = cursor.clone();
            let name = cursor.name()?;
            let span = cursor.span()?;
            let loop_end = cursor.loop_end()?;
            cursor.end()?;
            if self.nodes.contains_key(&name) {
                return Err(place.error(ParseProblem::Twice {
                    kind: NameKind::Location,
                    name,
                }));
            }
            let node = builder.add_node(&name, span);
            if let Some(last_line) = loop_end {
                builder.set_loop_end(node, last_line);
            }
            self.nodes.insert(name, node);
            return Ok(());
        }
        if is_edge {
            let mut cursor = Cursor::new(line, symbols, &empty);
            let source = cursor.name()?;
            cursor.symbol("->")?;
            let target = cursor.name()?;
            let source = self.node(builder, source);
            let target = self.node(builder, target);
            let edge = builder.add_edge(source, target, Vec::new());
            self.last_edge = Some(edge);
            let mut cursor = cursor.with_scope(&self.scope);
            if cursor.at_end() {
                return Ok(());
            }
            cursor.symbol(":")?;
            if !cursor.at_end() {
                builder.steps_mut(edge).extend(cursor.steps()?);
            }
            return Ok(());
        }
        let mut cursor = Cursor::new(line, symbols, &self.scope);
        let Some(edge) = self.last_edge else {
            return Err(cursor.expected("`reg`, `node` or an edge"));
        };
        builder.steps_mut(edge).extend(cursor.steps()?);
        Ok(())
    }
}

/// A global behind the word `global`.
fn global(cursor: &mut Cursor<'_>) -> Result<Global, ParseError> {
    let name = cursor.at()?;
    let bytes = cursor.number()?;
    let align = cursor.align()?;
    let storage = if cursor.try_word("const") {
        Storage::Constant
    } else if cursor.try_word("literal") {
        Storage::Literal
    } else {
        Storage::Variable
    };
    let initializer = if cursor.try_word("zero") {
        Initializer::Zero
    } else if cursor.try_word("extern") {
        Initializer::Extern
    } else {
        cursor.word("hex")?;
        let place = cursor.clone();
        let digits = cursor.text()?;
        let bytes = from_hex(&digits).ok_or_else(|| place.expected("pairs of hex digits"))?;
        let mut addresses = Vec::new();
        while cursor.try_symbol(",") {
            let offset = cursor.number()?;
            cursor.symbol("=")?;
            addresses.push((offset, cursor.expr()?));
        }
        Initializer::Bytes { bytes, addresses }
    };
    Ok(Global {
        name,
        bytes,
        align,
        storage,
        initializer,
    })
}

fn from_hex(digits: &str) -> Option<Vec<u8>> {
    if !digits.len().is_multiple_of(2) || !digits.chars().all(is_word_char) {
        return None;
    }
    (0..digits.len() / 2)
        .map(|index| u8::from_str_radix(&digits[2 * index..2 * index + 2], 16).ok())
        .collect()
}
