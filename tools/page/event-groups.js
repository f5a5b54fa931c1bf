// The rows of the list of events: events in groups of their passes.

/**
 * @typedef {import("pspge/app.js").EventRow} EventRow
 * @typedef {{pass: number, rows: EventRow[], draws: number, cost: number, buffer: number | null}} Group
 * @typedef {{kind: "group", group: Group, isOpen: boolean} | {kind: "event", row: EventRow, isInGroup: boolean} | {kind: "end"}} ListRow
 */

/**
 * Sorts events into groups of consecutive events of one pass. Events without a pass belong to the group around them, or
 * stand alone between groups.
 * @param {EventRow[]} events
 * @returns {(Group | EventRow)[]}
 */
export function groupEvents(events) {
  /** @type {(Group | EventRow)[]} */
  const parts = [];
  /** @type {EventRow[]} */
  let loose = [];
  let group = /** @type {Group | null} */ (null);
  for (const row of events) {
    if (row.pass === null) {
      loose.push(row);
      continue;
    }
    if (group?.pass === row.pass) {
      group.rows.push(...loose, row);
    } else {
      parts.push(...loose);
      group = { pass: row.pass, rows: [row], draws: 0, cost: 0, buffer: row.buffer };
      parts.push(group);
    }
    loose = [];
  }
  parts.push(...loose);
  for (const part of parts) {
    if ("rows" in part) {
      part.draws = part.rows.filter(({ draw }) => draw !== null).length;
      part.cost = part.rows.reduce((sum, { cost }) => sum + cost, 0);
    }
  }
  return parts;
}

/** Orders of the list besides that of the run, from the largest amount on. */
export const ORDERS = /** @type {Record<string, (row: EventRow) => number>} */ ({
  cost: (row) => row.cost,
  pixels: (row) => row.covered,
  registers: (row) => row.registers.length,
});

/**
 * Returns the rows of the list in another order than that of the run, without groups.
 * @param {EventRow[]} events
 * @param {(row: EventRow) => boolean} isMatch
 * @param {(row: EventRow) => number} amount
 * @returns {ListRow[]}
 */
export function sortedRows(events, isMatch, amount) {
  const sorted = events.filter(isMatch).sort((a, b) => amount(b) - amount(a) || a.event - b.event);
  return sorted.map((row) => ({ kind: "event", row, isInGroup: false }));
}

/**
 * Returns the rows of the list: groups, the events of open ones that match, and the end of the run.
 * @param {(Group | EventRow)[]} parts
 * @param {{isMatch: (row: EventRow) => boolean, isFiltered: boolean, closed: Set<number>}} options `closed` holds the passes whose groups are closed
 * @returns {ListRow[]}
 */
export function listRows(parts, { isMatch, isFiltered, closed }) {
  /** @type {ListRow[]} */
  const rows = [];
  for (const part of parts) {
    if (!("rows" in part)) {
      if (isMatch(part)) {
        rows.push({ kind: "event", row: part, isInGroup: false });
      }
      continue;
    }
    const matching = isFiltered ? part.rows.filter(isMatch) : part.rows;
    if (matching.length === 0) {
      continue;
    }
    const isOpen = !closed.has(part.pass);
    rows.push({ kind: "group", group: part, isOpen });
    if (isOpen) {
      for (const row of matching) {
        rows.push({ kind: "event", row, isInGroup: true });
      }
    }
  }
  if (!isFiltered && parts.length > 0) {
    rows.push({ kind: "end" });
  }
  return rows;
}
