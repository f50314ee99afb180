//! Reports: results as records, text and trees.
//!
//! ```text
//! Analysis ------> AnalysisRecord --+--> JSON
//!                                   +--> text for people (`summary`)
//! Cover ---------> CoverRecord -----+--> text, JSON, HTML
//! ExecutionTree -> TreeView --------+--> text, DOT, HTML
//! Condition -----> NecessaryRecord -+--> text, JSON, DOT, HTML
//! TemplateTable -> TemplatesRecord -+--> text, JSON
//!             \-> ExplanationRecord +
//! ```
//!
//! Every report starts from a *record*: plain data with stable field names, which JSON shows unchanged (see
//! [`record`] for the fields). Texts for people are made from records, never from other text.
//!
//! # Invariants
//! - The same run gives the same text, byte for byte, except times and memory.
//! - Omissions for brevity are stated with their number.
//!
//! # Deliberately absent
//! No verdict logic: verdicts, reasons and numbers come from [`symex`] unchanged. No files, no processes, no
//! terminal: texts are returned as strings.

pub mod environment;
pub mod record;
pub mod source;
pub mod summary;
mod blocks;
mod inputs;
pub mod checkpoint;
pub mod cover;
mod cover_html;
mod coverage;
pub mod explain;
mod explain_text;
pub mod chains;
mod chains_html;
pub mod necessary;
mod necessary_dot;
mod necessary_html;
mod page;
mod repetition;
pub mod thesis;
pub mod templates;
pub mod automata;
pub mod tree;
mod tree_dot;
mod tree_html;
mod tree_text;

pub use automata::AutomataRecord;
pub use chains::ChainsRecord;
pub use cover::CoverRecord;
pub use environment::Environment;
pub use explain::{DecisionRecord, ExplanationRecord};
pub use necessary::NecessaryRecord;
pub use page::escaped;
pub use record::{AnalysisRecord, InvariantRecord};
pub use source::Sources;
pub use templates::TemplatesRecord;
pub use tree::TreeView;
