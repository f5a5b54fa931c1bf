// The stage in the middle of the page. A panel may use it for its large view while it is the chosen one.

import { h } from "pspge/base/dom.js";
import { remember, setting } from "pspge/base/layout.js";
import { type ComponentChild, type ComponentChildren, render, useLayoutEffect, useState } from "pspge/base/preact.js";
import type { StageKeys } from "pspge/state/app-types.js";
import { Toggle } from "pspge/widgets/controls.js";
import { Host, InPanel, usePanel } from "pspge/widgets/panel.js";

/** Tells whether the panel uses the stage now, and gives the switch for it. The choice is remembered. */
export function useStage(usual: boolean): [boolean, ComponentChild] {
  const { app, id } = usePanel();
  const name = `stage-${id}`;
  const [isWanted, setWanted] = useState(setting(name, usual ? "yes" : "no") === "yes");
  const choose = (isOn: boolean) => {
    setWanted(isOn);
    remember(name, isOn ? "yes" : "no");
  };
  const toggle = <Toggle text="In the middle" title="Show this in the middle of the page, in place of the picture, while the panel is chosen" isOn={isWanted} onChange={choose} />;
  return [isWanted && app.chosenPanel.value === id, toggle];
}

/** Shows a view on the stage, or else in its own place. Its elements stay the same, so that canvases keep what they show. */
export function OnStage({ isOn, keys, children }: { isOn: boolean; keys: StageKeys; children: ComponentChildren }) {
  const panel = usePanel();
  const { stage } = panel.app;
  const [element] = useState(() => h("div", { class: "stage-part" }));
  useLayoutEffect(() => render(<InPanel panel={panel}>{children}</InPanel>, element));
  useLayoutEffect(() => () => render(null, element), []);
  useLayoutEffect(() => {
    if (!isOn) {
      return undefined;
    }
    stage.value = { element, keys };
    return () => {
      if (stage.peek()?.element === element) {
        stage.value = null;
      }
    };
  }, [isOn]);
  return isOn ? null : <Host element={element} />;
}
