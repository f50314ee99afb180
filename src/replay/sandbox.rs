//! The sandbox of replays, which are untrusted code with the real C library.
//!
//! | | by |
//! |---|---|
//! | writes files in its folder only | Landlock |
//! | starts no other program | Landlock; no new processes: seccomp |
//! | no network, nothing to other processes, no owners, modes and attributes of files, no administration | seccomp |
//!
//! Both hold for root, too. A refused call fails, as it may on any system. Reading is not restricted. System
//! calls are filtered for 64-bit programs only. The sandbox is prepared before the process starts; its first
//! steps are only system calls.
//!
//! # Deliberately absent
//! No limits: those are resource limits (`run`).

#![expect(unsafe_code, reason = "the kernel confines by system calls")]

use super::{ReplayError, system};
use landlock::{
    ABI, AccessFs, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreated, RulesetCreatedAttr,
};
use process::Confine;
use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, TargetArch};
use std::io::{Error, ErrorKind, Read as _};
use std::os::fd::{AsRawFd as _, OwnedFd};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The newest interface of Landlock that is requested; older kernels restrict what they know.
const INTERFACE: ABI = ABI::V5;

/// System calls that a confined program must not use.
const REFUSED: [libc::c_long; 70] = [
    // Networks, also within the machine.
    libc::SYS_socket,
    libc::SYS_socketpair,
    libc::SYS_io_uring_setup,
    // New processes.
    libc::SYS_clone,
    libc::SYS_clone3,
    libc::SYS_fork,
    libc::SYS_vfork,
    // Other processes.
    libc::SYS_kill,
    libc::SYS_tkill,
    libc::SYS_rt_sigqueueinfo,
    libc::SYS_rt_tgsigqueueinfo,
    libc::SYS_pidfd_open,
    libc::SYS_pidfd_send_signal,
    libc::SYS_pidfd_getfd,
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    // What outlives the process, and is no file.
    libc::SYS_shmget,
    libc::SYS_semget,
    libc::SYS_msgget,
    libc::SYS_mq_open,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    // What Landlock does not know of files.
    libc::SYS_chmod,
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    libc::SYS_chown,
    libc::SYS_fchown,
    libc::SYS_lchown,
    libc::SYS_fchownat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    libc::SYS_utime,
    libc::SYS_utimes,
    libc::SYS_futimesat,
    libc::SYS_utimensat,
    libc::SYS_open_by_handle_at,
    // Administration.
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_open_tree,
    libc::SYS_move_mount,
    libc::SYS_fsopen,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_kexec_load,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_adjtimex,
    libc::SYS_clock_adjtime,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_quotactl,
    libc::SYS_acct,
    libc::SYS_iopl,
    libc::SYS_ioperm,
];

/// The confinement that this kernel supports.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Confinement {
    /// Files elsewhere and other programs.
    pub files: bool,
    /// The system calls in question.
    pub calls: bool,
}

impl Confinement {
    /// Of the kernel that this process runs on.
    #[must_use]
    pub fn of_this_kernel() -> Confinement {
        static KNOWN: OnceLock<Confinement> = OnceLock::new();
        *KNOWN.get_or_init(|| {
            // SAFETY: both only ask, and no pointer is followed.
            unsafe {
                let none: *const libc::c_void = std::ptr::null();
                let ask_version: libc::c_long = 1;
                let zero: libc::c_long = 0;
                let call = libc::SYS_landlock_create_ruleset;
                let landlock = libc::syscall(call, none, zero, ask_version);
                let seccomp = libc::prctl(libc::PR_GET_SECCOMP);
                Confinement {
                    files: landlock >= 1,
                    calls: seccomp >= 0,
                }
            }
        })
    }

    /// Missing confinement, a clause; `None` if it is complete.
    #[must_use]
    pub fn lacks(self) -> Option<&'static str> {
        match (self.files, self.calls) {
            (true, true) => None,
            (false, true) => Some(
                "this kernel has no Landlock: a replay is not prevented from writing files outside its folder",
            ),
            (true, false) => Some(
                "the kernel does not filter the system calls of this program: a replay is not \
                 prevented from network access",
            ),
            (false, false) => Some(
                "the kernel has no Landlock and does not filter the system calls of this program: a \
                 replay is not prevented from writing files outside its folder and from network access",
            ),
        }
    }
}

/// The confinement of one run, ready to be entered.
pub(super) struct Sandbox {
    files: Option<OwnedFd>,
    calls: Option<BpfProgram>,
}

impl Sandbox {
    /// For an executable that may write below these folders, as far as the kernel can confine it.
    ///
    /// # Errors
    /// If it cannot be made although the kernel can.
    pub(crate) fn new(executable: &Path, writable: &[&Path]) -> Result<Sandbox, ReplayError> {
        let kernel = Confinement::of_this_kernel();
        let elf = Elf::read(executable).map_err(system("read the compiled program"))?;
        let files = kernel.files.then(|| ruleset(executable, &elf, writable));
        let files = files.transpose().map_err(|error| ReplayError::System {
            action: "confine the program to its folder",
            source: Error::other(error),
        })?;
        // The filter is for calls of 64-bit programs.
        let calls = (kernel.calls && elf.is_64_bit).then(filter);
        let calls = calls.transpose().map_err(|error| ReplayError::System {
            action: "filter the system calls of the program",
            source: Error::other(error),
        })?;
        let files = files.and_then(Option::<OwnedFd>::from);
        Ok(Sandbox { files, calls })
    }
}

impl Confine for Sandbox {
    fn confine(&self) -> std::io::Result<()> {
        if let Some(files) = &self.files {
            let (one, zero): (libc::c_ulong, libc::c_ulong) = (1, 0);
            let call = libc::SYS_landlock_restrict_self;
            // SAFETY: no pointer is followed; the ruleset is open.
            let refused = unsafe {
                libc::prctl(libc::PR_SET_NO_NEW_PRIVS, one, zero, zero, zero) != 0
                    || libc::syscall(call, files.as_raw_fd(), zero) != 0
            };
            if refused {
                return Err(Error::last_os_error());
            }
        }
        if let Some(calls) = &self.calls {
            seccompiler::apply_filter(calls).map_err(|_| Error::from_raw_os_error(libc::EPERM))?;
        }
        Ok(())
    }
}

fn ruleset(
    executable: &Path,
    elf: &Elf,
    writable: &[&Path],
) -> Result<RulesetCreated, Box<dyn std::error::Error + Send + Sync>> {
    let write: BitFlags<AccessFs> = AccessFs::from_write(INTERFACE);
    let mut ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(write | AccessFs::Execute)?
        .create()?;
    for folder in writable {
        ruleset = ruleset.add_rule(PathBeneath::new(PathFd::new(folder)?, write))?;
    }
    for program in [Some(executable), elf.interpreter.as_deref()]
        .into_iter()
        .flatten()
    {
        ruleset = ruleset.add_rule(PathBeneath::new(PathFd::new(program)?, AccessFs::Execute))?;
    }
    let null = PathBeneath::new(PathFd::new("/dev/null")?, AccessFs::WriteFile);
    Ok(ruleset.add_rule(null)?)
}

fn filter() -> Result<BpfProgram, seccompiler::BackendError> {
    let refused = REFUSED.iter().map(|call| (*call, Vec::new())).collect();
    let permission = u32::try_from(libc::EPERM).expect("error numbers are small");
    let (allow, refuse) = (SeccompAction::Allow, SeccompAction::Errno(permission));
    SeccompFilter::new(refused, allow, refuse, TargetArch::x86_64)?.try_into()
}

/// What is to be known of an executable: the System V ABI's header, little endian.
struct Elf {
    is_64_bit: bool,
    /// The loader of its libraries.
    interpreter: Option<PathBuf>,
}

impl Elf {
    fn read(path: &Path) -> std::io::Result<Elf> {
        // The headers and the interpreter's name stand at the beginning.
        let mut head = Vec::new();
        std::fs::File::open(path)?
            .take(1 << 16)
            .read_to_end(&mut head)?;
        if !head.starts_with(b"\x7fELF") {
            return Err(Error::new(ErrorKind::InvalidData, "it is no executable"));
        }
        let is_64_bit = head.get(4) == Some(&2);
        Ok(Elf {
            is_64_bit,
            interpreter: interpreter(&head, is_64_bit),
        })
    }
}

/// The program header of kind 3, `PT_INTERP`.
fn interpreter(head: &[u8], is_64_bit: bool) -> Option<PathBuf> {
    let number = |at: usize, bytes: usize| {
        let digits = head.get(at..at.checked_add(bytes)?)?;
        let number = digits
            .iter()
            .rev()
            .fold(0u64, |n, byte| n << 8 | u64::from(*byte));
        usize::try_from(number).ok()
    };
    let (table, size, count, offset, length) = if is_64_bit {
        (
            number(0x20, 8)?,
            number(0x36, 2)?,
            number(0x38, 2)?,
            (8, 8),
            (32, 8),
        )
    } else {
        (
            number(0x1c, 4)?,
            number(0x2a, 2)?,
            number(0x2c, 2)?,
            (4, 4),
            (16, 4),
        )
    };
    let headers = (0..count).map(|index| table + index * size);
    let header = headers.into_iter().find(|at| number(*at, 4) == Some(3))?;
    let start = number(header + offset.0, offset.1)?;
    let bytes = head.get(start..start.checked_add(number(header + length.0, length.1)?)?)?;
    let text = std::str::from_utf8(bytes).ok()?;
    Some(PathBuf::from(text.trim_end_matches('\0')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn executables_name_their_interpreter() {
        let elf = Elf::read(&std::env::current_exe().unwrap()).unwrap();
        let interpreter = elf.interpreter.unwrap();
        assert!(elf.is_64_bit && interpreter.is_absolute() && interpreter.exists());
        assert!(Elf::read(Path::new("Cargo.toml")).is_err());
    }

    #[test]
    fn every_lack_is_told() {
        for (files, calls) in [(true, false), (false, true), (false, false)] {
            assert!(Confinement { files, calls }.lacks().is_some());
        }
        let (files, calls) = (true, true);
        assert!(Confinement { files, calls }.lacks().is_none());
    }
}
