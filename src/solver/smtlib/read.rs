//! Commands and terms.

use rustc_hash::FxHashMap;

use super::sexpr::Sexpr;
use super::{Script, SmtError, Status};
use num_bigint::BigUint;
use term::{Bv, CmpOp, Sort, SymbolId, Term, TermId, TermPool};

/// Terms are read recursively up to this depth (`let` and left-nested sums take none).
const MAX_DEPTH: u32 = 2_000;
/// Widths above this are refused.
pub(super) const MAX_WIDTH: u32 = 1 << 16;

/// The meaning of a name.
#[derive(Clone)]
enum Binding {
    Term(TermId),
    /// An uninterpreted function: argument widths and the array over the joined arguments.
    Function(Vec<u32>, TermId),
    /// A defined function: parameters with sorts, and its body.
    Macro(Vec<(String, Sort)>, Sexpr),
}

pub(super) struct Reader<'a> {
    pub(super) pool: &'a mut TermPool,
    names: FxHashMap<String, Vec<Binding>>,
    script: Script,
    depth: u32,
}

pub(super) type Result<T> = std::result::Result<T, SmtError>;

fn syntax(at: &Sexpr, what: &'static str) -> SmtError {
    SmtError::Syntax {
        line: at.line(),
        what,
    }
}

pub(super) fn unsupported(at: &Sexpr, what: impl Into<String>) -> SmtError {
    SmtError::Unsupported {
        line: at.line(),
        what: what.into(),
    }
}

pub(super) fn operands(at: &Sexpr, operator: &str) -> SmtError {
    SmtError::Operands {
        line: at.line(),
        operator: operator.to_owned(),
    }
}

impl<'a> Reader<'a> {
    pub(super) fn new(pool: &'a mut TermPool) -> Reader<'a> {
        Reader {
            pool,
            names: FxHashMap::default(),
            script: Script::default(),
            depth: 0,
        }
    }

    pub(super) fn script(mut self, commands: &[Sexpr]) -> Result<Script> {
        for command in commands {
            let items = command
                .list()
                .ok_or_else(|| syntax(command, "a command is expected"))?;
            let name = items.first().and_then(Sexpr::atom);
            match (name, items) {
                (Some("set-info"), [_, key, value]) if key.atom() == Some(":status") => {
                    self.script.status = match value.atom() {
                        Some("sat") => Some(Status::Sat),
                        Some("unsat") => Some(Status::Unsat),
                        _ => Some(Status::Unknown),
                    };
                }
                (
                    Some(
                        "set-info" | "set-logic" | "set-option" | "check-sat" | "get-model"
                        | "get-info" | "get-unsat-core" | "exit",
                    ),
                    _,
                ) => {}
                (Some("declare-fun"), [_, name, arguments, sort]) => {
                    self.declare(name, arguments, sort)?;
                }
                (Some("declare-const"), [_, name, sort]) => {
                    self.declare(name, &Sexpr::List(Vec::new(), 0), sort)?;
                }
                (Some("define-fun"), [_, name, parameters, _, body]) => {
                    self.define(name, parameters, body)?;
                }
                (Some("define-const"), [_, name, _, body]) => {
                    self.define(name, &Sexpr::List(Vec::new(), 0), body)?;
                }
                (Some("assert"), [_, term]) => {
                    let assertion = self.term(term)?;
                    self.truth(term, assertion, "assert")?;
                    self.script.assertions.push(assertion);
                }
                (Some(other), _) => return Err(unsupported(command, other)),
                (None, _) => return Err(syntax(command, "a command is expected")),
            }
        }
        Ok(self.script)
    }

    fn bind(&mut self, name: &str, binding: Binding) {
        self.names.entry(name.to_owned()).or_default().push(binding);
    }

    fn unbind(&mut self, name: &str) {
        if let Some(bindings) = self.names.get_mut(name) {
            bindings.pop();
        }
    }

    fn declare(&mut self, name: &Sexpr, arguments: &Sexpr, sort: &Sexpr) -> Result<()> {
        let text = name
            .atom()
            .ok_or_else(|| syntax(name, "a name is expected"))?;
        let arguments = arguments
            .list()
            .ok_or_else(|| syntax(name, "argument sorts"))?;
        let value = self.sort(sort)?;
        if arguments.is_empty() {
            let symbol = self.pool.symbol(text, value);
            self.script.symbols.push((text.to_owned(), symbol));
            let term = self.pool.symbol_term(symbol);
            self.bind(text, Binding::Term(term));
            return Ok(());
        }
        let mut widths = Vec::new();
        for argument in arguments {
            match self.sort(argument)? {
                Sort::Bv(width) => widths.push(width),
                Sort::Array { .. } => return Err(unsupported(argument, "a function of arrays")),
            }
        }
        let Sort::Bv(value) = value else {
            return Err(unsupported(sort, "a function with array values"));
        };
        let symbol = self.pool.symbol(
            text,
            Sort::Array {
                index: widths.iter().sum(),
                value,
            },
        );
        self.script.symbols.push((text.to_owned(), symbol));
        let array = self.pool.symbol_term(symbol);
        self.bind(text, Binding::Function(widths, array));
        Ok(())
    }

    fn define(&mut self, name: &Sexpr, parameters: &Sexpr, body: &Sexpr) -> Result<()> {
        let text = name
            .atom()
            .ok_or_else(|| syntax(name, "a name is expected"))?;
        let parameters = parameters
            .list()
            .ok_or_else(|| syntax(name, "parameters"))?;
        let binding = if parameters.is_empty() {
            Binding::Term(self.term(body)?)
        } else {
            Binding::Macro(self.sorted_variables(parameters)?, body.clone())
        };
        self.bind(text, binding);
        Ok(())
    }

    fn sorted_variables(&mut self, variables: &[Sexpr]) -> Result<Vec<(String, Sort)>> {
        variables
            .iter()
            .map(|variable| match variable.list() {
                Some([Sexpr::Atom(name, _), sort]) => Ok((name.clone(), self.sort(sort)?)),
                _ => Err(syntax(variable, "a variable with its sort is expected")),
            })
            .collect()
    }

    pub(super) fn sort(&mut self, at: &Sexpr) -> Result<Sort> {
        if at.atom() == Some("Bool") {
            return Ok(Sort::Bv(1));
        }
        match at.list() {
            Some([underscore, kind, width])
                if underscore.atom() == Some("_") && kind.atom() == Some("BitVec") =>
            {
                let width = number(width)?;
                if !(1..=MAX_WIDTH).contains(&width) {
                    return Err(unsupported(at, "this width"));
                }
                Ok(Sort::Bv(width))
            }
            Some([kind, index, value]) if kind.atom() == Some("Array") => {
                match (self.sort(index)?, self.sort(value)?) {
                    (Sort::Bv(index), Sort::Bv(value)) => Ok(Sort::Array { index, value }),
                    _ => Err(unsupported(at, "an array of arrays")),
                }
            }
            _ => Err(unsupported(at, "this sort")),
        }
    }

    fn term(&mut self, at: &Sexpr) -> Result<TermId> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(SmtError::TooDeep { line: at.line() });
        }
        let result = self.term_inner(at);
        self.depth -= 1;
        result
    }

    fn term_inner(&mut self, at: &Sexpr) -> Result<TermId> {
        // Nested lets, as exporters write them, in a loop.
        let mut at = at;
        let mut bound: Vec<String> = Vec::new();
        let result = loop {
            match at.list() {
                Some([head, bindings, body]) if head.atom() == Some("let") => {
                    let bindings = bindings.list().ok_or_else(|| syntax(at, "bindings"))?;
                    let mut values = Vec::new();
                    for binding in bindings {
                        match binding.list() {
                            Some([Sexpr::Atom(name, _), value]) => {
                                values.push((name.clone(), self.term(value)?));
                            }
                            _ => return Err(syntax(binding, "a name with its value is expected")),
                        }
                    }
                    for (name, value) in values {
                        self.bind(&name, Binding::Term(value));
                        bound.push(name);
                    }
                    at = body;
                }
                Some([head, body, ..]) if head.atom() == Some("!") => at = body,
                Some(items) => break self.application(at, items),
                None => break self.leaf(at),
            }
        };
        for name in bound.iter().rev() {
            self.unbind(name);
        }
        result
    }

    fn leaf(&mut self, at: &Sexpr) -> Result<TermId> {
        let name = at.atom().ok_or_else(|| syntax(at, "a term is expected"))?;
        if let Some(Binding::Term(term)) = self.names.get(name).and_then(|b| b.last()) {
            return Ok(*term);
        }
        let digits = |radix: u32, bits: usize, text: &str| {
            let value = BigUint::parse_bytes(text.as_bytes(), radix)?;
            let width = u32::try_from(text.len() * bits)
                .ok()
                .filter(|w| *w <= MAX_WIDTH)?;
            Some(Bv::from_biguint(width, &value))
        };
        match name {
            "true" => Ok(TermId::TRUE),
            "false" => Ok(TermId::FALSE),
            _ => {
                let value = if let Some(text) = name.strip_prefix("#b") {
                    digits(2, 1, text)
                } else if let Some(text) = name.strip_prefix("#x") {
                    digits(16, 4, text)
                } else {
                    return Err(SmtError::Undeclared {
                        line: at.line(),
                        name: name.to_owned(),
                    });
                };
                let value = value.ok_or_else(|| syntax(at, "a constant is expected"))?;
                Ok(self.pool.constant(&value))
            }
        }
    }

    fn application(&mut self, at: &Sexpr, items: &[Sexpr]) -> Result<TermId> {
        let [head, arguments @ ..] = items else {
            return Err(syntax(at, "an empty list is not a term"));
        };
        match head {
            Sexpr::Atom(name, _) if name == "_" => self.indexed_constant(at, arguments),
            Sexpr::Atom(name, _) if name == "forall" || name == "exists" => {
                self.quantifier(at, name == "forall", arguments)
            }
            Sexpr::Atom(name, _) => {
                let binding = self
                    .names
                    .get(name.as_str())
                    .and_then(|b| b.last())
                    .cloned();
                if let Some(Binding::Macro(parameters, body)) = binding {
                    return self.expand(at, name, &parameters, &body, arguments);
                }
                let mut values = Vec::with_capacity(arguments.len());
                for argument in arguments {
                    values.push(self.term(argument)?);
                }
                match binding {
                    Some(Binding::Function(widths, array)) => {
                        self.call(at, name, &widths, array, &values)
                    }
                    _ => self.operator(at, name, &values),
                }
            }
            Sexpr::List(inner, _) => {
                let [argument] = arguments else {
                    return Err(unsupported(head, "this operator"));
                };
                let value = self.term(argument)?;
                self.indexed(at, inner, value)
            }
            Sexpr::Text(..) => Err(syntax(at, "an operator is expected")),
        }
    }

    /// `(_ bv5 32)`.
    fn indexed_constant(&mut self, at: &Sexpr, arguments: &[Sexpr]) -> Result<TermId> {
        let [value, width] = arguments else {
            return Err(unsupported(at, "this constant"));
        };
        let width = number(width)?;
        let value = value
            .atom()
            .and_then(|v| v.strip_prefix("bv"))
            .and_then(|v| v.parse::<BigUint>().ok())
            .ok_or_else(|| unsupported(at, "this constant"))?;
        if !(1..=MAX_WIDTH).contains(&width) {
            return Err(unsupported(at, "this width"));
        }
        Ok(self.pool.constant(&Bv::from_biguint(width, &value)))
    }

    fn expand(
        &mut self,
        at: &Sexpr,
        name: &str,
        parameters: &[(String, Sort)],
        body: &Sexpr,
        arguments: &[Sexpr],
    ) -> Result<TermId> {
        if parameters.len() != arguments.len() {
            return Err(operands(at, name));
        }
        let mut values = Vec::new();
        for ((_, sort), argument) in parameters.iter().zip(arguments) {
            let value = self.term(argument)?;
            if self.pool.sort(value) != *sort {
                return Err(operands(at, name));
            }
            values.push(value);
        }
        for ((parameter, _), value) in parameters.iter().zip(values) {
            self.bind(parameter, Binding::Term(value));
        }
        let result = self.term(body);
        for (parameter, _) in parameters {
            self.unbind(parameter);
        }
        result
    }

    fn call(
        &mut self,
        at: &Sexpr,
        name: &str,
        widths: &[u32],
        array: TermId,
        values: &[TermId],
    ) -> Result<TermId> {
        let fits = widths.len() == values.len()
            && values
                .iter()
                .zip(widths)
                .all(|(v, w)| self.pool.sort(*v) == Sort::Bv(*w));
        if !fits {
            return Err(operands(at, name));
        }
        let mut index = values[0];
        for value in &values[1..] {
            index = self.pool.concat(index, *value);
        }
        Ok(self.pool.select(array, index))
    }

    fn quantifier(&mut self, at: &Sexpr, forall: bool, arguments: &[Sexpr]) -> Result<TermId> {
        let [variables, body] = arguments else {
            return Err(syntax(at, "variables and a body"));
        };
        let variables = variables.list().ok_or_else(|| syntax(at, "variables"))?;
        let variables = self.sorted_variables(variables)?;
        self.bind_variables(at, forall, &variables, body)
    }

    fn bind_variables(
        &mut self,
        at: &Sexpr,
        forall: bool,
        variables: &[(String, Sort)],
        body: &Sexpr,
    ) -> Result<TermId> {
        let Some(((name, sort), rest)) = variables.split_first() else {
            return self.term(body);
        };
        let Sort::Bv(width) = *sort else {
            return Err(unsupported(at, "a quantified array"));
        };
        // A guard that is written as such, before anything is simplified.
        if rest.is_empty()
            && let Some((limit, inner)) = written_guard(forall, name, body)
        {
            let limit = self.term(limit)?;
            if self.pool.sort(limit) != *sort {
                return Err(operands(at, "bvult"));
            }
            let (tau, inner) = self.open(at, forall, name, width, &[], inner)?;
            return Ok(self.close(forall, tau, limit, inner));
        }
        let (tau, inner) = self.open(at, forall, name, width, rest, body)?;
        // Under a negation ∃ is ∀: one shape to look for.
        let opposite = if forall { inner } else { self.pool.not(inner) };
        let (limit, tau, opposite) = match self.guard(tau, opposite) {
            Some((limit, rest)) => (limit, tau, rest),
            None => self.unguarded(tau, width, opposite),
        };
        let inner = if forall {
            opposite
        } else {
            self.pool.not(opposite)
        };
        Ok(self.close(forall, tau, limit, inner))
    }

    fn open(
        &mut self,
        at: &Sexpr,
        forall: bool,
        name: &str,
        width: u32,
        rest: &[(String, Sort)],
        body: &Sexpr,
    ) -> Result<(SymbolId, TermId)> {
        let tau = self.pool.symbol(name, Sort::Bv(width));
        let term = self.pool.symbol_term(tau);
        self.bind(name, Binding::Term(term));
        let inner = self.bind_variables(at, forall, rest, body);
        self.unbind(name);
        let inner = inner?;
        self.truth(at, inner, "a quantifier")?;
        Ok((tau, inner))
    }

    fn close(&mut self, forall: bool, tau: SymbolId, limit: TermId, body: TermId) -> TermId {
        if forall {
            self.pool.forall_below(tau, limit, body)
        } else {
            self.pool.exists_below(tau, limit, body)
        }
    }

    /// k and φ of a body k ≤ τ ∨ φ, where k does not mention τ.
    fn guard(&mut self, tau: SymbolId, body: TermId) -> Option<(TermId, TermId)> {
        let variable = self.pool.symbol_term(tau);
        let parts = self.pool.disjuncts(body);
        for (position, part) in parts.iter().enumerate() {
            let limit = match self.pool.view(*part) {
                Term::Compare(CmpOp::Ule, limit, v) if v == variable => limit,
                Term::Compare(CmpOp::Ult, least, v) if v == variable => {
                    // Only with a constant: least < τ is least + 1 ≤ τ, without overflow.
                    let next = self.pool.as_u64(least)?.checked_add(1)?;
                    let width = self.pool.width(variable);
                    self.pool.bv(width, next)
                }
                _ => continue,
            };
            if self.pool.symbols_of(limit).contains(&tau) {
                continue;
            }
            let rest = parts
                .iter()
                .enumerate()
                .filter(|(i, _)| *i != position)
                .map(|(_, p)| *p);
            let rest: Vec<TermId> = rest.collect();
            return Some((limit, self.pool.disj(rest)));
        }
        None
    }

    /// All 2^w values: a variable one bit wider below 2^w.
    fn unguarded(&mut self, tau: SymbolId, width: u32, body: TermId) -> (TermId, SymbolId, TermId) {
        let wide = self.pool.symbol("tau", Sort::Bv(width + 1));
        let wide_term = self.pool.symbol_term(wide);
        let narrow = self.pool.extract(0, width, wide_term);
        let mut theta = indexmap::IndexMap::new();
        theta.insert(tau, narrow);
        let body = self.pool.substitute(body, &mut theta);
        let one = self.pool.bv(1, 1);
        let zeros = self.pool.constant(&Bv::zero(width));
        (self.pool.concat(one, zeros), wide, body)
    }

    fn truth(&self, at: &Sexpr, term: TermId, operator: &str) -> Result<()> {
        if self.pool.sort(term) == Sort::Bv(1) {
            Ok(())
        } else {
            Err(operands(at, operator))
        }
    }
}

pub(super) fn number(at: &Sexpr) -> Result<u32> {
    at.atom()
        .and_then(|n| n.parse().ok())
        .ok_or_else(|| syntax(at, "a number is expected"))
}

/// k and φ of `(=> (bvult τ k) φ)` or `(and (bvult τ k) φ)`.
fn written_guard<'s>(forall: bool, tau: &str, body: &'s Sexpr) -> Option<(&'s Sexpr, &'s Sexpr)> {
    let [head, guard, inner] = body.list()? else {
        return None;
    };
    if head.atom()? != if forall { "=>" } else { "and" } {
        return None;
    }
    match guard.list()? {
        [less, variable, limit]
            if less.atom() == Some("bvult")
                && variable.atom() == Some(tau)
                && !mentions(limit, tau) =>
        {
            Some((limit, inner))
        }
        _ => None,
    }
}

fn mentions(at: &Sexpr, name: &str) -> bool {
    let mut stack = vec![at];
    while let Some(item) = stack.pop() {
        match item {
            Sexpr::Atom(atom, _) if atom == name => return true,
            Sexpr::Atom(..) | Sexpr::Text(..) => {}
            Sexpr::List(items, _) => stack.extend(items),
        }
    }
    false
}
