// The appearance of the page: its theme, the size of texts, and the place of the panels.

import { remember, setting } from "pspge/base/layout.js";

/** Creates the settings of the appearance and applies the remembered ones. The functions are called after a change. */
export function createAppearance({ ontheme, ondock }: { ontheme: () => void; ondock: (dock: string) => void }) {
  const root = document.documentElement;
  const isSystemDark = matchMedia("(prefers-color-scheme: dark)");
  const showTheme = () => {
    const theme = setting("theme", "system");
    root.dataset.theme = theme === "dark" || (theme === "system" && isSystemDark.matches) ? "dark" : "light";
    ontheme();
  };
  const showDock = () => ondock(setting("dock", "right"));
  const showTextSize = () => root.style.setProperty("--text-scale", String((Number(setting("text-size", "100")) || 100) / 100));

  isSystemDark.addEventListener("change", showTheme);
  showTheme();
  showDock();
  showTextSize();
  return (name: "theme" | "dock" | "text-size", value: string) => {
    remember(name, value);
    ({ theme: showTheme, dock: showDock, "text-size": showTextSize })[name]();
  };
}
