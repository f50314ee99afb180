//! Front ends: programs in, flowgraphs out.

pub mod llvm;
