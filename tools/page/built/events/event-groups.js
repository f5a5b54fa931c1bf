// events/event-groups.ts
var EQUAL_DRAWS = 4;
var COPIES = 2;
function groupEvents(events) {
  const parts = [];
  let loose = [];
  let group;
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
function likenessOf({ kind, primitive, buffer, texture, state, clears, is_left_out }) {
  const isPlain = kind === "draw" && clears === null && !is_left_out;
  return isPlain ? `${primitive} ${buffer} ${texture?.address} ${texture?.format} ${texture?.width} ${state.join()}` : null;
}
function foldEvents(rows) {
  const parts = [];
  for (let start = 0; start < rows.length; ) {
    const { end, draws } = runFrom(rows, start);
    const isFold = draws >= EQUAL_DRAWS || draws === 0 && end - start >= COPIES;
    const taken = rows.slice(start, isFold ? end : start + 1);
    const [first] = taken;
    if (first) {
      parts.push(isFold ? { rows: taken, draws, sum: sumOf(first, taken) } : first);
    }
    start += taken.length;
  }
  return parts;
}
function runFrom(rows, start) {
  const first = rows[start];
  const likeness = likenessOf(first);
  const isCopy = first.kind === "cpu" && !first.is_left_out;
  let [end, draws] = [start + 1, isCopy ? 0 : 1];
  if (!isCopy && likeness === null) {
    return { end, draws };
  }
  for (let at = start + 1; at < rows.length; at += 1) {
    const row = rows[at];
    const isOther = row.kind !== "cpu" || row.is_left_out;
    if (isOther && (isCopy || likenessOf(row) !== likeness)) {
      break;
    }
    if (isOther || isCopy) {
      draws += isCopy ? 0 : 1;
      end = at + 1;
    }
  }
  return { end, draws };
}
function sumOf(first, rows) {
  const draws = rows.filter(({ draw }) => draw !== null);
  const add = (of) => rows.reduce((sum, row) => sum + of(row), 0);
  const primitives = ["all", "drawn", "culled", "flat"].map((name) => [name, add((row) => row.primitives?.[name] ?? 0)]);
  return {
    ...first,
    vertices: draws.length > 0 ? add((row) => row.vertices ?? 0) : null,
    covered: add(({ covered }) => covered),
    passed: add(({ passed }) => passed),
    cost: add(({ cost }) => cost),
    registers: [...new Set(rows.flatMap(({ registers }) => registers))],
    primitives: draws.length > 0 ? Object.fromEntries(primitives) : null,
    box: rows.reduce((around, { box }) => around && box ? boxAround(around, box) : around ?? box, null)
  };
}
function boxAround(a, b) {
  return { left: Math.min(a.left, b.left), top: Math.min(a.top, b.top), right: Math.max(a.right, b.right), bottom: Math.max(a.bottom, b.bottom) };
}
function listRows(parts, { isMatch, isFiltered, closed, unfolded }) {
  const rows = [];
  let loose = [];
  const add = (events, level) => {
    for (const part of foldEvents(isFiltered ? events.filter(isMatch) : events)) {
      if (!("rows" in part)) {
        rows.push({ kind: "event", row: part, level });
        continue;
      }
      const isOpen = unfolded.has(part.sum.event);
      rows.push({ kind: "fold", fold: part, isOpen, level });
      if (isOpen) {
        part.rows.forEach((row) => rows.push({ kind: "event", row, level: level + 1 }));
      }
    }
  };
  for (const part of parts) {
    if (!("rows" in part)) {
      loose.push(part);
      continue;
    }
    add(loose, 1);
    loose = [];
    if (isFiltered && !part.rows.some(isMatch)) {
      continue;
    }
    const isOpen = !closed.has(part.pass);
    rows.push({ kind: "group", group: part, isOpen });
    if (isOpen) {
      add(part.rows, 2);
    }
  }
  add(loose, 1);
  if (!isFiltered && parts.length > 0) {
    rows.push({ kind: "end" });
  }
  return rows;
}
export {
  groupEvents,
  listRows
};
