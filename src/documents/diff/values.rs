//! Lists the paths at which two documents of the same kind have different values.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A value that differs between two runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ValueDifference {
    /// Where the value is: for a draw, its path in the document `pspge.draw-report/1`, such as
    /// `state.depth_test.function` or `vertices[2].screen.x`; for other events, in their entry in
    /// `pspge.timeline/1`.
    pub path: String,
    /// The value in the first run as JSON; null if it has none.
    pub a: Option<String>,
    /// The value in the second run as JSON; null if it has none.
    pub b: Option<String>,
}

/// The first different values, and how many there are in all.
#[derive(Debug, Default)]
pub(super) struct ValueDifferences {
    pub(super) count: u64,
    pub(super) values: Vec<ValueDifference>,
}

impl ValueDifferences {
    /// How many values are kept for each member, so that a long one cannot crowd out the others.
    const KEPT: usize = 200;

    /// Compares these members of two documents in this order, but ignores some paths inside them.
    pub(super) fn of(a: &impl Serialize, b: &impl Serialize, members: &[&str], without: &[&str]) -> Self {
        let mut found = Self::default();
        // This cannot fail, because documents consist of plain data.
        let (Ok(a), Ok(b)) = (serde_json::to_value(a), serde_json::to_value(b)) else { return found };
        for member in members {
            let mut of_member = Self::default();
            of_member.compare(member, a.get(member), b.get(member), without);
            found.count = found.count.saturating_add(of_member.count);
            found.values.extend(of_member.values);
        }
        found
    }

    fn compare(&mut self, path: &str, a: Option<&Value>, b: Option<&Value>, without: &[&str]) {
        if a == b || without.contains(&path) {
            return;
        }
        match (a, b) {
            (Some(Value::Object(a)), Some(Value::Object(b))) => {
                for name in a.keys().chain(b.keys().filter(|name| !a.contains_key(*name))) {
                    self.compare(&format!("{path}.{name}"), a.get(name), b.get(name), without);
                }
            }
            (Some(Value::Array(a)), Some(Value::Array(b))) => {
                for index in 0..a.len().max(b.len()) {
                    self.compare(&format!("{path}[{index}]"), a.get(index), b.get(index), without);
                }
            }
            _ => {
                self.count = self.count.saturating_add(1);
                if self.values.len() < Self::KEPT {
                    let text = |value: Option<&Value>| value.map(ToString::to_string);
                    self.values.push(ValueDifference { path: path.to_owned(), a: text(a), b: text(b) });
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(a: &Value, b: &Value, members: &[&str], without: &[&str]) -> Vec<String> {
        let found = ValueDifferences::of(a, b, members, without);
        assert_eq!(found.count, found.values.len() as u64, "few values");
        let text = |value: Option<String>| value.unwrap_or_else(|| "none".to_owned());
        let line = |value: ValueDifference| format!("{}: {} | {}", value.path, text(value.a), text(value.b));
        found.values.into_iter().map(line).collect()
    }

    #[test]
    fn leaves_are_named_by_their_paths() {
        let a = serde_json::json!({ "input": "a", "state": { "test": "LESS", "size": [1, 2] }, "same": 1 });
        let b = serde_json::json!({
            "input": "b", "state": { "test": "ALWAYS", "size": [1, 3, 4] }, "same": 1, "new": null
        });
        let [first, second, test] =
            ["state.size[1]: 2 | 3", "state.size[2]: none | 4", r#"state.test: "LESS" | "ALWAYS""#];
        assert_eq!(lines(&a, &b, &["same", "new", "state"], &[]), ["new: none | null", first, second, test]);
        assert_eq!(lines(&a, &b, &["state"], &["state.size"]), [test], "without a member");
    }

    #[test]
    fn many_values_are_counted() {
        let [a, b] = [0, 1].map(|first| serde_json::json!({ "all": (first..5000).collect::<Vec<u32>>() }));
        let found = ValueDifferences::of(&a, &b, &["all"], &[]);
        assert_eq!((found.count, found.values.len()), (5000, ValueDifferences::KEPT), "all and the first");
    }
}
