// Panels that are dragged by their tabs or titles, and the places that take them.

import { type Side, SIDES } from "pspge/page/docks.js";

/** The type of what is dragged. */
const DRAGGED = "application/x-pspge-panel";
/** The share of a part's side within which a panel is docked there instead of inside. */
const NEAR = 0.25;

/** The side of a part that the pointer is near to. */
type Aim = Side | "in";

/** Connects what is dragged with the places that take it. `redraw` shows where the dragged panel would stand. */
export function createPanelDrag(ids: readonly string[], redraw: () => void) {
  let aim: { leaf: string; side: Aim } | null = null;
  const setAim = (next: typeof aim) => {
    if (next?.leaf !== aim?.leaf || next?.side !== aim?.side) {
      aim = next;
      redraw();
    }
  };
  const isDragged = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes(DRAGGED) ?? false;
  const take = (event: DragEvent, drop: (id: string, event: DragEvent) => void) => {
    const id = event.dataTransfer?.getData(DRAGGED);
    if (id && ids.includes(id)) {
      event.preventDefault();
      drop(id, event);
      setAim(null);
    }
  };
  return {
    /** Props of what is dragged. */
    source: (id: string) => ({ draggable: true, onDragStart: (event: DragEvent) => event.dataTransfer?.setData(DRAGGED, id), onDragEnd: () => setAim(null) }),
    /** Props of a part that takes panels at its sides and inside. */
    part(leaf: string, drop: (id: string, side: Aim) => void) {
      return {
        "data-aim": aim?.leaf === leaf ? aim.side : undefined,
        onDragOver(event: DragEvent) {
          if (isDragged(event)) {
            event.preventDefault();
            setAim({ leaf, side: aimOf(event) });
          }
        },
        onDragLeave: () => setAim(null),
        onDrop: (event: DragEvent) => take(event, (id) => drop(id, aimOf(event))),
      };
    },
    /** Props of a part that takes panels only inside. */
    whole: (drop: (id: string) => void) => ({
      onDragOver: (event: DragEvent) => isDragged(event) && event.preventDefault(),
      onDrop: (event: DragEvent) => take(event, drop),
    }),
    /** Takes panels that are dropped where no part takes them. */
    elsewhere(drop: (id: string, place: { x: number; y: number }) => void) {
      document.addEventListener("dragover", (event) => !event.defaultPrevented && isDragged(event) && event.preventDefault());
      document.addEventListener("drop", (event) => event.defaultPrevented || take(event, (id) => drop(id, { x: event.clientX, y: event.clientY })));
    },
  };
}

function aimOf({ currentTarget, clientX, clientY }: DragEvent): Aim {
  const box = (currentTarget as Element).getBoundingClientRect();
  const [x, y] = [(clientX - box.left) / box.width, (clientY - box.top) / box.height];
  const distances = { left: x, right: 1 - x, above: y, below: 1 - y };
  const nearest = SIDES.reduce((best, side) => (distances[side] < distances[best] ? side : best));
  return distances[nearest] < NEAR ? nearest : "in";
}
