//! Execution trees for Graphviz, drawn as in Figures 1(b) and 1(c).

use super::source::shortened;
use super::tree::{KindView, NodeView, TreeView};
use std::fmt::Write;

/// Longer labels are cut.
const LONGEST_LABEL: usize = 120;

impl TreeView {
    /// The tree as a Graphviz graph: template nodes are octagons that show their core, edges
    /// carry the conditions, targets and failed leaves are coloured.
    #[must_use]
    pub fn to_dot(&self) -> String {
        let mut text =
            String::from("digraph tree {\n  node [shape=circle fontname=\"sans-serif\"]\n");
        text.push_str("  edge [fontname=\"sans-serif\"]\n");
        let title = match self.omission() {
            Some(omission) => format!("{}\n{omission}", self.title),
            None => self.title.clone(),
        };
        let _ = writeln!(text, "  label={}", quoted(&title));
        for (number, node) in self.nodes.iter().enumerate() {
            write_node(&mut text, number, node);
        }
        text.push_str("}\n");
        text
    }
}

fn write_node(text: &mut String, number: usize, node: &NodeView) {
    let label = match &node.template {
        Some(template) => format!(
            "{}\n{} times\n{}",
            template.core.join(" "),
            template.kappa,
            node.location
        ),
        None => node.location.clone(),
    };
    let shape = if node.template.is_some() {
        " shape=octagon"
    } else {
        ""
    };
    let style = match node.kind {
        KindView::Inner | KindView::Leaf => "",
        KindView::Subsumed | KindView::Merged => " style=rounded color=gray40",
        KindView::Open => " style=dotted",
        KindView::Target => " style=filled fillcolor=lightcoral penwidth=2",
        KindView::Failed => " style=\"filled,dashed\" fillcolor=khaki",
        KindView::Stopped => " style=\"filled,dashed\" fillcolor=lightgray",
    };
    let mut about = vec![node.function.clone()];
    about.extend(
        [&node.place, &node.source, &node.end]
            .into_iter()
            .filter(|part| !part.is_empty())
            .cloned(),
    );
    let tooltip = quoted(&about.join("\n"));
    let _ = writeln!(
        text,
        "  n{number} [label={}{shape}{style} tooltip={tooltip}]",
        quoted(&label)
    );
    if let Some(parent) = node.parent {
        let label = shortened(&node.condition.join("\n"), LONGEST_LABEL);
        let label = if label.is_empty() {
            String::new()
        } else {
            format!(" [label={}]", quoted(&label))
        };
        let _ = writeln!(text, "  n{parent} -> n{number}{label}");
    }
    if let Some(other) = node.goes_on_as {
        let how = match node.kind {
            KindView::Merged => "merged",
            _ => "subsumed",
        };
        let _ = writeln!(
            text,
            "  n{number} -> n{other} [style=dashed constraint=false label=\"{how}\"]"
        );
    }
}

fn quoted(text: &str) -> String {
    format!(
        "\"{}\"",
        text.replace('\\', "\\\\")
            .replace('"', "\\\"")
            .replace('\n', "\\n")
    )
}

#[cfg(test)]
mod tests {
    use crate::tree::examples::every_kind;

    #[test]
    fn templates_have_another_shape_and_leaves_their_colours() {
        let dot = every_kind().to_dot();
        let target =
            "  n2 [label=\"b c d b\\nκ times\\ne\" shape=octagon style=filled fillcolor=lightcoral";
        assert!(dot.contains(target), "{dot}");
        assert!(
            dot.contains("  n1 -> n2 [label=\"κ < n\\nA(κ) = x\"]\n"),
            "{dot}"
        );
        assert!(dot.contains("  n0 -> n1\n"), "{dot}");
        assert!(
            dot.contains("i < \\\"n\\\" </script>"),
            "quotes are escaped: {dot}"
        );
        assert!(dot.contains("fillcolor=khaki"), "{dot}");
    }
}
