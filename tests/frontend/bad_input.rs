//! Bad input: one clear error, no crash, no hang.

use super::{Source, options, try_load_c};
use compact_se::frontend::llvm::find_clang;
use compact_se::frontend::{LoadError, load};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

fn fail(path: &Path) -> LoadError {
    let start = Instant::now();
    let error = load(&options(&[path])).map(|_| ()).unwrap_err();
    assert!(start.elapsed() < Duration::from_secs(30), "{error}");
    let message = error.to_string();
    assert!(!message.contains('\n'), "{message}");
    assert!(
        message.contains(&path.file_name().unwrap().to_string_lossy().into_owned()),
        "the message names the file: {message}"
    );
    error
}

fn bitcode(text: &str) -> (Source, PathBuf) {
    let source = Source::c(text);
    let output = source.path.with_extension("bc");
    let status = Command::new(find_clang().unwrap())
        .args(["-O0", "-g", "-emit-llvm", "-c", "-o"])
        .arg(&output)
        .arg(&source.path)
        .status()
        .unwrap();
    assert!(status.success());
    (source, output)
}

const PROGRAM: &str = "void reach_error(void); int f(int n) { return n > 3 ? n * 2 : -n; }
    int main(void) { int a[4] = {1, 2, 3}; for (int i = 0; i < 4; i++) if (f(a[i]) == 7) reach_error();
    return 0; }";

#[test]
fn files_that_are_none() {
    let folder = tempfile::tempdir().unwrap();
    assert!(matches!(
        fail(&folder.path().join("none.c")),
        LoadError::NotFound { .. }
    ));
    let folder_as_file = folder.path().join("folder.c");
    std::fs::create_dir(&folder_as_file).unwrap();
    assert!(matches!(fail(&folder_as_file), LoadError::Folder { .. }));
    let other = Source::new("program.txt", PROGRAM);
    assert!(matches!(fail(&other.path), LoadError::UnknownKind { .. }));
    assert!(matches!(
        load(&options(&[])).map(|_| ()),
        Err(LoadError::NoInput)
    ));
}

#[test]
fn c_that_does_not_compile() {
    let source = Source::c("int main(void) {\n  int x = 3\n  return x;\n}\n");
    let error = fail(&source.path);
    let LoadError::Clang { message, .. } = &error else {
        panic!("{error}");
    };
    assert!(
        message.contains(":2:") && message.contains("expected ';'"),
        "{message}"
    );
    let unknown = Source::c("#include <no_such_header.h>\nint main(void) { return 0; }");
    assert!(matches!(fail(&unknown.path), LoadError::Clang { .. }));
}

#[test]
fn programs_without_main() {
    let source = Source::c("void reach_error(void); int f(void) { reach_error(); return 0; }");
    assert!(matches!(fail(&source.path), LoadError::MissingMain { .. }));
    let error = try_load_c("int main(void); int f(void) { return main(); }", |_| ()).unwrap_err();
    assert!(matches!(error, LoadError::MissingMain { .. }), "{error}");
}

#[test]
fn assembly_outside_of_functions() {
    let with = |text: &str| {
        let program = format!("__asm__(\"{text}\"); int main(void) {{ return 0; }}");
        try_load_c(&program, |options| options.allow_missing_target = true)
    };
    // Versions of symbols are for linkers.
    assert!(with(".symver main,main@VERSION_1").is_ok());
    let error = with("nop").unwrap_err().to_string();
    assert!(
        error.contains("assembly outside of functions: nop"),
        "{error}"
    );
}

#[test]
fn files_that_are_no_bitcode() {
    let (_source, good) = bitcode(PROGRAM);
    let bytes = std::fs::read(&good).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let bad = folder.path().join("bad.bc");
    let cases: [(&str, Vec<u8>); 6] = [
        ("empty", Vec::new()),
        ("text", b"int main(void) { return 0; }".to_vec()),
        (
            "assembly",
            b"; ModuleID = 'x'\ndefine i32 @main() { ret i32 0 }".to_vec(),
        ),
        ("truncated", bytes[..bytes.len() / 2].to_vec()),
        ("head only", bytes[..4].to_vec()),
        (
            "zeros after the head",
            [&bytes[..8], &[0; 500][..]].concat(),
        ),
    ];
    for (name, content) in cases {
        std::fs::write(&bad, content).unwrap();
        let error = fail(&bad);
        assert!(
            matches!(error, LoadError::Bitcode { .. } | LoadError::Crashed { .. }),
            "{name}: {error}"
        );
    }
    let assembly = Source::new("bad.ll", "define i32 @main( { ret i32 0 }");
    assert!(matches!(fail(&assembly.path), LoadError::Assembly { .. }));
    let empty = Source::new("empty.ll", "");
    assert!(matches!(fail(&empty.path), LoadError::MissingMain { .. }));
    let invalid = Source::new(
        "invalid.ll",
        "define i32 @main() { %x = add i32 %y, 1\n %y = add i32 %x, 1\n ret i32 %y }",
    );
    assert!(matches!(fail(&invalid.path), LoadError::Assembly { .. }));
}

#[test]
fn flipped_bits() {
    let (_source, good) = bitcode(PROGRAM);
    let bytes = std::fs::read(&good).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut random = fastrand::Rng::with_seed(2013);
    let (mut n_loaded, mut n_errors, mut n_crashes) = (0, 0, 0);
    for number in 0..150 {
        let mut flipped = bytes.clone();
        for _ in 0..random.usize(1..=3) {
            let bit = random.usize(0..flipped.len() * 8);
            flipped[bit / 8] ^= 1 << (bit % 8);
        }
        let path = folder.path().join(format!("flipped{number}.bc"));
        std::fs::write(&path, flipped).unwrap();
        let mut options = options(&[&path]);
        options.time_limit = Duration::from_secs(20);
        let start = Instant::now();
        match load(&options) {
            Ok(_) => n_loaded += 1,
            Err(LoadError::Crashed { .. }) => n_crashes += 1,
            Err(error) => {
                assert!(
                    !matches!(error, LoadError::Internal { .. }),
                    "{number}: {error}"
                );
                n_errors += 1;
            }
        }
        assert!(start.elapsed() < Duration::from_secs(25));
    }
    assert!(
        n_errors > 50,
        "{n_loaded} loaded, {n_errors} errors, {n_crashes} crashes"
    );
    assert!(
        n_crashes > 0,
        "the child is there for a reason: {n_loaded} loaded, {n_errors} errors"
    );
}

#[test]
fn a_slow_child_is_stopped() {
    let source = Source::c(PROGRAM);
    let mut options = options(&[&source.path]);
    options.time_limit = Duration::from_millis(1);
    let error = load(&options).map(|_| ()).unwrap_err();
    assert!(matches!(error, LoadError::TimeLimit { .. }), "{error}");
}

#[test]
fn a_hungry_child_is_stopped() {
    let mut text = String::from("int x;\n");
    for number in 0..3000 {
        text += &format!("int f{number}(int a) {{ return a * {number} + x; }}\n");
    }
    text += "int main(void) { return 0; }";
    let source = Source::c(&text);
    let mut options = options(&[&source.path]);
    options.allow_missing_target = true;
    options.memory_limit = 100 << 20;
    let error = load(&options).map(|_| ()).unwrap_err();
    assert!(
        matches!(
            error,
            LoadError::MemoryLimit { .. }
                | LoadError::Crashed { .. }
                | LoadError::NoClang { .. }
                | LoadError::Clang { .. }
        ),
        "{error}"
    );
}

#[test]
fn the_executable_must_be_ours() {
    let source = Source::c(PROGRAM);
    let mut options = options(&[&source.path]);
    options.executable = Some(PathBuf::from("/bin/true"));
    let error = load(&options).map(|_| ()).unwrap_err();
    assert!(matches!(error, LoadError::Crashed { .. }), "{error}");
    options.executable = Some(PathBuf::from("/no/such/file"));
    assert!(matches!(
        load(&options).map(|_| ()),
        Err(LoadError::System { .. })
    ));
}
