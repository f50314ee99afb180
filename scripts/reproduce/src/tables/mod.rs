//! From rows of figures to tables and plots, the papers' figures beside ours.

pub mod table;
pub mod plot;
pub mod rows;
pub mod table1;
pub mod cost;
pub mod atva2011;
pub mod issta;
pub mod svcomp;
pub mod thesis;
