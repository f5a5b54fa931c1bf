// The page until a file is open.

import { h } from "pspge/base/dom.js";
import { render } from "pspge/base/preact.js";
import type { App } from "pspge/state/app-types.js";
import { Button, Icon } from "pspge/widgets/controls.js";

/** Creates the area that is shown until a file is open. */
export function startArea(app: App): HTMLElement {
  const element = h("section", { class: "start-area", "aria-label": "Open a file" });
  render(
    <div class="drop-area">
      <Icon name="open" />
      <h1>Drop files here</h1>
      <p>
        A frame dump of PPSSPP (.ppdmp), a display list (.ge), or a model of a PSP game, together with its files of textures, skeleton and animations. They are read on this computer and sent nowhere.
      </p>
      <Button class="primary" onClick={() => void app.chooseInput(0)}>Choose files</Button>
      <p class="loading-text" role="status">Opening the file</p>
    </div>,
    element,
  );
  return element;
}
