//! Necessary conditions as one HTML page: backbones, the loops along them, summaries and φ̂. No
//! network, no libraries.
//!
//! The page's script and style are in `necessary_page.html`; this module inserts the data.

use super::necessary::NecessaryRecord;
use super::page::Page;
use serde_json::{Value, json};

const PAGE: Page = Page::in_notation(include_str!("necessary_page.html"));

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
        PAGE.with(&title, &data)
    }
}
