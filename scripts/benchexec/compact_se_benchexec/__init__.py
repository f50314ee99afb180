"""BenchExec's view of compact-se."""
