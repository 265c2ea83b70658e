//! The distances between runs in lockstep, step by step: for each pair of runs, the largest distance between the
//! centres of mass of the same body, m.

use glam::Vec3;

/// Maximum number of runs, including the main run.
pub const MOST_RUNS: usize = 8;
/// Number of pairs of that many runs.
const PAIRS: usize = MOST_RUNS * (MOST_RUNS - 1) / 2;
/// Default distance of a body beyond which two runs count as different, m.
const EPSILON: f64 = 1e-3;

/// The distances of all pairs of runs, from the step `from` on.
#[derive(Debug, Clone)]
pub struct Divergence {
    /// The step of the first entry.
    from: u64,
    /// By step: the largest distance of each pair, m.
    steps: Vec<[f32; PAIRS]>,
    /// The distance beyond which two runs count as different, m.
    epsilon: f64,
    /// By pair: the first step after which the runs differ.
    first: [Option<u64>; PAIRS],
}

impl Default for Divergence {
    fn default() -> Self {
        Self { from: 0, steps: Vec::new(), epsilon: EPSILON, first: [None; PAIRS] }
    }
}

/// Index of a pair; `None` for a run and itself.
fn pair(i: usize, j: usize) -> Option<usize> {
    let (i, j) = (i.min(j), i.max(j));
    // Row i of the upper triangle is preceded by i rows, each one entry shorter than the row before it.
    (i < j && j < MOST_RUNS).then(|| i * (2 * MOST_RUNS - 1 - i) / 2 + j - i - 1)
}

/// The distance, m; infinite if it is not a number, so that it counts as a difference.
pub fn distance(a: Vec3, b: Vec3) -> f32 {
    let distance = a.distance(b);
    if distance.is_nan() { f32::INFINITY } else { distance }
}

impl Divergence {
    /// Discards all distances; the next ones are those after the step `from`.
    pub fn restart(&mut self, from: u64) {
        *self = Self { from, epsilon: self.epsilon, ..Self::default() };
    }

    /// The first step without distances.
    pub fn end(&self) -> u64 {
        self.from + self.steps.len() as u64
    }

    /// Adds the states after the next step: for each body, its centre of mass in each of the `runs`, world, m.
    pub fn push(&mut self, runs: usize, bodies: impl Iterator<Item = [Vec3; MOST_RUNS]>) {
        let (step, mut largest) = (self.end(), [0.0f32; PAIRS]);
        for centres in bodies {
            for j in 1..runs {
                for i in 0..j {
                    if let Some(k) = pair(i, j) {
                        largest[k] = largest[k].max(distance(centres[i], centres[j]));
                    }
                }
            }
        }
        for (first, largest) in self.first.iter_mut().zip(largest) {
            if first.is_none() && largest > self.epsilon as f32 {
                *first = Some(step);
            }
        }
        self.steps.push(largest);
    }

    /// Discards the distances after this step.
    pub fn cut(&mut self, step: u64) {
        self.steps.truncate((step + 1).saturating_sub(self.from) as usize);
        self.first.iter_mut().for_each(|first| *first = first.filter(|at| *at <= step));
    }

    /// The distance beyond which runs count as different, m.
    pub fn epsilon(&self) -> f64 {
        self.epsilon
    }

    /// Sets that distance, m.
    pub fn set_epsilon(&mut self, epsilon: f64) {
        self.epsilon = epsilon;
        for (k, first) in self.first.iter_mut().enumerate() {
            let at = self.steps.iter().position(|largest| largest[k] > epsilon as f32);
            *first = at.map(|at| self.from + at as u64);
        }
    }

    /// The first step after which two runs differed by more than the bound.
    pub fn first(&self, i: usize, j: usize) -> Option<u64> {
        pair(i, j).and_then(|k| self.first[k])
    }

    /// The distance of two runs after a step, m; zero for a run and itself, `None` if it is not known.
    pub fn at(&self, step: u64, i: usize, j: usize) -> Option<f32> {
        let at = usize::try_from(step.checked_sub(self.from)?).ok()?;
        self.steps.get(at).map(|most| pair(i, j).map_or(0.0, |k| most[k]))
    }

    /// The largest distance of two runs up to a step, m.
    pub fn most(&self, step: u64, i: usize, j: usize) -> f32 {
        self.of(i, j).take_while(|(at, _)| *at <= step).map(|(_, distance)| distance).fold(0.0, f32::max)
    }

    /// All distances of two runs: step number and distance, m.
    pub fn of(&self, i: usize, j: usize) -> impl ExactSizeIterator<Item = (u64, f32)> {
        let k = pair(i, j);
        self.steps.iter().enumerate().map(move |(at, most)| (self.from + at as u64, k.map_or(0.0, |k| most[k])))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_pair_has_a_place_of_its_own() {
        let pairs: Vec<_> = (0..MOST_RUNS).flat_map(|j| (0..j).map(move |i| pair(i, j))).collect();
        let mut places: Vec<usize> = pairs.into_iter().flatten().collect();
        places.sort_unstable();
        assert_eq!(places, (0..PAIRS).collect::<Vec<_>>());
        assert_eq!((pair(2, 1), pair(1, 1), pair(0, MOST_RUNS)), (pair(1, 2), None, None));
    }

    /// One body at 0 in run 0, at k²/1024 m after k steps in run 1, and NaN in run 2. With a bound of 1 mm, run 1
    /// differs after step 10 + 2 (1/1024 m is 0.98 mm, 4/1024 m is the first value above it), run 2 at once.
    #[test]
    fn the_first_step_that_differs_follows_the_bound_and_what_is_cut() {
        let mut apart = Divergence::default();
        apart.restart(10);
        for k in 0..5u8 {
            let x = f32::from(k * k) / 1024.0;
            let mut centres = [Vec3::ZERO; MOST_RUNS];
            (centres[1], centres[2]) = (Vec3::X * x, Vec3::NAN);
            apart.push(3, std::iter::once(centres));
        }
        assert_eq!((apart.end(), apart.first(0, 1), apart.first(0, 2)), (15, Some(12), Some(10)));
        assert_eq!((apart.at(13, 1, 0), apart.at(15, 0, 1), apart.at(9, 0, 1)), (Some(9.0 / 1024.0), None, None));
        assert_eq!((apart.most(12, 0, 1), apart.most(99, 1, 0)), (4.0 / 1024.0, 16.0 / 1024.0));
        apart.set_epsilon(5e-3);
        assert_eq!(apart.first(1, 0), Some(13));
        apart.cut(12);
        assert_eq!((apart.first(0, 1), apart.end(), apart.first(0, 2)), (None, 13, Some(10)));
    }
}
