//! Pages with their data in them: no network, no libraries.
//!
//! What all pages share is in `page.html`. Each has a file of its own, with its style, its content and its script in
//! this order.

use serde_json::Value;

const SHELL: &str = include_str!("page.html");

/// A page without data.
pub(super) struct Page {
    style: &'static str,
    own: &'static str,
}

impl Page {
    pub const fn new(own: &'static str) -> Page {
        Page { style: "", own }
    }

    /// A page in the notation of papers: paths, formulas, loops.
    pub const fn in_notation(own: &'static str) -> Page {
        let style = include_str!("notation.css");
        Page { style, own }
    }

    /// The page with data.
    pub fn with(&self, title: &str, data: &Value) -> String {
        let (own_style, rest) = self.own.split_once("</style>\n").unwrap_or(("", self.own));
        let (content, script) = rest.split_once("<script>\n").unwrap_or((rest, ""));
        let own_style = own_style.trim_start_matches("<style>\n");
        // Nothing in a JSON text needs `<` as such; escaped, it cannot end the script element.
        let data = data.to_string().replace('<', "\\u003c");
        let parts = [
            ("@STYLE@", &format!("{}{own_style}", self.style)),
            ("@CONTENT@", &content.to_owned()),
            (
                "@SCRIPT@",
                &script.trim_end_matches("</script>\n").to_owned(),
            ),
            ("@DATA@", &data),
            // The first, whatever data and title are.
            ("@TITLE@", &escaped(title)),
        ];
        let shell = SHELL.to_owned();
        parts
            .into_iter()
            .fold(shell, |page, (mark, part)| page.replacen(mark, part, 1))
    }
}

/// A text within HTML or SVG.
#[must_use]
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
