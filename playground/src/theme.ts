/** Light or dark: as the system says, until the visitor chooses. */
import { computed, effect, signal } from "@preact/signals";

type Choice = "system" | "light" | "dark";
const KEY = "expen-theme";

function stored(): Choice {
  try {
    const stored = localStorage.getItem(KEY);
    return stored === "light" || stored === "dark" ? stored : "system";
  } catch {
    return "system";
  }
}

const preference = window.matchMedia("(prefers-color-scheme: dark)");
const system = signal(preference.matches);
preference.addEventListener("change", (event) => {
  system.value = event.matches;
});

const choice = signal<Choice>(stored());
export const dark = computed(() => (choice.value === "system" ? system.value : choice.value === "dark"));

effect(() => {
  document.documentElement.dataset.theme = dark.value ? "dark" : "light";
});

export function toggleTheme(): void {
  const next = dark.value ? "light" : "dark";
  choice.value = next === (system.value ? "dark" : "light") ? "system" : next;
  try {
    if (choice.value === "system") localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, choice.value);
  } catch {
    // a page without storage forgets the choice, no more
  }
}
