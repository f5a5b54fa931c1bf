// widgets/stage.tsx
import { h } from "pspge/base/dom.js";
import { remember, setting } from "pspge/base/layout.js";
import { render, useLayoutEffect, useState } from "pspge/base/preact.js";
import { Toggle } from "pspge/widgets/controls.js";
import { Host, InPanel, usePanel } from "pspge/widgets/panel.js";
import { jsx } from "pspge/base/preact.js";
function useStage(usual) {
  const { app, id } = usePanel();
  const name = `stage-${id}`;
  const [isWanted, setWanted] = useState(setting(name, usual ? "yes" : "no") === "yes");
  const choose = (isOn) => {
    setWanted(isOn);
    remember(name, isOn ? "yes" : "no");
  };
  const toggle = /* @__PURE__ */ jsx(Toggle, { text: "In the middle", title: "Show this in the middle of the page, in place of the picture, while the panel is chosen", isOn: isWanted, onChange: choose });
  return [isWanted && app.chosenPanel.value === id, toggle];
}
function OnStage({ isOn, keys, children }) {
  const panel = usePanel();
  const { stage } = panel.app;
  const [element] = useState(() => h("div", { class: "stage-part" }));
  useLayoutEffect(() => render(/* @__PURE__ */ jsx(InPanel, { panel, children }), element));
  useLayoutEffect(() => () => render(null, element), []);
  useLayoutEffect(() => {
    if (!isOn) {
      return void 0;
    }
    stage.value = { element, keys };
    return () => {
      if (stage.peek()?.element === element) {
        stage.value = null;
      }
    };
  }, [isOn]);
  return isOn ? null : /* @__PURE__ */ jsx(Host, { element });
}
export {
  OnStage,
  useStage
};
