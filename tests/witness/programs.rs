//! Programs of these tests, and the analysis of them.

use compact_se::analysis::{Analysis, AnalysisOptions, analyze};
use compact_se::frontend::{DataModel, LoadOptions};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Inputs that are not used, that come from inlined functions and from folded loops.
pub const CALLS: &str = r#"
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);
static int twice(void) {
  int a = __VERIFIER_nondet_int(); int b = __VERIFIER_nondet_int();
  return a;
}
int main(void) {
  int unused = __VERIFIER_nondet_int();
  int n = __VERIFIER_nondet_int(), sum = 0;
  for (int i = 0; i < n; i++) {
    int add = __VERIFIER_nondet_uchar();
    if (add != 3) return 0;
    sum += 3;
  }
  if (sum == 9 && twice() == -5 && __VERIFIER_nondet_bool())
    reach_error();
  return 0;
}
"#;

/// A path that needs values of uninitialised variables and memory.
pub const UNINITIALISED: &str = r#"
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
  int *heap = malloc(4);
  int x;
  unsigned char small, other;
  int y = 1;
  if (x == 77 && small == 200 && other == 100 && *heap == y)
    reach_error();
}
"#;

/// A path that needs memory behind a pointer that was never assigned.
pub const UNKNOWN_ORIGIN: &str = r#"
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int *p;
  if (p[1] == 5 && __VERIFIER_nondet_int() == 3)
    reach_error();
}
"#;

/// A preprocessed file, whose places carry other names.
pub const PREPROCESSED: &str = "\
# 1 \"original.c\"\n\
# 40 \"header.h\" 1\n\
extern unsigned int __VERIFIER_nondet_uint(void);\n\
# 10 \"original.c\" 2\n\
int main(void) {\n\
  unsigned int x = __VERIFIER_nondet_uint();\n\
  if (x > 4000000000u && x % 2 == 1) goto ERROR;\n\
  return 0;\n\
ERROR: return 1;\n\
}\n";

/// A program in a file of its own folder.
pub struct Program {
    pub folder: tempfile::TempDir,
    pub file: PathBuf,
}

impl Program {
    pub fn new(name: &str, text: &str) -> Program {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(name);
        std::fs::write(&file, text).unwrap();
        Program { folder, file }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn options(&self) -> AnalysisOptions {
        options(&self.file)
    }

    pub fn analysis(&self) -> Analysis {
        analyze(&self.options(), &mut |_| ()).unwrap()
    }
}

pub fn options(file: &Path) -> AnalysisOptions {
    let mut load = LoadOptions::new([file]);
    load.executable = Some(PathBuf::from(env!("CARGO_BIN_EXE_compact-se")));
    load.data_model = Some(DataModel::Lp64);
    let mut options = AnalysisOptions::new(load);
    options.execution.budget.time = Duration::from_secs(90);
    options
}
