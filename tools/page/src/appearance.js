// The appearance of the page: its theme, the size of texts, and the place of the panels.

import { remember, setting } from "pspge/layout.js";

/** @typedef {"light" | "dark" | "system"} Theme */
/** @typedef {"right" | "below"} Dock */

/**
 * Creates the settings of the appearance and applies the remembered ones.
 * @param {{ontheme: () => void, ondock: (dock: Dock) => void}} options called after a change
 */
export function createAppearance({ ontheme, ondock }) {
  const root = document.documentElement;
  const isSystemDark = matchMedia("(prefers-color-scheme: dark)");

  const showTheme = (/** @type {string} */ theme) => {
    const isDark = theme === "dark" || (theme === "system" && isSystemDark.matches);
    root.dataset.theme = isDark ? "dark" : "light";
    ontheme();
  };
  const showTextSize = (/** @type {number} */ percent) =>
    root.style.setProperty("--text-scale", String(percent / 100));

  isSystemDark.addEventListener("change", () => showTheme(setting("theme", "system")));
  showTheme(setting("theme", "system"));
  ondock(setting("dock", "right") === "below" ? "below" : "right");
  showTextSize(Number(setting("text-size", "100")) || 100);

  return {
    /** @param {Theme} theme */
    setTheme(theme) {
      remember("theme", theme);
      showTheme(theme);
    },
    /** @param {Dock} dock */
    setDock(dock) {
      remember("dock", dock);
      ondock(dock);
    },
    /** @param {number} percent */
    setTextSize(percent) {
      remember("text-size", String(percent));
      showTextSize(percent);
    },
  };
}
