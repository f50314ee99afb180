//! Symbolic arguments, standard input and files, by the options that KLEE has for them: what is found
//! is run natively with these.

#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use crate::support::command::{compact_se, folder, json, output};
use std::time::{Duration, Instant};

/// `analyze` of a program on this line of text, with these options; the exit code and the output.
fn analyze(text: &str, options: &str) -> (i32, String) {
    let folder = folder();
    let file = folder.path().join("prog.c");
    std::fs::write(&file, text).unwrap();
    let output = compact_se()
        .arg("analyze")
        .arg(&file)
        .args(options.split_whitespace())
        .output()
        .unwrap();
    let told = String::from_utf8(output.stdout).unwrap();
    let complained = String::from_utf8(output.stderr).unwrap();
    (output.status.code().unwrap(), told + &complained)
}

/// Includes what programs need; `body` is main's.
fn main_of(body: &str) -> String {
    format!(
        "#include <errno.h>\n#include <fcntl.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include \
         <string.h>\n#include <sys/stat.h>\n#include <unistd.h>\nextern void reach_error(void);\nint \
         main(int argc, char **argv) {{\n{body}\nreturn 0; }}\n"
    )
}

/// Some input leads to the target, with these lines in the output.
fn reachable(options: &str, body: &str, lines: &[&str]) {
    let (code, text) = analyze(&main_of(body), options);
    assert_eq!(code, 1, "{body}: {text}");
    assert!(text.contains("replayed natively: yes"), "{text}");
    for line in lines {
        assert!(text.contains(line), "{body}: {line} is not in {text}");
    }
}

fn unreachable(options: &str, body: &str) -> String {
    let (code, text) = analyze(&main_of(body), options);
    assert_eq!(code, 0, "{body}: {text}");
    text
}

/// The verdict is open, for this reason.
fn unknown(options: &str, body: &str, why: &str) {
    let (code, text) = analyze(&main_of(body), options);
    assert_eq!(code, 3, "{body}: {text}");
    assert!(text.contains(why), "{body}: {why} is not in {text}");
}

#[test]
fn numbers_of_many_digits_are_read() {
    let reads = "long n; if (scanf(\"%ld\", &n) == 1 && n == 1234567890123456789) reach_error();";
    reachable("--sym-stdin 19", reads, &["1234567890123456789"]);
    let line = "char t[9]; if (fgets(t, sizeof t, stdin) && atoll(t) > 99999999) reach_error();";
    unreachable("--sym-stdin 8", line);
}

#[test]
fn wide_characters_are_read() {
    let declared =
        "extern wchar_t *fgetws(wchar_t *, int, FILE *); extern unsigned getwchar(void);";
    let line = format!(
        "{declared} wchar_t t[9]; if (fgetws(t, 9, stdin) && t[1] == L'\\n' && getwchar() == 'x') reach_error();"
    );
    reachable("--sym-stdin 3", &line, &["stdin"]);
    let mixed = format!("{declared} getchar(); if (getwchar() == 'x') reach_error();");
    let why = "functions for bytes and for wide characters of the same stream";
    unknown("--sym-stdin 3", &mixed, why);
    let format = format!(
        "{declared} extern int wscanf(const wchar_t *, ...); int n; wchar_t t[4]; \
         if (wscanf(L\"%d %3ls\", &n, t) == 2 && n == 42 && t[0] == L'x' && getwchar() == -1u) reach_error();"
    );
    reachable("--sym-stdin 4", &format, &["stdin = "]);
    let file = format!(
        "{declared} extern int fwscanf(FILE *, const wchar_t *, ...); int n = 0; if (fwscanf(stdin, L\"x%1d\", &n) == 1 && n > 9) reach_error();"
    );
    let (code, text) = analyze(&main_of(&file), "--sym-stdin 2");
    assert!(code != 1 && text.contains("128 or more"), "{text}");
}

#[test]
fn new_files_are_read_back() {
    let declared = "char name[] = \"tXXXXXX\", t[2]; int file = mkstemp(name);";
    let back = format!(
        "{declared} if (file < 0) return 0; if (file < 3 || name[0] != 't' || write(file, \"ab\", 2) != 2) reach_error(); \
         lseek(file, 0, 0); if (read(file, t, 2) != 2 || t[1] != 'b') reach_error();"
    );
    unreachable("--sym-stdin 1", &back);
    let named =
        format!("{declared} if (file >= 0 && name[6] == 'q' && getchar() == 'x') reach_error();");
    reachable("--sym-stdin 1", &named, &["stdin = \"x\""]);
    let other =
        "char name[] = \"fXXXXX\"; if (mkstemp(name) != -1 || errno != EINVAL) reach_error();";
    unreachable("--sym-stdin 1", other);
}

#[test]
fn files_without_a_name_are_read_back() {
    let back = "FILE *file = tmpfile(); char t[3] = \"\"; if (!file) return 0; fputs(\"ab\", file); rewind(file);
                if (fread(t, 1, 2, file) != 2 || t[1] != 'b') reach_error();";
    unreachable("--sym-stdin 1", back);
    let opened = "if (tmpfile() && getchar() == 'x' && access(\".tmpfile\", F_OK)) reach_error();";
    reachable("--sym-stdin 1", opened, &["stdin = \"x\""]);
}

#[test]
fn options_are_read_from_symbolic_arguments() {
    let reads = "int c, n = 0; while ((c = getopt(argc, argv, \"xy:\")) != -1) n += c == 'y' ? atoi(optarg) : 0; \
                 if (n == 7";
    reachable(
        "--sym-arg 3",
        &format!("{reads}) reach_error();"),
        &["\"-y7\""],
    );
    let text = unreachable(
        "--sym-arg 3",
        &format!("{reads} && optind != 2) reach_error();"),
    );
    let assumed = "assuming that POSIXLY_CORRECT is not set";
    assert_eq!(text.matches(assumed).count(), 1, "{text}");
}

/// A variable of a function that has returned is gone, wherever inputs come from; and what happens in a model that is
/// called happens at the program's call.
#[test]
fn frames_are_told_apart() {
    let text = "#include <stdio.h>\nstatic int *point(int n) { int own = n; int *p = &own; return p; }\n\
                static int use(int *p) { return *p; }\n\
                int main(void) { int c = getchar(), *p = point(c); if (c == 'x') return use(p); return 0; }\n";
    let (code, told) = analyze(text, "--check memory --sym-stdin 2");
    assert_eq!(code, 1, "{told}");
    let what = "prog.c:3:33: access to a variable of a function that has returned";
    assert!(told.contains(what), "{told}");
    // What is put out is read.
    let puts_out = "#include <stdio.h>\n#include <unistd.h>\nint main(void) { char b[4]; int n = getchar();\n\
                    for (int i = 0; i < 4; i++) b[i] = 'a';\n";
    for (call, file) in [
        ("fwrite(b, 1, n == 'x' ? 9 : 2, stdout);", "fwrite"),
        ("write(1, b, n == 'x' ? 9 : 2);", "write"),
        ("if (n == 'x') fputs(b, stdout);", "fputs"),
        ("if (n == 'x') puts(b);", "puts"),
    ] {
        let text = format!("{puts_out}{call}\nreturn 0; }}\n");
        let (code, told) = analyze(&text, "--check memory --sym-stdin 1");
        assert_eq!(code, 1, "{file}: {told}");
        assert!(told.contains("prog.c:5:"), "{file}: {told}");
    }
    let reads = "#include <stdio.h>\nint main(void) { int a, b;\n  if (scanf(\"%d/%d\", &a, &b) != 2) return 1;\n\
                 return a / b; }\n";
    let (code, told) = analyze(reads, "--sym-stdin 3");
    assert_eq!(code, 1, "{told}");
    assert!(told.contains("scanf, called at "), "{told}");
    assert!(!told.contains("<models>"), "{told}");
}

/// KLEE's tutorials and a maze, with the options that stand in them.
#[test]
fn tutorials_are_found_in_seconds() {
    // With the beginning of what is found, and what a run of the harness says.
    let reached = "harness: target reached";
    let overflow = "AddressSanitizer: stack-buffer-overflow";
    let programs = [
        ("get_sign", "argv = {\"get_sign\", \"-7\"}", reached),
        ("regexp", "argv = {\"regexp\", \"", overflow),
        (
            "sort",
            "file numbers = \"",
            "Assertion `one[i] == other[i]' failed",
        ),
        ("maze", "stdin = \"sddwddddsddw", reached),
    ];
    for (name, line, end) in programs {
        let file = format!("tests/environment/{name}.c");
        let text = std::fs::read_to_string(&file).unwrap();
        let options = text.lines().find_map(|line| line.strip_prefix("// --"));
        let options = format!("--{}", options.unwrap());
        let mut arguments = vec!["analyze", &file];
        arguments.extend(options.split_whitespace());
        let folder = folder();
        let harness = folder.path().join("harness.c");
        arguments.extend(["--harness", harness.to_str().unwrap()]);
        let started = Instant::now();
        let text = output(&arguments, 1);
        assert!(text.contains("replayed natively: yes"), "{text}");
        assert!(text.contains(line), "{name}: {line} is not in {text}");
        // About 1 s on an idle machine.
        assert!(started.elapsed() < Duration::from_secs(40), "{name}");
        let reach = folder.path().join("reach");
        let mut clang = std::process::Command::new("clang-19");
        clang.args(["-w", "-fwrapv", &file]).arg(&harness);
        if end == overflow {
            clang.arg("-fsanitize=address");
        }
        assert!(clang.arg("-o").arg(&reach).status().unwrap().success());
        let run = std::process::Command::new(&reach).output().unwrap();
        let said = String::from_utf8_lossy(&run.stderr).into_owned();
        assert!(said.contains(end), "{name}: {said}");
        assert_eq!(
            run.status.code() == Some(86),
            end == reached,
            "{name}: {said}"
        );
    }
}

#[test]
fn arguments_have_at_most_so_many_characters() {
    let two = "if (argc == 3 && !strcmp(argv[1], \"12\") && argv[2][0] == '-' && !argv[2][1]) \
               reach_error();";
    let argv = "argv = {\"prog\", \"12\", \"-\"}";
    reachable("--sym-arg 3 --sym-arg 1", two, &[argv]);
    reachable("--sym-args 0 2 2", two, &[argv]);
    reachable("--arg 12 --sym-arg 4", two, &[argv]);
    unreachable("--sym-arg 1 --sym-arg 1", two);
    unreachable("--sym-args 0 1 5", two);
    let text = unreachable(
        "--sym-args 1 2 3",
        "if (argc < 2 || argc > 3 || argv[argc] || strlen(argv[argc - 1]) > 3 \
         || strcmp(argv[0], \"prog\")) reach_error();",
    );
    let assumed = "assuming that argv is {\"prog\", 1 to 2 times at most 3 characters}\nassuming \
                   that stdin is empty\n";
    assert!(text.contains(assumed), "{text}");
    let third = "int main(int argc, char **argv, char **envp) { return envp[0] != 0; }";
    let (code, text) = analyze(
        &format!("void reach_error(void);{third}"),
        "--sym-arg 1 --check memory",
    );
    assert_eq!(code, 3, "{text}");
}

#[test]
fn standard_input_has_exactly_so_many_bytes() {
    let stdin = "stdin = \"ab\\n\"";
    let line = "char t[9]; if (fgets(t, sizeof t, stdin) && !strcmp(t, \"ab\\n\")) reach_error();";
    reachable("--sym-stdin 3", line, &["argv = {\"prog\"}", stdin]);
    unreachable("--sym-stdin 2", line);
    let bytes = "char t[9]; if (read(0, t, 9) == 3 && t[0] == 'a' && t[1] == 'b' && t[2] == '\\n' \
                 && read(0, t, 9) == 0) reach_error();";
    reachable("--sym-stdin 3", bytes, &[stdin]);
    let characters = "if (getchar() == 'a' && getc(stdin) == 'b' && ungetc('x', stdin) == 'x' \
                      && fgetc(stdin) == 'x' && getchar() == 10 && getchar() == EOF && feof(stdin)) \
                      reach_error();";
    reachable("--sym-stdin 3", characters, &[stdin]);
    let count = "int n = 0; while (getchar() != EOF) n++; if (n != 5) reach_error();";
    let text = unreachable("--sym-stdin 5", count);
    assert!(text.contains("assuming that stdin has 5 bytes\n"), "{text}");
    unreachable(
        "--sym-arg 1",
        "if (getchar() != EOF || !feof(stdin)) reach_error();",
    );
}

#[test]
fn formatted_input_and_lines() {
    let numbers =
        "int a, b; if (scanf(\"%d,%d\", &a, &b) == 2 && a == 7 && b == -3) reach_error();";
    reachable("--sym-stdin 4", numbers, &["stdin = \"7,-3\""]);
    unreachable("--sym-stdin 3", numbers);
    let after = "int n; scanf(\"%*d\"); n = getchar(); if (n >= '0' && n <= '9') reach_error();";
    unreachable("--sym-stdin 3", after);
    let line = "char *t = NULL; size_t n = 0; if (getline(&t, &n, stdin) == 2 && *t == 'x' && \
                getline(&t, &n, stdin) == 1 && *t == '\\n') reach_error(); free(t);";
    reachable("--sym-stdin 3", line, &["stdin = \"x\\n\\n\""]);
}

#[test]
fn files_are_read_and_written() {
    let read = "FILE *f = fopen(\"A\", \"r\"); char t[4]; if (!f) return 1; \
                if (fread(t, 1, 4, f) == 3 && feof(f) && !memcmp(t, \"a\\0b\", 3)) reach_error();";
    reachable("--sym-file A 3", read, &["file A = \"a\\000b\""]);
    unreachable("--sym-file A 2", read);
    unreachable("--sym-file B 3", read);
    let missing = "if (open(\"B\", O_RDONLY) < 0 && errno == ENOENT) reach_error();";
    reachable("--sym-file A 1", missing, &[]);
    let written = "int f = open(\"new\", O_RDWR | O_CREAT, 0600); char c, d; read(0, &c, 1); \
                   write(f, &c, 1); lseek(f, 0, SEEK_SET); read(f, &d, 1); struct stat s; \
                   fstat(f, &s); if (s.st_size != 1 || c != d) reach_error(); close(f); \
                   if (access(\"new\", R_OK)) reach_error();";
    unreachable("--sym-stdin 1", written);
    let found = written.replace("c != d", "c == d && d == 'q' && f == 3");
    reachable("--sym-stdin 1", &found, &["stdin = \"q\""]);
}

#[test]
fn what_the_model_does_not_know_stays_open() {
    let slash = "if (fopen(\"/etc/passwd\", \"r\") == stdin) reach_error();";
    unknown("--sym-stdin 1", slash, "a path with a slash");
    let mixed = "char c; getchar(); if (read(0, &c, 1) == 2) reach_error();";
    unknown(
        "--sym-stdin 2",
        mixed,
        "used as a stream and as a descriptor",
    );
    let formatted =
        "FILE *f = fopen(\"A\", \"w\"); fprintf(f, \"x\"); if (fclose(f)) reach_error();";
    unknown("--sym-file A 2", formatted, "formatted output to a file");
    let variable = "setenv(\"A\", \"b\", 1); if (getenv(\"A\")) reach_error();";
    unknown("--sym-stdin 1", variable, "call of setenv");
    // Without the options nothing is known of files, and they are named.
    let other = "call of fopen for reading (modelled with --sym-stdin, --sym-file or --sym-arg";
    unknown("", "if (fopen(\"A\", \"r\")) reach_error();", other);
}

#[test]
fn standard_input_without_an_option_is_written_from_what_is_read() {
    let sum = "int a, b; if (scanf(\"%d %d\", &a, &b) == 2 && a == 12 && b == -3) reach_error();";
    let command = "as a command: printf '12\\n-3\\n' | ./program";
    reachable("", sum, &["stdin = \"12\\n-3\\n\"", command]);
    let behind = "int a; if (scanf(\"%d\", &a) == 1 && a == 7 && getchar() == 'x') reach_error();";
    reachable("", behind, &["stdin = \"7x\""]);
    unreachable("", &behind.replace("'x'", "'5'"));
    let sign = "int a; if (scanf(\"%d\", &a) == 0 && getchar() == ' ') reach_error();";
    reachable("", sign, &["stdin = \"+ \""]);
    let line = "char t[9]; if (fgets(t, 9, stdin) && !strcmp(t, \"ab\\n\")) reach_error();";
    reachable("", line, &["stdin = \"ab\\n\""]);
    let words =
        "char a[4], b[4]; if (scanf(\"%3s,%3s\", a, b) == 2 && a[2] == b[2]) reach_error();";
    reachable("", words, &["stdin = "]);
    let nothing = "if (scanf(\"%*s\") == EOF && feof(stdin)) reach_error();";
    reachable("", nothing, &["stdin = \"\""]);
    let fails = "char c; if (read(0, &c, 1) < 0) reach_error();";
    reachable("", fails, &["stdin is a folder", "./program < /"]);
    unreachable(
        "",
        "if (getc(stdin) == EOF && getc(stdin) != EOF) reach_error();",
    );
    let back = "int c = getc(stdin); if (c == 'x' && ungetc(c, stdin) == c && getc(stdin) != c)";
    unreachable("", &format!("{back} reach_error();"));
    let mixed = "char c; if (getc(stdin) == 'x' && read(0, &c, 1)) reach_error();";
    unknown("", mixed, "as a stream and by its descriptor");
    let format = "int a; if (scanf(argv[0], &a) == 1) reach_error();";
    unknown("", format, "a format that is not constant");
}

#[test]
fn errors_behind_input_are_confirmed_by_sanitizers() {
    let overflow = "char t[4]; fgets(t, 8, stdin);";
    reachable(
        "--sym-stdin 6",
        overflow,
        &["access out of bounds (AddressSanitizer: stack-buffer-overflow)"],
    );
    let text = unreachable("--sym-stdin 6", &overflow.replace('8', "4"));
    assert!(text.contains("memory accesses"), "{text}");
}

#[test]
fn options_are_checked() {
    let (code, text) = analyze(&main_of(""), "--sym-file /tmp/a 3");
    assert!(
        code == 2 && text.contains("use a name without a slash"),
        "{text}"
    );
    let (code, text) = analyze(&main_of(""), "--sym-args 2 1 3");
    assert!(
        code == 2 && text.contains("MIN is larger than MAX"),
        "{text}"
    );
}

#[test]
fn records_and_ktest_have_what_the_program_is_started_with() {
    let folder = folder();
    let file = folder.path().join("prog.c");
    let body = "char t[2]; read(0, t, 2); FILE *f = fopen(\"A\", \"r\"); \
                if (argc == 2 && argv[1][0] == 'x' && t[1] == 'y' && getc(f) == 'z') reach_error();";
    std::fs::write(&file, main_of(body)).unwrap();
    let (record, test) = (folder.path().join("r.json"), folder.path().join("t.ktest"));
    let options = "--sym-arg 1 --sym-stdin 2 --sym-file A 1";
    compact_se()
        .arg("analyze")
        .arg(&file)
        .args(options.split_whitespace())
        .arg("--json")
        .arg(&record)
        .arg("--ktest")
        .arg(&test)
        .assert()
        .code(1);
    let record = json(&record);
    let start = &record["errors"][0]["started_with"];
    assert_eq!(start["argv"][1], "\"x\"");
    assert!(start["stdin"].as_str().unwrap().ends_with("y\""), "{start}");
    assert_eq!(start["files"]["A"], "\"z\"");
    let test = std::fs::read(&test).unwrap();
    let test = String::from_utf8_lossy(&test);
    for name in [
        "--sym-arg",
        "--sym-stdin",
        "arg00",
        "stdin",
        "A-data",
        "model_version",
    ] {
        assert!(test.contains(name), "{name}");
    }
}
