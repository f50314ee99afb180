//! Execution trees as one HTML page: no network, no libraries.
//!
//! The page draws the tree from left to right as in Figures 1(b) and 1(c). Nodes fold; deep ones are folded
//! at first, so that trees of thousands of nodes open at once. A node is labelled with its line of the
//! source, which stands to the right of the tree. The page's script and style are in `tree_page.html`; this module
//! inserts the data. Texts are interned, since registers and lines repeat from node to node, and the search
//! examines each text once.

use super::page::Page;
use super::tree::{KindView, NodeView, TreeView};
use indexmap::IndexSet;
use serde_json::{Value, json};

const PAGE: Page = Page::new(include_str!("tree_page.html"));

impl TreeView {
    /// The tree as a separate page.
    #[must_use]
    pub fn to_html(&self) -> String {
        let mut texts = Texts::default();
        let nodes: Vec<Value> = self.nodes.iter().map(|node| texts.node(node)).collect();
        let files: Vec<Value> = (self.files.iter())
            .map(
                |file| json!({ "name": file.name, "lines": file.text.lines().collect::<Vec<_>>() }),
            )
            .collect();
        let data = json!({
            "title": self.title,
            "omission": self.omission(),
            "files": files,
            "texts": texts.texts.iter().collect::<Vec<_>>(),
            "nodes": nodes,
        });
        PAGE.with(&self.title, &data)
    }
}

#[derive(Default)]
struct Texts {
    texts: IndexSet<String>,
}

impl Texts {
    /// The text's number.
    fn text(&mut self, text: &str) -> usize {
        match self.texts.get_index_of(text) {
            Some(index) => index,
            None => self.texts.insert_full(text.to_owned()).0,
        }
    }

    fn list(&mut self, texts: &[String]) -> Vec<usize> {
        texts.iter().map(|text| self.text(text)).collect()
    }

    fn pairs(&mut self, pairs: &[(String, String)]) -> Vec<[usize; 2]> {
        pairs
            .iter()
            .map(|(name, value)| [self.text(name), self.text(value)])
            .collect()
    }

    /// A node as the script reads it, in this order.
    fn node(&mut self, node: &NodeView) -> Value {
        let kind = match node.kind {
            KindView::Inner => "inner",
            KindView::Subsumed | KindView::Merged => "subsumed",
            KindView::Open => "open",
            KindView::Leaf => "leaf",
            KindView::Target => "target",
            KindView::Failed => "failed",
            KindView::Stopped => "stopped",
        };
        let template = node.template.as_ref().map(|template| {
            [
                self.text(&template.core.join(" ")),
                self.text(&template.kappa),
                self.text(&template.place),
            ]
        });
        json!([
            node.parent,
            self.text(&node.location),
            self.text(&node.function),
            self.text(&node.place),
            self.text(&node.source),
            kind,
            self.text(&node.end),
            self.list(&node.condition),
            template,
            self.pairs(&node.registers),
            self.pairs(&node.cells),
            self.list(&node.callers),
            node.line.map(|(file, line)| json!([file, line])),
            self.list(&node.condition_in_c),
            node.goes_on_as,
        ])
    }
}

#[cfg(test)]
mod tests {
    use crate::tree::examples::every_kind;

    #[test]
    fn the_page_holds_its_data_and_asks_nothing_of_the_network() {
        let page = every_kind().to_html();
        assert!(!page.contains("@DATA@") && !page.contains("@TITLE@"));
        assert!(page.contains("<title>f, compact</title>"));
        for word in ["https://", "src=", "@import", "url(", "<link"] {
            assert!(!page.contains(word), "{word} would load something");
        }
        // The only address is the name of the SVG namespace.
        assert_eq!(
            page.matches("http://").count(),
            page.matches("http://www.w3.org/2000/svg").count()
        );
    }

    #[test]
    fn data_cannot_end_the_script() {
        let page = every_kind().to_html();
        assert_eq!(
            page.matches("</script>").count(),
            2,
            "that of the data and that of the program"
        );
        assert!(page.contains("i \\u003c \\\"n\\\" \\u003c/script>"));
    }

    #[test]
    fn the_data_parse_and_are_complete() {
        let page = every_kind().to_html();
        let (_, rest) = page.split_once("type=\"application/json\">").unwrap();
        let (data, _) = rest.split_once("</script>").unwrap();
        let data: serde_json::Value = serde_json::from_str(data).unwrap();
        assert_eq!(data["nodes"].as_array().unwrap().len(), 7);
        let core = data["nodes"][2][8][0].as_u64().unwrap();
        assert_eq!(data["texts"][usize::try_from(core).unwrap()], "b c d b");
        let file = &data["files"][0];
        assert_eq!(file["name"], "a.c");
        assert_eq!(file["lines"][0], "/* <script> */ i < \"n\" </script>");
        assert_eq!(data["nodes"][2][12], serde_json::json!([0, 1]));
        let in_c = data["nodes"][2][13][1].as_u64().unwrap();
        assert_eq!(data["texts"][usize::try_from(in_c).unwrap()], "A(κ) == x");
    }
}
