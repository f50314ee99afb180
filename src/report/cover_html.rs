//! Coverage as one HTML page: the source, with lines coloured by status. No network, no libraries.
//!
//! The page's script and style are in `cover_page.html`; this module inserts the data.

use super::cover::{CoverRecord, GoalRecord, Status};
use super::page::Page;
use super::summary::given_in_words;
use indexmap::IndexMap;
use serde_json::{Value, json};

const PAGE: Page = Page::new(include_str!("cover_page.html"));

impl CoverRecord {
    /// The page; `read` gives the text of a source file by its name.
    #[must_use]
    pub fn to_html(&self, read: &dyn Fn(&str) -> Option<String>) -> String {
        let mut files: IndexMap<&str, Vec<Value>> = IndexMap::new();
        for goal in self.goals.iter().filter(|goal| goal.line > 0) {
            files.entry(&goal.file).or_default().push(goal_data(goal));
        }
        let files: Vec<Value> = files
            .into_iter()
            .map(|(name, goals)| {
                let text = read(name).unwrap_or_default();
                json!({
                    "name": name,
                    "lines": text.lines().collect::<Vec<_>>(),
                    "goals": goals,
                })
            })
            .collect();
        let tests: Vec<Value> = self
            .tests
            .iter()
            .map(|test| {
                let inputs = given_in_words(test.started_with.as_ref(), &test.inputs);
                json!({ "outcome": test.outcome, "inputs": inputs.trim() })
            })
            .collect();
        let errors: Vec<Value> = self
            .errors
            .iter()
            .map(|error| json!({ "place": error.place, "text": error.text }))
            .collect();
        let title = format!("{}: coverage", self.program.files.join(" "));
        let summary = self.summary();
        let head = summary.lines().take_while(|line| !line.is_empty());
        let data = json!({
            "title": title,
            "summary": head.collect::<Vec<_>>(),
            "files": files,
            "tests": tests,
            "errors": errors,
        });
        PAGE.with(&title, &data)
    }
}

/// A goal as the script reads it.
fn goal_data(goal: &GoalRecord) -> Value {
    let status = match goal.status {
        Status::Covered => "covered",
        Status::Dead => "dead",
        Status::Open => "open",
    };
    let why = goal
        .proof
        .clone()
        .unwrap_or_else(|| goal.reasons.join("; "));
    json!({
        "kind": goal.kind,
        "side": goal.side,
        "line": goal.line,
        "column": goal.column,
        "end": goal.end,
        "status": status,
        "tests": goal.tests,
        "why": why,
    })
}
