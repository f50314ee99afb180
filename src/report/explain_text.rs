//! Explanations of loops as text.

use super::explain::{
    DecisionRecord, ExplainedLoop, ExplainedObstacle, ExplainedTemplate, ExplanationRecord, meaning,
};
use super::summary::grouped;
use super::templates::prefixed;
use std::fmt::Write;

/// No more cycles, and no more templates, of a loop are shown.
const MOST_ITEMS: usize = 12;

impl ExplanationRecord {
    /// A few lines for every loop.
    #[must_use]
    pub fn to_summary(&self) -> String {
        let mut text = String::new();
        for each in &self.loops {
            each.write_head(&mut text);
            for line in each.variables_in_short() {
                let _ = writeln!(text, "  {line}");
            }
            // That of the whole loop stands first, and says more than those of its cycles.
            if let Some(obstacle) = each.obstacles.first() {
                obstacle.write(&mut text);
            }
            text.push('\n');
        }
        self.write_foot(&mut text);
        if !self.loops.is_empty() {
            text.push_str("details of one loop: --loop NUMBER\n");
        }
        text
    }

    /// Everything about every loop.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for each in &self.loops {
            each.write_head(&mut text);
            each.write_in_full(&mut text);
            text.push('\n');
        }
        self.write_foot(&mut text);
        text
    }

    fn write_foot(&self, text: &mut String) {
        if self.loops.is_empty() {
            text.push_str(if self.unsupported.is_empty() {
                "the program has no loops\n"
            } else {
                "no loop is reached\n"
            });
        }
        if self.loops.iter().any(|each| each.copies > 1) {
            text.push_str(
                "note: a loop of a function that is called in several places has a copy for each call; \
                 optimising compilers copy loops too\n",
            );
        }
        for reason in &self.unsupported {
            let at = prefixed(" at ", &reason.place);
            let _ = writeln!(
                text,
                "note: paths end{at}: {}; code that is reached only through it is not examined\n    hint: {}",
                reason.text, reason.hint
            );
        }
        for function in &self.irreducible {
            let _ = writeln!(
                text,
                "note: {function} has cyclic paths that no loop contains (goto into a loop); these \
                 are executed iteration by iteration, or by templates of cycles"
            );
        }
        if self.recursions > 0 {
            let _ = writeln!(
                text,
                "recursions: {}, {} with a template",
                self.recursions, self.recursion_templates
            );
        }
        if let Some(decision) = &self.decision {
            decision.write(text);
        }
        for closing in &self.closed_by_conditions {
            let _ = writeln!(text, "{}", closing.in_words());
        }
        if self.cycles_cut {
            text.push_str("note: some function has more cycles than were examined\n");
        }
        let is_met = |each: &ExplainedLoop| each.covered_by != "not-met";
        if let Some(limit) = &self.cut_short
            && !self.loops.is_empty()
            && (self.decision.is_none() || !self.loops.iter().all(is_met))
        {
            let _ = writeln!(
                text,
                "note: {limit}; loops that no execution reached before that are not listed"
            );
        }
    }
}

impl DecisionRecord {
    fn write(&self, text: &mut String) {
        let DecisionRecord {
            verdict, technique, ..
        } = self;
        let k = self
            .k
            .map_or_else(String::new, |k| format!(" with k = {k}"));
        let _ = writeln!(text, "{verdict}, by the technique {technique}{k}");
        for invariant in &self.invariants {
            let _ = writeln!(text, "  {}", invariant.in_words(usize::MAX));
        }
        for contract in &self.contracts {
            let _ = writeln!(text, "  {}", contract.in_words(usize::MAX));
        }
        for closing in &self.closed_by_conditions {
            let _ = writeln!(text, "  {}", closing.in_words());
        }
    }
}

impl ExplainedLoop {
    fn write_head(&self, text: &mut String) {
        let at = prefixed(", ", &self.lines);
        let copy = match self.copies {
            1 => String::new(),
            copies => format!(" (copy {} of {copies})", self.copy),
        };
        let inside = self
            .inside
            .map_or_else(String::new, |outer| format!(", inside of loop {outer}"));
        let _ = writeln!(
            text,
            "loop {} in {}{at}{copy}{inside}: {}",
            self.number, self.function, self.coverage
        );
    }

    /// The rules of the variables that move, a line for each template.
    fn variables_in_short(&self) -> Vec<String> {
        let several = self.templates.len() > 1;
        let mut lines: Vec<String> = Vec::new();
        for template in self.templates.iter().take(MOST_ITEMS) {
            let moving = template.moving();
            if template.by_automaton {
                let ways = template.exits;
                lines.push(format!("{ways} ways through its path dependency automaton"));
            }
            if moving.is_empty() {
                continue;
            }
            let rules: Vec<String> = moving
                .iter()
                .map(|variable| format!("{} {}", variable.name, variable.rule))
                .collect();
            let line = if several {
                format!("{}: {}", template.of, rules.join(", "))
            } else {
                rules.join(", ")
            };
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
        lines
    }

    fn write_in_full(&self, text: &mut String) {
        if !self.place.is_empty() {
            let _ = writeln!(text, "  {}: {}", self.place, self.source);
        }
        self.write_cycles(text);
        for template in self.templates.iter().take(MOST_ITEMS) {
            template.write(text);
        }
        if self.templates.len() > MOST_ITEMS {
            let more = (self.templates.len() - MOST_ITEMS) as u64;
            let _ = writeln!(
                text,
                "\n  … and {} more templates (--json writes all)",
                grouped(more)
            );
        }
        self.write_legend(text);
        if !self.obstacles.is_empty() {
            let what = if self.templates.is_empty() {
                "obstacles"
            } else {
                "obstacles to more templates"
            };
            let _ = writeln!(text, "\n  {what}:");
        }
        for obstacle in self.obstacles.iter().take(MOST_ITEMS) {
            let _ = writeln!(text, "  {}", obstacle.of);
            obstacle.write(text);
        }
    }

    fn write_cycles(&self, text: &mut String) {
        let from_header: Vec<_> = self.cycles.iter().filter(|c| c.from_header).collect();
        text.push_str("\n  cycles (cores):\n");
        for cycle in from_header.iter().take(MOST_ITEMS) {
            let state = match (cycle.templates, cycle.asked) {
                (0, true) => "  (no template)",
                // All of them together are what a template of the loop is about.
                (0, false) => "",
                (_, _) => "  (template)",
            };
            let _ = writeln!(text, "    {}: {}{state}", cycle.number, cycle.core);
        }
        if from_header.len() > MOST_ITEMS {
            let more = (from_header.len() - MOST_ITEMS) as u64;
            let _ = writeln!(text, "    … and {} more (--json writes all)", grouped(more));
        }
        let elsewhere = (self.cycles.len() - from_header.len()) as u64;
        if elsewhere > 0 {
            let _ = writeln!(
                text,
                "    {} more with an entry inside of the loop, used with --no-subsumption only",
                grouped(elsewhere)
            );
        }
    }

    /// Explanations of the rules that occur.
    fn write_legend(&self, text: &mut String) {
        let variables = self.templates.iter().flat_map(ExplainedTemplate::moving);
        let mut rules: Vec<&str> = variables.map(|variable| variable.rule.as_str()).collect();
        rules.sort_unstable();
        rules.dedup();
        if rules.is_empty() {
            return;
        }
        text.push_str("\n  rules:\n");
        for rule in rules {
            let _ = writeln!(text, "    {rule}: {}", meaning(rule).unwrap_or_default());
        }
    }
}

impl ExplainedTemplate {
    /// The variables that iterations change.
    fn moving(&self) -> Vec<&super::explain::ExplainedVariable> {
        let variables = self.variables.iter();
        variables.filter(|v| v.rule != "unchanged").collect()
    }

    fn write(&self, text: &mut String) {
        let exits = if self.exits == 1 { "exit" } else { "exits" };
        let _ = writeln!(
            text,
            "\n  template of {}, {} {exits}; after κ iterations:",
            self.of, self.exits
        );
        let moving = self.moving();
        let width = |length: fn(&super::explain::ExplainedVariable) -> usize| {
            moving.iter().map(|v| length(v)).max().unwrap_or(0)
        };
        let name = width(|v| v.name.chars().count());
        let rule = width(|v| v.rule.chars().count());
        for variable in &moving {
            let _ = writeln!(
                text,
                "    {:<name$}  {:<rule$}  {}",
                variable.name, variable.rule, variable.closed_form
            );
        }
        let unchanged: Vec<&str> = self
            .variables
            .iter()
            .filter(|variable| variable.rule == "unchanged")
            .map(|variable| variable.name.as_str())
            .collect();
        if !unchanged.is_empty() {
            let _ = writeln!(text, "    unchanged: {}", unchanged.join(", "));
        }
    }
}

impl ExplainedObstacle {
    fn write(&self, text: &mut String) {
        let _ = writeln!(text, "    {}", self.reason);
        if !self.because.is_empty() {
            let _ = writeln!(text, "    since {}", self.because);
        }
        if let Some(inner) = self.inner {
            let _ = writeln!(text, "    the inner loop is loop {inner}");
        }
        if !self.place.is_empty() {
            let _ = writeln!(text, "    at {}: {}", self.place, self.source);
        }
        let _ = writeln!(text, "    hint: {}", self.hint);
    }
}
