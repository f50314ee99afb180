//! Chains and constraint systems as one HTML page, in the paper's notation: chains with their loop nodes,
//! effects on variables, and S(c). No network, no libraries.
//!
//! The page's script and style are in `chains_page.html`; this module inserts the data.

use super::ChainsRecord;
use super::page::Page;
use serde_json::json;

const PAGE: Page = Page::in_notation(include_str!("chains_page.html"));

impl ChainsRecord {
    /// The page.
    #[must_use]
    pub fn to_html(&self) -> String {
        let title = format!("{}: chains", self.program.files.join(" "));
        let systems = self.view.systems.iter();
        let answers: Vec<Option<&str>> = systems.map(|system| system.answer()).collect();
        let data = json!({
            "title": title,
            "numbers": self.numbers(),
            "without": self.view.about_without(),
            "answers": answers,
            "view": self.view,
        });
        PAGE.with(&title, &data)
    }
}
