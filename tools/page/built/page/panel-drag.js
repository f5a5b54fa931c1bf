// page/panel-drag.ts
import { SIDES } from "pspge/page/docks.js";
var DRAGGED = "application/x-pspge-panel";
var NEAR = 0.25;
function createPanelDrag(ids, redraw) {
  let aim = null;
  const setAim = (next) => {
    if (next?.leaf !== aim?.leaf || next?.side !== aim?.side) {
      aim = next;
      redraw();
    }
  };
  const isDragged = ({ dataTransfer }) => dataTransfer?.types.includes(DRAGGED) ?? false;
  const take = (event, drop) => {
    const id = event.dataTransfer?.getData(DRAGGED);
    if (id && ids.includes(id)) {
      event.preventDefault();
      drop(id, event);
      setAim(null);
    }
  };
  return {
    /** Props of what is dragged. */
    source: (id) => ({ draggable: true, onDragStart: (event) => event.dataTransfer?.setData(DRAGGED, id), onDragEnd: () => setAim(null) }),
    /** Props of a part that takes panels at its sides and inside. */
    part(leaf, drop) {
      return {
        "data-aim": aim?.leaf === leaf ? aim.side : void 0,
        onDragOver(event) {
          if (isDragged(event)) {
            event.preventDefault();
            setAim({ leaf, side: aimOf(event) });
          }
        },
        onDragLeave: () => setAim(null),
        onDrop: (event) => take(event, (id) => drop(id, aimOf(event)))
      };
    },
    /** Props of a part that takes panels only inside. */
    whole: (drop) => ({
      onDragOver: (event) => isDragged(event) && event.preventDefault(),
      onDrop: (event) => take(event, drop)
    }),
    /** Takes panels that are dropped where no part takes them. */
    elsewhere(drop) {
      document.addEventListener("dragover", (event) => !event.defaultPrevented && isDragged(event) && event.preventDefault());
      document.addEventListener("drop", (event) => event.defaultPrevented || take(event, (id) => drop(id, { x: event.clientX, y: event.clientY })));
    }
  };
}
function aimOf({ currentTarget, clientX, clientY }) {
  const box = currentTarget.getBoundingClientRect();
  const [x, y] = [(clientX - box.left) / box.width, (clientY - box.top) / box.height];
  const distances = { left: x, right: 1 - x, above: y, below: 1 - y };
  const nearest = SIDES.reduce((best, side) => distances[side] < distances[best] ? side : best);
  return distances[nearest] < NEAR ? nearest : "in";
}
export {
  createPanelDrag
};
