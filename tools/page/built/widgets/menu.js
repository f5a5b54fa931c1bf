// widgets/menu.tsx
import { placeBelow } from "pspge/base/layout.js";
import { useLayoutEffect, useRef, useState } from "pspge/base/preact.js";
import { Button } from "pspge/widgets/controls.js";
import { jsx, jsxs } from "pspge/base/preact.js";
function closeMenu({ currentTarget }) {
  currentTarget.closest("[popover]")?.hidePopover();
}
function Menu({ label, title, menuClass = "menu", button: props, children }) {
  const button = useRef(null);
  const popover = useRef(null);
  const [isOpen, setOpen] = useState(false);
  useLayoutEffect(() => {
    if (popover.current && button.current) {
      placeBelow(popover.current, button.current);
    }
  }, []);
  const toggle = ({ newState }) => {
    setOpen(newState === "open");
    if (newState === "open") {
      popover.current?.querySelector("button, input, select")?.focus();
    }
  };
  return /* @__PURE__ */ jsxs("span", { class: "menu-holder", children: [
    /* @__PURE__ */ jsx(
      Button,
      {
        ref: button,
        class: "menu-button",
        title,
        "aria-haspopup": "true",
        "aria-expanded": isOpen,
        onClick: () => {
          setOpen(true);
          popover.current?.togglePopover();
        },
        ...props,
        children: label
      }
    ),
    /* @__PURE__ */ jsx("div", { ref: popover, class: menuClass, popover: "auto", onToggle: toggle, children: typeof children === "function" ? isOpen && children() : children })
  ] });
}
export {
  Menu,
  closeMenu
};
