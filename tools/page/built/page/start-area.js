// page/start-area.tsx
import { h } from "pspge/base/dom.js";
import { render } from "pspge/base/preact.js";
import { Button, Icon } from "pspge/widgets/controls.js";
import { jsx, jsxs } from "pspge/base/preact.js";
function startArea(app) {
  const element = h("section", { class: "start-area", "aria-label": "Open a file" });
  render(
    /* @__PURE__ */ jsxs("div", { class: "drop-area", children: [
      /* @__PURE__ */ jsx(Icon, { name: "open" }),
      /* @__PURE__ */ jsx("h1", { children: "Drop files here" }),
      /* @__PURE__ */ jsx("p", { children: "A frame dump of PPSSPP (.ppdmp), a display list (.ge), or a model of a PSP game, together with its files of textures, skeleton and animations. They are read on this computer and sent nowhere." }),
      /* @__PURE__ */ jsx(Button, { class: "primary", onClick: () => void app.chooseInput(0), children: "Choose files" }),
      /* @__PURE__ */ jsx("p", { class: "loading-text", role: "status", children: "Opening the file" })
    ] }),
    element
  );
  return element;
}
export {
  startArea
};
