//! Cleanup: child processes and temporary folders, none of which outlives this process.

#![expect(unsafe_code, reason = "process groups are ended by a system call")]

use super::Launch;
use limits::Interrupt;
use std::collections::BTreeSet;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Limits and interrupts are examined this often while a process is waited for; where the system does
/// not tell that a process has ended, so is the process.
const PAUSE: Duration = Duration::from_millis(10);

/// So often it is tried to remove a folder in which others may still be writing.
const ATTEMPTS: u32 = 5;

/// Children, folders and drafts to remove at the end.
struct Registry {
    groups: BTreeSet<libc::pid_t>,
    folders: BTreeSet<PathBuf>,
    drafts: BTreeSet<PathBuf>,
}

static REGISTRY: Mutex<Registry> = Mutex::new(Registry {
    groups: BTreeSet::new(),
    folders: BTreeSet::new(),
    drafts: BTreeSet::new(),
});

fn registry() -> MutexGuard<'static, Registry> {
    REGISTRY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends the process at once, and everything that belongs to it. No destructor runs and no other
/// thread is waited for: one may be stuck, and freeing much memory takes long. Results are to be
/// flushed before.
pub fn end(code: u8) -> ! {
    // Held to the end, so that nothing is added.
    let registry = registry();
    for group in &registry.groups {
        kill(*group, libc::SIGKILL);
    }
    for folder in &registry.folders {
        let removed = |_: &u32| std::fs::remove_dir_all(folder).is_ok() || !folder.exists();
        let _ = (0..ATTEMPTS).find(removed);
    }
    for draft in &registry.drafts {
        let _ = std::fs::remove_file(draft);
    }
    // SAFETY: ends the process; standard output was flushed by its writer.
    unsafe { libc::_exit(i32::from(code)) }
}

fn kill(group: libc::pid_t, signal: i32) {
    // SAFETY: a group that was made for a child of ours; it may be empty.
    unsafe {
        libc::kill(-group, signal);
    }
}

/// A temporary file next to its destination; until the value is dropped it is removed when the process ends.
pub(super) struct Draft<'a>(&'a Path);

impl Draft<'_> {
    pub fn new(path: &Path) -> Draft<'_> {
        registry().drafts.insert(path.to_owned());
        Draft(path)
    }
}

impl Drop for Draft<'_> {
    fn drop(&mut self) {
        registry().drafts.remove(self.0);
    }
}

/// A temporary folder.
#[derive(Debug)]
pub struct Folder {
    folder: TempDir,
}

impl Folder {
    /// Makes one whose name begins with `prefix`.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn new(prefix: &str) -> io::Result<Folder> {
        // Held meanwhile: the process could end between the two.
        let mut registry = registry();
        let folder = tempfile::Builder::new().prefix(prefix).tempdir();
        let folder = folder.map_err(|error| {
            let remedy = "set TMPDIR to a folder that can be written";
            io::Error::new(error.kind(), format!("{error}; {remedy}"))
        })?;
        registry.folders.insert(folder.path().to_owned());
        Ok(Folder { folder })
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let path = self.folder.path();
        // What cannot be removed now cannot be later.
        let _ = std::fs::remove_dir_all(path);
        registry().folders.remove(path);
    }
}

/// A child process with all that it starts. It is dead when the value is dropped.
#[derive(Debug)]
pub struct Group {
    id: libc::pid_t,
    /// How the child ended, once it was waited for.
    status: Option<ExitStatus>,
}

impl Group {
    /// Starts a program in a separate group. The child also ends when the calling thread does,
    /// however that comes about.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn start(launch: &Launch<'_>) -> io::Result<Group> {
        let id = launch.start()?;
        registry().groups.insert(id);
        Ok(Group { id, status: None })
    }

    /// Waits for the child and ends what it left behind. At the limit the child is ended too; that
    /// gives `None`. What the child waits for a processor does not count, so that a busy machine ends
    /// nothing that an idle one would not.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn wait(self, limit: Duration) -> io::Result<Option<ExitStatus>> {
        self.wait_unless(limit, &Interrupt::new())
    }

    /// The same, where an interrupt ends the child too.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn wait_unless(
        mut self,
        limit: Duration,
        interrupt: &Interrupt,
    ) -> io::Result<Option<ExitStatus>> {
        let start = Instant::now();
        let ending = Ending::of(self.id);
        loop {
            let status = self.try_wait()?;
            if status.is_some() || interrupt.raised() {
                return Ok(status);
            }
            let elapsed = start.elapsed();
            if elapsed >= limit && elapsed.saturating_sub(waited_for_processor(self.id)) >= limit {
                return Ok(None);
            }
            ending.wait(PAUSE);
        }
    }

    /// How the child ended, if it did.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn try_wait(&mut self) -> io::Result<Option<ExitStatus>> {
        self.wait_for_child(libc::WNOHANG)
    }

    fn wait_for_child(&mut self, options: libc::c_int) -> io::Result<Option<ExitStatus>> {
        while self.status.is_none() {
            let mut status = 0;
            // SAFETY: an own child that was not waited for.
            match unsafe { libc::waitpid(self.id, &raw mut status, options) } {
                0 => break,
                -1 => {
                    let error = io::Error::last_os_error();
                    if error.kind() != io::ErrorKind::Interrupted {
                        return Err(error);
                    }
                }
                _ => self.status = Some(ExitStatus::from_raw(status)),
            }
        }
        Ok(self.status)
    }

    /// Asks the group to end.
    pub fn terminate(&self) {
        kill(self.id, libc::SIGTERM);
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        kill(self.id, libc::SIGKILL);
        // Nothing is left to do about a child that cannot be waited for.
        let _ = self.wait_for_child(0);
        registry().groups.remove(&self.id);
    }
}

/// How long a process was ready to run without a processor; nothing where the system does not tell.
fn waited_for_processor(process: libc::pid_t) -> Duration {
    let times = std::fs::read_to_string(format!("/proc/{process}/schedstat"));
    let waited = times.ok().and_then(|times| {
        // Nanoseconds on a processor, nanoseconds without one, and how often it had one.
        times.split_whitespace().nth(1)?.parse().ok()
    });
    Duration::from_nanos(waited.unwrap_or(0))
}

/// The end of a child that was not waited for yet.
struct Ending {
    /// `None` where the system has no such files.
    file: Option<OwnedFd>,
}

impl Ending {
    fn of(child: libc::pid_t) -> Ending {
        // SAFETY: a new file, or an error; it is owned here alone.
        let file = unsafe {
            let file = libc::syscall(libc::SYS_pidfd_open, child, 0);
            let file = libc::c_int::try_from(file).ok().filter(|file| *file >= 0);
            file.map(|file| OwnedFd::from_raw_fd(file))
        };
        Ending { file }
    }

    /// Waits for it, no longer than `limit`; may return before.
    fn wait(&self, limit: Duration) {
        let Some(file) = &self.file else {
            return std::thread::sleep(limit);
        };
        let mut file = libc::pollfd {
            fd: file.as_raw_fd(),
            events: libc::POLLIN,
            revents: 0,
        };
        let limit = libc::c_int::try_from(limit.as_millis()).unwrap_or(libc::c_int::MAX);
        // SAFETY: one entry, which outlives the call.
        unsafe { libc::poll(&raw mut file, 1, limit) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Launch<'static> {
        let mut launch = Launch::new("sh");
        launch.args(["-c", script]);
        launch
    }

    #[test]
    fn a_child_says_how_it_ended() {
        let group = Group::start(&shell("exit 7")).unwrap();
        let status = group.wait(Duration::from_secs(60)).unwrap();
        assert_eq!(status.and_then(|status| status.code()), Some(7));
    }

    #[test]
    fn an_interrupt_ends_the_waiting() {
        let interrupt = Interrupt::new();
        interrupt.raise();
        let group = Group::start(&shell("sleep 300")).unwrap();
        let status = group.wait_unless(Duration::from_secs(300), &interrupt);
        assert_eq!(status.unwrap(), None);
    }

    #[test]
    fn what_a_child_waits_for_a_processor_does_not_count() {
        if std::fs::read_to_string("/proc/self/schedstat").is_err() {
            println!("skipped: this system does not tell how long a process waits");
            return;
        }
        let cores = std::thread::available_parallelism().unwrap().get();
        let busy = || Group::start(&shell("while :; do :; done")).unwrap();
        let others: Vec<Group> = (0..4 * cores).map(|_| busy()).collect();
        let start = Instant::now();
        assert_eq!(busy().wait(Duration::from_millis(500)).unwrap(), None);
        assert!(start.elapsed() > Duration::from_millis(750));
        drop(others);
        // Who sleeps does not wait for a processor.
        let group = Group::start(&shell("sleep 300")).unwrap();
        assert_eq!(group.wait(Duration::from_millis(200)).unwrap(), None);
    }

    #[test]
    fn what_a_child_started_ends_with_it_at_the_limit() {
        let folder = Folder::new("compact-se-test-").unwrap();
        let file = folder.path().join("grandchild");
        let script = format!(
            "(sleep 300 & echo $! > '{0}.new'; mv '{0}.new' '{0}'; wait)",
            file.display()
        );
        let group = Group::start(&shell(&script)).unwrap();
        let deadline = Instant::now() + Duration::from_secs(60);
        while !file.exists() {
            assert!(Instant::now() < deadline, "the shell does not start");
            std::thread::sleep(Duration::from_millis(5));
        }
        let grandchild = std::fs::read_to_string(&file).unwrap();
        assert_eq!(group.wait(Duration::ZERO).unwrap(), None);
        let proc = format!("/proc/{}/stat", grandchild.trim());
        let is_running = || {
            let stat = std::fs::read_to_string(&proc).unwrap_or_default();
            // Whoever inherited it may not have waited for it yet.
            !stat.is_empty() && !stat.contains(") Z ")
        };
        while is_running() {
            assert!(Instant::now() < deadline, "the grandchild goes on");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    #[test]
    fn the_end_of_a_child_ends_the_wait_for_it() {
        let group = Group::start(&shell("exit 3")).unwrap();
        let started = Instant::now();
        Ending::of(group.id).wait(Duration::from_secs(300));
        assert!(started.elapsed() < Duration::from_secs(200));
        let status = group.wait(Duration::from_secs(60)).unwrap();
        assert_eq!(status.unwrap().code(), Some(3));
    }

    #[test]
    fn a_folder_goes_with_its_value() {
        let folder = Folder::new("compact-se-test-").unwrap();
        let path = folder.path().to_owned();
        std::fs::write(path.join("file"), "text").unwrap();
        assert!(registry().folders.contains(&path));
        drop(folder);
        assert!(!path.exists() && !registry().folders.contains(&path));
    }
}
