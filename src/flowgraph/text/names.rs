//! Expressions and actions with the names of their program.

use crate::{
    Action, Builtin, Callee, EndKind, Expr, Function, FunctionId, GlobalId, NodeId, Program, RegId,
};
use std::fmt::{self, Display, Formatter};
use term::{BinOp, Bv, CastOp, CmpOp, FloatCast, FloatOp};

/// Knows what handles are called; handles that it does not know are shown as `%r7`, `@g7`.
#[derive(Clone, Copy)]
pub struct Names<'a> {
    program: &'a Program,
    function: Option<&'a Function>,
}

impl Program {
    /// Names as seen from the inside of a function of this program.
    #[must_use]
    pub fn names<'a>(&'a self, function: &'a Function) -> Names<'a> {
        Names {
            program: self,
            function: Some(function),
        }
    }
}

impl<'a> Names<'a> {
    /// Names of functions and globals only.
    pub(super) fn global(program: &'a Program) -> Names<'a> {
        Names {
            program,
            function: None,
        }
    }

    /// The expression in text form.
    pub fn expr(self, expr: &'a Expr) -> impl Display + 'a {
        Shown(move |f: &mut Formatter<'_>| self.write_expr(f, expr, false))
    }

    /// The action in text form.
    pub fn action(self, action: &'a Action) -> impl Display + 'a {
        Shown(move |f: &mut Formatter<'_>| self.write_action(f, action))
    }

    /// The register in text form, `%name`.
    pub fn reg(self, reg: RegId) -> impl Display + 'a {
        Shown(move |f: &mut Formatter<'_>| {
            match self
                .function
                .and_then(|function| function.regs.get(reg.index()))
            {
                Some(data) => write!(f, "%{}", Name(&data.name)),
                None => write!(f, "%{reg}"),
            }
        })
    }

    /// The location's name, quoted if need be.
    pub(super) fn node(self, node: NodeId) -> impl Display + 'a {
        Shown(move |f: &mut Formatter<'_>| match self.function {
            Some(function) => write!(f, "{}", Name(&function.node(node).name)),
            None => write!(f, "{node}"),
        })
    }

    pub(super) fn function(self, id: FunctionId) -> impl Display + 'a {
        Shown(
            move |f: &mut Formatter<'_>| match self.program.functions.get(id.index()) {
                Some(function) => write!(f, "@{}", Name(&function.name)),
                None => write!(f, "@{id}"),
            },
        )
    }

    fn global_name(self, id: GlobalId) -> impl Display + 'a {
        Shown(
            move |f: &mut Formatter<'_>| match self.program.globals.get(id.index()) {
                Some(global) => write!(f, "@{}", Name(&global.name)),
                None => write!(f, "@{id}"),
            },
        )
    }

    /// `inside`: parentheses around operators.
    fn write_expr(self, f: &mut Formatter<'_>, expr: &Expr, inside: bool) -> fmt::Result {
        match expr {
            Expr::Const(value) => write_constant(f, value),
            Expr::Reg(reg) => write!(f, "{}", self.reg(*reg)),
            Expr::Global(id) => write!(f, "{}", self.global_name(*id)),
            Expr::Function(id) => write!(f, "{}", self.function(*id)),
            Expr::Binary(BinOp::Xor, a, b) if **b == Expr::truth(true) => {
                write!(f, "!")?;
                self.write_expr(f, a, true)
            }
            Expr::Binary(op, a, b) => self.write_infix(f, binary_symbol(*op), a, b, inside),
            Expr::Compare(op, a, b) => self.write_infix(f, compare_symbol(*op), a, b, inside),
            Expr::Cast(op, bits, a) => {
                write!(f, "{}(", cast_word(*op))?;
                self.write_expr(f, a, false)?;
                write!(f, ", {bits})")
            }
            Expr::FloatBinary(op, a, b) => {
                write!(f, "{}(", word_of(&FLOAT_BINARY, op))?;
                self.write_list(f, [&**a, &**b])?;
                write!(f, ")")
            }
            Expr::FloatCast(op, bits, a) => {
                write!(f, "{}(", word_of(&FLOAT_CASTS, op))?;
                self.write_expr(f, a, false)?;
                write!(f, ", {bits})")
            }
            Expr::Ite(c, t, e) => {
                write!(f, "ite(")?;
                self.write_list(f, [&**c, &**t, &**e])?;
                write!(f, ")")
            }
        }
    }

    fn write_infix(
        self,
        f: &mut Formatter<'_>,
        symbol: &str,
        a: &Expr,
        b: &Expr,
        inside: bool,
    ) -> fmt::Result {
        if inside {
            write!(f, "(")?;
        }
        self.write_expr(f, a, true)?;
        write!(f, " {symbol} ")?;
        self.write_expr(f, b, true)?;
        if inside {
            write!(f, ")")?;
        }
        Ok(())
    }

    fn write_list<'e>(
        self,
        f: &mut Formatter<'_>,
        exprs: impl IntoIterator<Item = &'e Expr>,
    ) -> fmt::Result {
        for (position, expr) in exprs.into_iter().enumerate() {
            if position > 0 {
                write!(f, ", ")?;
            }
            self.write_expr(f, expr, false)?;
        }
        Ok(())
    }

    fn write_action(self, f: &mut Formatter<'_>, action: &Action) -> fmt::Result {
        let dst = |f: &mut Formatter<'_>, dst: Option<RegId>| match dst {
            Some(reg) => write!(f, "{} = ", self.reg(reg)),
            None => Ok(()),
        };
        match action {
            Action::Assume(condition) => {
                write!(f, "assume ")?;
                self.write_expr(f, condition, false)
            }
            Action::Assign(pairs) if pairs.is_empty() => write!(f, "skip"),
            Action::Assign(pairs) => {
                for (position, (reg, value)) in pairs.iter().enumerate() {
                    if position > 0 {
                        write!(f, ", ")?;
                    }
                    dst(f, Some(*reg))?;
                    self.write_expr(f, value, false)?;
                }
                Ok(())
            }
            Action::Load { dst: reg, address } => {
                dst(f, Some(*reg))?;
                write!(f, "load ")?;
                self.write_expr(f, address, false)
            }
            Action::Store { address, value } => {
                write!(f, "store ")?;
                self.write_expr(f, value, false)?;
                write!(f, " to ")?;
                self.write_expr(f, address, false)
            }
            Action::Alloca {
                dst: reg,
                bytes,
                align,
                name,
            } => {
                dst(f, Some(*reg))?;
                write!(f, "alloca ")?;
                self.write_expr(f, bytes, false)?;
                write!(f, "{} {}", Align(*align), Quoted(name))
            }
            Action::Input {
                dst: reg,
                name,
                call,
                unwritten,
            } => {
                dst(f, Some(*reg))?;
                write!(f, "input {}", Quoted(name))?;
                if let Some(call) = call {
                    write!(f, " of {}", Quoted(call))?;
                }
                f.write_str(if *unwritten { " unwritten" } else { "" })
            }
            Action::Call {
                dst: reg,
                callee,
                args,
            } => {
                dst(f, *reg)?;
                write!(f, "call ")?;
                match callee {
                    Callee::Direct(id) => write!(f, "{}", self.function(*id))?,
                    Callee::Indirect(pointer) => {
                        write!(f, "*")?;
                        self.write_expr(f, pointer, true)?;
                    }
                }
                write!(f, "(")?;
                self.write_list(f, args)?;
                write!(f, ")")
            }
            Action::Return(None) => write!(f, "return"),
            Action::Return(Some(value)) => {
                write!(f, "return ")?;
                self.write_expr(f, value, false)
            }
            Action::Builtin {
                dst: reg,
                builtin,
                args,
                name,
            } => {
                dst(f, *reg)?;
                write!(f, "{}(", builtin_word(*builtin))?;
                self.write_list(f, args)?;
                write!(f, ")")?;
                match name {
                    Some(name) => write!(f, " {}", Quoted(name)),
                    None => Ok(()),
                }
            }
            Action::Target => write!(f, "target"),
            Action::Cut => write!(f, "cut"),
            Action::Goal(goal) => write!(f, "goal {}", goal.0),
            Action::End(kind) => write!(f, "end {}", end_word(*kind)),
            Action::Unsupported(what) => write!(f, "unsupported {}", Quoted(what)),
        }
    }
}

fn write_constant(f: &mut Formatter<'_>, value: &Bv) -> fmt::Result {
    match value.width() {
        1 => write!(f, "{}", !value.is_zero()),
        width => write!(f, "{}:{width}", value.to_bigint()),
    }
}

/// Shows what a closure writes.
struct Shown<F>(F);

impl<F: Fn(&mut Formatter<'_>) -> fmt::Result> Display for Shown<F> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0(f)
    }
}

/// A name, quoted if it is not a word.
pub(super) struct Name<'a>(pub(super) &'a str);

impl Display for Name<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if !self.0.is_empty() && self.0.chars().all(is_word_char) {
            write!(f, "{}", self.0)
        } else {
            write!(f, "{}", Quoted(self.0))
        }
    }
}

/// Characters of names that are not quoted.
pub(super) fn is_word_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$' | '#')
}

/// A string in quotes; quotes, backslashes and control characters are escaped.
pub(super) struct Quoted<'a>(pub(super) &'a str);

impl Display for Quoted<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "\"")?;
        for c in self.0.chars() {
            match c {
                '"' | '\\' => write!(f, "\\{c}")?,
                c if c.is_control() => write!(f, "\\u{{{:x}}}", u32::from(c))?,
                c => write!(f, "{c}")?,
            }
        }
        write!(f, "\"")
    }
}

/// Each operator and its symbol; the parser reads the same tables.
pub(super) const BINARY: [(BinOp, &str); 13] = [
    (BinOp::Add, "+"),
    (BinOp::Sub, "-"),
    (BinOp::Mul, "*"),
    (BinOp::UDiv, "udiv"),
    (BinOp::SDiv, "sdiv"),
    (BinOp::URem, "urem"),
    (BinOp::SRem, "srem"),
    (BinOp::Shl, "<<"),
    (BinOp::LShr, ">>u"),
    (BinOp::AShr, ">>s"),
    (BinOp::And, "&"),
    (BinOp::Or, "|"),
    (BinOp::Xor, "^"),
];

pub(super) const COMPARE: [(CmpOp, &str); 10] = [
    (CmpOp::Eq, "=="),
    (CmpOp::Ne, "!="),
    (CmpOp::Ult, "<u"),
    (CmpOp::Ule, "<=u"),
    (CmpOp::Ugt, ">u"),
    (CmpOp::Uge, ">=u"),
    (CmpOp::Slt, "<s"),
    (CmpOp::Sle, "<=s"),
    (CmpOp::Sgt, ">s"),
    (CmpOp::Sge, ">=s"),
];

pub(super) const CASTS: [(CastOp, &str); 3] = [
    (CastOp::Trunc, "trunc"),
    (CastOp::ZExt, "zext"),
    (CastOp::SExt, "sext"),
];

pub(super) const FLOAT_BINARY: [(FloatOp, &str); 7] = [
    (FloatOp::Add, "fadd"),
    (FloatOp::Sub, "fsub"),
    (FloatOp::Mul, "fmul"),
    (FloatOp::Div, "fdiv"),
    (FloatOp::Eq, "feq"),
    (FloatOp::Lt, "flt"),
    (FloatOp::Le, "fle"),
];

pub(super) const FLOAT_CASTS: [(FloatCast, &str); 6] = [
    (FloatCast::Resize, "fresize"),
    (FloatCast::FromSigned, "sitofp"),
    (FloatCast::FromUnsigned, "uitofp"),
    (FloatCast::ToSigned, "fptosi"),
    (FloatCast::ToUnsigned, "fptoui"),
    (FloatCast::Sqrt, "fsqrt"),
];

/// ` align 16`, nothing for 1.
pub(super) struct Align(pub u64);

impl Display for Align {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            1 => Ok(()),
            align => write!(f, " align {align}"),
        }
    }
}

pub(super) const BUILTINS: [(Builtin, &str); 24] = [
    (Builtin::Malloc, "malloc"),
    (Builtin::AlignedAlloc, "aligned_alloc"),
    (Builtin::Calloc, "calloc"),
    (Builtin::Realloc, "realloc"),
    (Builtin::Free, "free"),
    (Builtin::SystemCalloc, "system_calloc"),
    (Builtin::SystemFree, "system_free"),
    (Builtin::New, "new"),
    (Builtin::NewArray, "new_array"),
    (Builtin::Delete, "delete"),
    (Builtin::DeleteArray, "delete_array"),
    (Builtin::MemCopy, "memcopy"),
    (Builtin::MemCopyApart, "memcopyapart"),
    (Builtin::MemSet, "memset"),
    (Builtin::Uninit, "uninit"),
    (Builtin::Unwritten, "unwritten"),
    (Builtin::ScopeBegin, "scope_begin"),
    (Builtin::ScopeEnd, "scope_end"),
    (Builtin::StackSave, "stacksave"),
    (Builtin::StackRestore, "stackrestore"),
    (Builtin::Use, "use"),
    (Builtin::Pair, "pair"),
    (Builtin::HasSize, "has_size"),
    (Builtin::IsSymbolic, "is_symbolic"),
];

fn word_of<T: PartialEq>(table: &[(T, &'static str)], item: &T) -> &'static str {
    table
        .iter()
        .find_map(|(known, word)| (known == item).then_some(*word))
        .expect("the table has every case")
}

fn binary_symbol(op: BinOp) -> &'static str {
    word_of(&BINARY, &op)
}

fn compare_symbol(op: CmpOp) -> &'static str {
    word_of(&COMPARE, &op)
}

fn cast_word(op: CastOp) -> &'static str {
    word_of(&CASTS, &op)
}

fn builtin_word(builtin: Builtin) -> &'static str {
    word_of(&BUILTINS, &builtin)
}

fn end_word(kind: EndKind) -> &'static str {
    word_of(EndKind::WORDS, &kind)
}
