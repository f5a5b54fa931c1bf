//! The table to compare times in: a line for each frame, and geometric means.

use std::io::{self, Write};

use super::machine::Limit;

/// Median and least time in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Time {
    pub(super) median: f64,
    pub(super) least: f64,
}

impl Time {
    /// Returns the median and the least of these times, or `None` without times.
    pub(super) fn of(mut times: Vec<f64>) -> Option<Self> {
        times.sort_by(f64::total_cmp);
        let middle = times.len() / 2;
        let upper = *times.get(middle)?;
        let median = if times.len() % 2 == 1 { upper } else { f64::midpoint(times[middle - 1], upper) };
        Some(Self { median, least: times[0] })
    }
}

/// How long pspge and the peer take for a frame under a limit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    pub(super) pspge: Time,
    pub(super) peer: Time,
}

impl Pair {
    /// Returns the ratios between the medians and between the least times. Below 1, pspge is faster.
    fn ratios(&self) -> [f64; 2] {
        [self.pspge.median / self.peer.median, self.pspge.least / self.peer.least]
    }
}

/// Writes the column names.
pub(super) fn write_head(out: &mut impl Write, limits: &[Limit]) -> io::Result<()> {
    write!(out, "{:32}", "")?;
    for limit in limits {
        let plural = if limit.threads == 1 { "" } else { "s" };
        write!(out, "{:>44}", format!("{} processor{plural}", limit.threads))?;
    }
    write!(out, "\n{:32}", "frame")?;
    for _ in limits {
        write!(out, "{:>8}{:>8}{:>8}{:>8}{:>6}{:>6}", "pspge", "least", "peer", "least", "ratio", "least")?;
    }
    writeln!(out)
}

/// Writes a frame's line, with a pair for each limit.
pub(super) fn write_row(out: &mut impl Write, name: &str, pairs: &[Pair]) -> io::Result<()> {
    write!(out, "{name:32}")?;
    for pair in pairs {
        for time in [pair.pspge.median, pair.pspge.least, pair.peer.median, pair.peer.least] {
            write!(out, "{time:>8.2}")?;
        }
        let [median, least] = pair.ratios();
        write!(out, "{median:>6.2}{least:>6.2}")?;
    }
    writeln!(out)
}

/// Writes the geometric means for the ratios in all rows, which have pairs for the same limits.
#[expect(clippy::disallowed_methods, reason = "means for people to read, whatever the last bits")]
pub(super) fn write_means(out: &mut impl Write, rows: &[Vec<Pair>]) -> io::Result<()> {
    write!(out, "{:32}", "geometric mean")?;
    for limit in 0..rows.first().map_or(0, Vec::len) {
        write!(out, "{:32}", "")?;
        for which in 0..2 {
            let logarithms = rows.iter().map(|pairs| pairs[limit].ratios()[which].ln());
            let mean = (logarithms.sum::<f64>() / rows.len() as f64).exp();
            write!(out, "{mean:>6.2}")?;
        }
    }
    writeln!(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_of_odd_and_even_numbers_of_times() {
        assert_eq!(Time::of(vec![5.0, 1.0, 2.0]), Some(Time { median: 2.0, least: 1.0 }));
        assert_eq!(Time::of(vec![5.0, 1.0, 2.0, 4.0]), Some(Time { median: 3.0, least: 1.0 }));
        assert_eq!(Time::of(Vec::new()), None);
    }

    #[test]
    fn table_has_a_line_for_each_frame() {
        let pair = |[a, b, c, d]: [f64; 4]| Pair {
            pspge: Time { median: a, least: b },
            peer: Time { median: c, least: d },
        };
        let limits = [1, 2].map(|threads| Limit { threads, list: None });
        let rows = [
            vec![pair([8.0, 6.0, 16.0, 8.0]), pair([5.0, 4.0, 10.0, 10.0])],
            vec![pair([8.0, 6.0, 4.0, 8.0]), pair([2.0, 2.0, 100.0, 20.0])],
        ];
        let mut out = Vec::new();
        let mut write = || -> io::Result<()> {
            write_head(&mut out, &limits)?;
            write_row(&mut out, "nova", &rows[0])?;
            write_row(&mut out, "wall-e", &rows[1])?;
            write_means(&mut out, &rows)
        };
        write().expect("a vector takes all");
        let text = String::from_utf8(out).expect("the table is text");
        let lines: Vec<String> =
            text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
        assert_eq!(lines[0], "1 processor 2 processors");
        assert_eq!(
            lines[1..],
            [
                "frame pspge least peer least ratio least pspge least peer least ratio least",
                "nova 8.00 6.00 16.00 8.00 0.50 0.75 5.00 4.00 10.00 10.00 0.50 0.40",
                "wall-e 8.00 6.00 4.00 8.00 2.00 0.75 2.00 2.00 100.00 20.00 0.02 0.10",
                "geometric mean 1.00 0.75 0.10 0.20",
            ]
        );
        let widths: Vec<usize> = text.lines().map(str::len).collect();
        assert_eq!(widths, [120; 5], "columns stand below their names");
    }
}
