//! Necessary conditions for Graphviz.

use super::necessary::NecessaryRecord;
use ::necessary::{BackboneView, LoopView};
use std::fmt::Write;

/// A formula is broken into lines of about so many characters.
const LINE: usize = 60;

/// No more lines of a formula are shown: the text has it all.
const MOST_LINES: usize = 12;

impl NecessaryRecord {
    /// φ̂ as a Graphviz graph: a box for each backbone of the program with its φ, and one for each
    /// loop with its backbones, θ^κ⃗ and φ^κ⃗; dashed arrows lead from backbones to the loops along
    /// them.
    #[must_use]
    pub fn to_dot(&self) -> String {
        let condition = &self.condition;
        let mut text = String::from("digraph necessary {\n  rankdir=LR\n");
        text.push_str("  node [shape=record fontname=monospace]\n");
        let mut title = vec![format!(
            "{}: {}",
            self.program.files.join(" "),
            self.verdict
        )];
        title.push(format!("φ̂ {}", self.quantified.answer));
        title.push(format!("φ̂^{} {}", self.k, self.instances.answer));
        title.extend(condition.about_undefined());
        title.extend(condition.about_lost());
        let _ = writeln!(text, "  label=\"{}\"", lines(&title));
        let all = folded(&condition.formula());
        let _ = writeln!(text, "  condition [label=\"{}\"]", lines(&all));
        for (number, backbone) in (1..).zip(&condition.backbones) {
            write_backbone(&mut text, number, backbone);
        }
        for (number, of_loop) in (1..).zip(&condition.loops) {
            write_loop(&mut text, number, of_loop);
        }
        text.push_str("}\n");
        text
    }
}

fn write_backbone(text: &mut String, number: usize, backbone: &BackboneView) {
    let title = folded(&backbone.title());
    let formula = folded(&backbone.formula(number));
    let _ = writeln!(
        text,
        "  b{number} [label=\"{}|{}\"]",
        lines(&title),
        lines(&formula)
    );
    let _ = writeln!(text, "  condition -> b{number}");
    for inner in &backbone.loops {
        let _ = writeln!(text, "  b{number} -> l{} [style=dashed]", inner + 1);
    }
}

fn write_loop(text: &mut String, number: usize, of_loop: &LoopView) {
    let mut fields = vec![lines(&folded(&format!(
        "{}, {}",
        of_loop.title(),
        of_loop.place
    )))];
    for (way, view) in (1..).zip(&of_loop.ways) {
        let mut about = folded(&view.title());
        about.extend(folded(&of_loop.way_formula(way)));
        fields.push(format!("<w{way}> {}", lines(&about)));
    }
    let forms = of_loop.forms.iter();
    let forms: Vec<String> = forms.flat_map(|form| folded(&form.to_string())).collect();
    fields.push(lines(&forms));
    fields.push(lines(&folded(&format!("φ^κ ≡ {}", of_loop.condition))));
    let _ = writeln!(
        text,
        "  l{number} [label=\"{}\" style=rounded]",
        fields.join("|")
    );
    for (way, view) in (1..).zip(&of_loop.ways) {
        for inner in &view.loops {
            let _ = writeln!(text, "  l{number}:w{way} -> l{} [style=dashed]", inner + 1);
        }
    }
}

/// Breaks a formula at spaces.
fn folded(formula: &str) -> Vec<String> {
    let mut folded: Vec<String> = Vec::new();
    for word in formula.split(' ') {
        match folded.last_mut() {
            Some(line) if line.chars().count() + word.chars().count() < LINE => {
                line.push(' ');
                line.push_str(word);
            }
            _ => folded.push(word.to_owned()),
        }
    }
    if folded.len() > MOST_LINES {
        folded.truncate(MOST_LINES);
        folded.push("…".to_owned());
    }
    folded
}

/// Lines within a record label, flush left.
fn lines(texts: &[String]) -> String {
    let mut label = String::new();
    for text in texts {
        for c in text.chars() {
            if matches!(c, '"' | '\\' | '{' | '}' | '<' | '>' | '|') {
                label.push('\\');
            }
            label.push(c);
        }
        label.push_str("\\l");
    }
    label
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_formulas_are_folded_and_cut() {
        let formula = ["x < y"; 200].join(" ∧ ");
        let folded = folded(&formula);
        assert_eq!(folded.len(), MOST_LINES + 1);
        assert!(folded.iter().all(|line| line.chars().count() <= LINE));
        assert_eq!(lines(&["{a} < |b|".to_owned()]), "\\{a\\} \\< \\|b\\|\\l");
    }
}
