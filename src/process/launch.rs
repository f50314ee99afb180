//! Start of a program without a copy of this process (`posix_spawn`).
//!
//! Forking a process with gigabytes of terms is slow: its page tables are copied, and each page that it
//! writes afterwards faults. The child here borrows the memory of the thread that starts it, which waits
//! until the program has begun, as `posix_spawn` does it (`clone` with `CLONE_VM` and `CLONE_VFORK`); that
//! call of the system's library cannot bound or confine the child before.
//!
//! # Invariants
//! - The child only makes system calls on data prepared before the fork; it writes only an error number.
//! - No signal handler of this process runs in the child.

#![expect(unsafe_code, reason = "a child that borrows memory is a system call")]

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::ffi::{CStr, CString, OsStr, OsString, c_char, c_int, c_void};
use std::fs::File;
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Bytes of the child's stack until the program has its own.
const STACK: usize = 256 << 10;

/// Files that a program is started with at most.
const MOST_FILES: usize = 4;

/// The lowest number of a file in the child until it has the one that the program knows it by, which is less.
const FIRST_ASIDE: RawFd = 32;

/// A resource that the system limits.
pub type Resource = libc::__rlimit_resource_t;

/// What a child does last before its program begins, in system calls only.
pub trait Confine {
    /// Confines the calling process.
    ///
    /// # Errors
    /// If the kernel refuses.
    fn confine(&self) -> io::Result<()>;
}

/// A program and what it is started with. Standard streams are `/dev/null` where nothing else is said.
pub struct Launch<'a> {
    program: OsString,
    name: Option<OsString>,
    arguments: Vec<OsString>,
    environment: BTreeMap<OsString, OsString>,
    folder: Option<OsString>,
    streams: [Option<OwnedFd>; 3],
    further: Option<(OwnedFd, RawFd)>,
    limits: Vec<(Resource, u64)>,
    confinement: Option<&'a dyn Confine>,
}

impl<'a> Launch<'a> {
    /// For a path, or a name to be searched for in `PATH`, with the environment of this process.
    #[must_use]
    pub fn new(program: impl AsRef<OsStr>) -> Launch<'a> {
        Launch {
            program: program.as_ref().to_owned(),
            name: None,
            arguments: Vec::new(),
            environment: std::env::vars_os().collect(),
            folder: None,
            streams: [None, None, None],
            further: None,
            limits: Vec::new(),
            confinement: None,
        }
    }

    /// One more argument.
    pub fn arg(&mut self, argument: impl AsRef<OsStr>) -> &mut Launch<'a> {
        self.arguments.push(argument.as_ref().to_owned());
        self
    }

    /// More arguments.
    pub fn args(
        &mut self,
        arguments: impl IntoIterator<Item = impl AsRef<OsStr>>,
    ) -> &mut Launch<'a> {
        for argument in arguments {
            self.arg(argument);
        }
        self
    }

    /// The program's name (`argv[0]`), if it differs from its file.
    pub fn name(&mut self, name: impl AsRef<OsStr>) -> &mut Launch<'a> {
        self.name = Some(name.as_ref().to_owned());
        self
    }

    /// Nothing of the environment of this process.
    pub fn env_clear(&mut self) -> &mut Launch<'a> {
        self.environment.clear();
        self
    }

    /// A variable of the environment.
    pub fn env(&mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> &mut Launch<'a> {
        let (name, value) = (name.as_ref().to_owned(), value.as_ref().to_owned());
        self.environment.insert(name, value);
        self
    }

    /// The folder where the program runs.
    pub fn current_dir(&mut self, folder: &Path) -> &mut Launch<'a> {
        self.folder = Some(folder.as_os_str().to_owned());
        self
    }

    /// Standard input.
    pub fn stdin(&mut self, file: File) -> &mut Launch<'a> {
        self.streams[0] = Some(file.into());
        self
    }

    /// Standard output.
    pub fn stdout(&mut self, file: File) -> &mut Launch<'a> {
        self.streams[1] = Some(file.into());
        self
    }

    /// Standard error.
    pub fn stderr(&mut self, file: File) -> &mut Launch<'a> {
        self.streams[2] = Some(file.into());
        self
    }

    /// A further file that the program has open, and under which number.
    pub fn file(&mut self, file: File, number: RawFd) -> &mut Launch<'a> {
        self.further = Some((file.into(), number));
        self
    }

    /// A limit of a resource; one that is lower already may stay.
    pub fn limit(&mut self, resource: Resource, value: u64) -> &mut Launch<'a> {
        self.limits.push((resource, value));
        self
    }

    /// Confines the program.
    pub fn confined_by(&mut self, confinement: &'a dyn Confine) -> &mut Launch<'a> {
        self.confinement = Some(confinement);
        self
    }

    /// Starts the program in a process group of its own, which ends when the calling thread does. The process is
    /// the caller's to wait for.
    ///
    /// # Errors
    /// If the system refuses, or the program cannot be started.
    pub(super) fn start(&self) -> io::Result<libc::pid_t> {
        let null: OwnedFd = File::options()
            .read(true)
            .write(true)
            .open("/dev/null")?
            .into();
        let [stdin, stdout, stderr] = &self.streams;
        let standard = [(stdin, 0), (stdout, 1), (stderr, 2)];
        let standard = standard.map(|(file, number)| (file.as_ref().unwrap_or(&null), number));
        let further = self.further.iter().map(|(file, number)| (file, *number));
        let files = standard.into_iter().chain(further);
        let program = text(self.program.as_bytes())?;
        let name = self.name.as_ref().unwrap_or(&self.program);
        let arguments: Vec<CString> = std::iter::once(name)
            .chain(&self.arguments)
            .map(|argument| text(argument.as_bytes()))
            .collect::<io::Result<_>>()?;
        let environment: Vec<CString> = self
            .environment
            .iter()
            .map(|(name, value)| text(&[name.as_bytes(), b"=", value.as_bytes()].concat()))
            .collect::<io::Result<_>>()?;
        let folder = self.folder.as_ref().map(|folder| text(folder.as_bytes()));
        let folder = folder.transpose()?;
        let mut plan = Plan {
            program: &program,
            arguments: &pointers(&arguments),
            environment: &pointers(&environment),
            folder: folder.as_deref(),
            files: files
                .map(|(file, number)| (file.as_raw_fd(), number))
                .collect(),
            limits: &self.limits,
            confinement: self.confinement,
            error: 0,
        };
        plan.carry_out()
    }
}

fn text(bytes: &[u8]) -> io::Result<CString> {
    Ok(CString::new(bytes)?)
}

/// Pointers to texts, with the null pointer behind the last.
fn pointers(texts: &[CString]) -> Vec<*const c_char> {
    let pointers = texts.iter().map(|text| text.as_ptr());
    pointers.chain(std::iter::once(std::ptr::null())).collect()
}

/// The prepared actions of the child.
struct Plan<'a> {
    program: &'a CStr,
    arguments: &'a [*const c_char],
    environment: &'a [*const c_char],
    folder: Option<&'a CStr>,
    /// Open files, and the numbers that the program has them under.
    files: Vec<(RawFd, RawFd)>,
    limits: &'a [(Resource, u64)],
    confinement: Option<&'a dyn Confine>,
    /// Of the step that the system refused; else 0.
    error: c_int,
}

impl Plan<'_> {
    fn carry_out(&mut self) -> io::Result<libc::pid_t> {
        let mut stack: Vec<u128> = Vec::with_capacity(STACK / size_of::<u128>());
        // SAFETY: the child runs on a separate stack, from its end downwards, and this thread is suspended until it
        // has another program or has ended; until then all that the plan refers to lives. No handler runs in
        // between, since all signals wait.
        let child = unsafe {
            let top = stack.as_mut_ptr().add(stack.capacity());
            let (mut all, mut before) = (MaybeUninit::uninit(), MaybeUninit::uninit());
            libc::sigfillset(all.as_mut_ptr());
            libc::pthread_sigmask(libc::SIG_SETMASK, all.as_ptr(), before.as_mut_ptr());
            let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::SIGCHLD;
            let plan: *mut Plan<'_> = self;
            let child = libc::clone(begin, top.cast(), flags, plan.cast());
            let error = io::Error::last_os_error();
            libc::pthread_sigmask(libc::SIG_SETMASK, before.as_ptr(), std::ptr::null_mut());
            if child < 0 {
                return Err(error);
            }
            child
        };
        // SAFETY: the field, which the child may have written.
        let error = unsafe { std::ptr::read_volatile(&raw const self.error) };
        if error == 0 {
            return Ok(child);
        }
        // SAFETY: our child, which has ended.
        unsafe { libc::waitpid(child, std::ptr::null_mut(), 0) };
        Err(io::Error::from_raw_os_error(error))
    }

    /// All steps, and then the program, in the child.
    ///
    /// # Safety
    /// Called by the child only, which is no use any more where this returns.
    unsafe fn become_the_program(&self) -> io::Result<Infallible> {
        let done = |result: c_int| match result {
            -1 => Err(io::Error::last_os_error()),
            other => Ok(other),
        };
        // SAFETY: system calls on what the plan refers to, all of which lives.
        unsafe {
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
            done(libc::setpgid(0, 0))?;
            // Away from all numbers that are given, which may be theirs.
            let mut files = [(0, 0); MOST_FILES];
            for (moved, (file, number)) in files.iter_mut().zip(&self.files) {
                let file = libc::fcntl(*file, libc::F_DUPFD_CLOEXEC, FIRST_ASIDE);
                *moved = (done(file)?, *number);
            }
            for (file, number) in &files[..self.files.len()] {
                done(libc::dup2(*file, *number))?;
            }
            if let Some(folder) = self.folder {
                done(libc::chdir(folder.as_ptr()))?;
            }
            for (resource, value) in self.limits {
                let limit = libc::rlimit {
                    rlim_cur: *value,
                    rlim_max: *value,
                };
                libc::setrlimit(*resource, &raw const limit);
            }
            // Handlers of this process are not the program's, and what is ignored here is not ignored there.
            for signal in 1..=libc::SIGRTMAX() {
                libc::signal(signal, libc::SIG_DFL);
            }
            let mut none = MaybeUninit::uninit();
            libc::sigemptyset(none.as_mut_ptr());
            libc::sigprocmask(libc::SIG_SETMASK, none.as_ptr(), std::ptr::null_mut());
            if let Some(confinement) = self.confinement {
                confinement.confine()?;
            }
            let (arguments, environment) = (self.arguments.as_ptr(), self.environment.as_ptr());
            libc::execvpe(self.program.as_ptr(), arguments, environment);
        }
        Err(io::Error::last_os_error())
    }
}

extern "C" fn begin(plan: *mut c_void) -> c_int {
    let plan: *mut Plan<'_> = plan.cast();
    // SAFETY: the plan of the suspended thread, which no other thread reads meanwhile.
    unsafe {
        let Err(error) = (*plan).become_the_program();
        let number = error.raw_os_error().unwrap_or(libc::EINVAL);
        std::ptr::write_volatile(&raw mut (*plan).error, number);
        libc::_exit(127)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn end_of(launch: &Launch<'_>) -> c_int {
        let child = launch.start().unwrap();
        let mut status = 0;
        // SAFETY: our child.
        assert_eq!(unsafe { libc::waitpid(child, &raw mut status, 0) }, child);
        status
    }

    #[test]
    fn a_program_has_what_it_is_given_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let (input, output) = (folder.path().join("input"), folder.path().join("output"));
        std::fs::write(&input, "in\n").unwrap();
        let script = "read line; echo $line $0 $1 $NAME $HOME; head -c 6 /proc/$$/cmdline; echo; \
                      pwd; ulimit -c; echo further >&9";
        let mut launch = Launch::new("/bin/sh");
        launch
            .name("called")
            .args(["-c", script, "zero", "one"])
            .env_clear()
            .env("NAME", "value")
            .current_dir(folder.path())
            .limit(libc::RLIMIT_CORE, 0)
            .stdin(File::open(&input).unwrap())
            .stdout(File::create(&output).unwrap())
            .file(File::create(folder.path().join("further")).unwrap(), 9);
        assert_eq!(end_of(&launch), 0);
        let said = std::fs::read_to_string(&output).unwrap();
        let expected = format!(
            "in zero one value\ncalled\n{}\n0\n",
            folder.path().display()
        );
        assert_eq!(said, expected);
        let further = std::fs::read_to_string(folder.path().join("further")).unwrap();
        assert_eq!(further, "further\n");
    }

    #[test]
    fn what_cannot_be_started_says_why() {
        let error = Launch::new("/no/such/program").start().unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
        let error = Launch::new("true")
            .current_dir(Path::new("/no/such/folder"))
            .start();
        assert_eq!(error.unwrap_err().kind(), io::ErrorKind::NotFound);
        let error = Launch::new("a\0b").start().unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
    }

    #[test]
    fn a_name_is_looked_for_and_a_refusal_is_told() {
        struct Refuse;
        impl Confine for Refuse {
            fn confine(&self) -> io::Result<()> {
                Err(io::Error::from_raw_os_error(libc::EPERM))
            }
        }
        assert_eq!(end_of(Launch::new("true").arg("ignored")), 0);
        let error = Launch::new("true")
            .confined_by(&Refuse)
            .start()
            .unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::PermissionDenied);
    }

    /// What this process ignores or blocks is the program's to decide.
    #[test]
    fn signals_are_as_in_a_shell() {
        let script = "kill -PIPE $$";
        assert_eq!(
            end_of(Launch::new("sh").args(["-c", script])),
            libc::SIGPIPE
        );
    }
}
