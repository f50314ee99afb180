//! The replay's limits: what a foreign program does beyond them is stopped, and nothing of it is
//! left.

use crate::support::clang;
use compact_se::frontend::DataModel;
use compact_se::frontend::llvm::compile_natively;
use compact_se::limits::Interrupt;
use compact_se::replay::{
    Build, Confinement, InputRecord, InputValue, Inputs, NativeProgram, ReplayLimits,
    ReplayOutcome, Runnable, Surroundings,
};
use compact_se::term::Bv;
use std::path::Path;
use std::time::{Duration, Instant};

fn compiled(folder: &Path, body: &str) -> NativeProgram {
    let source = folder.join("program.c");
    let bitcode = folder.join("program.bc");
    std::fs::write(&source, body).expect("the folder is writable");
    clang(&[
        "-c",
        "-emit-llvm",
        "-o",
        bitcode.to_str().expect("a plain name"),
        source.to_str().expect("a plain name"),
    ]);
    compile_natively(&bitcode, DataModel::Lp64, Build::Plain, &Interrupt::new())
        .expect("it compiles")
}

fn outcome(body: &str) -> ReplayOutcome {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let limits = ReplayLimits {
        wall: Duration::from_secs(20),
        cpu_seconds: 1,
        ..ReplayLimits::default()
    };
    compiled(folder.path(), body)
        .run(&Inputs::default(), &limits)
        .expect("it can be started")
}

#[test]
fn processor_time_is_limited() {
    let endless = "int main(void) { for (volatile int i = 0;;) i++; }";
    assert_eq!(outcome(endless), ReplayOutcome::Limit("processor time"));
}

#[test]
fn wall_clock_time_is_limited() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let sleeper = "#include <unistd.h>\nint main(void) { for (;;) pause(); }";
    let limits = ReplayLimits {
        wall: Duration::from_millis(300),
        ..ReplayLimits::default()
    };
    let program = compiled(folder.path(), sleeper);
    let started = Instant::now();
    let outcome = program
        .run(&Inputs::default(), &limits)
        .expect("it can be started");
    assert_eq!(outcome, ReplayOutcome::Limit("wall-clock time"));
    assert!(started.elapsed() < Duration::from_secs(10));
}

#[test]
fn memory_is_limited() {
    let greedy = "#include <stdlib.h>\n\
                  int main(void) { return malloc((size_t)5 << 30) ? 1 : 7; }";
    assert_eq!(outcome(greedy), ReplayOutcome::NotReached(7));
}

#[test]
fn files_are_limited_in_size_and_number() {
    let large = r#"
#include <fcntl.h>
#include <unistd.h>
static char block[4096];
int main(void) {
  int file = open("large", O_WRONLY | O_CREAT, 0600);
  if (file < 0) return 1;
  for (int i = 0; i < 1000; i++)
    if (write(file, block, sizeof block) != sizeof block) return 2;
  return 0;
}
"#;
    assert_eq!(outcome(large), ReplayOutcome::Limit("file size"));
    let many = r#"
#include <fcntl.h>
int main(void) {
  for (int i = 0; i < 1000; i++)
    if (open("/dev/null", O_RDONLY) < 0) return i < 40 ? 7 : 8;
  return 0;
}
"#;
    assert_eq!(outcome(many), ReplayOutcome::NotReached(7));
}

/// The folder is empty and nothing of it stays; there are no variables and no input.
#[test]
fn the_surroundings_are_empty() {
    let curious = r#"
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(void) {
  DIR *here = opendir(".");
  if (!here) return 1;
  for (struct dirent *entry; (entry = readdir(here));)
    if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..")) return 2;
  char byte;
  if (read(0, &byte, 1) != 0) return 3;
  if (getenv("PATH") || getenv("HOME")) return 4;
  return 7;
}
"#;
    assert_eq!(outcome(curious), ReplayOutcome::NotReached(7));
}

#[test]
fn the_program_is_started_with_its_surroundings() {
    let body = r#"
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv) {
  char text[8] = "";
  if (argc != 3 || strcmp(argv[0], "prog") || argv[1][0] || strcmp(argv[2], "\xff-x")) return 1;
  if (fread(text, 1, 8, stdin) != 3 || memcmp(text, "a\0b", 3)) return 2;
  FILE *file = fopen("A", "r");
  if (!file || fgetc(file) != 'z' || fgetc(file) != EOF) return 3;
  return fileno(file) == 3 ? 7 : 4;
}
"#;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let inputs = Inputs {
        surroundings: Surroundings {
            arguments: vec![b"prog".to_vec(), Vec::new(), b"\xff-x".to_vec()],
            stdin: b"a\0b".to_vec(),
            stdin_is_folder: false,
            files: vec![("A".to_owned(), b"z".to_vec())],
        },
        ..Inputs::default()
    };
    let outcome = compiled(folder.path(), body).run(&inputs, &ReplayLimits::default());
    let outcome = outcome.expect("it can be started");
    assert_eq!(outcome, ReplayOutcome::NotReached(7));
}

/// Also for root, whom resource limits and modes do not stop.
#[test]
fn the_program_is_confined() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let other = folder.path().join("other");
    std::fs::write(&other, "as it was").expect("the folder is writable");
    let kernel = Confinement::of_this_kernel();
    let body = format!(
        r#"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
int main(void) {{
  if ({files}) {{
    if (open("{other}", O_WRONLY) >= 0 || errno != EACCES) return 1;
    if (open("{other}.new", O_WRONLY | O_CREAT, 0600) >= 0) return 2;
    if (unlink("{other}") == 0 || rename("{other}", "mine") == 0) return 3;
    if (mkdir("{other}.folder", 0700) == 0 || symlink("x", "{other}.link") == 0) return 4;
    execl("/bin/true", "true", (char *)0);
    if (errno != EACCES) return 5;
  }}
  if ({calls}) {{
    if (socket(AF_INET, SOCK_DGRAM, 0) >= 0 || socket(AF_UNIX, SOCK_STREAM, 0) >= 0) return 6;
    if (chmod("{other}", 0777) == 0 || errno != EPERM) return 7;
    if (kill(getppid(), 0) == 0) return 8;
    if (fork() >= 0) return 9;
  }}
  FILE *file = fopen("mine", "w");
  if (!file || fputs("x", file) < 0 || fclose(file) || mkdir("folder", 0700)) return 10;
  file = fopen("/dev/null", "w");
  if (!file || fputs("x", file) < 0 || fclose(file)) return 11;
  return open("{other}", O_RDONLY) >= 0 ? 77 : 12;
}}
"#,
        files = u8::from(kernel.files),
        calls = u8::from(kernel.calls),
        other = other.display()
    );
    assert_eq!(outcome(&body), ReplayOutcome::NotReached(77));
    let content = std::fs::read_to_string(&other).expect("it is still there");
    assert_eq!(content, "as it was");
}

/// Whether or not the system lets it start processes, none outlives the replay.
#[test]
fn processes_do_not_outlive_the_replay() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let trace = folder.path().join("trace");
    let body = format!(
        r#"
#include <fcntl.h>
#include <unistd.h>
int main(void) {{
  if (fork() == 0) {{
    usleep(500000);
    close(open("{}", O_WRONLY | O_CREAT, 0600));
    for (;;) pause();
  }}
  return 7;
}}
"#,
        trace.display()
    );
    assert_eq!(outcome(&body), ReplayOutcome::NotReached(7));
    std::thread::sleep(Duration::from_secs(1));
    assert!(!trace.exists(), "a process went on");
}

#[test]
fn objects_lie_where_the_records_say() {
    let body = "unsigned __compact_se_input_i32(const char *);\n\
        void __compact_se_target(void);\n\
        int main(void) {\n\
          int *p = (int *)(unsigned long)__compact_se_input_i32(\"p\");\n\
          if (p[0] == 5 && p[1023] == 0x01010101) __compact_se_target();\n\
          return 3;\n\
        }";
    let folder = tempfile::tempdir().expect("a temporary folder");
    let program = compiled(folder.path(), body);
    let run = |address: u64, pointer: u64| {
        let inputs = vec![
            InputRecord {
                name: "p".to_owned(),
                value: InputValue::Int(Bv::new(32, pointer)),
            },
            InputRecord {
                name: "object".to_owned(),
                value: InputValue::Bytes {
                    size: 4096,
                    default: 1,
                    chunks: [(0, vec![5, 0, 0, 0])].into(),
                    address: Some(address),
                },
            },
        ];
        let outcome = program.run(&inputs.into(), &ReplayLimits::default());
        outcome.expect("it can be started")
    };
    assert_eq!(run(0x2000_0000, 0x2000_0000), ReplayOutcome::Reached);
    let elsewhere = run(0x2010_0000, 0x2000_0000);
    assert_eq!(elsewhere, ReplayOutcome::Crashed(libc::SIGSEGV));
    let outcome = run(0x2000_0001, 0x2000_0001);
    assert!(matches!(outcome, ReplayOutcome::Diverged(_)), "{outcome:?}");
}
