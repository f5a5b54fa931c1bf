// events/filter-help.tsx
import { TERMS } from "pspge/events/event-filter.js";
import { Heads, Link } from "pspge/widgets/controls.js";
import { closeMenu, Menu } from "pspge/widgets/menu.js";
import { jsx, jsxs } from "pspge/base/preact.js";
function FilterHelp({ onChoose }) {
  return /* @__PURE__ */ jsxs(Menu, { label: "?", title: "Terms of the filter", menuClass: "menu filter-help", button: { class: "icon-button", "aria-label": "Terms of the filter" }, children: [
    /* @__PURE__ */ jsxs("p", { children: [
      "Words and terms; an event has to meet all of them. A minus in front negates: ",
      /* @__PURE__ */ jsx("code", { class: "nowrap", children: "-is:clear" }),
      "."
    ] }),
    /* @__PURE__ */ jsxs("table", { children: [
      /* @__PURE__ */ jsx(Heads, { class: "visually-hidden", names: ["Term", "Meaning"] }),
      /* @__PURE__ */ jsx("tbody", { children: TERMS.map(({ example, text }) => /* @__PURE__ */ jsxs("tr", { children: [
        /* @__PURE__ */ jsx("td", { children: /* @__PURE__ */ jsx(
          Link,
          {
            class: "mono",
            onClick: (event) => {
              closeMenu(event);
              onChoose(example);
            },
            children: example
          }
        ) }),
        /* @__PURE__ */ jsx("td", { children: text })
      ] })) })
    ] })
  ] });
}
export {
  FilterHelp
};
