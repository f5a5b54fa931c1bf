//! Reads cases: each line is a step, and indented steps happen inside the step above.

/// A step with the steps inside it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Node {
    /// The line to carry out, without comment, result and places.
    pub(crate) text: String,
    /// What this step returned on the PSP.
    pub(crate) result: Option<String>,
    /// The lines that show this step in the program's output, from 1.
    pub(crate) places: Vec<usize>,
    pub(crate) inside: Vec<Self>,
}

impl Node {
    pub(crate) fn parse(text: &str) -> Vec<Self> {
        let mut lines = text
            .lines()
            .map(|line| without_comment(line).trim_end())
            .filter(|line| !line.is_empty())
            .map(|line| (line.len() - line.trim_start().len(), line.trim_start()))
            .peekable();
        Self::siblings(&mut lines, 0)
    }

    fn siblings<'t>(
        lines: &mut std::iter::Peekable<impl Iterator<Item = (usize, &'t str)>>,
        depth: usize,
    ) -> Vec<Self> {
        let mut nodes: Vec<Self> = Vec::new();
        while let Some((found, line)) = lines.next_if(|(found, _)| *found >= depth) {
            assert_eq!(found, depth, "the depth of {line}");
            let mut node = Self::new(line);
            if lines.peek().is_some_and(|(next, _)| *next > depth) {
                node.inside = Self::siblings(lines, depth + 2);
            }
            nodes.push(node);
        }
        nodes
    }

    pub(crate) fn new(line: &str) -> Self {
        let (line, places) = line.rsplit_once(" @").unwrap_or((line, ""));
        let (text, result) = match line.split_once(" -> ") {
            Some((text, result)) => (text, Some(result.trim().to_owned())),
            None => (line, None),
        };
        let number = |place: &str| place.parse().expect("the number of a line");
        Self {
            text: text.trim().to_owned(),
            result,
            places: places.split(',').filter(|place| !place.is_empty()).map(number).collect(),
            inside: Vec::new(),
        }
    }
}

/// Removes a comment. `#` before a digit begins an id instead.
fn without_comment(line: &str) -> &str {
    line.split("# ").next().unwrap_or_default()
}
