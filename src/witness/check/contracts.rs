//! Function contracts in a copy of the program.
//!
//! Each function with a contract becomes two: its body under another name, and in its place one that only
//! asserts what the contract requires and returns anything that it ensures. `main` begins with a choice:
//! it goes on as it did, or calls one of the bodies with any arguments that the contract admits, and
//! asserts what it ensures. So calls within a body, recursive ones too, are those of the contract, and
//! what is shown of the bodies holds of all calls that return, by induction over the depth of calls.
//!
//! # Invariants
//! - That holds only if a function does nothing but return a value: programs that use memory are refused
//!   ([`uses_memory`]), as they are before anything is inserted.
//! - An expression of a contract is over parameters and the result only.

use super::Checked;
use crate::instrument::Insertions;
use crate::yaml::Contract;
use flowgraph::{Action, Callee, Program};
use frontend::source_text::SourceText;
use std::fmt::Write as _;

/// What is added to the name of a function for that of its body.
const BODY: &str = "_compact_se_body";
const RESULT: &str = "compact_se_result";
const OLD: &str = "compact_se_old_";
/// Any number.
const ANY: &str = "__VERIFIER_nondet_longlong()";
/// Words of the types of parameters and results.
const TYPE_WORDS: [&str; 8] = [
    "_Bool", "char", "short", "int", "long", "signed", "unsigned", "__int128",
];

/// A function as the text has it, with its contract.
struct Contracted<'a> {
    name: &'a str,
    /// The tokens of its name and its last brace, and the one where its definition begins.
    name_at: usize,
    last: usize,
    first: usize,
    is_static: bool,
    result: String,
    parameters: Vec<(String, String)>,
    /// Over the parameters.
    requires: String,
    /// Over [`RESULT`] and [`OLD`] with the names of parameters.
    ensures: String,
}

/// Inserts contracts; a violated one calls `violated` with the number of the contract. Gives what has to stand
/// before the program, or what is not understood.
pub(super) fn insert(
    checked: &Checked,
    insertions: &mut Insertions,
    contracts: &[Contract],
    violated: &dyn Fn(usize) -> String,
) -> Result<String, String> {
    let source = &checked.source;
    let mut harness = String::new();
    let main = source.function("main").ok_or("there is no main")?;
    let main = main.body.start;
    for (number, contract) in contracts.iter().enumerate() {
        let one = Contracted::read(checked, contract)?;
        if one.first > main && one.is_static {
            return Err(format!("{} is static and defined after main", one.name));
        }
        let start = |token: usize| source.tokens[token].start;
        let end = |token: usize| source.tokens[token].end;
        let violated = violated(number);
        insertions.add(start(one.first), format!("{}; ", one.head(one.name)));
        insertions.add(end(one.name_at), BODY);
        insertions.add(end(one.last), one.stand_in(&violated));
        harness += &one.harness(number, &violated);
    }
    insertions.add(source.tokens[main].end, format!(" {harness}"));
    Ok("extern long long __VERIFIER_nondet_longlong(void);".to_owned())
}

impl<'a> Contracted<'a> {
    fn read(checked: &'a Checked, contract: &Contract) -> Result<Contracted<'a>, String> {
        let source = &checked.source;
        let known = ["ext_c_expression", "c_expression", "acsl_expression"];
        if contract.kind != "function_contract" || !known.contains(&contract.format.as_str()) {
            return Err("its type or format is not known".to_owned());
        }
        let name = contract.location.function.as_deref();
        let function = name.and_then(|name| source.function(name));
        let function = function.ok_or("there is no such function")?;
        if function.name == "main" {
            return Err("main is never called".to_owned());
        }
        let no_prototype = || "its head is not supported".to_owned();
        let close = function
            .body
            .start
            .checked_sub(1)
            .ok_or_else(no_prototype)?;
        let open = source
            .partner(close)
            .filter(|open| *open > 1 && source.is_mark(close, b')'))
            .ok_or_else(no_prototype)?;
        let name_at = open - 1;
        if source.word(name_at) != function.name {
            return Err(no_prototype());
        }
        let is_word = |token: &usize| {
            let word = source.word(*token);
            TYPE_WORDS.contains(&word) || matches!(word, "static" | "void" | "inline")
        };
        let first = (0..name_at).rev().take_while(is_word).last();
        let first = first.ok_or_else(no_prototype)?;
        let ends = |mark: &u8| first == 0 || source.is_mark(first - 1, *mark);
        if !(first == 0 || [b';', b'}'].iter().any(ends)) {
            return Err(no_prototype());
        }
        let words: Vec<&str> = (first..name_at).map(|token| source.word(token)).collect();
        let is_type = |word: &&&str| !matches!(**word, "static" | "inline");
        let result: Vec<&str> = words.iter().filter(is_type).copied().collect();
        let parameters = parameters(source, open, close).ok_or_else(no_prototype)?;
        let names: Vec<&str> = parameters.iter().map(|(_, name)| name.as_str()).collect();
        let is_parameter = |word: &str| names.contains(&word);
        let requires = checked.expression(&contract.requires, None)?;
        only(&requires, &is_parameter)?;
        let is_result = |word: &str| result != ["void"] && word == RESULT;
        // As in ACSL, a parameter in a postcondition is what the caller gave.
        let ensures = checked.expression(&with_old(&contract.ensures), Some(RESULT))?;
        let ensures = at_entry(&ensures, &is_parameter);
        only(&ensures, &|word| {
            is_result(word) || word.strip_prefix(OLD).is_some_and(is_parameter)
        })?;
        Ok(Contracted {
            name: &function.name,
            name_at,
            last: function.body.end - 1,
            first,
            is_static: words.contains(&"static"),
            result: result.join(" "),
            parameters,
            requires,
            ensures,
        })
    }

    /// The head of a function like it.
    fn head(&self, name: &str) -> String {
        let parameters = self.parameters.iter();
        let parameters: Vec<String> = parameters
            .map(|(ty, name)| format!("{ty} {name}"))
            .collect();
        let parameters = if parameters.is_empty() {
            "void".to_owned()
        } else {
            parameters.join(", ")
        };
        let linkage = if self.is_static { "static " } else { "" };
        format!("{linkage}{} {name}({parameters})", self.result)
    }

    fn old(&self) -> String {
        let mut text = String::new();
        for (ty, name) in &self.parameters {
            let _ = write!(text, "{ty} {OLD}{name} = {name}; ");
        }
        text
    }

    /// What is called in its place.
    fn stand_in(&self, violated: &str) -> String {
        let (head, old) = (self.head(self.name), self.old());
        let (requires, ensures, result) = (&self.requires, &self.ensures, &self.result);
        let (declared, given) = match result.as_str() {
            "void" => (String::new(), String::new()),
            _ => (
                format!("{result} {RESULT} = ({result}){ANY}; "),
                format!("return {RESULT}; "),
            ),
        };
        format!(
            " {head} {{ if (!({requires})) {violated}(); {old}{declared}\
             compact_se_assume(!!({ensures})); {given}}} "
        )
    }

    /// A call of its body.
    fn harness(&self, number: usize, violated: &str) -> String {
        let body = format!("{}{BODY}", self.name);
        let mut text = format!("if ({ANY} == {number}) {{ ");
        if !self.is_static {
            let _ = write!(text, "{}; ", self.head(&body));
        }
        for (ty, name) in &self.parameters {
            let _ = write!(text, "{ty} {name} = ({ty}){ANY}; ");
        }
        let _ = write!(
            text,
            "compact_se_assume(!!({})); {}",
            self.requires,
            self.old()
        );
        if self.result != "void" {
            let _ = write!(text, "{} {RESULT} = ", self.result);
        }
        let names: Vec<&str> = self
            .parameters
            .iter()
            .map(|(_, name)| name.as_str())
            .collect();
        let _ = write!(
            text,
            "{body}({}); if (!({})) {violated}(); compact_se_assume(0); }} ",
            names.join(", "),
            self.ensures
        );
        text
    }
}

/// The types and names of parameters between these parentheses.
fn parameters(source: &SourceText, open: usize, close: usize) -> Option<Vec<(String, String)>> {
    let words: Vec<&str> = (open + 1..close).map(|token| source.word(token)).collect();
    if words.is_empty() || words == ["void"] {
        return Some(Vec::new());
    }
    let each = words.split(|word| *word == ",").map(|parameter| {
        let parameter = match parameter {
            ["const", rest @ ..] => rest,
            all => all,
        };
        let (name, ty) = parameter.split_last()?;
        let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        let is_type = !ty.is_empty() && ty.iter().all(|word| TYPE_WORDS.contains(word));
        (is_name && is_type && !TYPE_WORDS.contains(name))
            .then(|| (ty.join(" "), (*name).to_owned()))
    });
    each.collect()
}

/// The expression with `\at(x, Old)` and `\old(x)` as the names that hold these values.
fn with_old(text: &str) -> String {
    let mut rest = text;
    let mut written = String::new();
    while let Some(at) = rest.find('\\') {
        written += &rest[..at];
        let from = &rest[at..];
        let inner = from.strip_prefix("\\at(").or(from.strip_prefix("\\old("));
        let inner = inner.and_then(|inner| inner.split_once(')'));
        let name = inner.and_then(|(inner, behind)| {
            let (name, is_old) = match inner.split_once(',') {
                Some((name, state)) => (name, state.trim() == "Old"),
                None => (inner, from.starts_with("\\old(")),
            };
            let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let name = name.trim();
            (is_old && !name.is_empty() && name.chars().all(is_name)).then_some((name, behind))
        });
        match name {
            Some((name, behind)) => {
                written += OLD;
                written += name;
                rest = behind;
            }
            None => {
                written.push('\\');
                rest = &from[1..];
            }
        }
    }
    written + rest
}

/// The expression with parameters as the names that hold what they were at the entry.
fn at_entry(expression: &str, is_parameter: &dyn Fn(&str) -> bool) -> String {
    let source = SourceText::new(expression.to_owned());
    let mut insertions = Insertions::default();
    for token in 0..source.tokens.len() {
        if is_parameter(source.word(token)) {
            insertions.add(source.tokens[token].start, OLD.to_owned());
        }
    }
    insertions.apply(expression).0
}

/// Refuses an expression with other names than these.
fn only(expression: &str, is_known: &dyn Fn(&str) -> bool) -> Result<(), String> {
    let source = SourceText::new(expression.to_owned());
    for token in 0..source.tokens.len() {
        let word = source.word(token);
        let is_word = source.tokens[token].kind == frontend::source_text::TokenKind::Word;
        if is_word && !TYPE_WORDS.contains(&word) && !is_known(word) {
            return Err(format!("{word} is not a parameter"));
        }
    }
    Ok(())
}

/// Whether a program does more than compute with numbers, so that its functions may do more than return one.
pub(super) fn uses_memory(program: &Program) -> bool {
    let functions = program.functions.iter();
    let edges = functions.flat_map(|function| function.edge_ids().map(|edge| function.edge(edge)));
    let mut actions = edges.flat_map(|edge| &edge.steps).map(|step| &step.action);
    actions.any(|action| match action {
        Action::Load { .. }
        | Action::Store { .. }
        | Action::Alloca { .. }
        | Action::Builtin { .. }
        | Action::Unsupported(_) => true,
        Action::Call { callee, .. } => matches!(callee, Callee::Indirect(_)),
        Action::Assume(_)
        | Action::Assign(_)
        | Action::Input { .. }
        | Action::Return(_)
        | Action::Target
        | Action::Cut
        | Action::Goal(_)
        | Action::End(_) => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_at_the_call_have_names() {
        assert_eq!(
            with_old("\\result >= \\at(n, Old) && \\old(m) > 0"),
            "\\result >= compact_se_old_n && compact_se_old_m > 0"
        );
        assert_eq!(with_old("\\at(n, Pre) == 1"), "\\at(n, Pre) == 1");
        assert_eq!(with_old("\\at(f(n), Old)"), "\\at(f(n), Old)");
    }

    #[test]
    fn heads_of_functions_are_read() {
        let text = "static unsigned int f(int n, unsigned long m) { return f(n, m); } int main(void) { return 0; }";
        let source = SourceText::new(text.to_owned());
        let read = parameters(&source, 4, source.partner(4).unwrap()).unwrap();
        assert_eq!(read[1], ("unsigned long".to_owned(), "m".to_owned()));
        let pointers = SourceText::new("int g(int *n) { return *n; }".to_owned());
        assert_eq!(parameters(&pointers, 2, pointers.partner(2).unwrap()), None);
    }
}
