//! Necessary conditions as one HTML page: backbones, the loops along them, summaries and φ̂. No
//! network, no libraries.
//!
//! The page's script and style are in `necessary_page.html`; this module puts the data in.

use super::necessary::NecessaryRecord;
use serde_json::{Value, json};

const PAGE: &str = include_str!("necessary_page.html");

/// Where the page expects its data and its title.
const DATA: &str = "@DATA@";
const TITLE: &str = "@TITLE@";

impl NecessaryRecord {
    /// The page.
    #[must_use]
    pub fn to_html(&self) -> String {
        let condition = &self.condition;
        let title = format!("{}: necessary condition", self.program.files.join(" "));
        let backbones = (1..).zip(&condition.backbones);
        let backbones: Vec<Value> = backbones
            .map(|(number, backbone)| {
                json!({
                    "title": backbone.title(),
                    "nodes": backbone.nodes,
                    "formula": backbone.formula(number),
                    "loops": backbone.loops,
                })
            })
            .collect();
        let loops: Vec<Value> = condition
            .loops
            .iter()
            .map(|of_loop| {
                let ways = (1..).zip(&of_loop.ways).map(|(number, way)| {
                    json!({
                        "title": way.title(),
                        "nodes": way.nodes,
                        "formula": of_loop.way_formula(number),
                        "loops": way.loops,
                    })
                });
                json!({
                    "title": of_loop.title(),
                    "entry": of_loop.entry,
                    "place": of_loop.place,
                    "ways": ways.collect::<Vec<_>>(),
                    "forms": of_loop.forms,
                    "formula": format!("φ^κ ≡ {}", of_loop.condition),
                    "bits": of_loop.bits,
                })
            })
            .collect();
        let head = self.to_text();
        let head = head.lines().take_while(|line| !line.is_empty());
        let data = json!({
            "title": title,
            "head": head.collect::<Vec<_>>(),
            "costs": self.costs().lines().collect::<Vec<_>>(),
            "formula": condition.formula(),
            "backbones": backbones,
            "loops": loops,
            "undefined": condition.about_undefined(),
            "about_lost": condition.about_lost(),
            "lost": condition.lost,
        });
        // Nothing in a JSON text needs `<` as such; escaped, it cannot end the script element.
        let data = data.to_string().replace('<', "\\u003c");
        PAGE.replacen(TITLE, &escaped(&title), 1)
            .replacen(DATA, &data, 1)
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
