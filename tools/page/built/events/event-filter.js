// events/event-filter.ts
import { isIn, parseRanges } from "pspge/base/typed-number.js";
import { killedOf, nameOf } from "pspge/events/event-names.js";
var KINDS = ["draw", "patch", "immediate", "transfer", "cpu"];
var SWITCHES = [
  ...["LIGHTINGENABLE", "LIGHTENABLE0", "LIGHTENABLE1", "LIGHTENABLE2", "LIGHTENABLE3", "DEPTHCLAMPENABLE", "CULLENABLE"],
  ...["TEXENABLE", "FOGENABLE", "DITHERENABLE", "BLENDENABLE", "ALPHATESTENABLE", "ZTESTENABLE", "STENCILTESTENABLE"],
  ...["ANTIALIASENABLE", "PATCHCULLENABLE", "COLORTESTENABLE", "LOGICOPENABLE"]
];
var FLAGS = {
  clear: (row) => row.clears !== null,
  skipped: (row) => row.is_left_out,
  textured: (row) => row.texture !== null
};
var FATES = {
  culled: ({ primitives }) => primitives !== null && primitives.culled + primitives.flat > 0,
  dropped: ({ primitives }) => primitives !== null && primitives.all > primitives.drawn + primitives.culled + primitives.flat,
  killed: (row) => row.draw !== null && row.covered > 0 && row.passed === 0,
  empty: (row) => row.draw !== null && row.covered === 0,
  drawn: (row) => row.draw !== null && row.passed > 0
};
var ofDraw = (of) => (row) => row.draw === null ? null : of(row);
var TERMS = [
  { name: "switch", example: "FOGENABLE=1", text: "Draws for which a switch is on (1) or off (0)", parse: (value) => switchTest(value.toUpperCase(), "1") },
  { name: "draw", example: "draw:40-57", text: "Numbers of draws: 7, 40-57, 3,8-", parse: (value) => numbers(value, (row) => row.draw) },
  { name: "event", example: "event:9", text: "Numbers of events", parse: (value) => numbers(value, (row) => row.event) },
  { name: "pass", example: "pass:2", text: "Numbers of passes", parse: (value) => numbers(value, (row) => row.pass) },
  { name: "kind", example: "kind:transfer", text: `One of ${KINDS.join(", ")}`, parse: kindTest },
  { name: "is", example: "is:clear", text: `One of ${Object.keys(FLAGS).join(", ")}`, parse: flagTest },
  {
    name: "fate",
    example: "fate:culled",
    text: "Draws with primitives that are culled or dropped, or whose fragments are all killed; or those that are empty or drawn",
    parse: fateTest
  },
  { name: "top", example: "top:20", text: "The events that cost most", parse: topTest },
  { name: "command", example: "command:TRIANGLES", text: "Primitive, or a part of the event's text", parse: commandTest },
  { name: "register", example: "register:ZTEST", text: "A register that was written since the event before", parse: registerTest },
  { name: "target", example: "target:0x04000000", text: "Address of the buffer that is drawn to, or its start", parse: targetTest },
  { name: "texture", example: "texture:0x08a", text: "Address of the texture, its start, or its format", parse: textureTest },
  { name: "rect", example: "rect:10,20,30,40", text: "The box touches left,top,right,bottom", parse: rectangleTest },
  { name: "covered", example: "covered:0", text: "Fragments that the event covers: 0, >100, 5-9", parse: (value) => amounts(value, ofDraw((row) => row.covered)) },
  { name: "killed", example: "killed:>100", text: "Fragments that tests kill", parse: (value) => amounts(value, ofDraw(killedOf)) },
  { name: "cost", example: "cost:>1000", text: "Cost in pixels of a plain draw", parse: (value) => amounts(value, (row) => row.cost) }
];
function parseFilter(text) {
  const filter = { tests: [], problems: [] };
  for (const part of text.replace(/\btop\s+(?=\d)/gi, "top:").split(/\s+/).filter(Boolean)) {
    const isNegated = part.length > 1 && part.startsWith("-");
    const test = parsePart(isNegated ? part.slice(1) : part);
    if (typeof test === "string") {
      filter.problems.push(test);
    } else {
      filter.tests.push(isNegated ? (row, facts) => !test(row, facts) : test);
    }
  }
  return filter;
}
function parsePart(part) {
  const [, register = "", wanted = ""] = /^([a-z0-9]+)=(.*)$/i.exec(part) ?? [];
  if (register !== "") {
    return switchTest(register.toUpperCase(), wanted);
  }
  const colon = part.indexOf(":");
  if (colon < 0) {
    return textTest(part);
  }
  const [name, value] = [part.slice(0, colon).toLowerCase(), part.slice(colon + 1)];
  const term = TERMS.find((term2) => term2.name === name);
  if (!term) {
    return `There is no term ${name}: – the terms are ${TERMS.map((term2) => `${term2.name}:`).join(" ")}`;
  }
  return value === "" ? `${name}: needs a value, such as ${term.example}` : term.parse(value);
}
function textTest(word) {
  const wanted = word.toLowerCase();
  const texts = (row) => [row.text, nameOf(row), row.texture?.format ?? "", ...row.state];
  return FATES[wanted] ?? ((row) => texts(row).some((text) => text.toLowerCase().includes(wanted)));
}
function kindTest(value) {
  const kind = value.toLowerCase();
  return KINDS.includes(kind) ? (row) => row.kind === kind : `kind:${value} is unknown; use one of ${KINDS.join(", ")}`;
}
function flagTest(value) {
  return FLAGS[value.toLowerCase()] ?? `is:${value} is unknown; use one of ${Object.keys(FLAGS).join(", ")}`;
}
function commandTest(value) {
  const wanted = value.toLowerCase();
  return (row) => row.primitive?.toLowerCase() === wanted || row.text.toLowerCase().includes(wanted);
}
function registerTest(value) {
  const wanted = value.toUpperCase().replace(/^DEPTH(?=TEST|WRITE|BUF)/, "Z");
  return (row) => row.registers.some((name) => name === wanted || name === value.toUpperCase());
}
function switchTest(name, value) {
  const known = SWITCHES.find((other) => other === name || other === `${name}ENABLE`);
  if (!known || !/^[01]$/.test(value)) {
    return `${name}=${value} is no state of a switch; write it like FOGENABLE=1. The switches are ${SWITCHES.join(", ")}`;
  }
  return (row) => row.draw !== null && row.switches.includes(known) === (value === "1");
}
function targetTest(value) {
  return addresses(value, (row, { buffers }) => row.buffer === null ? null : buffers[row.buffer]?.address ?? null);
}
function textureTest(value) {
  return /^[A-Z]+\d+$/i.test(value) && !/^[0-9a-f]+$/i.test(value) ? (row) => row.texture?.format.toLowerCase() === value.toLowerCase() : addresses(value, (row) => row.texture?.address ?? null);
}
function addresses(value, of) {
  const digits = /^(?:0x)?([0-9a-f]{1,8})(?:\.\.\.|…)?$/i.exec(value)?.[1]?.toLowerCase();
  if (digits === void 0) {
    return `${value} is no address; write it like 0x04000000, or its first digits`;
  }
  return (row, facts) => {
    const address = of(row, facts);
    return address !== null && (address >>> 0).toString(16).padStart(8, "0").startsWith(digits);
  };
}
function numbers(value, of) {
  const ranges = parseRanges(value);
  return ranges ? (row) => isIn(ranges, of(row)) : `${value} is no list of numbers; write it like 7,40-57,90-`;
}
function amounts(value, of) {
  const [, sign, text] = /^(>=|<=|>|<)(\d+)$/.exec(value) ?? [];
  if (sign === void 0) {
    return /^[\d,-]+$/.test(value) ? numbers(value, of) : `${value} is no amount; write it like 0, >100 or 5-9`;
  }
  const bound = Number(text) + Number(sign === ">") - Number(sign === "<");
  const range = sign.startsWith(">") ? [bound, Infinity] : [0, bound];
  return (row) => isIn([range], of(row));
}
function fateTest(value) {
  const tests = value.toLowerCase().split(",").map((name) => FATES[name]);
  return tests.every((test) => test !== void 0) ? (row, facts) => tests.some((test) => test(row, facts)) : `fate:${value} is unknown; use some of ${Object.keys(FATES).join(", ")}`;
}
function topTest(value) {
  return /^\d+$/.test(value) ? (row, { rank }) => rank(row.event) <= Number(value) : `top:${value} is no number of events; write it like top:20`;
}
function rectangleTest(value) {
  const sides = value.split(",").map(Number);
  const [left = 0, top = 0, right = left, bottom = top] = sides;
  if (![2, 4].includes(sides.length) || !sides.every(Number.isInteger)) {
    return `${value} is no rectangle; write left,top,right,bottom like 10,20,30,40, or a pixel like 10,20`;
  }
  return ({ box }) => box !== null && box.left <= right && box.right >= left && box.top <= bottom && box.bottom >= top;
}
export {
  TERMS,
  parseFilter
};
