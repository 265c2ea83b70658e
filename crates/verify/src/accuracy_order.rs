//! Orders of accuracy: how fast the error of a case falls with the step size.

use super::case::{Case, METHODS, Quantity};
use super::cases;

/// The step rates over which an order is measured, Hz.
pub const LADDER: [u32; 4] = [60, 120, 240, 480];

/// A quantity of a case whose error is a power of the step size.
pub struct AccuracyOrder {
    /// The names of the case and of its quantity.
    pub case: &'static str,
    pub quantity: &'static str,
    /// The expected power of the step size, and the reason.
    pub order: f64,
    pub why: &'static str,
    /// The allowed deviation of the measured power.
    pub within: f64,
}

impl AccuracyOrder {
    /// The case and its quantity, with the quantity's index.
    pub fn find(&self) -> Option<(&'static Case, usize, &'static Quantity)> {
        let case = cases::all().find(|c| c.name == self.case)?;
        let place = case.quantities.iter().position(|q| q.name == self.quantity)?;
        Some((case, place, &case.quantities[place]))
    }
}

/// The measured errors for an order.
pub struct OrderOutcome {
    pub order: &'static AccuracyOrder,
    /// Errors by solver and rate, in the quantity's unit or relative to the true value.
    pub errors: [[f64; LADDER.len()]; METHODS.len()],
}

impl OrderOutcome {
    /// The measured power for a solver: the slope of a regression line through the logarithms of its errors.
    pub fn slope(&self, column: usize) -> f64 {
        let x = LADDER.map(|rate| -f64::from(rate).ln());
        let y = self.errors[column].map(|error| error.abs().ln());
        let mean = |v: &[f64]| v.iter().sum::<f64>() / v.len() as f64;
        let (mx, my) = (mean(&x), mean(&y));
        let along: f64 = x.iter().zip(&y).map(|(x, y)| (x - mx) * (y - my)).sum();
        along / x.iter().map(|x| (x - mx) * (x - mx)).sum::<f64>()
    }

    /// Whether a solver's errors fall as expected.
    pub fn holds(&self, column: usize) -> bool {
        (self.slope(column) - self.order.order).abs() <= self.order.within
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slope_of_errors_that_fall_with_the_square_of_the_step_is_two() {
        let order = AccuracyOrder { case: "", quantity: "", order: 2.0, why: "", within: 0.01 };
        let order: &'static AccuracyOrder = Box::leak(Box::new(order));
        let squares = LADDER.map(|rate| -3.0 / f64::from(rate * rate));
        let firsts = LADDER.map(|rate| 0.5 / f64::from(rate));
        let outcome = OrderOutcome { order, errors: [squares, firsts, squares] };
        assert!((outcome.slope(0) - 2.0).abs() < 1e-12 && (outcome.slope(1) - 1.0).abs() < 1e-12);
        assert!(outcome.holds(0) && !outcome.holds(1));
    }

    #[test]
    fn every_order_names_a_quantity() {
        for order in cases::ORDERS {
            assert!(order.find().is_some(), "{}: {}", order.case, order.quantity);
        }
    }
}
