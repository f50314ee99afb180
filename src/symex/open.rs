//! Open loops: the locations of waiting states when a run ends.

use flowgraph::loops::LoopId;
use flowgraph::{FunctionId, Program, Span};
use semantics::{Location, State};
use std::collections::BTreeMap;
use template::{Coverage, TemplateTable};

/// A loop that states were in when the run ended, or when the solver gave them up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpenLoop {
    /// From 1, through all functions of the program, as [`TemplateTable::coverage`] numbers them.
    pub number: usize,
    /// How its iterations were executed; `None` without templates.
    pub coverage: Option<Coverage>,
    pub function: String,
    /// First line of the loop; unknown where nothing in it has a place.
    pub span: Span,
    /// Line of the loop's end, 0 where it is not known.
    pub last_line: u32,
    /// States that waited there.
    pub n_states: u64,
}

/// Counts states by the innermost loop that they are in.
pub(super) struct OpenLoops<'p> {
    program: &'p Program,
    counts: BTreeMap<(FunctionId, LoopId), u64>,
}

impl<'p> OpenLoops<'p> {
    pub fn new(program: &'p Program) -> OpenLoops<'p> {
        OpenLoops {
            program,
            counts: BTreeMap::new(),
        }
    }

    /// Counts a state; one in no loop of its function counts for the caller's loop.
    pub fn add(&mut self, state: &State) {
        for Location { function, node } in state.locations() {
            let nest = self.program.function(function).loops();
            if let Some(innermost) = nest.innermost(node) {
                *self.counts.entry((function, innermost)).or_insert(0) += 1;
                return;
            }
        }
    }

    /// Forgets all states.
    pub fn clear(&mut self) {
        self.counts.clear();
    }

    /// The loops, that with most states first; `table` is what the run had for them.
    pub fn finish(self, table: &TemplateTable) -> Vec<OpenLoop> {
        if self.counts.is_empty() {
            return Vec::new();
        }
        let known = table.coverage(self.program);
        let mut open: Vec<OpenLoop> = self
            .counts
            .into_iter()
            .map(|((function, natural), n_states)| {
                let data = self.program.function(function);
                let lines = data.loops().loops[natural.index()].lines;
                let known = known
                    .iter()
                    .find(|known| (known.function, known.id) == (function, natural))
                    .expect("coverage has every loop");
                OpenLoop {
                    number: known.number,
                    coverage: table.is_enabled().then(|| known.coverage.clone()),
                    function: data.name.clone(),
                    span: lines.map_or(Span::UNKNOWN, |lines| Span {
                        file: lines.file,
                        line: lines.first,
                        column: 0,
                    }),
                    last_line: lines.map_or(0, |lines| lines.last),
                    n_states,
                }
            })
            .collect();
        open.sort_by_key(|open| std::cmp::Reverse(open.n_states));
        open
    }
}
