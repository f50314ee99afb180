//! Per-thread processor time, which advances only while the thread runs.

#![expect(unsafe_code, reason = "clocks of the system")]

use std::time::Duration;

/// The clock of one thread's processor time. Other threads may read it.
#[derive(Clone, Copy, Debug)]
pub struct ThreadClock(libc::clockid_t);

impl ThreadClock {
    /// The clock of the thread that calls; `None` where the system has none.
    #[must_use]
    pub fn of_this_thread() -> Option<ThreadClock> {
        let mut clock = 0;
        // SAFETY: the thread runs, and the clock's name is written to a place of ours.
        let failure = unsafe { libc::pthread_getcpuclockid(libc::pthread_self(), &raw mut clock) };
        (failure == 0).then_some(ThreadClock(clock))
    }

    /// The processor time so far; `None` when the thread has ended.
    #[must_use]
    pub fn read(self) -> Option<Duration> {
        let mut time = libc::timespec {
            tv_sec: 0,
            tv_nsec: 0,
        };
        // SAFETY: the time is written to a place of ours.
        let failure = unsafe { libc::clock_gettime(self.0, &raw mut time) };
        let seconds = u64::try_from(time.tv_sec).ok()?;
        let nanoseconds = u32::try_from(time.tv_nsec).ok()?;
        (failure == 0).then(|| Duration::new(seconds, nanoseconds))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_goes_on_while_its_thread_runs() {
        let clock = ThreadClock::of_this_thread().unwrap();
        let start = clock.read().unwrap();
        let read_elsewhere = std::thread::spawn(move || clock.read().unwrap());
        let read_elsewhere = read_elsewhere.join().unwrap();
        let mut number = 1u64;
        while clock.read().unwrap() < read_elsewhere + Duration::from_millis(5) {
            number = std::hint::black_box(number.wrapping_mul(3));
        }
        assert!(start <= read_elsewhere);
    }
}
