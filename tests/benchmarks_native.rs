//! The programs of `c-benchmarks/`: each reachable target is reached natively on the inputs below,
//! and headers and table are complete.
//!
//! The programs are not prepared by compact-se here, so that the verdicts in their headers rest on
//! nothing but clang.

use crate::support::{Outcome, clang, header, replay, repository};
use std::collections::BTreeMap;

/// A record of the replay file: an input of 32 bits.
fn int(value: i32) -> String {
    format!("i32 {} input\n", u32::from_ne_bytes(value.to_ne_bytes()))
}

/// A record of the replay file: memory with this content.
fn bytes(content: &[u8]) -> String {
    let hex: String = content.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("bytes {} 00 memory 0:{hex}\n", content.len())
}

fn ints(content: &[i32]) -> String {
    let content: Vec<u8> = content
        .iter()
        .flat_map(|value| value.to_le_bytes())
        .collect();
    bytes(&content)
}

/// The length of an array, then its content.
fn sized_bytes(content: &[u8]) -> String {
    int(i32::try_from(content.len()).expect("a short array")) + &bytes(content)
}

fn sized_ints(content: &[i32]) -> String {
    int(i32::try_from(content.len()).expect("a short array")) + &ints(content)
}

/// Inputs that reach the target, for every program whose verdict is `reachable`.
fn reaching_inputs() -> BTreeMap<&'static str, String> {
    // Row 0 of a matrix of `width` columns: 16 elements in the range, then others.
    let row = |width: usize| -> Vec<i32> {
        let mut row = vec![1000; width];
        row[..16].fill(50);
        row
    };
    let mut matrix = row(100);
    matrix.resize(100 * 100, -1);
    let mut matrix_dyn = row(21);
    matrix_dyn.resize(21 * 21, -1);
    // The key x = 7, and arrays with as many or as few of them as it takes.
    let mut search = vec![0; 40];
    search[21] = 7;
    let searched = sized_ints(&search) + &int(7);
    let counted = sized_ints(&[7; 21]) + &int(7);
    // Start, row, column, length, data; then bytes that start nothing.
    let mut driver = vec![0x7e, 2, 5, 1, 0x41];
    driver.resize(25, 0);
    let mut vm = vec![3, 250, 3, 250, 3, 250, 3, 250, 5];
    vm.extend([1_u8; 500]);
    vm.push(8);

    BTreeMap::from([
        ("hello", sized_bytes(b"say Hello")),
        ("HW", sized_bytes(b"World, Hello")),
        ("HWM", sized_bytes(b"Microsoft! At WorldHello")),
        ("matrIR", int(21) + &ints(&matrix)),
        ("matrIR_dyn", int(21) + &int(21) + &ints(&matrix_dyn)),
        ("VM", sized_bytes(&vm)),
        ("VMS", sized_bytes(&[1, 0, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 3])),
        (
            "decode_packets",
            sized_bytes(&[0, 0x7e, 3, 0, 0, 0x7e, 1, 1, 2, 9, 0x55]),
        ),
        ("WinDriver", sized_bytes(&driver)),
        ("EQCNT", int(3) + &int(7) + &ints(&[5; 3]) + &ints(&[5; 7])),
        ("DOIF", sized_ints(&[1, 2, 3].repeat(8))),
        (
            "DOIFex",
            int(13) + &int(7) + &ints(&[1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 1, 1]) + &ints(&[2; 7]),
        ),
        ("linSrch", searched.clone()),
        ("countIf", counted.clone()),
        ("issta_example", sized_ints(&[1; 16])),
        ("recursion_linSrchRec", searched),
        ("recursion_countIfRec_a", counted.clone()),
        ("recursion_countIfRec_b", counted),
        ("recursion_factorial", int(10)),
        ("recursion_mutual", int(51)),
    ])
}

/// Name and source text of every program.
fn programs() -> BTreeMap<String, String> {
    let programs: BTreeMap<_, _> = std::fs::read_dir(repository("c-benchmarks"))
        .expect("the folder is part of the repository")
        .map(|entry| entry.expect("the folder is readable").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .map(|path| {
            let name = path
                .file_stem()
                .expect("a file")
                .to_string_lossy()
                .into_owned();
            let text = std::fs::read_to_string(&path).expect("programs are text");
            (name, text)
        })
        .collect();
    assert!(
        programs.len() >= 24,
        "the programs are {:?}",
        programs.keys()
    );
    programs
}

#[test]
fn every_reachable_target_is_reached() {
    let inputs = reaching_inputs();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let hook = folder.path().join("hook.c");
    std::fs::write(
        &hook,
        "void __compact_se_target(void);\n\
         void reach_error(void);\n\
         void reach_error(void) { __compact_se_target(); }\n",
    )
    .expect("the folder is writable");
    for (name, text) in programs() {
        if header(&text, "verdict") != Some("reachable") {
            continue;
        }
        let records = inputs
            .get(name.as_str())
            .unwrap_or_else(|| panic!("{name} has no inputs in this file"));
        let program = folder.path().join(&name);
        let path = |path: &std::path::Path| path.display().to_string();
        clang(&[
            "-O0",
            "-fwrapv",
            "-Wall",
            "-Wextra",
            "-Werror",
            // The first definition of reach_error is the one that is taken.
            "-Wl,-z,muldefs",
            "-o",
            &path(&program),
            &path(&hook),
            &path(&repository(&format!("c-benchmarks/{name}.c"))),
            &path(&repository("runtime/replay/replay.c")),
        ]);
        assert_eq!(
            replay(&program, records),
            Outcome::target_reached(),
            "{name} on\n{records}"
        );
    }
}

#[test]
fn headers_are_complete() {
    for (name, text) in programs() {
        let verdict = header(&text, "verdict");
        assert!(
            matches!(verdict, Some("reachable" | "unreachable")),
            "{name}: {verdict:?}"
        );
        for technique in ["classic", "compact"] {
            let outcome = header(&text, technique);
            let decided = if verdict == Some("reachable") {
                "reached"
            } else {
                "unreachable"
            };
            assert!(
                outcome == Some("timeout")
                    || outcome == Some(decided)
                    || (outcome.is_none() && technique == "compact"),
                "{name}: {technique}: {outcome:?}"
            );
        }
        assert!(header(&text, "source").is_some(), "{name} names no source");
        assert_eq!(
            text.contains("// Why it is unreachable: "),
            verdict == Some("unreachable"),
            "{name}"
        );
    }
}

#[test]
fn readme_has_a_row_for_every_program() {
    let readme = std::fs::read_to_string(repository("c-benchmarks/README.md"))
        .expect("the file is part of the repository");
    for (name, text) in programs() {
        let row = readme
            .lines()
            .find(|line| line.starts_with(&format!("| [{name}]({name}.c) |")))
            .unwrap_or_else(|| panic!("{name} has no row"));
        let cells: Vec<_> = row.split('|').map(str::trim).collect();
        assert_eq!(Some(cells[2]), header(&text, "verdict"), "{name}");
        assert_eq!(Some(cells[3]), header(&text, "classic"), "{name}");
        assert_eq!(cells[4], header(&text, "compact").unwrap_or("–"), "{name}");
    }
}
