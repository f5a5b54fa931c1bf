// base/parts.ts
var PATH_MAX = 4096;
var WHOLE = { member: null, lod: null, group: null, hidden: false };
function isSamePart(one, other) {
  return one?.member === other?.member && optionsOf(one).join(" ") === optionsOf(other).join(" ");
}
function putPart(parts, part) {
  const named = part && { member: part.member ?? "", lod: part.lod ?? "", group: part.group ?? "", hidden: part.hidden ? "1" : "" };
  for (const [name, value] of Object.entries(named ?? {})) {
    if (value !== "" || name === "member" && isSamePart(part, WHOLE)) {
      parts.append(name, String(value));
    }
  }
}
function partOfHash(hash) {
  const parts = new URLSearchParams(hash.replace(/^#/, ""));
  const whole = (name) => /^\d{1,9}$/.test(parts.get(name) ?? "") ? Number(parts.get(name)) : null;
  const member = (parts.get("member") ?? "").slice(0, PATH_MAX);
  const isNamed = ["member", "lod", "group", "hidden"].some((name) => parts.has(name));
  return isNamed ? { member: member || null, lod: whole("lod"), group: whole("group"), hidden: parts.get("hidden") === "1" } : null;
}
function optionsOf(part) {
  const number = (name, value) => value === null || value === void 0 ? [] : [name, String(value)];
  return [...number("--lod", part?.lod), ...number("--group", part?.group), ...part?.hidden ? ["--hidden"] : []];
}
function wordsOf(input, name) {
  return [name ?? "FILE", ...input?.options ?? [], ...optionsOf(input?.part ?? null)];
}
function quote(text) {
  return /^[\w./:=@,+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
export {
  WHOLE,
  isSamePart,
  partOfHash,
  putPart,
  quote,
  wordsOf
};
