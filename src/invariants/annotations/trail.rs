//! The trail of a path: the points that it passed, as long as their subtrees are open.
//!
//! Waiting states hold a reference to the point before them, and each point to its predecessor. So the
//! subtree of a point without references is finished.

use std::rc::Rc;

/// A point of a path with what is kept of it, and those before it.
pub struct Trail<T> {
    point: Option<T>,
    before: Option<Rc<Trail<T>>>,
}

impl<T> Trail<T> {
    /// A point behind others; `None` where states of it have no annotation.
    pub fn new(point: Option<T>, before: Option<Rc<Trail<T>>>) -> Rc<Trail<T>> {
        Rc::new(Trail { point, before })
    }

    /// The last point with an annotation, and those before it, where nothing else holds it.
    pub(super) fn finished(self: Rc<Trail<T>>) -> Option<(T, Option<Rc<Trail<T>>>)> {
        let mut next = Some(self);
        while let Some(trail) = next.take() {
            let mut trail = Rc::try_unwrap(trail).ok()?;
            next = trail.before.take();
            if let Some(point) = trail.point.take() {
                return Some((point, next));
            }
        }
        None
    }
}

/// One after the other: paths are longer than stacks are deep.
impl<T> Drop for Trail<T> {
    fn drop(&mut self) {
        let mut next = self.before.take();
        while let Some(mut trail) = next.take().and_then(|trail| Rc::try_unwrap(trail).ok()) {
            next = trail.before.take();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_is_finished_when_the_last_state_behind_it_is() {
        let root = Trail::new(Some(0), None);
        let fork = Trail::new(Some(1), Some(Rc::clone(&root)));
        let [first, second] = [2, 3].map(|node| Trail::new(Some(node), Some(Rc::clone(&fork))));
        drop((root, fork));
        let (end, before) = first.finished().expect("nothing is behind it");
        assert_eq!(end, 2);
        assert!(
            before.and_then(Trail::finished).is_none(),
            "another state waits"
        );
        let (end, before) = second.finished().expect("nothing is behind it");
        assert_eq!(end, 3);
        let (fork, before) = before.and_then(Trail::finished).expect("no state waits");
        assert_eq!(fork, 1);
        let (root, before) = before.and_then(Trail::finished).expect("no state waits");
        assert_eq!(root, 0);
        assert!(before.is_none());
    }

    #[test]
    fn long_paths_are_dropped() {
        let mut trail: Option<Rc<Trail<u32>>> = None;
        for _ in 0..1_000_000 {
            trail = Some(Trail::new(None, trail));
        }
        drop(trail);
    }
}
