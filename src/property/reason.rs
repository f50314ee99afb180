//! Reasons for the verdict *unknown*.

use flowgraph::Span;
use indexmap::IndexMap;
use limits::Exhausted;
use semantics::MemoryFault;

/// Something that keeps the verdict from being *unreachable*.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// The solver could not decide whether a path continues here.
    Undecided(Span),
    /// The engine has no semantics for something that a path reached.
    Unsupported(String, Span),
    /// A path reaches an access that C does not define.
    Fault(MemoryFault, Span),
    /// A path reaches undefined behaviour of another kind.
    UndefinedBehaviour(String, Span),
    /// States were left when a limit was reached.
    Exhausted(Exhausted),
    /// A path was longer than the limit for one state.
    PathTooLong,
    /// The target was reached, but the witness was not confirmed. A defect of ours.
    NotConfirmed(String),
    /// The target was reached where objects lie in a way that the native run had otherwise.
    OtherAddresses(String),
    /// An access to memory is an error, but the replay does not show it, since its sanitizer and
    /// observer do not see each.
    NotSeen(MemoryFault, String),
    /// A necessary condition is satisfiable, but the inputs that it proposed do not lead to the
    /// target.
    GuessRefuted(String),
    /// A proof by invariants failed.
    NoInvariant(String),
    /// A proof does not count the calls of this function, which may not fit a stack of so many bytes.
    DeepCalls(String, u64),
    /// The technique of this name ended by a panic with this message. A defect of ours.
    Defect(&'static str, String),
    /// The target was reached, but the replay exceeds its limits.
    ReplayTooLong(String),
    /// The target was reached, but the program cannot be replayed here.
    NotReplayable(String),
}

/// Reasons with how many paths each stopped.
#[derive(Clone, Default, Debug)]
pub struct Reasons {
    counts: IndexMap<Reason, u64>,
}

impl Reasons {
    /// Counts one more path.
    pub fn add(&mut self, reason: Reason) {
        *self.counts.entry(reason).or_insert(0) += 1;
    }

    /// Whether nothing stood in the way.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// The limit that was reached, if one was.
    #[must_use]
    pub fn exhausted(&self) -> Option<Exhausted> {
        self.counts.keys().find_map(|reason| match reason {
            Reason::Exhausted(exhausted) => Some(*exhausted),
            Reason::Undecided(_)
            | Reason::Unsupported(..)
            | Reason::Fault(..)
            | Reason::UndefinedBehaviour(..)
            | Reason::PathTooLong
            | Reason::NotConfirmed(_)
            | Reason::OtherAddresses(_)
            | Reason::NotSeen(..)
            | Reason::GuessRefuted(_)
            | Reason::NoInvariant(_)
            | Reason::DeepCalls(..)
            | Reason::Defect(..)
            | Reason::ReplayTooLong(_)
            | Reason::NotReplayable(_) => None,
        })
    }

    /// Each reason and its count, in order of appearance.
    pub fn iter(&self) -> impl Iterator<Item = (&Reason, u64)> {
        self.counts.iter().map(|(reason, count)| (reason, *count))
    }
}

impl Reason {
    /// Whether C defines nothing after it.
    #[must_use]
    pub fn is_undefined_behaviour(&self) -> bool {
        match self {
            Reason::Fault(..) | Reason::UndefinedBehaviour(..) => true,
            Reason::Undecided(_)
            | Reason::Unsupported(..)
            | Reason::Exhausted(_)
            | Reason::PathTooLong
            | Reason::NotConfirmed(_)
            | Reason::OtherAddresses(_)
            | Reason::NotSeen(..)
            | Reason::GuessRefuted(_)
            | Reason::NoInvariant(_)
            | Reason::DeepCalls(..)
            | Reason::Defect(..)
            | Reason::ReplayTooLong(_)
            | Reason::NotReplayable(_) => false,
        }
    }

    /// Whether it lies in the program and not in how it was executed.
    #[must_use]
    pub fn is_of_the_program(&self) -> bool {
        matches!(self, Reason::Unsupported(..)) || self.is_undefined_behaviour()
    }

    /// The place in the source, where the reason has one.
    #[must_use]
    pub fn span(&self) -> Option<Span> {
        match self {
            Reason::Undecided(span)
            | Reason::Unsupported(_, span)
            | Reason::Fault(_, span)
            | Reason::UndefinedBehaviour(_, span) => Some(*span),
            Reason::Exhausted(_)
            | Reason::PathTooLong
            | Reason::NotConfirmed(_)
            | Reason::OtherAddresses(_)
            | Reason::NotSeen(..)
            | Reason::GuessRefuted(_)
            | Reason::NoInvariant(_)
            | Reason::DeepCalls(..)
            | Reason::Defect(..)
            | Reason::ReplayTooLong(_)
            | Reason::NotReplayable(_) => None,
        }
    }
}

/// The size of a stack in words.
#[must_use]
pub fn size_of_stack(bytes: u64) -> String {
    match bytes {
        bytes if bytes.is_multiple_of(1 << 20) => format!("{} MB", bytes >> 20),
        bytes if bytes.is_multiple_of(1 << 10) => format!("{} KB", bytes >> 10),
        bytes => format!("{bytes} bytes"),
    }
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Reason::Undecided(_) => f.write_str("the solver could not decide a path condition"),
            Reason::Unsupported(what, _) => write!(f, "not supported: {what}"),
            Reason::Fault(fault, _) => write!(f, "undefined behaviour: {fault}"),
            Reason::UndefinedBehaviour(what, _) => write!(f, "undefined behaviour: {what}"),
            Reason::Exhausted(exhausted) => write!(f, "{exhausted}"),
            Reason::PathTooLong => f.write_str("a path is longer than --max-path-steps"),
            Reason::NotConfirmed(why) => write!(
                f,
                "the target was reached, but the replay did not confirm it: {why}"
            ),
            Reason::OtherAddresses(why) => write!(
                f,
                "the target is reached only with a memory layout different from that of the replay: {why}"
            ),
            Reason::NotSeen(fault, why) => {
                write!(f, "{fault}, which the replay did not confirm: {why}")
            }
            Reason::GuessRefuted(why) => write!(
                f,
                "a model of a necessary condition does not lead to the target: {why}"
            ),
            Reason::NoInvariant(why) => write!(f, "no invariants prove the program: {why}"),
            Reason::DeepCalls(function, bytes) => {
                let size = size_of_stack(*bytes);
                write!(
                    f,
                    "a recursion of {function} may be deeper than a stack of {size}"
                )
            }
            Reason::Defect(technique, why) => {
                write!(f, "{technique} ended by a defect of compact-se: {why}")
            }
            Reason::ReplayTooLong(why) => write!(
                f,
                "the target was reached, but the replay exceeds its limits: {why}"
            ),
            Reason::NotReplayable(why) => write!(
                f,
                "the target was reached, but the program cannot be replayed here: {why}"
            ),
        }
    }
}
