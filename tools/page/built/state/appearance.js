// state/appearance.ts
import { remember, setting } from "pspge/base/layout.js";
function createAppearance({ ontheme, ondock }) {
  const root = document.documentElement;
  const isSystemDark = matchMedia("(prefers-color-scheme: dark)");
  const showTheme = () => {
    const theme = setting("theme", "system");
    root.dataset.theme = theme === "dark" || theme === "system" && isSystemDark.matches ? "dark" : "light";
    ontheme();
  };
  const showDock = () => ondock(setting("dock", "right"));
  const showTextSize = () => root.style.setProperty("--text-scale", String((Number(setting("text-size", "100")) || 100) / 100));
  isSystemDark.addEventListener("change", showTheme);
  showTheme();
  showDock();
  showTextSize();
  return (name, value) => {
    remember(name, value);
    ({ theme: showTheme, dock: showDock, "text-size": showTextSize })[name]();
  };
}
export {
  createAppearance
};
