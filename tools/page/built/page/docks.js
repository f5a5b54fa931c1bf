// page/docks.ts
var TABS = "tabs";
var SIDES = ["left", "right", "above", "below"];
var ALL_TABS = { dock: TABS, floating: [] };
function leavesOf(dock) {
  return typeof dock === "string" ? [dock] : dock.parts.flatMap(leavesOf);
}
function besideTabs(dock) {
  if (typeof dock === "string") {
    return 0;
  }
  const [tabs, other] = leavesOf(dock.parts[0]).includes(TABS) ? dock.parts : [dock.parts[1], dock.parts[0]];
  return besideTabs(tabs) + (dock.isRow ? columnsOf(other) : 0);
}
function columnsOf(dock) {
  if (typeof dock === "string") {
    return 1;
  }
  const [first, second] = dock.parts.map(columnsOf);
  return dock.isRow ? first + second : Math.max(first, second);
}
function backToTabs({ dock, floating }, id) {
  return { dock: without(dock, id) ?? TABS, floating: floating.filter((other) => other.id !== id) };
}
function without(dock, id) {
  if (typeof dock === "string") {
    return dock === id ? null : dock;
  }
  const [first, second] = dock.parts.map((part) => without(part, id));
  return first && second ? { ...dock, parts: [first, second] } : first ?? second;
}
function dockAt(places, id, leaf, side) {
  const { dock, floating } = backToTabs(places, id);
  const split = (part) => {
    if (typeof part !== "string") {
      return { ...part, parts: [split(part.parts[0]), split(part.parts[1])] };
    }
    const isFirst = side === "left" || side === "above";
    return part === leaf ? { isRow: side === "left" || side === "right", parts: isFirst ? [id, part] : [part, id] } : part;
  };
  return { dock: split(dock), floating };
}
function replaceDocked(places, id, old) {
  return backToTabs(dockAt(places, id, old, "above"), old);
}
function float(places, floated) {
  const { dock, floating } = backToTabs(places, floated.id);
  return { dock, floating: [...floating, floated] };
}
function readPlaces(text, ids) {
  try {
    const { dock, floating } = JSON.parse(text);
    const isDock = (part) => typeof part === "string" || part.parts.length === 2 && part.parts.every(isDock);
    if (!isDock(dock)) {
      return ALL_TABS;
    }
    const named = [...leavesOf(dock), ...floating.map(({ id }) => id)];
    const isKnown = named.every((id, at) => (id === TABS || ids.includes(id)) && named.indexOf(id) === at) && leavesOf(dock).includes(TABS);
    const isPlaced = floating.every(({ x, y, width, height }) => [x, y, width, height].every(Number.isFinite));
    return isKnown && isPlaced ? { dock, floating } : ALL_TABS;
  } catch {
    return ALL_TABS;
  }
}
export {
  ALL_TABS,
  SIDES,
  TABS,
  backToTabs,
  besideTabs,
  dockAt,
  float,
  leavesOf,
  readPlaces,
  replaceDocked
};
