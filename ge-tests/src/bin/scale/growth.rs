//! Measures how cost grows with work.

/// Compares the costs of growing amounts of work.
#[derive(Clone, Debug, Default)]
pub(crate) struct Growth {
    /// Each point is an amount of work and its cost.
    points: Vec<[f64; 2]>,
}

impl Growth {
    /// Adds a larger amount of work with its cost. Returns the cost for each further unit of work since the amount
    /// before, if there is one.
    pub(crate) fn push(&mut self, amount: f64, cost: f64) -> Option<f64> {
        let last = self.points.last().copied();
        self.points.push([amount, cost]);
        last.map(|[last, least]| (cost - least) / (amount - last))
    }

    /// Returns the exponent with which cost grows from the first half of the amounts to the last, without the cost
    /// that does not depend on the amount: 1 is linear. `None` for fewer than three amounts.
    pub(crate) fn exponent(&self) -> Option<f64> {
        let [[first, base], .., [middle, early], [last, late]] = self.points.as_slice() else { return None };
        let cost = libm::log((late - base) / (early - base));
        let amount = libm::log((last - first) / (middle - first));
        Some(cost / amount).filter(|exponent| exponent.is_finite())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exponent(cost: impl Fn(f64) -> f64) -> f64 {
        let mut growth = Growth::default();
        for amount in [1.0, 1000.0, 10_000.0, 100_000.0] {
            growth.push(amount, cost(amount));
        }
        growth.exponent().expect("enough amounts")
    }

    #[test]
    fn exponents_of_made_up_costs() {
        assert!((exponent(|amount| 5e6 + 3.0 * amount) - 1.0).abs() < 1e-9, "linear, with a start");
        assert!((exponent(|amount| 0.1 * amount * amount) - 2.0).abs() < 0.01, "quadratic");
        assert!((exponent(f64::sqrt) - 0.5).abs() < 0.01, "slower than linear");
        assert!(exponent(|amount| amount * amount.log2()) > 1.05, "more than linear");
        assert_eq!(Growth { points: vec![[1.0, 1.0], [2.0, 2.0]] }.exponent(), None, "too few");
    }

    #[test]
    fn further_units_cost_the_difference() {
        let mut growth = Growth::default();
        assert_eq!(growth.push(10.0, 100.0), None, "the first");
        assert_eq!(growth.push(30.0, 160.0), Some(3.0), "20 more for 60");
    }
}
