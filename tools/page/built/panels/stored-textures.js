// panels/stored-textures.tsx
import { useLayoutEffect, useRef, useState } from "pspge/base/preact.js";
import { paint } from "pspge/picture/paint.js";
import { messageOf } from "pspge/state/engine.js";
import { IconButton, Select, useMore } from "pspge/widgets/controls.js";
import { saveCanvas } from "pspge/widgets/export.js";
import { jsx, jsxs } from "pspge/base/preact.js";
var SHOWN = 48;
function StoredTextures({ app, textures }) {
  const [shown, more] = useMore(textures, SHOWN);
  return /* @__PURE__ */ jsxs("div", { class: "stored-textures", children: [
    /* @__PURE__ */ jsx("ul", { "aria-label": "Textures", children: shown.map((texture, at) => /* @__PURE__ */ jsx(StoredTexture, { ...{ app, texture, at } }, `${app.input?.name} ${at}`)) }),
    more
  ] });
}
function StoredTexture({ app, texture, at }) {
  const canvas = useRef(null);
  const [palette, setPalette] = useState(0);
  const [problem, setProblem] = useState(null);
  const name = texture.name || `texture ${texture.index}`;
  useLayoutEffect(() => {
    let isWanted = true;
    const show = async () => {
      const { part, input } = app.store.run();
      const { json, bytes } = await app.engine.request({ request: "stored-texture", run: { input, part: part ?? null }, texture: at, palette });
      if (isWanted && canvas.current) {
        paint(canvas.current, json.width, json.height, bytes, true);
      }
    };
    setProblem(null);
    show().catch((error) => isWanted && setProblem(messageOf(error)));
    return () => {
      isWanted = false;
    };
  }, [app, at, palette]);
  const palettes = [...Array(texture.palettes).keys()].map(String);
  return /* @__PURE__ */ jsxs("li", { class: "stored-texture", children: [
    /* @__PURE__ */ jsx("div", { class: "texture-frame", children: problem === null ? /* @__PURE__ */ jsx("canvas", { ref: canvas, width: 0, height: 0, role: "img", "aria-label": `${name}, palette ${palette}` }) : /* @__PURE__ */ jsx("p", { class: "problem", children: problem }) }),
    /* @__PURE__ */ jsx("span", { class: "stored-name", title: name, children: name }),
    /* @__PURE__ */ jsx("span", { class: "muted", children: `${texture.width}×${texture.height} ${texture.format}` }),
    /* @__PURE__ */ jsxs("span", { class: "stored-tools", children: [
      palettes.length > 1 && /* @__PURE__ */ jsx(Select, { label: "Palette", choices: palettes, chosen: String(palette), onChoose: (value) => setPalette(Number(value)) }),
      /* @__PURE__ */ jsx(IconButton, { name: "save", label: `Save ${name} as PNG`, onClick: () => void saveCanvas(app, name.replace(/[^\p{L}\p{N}_-]+/gu, "_"), canvas.current) })
    ] })
  ] });
}
export {
  StoredTextures
};
