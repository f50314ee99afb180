//! Templates of recursion in the paper's notation.

use super::{RecursionTemplate, Returns};
use crate::ExitTarget;
use crate::notation::describe_end;
use flowgraph::Program;
use std::fmt::Write;
use term::{SymbolNames, TermPool};

impl RecursionTemplate {
    /// The template as text: the descent, what frame κ keeps, and the ascent from the κ frames,
    /// which is left after all returns or in some frame ν.
    #[must_use]
    pub fn display(&self, pool: &TermPool, program: &Program) -> String {
        let mut text = self.descent.display(pool, program);
        let function = program.function(self.descent.entry.function);
        let Returns::Frames { frames, ascent } = &self.returns else {
            text.push_str("returns hand the result on\n");
            return text;
        };
        let returns = &ascent.returns;
        let symbols = self.descent.symbols.keys().chain(returns.symbols.keys());
        let symbols = symbols.chain([&frames.number, &returns.kappa]);
        let inputs = self.descent.inputs.iter().map(|input| input.array);
        let names = SymbolNames::among(pool, symbols.copied().chain(inputs));
        for (reg, value) in &frames.locals {
            let value = pool.display(*value).with_names(&names);
            let _ = writeln!(text, "frame κ: {} = {value}", function.reg(*reg).name);
        }
        for (site, waits) in frames.sites.iter().zip(&frames.waits_at) {
            let place = &function.node(site.return_to).name;
            let waits = pool.display(*waits).with_names(&names);
            let _ = writeln!(text, "frame κ: waits at {place} if {waits}");
        }
        let _ = writeln!(
            text,
            "returns in {}, {}",
            function.name,
            returns.region.locations(function).join(" ")
        );
        let function = ascent.function();
        for (position, exit) in returns.exits.iter().enumerate() {
            let target = match &exit.target {
                _ if position == 0 => "after all returns".to_owned(),
                ExitTarget::Location(location) => {
                    format!("in frame ν, {}", function.node(location.node).name)
                }
                ExitTarget::End(end) => format!("in frame ν, end ({})", describe_end(end)),
            };
            let source = &function.node(function.source(exit.edge)).name;
            let _ = writeln!(text, "  exit ({source}, {target})");
            exit.write(&mut text, pool, function, &names);
        }
        text
    }
}
