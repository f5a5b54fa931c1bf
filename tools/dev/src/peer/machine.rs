//! The machine to measure times on.

use std::fs;
use std::ops::RangeInclusive;

#[derive(Debug, PartialEq)]
pub(super) struct Machine {
    /// The processor's name.
    pub(super) processor: String,
    /// How many processors the machine has.
    pub(super) count: usize,
    /// Numbers of up to two processors that this process may use; empty if the system does not tell them.
    allowed: Vec<String>,
}

/// The processors for a run.
#[derive(Debug, PartialEq)]
pub(super) struct Limit {
    /// How many processors to use, and how many threads pspge gets.
    pub(super) threads: usize,
    /// The processors as `taskset` takes them; `None` leaves the choice to the system.
    pub(super) list: Option<String>,
}

impl Machine {
    /// Reads Linux's descriptions. On other systems the processor is unknown.
    pub(super) fn read() -> Self {
        let read = |path| fs::read_to_string(path).unwrap_or_default();
        let mut machine = Self::parse(&read("/proc/cpuinfo"), &read("/proc/self/status"));
        if machine.count == 0 {
            machine.count = std::thread::available_parallelism().map_or(1, usize::from);
        }
        machine
    }

    /// Parses the content of `/proc/cpuinfo` and `/proc/self/status`.
    fn parse(cpuinfo: &str, status: &str) -> Self {
        let allowed = values(status, "Cpus_allowed_list").next().unwrap_or_default();
        Self {
            processor: values(cpuinfo, "model name").next().unwrap_or("unknown").to_owned(),
            count: values(cpuinfo, "processor").count(),
            allowed: allowed
                .split(',')
                .filter_map(range)
                .flatten()
                .take(2)
                .map(|number| number.to_string())
                .collect(),
        }
    }

    /// Returns the limits to measure: one and two processors, or all without a limit if the system tells no numbers.
    pub(super) fn limits(&self) -> Vec<Limit> {
        if self.allowed.is_empty() {
            return vec![Limit { threads: self.count, list: None }];
        }
        let list = |threads| Some(self.allowed.get(..threads)?.join(","));
        (1..=2).filter_map(|threads| Some(Limit { threads, list: Some(list(threads)?) })).collect()
    }
}

/// Finds the values in lines such as `name: value`.
fn values<'a>(text: &'a str, name: &str) -> impl Iterator<Item = &'a str> {
    text.lines().filter_map(move |line| {
        let (key, value) = line.split_once(':')?;
        (key.trim() == name).then(|| value.trim())
    })
}

/// Parses `3` or `4-7`.
fn range(text: &str) -> Option<RangeInclusive<usize>> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    Some(first.parse().ok()?..=last.parse().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn linux_describes_processors() {
        let cpuinfo =
            "processor\t: 0\nmodel name\t: AMD EPYC: 7\n\nprocessor\t: 1\nmodel name\t: AMD EPYC: 7\n";
        let machine = Machine::parse(cpuinfo, "Name:\tcargo\nCpus_allowed_list:\t3,5-7\n");
        assert_eq!(machine.processor, "AMD EPYC: 7");
        assert_eq!(machine.count, 2);
        let lists: Vec<_> = machine.limits().into_iter().map(|limit| (limit.threads, limit.list)).collect();
        assert_eq!(lists, [(1, Some("3".to_owned())), (2, Some("3,5".to_owned()))]);
    }

    #[test]
    fn one_processor_has_one_limit() {
        let machine = Machine::parse("processor: 0\n", "Cpus_allowed_list: 4\n");
        assert_eq!(machine.processor, "unknown");
        assert_eq!(machine.limits(), [Limit { threads: 1, list: Some("4".to_owned()) }]);
    }

    #[test]
    fn other_systems_have_no_limit() {
        let machine = Machine { count: 8, ..Machine::parse("", "") };
        assert_eq!(machine.limits(), [Limit { threads: 8, list: None }]);
    }
}
