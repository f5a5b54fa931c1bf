// The theme of the page, which follows the system.

/** Sets the theme on the root now, and again if the system changes. */
export function followSystemTheme() {
  const isDark = matchMedia("(prefers-color-scheme: dark)");
  const apply = () => {
    document.documentElement.dataset.theme = isDark.matches ? "dark" : "light";
  };
  isDark.addEventListener("change", apply);
  apply();
}
