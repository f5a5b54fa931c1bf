//! Compares a pair.

use pspge::compare::{self, CompareOptions, Rendered};
use pspge::documents::difference::DifferenceDocument;

use super::pairs::{Pair, Pairs};
use super::side::{Opening, SideContent, compare_failure};
use super::summary::{Comparison, Verdict};
use super::{Args, text};
use crate::job::{Job, JobInfo, Outcome, Session, Task};
use crate::terminal::failure::Failure;
use crate::terminal::notes::Notes;

pub(super) struct Compare<'a> {
    pub(super) args: &'a Args,
    pub(super) options: CompareOptions,
    pub(super) pairs: Pairs,
}

impl Job for Compare<'_> {
    fn info(&self) -> JobInfo {
        JobInfo {
            names_input: true,
            prints_json: self.args.json,
            ..JobInfo::new("equal", "nothing to compare")
        }
    }

    fn suffix(&self) -> String {
        self.args.picture.suffix().to_owned()
    }

    fn run(&self, task: &Task, session: &mut Session) -> Result<Outcome, Failure> {
        let Some(pair) = self.pairs.of(&task.input) else { return Ok(Outcome::Nothing) };
        match (&pair.first, &pair.second) {
            (Some(first), Some(second)) => self.compare(task, pair, [first, second], session),
            (first, _) => {
                if !self.args.json {
                    let side = if first.is_some() { "only in A" } else { "only in B" };
                    let line = text::missing(&pair.name, self.pairs.widest_name(), side);
                    session.out.line(format_args!("{line}"))?;
                }
                let problem = "the other folder has no such file";
                Err(Failure::input(&task.input, "no-counterpart", None, problem))
            }
        }
    }
}

impl Compare<'_> {
    fn compare(
        &self,
        task: &Task,
        pair: &Pair,
        names: [&str; 2],
        session: &mut Session,
    ) -> Result<Outcome, Failure> {
        let openings = names.map(|name| Opening::new(name, &self.args.rendering.open));
        let [first, second] = openings;
        let mut openings = [first?, second?];
        // A side that cannot be compared fails below, for a better reason than an option that does not apply to it.
        if openings.iter().all(|opening| !matches!(opening.content, SideContent::Other)) {
            self.args.rendering.check(&mut openings, &mut session.notes)?;
        }
        session.notes.add_all(openings[0].notes.clone());
        session.notes.add_all_of(names[1], openings[1].notes.clone());
        let Some(rendered) = self.render(task, names, &openings, session)? else {
            return Ok(Outcome::Nothing);
        };
        let [a, b] = rendered.each_ref().map(|side| &side.picture);
        let failed = |error| compare_failure(names, &error);
        let difference = compare::pictures(a, b, &self.options).map_err(failed)?;
        // In folders, identical pairs get no picture, so that only differences remain to be looked at.
        let output = task.output.as_deref().filter(|_| !(task.is_found && difference.is_identical()));
        if let Some(path) = output {
            session.write(path, &self.args.picture.draw(a, b, &self.options).map_err(failed)?)?;
        }
        let verdict = Verdict::of(&difference);
        if self.args.json {
            let mut document = DifferenceDocument::new(names[0], names[1], &difference);
            document.output = session.written.iter().map(|path| path.display().to_string()).collect();
            document.notes = session.notes.list.entries().to_vec();
            session.json(&document)?;
        } else {
            let sides = [(&openings[0], a), (&openings[1], b)];
            self.print(pair, &Comparison { sides, difference, verdict }, session)?;
        }
        Ok(if verdict == Verdict::Different { Outcome::Different } else { Outcome::Done })
    }

    /// Draws both sides as pictures, and adds notes from their runs. Returns `None` if a file found in a folder is
    /// neither a picture nor drawable.
    fn render(
        &self,
        task: &Task,
        names: [&str; 2],
        openings: &[Opening; 2],
        session: &mut Session,
    ) -> Result<Option<[Rendered; 2]>, Failure> {
        let rendering = &self.args.rendering;
        let sides = match openings.each_ref().map(|opening| opening.content.side()) {
            [Some(a), Some(b)] => [a, b],
            _ if task.is_found => return Ok(None),
            [a, _] => {
                let problem = format_args!("the file holds {}", self.info().nothing);
                return Err(Failure::input(names[usize::from(a.is_some())], "nothing-to-do", None, problem));
            }
        };
        let options = rendering.options(session.threads);
        let rendered = compare::sides(sides, &options, rendering.size(), rendering.buffer())
            .map_err(|error| compare_failure(names, &error))?;
        let [mut first, mut second] = [Notes::default(), Notes::default()];
        for (notes, side) in [(&mut first, &rendered[0]), (&mut second, &rendered[1])] {
            notes.list.add_run(&side.notes);
            if side.is_unset {
                notes.list.add("buffer-unset", "the list sets no such buffer up; its picture is black");
            }
        }
        session.notes.add_all(first);
        session.notes.add_all_of(names[1], second);
        Ok(Some(rendered))
    }

    fn print(&self, pair: &Pair, comparison: &Comparison<'_>, session: &mut Session) -> Result<(), Failure> {
        if self.pairs.is_batch {
            let line = text::line(&pair.name, self.pairs.widest_name(), comparison);
            return session.out.line(format_args!("{line}"));
        }
        let has_tolerance = self.args.tolerance.is_some();
        for line in text::figures(comparison, has_tolerance) {
            session.out.line(format_args!("{line}"))?;
        }
        let result = text::result(comparison, has_tolerance);
        session.out.marked_line("", comparison.verdict.mark(), &result, "")
    }
}
