// Buttons that open a popover.

import { placeBelow } from "pspge/base/layout.js";
import { type ComponentChild, type ComponentChildren, useLayoutEffect, useRef, useState } from "pspge/base/preact.js";
import { type Attributes, Button } from "pspge/widgets/controls.js";

/** Closes the menu around the control that an event is of. */
export function closeMenu({ currentTarget }: { currentTarget: EventTarget | null }) {
  (currentTarget as Element).closest<HTMLElement>("[popover]")?.hidePopover();
}

interface MenuProps {
  label: ComponentChild;
  title: string;
  menuClass?: string;
  button?: Attributes<"button">;
  /** What is in the popover. A function is called while it is open. */
  children: ComponentChildren | (() => ComponentChild);
}

/** A button that opens a popover next to it. */
export function Menu({ label, title, menuClass = "menu", button: props, children }: MenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  const popover = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  useLayoutEffect(() => {
    if (popover.current && button.current) {
      placeBelow(popover.current, button.current);
    }
  }, []);
  const toggle = ({ newState }: { newState?: string }) => {
    setOpen(newState === "open");
    if (newState === "open") {
      popover.current?.querySelector<HTMLElement>("button, input, select")?.focus();
    }
  };
  return (
    <span class="menu-holder">
      <Button
        ref={button}
        class="menu-button"
        title={title}
        aria-haspopup="true"
        aria-expanded={isOpen}
        onClick={() => {
          setOpen(true);
          popover.current?.togglePopover();
        }}
        {...props}
      >
        {label}
      </Button>
      <div ref={popover} class={menuClass} popover="auto" onToggle={toggle}>{typeof children === "function" ? isOpen && children() : children}</div>
    </span>
  );
}
