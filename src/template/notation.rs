//! Templates in the paper's notation.

use super::{EntryValue, ExitTarget, NoTemplate, Region, Rule, Template, TemplateExit};
use flowgraph::{Function, Program};
use semantics::PathEnd;
use std::fmt::Write;
use term::{SymbolId, SymbolNames, TermId, TermPool};

/// Longer conditions are written with one conjunct a line.
const LONGEST_LINE: usize = 100;

impl Template {
    /// The template as text: entry, core, what the symbols stand for, how the variables move,
    /// and one triple (x, θ_x\[κ\], φ_x\[κ\]) for each exit.
    #[must_use]
    pub fn display(&self, pool: &TermPool, program: &Program) -> String {
        let function = &program.functions[self.entry.function.index()];
        let name = |node| function.node(node).name.as_str();
        let names = self.names(pool);
        let show = |term: TermId| pool.display(term).with_names(&names);
        let mut text = String::new();
        let iterations = match &self.region {
            Region::Core(_) => "core",
            Region::Loop(_) => "loop",
            Region::Recursion(recursion) => recursion.phase.name(),
        };
        let _ = writeln!(
            text,
            "entry {} in {}, {iterations} {}",
            name(self.entry.node),
            function.name,
            self.region.locations(function).join(" ")
        );
        let kappa_bits = pool.width(pool.symbol_term(self.kappa));
        let _ = writeln!(
            text,
            "  {} has {kappa_bits} bits",
            names.get(pool, self.kappa)
        );
        for progression in &self.progressions {
            let variable = names.get(pool, progression.symbol);
            let value = show(progression.value);
            let _ = writeln!(
                text,
                "  θ*[κ]({variable}) = {value}   ({})",
                progression.rule.name()
            );
        }
        for exit in &self.exits {
            let target = match &exit.target {
                ExitTarget::Location(location) => name(location.node).to_owned(),
                ExitTarget::End(end) => format!("end ({})", describe_end(end)),
            };
            let _ = writeln!(
                text,
                "  exit ({}, {target})",
                name(function.source(exit.edge))
            );
            exit.write(&mut text, pool, function, &names);
        }
        text
    }

    /// The closed forms that iterations move by, with the names of C: variable, rule and value. The
    /// content of an object that iterations access as an array has `[]` behind its name.
    pub fn closed_forms(&self, pool: &TermPool) -> Vec<(String, Rule, String)> {
        let inputs = self.inputs.iter().map(|input| input.array);
        let found = self.progressions.iter().map(|found| found.symbol);
        let symbols: Vec<SymbolId> = found.chain(inputs).chain([self.kappa]).collect();
        let is_content =
            |symbol: &SymbolId| matches!(self.symbols.get(symbol), Some(EntryValue::Content(..)));
        let values = symbols.iter().filter(|symbol| !is_content(symbol));
        let mut names = SymbolNames::plain(pool, values.copied());
        let contents = || symbols.iter().filter(|symbol| is_content(symbol));
        for content in contents() {
            let name = pool.given_name(*content);
            if contents()
                .filter(|other| pool.given_name(**other) == name)
                .count()
                == 1
            {
                names.rename(*content, format!("{name}[]"));
            }
        }
        let forms = self.progressions.iter().map(|progression| {
            let variable = names.get(pool, progression.symbol).to_owned();
            let value = pool.display(progression.value).with_names(&names);
            (variable, progression.rule, value.to_string())
        });
        forms.collect()
    }

    /// Within a template few names need the number that makes them unique in the pool.
    fn names(&self, pool: &TermPool) -> SymbolNames {
        SymbolNames::among(pool, self.named())
    }

    /// The symbols that a template mentions.
    fn named(&self) -> impl Iterator<Item = SymbolId> {
        let last_inputs = self.exits.iter().flat_map(|exit| &exit.last_inputs);
        let counters = self.inner_counters.iter();
        let symbols = self.symbols.keys().chain([&self.kappa]).chain(counters);
        let inputs = self.inputs.iter().chain(last_inputs);
        let inputs = inputs.map(|input| input.array);
        symbols.copied().chain(inputs)
    }
}

impl TemplateExit {
    /// θ_x and φ_x; `function` has the registers.
    pub(super) fn write(
        &self,
        text: &mut String,
        pool: &TermPool,
        function: &Function,
        names: &SymbolNames,
    ) {
        let show = |term: TermId| pool.display(term).with_names(names);
        for (reg, value) in &self.registers {
            let register = &function.reg(*reg).name;
            let _ = writeln!(text, "    θ({register}) = {}", show(*value));
        }
        for (object, offset, value) in &self.cells {
            let address = pool.symbol_name(*object);
            let _ = writeln!(text, "    θ([{address} + {offset}]) = {}", show(*value));
        }
        if let Some(iterations) = self.iterations {
            let _ = writeln!(text, "    κ = {}", show(iterations));
        }
        let condition = show(self.condition).to_string();
        if condition.chars().count() <= LONGEST_LINE {
            let _ = writeln!(text, "    φ = {condition}");
            return;
        }
        let conjuncts = pool.conjuncts(self.condition);
        for (position, conjunct) in conjuncts.iter().enumerate() {
            let sign = if position == 0 { "φ =" } else { "  ∧" };
            let _ = writeln!(text, "    {sign} {}", show(*conjunct).as_conjunct());
        }
    }
}

/// The end of a path in a few words.
pub(super) fn describe_end(end: &PathEnd) -> String {
    match end {
        PathEnd::Returned => "main returns".to_owned(),
        PathEnd::Assumed(_) => "assumption".to_owned(),
        PathEnd::Target(_) => "target".to_owned(),
        PathEnd::Program(kind, _) => format!("{kind:?}"),
        PathEnd::Fault(fault, _) => fault.to_string(),
        PathEnd::Unsupported(what, _) => format!("unsupported: {what}"),
        PathEnd::Undecided(_) => "undecided".to_owned(),
    }
}

impl std::fmt::Display for NoTemplate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NoTemplate::Infeasible => f.write_str("no iteration along this core is feasible"),
            NoTemplate::Undecided(_) => {
                f.write_str("the solver could not decide whether an iteration is feasible")
            }
            NoTemplate::Splits(_) => f.write_str("a pointer has several targets"),
            NoTemplate::Calls(_) => {
                f.write_str("an iteration calls a function that is not inlined")
            }
            NoTemplate::Allocates(_) => f.write_str("an iteration allocates or frees memory"),
            NoTemplate::NoProgression { variable, step, .. } => {
                write!(
                    f,
                    "no rule gives the closed form of {variable}, which becomes {step} in an iteration"
                )
            }
            NoTemplate::WritesArray { object, why, .. } => {
                write!(
                    f,
                    "no closed form of what iterations write into {object}: {why}"
                )
            }
            NoTemplate::PointerMoves { variable, .. } => {
                write!(f, "{variable} points to another object after an iteration")
            }
            NoTemplate::InnerLoop { why, .. } => write!(f, "an inner loop: {why}"),
            NoTemplate::PathsDiffer { what, .. } => {
                write!(f, "the paths of an iteration differ in {what}")
            }
            NoTemplate::Recursion { why, .. } => f.write_str(why),
            NoTemplate::Limit(_) => f.write_str("a limit of the run was reached before the result"),
            NoTemplate::TooManyPaths(_) => f.write_str("an iteration has too many paths"),
            NoTemplate::Unsupported { what, .. } => write!(f, "not supported: {what}"),
        }
    }
}
