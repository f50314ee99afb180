//! The cycles of a program with their templates, or why there are none.

use super::record::place;
use flowgraph::{Cycle, Function, FunctionId, Loop, Program, Span};
use serde::Serialize;
use std::fmt::Write;
use std::rc::Rc;
use template::{
    CycleRecord as Computed, LoopRecord as ComputedLoop, NoTemplate,
    RecursionRecord as ComputedRecursion, Refused, Template, TemplateTable,
};
use term::TermPool;

/// The result of `compact-se templates`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct TemplatesRecord {
    pub cycles: Vec<CycleRecord>,
    /// Natural loops for which a template was requested.
    pub loops: Vec<LoopRecord>,
    /// Ways in which functions call themselves.
    pub recursions: Vec<RecursionRecord>,
    /// Whether some function has more cycles than were examined.
    pub cycles_cut: bool,
}

/// A cycle.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct CycleRecord {
    pub function: String,
    /// Name of the entry location.
    pub entry: String,
    /// Locations along the core, the entry first and last.
    pub core: String,
    /// Source lines along the core, as `file:line` or `file:first-last`; empty if unknown.
    pub lines: String,
    /// Templates in the paper's notation, one for each shape of pointers met.
    pub templates: Vec<String>,
    /// Why there is no template, for each shape where there is none.
    pub refused: Vec<RefusalRecord>,
}

/// A natural loop.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct LoopRecord {
    pub function: String,
    /// Name of the header.
    pub header: String,
    /// The other locations of the loop.
    pub body: Vec<String>,
    /// Source lines, as `file:line` or `file:first-last`; empty if unknown.
    pub lines: String,
    /// As in [`CycleRecord`].
    pub templates: Vec<String>,
    /// As in [`CycleRecord`].
    pub refused: Vec<RefusalRecord>,
}

/// A way in which a function calls itself.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct RecursionRecord {
    pub function: String,
    /// Locations from the entry to the next call's; those between in one entry where all paths
    /// are folded.
    pub calls: Vec<String>,
    /// In two parts, in the paper's notation, as in [`CycleRecord`].
    pub templates: Vec<String>,
    /// As in [`CycleRecord`].
    pub refused: Vec<RefusalRecord>,
}

/// Why there is no template.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct RefusalRecord {
    pub reason: String,
    /// `file:line:column`, or empty.
    pub place: String,
}

impl TemplatesRecord {
    /// The record of what a table computed.
    #[must_use]
    pub fn new(table: &TemplateTable, pool: &TermPool, program: &Program) -> TemplatesRecord {
        let mut cycles = Vec::new();
        for (function, computed) in table.computed() {
            cycles.extend(
                computed
                    .iter()
                    .map(|cycle| CycleRecord::of(cycle, function, pool, program)),
            );
        }
        let loops = table.computed_loops();
        let loops =
            loops.map(|(function, natural)| LoopRecord::of(natural, function, pool, program));
        TemplatesRecord {
            cycles,
            loops: loops.collect(),
            recursions: table
                .recursions()
                .map(|(function, calls)| RecursionRecord::of(calls, function, pool, program))
                .collect(),
            cycles_cut: table.statistics().cycles_cut,
        }
    }

    /// How many cycles have a template.
    #[must_use]
    pub fn n_with_template(&self) -> usize {
        self.cycles
            .iter()
            .filter(|cycle| !cycle.templates.is_empty())
            .count()
    }

    /// The record as text.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for cycle in &self.cycles {
            cycle.write(&mut text);
        }
        for natural in &self.loops {
            natural.write(&mut text);
        }
        for calls in &self.recursions {
            calls.write(&mut text);
        }
        let n_cycles = self.cycles.len();
        let n_templates = self.n_with_template();
        let cut = if self.cycles_cut {
            " examined, more exist"
        } else {
            ""
        };
        let _ = writeln!(
            text,
            "cycles: {n_cycles}{cut}; with a template: {n_templates}"
        );
        if !self.loops.is_empty() {
            let n_loops = self.loops.len();
            let n_folded = self
                .loops
                .iter()
                .filter(|l| !l.templates.is_empty())
                .count();
            let _ = writeln!(text, "loops: {n_loops}; with a template: {n_folded}");
        }
        if !self.recursions.is_empty() {
            let n_calls = self.recursions.len();
            let folded = self.recursions.iter().filter(|r| !r.templates.is_empty());
            let n_folded = folded.count();
            let _ = writeln!(text, "recursions: {n_calls}; with a template: {n_folded}");
        }
        text
    }
}

impl CycleRecord {
    fn of(
        computed: &Computed,
        function: FunctionId,
        pool: &TermPool,
        program: &Program,
    ) -> CycleRecord {
        let cycle = &computed.cycle;
        let data = program.function(function);
        CycleRecord {
            function: data.name.clone(),
            entry: data.node(cycle.entry).name.clone(),
            core: cycle.describe_core(data),
            lines: lines(cycle, data, program),
            templates: shown(&computed.templates, pool, program),
            refused: refusals(&computed.refused, program),
        }
    }

    fn write(&self, text: &mut String) {
        let at = prefixed(", ", &self.lines);
        let _ = writeln!(text, "cycle {} in {}{at}", self.core, self.function);
        write_results(text, &self.templates, &self.refused);
    }
}

/// Templates in the paper's notation.
fn shown(templates: &[Rc<Template>], pool: &TermPool, program: &Program) -> Vec<String> {
    let templates = templates.iter();
    templates
        .map(|template| template.display(pool, program))
        .collect()
}

/// Why there are none.
fn refusals(refused: &Refused, program: &Program) -> Vec<RefusalRecord> {
    let reasons = refused.values();
    reasons
        .map(|reason| RefusalRecord::of(reason, program))
        .collect()
}

/// A text with a prefix; empty if the text is.
pub(super) fn prefixed(sign: &str, what: &str) -> String {
    if what.is_empty() {
        String::new()
    } else {
        format!("{sign}{what}")
    }
}

/// The templates and refusals of a cycle or loop.
fn write_results(text: &mut String, templates: &[String], refused: &[RefusalRecord]) {
    for template in templates {
        let _ = writeln!(text, "  template");
        for line in template.lines() {
            let _ = writeln!(text, "    {line}");
        }
    }
    for refusal in refused {
        let at = prefixed(", at ", &refusal.place);
        let _ = writeln!(text, "  no template: {}{at}", refusal.reason);
    }
    if templates.is_empty() && refused.is_empty() {
        let _ = writeln!(text, "  not computed");
    }
    text.push('\n');
}

impl LoopRecord {
    fn of(
        computed: &ComputedLoop,
        function: FunctionId,
        pool: &TermPool,
        program: &Program,
    ) -> LoopRecord {
        let natural = &computed.natural;
        let data = program.function(function);
        let names = data
            .node_ids()
            .filter(|node| *node != natural.header && natural.body.contains(node.index()));
        LoopRecord {
            function: data.name.clone(),
            header: data.node(natural.header).name.clone(),
            body: names.map(|node| data.node(node).name.clone()).collect(),
            lines: loop_lines(natural, program),
            templates: shown(&computed.templates, pool, program),
            refused: refusals(&computed.refused, program),
        }
    }

    fn write(&self, text: &mut String) {
        let at = prefixed(", ", &self.lines);
        let _ = writeln!(
            text,
            "loop {} {{{}}} in {}{at}",
            self.header,
            self.body.join(" "),
            self.function
        );
        write_results(text, &self.templates, &self.refused);
    }
}

impl RecursionRecord {
    fn of(
        computed: &ComputedRecursion,
        function: FunctionId,
        pool: &TermPool,
        program: &Program,
    ) -> RecursionRecord {
        let data = program.function(function);
        RecursionRecord {
            function: data.name.clone(),
            calls: computed.region.locations(data),
            templates: computed
                .templates
                .iter()
                .map(|template| template.display(pool, program))
                .collect(),
            refused: computed
                .refused
                .values()
                .map(|reason| RefusalRecord::of(reason, program))
                .collect(),
        }
    }

    fn write(&self, text: &mut String) {
        let calls = self.calls.join(" ");
        let _ = writeln!(text, "recursion {calls} in {}", self.function);
        write_results(text, &self.templates, &self.refused);
    }
}

impl RefusalRecord {
    fn of(reason: &NoTemplate, program: &Program) -> RefusalRecord {
        RefusalRecord {
            reason: reason.to_string(),
            place: place(program, reason.span()),
        }
    }
}

/// The source lines of the steps along a core, as one range in the file of the first of them.
pub(super) fn lines(cycle: &Cycle, function: &Function, program: &Program) -> String {
    let steps = cycle
        .core
        .iter()
        .flat_map(|edge| &function.edge(*edge).steps);
    // What is inlined into a loop of the source stands elsewhere.
    let nest = function.loops();
    let natural = (nest.innermost(cycle.entry)).map(|id| &nest.loops[id.index()]);
    let known = natural.and_then(|natural| {
        function.node(natural.header).loop_end?;
        natural.lines
    });
    let is_inside = |span: &Span| {
        known.is_none_or(|lines| {
            span.file == lines.file && (lines.first..=lines.last).contains(&span.line)
        })
    };
    let spans: Vec<Span> = steps
        .map(|step| step.span)
        .filter(|span| span.line != 0)
        .filter(is_inside)
        .collect();
    let Some(first) = spans.first() else {
        return natural.map_or_else(String::new, |natural| loop_lines(natural, program));
    };
    let in_file = || {
        spans
            .iter()
            .filter(|span| span.file == first.file)
            .map(|span| span.line)
    };
    let from = in_file().min().unwrap_or(first.line);
    let to = in_file().max().unwrap_or(first.line);
    let start = Span {
        line: from,
        ..*first
    };
    super::record::lines(program, start, to)
}

/// The source lines of a loop.
pub(super) fn loop_lines(natural: &Loop, program: &Program) -> String {
    natural.lines.map_or_else(String::new, |lines| {
        let start = Span {
            file: lines.file,
            line: lines.first,
            column: 0,
        };
        super::record::lines(program, start, lines.last)
    })
}
