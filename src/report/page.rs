//! HTML pages with embedded data.

use serde_json::Value;

/// Where a page expects its data and its title.
const DATA: &str = "@DATA@";
const TITLE: &str = "@TITLE@";

/// The text of a page without data.
pub(super) struct Page(pub &'static str);

impl Page {
    /// The page with data.
    pub fn with(&self, title: &str, data: &Value) -> String {
        // Nothing in a JSON text needs `<` as such; escaped, it cannot end the script element.
        let data = data.to_string().replace('<', "\\u003c");
        let page = self.0.replacen(TITLE, &escaped(title), 1);
        page.replacen(DATA, &data, 1)
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
