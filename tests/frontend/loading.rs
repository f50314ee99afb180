//! Whole files: kinds of input, several inputs, benchmark programs, task collections.

use super::{Source, check, files_below, load_c, options, unsupported};
use compact_se::flowgraph::Granularity;
use compact_se::frontend::llvm::find_clang;
use compact_se::frontend::{DataModel, LoadError, load};
use std::path::{Path, PathBuf};
use std::process::Command;

fn clang(args: &[&str], source: &Path, output: &Path) {
    let status = Command::new(find_clang().unwrap())
        .args(args)
        .arg("-o")
        .arg(output)
        .arg(source)
        .status()
        .unwrap();
    assert!(status.success());
}

const PROGRAM: &str = "int __VERIFIER_nondet_int(void); void reach_error(void);
    struct s { char c; int i; } t[3] = { { 1, 2 }, { 3, 4 } }; int *p = &t[1].i;
    int main(void) { int n = __VERIFIER_nondet_int(); if (n == *p) reach_error(); return t[n & 1].i; }";

#[test]
fn bitcode_and_assembly_give_the_same_program() {
    let source = Source::c(PROGRAM);
    let from_c = load(&options(&[&source.path])).unwrap();
    let folder = tempfile::tempdir().unwrap();
    for (name, kind) in [("program.bc", "-c"), ("program.ll", "-S")] {
        let path = folder.path().join(name);
        let args = [
            "-O0",
            "-g",
            "-fwrapv",
            "-fno-discard-value-names",
            "-emit-llvm",
            "-Xclang",
            "-disable-O0-optnone",
            kind,
        ];
        clang(&args, &source.path, &path);
        let loaded = load(&options(&[&path])).unwrap();
        check(&loaded, Granularity::Block);
        assert_eq!(loaded.program, from_c.program, "{name}");
    }
}

#[test]
fn bitcode_of_other_options_loads() {
    let source = Source::c(PROGRAM);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("program.bc");
    for args in [
        &["-O2"][..],
        &["-O1", "-g"],
        &["-O0"],
        &["-Os", "-m32"],
        &["-O3", "-march=native"],
    ] {
        let args: Vec<&str> = ["-emit-llvm", "-c"].iter().chain(args).copied().collect();
        clang(&args, &source.path, &path);
        let loaded = load(&options(&[&path])).unwrap_or_else(|error| panic!("{args:?}: {error}"));
        check(&loaded, Granularity::Block);
        assert_eq!(unsupported(&loaded), Vec::<String>::new());
    }
}

#[test]
fn inputs_are_linked() {
    let main = Source::new(
        "main.c",
        "int f(int); void reach_error(void); int main(void) { if (f(3) == 6) reach_error(); }",
    );
    let other = Source::new(
        "other.c",
        "static int two = 2; int f(int x) { return two * x; }",
    );
    let loaded = load(&options(&[&main.path, &other.path])).unwrap();
    check(&loaded, Granularity::Block);
    assert_eq!(loaded.program.functions.len(), 1);
    let twice = Source::new("twice.c", "int main(void) { return 1; }");
    let error = load(&options(&[&main.path, &twice.path])).unwrap_err();
    assert!(
        matches!(&error, LoadError::Link { path, .. } if path.ends_with("twice.c")),
        "{error}"
    );
}

#[test]
fn the_data_model_is_that_of_the_file() {
    let source = Source::c(PROGRAM);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("program.bc");
    clang(&["-m32", "-emit-llvm", "-c"], &source.path, &path);
    assert_eq!(
        load(&options(&[&path])).unwrap().data_model,
        DataModel::Ilp32
    );
    let mut wrong = options(&[&path]);
    wrong.data_model = Some(DataModel::Lp64);
    let error = load(&wrong).unwrap_err();
    assert!(
        matches!(error, LoadError::DataModel { found: 32, .. }),
        "{error}"
    );
    assert_eq!(
        load(&options(&[&source.path])).unwrap().data_model,
        DataModel::Lp64
    );
}

#[test]
fn assembly_that_clang_does_not_make() {
    let text = r#"
target triple = "x86_64-pc-linux-gnu"
%s = type { i8, i32, [3 x i64] }
@t = global [2 x %s] zeroinitializer
@p = global ptr getelementptr inbounds ([2 x %s], ptr @t, i64 0, i64 1, i32 2, i64 1)
@kept = global ptr @p
@a = alias i32, getelementptr (i8, ptr @t, i64 4)
declare void @reach_error()
define i128 @wide(i128 %x) {
  %r = add i128 %x, 36893488147419103232
  ret i128 %r
}
define i32 @main(i32 %argc, ptr %argv) {
entry:
  %c = icmp ugt i32 undef, 5
  br i1 %c, label %big, label %join
big:
  %f = freeze i32 poison
  store i32 %f, ptr getelementptr ([2 x %s], ptr @t, i64 0, i64 1, i32 1)
  br label %join
join:
  %x = phi i32 [ 1, %entry ], [ undef, %big ]
  %odd = zext i32 %x to i37
  %sum = mul i37 %odd, 100000000000
  %pair = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %x, i32 1)
  %v = extractvalue { i32, i1 } %pair, 0
  %agg = insertvalue { i32, i8 } undef, i32 %v, 0
  %w = extractvalue { i32, i8 } %agg, 0
  %big.wide = call i128 @wide(i128 18446744073709551617)
  %low = trunc i128 %big.wide to i32
  %is = icmp eq i32 %low, 1
  br i1 %is, label %good, label %bad
bad:
  call void @reach_error()
  br label %good
good:
  %l = load i32, ptr @a
  %place = load ptr, ptr @kept
  %q = load ptr, ptr %place
  %m = load i64, ptr %q
  %n = trunc i64 %m to i32
  %k = add i32 %l, %n
  %r = add i32 %w, %k
  ret i32 %r
}
declare { i32, i1 } @llvm.sadd.with.overflow.i32(i32, i32)
"#;
    let source = Source::new("program.ll", text);
    let loaded = load(&options(&[&source.path])).unwrap_or_else(|error| panic!("{error}"));
    check(&loaded, Granularity::Block);
    assert_eq!(unsupported(&loaded), Vec::<String>::new());
    let id = loaded.program.global_by_name("p").unwrap();
    let initializer = format!("{:?}", loaded.program.global(id).initializer);
    assert!(
        initializer.contains("Small(48)"),
        "32 + 8 + 8 bytes: {initializer}"
    );
}

#[test]
fn what_cannot_be_read_without_loss_is_refused() {
    let refuse = |text: &str| {
        let source = Source::new("program.ll", text);
        let mut options = options(&[&source.path]);
        options.allow_missing_target = true;
        load(&options).map(|_| ()).unwrap_err()
    };
    let wide = refuse(
        "@g = global i128 36893488147419103232\ndefine i32 @main() { %x = load i32, ptr @g\n ret i32 %x }",
    );
    assert!(matches!(wide, LoadError::Refused { .. }), "{wide}");
    let assembly = refuse("module asm \"nop\"\ndefine i32 @main() { ret i32 0 }");
    assert!(matches!(assembly, LoadError::Refused { .. }), "{assembly}");
    // Where the program ends is not known.
    let destructor = refuse(
        "@llvm.global_dtors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 1, ptr @f, ptr null }]
         @end = global ptr @exit\ndeclare void @exit(i32)
         define void @f() { ret void }\ndefine i32 @main() { ret i32 0 }",
    );
    assert!(
        matches!(destructor, LoadError::Refused { .. }),
        "{destructor}"
    );
    let machine = refuse("target triple = \"aarch64-linux-gnu\"\ndefine i32 @main() { ret i32 0 }");
    assert!(matches!(machine, LoadError::Machine { .. }), "{machine}");
}

#[test]
fn loading_twice_gives_the_same_program() {
    let once = load_c(PROGRAM);
    let again = load_c(PROGRAM);
    assert_eq!(once.program.functions, again.program.functions);
    assert_eq!(once.program.globals, again.program.globals);
}

#[test]
fn benchmark_programs_load() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("c-benchmarks");
    let files = files_below(&folder, "c");
    assert!(files.len() >= 18, "the benchmarks are there");
    for path in files {
        for granularity in [Granularity::Block, Granularity::Split] {
            let mut options = options(&[&path]);
            options.granularity = granularity;
            let loaded = load(&options).unwrap_or_else(|error| panic!("{error}"));
            check(&loaded, granularity);
            assert_eq!(
                unsupported(&loaded),
                Vec::<String>::new(),
                "{}",
                path.display()
            );
        }
    }
}

/// Folder with task collections: `COMPACT_SE_TASKS`, else `../shared` beside the repository.
fn tasks(folder: &str) -> Option<PathBuf> {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR"));
    let tasks = std::env::var_os("COMPACT_SE_TASKS").map(PathBuf::from);
    let folder = tasks
        .unwrap_or_else(|| repository.join("../shared"))
        .join(folder);
    folder.is_dir().then_some(folder)
}

/// The C file that a task definition names, in the plain form of the collections: one file, quoted.
fn input_file(definition: &Path) -> PathBuf {
    let text = std::fs::read_to_string(definition).unwrap();
    let name = text
        .lines()
        .find_map(|line| line.strip_prefix("input_files:"))
        .unwrap_or_else(|| panic!("{} names no file", definition.display()));
    definition.with_file_name(name.trim().trim_matches(['\'', '"']))
}

/// Loads every task in both granularities; `extension` is that of the files that list the tasks.
fn check_tasks(test: &str, folder: &str, extension: &str, standard: Option<&str>, at_least: usize) {
    let Some(folder) = tasks(folder) else {
        let why = format!("{folder} is neither in COMPACT_SE_TASKS nor in ../shared");
        crate::support::skipped(test, &why);
        return;
    };
    let mut files = files_below(&folder, extension);
    if extension == "yml" {
        files = files.iter().map(|task| input_file(task)).collect();
    }
    assert!(
        files.len() >= at_least,
        "{} tasks in {}",
        files.len(),
        folder.display()
    );
    for path in crate::support::sample(files, 0, 8) {
        for granularity in [Granularity::Block, Granularity::Split] {
            let mut options = options(&[&path]);
            options.granularity = granularity;
            options.data_model = Some(DataModel::Ilp32);
            options.standard = standard.map(str::to_owned);
            options.allow_missing_target = true;
            let loaded = load(&options).unwrap_or_else(|error| panic!("{error}"));
            check(&loaded, granularity);
        }
    }
}

#[test]
fn tasks_of_2013_load() {
    check_tasks(
        "tasks_of_2013_load",
        "svcomp-2013/loops",
        "i",
        Some("gnu89"),
        79,
    );
}

#[test]
fn tasks_of_today_load() {
    check_tasks("tasks_of_today_load", "svcomp/c/loops", "yml", None, 60);
}
