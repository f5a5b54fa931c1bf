//! Writes reports on all judgements: a page, JUnit, Markdown, annotations for GitHub, and lines for a terminal.

pub(super) mod github;
pub(super) mod html;
pub(super) mod junit;
pub(super) mod markdown;
pub(super) mod terminal;
