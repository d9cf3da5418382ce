/** Colours of the system, or those that were chosen: before the first paint, so that a dark page does not flash white. */
const KEY = "expen-theme";

function chosen(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

document.documentElement.dataset.theme =
  chosen() ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
