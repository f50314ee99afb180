//! Necessary conditions in the paper's notation.

use super::{AbstractPath, AppliedSummary, NecessaryCondition, Rule, Summary};
use flowgraph::{EdgeId, Function, Program};
use semantics::PathEnd;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::rc::Rc;
use term::{SymbolId, SymbolNames, TermId, TermPool};

/// Longer formulas are cut.
const LONGEST: usize = 2_000;

/// No more of the predicates that were left out are shown.
const MOST_LOST: usize = 20;

/// A necessary condition for people: texts in the paper's notation.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ConditionView {
    /// All summaries, by loop entry.
    pub loops: Vec<LoopView>,
    /// The disjuncts of φ̂, in order.
    pub backbones: Vec<BackboneView>,
    /// Paths to undefined behaviour.
    pub n_undefined: usize,
    /// Predicates that were left out, since they mention ⋆; the first of them.
    pub lost: Vec<String>,
    /// How many these are in all.
    pub n_lost: usize,
}

/// A loop along backbones, with its summary.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LoopView {
    /// The loop entry v.
    pub entry: String,
    /// Where that is in the source.
    pub place: String,
    /// The loop C.
    pub nodes: Vec<String>,
    /// Its backbones.
    pub ways: Vec<WayView>,
    /// θ^κ⃗.
    pub forms: Vec<FormView>,
    /// φ^κ⃗.
    pub condition: String,
    /// Of path counters.
    pub bits: u32,
}

/// A backbone of a loop, or several with the same effect.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct WayView {
    /// κᵢ.
    pub counter: String,
    /// Its nodes; v′ is the last one.
    pub nodes: Vec<String>,
    pub n_backbones: u64,
    /// φ′ᵢ.
    pub condition: String,
    /// The counters of loops along it that the state determines, which φ′ᵢ mentions no more:
    /// `κ#2 = n - i`.
    #[serde(default)]
    pub relations: Vec<String>,
    /// The loops along it, as indices of [`ConditionView::loops`].
    pub loops: Vec<usize>,
}

/// θ^κ⃗ of a variable.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FormView {
    pub variable: String,
    /// ⋆ where no rule gives it.
    pub value: String,
    /// The name of the rule.
    pub rule: String,
}

/// A backbone of the program, or several with the same effect.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BackboneView {
    pub nodes: Vec<String>,
    pub n_backbones: u64,
    /// Its end with its location: `the target at program.c:7`.
    pub end: String,
    /// The path counters in φ.
    pub counters: Vec<String>,
    /// φ, but for the ∃ of the counters.
    pub condition: String,
    /// The loops along it, as indices of [`ConditionView::loops`].
    pub loops: Vec<usize>,
}

impl NecessaryCondition {
    /// Summaries, backbones and φ̂ in the paper's notation.
    pub fn view(&self, pool: &mut TermPool, program: &Program) -> ConditionView {
        let function = program.function(program.main);
        let loops = self.summaries.iter();
        let loops = loops.map(|summary| self.view_loop(summary, pool, program, function));
        let loops = loops.collect();
        let paths = self.paths.iter();
        let backbones = paths.map(|path| self.view_path(path, pool, program, function));
        let backbones = backbones.collect();
        let lost = self.lost.iter().take(MOST_LOST).map(|lost| {
            let names = names_of(pool, [lost.predicate]);
            show(pool, lost.predicate, &names)
        });
        ConditionView {
            loops,
            backbones,
            n_undefined: self.open.len(),
            lost: lost.collect(),
            n_lost: self.lost.len(),
        }
    }

    /// Their places among all summaries.
    fn places(&self, loops: &[AppliedSummary]) -> Vec<usize> {
        let place = |applied: &AppliedSummary| {
            let mut all = self.summaries.iter();
            all.position(|summary| Rc::ptr_eq(summary, &applied.summary))
        };
        loops.iter().filter_map(place).collect()
    }

    /// The loop, its backbones, θ^κ⃗ and φ^κ⃗.
    fn view_loop(
        &self,
        summary: &Summary,
        pool: &mut TermPool,
        program: &Program,
        function: &Function,
    ) -> LoopView {
        let nodes = summary.nodes.iter().map(|index| {
            let node = flowgraph::NodeId(u32::try_from(index).unwrap_or(u32::MAX));
            function.node(node).name.clone()
        });
        let mut terms: Vec<TermId> = summary.forms.iter().map(|form| form.value).collect();
        for backbone in &summary.backbones {
            terms.push(backbone.condition);
            let relations = backbone.relations.iter();
            terms.extend(
                relations.flat_map(|(counter, value)| [pool.symbol_term(*counter), *value]),
            );
        }
        terms.push(summary.condition);
        let mut names = names_of(pool, terms);
        for star in &summary.stars {
            names.rename(*star, "⋆".to_owned());
        }
        let ways = summary.backbones.iter().map(|backbone| WayView {
            counter: names.get(pool, backbone.counter).to_owned(),
            nodes: path_names(function, &backbone.edges),
            n_backbones: backbone.n_backbones,
            condition: show(pool, backbone.condition, &names),
            relations: (backbone.relations.iter())
                .map(|(counter, value)| {
                    let counter = names.get(pool, *counter).to_owned();
                    format!("{counter} = {}", show(pool, *value, &names))
                })
                .collect(),
            loops: self.places(&backbone.loops),
        });
        let ways = ways.collect();
        let forms = summary.forms.iter().map(|form| FormView {
            variable: names.get(pool, form.symbol).to_owned(),
            value: match form.rule {
                Rule::Unknown => "⋆".to_owned(),
                _ => show(pool, form.value, &names),
            },
            rule: form.rule.name().to_owned(),
        });
        let forms = forms.collect();
        let entry = function.node(summary.entry);
        LoopView {
            entry: entry.name.clone(),
            place: program.describe(entry.span),
            nodes: nodes.collect(),
            ways,
            forms,
            condition: show(pool, summary.condition, &names),
            bits: pool.width(pool.symbol_term(summary.total)),
        }
    }

    fn view_path(
        &self,
        path: &AbstractPath,
        pool: &mut TermPool,
        program: &Program,
        function: &Function,
    ) -> BackboneView {
        let end = match &path.end {
            PathEnd::Target(span) => format!("the target at {}", program.describe(*span)),
            PathEnd::Unsupported(what, span) => format!("{what} at {}", program.describe(*span)),
            _ => "its end".to_owned(),
        };
        let names = names_of(pool, [path.condition]);
        let counters = path.loops.iter().flat_map(AppliedSummary::all_counters);
        let mentioned = pool.symbols_of(path.condition);
        let counters: Vec<String> = counters
            .filter_map(|counter| pool.as_symbol(counter))
            .filter(|symbol| mentioned.contains(symbol))
            .map(|symbol| names.get(pool, symbol).to_owned())
            .collect();
        BackboneView {
            nodes: path_names(function, &path.edges),
            n_backbones: path.n_backbones,
            end,
            counters,
            condition: show(pool, path.condition, &names),
            loops: self.places(&path.loops),
        }
    }
}

impl ConditionView {
    /// φ̂ by its disjuncts.
    #[must_use]
    pub fn formula(&self) -> String {
        if self.backbones.is_empty() {
            return "φ̂ ≡ false".to_owned();
        }
        let numbers = 1..=self.backbones.len();
        let disjuncts: Vec<String> = numbers.map(|number| format!("φ{number}")).collect();
        format!("φ̂ ≡ {}", disjuncts.join(" ∨ "))
    }

    /// The text about paths to undefined behaviour; `None` if there are none.
    #[must_use]
    pub fn about_undefined(&self) -> Option<String> {
        let paths = count(self.n_undefined as u64, "path");
        (self.n_undefined > 0).then(|| format!("{paths} in addition, to undefined behaviour"))
    }

    /// The text about dropped predicates; `None` if there are none.
    #[must_use]
    pub fn about_lost(&self) -> Option<String> {
        let predicates = count(self.n_lost as u64, "predicate");
        (self.n_lost > 0)
            .then(|| format!("{predicates} left out, since they contain ⋆, a value without a rule"))
    }
}

/// As text, of many lines.
impl fmt::Display for ConditionView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for of_loop in &self.loops {
            write!(f, "{of_loop}")?;
        }
        for (number, backbone) in (1..).zip(&self.backbones) {
            writeln!(f, "{}", backbone.title())?;
            writeln!(f, "  {}", backbone.formula(number))?;
        }
        writeln!(f, "{}", self.formula())?;
        if let Some(undefined) = self.about_undefined() {
            writeln!(f, "{undefined}")?;
        }
        if let Some(lost) = self.about_lost() {
            writeln!(f, "{lost}:")?;
            for predicate in &self.lost {
                writeln!(f, "  {predicate}")?;
            }
            if self.n_lost > self.lost.len() {
                writeln!(f, "  …")?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for LoopView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.title())?;
        for (number, way) in (1..).zip(&self.ways) {
            writeln!(f, "  {}", way.title())?;
            writeln!(f, "    {}", self.way_formula(number))?;
        }
        for form in &self.forms {
            writeln!(f, "  {form}")?;
        }
        writeln!(f, "  φ^κ ≡ {}", self.condition)?;
        writeln!(f, "  path counters have {} bits", self.bits)
    }
}

impl LoopView {
    /// `loop {c, d, e, f} at c`.
    #[must_use]
    pub fn title(&self) -> String {
        format!("loop {{{}}} at {}", self.nodes.join(", "), self.entry)
    }

    /// φ′ᵢ of the i-th way, from 1, and what counters are that the state determines.
    ///
    /// # Panics
    /// If there is none.
    #[must_use]
    pub fn way_formula(&self, number: usize) -> String {
        let way = &self.ways[number - 1];
        let number = match self.ways.len() {
            1 => String::new(),
            _ => number.to_string(),
        };
        let relations = match way.relations.as_slice() {
            [] => String::new(),
            relations => format!(", with {}", relations.join(", ")),
        };
        format!("φ′{number} ≡ {}{relations}", way.condition)
    }
}

impl WayView {
    /// `κ1 counts c d e f c′`.
    #[must_use]
    pub fn title(&self) -> String {
        let (counter, nodes) = (&self.counter, self.nodes.join(" "));
        format!("{counter} counts {nodes}{}", like_it(self.n_backbones))
    }
}

/// `θ^κ(i) = i + κ   (steps)`.
impl fmt::Display for FormView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FormView {
            variable,
            value,
            rule,
        } = self;
        write!(f, "θ^κ({variable}) = {value}   ({rule})")
    }
}

impl BackboneView {
    /// `backbone a b c g h to the target at program.c:7`.
    #[must_use]
    pub fn title(&self) -> String {
        let (nodes, like_it) = (self.nodes.join(" "), like_it(self.n_backbones));
        format!("backbone {nodes}{like_it} to {}", self.end)
    }

    /// φ with its counters, as the disjunct of φ̂ with this number.
    #[must_use]
    pub fn formula(&self, number: usize) -> String {
        let exists = match self.counters.as_slice() {
            [] => String::new(),
            counters => format!("∃{}. ", counters.join(", ")),
        };
        format!("φ{number} ≡ {exists}{}", self.condition)
    }
}

impl AppliedSummary {
    /// The path counters, and the number of all iterations where that is another symbol.
    pub(super) fn all_counters(&self) -> impl Iterator<Item = TermId> + '_ {
        let total = (self.counters.len() > 1).then_some(self.total);
        self.counters.iter().copied().chain(total)
    }
}

fn names_of(pool: &mut TermPool, terms: impl IntoIterator<Item = TermId>) -> SymbolNames {
    let mut symbols: Vec<SymbolId> = Vec::new();
    for term in terms {
        symbols.extend(pool.symbols_of(term).iter());
    }
    symbols.sort_unstable();
    symbols.dedup();
    SymbolNames::among(pool, symbols)
}

fn show(pool: &TermPool, term: TermId, names: &SymbolNames) -> String {
    let text = pool.display(term).with_names(names).to_string();
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// The nodes of a backbone; v′ is the last one where it is the first.
fn path_names(function: &Function, edges: &[EdgeId]) -> Vec<String> {
    let Some(first) = edges.first() else {
        return Vec::new();
    };
    let start = function.source(*first);
    let mut names = vec![function.node(start).name.clone()];
    for edge in edges {
        let target = function.target(*edge);
        let stroke = if target == start { "′" } else { "" };
        names.push(format!("{}{stroke}", function.node(target).name));
    }
    names
}

fn like_it(n_backbones: u64) -> String {
    match n_backbones {
        0 | 1 => String::new(),
        n => format!(" and {} with the same effect", count(n - 1, "other")),
    }
}

fn count(n: u64, what: &str) -> String {
    let s = if n == 1 { "" } else { "s" };
    format!("{n} {what}{s}")
}
