// filter-help.js
import { h } from "pspge/dom.js";
import { TERMS } from "pspge/event-filter.js";
import { placeBelow } from "pspge/layout.js";
function filterHelp(onchoose) {
  const table = h(
    "table",
    null,
    h(
      "thead",
      { class: "visually-hidden" },
      h("tr", null, h("th", { scope: "col" }, "Term"), h("th", { scope: "col" }, "Meaning"))
    ),
    h(
      "tbody",
      null,
      TERMS.map(({ example, text }) => {
        const choose = () => {
          popup.hidePopover();
          onchoose(example);
        };
        return h(
          "tr",
          null,
          h("td", null, h("button", { type: "button", class: "link mono", onclick: choose }, example)),
          h("td", null, text)
        );
      })
    )
  );
  const popup = h(
    "div",
    { class: "menu filter-help", popover: "auto" },
    h(
      "p",
      null,
      "Words and terms; an event has to meet all of them. A minus in front negates: ",
      h("code", { class: "nowrap" }, "-is:clear"),
      "."
    ),
    table
  );
  const button = h(
    "button",
    {
      type: "button",
      class: "icon-button",
      title: "Terms of the filter",
      "aria-label": "Terms of the filter",
      "aria-haspopup": "true"
    },
    "?"
  );
  button.addEventListener("click", () => popup.togglePopover());
  placeBelow(popup, button);
  return h("span", { class: "menu-holder" }, button, popup);
}
export {
  filterHelp
};
