//! The part of a harness that starts the program with arguments, standard input and files.
//!
//! Before `main`, the harness runs the program anew: in an empty folder with the files, with the arguments and
//! the input; it waits for that, removes the folder and ends as the program did. Nothing has to be given to
//! the compiler or the program for it. It needs Linux (`/proc/self/exe`).

use frontend::c_string;
use replay::Surroundings;
use std::fmt::Write as _;

/// What else has to be included.
pub(super) const INCLUDES: &str = "#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
";

const START: &str = r#"
/* Marks that the program has been started this way. */
#define STARTED "COMPACT_SE_HARNESS_STARTED"

static void cannot_start(const char *what) {
    perror(what);
    _exit(87);
}

static void put(int file, const char *content, size_t size) {
    while (size > 0) {
        ssize_t written = write(file, content, size);
        if (written <= 0)
            cannot_start("harness: cannot write a file");
        content += written;
        size -= (size_t)written;
    }
}

/* In an empty folder, which becomes the working folder. */
static void run_program(void) {
    char name[] = "/tmp/harness-stdin-XXXXXX";
    int input = mkstemp(name);
    if (input < 0 || unlink(name) != 0)
        cannot_start("harness: cannot make standard input");
    put(input, standard_input, sizeof standard_input - 1);
    if (lseek(input, 0, SEEK_SET) != 0 || dup2(input, 0) != 0)
        cannot_start("harness: cannot make standard input");
    close(input);
    for (const struct file *file = files; file->name != 0; file++) {
        int made = open(file->name, O_WRONLY | O_CREAT | O_EXCL, 0600);
        if (made < 0)
            cannot_start("harness: cannot make a file");
        put(made, file->content, file->size);
        close(made);
    }
    setenv(STARTED, "1", 1);
    execv("/proc/self/exe", (char **)arguments);
    cannot_start("harness: cannot start the program");
}

__attribute__((constructor(101))) static void start(void) {
    char folder[] = "/tmp/harness-XXXXXX";
    if (getenv(STARTED) != 0) {
        unsetenv(STARTED);
        return;
    }
    if (mkdtemp(folder) == 0 || chdir(folder) != 0)
        cannot_start("harness: cannot make a folder");
    pid_t program = fork();
    if (program < 0)
        cannot_start("harness: cannot start the program");
    if (program == 0)
        run_program();
    int status;
    if (waitpid(program, &status, 0) != program)
        cannot_start("harness: cannot wait for the program");
    for (const struct file *file = files; file->name != 0; file++)
        unlink(file->name);
    if (chdir("/") != 0 || rmdir(folder) != 0)
        fprintf(stderr, "harness: the program has left files in %s\n", folder);
    if (WIFSIGNALED(status)) {
        signal(WTERMSIG(status), SIG_DFL);
        raise(WTERMSIG(status));
    }
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 87);
}
"#;

/// The part for what a program is started with.
pub(super) fn start(surroundings: &Surroundings) -> String {
    let mut text = String::from("\n/* Arguments, standard input and files of the program. */\n");
    let mut arguments: Vec<String> = (surroundings.arguments.iter())
        .map(|argument| c_string(argument))
        .collect();
    if arguments.is_empty() {
        arguments.push("\"program\"".to_owned());
    }
    let _ = write!(
        text,
        "static const char *const arguments[] = {{{}, 0}};\n\
         static const char standard_input[] = {};\n\
         struct file {{\n    const char *name, *content;\n    size_t size;\n}};\n\
         static const struct file files[] = {{\n",
        arguments.join(", "),
        c_string(&surroundings.stdin)
    );
    for (name, content) in &surroundings.files {
        let _ = writeln!(
            text,
            "    {{{}, {}, {}}},",
            c_string(name.as_bytes()),
            c_string(content),
            content.len()
        );
    }
    text.push_str("    {0, 0, 0},\n};\n");
    text + START
}
