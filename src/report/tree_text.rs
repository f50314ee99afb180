//! Execution trees as text: one line per node, the condition of its edge first.

use super::source::shortened;
use super::tree::TreeView;
use std::collections::BTreeSet;
use std::fmt::Write;

/// Longer edge conditions are cut.
const LONGEST_CONDITION: usize = 200;

impl TreeView {
    /// The tree as text, nodes at most `depth` edges below the root. A chain of edges without
    /// conditions stays on one level of indentation, so that long paths fit on a screen.
    #[must_use]
    pub fn to_text(&self, depth: usize) -> String {
        let mut text = format!("{}\n", self.title);
        if self.nodes.is_empty() {
            return text;
        }
        let children = self.children();
        let subsuming = self.nodes.iter().filter_map(|node| node.goes_on_as);
        let subsuming: BTreeSet<usize> = subsuming.collect();
        // Node, its depth, the indentation of its own line and that of its children's lines.
        let mut stack = vec![(0, 0, String::new(), String::new())];
        while let Some((number, level, own, below)) = stack.pop() {
            self.write_node(&mut text, number, &own, &subsuming);
            let of_node = &children[number];
            if of_node.is_empty() {
                continue;
            }
            if level == depth {
                let _ = writeln!(text, "{below}… {} below", below_count(&children, number));
                continue;
            }
            let is_chain = of_node.len() == 1;
            for (position, child) in of_node.iter().enumerate().rev() {
                let is_last = position + 1 == of_node.len();
                let (branch, trunk) = match (is_chain, is_last) {
                    (true, _) => ("", ""),
                    (false, true) => ("└─ ", "   "),
                    (false, false) => ("├─ ", "│  "),
                };
                stack.push((
                    *child,
                    level + 1,
                    format!("{below}{branch}"),
                    format!("{below}{trunk}"),
                ));
            }
        }
        if let Some(omission) = self.omission() {
            let _ = writeln!(text, "{omission}");
        }
        text
    }

    fn write_node(
        &self,
        text: &mut String,
        number: usize,
        indent: &str,
        subsuming: &BTreeSet<usize>,
    ) {
        let node = &self.nodes[number];
        text.push_str(indent);
        if !node.condition.is_empty() {
            let _ = write!(
                text,
                "[{}] ",
                shortened(&node.edge_label(), LONGEST_CONDITION)
            );
        }
        text.push_str(&node.mark());
        if subsuming.contains(&number) {
            let _ = write!(text, " (state {number})");
        }
        if !node.end.is_empty() {
            let _ = write!(text, ": {}", node.end);
        }
        text.push('\n');
    }
}

/// How many nodes lie below a node.
fn below_count(children: &[Vec<usize>], number: usize) -> usize {
    let mut stack = vec![number];
    let mut count = 0;
    while let Some(next) = stack.pop() {
        count += children[next].len();
        stack.extend(&children[next]);
    }
    count
}

#[cfg(test)]
mod tests {
    use crate::tree::examples::every_kind;

    #[test]
    fn chains_do_not_indent_and_branchings_do() {
        let expected = "\
f, compact
a
├─ b
│  ├─ [κ < n ∧ A(κ) = x] (b c d b)^κ e: target
│  └─ [n ≤ 0] f: the solver could not decide
└─ [x = 1] g
   ├─ h: main returns
   └─ [y] o: no feasible successor, or still waiting
only the first 7 nodes are recorded, the tree has more (--max-nodes)
";
        assert_eq!(every_kind().to_text(usize::MAX), expected);
    }

    #[test]
    fn covering_nodes_have_numbers() {
        let mut view = every_kind();
        view.nodes[5].goes_on_as = Some(1);
        let text = view.to_text(usize::MAX);
        assert!(text.contains("├─ b (state 1)\n"), "{text}");
    }

    #[test]
    fn deep_nodes_are_cut_and_counted() {
        let text = every_kind().to_text(1);
        assert!(
            text.contains("├─ b\n│  … 2 below\n└─ [x = 1] g\n   … 2 below\n"),
            "{text}"
        );
    }
}
